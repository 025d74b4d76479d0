// SPDX-License-Identifier: MIT
// A ball on a massless rod, let go from the horizontal: the C listing of the README.
#include <biela/biela.h>
#include <stdio.h>

int main(void)
{
    bi_model *model = bi_model_create("a ball on a rod, let go");
    bi_body ball = bi_add_body(model, &(bi_body_def){ .name = "ball", .mass = 2, .com = { 1, 0, 0 } });
    bi_joint_def def = { .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = ball, .axis = { 0, 1, 0 } };
    bi_joint pin = bi_add_joint(model, &def);
    bi_add_output(model, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });

    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    bi_status status = bi_sim_start(sim, NULL);
    for (int n = 1; n <= 10 && status == BI_OK; n++) {
        status = bi_sim_run_to(sim, 0.1 * n);
        printf("%.1f s  %.6f rad\n", 0.1 * n, bi_sim_read(sim, bi_find_channel(system, "pin.angle")));
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    return status == BI_OK ? 0 : 1;
}
