// SPDX-License-Identifier: MIT
// A value as a device with a clock of its own gives it (signals.17): the input at instants `period` apart, held between them, in steps of its
// resolution, and later by what the device takes to answer.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>

enum {
    RECORDS = 64, // instants that are under way
    STARTED = 0,  // 1 once started
    FIRST,        // the first instant
    TAKEN,        // how many were taken
    LAST_T,       // the end of the last step, and the input there
    LAST_U,
    LOW, // since the last instant, and since the start
    HIGH,
    ALL_LOW,
    ALL_HIGH,
    WIDE, // instants since the last of which the input went over half of its range
    HEAD,
    MEMORY = HEAD + 2 * RECORDS // time, value
};

typedef struct {
    int memory, element;
    double period, delay, resolution;
} sampler;

static void sample_compile(plan *p, const void *def, void *item)
{
    const bi_sample_def *d = def;
    *(sampler *)item =
        (sampler){ plan_memory(p, MEMORY), p->compiling - 1, d->period, d->delay, d->resolution };
    if (d->delay > (RECORDS - 4) * d->period) {
        plan_complain(p, p->compiling - 1, "delay",
                      "is longer than %d periods: a device remembers %d of them at most", RECORDS - 4,
                      RECORDS - 4);
    }
}

static double rounded(const sampler *s, double u)
{
    return s->resolution > 0.0 ? s->resolution * floor(u / s->resolution + 0.5) : u;
}

static void sample_eval(const void *item, const signal_in *in, signal_out *out)
{
    const sampler *s = item;
    const double *own = &in->memory[s->memory];
    if (own[STARTED] == 0.0 || (in->want & LAW_START)) {
        out->value.v = rounded(s, in->input[0].v);
        return;
    }
    int taken = (int)own[TAKEN], oldest = taken > RECORDS ? taken - RECORDS : 0;
    double then = in->t - s->delay + 1e-9 * s->period;
    for (int k = taken - 1; k >= oldest; k--) {
        const double *record = &own[HEAD + 2 * (k % RECORDS)];
        out->value.v = record[1];
        if (record[0] <= then) {
            return;
        }
    }
}

// What is under way for less than a few instants says nothing about the rate: of an input that grows with the square of time, the first
// three go over half of its range, less than a third of so many.
static void judge(const sampler *s, const signal_in *in, const double *own)
{
    enum { LEAST = 11 };
    if (in->doubts && own[TAKEN] >= LEAST) {
        law_doubts_note(in->doubts, DOUBT_SAMPLED, own[WIDE] / own[TAKEN], s->element);
    }
}

static void sample_commit(const void *item, const signal_in *in, double value, double *memory)
{
    (void)value;
    const sampler *s = item;
    double *own = &memory[s->memory], u = in->input[0].v;
    if (own[STARTED] == 0.0) {
        own[STARTED] = 1.0;
        own[FIRST] = own[LAST_T] = in->t;
        own[LAST_U] = own[LOW] = own[HIGH] = own[ALL_LOW] = own[ALL_HIGH] = u;
        own[TAKEN] = 1.0;
        own[HEAD] = in->t;
        own[HEAD + 1] = rounded(s, u);
        return;
    }
    own[LOW] = fmin(own[LOW], u);
    own[HIGH] = fmax(own[HIGH], u);
    own[ALL_LOW] = fmin(own[ALL_LOW], u);
    own[ALL_HIGH] = fmax(own[ALL_HIGH], u);
    double passed = in->t - own[LAST_T];
    for (double at = own[FIRST] + own[TAKEN] * s->period; at <= in->t + 1e-9 * s->period;
         at = own[FIRST] + own[TAKEN] * s->period) {
        double part = passed > 0.0 ? fmin((at - own[LAST_T]) / passed, 1.0) : 1.0;
        double *record = &own[HEAD + 2 * ((int)own[TAKEN] % RECORDS)];
        record[0] = at;
        record[1] = rounded(s, own[LAST_U] + part * (u - own[LAST_U]));
        double range = own[ALL_HIGH] - own[ALL_LOW], size = fmax(fabs(own[ALL_HIGH]), fabs(own[ALL_LOW]));
        own[WIDE] += range > 1e-6 * size && own[HIGH] - own[LOW] > 0.5 * range ? 1.0 : 0.0;
        own[TAKEN] += 1.0;
        own[LOW] = own[HIGH] = u;
    }
    own[LAST_T] = in->t;
    own[LAST_U] = u;
    judge(s, in, own);
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_sample_def, input), NULL, BI_REQUIRED,
      "what is measured or commanded" },
    { "period", BI_FIELD_NUMBER, offsetof(bi_sample_def, period), "s", BI_REQUIRED | BI_POSITIVE,
      "time between two looks at it" },
    { "delay", BI_FIELD_NUMBER, offsetof(bi_sample_def, delay), "s", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "until the value is out (default 0)" },
    { "resolution", BI_FIELD_NUMBER, offsetof(bi_sample_def, resolution), NULL,
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "smallest step of the value (default: none)" },
};
static const bi_kind schema = {
    "signals", "sample", sizeof(bi_sample_def),
    fields,    4,        "what a device with a clock of its own gives: held between looks"
};
const signal_kind sample_signal = { &schema, sizeof(sampler), sample_compile, sample_eval, sample_commit };
