// SPDX-License-Identifier: MIT
/* What a step of a scene costs, and whether it keeps its promises: energy, depth, rest. The first run looks at
 * every step: energy, depth, speed. Others only step. All begin at the same snapshot and do the same, so each
 * group of steps counts with its best time: what else the machine does falls out. */
#include "measure/contact_measure.h"
#include "cli/words.h"
#include "measure/instruction_counter.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { GROUP = 20, MOST_RUNS = 5 };
static const double enough = 8.0; // s of CPU: runs are not repeated beyond this

typedef struct {
    const contact_job *job;
    contact_scene scene;
    clock_t begin;
    void *snapshot; // where the measurement begins
    size_t snapshot_size;
    int64_t n_step;
    int n_group;
    double *best;                     // (n_group) s of CPU
    double least_energy, most_energy; // J, so far
    double least_balance;             // J
    double fastest;                   // m/s, of any point of a box so far
} measuring;

static double seconds_since(clock_t from) { return (double)(clock() - from) / (double)CLOCKS_PER_SEC; }

// Bytes that the program holds; NAN: not known.
static double bytes_held(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 held = mallinfo2();
    size_t bytes = held.uordblks + held.hblkhd;
    return bytes > 0 ? (double)bytes : NAN; // other allocators leave it empty
#else
    return NAN;
#endif
}

static bool is_spent(const measuring *m) { return seconds_since(m->begin) > m->job->budget; }

static void tell_failure(const measuring *m, contact_result *result)
{
    fprintf(stderr, "biela bench: %d bodies: %s\n", result->bodies, bi_sim_failure(m->scene.sim));
    result->code = CLI_NUMERICAL;
}

static void stop(const measuring *m, int64_t steps, contact_result *result)
{
    result->stopped = seconds_since(m->begin);
    result->reached = (double)steps * bi_system_dt(m->scene.system);
}

static double length(bi_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Speed of the fastest point of a box, at most.
static double fastest_point(const measuring *m)
{
    bi_view view = bi_sim_view(m->scene.sim);
    double fastest = 0.0;
    for (int b = 1; b < view.n_body; b++) {
        double speed = length(view.twist[b].lin) + length(view.twist[b].ang) * m->scene.half_diagonal;
        fastest = fmax(fastest, speed);
    }
    return fastest;
}

// Looks at the present state of boxes.
static void watch(measuring *m, contact_result *result)
{
    const contact_scene *scene = &m->scene;
    double total = bi_sim_read(scene->sim, scene->total), kinetic = bi_sim_read(scene->sim, scene->kinetic);
    m->least_energy = fmin(m->least_energy, total);
    m->most_energy = fmax(m->most_energy, fmax(fabs(total), kinetic));
    double balance = bi_sim_read(scene->sim, scene->balance);
    m->least_balance = fmin(m->least_balance, balance);
    // J, made relative at the end
    result->growth = fmax(result->growth, total - m->least_energy);
    result->nowhere = fmax(result->nowhere, balance - m->least_balance);
    double touching = 0.0;
    for (int k = 0; k < 2; k++) {
        if (scene->depth[k].i > 0) {
            result->depth = fmax(result->depth, bi_sim_read(scene->sim, scene->depth[k]));
            touching += bi_sim_read(scene->sim, scene->touching[k]);
        }
    }
    result->touching = fmax(result->touching, touching);
    result->speed = fastest_point(m);
    m->fastest = fmax(m->fastest, result->speed);
}

// Steps until the measurement begins; false: it does not.
static bool go_there(measuring *m, contact_result *result)
{
    int64_t steps = llround(m->job->from / bi_system_dt(m->scene.system));
    for (int64_t k = 0; k < steps; k++) {
        if (is_spent(m)) {
            stop(m, k, result);
            return false;
        }
        if (bi_sim_step(m->scene.sim) != BI_OK) {
            tell_failure(m, result);
            return false;
        }
    }
    m->snapshot_size = bi_sim_save(m->scene.sim, NULL, 0);
    m->snapshot = words_alloc(m->snapshot_size);
    bi_sim_save(m->scene.sim, m->snapshot, m->snapshot_size);
    return true;
}

// The run that looks; false: it did not come to its end.
static bool run_watching(measuring *m, contact_result *result)
{
    bool is_boxes = m->job->scene.source == SCENE_BOXES;
    double spent = 0.0;
    for (int64_t k = 0; k < m->n_step; k++) {
        if (is_boxes && k == 0) {
            watch(m, result);
        }
        clock_t from = clock();
        bi_status status = bi_sim_step(m->scene.sim);
        double taken = seconds_since(from);
        if (status != BI_OK) {
            tell_failure(m, result);
            return false;
        }
        m->best[k / GROUP] += taken;
        spent += taken;
        result->us = 1e6 * spent / (double)(k + 1);
        if (is_boxes) {
            watch(m, result);
        }
        if (is_spent(m) && k + 1 < m->n_step) {
            stop(m, llround(m->job->from / bi_system_dt(m->scene.system)) + k + 1, result);
            return false;
        }
    }
    return true;
}

// A run that only steps, from the snapshot; false: it stopped on its way, and what it did counts all the same.
static bool run_plain(measuring *m)
{
    if (bi_sim_load(m->scene.sim, m->snapshot, m->snapshot_size) != BI_OK) {
        return false;
    }
    for (int g = 0; g < m->n_group; g++) {
        int64_t steps = g + 1 < m->n_group ? GROUP : m->n_step - (int64_t)g * GROUP;
        clock_t from = clock();
        for (int64_t k = 0; k < steps; k++) {
            if (bi_sim_step(m->scene.sim) != BI_OK) {
                return false;
            }
        }
        m->best[g] = fmin(m->best[g], seconds_since(from));
        if (seconds_since(m->begin) > fmin(m->job->budget, enough)) {
            return false;
        }
    }
    return true;
}

static void count_instructions(measuring *m, contact_result *result)
{
    int counter = instruction_counter_open();
    int64_t before = instruction_counter_read(counter);
    bool is_whole = run_plain(m);
    int64_t after = instruction_counter_read(counter);
    instruction_counter_close(counter);
    result->runs += is_whole;
    if (is_whole && before >= 0 && after > before) {
        result->instructions = (double)(after - before) / (double)m->n_step;
    }
}

// Sums of what was watched, and what they are measured against.
static void conclude(const measuring *m, int64_t iterations_before, contact_result *result)
{
    const contact_scene *scene = &m->scene;
    bi_statistics statistics = bi_sim_statistics(scene->sim);
    bi_view view = bi_sim_view(scene->sim);
    int64_t steps = view.step - llround(m->job->from / bi_system_dt(scene->system));
    result->iterations =
        (double)(statistics.iterations - iterations_before) / (double)(steps > 0 ? steps : 1);
    result->verdict = bi_sim_verdict(scene->sim).outcome;
    for (int b = 1; b < view.n_body; b++) {
        result->asleep += bi_sim_is_asleep(scene->sim, (bi_body){ b + 1 });
    }
    if (m->job->scene.source != SCENE_BOXES) {
        result->growth = result->nowhere = result->depth = result->touching = result->speed = NAN;
        return;
    }
    boxes_rule rule = boxes_of(m->job->scene.boxes, m->job->scene.n);
    double largest = m->most_energy > 0.0 ? m->most_energy : 1.0;
    result->growth /= largest;
    result->nowhere /= largest;
    result->depth_static = boxes_static_depth(&rule);
    // a box that falls flat on its four corners with the largest speed seen
    double from_speed = m->fastest * sqrt(rule.mass / (4.0 * rule.stiffness));
    result->depth_allowed = 2.0 * result->depth_static + from_speed;
}

static void measure(measuring *m, contact_result *result)
{
    m->n_step = llround(m->job->span / bi_system_dt(m->scene.system));
    m->n_group = (int)((m->n_step + GROUP - 1) / GROUP);
    m->best = words_alloc(((size_t)m->n_group + 1) * sizeof *m->best);
    if (!go_there(m, result)) {
        return;
    }
    int64_t iterations = bi_sim_statistics(m->scene.sim).iterations;
    bool is_whole = run_watching(m, result);
    conclude(m, iterations, result);
    if (!is_whole) {
        return;
    }
    result->runs = 1;
    count_instructions(m, result);
    while (result->runs < MOST_RUNS && run_plain(m)) {
        result->runs++;
    }
    double sum = 0.0;
    for (int g = 0; g < m->n_group; g++) {
        sum += m->best[g];
    }
    result->us = 1e6 * sum / (double)m->n_step;
}

contact_result contact_measure(const contact_job *job)
{
    measuring m = { .job = job, .begin = clock(), .least_energy = HUGE_VAL, .least_balance = HUGE_VAL };
    contact_result result = {
        .us = NAN, .instructions = NAN, .iterations = NAN, .depth_static = NAN, .depth_allowed = NAN
    };
    double before = bytes_held();
    result.code = contact_scene_open(&m.scene, &job->scene);
    if (result.code == CLI_OK) {
        result.bytes = bytes_held() - before;
        result.setup = seconds_since(m.begin);
        result.bodies = bi_model_body_count(m.scene.model) - 1;
        measure(&m, &result);
        // what touches has taken more by now
        double own = (double)m.snapshot_size + ((double)m.n_group + 1.0) * (double)sizeof *m.best;
        result.bytes = fmax(result.bytes, bytes_held() - before - own);
    }
    contact_scene_close(&m.scene);
    free(m.snapshot);
    free(m.best);
    return result;
}
