// SPDX-License-Identifier: MIT
// Threads: one compiled system is shared by all, and each thread has a sim of its own. Bits do not depend on who runs it.
#include <biela/biela.h>
#include <biela/loop.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

typedef struct {
    const bi_system *system;
    double push;
    bi_status status;
    unsigned long long hash;
    double angle;
} job;

static void *work(void *data)
{
    job *j = data;
    bi_sim *sim = bi_sim_create(j->system);
    j->status = bi_sim_start(sim, NULL);
    bi_sim_input(sim, bi_find_input(j->system, "push"), j->push);
    if (j->status == BI_OK) {
        j->status = bi_sim_steps(sim, 2000);
    }
    j->hash = bi_sim_hash(sim);
    j->angle = bi_sim_read(sim, bi_find_channel(j->system, "pin.angle"));
    bi_sim_destroy(sim);
    return NULL;
}

int main(void)
{
    bi_model *m = bi_model_create("a rod");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 0.5, 0, 0 }, .inertia = { 0.01, 0.1, 0.1 } });
    bi_joint pin = bi_add_joint(
        m,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_add_input(m, "push", 0.0);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "motor", .joint = pin, .torque = bi_expression(m, "push", NULL) });
    bi_add_output(m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, NULL);

    pthread_t thread[THREADS];
    job jobs[THREADS];
    int failed = 0;
    for (int k = 0; k < THREADS; k++) {
        jobs[k] = (job){ .system = system, .push = 0.1 * (k / 2) }; // two of each
        failed |= pthread_create(&thread[k], NULL, work, &jobs[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        failed |= pthread_join(thread[k], NULL);
        printf("push %.1f: %.6f rad, %016llx\n", jobs[k].push, jobs[k].angle, jobs[k].hash);
        failed |= jobs[k].status != BI_OK;
    }
    bi_system_destroy(system);
    bi_model_destroy(m);
    return !failed && jobs[0].hash == jobs[1].hash && jobs[2].hash == jobs[3].hash &&
                   jobs[0].hash != jobs[2].hash
               ? 0
               : 1;
}
