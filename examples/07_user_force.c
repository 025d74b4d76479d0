// SPDX-License-Identifier: MIT
// A force of your own: a magnet at the origin pulls a ball on a rail, F = -c x / (x^2 + d^2)^2, against the energy it must keep.
#include <biela/biela.h>
#include <math.h>
#include <stdio.h>

typedef struct {
    double c, d;
} magnet;

static void pull(void *data, const bi_force_motion *at, bi_force_load *out)
{
    const magnet *m = data;
    double x = at->pos[0].x, far = x * x + m->d * m->d;
    out->force[0].x = -m->c * x / (far * far);
    out->scalar = out->force[0].x;
}

int main(void)
{
    magnet strong = { .c = 2.0, .d = 0.5 };
    bi_model *m = bi_model_create("a ball on a rail, and a magnet");
    bi_body ball = bi_add_body(
        m,
        &(bi_body_def){ .name = "ball", .mass = 1, .inertia = { 1, 1, 1 }, .pose = { .pos = { 1, 0, 0 } } });
    bi_add_joint(m, &(bi_joint_def){ .name = "rail",
                                     .kind = BI_PRISMATIC,
                                     .a = BI_GROUND,
                                     .b = ball,
                                     .at = { 1, 0, 0 },
                                     .axis = { 1, 0, 0 } });
    bi_add_user_force(m, &(bi_user_force_def){ .name = "magnet",
                                               .n_point = 1,
                                               .point = { { ball, { 0, 0, 0 } } },
                                               .eval = pull,
                                               .data = &strong });
    bi_add_output(m, &(bi_output_def){ .name = "ball", .kind = BI_OUT_BODY, .body = ball });
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    bi_status status = bi_sim_start(sim, NULL);
    double worst = 0.0, start = -0.5 * strong.c / (1.0 + 0.25);
    for (int k = 0; k < 5000 && status == BI_OK; k++) {
        status = bi_sim_step(sim);
        double x = bi_sim_read(sim, bi_find_channel(system, "ball.x")),
               v = bi_sim_read(sim, bi_find_channel(system, "ball.vx"));
        double energy = 0.5 * v * v - 0.5 * strong.c / (x * x + strong.d * strong.d);
        worst = fmax(worst, fabs(energy - start));
    }
    // the trapezoidal rule at 1 ms: 2e-5
    printf("energy kept to %.1e J of %.2f\n", worst, -start);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return status == BI_OK && worst < 5e-5 ? 0 : 1;
}
