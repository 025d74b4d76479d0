// SPDX-License-Identifier: MIT
// The distance of two convex shapes: the point nearest to the origin of all differences of their points, by simplices
// of farthest points (Gilbert, Johnson, Keerthi).
#include "geom/convex/convex.h"

// the bound of the distance is met to this part of it: roundings of the sums
static const double enough = 1e-13;
// cores nearer than this part of their size overlap
static const double touching = 1e-15;
// a bound of the distance above this part of the size is no rounding
static const double proven = 1e-14;
enum { MOST_TURNS = 200 };

bool geom_core_of(const geom_shape *shape, const geom_pose *pose, geom_core *out)
{
    bool is_round = shape->kind == GEOM_SPHERE || shape->kind == GEOM_CAPSULE;
    *out = (geom_core){ shape, *pose, is_round ? shape->radius : 0.0 };
    return is_round || shape->kind == GEOM_BOX || shape->kind == GEOM_CYLINDER || shape->kind == GEOM_CONE ||
           shape->kind == GEOM_HULL || shape->kind == GEOM_ELLIPSOID;
}

vec3 geom_core_support(const geom_core *core, vec3 d)
{
    vec3 far = { 0.0, 0.0, 0.0 };
    if (core->shape->kind == GEOM_SPHERE) {
        return core->pose.pos;
    }
    if (core->shape->kind == GEOM_CAPSULE) {
        double up = vec3_dot(core->pose.rot.col[2], d);
        far.z = up < 0.0 ? -core->shape->half_length : core->shape->half_length;
    } else {
        geom_shape_support(core->shape, mat3_apply_transposed(core->pose.rot, d), &far);
    }
    return geom_outside(&core->pose, far);
}

double geom_core_reach(const geom_core *core, vec3 centre)
{
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(core->shape, &home);
    vec3 middle = vec3_scale(0.5, vec3_add(box.low, box.high)),
         half = vec3_scale(0.5, vec3_sub(box.high, box.low));
    if (core->shape->kind == GEOM_SPHERE || core->shape->kind == GEOM_CAPSULE) {
        half = (vec3){ 0.0, 0.0, core->shape->kind == GEOM_SPHERE ? 0.0 : core->shape->half_length };
    }
    return vec3_norm(vec3_sub(geom_outside(&core->pose, middle), centre)) + vec3_norm(half);
}

// ---- simplices -------------------------------------------------------------------------------------------------

// Corners with shares that make the point nearest to the origin.
typedef struct {
    int count;
    geom_corner corner[4];
    double share[4];
    vec3 nearest;
} simplex;

static simplex of_point(const geom_corner *p)
{
    return (simplex){ .count = 1, .corner = { *p }, .share = { 1.0 }, .nearest = p->w };
}

static simplex of_line(const geom_corner *p, const geom_corner *q)
{
    vec3 d = vec3_sub(q->w, p->w);
    double square = vec3_dot(d, d), t = square > 0.0 ? -vec3_dot(p->w, d) / square : 0.0;
    if (t <= 0.0) {
        return of_point(p);
    }
    if (t >= 1.0) {
        return of_point(q);
    }
    return (simplex){
        .count = 2, .corner = { *p, *q }, .share = { 1.0 - t, t }, .nearest = vec3_add_scaled(p->w, t, d)
    };
}

static simplex nearer(simplex a, simplex b)
{
    return vec3_dot(b.nearest, b.nearest) < vec3_dot(a.nearest, a.nearest) ? b : a;
}

static simplex of_triangle(const geom_corner *p, const geom_corner *q, const geom_corner *r)
{
    vec3 n = vec3_cross(vec3_sub(q->w, p->w), vec3_sub(r->w, p->w));
    double square = vec3_dot(n, n);
    // areas of the triangles that the origin makes with the sides, seen along n
    double sp = vec3_dot(n, vec3_cross(q->w, r->w)), sq = vec3_dot(n, vec3_cross(r->w, p->w)),
           sr = vec3_dot(n, vec3_cross(p->w, q->w));
    if (square > 0.0 && sp > 0.0 && sq > 0.0 && sr > 0.0) {
        double sum = sp + sq + sr;
        // along the normal: exact however near the origin is
        return (simplex){ .count = 3,
                          .corner = { *p, *q, *r },
                          .share = { sp / sum, sq / sum, sr / sum },
                          .nearest = vec3_scale(vec3_dot(n, p->w) / square, n) };
    }
    return nearer(nearer(of_line(p, q), of_line(q, r)), of_line(r, p));
}

// The origin and the fourth corner are on different sides of the plane p q r; a flat tetrahedron has no inside.
static bool is_beyond(const geom_corner *p, const geom_corner *q, const geom_corner *r, const geom_corner *s)
{
    vec3 n = vec3_cross(vec3_sub(q->w, p->w), vec3_sub(r->w, p->w));
    vec3 up = vec3_sub(s->w, p->w);
    double there = vec3_dot(n, up), here = -vec3_dot(n, p->w);
    bool is_flat = there * there <= 1e-26 * vec3_dot(n, n) * vec3_dot(up, up);
    return is_flat || there * here <= 0.0;
}

static simplex of_tetrahedron(const geom_corner c[4])
{
    static const int face[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    simplex best = { .count = 4, .corner = { c[0], c[1], c[2], c[3] }, .nearest = { 0.0, 0.0, 0.0 } };
    bool is_first = true;
    for (int k = 0; k < 4; k++) {
        const geom_corner *p = &c[face[k][0]], *q = &c[face[k][1]], *r = &c[face[k][2]];
        if (is_beyond(p, q, r, &c[face[k][3]])) {
            simplex s = of_triangle(p, q, r);
            best = is_first ? s : nearer(best, s);
            is_first = false;
        }
    }
    return best;
}

static simplex solved(const geom_corner *c, int n)
{
    return n == 1   ? of_point(&c[0])
           : n == 2 ? of_line(&c[0], &c[1])
           : n == 3 ? of_triangle(&c[0], &c[1], &c[2])
                    : of_tetrahedron(c);
}

static bool has_corner(const simplex *s, vec3 w)
{
    for (int k = 0; k < s->count; k++) {
        vec3 d = vec3_sub(s->corner[k].w, w);
        if (vec3_dot(d, d) == 0.0) {
            return true;
        }
    }
    return false;
}

static geom_corner corner_along(const geom_core *a, const geom_core *b, vec3 d)
{
    vec3 p = geom_core_support(a, d), q = geom_core_support(b, vec3_neg(d));
    return (geom_corner){ vec3_sub(p, q), p, q };
}

// ---- all of it -------------------------------------------------------------------------------------------------

static geom_way way_of(const simplex *s, double least, double size)
{
    geom_way way = { .distance = vec3_norm(s->nearest), .least = least, .count = s->count };
    for (int k = 0; k < s->count; k++) {
        way.corner[k] = s->corner[k];
        way.on_a = vec3_add_scaled(way.on_a, s->share[k], s->corner[k].a);
        way.on_b = vec3_add_scaled(way.on_b, s->share[k], s->corner[k].b);
    }
    if (s->count == 4 || way.distance <= touching * size) {
        way.distance = way.least = 0.0;
        return way;
    }
    way.normal = vec3_scale(1.0 / way.distance, s->nearest);
    return way;
}

geom_way geom_core_way(const geom_core *a, const geom_core *b, vec3 start)
{
    double size = 0.0, least = 0.0;
    bool is_nothing = vec3_dot(start, start) == 0.0;
    geom_corner first = corner_along(a, b, is_nothing ? (vec3){ -1.0, 0.0, 0.0 } : vec3_neg(start));
    simplex s = of_point(&first);
    for (int k = 0; k < MOST_TURNS; k++) {
        double square = vec3_dot(s.nearest, s.nearest);
        for (int i = 0; i < s.count; i++) {
            size = fmax(size, vec3_norm(s.corner[i].w));
        }
        if (s.count == 4 || square <= touching * touching * size * size) {
            break;
        }
        geom_corner next = corner_along(a, b, vec3_neg(s.nearest));
        // no point of the difference is nearer than this along the way
        double along = vec3_dot(s.nearest, next.w), distance = sqrt(square);
        least = fmax(least, along / distance);
        if (square - along <= enough * square || has_corner(&s, next.w)) {
            break;
        }
        geom_corner all[4];
        for (int i = 0; i < s.count; i++) {
            all[i] = s.corner[i];
        }
        all[s.count] = next;
        simplex better = solved(all, s.count + 1);
        // roundings: what does not come nearer ends it, and what is known to be apart does not overlap
        bool is_proven = least > proven * size;
        if (better.count == 4 ? is_proven : !(vec3_dot(better.nearest, better.nearest) < square)) {
            break;
        }
        s = better;
    }
    return way_of(&s, fmax(0.0, least), size);
}
