// SPDX-License-Identifier: MIT
// Statics by load steps and dynamics by the generalised-alpha scheme on rotations (yardstick.11 to yardstick.14).
// Joints are kept by an augmented Lagrangian inside the same Newton iteration, so that the matrix stays symmetric and
// positive and the sparse factor of the engine serves.
#include "exact/elements/inside.h"
#include "math/elementary.h"
#include <math.h>
#include <string.h>

// Against the largest stiffness: what is left of a gap after one iteration is less than its inverse, and the softest
// motions keep enough digits.
static const double penalty_factor = 1e4;

// ---- kinematics --------------------------------------------------------------------------------------------

// A turn as driven at time t; its spin and spin rate in its own axes.
static void turn_driven(yard *y, int turn, double t)
{
    const turn_def *d = &y->turn0[turn];
    jet angle = d->drive.at ? d->drive.at(d->drive.ctx, t) : (jet){ 0 };
    y->rot[turn] = quat_multiply(quat_from_axis_angle(d->axis, angle.v), d->rot0);
    vec3 own = quat_rotate(quat_conjugate(y->rot[turn]), d->axis);
    for (int k = 0; k < 3; k++) {
        int i = component_of_turn(y, turn, k);
        y->v[i] = (&own.x)[k] * angle.d;
        y->a[i] = (&own.x)[k] * angle.dd;
    }
    y->x[component_of_turn(y, turn, 2)] = angle.v;
}

void yard_move(yard *y, double t)
{
    y->t = t;
    for (int i = 0; i < 3 * y->n_place; i++) {
        y->x[i] = y->x_old[i] + y->delta[i];
    }
    const vec3 ez = { 0.0, 0.0, 1.0 };
    for (int k = 0; k < y->n_turn; k++) {
        int z = component_of_turn(y, k, 2);
        if (y->turn0[k].is_driven) {
            turn_driven(y, k, t);
            if (y->is_planar) {
                y->x[z] += 2.0 * math_atan2(y->turn0[k].rot0.z, y->turn0[k].rot0.w);
            }
        } else if (y->is_planar) {
            y->x[z] = y->x_old[z] + y->delta[z];
        } else {
            y->rot[k] = quat_normalized(quat_multiply(y->rot_old[k], quat_exp(turn_get(y, y->delta, k))));
        }
        if (!y->is_planar) {
            y->axes[k] = quat_to_mat3(y->rot[k]);
        } else if (y->needs_axes[k]) {
            y->axes[k] = mat3_from_axis_angle(ez, y->x[z]);
        }
    }
}

// ---- equations ---------------------------------------------------------------------------------------------

// Penalties from the largest stiffness, then p G^T G. The gradients of the matrix are kept: corrections that use an
// older factor must use its gradients too.
static void rows_stiffen(yard *y)
{
    double stiffest[2] = { 0.0, 0.0 }; // of places, of turns
    for (int i = 0; i < y->n_all; i++) {
        int j = y->freedom[i], is_turn = i >= 3 * y->n_place;
        if (j >= 0) {
            stiffest[is_turn] = fmax(stiffest[is_turn], y->value[y->pat.start[j + 1] - 1]);
        }
    }
    for (int k = 0; k < y->n_row; k++) {
        row *r = &y->row[k];
        int is_turn = r->kind == ROW_PERPENDICULAR || r->kind == ROW_ANGLE;
        r->penalty = penalty_factor * (stiffest[is_turn] > 0.0 ? stiffest[is_turn] : 1.0);
        memcpy(r->coef_factor, r->coef, sizeof r->coef);
    }
    for (int k = 0; k < y->n_row; k++) {
        const row *r = &y->row[k];
        for (int j = 0; j < r->count; j++) {
            for (int i = 0; i <= j; i++) {
                int at = r->where[pair_index(i, j)];
                // the same component twice (both points on one body): both mixed terms fall on the diagonal
                double twice = i != j && r->entry[i] == r->entry[j] ? 2.0 : 1.0;
                if (at >= 0) {
                    y->value[at] += twice * r->penalty * r->coef[i] * r->coef[j];
                }
            }
        }
    }
}

void yard_assemble(yard *y, yard_want want)
{
    memset(y->force, 0, (size_t)y->n_all * sizeof *y->force);
    if (want == FORCES_AND_TANGENT) {
        memset(y->value, 0, (size_t)y->pat.nnz * sizeof *y->value);
    }
    planar_beams_add(y, want);
    spatial_beams_add(y, want);
    quads_add(y, want);
    rigids_add(y, want);
    springs_add(y, want);
    if (y->has_loads) {
        loads_add(y);
    }
    rows_evaluate(y);
    for (int k = 0; k < y->n_row; k++) {
        const row *r = &y->row[k];
        for (int i = 0; i < r->count; i++) {
            y->force[r->entry[i]] += r->lambda * r->coef[i];
        }
    }
    if (want == FORCES_AND_TANGENT) {
        rows_stiffen(y);
    }
}

// One correction: solves for it, moves the multipliers; gives its size (yardstick.13).
static double correct(yard *y)
{
    for (int i = 0; i < y->n_all; i++) {
        if (y->freedom[i] >= 0) {
            y->b[y->freedom[i]] = -y->force[i];
        }
    }
    for (int k = 0; k < y->n_row; k++) {
        const row *r = &y->row[k];
        for (int i = 0; i < r->count; i++) {
            int j = y->freedom[r->entry[i]];
            if (j >= 0) {
                y->b[j] -= r->penalty * r->phi * r->coef_factor[i];
            }
        }
    }
    solver_solve(y->solver, y->numeric, y->b);
    double size = 0.0;
    for (int i = 0; i < y->n_all; i++) {
        int j = y->freedom[i];
        if (j < 0) {
            continue;
        }
        double own = fabs(y->b[j]) / (i < 3 * y->n_place ? y->size : 1.0);
        size = own > size || isnan(own) ? own : size;
        y->delta[i] += y->b[j];
        y->smooth[i] += y->b[j] * y->f_smooth;
    }
    for (int k = 0; k < y->n_row; k++) {
        row *r = &y->row[k];
        double gap = r->phi;
        for (int i = 0; i < r->count; i++) {
            int j = y->freedom[r->entry[i]];
            gap += j >= 0 ? r->coef_factor[i] * y->b[j] : 0.0;
        }
        r->lambda += r->penalty * gap;
    }
    return size;
}

static bool refactor(yard *y)
{
    y->counts.factors++;
    // a negative pivot is an unstable equilibrium, not a mistake
    return solver_factor(y->solver, y->value, y->numeric, -1e300) < 0;
}

// ---- statics -----------------------------------------------------------------------------------------------

static void settle(yard *y)
{
    memcpy(y->x_old, y->x, (size_t)y->n_all * sizeof *y->x);
    memcpy(y->rot_old, y->rot, (size_t)y->n_turn * sizeof *y->rot);
    memset(y->delta, 0, (size_t)y->n_all * sizeof *y->delta);
}

static bi_status equilibrate(yard *y, double t, double tolerance, int iterations)
{
    for (int it = 0; it < iterations; it++) {
        yard_move(y, t);
        yard_assemble(y, FORCES_AND_TANGENT);
        y->counts.iterations++;
        if (!refactor(y)) {
            return BI_SINGULAR;
        }
        double size = correct(y);
        if (!isfinite(size)) {
            return BI_NOT_FINITE;
        }
        // turns are collected at every iteration: their corrections do not add
        yard_move(y, t);
        settle(y);
        if (size <= tolerance) {
            return BI_OK;
        }
    }
    return BI_NOT_CONVERGED;
}

bi_status yard_static(yard *y, double t, int steps, const yard_options *o)
{
    y->f_mass = y->f_rate = y->f_smooth = 0.0;
    y->has_factor = false;
    y->has_loads = true;
    memset(y->v, 0, (size_t)y->n_all * sizeof *y->v);
    memset(y->a, 0, (size_t)y->n_all * sizeof *y->a);
    settle(y);
    bi_status status = BI_OK;
    for (int k = 1; k <= steps && status == BI_OK; k++) {
        y->scale = (double)k / steps;
        status = equilibrate(y, t, o->tolerance > 0.0 ? o->tolerance : 1e-12,
                             o->iterations > 0 ? o->iterations : 60);
        y->counts.steps++;
    }
    y->scale = 1.0;
    memset(y->v, 0, (size_t)y->n_all * sizeof *y->v);
    memset(y->a, 0, (size_t)y->n_all * sizeof *y->a);
    return status;
}

// ---- dynamics ----------------------------------------------------------------------------------------------

// Accelerations at rest under weight and drives: the tangent of a step so short that only the mass counts. Given forces
// stay out: one that jumps at the start would give light freedoms accelerations that are of no use to the first steps.
static void accelerate(yard *y)
{
    const double shortest = 1e24; // 1/s2: above the square of every frequency
    y->f_mass = shortest;
    y->f_rate = y->f_smooth = 0.0;
    y->has_loads = false;
    yard_assemble(y, FORCES_AND_TANGENT);
    for (int k = 0; k < y->n_row; k++) {
        y->row[k].phi = 0.0; // rows of accelerations: at rest nothing is left on their right side
    }
    if (refactor(y)) {
        correct(y);
        for (int i = 0; i < y->n_all; i++) {
            if (y->freedom[i] >= 0) {
                y->a[i] = y->smooth[i] = shortest * y->delta[i];
            }
        }
    }
    memset(y->delta, 0, (size_t)y->n_all * sizeof *y->delta);
    y->has_loads = true;
    y->counts = (yard_statistics){ 0 };
}

bi_status yard_start(yard *y)
{
    memset(y->x, 0, (size_t)y->n_all * sizeof *y->x);
    memset(y->v, 0, (size_t)y->n_all * sizeof *y->v);
    memset(y->a, 0, (size_t)y->n_all * sizeof *y->a);
    memset(y->smooth, 0, (size_t)y->n_all * sizeof *y->smooth);
    for (int k = 0; k < y->n_place; k++) {
        place_add(y->x, k, y->place0[k]);
    }
    for (int k = 0; k < y->n_turn; k++) {
        y->rot[k] = y->turn0[k].rot0;
        y->x[component_of_turn(y, k, 2)] = y->is_planar ? 2.0 * math_atan2(y->rot[k].z, y->rot[k].w) : 0.0;
    }
    for (int k = 0; k < y->n_start; k++) {
        place_add(y->v, (y->start[k].is_turn ? y->n_place : 0) + y->start[k].index, y->start[k].v);
    }
    for (int i = 0; i < y->n_all; i++) {
        y->v[i] = y->freedom[i] >= 0 ? y->v[i] : 0.0;
    }
    for (int k = 0; k < y->n_row; k++) {
        y->row[k].lambda = 0.0;
    }
    y->counts = (yard_statistics){ 0 };
    y->has_factor = false;
    settle(y);
    yard_move(y, 0.0);
    rows_evaluate(y);
    // what a guide keeps is where it stands; angles between turns count from there
    for (int k = 0; k < y->n_row; k++) {
        row *r = &y->row[k];
        if (r->kind == ROW_GUIDE) {
            r->constant += r->phi;
        }
    }
    accelerate(y);
    return BI_OK;
}

// Numbers of the scheme for one step.
typedef struct {
    double h, am, af, gamma, beta;
} scheme;

static scheme scheme_of(const yard_options *o)
{
    double r = o->rho_inf, am = (2.0 * r - 1.0) / (r + 1.0), af = r / (r + 1.0), gamma = 0.5 - am + af;
    return (scheme){ o->h, am, af, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5) };
}

// Displacement, velocity and acceleration of the freedoms for the present `smooth` accelerations (yardstick.12).
static void follow(yard *y, const scheme *s)
{
    double h = s->h;
    for (int i = 0; i < y->n_all; i++) {
        if (y->freedom[i] < 0) {
            continue;
        }
        double now = y->smooth[i], old = y->smooth_old[i];
        y->delta[i] = h * y->v_old[i] + h * h * ((0.5 - s->beta) * old + s->beta * now);
        y->v[i] = y->v_old[i] + h * ((1.0 - s->gamma) * old + s->gamma * now);
        y->a[i] = ((1.0 - s->am) * now + s->am * old - s->af * y->a_old[i]) / (1.0 - s->af);
    }
}

typedef enum { START_SMOOTH, START_STRAIGHT } start_kind;

// First guess: the acceleration goes on, or the places go straight on (when a load has jumped, accelerations of light
// freedoms are of no use).
static void guess(yard *y, const scheme *s, start_kind start)
{
    for (int i = 0; i < y->n_all; i++) {
        double old = y->smooth_old[i];
        y->smooth[i] = start == START_SMOOTH ? (y->a_old[i] - s->am * old) / (1.0 - s->am)
                                             : -(0.5 - s->beta) / s->beta * old;
    }
}

static bi_status newton(yard *y, const yard_options *o, const scheme *s)
{
    double tolerance = o->tolerance > 0.0 ? o->tolerance : fmin(1e-10, 1e-4 * s->h * s->h), before = INFINITY;
    int most = o->iterations > 0 ? o->iterations : 30;
    bool is_stale = !y->has_factor;
    for (int it = 0; it < most; it++) {
        follow(y, s);
        yard_move(y, y->t);
        yard_assemble(y, is_stale ? FORCES_AND_TANGENT : FORCES_ONLY);
        y->counts.iterations++;
        if (is_stale) {
            if (!refactor(y)) {
                return BI_SINGULAR;
            }
            y->has_factor = true;
            is_stale = false;
        }
        double size = correct(y);
        if (!isfinite(size) || size > 1e6) {
            return BI_NOT_CONVERGED;
        }
        double rate = size / before;
        // what is left after this correction is about rate/(1 - rate) of it
        if (size <= tolerance || (it > 0 && rate < 0.5 && size * rate / (1.0 - rate) <= 0.1 * tolerance)) {
            follow(y, s);
            yard_move(y, y->t);
            return BI_OK;
        }
        is_stale = rate > 0.2 && it > 0;
        before = size;
    }
    return BI_NOT_CONVERGED;
}

static void keep_old(yard *y)
{
    settle(y);
    memcpy(y->v_old, y->v, (size_t)y->n_all * sizeof *y->v);
    memcpy(y->a_old, y->a, (size_t)y->n_all * sizeof *y->a);
    memcpy(y->smooth_old, y->smooth, (size_t)y->n_all * sizeof *y->smooth);
    for (int k = 0; k < y->n_row; k++) {
        y->lambda_old[k] = y->row[k].lambda;
    }
}

static void put_back(yard *y, double t)
{
    memcpy(y->v, y->v_old, (size_t)y->n_all * sizeof *y->v);
    memcpy(y->a, y->a_old, (size_t)y->n_all * sizeof *y->a);
    memcpy(y->smooth, y->smooth_old, (size_t)y->n_all * sizeof *y->smooth);
    memset(y->delta, 0, (size_t)y->n_all * sizeof *y->delta);
    for (int k = 0; k < y->n_row; k++) {
        y->row[k].lambda = y->lambda_old[k];
    }
    y->has_factor = false;
    yard_move(y, t);
}

bi_status yard_step(yard *y, const yard_options *o)
{
    scheme s = scheme_of(o);
    double t = y->t;
    y->f_mass = (1.0 - s.am) / ((1.0 - s.af) * s.beta * s.h * s.h);
    y->f_rate = s.gamma / (s.beta * s.h);
    y->f_smooth = 1.0 / (s.beta * s.h * s.h);
    if (y->factor_h != o->h || y->factor_rho != o->rho_inf) {
        y->has_factor = false;
        y->factor_h = o->h;
        y->factor_rho = o->rho_inf;
    }
    keep_old(y);
    bi_status status = BI_OK;
    for (int start = START_SMOOTH; start <= START_STRAIGHT; start++) {
        guess(y, &s, (start_kind)start);
        y->t = t + s.h;
        status = newton(y, o, &s);
        if (status == BI_OK) {
            y->counts.steps++;
            return BI_OK;
        }
        put_back(y, t);
    }
    return status;
}
