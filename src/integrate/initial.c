// SPDX-License-Identifier: MIT
// The initial problems: position by least squares, velocity by least kinetic energy, acceleration and multipliers by
// augmented Lagrangian iteration (initial.1 .. initial.5).
#include "integrate/algebra.h"
#include "sparse/dense.h"
#include <math.h>
#include <string.h>

// Amplitudes of flexible bodies: they stay at rest unless constraints move them.
static bool is_amplitude(const structure *st, int i)
{
    const char *what = st->variable_owner[i].what;
    return strcmp(what, "mode") == 0 || strcmp(what, "displacement") == 0;
}

// ---- position ------------------------------------------------------------------------------------------------

// Largest violation of position rows and held coordinates; remembers the row.
static double violation(stepper *s, const held_coordinate *held, int n_held, double share, const double *from)
{
    const structure *st = &s->d->structure;
    double most = 0.0;
    s->in.worst_row = -1;
    for (int r = 0; r < st->n_row; r++) {
        double phi = st->is_velocity[r] ? 0.0 : fabs(s->trays.rows.phi[r]);
        if (!(phi <= most)) {
            most = phi;
            s->in.worst_row = r;
        }
    }
    for (int k = 0; k < n_held; k++) {
        if (held[k].set_value) {
            double target = from[k] + share * (held[k].value - from[k]);
            most = fmax(most, fabs(s->now.q[held[k].variable] - target));
        }
    }
    return most;
}

// One Gauss-Newton step of least norm: (1 + G^T w G) dq = -G^T w phi, held coordinates as further rows.
static bool position_step(stepper *s, const held_coordinate *held, int n_held, double share,
                          const double *from)
{
    const structure *st = &s->d->structure;
    rows_weigh(s, WEIGH_FOR_POSITION);
    memset(s->trays.equations.M, 0, (size_t)st->tangent.nnz * sizeof *s->trays.equations.M);
    static const double bending = 1e4; // against moving: bodies are put together as they are drawn
    for (int j = 0; j < st->n; j++) {
        s->trays.equations.M[st->tangent.start[j + 1] - 1] =
            s->in.is_straight && is_amplitude(st, j) ? bending : 1.0;
    }
    for (int r = 0; r < st->n_row; r++) {
        s->in.weight[r] = st->is_velocity[r] ? 0.0 : s->in.weight[r];
        s->in.residual[r] = st->is_velocity[r] ? 0.0 : -s->in.weight[r] * s->trays.rows.phi[r];
    }
    tangent_build(s, 0.0, 0.0);
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    rows_apply(st, s->trays.equations.G, s->in.residual, s->right);
    for (int k = 0; k < n_held; k++) {
        if (held[k].set_value) {
            int i = held[k].variable;
            double target = from[k] + share * (held[k].value - from[k]);
            s->in.work.T[st->tangent.start[i + 1] - 1] += s->in.options.penalty;
            s->right[i] += s->in.options.penalty * (target - s->now.q[i]);
        }
    }
    if (!tangent_factor(s, 0.0)) {
        return false;
    }
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    return are_finite(s->right, st->n);
}

// Newton with step halving to phi = 0 with the held coordinates a share of the way to their values.
static bool solve_position(stepper *s, const held_coordinate *held, int n_held, double share,
                           const double *from, double goal)
{
    enum { ITERATIONS = 50, HALVINGS = 8 };
    const structure *st = &s->d->structure;
    double before = 0.0, best = INFINITY;
    memcpy(s->old.q, s->now.q, (size_t)st->n * sizeof *s->old.q);
    for (int i = 0; i <= ITERATIONS; i++) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
        double now = violation(s, held, n_held, share, from);
        if (now <= goal) {
            return true;
        }
        // a correction that makes things worse is taken back by halves
        double cut = 1.0;
        for (int k = 0; i > 0 && !(now < before) && k < HALVINGS; k++) {
            cut *= 0.5;
            for (int j = 0; j < st->n; j++) {
                s->now.q[j] -= cut * s->in.before.q[j];
            }
            dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
            now = violation(s, held, n_held, share, from);
        }
        before = now;
        if (now < best) {
            best = now;
            memcpy(s->old.q, s->now.q, (size_t)st->n * sizeof *s->old.q);
        }
        if (now <= goal) {
            return true;
        }
        if (i == ITERATIONS || !position_step(s, held, n_held, share, from)) {
            break;
        }
        for (int j = 0; j < st->n; j++) {
            s->in.before.q[j] = s->right[j];
            s->now.q[j] += s->right[j];
        }
    }
    // the nearest miss is what the user is told
    memcpy(s->now.q, s->old.q, (size_t)st->n * sizeof *s->now.q);
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
    return false;
}

bi_status initial_position(stepper *s, const held_coordinate *held, int n_held, double *worst)
{
    // rounding of a few operations on the largest coordinate
    const double goal = 1e-12 * fmax(1.0, s->d->structure.size);
    double *from = s->in.slope; // where the held coordinates start; there are no more of them than variables
    int n = n_held, parts = 1;
    for (int k = 0; k < n; k++) {
        from[k] = s->now.q[held[k].variable];
        // far values are approached by parts, so that Newton stays on the branch described
        if (held[k].set_value) {
            parts = (int)fmax(parts, ceil(fabs(held[k].value - from[k]) / 0.1));
        }
    }
    parts = parts < 1000 ? parts : 1000;
    bool ok = true;
    for (int k = 1; k <= parts && ok; k++) {
        ok = solve_position(s, held, n, (double)k / parts, from, k == parts ? goal : 1e-6);
    }
    *worst = violation(s, held, n, 1.0, from);
    // a mechanism that starts in a singular position converges slowly: accept what no user can see
    return ok || *worst <= 1e-9 * fmax(1.0, s->d->structure.size) ? BI_OK : BI_CANNOT_ASSEMBLE;
}

bi_status initial_position_straight(stepper *s, const held_coordinate *held, int n_held, double *worst)
{
    s->in.is_straight = true;
    bi_status status = initial_position(s, held, n_held, worst);
    s->in.is_straight = false;
    return status;
}

// ---- inertia and velocity -------------------------------------------------------------------------------------

// Every direction of the tree has inertia, whatever constraints there are (initial.3): in time linear in the bodies.
static bool tree_has_inertia(stepper *s)
{
    return s->d->set->massless &&
           s->d->set->massless(s->d->coordinates, &s->now, &s->trays.motion, s->in.slope) < 0;
}

bi_status initial_inertia(stepper *s)
{
    // a moderate penalty, so that a pivot without inertia stands out of the rounding noise (initial.3)
    static const double moderate = 1e3, noise = 1e-11;
    if (tree_has_inertia(s)) {
        rows_weigh(s, WEIGH_BY_MASS);
        return BI_OK;
    }
    double penalty = s->in.options.penalty;
    s->in.options.penalty = moderate;
    rows_weigh(s, WEIGH_BY_MASS);
    tangent_build(s, 0.0, 0.0);
    bool ok = tangent_factor(s, noise);
    s->in.options.penalty = penalty;
    rows_weigh(s, WEIGH_BY_MASS);
    return ok ? BI_OK : BI_SINGULAR;
}

// Rates of amplitudes at rest, far heavier than their inertia and far lighter than any constraint (initial.2).
static void hold_amplitudes(stepper *s)
{
    static const double heavy = 1e5;
    const structure *st = &s->d->structure;
    for (int i = 0; i < st->n; i++) {
        if (is_amplitude(st, i)) {
            int diagonal = st->tangent.start[i + 1] - 1;
            double weight = heavy * s->trays.equations.M[diagonal];
            s->in.work.T[diagonal] += weight;
            s->right[i] -= weight * s->now.v[i];
        }
    }
}

// Without rows, and with few rates held: impulses on the coordinates that are held, each felt by the whole tree
// (initial.2). False: there are too many.
static bool hold_rates_of_tree(stepper *s, const held_coordinate *held, int n_held)
{
    enum { FEW = 16 };
    int n = s->d->structure.n, which[FEW], count = 0;
    double A[FEW * FEW], x[FEW];
    for (int k = 0; k < n_held; k++) {
        if (held[k].set_rate && count == FEW) {
            return false;
        }
        if (held[k].set_rate) {
            x[count] = held[k].rate - s->now.v[held[k].variable];
            which[count++] = held[k].variable;
        }
    }
    double *response = s->in.slope; // one after the other
    for (int pass = 0; pass < 2 && count > 0; pass++) {
        for (int j = 0; j < count; j++) {
            memset(s->right, 0, (size_t)n * sizeof *s->right);
            s->right[which[j]] = pass == 0 ? 1.0 : x[j];
            s->d->set->accelerate(s->d->coordinates, &s->now, &s->trays.motion, s->right, response);
            for (int i = 0; i < count && pass == 0; i++) {
                A[i * count + j] = response[which[i]];
            }
            for (int i = 0; i < n && pass == 1; i++) {
                s->now.v[i] += response[i];
            }
        }
        if (pass == 0 && !dense_solve(count, A, x)) {
            return false;
        }
    }
    for (int j = 0, k = 0; k < n_held; k++) {
        if (held[k].set_rate) {
            s->now.v[which[j++]] = held[k].rate;
        }
    }
    return true;
}

bi_status initial_velocity(stepper *s, const held_coordinate *held, int n_held, double *worst)
{
    enum { ITERATIONS = 8, FEWEST = 3 };
    const structure *st = &s->d->structure;
    bool has_amplitudes = false;
    for (int i = 0; i < st->n && !s->in.is_given; i++) {
        has_amplitudes = has_amplitudes || is_amplitude(st, i);
    }
    if (st->n_row == 0 && !has_amplitudes && s->d->set->accelerate && hold_rates_of_tree(s, held, n_held)) {
        *worst = 0.0;
        return BI_OK;
    }
    for (int pass = 0; pass < ITERATIONS; pass++) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_ALL | LAW_EXPLICIT);
        tangent_build(s, 0.0, 0.0);
        *worst = 0.0;
        s->in.worst_row = -1;
        for (int r = 0; r < st->n_row; r++) {
            double rate = st->is_velocity[r]
                              ? s->trays.rows.phi[r]
                              : row_dot(st, s->trays.equations.G, r, s->now.v) + s->trays.rows.phi_t[r];
            s->in.residual[r] = -s->in.weight[r] * rate;
            if (!(fabs(rate) <= *worst)) {
                *worst = fabs(rate);
                s->in.worst_row = r;
            }
        }
        memset(s->right, 0, (size_t)st->n * sizeof *s->right);
        rows_apply(st, s->trays.equations.G, s->in.residual, s->right);
        for (int k = 0; k < n_held; k++) {
            if (held[k].set_rate) {
                int i = held[k].variable;
                // as heavy as the heaviest penalty on this variable, so that no unit matters; a joint coordinate may
                // have no row, then as heavy as the penalty on its own inertia
                int diagonal = st->tangent.start[i + 1] - 1;
                double heavy =
                    fmax(s->in.work.T[diagonal], s->in.options.penalty * s->trays.equations.M[diagonal]);
                heavy = heavy > 0.0 ? heavy : 1.0;
                s->in.work.T[st->tangent.start[i + 1] - 1] += heavy;
                s->right[i] += heavy * (held[k].rate - s->now.v[i]);
                *worst = fmax(*worst, fabs(held[k].rate - s->now.v[i]));
            }
        }
        if (has_amplitudes) {
            hold_amplitudes(s);
        }
        if (!tangent_factor(s, 0.0)) {
            return BI_SINGULAR;
        }
        if (*worst <= 1e-13 * fmax(1.0, largest(s->now.v, st->n)) && (pass >= FEWEST || !has_amplitudes)) {
            return BI_OK;
        }
        solver_solve(s->in.fac, s->in.work.numeric, s->right);
        for (int i = 0; i < st->n; i++) {
            s->now.v[i] += s->right[i];
        }
    }
    return *worst <= 1e-8 * fmax(1.0, largest(s->now.v, st->n)) ? BI_OK : BI_CANNOT_ASSEMBLE;
}

bi_status initial_velocity_given(stepper *s, double *worst)
{
    s->in.is_given = true;
    bi_status status = initial_velocity(s, NULL, 0, worst);
    s->in.is_given = false;
    return status;
}

// ---- acceleration -----------------------------------------------------------------------------------------------

void acceleration_correct(stepper *s, double *a, const double *mu)
{
    const structure *st = &s->d->structure;
    const double *G = s->trays.equations.G;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, a, s->product);
    if (s->in.is_corrected) {
        phase_multiply(s->in.vibrations, s->in.lost_inertia, a, s->product);
    }
    rows_dot(st, G, a, s->in.residual);
    for (int r = 0; r < st->n_row; r++) {
        s->in.residual[r] = mu[r] + s->in.weight[r] * (s->in.residual[r] + s->trays.rows.gamma[r]);
    }
    rows_apply(st, G, s->in.residual, s->product);
    for (int i = 0; i < st->n; i++) {
        s->right[i] = s->trays.equations.Q[i] - s->product[i];
    }
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    for (int i = 0; i < st->n; i++) {
        a[i] += s->right[i];
    }
}

void multipliers_follow(stepper *s, const double *a, double *mu)
{
    const structure *st = &s->d->structure;
    rows_dot(st, s->trays.equations.G, a, s->in.product_row);
    for (int r = 0; r < st->n_row; r++) {
        mu[r] += s->in.weight[r] * (s->in.product_row[r] + s->trays.rows.gamma[r]);
    }
}

// Multipliers carry the rounding of weight times acceleration: a lighter penalty than that of the step, and more
// iterations, give cleaner ones (initial.5).
static const double light = 0x1p-10; // a power of two: taken back without rounding

static void scale_weights(stepper *s, double factor)
{
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->in.weight[r] *= factor;
    }
}

static bool acceleration_factor(stepper *s, coords *at)
{
    s->trays.z_old = at->z;
    s->trays.dz_old = at->dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, at, &s->trays,
                      LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL | s->in.left_out);
    tangent_build(s, 0.0, 0.0);
    if (s->in.is_corrected) {
        phase_tangent(s->in.vibrations, s->in.lost_inertia, s->in.work.T);
    }
    return tangent_factor(s, 0.0);
}

// With further forces, or NULL: iterates accelerations and multipliers of `at` until nothing changes; the motion of the trays is then that of `at`.
static bi_status acceleration_solve(stepper *s, coords *at, const double *force)
{
    enum { ITERATIONS = 30 };
    int n = s->d->structure.n;
    bi_status status = acceleration_factor(s, at) ? BI_OK : BI_SINGULAR;
    double before = 0.0;
    for (int i = 0; force && i < n; i++) {
        s->trays.equations.Q[i] += force[i];
    }
    for (int i = 0; i < ITERATIONS && status == BI_OK; i++) {
        acceleration_correct(s, at->a, at->lambda);
        multipliers_follow(s, at->a, at->lambda);
        double change = largest(s->right, n) / fmax(largest(at->a, n), 1e-30);
        status = isfinite(change) ? BI_OK : BI_NOT_FINITE;
        // done, or as good as rounding allows
        if (i > 0 && (change <= 1e-14 || change >= before)) {
            break;
        }
        before = change;
    }
    return status;
}

// A tree without constraints: time linear in the bodies.
static bi_status accelerate_tree(stepper *s)
{
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_FORCES | s->in.left_out);
    s->d->set->accelerate(s->d->coordinates, &s->now, &s->trays.motion, s->trays.equations.Q, s->now.a);
    memcpy(s->now.drive, s->now.a, (size_t)s->d->structure.n_q * sizeof *s->now.drive);
    return are_finite(s->now.a, s->d->structure.n) ? BI_OK : BI_NOT_FINITE;
}

bi_status first_acceleration(stepper *s)
{
    s->in.left_out = LAW_FIRST;
    bi_status status = initial_acceleration(s);
    s->in.left_out = 0;
    return status;
}

bi_status initial_acceleration(stepper *s)
{
    const structure *st = &s->d->structure;
    if (st->n_row == 0 && st->n > 0 && s->d->set->accelerate && !has_phase(s)) {
        return accelerate_tree(s);
    }
    memset(s->now.a, 0, (size_t)st->n_q * sizeof *s->now.a);
    memset(s->now.lambda, 0, (size_t)st->n_row * sizeof *s->now.lambda);
    memset(s->in.sigma, 0, (size_t)st->n_row * sizeof *s->in.sigma);
    s->in.is_corrected = has_phase(s);
    // from nothing: the heavy penalty first, since long levers make the light one converge slowly (a scissor lift of
    // twelve stages was 3 % off), then the light one for clean multipliers
    bi_status status = acceleration_solve(s, &s->now, NULL);
    if (status == BI_OK) {
        scale_weights(s, light);
        status = acceleration_solve(s, &s->now, NULL);
        scale_weights(s, 1.0 / light);
    }
    s->in.is_corrected = false;
    memcpy(s->now.drive, s->now.a, (size_t)st->n_q * sizeof *s->now.drive);
    return status;
}

bi_status reaction_pass(stepper *s, const coords *from, coords *copy)
{
    const structure *st = &s->d->structure;
    coords_copy(s->d, from, copy);
    for (int r = 0; r < st->n_row; r++) {
        copy->lambda[r] += s->in.sigma[r];
    }
    int64_t factors = s->in.n_factor;
    scale_weights(s, light);
    bi_status status = acceleration_solve(s, copy, NULL);
    scale_weights(s, 1.0 / light);
    s->in.n_factor = factors;
    return status == BI_OK && !are_finite(copy->lambda, st->n_row) ? BI_NOT_FINITE : status;
}

bi_status forced_pass(stepper *s, const coords *from, const double *force, coords *copy)
{
    const structure *st = &s->d->structure;
    coords_copy(s->d, from, copy);
    memset(copy->a, 0, (size_t)st->n_q * sizeof *copy->a);
    memset(copy->lambda, 0, (size_t)st->n_row * sizeof *copy->lambda);
    int64_t factors = s->in.n_factor;
    // from nothing, as at the start
    bi_status status = acceleration_solve(s, copy, force);
    if (status == BI_OK) {
        scale_weights(s, light);
        status = acceleration_solve(s, copy, force);
        scale_weights(s, 1.0 / light);
    }
    s->in.n_factor = factors;
    return status == BI_OK && !(are_finite(copy->a, st->n) && are_finite(copy->lambda, st->n_row))
               ? BI_NOT_FINITE
               : status;
}
