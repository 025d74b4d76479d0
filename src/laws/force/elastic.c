// SPDX-License-Identifier: MIT
// Elastic and damping force on a modal amplitude (force.6).
#include "laws/force/force.h"

typedef struct {
    int at, block;
    double stiffness, damping;
} elastic;

static void elastic_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const elastic_def *d = def;
    int m = plan_mode(p, d->body, d->mode);
    elastic *out = item;
    *out = (elastic){ plan_dof(p, m), plan_block(p, &m, 1), d->stiffness, d->damping };
}

static void elastic_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const elastic *item = items;
    for (int k = 0; k < count; k++) {
        const elastic *e = &item[k];
        out->load->effort[e->at] -= e->stiffness * in->at->value[e->at] + e->damping * in->at->rate[e->at];
        out->load->K[e->block] = e->stiffness;
        out->load->C[e->block] = e->damping;
    }
}

static void elastic_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const elastic *item = items;
    for (int k = 0; k < count; k++) {
        double eta = in->at->value[item[k].at], rate = in->at->rate[item[k].at];
        out->potential += 0.5 * item[k].stiffness * eta * eta;
        out->power -= item[k].damping * rate * rate;
    }
}

const law_kind elastic_kind = { NULL, sizeof(elastic), elastic_compile, elastic_eval, NULL, elastic_energy,
                                NULL };
