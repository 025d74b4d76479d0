// SPDX-License-Identifier: MIT
#include "analysis/differences.h"
#include <math.h>
#include <string.h>

// The result with one coordinate, free rate or state changed by `change`.
static bool sample(reduction *r, variable_kind kind, int variable, double change)
{
    reduction_reset(r);
    double *x = kind == OF_RATE ? r->at.v : kind == OF_STATE ? r->at.z : r->at.q;
    x[kind == OF_STATE ? r->state[variable] : variable] += change;
    return reduction_close(r) && reduction_accelerate(r);
}

// Central differences of order eight (linearisation.6).
static bool difference(reduction *r, variable_kind kind, int variable, double h, double *out)
{
    static const double weight[4] = { 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0 };
    memset(out, 0, (size_t)result_count(r) * sizeof *out);
    for (int k = 0; k < 4; k++) {
        for (int side = 1; side >= -1; side -= 2) {
            if (!sample(r, kind, variable, side * (k + 1) * h)) {
                return false;
            }
            for (int f = 0; f < r->n_freedom; f++) {
                out[f] += side * weight[k] / h * r->y[f];
            }
            for (int i = 0; i < r->n_z; i++) {
                out[r->n_freedom + i] += side * weight[k] / h * r->at.dz[r->state[i]];
            }
        }
    }
    return true;
}

// Largest difference of two results against their size; states have units of their own, so they count by themselves.
static double gap_of(const double *a, const double *b, int from, int to)
{
    double gap = 0.0, size = 1.0;
    for (int f = from; f < to; f++) {
        gap = fmax(gap, fabs(a[f] - b[f]));
        size = fmax(size, fabs(a[f]));
    }
    return gap / size;
}

static double gap_of_all(const reduction *r, const double *a, const double *b)
{
    return fmax(gap_of(a, b, 0, r->n_freedom), gap_of(a, b, r->n_freedom, result_count(r)));
}

// A length of one for the steps: of the mechanism, of a state that has a size.
static double unit_of(const reduction *r, variable_kind kind, int variable)
{
    double size = kind == OF_STATE ? fabs(r->z0[r->state[variable]]) : 1.0;
    return kind == OF_POSITION ? fmin(1.0, r->st->size) : size > 1e-6 ? fmin(1.0, size) : 1.0;
}

// The largest step whose result a smaller one confirms: smooth laws are done with the first pair, and laws that bend
// within a millimetre find their own scale. Two steps may agree beyond what the law does nearby, as when both lift a
// stiff wheel off the ground: a tiny step, though it has few digits, must say about the same.
bool derivative(reduction *r, variable_kind kind, int variable, double *work, double *out)
{
    static const double steps[] = { 2e-2, 5e-3, 1e-3, 2e-4, 4e-5, 8e-6, 1.6e-6, 3.2e-7, 6.4e-8 };
    enum { N_STEP = sizeof steps / sizeof *steps };
    static const double agreed = 1e-9;
    double unit = unit_of(r, kind, variable), best = INFINITY;
    int count = result_count(r);
    double *before = work, *now = work + count, *tiny = work + 2 * (size_t)count;
    bool have = false, has_tiny = difference(r, kind, variable, 3.2e-7 * unit, tiny);
    for (int k = 0; k < N_STEP && best > agreed; k++) {
        bool ok = difference(r, kind, variable, steps[k] * unit, now);
        double gap = ok && have ? gap_of_all(r, now, before) : INFINITY;
        if (isfinite(gap) && has_tiny && gap_of_all(r, tiny, before) > 1e-2) {
            gap += 1.0; // only if nothing else is found
        }
        if (gap < best) {
            best = gap;
            memcpy(out, before, (size_t)count * sizeof *out);
        }
        double *swap = before;
        before = now;
        now = swap;
        have = ok;
    }
    return isfinite(best);
}
