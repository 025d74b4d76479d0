// SPDX-License-Identifier: MIT
// One run: its memory, its inputs, and the instants it is stepped to.
#include "base/check.h"
#include "sim/system.h"
#include <biela/loop.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------

// Some output, or the verdict on flexible bodies, reads the markers' accelerations.
static bool reads_accelerations(const bi_sim *sim)
{
    bool does = sim->system->n_watch > 0;
    for (int k = 0; k < sim->system->n_channel && !does; k++) {
        does = channel_need(sim, (bi_channel){ k + 1 }) & (SHOWN_ACCELERATIONS | SHOWN_STEP_ACCELERATIONS);
    }
    return does;
}

static void cut_accelerations(bi_sim *sim, const dynamics *d, arena *a)
{
    sim->acceleration = ARENA_NEW(a, double, d->plan.n_dof);
    sim->step_acceleration = ARENA_NEW(a, double, d->plan.n_dof);
    sim->motion_kept = ARENA_NEW(a, double, 2 * d->plan.n_dof + d->structure.n_own);
}

// What serves reading, failing and starting: no step that succeeds reads or writes it.
static void cut_cold(bi_sim *sim, const bi_system *s, arena *a)
{
    const bi_model *m = s->model;
    sim->exact = coords_cut(&s->dynamics, a);
    sim->log = ARENA_NEW(a, logged_event, EVENTS_MOST);
    sim->hit = ARENA_NEW(a, logged_hit, s->n_hit);
    if (reads_accelerations(sim)) {
        cut_accelerations(sim, &s->dynamics, a);
    }
    sim->held = ARENA_NEW(a, held_coordinate, s->n_held + m->n_imposed);
    sim->reaction = ARENA_NEW(a, bi_wrench, m->n_joint);
    sim->scratch = ARENA_NEW(a, double, s->dynamics.set->reactions_scratch(s->dynamics.coordinates));
    if (s->dynamics.plan.n_pools == 0) {
        sim->whole_size = bi_sim_save(sim, NULL, 0);
        sim->whole = ARENA_NEW(a, char, sim->whole_size);
    }
}

static void cut(bi_sim *sim, const bi_system *s, arena *a)
{
    const bi_model *m = s->model;
    sim->system = s;
    sim->outside = &sim_outside_here;
    sim->crew = crew_cut(a);
    stepper_cut(&sim->stepper, &s->dynamics, s->fac, &s->vibrations,
                scheme_of(s->options.scheme)->is_explicit ? STEPPER_HAS_STAGES : STEPPER_IS_IMPLICIT, a);
    // step doubling compares two results
    for (int k = 0; k < 2 && s->options.accuracy > 0.0; k++) {
        sim->spare[k] = coords_cut(&s->dynamics, a);
    }
    sim->size_z = ARENA_NEW(a, double, 2 * adapt_n_state(s));
    sim->judge_z = ARENA_NEW(a, double, 4 * s->dynamics.plan.n_z);
    judge_inputs_cut(sim, a);
    sim->judge_e = ARENA_NEW(a, double, 2 * judge_n_part(s));
    sim->judge_q = ARENA_NEW(a, double, 2 * s->dynamics.structure.n);
    sim->input = ARENA_NEW(a, double, s->dynamics.n_input);
    sim->usual_lambda = ARENA_NEW(a, double, s->dynamics.structure.n_row);
    sim->usual_scalar = ARENA_NEW(a, double, s->dynamics.n_element);
    sim->device = ARENA_NEW(a, device, s->n_device);
    sim->is_on = ARENA_NEW(a, double, m->n_event);
    sim->open = ARENA_NEW(a, int64_t, THINGS_MOST * m->n_event);
    sim->pose = ARENA_NEW(a, bi_pose, m->n_body);
    sim->twist = ARENA_NEW(a, bi_twist, m->n_body);
    bool is_shared = s->dynamics.plan.n_site > 0 && s->options.threads > 1;
    int threads = is_shared ? s->options.threads : 1;
    sim->stepper.trays.spare = ARENA_NEW(a, spare, threads);
    sim->hot = a->used;
    // room within a step, of which the next one needs nothing
    sim->shown = coords_cut(&s->dynamics, a);
    stepper_cut_room(&sim->stepper, a);
    spares_cut(&s->dynamics, threads, a, sim->stepper.trays.spare);
    sim->cold = a->used;
    cut_cold(sim, s, a);
    // whole cache lines: a block travels to devices by words
    arena_take(a, 0, 1);
    sim->size = a->used;
}

// Allocators align to 16 bytes as a rule: what they gave stands before the block.
enum { CACHE_LINE = 64 };

arena sim_block(const bi_system *s, size_t size)
{
    bool is_zero = s->options.alloc == malloc;
    char *given = is_zero ? calloc(1, size + 2 * CACHE_LINE) : s->options.alloc(size + 2 * CACHE_LINE);
    if (!given) {
        return (arena){ 0 };
    }
    char *memory = given + 2 * CACHE_LINE - (uintptr_t)given % CACHE_LINE;
    memcpy(memory - sizeof given, &given, sizeof given);
    return (arena){ memory, 0, size, is_zero };
}

void sim_release(const bi_system *s, void *memory)
{
    char *given = NULL;
    memcpy(&given, (char *)memory - sizeof given, sizeof given);
    s->options.release(given);
}

size_t bi_sim_size(const bi_system *s)
{
    bi_sim measure = { 0 };
    arena a = { 0 };
    if (!s) {
        return 0;
    }
    arena_take(&a, 1, sizeof measure);
    cut(&measure, s, &a);
    return a.used + 2 * CACHE_LINE;
}

size_t sim_hot_size(const bi_system *s)
{
    bi_sim measure = { 0 };
    arena a = { 0 };
    arena_take(&a, 1, sizeof measure);
    cut(&measure, s, &a);
    return measure.hot;
}

bi_sim *bi_sim_create(const bi_system *s)
{
    if (!s) {
        return NULL;
    }
    // measured once without memory, then cut from one block
    bi_sim measure = { 0 };
    arena a = { 0 };
    arena_take(&a, 1, sizeof measure);
    cut(&measure, s, &a);
    const size_t size = a.used;
    a = sim_block(s, size);
    if (!a.memory) {
        return NULL;
    }
    bi_sim *sim = arena_take(&a, 1, sizeof *sim);
    cut(sim, s, &a);
    // both passes ask for the same, or nothing of it may be used
    bool is_whole = a.used == size && sim->whole_size == measure.whole_size;
    BI_ASSERT(is_whole);
    if (!is_whole || !sim_rooms_make(sim)) {
        sim_release(s, a.memory);
        return NULL;
    }
    stepper_options options = { s->options.tolerance, s->options.iterations, s->options.penalty,
                                s->options.damping, s->options.baumgarte,
                                s->options.baumgarte_beta > 0.0 ? s->options.baumgarte_beta
                                                                : s->options.baumgarte,
                                // explicit schemes: two passes then leave nothing of a velocity row
                                scheme_of(s->options.scheme)->is_explicit ? 1e6 : 1e4 };
    stepper_set(&sim->stepper, options, s->options.dt);
    bool is_late = scheme_of(s->options.scheme)->settles && !(s->options.accuracy > 0.0);
    sim->stepper.trays.signals.coarse = is_late ? s->options.dt : 0.0;
    sim->stepper.trays.signals.outside = sim->input;
    sim->stepper.trays.crew = sim->crew;
    if (s->dynamics.plan.n_site > 0) {
        crew_start(sim->crew, s->options.threads); // fewer do the same
    }
    for (int k = 0; k < s->dynamics.n_input; k++) {
        sim->input[k] = s->model->input[k].initial;
    }
    return sim;
}

void bi_sim_destroy(bi_sim *sim)
{
    if (sim) {
        sim_in_joints_destroy(sim->in_joints);
        crew_end(sim->crew);
        stepper_close(&sim->stepper);
        if (sim->rooms && sim->whole) {
            sim_release(sim->system, sim->whole);
        }
        if (sim->rooms) {
            sim_release(sim->system, sim->rooms);
        }
        sim_release(sim->system, sim);
    }
}

void bi_sim_input(bi_sim *sim, bi_input input, double value)
{
    if (sim && input.i >= 1 && input.i <= sim->system->dynamics.n_input) {
        sim->input[input.i - 1] = value;
    }
}

const char *bi_sim_failure(const bi_sim *sim) { return sim ? sim->failure : ""; }

// ---- instants -------------------------------------------------------------------------------------------------

void sim_stand_at(bi_sim *sim, double t)
{
    // a step that an event stopped ends there; the stepper is ahead and the state is interpolated
    sim->grid_t = t;
    sim->t = fmin(t, sim->stop_t);
    sim->step++;
    sim->grid_step = sim->step;
    devices_follow(sim, sim->t);
}

// Steps need not end on the instants asked for when the state between them is told by dense output, and nothing outside
// can change meanwhile.
static bool may_run_ahead(const bi_sim *sim)
{
    const dynamics *d = &sim->system->dynamics;
    return sim_scheme(sim)->is_embedded && d->structure.n_row == 0 && d->n_input == 0 &&
           d->plan.n_memory == 0 && sim->system->model->n_event == 0;
}

// To t, or one step of the automatic lengths toward it.
typedef enum { GO_TO, GO_TOWARD } going;
static bi_status go(bi_sim *sim, double t, going how)
{
    bool is_automatic = sim->system->options.accuracy > 0.0;
    double limit = how == GO_TO && may_run_ahead(sim) ? INFINITY : t;
    const double *now = &sim->stepper.now.t; // may already be ahead, after stepping over a singular position
    bi_status status = BI_OK;
    sim->have = 0;
    sim_sleep_start(sim);
    sim->stop_t = sim->stop_t <= sim->t ? INFINITY : sim->stop_t;
    while (status == BI_OK && *now < t && !(sim->stop_t <= *now)) {
        status = is_automatic ? adapt_step(sim, limit) : sim_advance(sim, t, SIM_ON_GRID);
        if (how == GO_TOWARD) {
            break;
        }
        sim->step += status == BI_OK && *now < t;
    }
    if (status == BI_OK) {
        sim_stand_at(sim, how == GO_TOWARD ? fmin(t, *now) : t);
    } else if (is_automatic) {
        sim->t = sim->grid_t = *now;
    }
    return status;
}

bi_status bi_sim_step_to(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_step(sim, t);
    return refused == BI_OK ? go(sim, t, GO_TO) : refused;
}

bi_status bi_sim_step_toward(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_time(sim, t);
    if (refused != BI_OK) {
        return refused;
    }
    bool is_automatic = sim->system->options.accuracy > 0.0;
    return is_automatic ? go(sim, t, GO_TOWARD) : go(sim, fmin(t, sim->t + sim->system->options.dt), GO_TO);
}

bi_status bi_sim_step(bi_sim *sim)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    if (sim->system->options.accuracy > 0.0) {
        return go(sim, INFINITY, GO_TOWARD);
    }
    // counted from the last instant that was asked for by time, so that no rounding piles up
    double from = sim->grid_t,
           target = from + (double)(sim->step + 1 - sim->grid_step) * sim->system->options.dt;
    int64_t base = sim->grid_step;
    bi_status status = go(sim, target, GO_TO);
    if (status == BI_OK) {
        sim->grid_t = from;
        sim->grid_step = base;
    }
    return status;
}

bi_status bi_sim_steps(bi_sim *sim, int64_t count)
{
    bi_status status = count < 0 ? BI_BAD_ARGUMENT : sim_refuse(sim);
    for (int64_t k = 0; k < count && status == BI_OK && !(k > 0 && bi_sim_stopped(sim)); k++) {
        status = bi_sim_step(sim);
    }
    return status;
}

double *bi_sim_input_values(bi_sim *sim) { return sim ? sim->input : NULL; }

bi_status bi_sim_run_to(bi_sim *sim, double t)
{
    bi_status status = sim_refuse_time(sim, t);
    double dt = status == BI_OK ? sim->system->options.dt : 0.0;
    while (status == BI_OK && !bi_sim_stopped(sim) && !(sim->system->options.accuracy > 0.0) &&
           t - sim->t > 1.25 * dt) {
        status = bi_sim_step(sim);
    }
    return status == BI_OK && !bi_sim_stopped(sim) && sim->t < t ? bi_sim_step_to(sim, t) : status;
}
