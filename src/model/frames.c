// SPDX-License-Identifier: MIT
// The joint's local points and axes, completed from the described configuration.
#include "math/elementary.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "model/described.h"
#include "model/model.h"
#include <string.h>

typedef struct {
    mat3 axes;
    vec3 pos;
} frame;

static frame frame_of(const bi_model *m, bi_body body)
{
    const bi_pose *pose = &m->body[body.i - 1].def.pose;
    return (frame){ quat_to_mat3(quat_normalized(quat_or_identity(pose->rot))), pose->pos };
}

static vec3 point_out(const frame *f, vec3 local) { return vec3_add(f->pos, mat3_apply(f->axes, local)); }

static vec3 point_in(const frame *f, vec3 ground)
{
    return mat3_apply_transposed(f->axes, vec3_sub(ground, f->pos));
}

// The two local points: as given, else through the partner, else from `at`.
static void complete_points(const bi_joint_def *d, const frame *a, const frame *b, model_joint_frame *out)
{
    // a free joint tells where one frame is from the other: their origins unless said otherwise
    bool is_free = joint_is_free(d->kind);
    bool has_a = is_free || (d->local & BI_AT_A), has_b = is_free || (d->local & BI_AT_B);
    vec3 ground = has_a ? point_out(a, d->at_a) : has_b ? point_out(b, d->at_b) : d->at;
    out->at_a = has_a ? d->at_a : point_in(a, ground);
    out->at_b = has_b ? d->at_b : point_in(b, ground);
}

static void complete_axes(const bi_joint_def *d, const frame *a, const frame *b, model_joint_frame *out)
{
    bool has_a = d->local & BI_AXIS_A, has_b = d->local & BI_AXIS_B;
    vec3 axis = vec3_norm(d->axis) > 0.0 ? d->axis : (vec3){ 0.0, 0.0, 1.0 };
    vec3 first = has_a ? mat3_apply(a->axes, d->axis_a) : axis;
    vec3 second = has_b ? mat3_apply(b->axes, d->axis_b) : has_a ? first : axis;
    bool is_crossed = joint_of(d->kind)->turn == JOINT_TURN_CROSS;
    if (!has_a && has_b && !is_crossed) {
        first = second;
    }
    // a universal joint needs two directions
    if (!has_b && is_crossed) {
        second = vec3_perpendicular(first);
    }
    out->axis_a = vec3_normalized(has_a ? d->axis_a : mat3_apply_transposed(a->axes, first));
    out->axis_b = vec3_normalized(has_b ? d->axis_b : mat3_apply_transposed(b->axes, second));
}

model_turn model_joint_turn(const bi_joint_def *d, const model_joint_frame *f, int coordinate)
{
    if (joint_of(d->kind)->turn != JOINT_TURN_CROSS) {
        return (model_turn){ f->axis_a, false, f->across_a, f->across_b };
    }
    // the cross of a universal joint turns about the axis of a, and b about its own
    return coordinate == 0 ? (model_turn){ f->axis_a, false, f->across_a, f->axis_b }
                           : (model_turn){ f->axis_b, true, f->axis_a, f->across_b };
}

bi_vec3 model_joint_way(const bi_joint_def *d, const model_joint_frame *f, int coordinate)
{
    const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    if (joint_is_free(d->kind)) {
        return unit[coordinate];
    }
    if (joint_of(d->kind)->place == JOINT_PLACE_PLANE) {
        return coordinate == 1 ? f->across_a : vec3_cross(f->axis_a, f->across_a);
    }
    return f->axis_a;
}

static vec3 turned(vec3 axis, double angle, vec3 v)
{
    return mat3_apply(mat3_from_axis_angle(axis, angle), v);
}

// The reference directions of the axes, turned so that the angle which the joint calls zero is one (joint.17).
static void complete_zero(const bi_joint_def *d, const frame *a, const frame *b, model_joint_frame *out)
{
    out->across_a = vec3_perpendicular(out->axis_a);
    out->across_b = vec3_perpendicular(out->axis_b);
    double zero[2] = { d->zero[0], d->zero[1] };
    for (int k = 0; d->zero_described && k < 2; k++) {
        model_turn t = model_joint_turn(d, out, k);
        vec3 axis = mat3_apply(t.is_of_b ? b->axes : a->axes, t.axis);
        vec3 u = mat3_apply(a->axes, t.from), v = mat3_apply(b->axes, t.to);
        zero[k] = math_atan2(vec3_dot(axis, vec3_cross(u, v)), vec3_dot(u, v));
    }
    bool is_crossed = joint_of(d->kind)->turn == JOINT_TURN_CROSS;
    if (is_crossed && zero[0] != 0.0) {
        out->across_a = turned(out->axis_a, zero[0], out->across_a);
    }
    double of_b = zero[is_crossed ? 1 : 0];
    if (of_b != 0.0) {
        out->across_b = turned(out->axis_b, -of_b, out->across_b);
    }
}

model_angles model_angle_order(const bi_joint_def *d)
{
    const char *order = d->angles && strlen(d->angles) == 3 ? d->angles : "xyz";
    model_angles out = { .axis = { order[0] - 'x', order[1] - 'x', order[2] - 'x' } };
    out.sign = (out.axis[1] - out.axis[0] + 3) % 3 == 1 ? 1.0 : -1.0;
    return out;
}

model_joint_frame model_joint_frames(const bi_model *m, int joint)
{
    const bi_joint_def *d = &m->joint[joint].def;
    frame a = frame_of(m, d->a), b = frame_of(m, d->b);
    model_joint_frame out;
    complete_points(d, &a, &b, &out);
    complete_axes(d, &a, &b, &out);
    complete_zero(d, &a, &b, &out);
    vec3 apart = vec3_sub(point_out(&b, out.at_b), point_out(&a, out.at_a));
    out.length = d->length > 0.0 ? d->length : vec3_norm(apart);
    return out;
}

double model_described_coordinate(const bi_model *m, int joint, int coordinate)
{
    double value, rate;
    described_coordinate(m, joint, coordinate, &value, &rate);
    return value;
}

bi_vec3 model_described_point(const bi_model *m, bi_body body, bi_vec3 at)
{
    frame f = frame_of(m, body);
    return point_out(&f, at);
}

bi_vec3 model_described_vector(const bi_model *m, bi_body body, bi_vec3 along)
{
    return mat3_apply(frame_of(m, body).axes, along);
}
