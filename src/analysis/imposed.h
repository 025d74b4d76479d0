// SPDX-License-Identifier: MIT
// Rates and accelerations that guides, imposed motion and constraints determine together.
#pragma once
#include "analysis/directions.h"
#include "sim/system.h"

// [G; S] x = right, S picking the imposed coordinates: full matrices, rows of one size.
typedef struct {
    int n, m;                    // variables; rows: those of the mechanism, then the imposed ones
    double *A, *work;            // (m x n)
    double *right, *x, *scratch; // (m), (n), (max(m, n))
    double *sum_q, *sum_v;       // of the stages of a step (n)
    double *scale;               // of the rows (m)
    bool lets_free;              // what the motion leaves free is found instead of refused
    directions left;             // that; Z belongs to the system
} imposed_system;

// False: no memory, or too large for full matrices.
bool imposed_open(const bi_sim *sim, imposed_system *e);
void imposed_close(imposed_system *e);

// How strongly violations are driven back (inverse.2): position rows and velocity rows, imposed coordinates.
typedef struct {
    double alpha, kp, kv;
} imposed_gains;

// Rates (accelerations) of `at` into e->x; its motion is then on the trays. BI_BAD_MODEL: they are not determined, or
// contradict each other; sim->failure says so.
/* Return to violated positions, 1/s: alpha of the run where Baumgarte's terms are asked for, else that of the document. */
double imposed_return_rate(const bi_sim *sim);
bi_status imposed_rates(bi_sim *sim, coords *at, const imposed_gains *g, imposed_system *e);
bi_status imposed_accelerations(bi_sim *sim, coords *at, const imposed_gains *g, imposed_system *e);

// e->right (not scaled) to e->x on the sparse pattern of the step. False: not decided, full matrices must tell.
bool imposed_solve_sparse(bi_sim *sim, imposed_system *e);
