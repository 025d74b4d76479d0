// SPDX-License-Identifier: MIT
// ALI3-P for flexible bodies: generalised-alpha with the phase of vibrations corrected (phase.1), one tangent in a
// step, no more evaluations than it needs (phase.6), and no projections (phase.7). A tangent is never kept over steps:
// nothing of it belongs to the state.
#include "integrate/correction.h"
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

static bi_status solve_step(stepper *s, const rule *f)
{
    static const double slow =
        0.3; // corrections that shrink less ask for a tangent of where they have come to
    double floor = correction_floor(s), before = 0.0, goal = 0.0;
    bool wants_tangent = true;
    for (int i = 1; i <= s->in.options.iterations; i++) {
        unsigned again = i > 1 ? LAW_AGAIN : 0, want = wants_tangent ? EVAL_MASS | LAW_TANGENT : 0;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_RESIDUAL | again | want);
        s->in.n_iteration++;
        if (wants_tangent && !form_tangent(s, f)) {
            return BI_SINGULAR;
        }
        correction_find(s, f, INERTIA_LESS_LOST, &s->in.work);
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

static bi_status ali3p_flex_step(stepper *s, double h)
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
    if (s->d->is_rheonomic) {
        rows_drift(s);
        guides_count(s);
    }
    return status;
}

const scheme ali3p_flex_scheme = { .value = BI_ALI3P_FLEX,
                                   .name = "ali3p-flex",
                                   .step = ali3p_flex_step,
                                   .order = 2,
                                   .has_estimate = true,
                                   .is_damped = true,
                                   .needs_damping = true,
                                   .corrects_phase = true,
                                   .help = "ali3p-alpha with longer steps where flexible bodies vibrate" };
