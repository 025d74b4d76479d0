// SPDX-License-Identifier: MIT
// Two values with hysteresis (signals.7). The state is memory: constant during a step, decided after its acceptance.
#include "laws/signal/kinds.h"
#include <stddef.h>

enum { UNDECIDED, OFF, ON };
typedef struct {
    int memory;
    double on, off, low, high;
} hysteresis;

static void switch_compile(plan *p, const void *def, void *item)
{
    const bi_switch_def *d = def;
    bool is_plain = d->low == 0.0 && d->high == 0.0;
    *(hysteresis *)item = (hysteresis){ plan_memory(p, 1), d->on, d->off, d->low, is_plain ? 1.0 : d->high };
}

static int decide(const hysteresis *s, double now, double u)
{
    if (u > s->on) {
        return ON;
    }
    return u < s->off || now == (double)UNDECIDED ? OFF : (int)now;
}

static void switch_eval(const void *item, const signal_in *in, signal_out *out)
{
    const hysteresis *s = item;
    double now = in->memory[s->memory];
    int state = now == (double)UNDECIDED ? decide(s, now, in->input[0].v) : (int)now;
    out->value.v = state == ON ? s->high : s->low;
}

static void switch_commit(const void *item, const signal_in *in, double value, double *memory)
{
    (void)value;
    const hysteresis *s = item;
    memory[s->memory] = decide(s, memory[s->memory], in->input[0].v);
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_switch_def, input), NULL, BI_REQUIRED | BI_AFTER_STEP,
      "what is watched" },
    { "on", BI_FIELD_NUMBER, offsetof(bi_switch_def, on), NULL, BI_REQUIRED, "switches on above this" },
    { "off", BI_FIELD_NUMBER, offsetof(bi_switch_def, off), NULL, BI_REQUIRED, "switches off below this" },
    { "low", BI_FIELD_NUMBER, offsetof(bi_switch_def, low), NULL, BI_IN_PAIR,
      "value when off (default 0; give both or none)" },
    { "high", BI_FIELD_NUMBER, offsetof(bi_switch_def, high), NULL, BI_IN_PAIR,
      "value when on (default 1; give both or none)" },
};
static const bi_kind schema = { "signals", "switch", sizeof(bi_switch_def),
                                fields,    5,        "switch with hysteresis" };
const signal_kind switch_signal = { &schema, sizeof(hysteresis), switch_compile, switch_eval, switch_commit };
