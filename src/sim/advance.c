// SPDX-License-Identifier: MIT
// One step of given length, got done whatever it takes: whole, over a singular position, in parts, or kept as it is.
#include "base/check.h"
#include "sim/blame.h"
#include <math.h>
#include <string.h>

static bool has_certain_numbers(const stepper *s)
{
    for (int k = 0; k < s->d->plan.n_certain; k++) {
        const plan_certain *c = &s->d->plan.certain[k];
        double value = s->trays.signals.signal[c->slot].v;
        if (isnan(value) || plan_is_negative(c, value)) {
            return false;
        }
    }
    return true;
}

// What reads an input may bound it, and a bound of what is no number is a number.
static bool has_finite_inputs(const stepper *s)
{
    for (int k = 0; k < s->d->n_input; k++) {
        if (!isfinite(s->trays.signals.input[k])) {
            return false;
        }
    }
    return true;
}

bi_status sim_try(bi_sim *sim, double h, double end)
{
    stepper *s = &sim->stepper;
    bi_status status = sim_step_by(sim, sim_scheme(sim)->step, h);
    s->now.t = end;
    // laws whose own equations have no solution leave no number, and not all of them push something that would tell
    // (rates of a guide may be infinite where its value is none)
    if (status == BI_OK &&
        (!are_finite(s->now.z, s->d->plan.n_z) || !are_finite(s->now.v, s->d->structure.n) ||
         !has_certain_numbers(s) || !has_finite_inputs(s))) {
        status = BI_NOT_FINITE;
    }
    return status;
}

bi_status sim_try_again(bi_sim *sim, double h, double end)
{
    coords_copy(sim->stepper.d, &sim->stepper.old, &sim->stepper.now);
    return sim_try(sim, h, end);
}

static bool is_usable(const stepper *s)
{
    const structure *st = &s->d->structure;
    // an unconverged step may be kept when its constraints are closed better than anyone could see
    double open = 0.0;
    for (int r = 0; r < st->n_row; r++) {
        open = st->is_velocity[r] || fabs(s->trays.rows.phi[r]) <= open ? open : fabs(s->trays.rows.phi[r]);
    }
    return are_finite(s->now.a, st->n) && are_finite(s->now.v, st->n) && open <= 1e-6 * fmax(1.0, st->size);
}

void sim_accept(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    bool has_events = sim->system->model->n_event > 0;
    double shown = sim->t;
    stepper_accept(s);
    if (s->d->plan.n_memory > 0) {
        law_doubts doubts = judge_ask(sim);
        sim_commit(sim, &doubts);
        judge_answer(sim, &doubts);
    }
    sim->work_old = sim->work;
    sim_sleep(sim);
    sim_count_work(sim);
    divergence_watch(sim);
    if (has_events) {
        events_after_step(sim);
    }
    judge_step(sim);
    sim->t = shown;
    devices_follow(sim, s->now.t);
}

// Both ends of a step in one chart, and the state before it kept.
void sim_prepare(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    stepper_save(s);
}

// What flies too fast to be seen touching is followed in shorter parts.
bool sim_rushes(const bi_sim *sim, double h)
{
    const stepper *s = &sim->stepper;
    return s->d->has_contact && dynamics_rushes(s->d, &s->now, &s->trays, h);
}

// What a whole step cannot do, shorter ones may: halved until one converges, doubled again after it (ali3p.14). Those
// done stay done. The last try stands on `now` when none down to `least` converges.
static bi_status advance_in_parts(bi_sim *sim, double target, double least, double *part)
{
    stepper *s = &sim->stepper;
    while (s->now.t < target) {
        sim_prepare(sim);
        double rest = target - s->now.t;
        bool is_last = rest <= 1.5 * *part;
        double h = is_last ? rest : *part;
        bi_status status = sim_try(sim, h, is_last ? target : s->now.t + *part);
        bool is_shortest = *part < least;
        if (status == BI_OK && (is_shortest || !sim_rushes(sim, h))) {
            sim_accept(sim);
            *part *= 2.0;
        } else if (is_shortest) {
            return status;
        } else {
            *part *= 0.5;
            stepper_put_back(s);
        }
    }
    return BI_OK;
}

bi_status sim_leap(bi_sim *sim, double h, double target)
{
    static const double over[] = { 1.0, 1.37, 0.63 };
    stepper *s = &sim->stepper;
    bi_status status = BI_NOT_CONVERGED;
    for (int k = 0; k < 3 && status != BI_OK; k++) {
        coords_copy(s->d, &s->old, &s->now);
        status = sim_step_by(sim, ali3p_step, over[k] * h);
        s->now.t = k == 0 ? target : s->old.t + over[k] * h;
    }
    // the tangent is no piece of an explicit run's snapshot, and old at the next leap
    stepper_forget(s);
    return status;
}

// The same for a fixed step: implicit parts of it, since their order is lower, longer ones where these do not converge.
// Those done stay done.
static bi_status leap_in_parts(bi_sim *sim, double h, double target)
{
    enum { PARTS = 8 };
    stepper *s = &sim->stepper;
    double part = h / PARTS;
    stepper_put_back(s);
    while (s->now.t < target) {
        double rest = target - s->now.t;
        bool is_last = rest <= 1.5 * part;
        sim_prepare(sim);
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

// Parts that do not converge either are kept if they are usable, and counted; else nothing of the step is.
static bi_status advance_somehow(bi_sim *sim, double h, double target)
{
    enum { PATIENCE = 10, SHORTEST = 64 };
    judge_parts(sim);
    if (!sim->outside->keep_whole(sim)) {
        return sim->outside->tell_full(sim, -1);
    }
    double part = 0.5 * h;
    bool is_kept = false; // a part that did not converge
    bi_status status;
    while ((status = advance_in_parts(sim, target, h / SHORTEST, &part)) != BI_OK) {
        sim->unconverged++;
        if (status != BI_NOT_CONVERGED || sim->in_a_row >= PATIENCE || !is_usable(&sim->stepper)) {
            return sim->outside->give_up(sim, status);
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

// A step that does not converge stands at a singular position: step over it by 1.37 h; the next step returns to the
// grid with 0.63 h (ali3p.14). What that does not solve is done in parts.
bi_status sim_advance(bi_sim *sim, double target, sim_manner manner)
{
    static const double over = 1.37;
    stepper *s = &sim->stepper;
    double h = target - s->now.t;
    if (sim_rests(sim)) {
        sim_rest(sim, target);
        return BI_OK;
    }
    sim->is_at_rest = false;
    int full = dynamics_full(s->d, &s->now);
    if (full >= 0) {
        return sim->outside->tell_full(sim, full);
    }
    bi_status status = sim_switch(sim);
    if (status != BI_OK) {
        return status;
    }
    sim_prepare(sim);
    sim->judge.asked++;
    status = sim_try(sim, h, target);
    if (status == BI_FULL) {
        stepper_put_back(s);
        return sim->outside->tell_full(sim, -1);
    }
    if (stepper_lost_rank(s)) {
        status = leap_in_parts(sim, h, target);
        if (status == BI_OK) {
            return BI_OK;
        }
    }
    bool on_grid = manner == SIM_MAY_STEP_OVER || h > 0.9 * sim->system->options.dt;
    if (status != BI_OK && on_grid) {
        status = sim_try_again(sim, over * h, s->old.t + over * h);
        sim->step_overs++;
    }
    if (status == BI_OK && !sim_rushes(sim, s->now.t - s->old.t)) {
        sim->in_a_row = 0;
        sim_accept(sim);
        return BI_OK;
    }
    stepper_put_back(s);
    return advance_somehow(sim, h, target);
}
