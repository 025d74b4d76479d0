// SPDX-License-Identifier: MIT
// What the engine does when it is told to.
#include "realtime/engine.h"
#include <math.h>
#include <stdlib.h>

static const double slowest = 1.0 / 32.0, fastest = 8.0;

static void seek(bi_loop *loop, double t)
{
    engine *e = &loop->engine;
    int64_t begin = history_begin(&e->past);
    double asked = t / e->dt;
    int64_t step = asked >= (double)e->end  ? e->end
                   : asked <= (double)begin ? begin
                                            : (int64_t)llround(asked);
    e->is_paused = true;
    e->is_ended = false;
    e->steps_asked = 0;
    if (step == e->step && !e->is_rewound) {
        return;
    }
    if (!e->is_rewound) {
        // from the live end: nothing recorded lies ahead of it
        e->next = e->past.changes.end;
    }
    e->is_rewound = true;
    e->ghost.is_there = false;
    engine_go_to(loop, step);
}

static void take_over(bi_loop *loop)
{
    engine *e = &loop->engine;
    ghost_track *g = &e->ghost;
    e->is_paused = false;
    e->is_ended = false;
    e->target = -1;
    e->begin = engine_clock();
    if (e->step == e->end) {
        e->is_rewound = false;
        return;
    }
    history_cut(&e->past, e->step, &g->inputs);
    size_t size = bi_sim_save(e->sim, NULL, 0);
    char *larger = size > e->snapshot_room ? realloc(e->snapshot, size) : NULL;
    e->snapshot = larger ? larger : e->snapshot;
    e->snapshot_room = larger ? size : e->snapshot_room;
    bi_sim_save(e->sim, e->snapshot, e->snapshot_room);
    g->is_there = g->sim && size <= e->snapshot_room && bi_sim_load(g->sim, e->snapshot, size) == BI_OK;
    g->next = 0;
    g->step = e->step;
    g->end = e->end;
    e->end = e->step;
    e->is_rewound = false;
    e->branch++;
    e->n_event = bi_sim_event_count(e->sim);
    engine_log(loop, (bi_log_entry){ .kind = BI_LOG_BRANCH, .step = e->step });
}

static void obey(bi_loop *loop, bi_loop_command c)
{
    engine *e = &loop->engine;
    e->is_dirty = true;
    switch (c.order) {
    case BI_LOOP_PAUSE:
        e->is_paused = true;
        e->steps_asked = 0;
        break;
    case BI_LOOP_PLAY:
        e->begin = e->is_paused ? engine_clock() : e->begin;
        e->is_paused = e->is_ended = false;
        e->steps_asked = 0;
        break;
    case BI_LOOP_STEP:
        e->steps_asked = c.value >= 1.0 && c.value <= 1e6 ? (int64_t)c.value : 1;
        e->begin = engine_clock();
        e->is_paused = e->is_ended = false;
        break;
    case BI_LOOP_SPEED:
        if (c.value > 0.0) {
            e->speed = fmin(fmax(c.value, slowest), fastest);
            e->begin = engine_clock();
        }
        break;
    case BI_LOOP_SEEK: seek(loop, c.value); break;
    case BI_LOOP_TAKE: take_over(loop); break;
    case BI_LOOP_GHOST: e->ghost.is_wanted = c.value != 0.0; break;
    case BI_LOOP_ARROWS: e->has_arrows = c.value != 0.0; break;
    case BI_LOOP_SAFE: e->is_safe = c.value != 0.0; break;
    }
}

void engine_obey(bi_loop *loop)
{
    bi_loop_command c;
    while (ring_take(&loop->commands, &c)) {
        obey(loop, c);
    }
}
