// SPDX-License-Identifier: MIT
// A contact between shapes as its files share it: the element, what a place of it is like, and the walk over its pairs.
#pragma once
#include "laws/contact/contact.h"
#include "laws/contact/crowd/live.h"
#include "laws/contact/nudge.h"
#include "laws/contact/pair.h"
#include "laws/contact/store.h"
#include "laws/contact/surface.h"
#include "laws/contact/touch.h"
#include "state/slippery.h"
#include <math.h>

typedef struct contact {
    int element, readings, n_pair;
    bool is_followed;        // a signal reads it after each step
    const bi_model *patched; // friction differs from place to place of the ground; NULL: it does not
    int touched;             // memory: 1 once something has touched
    int seen; // memory: stiffness, damping, friction and belt when it was last looked; -1: nobody sleeps on it
    int hit;  // memory: the present touch, by HIT_...; -1: no event watches it
    int *sleeper;       // memory of sleep of bodies: while all of them sleep, so do all pairs
    int n_sleeper;      // 0: there are none
    size_t sleeping;    // in the scratch, with `sleeper`: all readings meanwhile
    contact_pair *pair; // those that stand in the pattern
    contact_live *live; // or those that are near; NULL: the others
    int clock;          // memory: time and speed of a belt after the last step; -1: it is none
    surface surface;
    double gravity;
    double thin; // the least of all pairs that can pass each other, m; INFINITY: none can
} contact;

// Numbers of `seen`.
enum { CONTACT_SEEN = 8 }; // at most
static inline int contact_seen(const contact *c)
{
    return surface_has_more(&c->surface) ? CONTACT_SEEN : c->clock >= 0 ? 4 : 3;
}

// What a place of a pair holds, kg: as many as there were after the last step, a constant during one.
static inline double mass_at(const contact_pair *p, const law_in *in, int count)
{
    double before = pair_own(p, in)[HEAD_COUNT];
    return p->mass / (before > 0.0 ? before : count);
}

// Two shapes slide once all their places are at their limits, and stick once none is (touch.4): the sign of what is
// remembered of the first touch of each place.
static inline bool pair_slides(const contact_pair *p, const law_in *in)
{
    const double *own = pair_own(p, in);
    return own[HEAD_COUNT] > 0.0 && own[p->head + SLOT_IMPACT] < 0.0;
}

// The two began a run inside each other: an impact that is infinite. They are pushed apart, not thrown (contact.29).
static inline bool pair_began_inside(const contact_pair *p, const double *own)
{
    return own[HEAD_COUNT] > 0.0 && isinf(own[p->head + SLOT_IMPACT]);
}

// Share of their elastic forces that patches may give back, and pairs that began inside each other.
static inline double pair_give(const contact_pair *p, const law_in *in)
{
    const double *own = pair_own(p, in);
    if (pair_began_inside(p, own)) {
        return 0.0;
    }
    return p->is_patch && own[HEAD_COUNT] > 0.0 ? own[HEAD_GIVE] : 1.0;
}

static inline surface_place surface_place_of(const contact *c, const contact_pair *p, const law_in *in,
                                             const pair_place *place, int count)
{
    surface_place at = { mass_at(p, in, count), p->mass, place->area, 1.0 };
    if (c->patched && (p->side[0].dof < 0 || p->side[1].dof < 0)) {
        at.slippery = slippery_at(c->patched, in->u, place->point);
    }
    return at;
}

// The laws of one place of a pair: what inputs say now, its share of mass and area.
touch_values values_at(const contact *c, const contact_pair *p, const law_in *in, const pair_place *place,
                       int count);
touch_motion motion_at(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                       const pair_place *place, hold *h);
// A belt: what it adds to the velocity of a against b, and to the stretch since the last step (touch.9).
void contact_run_belt(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                      hold *h);
// Moments against rolling at a place; values.stiffness 0: there are none.
typedef struct {
    roll_values values;
    roll_motion at;
} place_roll;
place_roll roll_at(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                   const pair_place *place, int count);
// Only with skew.
grain grain_at(const contact *c, const contact_pair *p, const pair_motion *m, const touch_values *v,
               const touch_motion *t);
// Share of the elastic forces of a patch that may act: less than one where they would give more than was stored.
store_limit share_held(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                       const pair_place *place, int count);

// Of a spring across the normal with the stretch it keeps, J; of a pair that sleeps, found once.
double contact_stick_energy(const touch_values *v, vec3 kept);
void contact_energy_of_sleeping(const contact *c, const contact_pair *p, const law_in *in, law_energy *out);
void contact_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out);
void contact_commit(const void *items, int count, const law_in *in, double *memory);

static inline void contact_walk(pair_walk *w, const contact *c, const law_in *in)
{
    walk_begin(w, c->live, c->pair, c->n_pair, in);
}

static inline bool all_sleeps(const contact *c, const law_in *in)
{
    for (int k = 0; k < c->n_sleeper; k++) {
        if (!(in->memory[c->sleeper[k] + SLEEP_IS] > 0.0)) {
            return false;
        }
    }
    return c->n_sleeper > 0;
}

static inline sleeping_pair *sleeping_of(const contact_pair *p, const law_in *in)
{
    return (sleeping_pair *)(void *)((char *)in->scratch + p->sleeping);
}

static inline sleeping_pair *all_sleeping_of(const contact *c, const law_in *in)
{
    return (sleeping_pair *)(void *)((char *)in->scratch + c->sleeping);
}
