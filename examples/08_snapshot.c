// SPDX-License-Identifier: MIT
// Snapshot and rewind: what a run does is tried out, taken back, and done again with the same bits.
#include <biela/biela.h>
#include <biela/loop.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    bi_model *m = bi_model_create("a double pendulum");
    bi_body_def def = { .name = "upper", .mass = 1, .com = { 0.5, 0, 0 }, .inertia = { 0.01, 0.1, 0.1 } };
    bi_body upper = bi_add_body(m, &def);
    def.name = "lower";
    def.pose.pos.x = 1;
    bi_body lower = bi_add_body(m, &def);
    bi_vec3 y = { 0, 1, 0 };
    bi_add_joint(m,
                 &(bi_joint_def){ .name = "A", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = upper, .axis = y });
    bi_add_joint(
        m, &(bi_joint_def){
               .name = "B", .kind = BI_REVOLUTE, .a = upper, .b = lower, .at = { 1, 0, 0 }, .axis = y });
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    bi_sim_start(sim, NULL);
    bi_sim_steps(sim, 500);

    size_t size = bi_sim_save(sim, NULL, 0);
    void *kept = malloc(size);
    bi_sim_save(sim, kept, size);
    bi_sim_steps(sim, 1000);
    unsigned long long there = bi_sim_hash(sim);
    bi_status status = bi_sim_load(sim, kept, size); // back to 0.5 s
    printf("back at %.3f s, %zu bytes\n", bi_sim_time(sim), size);
    bi_sim_steps(sim, 1000);
    unsigned long long again = bi_sim_hash(sim);
    printf("%016llx\n%016llx\n", there, again);

    free(kept);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return status == BI_OK && there == again ? 0 : 1;
}
