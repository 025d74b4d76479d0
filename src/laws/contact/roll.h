// SPDX-License-Identifier: MIT
// Moments at one place of contact against rolling and spinning, by springs that remember (touch.7, touch.8).
#pragma once
#include "laws/contact/pair.h"
#include "laws/contact/touch.h"

// What the surfaces are like now.
typedef struct {
    double rolling, spinning;  // m: the moment over the normal force, at most
    double stiffness, damping; // of the springs, N m/rad, N m s/rad
} roll_values;

// How A has turned against B since the springs were relaxed.
typedef struct {
    vec3 normal;
    vec3 spin;     // of A against B, rad/s
    vec3 stretch;  // along the axis of the turn, twice the sine of half its angle
    double cosine; // of half its angle
    bool is_held;  // something is remembered
} roll_motion;

typedef struct {
    vec3 moment; // on A, N m
    vec3 kept;   // the stretch after a step
    bool is_cut; // one of the springs is at its limit: less is kept than there is
    // derivatives of the moment
    mat3 by_spin, by_stretch, by_normal;
    vec3 by_push;
} roll_moment;

// slot: what roll_remember wrote, NULL: nothing yet.
roll_motion roll_of(const double *slot, const pair_motion *m, vec3 normal);
roll_moment roll_eval(const roll_values *v, const roll_motion *t, double push, touch_want want);
// The change of the stretch when body `side` turns.
vec3 roll_stretched(const roll_motion *t, int side, vec3 turn);
// So that the stretch is `kept` as the bodies are now.
void roll_remember(const pair_motion *m, vec3 kept, double *slot);

// The moment and its stiffness against a turn that changes the spin by `rate` times itself: symmetric and never negative,
// the limits taken as they are (contact.21).
vec3 roll_resist(const roll_values *v, const roll_motion *t, double push, double rate, mat3 *stiffness);

double roll_energy(const roll_values *v, const roll_motion *t, double push); // J, stored
// What the springs take up, W: their stretch changes by `by` in a second, the normal by `turn`, the push by `load`.
double roll_power(const roll_values *v, const roll_motion *t, double push, vec3 by, vec3 turn, double load);
