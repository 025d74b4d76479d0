// SPDX-License-Identifier: MIT
// Knife edge: a point of a body moves along its blade, not across it (rolling.9).
#include "constraint/constraint.h"
#include <stddef.h>

typedef struct {
    int point, blade; // dofs
    vec3 normal;      // ground
    row_handle at;
} knife_edge;

static void knife_edge_compile(plan *p, int element, const void *def, void *item)
{
    const bi_knife_edge_def *d = def;
    const model_element *e = &p->model->element[element];
    vec3 along = vec3_norm(d->along) > 0.0 ? vec3_normalized(d->along) : (vec3){ 1, 0, 0 };
    int body = d->point.body.i - 1, m = plan_point(p, body, d->point.at);
    knife_edge *out = item;
    *out =
        (knife_edge){ .point = plan_dof(p, m),
                      .blade = plan_dof(p, plan_vector(p, body, along)),
                      .normal = vec3_norm(d->normal) > 0.0 ? vec3_normalized(d->normal) : (vec3){ 0, 0, 1 } };
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, true, -1, element }, 1, &m, 1);
}

static void knife_edge_rows(const void *items, int count, const law_in *in, rows *out)
{
    const knife_edge *item = items;
    for (int k = 0; k < count; k++) {
        const knife_edge *e = &item[k];
        vec3 velocity = tray_vec3(&in->at->rate[e->point]);
        if (in->want & LAW_POSITION) {
            vec3 across = vec3_cross(e->normal, tray_vec3(&in->at->value[e->blade]));
            out->phi[e->at.row] = vec3_dot(across, velocity);
            tray_put(&out->gradient[e->at.gradient], across);
        }
        if (in->want & LAW_SECOND) {
            vec3 turning = vec3_cross(e->normal, tray_vec3(&in->at->rate[e->blade]));
            out->gamma[e->at.row] = vec3_dot(turning, velocity);
        }
    }
}

static const bi_field fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_knife_edge_def, point), NULL, BI_REQUIRED,
      "where the blade touches" },
    { "along", BI_FIELD_VEC3, offsetof(bi_knife_edge_def, along), NULL, BI_DIRECTION,
      "direction of the blade, body frame (default x)" },
    { "normal", BI_FIELD_VEC3, offsetof(bi_knife_edge_def, normal), NULL, BI_DIRECTION | BI_GROUND_AXES,
      "of the ground, ground axes (default z)" },
};
static const bi_kind schema = { "constraints",
                                "knife-edge",
                                sizeof(bi_knife_edge_def),
                                fields,
                                3,
                                "a blade glides along itself, not across" };
const law_kind knife_edge_kind = {
    .schema = &schema, .item = sizeof(knife_edge), .compile = knife_edge_compile, .rows = knife_edge_rows
};
