// SPDX-License-Identifier: MIT
// Building blocks shared by the steppers: penalties, tangent, products with the gradients.
#include "base/lanes.h"
#include "integrate/stepper.h"
#include <math.h>
#include <string.h>

// The more a tangent costs against further solutions and iterations, the longer it is kept: contacts, tyres and long columns of the
// factor; flexible bodies; a few points and springs (ali3p.20, measured in docs/theory/speed.md).
static tangent_life choose_life(const dynamics *d, const solver *fac)
{
    enum { LONG_COLUMN = 20 };
    bool has_costly_laws = d->plan.n_block > 0 && (d->plan.n_memory > 0 || d->structure.n_row == 0);
    if (has_costly_laws || solver_nnz(fac) > LONG_COLUMN * d->structure.n) {
        return TANGENT_STEPS;
    }
    return d->structure.has_bias ? TANGENT_STEP : TANGENT_ITERATION;
}

void stepper_cut(stepper *s, const dynamics *d, const solver *fac, arena *a)
{
    const structure *st = &d->structure;
    s->d = d;
    s->fac = fac;
    s->trays = trays_cut(d, a);
    s->now = coords_cut(d, a);
    s->old = coords_cut(d, a);
    s->stage = coords_cut(d, a);
    s->weight = ARENA_NEW(a, double, st->n_row);
    for (int k = 0; k < 2; k++) {
        tangent *t = k == 0 ? &s->work : &s->kept;
        t->T = ARENA_NEW(a, double, st->tangent.nnz);
        t->numeric = ARENA_NEW(a, double, solver_numeric_count(fac));
        t->G = ARENA_NEW(a, double, st->n_G);
    }
    s->right = ARENA_NEW(a, double, st->n);
    s->product = ARENA_NEW(a, double, st->n);
    s->residual = ARENA_NEW(a, double, st->n_row);
    s->sigma = ARENA_NEW(a, double, st->n_row);
    s->mass = ARENA_NEW(a, double, st->n);
    s->slope = ARENA_NEW(a, double, STAGES *(2 * st->n + d->plan.n_z));
    s->local_error_z = ARENA_NEW(a, double, d->plan.n_z);
    s->product_row = ARENA_NEW(a, double, st->n_row);
    s->increment = ARENA_NEW(a, double, st->n_row);
    s->drift = ARENA_NEW(a, double, st->n_row);
    s->frame = ARENA_NEW(a, turning_frame, st->n_frame);
    if (a->memory && st->n_frame > 0) {
        d->set->frames_create(d->coordinates, s->frame);
    }
    s->life = choose_life(d, fac);
}

void stepper_close(stepper *s)
{
    solver_close(s->fac, s->work.numeric);
    solver_close(s->fac, s->kept.numeric);
}

// The tangent of the step is kept, or the kept one has served once more.
static void tangent_accept(stepper *s)
{
    // steps without a try after a tangent that served only once: about what a try costs more than it saves
    enum { ALONE = 10 };
    int64_t served = s->kept.use.age, alone = s->kept.use.alone;
    if (s->has_formed) {
        tangent swap = s->kept;
        s->kept = s->work;
        s->work = swap;
        s->kept.use.usual = s->n_last > 2 ? s->n_last : 2;
        s->kept.use.alone = alone > 0 ? alone - 1 : served == 1 ? ALONE : 0;
    }
    s->kept.use.age++;
    s->kept.use.is_stale = s->n_last > s->kept.use.usual || s->kept.use.alone > 0;
}

void stepper_accept(stepper *s)
{
    s->last = s->next;
    s->rank_now = s->rank_next;
    stepper_spin(s);
    if (s->life == TANGENT_STEPS) {
        tangent_accept(s);
    }
    s->has_formed = false;
}

void stepper_spin(stepper *s)
{
    s->spin = s->d->set->spin(s->d->coordinates, &s->now, &s->trays.motion, &s->spinning);
}

void stepper_forget(stepper *s)
{
    s->kept.use = (tangent_use){ 0 };
    s->last = s->next = (step_memory){ 0 };
    s->n_last = 0;
    s->has_formed = false;
}

void stepper_restore(stepper *s)
{
    s->has_formed = false;
    if (s->kept.use.fA > 0.0 && solver_factor(s->fac, s->kept.T, s->kept.numeric, 0.0) >= 0) {
        stepper_forget(s);
    }
}

void stepper_use_length(stepper *s, double h)
{
    // the usual length but for rounding: the same bits whatever was before
    h = fabs(h - s->usual_h) <= 1e-9 * s->usual_h ? s->usual_h : h;
    if (has_phase(s) && s->lost_h != h) {
        phase_inertia(s->vibrations, h, 1.0 - s->options.damping, s->lost_inertia);
        s->lost_h = h;
    }
}

double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        // written so that a NaN wins
        most = fabs(x[i]) <= most || isnan(most) ? most : fabs(x[i]);
    }
    return most;
}

// One body for each of the common lengths of a row, so that its loops have no counter; `call` uses the name `count`.
#define FOR_COUNT(n, call)                                                                                   \
    case n: {                                                                                                \
        enum { count = n };                                                                                  \
        call;                                                                                                \
        break;                                                                                               \
    }
#define FOR_EACH_COUNT(n, call)                                                                              \
    switch (n) {                                                                                             \
        FOR_COUNT(1, call)                                                                                   \
        FOR_COUNT(2, call)                                                                                   \
        FOR_COUNT(3, call)                                                                                   \
        FOR_COUNT(4, call)                                                                                   \
        FOR_COUNT(6, call)                                                                                   \
    default: {                                                                                               \
        int count = n;                                                                                       \
        call;                                                                                                \
    }                                                                                                        \
    }

LANES_PART void apply_row(int count, double c, const double *g, const int *col, double *out)
{
    UNROLL
    for (int k = 0; k < count; k++) {
        out[col[k]] += c * g[k];
    }
}

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

// A row with many consecutive columns: these four at a time.
LANES static void apply_long_row(const structure *st, const double *G, int row, double c, double *out)
{
    int first = st->G_start[row], from = first + st->run[2 * row], to = from + st->run[2 * row + 1], k = from;
    for (int i = first; i < from; i++) {
        out[st->G_col[i]] += c * G[i];
    }
    double *there = out + st->G_col[from];
    for (; k + 4 <= to; k += 4) {
        *(lane *)(there + (k - from)) += *(const lane *)(G + k) * c;
    }
    for (; k < st->G_start[row + 1]; k++) {
        out[st->G_col[k]] += c * G[k];
    }
}

LANES double long_row_dot(const structure *st, const double *G, int row, const double *x)
{
    int first = st->G_start[row], from = first + st->run[2 * row], to = from + st->run[2 * row + 1], k = from;
    double sum = 0.0;
    lane part = { 0.0 };
    for (int i = first; i < from; i++) {
        sum += G[i] * x[st->G_col[i]];
    }
    const double *there = x + st->G_col[from];
    for (; k + 4 <= to; k += 4) {
        part += *(const lane *)(G + k) * *(const lane *)(there + (k - from));
    }
    sum += part[0] + part[1] + part[2] + part[3];
    for (; k < st->G_start[row + 1]; k++) {
        sum += G[k] * x[st->G_col[k]];
    }
    return sum;
}

void rows_apply(const structure *st, const double *G, const double *coefficient, double *out)
{
    for (int r = 0; r < st->n_row; r++) {
        double c = coefficient[r];
        int first = st->G_start[r], length = st->G_start[r + 1] - first;
        if (st->run[2 * r + 1] > 0) {
            apply_long_row(st, G, r, c, out);
            continue;
        }
        FOR_EACH_COUNT(length, apply_row(count, c, G + first, st->G_col + first, out))
    }
}

void gradients_keep(stepper *s)
{
    double *swap = s->work.G;
    s->work.G = s->trays.equations.G;
    s->trays.equations.G = swap;
}

// ---- penalties --------------------------------------------------------------------------------------------

// Effective mass of a row over the variables that have mass: 1 / (g M^-1 g^T); zero: none has.
static double effective_mass(const stepper *s, int r)
{
    const structure *st = &s->d->structure;
    double sum = 0.0;
    for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
        double m = s->mass[st->G_col[k]], g = s->trays.equations.G[k];
        sum += m > 0.0 ? g * g / m : 0.0;
    }
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

// Massless variables receive the mass that their rows reflect.
static void reflect_masses(stepper *s)
{
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    for (int r = 0; r < st->n_row; r++) {
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            double g = s->trays.equations.G[k];
            s->product[st->G_col[k]] += s->residual[r] * g * g;
        }
    }
    for (int i = 0; i < st->n; i++) {
        s->mass[i] = s->mass[i] > 0.0 ? s->mass[i] : s->product[i];
    }
}

void rows_weigh(stepper *s, bool for_position)
{
    // reflection reaches this many rows away from a mass; capped so that a lever cannot raise a row without bound
    enum { PASSES = 8 };
    static const double cap = 100.0;
    const structure *st = &s->d->structure;
    double most = 0.0;
    stepper_forget(s); // a tangent with other penalties
    for (int j = 0; j < st->n; j++) {
        double m = s->trays.equations.M[st->tangent.start[j + 1] - 1];
        m = m > (st->light ? st->light[j] : 0.0) ? m : 0.0;
        s->mass[j] = for_position ? 1.0 : m;
        most = fmax(most, s->mass[j]);
    }
    most = most > 0.0 ? most : 1.0;
    memset(s->residual, 0, (size_t)st->n_row * sizeof *s->residual);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int r = 0; r < st->n_row; r++) {
            s->residual[r] = s->residual[r] > 0.0 ? s->residual[r] : effective_mass(s, r);
        }
        reflect_masses(s);
    }
    for (int r = 0; r < st->n_row; r++) {
        double m = s->residual[r] > 0.0 ? fmin(s->residual[r], cap * most) : most;
        s->weight[r] =
            m * (st->is_velocity[r] && !for_position ? fmin(s->options.velocity_penalty, s->options.penalty)
                                                     : s->options.penalty);
    }
}

// ---- tangent ---------------------------------------------------------------------------------------------------

// w g^T g onto its places in the tangent.
LANES_PART void square_row(int count, double w, const double *g, const int *pair, double *T)
{
    UNROLL
    for (int i = 0; i < count; i++) {
        double wg = w * g[i];
        UNROLL
        for (int j = 0; j <= i; j++) {
            T[*pair++] += wg * g[j];
        }
    }
}

// The same of rows with the same columns, one after the other: each place is fetched once.
LANES_PART void square_rows(int rows, int count, const double *w, const double *g, const int *pair, double *T)
{
    for (int i = 0; i < count; i++) {
        double wg[3];
        UNROLL
        for (int r = 0; r < rows; r++) {
            wg[r] = w[r] * g[r * count + i];
        }
        for (int j = 0; j <= i; j++) {
            double sum = T[*pair];
            UNROLL
            for (int r = 0; r < rows; r++) {
                sum += wg[r] * g[r * count + j];
            }
            T[*pair++] = sum;
        }
    }
}

void tangent_build(stepper *s, double wK, double wC)
{
    const structure *st = &s->d->structure;
    const double *G = s->trays.equations.G;
    double *T = s->work.T;
    memcpy(T, s->trays.equations.M, (size_t)st->tangent.nnz * sizeof *T);
    for (int r = 0; r < st->n_row; r += st->alike[r]) {
        const int *pair = &st->pair[st->pair_start[r]];
        int first = st->G_start[r], length = st->G_start[r + 1] - first;
        if (st->alike[r] == 3) {
            square_rows(3, length, s->weight + r, G + first, pair, T);
        } else if (st->alike[r] == 2) {
            square_rows(2, length, s->weight + r, G + first, pair, T);
        } else {
            FOR_EACH_COUNT(length, square_row(count, s->weight[r], G + first, pair, T))
        }
    }
    if (s->d->plan.n_block > 0 && (wK != 0.0 || wC != 0.0)) {
        s->d->set->drop_tangent(s->d->coordinates, &s->now, &s->trays.motion, &s->trays.load, wK, wC, T);
    }
}

bool tangent_factor(stepper *s, double pivot_tolerance)
{
    s->n_factor++;
    s->bad_variable = solver_factor(s->fac, s->work.T, s->work.numeric, pivot_tolerance);
    return s->bad_variable < 0;
}
