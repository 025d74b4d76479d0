// SPDX-License-Identifier: MIT
// Steps as long as the error allows (adapt.1 .. adapt.5, adapt.7).
#include "math/double_bits.h"
#include "math/elementary.h"
#include "sim/system.h"
#include <math.h>
#include <string.h>

// shares of a step: how much may it grow, shrink, follow its trend, and what is left for safety
static const double most_growth = 2.5, most_shrink = 0.2, most_trend = 1.1, safety = 0.85;
// part of the tolerance that the errors of steps may take: what is left is for their growth in the motion, measured on
// A01 to A05
static const double aim = 0.5, aim_of_pair = 0.02;

// The largest number of seven bits that is not above h: the last bits of an error estimate do not choose the grid, yet
// the lengths follow the motion in steps of a percent. Coarser ones, with the rounding down, would be reached at
// different errors on the way up and on the way down, which makes a symmetric scheme lose energy (adapt.4).
static double quantised(double h)
{
    int exponent;
    double part = split_half(h, &exponent);
    return scale_by_power(floor(part * 128.0) / 128.0, exponent);
}

static double clipped(const bi_sim *sim, double h)
{
    const bi_options *o = &sim->system->options;
    return fmax(fmin(h, o->dt_max), o->dt_min);
}

size_t adapt_n_state(const bi_system *s)
{
    return s->options.accuracy > 0.0 ? (size_t)s->dynamics.plan.n_z : 0;
}

void adapt_start(bi_sim *sim)
{
    sim->adapt = (adaptation){ .h = clipped(sim, quantised(sim->system->options.dt)), .before = 0.0 };
}

// Errors of one step.
typedef struct {
    double q, v; // largest of a coordinate, of its rate
    double z;    // largest of a law's state against the size it had so far, added up over its own time
} step_error;

static double larger(double a, double b) { return b <= a ? a : b; } // NaN counts as large

// Errors of a state add up over its own time, the ratio of the largest state and rate so far: as many steps as it has
// (adapt.7). One that has never been larger than nothing has only rounding.
static void add_state(const bi_sim *sim, int i, double h, double error, step_error *out)
{
    const stepper *s = &sim->stepper;
    const state_info *info = &s->d->plan.state[i];
    if (info->is_carried) {
        return;
    }
    const double *size_dz = sim->size_z + s->d->plan.n_z;
    double size = fmax(sim->size_z[i], fmax(fabs(s->old.z[i]), fabs(s->now.z[i])));
    if (size <= info->least) {
        return;
    }
    double rate = fmax(size_dz[i], fmax(fabs(s->old.dz[i]), fabs(s->now.dz[i])));
    double own_time = rate > 0.0 ? fmin(size / rate, sim->system->options.horizon) : 0.0;
    out->z = larger(out->z, error / size * fmax(1.0, own_time / h));
}

// Size of the mechanism that errors are measured with.
static double unit(const bi_sim *sim)
{
    double size = fmin(1.0, sim->system->dynamics.structure.size);
    return size > 0.0 ? size : 1.0;
}

// Against what is allowed: the step's share of the tolerance over the horizon; an error of a rate goes on growing until
// its end, over half of it in the mean (adapt.2).
static double relative(const bi_sim *sim, step_error e, double h)
{
    const bi_options *o = &sim->system->options;
    double allowed = aim * o->accuracy;
    double moved = larger(e.q, 0.5 * o->horizon * e.v) * o->horizon / (allowed * h * unit(sim));
    return larger(moved, e.z / allowed);
}

// ALI3-P: a third of corrector less predictor (adapt.1). Its rates are tied to the coordinates by the trapezoidal rule,
// which neither gains nor loses energy by itself. States of laws: second difference of their rates (adapt.7).
static bi_status try_implicit(bi_sim *sim, double h, double end, double *error)
{
    const stepper *s = &sim->stepper;
    bi_status status = sim_try_again(sim, h, end);
    step_error e = { 0 };
    double before = sim->adapt.last;
    e.q = stepper_error(s, h, &sim->spare[1]);
    for (int i = 0; before > 0.0 && i < s->d->plan.n_z; i++) {
        double bend = (s->now.dz[i] - s->old.dz[i]) / h - (s->old.dz[i] - sim->spare[0].dz[i]) / before;
        add_state(sim, i, h, fabs(h * h * h * bend / (6.0 * (h + before))), &e);
    }
    *error = relative(sim, e, h);
    return status;
}

// An embedded pair estimates its own error (explicit.2).
static bi_status try_embedded(bi_sim *sim, double h, double end, double *error)
{
    const stepper *s = &sim->stepper;
    bi_status status = sim_try_again(sim, h, end);
    step_error e = { 0 };
    stepper_errors local = stepper_local_errors(s);
    for (int i = 0; i < s->d->plan.n_z; i++) {
        add_state(sim, i, h, local.z[i], &e);
    }
    // the step goes on with the better rule of the pair: its error over the run is near the estimate of one step
    // (explicit.2)
    double moved = larger(local.q, 0.5 * sim->system->options.horizon * local.v) / unit(sim);
    *error = larger(moved, e.z) / (aim_of_pair * sim->system->options.accuracy);
    return status;
}

// Runge-Kutta: one step against two of half its length, a fifteenth of the difference for order four (adapt.3).
static bi_status try_explicit(bi_sim *sim, double h, double end, double *error)
{
    stepper *s = &sim->stepper;
    double middle = s->old.t + 0.5 * h;
    double share = power_of_two(sim_scheme(sim)->order) - 1.0;
    coords_copy(s->d, &s->old, &sim->spare[0]);
    bi_status status = sim_try_again(sim, h, end);
    coords_copy(s->d, &s->now, &sim->spare[1]);
    status = status == BI_OK ? sim_try_again(sim, 0.5 * h, middle) : status;
    coords_copy(s->d, &s->now, &s->old);
    status = status == BI_OK ? sim_try_again(sim, end - middle, end) : status;
    step_error e = { 0 };
    for (int i = 0; i < s->d->structure.n; i++) {
        e.q = larger(e.q, fabs(s->now.q[i] - sim->spare[1].q[i]) / share);
        e.v = larger(e.v, fabs(s->now.v[i] - sim->spare[1].v[i]) / share);
    }
    for (int i = 0; i < s->d->plan.n_z; i++) {
        add_state(sim, i, h, fabs(s->now.z[i] - sim->spare[1].z[i]) / share, &e);
    }
    coords_copy(s->d, &sim->spare[0], &s->old);
    *error = relative(sim, e, h);
    return status;
}

// The length whose error would have been allowed, carried on to the middle of the next step by its change over the last
// one: a length that lags behind the motion differs between its two directions in time (adapt.4). order: of the error
// per unit of time.
static double next_length(adaptation *a, double h, double error, double order)
{
    double ideal = h * math_pow(fmax(error, 1e-8), -1.0 / order);
    double trend = a->before > 0.0 ? fmin(most_trend, fmax(1.0 / most_trend, ideal / a->before)) : 1.0;
    a->before = ideal;
    return fmin(most_growth * h, fmax(most_shrink * h, safety * ideal * trend));
}

// The length of the next step: no stub is left before the limit.
static double fitted(const bi_sim *sim, double limit)
{
    double left = limit - sim->stepper.now.t, h = sim->adapt.h;
    if (left <= h * (1.0 + 1e-9)) {
        return left;
    }
    return left < 2.0 * h ? 0.5 * left : h;
}

// What the errors of the states of the next step are found from.
static void remember_states(bi_sim *sim, double h)
{
    const stepper *s = &sim->stepper;
    sim->adapt.last = h;
    for (int i = 0; i < s->d->plan.n_z; i++) {
        sim->spare[0].dz[i] = s->old.dz[i];
        double *size_dz = sim->size_z + s->d->plan.n_z;
        size_dz[i] = fmax(size_dz[i], fmax(fabs(s->old.dz[i]), fabs(s->now.dz[i])));
        sim->size_z[i] = fmax(sim->size_z[i], fmax(fabs(s->old.z[i]), fabs(s->now.z[i])));
    }
}

// A step kept: its length and error lead to the next.
static bi_status keep(bi_sim *sim, double h, double error, double order)
{
    adaptation *a = &sim->adapt;
    double proposed = clipped(sim, quantised(next_length(a, h, error, order)));
    // a step cut short by the limit says nothing against the one before
    a->h = h < a->h && error <= 1.0 ? fmax(a->h, proposed) : proposed;
    a->smallest = a->smallest > 0.0 ? fmin(a->smallest, h) : h;
    a->largest = fmax(a->largest, h);
    sim->in_a_row = 0;
    remember_states(sim, h);
    // whoever is near then: the next step may be longer by far than one that was cut short
    sim->stepper.trays.signals.longest = a->h;
    sim_accept(sim);
    return BI_OK;
}

// An implicit step in place of an explicit one that came near a position where constraints lose rank, as long as its
// own error allows.
static bi_status pass_implicitly(bi_sim *sim, double usual, double limit)
{
    enum { HALVINGS = 8 };
    adaptation *a = &sim->adapt;
    stepper *s = &sim->stepper;
    double from = s->old.t, h = fmin(usual, limit - from), error = INFINITY;
    bi_status status = BI_NOT_CONVERGED;
    for (int k = 0; k < HALVINGS && !(status == BI_OK && error <= 1.0); k++) {
        status = sim_leap(sim, h, h < limit - from ? from + h : limit);
        error = relative(sim, (step_error){ .q = stepper_error(s, h, &sim->spare[1]) }, h);
        h *= 0.5;
    }
    a->h = usual;
    a->before = a->last = 0.0;
    if (status == BI_OK) {
        sim->judge.implicit++;
        explicit_look(s);
        sim_accept(sim);
    }
    return status;
}

// A position that no length of step resolves (dead points): through it with the length that was good before, over it if
// that does not converge. Shorter steps only stay longer inside it (ali3p.14, adapt.5).
static bi_status pass_through(bi_sim *sim, double h, double limit)
{
    static const double leap[5] = { 1.0, 1.37, 2.3, 4.1, 7.7 };
    stepper *s = &sim->stepper;
    adaptation *a = &sim->adapt;
    a->h = clipped(sim, quantised(h));
    a->before = a->last = 0.0;
    a->forced++;
    for (int k = 0; k < 5; k++) {
        // not beyond the limit unless it is a leap: outputs in between are interpolated
        double length = k == 0 ? fmin(h, limit - s->old.t) : leap[k] * h;
        if (sim_try_again(sim, length, k == 0 && length < h ? limit : s->old.t + length) == BI_OK &&
            !sim_rushes(sim, length)) {
            sim->step_overs += k > 0;
            sim_accept(sim);
            return BI_OK;
        }
    }
    stepper_put_back(s);
    return sim_advance(sim, fmin(limit, s->now.t + h), SIM_MAY_STEP_OVER);
}

// What does not converge may do so when its steps follow a hit.
static bool may_be_hit(const bi_sim *sim)
{
    return sim->stepper.d->has_contact && !sim_scheme(sim)->is_explicit;
}

// The part of its length that a step may have for the touches that begin in it: what hits is a jump of the speed, whose
// error estimate does not fall with the step until that follows the hit (adapt.8).
static double part_for_hits(const bi_sim *sim, double h)
{
    static const double followed = 0.2; // h sqrt(k/m): sixteen steps a hit
    const stepper *s = &sim->stepper;
    if (!may_be_hit(sim)) {
        return 1.0;
    }
    double value = dynamics_hits(s->d, &s->now, &s->trays, h);
    return value > followed ? fmax(most_shrink, safety * followed / value) : 1.0;
}

bi_status adapt_step(bi_sim *sim, double limit)
{
    stepper *s = &sim->stepper;
    adaptation *a = &sim->adapt;
    const scheme *scheme = sim_scheme(sim);
    double order = scheme->order, least = sim->system->options.dt_min * (1.0 + 1e-9);
    double usual = a->h, shortest = fmax(least, usual / 1024.0), first = 0.0, last = 0.0,
           last_error = 0.0; // lengths tried, and an error
    bi_status switched = sim_switch(sim);
    if (switched != BI_OK) {
        return switched;
    }
    sim_prepare(sim);
    sim->judge.asked++;
    limit = signal_corner(&s->d->signal, s->d->plan.model, s->now.t, limit);
    while (true) {
        double h = fitted(sim, limit), end = h == limit - s->old.t ? limit : s->old.t + h, error = 0.0;
        bi_status status = scheme->is_embedded   ? try_embedded(sim, h, end, &error)
                           : scheme->is_explicit ? try_explicit(sim, h, end, &error)
                                                 : try_implicit(sim, h, end, &error);
        bool is_refused = status != BI_OK || !isfinite(error);
        if (!is_refused && error <= 1.0 && h > shortest && sim_rushes(sim, h)) {
            a->rejected++;
            a->h = clipped(sim, quantised(0.5 * h));
            coords_copy(s->d, &s->old, &s->now);
            continue;
        }
        double part = !is_refused && h > least ? part_for_hits(sim, h) : 1.0;
        if (part < 1.0) {
            a->rejected++;
            a->h = clipped(sim, quantised(part * h));
            a->before = 0.0;
            coords_copy(s->d, &s->old, &s->now);
            continue;
        }
        if (!is_refused && error <= 1.0) {
            return keep(sim, h, error, order);
        }
        a->rejected++;
        first = first > 0.0 ? first : h;
        // an error that does not fall with the step is not the step's
        bool is_noise = last > 0.0 && error > last_error * h / last;
        if (stepper_lost_rank(s) && pass_implicitly(sim, usual, limit) == BI_OK) {
            return BI_OK;
        }
        if (is_refused && h > shortest && may_be_hit(sim)) {
            a->h = clipped(sim, quantised(most_shrink * h));
            a->before = 0.0;
            coords_copy(s->d, &s->old, &s->now);
            continue;
        }
        if (is_refused || is_noise || h <= least) {
            return pass_through(sim, first, limit);
        }
        a->h = clipped(sim,
                       quantised(h * fmax(most_shrink, fmin(0.84, safety * math_pow(error, -1.0 / order)))));
        coords_copy(s->d, &s->old, &s->now);
        last = h;
        last_error = error;
    }
}
