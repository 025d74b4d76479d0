// SPDX-License-Identifier: MIT
// Channels of the bodies' own point of view: accelerometer, gyro, relative motion, wrenches of joints in any frame,
// power of one law, directions, rotations, centres of mass and margins of stability (sensors.1 .. sensors.8, sensors.14).
#include "base/list.h"
#include "base/text.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- planning -------------------------------------------------------------------------------------------------

static const char *const pose_part[13] = { "x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                           "vx", "vy", "vz", "wx", "wy", "wz" };
static const char *const wrench_part[6] = { "fx", "fy", "fz", "mx", "my", "mz" };
static const char *const attitude_part[3] = { "roll", "pitch", "yaw" };
static const char *const stability_part[9] = { "margin", "forwards", "backwards", "left", "right",
                                               "fl",     "fr",       "rl",        "rr" };
static const char *const xyz[3] = { "x", "y", "z" };

static const char *const rotation_part[13] = { "xx", "xy", "xz", "yx", "yy", "yz", "zx",
                                               "zy", "zz", "qw", "qx", "qy", "qz" };
static const char *const com_part[10] = { "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "mass" };

// One of the channels, or the only one that is wanted, which has the name of the output itself.
static void add(bi_system *s, int output, const char *part, const char *unit, int component)
{
    const bi_output_def *d = &s->model->output[output].def;
    if (!d->only) {
        channels_add(s, text_format("%s.%s", d->name, part), unit, CHANNEL_SENSOR, output, component);
    } else if (strcmp(d->only, part) == 0) {
        channels_add(s, text_format("%s", d->name), unit, CHANNEL_SENSOR, output, component);
    }
}

// All of them in one unit.
static void add_parts(bi_system *s, int output, const char *const *part, int count, const char *unit)
{
    for (int i = 0; i < count; i++) {
        add(s, output, part[i], unit, i);
    }
}

static int point_dof(bi_system *s, bi_body body, bi_vec3 at)
{
    plan *p = &s->dynamics.plan;
    return plan_dof(p, plan_load_point(p, body.i - 1, at));
}

// A sensor on a moving node of a flexible body turns with the node.
static int node_frame(bi_system *s, bi_body body, bi_vec3 at)
{
    plan *p = &s->dynamics.plan;
    return model_moved_node(s->model, body.i - 1, at) > 0 ? plan_shown_frame(p, body.i - 1, at) : -1;
}

// A wheel on a plane: its frame, whose angular acceleration the second derivative of the contact angle needs.
static void plan_contact_angle(bi_system *s, int output, bi_report *report)
{
    const model_output *o = &s->model->output[output];
    const model_element *e = &s->model->element[o->def.element.i - 1];
    bool is_rolling = strcmp(e->kind->type, "rolling") == 0;
    if (!is_rolling || ((const bi_rolling_def *)e->def)->surface.i > 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, o->def.name,
                      is_rolling
                          ? "constraint %s rolls on a surface: the second derivative is known on planes only"
                          : "constraint %s has no contact point: only rolling ones do",
                      e->name);
        return;
    }
    const bi_rolling_def *d = e->def;
    plan *p = &s->dynamics.plan;
    s->sensor[output].of = plan_dof(p, plan_frame(p, d->body.i - 1, d->centre));
    channels_add(s, text_format("%s", o->def.name), "rad/s^2", CHANNEL_SENSOR, output, 0);
}

// The bodies that weigh of a centre of mass, one after the other in s->mass: points and shares (sensors.8).
static void plan_com(bi_system *s, int output)
{
    const bi_output_def *d = &s->model->output[output].def;
    plan *p = &s->dynamics.plan;
    double total = 0.0;
    s->sensor[output].of = s->n_mass;
    for (int k = 0, b = 1; d->n_body > 0 ? k < d->n_body : b < s->model->n_body; k++, b++) {
        int body = d->n_body > 0 ? d->bodies[k].i - 1 : b;
        double mass = model_body_mass(s->model, body);
        bool is_in = d->n_body > 0 || d->body.i == 0 || d->body.i - 1 == body;
        if (!is_in || !(mass > 0.0)) {
            continue;
        }
        if (!LIST_RESERVE(s->mass, s->n_mass, s->cap_mass)) {
            p->no_memory = true;
            return;
        }
        const bi_body_def *of = &s->model->body[body].def;
        int point = of->flex ? plan_mass_point(p, body) : plan_load_point(p, body, of->com);
        s->mass[s->n_mass++] = (mass_share){ plan_dof(p, point), mass, mass };
        total += mass;
    }
    s->sensor[output].to = s->n_mass;
    for (int k = s->sensor[output].of; k < s->n_mass; k++) {
        s->mass[k].share /= total;
    }
    for (int i = 0; i < 10; i++) {
        add(s, output, com_part[i], i < 3 ? "m" : i < 6 ? "m/s" : i < 9 ? "m/s^2" : "kg", i);
    }
}

static bool plan_kind(bi_system *s, int output, bi_report *report);

bool sensors_plan(bi_system *s, int output, bi_report *report)
{
    const model_output *o = &s->model->output[output];
    int before = s->n_channel, errors = report->errors;
    bool is_sensor = plan_kind(s, output, report);
    if (is_sensor && o->def.only && s->n_channel == before && report->errors == errors) {
        char where[160];
        snprintf(where, sizeof where, "outputs.%s.only", o->def.name);
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, where,
                      "there is no channel '%s'; 'biela info' lists them where 'only' is left out",
                      o->def.only);
    }
    return is_sensor;
}

static bool plan_kind(bi_system *s, int output, bi_report *report)
{
    const bi_output_def *d = &s->model->output[output].def;
    sensor_place *at = &s->sensor[output];
    *at = (sensor_place){ -1, -1, -1 };
    switch (d->kind) {
    case BI_OUT_ACCELEROMETER:
        at->of = point_dof(s, d->body, d->at);
        at->node = node_frame(s, d->body, d->at);
        add_parts(s, output, xyz, 3, "m/s^2");
        return true;
    case BI_OUT_GYRO:
        at->node = node_frame(s, d->body, d->at);
        add_parts(s, output, xyz, 3, "rad/s");
        return true;
    case BI_OUT_VELOCITY:
        at->of = point_dof(s, d->body, d->at);
        at->node = node_frame(s, d->body, d->at);
        add_parts(s, output, xyz, 3, "m/s");
        return true;
    case BI_OUT_RELATIVE:
        at->of = point_dof(s, d->body, d->at);
        at->to = point_dof(s, d->about.body, d->about.at);
        at->node = node_frame(s, d->body, d->at);
        for (int i = 0; i < 13; i++) {
            add(s, output, pose_part[i], i < 3 ? "m" : i < 7 ? "1" : i < 10 ? "m/s" : "rad/s", i);
        }
        return true;
    case BI_OUT_CONTACT_ANGLE_ACCELERATION: plan_contact_angle(s, output, report); return true;
    case BI_OUT_VIOLATION:
        channels_add(s, text_format("%s", d->name), "1", CHANNEL_SENSOR, output, 0);
        return true;
    case BI_OUT_ATTITUDE: add_parts(s, output, attitude_part, 3, "rad"); return true;
    case BI_OUT_VECTOR:
        for (int i = 0; i < 6; i++) {
            add(s, output, com_part[i], i < 3 ? "1" : "1/s", i);
        }
        return true;
    case BI_OUT_COM: plan_com(s, output); return true;
    case BI_OUT_STABILITY:
        for (int i = 0; i < 9; i++) {
            add(s, output, stability_part[i], i < 5 ? "1" : "N", i);
        }
        return true;
    case BI_OUT_ROTATION:
        at->node = node_frame(s, d->body, d->at);
        for (int i = 0; i < 13; i++) {
            add(s, output, rotation_part[i], "1", i);
        }
        return true;
    case BI_OUT_POWER:
        add(s, output, "power", "W", 0);
        add(s, output, "energy", "J", 1);
        return true;
    case BI_OUT_REACTION:
        if (d->frame == BI_FRAME_GROUND && !d->on_a && d->about.body.i == 0) {
            return false; // the plain one
        }
        at->to = d->about.body.i > 0 ? point_dof(s, d->about.body, d->about.at) : -1;
        for (int i = 0; i < 6; i++) {
            add(s, output, wrench_part[i], i < 3 ? "N" : "N*m", i);
        }
        return true;
    default: return false;
    }
}

unsigned sensors_need(const bi_output_def *d, int component)
{
    switch (d->kind) {
    case BI_OUT_COM:
        return component >= 6 && component < 9 ? SHOWN_STATE | SHOWN_REACTIONS | SHOWN_ACCELERATIONS
                                               : SHOWN_MOTION;
    case BI_OUT_CONTACT_ANGLE_ACCELERATION:
    case BI_OUT_ACCELEROMETER: return SHOWN_STATE | SHOWN_POSES | SHOWN_REACTIONS | SHOWN_ACCELERATIONS;
    case BI_OUT_POWER: return SHOWN_STATE | SHOWN_REACTIONS;
    case BI_OUT_REACTION: return SHOWN_STATE | SHOWN_POSES | SHOWN_REACTIONS;
    case BI_OUT_STABILITY:
    case BI_OUT_VIOLATION: return SHOWN_STATE;
    default: return SHOWN_MOTION | SHOWN_POSES;
    }
}

// ---- reading --------------------------------------------------------------------------------------------------

static double part(vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static vec3 into(const bi_sim *sim, int body, vec3 v)
{
    return mat3_apply_transposed(quat_to_mat3(sim->pose[body].rot), v);
}

// Axes and angular velocity of what a sensor sits on: its body, or a node of it.
static mat3 sensor_axes(const bi_sim *sim, const bi_output_def *d, const sensor_place *at)
{
    if (at->node < 0) {
        return quat_to_mat3(sim->pose[d->body.i - 1].rot);
    }
    return sim->stepper.trays.motion.axes[sim->system->dynamics.plan.marker[at->node].frame];
}

static vec3 sensor_spin(const bi_sim *sim, const bi_output_def *d, const sensor_place *at)
{
    if (at->node < 0) {
        return sim->twist[d->body.i - 1].ang;
    }
    const plan *p = &sim->system->dynamics.plan;
    return tray_vec3(&sim->stepper.trays.motion.rate[plan_dof(p, at->node) + 3]);
}

// What a mass on springs inside the body would feel: acceleration less gravity, body axes (sensors.1).
static double read_accelerometer(const bi_sim *sim, const bi_output_def *d, const sensor_place *at, int i)
{
    vec3 felt = vec3_sub(tray_vec3(&sim->acceleration[at->of]), sim->system->model->gravity);
    return part(mat3_apply_transposed(sensor_axes(sim, d, at), felt), i);
}

// Motion of one body seen from the frame of another at a point of it (sensors.2).
static double read_relative(const bi_sim *sim, const bi_output_def *d, const sensor_place *at, int i)
{
    const motion *m = &sim->stepper.trays.motion;
    int to = d->about.body.i - 1;
    vec3 apart = vec3_sub(tray_vec3(&m->value[at->of]), tray_vec3(&m->value[at->to]));
    vec3 speed = vec3_sub(tray_vec3(&m->rate[at->of]), tray_vec3(&m->rate[at->to]));
    if (i < 3) {
        return part(into(sim, to, apart), i);
    }
    if (i < 7) {
        bi_quat own = at->node < 0 ? sim->pose[d->body.i - 1].rot : quat_from_mat3(sensor_axes(sim, d, at));
        bi_quat q = quat_multiply(quat_conjugate(sim->pose[to].rot), own);
        // a node turns little in its body: the quaternion near one
        double sign = at->node >= 0 && q.w < 0.0 ? -1.0 : 1.0;
        const double value[4] = { sign * q.w, sign * q.x, sign * q.y, sign * q.z };
        return value[i - 3];
    }
    if (i < 10) {
        return part(into(sim, to, vec3_sub(speed, vec3_cross(sim->twist[to].ang, apart))), i - 7);
    }
    return part(into(sim, to, vec3_sub(sensor_spin(sim, d, at), sim->twist[to].ang)), i - 10);
}

// Angles of a vehicle's body against the ground, R = Rz(yaw) Ry(pitch) Rx(roll) (sensors.6).
static double read_attitude(const bi_sim *sim, const bi_output_def *d, int i)
{
    mat3 R = quat_to_mat3(sim->pose[d->body.i - 1].rot);
    return i == 0   ? math_atan2(R.col[1].z, R.col[2].z)
           : i == 1 ? math_atan2(-R.col[0].z, sqrt(R.col[1].z * R.col[1].z + R.col[2].z * R.col[2].z))
                    : math_atan2(R.col[0].y, R.col[0].x);
}

// A direction of a body and its rate, ground axes.
static double read_vector(const bi_sim *sim, const bi_output_def *d, int i)
{
    const int body = d->body.i - 1;
    vec3 v = mat3_apply(quat_to_mat3(sim->pose[body].rot), vec3_normalized(d->along));
    return i < 3 ? part(v, i) : part(vec3_cross(sim->twist[body].ang, v), i - 3);
}

// The matrix by rows, then the quaternion, of a body or of a node of it.
static double read_rotation(const bi_sim *sim, const bi_output_def *d, const sensor_place *at, int i)
{
    mat3 R = sensor_axes(sim, d, at);
    if (i < 9) {
        return part(R.col[i % 3], i / 3);
    }
    bi_quat q = at->node < 0 ? sim->pose[d->body.i - 1].rot : quat_from_mat3(R);
    return i == 9 ? q.w : i == 10 ? q.x : i == 11 ? q.y : q.z;
}

// Place, velocity and acceleration of a centre of mass: sums over bodies by their shares (sensors.8).
static double read_com(const bi_sim *sim, const sensor_place *at, int i)
{
    const bi_system *s = sim->system;
    const motion *m = &sim->stepper.trays.motion;
    const double *from = i < 3 ? m->value : i < 6 ? m->rate : sim->acceleration;
    double sum = 0.0;
    for (int k = at->of; k < at->to; k++) {
        sum += i == 9 ? s->mass[k].mass : s->mass[k].share * from[s->mass[k].dof + i % 3];
    }
    return sum;
}

// A joint's wrench on one of its bodies, about any point, in any of three frames (sensors.3).
static double read_wrench(const bi_sim *sim, const bi_output_def *d, const sensor_place *at, int i)
{
    const bi_model *m = sim->system->model;
    const bi_joint_def *joint = &m->joint[d->joint.i - 1].def;
    bi_wrench w = sim->reaction[d->joint.i - 1];
    int a = joint->a.i - 1, b = joint->b.i - 1;
    if (at->to >= 0) {
        vec3 own = model_joint_frames(m, d->joint.i - 1).at_b;
        vec3 place = vec3_add(sim->pose[b].pos, mat3_apply(quat_to_mat3(sim->pose[b].rot), own));
        vec3 arm = vec3_sub(place, tray_vec3(&sim->stepper.trays.motion.value[at->to]));
        w.moment = vec3_add(w.moment, vec3_cross(arm, w.force));
    }
    vec3 v = i < 3 ? w.force : w.moment;
    v = d->on_a ? vec3_neg(v) : v;
    v = d->frame == BI_FRAME_A ? into(sim, a, v) : d->frame == BI_FRAME_B ? into(sim, b, v) : v;
    return part(v, i % 3);
}

// Power of a force beyond what its potential stores; of a constraint: lambda . Phi_t (sensors.4).
static double read_power(const bi_sim *sim, const bi_output_def *d, int i)
{
    const stepper *s = &sim->stepper;
    const plan *p = &s->d->plan;
    int element = d->element.i - 1;
    law_energy e = dynamics_element_energy(s->d, &sim->shown, &s->trays, element);
    for (int g = 0; g < p->n_row_group; g++) {
        const row_group *group = &p->row[g];
        for (int r = group->first;
             group->element == element && !group->is_velocity && r < group->first + group->count; r++) {
            e.power += sim->exact.lambda[r] * s->trays.rows.phi_t[r];
        }
    }
    return i == 0 ? e.power : e.potential;
}

// The plane's normal as the wheel sees it, n' = -w x n, n'' = -w' x n + w x (w x n): the contact angle is that of -n
// about the axis (sensors.5).
static double read_contact_angle(const bi_sim *sim, const bi_output_def *d, const sensor_place *at)
{
    const bi_rolling_def *wheel = sim->system->model->element[d->element.i - 1].def;
    int body = wheel->body.i - 1;
    vec3 axis = vec3_norm(wheel->axis) > 0.0 ? vec3_normalized(wheel->axis) : (vec3){ 0.0, 1.0, 0.0 };
    vec3 normal = vec3_norm(wheel->normal) > 0.0 ? vec3_normalized(wheel->normal) : (vec3){ 0.0, 0.0, 1.0 };
    vec3 along = vec3_perpendicular(axis), across = vec3_cross(axis, along);
    vec3 n = into(sim, body, normal), w = into(sim, body, sim->twist[body].ang);
    vec3 turn = into(sim, body, tray_vec3(&sim->acceleration[at->of + 3]));
    vec3 rate = vec3_cross(n, w), second = vec3_sub(vec3_cross(n, turn), vec3_cross(w, rate));
    double x = vec3_dot(n, along), y = vec3_dot(n, across), dx = vec3_dot(rate, along),
           dy = vec3_dot(rate, across);
    double square = fmax(x * x + y * y, 1e-300);
    double turning = (x * dy - y * dx) / square;
    return (x * vec3_dot(second, across) - y * vec3_dot(second, along) - 2.0 * turning * (x * dx + y * dy)) /
           square;
}

// Largest row of the constraints at the state shown: 1 of positions, 2 of velocities.
static double read_violation(const bi_sim *sim, int level)
{
    const stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    double worst = 0.0;
    for (int k = 0; k < st->n_row; k++) {
        double position = st->is_velocity[k] ? 0.0 : r->phi[k];
        double rate =
            st->is_velocity[k] ? r->phi[k] : row_dot(st, s->trays.equations.G, k, sim->shown.v) + r->phi_t[k];
        worst = fmax(worst, fabs(level == 1 ? position : rate));
    }
    return worst;
}

// How far the resultant of the wheel loads is from the lines between the wheels, over its distance when all are as far
// (sensors.14). Loads have the inertia of whatever moves in them; none at all is no margin. Then the
// loads, by all that carries a wheel.
static double read_stability(const bi_sim *sim, const bi_output_def *d, int i)
{
    const double *load = sim->stepper.trays.load.scalar;
    double n[4], sum = 0.0;
    for (int k = 0; k < 4; k++) {
        int more = d->wheels[k + 4].i;
        n[k] = fmax(load[d->wheels[k].i - 1], 0.0) + (more > 0 ? fmax(load[more - 1], 0.0) : 0.0);
        sum += n[k];
    }
    if (i >= 5) {
        return n[i - 5];
    }
    if (!(sum > 0.0)) {
        return 0.0;
    }
    double front = n[0] + n[1], rear = n[2] + n[3];
    bool rocks = d->row == 2;
    const double line[4] = { (rocks ? 3.0 : 2.0) * rear / sum, (rocks ? 1.5 : 2.0) * front / sum,
                             rocks ? 3.0 * n[1] / sum : 2.0 * (n[1] + n[3]) / sum,
                             rocks ? 3.0 * n[0] / sum : 2.0 * (n[0] + n[2]) / sum };
    if (i > 0) {
        return line[i - 1];
    }
    // an axle that rocks holds the loads of its wheels even: where one of them goes, its stop is next
    double axle = rocks && rear > 0.0 ? 2.0 * fmin(n[2], n[3]) / rear : 1.0;
    return fmin(fmin(fmin(line[0], line[1]), fmin(line[2], line[3])), axle);
}

double sensors_read(const bi_sim *sim, int output, int component)
{
    const bi_output_def *d = &sim->system->model->output[output].def;
    const sensor_place *at = &sim->system->sensor[output];
    switch (d->kind) {
    case BI_OUT_ACCELEROMETER: return read_accelerometer(sim, d, at, component);
    case BI_OUT_GYRO:
        return part(mat3_apply_transposed(sensor_axes(sim, d, at), sensor_spin(sim, d, at)), component);
    case BI_OUT_VELOCITY: {
        vec3 v = tray_vec3(&sim->stepper.trays.motion.rate[at->of]);
        return part(mat3_apply_transposed(sensor_axes(sim, d, at), v), component);
    }
    case BI_OUT_RELATIVE: return read_relative(sim, d, at, component);
    case BI_OUT_REACTION: return read_wrench(sim, d, at, component);
    case BI_OUT_ATTITUDE: return read_attitude(sim, d, component);
    case BI_OUT_POWER: return read_power(sim, d, component);
    case BI_OUT_VECTOR: return read_vector(sim, d, component);
    case BI_OUT_ROTATION: return read_rotation(sim, d, at, component);
    case BI_OUT_COM: return read_com(sim, at, component);
    case BI_OUT_STABILITY: return read_stability(sim, d, component);
    case BI_OUT_CONTACT_ANGLE_ACCELERATION: return read_contact_angle(sim, d, at);
    case BI_OUT_VIOLATION: return read_violation(sim, d->row);
    default: return 0.0;
    }
}

// J a + bias of all markers.
static void accelerate(bi_sim *sim, double *a, double *out)
{
    stepper *s = &sim->stepper;
    motion *m = &s->trays.motion;
    const dynamics *d = s->d;
    size_t n = (size_t)d->plan.n_dof;
    d->set->lift(d->coordinates, &sim->shown, LIFT_ALL | LIFT_BIAS | LAW_SECOND, m);
    memcpy(out, m->bias, n * sizeof *m->bias);
    // places stay; the rest is put back afterwards
    double *part[] = { m->rate, m->bias, m->own }, *kept = sim->motion_kept;
    size_t size[] = { n, n, (size_t)d->structure.n_own };
    for (int k = 0; k < 3; kept += size[k++]) {
        memcpy(kept, part[k], size[k] * sizeof *kept);
    }
    coords second = sim->shown;
    second.v = a;
    d->set->lift(d->coordinates, &second, LIFT_ALL, m);
    for (size_t i = 0; i < n; i++) {
        out[i] += m->rate[i];
    }
    kept = sim->motion_kept;
    for (int k = 0; k < 3; kept += size[k++]) {
        memcpy(part[k], kept, size[k] * sizeof *kept);
    }
}

// From the exact accelerations of the reaction pass (sensors.7).
void sensors_accelerate(bi_sim *sim) { accelerate(sim, sim->exact.a, sim->acceleration); }

// From those of the stepper: no pass, enough for the inertia inside a flexible body.
void sensors_step_accelerate(bi_sim *sim) { accelerate(sim, sim->shown.a, sim->step_acceleration); }
