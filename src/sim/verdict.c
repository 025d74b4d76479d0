// SPDX-License-Identifier: MIT
// The verdict: what was seen, against limits, in words (docs/theory/verdict.md).
#include "sim/system.h"
#include <biela/verdict.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What `where` of a worst is a number of.
typedef enum { OF_NOTHING, OF_BODY, OF_ROW, OF_ELEMENT } place_kind;

typedef struct {
    const char *name, *what, *unit;
    double doubtful, bad;
    place_kind place;
    const char *advice;
} judge_entry;

// The one list: names, limits and what helps. Where the limits come from is in verdict.md.
static const judge_entry entries[JUDGE_COUNT] = {
    [JUDGE_ENERGY] = { "energy", "energy from nowhere, of what moved or was exchanged", "1", 0.01, 0.05,
                       OF_NOTHING, "smaller steps (--dt), or --dt auto" },
    [JUDGE_ERROR] = { "accuracy", "sum of the local errors of all steps, of the mechanism's size", "1", 0.005,
                      1.0, OF_NOTHING, "smaller steps (--dt), or --dt auto" },
    [JUDGE_STATES] = { "states", "local errors of states of laws and graphs, of the largest so far", "1", 0.2,
                       2.0, OF_NOTHING, "smaller steps (--dt), or --dt auto" },
    [JUDGE_TURN] = { "turn", "largest turn of a body in a step", "rad", 1.0, INFINITY, OF_BODY,
                     "smaller steps, if what acts on the body changes as it turns" },
    [JUDGE_OVER] = { "step-overs", "share of steps that stepped over a position", "1", 0.01, 0.5, OF_NOTHING,
                     "smaller steps, or the other formulation" },
    [JUDGE_PARTS] = { "parts", "share of steps done in parts", "1", 0.01, INFINITY, OF_NOTHING,
                      "smaller steps" },
    [JUDGE_UNCONVERGED] = { "not-converged", "share of steps kept though they did not converge", "1", 1e-3,
                            0.05, OF_NOTHING, "smaller steps, or the other formulation" },
    [JUDGE_FORCED] = { "kept-in-spite", "share of steps kept in spite of their error", "1", 0.05, 0.5,
                       OF_NOTHING, "a larger tolerance, or another scheme" },
    [JUDGE_POSITION] = { "position", "constraints left open, of the mechanism's size", "1", 1e-6, 1e-3,
                         OF_ROW, "smaller steps" },
    [JUDGE_VELOCITY] = { "velocity", "rates of constraints, of the fastest motion", "1", 1e-3, 0.05, OF_ROW,
                         "smaller steps" },
    [JUDGE_RINGING] = { "ringing", "share of accelerations that change sign from step to step", "1", 0.3, 0.9,
                        OF_NOTHING, "--scheme ali3p-alpha, smaller steps, or a softer spring" },
    [JUDGE_MOVED] = { "moved", "described start, moved by the assembly, of the mechanism's size", "1", 0.1,
                      INFINITY, OF_BODY, "describe the bodies where they belong" },
    [JUDGE_TURNED] = { "turned", "described start, turned by the assembly", "rad", 0.2, INFINITY, OF_BODY,
                       "describe the bodies where they belong" },
    [JUDGE_STARTED] = { "start", "described velocities, changed by the constraints, share of their energy",
                        "1", 0.02, INFINITY, OF_BODY, "velocities that the joints allow" },
    [JUDGE_IMPACT] = { "impact", "step against the time of a contact, h sqrt(k/m)", "1", 1.0, 4.0, OF_ELEMENT,
                       "smaller steps, or a softer contact" },
    [JUDGE_DEPTH] = { "depth", "depth of a contact, of the size of the smaller shape", "1", 0.5, 1.0,
                      OF_ELEMENT, "smaller steps, or a stiffer contact" },
    [JUDGE_PASSED] = { "passed", "shapes that passed through each other between two steps", "1", 0.5, 0.5,
                       OF_ELEMENT, "smaller steps, or a stiffer contact" },
    [JUDGE_BELOW] = { "below", "centre of a body below the ground it stands on, of its size", "1", 0.05, 1.0,
                      OF_ELEMENT, "shapes that cover the whole body" },
    [JUDGE_GRAIN] = { "friction-axis", "friction_axis along the normal of its contact, cosine", "1", 0.999,
                      INFINITY, OF_ELEMENT,
                      "friction_axis along the surface: across it means nothing where it points into it" },
    [JUDGE_RANGE] = { "tyre-range", "tyre outside of the ranges of its data, of their widths", "1", 0.01,
                      INFINITY, OF_ELEMENT,
                      "data that were measured that far, or a run that asks less of the tyre" },
    [JUDGE_SAMPLED] = { "sampling", "looks of a device between which its input went over half of its range",
                        "1", 0.3, INFINITY, OF_ELEMENT,
                        "a shorter period: the device is slower than what it measures or controls" },
    [JUDGE_BENT] = { "deflection", "deflection of a flexible body, of its length", "1", 0.05, 0.3, OF_BODY,
                     "model: exact (beams), which bends without limit, or key split (straight beams), so "
                     "that each piece bends less" },
    [JUDGE_TILTED] = { "node-turn", "turn of a node of a flexible body against its frame", "rad", 0.1, 0.5,
                       OF_BODY,
                       "model: exact (beams), which turns without limit, or key split (straight beams), so "
                       "that each piece turns less" },
    [JUDGE_STIFFENING] = { "stiffening", "spin of a flexible body over its lowest frequency, squared", "1",
                           0.05, 1.0, OF_BODY,
                           "foreshortening: true, which holds the centrifugal stiffening; it exists for "
                           "straight beams only: "
                           "other meshes in several bodies along the radius, or as a beam" },
    [JUDGE_MODES] = { "high-modes",
                      "share of the vibration of flexible bodies in the highest third of their modes", "1",
                      0.3, INFINITY, OF_NOTHING, "more modes, or smaller steps" },
    [JUDGE_SHAKING] = { "vibration", "step against the vibration of flexible bodies, h w", "rad", 0.7,
                        INFINITY, OF_NOTHING, "smaller steps, if forces or stresses of these bodies matter" },
    [JUDGE_STABILITY] = { "stability", "explicit step against its limit of stability", "1", 1.0, 1.2,
                          OF_NOTHING, "smaller steps, or --scheme ali3p" },
    [JUDGE_INPUTS] = { "inputs", "share of an input or expression of time that falls between steps", "1", 0.1,
                       0.5, OF_NOTHING,
                       "smaller steps (--dt), or tables in place of conditions and --dt auto" },
    [JUDGE_STOPPED] = { "stopped", "steps that failed and ended the run", "1", 0.0, 0.0, OF_NOTHING,
                        "what the failure says" },
    [JUDGE_MOTION] = { "motion", "sum of the local errors of all steps, of what moved", "1", 0.03, 1.0,
                       OF_NOTHING, "smaller steps (--dt): the motion is faster or smaller than they follow" },
    [JUDGE_JUMP] = { "jump", "way in a step that no velocity tells of, of the mechanism's size", "1", 0.01,
                     0.1, OF_NOTHING, "guides without jumps, or smaller steps" },
    [JUDGE_PATHS] = { "paths",
                      "errors of single bodies, amplified as they tumble over each other, of the size", "1",
                      0.005, INFINITY, OF_NOTHING,
                      "sums and means, energies and forces hold beyond that time, where a single body ends "
                      "does not: "
                      "--verify tells which channels do" },
    [JUDGE_BRANCH] = { "branch", "loss of rank of the constraints at the start, ln of determinants", "1", 4.0,
                       INFINITY, OF_NOTHING,
                       "start beside this position, or give the rates of all joints there" },
    [JUDGE_RANK] = { "rank", "share of steps where constraints lose rank, done by ali3p", "1", 0.1, INFINITY,
                     OF_NOTHING, "--scheme ali3p" },
};

_Static_assert((int)JUDGE_COUNT <= (int)BI_JUDGEMENTS_MOST, "a verdict holds all judgements");

static void name_place(const bi_sim *sim, place_kind kind, int64_t where, char *buffer, size_t size)
{
    const bi_model *m = sim->system->model;
    snprintf(buffer, size, "%s", "");
    if (where < 0 || kind == OF_NOTHING) {
        return;
    }
    if (kind == OF_BODY) {
        snprintf(buffer, size, "body %.80s", m->body[where].def.name);
    } else if (kind == OF_ELEMENT) {
        snprintf(buffer, size, "%.80s", m->element[where].name);
    } else {
        dynamics_row_name(&sim->system->dynamics, (int)where, buffer, size);
    }
}

// ---- energy ------------------------------------------------------------------------------------------------------------

// Weight of all bodies times the mechanism's size, J: of this order are the terms whose sum is the potential.
static double weight_scale(const bi_sim *sim)
{
    const bi_model *m = sim->system->model;
    double mass = 0.0;
    for (int b = 0; b < m->n_body; b++) {
        const bi_modes *f = m->body[b].def.flex;
        mass += m->body[b].def.mass;
        for (int i = 0; f && i < f->n_node; i++) {
            mass += f->mass[i];
        }
    }
    return mass * fmax(vec3_norm(m->gravity), 1.0) * sim->system->dynamics.structure.size;
}

// What moved or was exchanged; at rest what rounding leaves of what is stored (verdict.1).
static double energy_scale(const bi_sim *sim)
{
    const judging *j = &sim->judge;
    double stored = fmax(fabs(j->potential_low), fmax(fabs(j->potential_high), 1e-3 * weight_scale(sim)));
    return j->kinetic + (j->potential_high - j->potential_low) + j->exchanged + 1e-9 * stored + 1e-12;
}

// Of an explicit rule of order p, x the part by which a rate changes in a step: x^p / (p + 1)! is lost over a state's
// own time; a rate that changes its sign from step to step is beyond the rule.
static double explicit_error(const bi_sim *sim, double change, double rate)
{
    static const double beyond = 1.5;
    double x = rate > 0.0 ? change / rate : 0.0, part = 1.0;
    for (int k = 1; k <= sim_scheme(sim)->order; k++) {
        part *= x / (k + 1);
    }
    return x > beyond ? 1.0 : part;
}

// Whether a state is beyond the stability of an explicit rule at nearly every look, however small it still is.
static bool is_unstable(const bi_sim *sim, double looks)
{
    return looks >= 3.0 && looks >= 0.8 * (double)sim->judge.looks;
}

// The worst state against its own largest value; those that are only rounding are left out.
static double error_of_states(const bi_sim *sim)
{
    bool is_explicit = sim_scheme(sim)->is_explicit;
    int n_z = sim->system->dynamics.plan.n_z;
    const double *size = sim->judge_z, *error = size + 2 * n_z;
    double least = 1e-3 * largest(size, n_z), worst = 0.0;
    for (int i = 0; i < n_z; i++) {
        double rate = size[n_z + i], moved = fmin(1.0, rate * sim->t / size[i]);
        double scale = fmax(size[i], sim->system->dynamics.plan.state[i].least); // below it nothing is meant
        double own = is_explicit ? moved * explicit_error(sim, error[i], rate) : error[i] / scale;
        double part = size[i] > least ? own : is_explicit && is_unstable(sim, error[n_z + i]) ? 1.0 : 0.0;
        worst = part <= worst ? worst : part;
    }
    return worst;
}

// The largest way of a coordinate; what is a millionth of the mechanism is rest. An angle that errs by a turn is lost,
// however many turns it made.
static double way_of(const bi_sim *sim)
{
    static const double turn = 6.283185307179586;
    const structure *st = &sim->system->dynamics.structure;
    double most = 1e-6 * fmax(st->size, 1e-3);
    for (int i = 0; i < st->n; i++) {
        bool is_angle = strncmp(st->variable_owner[i].what, "angle", 5) == 0;
        double way = sim->judge_q[st->n + i] - sim->judge_q[i];
        most = fmax(most, is_angle ? fmin(way, turn) : way);
    }
    return most;
}

// Sum of the local errors. Those of a vibration lose its phase, at most, which is twice its amplitude: that of a body
// which shivers about where its load holds it is small, however many steps there are (verdict.5).
static double error_of_motion(const bi_sim *sim)
{
    const judging *j = &sim->judge;
    bool may_shiver = sim->system->n_watch > 0 && j->bends > 0.0;
    return may_shiver ? fmin(j->error, 2.0 * j->reach * j->sizes / j->bends) : j->error;
}

static void set_shares(const bi_sim *sim, judge_worst *worst)
{
    const judging *j = &sim->judge;
    double steps = (double)(j->steps > 0 ? j->steps : 1), asked = (double)(j->asked > 0 ? j->asked : 1);
    worst[JUDGE_ENERGY] = (judge_worst){ j->balance / energy_scale(sim), j->balance_t, -1 };
    double size = sim->system->dynamics.structure.size, way = way_of(sim);
    double scale = fmax(size > 0.0 && size < 1.0 ? size : 1.0, 0.01 * way); // of a long way a hundredth
    worst[JUDGE_ERROR] = (judge_worst){ j->error / scale, sim->t, -1 };
    worst[JUDGE_MOTION] = (judge_worst){ error_of_motion(sim) / way, sim->t, -1 };
    worst[JUDGE_INPUTS] = (judge_worst){ judge_inputs(sim), sim->t, -1 };
    worst[JUDGE_STOPPED] = (judge_worst){ sim->failure[0] ? 1.0 : 0.0, sim->t, -1 };
    // shares and sums are those of the run so far
    static const judge_kind whole[] = { JUDGE_STATES, JUDGE_SHAKING, JUDGE_OVER,        JUDGE_PARTS,
                                        JUDGE_MODES,  JUDGE_RANK,    JUDGE_UNCONVERGED, JUDGE_FORCED };
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        worst[whole[k]].t = sim->t;
    }
    worst[JUDGE_STATES].value = error_of_states(sim);
    worst[JUDGE_OVER].value = fmin(1.0, (double)sim->step_overs / asked);
    worst[JUDGE_PARTS].value = (double)j->parts / asked;
    // what is too little to matter is left out
    double stored = fmax(fabs(j->potential_low), fabs(j->potential_high));
    double least = 1e-6 * fmax(j->kinetic, stored) * steps;
    worst[JUDGE_MODES].value = j->vibration > least ? j->high / j->vibration : 0.0;
    worst[JUDGE_SHAKING].value = j->vibration > least && j->swing > 0.0 ? sqrt(j->shaking / j->swing) : 0.0;
    worst[JUDGE_RANK].value = (double)j->implicit / steps;
    worst[JUDGE_UNCONVERGED].value = (double)sim->unconverged / steps;
    worst[JUDGE_FORCED].value = (double)sim->adapt.forced / steps;
}

// ---- all of it ---------------------------------------------------------------------------------------------------------

static bi_outcome outcome_of(const judge_entry *e, double value)
{
    // what is not a number is bad
    return !(value <= e->bad) ? BI_BAD : value > e->doubtful ? BI_DOUBTFUL : BI_GOOD;
}

static bool applies(const bi_sim *sim, judge_kind kind)
{
    const dynamics *d = &sim->system->dynamics;
    if (sim->judge.is_kinematic && kind != JUDGE_ENERGY && kind != JUDGE_POSITION && kind != JUDGE_VELOCITY &&
        kind != JUDGE_BENT && kind != JUDGE_TILTED) {
        return false;
    }
    switch (kind) {
    case JUDGE_OVER:
    case JUDGE_PARTS:
    case JUDGE_UNCONVERGED:
    case JUDGE_RINGING: return !sim_scheme(sim)->is_explicit;
    case JUDGE_ERROR:
    case JUDGE_MOTION: return sim_scheme(sim)->has_estimate;
    case JUDGE_STATES: return d->plan.n_z > 0;
    case JUDGE_FORCED: return sim->system->options.accuracy > 0.0;
    case JUDGE_POSITION:
    case JUDGE_VELOCITY: return d->structure.n_row > 0;
    case JUDGE_MOVED:
    case JUDGE_TURNED:
    case JUDGE_STARTED:
    case JUDGE_ENERGY:
    case JUDGE_TURN: return true;
    case JUDGE_IMPACT:
    case JUDGE_DEPTH:
    case JUDGE_PASSED:
    case JUDGE_GRAIN:
    case JUDGE_BELOW: return d->has_contact;
    case JUDGE_SAMPLED:
    case JUDGE_RANGE: return sim->judge.worst[kind].value > 0.0;
    case JUDGE_BENT:
    case JUDGE_TILTED:
    case JUDGE_STIFFENING:
    case JUDGE_SHAKING:
    case JUDGE_MODES: return sim->system->n_watch > 0;
    case JUDGE_STABILITY:
        return sim_scheme(sim)->is_explicit && !(sim->system->options.accuracy > 0.0) && d->plan.n_block > 0;
    case JUDGE_RANK: return sim_scheme(sim)->is_explicit && d->structure.n_row > 0;
    case JUDGE_INPUTS: return judge_inputs_count(sim->system) > 0;
    case JUDGE_STOPPED:
    case JUDGE_JUMP: return true;
    case JUDGE_PATHS: return d->parts.count > 1 && sim_scheme(sim)->has_estimate;
    case JUDGE_BRANCH: return d->structure.n_row > 0;
    case JUDGE_COUNT: return false;
    }
    return false;
}

// Pieces of a beam that bend and turn within the limits. The most bent piece of a bar that is loaded at its end bends
// 1.5 / n as much as the whole, of its length, and turns 2 / n as much; what is farther off than about a length or a
// quarter turn is so by linearity only.
static int pieces_for(judge_kind kind, double value, double limit)
{
    double share = kind == JUDGE_BENT ? 1.5 * fmin(value, 1.2) : 2.0 * fmin(value, 1.8);
    return (int)ceil(share / limit);
}

static void write_advice(const bi_sim *sim, judge_kind kind, bi_judgement *j)
{
    // joint coordinates lose less, if they are not those of the run
    if (kind == JUDGE_ENERGY && sim->system->options.coordinates != BI_JOINT) {
        snprintf(j->advice, sizeof j->advice, "%s",
                 "smaller steps (--dt), --dt auto, or --formulation joint");
        return;
    }
    if (kind == JUDGE_IMPACT && !sim_scheme(sim)->settles) {
        snprintf(j->advice, sizeof j->advice, "%s",
                 "smaller steps, a softer contact, or --scheme piles, whose contacts only take energy");
        return;
    }
    bool is_bent = kind == JUDGE_BENT || kind == JUDGE_TILTED;
    size_t length = (size_t)snprintf(j->advice, sizeof j->advice, "%s", entries[kind].advice);
    if (is_bent && j->outcome != BI_GOOD && j->value >= 0.0 && length < sizeof j->advice) {
        snprintf(j->advice + length, sizeof j->advice - length, ": about %d times as many pieces",
                 pieces_for(kind, j->value, j->doubtful));
    }
}

// The worst first: by outcome, then by how far beyond its limit.
static double severity(const bi_judgement *j)
{
    double over = j->value / j->doubtful;
    return 10.0 * (double)j->outcome + (isfinite(over) ? fmin(over, 9.0) : 9.0);
}

static bool is_before(const bi_judgement *a, const bi_judgement *b)
{
    double x = severity(a), y = severity(b);
    return x > y || (!(x < y) && strcmp(a->name, b->name) < 0);
}

// In place: the library's own sort may ask for memory, and this is called while driving.
static void sort(bi_verdict *v)
{
    for (int k = 1; k < v->count; k++) {
        bi_judgement item = v->item[k];
        int to = k;
        for (; to > 0 && is_before(&item, &v->item[to - 1]); to--) {
            v->item[to] = v->item[to - 1];
        }
        v->item[to] = item;
    }
}

static void write_line(bi_verdict *v)
{
    const bi_judgement *j = &v->item[0];
    if (v->outcome == BI_GOOD) {
        snprintf(v->line, sizeof v->line, "good");
        return;
    }
    double limit = v->outcome == BI_BAD ? j->bad : j->doubtful;
    char value[48] = "not a number";
    if (!isnan(j->value)) {
        bool has_unit = strcmp(j->unit, "1") != 0;
        snprintf(value, sizeof value, "%.3g%s%.16s", j->value, has_unit ? " " : "", has_unit ? j->unit : "");
    }
    snprintf(v->line, sizeof v->line, "%s: %s is %s (limit %.3g)%s%s at t = %.6g s; to try: %s",
             bi_outcome_name(v->outcome), j->what, value, limit, j->where[0] ? ", " : "", j->where, j->t,
             j->advice);
}

bi_verdict bi_sim_verdict(bi_sim *sim)
{
    bi_verdict out = { .outcome = BI_GOOD };
    if (!sim || !sim->started) {
        snprintf(out.line, sizeof out.line, "not started");
        return out;
    }
    // the present state on top, without a trace of having looked
    judging kept = sim->judge;
    judge_sample(sim);
    judge_stability(sim);
    judge_worst worst[JUDGE_COUNT];
    memcpy(worst, sim->judge.worst, sizeof worst);
    set_shares(sim, worst);
    sim->judge = kept;
    for (int k = 0; k < JUDGE_COUNT; k++) {
        const judge_entry *e = &entries[k];
        if (!applies(sim, (judge_kind)k)) {
            continue;
        }
        bi_judgement *j = &out.item[out.count++];
        *j = (bi_judgement){ .name = e->name,
                             .what = e->what,
                             .unit = e->unit,
                             .value = worst[k].value,
                             .doubtful = e->doubtful,
                             .bad = e->bad,
                             .t = worst[k].t,
                             .outcome = outcome_of(e, worst[k].value) };
        write_advice(sim, (judge_kind)k, j);
        name_place(sim, e->place, worst[k].where, j->where, sizeof j->where);
        out.outcome = j->outcome > out.outcome ? j->outcome : out.outcome;
    }
    sort(&out);
    write_line(&out);
    return out;
}

const char *bi_outcome_name(bi_outcome outcome)
{
    switch (outcome) {
    case BI_GOOD: return "good";
    case BI_DOUBTFUL: return "doubtful";
    case BI_BAD: return "bad";
    }
    return "";
}
