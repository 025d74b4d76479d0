// SPDX-License-Identifier: MIT
// Penalties of rows, the working tangent, products with the gradients.
#include "integrate/algebra.h"
#include "base/lanes.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

// By the bits: those of what is no number are beyond all others, so that it wins.
LANES double largest(const double *x, int n)
{
    int64_t most = 0;
    for (int i = 0; i < n; i++) {
        int64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= INT64_MAX;
        most = bits > most ? bits : most;
    }
    double out;
    memcpy(&out, &most, sizeof out);
    return out;
}

bool are_finite(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += 0.0 * x[i]; // zero, unless there is a NaN or an infinity
    }
    return sum == 0.0;
}

// One body for each of the common lengths of a row, so that its loops have no counter; `call` uses the name `count`.
#define FOR_COUNT(n, call)                                                                                   \
    case n: {                                                                                                \
        enum { count = n };                                                                                  \
        call;                                                                                                \
        break;                                                                                               \
    }
#define FOR_EACH_COUNT(n, call)                                                                              \
    switch (n) {                                                                                             \
        FOR_COUNT(1, call)                                                                                   \
        FOR_COUNT(2, call)                                                                                   \
        FOR_COUNT(3, call)                                                                                   \
        FOR_COUNT(4, call)                                                                                   \
        FOR_COUNT(6, call)                                                                                   \
    default: {                                                                                               \
        int count = n;                                                                                       \
        call;                                                                                                \
    }                                                                                                        \
    }

void gradients_keep(stepper *s)
{
    double *swap = s->in.work.G;
    s->in.work.G = s->trays.equations.G;
    s->trays.equations.G = swap;
}

// ---- penalties --------------------------------------------------------------------------------------------

// Effective mass of a row over the variables that have mass: 1 / (g M^-1 g^T); zero: none has.
static double effective_mass(const stepper *s, int r)
{
    const structure *st = &s->d->structure;
    double sum = 0.0;
    for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
        double m = s->in.mass[st->G_col[k]], g = s->trays.equations.G[k];
        sum += m > 0.0 ? g * g / m : 0.0;
    }
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

// Massless variables receive the mass that their rows reflect.
static void reflect_masses(stepper *s)
{
    // gradients that are none but for rounding, of a body turned by a quarter, reflect nothing
    static const double rounding = 1e-12;
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    for (int r = 0; r < st->n_row; r++) {
        int first = st->G_start[r], count = st->G_start[r + 1] - first;
        double least = rounding * largest(s->trays.equations.G + first, count);
        for (int k = first; k < first + count; k++) {
            double g = s->trays.equations.G[k];
            s->product[st->G_col[k]] += fabs(g) > least ? s->in.residual[r] * g * g : 0.0;
        }
    }
    for (int i = 0; i < st->n; i++) {
        s->in.mass[i] = s->in.mass[i] > 0.0 ? s->in.mass[i] : s->product[i];
    }
}

void rows_weigh(stepper *s, weighing by)
{
    // reflection reaches this many rows away from a mass; capped so that a lever cannot raise a row without bound
    enum { PASSES = 8 };
    static const double cap = 100.0;
    const structure *st = &s->d->structure;
    double most = 0.0;
    stepper_forget(s); // a tangent with other penalties
    for (int j = 0; j < st->n; j++) {
        double m = s->trays.equations.M[st->tangent.start[j + 1] - 1];
        m = m > (st->light ? st->light[j] : 0.0) ? m : 0.0;
        s->in.mass[j] = by == WEIGH_FOR_POSITION ? 1.0 : m;
        most = fmax(most, s->in.mass[j]);
    }
    most = most > 0.0 ? most : 1.0;
    memset(s->in.residual, 0, (size_t)st->n_row * sizeof *s->in.residual);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int r = 0; r < st->n_row; r++) {
            s->in.residual[r] = s->in.residual[r] > 0.0 ? s->in.residual[r] : effective_mass(s, r);
        }
        reflect_masses(s);
    }
    for (int r = 0; r < st->n_row; r++) {
        double m = s->in.residual[r] > 0.0 ? fmin(s->in.residual[r], cap * most) : most;
        s->in.weight[r] = m * (st->is_velocity[r] && by == WEIGH_BY_MASS
                                   ? fmin(s->in.options.velocity_penalty, s->in.options.penalty)
                                   : s->in.options.penalty);
    }
}

// ---- tangent ---------------------------------------------------------------------------------------------------

// w g^T g onto its places in the tangent.
LANES_PART void square_row(int count, double w, const double *g, const int *pair, double *T)
{
    UNROLL
    for (int i = 0; i < count; i++) {
        double wg = w * g[i];
        UNROLL
        for (int j = 0; j <= i; j++) {
            T[*pair++] += wg * g[j];
        }
    }
}

// The same of rows with the same columns, one after the other: each place is fetched once.
LANES_PART void square_rows(int rows, int count, const double *w, const double *g, const int *pair, double *T)
{
    for (int i = 0; i < count; i++) {
        double wg[3];
        UNROLL
        for (int r = 0; r < rows; r++) {
            wg[r] = w[r] * g[r * count + i];
        }
        for (int j = 0; j <= i; j++) {
            double sum = T[*pair];
            UNROLL
            for (int r = 0; r < rows; r++) {
                sum += wg[r] * g[r * count + j];
            }
            T[*pair++] = sum;
        }
    }
}

// T += G^T weight G
LANES static void add_squares(const structure *st, const double *weight, const double *G, double *T)
{
    for (int r = 0; r < st->n_row; r += st->alike[r]) {
        const int *pair = &st->pair[st->pair_start[r]];
        int first = st->G_start[r], length = st->G_start[r + 1] - first;
        if (st->alike[r] == 3) {
            square_rows(3, length, weight + r, G + first, pair, T);
        } else if (st->alike[r] == 2) {
            square_rows(2, length, weight + r, G + first, pair, T);
        } else {
            FOR_EACH_COUNT(length, square_row(count, weight[r], G + first, pair, T))
        }
    }
}

void tangent_build(stepper *s, double wK, double wC)
{
    const structure *st = &s->d->structure;
    double *T = s->in.work.T;
    memcpy(T, s->trays.equations.M, (size_t)st->tangent.nnz * sizeof *T);
    add_squares(st, s->in.weight, s->trays.equations.G, T);
    if (s->d->plan.n_block > 0 && (wK != 0.0 || wC != 0.0)) {
        s->d->set->drop_tangent(s->d->coordinates, &s->now, &s->trays.motion, &s->trays.load, wK, wC, T);
    }
}

bool tangent_factor(stepper *s, double pivot_tolerance)
{
    s->in.n_factor++;
    s->in.bad_variable = solver_factor(s->in.fac, s->in.work.T, s->in.work.numeric, pivot_tolerance);
    return s->in.bad_variable < 0;
}
