// SPDX-License-Identifier: MIT
// Explicit Runge-Kutta rules on index-1 equations (explicit.1 .. explicit.9). Constraints: accelerations by augmented
// Lagrangian iteration, then projections of position and velocity, or Baumgarte's terms instead of them. For mechanisms
// without stiff laws.
#include "integrate/explicit.h"
#include "math/double_bits.h"
#include "math/elementary.h"
#include <math.h>
#include <string.h>

// ---- accelerations ---------------------------------------------------------------------------------------------------

// What position and velocity are off by pulls the accelerations back (explicit.6).
static void add_baumgarte(stepper *s)
{
    const structure *st = &s->d->structure;
    rows *r = &s->trays.rows;
    double alpha = s->in.options.baumgarte, beta = s->in.options.baumgarte_beta;
    for (int k = 0; k < st->n_row; k++) {
        double rate = row_dot(st, s->trays.equations.G, k, s->now.v) + r->phi_t[k];
        r->gamma[k] += st->is_velocity[k] ? alpha * r->phi[k] : 2.0 * alpha * rate + beta * beta * r->phi[k];
    }
}

// Multipliers are left as they were before the last pass: who wants them lets them follow.
static bi_status iterate(stepper *s, int passes)
{
    // increments from the last accelerations: the large penalty then acts on small numbers (explicit.3); multipliers
    // from nothing, as in a step of ALI3-P
    const structure *st = &s->d->structure;
    memset(s->now.lambda, 0, (size_t)st->n_row * sizeof *s->now.lambda);
    for (int pass = 0; pass < passes; pass++) {
        if (pass > 0) {
            multipliers_follow(s, s->now.a, s->now.lambda);
        }
        acceleration_correct(s, s->now.a, s->now.lambda);
    }
    return are_finite(s->now.a, st->n) ? BI_OK : BI_NOT_FINITE;
}

// Logarithm of the determinant of the tangent. It holds the squares of all gradients that act: where one of them
// vanishes it falls without bound (explicit.9).
static double log_determinant(const stepper *s)
{
    double product = 1.0;
    int sum = 0, exponent;
    for (int i = 0; i < s->d->structure.n; i++) {
        product = split_half(product * solver_pivot(s->in.fac, s->in.work.numeric, i), &exponent);
        sum += exponent;
    }
    return math_log(product) + 0.69314718055994531 * sum;
}

// Where constraints lose rank, branches of the motion meet, and accelerations there are those of all of them: no stage
// may stand there. Whoever asks for the step lets an implicit one pass.
static bi_status factor_here(stepper *s)
{
    tangent_build(s, 0.0, 0.0);
    s->in.n_iteration++;
    if (!tangent_factor(s, 0.0)) {
        return BI_SINGULAR;
    }
    double now = log_determinant(s), change = fabs(now - s->in.rank_now);
    s->in.rank_next = now;
    s->in.has_lost_rank = s->in.has_lost_rank || change > 1.0 + 0.02 * s->d->structure.n_row;
    return BI_OK;
}

// Accelerations at `now`, starting from those of before. stage: LAW_STAGE, or zero at the end of the step.
static bi_status accelerate(stepper *s, int passes, unsigned stage)
{
    const structure *st = &s->d->structure;
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    if (st->n_row == 0 && s->d->set->accelerate) {
        // a tree without constraints: time linear in the bodies, no matrix
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_FORCES | stage);
        s->d->set->accelerate(s->d->coordinates, &s->now, &s->trays.motion, s->trays.equations.Q, s->now.a);
        return are_finite(s->now.a, st->n) ? BI_OK : BI_NOT_FINITE;
    }
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL | stage);
    if (s->in.options.baumgarte > 0.0) {
        add_baumgarte(s);
    }
    bi_status status = factor_here(s);
    return status == BI_OK ? iterate(s, passes) : status;
}

// Each pass leaves one part in `penalty` of what the constraints lack. One is enough inside the step of a rule that is
// not more precise itself, if the penalty is large on all rows and projections take back what is left.
static int stage_passes(const stepper *s, const explicit_rule *rule)
{
    const structure *st = &s->d->structure;
    bool is_large = !rule->is_precise && s->in.options.penalty >= 1e8 && !(s->in.options.baumgarte > 0.0);
    for (int r = 0; r < st->n_row && is_large; r++) {
        is_large = !st->is_velocity[r];
    }
    return is_large ? 1 : 2;
}

// ---- projections -----------------------------------------------------------------------------------------------------

// x += T^-1 (-G^T weight residual)
static void project(stepper *s, const double *G, double *x)
{
    const structure *st = &s->d->structure;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->in.product_row[r] = -s->in.weight[r] * s->in.residual[r];
    }
    rows_apply(st, G, s->in.product_row, s->right);
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    for (int i = 0; i < st->n; i++) {
        x[i] += s->right[i];
    }
}

// What factor there is when a step ends: of its last stage, or none.
typedef enum { FACTOR_NONE, FACTOR_OF_STAGE } factor_left;

// Back onto the constraints with the factor of the last stage, whose position is near; with one of here when that does
// not serve (explicit.4).
static bi_status close_position(stepper *s, factor_left left)
{
    enum { PASSES = 6 };
    const structure *st = &s->d->structure;
    // some hundred roundings of the largest coordinate
    const double goal = 1e-13 * fmax(st->size, 1e-3);
    double before = 0.0, worst = 0.0;
    bool has_factor = left == FACTOR_OF_STAGE;
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    for (int pass = 0; pass < PASSES; pass++) {
        // the factor needs the masses of here; those on the trays may be of a state that was shown, or none after a
        // snapshot
        unsigned masses = has_factor ? 0 : LAW_EXPLICIT | EVAL_ALL;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | masses);
        for (int r = 0; r < st->n_row; r++) {
            s->in.residual[r] = st->is_velocity[r] ? 0.0 : s->trays.rows.phi[r];
        }
        worst = largest(s->in.residual, st->n_row);
        if (worst <= goal || !isfinite(worst) || (pass >= 2 && worst >= 0.5 * before)) {
            break;
        }
        if (!has_factor || (pass > 0 && worst > 0.02 * before)) {
            if (factor_here(s) != BI_OK) {
                return BI_SINGULAR;
            }
            memcpy(s->in.work.G, s->trays.equations.G, (size_t)st->n_G * sizeof *s->in.work.G);
            has_factor = true;
        }
        project(s, s->in.work.G, s->now.q);
        before = worst;
    }
    // a step so long that its end cannot be brought back
    return worst <= 1e-6 * fmax(st->size, 1.0) ? BI_OK : BI_NOT_CONVERGED;
}

// With the equations of `now` factored: its velocities made compatible (explicit.5). False: they already were.
static bool close_velocity(stepper *s, int passes)
{
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    const double *G = s->trays.equations.G;
    rows_dot(st, G, s->now.v, s->in.residual);
    for (int k = 0; k < st->n_row; k++) {
        s->in.residual[k] = st->is_velocity[k] ? r->phi[k] : s->in.residual[k] + r->phi_t[k];
    }
    if (largest(s->in.residual, st->n_row) <= 1e-15 * largest(s->now.v, st->n)) {
        return false;
    }
    for (int pass = 0; pass < passes; pass++) {
        project(s, G, s->now.v);
        rows_dot(st, G, s->right, s->in.product_row);
        for (int k = 0; k < st->n_row; k++) {
            s->in.residual[k] += s->in.product_row[k];
        }
    }
    return true;
}

// The new position and velocity onto the constraints; then the accelerations that the next step starts with.
static bi_status close_all(stepper *s, factor_left left, int passes)
{
    enum { PASSES = 2 };
    const structure *st = &s->d->structure;
    if (st->n_row == 0 || s->in.options.baumgarte > 0.0) {
        return accelerate(s, PASSES, 0);
    }
    bi_status status = close_position(s, left);
    if (status != BI_OK) {
        return status;
    }
    // what moved the positions back was an impulse, too (explicit.7)
    for (int i = 0; s->in.is_semi_implicit && i < st->n; i++) {
        s->now.v[i] = (s->now.q[i] - s->old.q[i]) / (s->now.t - s->old.t);
    }
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL);
    status = factor_here(s);
    if (status == BI_OK && close_velocity(s, passes)) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND | LAW_EXPLICIT | EVAL_FORCES);
    }
    return status == BI_OK ? iterate(s, PASSES) : status;
}

static bi_status finish(stepper *s, factor_left left, int passes)
{
    bi_status status = close_all(s, left, passes);
    if (status == BI_OK) {
        multipliers_follow(s, s->now.a, s->now.lambda);
    }
    return status;
}

// ---- steps -------------------------------------------------------------------------------------------------------------

// Rates of one stage: of q, v and z.
static double *slope(const stepper *s, int k)
{
    return s->in.slope + (size_t)k * (size_t)(2 * s->d->structure.n + s->d->plan.n_z);
}

static void keep_slope(stepper *s, int k)
{
    size_t n = (size_t)s->d->structure.n;
    double *to = slope(s, k);
    memcpy(to, s->now.v, n * sizeof *to);
    memcpy(to + n, s->now.a, n * sizeof *to);
    memcpy(to + 2 * n, s->now.dz, (size_t)s->d->plan.n_z * sizeof *to);
}

// to = from + share times rate
static void move_part(double *to, const double *from, const double *rate, double share, int n)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i] + share * rate[i];
    }
}

// now = old + h times the weighted slopes (explicit.1)
static void move(stepper *s, const double *weight, int count, double h)
{
    int n = s->d->structure.n, n_z = s->d->plan.n_z;
    const coords *from = &s->old;
    for (int k = 0; k < count; k++) {
        double share = h * weight[k];
        const double *rate = slope(s, k);
        if (share == 0.0 && (from == &s->now || k + 1 < count)) {
            continue;
        }
        move_part(s->now.q, from->q, rate, share, n);
        move_part(s->now.v, from->v, rate + n, share, n);
        move_part(s->now.z, from->z, rate + 2 * n, share, n_z);
        from = &s->now;
    }
}

// Difference of one number to the embedded rule, `last` its slope in the new state (explicit.2).
static double difference(const stepper *s, const explicit_rule *rule, double h, int i, double last)
{
    double sum = rule->e[rule->stages] * last;
    for (int k = 0; k < rule->stages; k++) {
        sum += rule->e[k] * slope(s, k)[i];
    }
    return fabs(h * sum);
}

static void estimate(stepper *s, const explicit_rule *rule, double h)
{
    int n = s->d->structure.n;
    s->in.local_error = s->in.local_error_v = 0.0;
    if (rule->e[0] == 0.0) {
        memset(s->in.local_error_z, 0, (size_t)s->d->plan.n_z * sizeof *s->in.local_error_z);
        return;
    }
    for (int i = 0; i < n; i++) {
        double e = difference(s, rule, h, i, s->now.v[i]), e_v = difference(s, rule, h, n + i, s->now.a[i]);
        s->in.local_error = e <= s->in.local_error ? s->in.local_error : e;
        s->in.local_error_v = e_v <= s->in.local_error_v ? s->in.local_error_v : e_v;
    }
    for (int i = 0; i < s->d->plan.n_z; i++) {
        s->in.local_error_z[i] = difference(s, rule, h, 2 * n + i, s->now.dz[i]);
    }
}

bi_status explicit_step(stepper *s, const explicit_rule *rule, double h)
{
    const structure *st = &s->d->structure;
    int passes = stage_passes(s, rule);
    s->trays.signals.h = 0.0;
    s->in.has_lost_rank = false;
    s->in.rank_next = NAN;
    s->in.is_semi_implicit = rule->is_semi_implicit;
    // the first stage is where the last step ended
    keep_slope(s, 0);
    for (int k = 1; k < rule->stages; k++) {
        move(s, rule->a[k], k, h);
        s->now.t = s->old.t + rule->c[k] * h;
        bi_status status = accelerate(s, passes, LAW_STAGE);
        if (status != BI_OK) {
            return status;
        }
        keep_slope(s, k);
    }
    // positions go back along the gradients of the start, whose impulse the projection of the velocities then leaves
    // (explicit.7)
    bool has_factor = rule->stages > 1 || (s->in.is_semi_implicit && st->n_row > 0);
    if (rule->stages == 1 && has_factor) {
        bi_status status = accelerate(s, passes, LAW_STAGE);
        if (status != BI_OK) {
            return status;
        }
        keep_slope(s, 0);
    }
    if (has_factor) {
        memcpy(s->in.work.G, s->trays.equations.G, (size_t)st->n_G * sizeof *s->in.work.G);
    }
    move(s, rule->b, rule->stages, h);
    s->now.t = s->old.t + h;
    // positions with the new velocities: semi-implicit (explicit.7)
    for (int i = 0; s->in.is_semi_implicit && i < st->n; i++) {
        s->now.q[i] = s->old.q[i] + h * s->now.v[i];
    }
    bi_status status = finish(s, has_factor ? FACTOR_OF_STAGE : FACTOR_NONE, passes);
    estimate(s, rule, h);
    return status;
}

double stepper_rank(stepper *s, coords *at)
{
    s->trays.z_old = at->z;
    s->trays.dz_old = at->dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, at, &s->trays, LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL);
    tangent_build(s, 0.0, 0.0);
    int64_t factors = s->in.n_factor;
    double rank = tangent_factor(s, 0.0) ? log_determinant(s) : (double)NAN;
    s->in.n_factor = factors;
    return rank;
}

void explicit_look(stepper *s)
{
    s->in.rank_next = stepper_rank(s, &s->now);
    s->in.n_factor++;
}
