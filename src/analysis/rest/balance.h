// SPDX-License-Identifier: MIT
// Newton for a static equilibrium in the free directions of a mechanism (analysis.5 .. analysis.8). Dense; for
// analysis.
#pragma once
#include "analysis/directions.h"

// forces left over, against the largest force: wanted, and good enough where rounding allows no more
static const double balance_wanted = 1e-14, balance_good_enough = 1e-9;
// of the size of the mechanism: so near is the place where the forces that are left would be none. A small force against
// that of a stiff part on the way is large for a soft one.
static const double balance_near = 1e-5;

typedef struct {
    bi_sim *sim;
    stepper *s;
    int n, k;       // variables, free directions
    double *force;  // Q at now, and what of it is left along the constraints    (n), (n)
    double *left;   //
    double *before; // q and Q before a step                                     (n), (n)
    double *force_before;
    double *move;       // a step in q                                               (n)
    double *lambda;     // reactions of the rows                                     (n_row)
    double *H, *V, *e;  // stiffness in the free directions, eigenvectors, values    (k x k), (k x k), (k)
    double *g, *y, *A;  // forces and step along eigenvectors; work                  (k), (k), (k x k)
    double scale, size; // largest force so far, N; size of the mechanism
    double ahead;       // how far the whole step would lead in directions with stiffness
    double reach;       // length of the last step in the free directions, as the radius is
    double followed;    // part of the loads that beams could be followed to; 0: they were not followed
    unsigned grip;      // LAW_GLUED while nothing may slide
    bool is_fine;       // differences of order four over longer ways: where the softest direction decides
    directions free;
    int n_soft, n_unstable;
    bi_balance out;
} balance;

bool balance_open(balance *b, bi_sim *sim);
void balance_close(balance *b);

// Everything at rest at now, states of laws settled.
void balance_evaluate(balance *b);
// Forces at now, reactions, what is left and its share of the largest force. False: not finite.
bool balance_measure(balance *b);
// H at now, in the free directions there.
bi_status balance_stiffness(balance *b);
// The same without eigenvectors.
bi_status balance_tangent(balance *b);
// Forces at now along the free directions of the place where the tangent was formed, with the reactions there (k).
void balance_force_along(balance *b, double *out);
// By b->move from b->before, and back onto the constraints. False: there is no way back.
bool balance_move(balance *b);
// From now on, far away: beams are much stiffer than they are, and become softer little by little. `kept`: room for a
// state. Not OK: now is where it came to.
bi_status balance_follow(balance *b, coords *kept);
// At now, at rest or with the rates given: velocities of moving guides, accelerations, exact reactions, a fresh start of
// the clock.
bi_status balance_settle(balance *b, const double *rates);
// From now on; BI_NOT_CONVERGED: there is no equilibrium on the way. BI_FULL: too many variables for full matrices.
bi_status balance_newton(balance *b);
// What stiffness is none: rounding of the differences, and far below the stiffest direction.
double balance_soft_limit(const balance *b);
