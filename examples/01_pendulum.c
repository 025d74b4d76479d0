// SPDX-License-Identifier: MIT
// A pendulum in the vertical plane x-z, released from the horizontal: prints its angle for ten seconds and checks
// that its energy stays what it was.
#include <biela/biela.h>
#include <math.h>
#include <stdio.h>

// A point mass of 1 kg at the end of a massless rod of 1 m, hinged to the ground about y.
static bi_model *pendulum(void)
{
    bi_model *model = bi_model_create("pendulum");
    bi_model_gravity(model, (bi_vec3){ 0, 0, -9.81 });
    bi_body rod = bi_add_body(model, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 } });
    bi_joint pivot = bi_add_joint(
        model, &(bi_joint_def){
                   .name = "pivot", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_add_output(model, &(bi_output_def){ .name = "pivot", .kind = BI_OUT_JOINT, .joint = pivot });
    return model;
}

int main(void)
{
    bi_report report = { 0 };
    bi_model *model = pendulum();
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    bi_model_destroy(model);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bi_status status = sim ? bi_sim_start(sim, &report) : BI_BAD_MODEL;
    for (int k = 0; k < report.count; k++) {
        fprintf(stderr, "%s: %s\n", report.issue[k].where, report.issue[k].what);
    }

    double drift = 0.0;
    if (status == BI_OK) {
        bi_channel angle = bi_find_channel(system, "pivot.angle");
        bi_channel energy = bi_find_channel(system, "energy.total");
        double start = bi_sim_read(sim, energy);
        for (int n = 0; n < 10000 && status == BI_OK; n++) {
            status = bi_sim_step(sim);
            drift = fmax(drift, fabs(bi_sim_read(sim, energy) - start));
            if (n % 100 == 99) {
                printf("%g %.9f\n", bi_sim_view(sim).t, bi_sim_read(sim, angle));
            }
        }
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_report_clear(&report);

    // 9.81 J are exchanged at each swing; the trapezoidal rule keeps all but about (omega dt)^2 = 1e-5 of them
    printf("status: %s, largest change of energy: %.2e J\n", bi_status_text(status), drift);
    return status == BI_OK && drift < 1e-4 ? 0 : 1;
}
