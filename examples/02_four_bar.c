// SPDX-License-Identifier: MIT
// A four-bar linkage: the crank is guided at constant speed; prints the angle of the rocker and compares it with the
// closed form of the loop.
#include <biela/biela.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double crank = 1, coupler = 3, rocker = 2, base = 3; // lengths, m
static const double speed = 2;                                    // of the crank, rad/s

// Angle of the rocker for an angle of the crank: triangle of rocker pivot, crank tip and rocker tip.
static double rocker_angle(double angle)
{
    double x = crank * cos(angle) - base, y = crank * sin(angle), diagonal = hypot(x, y);
    double cosine = (diagonal * diagonal + rocker * rocker - coupler * coupler) / (2.0 * diagonal * rocker);
    return atan2(y, x) + (y < 0.0 ? 2.0 * pi : 0.0) - acos(cosine);
}

static bi_body add_bar(bi_model *m, const char *name, double length, bi_vec3 from, double angle)
{
    double i = length * length / 12.0;
    bi_pose pose = { from, { cos(0.5 * angle), 0, 0, sin(0.5 * angle) } };
    return bi_add_body(
        m,
        &(bi_body_def){
            .name = name, .mass = 1, .com = { 0.5 * length, 0, 0 }, .inertia = { 0, i, i }, .pose = pose });
}

static bi_joint add_hinge(bi_model *m, const char *name, bi_body a, bi_body b, bi_vec3 at)
{
    return bi_add_joint(m, &(bi_joint_def){ .name = name, .kind = BI_REVOLUTE, .a = a, .b = b, .at = at });
}

static bi_model *four_bar(void)
{
    bi_model *m = bi_model_create("four-bar");
    double psi = rocker_angle(0.0);
    bi_vec3 A = { 0, 0, 0 }, B = { crank, 0, 0 }, D = { base, 0, 0 };
    bi_vec3 C = { base + rocker * cos(psi), rocker * sin(psi), 0 };
    bi_body one = add_bar(m, "crank", crank, A, 0.0), three = add_bar(m, "rocker", rocker, D, psi);
    bi_body two = add_bar(m, "coupler", coupler, B, atan2(C.y - B.y, C.x - B.x));
    bi_joint motor = add_hinge(m, "A", BI_GROUND, one, A), last = add_hinge(m, "D", BI_GROUND, three, D);
    add_hinge(m, "B", one, two, B);
    add_hinge(m, "C", two, three, C);
    bi_model_parameter(m, "speed", speed, "rad/s");
    bi_add_guide(
        m, &(bi_guide_def){ .name = "motor", .joint = motor, .value = bi_expression(m, "speed*t", "rad") });
    bi_add_output(m, &(bi_output_def){ .name = "rocker", .kind = BI_OUT_JOINT, .joint = last });
    return m;
}

int main(void)
{
    bi_report report = { 0 };
    bi_model *model = four_bar();
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bi_status status = sim ? bi_sim_start(sim, &report) : BI_BAD_MODEL;
    for (int k = 0; k < report.count; k++) {
        fprintf(stderr, "%s: %s\n", report.issue[k].where, report.issue[k].what);
    }
    double worst = 0.0;
    for (int n = 0; n < 5000 && status == BI_OK; n++) {
        status = bi_sim_step(sim);
        double t = bi_sim_view(sim).t, angle = bi_sim_read(sim, bi_find_channel(system, "rocker.angle"));
        worst = fmax(worst, fabs(angle - rocker_angle(speed * t)));
        if (n % 100 == 99) {
            printf("%g %.9f\n", t, angle);
        }
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    printf("status: %s, largest error of the rocker angle: %.2e rad\n", bi_status_text(status), worst);
    return status == BI_OK && worst < 1e-9 ? 0 : 1;
}
