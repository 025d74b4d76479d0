// SPDX-License-Identifier: MIT
// Ellipsoids on convex shapes: one place, found where the ellipsoid, swollen from its middle, would touch first.
#include "geom/collide.h"
#include "geom/convex/convex.h"
#include "geom/convex/shadow.h"

// A way that pushes A out of B, in ground axes.
typedef struct {
    vec3 normal;     // from B to A, unit
    vec3 on_a, on_b; // where they are deepest in each other
    double area;
} touch;

static vec3 times(vec3 a, vec3 b) { return (vec3){ a.x * b.x, a.y * b.y, a.z * b.z }; }
static vec3 over(vec3 a, vec3 b) { return (vec3){ a.x / b.x, a.y / b.y, a.z / b.z }; }

// B in the axes of A, stretched so that A is a ball of radius 1: a linear map takes the farthest point along a direction
// to the farthest one along what the map makes of that direction, so that a pose whose axes are not square serves.
static geom_core stretched(geom_placed b, geom_placed a)
{
    geom_pose relative = geom_relative(b.pose, a.pose);
    geom_core out = { b.shape, relative, 0.0 };
    for (int k = 0; k < 3; k++) {
        out.pose.rot.col[k] = over(relative.rot.col[k], a.shape->half);
    }
    out.pose.pos = over(relative.pos, a.shape->half);
    return out;
}

// ---- two ellipsoids --------------------------------------------------------------------------------------------

// Radii of curvature where the surface looks along n, seen in x and y across it: xx, xy, yy.
static void bend_across(geom_placed of, vec3 n, vec3 x, vec3 y, double out[3])
{
    const mat3 *R = &of.pose->rot;
    mat3 bend = geom_ellipsoid_bend(of.shape->half, mat3_apply_transposed(*R, n));
    vec3 u = mat3_apply_transposed(*R, x), v = mat3_apply_transposed(*R, y);
    out[0] = vec3_dot(u, mat3_apply(bend, u));
    out[1] = vec3_dot(u, mat3_apply(bend, v));
    out[2] = vec3_dot(v, mat3_apply(bend, v));
}

static vec3 farthest(geom_placed of, vec3 d)
{
    vec3 far;
    geom_shape_support(of.shape, mat3_apply_transposed(of.pose->rot, d), &far);
    return geom_outside(of.pose, far);
}

// Newton's method for the way of least overlap, eq. (geometry.15), from a normal nearby: it does not matter which of
// the two is asked. So deep in each other that there is no such way nearby the normal stays.
static void refine(geom_placed a, geom_placed b, touch *t)
{
    enum { MOST_TURNS = 30 };
    const double pi = 3.14159265358979323846, enough = 1e-15 * vec3_norm(a.shape->half);
    t->on_a = farthest(a, vec3_neg(t->normal));
    t->on_b = farthest(b, t->normal);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        vec3 x, y, gap = vec3_sub(t->on_b, t->on_a);
        double of_a[3], of_b[3], depth = vec3_dot(gap, t->normal);
        geom_across(t->normal, &x, &y);
        bend_across(a, t->normal, x, y, of_a);
        bend_across(b, t->normal, x, y, of_b);
        double xx = of_a[0] + of_b[0], xy = of_a[1] + of_b[1], yy = of_a[2] + of_b[2];
        double bent = (of_a[0] * of_a[2] - of_a[1] * of_a[1]) * (of_b[0] * of_b[2] - of_b[1] * of_b[1]);
        t->area = 2.0 * pi * fmax(0.0, depth) * sqrt(bent / (xx * yy - xy * xy));
        double u = vec3_dot(gap, x), v = vec3_dot(gap, y);
        xx -= depth;
        yy -= depth;
        double det = xx * yy - xy * xy;
        if (fabs(u) + fabs(v) <= enough || !(det > 0.0 && xx > 0.0)) {
            return;
        }
        vec3 by = vec3_add(vec3_scale((xy * v - yy * u) / det, x), vec3_scale((xy * u - xx * v) / det, y));
        touch next = { .normal = vec3_normalized(vec3_add(t->normal, by)) };
        next.on_a = farthest(a, vec3_neg(next.normal));
        next.on_b = farthest(b, next.normal);
        if (!(vec3_dot(next.normal, vec3_sub(next.on_b, next.on_a)) < depth)) {
            return; // roundings
        }
        next.area = t->area;
        *t = next;
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

// The middle of A lies in B: the shortest way that parts them.
static bool part_deep(geom_placed a, geom_placed b, spare *room, touch *t)
{
    geom_core core_a, core_b;
    geom_core_of(a.shape, a.pose, &core_a);
    geom_core_of(b.shape, b.pose, &core_b);
    geom_parting part = geom_core_parting(&core_a, &core_b, vec3_sub(a.pose->pos, b.pose->pos), room);
    if (!(part.depth > 0.0)) {
        return false;
    }
    double reach = vec3_dot(part.normal, vec3_sub(a.pose->pos, part.on_a));
    *t = (touch){ part.normal, part.on_a, part.on_b, geom_ellipsoid_section(a.shape->half, reach, 0.0) };
    return true;
}

// The part of its size at which A would touch B, eq. (geometry.14), and the normal there. False: they are apart, along
// t->normal.
static bool swell(geom_placed a, geom_placed b, spare *room, touch *t)
{
    const geom_shape middle = { .kind = GEOM_SPHERE };
    const geom_core point = { &middle, geom_pose_identity(), 0.0 };
    geom_core seen = stretched(b, a);
    geom_way way = geom_core_way(&point, &seen, vec3_neg(seen.pose.pos));
    if (way.distance == 0.0) {
        return part_deep(a, b, room, t);
    }
    vec3 up = over(way.normal, a.shape->half), down = vec3_neg(times(way.normal, a.shape->half));
    double size = vec3_norm(up), part = way.distance;
    *t = (touch){ .normal = mat3_apply(a.pose->rot, vec3_scale(1.0 / size, up)),
                  .on_a = geom_outside(a.pose, down),
                  .on_b = geom_outside(a.pose, vec3_scale(part, down)),
                  .area = geom_ellipsoid_section(a.shape->half, 1.0 / size, part / size) };
    return part < 1.0;
}

static double depth_of(const touch *t) { return vec3_dot(t->normal, vec3_sub(t->on_b, t->on_a)); }

// Far in each other two ellipsoids have several ways out, and each of them finds one: the shorter one counts.
static void refine_both(geom_placed a, geom_placed b, spare *room, touch *t)
{
    const double deep = 0.25;
    vec3 p = a.shape->half, q = b.shape->half;
    double thin = fmin(fmin(fmin(p.x, p.y), p.z), fmin(fmin(q.x, q.y), q.z));
    touch other;
    refine(a, b, t);
    if (depth_of(t) > deep * thin && swell(b, a, room, &other)) {
        other.normal = vec3_neg(other.normal);
        refine(a, b, &other);
        *t = depth_of(&other) < depth_of(t) ? other : *t;
    }
}

void geom_ellipsoid_convex(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out)
{
    touch t = { .area = 0.0 };
    if (geom_are_apart(a.shape, a.pose, b.shape, b.pose, hint)) {
        return;
    }
    if (!swell(a, b, out->room, &t)) {
        hint->axis = mat3_apply_transposed(a.pose->rot, vec3_neg(t.normal));
        return;
    }
    hint->axis = (vec3){ 0.0, 0.0, 0.0 };
    if (b.shape->kind == GEOM_ELLIPSOID) {
        refine_both(a, b, out->room, &t);
    }
    vec3 middle = vec3_scale(0.5, vec3_add(t.on_a, t.on_b));
    if (depth_of(&t) > 0.0) {
        geom_add(out, geom_contact_make(middle, t.normal, depth_of(&t), t.area, out->n_region++));
    }
}
