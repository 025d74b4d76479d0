// SPDX-License-Identifier: MIT
// ALI3-P for flexible bodies: generalised-alpha with the phase of vibrations corrected (phase.1), one tangent in a step, no more
// evaluations than it needs (phase.6), and no projections (phase.7). A tangent is never kept over steps: nothing of it belongs to the
// state.
#include "integrate/rule.h"
#include "integrate/schemes.h"
#include <math.h>
#include <string.h>

static bool form_tangent(stepper *s, const rule *f)
{
    tangent_build(s, f->fA, f->fV);
    phase_tangent(s->in.vibrations, s->in.lost_inertia, s->in.work.T);
    memcpy(s->in.work.G, s->trays.equations.G, (size_t)s->d->structure.n_G * sizeof *s->in.work.G);
    return tangent_factor(s, 0.0);
}

// right = fA (Q - (M - D) a - G^T lambda); Q is Q - M a already; the first time no lambda is known
static void residual_build(stepper *s, const rule *f, bool is_first)
{
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    phase_multiply(s->in.vibrations, s->in.lost_inertia, s->now.a, s->product);
    if (!is_first) {
        rows_apply(st, s->trays.equations.G, s->now.lambda, s->product);
    }
    for (int i = 0; i < st->n; i++) {
        s->right[i] = f->fA * (s->trays.equations.Q[i] - s->product[i]);
    }
}

// Solves T dq = right - G_f^T w Phi with the gradients G_f of the tangent; the multipliers follow (phase.6).
static void solve_rows(stepper *s, const rule *f)
{
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        // velocity rows move by `first` dq
        s->in.residual[r] = s->trays.rows.phi[r] / (st->is_velocity[r] ? f->first : 1.0);
        s->in.product_row[r] = -s->in.weight[r] * s->in.residual[r];
    }
    rows_apply(st, s->in.work.G, s->in.product_row, s->right);
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->now.lambda[r] += f->second * s->in.weight[r] * (s->in.residual[r] + row_dot(st, s->in.work.G, r, s->right));
    }
}

static bi_status solve_step(stepper *s, const rule *f)
{
    static const double slow =
        0.3; // corrections that shrink less ask for a tangent of where they have come to
    double scale = fmax(largest(s->now.q, s->d->structure.n_q), s->d->structure.size);
    double floor = 5e-15 * scale * sqrt((double)s->d->structure.n), before = 0.0, goal = 0.0;
    bool wants_tangent = true;
    for (int i = 1; i <= s->in.options.iterations; i++) {
        unsigned again = i > 1 ? LAW_AGAIN : 0, want = wants_tangent ? EVAL_MASS | LAW_TANGENT : 0;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_RESIDUAL | again | want);
        s->in.n_iteration++;
        if (wants_tangent && !form_tangent(s, f)) {
            return BI_SINGULAR;
        }
        residual_build(s, f, i == 1);
        solve_rows(s, f);
        double size = rule_correct(s, f), ratio = size / before;
        if (!isfinite(size)) {
            return BI_NOT_FINITE;
        }
        goal = i == 1 ? fmax(s->in.options.tolerance * size, floor) : goal;
        // with one tangent each correction is the same part of the one before: what is still to come is known
        double left = i > 1 && ratio < slow ? ratio * size / (1.0 - ratio) : size;
        if (left <= goal) {
            return BI_OK;
        }
        wants_tangent = i > 1 && !(ratio < slow);
        before = size;
    }
    return BI_NOT_CONVERGED;
}

// Work of the guides per unit of time, from their multipliers.
static double power_of_guides(const stepper *s)
{
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    double sum = 0.0;
    for (int k = 0; k < st->n_row; k++) {
        double drift =
            st->is_velocity[k] ? r->phi[k] - row_dot(st, s->trays.equations.G, k, s->now.v) : r->phi_t[k];
        sum += drift * s->now.lambda[k];
    }
    return sum;
}

bi_status ali3p_flex_step(stepper *s, double h)
{
    rule f = rule_make(h, 1.0 - s->in.options.damping);
    f.has_drive = true; // without projections the accelerations of the step are never those of the body alone
    stepper_use_length(s, h);
    s->trays.signals.h = h;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    turning_begin(s, h);
    rule_predict(s, &f);
    bi_status status = solve_step(s, &f);
    if (status != BI_OK && status != BI_NOT_CONVERGED) {
        return status;
    }
    // laws that remember read the motion of the end; all others are content with that of the last iteration
    if (s->d->plan.n_memory > 0) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND | LAW_AGAIN);
    }
    memset(s->in.sigma, 0, (size_t)s->d->structure.n_row * sizeof *s->in.sigma);
    s->in.is_afresh = false;
    s->in.power_of_guides = s->d->is_rheonomic ? power_of_guides(s) : 0.0;
    return status;
}
