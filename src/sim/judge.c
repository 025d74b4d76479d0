// SPDX-License-Identifier: MIT
// Every step is looked at: what costs little after each, the rest in one state of thirty-two, which answers for the steps between,
// since energy that is lost stays lost (verdict.1 .. verdict.6).
#include "sim/system.h"
#include <math.h>
#include <string.h>

enum { EVERY = 32 };

// Written so that what is not a number is the worst.
static void note(bi_sim *sim, judge_kind kind, double value, double t, int64_t where)
{
    judge_worst *w = &sim->judge.worst[kind];
    if (!(value <= w->value)) {
        *w = (judge_worst){ value, t, where };
    }
}

void judge_start(bi_sim *sim)
{
    judging *j = &sim->judge;
    *j = (judging){ .potential_low = sim->energy[ENERGY_POTENTIAL],
                    .potential_high = sim->energy[ENERGY_POTENTIAL],
                    .kinetic = sim->energy[ENERGY_KINETIC],
                    .acceleration = fmax(vec3_norm(sim->system->model->gravity), 1.0) };
    for (int k = 0; k < JUDGE_COUNT; k++) {
        j->worst[k].where = -1;
    }
}

void judge_parts(bi_sim *sim) { sim->judge.parts++; }

// ---- after each step --------------------------------------------------------------------------------------------------

// How much of the accelerations alternates from step to step, of the largest so far: a running mean of second differences (verdict.4).
static void look_at_ringing(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    static const double share = 1.0 / 32.0;
    const double *now = s->now.a, *old = s->old.a, *before = s->stage.a;
    double bend = 0.0, size = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        double d = now[i] - 2.0 * old[i] + before[i];
        bend += d * d;
        size += old[i] * old[i];
    }
    j->acceleration = fmax(j->acceleration, sqrt(size));
    j->ringing += share * (fmin(0.25 * sqrt(bend), j->acceleration) - j->ringing);
    note(sim, JUDGE_RINGING, j->ringing / j->acceleration, s->now.t, -1);
}

void judge_step(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    double h = s->now.t - s->old.t;
    j->steps++;
    note(sim, JUDGE_TURN, s->spin * h, s->now.t, s->spinning);
    j->exchanged += h * fabs(sim->power);
    look_at_ringing(sim);
    if (j->steps % EVERY == 0) {
        double shown = sim->t;
        j->error += EVERY * stepper_error(s, h, &sim->shown);
        sim->t = s->now.t;
        sim->have = 0;
        judge_sample(sim);
        sim->t = shown;
        sim->have = 0;
    }
}

// ---- now and then ------------------------------------------------------------------------------------------------------

static void look_at_energy(bi_sim *sim)
{
    judging *j = &sim->judge;
    double balance = fabs(sim->energy[ENERGY_BALANCE]), potential = sim->energy[ENERGY_POTENTIAL];
    j->kinetic = fmax(j->kinetic, sim->energy[ENERGY_KINETIC]);
    j->potential_low = fmin(j->potential_low, potential);
    j->potential_high = fmax(j->potential_high, potential);
    if (!(balance <= j->balance)) {
        j->balance = balance;
        j->balance_t = sim->t;
    }
}

// Positions against the mechanism's size, velocities against the fastest point that is read.
static void look_at_constraints(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    double size = fmax(st->size, 1e-3), fast = largest(sim->shown.v, st->n);
    for (int k = 0; k < st->n_row; k++) {
        if (!st->is_velocity[k]) {
            note(sim, JUDGE_POSITION, fabs(r->phi[k]) / size, sim->t, k);
        }
        double rate =
            st->is_velocity[k] ? r->phi[k] : row_dot(st, s->trays.equations.G, k, sim->shown.v) + r->phi_t[k];
        note(sim, JUDGE_VELOCITY, fabs(rate) / fmax(fast, 1e-3), sim->t, k);
    }
}

void judge_sample(bi_sim *sim)
{
    sim_show(sim, SHOWN_STATE | SHOWN_ENERGY);
    look_at_energy(sim);
    look_at_constraints(sim);
}
