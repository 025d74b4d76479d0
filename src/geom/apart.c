// SPDX-License-Identifier: MIT
// Are two shapes still apart along the direction that separated them last?
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
