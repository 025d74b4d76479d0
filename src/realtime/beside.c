// SPDX-License-Identifier: MIT
// A recorded drive as it was, beside the same inputs on another system: it stands where the state shown stands.
#include "realtime/engine.h"
#include <stdlib.h>

static const double slice = 2e-3; // s of a turn: what is left is done in the next ones

bool beside_create(engine *e)
{
    const bi_loop_options *o = &e->options;
    beside_track *b = &e->beside;
    bool fits = o->recorded && o->recorded_system && bi_system_dt(o->recorded_system) == e->dt &&
                bi_sim_view(o->recorded).n_body == bi_sim_view(e->sim).n_body;
    if (!fits || o->past_steps == 0) {
        return true;
    }
    b->size = bi_sim_save(o->recorded, NULL, 0);
    b->start = malloc(b->size);
    b->input_id = malloc(((size_t)e->n_input + 1) * sizeof *b->input_id);
    if (!b->start || !b->input_id || bi_sim_save(o->recorded, b->start, b->size) != b->size) {
        return false;
    }
    for (int k = 0; k < e->n_input; k++) {
        // the other system may lack one: unset then, and nothing is set
        b->input_id[k] = bi_find_input(o->recorded_system, bi_input_name(e->system, k));
    }
    b->sim = o->recorded;
    return true;
}

void beside_clear(engine *e)
{
    free(e->beside.start);
    free(e->beside.input_id);
}

// The recorded inputs are all there: nobody has taken over, and none was forgotten.
static bool can_follow(const engine *e)
{
    return e->beside.sim && e->is_rewound && e->branch == 0 && e->past.changes.first == 0 &&
           e->ghost.is_wanted;
}

bool beside_is_here(const engine *e) { return can_follow(e) && e->beside.step == e->step; }

static void step(engine *e)
{
    beside_track *b = &e->beside;
    const change_list *changes = &e->past.changes;
    for (; b->next < changes->end && history_at(changes, b->next)->step <= b->step; b->next++) {
        const input_change *c = history_at(changes, b->next);
        bi_sim_input(b->sim, b->input_id[c->input], c->value);
    }
    if (bi_sim_step(b->sim) != BI_OK) {
        b->sim = NULL; // it was recorded by another program: there is nothing to show
    }
    b->step++;
}

bool beside_follow(engine *e)
{
    beside_track *b = &e->beside;
    if (!can_follow(e) || b->step == e->step) {
        return false;
    }
    if (b->step > e->step) {
        if (bi_sim_load(b->sim, b->start, b->size) != BI_OK) {
            b->sim = NULL;
            return false;
        }
        b->step = b->next = 0;
    }
    double from = engine_clock(), now = from;
    while (b->sim && b->step < e->step && now - from < slice) {
        step(e);
        now = engine_clock();
    }
    e->deadlines.room[BI_ROOM_GHOST] += now - from;
    e->is_dirty = true;
    return b->sim && b->step < e->step;
}
