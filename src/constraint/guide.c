// SPDX-License-Identifier: MIT
// Guided coordinate: joint coordinate = f(t, inputs); rate and acceleration by exact derivatives (constraints.8).
#include "constraint/constraint.h"
#include <stddef.h>

typedef struct {
    int joint, signal;
    row_handle at;
} guide;

static void guide_compile(plan *p, int element, const void *def, void *item)
{
    const bi_guide_def *d = def;
    const model_element *e = &p->model->element[element];
    int m = plan_joint(p, d->joint.i - 1, 0);
    plan_signal(p, d->value);
    row_owner owner = { e->name, e->place, false, -1, element };
    guide *out = item;
    *out = (guide){ .joint = plan_dof(p, m), .signal = d->value.i - 1 };
    out->at = plan_rows(p, &owner, 1, &m, 1);
}

static void guide_rows(const void *items, int count, const law_in *in, rows *out)
{
    const guide *item = items;
    for (int k = 0; k < count; k++) {
        const guide *g = &item[k];
        jet f = in->u->signal[g->signal];
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
      "joint whose first coordinate is guided" },
    { "value", BI_FIELD_EXPR, offsetof(bi_guide_def, value), NULL, BI_REQUIRED | BI_OF_TIME,
      "its value: an expression of t and inputs" },
};
static const bi_kind schema = { "constraints", "guide", sizeof(bi_guide_def),
                                fields,        2,       "a joint coordinate follows a function of time" };
const law_kind guide_kind = { &schema, sizeof(guide), guide_compile, NULL, guide_rows, NULL, NULL };
