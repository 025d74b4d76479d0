// SPDX-License-Identifier: MIT
// Weights, constant forces (force.4).
#include "laws/force/force.h"

typedef struct {
    int at;
    vec3 weight;
} gravity;

static void gravity_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const gravity_def *d = def;
    gravity *out = item;
    int point =
        p->model->body[d->body].def.flex ? plan_mass_point(p, d->body) : plan_load_point(p, d->body, d->at);
    *out = (gravity){ plan_dof(p, point), vec3_scale(d->mass, p->model->gravity) };
}

static void gravity_eval(const void *items, int count, const law_in *in, law_out *out)
{
    (void)in;
    const gravity *item = items;
    for (int k = 0; k < count; k++) {
        tray_add(&out->load->effort[item[k].at], item[k].weight);
    }
}

static void gravity_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const gravity *item = items;
    for (int k = 0; k < count; k++) {
        out->potential -= vec3_dot(item[k].weight, tray_vec3(&in->at->value[item[k].at]));
    }
}

const law_kind gravity_kind = { NULL, sizeof(gravity), gravity_compile, gravity_eval, NULL, gravity_energy,
                                NULL };
