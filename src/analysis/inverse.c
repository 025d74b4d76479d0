// SPDX-License-Identifier: MIT
// Inverse dynamics with a chosen set of actions (inverse.5 .. inverse.8), and computed torque on top of it
// (inverse.10).
#include "analysis/directions.h"
#include "analysis/imposed.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// actions that differ by less than this in what they move are one
static const double rank_tolerance = 1e-9;
// force left, against the largest one, that counts as a motion the actions cannot produce
static const double agreement = 1e-7;

// [Z^T A] tau = Z^T b with Z a basis of the directions that the constraints leave (inverse.6).
typedef struct {
    const bi_sim *sim;
    int n, n_action;
    bool uses_guides; // the model has no actions: the guides do the work
    directions free;  // that the constraints, guides apart, leave
    double *force;    // b = M a - Q without actions             (n)
    double *column;   // what a unit of each action adds to Q    (n_action x n)
    double *left;     // Z^T b, then what the actions leave of it (n)
    double *tau;      // the actions                              (n_action)
} inverse;

static bool is_guide_row(const bi_sim *sim, int row)
{
    const owner_name *o = &sim->system->dynamics.structure.row_owner[row];
    int element = o->group >= 0 ? sim->system->dynamics.plan.row[o->group].element : -1;
    return element >= 0 && strcmp(sim->system->model->element[element].kind->type, "guide") == 0;
}

static int guide_count(const bi_sim *sim)
{
    int count = 0;
    for (int r = 0; r < sim->system->dynamics.structure.n_row; r++) {
        count += is_guide_row(sim, r);
    }
    return count;
}

static int input_of(const bi_model *m, int action)
{
    return bi_model_input(m, bi_action_name(m, bi_action_at(m, action))).i - 1;
}

static void evaluate(bi_sim *sim, unsigned want)
{
    stepper *s = &sim->stepper;
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, want | LAW_EXPLICIT);
}

// Directions that remain when guides are let go.
static bi_status find_free(inverse *v)
{
    const bi_sim *sim = v->sim;
    const structure *st = &sim->system->dynamics.structure;
    const double *G = sim->stepper.trays.equations.G;
    size_t n = (size_t)v->n;
    double *rows_only = calloc((size_t)st->n_row * n + 1, sizeof *rows_only);
    v->free.n = v->n;
    v->free.Z = malloc((n * n + 1) * sizeof *v->free.Z);
    if (!rows_only || !v->free.Z) {
        free(rows_only);
        return BI_NO_MEMORY;
    }
    for (int r = 0; r < st->n_row; r++) {
        double size = is_guide_row(sim, r) ? INFINITY : 0.0;
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            size = fmax(size, fabs(G[k]));
        }
        for (int k = st->G_start[r]; size > 0.0 && k < st->G_start[r + 1]; k++) {
            rows_only[(size_t)r * n + (size_t)st->G_col[k]] += G[k] / size;
        }
    }
    v->free.count = dense_null_space(st->n_row, v->n, rows_only, 1e-8, v->free.Z);
    free(rows_only);
    return v->free.count < 0 ? BI_NO_MEMORY : BI_OK;
}

// b and the columns of the actions, at the stepper's state.
static void find_forces(bi_sim *sim, inverse *v)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    for (int k = 0; k < v->n_action && !v->uses_guides; k++) {
        sim->input[input_of(sim->system->model, k)] = 0.0;
    }
    evaluate(sim, LAW_POSITION | EVAL_ALL);
    memset(v->force, 0, (size_t)v->n * sizeof *v->force);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->now.a, v->force);
    memcpy(v->left, s->trays.equations.Q, (size_t)v->n * sizeof *v->left);
    for (int i = 0; i < v->n; i++) {
        v->force[i] -= v->left[i];
    }
    memset(v->column, 0, (size_t)v->n_action * (size_t)v->n * sizeof *v->column);
    for (int r = 0, k = 0; v->uses_guides && r < st->n_row; r++) {
        if (is_guide_row(sim, r)) {
            for (int c = st->G_start[r]; c < st->G_start[r + 1]; c++) {
                v->column[(size_t)k * (size_t)v->n + (size_t)st->G_col[c]] += s->trays.equations.G[c];
            }
            k++;
        }
    }
    for (int k = 0; k < v->n_action && !v->uses_guides; k++) {
        double *input = &sim->input[input_of(sim->system->model, k)];
        double *to = &v->column[(size_t)k * (size_t)v->n];
        *input = 1.0;
        evaluate(sim, EVAL_FORCES);
        *input = 0.0;
        for (int i = 0; i < v->n; i++) {
            to[i] = s->trays.equations.Q[i] - v->left[i];
        }
    }
}

static void project(const inverse *v, const double *x, double *out)
{
    for (int c = 0; c < v->free.count; c++) {
        double sum = 0.0;
        for (int i = 0; i < v->n; i++) {
            sum += v->free.Z[(size_t)i * (size_t)v->free.count + (size_t)c] * x[i];
        }
        out[c] = sum;
    }
}

// ---- messages ----------------------------------------------------------------------------------------------------

static const char *action_name(const inverse *v, int k)
{
    const bi_sim *sim = v->sim;
    if (!v->uses_guides) {
        return bi_action_name(sim->system->model, bi_action_at(sim->system->model, k));
    }
    for (int r = 0; r < sim->system->dynamics.structure.n_row; r++) {
        if (is_guide_row(sim, r) && k-- == 0) {
            return sim->system->dynamics.plan.row[sim->system->dynamics.structure.row_owner[r].group].name;
        }
    }
    return "?";
}

// The actions that can be traded against each other without any motion, from a basis of the null space.
static void tell_not_unique(const inverse *v, const double *A, bi_report *report)
{
    int n = v->n_action;
    double *Z = malloc(((size_t)n * (size_t)n + 1) * sizeof *Z);
    int count = Z ? dense_null_space(v->free.count, n, A, rank_tolerance, Z) : 0;
    char names[300] = "";
    for (int k = 0; k < n && count > 0; k++) {
        double part = 0.0;
        for (int c = 0; c < count; c++) {
            part = fmax(part, fabs(Z[(size_t)k * (size_t)count + (size_t)c]));
        }
        size_t used = strlen(names);
        if (part > 1e-6) {
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", action_name(v, k));
        }
    }
    free(Z);
    bi_report_add(
        report, BI_WARNING, BI_BAD_MODEL, (bi_place){ 0 }, "actions",
        "the actions are not unique: %s can be traded against each other in %d way%s without changing the "
        "motion; those of least squares are given. Leave out %d of them to make the result unique",
        names, count, count == 1 ? "" : "s", count);
}

// The direction of the force that nothing supplies, in the words of the joints.
static void tell_impossible(bi_sim *sim, inverse *v, double worst, bi_report *report)
{
    directions missing = { .n = v->n, .count = 1 };
    char names[DIRECTIONS_TEXT] = "?";
    missing.Z = calloc((size_t)v->n + 1, sizeof *missing.Z);
    for (int i = 0; missing.Z && i < v->n; i++) {
        for (int c = 0; c < v->free.count; c++) {
            missing.Z[i] += v->free.Z[(size_t)i * (size_t)v->free.count + (size_t)c] * v->left[c];
        }
    }
    if (missing.Z) {
        directions_name(sim, &missing, names);
    }
    directions_clear(&missing);
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: the %d action%s cannot produce the motion of %d degrees of freedom: an effort "
             "of %.3g is "
             "missing on %.200s; add an action that moves it, or impose less",
             sim->stepper.now.t, v->n_action, v->n_action == 1 ? "" : "s", v->free.count, worst, names);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "actions", "%s", sim->failure);
}

// ---- the solution ------------------------------------------------------------------------------------------------

static bi_status solve(bi_sim *sim, inverse *v, double *tau, bi_report *report)
{
    int dof = v->free.count, n = v->n_action, most = dof > n ? dof : n;
    size_t size = (size_t)dof * (size_t)n;
    double *A = malloc((2 * size + (size_t)most + (size_t)dof + 1) * sizeof *A);
    if (!A) {
        return BI_NO_MEMORY;
    }
    double *work = A + size, *x = work + size, *part = x + most;
    for (int k = 0; k < n; k++) {
        project(v, &v->column[(size_t)k * (size_t)v->n], part);
        for (int c = 0; c < dof; c++) {
            A[(size_t)c * (size_t)n + (size_t)k] = part[c];
        }
    }
    project(v, v->force, x);
    memcpy(v->left, x, (size_t)dof * sizeof *x);
    memcpy(work, A, size * sizeof *work);
    double scale = fmax(largest(v->force, v->n), 1e-9);
    int rank = dense_least_squares(dof, n, work, x, rank_tolerance);
    bi_status status = rank < 0 ? BI_NO_MEMORY : BI_OK;
    for (int k = 0; k < n && rank >= 0; k++) {
        tau[k] = x[k];
        for (int c = 0; c < dof; c++) {
            v->left[c] -= A[(size_t)c * (size_t)n + (size_t)k] * x[k];
        }
    }
    double worst = largest(v->left, dof);
    if (status == BI_OK && !(worst <= agreement * scale)) {
        tell_impossible(sim, v, worst, report);
        status = BI_BAD_MODEL;
    } else if (status == BI_OK && rank < n) {
        tell_not_unique(v, A, report);
    }
    free(A);
    return status;
}

// G^T lambda = Q - M a with the actions on (inverse.7): exact multipliers, so that reading starts from them. Those of
// least norm where rows are redundant.
static bi_status find_multipliers(bi_sim *sim, const inverse *v)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    int n = v->n, m = st->n_row, most = n > m ? n : m;
    size_t size = (size_t)n * (size_t)m;
    double *A = calloc(size + (size_t)most + 1, sizeof *A);
    if (!A) {
        return BI_NO_MEMORY;
    }
    double *x = A + size;
    evaluate(sim, LAW_POSITION | EVAL_ALL);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->now.a, x);
    for (int i = 0; i < n; i++) {
        x[i] = s->trays.equations.Q[i] - x[i];
    }
    for (int r = 0; r < m; r++) {
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            A[(size_t)st->G_col[k] * (size_t)m + (size_t)r] += s->trays.equations.G[k];
        }
    }
    int rank = dense_least_squares(n, m, A, x, 1e-10);
    if (rank >= 0) {
        stepper_take_multipliers(s, x);
    }
    free(A);
    return rank < 0 ? BI_NO_MEMORY : BI_OK;
}

static bi_status inverse_open(bi_sim *sim, inverse *v)
{
    *v = (inverse){ .sim = sim,
                    .n = sim->system->dynamics.structure.n,
                    .n_action = bi_action_count(sim->system->model) };
    v->uses_guides = v->n_action == 0;
    v->n_action = v->uses_guides ? guide_count(sim) : v->n_action;
    size_t n = (size_t)v->n, k = (size_t)v->n_action;
    v->force = calloc(n * (k + 2) + k + 1, sizeof *v->force);
    if (!v->force) {
        return BI_NO_MEMORY;
    }
    v->column = v->force + n;
    v->left = v->column + n * k;
    v->tau = v->left + n;
    return BI_OK;
}

static void inverse_close(inverse *v)
{
    directions_clear(&v->free);
    free(v->force);
    *v = (inverse){ 0 };
}

// Actions for the accelerations of the stepper's state.
static bi_status actions_of_state(bi_sim *sim, double *tau, bi_report *report)
{
    inverse v;
    bi_status status = inverse_open(sim, &v);
    if (status != BI_OK) {
        return status;
    }
    find_forces(sim, &v);
    status = find_free(&v);
    status = status == BI_OK ? solve(sim, &v, v.tau, report) : status;
    for (int i = 0; i < v.n_action && status == BI_OK; i++) {
        if (!v.uses_guides) {
            sim->input[input_of(sim->system->model, i)] = v.tau[i];
        }
        if (tau) {
            tau[i] = v.tau[i];
        }
    }
    status = status == BI_OK ? find_multipliers(sim, &v) : status;
    inverse_close(&v);
    sim->have = 0;
    return status;
}

// Accelerations that guides and imposed motion ask for at the stepper's state.
static bi_status accelerations_of_motion(bi_sim *sim, bi_report *report)
{
    imposed_system e;
    bi_status status = BI_FULL;
    snprintf(sim->failure, sizeof sim->failure, "the mechanism is too large for full matrices");
    if (imposed_open(sim, &e)) {
        status = imposed_accelerations(sim, &sim->stepper.now, &(imposed_gains){ 0 }, &e);
        if (status == BI_OK) {
            memcpy(sim->stepper.now.a, e.x, (size_t)e.n * sizeof *e.x);
        }
        imposed_close(&e);
    }
    if (status != BI_OK) {
        bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "imposed", "%s", sim->failure);
    }
    return status;
}

bi_status bi_inverse(bi_sim *sim, double *tau, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_status status = sim_refuse(sim);
    status = status == BI_OK ? accelerations_of_motion(sim, report) : status;
    status = status == BI_OK ? actions_of_state(sim, tau, report) : status;
    bi_report_clear(&own);
    return status;
}

// ---- computed torque ------------------------------------------------------------------------------------------------

static void tell_undecided(bi_sim *sim, const inverse *v, const directions *left)
{
    char names[DIRECTIONS_TEXT] = "?";
    directions_name(sim, left, names);
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: feedback cannot steer: the imposed motion leaves %d of %d degrees of freedom to "
             "themselves "
             "(%.200s), and the %d action%s cannot produce the rest of it; impose more, or choose as many "
             "actions as "
             "imposed coordinates, each of which moves one of them",
             sim->stepper.now.t, left->count, v->free.count, names, v->n_action, v->n_action == 1 ? "" : "s");
}

// What the motion leaves free moves as forces and actions tell: Z^T (M (a + L y) - Q - A tau) = 0 for y and tau
// (inverse.11).
static bi_status let_free(bi_sim *sim, inverse *v, const directions *left)
{
    stepper *s = &sim->stepper;
    int dof = v->free.count, count = left->count + v->n_action, most = dof > count ? dof : count;
    size_t size = (size_t)dof * (size_t)count;
    double *A = calloc(2 * size + (size_t)(most + dof + dof + 2 * v->n) + 1, sizeof *A);
    if (!A) {
        return BI_NO_MEMORY;
    }
    double *work = A + size, *x = work + size, *right = x + most, *part = right + dof, *one = part + dof,
           *product = one + v->n;
    for (int k = 0; k < count; k++) {
        const double *from = &v->column[(size_t)(k - left->count) * (size_t)v->n];
        if (k < left->count) {
            for (int i = 0; i < v->n; i++) {
                one[i] = left->Z[(size_t)i * (size_t)left->count + (size_t)k];
                product[i] = 0.0;
            }
            s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, one, product);
            from = product;
        }
        project(v, from, part);
        for (int c = 0; c < dof; c++) {
            A[(size_t)c * (size_t)count + (size_t)k] = k < left->count ? part[c] : -part[c];
        }
    }
    project(v, v->force, right);
    for (int c = 0; c < dof; c++) {
        x[c] = right[c] = -right[c];
    }
    memcpy(work, A, size * sizeof *work);
    int rank = dense_least_squares(dof, count, work, x, rank_tolerance);
    for (int c = 0; c < dof; c++) {
        for (int k = 0; k < count; k++) {
            right[c] -= A[(size_t)c * (size_t)count + (size_t)k] * x[k];
        }
    }
    // otherwise actions and free motion could be traded against each other
    bool is_good = rank == count && largest(right, dof) <= agreement * fmax(largest(v->force, v->n), 1e-9);
    for (int i = 0; i < v->n && is_good; i++) {
        for (int k = 0; k < left->count; k++) {
            s->now.a[i] += left->Z[(size_t)i * (size_t)left->count + (size_t)k] * x[k];
        }
    }
    free(A);
    return is_good ? BI_OK : BI_BAD_MODEL;
}

static bi_status accelerate_free(bi_sim *sim, imposed_system *e)
{
    inverse v;
    bi_status status = inverse_open(sim, &v);
    if (status != BI_OK) {
        return status;
    }
    find_forces(sim, &v);
    status = find_free(&v);
    status = status == BI_OK ? let_free(sim, &v, &e->left) : status;
    if (status == BI_BAD_MODEL) {
        tell_undecided(sim, &v, &e->left);
    }
    inverse_close(&v);
    return status;
}

static bi_status accelerate(bi_sim *sim, const imposed_gains *g, imposed_system *e)
{
    bi_status status = imposed_accelerations(sim, &sim->stepper.now, g, e);
    if (status == BI_OK) {
        memcpy(sim->stepper.now.a, e->x, (size_t)e->n * sizeof *e->x);
    }
    return status == BI_OK && e->left.count > 0 ? accelerate_free(sim, e) : status;
}

static bi_status feedback_integrate(bi_sim *sim, const coords *from, double h, const imposed_gains *g,
                                    imposed_system *e)
{
    static const double share[4] = { 0.5, 0.5, 1.0, 0.0 },
                        weight[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    stepper *s = &sim->stepper;
    memset(e->sum_q, 0, (size_t)e->n * sizeof *e->sum_q);
    memset(e->sum_v, 0, (size_t)e->n * sizeof *e->sum_v);
    for (int k = 0; k < 4; k++) {
        bi_status status = accelerate(sim, g, e);
        if (status != BI_OK) {
            return status;
        }
        double part = k < 3 ? share[k] * h : h;
        for (int i = 0; i < e->n; i++) {
            e->sum_q[i] += weight[k] * s->now.v[i];
            e->sum_v[i] += weight[k] * s->now.a[i];
            double rate = k < 3 ? s->now.v[i] : e->sum_q[i], second = k < 3 ? s->now.a[i] : e->sum_v[i];
            s->now.q[i] = from->q[i] + part * rate;
            s->now.v[i] = from->v[i] + part * second;
        }
        s->now.t = from->t + part;
    }
    return accelerate(sim, g, e);
}

bi_status bi_feedback_step_to(bi_sim *sim, double t, double kp, double kv)
{
    bi_status refused = sim_refuse_time(sim, t);
    refused = refused == BI_OK ? sim_refuse_number(sim, kp, "the gain kp") : refused;
    refused = refused == BI_OK ? sim_refuse_number(sim, kv, "the gain kv") : refused;
    if (refused != BI_OK) {
        return refused;
    }
    const imposed_gains gains = { .alpha = imposed_return_rate(sim), .kp = kp, .kv = kv };
    stepper *s = &sim->stepper;
    imposed_system e;
    if (!imposed_open(sim, &e)) {
        snprintf(sim->failure, sizeof sim->failure, "the mechanism is too large for feedback");
        return BI_FULL;
    }
    e.lets_free = true;
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    coords_copy(s->d, &s->now, &s->old);
    sim->have = 0;
    bi_status status = feedback_integrate(sim, &s->old, t - s->now.t, &gains, &e);
    imposed_close(&e);
    if (status != BI_OK) {
        coords_copy(s->d, &s->old, &s->now);
        return status;
    }
    s->now.t = t;
    bi_report quiet = { 0 };
    status = actions_of_state(sim, NULL, &quiet);
    bi_report_clear(&quiet);
    evaluate(sim, LAW_POSITION | EVAL_FORCES);
    sim_accept(sim);
    sim_stand_at(sim, t);
    return status;
}
