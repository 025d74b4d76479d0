// SPDX-License-Identifier: MIT
// A number that a lever moves up and down in steps (signals.14): gears. Decided after each accepted step and constant
// inside one.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>

enum { STARTED, VALUE, LAST, MEMORY };

typedef struct {
    int memory;
    double start, lower, upper;
} count;

static void count_compile(plan *p, const void *def, void *item)
{
    const bi_count_def *d = def;
    *(count *)item = (count){ plan_memory(p, MEMORY), d->start, d->lower, d->upper };
    if (!(d->lower <= d->start && d->start <= d->upper)) {
        plan_complain(p, bi_model_element(p->model, d->name).i - 1, "start",
                      "is %g, and there are only %g to %g", d->start, d->lower, d->upper);
    }
}

static void count_eval(const void *item, const signal_in *in, signal_out *out)
{
    const count *c = item;
    const double *own = &in->memory[c->memory];
    out->value.v = own[STARTED] == 0.0 || (in->want & LAW_START) ? c->start : own[VALUE];
}

static void count_commit(const void *item, const signal_in *in, double value, double *memory)
{
    const count *c = item;
    double *own = &memory[c->memory], now = in->input[0].v;
    static const double pressed = 0.5;
    own[VALUE] = own[STARTED] == 0.0 ? value : own[VALUE];
    own[VALUE] += (now > pressed && own[LAST] <= pressed) - (now < -pressed && own[LAST] >= -pressed);
    own[VALUE] = fmin(fmax(own[VALUE], c->lower), c->upper);
    own[LAST] = now;
    own[STARTED] = 1.0;
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_count_def, input), NULL, BI_REQUIRED | BI_AFTER_STEP,
      "one more whenever it rises above 0.5, one less whenever it falls below -0.5" },
    { "start", BI_FIELD_NUMBER, offsetof(bi_count_def, start), NULL, 0, "at t = 0 (default 0)" },
    { "lower", BI_FIELD_NUMBER, offsetof(bi_count_def, lower), NULL, 0, "not below this" },
    { "upper", BI_FIELD_NUMBER, offsetof(bi_count_def, upper), NULL, BI_REQUIRED, "not above this" },
};
static const bi_kind schema = { "signals", "count", sizeof(bi_count_def),
                                fields,    4,       "a number that a lever moves in steps: gears" };
const signal_kind count_signal = { &schema, sizeof(count), count_compile, count_eval, count_commit };
