// SPDX-License-Identifier: MIT
// Rotations as unit quaternions (w, x, y, z), as matrices and as vectors. A quaternion or matrix of a frame takes
// components along its axes to components along the axes outside. Angles in rad.
#pragma once

#include "math/mat3.h"

typedef bi_quat quat;

static inline quat quat_identity(void) { return (quat){ 1.0, 0.0, 0.0, 0.0 }; }

// q, or identity when all four are zero.
static inline quat quat_or_identity(quat q)
{
    bool is_zero = q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
    return is_zero ? quat_identity() : q;
}

static inline quat quat_conjugate(quat q) { return (quat){ q.w, -q.x, -q.y, -q.z }; }

// The rotation b followed by a.
static inline quat quat_multiply(quat a, quat b)
{
    return (
        quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

// q of unit length; zero gives identity.
quat quat_normalized(quat q);

// v turned by the unit q.
vec3 quat_rotate(quat q, vec3 v);

// The matrix of the unit q; all zero gives identity.
mat3 quat_to_mat3(quat q);

// The unit quaternion of a rotation matrix, w >= 0; accurate at every angle.
quat quat_from_mat3(mat3 A);

// Turn by angle about axis, right handed; the axis may have any length, a zero axis gives identity.
quat quat_from_axis_angle(vec3 axis, double angle);
mat3 mat3_from_axis_angle(vec3 axis, double angle);

// Turn by |v| about v.
quat quat_exp(vec3 v);

// The shortest rotation vector of the unit q, length in [0, pi]: quat_exp(quat_log(q)) is q or -q.
vec3 quat_log(quat q);
