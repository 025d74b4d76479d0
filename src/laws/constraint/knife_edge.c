// SPDX-License-Identifier: MIT
// Knife edge: a point of a body moves along its blade, not across it (rolling.10); on a surface it also stays there
// (rolling.12).
#include "laws/constraint/constraint.h"
#include "state/surface.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    int point, blade; // dofs
    vec3 normal;      // ground
    surface ground;   // without code: the plane
    row_handle at, touch;
} knife_edge;

static void compile_surface(plan *p, int element, const bi_knife_edge_def *d, knife_edge *out)
{
    out->ground = surface_compile(p, element, d->surface);
    if (vec3_norm(d->normal) > 0.0) {
        plan_complain(p, element, "surface", "cannot be given beside a plane: leave out 'normal'");
    }
}

static void knife_edge_compile(plan *p, int element, const void *def, void *item)
{
    const bi_knife_edge_def *d = def;
    const model_element *e = &p->model->element[element];
    vec3 along = vec3_norm(d->along) > 0.0 ? vec3_normalized(d->along) : (vec3){ 1, 0, 0 };
    int body = d->point.body.i - 1, m = plan_point(p, body, d->point.at);
    knife_edge *out = item;
    *out =
        (knife_edge){ .point = plan_dof(p, m),
                      .blade = plan_dof(p, plan_vector_at(p, body, d->point.at, along)),
                      .normal = vec3_norm(d->normal) > 0.0 ? vec3_normalized(d->normal) : (vec3){ 0, 0, 1 } };
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, true, -1, element }, 1, &m, 1);
    if (d->surface.i > 0) {
        compile_surface(p, element, d, out);
        out->touch = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 1, &m, 1);
    }
}

// Height, slopes and how the slopes change along the velocity.
typedef struct {
    double height, fx, fy, fx_rate, fy_rate;
} slope;

static slope slope_at(const knife_edge *e, vec3 at, vec3 velocity, jet *room)
{
    surface_point p = surface_at(&e->ground, at.x, at.y, room);
    return (slope){ p.f, p.fx, p.fy, p.fxx * velocity.x + p.fxy * velocity.y,
                    p.fxy * velocity.x + p.fyy * velocity.y };
}

// The point on the surface; gives the normal there and its rate (rolling.12).
static void touch_row(const knife_edge *e, const law_in *in, vec3 *normal, vec3 *normal_rate, rows *out)
{
    vec3 at = tray_vec3(&in->at->value[e->point]), velocity = tray_vec3(&in->at->rate[e->point]);
    slope s = slope_at(e, at, velocity, in->u->room);
    vec3 N = { -s.fx, -s.fy, 1.0 }, N_rate = { -s.fx_rate, -s.fy_rate, 0.0 };
    double length = vec3_norm(N);
    *normal = vec3_scale(1.0 / length, N);
    *normal_rate = vec3_scale(1.0 / length, vec3_add_scaled(N_rate, -vec3_dot(*normal, N_rate), *normal));
    if (in->want & LAW_POSITION) {
        out->phi[e->touch.row] = at.z - s.height;
        tray_put(&out->gradient[e->touch.gradient], N);
    }
    if (in->want & LAW_SECOND) {
        out->gamma[e->touch.row] = vec3_dot(N_rate, velocity);
    }
}

static void knife_edge_rows(const void *items, int count, const law_in *in, rows *out)
{
    const knife_edge *item = items;
    for (int k = 0; k < count; k++) {
        const knife_edge *e = &item[k];
        vec3 velocity = tray_vec3(&in->at->rate[e->point]), blade = tray_vec3(&in->at->value[e->blade]);
        vec3 normal = e->normal, normal_rate = { 0.0, 0.0, 0.0 };
        if (e->ground.code) {
            touch_row(e, in, &normal, &normal_rate, out);
        }
        if (in->want & LAW_POSITION) {
            vec3 across = vec3_cross(normal, blade);
            out->phi[e->at.row] = vec3_dot(across, velocity);
            tray_put(&out->gradient[e->at.gradient], across);
        }
        if (in->want & LAW_SECOND) {
            vec3 turning = vec3_add(vec3_cross(normal, tray_vec3(&in->at->rate[e->blade])),
                                    vec3_cross(normal_rate, blade));
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
    { "surface", BI_FIELD_EXPR, offsetof(bi_knife_edge_def, surface), NULL, BI_OWN_NAMES,
      "height of a smooth ground, an expression of x and y, on which the point also stays" },
};
static const bi_kind schema = { "constraints",
                                "knife-edge",
                                sizeof(bi_knife_edge_def),
                                fields,
                                4,
                                "a blade glides along itself, not across" };
const law_kind knife_edge_kind = {
    .schema = &schema, .item = sizeof(knife_edge), .compile = knife_edge_compile, .rows = knife_edge_rows
};
