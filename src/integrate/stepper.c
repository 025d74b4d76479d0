// SPDX-License-Identifier: MIT
// The life of a stepper: its memory, what it saves, keeps and forgets around a step.
#include "integrate/touching.h"
#include <math.h>
#include <string.h>

// The more a tangent costs against further solutions and iterations, the longer it is kept: contacts, tyres and long
// columns of the factor; flexible bodies; a few points and springs (ali3p.10, measured in docs/theory/speed.md).
static tangent_life choose_life(const dynamics *d, const solver *fac)
{
    if (d->plan.settles) {
        return TANGENT_ITERATION; // piles forms its own in each step
    }
    enum { LONG_COLUMN = 20 };
    bool has_costly_laws = d->plan.n_block > 0 && (d->plan.n_memory > 0 || d->structure.n_row == 0);
    if (has_costly_laws || solver_nnz(fac) > LONG_COLUMN * d->structure.n) {
        return TANGENT_STEPS;
    }
    return d->structure.has_bias ? TANGENT_STEP : TANGENT_ITERATION;
}

// Over steps; else there is only the working one.
static bool keeps_tangent(const stepper *s) { return s->in.life == TANGENT_STEPS; }

void stepper_cut(stepper *s, const dynamics *d, const solver *fac, const vibrations *vibrations,
                 stepper_stages stages, arena *a)
{
    enum { OF_PILES = 3 };
    const structure *st = &d->structure;
    s->in.life = choose_life(d, fac);
    s->d = d;
    s->in.fac = fac;
    s->trays = trays_cut(d, a);
    s->now = coords_cut(d, a);
    s->old = coords_cut(d, a);
    s->in.before = coords_cut(d, a);
    s->in.weight = ARENA_NEW(a, double, st->n_row);
    for (int k = 0; k < (keeps_tangent(s) ? 2 : 1); k++) {
        tangent *t = k == 0 ? &s->in.work : &s->in.kept;
        t->T = ARENA_NEW(a, double, st->tangent.nnz);
        t->numeric = ARENA_NEW(a, double, solver_numeric_count(fac));
        t->G = ARENA_NEW(a, double, st->n_G);
    }
    s->right = ARENA_NEW(a, double, st->n);
    s->product = ARENA_NEW(a, double, st->n);
    s->in.residual = ARENA_NEW(a, double, st->n_row);
    s->in.sigma = ARENA_NEW(a, double, st->n_row);
    s->in.mass = ARENA_NEW(a, double, st->n);
    s->in.slope = ARENA_NEW(
        a, double, stages == STEPPER_HAS_STAGES ? STAGES * (2 * st->n + d->plan.n_z) : OF_PILES * st->n);
    s->in.local_error_z = ARENA_NEW(a, double, d->plan.n_z);
    s->in.product_row = ARENA_NEW(a, double, st->n_row);
    s->in.increment = ARENA_NEW(a, double, st->n_row);
    s->in.drift = ARENA_NEW(a, double, st->n_row);
    s->in.frame = ARENA_NEW(a, turning_frame, st->n_frame);
    if (a->memory && st->n_frame > 0) {
        d->set->frames_create(d->coordinates, s->in.frame);
    }
    s->in.vibrations = vibrations;
    s->in.lost_inertia = ARENA_NEW(a, double, vibrations ? vibrations->n_value : 0);
    s->in.sigma_before = ARENA_NEW(a, double, st->n_row);
}

void stepper_cut_room(stepper *s, arena *a) { touching_cut(s, a); }

void stepper_set(stepper *s, stepper_options options, double usual)
{
    s->in.options = options;
    s->in.usual_h = usual;
    s->trays.signals.longest = usual;
    stepper_use_length(s, usual);
}

void stepper_states(stepper *s, coords *out[STEPPER_STATES])
{
    out[0] = &s->now;
    out[1] = &s->old;
    out[2] = &s->in.before;
}

void stepper_close(stepper *s)
{
    solver_close(s->in.fac, s->in.work.numeric);
    if (keeps_tangent(s)) {
        solver_close(s->in.fac, s->in.kept.numeric);
    }
}

// The tangent of the step is kept, or the kept one has served once more.
static void tangent_accept(stepper *s)
{
    // steps without a try after a tangent that served only once: about what a try costs more than it saves
    enum { ALONE = 10 };
    int64_t served = s->in.kept.use.age, alone = s->in.kept.use.alone;
    if (s->in.has_formed) {
        tangent swap = s->in.kept;
        s->in.kept = s->in.work;
        s->in.work = swap;
        s->in.kept.use.usual = s->in.n_last > 2 ? s->in.n_last : 2;
        s->in.kept.use.alone = alone > 0 ? alone - 1 : served == 1 ? ALONE : 0;
    }
    s->in.kept.use.age++;
    s->in.kept.use.is_stale = s->in.n_last > s->in.kept.use.usual || s->in.kept.use.alone > 0;
}

// Of the state on the trays, which the next step begins with.
static void find_spin(stepper *s)
{
    s->in.spin = s->d->set->spin(s->d->coordinates, &s->now, &s->trays.motion, &s->in.spinning);
}

void stepper_own(size_t at[STEPPER_OWN])
{
    at[0] = offsetof(stepper, in.spinning);
    at[1] = offsetof(stepper, in.options.iterations);
}

void stepper_accept(stepper *s)
{
    s->in.last = s->in.next;
    s->in.rank_now = s->in.rank_next;
    find_spin(s);
    if (keeps_tangent(s)) {
        tangent_accept(s);
    }
    s->in.has_formed = false;
}

void stepper_forget(stepper *s)
{
    s->in.kept.use = (tangent_use){ 0 };
    s->in.last = s->in.next = (step_memory){ 0 };
    s->in.n_last = 0;
    s->in.has_formed = false;
}

void stepper_forget_rank(stepper *s) { s->in.rank_now = s->in.rank_next = NAN; }

void stepper_replaced(stepper *s)
{
    s->in.is_afresh = true;
    s->in.n_iteration++;
}

void stepper_take_multipliers(stepper *s, const double *lambda)
{
    size_t size = (size_t)s->d->structure.n_row * sizeof *lambda;
    memcpy(s->now.lambda, lambda, size);
    memset(s->in.sigma, 0, size);
}

stepper_goal stepper_tighten(stepper *s, stepper_goal goal)
{
    stepper_goal before = { s->in.options.tolerance, s->in.options.iterations };
    s->in.options.tolerance = goal.tolerance;
    s->in.options.iterations = goal.iterations;
    return before;
}

void stepper_begin(stepper *s)
{
    coords_copy(s->d, &s->now, &s->old);
    s->in.n_iteration = s->in.n_factor = 0;
    stepper_forget(s);
    find_spin(s);
}

void stepper_save(stepper *s)
{
    // the two change places: cheaper than a copy, since `old` is written anew
    coords before = s->old;
    s->old = s->in.before;
    s->in.before = before;
    if (s->trays.z_old == before.z) {
        s->trays.z_old = s->old.z;
        s->trays.dz_old = s->old.dz;
    }
    memcpy(s->in.sigma_before, s->in.sigma, (size_t)s->d->structure.n_row * sizeof *s->in.sigma);
    coords_copy(s->d, &s->now, &s->old);
}

void stepper_pass(stepper *s, double t)
{
    s->in.before.t = s->old.t;
    s->old.t = s->now.t;
    s->now.t = t;
}

void stepper_put_old_back(stepper *s) { coords_copy(s->d, &s->in.before, &s->old); }

void stepper_put_back(stepper *s)
{
    coords_copy(s->d, &s->old, &s->now);
    stepper_put_old_back(s);
    memcpy(s->in.sigma, s->in.sigma_before, (size_t)s->d->structure.n_row * sizeof *s->in.sigma);
}

stepper_pieces stepper_list(stepper *s)
{
    const structure *st = &s->d->structure;
    size_t rows = (size_t)st->n_row * sizeof(double);
    // not all keep a tangent
    bool keeps = keeps_tangent(s);
    tangent *kept = &s->in.kept;
    return (stepper_pieces){ .weight = { s->in.weight, rows },
                             .sigma = { s->in.sigma, rows },
                             .use = { &kept->use, sizeof kept->use },
                             .last = { &s->in.last, sizeof s->in.last },
                             .n_iteration = { &s->in.n_iteration, sizeof s->in.n_iteration },
                             .n_factor = { &s->in.n_factor, sizeof s->in.n_factor },
                             .spin = { &s->in.spin, sizeof s->in.spin },
                             .tangent = { kept->T, keeps ? (size_t)st->tangent.nnz * sizeof(double) : 0 },
                             .gradients = { kept->G, keeps ? (size_t)st->n_G * sizeof(double) : 0 },
                             .rank = { &s->in.rank_now, sizeof s->in.rank_now } };
}

void stepper_restore(stepper *s)
{
    s->in.has_formed = false;
    if (s->in.kept.use.fA > 0.0 && solver_factor(s->in.fac, s->in.kept.T, s->in.kept.numeric, 0.0) >= 0) {
        stepper_forget(s);
    }
}

void stepper_use_length(stepper *s, double h)
{
    // the usual length but for rounding: the same bits whatever was before
    h = fabs(h - s->in.usual_h) <= 1e-9 * s->in.usual_h ? s->in.usual_h : h;
    if (has_phase(s) && s->in.lost_h != h) {
        phase_inertia(s->in.vibrations, h, 1.0 - s->in.options.damping, s->in.lost_inertia);
        s->in.lost_h = h;
    }
}
