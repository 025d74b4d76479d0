// SPDX-License-Identifier: MIT
// A value that follows its input no faster than it may (signals.4): from the value remembered at the last accepted
// step.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int memory; // 1 once started, value, time
    double rising, falling;
} rate_limit;

static void limit_compile(plan *p, const void *def, void *item)
{
    const bi_rate_limit_def *d = def;
    *(rate_limit *)item =
        (rate_limit){ plan_memory(p, 3), d->rising, d->falling > 0.0 ? d->falling : d->rising };
}

static void limit_eval(const void *item, const signal_in *in, signal_out *out)
{
    const rate_limit *r = item;
    const double *own = &in->memory[r->memory];
    jet u = in->input[0];
    double passed = fmax(in->t - own[2], 0.0), from = own[1];
    out->value = u;
    out->gain[0] = 1.0;
    if (own[0] == 0.0 || (in->want & LAW_START)) {
        return;
    }
    if (u.v > from + r->rising * passed) {
        out->value = (jet){ from + r->rising * passed, r->rising, 0.0 };
        out->gain[0] = 0.0;
    } else if (u.v < from - r->falling * passed) {
        out->value = (jet){ from - r->falling * passed, -r->falling, 0.0 };
        out->gain[0] = 0.0;
    }
}

static void limit_commit(const void *item, const signal_in *in, double value, double *memory)
{
    double *own = &memory[((const rate_limit *)item)->memory];
    own[0] = 1.0;
    own[1] = value;
    own[2] = in->t;
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_rate_limit_def, input), NULL, BI_REQUIRED, "what is followed" },
    { "rising", BI_FIELD_NUMBER, offsetof(bi_rate_limit_def, rising), NULL, BI_REQUIRED | BI_POSITIVE,
      "largest rate upwards, per second" },
    { "falling", BI_FIELD_NUMBER, offsetof(bi_rate_limit_def, falling), NULL,
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "largest rate downwards, a positive number (default: as rising)" },
};
static const bi_kind schema = {
    "signals", "rate-limit", sizeof(bi_rate_limit_def), fields, 3, "follows its input with limited rate"
};
const signal_kind rate_limit_signal = { &schema, sizeof(rate_limit), limit_compile, limit_eval,
                                        limit_commit };
