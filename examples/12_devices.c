// SPDX-License-Identifier: MIT
// Many sims of a compiled model (biela compile MODEL; without one, of a pendulum) with other inputs and velocities each, on a
// device and, for some, on the threads of this machine: how many steps a second, and whether every bit is the same.
//     devices [FILE.image [DEVICE [SIMS [STEPS [DIFFERENT]]]]]
#include <biela/batch.h>
#include <biela/image.h>
#include <biela/loop.h>
#include <biela/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bi_system *load(const char *path, bi_report *report)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s cannot be read\n", path);
        return NULL;
    }
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(size);
    size = bytes ? fread(bytes, 1, size, f) : 0;
    fclose(f);
    bi_system *system = bi_image_load(bytes, size, report);
    free(bytes);
    return system;
}

static bi_system *pendulum(bi_report *report)
{
    bi_model *model = bi_model_create("a pendulum with a motor");
    bi_body rod = bi_add_body(model, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 0, 0, -1 } });
    bi_joint pin = bi_add_joint(
        model,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_add_input(model, "push", 1.0);
    bi_add_torque(model, &(bi_torque_def){
                             .name = "motor", .joint = pin, .torque = bi_expression(model, "push", NULL) });
    bi_system *system = bi_compile(model, &(bi_options){ .coordinates = BI_JOINT, .dt = 1e-3 }, report);
    bi_model_destroy(model);
    return system;
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Case k of as many as are different: inputs and velocities up to 30 % beside those of the model.
static void spread(const bi_system *system, bi_sim *sim, uint64_t k)
{
    double *input = bi_sim_input_values(sim);
    for (int i = 0; i < bi_input_count(system); i++) {
        double size = input[i] != 0.0 ? input[i] : 0.1;
        input[i] += 0.6 * size * (bi_random(1, "input", k * 64 + (uint64_t)i) - 0.5);
    }
    bi_view at = bi_sim_view(sim);
    int n = bi_variable_count(system);
    double *v = malloc((size_t)(n + 1) * sizeof *v), more = 0.6 * (bi_random(1, "velocity", k) - 0.5);
    for (int i = 0; v && i < n; i++) {
        v[i] = at.v[i] * (1.0 + more) + (bi_row_count(system) == 0 ? 1e-3 * more : 0.0);
    }
    bi_sim_set_state(sim, NULL, v, NULL);
    free(v);
}

static bi_batch *started(const bi_system *system, const char *device, int sims, int different,
                         bi_report *report)
{
    bi_batch *b = bi_batch_create(system, sims, &(bi_batch_options){ .device = device }, report);
    if (b) {
        bi_batch_start(b);
        for (int k = 0; k < sims; k++) {
            spread(system, bi_batch_sim(b, k), (uint64_t)(k % different));
        }
    }
    return b;
}

int main(int n, char **word)
{
    const char *device = n > 2 ? word[2] : "threads";
    int sims = n > 3 ? atoi(word[3]) : 256, steps = n > 4 ? atoi(word[4]) : 100;
    int different = n > 5 ? atoi(word[5]) : 64;
    bi_report report = { 0 };
    bi_system *system = n > 1 ? load(word[1], &report) : pendulum(&report);
    different = different < sims ? different : sims;
    bi_batch *few = system ? started(system, "threads", different, different, &report) : NULL;
    bi_batch *all = few ? started(system, device, sims, different, &report) : NULL;
    if (!all) {
        for (int k = 0; k < report.count; k++) {
            fprintf(stderr, "%s: %s\n", report.issue[k].where, report.issue[k].what);
        }
        return 1;
    }
    // once to begin with, as memory and code are fetched then
    bi_batch_step(all, 1);
    double begin = seconds();
    bi_batch_step(all, steps);
    double there = seconds() - begin;
    bi_batch_step(few, 1);
    begin = seconds();
    bi_batch_step(few, steps);
    double here = seconds() - begin;

    uint64_t *hash = calloc((size_t)(sims + different), sizeof *hash), *right = hash + sims;
    begin = seconds();
    bi_batch_hashes(all, hash);
    double reading = seconds() - begin;
    bi_batch_hashes(few, right);
    int same = 0, failed = 0;
    for (int k = 0; k < sims; k++) {
        same += hash[k] == right[k % different];
        failed += bi_batch_status(all, k) != BI_OK;
    }
    printf("%s: %d sims of %d different cases, %d steps: hashes equal %d of %d, failed %d of %d (%d of %d "
           "here)\n",
           device, sims, different, steps, same, sims, failed, sims, bi_batch_failed(few), different);
    if (same == sims) {
        printf("%s: %.4g steps/s; threads of this machine: %.4g steps/s; %.2f s to look at them all\n",
               device, (double)sims * steps / there, (double)different * steps / here, reading);
    }
    free(hash);
    bi_batch_destroy(all);
    bi_batch_destroy(few);
    bi_system_destroy(system);
    bi_report_clear(&report);
    return same == sims ? 0 : 1;
}
