// SPDX-License-Identifier: MIT
// Static equilibrium: a position with Phi = 0 where forces and reactions cancel, Q = G^T lambda (analysis.5 .. analysis.9).
// Newton in the free directions, each step judged by the work that the forces do along it; where that fails, the mechanism is
// let go and stopped whenever it is fastest, until it is near.
#include "analysis/directions.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a step so long that states of laws (currents) come to rest in it, s
static const double long_step = 1e9;
// forces left over, against the largest force: wanted, and good enough where rounding allows no more
static const double wanted = 1e-14, good_enough = 1e-9;
// what may be left when nothing more helps: rounding of stiff contacts, a ten-millionth of the weight
static const double tolerable = 1e-7;

typedef struct {
    bi_sim *sim;
    stepper *s;
    int n, k;       // variables, free directions
    double *force;  // Q at now, and what of it is left along the constraints    (n), (n)
    double *left;   //
    double *before; // q and Q before a step                                     (n), (n)
    double *force_before;
    double *move;       // a step in q                                               (n)
    double *lambda;     // reactions of the rows                                     (n_row)
    double *H, *V, *e;  // stiffness in the free directions, eigenvectors, values    (k x k), (k x k), (k)
    double *g, *y, *A;  // forces and step along eigenvectors; work                  (k), (k), (k x k)
    double scale, size; // largest force so far, N; size of the mechanism
    double reach;       // length of the last step in the free directions, as the radius is
    directions free;
    int n_soft, n_unstable;
    bi_balance out;
} balance;

static bool balance_open(balance *b, bi_sim *sim)
{
    const structure *st = &sim->system->dynamics.structure;
    size_t n = (size_t)st->n;
    *b = (balance){ .sim = sim, .s = &sim->stepper, .n = st->n, .size = fmax(st->size, 1e-3) };
    double *block = calloc(5 * n + (size_t)st->n_row + 1, sizeof *block);
    b->force = block;
    if (block) {
        b->left = block + n;
        b->before = block + 2 * n;
        b->force_before = block + 3 * n;
        b->move = block + 4 * n;
        b->lambda = block + 5 * n;
    }
    return block != NULL;
}

static void balance_free_directions(balance *b)
{
    directions_clear(&b->free);
    free(b->H);
    b->H = NULL;
}

static void balance_close(balance *b)
{
    balance_free_directions(b);
    free(b->force);
}

// ---- forces --------------------------------------------------------------------------------------------------

// Everything at rest at now, states of laws settled.
static void evaluate_at_rest(balance *b)
{
    stepper *s = b->s;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    s->trays.signals.h = long_step;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_FORCES);
}

// 1 + G^T w G, factored.
static bool factor_rows(balance *b)
{
    stepper *s = b->s;
    const structure *st = &s->d->structure;
    rows_weigh(s, true);
    memset(s->trays.equations.M, 0, (size_t)st->tangent.nnz * sizeof *s->trays.equations.M);
    for (int j = 0; j < st->n; j++) {
        s->trays.equations.M[st->tangent.start[j + 1] - 1] = 1.0;
    }
    tangent_build(s, 0.0, 0.0);
    return tangent_factor(s, 0.0);
}

// left = the part of Q that no reaction takes: x = P Q, lambda = (G G^T)^+ G Q (analysis.6).
static bool measure(balance *b)
{
    enum { PASSES = 6 };
    stepper *s = b->s;
    const structure *st = &s->d->structure;
    evaluate_at_rest(b);
    memcpy(b->force, s->trays.equations.Q, (size_t)b->n * sizeof *b->force);
    b->scale = fmax(b->scale, largest(b->force, b->n));
    if (!isfinite(largest(b->force, b->n)) || !factor_rows(b)) {
        return false;
    }
    memset(b->lambda, 0, (size_t)st->n_row * sizeof *b->lambda);
    for (int pass = 0; pass < PASSES; pass++) {
        memset(s->product, 0, (size_t)b->n * sizeof *s->product);
        rows_apply(st, s->trays.equations.G, b->lambda, s->product);
        for (int i = 0; i < b->n; i++) {
            s->right[i] = b->force[i] - s->product[i];
        }
        solver_solve(s->fac, s->work.numeric, s->right);
        for (int r = 0; r < st->n_row; r++) {
            b->lambda[r] += s->weight[r] * row_dot(st, s->trays.equations.G, r, s->right);
        }
    }
    memcpy(b->left, s->right, (size_t)b->n * sizeof *b->left);
    b->out.residual = largest(b->left, b->n) / fmax(b->scale, 1e-300);
    return isfinite(b->out.residual);
}

// F(q) = Q(q) - G(q)^T lambda with the reactions of the base position, along the free directions: out = Z^T F.
static void force_along(balance *b, double *out)
{
    stepper *s = b->s;
    evaluate_at_rest(b);
    memcpy(s->right, s->trays.equations.Q, (size_t)b->n * sizeof *s->right);
    memset(s->product, 0, (size_t)b->n * sizeof *s->product);
    rows_apply(&s->d->structure, s->trays.equations.G, b->lambda, s->product);
    memset(out, 0, (size_t)b->k * sizeof *out);
    for (int i = 0; i < b->n; i++) {
        double f = s->right[i] - s->product[i];
        for (int c = 0; c < b->k; c++) {
            out[c] += b->free.Z[(size_t)i * (size_t)b->k + (size_t)c] * f;
        }
    }
}

static void shift(balance *b, int direction, double by)
{
    for (int i = 0; i < b->n; i++) {
        b->s->now.q[i] = b->before[i] + by * b->free.Z[(size_t)i * (size_t)b->k + (size_t)direction];
    }
}

// H = Z^T (K + d(G^T lambda)/dq) Z by central differences: stiffness of laws and of tight constraints alike (analysis.7).
static bi_status find_stiffness(balance *b)
{
    const double step = 1e-7 * fmin(b->size, 1.0);
    balance_free_directions(b);
    bi_status status = directions_find(b->sim, &b->free);
    if (status != BI_OK) {
        return status;
    }
    b->k = b->free.count;
    size_t k = (size_t)b->k;
    b->H = calloc(3 * k * k + 4 * k + 1, sizeof *b->H);
    if (!b->H) {
        return BI_NO_MEMORY;
    }
    b->V = b->H + k * k;
    b->A = b->V + k * k;
    b->e = b->A + k * k;
    b->g = b->e + k;
    b->y = b->g + k;
    memcpy(b->before, b->s->now.q, (size_t)b->n * sizeof *b->before);
    for (int c = 0; c < b->k; c++) {
        shift(b, c, step);
        force_along(b, b->g);
        shift(b, c, -step);
        force_along(b, b->y);
        for (size_t r = 0; r < k; r++) {
            b->H[r * k + (size_t)c] = (b->y[r] - b->g[r]) / (2.0 * step);
        }
    }
    memcpy(b->s->now.q, b->before, (size_t)b->n * sizeof *b->before);
    for (size_t r = 0; r < k; r++) {
        for (size_t c = 0; c < k; c++) {
            b->A[r * k + c] = 0.5 * (b->H[r * k + c] + b->H[c * k + r]);
        }
    }
    dense_symmetric_eigen(b->k, b->A, b->e, b->V);
    return BI_OK;
}

// ---- Newton --------------------------------------------------------------------------------------------------

// What stiffness is none: rounding of the differences, and far below the stiffest direction.
static double soft_limit(const balance *b)
{
    double most = 0.0;
    for (int c = 0; c < b->k; c++) {
        most = fmax(most, fabs(b->e[c]));
    }
    return fmax(1e-10 * most, 1e-8 * b->scale / b->size);
}

// Among the stiff directions the whole, unsymmetric H counts: A = V^T H V there, the identity elsewhere.
static void refine_step(balance *b, double soft)
{
    size_t k = (size_t)b->k;
    double *row = calloc(k + 1, sizeof *row), *y = malloc((k + 1) * sizeof *y);
    for (size_t i = 0; row && y && i < k; i++) {
        memset(row, 0, k * sizeof *row);
        for (size_t r = 0; r < k; r++) {
            for (size_t c = 0; c < k; c++) {
                row[c] += b->V[r * k + i] * b->H[r * k + c];
            }
        }
        for (size_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < k; c++) {
                sum += row[c] * b->V[c * k + j];
            }
            bool is_stiff = fabs(b->e[i]) > soft && fabs(b->e[j]) > soft;
            b->A[i * k + j] = is_stiff ? sum : i == j ? 1.0 : 0.0;
        }
        y[i] = fabs(b->e[i]) > soft ? b->g[i] : b->y[i];
    }
    if (row && y && dense_solve(b->k, b->A, y) && isfinite(largest(y, b->k))) {
        memcpy(b->y, y, k * sizeof *y);
    }
    free(row);
    free(y);
}

// The step along the eigenvectors: down every slope, nowhere where there is neither stiffness nor force (analysis.8).
static void choose_step(balance *b, double radius)
{
    double soft = soft_limit(b), length = 0.0;
    size_t k = (size_t)b->k;
    b->n_soft = b->n_unstable = 0;
    for (size_t c = 0; c < k; c++) {
        b->g[c] = 0.0;
        for (size_t i = 0; i < (size_t)b->n; i++) {
            double z = 0.0;
            for (size_t d = 0; d < k; d++) {
                z += b->free.Z[i * k + d] * b->V[d * k + c];
            }
            b->g[c] += z * b->left[i];
        }
        bool is_soft = fabs(b->e[c]) <= soft, is_pushed = fabs(b->g[c]) > good_enough * b->scale;
        b->n_soft += is_soft && !is_pushed;
        b->n_unstable += !is_soft && b->e[c] < 0.0;
        b->y[c] = !is_soft ? b->g[c] / fabs(b->e[c]) : is_pushed ? copysign(radius, b->g[c]) : 0.0;
    }
    if (b->n_unstable == 0) {
        refine_step(b, soft);
    }
    for (size_t c = 0; c < k; c++) {
        length += b->y[c] * b->y[c];
    }
    double cut = sqrt(length) > radius ? radius / sqrt(length) : 1.0;
    b->reach = cut * sqrt(length);
    memset(b->move, 0, (size_t)b->n * sizeof *b->move);
    for (size_t i = 0; i < (size_t)b->n; i++) {
        for (size_t d = 0; d < k; d++) {
            double y = 0.0;
            for (size_t c = 0; c < k; c++) {
                y += b->V[d * k + c] * b->y[c];
            }
            b->move[i] += cut * b->free.Z[i * k + d] * y;
        }
    }
}

// Moves, back onto the constraints, measures; gives the work of the forces on the way.
static bool try_step(balance *b, double *work)
{
    stepper *s = b->s;
    double worst = 0.0;
    memcpy(b->force_before, b->force, (size_t)b->n * sizeof *b->force);
    for (int i = 0; i < b->n; i++) {
        s->now.q[i] = b->before[i] + b->move[i];
    }
    if (initial_position(s, NULL, 0, &worst) != BI_OK || !measure(b)) {
        return false;
    }
    *work = 0.0;
    for (int i = 0; i < b->n; i++) {
        *work += 0.5 * (b->force[i] + b->force_before[i]) * (s->now.q[i] - b->before[i]);
    }
    return true;
}

// Rotations far from the reference of their chart get a new one; forces are then others along the same directions.
static bool recentre(balance *b)
{
    const dynamics *d = b->s->d;
    if (!d->set->recentre) {
        return true;
    }
    d->set->recentre(d->coordinates, &b->s->now);
    return measure(b);
}

static bi_status newton(balance *b)
{
    enum { ITERATIONS = 300, FAR = 1000 };
    // short at first: a large step turns bodies over
    double radius = fmin(0.2 * b->size, 0.2), travelled = 0.0;
    if (!measure(b)) {
        return BI_NOT_FINITE;
    }
    bi_status status = find_stiffness(b);
    for (int i = 0; i < ITERATIONS && status == BI_OK; i++) {
        b->out.iterations++;
        double before = b->out.residual, work = 0.0;
        choose_step(b, radius);
        double length = largest(b->move, b->n), reach = b->reach;
        if (before <= wanted || length <= 1e-16 * b->size) {
            return before <= good_enough ? BI_OK : BI_NOT_CONVERGED;
        }
        bool is_good = try_step(b, &work) && (work > 0.0 || b->out.residual < before);
        if (!is_good || (b->out.residual >= before && before <= 1e3 * wanted)) {
            // nothing better than before
            memcpy(b->s->now.q, b->before, (size_t)b->n * sizeof *b->before);
            bool is_sane = measure(b);
            if (before <= 1e-10 || !is_sane) {
                return is_sane ? BI_OK : BI_NOT_FINITE;
            }
            radius = 0.25 * reach;
            // no step is short enough: what is left is rounding, of a stiff place far away
            if (radius < 1e-14 * b->size) {
                return before <= good_enough ? BI_OK : BI_NOT_CONVERGED;
            }
            continue;
        }
        travelled += length;
        if (travelled > FAR * b->size) {
            return BI_NOT_CONVERGED;
        }
        radius = reach >= 0.5 * radius ? fmin(2.0 * radius, b->size) : radius;
        status = recentre(b) ? find_stiffness(b) : BI_NOT_FINITE;
    }
    return status == BI_OK ? BI_NOT_CONVERGED : status;
}

// ---- dynamic relaxation -----------------------------------------------------------------------------------------

// Lets the mechanism go with its inertia and stops it whenever it has been fastest: it settles where the energy is least
// (analysis.9). Guides are held.
static bi_status relax(balance *b)
{
    enum { STEPS = 4000 };
    stepper *s = b->s;
    double h = 10.0 * b->sim->system->options.dt, fastest = 0.0;
    memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    rows_weigh(s, false);
    bi_status status = initial_acceleration(s);
    for (int i = 0; i < STEPS && status == BI_OK; i++) {
        b->out.relaxation_steps++;
        if (s->d->set->recentre) {
            s->d->set->recentre(s->d->coordinates, &s->now);
        }
        coords_copy(s->d, &s->now, &s->old);
        s->now.t = -h;
        status = ali3p_step(s, h);
        s->now.t = 0.0;
        if (status != BI_OK || !isfinite(largest(s->now.a, b->n))) {
            // shorter steps until it goes on
            coords_copy(s->d, &s->old, &s->now);
            h *= 0.25;
            status = h > 1e-9 ? BI_OK : BI_NOT_CONVERGED;
            continue;
        }
        dynamics_commit(s->d, &s->now, &s->trays, s->now.memory, NULL);
        s->trays.z_old = s->now.z;
        s->trays.dz_old = s->now.dz;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_ALL);
        double kinetic = dynamics_kinetic(s->d, &s->now, &s->trays, s->product);
        if (kinetic < fastest) {
            memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
            if (measure(b) && b->out.residual <= wanted) {
                break;
            }
            dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
            status = initial_acceleration(s);
            fastest = 0.0;
        } else {
            fastest = kinetic;
        }
    }
    memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
    return status;
}

// ---- report -----------------------------------------------------------------------------------------------------

// Names the eigenvectors that are soft, or those that are unstable.
static void name_eigenvectors(balance *b, bool want_soft, char text[DIRECTIONS_TEXT])
{
    double soft = soft_limit(b);
    size_t k = (size_t)b->k, count = (size_t)(want_soft ? b->n_soft : b->n_unstable), to = 0;
    directions chosen = { b->n, (int)count, calloc((size_t)b->n * count + 1, sizeof(double)) };
    for (size_t c = 0; chosen.Z && c < k && to < count; c++) {
        bool is_soft = fabs(b->e[c]) <= soft;
        if (want_soft ? !is_soft : is_soft || b->e[c] >= 0.0) {
            continue;
        }
        for (size_t i = 0; i < (size_t)b->n; i++) {
            for (size_t d = 0; d < k; d++) {
                chosen.Z[i * count + to] += b->free.Z[i * k + d] * b->V[d * k + c];
            }
        }
        to++;
    }
    text[0] = '\0';
    if (chosen.Z) {
        directions_name(b->sim, &chosen, text);
    }
    directions_clear(&chosen);
}

static void tell_failure(balance *b, bi_status status, bi_report *report)
{
    char names[DIRECTIONS_TEXT] = "";
    directions one = { b->n, 1, malloc((size_t)b->n * sizeof(double)) };
    if (one.Z && b->out.residual > 0.0) {
        for (int i = 0; i < b->n; i++) {
            one.Z[i] = b->left[i] / (b->out.residual * b->scale);
        }
        directions_name(b->sim, &one, names);
    }
    directions_clear(&one);
    snprintf(b->sim->failure, sizeof b->sim->failure,
             "no equilibrium was found: after %d iterations and %d steps of relaxation, %.2g of the largest "
             "force is left, moving %.200s. Is there anything that holds it there (a spring, a stop, a "
             "contact)? Describe the model nearer to its equilibrium, or give the part stiffness.",
             b->out.iterations, b->out.relaxation_steps, b->out.residual, names[0] ? names : "the mechanism");
    bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "equilibrium", "%s", b->sim->failure);
}

static void tell_directions(balance *b, bi_report *report)
{
    char names[DIRECTIONS_TEXT];
    if (b->n_soft > 0) {
        name_eigenvectors(b, true, names);
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "equilibrium",
                      "%d direction%s without stiffness, held where %s: %s", b->n_soft,
                      b->n_soft > 1 ? "s are" : " is", b->n_soft > 1 ? "they were" : "it was", names);
    }
    if (b->n_unstable > 0) {
        name_eigenvectors(b, false, names);
        bi_report_add(report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
                      "the equilibrium is not stable: the mechanism would leave it along %s", names);
    }
}

// At rest there: velocities of moving guides, accelerations, exact reactions, a fresh start of the clock.
static bi_status settle(balance *b)
{
    stepper *s = b->s;
    double worst = 0.0;
    evaluate_at_rest(b);
    memset(s->now.dz, 0, (size_t)s->d->plan.n_z * sizeof *s->now.dz);
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    rows_weigh(s, false);
    bi_status status = s->d->is_rheonomic ? initial_velocity(s, NULL, 0, &worst) : BI_OK;
    if (status == BI_OK) {
        dynamics_commit(s->d, &s->now, &s->trays, s->now.memory, NULL);
        status = initial_acceleration(s);
    }
    if (status == BI_OK) {
        sim_begin(b->sim);
    }
    return status;
}

bi_status bi_equilibrium(bi_sim *sim, bi_balance *out, bi_report *report)
{
    balance b;
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK || !balance_open(&b, sim)) {
        return refused != BI_OK ? refused : BI_NO_MEMORY;
    }
    stepper *s = b.s;
    const plan *p = &s->d->plan;
    sim->have = 0;
    s->now.t = 0.0;
    memset(s->now.v, 0, (size_t)b.n * sizeof *s->now.v);
    memcpy(s->old.z, s->now.z, (size_t)p->n_z * sizeof *s->old.z);
    memset(s->old.dz, 0, (size_t)p->n_z * sizeof *s->old.dz);

    bi_status status = newton(&b);
    if (status == BI_NOT_CONVERGED || status == BI_FULL) {
        status = relax(&b);
        memset(s->old.dz, 0, (size_t)p->n_z * sizeof *s->old.dz);
        status = status == BI_OK ? newton(&b) : status;
    }
    if (status == BI_NOT_CONVERGED && measure(&b) && b.out.residual <= tolerable) {
        status = BI_OK;
    }
    // too many variables for full matrices: where it came to rest must do
    if (status == BI_FULL) {
        status = measure(&b) && b.out.residual <= good_enough ? BI_OK : BI_NOT_CONVERGED;
        b.k = b.n_soft = b.n_unstable = 0;
    }
    if (status == BI_OK) {
        b.out.soft = b.n_soft;
        b.out.unstable = b.n_unstable;
        tell_directions(&b, report);
        status = settle(&b);
    } else {
        tell_failure(&b, status, report);
        sim->started = false;
    }
    if (out) {
        *out = b.out;
    }
    balance_close(&b);
    bi_report_clear(&own);
    return status;
}
