// SPDX-License-Identifier: MIT
// When two moving shapes meet: advanced from distance to distance by a bound that is exact to second order in the time,
// eq. (geometry.10), so that nothing is passed by and few turns are needed.
#include "geom/convex/convex.h"
#include "math/rotation.h"

// a gap below this part of the sizes is closed: some roundings
static const double closed = 1e-13;
enum { MOST_TURNS = 1000, MOST_NEWTON = 60 };

// A shape, how it moves, and how far it reaches from the point about which it turns.
typedef struct {
    geom_core core; // where it is now
    geom_motion motion;
    double reach;
} mover;

static void move_to(mover *m, double t)
{
    mat3 by = quat_to_mat3(quat_exp(vec3_scale(t, m->motion.spin)));
    vec3 arm = mat3_apply(by, vec3_sub(m->motion.pose.pos, m->motion.centre));
    m->core.pose.rot = mat3_multiply(by, m->motion.pose.rot);
    m->core.pose.pos = vec3_add(vec3_add_scaled(m->motion.centre, t, m->motion.velocity), arm);
}

static vec3 centre_at(const mover *m, double t)
{
    return vec3_add_scaled(m->motion.centre, t, m->motion.velocity);
}

// How far the shape goes along n at most in a time s from now, t, and how fast: eq. (geometry.10). Concave when seen from
// the other shape: where the bound of the gap is positive it was so all the way.
static double farthest(const mover *m, vec3 n, double t, double s, double *rate)
{
    vec3 centre = centre_at(m, t), across = vec3_cross(n, m->motion.spin);
    vec3 r = vec3_sub(geom_core_support(&m->core, vec3_add_scaled(n, s, across)), centre);
    double curved = vec3_dot(m->motion.spin, m->motion.spin) * m->reach,
           speed = vec3_dot(n, m->motion.velocity);
    *rate = speed + vec3_dot(across, r) + s * curved;
    return vec3_dot(n, centre) + s * speed + vec3_dot(vec3_add_scaled(n, s, across), r) +
           0.5 * s * s * curved + m->core.round;
}

// The bound of the gap after s.
static double gap_after(const mover *a, const mover *b, vec3 normal, double t, double s, double *rate)
{
    double rate_a, rate_b, to_b = farthest(a, vec3_neg(normal), t, s, &rate_a),
                           to_a = farthest(b, normal, t, s, &rate_b);
    *rate = -rate_a - rate_b;
    return -to_b - to_a;
}

// How long the gap cannot close; `left` or more: not at all. Newton's steps come from above, where the bound is negative.
static double free_time(const mover *a, const mover *b, vec3 normal, double t, double left)
{
    double rate, s = left;
    for (int k = 0; k < MOST_NEWTON; k++) {
        double gap = gap_after(a, b, normal, t, s, &rate);
        if (gap >= 0.0 || !(rate < 0.0)) {
            return s;
        }
        double less = fmax(0.0, s - gap / rate);
        if (!(less < s) || s - less < 1e-17 * (t + s)) {
            return less;
        }
        s = less;
    }
    return s;
}

static const geom_impact MISSES = { INFINITY, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };

static geom_impact advance(mover *a, mover *b, double h)
{
    vec3 guess = vec3_sub(a->core.pose.pos, b->core.pose.pos);
    double round = a->core.round + b->core.round, t = 0.0;
    double size = a->reach + b->reach + round;
    for (int k = 0; k < MOST_TURNS; k++) {
        move_to(a, t);
        move_to(b, t);
        geom_way way = geom_core_way(&a->core, &b->core, guess);
        geom_impact hit = { t, vec3_add_scaled(way.on_b, b->core.round, way.normal), way.normal };
        double gap = way.distance - round;
        if (way.distance == 0.0 || gap <= 0.0) {
            // a rounding may carry the last turn over the touch: its normal was better
            hit.normal = way.distance == 0.0 && k > 0 ? guess : way.normal;
            return hit;
        }
        guess = way.normal;
        double s = free_time(a, b, way.normal, t, h - t);
        if (s >= h - t) {
            return MISSES;
        }
        t += s;
        if (gap <= closed * size || t == t - s) {
            hit.time = t;
            return hit;
        }
    }
    // so slow a graze counts as a hit: nothing may be passed by
    return (geom_impact){ t, b->core.pose.pos, guess };
}

// In place of a plane a box so large that A cannot pass beside it within h.
static geom_shape box_for_plane(const mover *a, const geom_motion *plane, double h, geom_motion *moved)
{
    double far = vec3_norm(vec3_sub(a->motion.centre, plane->pose.pos)) + a->reach + a->core.round +
                 h * (vec3_norm(a->motion.velocity) + vec3_norm(plane->velocity)) +
                 2.0 * vec3_norm(vec3_sub(plane->pose.pos, plane->centre));
    *moved = *plane;
    moved->pose.pos = vec3_add_scaled(plane->pose.pos, -far, plane->pose.rot.col[2]);
    return (geom_shape){ .kind = GEOM_BOX, .half = { far, far, far } };
}

static bool make_mover(const geom_shape *shape, const geom_motion *motion, mover *out)
{
    out->motion = *motion;
    bool is_convex = geom_core_of(shape, &motion->pose, &out->core);
    out->reach = is_convex ? geom_core_reach(&out->core, motion->centre) : 0.0;
    return is_convex;
}

geom_impact geom_impact_time(const geom_shape *a, const geom_motion *motion_a, const geom_shape *b,
                             const geom_motion *motion_b, double h)
{
    if (a->kind == GEOM_PLANE && b->kind != GEOM_PLANE) {
        geom_impact other = geom_impact_time(b, motion_b, a, motion_a, h);
        other.normal = vec3_neg(other.normal);
        return other;
    }
    mover ma, mb;
    geom_motion moved = *motion_b;
    geom_shape instead = *b;
    bool is_convex = make_mover(a, motion_a, &ma);
    if (is_convex && b->kind == GEOM_PLANE) {
        instead = box_for_plane(&ma, motion_b, h, &moved);
    }
    if (!is_convex || !make_mover(&instead, &moved, &mb) || !(h >= 0.0)) {
        return (geom_impact){ NAN, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    }
    return advance(&ma, &mb, h);
}

// ---- at rest ---------------------------------------------------------------------------------------------------

static geom_gap gap_over_plane(const geom_core *a, const geom_pose *plane)
{
    vec3 n = plane->rot.col[2], low = geom_core_support(a, vec3_neg(n));
    low = vec3_add_scaled(low, -a->round, n);
    double height = vec3_dot(n, vec3_sub(low, plane->pos));
    return (geom_gap){ height, low, vec3_add_scaled(low, -height, n), n };
}

geom_gap geom_distance(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                       const geom_pose *pose_b)
{
    geom_core ca, cb;
    if (a->kind == GEOM_PLANE && geom_core_of(b, pose_b, &cb)) {
        geom_gap g = gap_over_plane(&cb, pose_a);
        return (geom_gap){ g.distance, g.on_b, g.on_a, vec3_neg(g.normal) };
    }
    bool is_convex = geom_core_of(a, pose_a, &ca);
    if (is_convex && b->kind == GEOM_PLANE) {
        return gap_over_plane(&ca, pose_b);
    }
    if (!is_convex || !geom_core_of(b, pose_b, &cb)) {
        return (geom_gap){ .distance = NAN };
    }
    vec3 guess = vec3_sub(pose_a->pos, pose_b->pos);
    geom_way way = geom_core_way(&ca, &cb, guess);
    _Alignas(SPARE_LINE) char room[GEOM_PARTING_MOST];
    if (way.distance == 0.0) {
        spare own = { room, 0, geom_parting_size() };
        geom_parting part = geom_core_parting(&ca, &cb, guess, &own);
        way.distance = -part.depth;
        way.normal = part.normal;
        way.on_a = part.depth > 0.0 ? part.on_a : way.on_a;
        way.on_b = part.depth > 0.0 ? part.on_b : way.on_b;
    }
    return (geom_gap){ way.distance - ca.round - cb.round, vec3_add_scaled(way.on_a, -ca.round, way.normal),
                       vec3_add_scaled(way.on_b, cb.round, way.normal), way.normal };
}
