// SPDX-License-Identifier: MIT
// The fastest motions that the stiffness and damping of laws allow, and what explicit rules can follow.
#include "integrate/algebra.h"
#include <math.h>
#include <string.h>

// Largest eigenvalue of T^-1 B by power iteration, B = wK K + wC C on the constrained mechanism; B in the kept tangent,
// which explicit steps do not use.
static double largest_eigenvalue(stepper *s, double wK, double wC, double *B)
{
    enum { PASSES = 30 };
    const structure *st = &s->d->structure;
    double value = 0.0;
    memset(B, 0, (size_t)st->tangent.nnz * sizeof *B);
    s->d->set->drop_tangent(s->d->coordinates, &s->now, &s->trays.motion, &s->trays.load, wK, wC, B);
    for (int i = 0; i < st->n; i++) {
        s->right[i] = 1.0 + 0.1 * (i % 7);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        memset(s->product, 0, (size_t)st->n * sizeof *s->product);
        pattern_multiply(&st->tangent, B, s->right, s->product);
        memcpy(s->right, s->product, (size_t)st->n * sizeof *s->right);
        solver_solve(s->in.fac, s->in.work.numeric, s->right);
        value = largest(s->right, st->n);
        for (int i = 0; i < st->n && value > 0.0; i++) {
            s->right[i] /= value;
        }
    }
    return value;
}

bool stepper_fastest(stepper *s, coords *at, double *frequency, double *decay)
{
    *frequency = *decay = 0.0;
    if (s->d->plan.n_block == 0 || s->d->structure.n == 0) {
        return false;
    }
    int64_t factors = s->in.n_factor;
    s->trays.z_old = at->z;
    s->trays.dz_old = at->dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, at, &s->trays, LAW_POSITION | LAW_TANGENT | LAW_EXPLICIT | EVAL_ALL);
    tangent_build(s, 0.0, 0.0);
    bool ok = tangent_factor(s, 0.0);
    if (ok) {
        // the tangent itself is not needed any more: its place serves
        *frequency = sqrt(largest_eigenvalue(s, 1.0, 0.0, s->in.work.T));
        *decay = largest_eigenvalue(s, 0.0, 1.0, s->in.work.T);
    }
    s->in.n_factor = factors; // asking is no part of the run
    return ok;
}
