// SPDX-License-Identifier: MIT
// Dry friction of a graph: slips with the effort it can carry, or is locked and carries what keeps its flow at zero. Which
// of both is found in each evaluation from how it was at the start of the step (bond.13, bond.14).
#include "laws/bond/locking.h"
#include "sparse/dense.h"
#include <math.h>
#include <string.h>

// Numbers of the k-th one in the states that are carried along: which way it slips, and the integral of its flow since
// it is locked, whose rate is the flow.
static int slip_at(const graph *g, int which) { return hold_at(g) + 2 * which; }
static int twist_at(const graph *g, int which) { return hold_at(g) + 2 * which + 1; }

typedef struct {
    int unknown, which; // place among the unknowns, and among those that hold
} place;

// The next one behind; false: there is none.
static bool next(const tape *t, place *at)
{
    for (int k = at->unknown + 1; k < t->n_derivative; k++) {
        if (t->hold[k].capacity >= 0) {
            *at = (place){ k, at->which + 1 };
            return true;
        }
    }
    return false;
}
static const place before_first = { -1, -1 };

static double flow_of(const tape *t, const tape_work *w, int k) { return w->v[t->stored[k]]; }
static double effort_of(const tape *t, const tape_work *w, int k) { return w->v[tape_derivative(t, k)]; }

static bool is_step(const law_in *in) { return !(in->want & (LAW_EXPLICIT | LAW_START)); }

// It came to rest in this very step: its flow at the end is zero.
static tape_mode closing(const law_in *in)
{
    static const double at_once = 1e4; // what is left of the flow is a share of 2e-4, which fades afterwards
    return (tape_mode){ 0.0, at_once / in->u->h, 0.0 };
}

static tape_mode locked(const graph *g, const law_in *in, place at)
{
    double time = g->t.hold[at.unknown].settle, twist = in->z_old[twist_at(g, at.which)];
    if (!is_step(in)) {
        return (tape_mode){ 0.0, 2.0 / time, in->want & LAW_START ? 0.0 : twist / (time * time) };
    }
    // the twist at the end of the step is twist + h/2 (flow + flow at the end)
    double half = 0.5 * in->u->h;
    time = fmax(time, in->u->h);
    return (tape_mode){ 0.0, 2.0 / time + half / (time * time),
                        (twist + half * in->dz_old[twist_at(g, at.which)]) / (time * time) };
}

void hold_begin(const graph *g, const law_in *in, tape_work *w)
{
    memset(w->mode, 0, (size_t)g->t.n_derivative * sizeof *w->mode);
    for (place at = before_first; next(&g->t, &at);) {
        double slip = in->want & LAW_START ? 0.0 : in->z_old[slip_at(g, at.which)];
        w->mode[at.unknown] = slip != 0.0 ? (tape_mode){ .slip = slip } : locked(g, in, at);
    }
}

// A motion against the way it slips: it stands, as long as it can.
static tape_mode stand(const graph *g, const law_in *in, place at)
{
    return is_step(in) ? closing(in) : locked(g, in, at);
}

// What cannot be locked slips the way it moves, or is pushed.
static tape_mode slide(double flow, double effort)
{
    static const double rest = 1e-9;
    double way = fabs(flow) > rest ? flow : effort;
    return (tape_mode){ .slip = way > 0.0 ? 1.0 : -1.0 };
}

bool hold_change(const graph *g, const law_in *in, int try, tape_work *w)
{
    const tape *t = &g->t;
    bool is_changed = false;
    for (place at = before_first; next(t, &at);) {
        tape_mode *m = &w->mode[at.unknown];
        double flow = flow_of(t, w, at.unknown), effort = effort_of(t, w, at.unknown);
        double capacity = fmax(w->v[t->hold[at.unknown].capacity], 0.0);
        bool is_start = in->want & LAW_START;
        // what was locked and slides in this try may not have moved yet
        bool was_locked = is_start || in->z_old[slip_at(g, at.which)] == 0.0;
        if (m->slip != 0.0 && !was_locked && try == 0 && m->slip * flow < 0.0) {
            *m = stand(g, in, at);
            is_changed = true;
        } else if (m->slip == 0.0 && fabs(effort) > capacity * t->hold[at.unknown].breakaway) {
            // at the start it may move already
            *m = slide(is_start ? flow : 0.0, effort);
            is_changed = true;
        }
    }
    return is_changed;
}

bool hold_closes(const graph *g, const law_in *in, const tape_work *w)
{
    for (place at = before_first; is_step(in) && next(&g->t, &at);) {
        if (w->mode[at.unknown].slip == 0.0 && in->z_old[slip_at(g, at.which)] != 0.0) {
            return true;
        }
    }
    return false;
}

void hold_settle(const graph *g, const law_in *in, hold_when when, tape_work *w)
{
    for (place at = before_first; next(&g->t, &at);) {
        tape_mode *m = &w->mode[at.unknown];
        if (m->slip == 0.0 && in->z_old[slip_at(g, at.which)] != 0.0) {
            *m = when == HOLD_IN_STEP ? closing(in)
                                      : (tape_mode){ .gain = 2.0 / g->t.hold[at.unknown].settle };
        }
    }
}

double hold_signature(const graph *g, const tape_work *w)
{
    double sum = 0.0;
    for (place at = before_first; next(&g->t, &at);) {
        sum = 3.0 * sum +
              (w->mode[at.unknown].slip != 0.0 ? w->mode[at.unknown].slip : 1e-9 * w->mode[at.unknown].gain);
    }
    return sum;
}

void hold_write(const graph *g, const law_in *in, const tape_work *w, law_out *out)
{
    const tape *t = &g->t;
    for (place at = before_first; next(t, &at);) {
        double slip = w->mode[at.unknown].slip, flow = flow_of(t, w, at.unknown);
        int twist = twist_at(g, at.which);
        bool stays = is_step(in) && slip == 0.0 && in->z_old[slip_at(g, at.which)] == 0.0;
        out->z[slip_at(g, at.which)] = slip;
        out->dz[slip_at(g, at.which)] = 0.0;
        // explicit schemes carry no twist
        double kept = slip == 0.0 && (in->want & LAW_EXPLICIT) ? in->z_old[twist] : 0.0;
        out->z[twist] = stays ? in->z_old[twist] + 0.5 * in->u->h * (in->dz_old[twist] + flow) : kept;
        out->dz[twist] = stays ? flow : 0.0;
    }
}

double hold_reading(const graph *g, const tape_work *w, int which)
{
    for (place at = before_first; next(&g->t, &at);) {
        if (at.which == which) {
            return w->mode[at.unknown].slip == 0.0 ? 1.0 : 0.0;
        }
    }
    return 0.0;
}

// ---- can they be locked? ---------------------------------------------------------------------------------------------

// With these locked and all others slipping.
static bool may_lock(const tape *t, tape_work *w, int a, int b, int *room)
{
    for (int k = 0; k < t->n_derivative; k++) {
        w->mode[k] = (tape_mode){ .slip = k == a || k == b ? 0.0 : 1.0, .gain = 1.0 };
    }
    return tape_can_lock(t, room, w);
}

int hold_impossible(const tape *t, tape_work *w, int *room, int *other)
{
    *other = -1;
    for (place a = before_first; next(t, &a);) {
        if (!may_lock(t, w, a.unknown, a.unknown, room)) {
            return a.unknown;
        }
        for (place b = a; next(t, &b);) {
            if (!may_lock(t, w, a.unknown, b.unknown, room)) {
                *other = b.unknown;
                return a.unknown;
            }
        }
    }
    return -1;
}
