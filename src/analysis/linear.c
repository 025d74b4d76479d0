// SPDX-License-Identifier: MIT
// Small motions about a steady one: M, C, K of the independent coordinates, eigenvalues and mode shapes
// (linearisation.6 .. linearisation.9).
#include "analysis/modes.h"
#include "analysis/reduce.h"
#include "base/text.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- derivatives ------------------------------------------------------------------------------------------------

typedef enum { OF_POSITION, OF_RATE, OF_STATE } variable_kind;

// What is differentiated: second rates of the freedoms, then rates of the states.
static int result_count(const reduction *r) { return r->n_freedom + r->n_z; }

// The result with one coordinate, free rate or state changed by `change`.
static bool sample(reduction *r, variable_kind kind, int variable, double change)
{
    reduction_reset(r);
    double *x = kind == OF_RATE ? r->at.v : kind == OF_STATE ? r->at.z : r->at.q;
    x[variable] += change;
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
                out[r->n_freedom + i] += side * weight[k] / h * r->at.dz[i];
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

// The largest step whose result a smaller one confirms: smooth laws are done with the first pair, and laws that bend
// within a millimetre find their own scale. Two steps may agree beyond what the law does nearby, as when both lift a stiff
// wheel off the ground: a tiny step, though it has few digits, must say about the same. work: three times the result.
static bool derivative(reduction *r, variable_kind kind, int variable, double *work, double *out)
{
    static const double steps[] = { 2e-2, 5e-3, 1e-3, 2e-4, 4e-5, 8e-6, 1.6e-6, 3.2e-7, 6.4e-8 };
    enum { N_STEP = sizeof steps / sizeof *steps };
    static const double agreed = 1e-9;
    double unit = kind == OF_POSITION ? fmin(1.0, r->st->size) : 1.0, best = INFINITY;
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

// ---- steady motion ---------------------------------------------------------------------------------------------------

static double acceptable(const reduction *r) { return 1e-6 * fmax(1.0, largest(r->v0, r->n)); }

static int worst_of(const double *x, int n)
{
    int worst = 0;
    for (int i = 1; i < n; i++) {
        worst = fabs(x[i]) > fabs(x[worst]) ? i : worst;
    }
    return worst;
}

// Coordinates that are neither named nor bound, and that rest, move to where nothing accelerates: the height and pitch of
// a vehicle on its springs (linearisation.5). False: there is no such place nearby.
static bool settle(reduction *r, double *work)
{
    enum { PASSES = 12 };
    static const double far = 0.1; // m or rad in one pass: another equilibrium, not this one
    int rest[64], n_rest = 0;
    for (int k = 0; k < r->n_held && n_rest < 64; k++) {
        if (r->v0[r->held[k]] == 0.0) {
            rest[n_rest++] = r->held[k];
        }
    }
    int n = r->n_freedom, side = n > n_rest ? n : n_rest;
    double *J = calloc((size_t)(n * n_rest + side + result_count(r) + 1), sizeof *J);
    double *right = J ? J + n * n_rest : NULL, *column = J ? right + side : NULL;
    bool ok = J && n_rest > 0, done = false;
    for (int pass = 0; pass < PASSES && ok && !done; pass++) {
        for (int k = 0; k < n_rest && ok; k++) {
            ok = derivative(r, OF_POSITION, rest[k], work, column);
            for (int f = 0; f < n; f++) {
                J[f * n_rest + k] = column[f];
            }
        }
        reduction_reset(r);
        ok = ok && reduction_close(r) && reduction_accelerate(r);
        done = ok && largest(r->a, r->n) <= acceptable(r);
        if (!ok || done) {
            break;
        }
        for (int f = 0; f < n; f++) {
            right[f] = -r->y[f];
        }
        ok = dense_least_squares(n, n_rest, J, right, 1e-10) >= 0 && largest(right, n_rest) < far;
        for (int k = 0; k < n_rest && ok; k++) {
            r->q0[rest[k]] += right[k];
        }
        reduction_reset(r);
        ok = ok && reduction_close(r);
        memcpy(r->q0, r->at.q, (size_t)r->n * sizeof *r->q0);
        memcpy(r->v0, r->at.v, (size_t)r->n * sizeof *r->v0);
    }
    free(J);
    return done;
}

// States move to where they rest: the current of a motor that stands, a filter that has followed (linearisation.10).
static bool settle_states(reduction *r, double *work)
{
    enum { PASSES = 20 };
    int n = r->n_z;
    double *J = calloc((size_t)(n * n + n + result_count(r) + 1), sizeof *J);
    double *right = J ? J + n * n : NULL, *column = J ? right + n : NULL;
    bool ok = J != NULL, done = n == 0;
    for (int pass = 0; pass < PASSES && ok && !done; pass++) {
        for (int k = 0; k < n && ok; k++) {
            ok = derivative(r, OF_STATE, k, work, column);
            for (int i = 0; i < n; i++) {
                J[i * n + k] = column[r->n_freedom + i];
            }
        }
        reduction_reset(r);
        ok = ok && reduction_close(r) && reduction_accelerate(r);
        done = ok && largest(r->at.dz, n) <= 1e-9 * fmax(1.0, largest(r->z0, n));
        for (int i = 0; i < n && ok && !done; i++) {
            right[i] = -r->at.dz[i];
        }
        ok = ok && (done || dense_least_squares(n, n, J, right, 1e-12) >= 0);
        for (int i = 0; i < n && ok && !done; i++) {
            r->z0[i] += right[i];
        }
    }
    free(J);
    return done;
}

static bi_status refuse_states(const reduction *r, bi_report *report)
{
    int worst = 0;
    for (int i = 1; i < r->n_z; i++) {
        worst = fabs(r->at.dz[i]) > fabs(r->at.dz[worst]) ? i : worst;
    }
    bi_report_add(
        report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
        "the motion is not steady: state %d of the laws and signals (of %d) changes by %.4g per second and "
        "finds no rest; eigenvalues need a state in which currents, filters and integrals stand still",
        worst + 1, r->n_z, r->at.dz[worst]);
    return BI_NOT_STEADY;
}

static bi_status refuse_unsteady(const reduction *r, int variable, double acceleration, const char *when,
                                 bi_report *report)
{
    char name[128];
    reduction_name(r, variable, name, sizeof name);
    bi_report_add(
        report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
        "the motion is not steady: %s accelerates by %.4g (SI)%s; eigenvalues need a state in which all "
        "accelerations are zero: equilibrium at rest, or constant rates of coordinates that nothing "
        "depends on. Change the initial position and velocities",
        name, acceleration, when);
    return BI_NOT_STEADY;
}

// All second rates are zero here, and still are further along the rates (linearisation.4).
static bi_status require_steady(reduction *r, double *work, bi_report *report)
{
    reduction_reset(r);
    if (!reduction_close(r)) {
        return BI_CANNOT_ASSEMBLE;
    }
    memcpy(r->q0, r->at.q, (size_t)r->n * sizeof *r->q0);
    memcpy(r->v0, r->at.v, (size_t)r->n * sizeof *r->v0);
    if (!reduction_accelerate(r)) {
        return BI_SINGULAR;
    }
    // positions and states may have to find their place together
    int worst = worst_of(r->a, r->n);
    for (int round = 0; round < 10; round++) {
        if (!settle_states(r, work)) {
            return refuse_states(r, report);
        }
        reduction_reset(r);
        if (!reduction_close(r) || !reduction_accelerate(r)) {
            return BI_SINGULAR;
        }
        worst = worst_of(r->a, r->n);
        double most = r->a[worst];
        if (fabs(most) <= acceptable(r)) {
            break;
        }
        if (!settle(r, work)) {
            return refuse_unsteady(r, worst, most, "", report);
        }
    }
    double fastest = largest(r->v0, r->n);
    if (!(fastest > 0.0)) {
        return BI_OK;
    }
    // a third of a radian or metre on: no symmetry hides a coordinate there
    double ahead = 0.37 / fastest;
    reduction_reset(r);
    for (int i = 0; i < r->n; i++) {
        r->at.q[i] += ahead * r->v0[i];
    }
    r->at.t += ahead;
    double open = reduction_violation(r);
    bool ok = reduction_accelerate(r);
    r->at.t -= ahead;
    worst = worst_of(r->a, r->n);
    if (!ok || fabs(r->a[worst]) > acceptable(r)) {
        return refuse_unsteady(r, worst, r->a[worst], " a moment later", report);
    }
    if (open > 1e-9 * fmax(1.0, r->st->size)) {
        worst = worst_of(r->v0, r->n);
        char name[128];
        reduction_name(r, worst, name, sizeof name);
        bi_report_add(
            report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
            "the motion is not steady: with the present rates the constraints open by %.3g a moment later "
            "(the fastest coordinate is %s); eigenvalues need constant rates",
            open, name);
        return BI_NOT_STEADY;
    }
    return BI_OK;
}

// ---- the small equations --------------------------------------------------------------------------------------------------

// The named coordinates must be alone: what is left out is not moved by them, or does not act on them (linearisation.8).
typedef struct {
    double out;  // largest derivative of a named second rate with what is left out
    int culprit; // the coordinate of that one
    double in;   // largest derivative of a second rate left out with a named position or rate
    double size; // largest derivative among the named ones
} coupling;

static void note_named(coupling *c, const reduction *r, const double *column)
{
    for (int f = 0; f < r->n_freedom; f++) {
        double *most = f < r->n_named ? &c->size : &c->in;
        *most = fmax(*most, fabs(column[f]));
    }
}

static void note_left_out(coupling *c, const reduction *r, const double *column, int variable)
{
    for (int f = 0; f < result_count(r); f++) {
        bool counts = f < r->n_named || f >= r->n_freedom;
        if (counts && fabs(column[f]) > c->out) {
            c->out = fabs(column[f]);
            c->culprit = variable;
        }
    }
}

// rows of the states into column k of a matrix with `columns` of them
static void put_states(const reduction *r, const double *column, int k, int columns, double *out)
{
    for (int i = 0; i < r->n_z; i++) {
        out[i * columns + k] = column[r->n_freedom + i];
    }
}

// A freedom of its own, which the named coordinates would have to push through its second rate.
static bool is_freedom_left_out(const reduction *r, int variable)
{
    for (int f = r->n_named; f < r->n_freedom; f++) {
        if (r->freedom[f] == variable) {
            return true;
        }
    }
    return false;
}

static bi_status require_alone(const reduction *r, const coupling *c, bi_report *report)
{
    double small = 1e-6 * fmax(1.0, c->size);
    if (c->out <= small || (c->in <= small && is_freedom_left_out(r, c->culprit))) {
        return BI_OK;
    }
    char name[128];
    reduction_name(r, c->culprit, name, sizeof name);
    bi_report_add(
        report, BI_ERROR, BI_BAD_MODEL,
        r->s->d->plan.model->n_independent > 0 ? r->s->d->plan.model->independent[0].place : (bi_place){ 0 },
        "independent",
        "%d coordinates are named, and %s, which is not among them, takes part in their motion (there are %d "
        "degrees of freedom); name it too",
        r->n_named, name, r->n_freedom);
    return BI_BAD_MODEL;
}

// M of the named coordinates with all other freedoms left to themselves (linearisation.7).
static bool reduce_mass(reduction *r, double *M)
{
    int n = r->n_named, f = r->n_freedom;
    reduction_reset(r);
    if (!reduction_close(r) || !reduction_accelerate(r)) {
        return false;
    }
    double *inverse = calloc((size_t)(n * n + f + 1), sizeof *inverse), *unit = inverse + n * n;
    bool ok = inverse != NULL;
    for (int k = 0; k < n && ok; k++) {
        memset(unit, 0, (size_t)f * sizeof *unit);
        unit[k] = 1.0;
        memcpy(r->A, r->Mr, (size_t)f * (size_t)f * sizeof *r->A);
        ok = dense_cholesky(f, r->A, unit);
        for (int i = 0; i < n; i++) {
            inverse[i * n + k] = unit[i];
        }
    }
    for (int k = 0; k < n && ok; k++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[k] = 1.0;
        memcpy(r->A, inverse, (size_t)(n * n) * sizeof *r->A);
        ok = dense_solve(n, r->A, unit);
        for (int i = 0; i < n; i++) {
            M[i * n + k] = unit[i];
        }
    }
    free(inverse);
    return ok;
}

// out = -M d, column k
static void put_column(int n, const double *M, const double *d, int k, int columns, double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += M[i * n + j] * d[j];
        }
        out[i * columns + k] = 0.0 - sum;
    }
}

// K and C from the derivatives with the named coordinates; those with all others tell whether that is the whole truth.
static bi_status differentiate(reduction *r, double *work, bi_linear *out, bi_report *report)
{
    coupling c = { .culprit = -1 };
    double *column = work + 3 * (size_t)result_count(r);
    for (int k = 0; k < r->n_named; k++) {
        if (!derivative(r, OF_POSITION, r->named[k], work, column)) {
            return BI_NOT_CONVERGED;
        }
        note_named(&c, r, column);
        put_column(out->n, out->M, column, k, out->n, out->K);
        put_states(r, column, k, out->n, out->Zq);
        if (!derivative(r, OF_RATE, r->named[k], work, column)) {
            return BI_NOT_CONVERGED;
        }
        note_named(&c, r, column);
        put_column(out->n, out->M, column, k, out->n, out->C);
        put_states(r, column, k, out->n, out->Zv);
    }
    for (int k = 0; k < r->n_z; k++) {
        if (!derivative(r, OF_STATE, k, work, column)) {
            return BI_NOT_CONVERGED;
        }
        note_named(&c, r, column);
        put_column(out->n, out->M, column, k, r->n_z, out->F);
        put_states(r, column, k, r->n_z, out->Zz);
    }
    for (int i = 0; i < out->n * r->n_z; i++) {
        out->F[i] = 0.0 - out->F[i];
    }
    for (int k = 0; k < r->n_held; k++) {
        if (!derivative(r, OF_POSITION, r->held[k], work, column)) {
            return BI_NOT_CONVERGED;
        }
        note_left_out(&c, r, column, r->held[k]);
    }
    for (int f = r->n_named; f < r->n_freedom; f++) {
        if (!derivative(r, OF_RATE, r->freedom[f], work, column)) {
            return BI_NOT_CONVERGED;
        }
        note_left_out(&c, r, column, r->freedom[f]);
    }
    return require_alone(r, &c, report);
}

// Coordinates that are counted the other way.
static double sign_of(const reduction *r, int k)
{
    const bi_model *m = r->s->d->plan.model;
    return k < m->n_independent ? model_independent_sign(m, k) : 1.0;
}

static void apply_signs(const reduction *r, bi_linear *l)
{
    for (int i = 0; i < l->n; i++) {
        for (int j = 0; j < l->n; j++) {
            if (sign_of(r, i) * sign_of(r, j) < 0.0) {
                int k = i * l->n + j;
                l->M[k] = 0.0 - l->M[k];
                l->C[k] = 0.0 - l->C[k];
                l->K[k] = 0.0 - l->K[k];
            }
        }
        for (int z = 0; z < l->n_state && sign_of(r, i) < 0.0; z++) {
            l->F[i * l->n_state + z] = 0.0 - l->F[i * l->n_state + z];
            l->Zq[z * l->n + i] = 0.0 - l->Zq[z * l->n + i];
            l->Zv[z * l->n + i] = 0.0 - l->Zv[z * l->n + i];
        }
    }
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

static bool linear_create(bi_linear *l, const reduction *r)
{
    int n = r->n_named, n_z = r->n_z, n_value = 2 * n + n_z;
    size_t square = (size_t)(n * n), wide = (size_t)(n * n_z), shapes = (size_t)(n_value * n);
    // one block: M, then everything behind it
    size_t count = 3 * square + 3 * wide + (size_t)(n_z * n_z) + 2 * shapes + 2 * (size_t)n_value;
    double *all = calloc(count + 1, sizeof *all);
    l->name = calloc((size_t)n + 1, sizeof *l->name);
    l->M = all;
    if (!all || !l->name) {
        return false;
    }
    l->n = n;
    l->n_state = n_z;
    l->n_value = n_value;
    l->C = all + square;
    l->K = l->C + square;
    l->F = l->K + square;
    l->Zq = l->F + wide;
    l->Zv = l->Zq + wide;
    l->Zz = l->Zv + wide;
    l->shape_re = l->Zz + n_z * n_z;
    l->shape_im = l->shape_re + shapes;
    l->re = l->shape_im + shapes;
    l->im = l->re + n_value;
    for (int k = 0; k < n; k++) {
        char name[128];
        reduction_name(r, r->named[k], name, sizeof name);
        l->name[k] = text_format("%s%s", sign_of(r, k) < 0.0 ? "-" : "", name);
    }
    return true;
}

void bi_linear_clear(bi_linear *l)
{
    if (!l) {
        return;
    }
    for (int k = 0; k < l->n; k++) {
        free(l->name[k]);
    }
    free(l->name);
    free(l->M);
    *l = (bi_linear){ 0 };
}

static bi_status linearize(reduction *r, bi_linear *out, bi_report *report)
{
    double *work = calloc(4 * (size_t)(r->n + r->n_z) + 1, sizeof *work);
    if (!work || !linear_create(out, r)) {
        free(work);
        return BI_NO_MEMORY;
    }
    bi_status status = require_steady(r, work, report);
    if (status == BI_OK) {
        status = reduce_mass(r, out->M) ? BI_OK : BI_SINGULAR;
    }
    if (status == BI_OK) {
        status = differentiate(r, work, out, report);
    }
    if (status == BI_OK) {
        apply_signs(r, out);
        status = modes_find(out) ? BI_OK : BI_NOT_FINITE;
    }
    free(work);
    return status;
}

static bi_status refuse(const bi_system *s, bi_report *report)
{
    if (s->options.coordinates != BI_JOINT) {
        bi_report_add(
            report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "modes",
            "linearisation needs joint coordinates: a wheel that rolls is not steady in natural ones "
            "(formulation: joint)");
        return BI_BAD_MODEL;
    }
    return BI_OK;
}

bi_status bi_linearize(bi_sim *sim, bi_linear *out, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_status refused = out ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (out) {
        *out = (bi_linear){ 0 };
    }
    if (refused != BI_OK) {
        return refused;
    }
    int errors = report->errors;
    int64_t factors = sim->stepper.n_factor;
    bi_status status = refuse(sim->system, report);
    reduction r = { 0 };
    if (status == BI_OK) {
        status = reduction_create(&r, sim, report);
    }
    if (status == BI_OK) {
        status = linearize(&r, out, report);
    }
    reduction_clear(&r);
    sim->have = 0;
    sim->stepper.n_factor = factors; // asking is no part of the run
    if (status != BI_OK) {
        bi_linear_clear(out);
        if (report->errors == errors) {
            bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "modes",
                          "the motion cannot be linearised here: %s", bi_status_text(status));
        }
    }
    bi_report_clear(&own);
    return status;
}
