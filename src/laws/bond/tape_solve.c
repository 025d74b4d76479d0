// SPDX-License-Identifier: MIT
// Circles of equations solved together, by Newton.
#include "laws/bond/tape.h"
#include "sparse/dense.h"
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 30, N_OF_MODE = sizeof(tape_mode) / sizeof(double) };

// ---- memory -----------------------------------------------------------------------------------------------

static int square_size(const tape *t)
{
    int n = t->n_torn > t->n_derivative ? t->n_torn : t->n_derivative;
    return n * n;
}

int tape_work_size(const tape *t)
{
    return 3 * t->n_variable + t->n_argument + t->n_torn * (t->n_torn + 1) +
           t->n_derivative * (t->n_derivative + 1) + N_OF_MODE * t->n_derivative + square_size(t) +
           tape_derivative(t, 0) + 3 * t->n_register;
}

tape_work tape_work_cut(const tape *t, double *memory)
{
    tape_work w = { .is_stale = true };
    w.v = memory;
    w.d = w.v + t->n_variable;
    w.keep = w.d + t->n_variable;
    w.partial = w.keep + t->n_variable;
    w.J = w.partial + t->n_argument;
    w.r = w.J + t->n_torn * t->n_torn;
    w.D = w.r + t->n_torn;
    w.g = w.D + t->n_derivative * t->n_derivative;
    w.mode = (tape_mode *)(w.g + t->n_derivative);
    w.scratch = w.g + t->n_derivative + N_OF_MODE * t->n_derivative;
    w.start = w.scratch + square_size(t);
    w.room = (jet *)(w.start + tape_derivative(t, 0));
    return w;
}

// ---- sweeps -----------------------------------------------------------------------------------------------

static double expression_value(const tape *t, const tape_op *op, const tape_work *w)
{
    double x[TAPE_MOST_ARGUMENTS];
    for (int k = 0; k < op->count; k++) {
        x[k] = w->v[t->argument[op->first + k]];
    }
    return expr_value_in(op->code, x, w->room);
}

static void expression_partials(const tape *t, const tape_op *op, tape_work *w)
{
    double x[TAPE_MOST_ARGUMENTS];
    for (int k = 0; k < op->count; k++) {
        x[k] = w->v[t->argument[op->first + k]];
    }
    expr_gradient_in(op->code, x, &w->partial[op->first], w->room);
}

static void sweep(const tape *t, tape_work *w)
{
    for (int i = 0; i < t->n_op; i++) {
        const tape_op *op = &t->op[i];
        const int *a = &t->argument[op->first];
        double sum = 0.0;
        switch (op->kind) {
        case OP_LINEAR:
            for (int k = 0; k < op->count; k++) {
                sum += t->factor[op->first + k] * w->v[a[k]];
            }
            break;
        case OP_MULTIPLY: sum = w->v[a[0]] * w->v[a[1]]; break;
        case OP_DIVIDE: sum = w->v[a[0]] / w->v[a[1]]; break;
        case OP_EXPRESSION: sum = expression_value(t, op, w); break;
        }
        w->v[op->target] = sum;
    }
}

static void find_partials(const tape *t, tape_work *w)
{
    for (int i = 0; i < t->n_op; i++) {
        const tape_op *op = &t->op[i];
        const int *a = &t->argument[op->first];
        double *p = &w->partial[op->first];
        switch (op->kind) {
        case OP_LINEAR: memcpy(p, &t->factor[op->first], (size_t)op->count * sizeof *p); break;
        case OP_MULTIPLY:
            p[0] = w->v[a[1]];
            p[1] = w->v[a[0]];
            break;
        case OP_DIVIDE:
            p[0] = 1.0 / w->v[a[1]];
            p[1] = -w->v[a[0]] / (w->v[a[1]] * w->v[a[1]]);
            break;
        case OP_EXPRESSION: expression_partials(t, op, w); break;
        }
    }
}

static void sweep_direction(const tape *t, int source, tape_work *w)
{
    if (w->is_stale) {
        find_partials(t, w);
        w->is_stale = false;
    }
    for (int i = 0; i < t->n_op; i++) {
        const tape_op *op = &t->op[i];
        double sum = op->target == source ? 1.0 : 0.0;
        for (int k = 0; k < op->count; k++) {
            sum += w->partial[op->first + k] * w->d[t->argument[op->first + k]];
        }
        w->d[op->target] = sum;
    }
}

void tape_noise(const tape *t, tape_work *w)
{
    static const double rounding = 2.2e-16, loops = 1e-13; // of what is computed; of what a loop has found
    find_partials(t, w);
    w->is_stale = false;
    for (int k = 0; k < t->n_variable; k++) {
        w->d[k] = rounding * fabs(w->v[k]);
    }
    for (int k = 0; k < t->n_torn; k++) {
        w->d[t->torn[k]] = loops * fabs(w->v[t->torn[k]]);
    }
    for (int i = 0; i < t->n_op; i++) {
        const tape_op *op = &t->op[i];
        double sum = rounding * fabs(w->v[op->target]);
        for (int k = 0; k < op->count; k++) {
            sum += fabs(w->partial[op->first + k]) * w->d[t->argument[op->first + k]];
        }
        w->d[op->target] = sum;
    }
}

static void clear_direction(const tape *t, double *d) { memset(d, 0, (size_t)t->n_variable * sizeof *d); }

// ---- torn variables ---------------------------------------------------------------------------------------

// J(i, j) = d (source of i - torn i) / d torn j, from the partials at hand.
static void torn_jacobian(const tape *t, tape_work *w)
{
    for (int j = 0; j < t->n_torn; j++) {
        clear_direction(t, w->d);
        w->d[t->torn[j]] = 1.0;
        sweep_direction(t, -1, w);
        for (int i = 0; i < t->n_torn; i++) {
            w->J[i * t->n_torn + j] = w->d[t->torn_source[i]] - (i == j ? 1.0 : 0.0);
        }
    }
}

static bool solve_copy(int n, const double *matrix, double *scratch, double *b)
{
    memcpy(scratch, matrix, (size_t)(n * n) * sizeof *scratch);
    return dense_solve(n, scratch, b);
}

static bool solve_torn(const tape *t, tape_work *w)
{
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        sweep(t, w);
        // without loops nobody may ask for them
        w->is_stale = true;
        if (t->n_torn == 0) {
            return true;
        }
        torn_jacobian(t, w);
        double worst = 0.0;
        for (int k = 0; k < t->n_torn; k++) {
            w->r[k] = w->v[t->torn[k]] - w->v[t->torn_source[k]];
            double scale = 1.0 + fabs(w->v[t->torn[k]]);
            worst = fmax(worst, fabs(w->r[k]) / scale);
        }
        if (!isfinite(worst)) {
            return false;
        }
        if (worst <= 1e-14) {
            return true;
        }
        if (!solve_copy(t->n_torn, w->J, w->scratch, w->r)) {
            return false;
        }
        double moved = 0.0;
        for (int k = 0; k < t->n_torn; k++) {
            w->v[t->torn[k]] += w->r[k];
            moved = fmax(moved, fabs(w->r[k]) / (1.0 + fabs(w->v[t->torn[k]])));
        }
        if (moved <= 1e-13) {
            sweep(t, w);
            return true;
        }
    }
    return false;
}

// A direction with the torn variables that follow it.
static bool follow(const tape *t, int source, tape_work *w)
{
    for (int k = 0; k < t->n_torn; k++) {
        w->d[t->torn[k]] = 0.0;
    }
    sweep_direction(t, source, w);
    if (t->n_torn == 0) {
        return true;
    }
    for (int k = 0; k < t->n_torn; k++) {
        w->r[k] = -w->d[t->torn_source[k]];
    }
    if (!solve_copy(t->n_torn, w->J, w->scratch, w->r)) {
        return false;
    }
    for (int k = 0; k < t->n_torn; k++) {
        w->d[t->torn[k]] = w->r[k];
    }
    sweep_direction(t, source, w);
    return true;
}

// ---- storages in derivative form --------------------------------------------------------------------------

// The direction in which the states move when all variables change as w->d says; unknown rates stand still.
static void along_states(const tape *t, tape_work *w)
{
    memcpy(w->keep, w->d, (size_t)t->n_variable * sizeof *w->d);
    clear_direction(t, w->d);
    for (int k = 0; k < t->n_state; k++) {
        w->d[tape_state_at(t, k)] = w->keep[t->state[k].rate];
    }
}

// The equations of the unknowns, each with its guess xi: of a storage (rate of what it stores) = xi; of friction that
// slips (what it carries) = xi, of friction that is locked f' + gain f + offset = 0, or inertia (gain f + offset) = xi.
// Their changes along a direction come in two parts: at once, and along the states, whose rates change (bond.13).
typedef enum { AT_ONCE, ALONG_STATES } equation_part;

static double equation_change(const tape *t, const tape_work *w, int k, equation_part part)
{
    const tape_hold *hold = &t->hold[k];
    const tape_mode *mode = &w->mode[k];
    double stored = w->d[t->stored[k]];
    if (hold->capacity < 0) {
        return part == ALONG_STATES ? stored : 0.0;
    }
    if (mode->slip != 0.0) {
        return part == AT_ONCE ? mode->slip * w->d[hold->capacity] : 0.0;
    }
    if (hold->inertia > 0.0) {
        return part == AT_ONCE ? hold->inertia * mode->gain * stored : 0.0;
    }
    return part == ALONG_STATES ? stored : mode->gain * stored;
}

// Its value, with the rate of what is stored in w->d;
static double equation_value(const tape *t, const tape_work *w, int k)
{
    const tape_hold *hold = &t->hold[k];
    const tape_mode *mode = &w->mode[k];
    double xi = w->v[tape_derivative(t, k)], stored = w->v[t->stored[k]];
    if (hold->capacity < 0) {
        return w->d[t->stored[k]] - xi;
    }
    if (mode->slip != 0.0) {
        return mode->slip * fmax(w->v[hold->capacity], 0.0) - xi;
    }
    double fades = mode->gain * stored + mode->offset;
    return hold->inertia > 0.0 ? hold->inertia * fades - xi : w->d[t->stored[k]] + fades;
}

// Whether the guess of an unknown stands in its own equation.
static double equation_self(const tape *t, const tape_work *w, int k)
{
    const tape_hold *hold = &t->hold[k];
    bool is_rate = hold->capacity >= 0 && w->mode[k].slip == 0.0 && !(hold->inertia > 0.0);
    return is_rate ? 0.0 : 1.0;
}

// D = -d (equations) / d (guesses).
static bool derivative_matrix(const tape *t, tape_work *w)
{
    int n = t->n_derivative;
    for (int j = 0; j < n; j++) {
        clear_direction(t, w->d);
        w->d[tape_derivative(t, j)] = 1.0;
        if (!follow(t, -1, w)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            w->D[i * n + j] = (i == j ? equation_self(t, w, i) : 0.0) - equation_change(t, w, i, AT_ONCE);
        }
        along_states(t, w);
        if (!follow(t, -1, w)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            w->D[i * n + j] -= equation_change(t, w, i, ALONG_STATES);
        }
    }
    return true;
}

// One Newton step of the guessed rates; false: no solution. *moved: relative change.
static bool correct_derivatives(const tape *t, const double *outside_rate, tape_work *w, double *moved)
{
    memcpy(w->d, w->v, (size_t)t->n_variable * sizeof *w->d);
    along_states(t, w); // reads rates from the values
    w->d[TAPE_T] = 1.0;
    for (int k = 0; outside_rate && k < t->n_outside; k++) {
        w->d[TAPE_OUTSIDE + k] = outside_rate[k];
    }
    if (!follow(t, -1, w)) {
        return false;
    }
    for (int k = 0; k < t->n_derivative; k++) {
        w->g[k] = equation_value(t, w, k);
    }
    if (!derivative_matrix(t, w) || !solve_copy(t->n_derivative, w->D, w->scratch, w->g)) {
        return false;
    }
    *moved = 0.0;
    for (int k = 0; k < t->n_derivative; k++) {
        double *unknown = &w->v[tape_derivative(t, k)];
        *unknown += w->g[k];
        *moved = fmax(*moved, fabs(w->g[k]) / (1.0 + fabs(*unknown)));
    }
    return isfinite(*moved);
}

// What is locked amplifies rounding of its flow: corrections that no longer shrink are that.
static bool is_all(const tape *t, double moved, double before)
{
    return moved <= 1e-13 || (t->n_hold > 0 && moved <= 1e-8 && moved >= 0.1 * before);
}

bool tape_solve(const tape *t, const double *outside_rate, tape_work *w)
{
    double before = INFINITY;
    w->v[TAPE_ONE] = 1.0;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        double moved = 0.0;
        if (!solve_torn(t, w)) {
            return false;
        }
        if (t->n_derivative == 0) {
            return true;
        }
        if (!correct_derivatives(t, outside_rate, w, &moved)) {
            return false;
        }
        if (is_all(t, moved, before)) {
            return solve_torn(t, w);
        }
        before = moved;
    }
    return false;
}

bool tape_can_lock(const tape *t, int *dependent, tape_work *w)
{
    static const double least = 1e-9; // a smaller rest of an equation is rounding of the others
    int n = t->n_derivative;
    if (!solve_torn(t, w) || !derivative_matrix(t, w)) {
        return true; // of what has no values yet nothing can be said
    }
    for (int i = 0; i < n * n; i++) {
        if (!isfinite(w->D[i])) {
            return true;
        }
    }
    return dense_rank(n, n, w->D, least, dependent) == n;
}

double tape_rate(const tape *t, const tape_work *w, int state) { return w->v[t->state[state].rate]; }

// ---- derivatives of the whole -----------------------------------------------------------------------------

// Changes of the unknown rates that a change of what is stored asks for (w->g, solved in place), put into the
// direction.
static bool move_unknowns(const tape *t, tape_work *w)
{
    if (!solve_copy(t->n_derivative, w->D, w->scratch, w->g)) {
        return false;
    }
    for (int k = 0; k < t->n_derivative; k++) {
        w->d[tape_derivative(t, k)] = w->g[k];
    }
    return true;
}

static void read_changes(const tape *t, tape_work *w, equation_part part)
{
    for (int k = 0; k < t->n_derivative; k++) {
        w->g[k] = (part == AT_ONCE ? 0.0 : w->g[k]) + equation_change(t, w, k, part);
    }
}

bool tape_tangent(const tape *t, int source, tape_work *w)
{
    if (t->n_derivative == 0) {
        return follow(t, source, w);
    }
    // first with the unknown rates as they are: how the states' rates change, and with them what is stored
    size_t given = (size_t)tape_derivative(t, 0) * sizeof *w->start;
    memcpy(w->start, w->d, given);
    for (int k = 0; k < t->n_derivative; k++) {
        w->d[tape_derivative(t, k)] = 0.0;
    }
    if (!follow(t, source, w)) {
        return false;
    }
    read_changes(t, w, AT_ONCE);
    along_states(t, w);
    if (!follow(t, -1, w)) {
        return false;
    }
    read_changes(t, w, ALONG_STATES);
    memcpy(w->d, w->start, given);
    return move_unknowns(t, w) && follow(t, source, w);
}

static void read_rates(const tape *t, const tape_work *w, double *matrix, int column, int columns)
{
    for (int i = 0; matrix && i < t->n_state; i++) {
        matrix[i * columns + column] = w->d[t->state[i].rate];
    }
}

// A source that changes changes what is stored at once: its rate asks for unknown rates (bond.7).
static bool rate_of_source(const tape *t, int source, tape_work *w)
{
    clear_direction(t, w->d);
    if (t->n_derivative == 0) {
        return true;
    }
    if (!follow(t, source, w)) {
        return false;
    }
    memset(w->g, 0, (size_t)t->n_derivative * sizeof *w->g);
    read_changes(t, w, ALONG_STATES);
    clear_direction(t, w->d);
    return move_unknowns(t, w) && follow(t, -1, w);
}

bool tape_linearise(const tape *t, tape_work *w, double *A, double *B, double *B_rate)
{
    for (int j = 0; A && j < t->n_state; j++) {
        clear_direction(t, w->d);
        w->d[tape_state_at(t, j)] = 1.0;
        if (!tape_tangent(t, -1, w)) {
            return false;
        }
        read_rates(t, w, A, j, t->n_state);
    }
    for (int j = 0; j < t->n_source && (B || B_rate); j++) {
        clear_direction(t, w->d);
        if (!tape_tangent(t, t->source_variable[j], w)) {
            return false;
        }
        read_rates(t, w, B, j, t->n_source);
        if (!rate_of_source(t, t->source_variable[j], w)) {
            return false;
        }
        read_rates(t, w, B_rate, j, t->n_source);
    }
    return true;
}

static void read_bonds(const tape *t, const tape_work *w, int n_bond, double *matrix, int column, int columns)
{
    for (int b = 0; b < n_bond; b++) {
        matrix[2 * b * columns + column] = w->d[t->effort[b]];
        matrix[(2 * b + 1) * columns + column] = w->d[t->flow[b]];
    }
}

bool tape_outputs(const tape *t, int n_bond, tape_work *w, double *C, double *D)
{
    for (int j = 0; j < t->n_state; j++) {
        clear_direction(t, w->d);
        w->d[tape_state_at(t, j)] = 1.0;
        if (!tape_tangent(t, -1, w)) {
            return false;
        }
        read_bonds(t, w, n_bond, C, j, t->n_state);
    }
    for (int j = 0; j < t->n_source; j++) {
        clear_direction(t, w->d);
        if (!tape_tangent(t, t->source_variable[j], w)) {
            return false;
        }
        read_bonds(t, w, n_bond, D, j, t->n_source);
    }
    return true;
}
