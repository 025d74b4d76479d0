// SPDX-License-Identifier: MIT
// What a device makes of a channel: a low pass with a memory, noise, resolution, range (sensors.9 .. sensors.11).
#include "base/hash.h"
#include "math/elementary.h"
#include "sim/system.h"
#include <math.h>

// ---- noise, resolution, range -------------------------------------------------------------------------------------

// From 0 to 1, both left out, by seed and time: whoever reads again reads the same.
static double chance(double seed, double t, int which)
{
    const double of[3] = { seed, t, (double)which };
    uint64_t h = hash_bytes(hash_seed, of, sizeof of);
    // spread the bits: times that follow each other differ in few of them
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    return ((double)(h >> 11) + 0.5) * 0x1p-53;
}

// The nearest whole number; of two the one farther from zero.
static double rounded(double x)
{
    double size = fabs(x), whole = floor(size);
    return copysign(size - whole >= 0.5 ? whole + 1.0 : whole, x);
}

// Noise of Gauss by two numbers of chance (Box and Muller), then resolution, then range (sensors.9).
double devices_tell(const bi_output_def *d, double t, double value)
{
    if (d->noise > 0.0) {
        double size = sqrt(-2.0 * math_log(chance(d->seed, t, 0)));
        value += d->noise * size * math_cos(6.283185307179586 * chance(d->seed, t, 1));
    }
    if (d->resolution > 0.0) {
        value = d->resolution * rounded(value / d->resolution);
    }
    // last: nothing outside of the range is ever told
    return d->low < d->high ? fmax(d->low, fmin(d->high, value)) : value;
}

// ---- low pass -----------------------------------------------------------------------------------------------------

// The state after h seconds in which what is measured went straight to u: the exact solution, so that a cut-off far
// above the steps needs no shorter ones (sensors.10, sensors.11).
static device_state after(const bi_output_def *d, device_state s, double h, double u)
{
    if (!(h > 0.0)) {
        return s;
    }
    double T = 1.0 / (6.283185307179586 * d->cutoff), k = (u - s.u) / h, x = h / T;
    device_state end = { .t = s.t + h, .u = u };
    if (d->order != 2) {
        end.y = u - T * k + (s.y - s.u + T * k) * math_exp(-x);
        return end;
    }
    // what is left beside the ramp u - 2 zeta T k, and T times its rate; zeta = sqrt(1/2)
    static const double zeta = 0.70710678118654752;
    double c = math_cos(zeta * x), sine = math_sin(zeta * x), fall = math_exp(-zeta * x);
    double lag = 2.0 * zeta * T * k, e = s.y - s.u + lag, w = T * (s.w - k);
    end.y = u - lag + fall * (e * c + (e + w / zeta) * sine);
    end.w = k + fall * (w * c - (w + e / zeta) * sine) / T;
    return end;
}

// The state at the time shown, from the last one before it.
double devices_filtered(const bi_sim *sim, int output, double u)
{
    const device *f = &sim->device[sim->system->sensor[output].to];
    const device_state *from = sim->t < f->now.t ? &f->old : &f->now;
    return after(&sim->system->model->output[output].def, *from, sim->t - from->t, u).y;
}

void devices_start(bi_sim *sim)
{
    for (int k = 0; k < sim->system->n_device; k++) {
        // at rest, as if what it measures had not changed for long
        double u = channel_before_device(sim, sim->system->device_channel[k]);
        device_state at = { .t = sim->t, .u = u, .y = u };
        sim->device[k] = (device){ at, at };
    }
}

// All of them, to an instant of the last step.
static void follow_to(bi_sim *sim, double t)
{
    const bi_system *s = sim->system;
    sim->have = 0;
    sim->t = t;
    for (int k = 0; k < s->n_device; k++) {
        device *f = &sim->device[k];
        const bi_output_def *d = &s->model->output[s->channel[s->device_channel[k].i - 1].index].def;
        double u = channel_before_device(sim, s->device_channel[k]);
        f->now = after(d, f->now, t - f->now.t, u);
    }
}

void devices_follow(bi_sim *sim, double t)
{
    // steps of an embedded scheme are long, and it knows the motion between their ends
    enum { PARTS = 8 };
    const int n = sim->system->n_device, parts = sim_scheme(sim)->is_embedded ? PARTS : 1;
    double shown = sim->t, from = n > 0 ? sim->device[0].now.t : t;
    if (!(t > from)) {
        return;
    }
    for (int k = 0; k < n; k++) {
        sim->device[k].old = sim->device[k].now;
    }
    for (int i = 1; i <= parts; i++) {
        follow_to(sim, i < parts ? from + (t - from) * i / parts : t);
    }
    sim->have = 0;
    sim->t = shown;
}
