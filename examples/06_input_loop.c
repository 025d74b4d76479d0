// SPDX-License-Identifier: MIT
// A controller in the loop: a cart under a pendulum is pushed so that the pendulum stands, 200 times a second.
#include <biela/biela.h>
#include <biela/loop.h>
#include <math.h>
#include <stdio.h>

static bi_system *make(void)
{
    bi_model *m = bi_model_create("a pendulum on a cart");
    bi_model_gravity(m, (bi_vec3){ 0, 0, -9.81 });
    bi_body cart = bi_add_body(m, &(bi_body_def){ .name = "cart", .mass = 1, .inertia = { 1, 1, 1 } });
    bi_body rod = bi_add_body(
        m,
        &(bi_body_def){ .name = "rod", .mass = 0.2, .com = { 0, 0, 0.5 }, .inertia = { 0.02, 0.02, 0.001 } });
    bi_joint rail = bi_add_joint(
        m, &(bi_joint_def){
               .name = "rail", .kind = BI_PRISMATIC, .a = BI_GROUND, .b = cart, .axis = { 1, 0, 0 } });
    bi_joint pin = bi_add_joint(m, &(bi_joint_def){ .name = "pin",
                                                    .kind = BI_REVOLUTE,
                                                    .a = cart,
                                                    .b = rod,
                                                    .axis = { 0, 1, 0 },
                                                    .set_value = true,
                                                    .value = 0.2 });
    bi_add_input(m, "push", 0.0);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "motor", .joint = rail, .torque = bi_expression(m, "push", NULL) });
    bi_add_output(m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_add_output(m, &(bi_output_def){ .name = "rail", .kind = BI_OUT_JOINT, .joint = rail });
    bi_system *system = bi_compile(m, &(bi_options){ .coordinates = BI_JOINT, .dt = 1e-3 }, NULL);
    bi_model_destroy(m);
    return system;
}

int main(void)
{
    bi_system *system = make();
    bi_sim *sim = bi_sim_create(system);
    bi_input push = bi_find_input(system, "push");
    bi_channel see[4] = { bi_find_channel(system, "pin.angle"), bi_find_channel(system, "pin.rate"),
                          bi_find_channel(system, "rail.position"), bi_find_channel(system, "rail.rate") };
    double x[4] = { 0 };
    bi_status status = bi_sim_start(sim, NULL);
    for (int k = 0; k < 2000 && status == BI_OK; k++) {
        bi_sim_read_these(sim, see, 4, x);
        bi_sim_input(sim, push, 40.0 * x[0] + 8.0 * x[1] + 2.0 * x[2] + 4.0 * x[3]);
        status = bi_sim_steps(sim, 5); // 5 ms
    }
    printf("after %.0f s: %.2e rad, %.2e m\n", bi_sim_time(sim), x[0], x[2]);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    return status == BI_OK && fabs(x[0]) < 1e-3 && fabs(x[2]) < 1e-2 ? 0 : 1;
}
