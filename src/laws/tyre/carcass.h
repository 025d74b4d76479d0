// SPDX-License-Identifier: MIT
// The deflection of the tyre along the ground: springs and dampers between rim and tread, and a tread that creeps or
// slides against the ground (tyre.16 .. tyre.21). No speed is ever a denominator.
#pragma once
#include "laws/tyre/dual.h"

// How the tread gives way: a speed `give` and forces `hold` in both directions with give F = -hold (slip + deflection
// rate), and the largest force.
typedef struct TYRE_INSTANCE(tread) {
    dual give;     // m/s
    dual hold[2];  // N
    dual drive[2]; // N m/s: give times the steady force; -hold slip when nothing pushes at rest
    dual limit[2]; // N, semi-axes of the ellipse of friction
} tread;

typedef struct {
    double stiffness[2],
        damping[2]; // N/m, N s/m, along and across; stiffness 0: no deflection, steady forces
} carcass;

typedef struct TYRE_INSTANCE(carcass_force) {
    dual force[2];  // N
    double rate[2]; // of the deflection, m/s
} carcass_force;

// carcass.c has them in both instances.
#define carcass_eval TYRE_INSTANCE(carcass_eval)
#define carcass_rest TYRE_INSTANCE(carcass_rest)
// With the deflection given, and in steps of length h, where it is `from` + h/2 rate.
carcass_force carcass_eval(const carcass *c, const tread *t, const double from[2], double h);
// The deflection at which it rests.
void carcass_rest(const carcass *c, const tread *t, double deflection[2]);
