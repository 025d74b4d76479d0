// SPDX-License-Identifier: MIT
// Box against box: separating axes, then the face of one clipped by the face of the other, or two edges.
#include "geom/collide.h"

// cosine of the angle below which an axis of two edges is taken for the normal of a face: 14 degrees
static const double nearly_along = 0.97;

static double half_of(vec3 half, int k) { return k == 0 ? half.x : k == 1 ? half.y : half.z; }

// How far the box reaches from its middle along a direction.
static double reach_along(const geom_placed *box, vec3 d)
{
    return fabs(vec3_dot(box->pose->rot.col[0], d)) * box->shape->half.x +
           fabs(vec3_dot(box->pose->rot.col[1], d)) * box->shape->half.y +
           fabs(vec3_dot(box->pose->rot.col[2], d)) * box->shape->half.z;
}

typedef struct {
    double overlap;
    vec3 normal; // from B to A
    int face;    // 0 to 2: of A, 3 to 5: of B, 6 to 14: edges 3 i + k + 6
} best_axis;

// False: this axis separates the boxes.
static bool try_axis(const geom_placed *a, const geom_placed *b, vec3 axis, int face, best_axis *best)
{
    double length = vec3_norm(axis);
    // parallel edges: the faces say all
    if (length < 1e-6) {
        return true;
    }
    vec3 n = vec3_scale(1.0 / length, axis);
    double apart = vec3_dot(n, vec3_sub(a->pose->pos, b->pose->pos));
    double overlap = reach_along(a, n) + reach_along(b, n) - fabs(apart);
    if (overlap < 0.0) {
        return false;
    }
    // faces give several points: edges must be clearly better
    double counted = face >= 6 ? overlap * 1.02 + 1e-12 * (reach_along(a, n) + reach_along(b, n)) : overlap;
    if (counted < best->overlap) {
        *best = (best_axis){ overlap, vec3_scale(apart < 0.0 ? -1.0 : 1.0, n), face };
    }
    return true;
}

// Cuts a polygon with the half space d . p <= limit.
static int clip(const vec3 *from, int n, vec3 d, double limit, vec3 *to)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        vec3 p = from[k], q = from[(k + 1) % n];
        double hp = vec3_dot(d, p) - limit, hq = vec3_dot(d, q) - limit;
        if (hp <= 0.0) {
            to[count++] = p;
        }
        if ((hp <= 0.0) != (hq <= 0.0)) {
            to[count++] = vec3_add_scaled(p, hp / (hp - hq), vec3_sub(q, p));
        }
    }
    return count;
}

// The face of the box that looks most against n, its corners in order.
static void facing_face(const geom_placed *box, vec3 n, vec3 corner[4])
{
    int face = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        double along = fabs(vec3_dot(box->pose->rot.col[k], n));
        if (along > most) {
            most = along;
            face = k;
        }
    }
    const mat3 *R = &box->pose->rot;
    double sign = vec3_dot(R->col[face], n) > 0.0 ? -1.0 : 1.0;
    int u = (face + 1) % 3, v = (face + 2) % 3;
    vec3 middle = vec3_add_scaled(box->pose->pos, sign * half_of(box->shape->half, face), R->col[face]);
    static const double around[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
    for (int k = 0; k < 4; k++) {
        corner[k] =
            vec3_add_scaled(vec3_add_scaled(middle, around[k][0] * half_of(box->shape->half, u), R->col[u]),
                            around[k][1] * half_of(box->shape->half, v), R->col[v]);
    }
}

// Points of the facing face of `other` over the reference face of `box`; `out_of` is the outward normal of that face.
static void face_contacts(const geom_placed *box, int face, vec3 out_of, const geom_placed *other,
                          vec3 normal, geom_contacts *out)
{
    vec3 polygon[16], next[16];
    facing_face(other, out_of, polygon);
    int n = 4;
    for (int side = 0; side < 4 && n > 0; side++) {
        int k = (face + 1 + side / 2) % 3;
        vec3 d = vec3_scale(side % 2 ? -1.0 : 1.0, box->pose->rot.col[k]);
        n = clip(polygon, n, d, vec3_dot(d, box->pose->pos) + half_of(box->shape->half, k), next);
        for (int i = 0; i < n; i++) {
            polygon[i] = next[i];
        }
    }
    // what lies below the reference face
    double top = vec3_dot(out_of, box->pose->pos) + half_of(box->shape->half, face);
    n = clip(polygon, n, out_of, top, next);
    double area = 0.0;
    for (int k = 1; k + 1 < n; k++) {
        area +=
            0.5 * vec3_dot(out_of, vec3_cross(vec3_sub(next[k], next[0]), vec3_sub(next[k + 1], next[0])));
    }
    for (int k = 0; k < n; k++) {
        // corners of the cut lie in the face: a rounding must not lift them out
        double depth = fmax(0.0, top - vec3_dot(out_of, next[k]));
        vec3 point = vec3_add_scaled(next[k], 0.5 * depth, out_of);
        geom_add(out, geom_contact_make(point, normal, depth, fabs(area) / n, out->n_region));
    }
    out->n_region += n > 0;
}

// The edge of the box along axis k that lies farthest along d: its middle.
static vec3 edge_along(const geom_placed *box, int k, vec3 d)
{
    vec3 p = box->pose->pos;
    for (int i = 0; i < 3; i++) {
        double sign = vec3_dot(box->pose->rot.col[i], d) > 0.0 ? 1.0 : -1.0;
        p = i == k ? p : vec3_add_scaled(p, sign * half_of(box->shape->half, i), box->pose->rot.col[i]);
    }
    return p;
}

static void edge_contact(const geom_placed *a, const geom_placed *b, const best_axis *best,
                         geom_contacts *out)
{
    int i = (best->face - 6) / 3, k = (best->face - 6) % 3;
    vec3 u = a->pose->rot.col[i], v = b->pose->rot.col[k];
    vec3 p = edge_along(a, i, vec3_neg(best->normal)), q = edge_along(b, k, best->normal), d = vec3_sub(q, p);
    // nearest points of two lines
    double c = vec3_dot(u, v), det = 1.0 - c * c;
    double s = (vec3_dot(d, u) - c * vec3_dot(d, v)) / det, t = (c * vec3_dot(d, u) - vec3_dot(d, v)) / det;
    s = fmin(fmax(s, -half_of(a->shape->half, i)), half_of(a->shape->half, i));
    t = fmin(fmax(t, -half_of(b->shape->half, k)), half_of(b->shape->half, k));
    vec3 point = vec3_scale(0.5, vec3_add(vec3_add_scaled(p, s, u), vec3_add_scaled(q, t, v)));
    // two right-angled edges, crossed: strips as wide as the overlap
    double area = best->overlap * best->overlap / sqrt(det);
    geom_add(out, geom_contact_make(point, best->normal, best->overlap, area, out->n_region++));
}

void geom_box_box(geom_placed a, geom_placed b, geom_contacts *out)
{
    best_axis best = { .overlap = INFINITY };
    for (int k = 0; k < 3; k++) {
        if (!try_axis(&a, &b, a.pose->rot.col[k], k, &best) ||
            !try_axis(&a, &b, b.pose->rot.col[k], 3 + k, &best)) {
            return;
        }
    }
    const best_axis face = best;
    for (int k = 0; k < 9; k++) {
        vec3 axis = vec3_cross(a.pose->rot.col[k / 3], b.pose->rot.col[k % 3]);
        if (!try_axis(&a, &b, axis, 6 + k, &best)) {
            return;
        }
    }
    // a face that lies a little askew on another touches with its patch, though two edges overlap less
    best = best.face >= 6 && vec3_dot(best.normal, face.normal) > nearly_along ? face : best;
    if (best.face < 3) {
        face_contacts(&a, best.face, vec3_neg(best.normal), &b, best.normal, out);
    } else if (best.face < 6) {
        face_contacts(&b, best.face - 3, best.normal, &a, best.normal, out);
    } else {
        edge_contact(&a, &b, &best, out);
    }
}
