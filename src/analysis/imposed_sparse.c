// SPDX-License-Identifier: MIT
// The rows of imposed motion by normal equations on the pattern of the step, refined until nothing changes (inverse.9).
// Full matrices judge what this cannot.
#include "analysis/imposed.h"
#include <math.h>
#include <string.h>

// N = A^T A with rows of one size: those of the mechanism, and one entry per imposed coordinate.
static bool factor(bi_sim *sim, imposed_system *e)
{
    // a pivot below it is one of rounding: the motion may be free there
    static const double noise = 1e-11;
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    const double *G = s->trays.equations.G;
    double *T = tangent_values(s);
    memset(T, 0, (size_t)st->tangent.nnz * sizeof *T);
    for (int r = 0; r < st->n_row; r++) {
        double size = 0.0;
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            size = fmax(size, fabs(G[k]));
        }
        e->scale[r] = size > 0.0 ? 1.0 / (size * size) : 0.0;
        const int *pair = &st->pair[st->pair_start[r]];
        for (int i = st->G_start[r]; i < st->G_start[r + 1]; i++) {
            double weighted = e->scale[r] * G[i];
            for (int j = st->G_start[r]; j <= i; j++) {
                T[*pair++] += weighted * G[j];
            }
        }
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        T[st->tangent.start[sim->system->imposed[k] + 1] - 1] += 1.0;
    }
    return tangent_factor(s, noise);
}

// right - A x, each row over its size; gives the largest.
static double residual(bi_sim *sim, imposed_system *e, double *out)
{
    const structure *st = &sim->system->dynamics.structure;
    const double *G = sim->stepper.trays.equations.G;
    double worst = 0.0;
    for (int r = 0; r < st->n_row; r++) {
        out[r] = e->right[r] - row_dot(st, G, r, e->x);
        double left = fabs(out[r]) * sqrt(e->scale[r]);
        worst = left <= worst ? worst : left;
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        double left = e->right[st->n_row + k] - e->x[sim->system->imposed[k]];
        out[st->n_row + k] = left;
        worst = fabs(left) <= worst ? worst : fabs(left);
    }
    return worst;
}

// x += N^-1 A^T out; gives the largest change.
static double correct(bi_sim *sim, imposed_system *e, const double *out)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    const double *G = s->trays.equations.G;
    memset(s->right, 0, (size_t)e->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        double weighted = e->scale[r] * out[r];
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            s->right[st->G_col[k]] += weighted * G[k];
        }
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        s->right[sim->system->imposed[k]] += out[st->n_row + k];
    }
    tangent_solve(s, s->right);
    for (int i = 0; i < e->n; i++) {
        e->x[i] += s->right[i];
    }
    return largest(s->right, e->n);
}

bool imposed_solve_sparse(bi_sim *sim, imposed_system *e)
{
    enum { PASSES = 8 };
    static const double agreement = 1e-9, settled = 1e-13;
    if (!factor(sim, e)) {
        return false;
    }
    memset(e->x, 0, (size_t)e->n * sizeof *e->x);
    for (int pass = 0; pass < PASSES; pass++) {
        residual(sim, e, e->scratch);
        double change = correct(sim, e, e->scratch), size = largest(e->x, e->n);
        if (!isfinite(size)) {
            return false;
        }
        if (change <= settled * size) {
            double scale = fmax(1.0, fmax(size, largest(e->right, e->m)));
            return residual(sim, e, e->scratch) <= agreement * scale;
        }
    }
    return false;
}
