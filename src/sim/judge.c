// SPDX-License-Identifier: MIT
// Every step is looked at: what costs little after each, the rest in one state of thirty-two, which answers for the
// steps between, since energy that is lost stays lost (verdict.1 .. verdict.4, verdict.6, verdict.7).
#include "math/elementary.h"
#include "sim/system.h"
#include <math.h>
#include <string.h>

enum { EVERY = 32, RARELY = 8, FIRST = RARELY * EVERY };

// Written so that what is not a number is the worst.
void judge_note(bi_sim *sim, judge_kind kind, double value, double t, int64_t where)
{
    judge_worst *w = &sim->judge.worst[kind];
    if (!(value <= w->value)) {
        w->value = value;
        w->t = t;
        w->where = where;
    }
}

// How near the state shown is to a position where constraints lose rank.
static double rank_shown(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    double rank = stepper_rank(s, &sim->shown);
    sim->have = 0;
    return rank;
}

void judge_start(bi_sim *sim)
{
    judging *j = &sim->judge;
    stepper_forget_rank(&sim->stepper);
    *j = (judging){ .potential_low = sim->energy[ENERGY_POTENTIAL],
                    .potential_high = sim->energy[ENERGY_POTENTIAL],
                    .kinetic = sim->energy[ENERGY_KINETIC],
                    .acceleration = fmax(vec3_norm(sim->system->model->gravity), 1.0) };
    for (int k = 0; k < JUDGE_COUNT; k++) {
        j->worst[k].where = -1;
    }
    j->rank_start = sim->stepper.d->structure.n_row > 0 ? rank_shown(sim) : (double)NAN;
    judge_inputs_start(sim);
    for (int i = 0; i < sim->stepper.d->structure.n; i++) {
        sim->judge_q[i] = sim->judge_q[sim->stepper.d->structure.n + i] = sim->stepper.now.q[i];
    }
    memset(sim->judge_e, 0, 2 * (size_t)judge_n_part(sim->system) * sizeof *sim->judge_e);
    memset(sim->judge_z, 0, 4 * (size_t)sim->system->dynamics.plan.n_z * sizeof *sim->judge_z);
}

void judge_parts(bi_sim *sim) { sim->judge.parts++; }

// ---- after each step --------------------------------------------------------------------------------------------------

// How much of the accelerations alternates from step to step, of the largest so far: a running mean of second
// differences (verdict.4).
static void look_at_ringing(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    static const double share = 1.0 / 32.0;
    const double *now = s->now.a, *old = s->old.a, *before = stepper_before(s)->a;
    double bend = 0.0, size = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        double d = now[i] - 2.0 * old[i] + before[i];
        bend += d * d;
        size += old[i] * old[i];
    }
    double h = s->now.t - s->old.t;
    j->bends += sqrt(bend);
    j->sizes += sqrt(size);
    j->reach = fmax(j->reach, h * h * sqrt(size));
    j->acceleration = fmax(j->acceleration, sqrt(size));
    j->ringing += share * (fmin(0.25 * sqrt(bend), j->acceleration) - j->ringing);
    judge_note(sim, JUDGE_RINGING, j->ringing / j->acceleration, s->now.t, -1);
}

// How far coordinates moved so far, and the largest way of this step that its velocities do not tell of. Vectors that
// turn have such a way, the cube of the turn by twelve, and are left out beyond a third.
static void look_at_way(bi_sim *sim, double h)
{
    const stepper *s = &sim->stepper;
    int n = s->d->structure.n;
    double *low = sim->judge_q, *high = low + n, jump = 0.0;
    const double *q = s->now.q, *from = s->old.q, *v = s->now.v, *v_from = s->old.v;
    for (int i = 0; i < n; i++) {
        double off = fabs(q[i] - from[i] - 0.5 * h * (v[i] + v_from[i]));
        low[i] = q[i] < low[i] ? q[i] : low[i];
        high[i] = q[i] > high[i] ? q[i] : high[i];
        jump = off > jump ? off : jump;
    }
    if (stepper_spin(s).rate * h < 0.3) {
        judge_note(sim, JUDGE_JUMP, jump / fmax(s->d->structure.size, 1e-3), s->now.t, -1);
    }
}

// The same error in all of the steps that a look stands for, and of what was before that much which the state has not
// forgotten: it does in its own time, size over rate. Constant errors so add up over as many steps as that has, one in
// any case; a start that is over after some steps counts for these (verdict.13).
static double add_error(double sum, double error, double own_steps, int stands_for)
{
    double kept = fmax(0.0, 1.0 - stands_for / own_steps);
    return kept * sum + error * fmin(stands_for, own_steps);
}

// Errors of states as (adapt.7) estimates them.
static void look_at_states(bi_sim *sim, int stands_for)
{
    const stepper *s = &sim->stepper;
    int n_z = s->d->plan.n_z;
    const coords *last = stepper_before(s);
    double h = s->now.t - s->old.t, before = s->old.t - last->t;
    double *size = sim->judge_z, *rate = size + n_z, *worst = rate + n_z;
    bool is_explicit = sim_scheme(sim)->is_explicit;
    double real = is_explicit ? sim_scheme(sim)->real : INFINITY;
    sim->judge.looks++;
    for (int i = 0; i < n_z && (before > 0.0 || is_explicit); i++) {
        size[i] = fmax(size[i], fabs(s->now.z[i]));
        rate[i] = fmax(rate[i], fmax(fabs(s->now.dz[i]), fabs(s->old.dz[i])));
        if (is_explicit) {
            double change = fabs(s->now.dz[i] - s->old.dz[i]);
            worst[i] = change <= worst[i] ? worst[i] : change;
            // decays faster than the rule can follow: it grows instead
            double by_rate = s->now.dz[i] - s->old.dz[i], by_value = s->now.z[i] - s->old.z[i];
            worst[n_z + i] += by_rate * by_value < 0.0 && h * fabs(by_rate) > real * fabs(by_value);
            continue;
        }
        double bend = (s->now.dz[i] - s->old.dz[i]) / h - (s->old.dz[i] - last->dz[i]) / before;
        double error = fabs(h * h * h * bend / (6.0 * (h + before))), *sum = &worst[n_z + i];
        *sum = add_error(*sum, error, rate[i] > 0.0 ? fmax(1.0, size[i] / (rate[i] * h)) : 1.0, stands_for);
        worst[i] = *sum <= worst[i] ? worst[i] : *sum;
    }
}

// What positions and rates at both ends of a step of first or second order lack against the rules of Hermite and of
// trapezia.
static double hermite_defect(const stepper *s, double h, double *of_rates)
{
    const double *a0 = s->old.a, *a1 = s->now.a, *v0 = s->old.v, *v1 = s->now.v;
    double worst = 0.0;
    *of_rates = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        double way = 0.5 * h * (v0[i] + v1[i]) - h * h / 12.0 * (a1[i] - a0[i]);
        double e = fabs(s->now.q[i] - s->old.q[i] - way),
               e_v = fabs(v1[i] - v0[i] - 0.5 * h * (a0[i] + a1[i]));
        worst = e <= worst ? worst : e;
        *of_rates = e_v <= *of_rates ? *of_rates : e_v;
    }
    return worst;
}

// Accelerations over rates, 1/s: the angular velocity of what turns or swings.
static double quickness(const stepper *s, double h)
{
    double a = 0.0, v = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        a += s->now.a[i] * s->now.a[i];
        v += s->now.v[i] * s->now.v[i];
    }
    return v > 0.0 ? fmin(sqrt(a / v), 1.0 / h) : 0.0;
}

// Errors of explicit rules that have an estimate; those of rates go on moving the mechanism, for about a second
// (verdict.3).
static void look_at_explicit(bi_sim *sim, double h, int stands_for)
{
    static const double memory = 1.0; // s
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    stepper_errors local = stepper_local_errors(s);
    double way = local.q, rate = local.v, steps = 1.0;
    if (!sim_scheme(sim)->is_embedded) {
        way = hermite_defect(s, h, &rate);
        // the rule of trapezia is worse than rules of higher order: their rates err as their ways do, in the time of
        // the motion
        rate = sim_scheme(sim)->order > 2 ? way * quickness(s, h) : rate;
        steps = stands_for;
    }
    j->error_v += steps * rate;
    j->error += steps * (way + h * j->error_v);
    j->error_v -= fmin(steps * h / memory, 1.0) * j->error_v;
}

int judge_n_part(const bi_system *s) { return s->dynamics.parts.count + 1; }

// Of the variables of a part; the last one is all that no part has.
static double error_of_part(const dynamics *d, const double *error, int part)
{
    const part_table *p = &d->parts;
    double worst = 0.0;
    for (int k = p->first_variable ? p->first_variable[part] : 0;
         part < p->count && k < p->first_variable[part + 1]; k++) {
        double e = error[p->variable[k]];
        worst = e <= worst ? worst : e;
    }
    for (int i = 0; part == p->count && i < d->structure.n; i++) {
        bool is_other = !p->number || p->number[i] < 0;
        worst = !is_other || error[i] <= worst ? worst : error[i];
    }
    return worst;
}

// Local errors of implicit steps. Bodies that only contacts couple err by themselves: what counts is the worst of them, not
// the sum of whoever is hit. Where they tumble over each other errors grow, whatever the step; from when they are what is
// told of single paths, those of further steps do not matter any more (verdict.3, verdict.14).
static void look_at_errors(bi_sim *sim, double h, int stands_for)
{
    static const double lost = 0.005, many = 2.0; // of the size; e^2: amplified, not only added up
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    if (j->is_chance) {
        return;
    }
    int n = judge_n_part(sim->system);
    double *sum = sim->judge_e, *amplified = sum + n, grows = math_exp(j->growth - j->grown), most = 0.0;
    stepper_error_of_each(s, h, &sim->shown);
    for (int k = 0; k < n; k++) {
        double error = stands_for * error_of_part(s->d, sim->shown.q, k);
        sum[k] += error;
        amplified[k] = grows * amplified[k] + error;
        j->error = sum[k] <= j->error ? j->error : sum[k];
        most = amplified[k] <= most ? most : amplified[k];
    }
    j->grown = j->growth;
    double size = s->d->structure.size, of_size = most / (size > 0.0 && size < 1.0 ? size : 1.0);
    if (j->growth > many) {
        judge_note(sim, JUDGE_PATHS, fmin(of_size, 1.0), s->now.t, -1);
        j->is_chance = of_size > lost;
    }
}

// How many steps the look at this one stands for; 0: it is not looked at. One in 32, of the first ones more, so that
// short runs are judged, too.
static int sample_of(int64_t step)
{
    return step == 4 ? 4 : step == 16 ? 12 : step == EVERY ? EVERY / 2 : step % EVERY == 0 ? EVERY : 0;
}

void judge_step(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    judging *j = &sim->judge;
    double h = s->now.t - s->old.t;
    j->steps++;
    sim->failure[0] = '\0'; // it went on
    stepper_turning fastest = stepper_spin(s);
    judge_note(sim, JUDGE_TURN, fastest.rate * h, s->now.t, fastest.body);
    j->exchanged += h * fabs(sim->power);
    look_at_way(sim, h);
    judge_inputs_step(sim, sample_of(j->steps));
    if (!j->is_kinematic) {
        look_at_ringing(sim);
    }
    int stands_for = sample_of(j->steps);
    const scheme *scheme = sim_scheme(sim);
    if (scheme->is_embedded || (scheme->has_estimate && scheme->is_explicit && stands_for > 0)) {
        look_at_explicit(sim, h, stands_for);
    }
    if (stands_for > 0) {
        double shown = sim->t;
        if (!j->is_kinematic && !scheme->is_explicit) {
            look_at_errors(sim, h, stands_for);
        }
        if (s->d->plan.n_z > 0 && !j->is_kinematic) {
            look_at_states(sim, stands_for);
        }
        sim->t = s->now.t;
        sim->have = 0;
        judge_sample(sim);
        bool is_looked_at = j->steps == 4 || j->steps == 16 || j->steps == 64 || j->steps == FIRST;
        if (is_looked_at && isfinite(j->rank_start)) {
            // not known here: of light bodies rounding may be larger than their inertia
            double rank = rank_shown(sim);
            if (!isnan(rank)) {
                judge_note(sim, JUDGE_BRANCH, rank - j->rank_start, s->now.t, -1);
            }
        }
        sim->t = shown;
        sim->have = 0;
    }
}

law_doubts judge_ask(const bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    law_doubts out = { .h = s->now.t - s->old.t, .is_sample = sample_of(sim->judge.steps + 1) > 0 };
    return out;
}

void judge_answer(bi_sim *sim, const law_doubts *doubts)
{
    static const judge_kind kind[DOUBT_TUMBLE] = {
        [DOUBT_IMPACT] = JUDGE_IMPACT,  [DOUBT_DEPTH] = JUDGE_DEPTH, [DOUBT_PASSED] = JUDGE_PASSED,
        [DOUBT_BELOW] = JUDGE_BELOW,    [DOUBT_GRAIN] = JUDGE_GRAIN, [DOUBT_RANGE] = JUDGE_RANGE,
        [DOUBT_SAMPLED] = JUDGE_SAMPLED
    };
    sim->judge.growth += doubts->h * doubts->value[DOUBT_TUMBLE];
    for (int k = 0; k < DOUBT_TUMBLE; k++) {
        judge_note(sim, kind[k], doubts->value[k], sim->stepper.now.t, doubts->element[k]);
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
            judge_note(sim, JUDGE_POSITION, fabs(r->phi[k]) / size, sim->t, k);
        }
        double rate =
            st->is_velocity[k] ? r->phi[k] : row_dot(st, s->trays.equations.G, k, sim->shown.v) + r->phi_t[k];
        judge_note(sim, JUDGE_VELOCITY, fabs(rate) / fmax(fast, 1e-3), sim->t, k);
    }
}

static void look_at_flexible(bi_sim *sim)
{
    int of[3];
    flex_range range = judge_flex(sim, of);
    sim->judge.vibration += range.vibration;
    sim->judge.high += range.high;
    judge_note(sim, JUDGE_BENT, range.bent, sim->t, of[0]);
    judge_note(sim, JUDGE_TILTED, range.tilted, sim->t, of[1]);
    judge_note(sim, JUDGE_STIFFENING, range.stiffening, sim->t, of[2]);
}

// Frequency of the vibration of flexible bodies: energy of their amplitudes, by rates and by accelerations (verdict.8).
static void look_at_vibration(bi_sim *sim)
{
    double h = sim->stepper.now.t - sim->stepper.old.t;
    sim_show(sim, SHOWN_STATE | SHOWN_STEP_ACCELERATIONS);
    flex_shaking now = judge_shaking(sim);
    sim->judge.swing += now.by_rates;
    sim->judge.shaking += h * h * now.by_accelerations;
}

// Of the state of the stepper, which is shown: the fastest motions that laws allow, by their stiffness and damping
// (verdict.10).
void judge_stability(bi_sim *sim)
{
    const bi_options *o = &sim->system->options;
    const scheme *scheme = sim_scheme(sim);
    stepper *s = &sim->stepper;
    if (!scheme->is_explicit || o->accuracy > 0.0) {
        return;
    }
    double h = o->dt, frequency, decay;
    if (stepper_fastest(s, &sim->shown, &frequency, &decay)) {
        judge_note(sim, JUDGE_STABILITY, fmax(h * frequency / scheme->imaginary, h * decay / scheme->real),
                   sim->t, -1);
    }
}

void judge_sample(bi_sim *sim)
{
    sim_show(sim, SHOWN_STATE | SHOWN_ENERGY | (sim->system->n_watch > 0 ? SHOWN_POSES : 0));
    look_at_energy(sim);
    look_at_constraints(sim);
    if (sim->system->n_watch > 0) {
        look_at_flexible(sim);
    }
    // the laws' slopes cost as much as some steps
    bool is_rare = sim->judge.steps % (EVERY * RARELY) == 0;
    if (is_rare) {
        judge_stability(sim);
    }
    if (sim->system->n_watch > 0 && (is_rare || sim->judge.steps <= FIRST)) {
        look_at_vibration(sim);
    }
}
