// SPDX-License-Identifier: MIT
// The effort of a force or constraint at the end of the last step (signals.9), constant inside a step: what a pressure gauge or a load
// cell tells a controller. Elements may stand in any order, and none waits for another.
#include "signal/kinds.h"
#include <math.h>
#include <stddef.h>

enum { VALUE, LAST, TIME, MEMORY };

typedef struct {
    int memory;
    double time;      // of the gauge
    int element, row; // row >= 0: first one of a constraint
} effort;

static void effort_compile(plan *p, const void *def, void *item)
{
    const bi_effort_signal_def *d = def;
    effort *out = item;
    *out = (effort){ plan_memory(p, MEMORY), d->time, bi_model_element(p->model, d->of).i - 1, -1 };
    for (int g = p->n_row_group - 1; g >= 0; g--) {
        out->row = p->row[g].element == out->element ? p->row[g].first : out->row;
    }
}

static void effort_eval(const void *item, const signal_in *in, signal_out *out)
{
    out->value.v = in->memory[((const effort *)item)->memory];
}

static void effort_commit(const void *item, const signal_in *in, double value, double *memory)
{
    const effort *e = item;
    double *own = &memory[e->memory], now = 0.0;
    (void)value;
    if (e->row < 0 && in->scalar) {
        now = in->scalar[e->element];
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
      "a force or constraint whose effort is told" },
    { "time", BI_FIELD_NUMBER, offsetof(bi_effort_signal_def, time), "s", BI_NOT_NEGATIVE,
      "time constant of the gauge (default none)" },
};
static const bi_kind schema = {
    "signals", "effort", sizeof(bi_effort_signal_def),
    fields,    2,        "effort of a force or constraint at the end of the last step"
};
const signal_kind effort_signal = { &schema, sizeof(effort), effort_compile, effort_eval, effort_commit };
