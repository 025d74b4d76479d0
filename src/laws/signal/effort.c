// SPDX-License-Identifier: MIT
// The effort of a force or constraint at the end of the last step (signals.9), constant inside a step: what a pressure
// gauge or a load cell tells a controller. Elements may stand in any order, and none waits for another. Of a graph it is
// that of the very instant: the graph is evaluated before those that read it.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VALUE, LAST, TIME, MEMORY };

typedef struct {
    int memory;      // -1: none, a graph is read inside the step
    double time;     // of the gauge
    int scalar, row; // row >= 0: first one of a constraint
} effort;

// Where the element tells the number of that name.
static int channel_of(plan *p, int element, int owner, const char *name)
{
    for (int k = 0; k < p->n_readings; k++) {
        for (int i = 0; p->readings[k].element == element && i < p->readings[k].count; i++) {
            if (strcmp(p->readings[k].name[i], name) == 0) {
                return p->readings[k].scalar + i;
            }
        }
    }
    plan_complain(p, owner, "channel", "%s tells no '%s': give one of the channels that an output of it has",
                  p->model->element[element].name, name);
    return element;
}

static void effort_compile(plan *p, const void *def, void *item)
{
    const bi_effort_signal_def *d = def;
    effort *out = item;
    int element = bi_model_element(p->model, d->of).i - 1;
    bool is_at_once = model_graph_read(p->model, bi_model_element(p->model, d->name).i - 1) >= 0;
    *out = (effort){ is_at_once ? -1 : plan_memory(p, MEMORY), d->time, element, -1 };
    if (d->channel && d->channel[0]) {
        out->scalar = channel_of(p, element, bi_model_element(p->model, d->name).i - 1, d->channel);
        return;
    }
    for (int g = p->n_row_group - 1; g >= 0; g--) {
        out->row = p->row[g].element == element ? p->row[g].first : out->row;
    }
}

static void effort_eval(const void *item, const signal_in *in, signal_out *out)
{
    const effort *e = item;
    out->value.v = e->memory < 0 ? in->scalar[e->scalar] : in->memory[e->memory];
}

int effort_signal_scalar(const void *item) { return ((const effort *)item)->scalar; }

static void effort_commit(const void *item, const signal_in *in, double value, double *memory)
{
    const effort *e = item;
    (void)value;
    if (e->memory < 0) {
        return;
    }
    double *own = &memory[e->memory], now = 0.0;
    if (e->row < 0 && in->scalar) {
        now = in->scalar[e->scalar];
    } else if (e->row >= 0 && in->lambda) {
        // the trapezoidal rule leaves a ripple of two steps on multipliers when an acceleration jumps: mean of two
        now = 0.5 * (own[LAST] - in->lambda[e->row]);
        own[LAST] = -in->lambda[e->row];
    }
    double passed = fmax(in->t - own[TIME], 0.0);
    own[VALUE] += e->time > 0.0 ? (now - own[VALUE]) * passed / (e->time + passed) : now - own[VALUE];
    own[TIME] = in->t;
}

static const bi_field fields[] = {
    { "of", BI_FIELD_NAME, offsetof(bi_effort_signal_def, of), NULL, BI_REQUIRED,
      "a force, graph or constraint whose effort is told" },
    { "channel", BI_FIELD_NAME, offsetof(bi_effort_signal_def, channel), "channel", 0,
      "another number it tells, as its outputs do: a state of a graph (shaft.p), slip_x of a tyre" },
    { "time", BI_FIELD_NUMBER, offsetof(bi_effort_signal_def, time), "s", BI_NOT_NEGATIVE,
      "time constant of the gauge (default none)" },
    { "late", BI_FIELD_FLAG, offsetof(bi_effort_signal_def, late), NULL, 0,
      "a graph is read at the end of the last step, not inside the step" },
};
static const bi_kind schema = {
    "signals",
    "effort",
    sizeof(bi_effort_signal_def),
    fields,
    4,
    "effort of a force or constraint at the end of the last step, of a graph inside the step"
};
const signal_kind effort_signal = { &schema, sizeof(effort), effort_compile, effort_eval, effort_commit };
