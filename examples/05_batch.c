// SPDX-License-Identifier: MIT
// A thousand pendulums at once: how far does one swing when nobody knows its push exactly? Prints quantiles of the angle, then
// does one of the thousand again, alone, and compares all its bits.
#include <biela/batch.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 1000 };

static bi_system *pendulum(void)
{
    bi_model *model = bi_model_create("a pendulum with a motor");
    bi_body rod = bi_add_body(model, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 0, 0, -1 } });
    bi_joint pin = bi_add_joint(
        model,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_add_input(model, "push", 0.0);
    bi_add_torque(model, &(bi_torque_def){
                             .name = "motor", .joint = pin, .torque = bi_expression(model, "push", NULL) });
    bi_add_output(model, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_system *system = bi_compile(model, &(bi_options){ .coordinates = BI_JOINT, .dt = 1e-3 }, NULL);
    bi_model_destroy(model);
    return system;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double push[CASES], angle[CASES];
    static uint64_t hash[CASES];
    bi_system *system = pendulum();
    bi_batch *batch = bi_batch_create(system, CASES, NULL, NULL);
    if (!batch) {
        return 1;
    }
    bi_input motor = bi_find_input(system, "push");
    bi_channel swing = bi_find_channel(system, "pin.angle");
    for (int k = 0; k < CASES; k++) {
        push[k] = 2.0 + bi_random(1, "push", (uint64_t)k); // 2 to 3 N m
    }
    bi_batch_start(batch);
    bi_batch_inputs(batch, &motor, 1, push);
    bi_batch_run_to(batch, 1.0);
    bi_batch_read(batch, &swing, 1, angle);
    bi_batch_hashes(batch, hash);
    qsort(angle, CASES, sizeof *angle, ascending);
    printf("angle after 1 s: 5 %% below %.4f, half below %.4f, 95 %% below %.4f rad; %d failed\n",
           angle[CASES / 20], angle[CASES / 2], angle[CASES - CASES / 20], bi_batch_failed(batch));

    bi_sim *one = bi_sim_create(system);
    bi_sim_start(one, NULL);
    bi_sim_input(one, motor, 2.0 + bi_random(1, "push", 417));
    bi_sim_run_to(one, 1.0);
    bool is_same = bi_sim_hash(one) == hash[417];
    printf("case 417 alone: %s\n", is_same ? "the same bits" : "other bits");
    bi_sim_destroy(one);
    bi_batch_destroy(batch);
    bi_system_destroy(system);
    return is_same ? 0 : 1;
}
