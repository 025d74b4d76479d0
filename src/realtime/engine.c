// SPDX-License-Identifier: MIT
// The engine's thread: obey, wait for the clock, step, show.
#include "realtime/engine.h"
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double longest_nap = 4e-3; // s, so that commands are obeyed soon while nothing happens
static const double patience = 0.1;     // s of the clock that may be caught up; more is given up, and said
static const double window_of_factor = 0.5; // s

double engine_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void nap_until(double instant)
{
    double whole = floor(instant);
    struct timespec at = { (time_t)whole, (long)(1e9 * (instant - whole)) };
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

// ---- inputs ----------------------------------------------------------------------------------------------------

static double asked_input(bi_loop *loop, int k)
{
    uint64_t bits = atomic_load_explicit(&loop->input[k], memory_order_relaxed);
    double value;
    memcpy(&value, &bits, sizeof value);
    double safe = loop->engine.safe[k];
    return loop->engine.is_safe && !isnan(safe) ? safe : value;
}

// Live inputs for the step to come; what changed is remembered and logged.
static void take_live_inputs(bi_loop *loop)
{
    engine *e = &loop->engine;
    for (int k = 0; k < e->n_input; k++) {
        double value = asked_input(loop, k);
        if (value != e->in_use[k]) {
            e->in_use[k] = value;
            e->is_urgent = true;
            bi_sim_input(e->sim, e->input_id[k], value);
            history_change(&e->past, (input_change){ e->step, k, value });
            engine_log(loop,
                       (bi_log_entry){ .kind = BI_LOG_INPUT, .input = k, .step = e->step, .value = value });
        }
    }
}

static void take_recorded_inputs(engine *e)
{
    const change_list *list = &e->past.changes;
    while (e->next < list->end && history_at(list, e->next)->step <= e->step) {
        const input_change *c = history_at(list, e->next++);
        e->in_use[c->input] = c->value;
        bi_sim_input(e->sim, e->input_id[c->input], c->value);
    }
}

// ---- steps -----------------------------------------------------------------------------------------------------

static void count_step(engine *e, double took, bool is_missed)
{
    bi_deadlines *d = &e->deadlines;
    int bin = took > 1e-6 ? (int)floor(log2(1e6 * took)) : 0;
    d->histogram[bin < BI_DEADLINE_BINS ? bin : BI_DEADLINE_BINS - 1]++;
    d->steps++;
    d->sum += took;
    d->room[BI_ROOM_STEP] += took;
    d->simulated += e->dt;
    d->misses += is_missed;
    if (took > d->worst) {
        d->worst = took;
        d->worst_t = (double)e->step * e->dt;
    }
}

static void step_failed(bi_loop *loop, bi_status status)
{
    engine *e = &loop->engine;
    char text[240];
    e->is_paused = e->is_ended = e->is_dirty = true;
    snprintf(text, sizeof text, "%s. %.160s", bi_status_text(status), bi_sim_failure(e->sim));
    engine_notice(loop, "step failed", text);
}

static void ghost_step(engine *e)
{
    ghost_track *g = &e->ghost;
    if (!g->is_there || !g->is_wanted || g->step >= g->end) {
        return;
    }
    double from = engine_clock();
    for (; g->next < g->inputs.end && history_at(&g->inputs, g->next)->step <= g->step; g->next++) {
        const input_change *c = history_at(&g->inputs, g->next);
        bi_sim_input(g->sim, e->input_id[c->input], c->value);
    }
    if (bi_sim_step(g->sim) == BI_OK) {
        g->step++;
    } else {
        g->end = g->step;
    }
    e->deadlines.room[BI_ROOM_GHOST] += engine_clock() - from;
}

bool engine_step_again(bi_loop *loop)
{
    engine *e = &loop->engine;
    take_recorded_inputs(e);
    bi_status status = bi_sim_step(e->sim);
    if (status != BI_OK) {
        // the recorded steps succeeded; if one fails now the end of the timeline is here
        e->end = e->step;
        step_failed(loop, status);
        return false;
    }
    e->step++;
    e->is_dirty = true;
    // beyond the last keyframe of a timeline that was given, not driven
    history_reached(&e->past, e->sim, e->in_use, e->step);
    return true;
}

static void remember(bi_loop *loop)
{
    engine *e = &loop->engine;
    double from = engine_clock();
    history_reached(&e->past, e->sim, e->in_use, e->step);
    double middle = engine_clock();
    e->deadlines.room[BI_ROOM_HISTORY] += middle - from;
    if (e->step % e->options.hash_every == 0) {
        engine_log(loop, (bi_log_entry){ .kind = BI_LOG_HASH, .step = e->step, .hash = bi_sim_hash(e->sim) });
        e->deadlines.room[BI_ROOM_LOG] += engine_clock() - middle;
    }
}

static void live_step(bi_loop *loop)
{
    engine *e = &loop->engine;
    take_live_inputs(loop);
    double from = engine_clock();
    bi_status status = bi_sim_step(e->sim);
    double now = engine_clock();
    if (status != BI_OK) {
        step_failed(loop, status);
        return;
    }
    count_step(e, now - from, !e->options.is_unpaced && now > e->begin + e->dt / e->speed);
    e->step++;
    e->end = e->step;
    remember(loop);
    ghost_step(e);
    engine_notice_events(loop);
}

// One step of whichever kind is due.
static void advance(bi_loop *loop)
{
    engine *e = &loop->engine;
    if (e->is_rewound) {
        // at the end it waits for somebody to take over
        e->n_event = bi_sim_event_count(e->sim);
        bool is_done = e->step < e->end && engine_step_again(loop);
        if (is_done) {
            engine_notice_again(loop);
        }
        e->is_paused = e->is_paused || !is_done || e->step >= e->end;
    } else {
        live_step(loop);
    }
    engine_judge_now_and_then(loop);
    e->is_dirty = true;
    e->advanced += e->dt;
    if (e->steps_asked > 0 && --e->steps_asked == 0) {
        e->is_paused = true;
    }
    if (e->options.time > 0.0 && !e->is_rewound &&
        (double)e->step * e->dt >= e->options.time * (1.0 - 1e-12)) {
        e->is_paused = e->is_ended = e->is_done = true;
    }
}

void engine_go_to(bi_loop *loop, int64_t step)
{
    engine *e = &loop->engine;
    const keyframe *key = history_before(&e->past, step);
    if (!key) {
        return;
    }
    e->target = step;
    if (step >= e->step && e->step >= key->step) {
        return; // it can be reached from here
    }
    (void)bi_sim_load(e->sim, key->bytes, key->size);
    e->n_event = bi_sim_event_count(e->sim);
    e->step = key->step;
    e->judged = -1;
    memcpy(e->in_use, key->input, (size_t)e->n_input * sizeof *e->in_use);
    e->next = history_changes_from(&e->past.changes, e->step);
}

// ---- the clock -------------------------------------------------------------------------------------------------

static void measure_factor(engine *e, double now)
{
    double window = now - e->window_clock;
    if (window >= window_of_factor) {
        e->reached = e->advanced / window;
        e->window_clock = now;
        e->advanced = 0.0;
    }
}

// Time that cannot be caught up is given up: the model runs slower than asked, and the frames say so.
static void give_up_lost_time(engine *e, double now)
{
    double late = now - e->begin;
    if (late > patience && !e->options.is_unpaced) {
        e->deadlines.slips++;
        e->deadlines.misses++; // the step that begins now should have ended long ago
        e->deadlines.slipped += late;
        e->begin = now;
    }
}

static void count_running(engine *e, double now)
{
    bool is_running = !e->is_paused && !e->is_rewound;
    if (e->running_since >= 0.0) {
        e->deadlines.clock += now - e->running_since;
    }
    e->running_since = is_running ? now : -1.0;
}

static void show_if_due(bi_loop *loop, double now)
{
    engine *e = &loop->engine;
    double period = 1.0 / e->options.frame_rate;
    bool is_due = now >= e->next_frame || (e->is_urgent && now >= e->last_frame + 0.4 * period);
    if (is_due && e->is_dirty) {
        e->is_urgent = false;
        e->last_frame = now;
        engine_publish(loop);
        e->next_frame = now - e->next_frame > period ? now + period : e->next_frame + period;
        e->is_dirty = false;
        e->deadlines.room[BI_ROOM_FRAME] += engine_clock() - now;
    }
}

// What is due now; gives the instant until which nothing is, 0: something is at once.
static double turn(bi_loop *loop)
{
    engine *e = &loop->engine;
    engine_obey(loop);
    double now = engine_clock();
    count_running(e, now);
    measure_factor(e, now);
    if (e->target >= 0) {
        // going to an instant: as fast as it can, commands in between
        if (e->step >= e->target || !engine_step_again(loop)) {
            e->target = -1;
        }
        (void)beside_follow(e);
        show_if_due(loop, now);
        return 0.0;
    }
    bool is_due = !e->is_paused && (e->options.is_unpaced || now >= e->begin);
    if (is_due) {
        give_up_lost_time(e, now);
        advance(loop);
        e->begin += e->dt / e->speed;
    }
    bool lags = beside_follow(e);
    now = engine_clock();
    show_if_due(loop, now);
    double wake = e->is_paused ? now + longest_nap : e->begin;
    wake = e->is_dirty ? fmin(wake, e->next_frame) : wake;
    bool may_wait = !lags && !e->is_done && !(e->options.is_unpaced && !e->is_paused) && wake > now;
    return may_wait ? fmin(wake, now + longest_nap) : 0.0;
}

// Where it is allowed, and where another processor is left for everybody else: a step that is due goes before other
// work.
static void ask_for_priority(const engine *e)
{
#ifdef __wasm__
    (void)e; // nobody to go before
#else
    if (!e->options.is_unpaced && sysconf(_SC_NPROCESSORS_ONLN) > 1) {
        struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_RR) };
        (void)pthread_setschedparam(pthread_self(), SCHED_RR, &lowest);
    }
#endif
}

void engine_begin(bi_loop *loop)
{
    engine *e = &loop->engine;
    e->begin = e->next_frame = e->window_clock = engine_clock();
    e->is_dirty = true;
}

double engine_turns(bi_loop *loop, double longest)
{
    double end = engine_clock() + longest, wake = 0.0;
    while (wake == 0.0 && !loop->engine.is_done && engine_clock() < end) {
        wake = turn(loop);
    }
    return wake > 0.0 ? fmax(wake - engine_clock(), 0.0) : 0.0;
}

void engine_end(bi_loop *loop)
{
    engine *e = &loop->engine;
    engine_log(loop, (bi_log_entry){ .kind = BI_LOG_STEPS, .step = e->end });
    if (!e->is_rewound) {
        engine_log(loop, (bi_log_entry){ .kind = BI_LOG_HASH, .step = e->step, .hash = bi_sim_hash(e->sim) });
    }
    e->is_done = true;
    count_running(e, engine_clock());
    engine_publish(loop);
}

void *engine_run(void *data)
{
    bi_loop *loop = data;
    engine *e = &loop->engine;
    ask_for_priority(e);
    engine_begin(loop);
    while (!atomic_load_explicit(&loop->is_stopping, memory_order_relaxed) && !e->is_done) {
        double wake = turn(loop);
        if (wake > 0.0) {
            nap_until(wake);
        }
    }
    engine_end(loop);
    return NULL;
}
