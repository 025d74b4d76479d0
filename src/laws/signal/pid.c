// SPDX-License-Identifier: MIT
// PID controller (signals.5, signals.6): states are the filtered error and the integral, which a limited output pulls
// back (tracking); both are solved for the end of the step.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int state; // filtered error, integral
    bool is_limited;
    double proportional, integral, derivative, filter, lower, upper, tracking;
} pid;

static void pid_compile(plan *p, const void *def, void *item)
{
    const bi_pid_def *d = def;
    double tracking = d->tracking;
    if (!(tracking > 0.0)) {
        tracking = d->proportional > 0.0 && d->integral > 0.0 ? d->proportional / d->integral : 1.0;
    }
    *(pid *)item = (pid){ .state = plan_states(p, 2, 1e-9),
                          .is_limited = d->lower != 0.0 || d->upper != 0.0,
                          .proportional = d->proportional,
                          .integral = d->integral,
                          .derivative = d->derivative,
                          .filter = d->filter > 0.0 ? d->filter : 0.01,
                          .lower = d->lower,
                          .upper = d->upper,
                          .tracking = tracking };
}

static double limited(const pid *c, double u)
{
    return c->is_limited ? fmin(fmax(u, c->lower), c->upper) : u;
}

static void pid_eval(const void *item, const signal_in *in, signal_out *out)
{
    const pid *c = item;
    int s = c->state;
    bool is_start = in->want & LAW_START, is_implicit = !is_start && !(in->want & LAW_EXPLICIT);
    double half = is_implicit ? 0.5 * in->h : 0.0, share = half / c->filter;
    jet e = { in->input[0].v - in->input[1].v, in->input[0].d - in->input[1].d,
              in->input[0].dd - in->input[1].dd };

    // filtered error and derivative (signals.5)
    double slow = is_start ? e.v : in->z_old[s];
    if (is_implicit) {
        slow = (slow + half * in->dz_old[s] + share * e.v) / (1.0 + share);
    }
    double slope = (e.v - slow) / c->filter, direct = c->proportional * e.v + c->derivative * slope;

    // integral: as if free, then, when the output is at a limit, pulled back towards it (signals.6)
    double sum = is_start ? 0.0 : in->z_old[s + 1], known = sum + half * in->dz_old[s + 1];
    sum = is_implicit ? known + half * c->integral * e.v : sum;
    double bound = limited(c, direct + sum);
    bool is_free = bound == direct + sum;
    if (!is_free && is_implicit) {
        double pull = half / c->tracking;
        sum = (known + half * c->integral * e.v + pull * (bound - direct)) / (1.0 + pull);
    }
    out->z[s] = slow;
    out->z[s + 1] = sum;
    out->dz[s] = slope;
    out->dz[s + 1] = c->integral * e.v + (is_free ? 0.0 : (bound - direct - sum) / c->tracking);

    out->value.v = bound;
    if (is_free) {
        double second = (e.d - slope) / c->filter;
        out->value.d = c->proportional * e.d + c->derivative * second + out->dz[s + 1];
        out->value.dd =
            c->proportional * e.dd + c->integral * e.d + c->derivative * (e.dd - second) / c->filter;
        out->gain[0] = c->proportional + half * c->integral + c->derivative / (c->filter * (1.0 + share));
        out->gain[1] = -out->gain[0];
    }
}

static const bi_field fields[] = {
    { "setpoint", BI_FIELD_EXPR, offsetof(bi_pid_def, setpoint), NULL, BI_REQUIRED, "wanted value" },
    { "measured", BI_FIELD_EXPR, offsetof(bi_pid_def, measured), NULL, BI_REQUIRED, "present value" },
    { "proportional", BI_FIELD_NUMBER, offsetof(bi_pid_def, proportional), NULL, 0, "output per error" },
    { "integral", BI_FIELD_NUMBER, offsetof(bi_pid_def, integral), NULL, 0, "output per error and second" },
    { "derivative", BI_FIELD_NUMBER, offsetof(bi_pid_def, derivative), NULL, 0,
      "output per rate of the error" },
    { "filter", BI_FIELD_NUMBER, offsetof(bi_pid_def, filter), "s", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "time constant of the derivative (default 0.01 s)" },
    { "lower", BI_FIELD_NUMBER, offsetof(bi_pid_def, lower), NULL, BI_IN_PAIR,
      "least output (no limits: leave out both)" },
    { "upper", BI_FIELD_NUMBER, offsetof(bi_pid_def, upper), NULL, BI_IN_PAIR, "largest output" },
    { "tracking", BI_FIELD_NUMBER, offsetof(bi_pid_def, tracking), "s", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "time in which the integral follows a limit (default proportional / integral, or 1 s)" },
};
static const bi_kind schema = { "signals", "pid", sizeof(bi_pid_def), fields, 9, "PID controller" };
const signal_kind pid_signal = { &schema, sizeof(pid), pid_compile, pid_eval, NULL };
