// SPDX-License-Identifier: MIT
// Filters of first and second order (signals.3): own states, solved for the end of the step by the trapezoidal rule, so
// that a short time constant needs no short step.
#include "laws/signal/kinds.h"
#include <stddef.h>

typedef struct {
    int state;
    bool is_second;
    double time, damping;
} filter;

static void filter_compile(plan *p, const void *def, void *item)
{
    const bi_filter_def *d = def;
    bool is_second = d->order == 2.0;
    *(filter *)item = (filter){ plan_states(p, is_second ? 2 : 1, 1e-9), is_second, d->time,
                                d->damping > 0.0 ? d->damping : 1.0 };
}

// T y' + y = u
static void first_order(const filter *f, const signal_in *in, signal_out *out)
{
    int s = f->state;
    jet u = in->input[0];
    double y = in->z_old[s], share = 0.5 * in->h / f->time;
    if (in->want & LAW_START) {
        y = u.v;
        out->gain[0] = 1.0;
    } else if (!(in->want & LAW_EXPLICIT)) {
        y = (y + 0.5 * in->h * in->dz_old[s] + share * u.v) / (1.0 + share);
        out->gain[0] = share / (1.0 + share);
    }
    double rate = (u.v - y) / f->time;
    out->z[s] = y;
    out->dz[s] = rate;
    out->value = (jet){ y, rate, (u.d - rate) / f->time };
}

// T^2 y'' + 2 damping T y' + y = u
static void second_order(const filter *f, const signal_in *in, signal_out *out)
{
    int s = f->state;
    double u = in->input[0].v, y = in->z_old[s], w = in->z_old[s + 1];
    double a = 1.0 / (f->time * f->time), b = 2.0 * f->damping / f->time, half = 0.5 * in->h;
    if (in->want & LAW_START) {
        y = u;
        w = 0.0;
        out->gain[0] = 1.0;
    } else if (!(in->want & LAW_EXPLICIT)) {
        // y1 = known + half w1 put into the equation of w1
        double known = y + half * in->dz_old[s], keep = 1.0 + half * (b + half * a);
        w = (w + half * (in->dz_old[s + 1] + a * (u - known))) / keep;
        y = known + half * w;
        out->gain[0] = half * half * a / keep;
    }
    out->z[s] = y;
    out->z[s + 1] = w;
    out->dz[s] = w;
    out->dz[s + 1] = a * (u - y) - b * w;
    out->value = (jet){ y, w, out->dz[s + 1] };
}

static void filter_eval(const void *item, const signal_in *in, signal_out *out)
{
    const filter *f = item;
    if (f->is_second) {
        second_order(f, in, out);
    } else {
        first_order(f, in, out);
    }
}

static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, offsetof(bi_filter_def, input), NULL, BI_REQUIRED, "what is filtered" },
    { "time", BI_FIELD_NUMBER, offsetof(bi_filter_def, time), "s", BI_REQUIRED | BI_POSITIVE,
      "time constant" },
    { "order", BI_FIELD_NUMBER, offsetof(bi_filter_def, order), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "1 (default) or 2" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_filter_def, damping), "1", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "ratio of the second order (default 1, critical)" },
};
static const bi_kind schema = { "signals", "filter", sizeof(bi_filter_def), fields, 4, "low-pass filter" };
const signal_kind filter_signal = { &schema, sizeof(filter), filter_compile, filter_eval, NULL };
