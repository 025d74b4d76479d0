// SPDX-License-Identifier: MIT
#include "io/life/endurance.h"
#include <math.h>
#include <stddef.h>

const char *mean_rule_name(int k)
{
    static const char *const name[MEAN_COUNT] = {
        [MEAN_NONE] = "none",           [MEAN_GOODMAN] = "goodman", [MEAN_GERBER] = "gerber",
        [MEAN_SODERBERG] = "soderberg", [MEAN_SWT] = "swt",         [MEAN_HAIGH] = "haigh"
    };
    return k >= 0 && k < MEAN_COUNT ? name[k] : NULL;
}

// Four pieces: all in compression, through zero, pulsating, high tension; they meet at R = infinity, 0 and 1/2 (life.6).
static double haigh(double amplitude, double mean, double m)
{
    double third = m / 3.0;
    if (mean <= -amplitude) {
        return amplitude * (1.0 - m);
    }
    if (mean <= amplitude) {
        return amplitude + m * mean;
    }
    if (mean <= 3.0 * amplitude) {
        return (1.0 + m) * (amplitude + third * mean) / (1.0 + third);
    }
    return amplitude * (1.0 + m) * (1.0 + m) / (1.0 + third);
}

// Straight to a strength, (life.4).
static double straight(double amplitude, double mean, double strength)
{
    return mean <= 0.0 ? amplitude : mean < strength ? amplitude / (1.0 - mean / strength) : INFINITY;
}

static double equivalent(const endurance *e, double range, double mean)
{
    double amplitude = 0.5 * range, rest;
    if (e->is_range) {
        return amplitude;
    }
    switch (e->mean) {
    case MEAN_NONE:
    case MEAN_COUNT: break;
    case MEAN_GOODMAN: return straight(amplitude, mean, e->ultimate);
    case MEAN_SODERBERG: return straight(amplitude, mean, e->yield);
    case MEAN_GERBER:
        rest = 1.0 - mean * mean / (e->ultimate * e->ultimate);
        return mean <= 0.0 ? amplitude : mean < e->ultimate ? amplitude / rest : INFINITY;
    case MEAN_SWT: return amplitude + mean > 0.0 ? sqrt((amplitude + mean) * amplitude) : 0.0;
    case MEAN_HAIGH: return haigh(amplitude, mean, e->sensitivity);
    }
    return amplitude;
}

// 1/N of an amplitude, (life.3).
static double damage_of(const endurance *e, double amplitude)
{
    int n = e->n_point, k = 0;
    if (!(amplitude > e->limit)) {
        return 0.0;
    }
    while (k < n && amplitude < e->amplitude[k]) {
        k++;
    }
    double slope = k == 0 ? e->slope : e->slope_beyond;
    int from = k == 0 ? 0 : k - 1;
    if (k > 0 && k < n) {
        slope = log(e->cycles[k] / e->cycles[k - 1]) / log(e->amplitude[k - 1] / e->amplitude[k]);
    }
    return pow(amplitude / e->amplitude[from], slope) / e->cycles[from];
}

double endurance_of_cycle(const endurance *e, double range, double mean, double peak)
{
    if (e->share > 0.0) {
        // the amplitude of push and pull for which the same parameter is as large, (life.8)
        double k = e->share / e->yield, parameter = 0.5 * range * (1.0 + k * fmax(peak, 0.0));
        return damage_of(e, 4.0 * parameter / (1.0 + sqrt(1.0 + 4.0 * k * parameter)));
    }
    return damage_of(e, equivalent(e, range, mean));
}

// The normal distribution's quantile by halving what its integral says: erfc is monotonous.
static double quantile(double p)
{
    double low = -12.0, high = 12.0;
    for (int k = 0; k < 100; k++) {
        double x = 0.5 * (low + high);
        if (0.5 * erfc(-x / sqrt(2.0)) < p) {
            low = x;
        } else {
            high = x;
        }
    }
    return 0.5 * (low + high);
}

void endurance_survive(endurance *e, double survival)
{
    // (life.7)
    double factor = pow(10.0, e->scatter * (quantile(1.0 - survival) - quantile(1.0 - e->survival)));
    for (int k = 0; k < e->n_point; k++) {
        e->cycles[k] *= factor;
    }
    e->survival = survival;
}

// A cycle of this range is a part of 1e-40 of the life: less than the last digit of anything that counts.
void endurance_finish(endurance *e)
{
    const double least = 1e-40;
    int last = e->n_point - 1;
    e->gate = 2.0 * e->amplitude[last] * pow(least * e->cycles[last], 1.0 / e->slope_beyond);
}
