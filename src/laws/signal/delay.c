// SPDX-License-Identifier: MIT
// The input of some time ago (signals.8), straight between the instants it remembers: at most so many, evenly over the
// delay, so that long delays of short steps cost no more memory.
#include "laws/signal/kinds.h"
#include <stddef.h>

enum {
    RECORDS = 256,
    HEAD = 2,
    MEMORY = HEAD + 2 * RECORDS
}; // number of records and place of the newest; time, value

typedef struct {
    int memory;
    double time;
} delay;

static void delay_compile(plan *p, const void *def, void *item)
{
    const bi_delay_def *d = def;
    *(delay *)item = (delay){ plan_memory(p, MEMORY), d->time };
}

// Record `back` places before the newest: its time, its value behind.
static const double *record(const double *own, int back)
{
    return &own[HEAD + 2 * (((int)own[1] - back + RECORDS) % RECORDS)];
}

static void delay_eval(const void *item, const signal_in *in, signal_out *out)
{
    const delay *d = item;
    const double *own = &in->memory[d->memory];
    int count = (int)own[0];
    double then = in->t - d->time;
    if (count == 0) {
        out->value.v = in->input[0].v;
        return;
    }
    // between the newest record and now, when the step is longer than the delay
    const double *after = NULL, *before = record(own, 0);
    if (then > before[0]) {
        double part = (then - before[0]) / (in->t - before[0]);
        out->value.v = before[1] + part * (in->input[0].v - before[1]);
        out->value.d = (in->input[0].v - before[1]) / (in->t - before[0]);
        out->gain[0] = part;
        return;
    }
    int back = 0;
    while (before[0] > then && ++back < count) {
        after = before;
        before = record(own, back);
    }
    // before the first record it was as at the start
    out->value.v = before[1];
    if (after && before[0] <= then) {
        out->value.d = (after[1] - before[1]) / (after[0] - before[0]);
        out->value.v += (then - before[0]) * out->value.d;
    }
}

static void delay_commit(const void *item, const signal_in *in, double value, double *memory)
{
    (void)value;
    const delay *d = item;
    double *own = &memory[d->memory];
    // the newest record is replaced while it is nearer to the one before than the memory can afford
    double apart = d->time / (RECORDS - 4);
    if (own[0] >= 2.0 && record(own, 0)[0] - record(own, 1)[0] < apart) {
        own[1] = ((int)own[1] - 1 + RECORDS) % RECORDS;
        own[0] -= 1.0;
    }
    if (own[0] > 0.0 && in->t <= record(own, 0)[0]) {
        return;
    }
    own[1] = ((int)own[1] + 1) % RECORDS;
    own[0] = own[0] < RECORDS ? own[0] + 1.0 : RECORDS;
    own[HEAD + 2 * (int)own[1]] = in->t;
    own[HEAD + 2 * (int)own[1] + 1] = in->input[0].v;
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_delay_def, input), NULL, BI_REQUIRED, "what is delayed" },
    { "time", BI_FIELD_NUMBER, offsetof(bi_delay_def, time), "s", BI_REQUIRED | BI_POSITIVE, "by how much" },
};
static const bi_kind schema = { "signals", "delay", sizeof(bi_delay_def),
                                fields,    2,       "the input of some time ago" };
const signal_kind delay_signal = { &schema, sizeof(delay), delay_compile, delay_eval, delay_commit };
