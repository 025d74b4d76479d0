// SPDX-License-Identifier: MIT
// The memory of what lives: a block beside that of the sim. It begins small, and a larger one takes its place when it is
// full: after a step's commit has found more than there is room for, or before a step is tried again.
#include "dynamics/rooms.h"
#include "sim/system.h"
#include <string.h>

enum { MOST_COORDS = 12 };

// All states that have a pool.
static int list_coords(bi_sim *sim, coords *out[MOST_COORDS])
{
    stepper_states(&sim->stepper, out);
    int n = STEPPER_STATES;
    out[n++] = &sim->shown;
    out[n++] = &sim->exact;
    for (int k = 0; k < 2 && sim->system->options.accuracy > 0.0; k++) {
        out[n++] = &sim->spare[k];
    }
    for (int k = 0; k < sim->n_guest; k++) {
        out[n++] = sim->guest[k];
    }
    return n;
}

static void cut(bi_sim *sim, arena *a)
{
    const dynamics *d = &sim->system->dynamics;
    trays *t = &sim->stepper.trays;
    coords *list[MOST_COORDS];
    int n = list_coords(sim, list);
    rooms_cut(d, t, a);
    for (int k = 0; k < n; k++) {
        list[k]->pool = rooms_cut_pool(d, t, a);
        list[k]->room = t->room;
    }
}

// What was there before sizes changed.
typedef struct {
    trays trays;
    double *pool[MOST_COORDS];
} rooms_held;

static rooms_held hold_rooms(bi_sim *sim)
{
    rooms_held held = { .trays = sim->stepper.trays };
    coords *list[MOST_COORDS];
    int n = list_coords(sim, list);
    for (int k = 0; k < n; k++) {
        held.pool[k] = list[k]->pool;
    }
    trays *t = &sim->stepper.trays;
    memcpy(t->room_before, t->room, (size_t)sim->system->dynamics.plan.n_pools * sizeof *t->room);
    return held;
}

static void put_back(bi_sim *sim, const rooms_held *held)
{
    coords *list[MOST_COORDS];
    int n = list_coords(sim, list);
    for (int k = 0; k < n; k++) {
        list[k]->pool = held->pool[k];
    }
    trays *t = &sim->stepper.trays;
    *t = held->trays;
    memcpy(t->room, t->room_before, (size_t)sim->system->dynamics.plan.n_pools * sizeof *t->room);
}

static void move(bi_sim *sim, const rooms_held *held)
{
    const dynamics *d = &sim->system->dynamics;
    trays *t = &sim->stepper.trays;
    coords *list[MOST_COORDS];
    int n = list_coords(sim, list);
    for (int k = 0; k < n; k++) {
        if (held->pool[k]) {
            rooms_move_pool(d, t, held->pool[k], list[k]->pool);
        }
    }
    rooms_move(d, &held->trays, t);
}

// A block of the sizes that the trays say now, with all that was in the one before.
static bool replace(bi_sim *sim, const rooms_held *held)
{
    const bi_system *s = sim->system;
    arena a = { 0 };
    cut(sim, &a);
    a = sim->outside->block(s, a.used);
    if (!a.memory) {
        put_back(sim, held);
        return false;
    }
    cut(sim, &a);
    if (sim->rooms) {
        move(sim, held);
        sim_release(s, sim->rooms);
    }
    sim->rooms = a.memory;
    return true;
}

bool sim_rooms_make(bi_sim *sim)
{
    const dynamics *d = &sim->system->dynamics;
    if (d->plan.n_pools == 0) {
        return true;
    }
    rooms_held held = hold_rooms(sim);
    rooms_begin(d, &sim->stepper.trays);
    return replace(sim, &held);
}

bool sim_rooms_grow(bi_sim *sim)
{
    rooms_held held = hold_rooms(sim);
    rooms_enlarge(sim->stepper.d, &sim->stepper.now, &sim->stepper.trays);
    return replace(sim, &held);
}

bool sim_rooms_fit(bi_sim *sim, const pool_need *need)
{
    trays *t = &sim->stepper.trays;
    bool fits = true;
    rooms_held held = hold_rooms(sim);
    for (int k = 0; k < sim->system->dynamics.plan.n_pools; k++) {
        fits = fits && need[k].numbers <= t->room[k].size && need[k].pairs <= t->room[k].pairs;
        rooms_need(t, k, need[k].numbers, need[k].pairs);
    }
    return fits || replace(sim, &held);
}

bool sim_rooms_join(bi_sim *sim, coords *guest)
{
    if (sim->system->dynamics.plan.n_pools == 0) {
        return true;
    }
    guest->pool = NULL;
    sim->guest[sim->n_guest++] = guest;
    rooms_held held = hold_rooms(sim);
    bool is_in = replace(sim, &held);
    sim->n_guest -= !is_in;
    return is_in;
}

void sim_rooms_leave(bi_sim *sim) { sim->n_guest = 0; }

void sim_commit(bi_sim *sim, law_doubts *doubts)
{
    stepper *s = &sim->stepper;
    dynamics_commit(s->d, &s->now, &s->trays, s->now.memory, doubts);
    while (dynamics_full(s->d, &s->now) >= 0 && sim_rooms_grow(sim)) {
        dynamics_commit_rest(s->d, &s->now, &s->trays, s->now.memory, doubts);
    }
}

bi_status sim_step_by(bi_sim *sim, bi_status (*step)(stepper *, double), double h)
{
    stepper *s = &sim->stepper;
    double t = s->now.t;
    stepper_counts counts = stepper_counted(s);
    bi_status status = step(s, h);
    while (status == BI_FULL && s->trays.places.lacks != 0 && sim_rooms_grow(sim)) {
        coords_copy(s->d, &s->old, &s->now);
        s->now.t = t;
        stepper_count_from(s, counts);
        status = step(s, h);
    }
    return status;
}

bool sim_keep_whole(bi_sim *sim)
{
    size_t size = bi_sim_save(sim, NULL, 0);
    if (size > sim->whole_size) {
        // only what lives changes the size of a snapshot: then it is a block of its own
        arena a = sim->outside->block(sim->system, size + size / 4);
        if (!a.memory) {
            return false;
        }
        if (sim->whole) {
            sim_release(sim->system, sim->whole);
        }
        sim->whole = a.memory;
        sim->whole_size = a.size;
    }
    sim->whole_used = bi_sim_save(sim, sim->whole, sim->whole_size);
    return true;
}
