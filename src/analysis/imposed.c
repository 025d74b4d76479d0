// SPDX-License-Identifier: MIT
// Kinematic simulation with imposed coordinates: the others follow from the constraints on velocities, holonomic or not
// (inverse.1 .. inverse.4).
#include "analysis/imposed.h"
#include "analysis/directions.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// directions that differ by less than this are one, as in directions.c
static const double rank_tolerance = 1e-8;
// rate of return to violated positions, 1/s: that of the document
static const double usual_return = 50.0;

double imposed_return_rate(const bi_sim *sim)
{
    double asked = sim->system->options.baumgarte;
    return asked > 0.0 ? asked : usual_return;
}

// ---- the system ---------------------------------------------------------------------------------------------

bool imposed_open(const bi_sim *sim, imposed_system *e)
{
    static const double too_large = 3e6;
    const structure *st = &sim->system->dynamics.structure;
    int n = st->n, m = st->n_row + sim->system->model->n_imposed;
    *e = (imposed_system){ .n = n, .m = m };
    if ((double)n * (double)m > too_large) {
        return false;
    }
    size_t size = (size_t)n * (size_t)m, most = (size_t)(n > m ? n : m);
    e->A = malloc((2 * size + (size_t)(3 * n + 2 * m) + most + 1) * sizeof *e->A);
    if (!e->A) {
        return false;
    }
    e->work = e->A + size;
    e->right = e->work + size;
    e->x = e->right + m;
    e->scratch = e->x + n;
    e->sum_q = e->scratch + most;
    e->sum_v = e->sum_q + n;
    e->scale = e->sum_v + n;
    return true;
}

void imposed_close(imposed_system *e)
{
    free(e->A);
    directions_clear(&e->left);
    *e = (imposed_system){ 0 };
}

static jet imposed_value(const bi_sim *sim, int k)
{
    return sim->stepper.trays.signals.signal[sim->system->model->imposed[k].def.value.i - 1];
}

// Rows of one size, so that one tolerance fits metres and radians.
static void fill_rows(const bi_sim *sim, imposed_system *e)
{
    const structure *st = &sim->system->dynamics.structure;
    const double *G = sim->stepper.trays.equations.G;
    memset(e->A, 0, (size_t)e->n * (size_t)e->m * sizeof *e->A);
    for (int r = 0; r < st->n_row; r++) {
        double size = 0.0;
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            size = fmax(size, fabs(G[k]));
        }
        size = size > 0.0 ? size : 1.0;
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            e->A[(size_t)r * (size_t)e->n + (size_t)st->G_col[k]] += G[k] / size;
        }
        e->right[r] /= size;
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        e->A[(size_t)(st->n_row + k) * (size_t)e->n + (size_t)sim->system->imposed[k]] = 1.0;
    }
}

// ---- what can go wrong ------------------------------------------------------------------------------------------

static void tell_free(bi_sim *sim, const imposed_system *e, double t)
{
    directions left = { .n = e->n };
    char names[DIRECTIONS_TEXT] = "?";
    left.Z = malloc(((size_t)e->n * (size_t)e->n + 1) * sizeof *left.Z);
    left.count = left.Z ? dense_null_space(e->m, e->n, e->A, rank_tolerance, left.Z) : 0;
    if (left.count > 0) {
        directions_name(sim, &left, names);
    }
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: the imposed motion leaves %d direction%s free: %.300s; impose %s too (imposed), "
             "or use `biela run`",
             t, left.count, left.count == 1 ? "" : "s", names, left.count == 1 ? "it" : "them");
    directions_clear(&left);
}

static void tell_contradiction(bi_sim *sim, const imposed_system *e, int row, double by, double t)
{
    const structure *st = &sim->system->dynamics.structure;
    char name[128] = "";
    if (row < st->n_row) {
        dynamics_row_name(&sim->system->dynamics, row, name, sizeof name);
    } else {
        snprintf(name, sizeof name, "imposed.%.100s", sim->system->model->imposed[row - st->n_row].def.name);
    }
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: the imposed motion violates the constraints: %s is left %.3g off (%d conditions "
             "for %d "
             "coordinates); release one of the imposed coordinates, or check their expressions",
             t, name, by, e->m, e->n);
}

// The directions that the rows leave; e->x is the shortest solution beside them.
static bi_status find_left(imposed_system *e)
{
    size_t n = (size_t)e->n;
    e->left.n = e->n;
    e->left.Z = e->left.Z ? e->left.Z : malloc((n * n + 1) * sizeof *e->left.Z);
    e->left.count = e->left.Z ? dense_null_space(e->m, e->n, e->A, rank_tolerance, e->left.Z) : -1;
    return e->left.count >= 0 ? BI_OK : BI_NO_MEMORY;
}

static bi_status solve_full(bi_sim *sim, imposed_system *e, double t)
{
    // what the rows may be left off, against the largest right-hand side
    static const double agreement = 1e-8;
    size_t n = (size_t)e->n;
    memcpy(e->work, e->A, n * (size_t)e->m * sizeof *e->work);
    memcpy(e->scratch, e->right, (size_t)e->m * sizeof *e->scratch);
    int rank = dense_least_squares(e->m, e->n, e->work, e->scratch, rank_tolerance);
    if (rank < 0) {
        return BI_NO_MEMORY;
    }
    memcpy(e->x, e->scratch, n * sizeof *e->x);
    if (!are_finite(e->x, e->n)) {
        snprintf(sim->failure, sizeof sim->failure, "at t = %.9g s: a rate is not finite", t);
        return BI_NOT_FINITE;
    }
    double worst = 0.0, scale = fmax(largest(e->right, e->m), largest(e->x, e->n));
    int at = -1;
    for (int r = 0; r < e->m; r++) {
        double left = -e->right[r];
        for (size_t i = 0; i < n; i++) {
            left += e->A[(size_t)r * n + i] * e->x[i];
        }
        if (fabs(left) > worst) {
            worst = fabs(left);
            at = r;
        }
    }
    if (at >= 0 && worst > agreement * fmax(1.0, scale)) {
        tell_contradiction(sim, e, at, worst, t);
        return BI_BAD_MODEL;
    }
    if (rank < e->n && e->lets_free) {
        return find_left(e);
    }
    if (rank < e->n) {
        tell_free(sim, e, t);
        return BI_BAD_MODEL;
    }
    return BI_OK;
}

static bi_status solve(bi_sim *sim, imposed_system *e, double t)
{
    // below, full matrices cost as much and decide more
    enum { LARGE = 24 };
    e->left.count = 0;
    if (e->n >= LARGE && imposed_solve_sparse(sim, e)) {
        return BI_OK;
    }
    fill_rows(sim, e);
    return solve_full(sim, e, t);
}

// ---- rates and accelerations ------------------------------------------------------------------------------------

bi_status imposed_rates(bi_sim *sim, coords *at, const imposed_gains *g, imposed_system *e)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    dynamics_evaluate(s->d, at, &s->trays, LAW_POSITION);
    const rows *r = &s->trays.rows;
    for (int k = 0; k < st->n_row; k++) {
        // a velocity row may have a part that no rate changes
        e->right[k] = st->is_velocity[k] ? row_dot(st, s->trays.equations.G, k, at->v) - r->phi[k]
                                         : -r->phi_t[k] - g->alpha * r->phi[k];
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        jet f = imposed_value(sim, k);
        e->right[st->n_row + k] = f.d + g->alpha * (f.v - at->q[sim->system->imposed[k]]);
    }
    return solve(sim, e, at->t);
}

bi_status imposed_accelerations(bi_sim *sim, coords *at, const imposed_gains *g, imposed_system *e)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    dynamics_evaluate(s->d, at, &s->trays, LAW_POSITION | LAW_SECOND);
    const rows *r = &s->trays.rows;
    for (int k = 0; k < st->n_row; k++) {
        double rate =
            st->is_velocity[k] ? r->phi[k] : row_dot(st, s->trays.equations.G, k, at->v) + r->phi_t[k];
        double position = st->is_velocity[k] ? 0.0 : r->phi[k];
        e->right[k] = -r->gamma[k] - 2.0 * g->alpha * rate - g->alpha * g->alpha * position;
    }
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        jet f = imposed_value(sim, k);
        int i = sim->system->imposed[k];
        e->right[st->n_row + k] = f.dd + g->kv * (f.d - at->v[i]) + g->kp * (f.v - at->q[i]);
    }
    return solve(sim, e, at->t);
}

// ---- following ----------------------------------------------------------------------------------------------------

// The imposed coordinates of a state at its time.
static void place_imposed(bi_sim *sim, coords *at)
{
    stepper *s = &sim->stepper;
    dynamics_evaluate(s->d, at, &s->trays, LAW_POSITION);
    for (int k = 0; k < sim->system->model->n_imposed; k++) {
        at->q[sim->system->imposed[k]] = imposed_value(sim, k).v;
    }
}

// Rates and accelerations of the stepper's state; laws with states follow by their own implicit rule over h.
static bi_status complete(bi_sim *sim, const coords *before, double h, imposed_system *e)
{
    stepper *s = &sim->stepper;
    const imposed_gains exact = { 0 };
    size_t bytes = (size_t)e->n * sizeof *e->x;
    bi_status status = imposed_rates(sim, &s->now, &exact, e);
    if (status != BI_OK) {
        return status;
    }
    memcpy(s->now.v, e->x, bytes);
    s->trays.z_old = before->z;
    s->trays.dz_old = before->dz;
    s->trays.signals.h = h;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_FORCES);
    s->trays.signals.h = 0.0;
    status = imposed_accelerations(sim, &s->now, &exact, e);
    memcpy(s->now.a, e->x, bytes);
    return status;
}

// The four stages of the Runge-Kutta rule on q' = v(q, t) (inverse.3).
static bi_status integrate(bi_sim *sim, const coords *from, double h, imposed_system *e)
{
    static const double share[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0, 2.0, 2.0, 1.0 };
    const imposed_gains gains = { .alpha = imposed_return_rate(sim) };
    stepper *s = &sim->stepper;
    memset(e->sum_q, 0, (size_t)e->n * sizeof *e->sum_q);
    for (int k = 0; k < 4; k++) {
        s->now.t = from->t + share[k] * h;
        for (int i = 0; i < e->n && k > 0; i++) {
            s->now.q[i] = from->q[i] + share[k] * h * e->x[i];
        }
        place_imposed(sim, &s->now);
        bi_status status = imposed_rates(sim, &s->now, &gains, e);
        if (status != BI_OK) {
            return status;
        }
        memcpy(s->now.v, e->x, (size_t)e->n * sizeof *e->x);
        for (int i = 0; i < e->n; i++) {
            e->sum_q[i] += weight[k] / 6.0 * e->x[i];
        }
    }
    for (int i = 0; i < e->n; i++) {
        s->now.q[i] = from->q[i] + h * e->sum_q[i];
    }
    s->now.t = from->t + h;
    place_imposed(sim, &s->now);
    return BI_OK;
}

static bi_status refuse(bi_sim *sim, bi_status status, const char *what)
{
    snprintf(sim->failure, sizeof sim->failure, "%s", what);
    return status;
}

bi_status bi_imposed_step_to(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_time(sim, t);
    if (refused != BI_OK) {
        return refused;
    }
    stepper *s = &sim->stepper;
    imposed_system e;
    if (!imposed_open(sim, &e)) {
        return refuse(sim, BI_FULL, "the mechanism is too large for the full matrices of imposed motion");
    }
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    coords_copy(s->d, &s->now, &s->old);
    sim->have = 0;
    double h = t - s->now.t;
    sim->is_imposed = true;
    sim_power(sim);
    bi_status status = integrate(sim, &s->old, h, &e);
    s->now.t = t;
    status = status == BI_OK ? complete(sim, &s->old, h, &e) : status;
    imposed_close(&e);
    if (status != BI_OK) {
        coords_copy(s->d, &s->old, &s->now);
        sim->is_imposed = false;
        return status;
    }
    stepper_replaced(s);
    sim_accept(sim);
    // what goes on from here without imposed motion counts its own work
    sim->is_imposed = false;
    sim_power(sim);
    sim_stand_at(sim, t);
    return BI_OK;
}

bi_status bi_imposed_check(bi_sim *sim, bi_report *report)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    stepper *s = &sim->stepper;
    imposed_system e;
    if (!imposed_open(sim, &e)) {
        bi_report_add(report, BI_ERROR, BI_FULL, (bi_place){ 0 }, "imposed",
                      "the mechanism is too large for the full matrices of imposed motion");
        return BI_FULL;
    }
    coords_copy(s->d, &s->now, &s->old);
    bi_status status = complete(sim, &s->old, 0.0, &e);
    imposed_close(&e);
    sim->have = 0;
    if (status != BI_OK) {
        coords_copy(s->d, &s->old, &s->now);
        bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "imposed", "%s", sim->failure);
    } else if (sim->step == 0) {
        // work is counted from accelerations that are imposed
        sim_begin(sim);
    }
    return status;
}

// ---- a start beside the imposed motion ----------------------------------------------------------------------------------

// The held coordinate that a name stands for; -1: none.
static int find_held(const bi_sim *sim, const char *name, int n_held)
{
    const plan *p = &sim->system->dynamics.plan;
    model_name found = model_resolve(sim->system->model, name);
    for (int k = 0; found.kind == MODEL_NAME_VALUE && k < p->n_marker; k++) {
        const marker *m = &p->marker[k];
        if (m->kind != MARKER_JOINT || m->joint != found.index || m->coordinate != found.coordinate) {
            continue;
        }
        for (int h = 0; h < n_held; h++) {
            if (sim->held[h].variable == sim->system->dynamics.structure.marker_q[k]) {
                return h;
            }
        }
    }
    return -1;
}

static bool shift_held(bi_sim *sim, const bi_offset *offset, int count, int n_held, bi_report *report)
{
    bool is_good = true;
    for (int k = 0; k < count; k++) {
        int h = find_held(sim, offset[k].coordinate, n_held);
        if (h < 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "offset",
                          "'%s' is neither an imposed coordinate nor that of a joint with a value",
                          offset[k].coordinate);
            is_good = false;
        } else {
            sim->held[h].value += offset[k].by;
        }
    }
    return is_good;
}

bi_status bi_imposed_offset(bi_sim *sim, const bi_offset *offset, int count, bi_report *report)
{
    bi_status refused = count < 0 || (count > 0 && !offset) ? BI_BAD_ARGUMENT : sim_refuse(sim);
    for (int k = 0; refused == BI_OK && k < count; k++) {
        refused = offset[k].coordinate ? sim_refuse_number(sim, offset[k].by, "an offset") : BI_BAD_ARGUMENT;
    }
    if (refused != BI_OK) {
        return refused;
    }
    stepper *s = &sim->stepper;
    double worst = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
    int n_held = sim_hold_imposed(sim);
    // what the model holds stays where it is now, with any rate
    for (int h = 0; h < sim->system->n_held; h++) {
        sim->held[h].value = s->now.q[sim->held[h].variable];
        sim->held[h].set_rate = false;
    }
    if (!shift_held(sim, offset, count, n_held, report)) {
        return BI_BAD_MODEL;
    }
    bi_status status = initial_position(s, sim->held, n_held, &worst);
    if (status == BI_OK) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
        rows_weigh(s, WEIGH_BY_MASS);
        status = initial_velocity(s, sim->held, n_held, &worst);
    }
    status = status == BI_OK ? initial_acceleration(s) : status;
    if (status != BI_OK) {
        bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "offset",
                      "the mechanism cannot be assembled there: something is left %g off", worst);
        return status;
    }
    sim_begin(sim);
    return BI_OK;
}
