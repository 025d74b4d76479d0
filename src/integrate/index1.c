// SPDX-License-Identifier: MIT
// Index-1 augmented Lagrangian with the classical fourth-order Runge-Kutta rule, then projections of position and
// velocity (ali3p.10 .. ali3p.12). For mechanisms without stiff laws.
#include "integrate/stepper.h"
#include <math.h>
#include <string.h>

// Accelerations and multipliers at `now`, starting from those of before.
static bi_status accelerate(stepper *s)
{
    enum { PASSES = 2 };
    const structure *st = &s->d->structure;
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    if (st->n_row == 0 && s->d->set->accelerate) {
        // a tree without constraints: time linear in the bodies, no matrix
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_FORCES);
        s->d->set->accelerate(s->d->coordinates, &s->now, &s->trays.motion, s->trays.equations.Q, s->now.a);
        return isfinite(largest(s->now.a, st->n)) ? BI_OK : BI_NOT_FINITE;
    }
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL);
    tangent_build(s, 0.0, 0.0);
    s->n_iteration++;
    if (!tangent_factor(s, 0.0)) {
        return BI_SINGULAR;
    }
    // increments from the last accelerations: the large penalty then acts on small numbers (ali3p.10); multipliers from
    // nothing, as in a step of ALI3-P
    memset(s->now.lambda, 0, (size_t)st->n_row * sizeof *s->now.lambda);
    for (int pass = 0; pass < PASSES; pass++) {
        acceleration_iteration(s, s->now.a, s->now.lambda);
    }
    return isfinite(largest(s->now.a, st->n)) ? BI_OK : BI_NOT_FINITE;
}

// x += T^-1 (-G^T weight residual)
static void project(stepper *s, double *x)
{
    const structure *st = &s->d->structure;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->residual[r] *= -s->weight[r];
    }
    rows_apply(st, s->trays.equations.G, s->residual, s->right);
    solver_solve(s->fac, s->numeric, s->right);
    for (int i = 0; i < st->n; i++) {
        x[i] += s->right[i];
    }
}

static bi_status project_position(stepper *s)
{
    const structure *st = &s->d->structure;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
    tangent_build(s, 0.0, 0.0);
    if (!tangent_factor(s, 0.0)) {
        return BI_SINGULAR;
    }
    for (int r = 0; r < st->n_row; r++) {
        s->residual[r] = st->is_velocity[r] ? 0.0 : s->trays.rows.phi[r];
    }
    project(s, s->now.q);
    return BI_OK;
}

static void project_velocity(stepper *s)
{
    const structure *st = &s->d->structure;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
    for (int r = 0; r < st->n_row; r++) {
        s->residual[r] = st->is_velocity[r]
                             ? s->trays.rows.phi[r]
                             : row_dot(st, s->trays.equations.G, r, s->now.v) + s->trays.rows.phi_t[r];
    }
    project(s, s->now.v);
}

// now = old + share h rate-of-stage, the rates being those of the last evaluation
static void move_from_start(stepper *s, double share)
{
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        double rate = c->v[i], second = c->a[i];
        c->q[i] = s->old.q[i] + share * rate;
        c->v[i] = s->old.v[i] + share * second;
    }
    for (int i = 0; i < s->d->plan.n_z; i++) {
        c->z[i] = s->old.z[i] + share * c->dz[i];
    }
    c->t = s->old.t + share;
}

static void gather(stepper *s, double weight)
{
    for (int i = 0; i < s->d->structure.n; i++) {
        s->sum[0][i] += weight * s->now.v[i];
        s->sum[1][i] += weight * s->now.a[i];
    }
    for (int i = 0; i < s->d->plan.n_z; i++) {
        s->sum[2][i] += weight * s->now.dz[i];
    }
}

bi_status index1_step(stepper *s, double h)
{
    static const double share[4] = { 0.5, 0.5, 1.0, 0.0 },
                        weight[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    const structure *st = &s->d->structure;
    s->trays.signals.h = 0.0;
    memset(s->sum[0], 0, (size_t)st->n * sizeof *s->sum[0]);
    memset(s->sum[1], 0, (size_t)st->n * sizeof *s->sum[1]);
    memset(s->sum[2], 0, (size_t)s->d->plan.n_z * sizeof *s->sum[2]);

    for (int k = 0; k < 4; k++) {
        // the first stage is where the last step ended
        bi_status status = k == 0 ? BI_OK : accelerate(s);
        if (status != BI_OK) {
            return status;
        }
        gather(s, weight[k]);
        if (k < 3) {
            move_from_start(s, share[k] * h);
        }
    }
    for (int i = 0; i < st->n; i++) {
        s->now.q[i] = s->old.q[i] + h * s->sum[0][i];
        s->now.v[i] = s->old.v[i] + h * s->sum[1][i];
    }
    for (int i = 0; i < s->d->plan.n_z; i++) {
        s->now.z[i] = s->old.z[i] + h * s->sum[2][i];
    }
    s->now.t = s->old.t + h;

    // back onto the constraints; then the accelerations that the next step starts with
    for (int pass = 0; st->n_row > 0 && pass < 2; pass++) {
        bi_status status = project_position(s);
        if (status != BI_OK) {
            return status;
        }
    }
    if (st->n_row > 0) {
        project_velocity(s);
    }
    return accelerate(s);
}
