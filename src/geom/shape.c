// SPDX-License-Identifier: MIT
// Sizes, boxes around shapes, farthest points.
#include "geom/convex/hull.h"
#include "geom/field.h"
#include "geom/mesh.h"

static bool is_size(double x) { return x > 0.0 && isfinite(x); }

const char *geom_shape_fault(const geom_shape *s)
{
    bool needs_radius = s->kind == GEOM_SPHERE || s->kind == GEOM_CAPSULE || s->kind == GEOM_CYLINDER ||
                        s->kind == GEOM_TORUS || s->kind == GEOM_CONE;
    if (needs_radius && !is_size(s->radius)) {
        return "the radius must be positive";
    }
    if (s->kind == GEOM_BOX && !(is_size(s->half.x) && is_size(s->half.y) && is_size(s->half.z))) {
        return "the sides of the box must be positive";
    }
    if (s->kind == GEOM_ELLIPSOID && !(is_size(s->half.x) && is_size(s->half.y) && is_size(s->half.z))) {
        return "the half axes of the ellipsoid must be positive";
    }
    if (s->kind == GEOM_CYLINDER && !is_size(s->half_length)) {
        return "the length of the cylinder must be positive";
    }
    if (s->kind == GEOM_CONE && !is_size(s->half_length)) {
        return "the length of the cone must be positive";
    }
    if (s->kind == GEOM_HULL && !s->hull) {
        return "the points of the hull are missing";
    }
    if (s->kind == GEOM_CAPSULE && !(s->half_length >= 0.0 && isfinite(s->half_length))) {
        return "the length of the capsule must not be negative";
    }
    if (s->kind == GEOM_TORUS && !is_size(s->half_width)) {
        return "the width of the torus must be positive";
    }
    if (s->kind == GEOM_TORUS && !(s->ring >= s->radius && isfinite(s->ring))) {
        return "the ring of the torus must not be smaller than the radius of its section";
    }
    if (s->kind == GEOM_MESH && !s->mesh) {
        return "the mesh is missing";
    }
    return s->kind == GEOM_FIELD && !s->field ? "the height field is missing" : NULL;
}

// The box of a box: its half sides, in its own axes, and where its middle is.
static geom_box turned_box(const geom_pose *pose, vec3 at, vec3 half)
{
    const mat3 *R = &pose->rot;
    vec3 reach = {
        fabs(R->col[0].x) * half.x + fabs(R->col[1].x) * half.y + fabs(R->col[2].x) * half.z,
        fabs(R->col[0].y) * half.x + fabs(R->col[1].y) * half.y + fabs(R->col[2].y) * half.z,
        fabs(R->col[0].z) * half.x + fabs(R->col[1].z) * half.y + fabs(R->col[2].z) * half.z,
    };
    return (geom_box){ vec3_sub(at, reach), vec3_add(at, reach) };
}

// From the farthest points both ways.
static geom_box box_by_support(const geom_shape *s, const geom_pose *pose)
{
    double reach[6];
    for (int k = 0; k < 6; k++) {
        double sign = k < 3 ? -1.0 : 1.0;
        const vec3 axis = { k % 3 == 0 ? sign : 0.0, k % 3 == 1 ? sign : 0.0, k % 3 == 2 ? sign : 0.0 };
        vec3 local = mat3_apply_transposed(pose->rot, axis), far;
        geom_shape_support(s, local, &far);
        reach[k] = sign * vec3_dot(local, far);
    }
    return (geom_box){ vec3_add(pose->pos, (vec3){ reach[0], reach[1], reach[2] }),
                       vec3_add(pose->pos, (vec3){ reach[3], reach[4], reach[5] }) };
}

geom_box geom_shape_bounds(const geom_shape *s, const geom_pose *pose)
{
    if (s->kind == GEOM_PLANE) {
        return (geom_box){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    }
    if (s->kind == GEOM_CONE || s->kind == GEOM_HULL) {
        return box_by_support(s, pose);
    }
    if (s->kind == GEOM_MESH || s->kind == GEOM_FIELD) {
        geom_box local;
        if (s->kind == GEOM_MESH) {
            local = s->mesh->bounds;
        } else {
            const geom_field *f = s->field;
            local = (geom_box){ { f->x_0, f->y_0, f->low },
                                { f->x_0 + f->d_x * (f->n_x - 1), f->y_0 + f->d_y * (f->n_y - 1), f->high } };
        }
        vec3 middle = vec3_scale(0.5, vec3_add(local.low, local.high));
        return turned_box(pose, geom_outside(pose, middle), vec3_scale(0.5, vec3_sub(local.high, local.low)));
    }
    if (s->kind == GEOM_BOX) {
        return turned_box(pose, pose->pos, s->half);
    }
    // the others are symmetric about their origin: the farthest points along the axes outside
    double reach[3];
    const vec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 3; k++) {
        vec3 local = mat3_apply_transposed(pose->rot, axis[k]), far;
        geom_shape_support(s, local, &far);
        reach[k] = vec3_dot(local, far);
    }
    vec3 half = { reach[0], reach[1], reach[2] };
    return (geom_box){ vec3_sub(pose->pos, half), vec3_add(pose->pos, half) };
}

// The direction of d across z; x when there is none.
static vec3 across_z(vec3 d, double *length)
{
    *length = sqrt(d.x * d.x + d.y * d.y);
    return *length > 0.0 ? (vec3){ d.x / *length, d.y / *length, 0.0 } : (vec3){ 1.0, 0.0, 0.0 };
}

static vec3 field_support(const geom_field *f, vec3 d)
{
    vec3 best = { 0.0, 0.0, 0.0 };
    double most = -INFINITY;
    for (int j = 0; j < f->n_y; j++) {
        for (int i = 0; i < f->n_x; i++) {
            vec3 p = { f->x_0 + i * f->d_x, f->y_0 + j * f->d_y,
                       f->height[(size_t)j * (size_t)f->n_x + (size_t)i] };
            if (vec3_dot(d, p) > most) {
                most = vec3_dot(d, p);
                best = p;
            }
        }
    }
    return best;
}

// Of shapes that are round about z.
static vec3 round_support(const geom_shape *s, vec3 d)
{
    double across, z = copysign(1.0, d.z);
    vec3 u = vec3_normalized(d), radial = across_z(u, &across);
    if (s->kind == GEOM_CYLINDER) {
        return (vec3){ s->radius * radial.x, s->radius * radial.y, z * s->half_length };
    }
    if (s->kind == GEOM_CONE) {
        // the tip, or a place of the rim
        return s->radius * across <= 2.0 * s->half_length * u.z
                   ? (vec3){ 0.0, 0.0, s->half_length }
                   : (vec3){ s->radius * radial.x, s->radius * radial.y, -s->half_length };
    }
    // eq. (geometry.4), the lowest point of a wheel when d points down
    double a2 = s->half_width * s->half_width, b2 = s->radius * s->radius;
    double den = sqrt(b2 * across * across + a2 * u.z * u.z);
    double out = den > 0.0 ? s->ring + b2 * across / den : s->ring;
    return (vec3){ out * radial.x, out * radial.y, den > 0.0 ? a2 * u.z / den : 0.0 };
}

// D^2 u over its height, eq. (geometry.5).
static vec3 ellipsoid_support(vec3 half, vec3 d)
{
    vec3 u = vec3_normalized(d), q = { half.x * u.x, half.y * u.y, half.z * u.z };
    double height = vec3_norm(q);
    return height > 0.0 ? (vec3){ half.x * (q.x / height), half.y * (q.y / height), half.z * (q.z / height) }
                        : (vec3){ half.x, 0.0, 0.0 };
}

mat3 geom_ellipsoid_bend(vec3 half, vec3 d)
{
    vec3 r = ellipsoid_support(half, d);
    double height = vec3_dot(r, d), share = 1.0 / height;
    mat3 bend = { { vec3_scale(-share * r.x, r), vec3_scale(-share * r.y, r), vec3_scale(-share * r.z, r) } };
    bend.col[0].x += share * half.x * half.x;
    bend.col[1].y += share * half.y * half.y;
    bend.col[2].z += share * half.z * half.z;
    return bend;
}

bool geom_shape_support(const geom_shape *s, vec3 d, vec3 *point)
{
    switch (s->kind) {
    case GEOM_SPHERE: *point = vec3_scale(s->radius, vec3_normalized(d)); return true;
    case GEOM_BOX:
        *point = (vec3){ copysign(s->half.x, d.x), copysign(s->half.y, d.y), copysign(s->half.z, d.z) };
        return true;
    case GEOM_CAPSULE:
        *point = vec3_add((vec3){ 0.0, 0.0, copysign(1.0, d.z) * s->half_length },
                          vec3_scale(s->radius, vec3_normalized(d)));
        return true;
    case GEOM_CYLINDER:
    case GEOM_TORUS:
    case GEOM_CONE: *point = round_support(s, d); return true;
    case GEOM_MESH: *point = geom_mesh_support(s->mesh, d); return true;
    case GEOM_FIELD: *point = field_support(s->field, d); return true;
    case GEOM_HULL: *point = geom_hull_support(s->hull, d); return true;
    case GEOM_ELLIPSOID: *point = ellipsoid_support(s->half, d); return true;
    case GEOM_PLANE: break;
    }
    return false;
}
