// SPDX-License-Identifier: MIT
// Dry friction on one coordinate with a stick state (laws.4): a spring and damper to an anchor, up to the limit; then
// it slides with the limit and, after each accepted step, drags its anchor along.
#pragma once
#include "state/law.h"

typedef struct {
    double stiffness, damping; // of the stick
} stick;

typedef struct {
    double limit, limit_slope; // largest effort now; its derivative with the rate
    double value, rate;        // of the coordinate
    const double *memory;      // 1 when anchored, anchor
} stick_in;

typedef struct {
    double effort;   // on the coordinate
    double K, C;     // -d effort / d value, / d rate
    double by_limit; // d effort / d limit
    bool slides;
} stick_out;

stick stick_create(double inertia, double stick_time); // stick_time 0: 0.03 s
stick_out stick_eval(const stick *s, const stick_in *in);
void stick_commit(const stick *s, const stick_in *in, double *memory); // (2)
