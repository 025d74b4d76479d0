// SPDX-License-Identifier: MIT
// Explicit Runge-Kutta rules, and the step that all of them share.
#pragma once
#include "integrate/algebra.h"

typedef struct {
    int stages;
    bool is_precise;       // beyond what one pass leaves of the constraints in a stage: order above 4
    bool is_semi_implicit; // positions follow the new velocities (explicit.7)
    double c[STAGES], a[STAGES][STAGES];
    double b[STAGES]; // weights of the result
    double e[STAGES]; // of the result less the embedded one; all zero: none
} explicit_rule;

bi_status explicit_step(stepper *s, const explicit_rule *rule, double h);
