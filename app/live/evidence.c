// SPDX-License-Identifier: MIT
#include "live/evidence.h"
#include "cli/words.h"
#include <biela/look.h>
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>

static void sample(const rerun *r, const double *in_use, const double *value, evidence_run *e)
{
    int room = EVIDENCE_SAMPLES + 2;
    bi_view view = bi_sim_view(r->s.sim);
    e->t[e->n] = view.t;
    for (int c = 0; c < e->n_channel; c++) {
        e->channel[c * room + e->n] = value[c];
    }
    for (int k = 0; k < e->n_input; k++) {
        e->input[k * room + e->n] = in_use[k];
    }
    for (int k = 0; e->pose && k < e->n_body; k++) {
        e->pose[(size_t)e->n * (size_t)e->n_body + (size_t)k] = view.pose[k];
    }
    e->n++;
}

// Inputs as they are in the step that begins at the present one.
static void follow_inputs(const rerun *r, int64_t *next, double *in_use)
{
    const bi_track *track = &r->source->track;
    for (; *next < track->n_change && track->change[*next].step * r->ratio <= r->step; (*next)++) {
        in_use[track->change[*next].input] = track->change[*next].value;
    }
}

static void compare_hash(const rerun *r, int64_t *next, evidence_run *e)
{
    const bi_track *track = &r->source->track;
    for (; *next < track->n_hash && track->hash[*next].step <= r->step; (*next)++) {
        if (track->hash[*next].step == r->step) {
            e->compared++;
            e->equal += bi_sim_hash(r->s.sim) == track->hash[*next].hash;
        }
    }
}

static void start_values(const rerun *r, double *in_use)
{
    const bi_recording *rec = &r->source->recording;
    for (int k = 0; k < rec->n_input; k++) {
        bi_input_info info = { 0 };
        bi_model_input_info(r->s.model, bi_model_input(r->s.model, rec->input[k]), &info);
        in_use[k] = info.initial;
    }
}

// Values in use by the inputs of the system, for the exercise; the recording may have them in another order.
static void order_inputs(const rerun *r, const double *in_use, double *input)
{
    const bi_recording *rec = &r->source->recording;
    for (int k = 0; k < rec->n_input; k++) {
        bi_input id = bi_find_input(r->s.system, rec->input[k]);
        if (id.i > 0) {
            input[id.i - 1] = in_use[k];
        }
    }
}

static void judge(const rerun *r, exercise *ex, const double *value, const double *input, int *n_event)
{
    bi_event event;
    for (; bi_sim_event(r->s.sim, *n_event, &event); (*n_event)++) {
        exercise_event(ex, event.t, event.name);
    }
    exercise_update(ex, bi_sim_time(r->s.sim), value, input);
}

void evidence_simulate(rerun *r, const evidence_watch *w, evidence_run *e)
{
    size_t room = EVIDENCE_SAMPLES + 2;
    *e = (evidence_run){ .n_channel = bi_channel_count(r->s.system),
                         .n_input = r->source->recording.n_input,
                         .n_body = bi_sim_view(r->s.sim).n_body,
                         .is_same = r->is_same && r->ratio == 1 };
    e->t = words_alloc(room * sizeof *e->t);
    e->channel = words_alloc(room * (size_t)(e->n_channel + 1) * sizeof *e->channel);
    e->input = words_alloc(room * (size_t)(e->n_input + 1) * sizeof *e->input);
    if (w->kind == EVIDENCE_POSES) {
        e->pose = words_alloc(room * (size_t)e->n_body * sizeof *e->pose);
    }
    double *value = words_alloc((size_t)(e->n_channel + 1) * sizeof *value);
    double *in_use = words_alloc((size_t)(e->n_input + 1) * sizeof *in_use);
    double *input = words_alloc((size_t)(bi_input_count(r->s.system) + 1) * sizeof *input);
    int n_event = 0;
    // the same instants whatever the step is
    int64_t stride = (r->source->track.steps / EVIDENCE_SAMPLES + 1) * r->ratio, next = 0, next_hash = 0;
    start_values(r, in_use);
    for (;;) {
        bool is_due = r->step % stride == 0 || r->step == r->steps;
        if (is_due || w->exercise || w->each) {
            bi_sim_read_all(r->s.sim, value);
        }
        if (w->exercise) {
            order_inputs(r, in_use, input);
            judge(r, w->exercise, value, input, &n_event);
        }
        if (w->each) {
            w->each(w->data, value);
        }
        follow_inputs(r, &next, in_use);
        if (is_due && e->n < (int)room) {
            sample(r, in_use, value, e);
        }
        if (r->step >= r->steps) {
            break;
        }
        e->status = rerun_step(r);
        if (e->status != BI_OK) {
            break;
        }
        if (e->is_same) {
            compare_hash(r, &next_hash, e);
        }
    }
    e->steps = r->step;
    e->hash = bi_sim_hash(r->s.sim);
    free(value);
    free(input);
    free(in_use);
}

void evidence_clear(evidence_run *e)
{
    free(e->t);
    free(e->channel);
    free(e->input);
    free(e->pose);
    *e = (evidence_run){ 0 };
}

evidence_difference evidence_compare(const evidence_run *a, const evidence_run *b, int channel)
{
    const int room = EVIDENCE_SAMPLES + 2;
    const double *x = a->channel + channel * room, *y = b->channel + channel * room;
    evidence_difference d = { 0 };
    double low = INFINITY, high = -INFINITY;
    int n = a->n < b->n ? a->n : b->n;
    for (int k = 0; k < n; k++) {
        double difference = fabs(x[k] - y[k]);
        d.largest = fmax(d.largest, difference);
        d.last = y[k] - x[k];
        low = fmin(low, x[k]);
        high = fmax(high, x[k]);
    }
    d.range = n > 0 ? high - low : 0.0;
    return d;
}
