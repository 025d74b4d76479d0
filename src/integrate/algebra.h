// SPDX-License-Identifier: MIT
// The linear algebra that steppers and analyses share: penalties of rows, the working tangent, products with the
// gradients.
#pragma once
#include "integrate/stepper.h"

// ---- rows -----------------------------------------------------------------------------------------------------

// Penalty of each row from G and M (ali3p.11), in the metric of the mass matrix, or of the positions themselves.
typedef enum { WEIGH_BY_MASS, WEIGH_FOR_POSITION } weighing;
void rows_weigh(stepper *s, weighing by);
static inline const double *rows_weight(const stepper *s) { return s->in.weight; } // c m_k, kg (n_row)

void rows_apply(const structure *st, const double *G, const double *coefficient,
                double *out); // out += G^T coefficient
// One row times x, and all of them: out = G x.
double row_dot(const structure *st, const double *G, int row, const double *x);
void rows_dot(const structure *st, const double *G, const double *x, double *out);
double largest(const double *x, int n);
bool are_finite(const double *x, int n);

// ---- the working tangent ---------------------------------------------------------------------------------------

void tangent_build(stepper *s, double wK, double wC); // M + wC C + wK K + G^T weight G
// False: it is singular, and stepper_worst names the variable.
bool tangent_factor(stepper *s, double pivot_tolerance);
// x = T^-1 x
static inline void tangent_solve(const stepper *s, double *x)
{
    solver_solve(s->in.fac, s->in.work.numeric, x);
}
// Its numbers, for who builds one of his own (n_tangent).
static inline double *tangent_values(stepper *s) { return s->in.work.T; }

// ---- for steppers only -------------------------------------------------------------------------------------------

void gradients_keep(stepper *s); // G set aside as those of the factor in `work`
static inline bool has_phase(const stepper *s) { return s->in.vibrations && s->in.vibrations->count > 0; }
void stepper_use_length(stepper *s, double h); // the correction of the phase for steps of this length
// a += T^-1 (Q - M a - G^T (mu + w (G a + gamma))), the change left in `right`; then mu += w (G a + gamma) (initial.4).
void acceleration_correct(stepper *s, double *a, const double *mu);
void multipliers_follow(stepper *s, const double *a, double *mu);
