// SPDX-License-Identifier: MIT
#include "math/rotation.h"

#include "math/elementary.h"

quat quat_normalized(quat q)
{
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (norm == 0.0) {
        return quat_identity();
    }
    return (quat){ q.w / norm, q.x / norm, q.y / norm, q.z / norm };
}

vec3 quat_rotate(quat q, vec3 v)
{
    vec3 u = { q.x, q.y, q.z };
    vec3 t = vec3_scale(2.0, vec3_cross(u, v));
    return vec3_add(vec3_add_scaled(v, q.w, t), vec3_cross(u, t));
}

mat3 quat_to_mat3(quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){ { { 1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (zx - wy) },
                     { 2.0 * (xy - wz), 1.0 - 2.0 * (zz + xx), 2.0 * (yz + wx) },
                     { 2.0 * (zx + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy) } } };
}

quat quat_from_mat3(mat3 A)
{
    double xx = A.col[0].x, yy = A.col[1].y, zz = A.col[2].z;

    // sums and differences across the diagonal are 4 times products of two components, as the diagonal gives squares
    double yz = A.col[1].z + A.col[2].y, wx = A.col[1].z - A.col[2].y;
    double zx = A.col[2].x + A.col[0].z, wy = A.col[2].x - A.col[0].z;
    double xy = A.col[0].y + A.col[1].x, wz = A.col[0].y - A.col[1].x;

    // the largest component times the quaternion: no cancellation, then only the length is missing
    quat q;
    if (xx + yy + zz > 0.0) {
        q = (quat){ 1.0 + xx + yy + zz, wx, wy, wz };
    } else if (xx >= yy && xx >= zz) {
        q = (quat){ wx, 1.0 + xx - yy - zz, xy, zx };
    } else if (yy >= zz) {
        q = (quat){ wy, xy, 1.0 - xx + yy - zz, yz };
    } else {
        q = (quat){ wz, zx, yz, 1.0 - xx - yy + zz };
    }

    q = quat_normalized(q);
    return q.w < 0.0 ? (quat){ -q.w, -q.x, -q.y, -q.z } : q;
}

quat quat_from_axis_angle(vec3 axis, double angle)
{
    vec3 e = vec3_normalized(axis);
    if (e.x == 0.0 && e.y == 0.0 && e.z == 0.0) {
        return quat_identity();
    }
    double s, c;
    math_sincos(0.5 * angle, &s, &c);
    return (quat){ c, s * e.x, s * e.y, s * e.z };
}

mat3 mat3_from_axis_angle(vec3 axis, double angle)
{
    vec3 e = vec3_normalized(axis);
    if (e.x == 0.0 && e.y == 0.0 && e.z == 0.0) {
        return mat3_identity();
    }

    // A = cos I + sin [e] + (1 - cos) e e^T, where 1 - cos = 2 sin^2 of the half does not cancel
    double s, c;
    math_sincos(angle, &s, &c);
    double half = math_sin(0.5 * angle);
    mat3 turning = mat3_add(mat3_scale(c, mat3_identity()), mat3_scale(s, mat3_cross(e)));
    return mat3_add(turning, mat3_scale(2.0 * half * half, mat3_outer(e, e)));
}

quat quat_exp(vec3 v)
{
    double angle = vec3_norm(v);
    double s, c;
    math_sincos(0.5 * angle, &s, &c);
    double factor = angle > 0.0 ? s / angle : 0.5;
    return (quat){ c, factor * v.x, factor * v.y, factor * v.z };
}

vec3 quat_log(quat q)
{
    vec3 u = { q.x, q.y, q.z };
    double s = vec3_norm(u);
    double angle = 2.0 * math_atan2(s, fabs(q.w));
    double factor = s > 0.0 ? angle / s : 2.0;
    return vec3_scale(q.w < 0.0 ? -factor : factor, u);
}
