// SPDX-License-Identifier: MIT
// What a patch has stored: the work of its elastic forces, counted as the trapezoidal rule does it (contact.13).
#pragma once
#include "laws/contact/pair.h"

enum { STORE_SIZE = 9 };

// Elastic force on a, its moments about the origins of a and of b.
typedef struct {
    double effort[STORE_SIZE];
} store_effort;

// Velocity of a's origin against b's, spins of a and of b: effort . flow is the power that the bodies get.
typedef struct {
    double flow[STORE_SIZE];
} store_flow;

void store_add(store_effort *to, const pair_motion *m, vec3 point, vec3 force);
store_flow store_flow_of(const pair_motion *m);

// Share of the elastic forces, and by how much it falls with the speed of separating, s/m.
typedef struct {
    double share, slope;
} store_limit;

// What is left in memory (own) allows, with the step h, s: all while loading.
store_limit store_allowed(const double *own, const store_effort *effort, const store_flow *flow, double h);

// Whether it may ask for more than that, by the forces of the last step.
bool store_nears_end(const double *own, const store_flow *flow, double h);

// How a step takes forces: the mean of its beginning and its end, or those of its end (contact.23).
typedef enum { STORE_MEAN, STORE_LATE } store_rule;

// After a step: `energy` of the springs of all places, as if they had been pressed in straight.
void store_commit(const store_effort *effort, const store_flow *flow, double energy, double t, double h,
                  store_rule rule, double *own);

// J, at the time t: that of memory, or before it when the state between two steps is shown.
double store_energy(const double *own, const store_effort *effort, const store_flow *flow, double t);
