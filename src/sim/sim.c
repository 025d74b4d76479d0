// SPDX-License-Identifier: MIT
// One run: memory, start, step.
#include "base/check.h"
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------

static void cut(bi_sim *sim, const bi_system *s, arena *a)
{
    const bi_model *m = s->model;
    sim->system = s;
    stepper_cut(&sim->stepper, &s->dynamics, s->fac, &s->vibrations, a);
    sim->shown = coords_cut(&s->dynamics, a);
    sim->exact = coords_cut(&s->dynamics, a);
    // step doubling compares two results
    for (int k = 0; k < 2 && s->options.accuracy > 0.0; k++) {
        sim->spare[k] = coords_cut(&s->dynamics, a);
    }
    sim->size_z = ARENA_NEW(a, double, 2 * adapt_n_state(s));
    sim->judge_z = ARENA_NEW(a, double, 4 * s->dynamics.plan.n_z);
    judge_inputs_cut(sim, a);
    sim->judge_q = ARENA_NEW(a, double, 2 * s->dynamics.structure.n);
    sim->input = ARENA_NEW(a, double, s->dynamics.n_input);
    sim->usual_lambda = ARENA_NEW(a, double, s->dynamics.structure.n_row);
    sim->usual_scalar = ARENA_NEW(a, double, s->dynamics.n_element);
    sim->is_on = ARENA_NEW(a, double, m->n_event);
    sim->log = ARENA_NEW(a, logged_event, EVENTS_MOST);
    sim->acceleration = ARENA_NEW(a, double, s->dynamics.plan.n_dof);
    sim->step_acceleration = ARENA_NEW(a, double, s->dynamics.plan.n_dof);
    sim->motion_kept = ARENA_NEW(a, double, 2 * s->dynamics.plan.n_dof + s->dynamics.structure.n_own);
    sim->held = ARENA_NEW(a, held_coordinate, s->n_held + m->n_imposed);
    sim->pose = ARENA_NEW(a, bi_pose, m->n_body);
    sim->twist = ARENA_NEW(a, bi_twist, m->n_body);
    sim->reaction = ARENA_NEW(a, bi_wrench, m->n_joint);
    sim->scratch = ARENA_NEW(a, double, s->dynamics.set->reactions_scratch(s->dynamics.coordinates));
    sim->whole_size = bi_sim_save(sim, NULL, 0);
    sim->whole = ARENA_NEW(a, char, sim->whole_size);
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
    a = (arena){ s->options.alloc(size), 0, size };
    if (!a.memory) {
        return NULL;
    }
    bi_sim *sim = arena_take(&a, 1, sizeof *sim);
    cut(sim, s, &a);
    // both passes ask for the same, or nothing of it may be used
    bool is_whole = a.used == size && sim->whole_size == measure.whole_size;
    BI_ASSERT(is_whole);
    if (!is_whole) {
        s->options.release(a.memory);
        return NULL;
    }
    stepper_options options = { s->options.tolerance, s->options.iterations, s->options.penalty,
                                s->options.damping, s->options.baumgarte,
                                // explicit schemes: two passes then leave nothing of a velocity row
                                scheme_of(s->options.scheme)->is_explicit ? 1e6 : 1e4 };
    stepper_set(&sim->stepper, options, s->options.dt);
    sim->stepper.trays.signals.outside = sim->input;
    for (int k = 0; k < s->dynamics.n_input; k++) {
        sim->input[k] = s->model->input[k].initial;
    }
    return sim;
}

void bi_sim_destroy(bi_sim *sim)
{
    if (sim) {
        stepper_close(&sim->stepper);
        sim->system->options.release(sim);
    }
}

void bi_sim_input(bi_sim *sim, bi_input input, double value)
{
    if (sim && input.i >= 1 && input.i <= sim->system->dynamics.n_input) {
        sim->input[input.i - 1] = value;
    }
}

const char *bi_sim_failure(const bi_sim *sim) { return sim ? sim->failure : ""; }

// ---- work ---------------------------------------------------------------------------------------------------------------

// Work done by guides per unit of time, the residual Q - M a of the stepper's state on the trays: v . (M a - Q), since their own
// multipliers are too noisy for it (force.8).
static double power_of_guides(stepper *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        sum -= s->now.v[i] * s->trays.equations.Q[i];
    }
    return sum;
}

// Guides that stand still do no work; rows of velocities may.
static bool guides_move(const stepper *s)
{
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        if (st->is_velocity[r] || s->trays.rows.phi_t[r] != 0.0) {
            return true;
        }
    }
    return false;
}

// Work done by laws and guides per unit of time, at the stepper's state whose motion is on the trays.
static double power_now(stepper *s)
{
    bool is_guided = s->d->is_rheonomic && guides_move(s);
    if (is_guided) {
        s->trays.z_old = s->now.z;
        s->trays.dz_old = s->now.dz;
        s->trays.signals.h = 0.0;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_RESIDUAL);
    }
    double sum = dynamics_energy_told(s->d, &s->now, &s->trays).power;
    return is_guided ? sum + power_of_guides(s) : sum;
}

// The same after a step that knows what its guides did.
static double power_known(stepper *s)
{
    double sum = dynamics_energy_told(s->d, &s->now, &s->trays).power;
    return s->d->is_rheonomic ? sum + stepper_power_of_guides(s) : sum;
}

// The same where events want the state shown: one evaluation serves both.
static double power_shown(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    sim->t = s->now.t;
    sim->have = 0;
    sim_show(sim, SHOWN_STATE);
    double sum = dynamics_energy_told(s->d, &s->now, &s->trays).power;
    memcpy(s->now.dz, sim->shown.dz, (size_t)s->d->plan.n_z * sizeof *s->now.dz);
    return sum + power_of_guides(s);
}

void sim_power(bi_sim *sim)
{
    sim->stepper.trays.is_told = false;
    sim->power = power_now(&sim->stepper);
}

void sim_begin(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    stepper_begin(k);
    sim->have = 0;
    sim->work = sim->work_old = 0.0;
    sim_power(sim);
    sim->energy_start = 0.0;
    sim_show(sim, SHOWN_STATE | SHOWN_ENERGY | SHOWN_POSES);
    sim->energy_start = sim->energy[ENERGY_TOTAL];
    sim->energy[ENERGY_BALANCE] = 0.0;
    sim->divergence = (bi_divergence){ 0 };
    memset(sim->usual_lambda, 0, (size_t)k->d->structure.n_row * sizeof *sim->usual_lambda);
    memset(sim->usual_scalar, 0, (size_t)k->d->n_element * sizeof *sim->usual_scalar);
    adapt_start(sim);
    judge_start(sim);
    events_start(sim);
}

// ---- step -------------------------------------------------------------------------------------------------------------------

// From `now`, which is still the same as `old`.
static bi_status step_on(bi_sim *sim, double h, double end)
{
    stepper *s = &sim->stepper;
    bi_status status = sim_scheme(sim)->step(s, h);
    s->now.t = end;
    // laws whose own equations have no solution leave no number, and not all of them push something that would tell
    if (status == BI_OK && !isfinite(largest(s->now.z, s->d->plan.n_z))) {
        status = BI_NOT_FINITE;
    }
    return status;
}

bi_status sim_scheme_step(bi_sim *sim, double h, double end)
{
    coords_copy(sim->stepper.d, &sim->stepper.old, &sim->stepper.now);
    return step_on(sim, h, end);
}

static bool is_usable(const stepper *s)
{
    const structure *st = &s->d->structure;
    // an unconverged step may be kept when its constraints are closed better than anyone could see
    double open = 0.0;
    for (int r = 0; r < st->n_row; r++) {
        open = st->is_velocity[r] || fabs(s->trays.rows.phi[r]) <= open ? open : fabs(s->trays.rows.phi[r]);
    }
    return isfinite(largest(s->now.a, st->n)) && isfinite(largest(s->now.v, st->n)) &&
           open <= 1e-6 * fmax(1.0, st->size);
}

// A distance joint whose length came to zero, where its row has no value; NULL: none.
static const char *vanished_distance(const bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    const plan *p = &s->d->plan;
    for (int g = 0; g < p->n_row_group; g++) {
        int joint = p->row[g].joint;
        if (joint >= 0 && joint_is_distance(p->model->joint[joint].def.kind) &&
            isnan(s->trays.rows.phi[p->row[g].first])) {
            return p->model->joint[joint].def.name;
        }
    }
    return NULL;
}

static void describe_failure(bi_sim *sim, bi_status status)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    char name[128] = "";
    const char *distance = vanished_distance(sim);
    if (distance) {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: joint %s: its distance is driven to zero, and none is below zero. End the "
                 "drive at a length above it.",
                 s->old.t, distance);
        return;
    }
    if (status == BI_NOT_FINITE) {
        dynamics_not_finite(s->d, &s->trays, name, sizeof name);
    }
    if (strncmp(name, "graph ", 6) == 0) {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: %s: its equations have no solution: an algebraic loop or the step of its "
                 "states does not converge. Look at its laws (biela bonds), or try a smaller step (--dt).",
                 s->old.t, name);
        return;
    }
    if (name[0] != '\0') {
        snprintf(
            sim->failure, sizeof sim->failure,
            "at t = %.9g s: %s: %s. Is a table read outside its range, or a root of a negative number taken?",
            s->old.t, name, bi_status_text(status));
        return;
    }
    int variable = stepper_worst(s).variable;
    if (status == BI_SINGULAR && variable >= 0) {
        const owner_name *o = &st->variable_owner[variable];
        snprintf(name, sizeof name, "body %s (%s)", sim->system->model->body[o->body].def.name, o->what);
    } else {
        double most = -1.0;
        for (int r = 0; r < st->n_row; r++) {
            if (!(fabs(s->trays.rows.phi[r]) <= most)) {
                most = fabs(s->trays.rows.phi[r]);
                dynamics_row_name(s->d, r, name, sizeof name);
            }
        }
    }
    snprintf(
        sim->failure, sizeof sim->failure,
        "at t = %.9g s: %s; worst at %s. Try a smaller step (--dt), or check the stiffness and masses there.",
        s->old.t, bi_status_text(status), name[0] ? name : "no constraint");
}

bool sim_has_estimates(const bi_sim *sim)
{
    return !sim_scheme(sim)->is_explicit && stepper_has_estimates(&sim->stepper);
}

void sim_accept(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    bool has_events = sim->system->model->n_event > 0;
    double shown = sim->t;
    stepper_accept(s);
    if (s->d->plan.n_memory > 0) {
        law_doubts doubts = judge_ask(sim);
        dynamics_commit(s->d, &s->now, &s->trays, s->now.memory, &doubts);
        judge_answer(sim, &doubts);
    }
    sim->work_old = sim->work;
    sim_sleep(sim);
    if (s->d->has_power) {
        double before = sim->power;
        // multipliers of kept tangents are clean enough
        sim->power = sim_has_estimates(sim)             ? power_known(s)
                     : has_events && s->d->is_rheonomic ? power_shown(sim)
                                                        : power_now(s);
        sim->work += 0.5 * (s->now.t - s->old.t) * (before + sim->power);
    }
    divergence_watch(sim);
    if (has_events) {
        events_after_step(sim);
    }
    judge_step(sim);
    sim->t = shown;
}

// Both ends of a step in one chart, and the state before it kept.
static void prepare_step(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    stepper_save(s);
}

// What a whole step cannot do, shorter ones may: halved until one converges, doubled again after it (ali3p.9). Those done
// stay done. The last try stands on `now` when none down to `least` converges.
static bi_status advance_in_parts(bi_sim *sim, double target, double least, double *part)
{
    stepper *s = &sim->stepper;
    while (s->now.t < target) {
        prepare_step(sim);
        double rest = target - s->now.t;
        bool is_last = rest <= 1.5 * *part;
        bi_status status = step_on(sim, is_last ? rest : *part, is_last ? target : s->now.t + *part);
        if (status == BI_OK) {
            sim_accept(sim);
            *part *= 2.0;
        } else if (*part < least) {
            return status;
        } else {
            *part *= 0.5;
            stepper_put_back(s);
        }
    }
    return BI_OK;
}

// Says why, and leaves no trace of the step.
static bi_status give_up(bi_sim *sim, bi_status status)
{
    describe_failure(sim, status);
    divergence_describe(sim, status);
    char failure[sizeof sim->failure];
    memcpy(failure, sim->failure, sizeof failure);
    bi_status loaded = bi_sim_load(sim, sim->whole, sim->whole_size);
    BI_ASSERT(loaded == BI_OK);
    (void)loaded;
    memcpy(sim->failure, failure, sizeof failure);
    events_note(sim, EVENT_FAILED);
    return status;
}

bi_status sim_leap(bi_sim *sim, double h, double target)
{
    static const double over[] = { 1.0, 1.37, 0.63 };
    stepper *s = &sim->stepper;
    bi_status status = BI_NOT_CONVERGED;
    for (int k = 0; k < 3 && status != BI_OK; k++) {
        coords_copy(s->d, &s->old, &s->now);
        status = ali3p_step(s, over[k] * h);
        s->now.t = k == 0 ? target : s->old.t + over[k] * h;
    }
    // the tangent is no piece of an explicit run's snapshot, and old at the next leap
    stepper_forget(s);
    return status;
}

// The same for a fixed step: implicit parts of it, since their order is lower, longer ones where these do not converge. Those done stay
// done.
static bi_status leap_in_parts(bi_sim *sim, double h, double target)
{
    enum { PARTS = 8 };
    stepper *s = &sim->stepper;
    double part = h / PARTS;
    stepper_put_back(s);
    while (s->now.t < target) {
        double rest = target - s->now.t;
        bool is_last = rest <= 1.5 * part;
        prepare_step(sim);
        bi_status status = sim_leap(sim, is_last ? rest : part, is_last ? target : s->now.t + part);
        if (status == BI_OK) {
            sim->judge.implicit++;
            explicit_look(s);
            sim_accept(sim);
        } else if (part >= h) {
            return status;
        } else {
            part *= 2.0;
            stepper_put_back(s);
        }
    }
    sim->in_a_row = 0;
    return BI_OK;
}

// A step that does not converge stands at a singular position: step over it by 1.37 h; the next step returns to the grid
// with 0.63 h (ali3p.9). What that does not solve is done in parts; what no step length solves is kept if it is usable, and
// counted.
bi_status sim_advance(bi_sim *sim, double target, sim_manner manner)
{
    static const double over = 1.37;
    enum { PATIENCE = 10, SHORTEST = 64 };
    stepper *s = &sim->stepper;
    double h = target - s->now.t;
    bi_status switched = sim_switch(sim);
    if (switched != BI_OK) {
        return switched;
    }
    prepare_step(sim);
    sim->judge.asked++;
    bi_status status = step_on(sim, h, target);
    if (stepper_lost_rank(s)) {
        status = leap_in_parts(sim, h, target);
        if (status == BI_OK) {
            return BI_OK;
        }
    }
    bool on_grid = manner == SIM_MAY_STEP_OVER || h > 0.9 * sim->system->options.dt;
    if (status != BI_OK && on_grid) {
        status = sim_scheme_step(sim, over * h, s->old.t + over * h);
        sim->step_overs++;
    }
    if (status == BI_OK) {
        sim->in_a_row = 0;
        sim_accept(sim);
        return BI_OK;
    }
    stepper_put_back(s);
    judge_parts(sim);
    bi_sim_save(sim, sim->whole, sim->whole_size);
    double part = 0.5 * h;
    bool is_kept = false; // a part that did not converge
    while ((status = advance_in_parts(sim, target, h / SHORTEST, &part)) != BI_OK) {
        sim->unconverged++;
        if (status != BI_NOT_CONVERGED || sim->in_a_row >= PATIENCE || !is_usable(s)) {
            return give_up(sim, status);
        }
        if (!is_kept) {
            events_note(sim, EVENT_NOT_CONVERGED);
        }
        is_kept = true;
        sim_accept(sim);
    }
    sim->in_a_row = is_kept ? sim->in_a_row + 1 : 0;
    return BI_OK;
}

void sim_stand_at(bi_sim *sim, double t)
{
    // a step that an event stopped ends there; the stepper is ahead and the state is interpolated
    sim->grid_t = t;
    sim->t = fmin(t, sim->stop_t);
    sim->step++;
    sim->grid_step = sim->step;
}

// Steps need not end on the instants asked for when the state between them is told by dense output, and nothing outside can
// change meanwhile.
static bool may_run_ahead(const bi_sim *sim)
{
    const dynamics *d = &sim->system->dynamics;
    return sim_scheme(sim)->is_embedded && d->structure.n_row == 0 && d->n_input == 0 &&
           d->plan.n_memory == 0 && sim->system->model->n_event == 0;
}

static bi_status step_to(bi_sim *sim, double t)
{
    sim->have = 0;
    sim_sleep_start(sim);
    sim->stop_t = sim->stop_t <= sim->t ? INFINITY : sim->stop_t;
    // the stepper may already be ahead, after stepping over a singular position
    bi_status status = BI_OK;
    if (sim->system->options.accuracy > 0.0) {
        double limit = may_run_ahead(sim) ? INFINITY : t;
        while (status == BI_OK && sim->stepper.now.t < t && !(sim->stop_t <= sim->stepper.now.t)) {
            status = adapt_step(sim, limit);
            sim->step += status == BI_OK && sim->stepper.now.t < t;
        }
    } else if (sim->stepper.now.t < t) {
        status = sim_advance(sim, t, SIM_ON_GRID);
    }
    if (status == BI_OK) {
        sim_stand_at(sim, t);
    } else if (sim->system->options.accuracy > 0.0) {
        sim->t = sim->grid_t = sim->stepper.now.t;
    }
    return status;
}

bi_status bi_sim_step_to(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_step(sim, t);
    return refused == BI_OK ? step_to(sim, t) : refused;
}

// `t` may be infinite: as long as the accuracy allows.
static bi_status step_toward(bi_sim *sim, double t)
{
    if (!(sim->system->options.accuracy > 0.0)) {
        return step_to(sim, fmin(t, sim->t + sim->system->options.dt));
    }
    sim->have = 0;
    sim_sleep_start(sim);
    sim->stop_t = sim->stop_t <= sim->t ? INFINITY : sim->stop_t;
    bi_status status = sim->stepper.now.t < t ? adapt_step(sim, t) : BI_OK;
    if (status == BI_OK) {
        sim_stand_at(sim, fmin(t, sim->stepper.now.t));
    }
    return status;
}

bi_status bi_sim_step_toward(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_time(sim, t);
    return refused == BI_OK ? step_toward(sim, t) : refused;
}

bi_status bi_sim_step(bi_sim *sim)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    if (sim->system->options.accuracy > 0.0) {
        return step_toward(sim, INFINITY);
    }
    // counted from the last instant that was asked for by time, so that no rounding piles up
    double from = sim->grid_t,
           target = from + (double)(sim->step + 1 - sim->grid_step) * sim->system->options.dt;
    int64_t base = sim->grid_step;
    bi_status status = step_to(sim, target);
    if (status == BI_OK) {
        sim->grid_t = from;
        sim->grid_step = base;
    }
    return status;
}

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
