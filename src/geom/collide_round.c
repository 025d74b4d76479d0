// SPDX-License-Identifier: MIT
// Spheres and capsules: everything by signed distances.
#include "geom/collide.h"
#include "geom/field.h"

// The ball of A at `centre` against the nearest place of B's surface; the point is the middle of the overlap.
static geom_contact ball_contact(vec3 centre, double radius, const geom_near *near, int region)
{
    double depth = radius - near->distance;
    vec3 point = vec3_add_scaled(centre, 0.5 * (depth)-radius, near->normal);
    return geom_contact_make(point, near->normal, depth, geom_cap_area(radius, depth), region);
}

void geom_sphere_any(geom_placed a, geom_placed b, geom_contacts *out)
{
    double radius = a.shape->radius;
    geom_near near = geom_shape_near(b.shape, b.pose, a.pose->pos);
    if (near.distance < radius) {
        geom_contact c = ball_contact(a.pose->pos, radius, &near, out->n_region++);
        // two balls share the circle in which they meet
        if (b.shape->kind == GEOM_SPHERE) {
            double s = b.shape->radius, d = near.distance + s;
            double x = d > 0.0 ? 0.5 * (d + (radius - s) * (radius + s) / d) : 0.0,
                   r2 = radius * radius - x * x;
            double small = fmin(radius, s);
            c.area = geom_cap_area(1.0, 1.0) * (d > fabs(radius - s) && r2 > 0.0 ? r2 : small * small);
        }
        geom_add(out, c);
    }
}

// ---- sphere and mesh -------------------------------------------------------------------------------------------

static int rank_of(geom_feature feature) { return feature == GEOM_FACE ? 0 : feature <= GEOM_SIDE_2 ? 1 : 2; }

// Is the spot, on a side or corner of the triangle, the nearest one of a neighbour, too? 0: no, it has a nearer one;
// 1: yes; 2: yes, and the neighbour tells it.
static int ask_neighbour(const geom_mesh *m, const geom_mesh_spot *spot, int32_t other, vec3 p, double same)
{
    const int32_t *c = m->triangle[other];
    geom_feature feature;
    vec3 at = geom_triangle_near(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]], p, &feature);
    if (vec3_norm(vec3_sub(at, spot->point)) > same) {
        return 0;
    }
    int here = rank_of(spot->feature), there = rank_of(feature);
    return there < here || (there == here && other < spot->triangle) ? 2 : 1;
}

// Nearer to p than everything around it on the surface, and told by no other triangle.
static bool is_local_minimum(const geom_mesh *m, const geom_mesh_spot *spot, vec3 p, double same)
{
    if (spot->feature == GEOM_FACE) {
        return true;
    }
    if (spot->feature <= GEOM_SIDE_2) {
        int32_t other = m->neighbour[spot->triangle][spot->feature - GEOM_SIDE_0];
        return other < 0 || ask_neighbour(m, spot, other, p, same) == 1;
    }
    int32_t v = m->triangle[spot->triangle][spot->feature - GEOM_CORNER_0];
    for (int f = m->fan[v]; f < m->fan[v + 1]; f++) {
        int32_t other = m->fan_triangle[f];
        if (other != spot->triangle && ask_neighbour(m, spot, other, p, same) != 1) {
            return false;
        }
    }
    return true;
}

static double box_gap(const geom_box *box, vec3 p)
{
    vec3 d = { fmax(0.0, fmax(box->low.x - p.x, p.x - box->high.x)),
               fmax(0.0, fmax(box->low.y - p.y, p.y - box->high.y)),
               fmax(0.0, fmax(box->low.z - p.z, p.z - box->high.z)) };
    return vec3_dot(d, d);
}

static void add_local(geom_placed a, geom_placed b, const geom_near *local, geom_contacts *out)
{
    geom_near near = { local->distance, geom_outside(b.pose, local->point),
                       mat3_apply(b.pose->rot, local->normal) };
    geom_add(out, ball_contact(a.pose->pos, a.shape->radius, &near, out->n_region++));
}

// Every place that is nearest around is a contact of its own: a ball in a groove touches twice.
static void add_minima(geom_placed a, geom_placed b, vec3 p, geom_contacts *out)
{
    const geom_mesh *m = b.shape->mesh;
    double radius = a.shape->radius, same = 1e-9 * radius;
    int first = out->count;
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        if (box_gap(&node->box, p) >= radius * radius) {
            continue;
        }
        if (node->count == 0) {
            geom_walk_open(&walk, node);
            continue;
        }
        for (int k = node->right; k < node->right + node->count; k++) {
            geom_mesh_spot spot = { .triangle = m->order[k] };
            const int32_t *c = m->triangle[spot.triangle];
            spot.point =
                geom_triangle_near(m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]], p, &spot.feature);
            vec3 d = vec3_sub(p, spot.point);
            spot.distance = vec3_norm(d);
            out->n_tested++;
            // backs of thin walls are not touched
            vec3 outwards = geom_mesh_normal(m, spot.triangle, spot.feature);
            if (!(spot.distance < radius) || vec3_dot(outwards, d) < 0.0 ||
                !is_local_minimum(m, &spot, p, same)) {
                continue;
            }
            bool is_new = true;
            vec3 there = geom_outside(b.pose, spot.point);
            for (int i = first; i < out->count; i++) {
                double half = 0.5 * out->item[i].depth;
                vec3 told = vec3_add_scaled(out->item[i].point, half, out->item[i].normal);
                is_new = is_new && vec3_norm(vec3_sub(there, told)) > 2.0 * same;
            }
            vec3 normal = spot.distance > same && spot.feature != GEOM_FACE
                              ? vec3_scale(1.0 / spot.distance, d)
                              : vec3_normalized(outwards);
            if (is_new && vec3_norm(normal) > 0.0) {
                add_local(a, b, &(geom_near){ spot.distance, spot.point, normal }, out);
            }
        }
    }
}

void geom_sphere_mesh(geom_placed a, geom_placed b, geom_contacts *out)
{
    const geom_mesh *m = b.shape->mesh;
    vec3 p = geom_inside(b.pose, a.pose->pos);
    // behind an open sheet by more than the radius there is nothing; inside a closed mesh there is always a way out
    geom_near near = geom_mesh_near(m, p, a.shape->radius);
    bool is_in_box = box_gap(&m->bounds, p) == 0.0;
    if (isinf(near.distance) && m->is_closed && is_in_box) {
        near = geom_mesh_near(m, p, INFINITY);
    }
    if (near.distance < 0.0) {
        add_local(a, b, &near, out);
    } else if (near.distance < a.shape->radius) {
        add_minima(a, b, p, out);
    }
}

void geom_sphere_field(geom_placed a, geom_placed b, geom_contacts *out)
{
    enum { MOST = 16 };
    geom_near found[MOST];
    const geom_field *f = b.shape->field;
    vec3 p = geom_inside(b.pose, a.pose->pos);
    double height, slope[2];
    bool is_over = geom_field_height(f, p.x, p.y, &height, slope);
    if (is_over && p.z < height) {
        geom_near near = geom_field_near(f, p, INFINITY);
        add_local(a, b, &near, out);
        return;
    }
    int count = geom_field_minima(f, p, a.shape->radius, MOST, found);
    out->is_full = out->is_full || count > MOST;
    for (int k = 0; k < count && k < MOST; k++) {
        if (found[k].distance >= 0.0 && found[k].distance < a.shape->radius) {
            add_local(a, b, &found[k], out);
        }
    }
}

// ---- capsules --------------------------------------------------------------------------------------------------

// Distance of the point t in [-1, 1] of the axis.
static geom_near near_axis(geom_placed a, geom_placed b, double t, vec3 *centre)
{
    *centre = geom_outside(a.pose, (vec3){ 0.0, 0.0, t * a.shape->half_length });
    return geom_shape_near(b.shape, b.pose, *centre);
}

// The place of the axis between two others that is nearest: the distance to a convex body is a convex function, and its
// slope, the part of its normal along the axis, tells the side to the last digit.
static double nearest_of_axis(geom_placed a, geom_placed b, double left, double right)
{
    vec3 along = a.pose->rot.col[2], unused;
    for (int k = 0; k < 60 && right - left > 1e-15; k++) {
        double t = 0.5 * (left + right);
        *(vec3_dot(near_axis(a, b, t, &unused).normal, along) < 0.0 ? &left : &right) = t;
    }
    return 0.5 * (left + right);
}

// Where the ball of the axis leaves the shape between one place inside and one outside: the depth is concave, so secants
// from the inside fall short and bisections help them.
static double rim(geom_placed a, geom_placed b, double in, double depth_in, double out, double depth_out)
{
    const double small = 1e-12;
    vec3 unused;
    for (int k = 0; k < 60 && fabs(out - in) > small; k++) {
        double part = k % 3 == 2 ? 0.5 : depth_in / (depth_in - depth_out);
        double t = in + part * (out - in), depth = a.shape->radius - near_axis(a, b, t, &unused).distance;
        if (depth > 0.0) {
            in = t;
            depth_in = depth;
        } else {
            out = t;
            depth_out = depth;
        }
    }
    return 0.5 * (in + out);
}

static double axis_depth(geom_placed a, geom_placed b, double t)
{
    vec3 unused;
    return a.shape->radius - near_axis(a, b, t, &unused).distance;
}

// One of n places of a line, or the deepest of them all.
static void add_on_axis(geom_placed a, geom_placed b, double t, int n, geom_contacts *out)
{
    vec3 centre;
    geom_near near = near_axis(a, b, t, &centre);
    if (near.distance < a.shape->radius) {
        geom_contact c = ball_contact(centre, a.shape->radius, &near, out->n_region);
        c.area /= n;
        geom_add(out, c);
    }
}

// The part of the axis whose ball is inside a convex shape: after the deepest the two places of it that carry the sum and
// the moment of any depth that is linear along it (geometry.25). They move as the capsule does, whichever of its ends is the
// lower one. Where the deepest is in the middle and the depth falls off to both sides, as of rods that cross, it is one place.
static void capsule_convex(geom_placed a, geom_placed b, geom_contacts *out)
{
    const double gauss = 0.57735026918962576451, flat = 1.5, narrow = 0.5;
    double at = nearest_of_axis(a, b, -1.0, 1.0), deepest = axis_depth(a, b, at);
    if (!(deepest > 0.0)) {
        return;
    }
    double depth[2] = { axis_depth(a, b, -1.0), axis_depth(a, b, 1.0) };
    double left = depth[0] > 0.0 ? -1.0 : rim(a, b, at, deepest, -1.0, depth[0]),
           right = depth[1] > 0.0 ? 1.0 : rim(a, b, at, deepest, 1.0, depth[1]);
    double middle = 0.5 * (left + right), half = 0.5 * (right - left), by = gauss * half;
    bool is_wedge = fabs(at - middle) > 0.5 * half && half * a.shape->half_length >= narrow * a.shape->radius;
    add_on_axis(a, b, at, 1, out);
    if (is_wedge || axis_depth(a, b, middle - by) + axis_depth(a, b, middle + by) >= flat * deepest) {
        geom_mark_whole(out);
        add_on_axis(a, b, middle - by, 2, out);
        add_on_axis(a, b, middle + by, 2, out);
    }
    out->n_region++;
}

// A torus is not convex: the axis is looked at in pieces, and every place that is nearer than both beside it counts.
static void capsule_torus(geom_placed a, geom_placed b, geom_contacts *out)
{
    enum { PIECES = 32 };
    double depth[PIECES + 1], step = 2.0 / PIECES;
    for (int k = 0; k <= PIECES; k++) {
        depth[k] = axis_depth(a, b, -1.0 + k * step);
    }
    for (int k = 0; k <= PIECES; k++) {
        bool is_left = k == 0 || depth[k] > depth[k - 1], is_right = k == PIECES || depth[k] >= depth[k + 1];
        if (is_left && is_right) {
            double t = -1.0 + k * step;
            int before = out->count;
            add_on_axis(a, b, nearest_of_axis(a, b, fmax(-1.0, t - step), fmin(1.0, t + step)), 1, out);
            out->n_region += out->count > before;
        }
    }
}

void geom_capsule_any(geom_placed a, geom_placed b, geom_contacts *out)
{
    if (b.shape->kind == GEOM_TORUS) {
        capsule_torus(a, b, out);
    } else {
        capsule_convex(a, b, out);
    }
}
