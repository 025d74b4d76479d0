// SPDX-License-Identifier: MIT
// Guided coordinate: joint coordinate = f(t, inputs); rate and acceleration by exact derivatives (constraints.8).
// Smoothed, the value passes a critically damped filter of second order whose states give rate and acceleration
// (signals.3).
#include "laws/constraint/constraint.h"
#include <stddef.h>
#include <string.h>

typedef struct {
    int joint, signal;
    row_handle at;
    int state; // of the filter; -1: none
    double smooth;
} guide;

static void guide_compile(plan *p, int element, const void *def, void *item)
{
    const bi_guide_def *d = def;
    const model_element *e = &p->model->element[element];
    int m = plan_joint_choice(p, element, d->joint, d->coordinate);
    plan_signal(p, d->value);
    row_owner owner = { e->name, e->place, false, -1, element };
    guide *out = item;
    *out = (guide){ .joint = plan_dof(p, m),
                    .signal = d->value.i - 1,
                    .state = d->smooth > 0.0 ? plan_states(p, 2, 1e-9) : -1,
                    .smooth = d->smooth };
    out->at = plan_rows(p, &owner, 1, &m, 1);
}

// Value, rate and acceleration of the guided coordinate. It depends on time and inputs alone, so that rows and states
// find the same answer wherever the mechanism is.
static jet guide_value(const guide *g, const law_in *in)
{
    jet f = in->u->signal[g->signal];
    if (g->state < 0) {
        return f;
    }
    const double *old = &in->z_old[g->state], *rate = &in->dz_old[g->state];
    double y = old[0], w = old[1], a = 1.0 / (g->smooth * g->smooth), b = 2.0 / g->smooth,
           half = 0.5 * in->u->h;
    if (in->want & LAW_START) {
        y = f.v;
        w = 0.0;
    } else if (!(in->want & LAW_EXPLICIT)) {
        double known = y + half * rate[0], keep = 1.0 + half * (b + half * a);
        w = (w + half * (rate[1] + a * (f.v - known))) / keep;
        y = known + half * w;
    }
    return (jet){ y, w, a * (f.v - y) - b * w };
}

static void guide_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const guide *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].state >= 0) {
            jet f = guide_value(&item[k], in);
            out->z[item[k].state] = f.v;
            out->z[item[k].state + 1] = out->dz[item[k].state] = f.d;
            out->dz[item[k].state + 1] = f.dd;
        }
    }
}

static void guide_rows(const void *items, int count, const law_in *in, rows *out)
{
    const guide *item = items;
    for (int k = 0; k < count; k++) {
        const guide *g = &item[k];
        jet f = guide_value(g, in);
        if (in->want & LAW_POSITION) {
            out->phi[g->at.row] = in->at->value[g->joint] - f.v;
            out->phi_t[g->at.row] = -f.d;
            out->gradient[g->at.gradient] = 1.0;
        }
        if (in->want & LAW_SECOND) {
            out->gamma[g->at.row] = -f.dd;
        }
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_JOINT, offsetof(bi_guide_def, joint), NULL, BI_REQUIRED,
      "joint whose coordinate is guided" },
    { "value", BI_FIELD_EXPR, offsetof(bi_guide_def, value), NULL, BI_REQUIRED | BI_OF_TIME,
      "its value: an expression of t and inputs" },
    { "coordinate", BI_FIELD_CHOICE, offsetof(bi_guide_def, coordinate), COORDINATE_WORDS, 0,
      "which one of a joint that has several (default: the first)" },
    { "smooth", BI_FIELD_NUMBER, offsetof(bi_guide_def, smooth), "s", BI_NOT_NEGATIVE,
      "time of a critically damped filter on the value: for raw inputs and tables with corners (default "
      "none)" },
};
static const bi_kind schema = { "constraints", "guide", sizeof(bi_guide_def),
                                fields,        4,       "a joint coordinate follows a function of time" };
const law_kind guide_kind = { &schema, sizeof(guide), guide_compile, guide_eval, guide_rows, NULL, NULL };
