// SPDX-License-Identifier: MIT
// ALI3-P: index-3 augmented Lagrangian with the trapezoidal rule and projections of velocities and accelerations
// (docs/theory/ali3p.md).
#include "integrate/stepper.h"
#include <math.h>
#include <string.h>

// Violation per row; multipliers and penalties that answer it. fA = h^2/4, fV = h/2: alpha = weight / fA or / fV.
// Generalised-alpha (ali3p.13 .. ali3p.16): fA and fV follow from the same rules with its coefficients.
typedef struct {
    double h, fA, fV;
    double first, second, third; // what dq adds to v, a and the algorithmic acceleration
    double am, af, beta, gamma;
} factors;

// The trapezoidal rule has one acceleration only, which is also the algorithmic one.
static factors factors_make(double h, double rho)
{
    factors f = {
        .h = h, .fA = 0.25 * h * h, .fV = 0.5 * h, .am = 0.5, .af = 0.5, .beta = 0.25, .gamma = 0.5
    };
    f.first = 1.0 / f.fV;
    f.second = f.third = 1.0 / f.fA;
    if (rho < 1.0) {
        f.am = (2.0 * rho - 1.0) / (rho + 1.0);
        f.af = rho / (rho + 1.0);
        f.gamma = 0.5 - f.am + f.af;
        f.beta = 0.25 * (f.gamma + 0.5) * (f.gamma + 0.5);
        f.first = f.gamma / (f.beta * h);
        f.third = 1.0 / (f.beta * h * h);
        f.second = f.third * (1.0 - f.am) / (1.0 - f.af);
        f.fA = 1.0 / f.second;
        f.fV = f.fA * f.first;
    }
    return f;
}

static double penalty(const stepper *s, const factors *f, int r)
{
    return s->weight[r] / (s->d->structure.is_velocity[r] ? f->fV : f->fA);
}

// lambda* += alpha phi, with phi after the correction (ali3p.4)
static void follow_violation(stepper *s, const factors *f)
{
    for (int r = 0; r < s->d->structure.n_row; r++) {
        s->now.lambda[r] += penalty(s, f, r) * s->trays.rows.phi[r];
    }
}

// right = fA (Q - M a - G^T (lambda* + alpha phi)) (ali3p.2)
static void residual_build(stepper *s, const factors *f)
{
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->now.a, s->product);
    for (int r = 0; r < st->n_row; r++) {
        s->residual[r] = s->now.lambda[r] + penalty(s, f, r) * s->trays.rows.phi[r];
    }
    rows_apply(st, s->trays.equations.G, s->residual, s->product);
    for (int i = 0; i < st->n; i++) {
        s->right[i] = f->fA * (s->trays.equations.Q[i] - s->product[i]);
    }
}

static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static void predict(stepper *s, const factors *f)
{
    double h = f->h;
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        c->q[i] += h * c->v[i] + 0.5 * h * h * c->a[i];
        c->v[i] += h * c->a[i];
    }
    c->t += h;
    // multipliers start from nothing: carried over, what redundant rows hold in the null space of G would pile up and
    // turn with the motion into forces (ali3p.4)
    memset(c->lambda, 0, (size_t)s->d->structure.n_row * sizeof *c->lambda);
}

// The same with the algorithmic acceleration, from an acceleration that does not change (ali3p.15).
static void predict_alpha(stepper *s, const factors *f)
{
    double h = f->h;
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        double from = c->drive[i], to = (c->a[i] - f->am * from) / (1.0 - f->am);
        c->q[i] += h * c->v[i] + h * h * ((0.5 - f->beta) * from + f->beta * to);
        c->v[i] += h * ((1.0 - f->gamma) * from + f->gamma * to);
        c->drive[i] = to;
    }
    c->t += h;
    memset(c->lambda, 0, (size_t)s->d->structure.n_row * sizeof *c->lambda);
}

static void correct(stepper *s, const factors *f)
{
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        double dq = s->right[i];
        c->q[i] += dq;
        c->v[i] += f->first * dq;
        c->a[i] += f->second * dq;
        c->drive[i] += f->third * dq;
    }
}

// Tangents of contacts and tyres cost more than the rest of an iteration: where nothing else turns with the motion, one of them
// serves several iterations (ali3p.17).
static bool keeps_tangent(const dynamics *d)
{
    return d->plan.n_block > 0 && d->plan.n_memory > 0 && d->has_steady_rows;
}

// Penalties forbid what their gradients say: a factor whose gradients are others would hold the motion back.
static bool gradients_have_changed(const stepper *s)
{
    static const double little = 1e-6;
    const double *here = s->trays.equations.G, *there = s->G_factor;
    for (int k = 0; k < s->d->structure.n_G; k++) {
        if (!(fabs(here[k] - there[k]) <= little * fmax(fabs(here[k]), 1.0))) {
            return true;
        }
    }
    return false;
}

typedef struct {
    bool wants_tangent; // stiffness and damping of here; else those of the last iteration that wanted them
    bool has_factored;  // else with the factor of before
    double size;        // of the correction
} iteration;

// The equations at `now` and the correction they ask for.
static bi_status correct_once(stepper *s, const factors *f, int i, iteration *it)
{
    unsigned tangent = it->wants_tangent ? LAW_TANGENT : 0;
    // who has not settled by now stands where a choice jumps: it stays as it is (contact.12)
    unsigned keep = i > (s->options.iterations + 1) / 2 ? LAW_KEEP : 0;
    unsigned again = i > 1 ? LAW_AGAIN : 0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_ALL | tangent | keep | again);
    if (i > 1) {
        follow_violation(s, f);
    }
    s->n_iteration++;
    it->has_factored = it->wants_tangent || gradients_have_changed(s);
    if (it->has_factored) {
        tangent_build(s, f->fA, f->fV);
        if (!tangent_factor(s, 0.0)) {
            return BI_SINGULAR;
        }
    }
    residual_build(s, f);
    if (it->has_factored) {
        gradients_keep(s);
    }
    solver_solve(s->fac, s->numeric, s->right);
    correct(s, f);
    it->size = norm(s->right, s->d->structure.n);
    return isfinite(it->size) ? BI_OK : BI_NOT_FINITE;
}

// Newton on the step's equilibrium (ali3p.3). Leaves the factor and its gradients for the projections.
static bi_status solve_step(stepper *s, const factors *f)
{
    // corrections that shrink less than this ask for a tangent of where they have come to
    static const double slow = 0.1;
    int n = s->d->structure.n;
    double scale = fmax(largest(s->now.q, s->d->structure.n_q), s->d->structure.size);
    // corrections below the rounding of the largest coordinate mean nothing
    double goal = 0.0, before = 0.0, floor = 5e-15 * scale * sqrt((double)n);
    bool keeps = keeps_tangent(s->d);
    iteration it = { .wants_tangent = true };
    for (int i = 1; i <= s->options.iterations; i++) {
        bi_status status = correct_once(s, f, i, &it);
        if (status != BI_OK) {
            return status;
        }
        // with one factor each correction is the same part of the one before: what is still to come is known
        double ratio = it.size / before;
        double left = it.has_factored || !(ratio < slow) ? it.size : ratio * it.size / (1.0 - ratio);
        if (i == 1) {
            goal = fmax(s->options.tolerance * it.size, floor);
        } else if (left <= goal) {
            return BI_OK;
        }
        it.wants_tangent = !keeps || (i > 1 && !(ratio < slow));
        before = it.size;
    }
    return BI_NOT_CONVERGED;
}

// x += T^-1 (-G_factor^T weight residual): one projection as an increment with the factor's own gradients (ali3p.7)
static void project(stepper *s, double *x)
{
    const structure *st = &s->d->structure;
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    for (int r = 0; r < st->n_row; r++) {
        s->residual[r] *= -s->weight[r];
    }
    rows_apply(st, s->G_factor, s->residual, s->right);
    solver_solve(s->fac, s->numeric, s->right);
    for (int i = 0; i < st->n; i++) {
        x[i] += s->right[i];
    }
}

static void project_velocity(stepper *s)
{
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    for (int k = 0; k < st->n_row; k++) {
        s->residual[k] =
            st->is_velocity[k] ? r->phi[k] : row_dot(st, s->trays.equations.G, k, s->now.v) + r->phi_t[k];
    }
    project(s, s->now.v);
}

static void project_acceleration(stepper *s)
{
    const structure *st = &s->d->structure;
    for (int k = 0; k < st->n_row; k++) {
        s->residual[k] = row_dot(st, s->trays.equations.G, k, s->now.a) + s->trays.rows.gamma[k];
    }
    project(s, s->now.a);
    // what the projection adds to the multipliers: its own, from what is left (ali3p.8)
    for (int k = 0; k < st->n_row; k++) {
        s->sigma[k] =
            s->weight[k] * (row_dot(st, s->trays.equations.G, k, s->now.a) + s->trays.rows.gamma[k]);
    }
}

bi_status ali3p_step(stepper *s, double h)
{
    factors f = factors_make(h, 1.0 - s->options.damping);
    bool is_trapezoidal = !(s->options.damping > 0.0);
    s->trays.signals.h = h;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    if (is_trapezoidal) {
        predict(s, &f);
    } else {
        predict_alpha(s, &f);
    }
    bi_status status = solve_step(s, &f);
    if (status != BI_OK && status != BI_NOT_CONVERGED) {
        return status;
    }

    // positions are done; multipliers, velocities and accelerations follow
    if (s->d->structure.n_row > 0) {
        dynamics_evaluate(s->d, &s->now, &s->trays,
                          LAW_POSITION | LAW_AGAIN | (s->d->has_steady_rows ? LIFT_JOINTS : 0));
    }
    follow_violation(s, &f);
    project_velocity(s);
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND | LAW_AGAIN);
    project_acceleration(s);
    // the algorithmic acceleration is never projected; the trapezoidal rule has none of its own (ali3p.16)
    if (is_trapezoidal) {
        memcpy(s->now.drive, s->now.a, (size_t)s->d->structure.n * sizeof *s->now.drive);
    }
    return status;
}
