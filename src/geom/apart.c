// SPDX-License-Identifier: MIT
// Are two shapes apart along the direction that separated them last, or along the axes of one of them?
#include "geom/geom.h"

// a gap must exceed the roundings of this part of what was added up
static const double rounding = 1e-12;

static double box_reach(const geom_shape *box, vec3 d)
{
    return fabs(d.x) * box->half.x + fabs(d.y) * box->half.y + fabs(d.z) * box->half.z;
}

// How far a shape reaches from its origin along d, both in its axes; INFINITY: a plane.
static double reach_along(const geom_shape *s, vec3 d)
{
    vec3 far;
    if (s->kind == GEOM_BOX) {
        return box_reach(s, d);
    }
    return geom_shape_support(s, d, &far) ? vec3_dot(d, far) : INFINITY;
}

bool geom_are_apart(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                    const geom_pose *pose_b, const geom_hint *hint)
{
    vec3 d = hint->axis;
    if (vec3_dot(d, d) == 0.0) {
        return false;
    }
    vec3 outside = mat3_apply(pose_a->rot, d);
    double way = vec3_dot(outside, vec3_sub(pose_b->pos, pose_a->pos));
    double reach = reach_along(a, d) + reach_along(b, mat3_apply_transposed(pose_b->rot, vec3_neg(outside)));
    return way - reach > rounding * (fabs(way) + fabs(reach));
}

// ---- boxes around shapes ---------------------------------------------------------------------------------------

static bool are_boxes_apart(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                            const geom_pose *pose_b)
{
    const double half[3] = { b->half.x, b->half.y, b->half.z };
    vec3 way = vec3_sub(pose_a->pos, pose_b->pos);
    for (int k = 0; k < 3; k++) {
        vec3 axis = pose_b->rot.col[k];
        double reach = half[k] + fabs(vec3_dot(axis, pose_a->rot.col[0])) * a->half.x +
                       fabs(vec3_dot(axis, pose_a->rot.col[1])) * a->half.y +
                       fabs(vec3_dot(axis, pose_a->rot.col[2])) * a->half.z;
        if (fabs(vec3_dot(axis, way)) > reach) {
            return true;
        }
    }
    return false;
}

bool geom_are_bounds_apart(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                           const geom_pose *pose_b)
{
    if (a->kind == GEOM_BOX && b->kind == GEOM_BOX) {
        return are_boxes_apart(a, pose_a, b, pose_b);
    }
    if (a->kind == GEOM_PLANE || b->kind == GEOM_PLANE) {
        return false;
    }
    geom_pose relative = geom_relative(pose_a, pose_b), home = geom_pose_identity();
    geom_box p = geom_shape_bounds(a, &relative), q = geom_shape_bounds(b, &home);
    return p.low.x > q.high.x || p.low.y > q.high.y || p.low.z > q.high.z || q.low.x > p.high.x ||
           q.low.y > p.high.y || q.low.z > p.high.z;
}
