// SPDX-License-Identifier: MIT
#include "integrate/correction.h"
#include <math.h>
#include <string.h>

void residual_build(stepper *s, const rule *f, inertia_term inertia, const double *multipliers)
{
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    if (inertia == INERTIA_OF_MASS) {
        s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->now.a, s->product);
    } else if (inertia == INERTIA_LESS_LOST) {
        phase_multiply(s->in.vibrations, s->in.lost_inertia, s->now.a, s->product);
    }
    rows_apply(st, s->trays.equations.G, multipliers, s->product);
    for (int i = 0; i < st->n; i++) {
        s->right[i] = f->fA * (s->trays.equations.Q[i] - s->product[i]);
    }
}

void rows_solve(stepper *s, const tangent *t)
{
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        s->in.product_row[r] = -s->in.weight[r] * s->in.residual[r];
    }
    rows_apply(st, t->G, s->in.product_row, s->right);
    solver_solve(s->in.fac, t->numeric, s->right);
}

void rows_solve_turned(stepper *s, const tangent *t)
{
    const structure *st = &s->d->structure;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->in.product_row[r] = s->in.increment[r] - s->in.weight[r] * s->in.residual[r];
        s->in.increment[r] = -s->in.increment[r];
    }
    rows_apply(st, t->G, s->in.product_row, s->right);
    rows_apply(st, s->trays.equations.G, s->in.increment, s->right);
    solver_solve(s->in.fac, t->numeric, s->right);
}

void rows_add_increment(stepper *s, const tangent *t, double factor, double *sum)
{
    const structure *st = &s->d->structure;
    rows_dot(st, t->G, s->right, s->in.increment);
    for (int r = 0; r < st->n_row; r++) {
        s->in.increment[r] = s->in.weight[r] * (s->in.residual[r] + s->in.increment[r]);
    }
    for (int r = 0; sum && r < st->n_row; r++) {
        sum[r] += factor * s->in.increment[r];
    }
}

void correction_solve(stepper *s, const rule *f, inertia_term inertia, const tangent *t)
{
    residual_build(s, f, inertia, s->now.lambda);
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->in.residual[r] = row_violation(s, f, r);
    }
    rows_solve(s, t);
}

void correction_find(stepper *s, const rule *f, inertia_term inertia, const tangent *t)
{
    correction_solve(s, f, inertia, t);
    rows_add_increment(s, t, f->second, s->now.lambda);
}

bool tangent_form(stepper *s, const rule *f)
{
    tangent_build(s, f->fA, f->fV);
    s->in.work.use = (tangent_use){ .fA = f->fA };
    s->in.has_formed = true;
    return tangent_factor(s, 0.0);
}

double correction_floor(const stepper *s)
{
    const structure *st = &s->d->structure;
    return 5e-15 * fmax(largest(s->now.q, st->n_q), st->size) * sqrt((double)st->n);
}

void rows_drift(stepper *s)
{
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    for (int k = 0; k < st->n_row; k++) {
        s->in.drift[k] =
            st->is_velocity[k] ? r->phi[k] - row_dot(st, s->trays.equations.G, k, s->now.v) : r->phi_t[k];
    }
}

void guides_count(stepper *s)
{
    s->in.power_of_guides = 0.0;
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->in.power_of_guides += s->in.drift[r] * (s->now.lambda[r] + s->in.sigma[r]);
    }
}
