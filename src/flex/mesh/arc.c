// SPDX-License-Identifier: MIT
// Arcs through three points, of which curved lines are made.
#include "math/elementary.h"
#include "math/rotation.h"
#include <biela/flex.h>
#include <math.h>

// of the product of its sides: a triangle flatter than this is a line
static const double flat = 1e-9;

bool bi_arc_of(const bi_vec3 point[3], bi_arc *out)
{
    if (!point || !out) {
        return false;
    }
    vec3 a = vec3_sub(point[1], point[0]), b = vec3_sub(point[2], point[0]), n = vec3_cross(a, b);
    double aa = vec3_dot(a, a), bb = vec3_dot(b, b), nn = vec3_dot(n, n);
    if (!(nn > flat * flat * aa * bb)) {
        return false;
    }
    vec3 from = vec3_scale(0.5 / nn, vec3_add_scaled(vec3_scale(aa, vec3_cross(b, n)), bb, vec3_cross(n, a)));
    out->centre = vec3_add(point[0], from);
    out->axis = vec3_normalized(n);
    vec3 start = vec3_scale(-1.0, from), end = vec3_sub(b, from);
    double angle = math_atan2(vec3_dot(out->axis, vec3_cross(start, end)), vec3_dot(start, end));
    out->angle = angle > 0.0 ? angle : angle + 6.283185307179586;
    return isfinite(out->angle);
}

bi_vec3 bi_arc_turned(const bi_arc *arc, double share, bi_vec3 v)
{
    return arc ? quat_rotate(quat_from_axis_angle(arc->axis, share * arc->angle), v) : v;
}
