// SPDX-License-Identifier: MIT
// ALI3-P: index-3 augmented Lagrangian with the trapezoidal rule and projections of velocities and accelerations
// (docs/theory/ali3p.md).
#include "integrate/correction.h"
#include "integrate/schemes.h"
#include "integrate/touching.h"
#include <math.h>
#include <string.h>

static double penalty(const stepper *s, const rule *f, int r)
{
    return s->in.weight[r] / (s->d->structure.is_velocity[r] ? f->fV : f->fA);
}

static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static void predict(stepper *s, const rule *f)
{
    double h = f->h;
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        c->q[i] += h * c->v[i] + 0.5 * h * h * c->a[i];
        c->v[i] += h * c->a[i];
    }
    turning_predict(s, f, c);
    c->t += h;
    // multipliers start from nothing: carried over, what redundant rows hold in the null space of G would pile up and
    // turn with the motion into forces (ali3p.4)
    memset(c->lambda, 0, (size_t)s->d->structure.n_row * sizeof *c->lambda);
}

// ---- Newton with a tangent in each iteration ------------------------------------------------------------------------

// lambda* += alpha phi, with phi after the correction (ali3p.4)
static void follow_violation(stepper *s, const rule *f)
{
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->now.lambda[r] += penalty(s, f, r) * s->trays.rows.phi[r];
    }
}

// Bodies that tumble leave half their turn per step of a correction, by gyroscopic terms that no symmetric tangent
// holds (ali3p.16).
static int most_iterations(const stepper *s, const rule *f)
{
    enum { TUMBLING = 25 };
    static const double far = 0.2; // rad
    bool is_far = s->d->structure.n_frame > 0 && s->in.spin * f->h > far;
    return is_far && s->in.options.iterations < TUMBLING ? TUMBLING : s->in.options.iterations;
}

// Time and inputs change with the first iteration only; who has not settled after half of the iterations stands where a
// choice jumps: it stays as it is (contact.16)
static unsigned choices(const stepper *s, int i)
{
    return (i > (s->in.options.iterations + 1) / 2 ? LAW_KEEP : 0) | (i > 1 ? LAW_AGAIN : 0) |
           (s->in.touching.is_swept ? LAW_APART : 0);
}

// Newton on the step's equilibrium (ali3p.3). Leaves the factor and its gradients for the projections.
static bi_status solve_afresh(stepper *s, const rule *f)
{
    double goal = 0.0, floor = correction_floor(s);
    for (int i = 1, most = most_iterations(s, f); i <= most; i++) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_ALL | LAW_TANGENT | choices(s, i));
        if (i > 1) {
            follow_violation(s, f);
        }
        s->in.n_iteration++;
        if (!tangent_form(s, f)) {
            return BI_SINGULAR;
        }
        for (int r = 0; r < s->d->structure.n_row; r++) {
            s->in.residual[r] = s->now.lambda[r] + penalty(s, f, r) * s->trays.rows.phi[r];
        }
        residual_build(s, f, INERTIA_OF_MASS, s->in.residual);
        gradients_keep(s);
        solver_solve(s->in.fac, s->in.work.numeric, s->right);
        bi_status status = s->in.touching.is_swept ? touching_add(s, &s->in.work, f, i) : BI_OK;
        if (status != BI_OK) {
            return status;
        }
        rule_correct(s, f);
        double size = norm(s->right, s->d->structure.n);
        if (!isfinite(size)) {
            return BI_NOT_FINITE;
        }
        if (i == 1) {
            goal = fmax(s->in.options.tolerance * size, floor);
        } else if (size <= goal) {
            return BI_OK;
        }
    }
    return BI_NOT_CONVERGED;
}

// ---- with one that is kept --------------------------------------------------------------------------------------------

// Further solutions with what the first leaves: the multipliers of a first iteration are whole ones, so that the
// turning of the gradients since the tangent was formed is larger than the correction itself (ali3p.7). Each is a like
// part of the one before it, which part is known from the last step.
static void correction_refine(stepper *s, const rule *f, const tangent *t, double floor)
{
    enum { PASSES = 3 };
    static const double little = 0.001; // of the correction: the next iteration sees to it
    static const double growth = 1.3;   // of that part, at most, from step to step
    const structure *st = &s->d->structure;
    double size = norm(s->right, st->n), part = size, turn = 1.0;
    bool is_own = t == &s->in.work; // formed here: only what the penalty leaves open
    memcpy(s->product, s->right, (size_t)st->n * sizeof *s->product);
    for (int pass = 0; pass < PASSES; pass++) {
        double least = fmax(little * fmax(size, 0.5 * s->in.last.correction), floor);
        if (part * turn > least) {
            rows_dot(st, s->trays.equations.G, s->product, s->in.residual);
        }
        for (int r = 0; r < st->n_row && part * turn > least; r++) {
            s->in.residual[r] = row_violation(s, f, r) + s->in.residual[r];
        }
        if (part * turn <= least ||
            (is_own && largest(s->in.residual, st->n_row) <= 0.1 * s->in.options.tolerance * size)) {
            break;
        }
        rows_solve_turned(s, t);
        rows_add_increment(s, t, f->second, s->now.lambda);
        double before = part;
        part = norm(s->right, st->n);
        turn = pass > 0 ? part / before : s->in.last.turn > 0.0 ? fmin(1.0, growth * s->in.last.turn) : 1.0;
        s->in.next.turn = is_own ? 0.0 : turn < 1.0 ? turn : 0.0;
        for (int i = 0; i < st->n; i++) {
            s->product[i] += s->right[i];
        }
        size = norm(s->product, st->n);
    }
    memcpy(s->right, s->product, (size_t)st->n * sizeof *s->product);
}

// What the factor of the present step is.
static const tangent *tangent_of(const stepper *s) { return s->in.has_formed ? &s->in.work : &s->in.kept; }

// A tangent of before serves while the step is as long as the one it was formed for, and as quickly as there
// (ali3p.10).
static bool may_keep(const stepper *s, const rule *f)
{
    static const double as_long = 0.05;
    enum { OLDEST = 50 };
    const tangent_use *use = &s->in.kept.use;
    return !s->in.touching.is_swept && s->in.life == TANGENT_STEPS && use->fA > 0.0 && !use->is_stale &&
           use->age < OLDEST && fabs(f->fA - use->fA) <= as_long * use->fA;
}

typedef struct {
    bool wants_tangent; // of here; else with that of before
    double floor;       // corrections below it are rounding
    double size;        // of the correction
} iteration;

// The equations at `now` and the correction they ask for.
static bi_status correct_once(stepper *s, const rule *f, int i, iteration *it)
{
    unsigned want = it->wants_tangent ? EVAL_ALL | LAW_TANGENT : EVAL_RESIDUAL;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | want | choices(s, i));
    s->in.n_iteration++;
    if (it->wants_tangent) {
        if (!tangent_form(s, f)) {
            return BI_SINGULAR;
        }
        memcpy(s->in.work.G, s->trays.equations.G, (size_t)s->d->structure.n_G * sizeof *s->in.work.G);
    }
    correction_solve(s, f, it->wants_tangent ? INERTIA_OF_MASS : INERTIA_IN_FORCES, tangent_of(s));
    bi_status status = s->in.touching.is_swept ? touching_add(s, tangent_of(s), f, i) : BI_OK;
    if (status != BI_OK) {
        return status;
    }
    rows_add_increment(s, tangent_of(s), f->second, s->now.lambda);
    if (i == 1 && s->d->structure.n_row > 0) {
        correction_refine(s, f, tangent_of(s), it->floor);
    }
    rule_correct(s, f);
    it->size = norm(s->right, s->d->structure.n);
    return isfinite(it->size) ? BI_OK : BI_NOT_FINITE;
}

// The change of the accelerations over the last step, if it went on: as a correction of the predictor, in `product`;
// false: there was no last step (ali3p.9)
static bool trend_find(stepper *s, const rule *f)
{
    double before = s->old.t - s->in.before.t;
    bool is_known = s->in.last.is_known && !(s->in.options.damping > 0.0) && before > 0.0;
    double share = is_known ? f->fA * f->h / before : 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        s->product[i] = share * (s->old.a[i] - s->in.before.a[i]);
    }
    return is_known;
}

// From the plain predictor.
static double moved_so_far(const stepper *s, const rule *f)
{
    double sum = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        double moved = f->fA * (s->now.a[i] - s->old.a[i]);
        sum += moved * moved;
    }
    return sqrt(sum);
}

// Whether the trend would have been nearer to what became of the accelerations than no change; with flexible bodies
// only: it saves tangents, and those of rigid machines that touch and roll are renewed by what jumps.
static bool trend_holds(stepper *s, const rule *f)
{
    double missed = 0.0, whole = 0.0;
    bool is_known = trend_find(s, f);
    for (int i = 0; i < s->d->structure.n; i++) {
        double change = f->fA * (s->now.a[i] - s->old.a[i]), miss = change - s->product[i];
        whole += change * change;
        missed += miss * miss;
    }
    return s->d->structure.has_bias && is_known && missed < 0.25 * whole;
}

// The same equilibrium with one tangent as long as the corrections shrink with it: a geometric series, so that what is
// still to come is known (ali3p.8).
static bi_status solve_keeping(stepper *s, const rule *f)
{
    // corrections that shrink less than this are no series
    static const double slow = 0.3;
    // what is still to come errs to the same side in step after step, unlike the last correction of Newton's method
    double share = 1e-2 * fmin(s->in.options.tolerance, 1e-5);
    double goal = 0.0, before = 0.0, floor = correction_floor(s);
    // forces of contacts are found by sweeps: no series, and what is left of a correction is its error
    bool is_swept = s->in.touching.is_swept;
    floor = is_swept ? fmax(floor, 1e-11 * fmax(1.0, s->d->structure.size)) : floor;
    share = is_swept ? s->in.options.tolerance : share;
    int formed = 0; // the iteration that formed the tangent
    iteration it = { .wants_tangent = !may_keep(s, f), .floor = floor };
    bool has_trend = s->in.last.has_trend && trend_find(s, f);
    if (has_trend) {
        memcpy(s->right, s->product, (size_t)s->d->structure.n * sizeof *s->right);
        rule_correct(s, f);
    }
    for (int i = 1, most = most_iterations(s, f); i <= most; i++) {
        formed = it.wants_tangent ? i : formed;
        bi_status status = correct_once(s, f, i, &it);
        if (status != BI_OK) {
            return status;
        }
        double ratio = it.size / before, left = ratio * it.size / (1.0 - ratio);
        bool is_series = i > formed && (ratio < slow || is_swept);
        left = is_swept ? it.size : left;
        if (i == 1) {
            s->in.next.correction =
                fmax(has_trend ? moved_so_far(s, f) : it.size, 0.5 * s->in.last.correction);
            goal = fmax(share * s->in.next.correction, floor);
        }
        if (it.size <= floor || (i > 1 && is_series && left <= goal)) {
            s->in.last_correction = it.size;
            s->in.next.is_known = true;
            s->in.next.has_trend = trend_holds(s, f);
            s->in.n_last = i - (formed > 0 ? formed - 1 : 0);
            return BI_OK;
        }
        // a tangent of here when this one would take more than two further iterations
        it.wants_tangent = i > 1 && i > formed && !is_swept && !(is_series && left * ratio * ratio <= goal);
        before = it.size;
    }
    return BI_NOT_CONVERGED;
}

// ---- projections ----------------------------------------------------------------------------------------------------

// x += dx with W dx + G^T mu = 0 and G (x + dx) + offset = 0: an increment with the tangent's own gradients (ali3p.12),
// and again with what its older gradients leave (ali3p.7). mu is added to `multiplier`, which may be NULL.
static void project(stepper *s, const double *offset, double floor, double *x, double *multiplier)
{
    enum { PASSES = 4 };
    static const double enough = 1e-8; // of the violation before
    const structure *st = &s->d->structure;
    const tangent *t = tangent_of(s);
    double goal = 0.0, *left = s->in.product_row;
    int passes = s->in.is_afresh ? 1 : PASSES; // gradients as good as those of here leave nothing
    int pass = 0;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (; pass < passes && st->n_row > 0; pass++) {
        rows_dot(st, s->trays.equations.G, x, left);
        for (int r = 0; r < st->n_row; r++) {
            left[r] += offset[r];
        }
        double worst = largest(left, st->n_row);
        if (pass == 0) {
            goal = fmax(enough * worst, floor);
        } else if (!(worst > goal)) {
            break;
        } else {
            rows_add_increment(s, t, 1.0, multiplier); // of the pass before
        }
        memcpy(s->in.residual, left, (size_t)st->n_row * sizeof *left);
        if (pass == 0) {
            rows_solve(s, t);
        } else {
            rows_solve_turned(s, t);
        }
        for (int i = 0; i < st->n; i++) {
            x[i] += s->right[i];
        }
    }
    if (multiplier && pass > 0) {
        rows_add_increment(s, t, 1.0, multiplier);
    }
}

// Gradients and violations of the end. Where the last correction is that small those of before it serve, and it has
// moved the violations as far as can be seen.
static void rows_at_end(stepper *s, const rule *f)
{
    static const double small = 1e-11;
    const structure *st = &s->d->structure;
    if (s->in.is_afresh || !(s->in.last_correction <= small * fmax(1.0, st->size))) {
        dynamics_evaluate(s->d, &s->now, &s->trays,
                          LAW_POSITION | LAW_AGAIN | (s->d->has_steady_rows ? LIFT_JOINTS : 0));
        return;
    }
    rows_dot(st, s->trays.equations.G, s->right, s->in.residual);
    for (int r = 0; r < st->n_row; r++) {
        double moved = s->in.residual[r];
        s->trays.rows.phi[r] += st->is_velocity[r] ? f->first * moved : moved;
    }
}

// What the last correction left open to second order. The gradients of before it serve the projections as well.
static void close_position(stepper *s)
{
    static const double closed = 1e-14; // some roundings of the largest coordinate
    const structure *st = &s->d->structure;
    for (int r = 0; r < st->n_row; r++) {
        s->in.residual[r] = st->is_velocity[r] ? 0.0 : s->trays.rows.phi[r];
    }
    if (largest(s->in.residual, st->n_row) <= closed * fmax(1.0, st->size)) {
        return;
    }
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    rows_solve(s, tangent_of(s));
    for (int i = 0; i < st->n; i++) {
        s->now.q[i] += s->right[i];
    }
}

// A drift that moves positions by less than their rounding in a step needs no further passes.
static double least_drift(const stepper *s, double factor)
{
    return 1e-14 * fmax(1.0, s->d->structure.size) * factor;
}

static void project_velocity(stepper *s, const rule *f)
{
    rows_drift(s);
    project(s, s->in.drift, least_drift(s, f->first), s->now.v, NULL);
}

// The multipliers of the projection are its own (ali3p.13).
static void project_acceleration(stepper *s, const rule *f)
{
    memset(s->in.sigma, 0, (size_t)s->d->structure.n_row * sizeof *s->in.sigma);
    project(s, s->trays.rows.gamma, least_drift(s, f->second), s->now.a, s->in.sigma);
}

// ---- step -------------------------------------------------------------------------------------------------------------

static void predict_step(stepper *s, const rule *f)
{
    s->in.has_formed = false;
    s->in.next = (step_memory){ 0 };
    turning_begin(s, f->h);
    if (s->in.options.damping > 0.0) {
        rule_predict(s, f);
    } else {
        predict(s, f);
    }
}

// What does not converge with a tangent that is kept is done again with one in each iteration.
static bi_status find_position_from(stepper *s, const rule *f, double t)
{
    predict_step(s, f);
    s->in.is_afresh = s->in.life == TANGENT_ITERATION;
    bi_status status = s->in.is_afresh ? solve_afresh(s, f) : solve_keeping(s, f);
    if (status == BI_OK || status == BI_FULL || s->in.is_afresh) {
        return status;
    }
    coords_copy(s->d, &s->old, &s->now);
    s->now.t = t;
    predict_step(s, f);
    s->in.is_afresh = true;
    return solve_afresh(s, f);
}

// A step that begins with nothing in touch is one without contacts that live; if something comes to touch it is done
// again with them (contact.24).
static bi_status find_position(stepper *s, const rule *f)
{
    double t = s->now.t;
    s->in.touching.is_swept = has_touching(s) && !touching_is_quiet(s);
    bi_status status = find_position_from(s, f, t);
    if (s->in.touching.is_swept || !has_touching(s) ||
        (status == BI_OK && !dynamics_has_places(s->d, &s->now, &s->trays, places_are_found))) {
        return status;
    }
    coords_copy(s->d, &s->old, &s->now);
    s->now.t = t;
    s->in.touching.is_swept = true;
    return find_position_from(s, f, t);
}

// Multipliers are done; positions lack what the last correction bent, velocities and accelerations follow.
void ali3p_project(stepper *s, const rule *f)
{
    if (s->d->structure.n_row > 0) {
        rows_at_end(s, f);
    }
    if (s->in.is_afresh) {
        follow_violation(s, f);
    } else {
        close_position(s);
    }
    project_velocity(s, f);
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND | LAW_AGAIN);
    project_acceleration(s, f);
    guides_count(s);
}

bi_status ali3p_step(stepper *s, double h)
{
    rule f = rule_make(h, 1.0 - s->in.options.damping);
    s->trays.signals.h = h;
    s->trays.of_step = 0;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    bi_status status = find_position(s, &f);
    if (status != BI_OK && status != BI_NOT_CONVERGED) {
        return status;
    }

    ali3p_project(s, &f);
    // the algorithmic acceleration is never projected; the trapezoidal rule has none of its own (ali3p.24)
    if (!(s->in.options.damping > 0.0)) {
        memcpy(s->now.drive, s->now.a, (size_t)s->d->structure.n * sizeof *s->now.drive);
    }
    return status;
}

const scheme ali3p_scheme = { .value = BI_ALI3P,
                              .name = "ali3p",
                              .step = ali3p_step,
                              .order = 2,
                              .has_estimate = true,
                              .help = "implicit, order 2, for everything" };

const scheme ali3p_alpha_scheme = { .value = BI_ALI3P_ALPHA,
                                    .name = "ali3p-alpha",
                                    .step = ali3p_step,
                                    .order = 2,
                                    .has_estimate = true,
                                    .is_damped = true,
                                    .help = "ali3p that damps the fastest motions, see rho" };
