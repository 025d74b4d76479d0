// SPDX-License-Identifier: MIT
#include "analysis/rest/balance.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"
#include "sparse/dense_general_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// what rounding leaves of a small load beside the forces of stiff parts, of the load; and how far it may lead, of the
// size of the mechanism
static const double rounding_most = 1e-2, rounding_moves = 1e-12;
// of places, of the size: some units in the last place
static const double rounding_places = 1e-15;

// a step so long that states of laws (currents) come to rest in it, s
static const double long_step = 1e9;

bool balance_open(balance *b, bi_sim *sim)
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

void balance_close(balance *b)
{
    balance_free_directions(b);
    free(b->force);
}

// ---- forces --------------------------------------------------------------------------------------------------

void balance_evaluate(balance *b)
{
    stepper *s = b->s;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    s->trays.signals.h = long_step;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_FORCES | b->grip);
}

// 1 + G^T w G, factored.
static bool factor_rows(balance *b)
{
    stepper *s = b->s;
    const structure *st = &s->d->structure;
    rows_weigh(s, WEIGH_FOR_POSITION);
    memset(s->trays.equations.M, 0, (size_t)st->tangent.nnz * sizeof *s->trays.equations.M);
    for (int j = 0; j < st->n; j++) {
        s->trays.equations.M[st->tangent.start[j + 1] - 1] = 1.0;
    }
    tangent_build(s, 0.0, 0.0);
    return tangent_factor(s, 0.0);
}

// left = the part of Q that no reaction takes: x = P Q, lambda = (G G^T)^+ G Q (analysis.6).
bool balance_measure(balance *b)
{
    enum { PASSES = 6 };
    stepper *s = b->s;
    const structure *st = &s->d->structure;
    balance_evaluate(b);
    memcpy(b->force, s->trays.equations.Q, (size_t)b->n * sizeof *b->force);
    b->scale = fmax(b->scale, largest(b->force, b->n));
    if (!are_finite(b->force, b->n) || !factor_rows(b)) {
        return false;
    }
    memset(b->lambda, 0, (size_t)st->n_row * sizeof *b->lambda);
    for (int pass = 0; pass < PASSES; pass++) {
        memset(s->product, 0, (size_t)b->n * sizeof *s->product);
        rows_apply(st, s->trays.equations.G, b->lambda, s->product);
        for (int i = 0; i < b->n; i++) {
            s->right[i] = b->force[i] - s->product[i];
        }
        tangent_solve(s, s->right);
        for (int r = 0; r < st->n_row; r++) {
            b->lambda[r] += rows_weight(s)[r] * row_dot(st, s->trays.equations.G, r, s->right);
        }
    }
    memcpy(b->left, s->right, (size_t)b->n * sizeof *b->left);
    b->out.residual = largest(b->left, b->n) / fmax(b->scale, 1e-300);
    return isfinite(b->out.residual);
}

// F(q) = Q(q) - G(q)^T lambda with the reactions of the base position, along the free directions: out = Z^T F.
void balance_force_along(balance *b, double *out)
{
    stepper *s = b->s;
    balance_evaluate(b);
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

// Column c of H by central differences: of order two over 1e-7 of the size; fine ones, of order four over 1e-4 of it,
// leave a thousandth of the rounding, and bend no beam by more than 1e-2 of a radian per element.
static void difference(balance *b, int c)
{
    static const double fine[2] = { 1.5, -12.0 };
    const double step = (b->is_fine ? 1e-4 : 1e-7) * fmin(b->size, 1.0);
    size_t k = (size_t)b->k;
    for (int far = 0; far < (b->is_fine ? 2 : 1); far++) {
        double by = step * (1 + far), over = (b->is_fine ? fine[far] : 2.0) * step;
        shift(b, c, by);
        balance_force_along(b, b->g);
        shift(b, c, -by);
        balance_force_along(b, b->y);
        for (size_t r = 0; r < k; r++) {
            b->H[r * k + (size_t)c] += (b->y[r] - b->g[r]) / over;
        }
    }
}

// H = Z^T (K + d(G^T lambda)/dq) Z by central differences: stiffness of laws and of tight constraints alike
// (analysis.7).
bi_status balance_tangent(balance *b)
{
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
        difference(b, c);
    }
    memcpy(b->s->now.q, b->before, (size_t)b->n * sizeof *b->before);
    return BI_OK;
}

bi_status balance_stiffness(balance *b)
{
    bi_status status = balance_tangent(b);
    size_t k = (size_t)b->k;
    for (size_t r = 0; r < k && status == BI_OK; r++) {
        for (size_t c = 0; c < k; c++) {
            b->A[r * k + c] = 0.5 * (b->H[r * k + c] + b->H[c * k + r]);
        }
    }
    if (status == BI_OK) {
        dense_symmetric_eigen(b->k, b->A, b->e, b->V);
    }
    return status;
}

// ---- Newton --------------------------------------------------------------------------------------------------

double balance_soft_limit(const balance *b)
{
    double most = 0.0;
    for (int c = 0; c < b->k; c++) {
        most = fmax(most, fabs(b->e[c]));
    }
    // differences of order four leave less
    return b->is_fine ? 4e-12 * most : fmax(1e-10 * most, 1e-8 * b->scale / b->size);
}

// How many directions the forces lead away along: eigenvalues of the whole H. Friction that follows its load makes it
// unsymmetric, and the symmetric part of a stable one then may have negative ones (analysis.8).
static int count_unstable(const balance *b, double soft)
{
    int negative = 0;
    size_t k = (size_t)b->k;
    for (size_t c = 0; c < k; c++) {
        negative += b->e[c] < -soft;
    }
    double *re = negative > 0 ? malloc(2 * k * sizeof *re) : NULL;
    if (re && dense_eigenvalues(b->k, b->H, re, re + k)) {
        negative = 0;
        for (size_t c = 0; c < k; c++) {
            negative += re[c] < -soft;
        }
    }
    free(re);
    return negative;
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
    if (row && y && dense_solve(b->k, b->A, y) && are_finite(y, b->k)) {
        memcpy(b->y, y, k * sizeof *y);
    }
    free(row);
    free(y);
}

// The step along the eigenvectors: down every slope, nowhere where there is neither stiffness nor force (analysis.8).
static void choose_step(balance *b, double radius)
{
    double soft = balance_soft_limit(b), length = 0.0;
    size_t k = (size_t)b->k;
    b->n_soft = 0;
    b->n_unstable = count_unstable(b, soft);
    for (size_t c = 0; c < k; c++) {
        b->g[c] = 0.0;
        for (size_t i = 0; i < (size_t)b->n; i++) {
            double z = 0.0;
            for (size_t d = 0; d < k; d++) {
                z += b->free.Z[i * k + d] * b->V[d * k + c];
            }
            b->g[c] += z * b->left[i];
        }
        bool is_soft = fabs(b->e[c]) <= soft, is_pushed = fabs(b->g[c]) > balance_good_enough * b->scale;
        b->n_soft += is_soft && !is_pushed;
        b->y[c] = !is_soft ? b->g[c] / fabs(b->e[c]) : is_pushed ? copysign(radius, b->g[c]) : 0.0;
    }
    if (b->n_unstable == 0) {
        refine_step(b, soft);
    }
    b->ahead = 0.0;
    for (size_t c = 0; c < k; c++) {
        b->ahead += fabs(b->e[c]) > soft ? b->y[c] * b->y[c] : 0.0;
    }
    b->ahead = sqrt(b->ahead);
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

bool balance_move(balance *b)
{
    stepper *s = b->s;
    double worst = 0.0;
    for (int i = 0; i < b->n; i++) {
        s->now.q[i] = b->before[i] + b->move[i];
    }
    return initial_position(s, NULL, 0, &worst) == BI_OK;
}

// Moves, back onto the constraints, measures; gives the work of the forces on the way.
static bool try_step(balance *b, double *work)
{
    stepper *s = b->s;
    memcpy(b->force_before, b->force, (size_t)b->n * sizeof *b->force);
    if (!balance_move(b) || !balance_measure(b)) {
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
    return balance_measure(b);
}

// Rounding beside the forces of stiff parts, of which what it would move tells.
static bool is_rounding(const balance *b, double residual)
{
    double most = 0.0;
    for (int c = 0; c < b->k; c++) {
        most = fmax(most, fabs(b->e[c]));
    }
    // a mechanism without any load: what rounding of its places makes of the stiffest part
    if (residual * b->scale <= rounding_places * most * b->size) {
        return true;
    }
    return residual <= rounding_most && b->ahead <= rounding_moves * b->size;
}

// Where rounding allows no more: little force is left, and it would not lead far.
static bool is_good_enough(const balance *b, double residual)
{
    return residual <= balance_wanted || is_rounding(b, residual) ||
           (residual <= balance_good_enough && b->ahead <= balance_near * b->size);
}

bi_status balance_newton(balance *b)
{
    enum { ITERATIONS = 300, FAR = 1000 };
    // short at first: a large step turns bodies over
    double radius = fmin(0.2 * b->size, 0.2), travelled = 0.0;
    if (!balance_measure(b)) {
        return BI_NOT_FINITE;
    }
    bi_status status = balance_stiffness(b);
    for (int i = 0; i < ITERATIONS && status == BI_OK; i++) {
        b->out.iterations++;
        double before = b->out.residual, work = 0.0;
        choose_step(b, radius);
        double length = largest(b->move, b->n), reach = b->reach;
        if (before <= balance_wanted || length <= 1e-16 * b->size) {
            return is_good_enough(b, before) ? BI_OK : BI_NOT_CONVERGED;
        }
        bool is_good = try_step(b, &work) && (work > 0.0 || b->out.residual < before);
        if (!is_good || (b->out.residual >= before && before <= 1e3 * balance_wanted)) {
            // nothing better than before
            memcpy(b->s->now.q, b->before, (size_t)b->n * sizeof *b->before);
            bool is_sane = balance_measure(b);
            if (!is_sane) {
                return BI_NOT_FINITE;
            }
            if (is_rounding(b, before) || (before <= 1e-10 && is_good_enough(b, before))) {
                return BI_OK;
            }
            radius = 0.25 * reach;
            // no step is short enough: what is left is rounding, of a stiff place far away
            if (radius < 1e-14 * b->size) {
                return is_good_enough(b, before) ? BI_OK : BI_NOT_CONVERGED;
            }
            continue;
        }
        travelled += length;
        if (travelled > FAR * b->size) {
            return BI_NOT_CONVERGED;
        }
        radius = reach >= 0.5 * radius ? fmin(2.0 * radius, b->size) : radius;
        status = recentre(b) ? balance_stiffness(b) : BI_NOT_FINITE;
    }
    return status == BI_OK ? BI_NOT_CONVERGED : status;
}
