// SPDX-License-Identifier: MIT
// One correction of an implicit step: its right-hand side, its rows, and the multipliers that follow.
#pragma once
#include "integrate/rule.h"

// Where the inertia forces of the right-hand side come from: the mass matrix; the forces, which are already less M a (EVAL_RESIDUAL);
// the same, and what vibrations lose of their inertia (phase.1).
typedef enum { INERTIA_OF_MASS, INERTIA_IN_FORCES, INERTIA_LESS_LOST } inertia_term;

// right = fA (Q - M a - G^T multipliers)
void residual_build(stepper *s, const rule *f, inertia_term inertia, const double *multipliers);
// dq in `right`, at `now` with the tangent t.
void correction_solve(stepper *s, const rule *f, inertia_term inertia, const tangent *t);
// The same, and the multipliers are corrected (ali3p.6).
void correction_find(stepper *s, const rule *f, inertia_term inertia, const tangent *t);

// The violation of a row in units of coordinates: velocity rows move by first dq.
static inline double row_violation(const stepper *s, const rule *f, int r)
{
    double phi = s->trays.rows.phi[r];
    return s->d->structure.is_velocity[r] ? phi / f->first : phi;
}
// right becomes the solution of T dq = right - G_f^T w violation, the violation of each row in `residual`, with the
// tangent's own gradients (ali3p.6)
void rows_solve(stepper *s, const tangent *t);
// The same with (G_f - G)^T increment on the right: what multipliers found with the gradients of the tangent leave over
// with those of here (ali3p.7)
void rows_solve_turned(stepper *s, const tangent *t);
// The multipliers that go with it: increment = w (violation + G_f dq); sum += factor increment, unless it is NULL
void rows_add_increment(stepper *s, const tangent *t, double factor, double *sum);

// The tangent of here, in `work`; false: it has no factor.
bool tangent_form(stepper *s, const rule *f);

// Corrections below the rounding of the largest coordinate mean nothing.
double correction_floor(const stepper *s);

// What rows move by time alone, in `drift`.
void rows_drift(stepper *s);
// What guides do per unit of time, -v . G^T (lambda* + sigma), with that drift. The multipliers of (ali3p.6) carry no
// rounding of violations times penalty, unlike those of (ali3p.4).
void guides_count(stepper *s);
