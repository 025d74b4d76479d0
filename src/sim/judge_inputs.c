// SPDX-License-Identifier: MIT
// Steps see functions of time at few instants. A look inside each tells whether a smooth curve between its ends is what
// they are (verdict.9).
#include "sim/system.h"
#include <math.h>

// Of each function: value at the start of the run; value and rate at both ends of the step; integrals of its size and
// of what the steps do not see.
enum { OF_START, OF_OLD, OF_OLD_RATE, OF_NOW, OF_NOW_RATE, OF_SIZE, OF_HIDDEN, N_OF };

static int timed_count(const bi_system *s) { return s->dynamics.signal.n_pick[PICK_TIMED]; }

int judge_inputs_count(const bi_system *s) { return N_OF * timed_count(s); }

void judge_inputs_cut(bi_sim *sim, arena *a)
{
    const bi_system *s = sim->system;
    bool any = timed_count(s) > 0;
    sim->judge_u = ARENA_NEW(a, double, judge_inputs_count(s));
    sim->judge_at.signal = ARENA_NEW(a, jet, any ? s->dynamics.plan.n_signal : 0);
    sim->judge_at.room = sim->stepper.trays.signals.room;
    sim->judge_at.input = ARENA_NEW(a, double, any ? s->dynamics.n_input : 0);
    sim->judge_at.input_rate = ARENA_NEW(a, double, any ? s->dynamics.n_input : 0);
}

static double *of_function(const bi_sim *sim, int i) { return sim->judge_u + (ptrdiff_t)N_OF * i; }

static void look(bi_sim *sim, double t)
{
    const dynamics *d = &sim->system->dynamics;
    sim->judge_at.t = t;
    sim->judge_at.outside = sim->input;
    signal_eval_timed(&d->signal, d->plan.model, &sim->judge_at);
}

static jet seen(const bi_sim *sim, const signals *at, int i)
{
    const signal_table *tab = &sim->system->dynamics.signal;
    return at->signal[tab->item[tab->pick[PICK_TIMED][i]].slot];
}

void judge_inputs_start(bi_sim *sim)
{
    if (timed_count(sim->system) == 0) {
        return;
    }
    look(sim, sim->stepper.now.t);
    for (int i = 0; i < timed_count(sim->system); i++) {
        double *of = of_function(sim, i);
        jet u = seen(sim, &sim->judge_at, i);
        of[OF_START] = of[OF_NOW] = u.v;
        of[OF_NOW_RATE] = u.d;
        of[OF_SIZE] = of[OF_HIDDEN] = 0.0;
    }
}

// How far a value at the part x of the step is from the cubic through both ends, or from the line where a corner is at
// an end.
static double off_curve(const double *of, double h, double x, double value)
{
    double y = 1.0 - x, line = y * of[OF_OLD] + x * of[OF_NOW];
    double cubic = y * y * ((1.0 + 2.0 * x) * of[OF_OLD] + x * h * of[OF_OLD_RATE]) +
                   x * x * ((1.0 + 2.0 * y) * of[OF_NOW] - y * h * of[OF_NOW_RATE]);
    return fmin(fabs(value - cubic), fabs(value - line));
}

static void look_at_end(bi_sim *sim, double h)
{
    // the step has just been there
    const signals *known = &sim->stepper.trays.signals;
    if (known->t != sim->stepper.now.t) {
        look(sim, sim->stepper.now.t);
        known = &sim->judge_at;
    }
    for (int i = 0; i < timed_count(sim->system); i++) {
        double *of = of_function(sim, i);
        jet u = seen(sim, known, i);
        of[OF_OLD] = of[OF_NOW];
        of[OF_OLD_RATE] = of[OF_NOW_RATE];
        of[OF_NOW] = u.v;
        of[OF_NOW_RATE] = u.d;
        of[OF_SIZE] += 0.5 * h * (fabs(of[OF_OLD] - of[OF_START]) + fabs(u.v - of[OF_START]));
    }
}

static void look_inside(bi_sim *sim, double h, double part, double weight)
{
    look(sim, sim->stepper.old.t + part * h);
    for (int i = 0; i < timed_count(sim->system); i++) {
        double *of = of_function(sim, i);
        of[OF_HIDDEN] += weight * h * off_curve(of, h, part, seen(sim, &sim->judge_at, i).v);
    }
}

// In the middle of each step; now and then at its quarters, too, which stand for those of the steps between.
void judge_inputs_step(bi_sim *sim, int stands_for)
{
    double h = sim->stepper.now.t - sim->stepper.old.t;
    if (timed_count(sim->system) == 0) {
        return;
    }
    look_at_end(sim, h);
    look_inside(sim, h, 0.5, 1.0);
    if (stands_for > 0) {
        look_inside(sim, h, 0.25, 0.5 * stands_for);
        look_inside(sim, h, 0.75, 0.5 * stands_for);
    }
}

// What is rounding of its value is none.
double judge_inputs(const bi_sim *sim)
{
    double worst = 0.0;
    for (int i = 0; i < timed_count(sim->system); i++) {
        const double *of = of_function(sim, i);
        double all = of[OF_SIZE] + of[OF_HIDDEN], least = 1e-9 * sim->t * fabs(of[OF_START]);
        double share = all > least ? of[OF_HIDDEN] / all : 0.0;
        worst = share <= worst ? worst : share;
    }
    return worst;
}
