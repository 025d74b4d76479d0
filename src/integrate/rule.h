// SPDX-License-Identifier: MIT
// The trapezoidal rule and generalised-alpha: their numbers, and the state from which the iterations of a step begin.
#pragma once
#include "integrate/algebra.h"

// Violation per row; multipliers and penalties that answer it. fA = h^2/4, fV = h/2: alpha = weight / fA or / fV.
// Generalised-alpha (ali3p.21 .. ali3p.24): fA and fV follow from the same rules with its coefficients.
typedef struct {
    double h, fA, fV;
    double first, second, third; // what dq adds to v, a and the algorithmic acceleration
    double am, af, beta, gamma;
    bool has_drive; // the algorithmic acceleration is one of its own
} rule;

// rho: spectral radius of infinitely fast motions; 1: the trapezoidal rule.
rule rule_make(double h, double rho);

// The end of the step with an acceleration that does not change (ali3p.23); multipliers start from nothing.
void rule_predict(stepper *s, const rule *f);

// dq in `right` onto the state; gives its size.
double rule_correct(stepper *s, const rule *f);

// turning.c: frames for a step of h from `old`, if bodies turn far in it; else there are none.
void turning_begin(stepper *s, double h);
// `to` holds the predictor of coordinates at rest; those of turning bodies are replaced.
void turning_predict(const stepper *s, const rule *f, coords *to);
void turning_correct(stepper *s, const rule *f);
