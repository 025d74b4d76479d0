// SPDX-License-Identifier: MIT
// Constraints on points and directions of two bodies: distance, dot, coincide, in-plane, on-line.
#include "laws/constraint/constraint.h"
#include "laws/constraint/rows.h"
#include <stddef.h>

typedef struct {
    int a, b;   // points
    int u, v;   // vectors
    int signal; // -1: constant
    double value;
    row_handle at, second;
} primitive;

static int point_marker(plan *p, bi_point point) { return plan_point(p, point.body.i - 1, point.at); }

static int vector_marker(plan *p, bi_body body, vec3 along)
{
    return plan_vector(p, body.i - 1, vec3_normalized(along));
}

static vec3 direction_or_z(vec3 v) { return vec3_norm(v) > 0.0 ? v : (vec3){ 0.0, 0.0, 1.0 }; }

static row_owner owner_of(const plan *p, int element)
{
    const model_element *e = &p->model->element[element];
    return (row_owner){ e->name, e->place, false, -1, element };
}

static jet constant(double value) { return (jet){ value, 0.0, 0.0 }; }

// Two points on one body cannot move against each other: a row there would say nothing.
static void need_two_bodies(plan *p, int element, bi_body a, bi_body b, const char *key)
{
    if (a.i == b.i) {
        plan_complain(p, element, key, "is on the same body %s as its partner: use two bodies",
                      p->model->body[a.i - 1].def.name);
    }
}

// ---- distance: (d.d - L^2) / 2 L (constraints.3) ------------------------------------------------------------------------

static void distance_compile(plan *p, int element, const void *def, void *item)
{
    const bi_distance_def *d = def;
    int m[2] = { point_marker(p, d->a), point_marker(p, d->b) };
    vec3 apart = vec3_sub(model_described_point(p->model, d->b.body, d->b.at),
                          model_described_point(p->model, d->a.body, d->a.at));
    primitive *out = item;
    *out = (primitive){ .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]) };
    out->value = d->length > 0.0 ? d->length : vec3_norm(apart);
    need_two_bodies(p, element, d->a.body, d->b.body, "b");
    if (!(out->value > 0.0)) {
        plan_complain(p, element, "length", "is zero: give two points that are apart, or use coincide");
    }
    row_owner owner = owner_of(p, element);
    out->at = plan_rows(p, &owner, 1, m, 2);
}

static void distance_rows(const void *items, int count, const law_in *in, rows *out)
{
    const primitive *item = items;
    for (int k = 0; k < count; k++) {
        row_distance(in, item[k].a, item[k].b, item[k].value, item[k].at, out);
    }
}

static const bi_field distance_fields[] = {
    { "a", BI_FIELD_POINT, offsetof(bi_distance_def, a), NULL, BI_REQUIRED, "a point" },
    { "b", BI_FIELD_POINT, offsetof(bi_distance_def, b), NULL, BI_REQUIRED, "a point on another body" },
    { "length", BI_FIELD_NUMBER, offsetof(bi_distance_def, length), "m", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "their distance; default: as described" },
};
static const bi_kind distance_schema = { "constraints",   "distance", sizeof(bi_distance_def),
                                         distance_fields, 3,          "two points at constant distance" };
const law_kind distance_kind = {
    .schema = &distance_schema, .item = sizeof(primitive), .compile = distance_compile, .rows = distance_rows
};

// ---- dot: u . v, or u . (b - a) (constraints.1, constraints.2) -------------------------------------------------------------

static double described_dot(const bi_model *m, const bi_dot_def *d)
{
    vec3 u = vec3_normalized(model_described_vector(m, d->u.body, d->u.along));
    if (d->v.body.i > 0) {
        return vec3_dot(u, vec3_normalized(model_described_vector(m, d->v.body, d->v.along)));
    }
    return vec3_dot(u, vec3_sub(model_described_point(m, d->b.body, d->b.at),
                                model_described_point(m, d->a.body, d->a.at)));
}

static void dot_compile(plan *p, int element, const void *def, void *item)
{
    const bi_dot_def *d = def;
    primitive *out = item;
    *out = (primitive){ .signal = -1, .a = -1 };
    bool has_points = d->a.body.i > 0 && d->b.body.i > 0;
    if ((d->v.body.i > 0) == (d->a.body.i > 0 || d->b.body.i > 0) || (d->v.body.i == 0 && !has_points)) {
        plan_complain(p, element, "", "needs either 'v', or both 'a' and 'b', besides 'u'");
        return;
    }
    if (d->value.i > 0) {
        plan_signal(p, d->value);
    }
    out->signal = d->value.i - 1;
    out->value = described_dot(p->model, d);
    row_owner owner = owner_of(p, element);
    int u = vector_marker(p, d->u.body, d->u.along);
    out->u = plan_dof(p, u);
    if (has_points) {
        int m[3] = { point_marker(p, d->a), point_marker(p, d->b), u };
        out->a = plan_dof(p, m[0]);
        out->b = plan_dof(p, m[1]);
        out->at = plan_rows(p, &owner, 1, m, 3);
    } else {
        int m[2] = { u, vector_marker(p, d->v.body, d->v.along) };
        need_two_bodies(p, element, d->u.body, d->v.body, "v");
        out->v = plan_dof(p, m[1]);
        out->at = plan_rows(p, &owner, 1, m, 2);
    }
}

static void dot_rows(const void *items, int count, const law_in *in, rows *out)
{
    const primitive *item = items;
    for (int k = 0; k < count; k++) {
        const primitive *r = &item[k];
        jet value = r->signal >= 0 ? in->u->signal[r->signal] : constant(r->value);
        if (r->a >= 0) {
            row_across(in, r->a, r->b, r->u, value, r->at, out);
        } else {
            row_cosine(in, r->u, r->v, value, r->at, out);
        }
    }
}

static const bi_field dot_fields[] = {
    { "u", BI_FIELD_VECTOR, offsetof(bi_dot_def, u), NULL, BI_REQUIRED, "a direction on a body" },
    { "v", BI_FIELD_VECTOR, offsetof(bi_dot_def, v), NULL, 0, "a direction on another body; or" },
    { "a", BI_FIELD_POINT, offsetof(bi_dot_def, a), NULL, 0, "a point, and" },
    { "b", BI_FIELD_POINT, offsetof(bi_dot_def, b), NULL, 0, "a second one: the vector from a to b" },
    { "value", BI_FIELD_EXPR, offsetof(bi_dot_def, value), NULL, BI_OF_TIME,
      "of the dot product, from t and inputs; default: as described" },
};
static const bi_kind dot_schema = {
    "constraints", "dot", sizeof(bi_dot_def),
    dot_fields,    5,     "a dot product of unit directions, or along a difference of points"
};
const law_kind dot_kind = {
    .schema = &dot_schema, .item = sizeof(primitive), .compile = dot_compile, .rows = dot_rows
};

// ---- coincide: p_b - p_a = 0 (constraints.12) ------------------------------------------------------------------------------

static void coincide_compile(plan *p, int element, const void *def, void *item)
{
    const bi_coincide_def *d = def;
    int m[2] = { point_marker(p, d->a), point_marker(p, d->b) };
    primitive *out = item;
    *out = (primitive){ .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]) };
    need_two_bodies(p, element, d->a.body, d->b.body, "b");
    row_owner owner = owner_of(p, element);
    out->at = plan_rows(p, &owner, 3, m, 2);
}

static void coincide_rows(const void *items, int count, const law_in *in, rows *out)
{
    const primitive *item = items;
    for (int k = 0; k < count; k++) {
        row_coincide(in, item[k].a, item[k].b, item[k].at, out);
    }
}

static const bi_field coincide_fields[] = {
    { "a", BI_FIELD_POINT, offsetof(bi_coincide_def, a), NULL, BI_REQUIRED, "a point" },
    { "b", BI_FIELD_POINT, offsetof(bi_coincide_def, b), NULL, BI_REQUIRED,
      "the point of another body that is there" },
};
static const bi_kind coincide_schema = { "constraints",   "coincide", sizeof(bi_coincide_def),
                                         coincide_fields, 2,          "two points are at the same place" };
const law_kind coincide_kind = {
    .schema = &coincide_schema, .item = sizeof(primitive), .compile = coincide_compile, .rows = coincide_rows
};

// ---- in-plane: n . (p - p_0) = distance ---------------------------------------------------------------------------------

static void in_plane_compile(plan *p, int element, const void *def, void *item)
{
    const bi_in_plane_def *d = def;
    int m[3] = { point_marker(p, d->plane), point_marker(p, d->point),
                 vector_marker(p, d->plane.body, direction_or_z(d->normal)) };
    primitive *out = item;
    *out = (primitive){
        .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .u = plan_dof(p, m[2]), .value = d->distance
    };
    need_two_bodies(p, element, d->point.body, d->plane.body, "plane");
    row_owner owner = owner_of(p, element);
    out->at = plan_rows(p, &owner, 1, m, 3);
}

static void in_plane_rows(const void *items, int count, const law_in *in, rows *out)
{
    const primitive *item = items;
    for (int k = 0; k < count; k++) {
        const primitive *r = &item[k];
        row_across(in, r->a, r->b, r->u, constant(r->value), r->at, out);
    }
}

static const bi_field in_plane_fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_in_plane_def, point), NULL, BI_REQUIRED, "the point" },
    { "plane", BI_FIELD_POINT, offsetof(bi_in_plane_def, plane), NULL, BI_REQUIRED,
      "a point of the plane, on the body that carries it" },
    { "normal", BI_FIELD_VEC3, offsetof(bi_in_plane_def, normal), NULL, BI_DIRECTION,
      "of the plane, in the frame of its body (default z)" },
    { "distance", BI_FIELD_NUMBER, offsetof(bi_in_plane_def, distance), "m", 0,
      "of the point from the plane, along the normal (default 0)" },
};
static const bi_kind in_plane_schema = { "constraints",   "in-plane", sizeof(bi_in_plane_def),
                                         in_plane_fields, 4,          "a point moves in a plane of a body" };
const law_kind in_plane_kind = {
    .schema = &in_plane_schema, .item = sizeof(primitive), .compile = in_plane_compile, .rows = in_plane_rows
};

// ---- on-line: two directions across the line ---------------------------------------------------------------------------

static void on_line_compile(plan *p, int element, const void *def, void *item)
{
    const bi_on_line_def *d = def;
    vec3 along = vec3_normalized(direction_or_z(d->direction)), across = vec3_perpendicular(along);
    int m[4] = { point_marker(p, d->line), point_marker(p, d->point), vector_marker(p, d->line.body, across),
                 vector_marker(p, d->line.body, vec3_cross(along, across)) };
    primitive *out = item;
    *out = (primitive){
        .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .u = plan_dof(p, m[2]), .v = plan_dof(p, m[3])
    };
    need_two_bodies(p, element, d->point.body, d->line.body, "line");
    row_owner owner = owner_of(p, element);
    out->at = plan_rows(p, &owner, 1, (int[3]){ m[0], m[1], m[2] }, 3);
    out->second = plan_rows(p, &owner, 1, (int[3]){ m[0], m[1], m[3] }, 3);
}

static void on_line_rows(const void *items, int count, const law_in *in, rows *out)
{
    const primitive *item = items;
    for (int k = 0; k < count; k++) {
        const primitive *r = &item[k];
        row_across(in, r->a, r->b, r->u, constant(0.0), r->at, out);
        row_across(in, r->a, r->b, r->v, constant(0.0), r->second, out);
    }
}

static const bi_field on_line_fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_on_line_def, point), NULL, BI_REQUIRED, "the point" },
    { "line", BI_FIELD_POINT, offsetof(bi_on_line_def, line), NULL, BI_REQUIRED,
      "a point of the line, on the body that carries it" },
    { "direction", BI_FIELD_VEC3, offsetof(bi_on_line_def, direction), NULL, BI_DIRECTION,
      "of the line, in the frame of its body (default z)" },
};
static const bi_kind on_line_schema = { "constraints",  "on-line", sizeof(bi_on_line_def),
                                        on_line_fields, 3,         "a point moves on a line of a body" };
const law_kind on_line_kind = {
    .schema = &on_line_schema, .item = sizeof(primitive), .compile = on_line_compile, .rows = on_line_rows
};
