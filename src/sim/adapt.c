// SPDX-License-Identifier: MIT
// Steps as long as the error allows (adapt.1 .. adapt.5). Lengths are powers of two to quarters, so that the last bits of an error estimate
// do not choose the grid.
#include "math/elementary.h"
#include "sim/system.h"
#include <math.h>
#include <string.h>

// shares of a step: how much may it grow, shrink, and what is left for safety
static const double most_growth = 2.5, most_shrink = 0.2, safety = 0.85;

// The largest power of two, to quarters, that is not above h.
static double quantised(double h)
{
    static const double quarter[4] = { 0.5, 0.59460355750136051, 0.70710678118654752, 0.84089641525371454 };
    int exponent;
    double part = frexp(h, &exponent);
    int k = 3;
    while (k > 0 && part < quarter[k]) {
        k--;
    }
    return ldexp(quarter[k], exponent);
}

static double clipped(const bi_sim *sim, double h)
{
    const bi_options *o = &sim->system->options;
    return fmax(fmin(h, o->dt_max), o->dt_min);
}

void adapt_start(bi_sim *sim)
{
    sim->adapt = (adaptation){ .h = clipped(sim, quantised(sim->system->options.dt)), .before = 1.0 };
}

// Allowed error of a step: its share of the tolerance over the horizon (adapt.2).
static double relative(const bi_sim *sim, double error, double h)
{
    const bi_options *o = &sim->system->options;
    double size = fmin(1.0, sim->system->dynamics.structure.size);
    return error * o->horizon / (o->accuracy * h * (size > 0.0 ? size : 1.0));
}

// ALI3-P: a third of corrector less predictor (adapt.1).
static bi_status try_implicit(bi_sim *sim, double h, double end, double *error)
{
    const stepper *s = &sim->stepper;
    bi_status status = sim_scheme_step(sim, h, end);
    double most = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        double predicted = s->old.q[i] + h * (s->old.v[i] + 0.5 * h * s->old.a[i]);
        double e = fabs(s->now.q[i] - predicted) / 3.0;
        most = e <= most ? most : e;
    }
    *error = relative(sim, most, h);
    return status;
}

// An embedded pair estimates its own error (explicit.2).
static bi_status try_embedded(bi_sim *sim, double h, double end, double *error)
{
    bi_status status = sim_scheme_step(sim, h, end);
    // the step goes on with the better rule of the pair: its error over the run is near the estimate of one step (explicit.2)
    double size = fmin(1.0, sim->system->dynamics.structure.size);
    *error = sim->stepper.local_error / (sim->system->options.accuracy * (size > 0.0 ? size : 1.0));
    return status;
}

// Runge-Kutta: one step against two of half its length, a fifteenth of the difference for order four (adapt.3).
static bi_status try_explicit(bi_sim *sim, double h, double end, double *error)
{
    stepper *s = &sim->stepper;
    double middle = s->old.t + 0.5 * h, most = 0.0;
    double share = ldexp(1.0, scheme_order(sim->system->options.scheme)) - 1.0;
    coords_copy(s->d, &s->old, &sim->spare[0]);
    bi_status status = sim_scheme_step(sim, h, end);
    coords_copy(s->d, &s->now, &sim->spare[1]);
    status = status == BI_OK ? sim_scheme_step(sim, 0.5 * h, middle) : status;
    coords_copy(s->d, &s->now, &s->old);
    status = status == BI_OK ? sim_scheme_step(sim, end - middle, end) : status;
    for (int i = 0; i < s->d->structure.n; i++) {
        double e = fabs(s->now.q[i] - sim->spare[1].q[i]) / share;
        most = e <= most ? most : e;
    }
    coords_copy(s->d, &sim->spare[0], &s->old);
    *error = relative(sim, most, h);
    return status;
}

// PI rule (adapt.4); order: of the error per unit of time.
static double next_length(const adaptation *a, double h, double error, double order)
{
    double now = fmax(error, 1e-8);
    double factor = safety * math_pow(now, -0.7 / order) * math_pow(a->before, 0.4 / order);
    return h * fmin(most_growth, fmax(most_shrink, factor));
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

// A step kept: its length and error lead to the next.
static bi_status keep(bi_sim *sim, double h, double error, double order)
{
    adaptation *a = &sim->adapt;
    double proposed = clipped(sim, quantised(next_length(a, h, error, order)));
    // a step cut short by the limit says nothing against the one before
    a->h = h < a->h && error <= 1.0 ? fmax(a->h, proposed) : proposed;
    a->before = fmax(error, 1e-8);
    a->smallest = a->smallest > 0.0 ? fmin(a->smallest, h) : h;
    a->largest = fmax(a->largest, h);
    sim->in_a_row = 0;
    sim_accept(sim);
    return BI_OK;
}

// A position that no length of step resolves (dead points): through it with the length that was good before, over it if that does
// not converge. Shorter steps only stay longer inside it (ali3p.9, adapt.5).
static bi_status pass_through(bi_sim *sim, double h, double limit)
{
    static const double leap[5] = { 1.0, 1.37, 2.3, 4.1, 7.7 };
    stepper *s = &sim->stepper;
    adaptation *a = &sim->adapt;
    a->h = clipped(sim, quantised(h));
    a->before = 1.0;
    a->forced++;
    for (int k = 0; k < 5; k++) {
        // not beyond the limit unless it is a leap: outputs in between are interpolated
        double length = k == 0 ? fmin(h, limit - s->old.t) : leap[k] * h;
        if (sim_scheme_step(sim, length, k == 0 && length < h ? limit : s->old.t + length) == BI_OK) {
            sim->step_overs += k > 0;
            sim_accept(sim);
            return BI_OK;
        }
    }
    sim_put_state_back(sim);
    return sim_advance(sim, fmin(limit, s->now.t + h), SIM_MAY_STEP_OVER);
}

bi_status adapt_step(bi_sim *sim, double limit)
{
    stepper *s = &sim->stepper;
    adaptation *a = &sim->adapt;
    bi_scheme scheme = sim->system->options.scheme;
    bool is_explicit = scheme_is_explicit(scheme), is_embedded = scheme == BI_DOPRI5;
    double order = scheme_order(scheme), least = sim->system->options.dt_min * (1.0 + 1e-9);
    double first = 0.0, last = 0.0, last_error = 0.0; // lengths tried, and an error
    bi_status switched = sim_switch(sim);
    if (switched != BI_OK) {
        return switched;
    }
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    sim_keep_state(sim);
    while (true) {
        double h = fitted(sim, limit), end = h == limit - s->old.t ? limit : s->old.t + h, error = 0.0;
        bi_status status = is_embedded   ? try_embedded(sim, h, end, &error)
                           : is_explicit ? try_explicit(sim, h, end, &error)
                                         : try_implicit(sim, h, end, &error);
        bool is_refused = status != BI_OK || !isfinite(error);
        if (!is_refused && error <= 1.0) {
            return keep(sim, h, error, order);
        }
        a->rejected++;
        first = first > 0.0 ? first : h;
        // an error that does not fall with the step is not the step's
        bool is_noise = last > 0.0 && error > last_error * h / last;
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
