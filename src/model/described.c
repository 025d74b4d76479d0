// SPDX-License-Identifier: MIT
#include "model/described.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>

static double entry(mat3 R, int row, int column)
{
    const double c[3] = { R.col[column].x, R.col[column].y, R.col[column].z };
    return c[row];
}

static double component(vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

euler_angles euler_from_axes(model_angles order, mat3 R, vec3 omega)
{
    int i = order.axis[0], j = order.axis[1], k = order.axis[2];
    double s = order.sign, sa, ca, sb, cb;
    euler_angles e;
    e.angle[0] = math_atan2(-s * entry(R, j, k), entry(R, k, k));
    math_sincos(e.angle[0], &sa, &ca);
    e.angle[1] = math_atan2(s * entry(R, i, k), ca * entry(R, k, k) - s * sa * entry(R, j, k));
    math_sincos(e.angle[1], &sb, &cb);
    double sine = s * (ca * entry(R, j, i) + s * sa * entry(R, k, i));
    double cosine = ca * entry(R, j, j) + s * sa * entry(R, k, j);
    e.angle[2] = math_atan2(sine, cosine);
    // omega = a' e_i + b' n + c' b_k, n = ca e_j + s sa e_k, b_k = s sb e_i + cb (ca e_k - s sa e_j)
    double wi = component(omega, i), wj = component(omega, j), wk = component(omega, k);
    double along_n = ca * wj + s * sa * wk, across = ca * wk - s * sa * wj;
    e.rate[1] = along_n;
    // where the second angle is a right angle the first and third turn about one axis: give it all to the first
    e.rate[2] = fabs(cb) > 1e-9 ? across / cb : 0.0;
    e.rate[0] = wi - s * sb * e.rate[2];
    return e;
}

double described_angle(double sine, double cosine)
{
    static const double half = 3.14159265358979323846, rounding = 1e-9;
    double angle = math_atan2(sine, cosine);
    return angle < rounding - half ? angle + 2.0 * half : angle;
}

static mat3 described_axes(const bi_model *m, int body)
{
    return quat_to_mat3(quat_normalized(quat_or_identity(m->body[body].def.pose.rot)));
}

void described_coordinate(const bi_model *m, int joint, int coordinate, double *value, double *rate)
{
    const bi_joint_def *d = &m->joint[joint].def;
    const bi_body_def *a = &m->body[d->a.i - 1].def, *b = &m->body[d->b.i - 1].def;
    mat3 A = described_axes(m, d->a.i - 1), B = described_axes(m, d->b.i - 1);
    model_joint_frame f = model_joint_frames(m, joint);
    vec3 axis, arm_a = mat3_apply(A, f.at_a), arm_b = mat3_apply(B, f.at_b);
    vec3 apart = vec3_sub(vec3_add(b->pose.pos, arm_b), vec3_add(a->pose.pos, arm_a));
    vec3 apart_rate = vec3_sub(vec3_add(b->twist.lin, vec3_cross(b->twist.ang, arm_b)),
                               vec3_add(a->twist.lin, vec3_cross(a->twist.ang, arm_a)));
    if (joint_has_angles(d->kind)) {
        int first = joint_of(d->kind)->first_angle;
        if (coordinate >= first) {
            euler_angles e = euler_from_axes(model_angle_order(d), mat3_multiply(mat3_transposed(A), B),
                                             mat3_apply_transposed(A, vec3_sub(b->twist.ang, a->twist.ang)));
            *value = e.angle[coordinate - first];
            *rate = e.rate[coordinate - first];
            return;
        }
    }
    if (model_is_angle(d->kind, coordinate)) {
        model_turn t = model_joint_turn(d, &f, coordinate);
        axis = mat3_apply(t.is_of_b ? B : A, t.axis);
        vec3 u = mat3_apply(A, t.from), v = mat3_apply(B, t.to);
        *value = described_angle(vec3_dot(axis, vec3_cross(u, v)), vec3_dot(u, v));
        *rate = vec3_dot(axis, vec3_sub(b->twist.ang, a->twist.ang));
    } else if (joint_is_distance(d->kind)) {
        *value = vec3_norm(apart);
        *rate = *value > 0.0 ? vec3_dot(apart, apart_rate) / *value : 0.0;
    } else {
        axis = mat3_apply(A, model_joint_way(d, &f, coordinate));
        *value = vec3_dot(axis, apart);
        *rate = vec3_dot(axis, apart_rate) + vec3_dot(vec3_cross(a->twist.ang, axis), apart);
    }
}
