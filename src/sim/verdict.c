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
    [JUDGE_ENERGY] = { "energy", "energy from nowhere, of what moved or was exchanged", "1", 0.02, 0.1,
                       OF_NOTHING, "smaller steps (--dt), --dt auto, or --formulation joint" },
    [JUDGE_ERROR] = { "accuracy", "sum of the local errors of all steps, of the mechanism's size", "1", 0.3,
                      INFINITY, OF_NOTHING, "smaller steps (--dt), or --dt auto" },
    [JUDGE_TURN] = { "turn", "largest turn of a body in a step", "rad", 1.0, INFINITY, OF_BODY,
                     "smaller steps, if what acts on the body changes as it turns" },
    [JUDGE_OVER] = { "step-overs", "share of steps that stepped over a position", "1", 0.02, 0.2, OF_NOTHING,
                     "smaller steps, or the other formulation" },
    [JUDGE_PARTS] = { "parts", "share of steps done in parts", "1", 0.05, 0.5, OF_NOTHING, "smaller steps" },
    [JUDGE_UNCONVERGED] = { "not-converged", "share of steps kept though they did not converge", "1", 1e-3,
                            0.05, OF_NOTHING, "smaller steps, or the other formulation" },
    [JUDGE_FORCED] = { "kept-in-spite", "share of steps kept in spite of their error", "1", 0.05, 0.5,
                       OF_NOTHING, "a larger tolerance, or another scheme" },
    [JUDGE_POSITION] = { "position", "constraints left open, of the mechanism's size", "1", 1e-6, 1e-3,
                         OF_ROW, "smaller steps" },
    [JUDGE_VELOCITY] = { "velocity", "rates of constraints, of the fastest motion", "1", 1e-3, 0.05, OF_ROW,
                         "smaller steps" },
    [JUDGE_RINGING] = { "ringing", "share of accelerations that change sign from step to step", "1", 0.2, 0.9,
                        OF_NOTHING, "--scheme ali3p-alpha, smaller steps, or a softer spring" },
};

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

// What moved or was exchanged; at rest what rounding leaves of what is stored (verdict.1).
static double energy_scale(const bi_sim *sim)
{
    const judging *j = &sim->judge;
    double stored = fmax(fabs(j->potential_low), fabs(j->potential_high));
    return j->kinetic + (j->potential_high - j->potential_low) + j->exchanged + 1e-9 * stored + 1e-12;
}

static void set_shares(const bi_sim *sim, judge_worst *worst)
{
    const judging *j = &sim->judge;
    double steps = (double)(j->steps > 0 ? j->steps : 1);
    worst[JUDGE_ENERGY] = (judge_worst){ j->balance / energy_scale(sim), j->balance_t, -1 };
    double size = sim->system->dynamics.structure.size;
    worst[JUDGE_ERROR] = (judge_worst){ j->error / (size > 0.0 && size < 1.0 ? size : 1.0), sim->t, -1 };
    worst[JUDGE_OVER].value = (double)sim->step_overs / steps;
    worst[JUDGE_PARTS].value = (double)j->parts / steps;
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
    switch (kind) {
    case JUDGE_OVER:
    case JUDGE_PARTS:
    case JUDGE_UNCONVERGED:
    case JUDGE_ERROR:
    case JUDGE_RINGING: return !scheme_is_explicit(sim->system->options.scheme);
    case JUDGE_FORCED: return sim->system->options.accuracy > 0.0;
    case JUDGE_POSITION:
    case JUDGE_VELOCITY: return d->structure.n_row > 0;
    case JUDGE_ENERGY:
    case JUDGE_TURN: return true;
    case JUDGE_MOVED:
    case JUDGE_TURNED:
    case JUDGE_STARTED:
    case JUDGE_IMPACT:
    case JUDGE_DEPTH:
    case JUDGE_PASSED:
    case JUDGE_BELOW:
    case JUDGE_BENT:
    case JUDGE_TILTED:
    case JUDGE_FAST_MODES:
    case JUDGE_STABILITY:
    case JUDGE_RANK:
    case JUDGE_COUNT: return false;
    }
    return false;
}

// The worst first: by outcome, then by how far beyond its limit.
static double severity(const bi_judgement *j)
{
    double over = j->value / j->doubtful;
    return 10.0 * (double)j->outcome + (isfinite(over) ? fmin(over, 9.0) : 9.0);
}

static int by_severity(const void *a, const void *b)
{
    double x = severity(a), y = severity(b);
    return x < y ? 1 : x > y ? -1 : strcmp(((const bi_judgement *)a)->name, ((const bi_judgement *)b)->name);
}

static void write_line(bi_verdict *v)
{
    const bi_judgement *j = &v->item[0];
    if (v->outcome == BI_GOOD) {
        snprintf(v->line, sizeof v->line, "good");
        return;
    }
    double limit = v->outcome == BI_BAD ? j->bad : j->doubtful;
    snprintf(v->line, sizeof v->line, "%s: %s is %.3g%s%s (limit %.3g)%s%s at t = %.6g s; to try: %s",
             bi_outcome_name(v->outcome), j->what, j->value, strcmp(j->unit, "1") == 0 ? "" : " ",
             strcmp(j->unit, "1") == 0 ? "" : j->unit, limit, j->where[0] ? ", " : "", j->where, j->t,
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
        *j = (bi_judgement){ e->name, e->what,    e->unit, worst[k].value, e->doubtful,
                             e->bad,  worst[k].t, "",      e->advice,      outcome_of(e, worst[k].value) };
        name_place(sim, e->place, worst[k].where, j->where, sizeof j->where);
        out.outcome = j->outcome > out.outcome ? j->outcome : out.outcome;
    }
    qsort(out.item, (size_t)out.count, sizeof *out.item, by_severity);
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
