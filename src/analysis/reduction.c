// SPDX-License-Identifier: MIT
#include "analysis/reduction.h"
#include "math/elementary.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// part of a gradient that is still a direction of its own: far above rounding, far below any angle of a drawing
static const double direction = 1e-9;

typedef enum { ROWS_ALL, ROWS_OF_POSITIONS } which_rows;

// ---- evaluation -----------------------------------------------------------------------------------------------

static void evaluate(reduction *r, unsigned want)
{
    stepper *s = r->s;
    s->trays.z_old = r->at.z;
    s->trays.dz_old = r->at.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &r->at, &s->trays, want | LAW_POSITION | LAW_EXPLICIT);
    memset(r->G, 0, (size_t)r->n_row * (size_t)r->n * sizeof *r->G);
    for (int k = 0; k < r->n_row; k++) {
        for (int i = r->st->G_start[k]; i < r->st->G_start[k + 1]; i++) {
            r->G[k * r->n + r->st->G_col[i]] += s->trays.equations.G[i];
        }
    }
}

// x of `column` with the least |G x - b| over the rows (all, or only those on positions); b is replaced by it.
static bool solve_columns(reduction *r, const int *column, int count, which_rows which)
{
    int m = 0;
    for (int k = 0; k < r->n_row; k++) {
        if (which == ROWS_OF_POSITIONS && r->st->is_velocity[k]) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            r->A[m * count + i] = r->G[k * r->n + column[i]];
        }
        r->b[m++] = r->b[k];
    }
    return count == 0 || m == 0 || dense_least_squares(m, count, r->A, r->b, 1e-12) >= 0;
}

double reduction_violation(reduction *r)
{
    double worst = 0.0;
    evaluate(r, 0);
    for (int k = 0; k < r->n_row; k++) {
        double phi = r->st->is_velocity[k] ? 0.0 : fabs(r->s->trays.rows.phi[k]);
        worst = phi <= worst ? worst : phi;
    }
    return worst;
}

// ---- which coordinates are free ---------------------------------------------------------------------------------

// Elimination with full pivoting over the columns that may be bound; gives the pivot columns. Rows of unit length.
static int choose_bound(reduction *r, which_rows which, const bool *may, int *column)
{
    int n = r->n, m = 0, count = 0;
    for (int k = 0; k < r->n_row; k++) {
        const double *g = &r->G[k * n];
        double length = 0.0;
        for (int j = 0; j < n; j++) {
            length = math_hypot(length, g[j]);
        }
        if (length > 0.0 && !(which == ROWS_OF_POSITIONS && r->st->is_velocity[k])) {
            for (int j = 0; j < n; j++) {
                r->A[m * n + j] = g[j] / length;
            }
            m++;
        }
    }
    while (count < m) {
        int row = -1, best = -1;
        double most = direction;
        for (int i = count; i < m; i++) {
            for (int j = 0; j < n; j++) {
                // a little ahead of its equals: the choice does not hang on rounding
                if (may[j] && fabs(r->A[i * n + j]) > most) {
                    most = fabs(r->A[i * n + j]) * (1.0 + 1e-9);
                    row = i;
                    best = j;
                }
            }
        }
        if (row < 0) {
            break;
        }
        for (int j = 0; j < n; j++) {
            double swap = r->A[row * n + j];
            r->A[row * n + j] = r->A[count * n + j];
            r->A[count * n + j] = swap;
        }
        const double *pivot = &r->A[count * n];
        for (int i = count + 1; i < m; i++) {
            double factor = r->A[i * n + best] / pivot[best];
            for (int j = 0; j < n && factor != 0.0; j++) {
                r->A[i * n + j] -= factor * pivot[j];
            }
            r->A[i * n + best] = 0.0;
        }
        column[count++] = best;
    }
    return count;
}

static bool is_in(const int *list, int count, int k)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == k) {
            return true;
        }
    }
    return false;
}

static void refuse_dependent(reduction *r, int k, bi_report *report)
{
    char name[128];
    const bi_model *m = r->s->d->plan.model;
    reduction_name(r, r->named[k], name, sizeof name);
    bi_report_add(
        report, BI_ERROR, BI_BAD_MODEL, m->independent[k].place, "independent",
        "%s is not independent: the constraints fix it, or tie it to the coordinates named before it; "
        "name another one, or leave it out",
        name);
}

// Bound positions, slave rates and what is left free.
static bi_status choose(reduction *r, bi_report *report)
{
    bool *may = malloc((size_t)r->n * sizeof *may);
    if (!may) {
        return BI_NO_MEMORY;
    }
    for (int j = 0; j < r->n; j++) {
        may[j] = true;
    }
    int rank = choose_bound(r, ROWS_ALL, may, r->slave);
    bi_status status = BI_OK;
    for (int k = 0; k < r->n_named && status == BI_OK; k++) {
        may[r->named[k]] = false;
        if (choose_bound(r, ROWS_ALL, may, r->slave) < rank) {
            refuse_dependent(r, k, report);
            status = BI_BAD_MODEL;
        }
    }
    if (status == BI_OK) {
        r->n_slave = choose_bound(r, ROWS_ALL, may, r->slave);
        for (int k = 0; k < r->n_named; k++) {
            r->freedom[r->n_freedom++] = r->named[k];
        }
        for (int j = 0; j < r->n; j++) {
            if (may[j] && !is_in(r->slave, r->n_slave, j)) {
                r->freedom[r->n_freedom++] = j;
            }
        }
        if (r->n_named == 0) {
            memcpy(r->named, r->freedom, (size_t)r->n_freedom * sizeof *r->named);
            r->n_named = r->n_freedom;
        }
        for (int k = 0; k < r->n_named; k++) {
            may[r->named[k]] = false;
        }
        r->n_bound = choose_bound(r, ROWS_OF_POSITIONS, may, r->bound);
        for (int j = 0; j < r->n; j++) {
            if (may[j] && !is_in(r->bound, r->n_bound, j)) {
                r->held[r->n_held++] = j;
            }
        }
    }
    free(may);
    return status;
}

// ---- states on the constraints ------------------------------------------------------------------------------------

static bool close_positions(reduction *r)
{
    enum { ITERATIONS = 20 };
    double before = INFINITY;
    for (int i = 0; i < ITERATIONS; i++) {
        double worst = 0.0;
        evaluate(r, 0);
        for (int k = 0; k < r->n_row; k++) {
            r->b[k] = r->st->is_velocity[k] ? 0.0 : -r->s->trays.rows.phi[k];
            worst = fabs(r->b[k]) <= worst ? worst : fabs(r->b[k]);
        }
        // rounding of a few operations on coordinates of this size; then until nothing gets better
        if (worst == 0.0 || (worst < 1e-12 * fmax(1.0, r->st->size) && worst >= 0.5 * before)) {
            return true;
        }
        before = worst;
        if (!isfinite(worst) || !solve_columns(r, r->bound, r->n_bound, ROWS_OF_POSITIONS)) {
            return false;
        }
        for (int k = 0; k < r->n_bound; k++) {
            r->at.q[r->bound[k]] += r->b[k];
        }
    }
    return before < 1e-10 * fmax(1.0, r->st->size);
}

// Rates are linear in the rows: the second pass only takes the rounding of the first.
static bool close_rates(reduction *r)
{
    for (int pass = 0; pass < 2; pass++) {
        evaluate(r, 0);
        for (int k = 0; k < r->n_row; k++) {
            const rows *rows = &r->s->trays.rows;
            double rate = rows->phi[k];
            if (!r->st->is_velocity[k]) {
                rate = rows->phi_t[k];
                for (int j = 0; j < r->n; j++) {
                    rate += r->G[k * r->n + j] * r->at.v[j];
                }
            }
            r->b[k] = -rate;
        }
        if (!solve_columns(r, r->slave, r->n_slave, ROWS_ALL)) {
            return false;
        }
        for (int k = 0; k < r->n_slave; k++) {
            r->at.v[r->slave[k]] += r->b[k];
        }
    }
    return are_finite(r->at.v, r->n);
}

bool reduction_close(reduction *r) { return r->n_row == 0 || (close_positions(r) && close_rates(r)); }

void reduction_reset(reduction *r)
{
    memcpy(r->at.q, r->q0, (size_t)r->n * sizeof *r->q0);
    memcpy(r->at.v, r->v0, (size_t)r->n * sizeof *r->v0);
    memcpy(r->at.z, r->z0, (size_t)r->n_all_z * sizeof *r->z0);
}

// ---- second rates ---------------------------------------------------------------------------------------------------

// Column f of N: one free rate is one, the slaves follow (linearisation.3).
static bool fill_column(reduction *r, int f)
{
    for (int k = 0; k < r->n_row; k++) {
        r->b[k] = -r->G[k * r->n + r->freedom[f]];
    }
    if (!solve_columns(r, r->slave, r->n_slave, ROWS_ALL)) {
        return false;
    }
    for (int j = 0; j < r->n; j++) {
        r->N[j * r->n_freedom + f] = 0.0;
    }
    r->N[r->freedom[f] * r->n_freedom + f] = 1.0;
    for (int k = 0; k < r->n_slave; k++) {
        r->N[r->slave[k] * r->n_freedom + f] = r->b[k];
    }
    return true;
}

// out = N^T x
static void project(const reduction *r, const double *x, double *out, int stride)
{
    for (int f = 0; f < r->n_freedom; f++) {
        double sum = 0.0;
        for (int j = 0; j < r->n; j++) {
            sum += r->N[j * r->n_freedom + f] * x[j];
        }
        out[f * stride] = sum;
    }
}

static void multiply_mass(reduction *r, const double *x, double *out)
{
    memset(out, 0, (size_t)r->n * sizeof *out);
    r->s->d->set->multiply_mass(r->s->d->coordinates, &r->s->trays.equations, x, out);
}

bool reduction_accelerate(reduction *r)
{
    int f_count = r->n_freedom;
    double *product = r->s->product, *column = r->s->right;
    evaluate(r, LAW_SECOND | EVAL_ALL);
    for (int f = 0; f < f_count; f++) {
        if (!fill_column(r, f)) {
            return false;
        }
    }
    for (int f = 0; f < f_count; f++) {
        for (int j = 0; j < r->n; j++) {
            column[j] = r->N[j * f_count + f];
        }
        multiply_mass(r, column, product);
        project(r, product, &r->Mr[f], f_count);
    }
    // what the constraints ask of the slaves when no freedom accelerates
    for (int k = 0; k < r->n_row; k++) {
        r->b[k] = -r->s->trays.rows.gamma[k];
    }
    memset(r->a, 0, (size_t)r->n * sizeof *r->a);
    if (!solve_columns(r, r->slave, r->n_slave, ROWS_ALL)) {
        return false;
    }
    for (int k = 0; k < r->n_slave; k++) {
        r->a[r->slave[k]] = r->b[k];
    }
    multiply_mass(r, r->a, product);
    for (int j = 0; j < r->n; j++) {
        product[j] = r->s->trays.equations.Q[j] - product[j];
    }
    project(r, product, r->y, 1);
    memcpy(r->A, r->Mr, (size_t)f_count * (size_t)f_count * sizeof *r->A);
    if (!dense_cholesky(f_count, r->A, r->y)) {
        return false;
    }
    for (int j = 0; j < r->n; j++) {
        for (int f = 0; f < f_count; f++) {
            r->a[j] += r->N[j * f_count + f] * r->y[f];
        }
    }
    return are_finite(r->a, r->n) && are_finite(r->at.dz, r->n_all_z);
}

// ---- life -------------------------------------------------------------------------------------------------------------

static double *numbers(size_t count) { return calloc(count + 1, sizeof(double)); }

static int *integers(int count) { return calloc((size_t)count + 1, sizeof(int)); }

static bool cut_coords(reduction *r)
{
    arena measure = { 0 };
    (void)coords_cut(r->s->d, &measure);
    r->memory = calloc(1, measure.used + 64);
    arena a = { r->memory, 0, measure.used + 64, true };
    if (r->memory) {
        r->at = coords_cut(r->s->d, &a);
    }
    return r->memory && sim_rooms_join(r->sim, &r->at);
}

bi_status reduction_create(reduction *r, bi_sim *sim, bi_report *report)
{
    const bi_system *system = sim->system;
    *r = (reduction){ .sim = sim, .s = &sim->stepper, .st = &system->dynamics.structure };
    r->n = r->st->n;
    r->n_row = r->st->n_row;
    size_t n = (size_t)r->n, m = (size_t)r->n_row, most = m > n ? m : n;
    r->q0 = numbers(n);
    r->v0 = numbers(n);
    r->n_all_z = system->dynamics.plan.n_z;
    r->z0 = numbers((size_t)r->n_all_z);
    r->z_first = numbers((size_t)r->n_all_z);
    r->state = integers(r->n_all_z);
    r->named = integers(r->n);
    r->bound = integers(r->n);
    r->held = integers(r->n);
    r->slave = integers(r->n);
    r->freedom = integers(r->n);
    r->G = numbers(m * n);
    r->A = numbers(most * n);
    r->b = numbers(m + n);
    r->N = numbers(n * n);
    r->a = numbers(n);
    r->Mr = numbers(n * n);
    r->y = numbers(n);
    if (!cut_coords(r) || !r->q0 || !r->v0 || !r->z0 || !r->z_first || !r->state || !r->named || !r->bound ||
        !r->held || !r->slave || !r->freedom || !r->G || !r->A || !r->b || !r->N || !r->a || !r->Mr ||
        !r->y) {
        return BI_NO_MEMORY;
    }
    sim_show(sim, SHOWN_STATE);
    coords_copy(r->s->d, &sim->shown, &r->at);
    dynamics_wake(r->s->d, r->at.memory);
    sim->have = 0;
    memcpy(r->q0, r->at.q, n * sizeof *r->q0);
    memcpy(r->v0, r->at.v, n * sizeof *r->v0);
    memcpy(r->z0, r->at.z, (size_t)r->n_all_z * sizeof *r->z0);
    memcpy(r->z_first, r->at.z, (size_t)r->n_all_z * sizeof *r->z0);
    for (int k = 0; k < r->n_all_z; k++) {
        if (!system->dynamics.plan.state[k].is_carried) {
            r->state[r->n_z++] = k;
        }
    }
    r->n_named = system->n_independent;
    for (int k = 0; k < r->n_named; k++) {
        r->named[k] = system->independent[k];
    }
    evaluate(r, 0);
    return choose(r, report);
}

void reduction_clear(reduction *r)
{
    if (r->sim) {
        sim_rooms_leave(r->sim);
    }
    free(r->memory);
    free(r->q0);
    free(r->v0);
    free(r->z0);
    free(r->z_first);
    free(r->state);
    free(r->named);
    free(r->bound);
    free(r->held);
    free(r->slave);
    free(r->freedom);
    free(r->G);
    free(r->A);
    free(r->b);
    free(r->N);
    free(r->a);
    free(r->Mr);
    free(r->y);
    *r = (reduction){ 0 };
}

void reduction_name(const reduction *r, int variable, char *text, size_t size)
{
    const plan *p = &r->s->d->plan;
    const bi_model *m = p->model;
    for (int k = 0; k < p->n_marker; k++) {
        if (p->marker[k].kind == MARKER_JOINT && r->st->marker_q[k] == variable) {
            const bi_joint_def *d = &m->joint[p->marker[k].joint].def;
            snprintf(text, size, "%s.%s", d->name, model_coordinate_name(d->kind, p->marker[k].coordinate));
            return;
        }
        if (p->marker[k].kind == MARKER_MODE && r->st->marker_q[k] == variable) {
            snprintf(text, size, "%s.mode%d", m->body[p->marker[k].body].def.name,
                     p->marker[k].coordinate + 1);
            return;
        }
    }
    const owner_name *o = &r->st->variable_owner[variable];
    snprintf(text, size, "%s (%s)", m->body[o->body].def.name, o->what);
}

int reduction_strayed(const reduction *r)
{
    static const double far =
        100.0; // of what it was: currents and integrals that begin at nothing may go anywhere
    for (int k = 0; k < r->n_z; k++) {
        int i = r->state[k];
        double was = fabs(r->z_first[i]);
        if (was > 1e3 * r->s->d->plan.state[i].least && fabs(r->z0[i]) > far * was) {
            return i;
        }
    }
    return -1;
}

void reduction_state_name(const reduction *r, int which, char *text, size_t size)
{
    const plan *p = &r->s->d->plan;
    const state_info *own = &p->state[which];
    if (own->element < 0) {
        snprintf(text, size, "state %d of the laws", which + 1);
        return;
    }
    const char *element = p->model->element[own->element].name;
    int first = which, last = which;
    while (first > 0 && p->state[first - 1].element == own->element && !p->state[first - 1].is_carried) {
        first--;
    }
    while (last + 1 < p->n_z && p->state[last + 1].element == own->element &&
           !p->state[last + 1].is_carried) {
        last++;
    }
    if (own->name) {
        snprintf(text, size, "%s.%s", element, own->name);
    } else if (first == last) {
        snprintf(text, size, "the state of %s", element);
    } else {
        snprintf(text, size, "state %d of %s", which - first + 1, element);
    }
}
