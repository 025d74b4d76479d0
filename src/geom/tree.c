// SPDX-License-Identifier: MIT
// The tree of boxes over the triangles of a mesh, and the questions that walk down it.
#include "geom/mesh.h"

static geom_box empty_box(void)
{
    return (geom_box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static void box_add(geom_box *box, vec3 p)
{
    box->low = (vec3){ fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z) };
    box->high = (vec3){ fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z) };
}

// ---- build -----------------------------------------------------------------------------------------------------

static double along(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// A total order, so that the tree does not depend on the way of sorting.
static bool is_before(const vec3 *centre, int axis, int32_t i, int32_t j)
{
    double x = along(centre[i], axis), y = along(centre[j], axis);
    return x < y || (x == y && i < j);
}

// Brings the middle one of order[first .. end) to its place, smaller ones before it.
static void split_middle(int32_t *order, const vec3 *centre, int axis, int first, int end)
{
    int middle = first + (end - first) / 2;
    end--;
    while (first < end) {
        int32_t pivot = order[first + (end - first) / 2];
        int i = first, j = end;
        while (i <= j) {
            while (is_before(centre, axis, order[i], pivot)) {
                i++;
            }
            while (is_before(centre, axis, pivot, order[j])) {
                j--;
            }
            if (i <= j) {
                int32_t keep = order[i];
                order[i++] = order[j];
                order[j--] = keep;
            }
        }
        if (middle <= j) {
            end = j;
        } else if (middle >= i) {
            first = i;
        } else {
            return;
        }
    }
}

static int build_node(geom_mesh *m, const vec3 *centre, int first, int end)
{
    int self = m->n_node++;
    geom_box box = empty_box(), middle = empty_box();
    for (int k = first; k < end; k++) {
        const int32_t *corner = m->triangle[m->order[k]];
        for (int c = 0; c < 3; c++) {
            box_add(&box, m->vertex[corner[c]]);
        }
        box_add(&middle, centre[m->order[k]]);
    }
    m->node[self].box = box;
    if (end - first <= GEOM_LEAF) {
        m->node[self].right = first;
        m->node[self].count = end - first;
        return self;
    }
    vec3 size = vec3_sub(middle.high, middle.low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    split_middle(m->order, centre, axis, first, end);
    int half = first + (end - first) / 2;
    build_node(m, centre, first, half);
    int right = build_node(m, centre, half, end);
    m->node[self].right = right;
    m->node[self].count = 0;
    return self;
}

void geom_tree_build(geom_mesh *m, vec3 *centre)
{
    for (int k = 0; k < m->n_triangle; k++) {
        const int32_t *c = m->triangle[k];
        centre[k] =
            vec3_scale(1.0 / 3.0, vec3_add(m->vertex[c[0]], vec3_add(m->vertex[c[1]], m->vertex[c[2]])));
        m->order[k] = k;
    }
    m->n_node = 0;
    build_node(m, centre, 0, m->n_triangle);
    m->bounds = m->node[0].box;
}

// ---- nearest ---------------------------------------------------------------------------------------------------

vec3 geom_triangle_near(vec3 a, vec3 b, vec3 c, vec3 p, geom_feature *feature)
{
    vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a), bp = vec3_sub(p, b),
         cp = vec3_sub(p, c);
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d1 <= 0.0 && d2 <= 0.0) {
        *feature = GEOM_CORNER_0;
        return a;
    }
    if (d3 >= 0.0 && d4 <= d3) {
        *feature = GEOM_CORNER_1;
        return b;
    }
    if (d6 >= 0.0 && d5 <= d6) {
        *feature = GEOM_CORNER_2;
        return c;
    }
    // areas of the three parts that p sees
    double wc = d1 * d4 - d3 * d2, wb = d5 * d2 - d1 * d6, wa = d3 * d6 - d5 * d4;
    if (wc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        *feature = GEOM_SIDE_0;
        return vec3_add_scaled(a, d1 / (d1 - d3), ab);
    }
    if (wa <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        *feature = GEOM_SIDE_1;
        return vec3_add_scaled(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), vec3_sub(c, b));
    }
    if (wb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        *feature = GEOM_SIDE_2;
        return vec3_add_scaled(a, d2 / (d2 - d6), ac);
    }
    double sum = wa + wb + wc;
    *feature = GEOM_FACE;
    return sum > 0.0 ? vec3_add_scaled(vec3_add_scaled(a, wb / sum, ab), wc / sum, ac) : a;
}

static double outside_by(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

// Squared distance to a box.
static double box_distance(const geom_box *box, vec3 p)
{
    double x = outside_by(p.x, box->low.x, box->high.x), y = outside_by(p.y, box->low.y, box->high.y),
           z = outside_by(p.z, box->low.z, box->high.z);
    return x * x + y * y + z * z;
}

geom_mesh_spot geom_mesh_nearest(const geom_mesh *m, vec3 p, double reach)
{
    geom_mesh_spot spot = { -1, GEOM_FACE, INFINITY, p };
    double best = reach * reach;
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        if (!(box_distance(&node->box, p) <= best)) {
            continue;
        }
        if (node->count == 0) {
            // the nearer child first
            double left = box_distance(&geom_walk_left(node)->box, p),
                   right = box_distance(&geom_walk_right(&walk, node)->box, p);
            if (left <= right) {
                geom_walk_open(&walk, node);
            } else {
                geom_walk_open_right(&walk, node);
            }
            continue;
        }
        for (int k = node->right; k < node->right + node->count; k++) {
            const int32_t *c = m->triangle[m->order[k]];
            geom_feature feature;
            vec3 at = geom_triangle_near(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]], p, &feature);
            vec3 d = vec3_sub(p, at);
            double d2 = vec3_dot(d, d);
            if (d2 < best || (d2 == best && spot.triangle < 0)) {
                best = d2;
                spot = (geom_mesh_spot){ m->order[k], feature, 0.0, at };
            }
        }
    }
    spot.distance = spot.triangle < 0 ? INFINITY : sqrt(best);
    return spot;
}

vec3 geom_mesh_normal(const geom_mesh *m, int32_t triangle, geom_feature feature)
{
    if (feature == GEOM_FACE) {
        return m->face_normal[triangle];
    }
    return feature <= GEOM_SIDE_2 ? m->edge_normal[m->side[triangle][feature - GEOM_SIDE_0]]
                                  : m->vertex_normal[m->triangle[triangle][feature - GEOM_CORNER_0]];
}

geom_near geom_mesh_near(const geom_mesh *m, vec3 p, double reach)
{
    geom_mesh_spot spot = geom_mesh_nearest(m, p, reach);
    if (spot.triangle < 0) {
        return (geom_near){ INFINITY, p, { 0.0, 0.0, 1.0 } };
    }
    vec3 n = geom_mesh_normal(m, spot.triangle, spot.feature), d = vec3_sub(p, spot.point);
    double sign = vec3_dot(n, d) < 0.0 ? -1.0 : 1.0;
    // on the surface the difference has no direction
    const double tiny = 1e-12 * vec3_norm(vec3_sub(m->bounds.high, m->bounds.low));
    bool is_on = spot.distance <= tiny || spot.feature == GEOM_FACE;
    vec3 normal = is_on ? vec3_normalized(n) : vec3_scale(sign / spot.distance, d);
    return (geom_near){ sign * spot.distance, spot.point, normal };
}

// ---- rays ------------------------------------------------------------------------------------------------------

// Narrows the part of the ray that lies between two planes across an axis.
static void narrow(double low, double high, double o, double inverse, double *from, double *to)
{
    // a ray along the planes is between them always or never
    if (isinf(inverse)) {
        *to = o >= low && o <= high ? *to : -INFINITY;
        return;
    }
    double t0 = (low - o) * inverse, t1 = (high - o) * inverse;
    double near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
    *from = near > *from ? near : *from;
    *to = far < *to ? far : *to;
}

// Part of the ray inside the box begins before `until`.
static bool ray_meets_box(const geom_box *box, vec3 o, vec3 inverse, double until)
{
    double from = 0.0, to = until;
    narrow(box->low.x, box->high.x, o.x, inverse.x, &from, &to);
    narrow(box->low.y, box->high.y, o.y, inverse.y, &from, &to);
    narrow(box->low.z, box->high.z, o.z, inverse.z, &from, &to);
    // a few roundings of room, so that rays along a face are not lost
    return from <= to * (1.0 + 8.0 * DBL_EPSILON);
}

// Crossing of the line and the triangle; false: none, or parallel.
static bool ray_triangle(vec3 a, vec3 b, vec3 c, vec3 o, vec3 d, double *t)
{
    // volumes of the line with the sides: the same bits for both triangles of an edge, but for the sign
    vec3 A = vec3_sub(a, o), B = vec3_sub(b, o), C = vec3_sub(c, o);
    double u = vec3_dot(d, vec3_cross(C, B)), v = vec3_dot(d, vec3_cross(A, C)),
           w = vec3_dot(d, vec3_cross(B, A));
    if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) {
        return false;
    }
    double sum = u + v + w;
    if (sum == 0.0) {
        return false;
    }
    double dd = vec3_dot(d, d);
    *t = (u * vec3_dot(A, d) + v * vec3_dot(B, d) + w * vec3_dot(C, d)) / (sum * dd);
    return true;
}

geom_hit geom_mesh_ray(const geom_mesh *m, vec3 o, vec3 d, double reach)
{
    geom_hit hit = { false, INFINITY, { 0.0, 0.0, 1.0 } };
    vec3 inverse = { 1.0 / d.x, 1.0 / d.y, 1.0 / d.z };
    double until = reach;
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        if (!ray_meets_box(&node->box, o, inverse, until)) {
            continue;
        }
        if (node->count == 0) {
            geom_walk_open(&walk, node);
            continue;
        }
        for (int k = node->right; k < node->right + node->count; k++) {
            const int32_t *c = m->triangle[m->order[k]];
            double t;
            if (ray_triangle(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]], o, d, &t) && t >= 0.0 &&
                (t < until || (t == until && !hit.is_hit))) {
                until = t;
                hit = (geom_hit){ true, t, m->face_normal[m->order[k]] };
            }
        }
    }
    return hit;
}

// ---- farthest --------------------------------------------------------------------------------------------------

vec3 geom_mesh_support(const geom_mesh *m, vec3 d)
{
    vec3 best = m->vertex[m->triangle[0][0]];
    double most = -INFINITY;
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        double bound = fmax(d.x * node->box.low.x, d.x * node->box.high.x) +
                       fmax(d.y * node->box.low.y, d.y * node->box.high.y) +
                       fmax(d.z * node->box.low.z, d.z * node->box.high.z);
        if (bound < most) {
            continue;
        }
        if (node->count == 0) {
            geom_walk_open(&walk, node);
            continue;
        }
        for (int k = 0; k < 3 * node->count; k++) {
            vec3 p = m->vertex[m->triangle[m->order[node->right + k / 3]][k % 3]];
            if (vec3_dot(d, p) > most) {
                most = vec3_dot(d, p);
                best = p;
            }
        }
    }
    return best;
}
