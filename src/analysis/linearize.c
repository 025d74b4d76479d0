// SPDX-License-Identifier: MIT
// Small motions about a steady one: M, C, K of the independent coordinates, eigenvalues and mode shapes
// (linearisation.6 .. linearisation.8, linearisation.10).
#include "analysis/counters.h"
#include "analysis/modes.h"
#include "analysis/steady.h"
#include "base/text.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the small equations --------------------------------------------------------------------------------------------------

// The named coordinates must be alone: what is left out is not moved by them, or does not act on them
// (linearisation.8).
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
    bi_status status = work ? counters_leave_out(r) : BI_NO_MEMORY;
    if (status == BI_OK && !linear_create(out, r)) {
        status = BI_NO_MEMORY;
    }
    if (status == BI_OK) {
        status = steady_find(r, work, report);
    }
    if (status == BI_OK) {
        status = counters_require(r, report);
    }
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
