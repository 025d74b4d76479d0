// SPDX-License-Identifier: MIT
// A sharp disc rolls without slipping on a plane (rolling.1 .. rolling.4): its lowest point touches the plane (position row) and
// has no velocity along it (two velocity rows).
#include "constraint/constraint.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int frame, axes; // of the disc's centre: dof, index of its axes
    vec3 axis;       // body frame
    double radius, height;
    vec3 normal, along[2]; // ground: normal of the plane and two directions in it
    row_handle touch, slip;
} rolling;

static void rolling_compile(plan *p, int element, const void *def, void *item)
{
    const bi_rolling_def *d = def;
    const model_element *e = &p->model->element[element];
    vec3 normal = vec3_norm(d->normal) > 0.0 ? vec3_normalized(d->normal) : (vec3){ 0, 0, 1 };
    int m = plan_frame(p, d->body.i - 1, d->centre);
    rolling *out = item;
    *out = (rolling){ .frame = plan_dof(p, m),
                      .axes = p->marker[m].frame,
                      .axis = vec3_norm(d->axis) > 0.0 ? vec3_normalized(d->axis) : (vec3){ 0, 1, 0 },
                      .radius = d->radius,
                      .height = vec3_dot(normal, d->plane),
                      .normal = normal };
    out->along[0] = vec3_perpendicular(normal);
    out->along[1] = vec3_cross(normal, out->along[0]);
    out->touch = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 1, &m, 1);
    out->slip = plan_rows(p, &(row_owner){ e->name, e->place, true, -1, element }, 2, &m, 1);
}

typedef struct {
    vec3 arm;      // from the centre to the point of contact
    vec3 arm_rate; // its rate (not the velocity of a material point)
    double sine;   // of the angle between the disc's axis and the normal
} contact_point;

// arm = -R (n - (n.e) e) / |n - (n.e) e|, with e the axis of the disc (rolling.1)
static contact_point contact(const rolling *r, const law_in *in)
{
    vec3 e = mat3_apply(in->at->axes[r->axes], r->axis), omega = tray_vec3(&in->at->rate[r->frame + 3]);
    double c = vec3_dot(r->normal, e), c_rate;
    vec3 e_rate = vec3_cross(omega, e), across = vec3_add_scaled(r->normal, -c, e);
    c_rate = vec3_dot(r->normal, e_rate);
    vec3 across_rate = vec3_sub(vec3_scale(-c_rate, e), vec3_scale(c, e_rate));
    contact_point out = { .sine = sqrt(fmax(1.0 - c * c, 1e-12)) };
    double sine_rate = -c * c_rate / out.sine;
    out.arm = vec3_scale(-r->radius / out.sine, across);
    out.arm_rate =
        vec3_add_scaled(vec3_scale(-r->radius / out.sine, across_rate), -sine_rate / out.sine, out.arm);
    return out;
}

static void rolling_position(const rolling *r, const law_in *in, rows *out)
{
    contact_point c = contact(r, in);
    double *g = &out->gradient[r->touch.gradient];
    vec3 n = r->normal;
    // height of the lowest point; its gradient with rotation: the material point has the same normal velocity
    out->phi[r->touch.row] = vec3_dot(n, vec3_add(tray_vec3(&in->at->value[r->frame]), c.arm)) - r->height;
    tray_put(g, n);
    tray_put(g + 3, vec3_cross(c.arm, n));

    vec3 velocity = vec3_add(tray_vec3(&in->at->rate[r->frame]),
                             vec3_cross(tray_vec3(&in->at->rate[r->frame + 3]), c.arm));
    for (int i = 0; i < 2; i++) {
        double *b = &out->gradient[r->slip.gradient + 6 * i];
        out->phi[r->slip.row + i] = vec3_dot(r->along[i], velocity);
        tray_put(b, r->along[i]);
        tray_put(b + 3, vec3_cross(c.arm, r->along[i]));
    }
}

static void rolling_rows(const void *items, int count, const law_in *in, rows *out)
{
    const rolling *item = items;
    for (int k = 0; k < count; k++) {
        const rolling *r = &item[k];
        if (in->want & LAW_POSITION) {
            rolling_position(r, in, out);
        }
        if (in->want & LAW_SECOND) {
            // d/dt (v + omega x arm) with constant second rates zero: omega x d(arm)/dt (rolling.4)
            contact_point c = contact(r, in);
            vec3 turn = vec3_cross(tray_vec3(&in->at->rate[r->frame + 3]), c.arm_rate);
            out->gamma[r->touch.row] = vec3_dot(r->normal, turn);
            out->gamma[r->slip.row] = vec3_dot(r->along[0], turn);
            out->gamma[r->slip.row + 1] = vec3_dot(r->along[1], turn);
        }
    }
}

static const bi_field fields[] = {
    { "body", BI_FIELD_BODY, offsetof(bi_rolling_def, body), NULL, BI_REQUIRED, "the rolling body" },
    { "centre", BI_FIELD_VEC3, offsetof(bi_rolling_def, centre), "m", 0, "centre of the disc, body frame" },
    { "axis", BI_FIELD_VEC3, offsetof(bi_rolling_def, axis), NULL, BI_DIRECTION,
      "axis of the disc, body frame (default y)" },
    { "radius", BI_FIELD_NUMBER, offsetof(bi_rolling_def, radius), "m", BI_REQUIRED | BI_POSITIVE, "radius" },
    { "plane", BI_FIELD_VEC3, offsetof(bi_rolling_def, plane), "m", BI_GROUND_AXES,
      "a point of the plane, ground axes" },
    { "normal", BI_FIELD_VEC3, offsetof(bi_rolling_def, normal), NULL, BI_DIRECTION | BI_GROUND_AXES,
      "its normal, ground axes (default z)" },
};
static const bi_kind schema = { "constraints", "rolling", sizeof(bi_rolling_def),
                                fields,        6,         "a sharp disc rolls on a plane without slipping" };
const law_kind rolling_kind = { &schema, sizeof(rolling), rolling_compile, NULL, rolling_rows, NULL, NULL };
