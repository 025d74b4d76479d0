// SPDX-License-Identifier: MIT
// Events: limits and conditions watched in every step, located inside it, kept in a list of fixed length (events.1 ..
// events.3).
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// s; how closely the instant of an event is found
static const double resolution = 1e-10;
enum { SETTLED_MOST = 64 };

// ---- compile ---------------------------------------------------------------------------------------------------

void events_plan(bi_system *s)
{
    for (int k = 0; k < s->model->n_event; k++) {
        if (s->model->event[k].def.expr.i > 0) {
            plan_signal(&s->dynamics.plan, s->model->event[k].def.expr);
        }
    }
}

bool events_compile(bi_system *s, bi_report *report)
{
    bool ok = true;
    s->event_channel = calloc((size_t)s->model->n_event + 1, sizeof *s->event_channel);
    s->event_contact = calloc((size_t)s->model->n_event + 1, sizeof *s->event_contact);
    s->event_least = calloc((size_t)s->model->n_event + 1, sizeof *s->event_least);
    s->event_body = calloc((size_t)s->model->n_body, sizeof *s->event_body);
    if (!s->event_channel || !s->event_contact || !s->event_least || !s->event_body) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    for (int k = 0; k < s->model->n_event; k++) {
        const model_event *e = &s->model->event[k];
        s->event_channel[k] = bi_find_channel(s, e->def.channel);
        int element = model_event_contact(s->model, k);
        s->event_contact[k] = element >= 0 && dynamics_is_contact(&s->dynamics, element) ? element : -1;
        s->n_hit = s->event_contact[k] >= 0 ? EVENTS_MOST : s->n_hit;
        const char *last = e->def.channel ? strrchr(e->def.channel, '.') : NULL;
        s->event_least[k] = last && strcmp(last, ".normal") == 0 && e->def.has_above ? e->def.above : 0.0;
        if (e->def.expr.i == 0 && s->event_channel[k].i == 0) {
            char where[160];
            snprintf(where, sizeof where, "events.%.100s.channel", e->def.name);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, where,
                          "there is no channel '%.80s'; channels are those of the outputs and the energies",
                          e->def.channel);
            ok = false;
        }
    }
    return ok;
}

void events_watch(bi_system *s)
{
    for (int k = 0; k < s->model->n_event; k++) {
        int slot = s->model->event[k].def.expr.i - 1;
        if (slot < 0) {
            channel_signal(s, s->event_channel[k], &slot);
            int body = channel_body(s, s->event_channel[k]);
            if (body >= 0) {
                s->event_body[body] = true;
            }
        }
        if (slot >= 0) {
            signal_watch(&s->dynamics.signal, slot);
        }
    }
}

// ---- watching ----------------------------------------------------------------------------------------------------

// Value watched by event k in the state at time t of the last step.
static double value_at(bi_sim *sim, int k, double t)
{
    const bi_event_def *d = &sim->system->model->event[k].def;
    if (sim->t != t) {
        sim->have = 0;
    }
    sim->t = t;
    if (d->expr.i > 0) {
        sim_show(sim, SHOWN_MOTION);
        return sim->stepper.trays.signals.signal[d->expr.i - 1].v;
    }
    return channel_read(sim, sim->system->event_channel[k]);
}

static bool is_true(const bi_event_def *d, double value)
{
    if (d->has_above || d->has_below) {
        return (d->has_above && value > d->above) || (d->has_below && value < d->below);
    }
    return value != 0.0;
}

static bool is_near(double value, double limit)
{
    static const double close = 1e-2; // iterations end with errors far below it
    return !(fabs(value - limit) > close * fmax(fabs(value), fabs(limit)));
}

// A number that a contact between shapes tells.
static bool is_of_contact(const bi_system *s, int scalar)
{
    const plan *p = &s->dynamics.plan;
    int element = scalar < s->model->n_element ? scalar : -1;
    for (int k = 0; k < p->n_readings && element < 0; k++) {
        const plan_readings *r = &p->readings[k];
        element = scalar >= r->scalar && scalar < r->scalar + r->count ? r->element : -1;
    }
    return element >= 0 && dynamics_is_contact(&s->dynamics, element);
}

// Nearly its value at the end of a step, from the last iteration, before anything is shown; false: not known.
static bool estimate(const bi_sim *sim, bi_channel c, double *value)
{
    const channel *ch = &sim->system->channel[c.i - 1];
    // forces of pairs that live are not in the load
    if (ch->kind != CHANNEL_EFFORT ||
        (stepper_is_swept(&sim->stepper) && is_of_contact(sim->system, ch->index))) {
        return false;
    }
    *value = sim->stepper.trays.load.scalar[ch->index];
    return true;
}

// Forces on the trays are those of the last iteration, or of the end itself, with which explicit steps finish.
static bool has_forces(const bi_sim *sim)
{
    return sim_has_forces(sim) || (sim_scheme(sim)->is_explicit && sim->stepper.trays.is_evaluated);
}

// They say that event k is as it was, without a doubt: they need not be worked out for the end.
static bool is_unchanged(const bi_sim *sim, int k)
{
    const bi_event_def *d = &sim->system->model->event[k].def;
    double value;
    if (!has_forces(sim) || d->expr.i > 0 || !(d->has_above || d->has_below) ||
        !estimate(sim, sim->system->event_channel[k], &value)) {
        return false;
    }
    bool is_doubtful =
        (d->has_above && is_near(value, d->above)) || (d->has_below && is_near(value, d->below));
    return !is_doubtful && is_true(d, value) == (sim->is_on[k] > 0.0);
}

// All that the events of the model need, at once; `is_settled` are left out.
static void show_watched(bi_sim *sim, const bool *is_settled)
{
    unsigned need = 0;
    bool is_little = true;
    for (int k = 0; k < sim->system->model->n_event; k++) {
        if (k < SETTLED_MOST && is_settled[k]) {
            continue;
        }
        int slot;
        bool is_expr = sim->system->model->event[k].def.expr.i > 0;
        need |= is_expr ? SHOWN_MOTION : channel_need(sim, sim->system->event_channel[k]);
        is_little &= is_expr || channel_signal(sim->system, sim->system->event_channel[k], &slot);
    }
    // what power has shown already serves as well
    if (need != 0 && is_little && sim->have == 0) {
        sim_show_watched(sim, need);
    } else if (need != 0) {
        sim_show_end(sim, need);
    }
}

static void log_event(bi_sim *sim, int event, double t, double value)
{
    sim->n_logged++;
    if (sim->n_logged <= EVENTS_MOST) {
        sim->log[sim->n_logged - 1] = (logged_event){ t, value, event };
    }
    if (sim->n_logged <= sim->system->n_hit) {
        sim->hit[sim->n_logged - 1] = (logged_hit){ .until = INFINITY };
    }
}

// ---- touches -----------------------------------------------------------------------------------------------------

static vec3 velocity_at(const bi_sim *sim, int body, vec3 point)
{
    const bi_twist *twist = &sim->twist[body - 1];
    vec3 arm = vec3_sub(point, sim->pose[body - 1].pos);
    return vec3_add(twist->lin, vec3_cross(twist->ang, arm));
}

// Of event k: a place for a line whose touch lasts; NULL: there is none.
static int64_t *free_place(bi_sim *sim, int k)
{
    int64_t *open = &sim->open[THINGS_MOST * k];
    for (int i = 0; i < THINGS_MOST; i++) {
        if (open[i] == 0) {
            return &open[i];
        }
    }
    return NULL;
}

typedef struct {
    int a, b;
} two_things;
static two_things things_of(const double *thing)
{
    return (two_things){ (int)thing[THING_A], (int)thing[THING_B] };
}

static bool is_of(const bi_sim *sim, const logged_hit *hit, two_things who)
{
    const model_shape *shape = sim->system->model->shape;
    return hit->a > 0 && shape[hit->a - 1].thing == who.a && shape[hit->b - 1].thing == who.b;
}

// Their touch is in the list, and lasts.
static bool is_told(const bi_sim *sim, int k, two_things who)
{
    for (int i = 0; i < THINGS_MOST; i++) {
        int64_t line = sim->open[THINGS_MOST * k + i];
        if (line > 0 && is_of(sim, &sim->hit[line - 1], who)) {
            return true;
        }
    }
    return false;
}

// What touches in the state at t, and how fast it came: as the bodies moved at the beginning of the step, before
// forces of the contact changed it. `who`: these two; 0: the deepest.
typedef enum { TOUCH_NONE, TOUCH_GOES_ON, TOUCH_NEW } touch_found;
static touch_found log_hit(bi_sim *sim, int k, double t, two_things who)
{
    const bi_system *s = sim->system;
    contact_spot spot;
    if (s->event_contact[k] < 0 || sim->n_logged > s->n_hit) {
        return TOUCH_NONE;
    }
    value_at(sim, k, t);
    sim_show(sim, SHOWN_STATE | SHOWN_MOTION);
    if (!dynamics_where(&s->dynamics, &sim->shown, &sim->stepper.trays, s->event_contact[k],
                        (int[]){ who.a, who.b }, &spot)) {
        return TOUCH_NONE;
    }
    const model_shape *a = spot.shape[0], *b = spot.shape[1];
    if (is_told(sim, k, (two_things){ a->thing, b->thing })) {
        return TOUCH_GOES_ON;
    }
    sim->t = fmin(sim->stepper.old.t, t);
    sim->have = 0;
    sim_show(sim, SHOWN_STATE | SHOWN_POSES);
    vec3 velocity =
        vec3_sub(velocity_at(sim, a->def.body.i, spot.point), velocity_at(sim, b->def.body.i, spot.point));
    sim->hit[sim->n_logged - 1] = (logged_hit){ .a = a - s->model->shape + 1,
                                                .b = b - s->model->shape + 1,
                                                .at = spot.point,
                                                .velocity = velocity,
                                                .closing = -vec3_dot(spot.normal, velocity),
                                                .until = INFINITY };
    int64_t *open = free_place(sim, k);
    if (open) {
        *open = sim->n_logged;
    }
    return TOUCH_NEW;
}

static const double *things_at_end(const bi_sim *sim, int k)
{
    const bi_system *s = sim->system;
    return dynamics_hit(&s->dynamics, s->event_contact[k], sim->stepper.now.memory) + HIT_THINGS;
}

// Force and energy of touches that last.
static void follow_lines(bi_sim *sim, int k, const double *things)
{
    for (int i = 0; i < THINGS_MOST; i++) {
        int64_t *open = &sim->open[THINGS_MOST * k + i];
        logged_hit *hit = *open > 0 ? &sim->hit[*open - 1] : NULL;
        const double *now = NULL;
        for (int j = 0; j < THINGS_MOST && hit && !now; j++) {
            const double *thing = &things[j * THING_NUMBERS];
            now = is_of(sim, hit, things_of(thing)) ? thing : NULL;
        }
        if (now) {
            hit->force = fmax(hit->force_before, now[THING_FORCE]);
            hit->energy = hit->energy_before + now[THING_ENERGY];
        }
        if (hit && !(now && now[THING_TOUCHES] > 0.0)) {
            hit->until = sim->stepper.now.t;
            *open = 0;
        }
    }
}

// A touch of the same two that was over a moment ago goes on.
static bool goes_on(bi_sim *sim, int k, two_things who)
{
    static const double moment = 0.1; // s
    int64_t last = sim->n_logged < sim->system->n_hit ? sim->n_logged : sim->system->n_hit;
    for (int64_t line = last; line > 0; line--) {
        logged_hit *hit = &sim->hit[line - 1];
        bool is_same = sim->log[line - 1].event == k && is_of(sim, hit, who);
        int64_t *open = is_same ? free_place(sim, k) : NULL;
        if (open && hit->until > sim->stepper.now.t - moment) {
            hit->until = INFINITY;
            hit->force_before = hit->force;
            hit->energy_before = hit->energy;
            *open = line;
            return true;
        }
        if (is_same) {
            return false;
        }
    }
    return false;
}

// Things that began to touch in the step while the event held already, or beside the one that began it: each has its line.
static void log_things(bi_sim *sim, int k)
{
    const double *things = things_at_end(sim, k);
    for (int i = 0; i < THINGS_MOST && sim->n_logged < sim->system->n_hit; i++) {
        const double *thing = &things[i * THING_NUMBERS];
        if (!(thing[THING_TOUCHES] > 0.0) || !(thing[THING_NOW] > sim->system->event_least[k]) ||
            is_told(sim, k, things_of(thing)) || goes_on(sim, k, things_of(thing))) {
            continue;
        }
        double now = sim->stepper.now.t;
        log_event(sim, k, now, value_at(sim, k, now));
        if (log_hit(sim, k, now, things_of(thing)) != TOUCH_NEW) {
            sim->n_logged--;
        }
    }
}

static void follow_hits(bi_sim *sim)
{
    const bi_system *s = sim->system;
    for (int k = 0; k < s->model->n_event; k++) {
        if (s->event_contact[k] >= 0) {
            follow_lines(sim, k, things_at_end(sim, k));
        }
    }
}

// The first instant of the step at which event k holds: halving (events.2).
static double locate(bi_sim *sim, int k, double *value)
{
    const bi_event_def *d = &sim->system->model->event[k].def;
    double low = sim->stepper.old.t, high = sim->stepper.now.t;
    while (high - low > resolution && 0.5 * (low + high) > low && 0.5 * (low + high) < high) {
        double middle = 0.5 * (low + high);
        *(is_true(d, value_at(sim, k, middle)) ? &high : &low) = middle;
    }
    *value = value_at(sim, k, high);
    return high;
}

void events_start(bi_sim *sim)
{
    double shown = sim->t;
    sim->n_logged = 0;
    sim->stop_t = INFINITY;
    for (int k = 0; k < sim->system->model->n_event; k++) {
        const bi_event_def *d = &sim->system->model->event[k].def;
        double value = value_at(sim, k, shown);
        sim->is_on[k] = is_true(d, value) ? 1.0 : 0.0;
        memset(&sim->open[THINGS_MOST * k], 0, THINGS_MOST * sizeof *sim->open);
        if (sim->is_on[k] > 0.0) {
            log_event(sim, k, shown, value);
            log_hit(sim, k, shown, (two_things){ 0, 0 });
            sim->stop_t = d->action == BI_EVENT_STOP ? shown : sim->stop_t;
        }
    }
}

void events_after_step(bi_sim *sim)
{
    const bi_model *m = sim->system->model;
    if (sim->t != sim->stepper.now.t) {
        sim->t = sim->stepper.now.t;
        sim->have = 0;
    }
    // beyond a fixed number they are worked out
    bool is_settled[SETTLED_MOST] = { false };
    for (int k = 0; k < m->n_event && m->n_event <= SETTLED_MOST; k++) {
        is_settled[k] = is_unchanged(sim, k);
    }
    show_watched(sim, is_settled);
    follow_hits(sim);
    for (int k = 0; k < m->n_event; k++) {
        if (k < SETTLED_MOST && is_settled[k]) {
            continue;
        }
        double value = value_at(sim, k, sim->stepper.now.t);
        bool was_on = sim->is_on[k] > 0.0, is_on = is_true(&m->event[k].def, value);
        sim->is_on[k] = is_on ? 1.0 : 0.0;
        if (is_on && !was_on) {
            double t = locate(sim, k, &value);
            bool stops = m->event[k].def.action == BI_EVENT_STOP;
            log_event(sim, k, t, value);
            // a touch that became weak and strong again is in the list
            if (log_hit(sim, k, t, (two_things){ 0, 0 }) == TOUCH_GOES_ON && !stops) {
                sim->n_logged--;
            }
            sim->stop_t = stops ? fmin(sim->stop_t, t) : sim->stop_t;
        }
    }
    for (int k = 0; k < m->n_event; k++) {
        if (sim->is_on[k] > 0.0 && sim->system->event_contact[k] >= 0) {
            log_things(sim, k);
        }
    }
    follow_hits(sim);
    sim->have = 0;
}

void events_note(bi_sim *sim, event_of_solver what) { log_event(sim, (int)what, sim->stepper.now.t, 0.0); }

// ---- reading -------------------------------------------------------------------------------------------------------

int bi_sim_event_count(const bi_sim *sim) { return sim ? (int)sim->n_logged : 0; }

bool bi_sim_stopped(const bi_sim *sim) { return sim_is_shown(sim) && sim->stop_t <= sim->t; }

static void tell_solver(const bi_sim *sim, bi_event *out, event_of_solver what)
{
    bool is_failure = what == EVENT_FAILED;
    out->name = is_failure ? "step-failed" : "not-converged";
    snprintf(out->what, sizeof out->what, "%.190s",
             is_failure ? sim->failure : "a step did not converge and was kept: its constraints are closed");
    out->remedy = is_failure ? "see the report of the failed step"
                             : "a smaller step, or look at what is nearly singular there";
}

static void tell_hit(const bi_sim *sim, int k, bi_hit *out)
{
    const bi_model *m = sim->system->model;
    const logged_hit *hit = k < sim->system->n_hit ? &sim->hit[k] : NULL;
    if (!hit || hit->a == 0) {
        return;
    }
    *out = (bi_hit){ .a = { (int32_t)hit->a },
                     .b = { (int32_t)hit->b },
                     .title_a = model_shape_title(m, &m->shape[hit->a - 1].def),
                     .title_b = model_shape_title(m, &m->shape[hit->b - 1].def),
                     .at = hit->at,
                     .velocity = hit->velocity,
                     .closing = hit->closing,
                     .force = hit->force,
                     .energy = hit->energy,
                     .until = hit->until };
}

bool bi_sim_event(const bi_sim *sim, int k, bi_event *out)
{
    if (!sim || !out) {
        return false;
    }
    *out = (bi_event){ 0 };
    if (k < 0 || k >= sim->n_logged || k >= EVENTS_MOST) {
        return false;
    }
    const logged_event *log = &sim->log[k];
    out->t = log->t;
    out->value = log->value;
    if (log->event < 0) {
        tell_solver(sim, out, (event_of_solver)log->event);
        return true;
    }
    const bi_event_def *d = &sim->system->model->event[log->event].def;
    const char *subject = d->expr.i > 0 ? sim->system->model->expr[d->expr.i - 1].text : d->channel;
    const char *since = log->t > 0.0 ? "" : ", already at the start";
    bool is_limit = d->has_above || d->has_below, is_over = d->has_above && log->value > d->above;
    out->name = d->name;
    out->action = d->action;
    tell_hit(sim, k, &out->hit);
    // what is only noted may be as wanted; a run that ends before its time is told how to go on
    out->remedy = d->remedy || d->action != BI_EVENT_STOP ? d->remedy : "'do: note' lets the run go on";
    if (is_limit) {
        snprintf(out->what, sizeof out->what, "%.100s is %s %.9g%s", subject, is_over ? "above" : "below",
                 is_over ? d->above : d->below, since);
    } else {
        snprintf(out->what, sizeof out->what, "%.100s holds%s", subject, since);
    }
    return true;
}
