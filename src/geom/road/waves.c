// SPDX-License-Identifier: MIT
// Random roads: waves of all numbers between the ends of ISO 8608 with the amplitude that their spectrum asks for and
// random phases. From line to line the phases wander, the more the shorter the wave: every line has the same spectrum, and
// lines far apart have little in common (geometry.31).
#include "geom/road/waves.h"
#include "base/prelude.h"
#include "math/elementary.h"

static const double longest = 0.011, shortest = 2.83, reference = 0.1; // 1/m
static const double two_pi = 6.283185307179586;

// Steele, Lea, Flood (2014): 64 bits from a counter.
static double next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// The w with sin(w)/w = g: phases that differ by anything between -w and w agree so much on the mean.
static double spread_for(double g)
{
    double low = 0.0, high = 0.5 * two_pi;
    for (int k = 0; k < 50; k++) {
        double w = 0.5 * (low + high);
        *(math_sin(w) > g * w ? &low : &high) = w;
    }
    return 0.5 * (low + high);
}

void geom_road_waves(const road_waves *w, int n_u, int n_v, double *height, double *work)
{
    double *c = work, *s = work + n_v, density = 1.0 / w->length;
    int count = (int)((shortest - longest) / density);
    uint64_t state = w->seed;
    for (int k = 0; k < n_u * n_v; k++) {
        height[k] = 0.0;
    }
    for (int k = 0; k < count; k++) {
        double n = longest + (k + 0.5) * density, ratio = n / reference;
        double amplitude = sqrt(2.0 * density * w->roughness) / ratio;
        double phase = two_pi * next_random(&state);
        double wander =
            w->incoherence > 0.0 ? spread_for(math_exp(-0.5 * w->incoherence * n * w->across)) : 0.0;
        for (int j = 0; j < n_v; j++) {
            c[j] = amplitude * math_cos(phase);
            s[j] = amplitude * math_sin(phase);
            phase += wander * (2.0 * next_random(&state) - 1.0);
        }
        double turn = two_pi * n * w->step, by_c = math_cos(turn), by_s = math_sin(turn), re = 1.0, im = 0.0;
        for (int i = 0; i < n_u; i++) {
            double *row = &height[(ptrdiff_t)i * n_v];
            for (int j = 0; j < n_v; j++) {
                row[j] += re * c[j] - im * s[j];
            }
            double old = re;
            re = old * by_c - im * by_s;
            im = old * by_s + im * by_c;
        }
    }
}
