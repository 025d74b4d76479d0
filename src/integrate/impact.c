// SPDX-License-Identifier: MIT
// Constraints that take hold or let go between two steps (constraints.20 .. constraints.22): positions and velocities
// onto the rows that hold now, by the shortest way in the metric of the mass matrix; then accelerations and multipliers
// afresh.
#include "integrate/algebra.h"
#include <math.h>
#include <string.h>

// x -= T^-1 G^T weight residual
static void take_back(stepper *s, double *x)
{
    const structure *st = &s->d->structure;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->in.residual[r] *= -s->in.weight[r];
    }
    rows_apply(st, s->trays.equations.G, s->in.residual, s->right);
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    for (int i = 0; i < st->n; i++) {
        x[i] += s->right[i];
    }
}

static double position_residual(stepper *s)
{
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        s->in.residual[r] = st->is_velocity[r] ? 0.0 : s->trays.rows.phi[r];
    }
    return largest(s->in.residual, st->n_row);
}

static double velocity_residual(stepper *s)
{
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        s->in.residual[r] = st->is_velocity[r]
                                ? s->trays.rows.phi[r]
                                : row_dot(st, s->trays.equations.G, r, s->now.v) + s->trays.rows.phi_t[r];
    }
    return largest(s->in.residual, st->n_row);
}

// The penalty of the steps (1e9) would leave 1e-7 of rounding along the free directions; a light one and more passes
// leave 1e-13. A power of two: taken back without rounding.
static const double light = 0x1p-20;

static void scale_weights(stepper *s, double factor)
{
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->in.weight[r] *= factor;
    }
}

static bi_status close_rows(stepper *s)
{
    enum { POSITION_PASSES = 25, VELOCITY_PASSES = 8 };
    const double closed = 1e-13 * fmax(1.0, s->d->structure.size);
    double open = INFINITY;
    for (int pass = 0; pass < POSITION_PASSES; pass++) {
        double before = open;
        open = position_residual(s);
        tangent_build(s, 0.0, 0.0);
        if (!tangent_factor(s, 0.0)) {
            return BI_SINGULAR;
        }
        // closed, or as good as rounding allows
        if (open <= closed || (pass > 3 && !(open < 0.5 * before))) {
            break;
        }
        take_back(s, s->now.q);
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    }
    if (!(open <= 1e-9 * fmax(1.0, s->d->structure.size))) {
        return BI_CANNOT_ASSEMBLE;
    }
    for (int pass = 0; pass < VELOCITY_PASSES; pass++) {
        (void)velocity_residual(s);
        take_back(s, s->now.v);
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_FORCES);
    }
    return BI_OK;
}

bi_status stepper_impact(stepper *s)
{
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    rows_weigh(s, WEIGH_BY_MASS);
    scale_weights(s, light);
    bi_status status = close_rows(s);
    scale_weights(s, 1.0 / light);
    return status == BI_OK ? initial_acceleration(s) : status;
}
