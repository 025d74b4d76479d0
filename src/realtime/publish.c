// SPDX-License-Identifier: MIT
// What the engine sends: frames, the log, notices.
#include "realtime/engine.h"
#include <biela/flex.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static unsigned flags_of(const engine *e)
{
    unsigned flags = 0;
    flags |= e->is_paused ? BI_FRAME_PAUSED : 0u;
    flags |= e->is_rewound ? BI_FRAME_REWOUND : 0u;
    flags |= (e->ghost.is_there && e->ghost.is_wanted) || beside_is_here(e) ? BI_FRAME_GHOST : 0u;
    flags |= e->is_ended ? BI_FRAME_ENDED : 0u;
    flags |= e->is_safe ? BI_FRAME_STALE : 0u;
    return flags;
}

static void fill(bi_loop *loop, bi_loop_frame *f)
{
    engine *e = &loop->engine;
    bi_view view = bi_sim_view(e->sim);
    f->number = ++e->frames;
    f->flags = flags_of(e);
    f->t = view.t;
    f->step = e->step;
    f->speed = e->speed;
    f->reached = e->is_paused ? 0.0 : e->reached;
    memcpy(f->pose, view.pose, (size_t)f->n_body * sizeof *f->pose);
    bi_sim_read_all(e->sim, f->channel);
    for (int k = 0, first = 0; k < e->n_flexible; k++) {
        first += bi_sim_modes(e->sim, e->flexible[k], f->mode + first);
    }
    f->n_arrow = e->has_arrows && e->options.arrows ? e->options.n_arrow : 0;
    if (f->n_arrow > 0) {
        e->options.arrows(e->options.data, e->sim, f->arrow);
    }
    if (f->n_input > 0) {
        memcpy(f->input, e->in_use, (size_t)f->n_input * sizeof *f->input);
    }
    f->n_ghost = f->flags & BI_FRAME_GHOST ? f->n_body : 0;
    if (f->n_ghost > 0) {
        bi_sim *ghost = beside_is_here(e) ? e->beside.sim : e->ghost.sim;
        memcpy(f->ghost, bi_sim_view(ghost).pose, (size_t)f->n_body * sizeof *f->ghost);
    }
    f->deadlines = e->deadlines;
    f->timeline =
        (bi_timeline){ (double)history_begin(&e->past) * e->dt, (double)e->end * e->dt, view.t, e->branch };
    f->outcome = e->outcome;
    memcpy(f->verdict, e->verdict, sizeof f->verdict);
    f->is_done = e->is_done;
    f->lost_log = e->lost_log;
}

// A state that stands is shown with its own verdict, not with one of a few steps ago.
static bool is_judged(const engine *e)
{
    bool stands = e->is_paused || e->is_done;
    return e->judged >= 0 && (e->judged == e->step || !stands);
}

void engine_publish(bi_loop *loop)
{
    if (!loop->engine.is_rewound) {
        engine_log(loop, (bi_log_entry){ .kind = BI_LOG_STEPS, .step = loop->engine.step });
    }
    if (!is_judged(&loop->engine)) {
        engine_judge(loop);
    }
    fill(loop, &loop->frame[loop->mail.back]);
    mailbox_give(&loop->mail);
    // the pipe does not block: when it is full, the other side is awake anyway
    if (loop->wake[1] >= 0) {
        ssize_t unused = write(loop->wake[1], "", 1);
        (void)unused;
    }
}

void engine_log(bi_loop *loop, bi_log_entry entry)
{
    engine *e = &loop->engine;
    // with a gap the rest would be worthless, so nothing follows it
    e->lost_log = e->lost_log || !ring_put(&loop->log, &entry);
}

void engine_notice(bi_loop *loop, const char *name, const char *text)
{
    bi_loop_notice n = { .t = (double)loop->engine.step * loop->engine.dt, .number = -1 };
    snprintf(n.name, sizeof n.name, "%.60s", name);
    snprintf(n.text, sizeof n.text, "%.236s", text);
    (void)ring_put(&loop->notices, &n);
}

static void notice_event(bi_loop *loop, int number, const bi_event *event)
{
    bi_loop_notice n = { .t = event->t, .number = number, .hit = event->hit };
    snprintf(n.name, sizeof n.name, "%.60s", event->name);
    snprintf(n.text, sizeof n.text, "%.236s", event->what);
    (void)ring_put(&loop->notices, &n);
}

// A touch is told when it begins, while its force grows, and when it is over.
static void notice_hits(bi_loop *loop)
{
    static const double often = 0.25, grown = 1.01; // s; N per N
    engine *e = &loop->engine;
    double t = (double)e->step * e->dt;
    for (size_t k = 0; k < sizeof e->told / sizeof *e->told; k++) {
        told_hit *told = &e->told[k];
        bi_event event;
        if (told->number == 0 || !bi_sim_event(e->sim, told->number - 1, &event)) {
            told->number = 0;
            continue;
        }
        bool is_over = isfinite(event.hit.until);
        if (is_over || (t > told->t + often && event.hit.force > grown * told->force)) {
            notice_event(loop, told->number - 1, &event);
            *told = (told_hit){ is_over ? 0 : told->number, t, event.hit.force };
        }
    }
}

static void remember_hit(engine *e, int number, const bi_event *event)
{
    for (size_t k = 0; event->hit.a.i > 0 && k < sizeof e->told / sizeof *e->told; k++) {
        if (e->told[k].number == 0) {
            e->told[k] = (told_hit){ number + 1, event->t, 0.0 };
            return;
        }
    }
}

// True: one of them stops the run.
static bool notice_new(bi_loop *loop)
{
    engine *e = &loop->engine;
    bool stops = false;
    for (int count = bi_sim_event_count(e->sim); e->n_event < count; e->n_event++) {
        bi_event event;
        if (bi_sim_event(e->sim, e->n_event, &event)) {
            notice_event(loop, e->n_event, &event);
            remember_hit(e, e->n_event, &event);
            stops = stops || event.action == BI_EVENT_STOP;
        }
    }
    notice_hits(loop);
    return stops;
}

void engine_notice_again(bi_loop *loop) { (void)notice_new(loop); }

void engine_notice_events(bi_loop *loop)
{
    if (notice_new(loop)) {
        loop->engine.is_paused = loop->engine.is_ended = true;
    }
}

void engine_judge(bi_loop *loop)
{
    engine *e = &loop->engine;
    bi_verdict v = bi_sim_verdict(e->sim);
    bool is_worse = v.outcome > e->outcome;
    e->judged = e->step;
    e->outcome = v.outcome;
    memcpy(e->verdict, v.line, sizeof e->verdict);
    // what is only shown again was sent when it was driven
    if (is_worse && !e->is_rewound) {
        engine_notice(loop, "verdict", v.line);
    }
}

void engine_judge_now_and_then(bi_loop *loop)
{
    enum { EVERY = 256 };
    if (loop->engine.step % EVERY == 0) {
        engine_judge(loop);
    }
}
