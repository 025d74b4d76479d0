// SPDX-License-Identifier: MIT
// Springs, motors, brakes and loads for the table of forces.
#ifndef BIELA_TESTS_LAWS_FORCE_SAMPLES_H
#define BIELA_TESTS_LAWS_FORCE_SAMPLES_H

#include "laws/law_bench.h"

static inline bi_body add_body(bi_model *m, const char *name, vec3 at)
{
    return bi_add_body(
        m, &(bi_body_def){ .name = name, .mass = 1.5, .inertia = { 0.2, 0.3, 0.4 }, .pose.pos = at });
}

static inline bi_joint add_hinge(bi_model *m, const char *name, bi_body a, bi_body b)
{
    return bi_add_joint(m, &(bi_joint_def){ .name = name, .kind = BI_REVOLUTE, .a = a, .b = b });
}

static inline void describe_spring(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0.5, 0 });
    bi_add_spring(m, &(bi_spring_def){ .name = "s",
                                       .a = { a, { 0.1, 0.2, 0.3 } },
                                       .b = { b, { -0.2, 0.1, 0 } },
                                       .stiffness = 120.0,
                                       .damping = 7.0,
                                       .rest = 0.6 });
    // measured curves, preload, and a rope and a buffer on the same bodies
    static const double x[] = { -1.0, -0.3, 0.1, 0.6, 2.0 }, y[] = { -90.0, -10.0, 3.0, 40.0, 400.0 };
    bi_curve force = bi_add_curve(
        m, &(bi_curve_def){ .name = "force", .n_point = 5, .x = x, .y = y, .outside = BI_EXTRAPOLATE });
    bi_curve rate = bi_add_curve(
        m, &(bi_curve_def){ .name = "rate", .n_point = 5, .x = x, .y = y, .interpolation = BI_MONOTONE });
    bi_add_spring(m, &(bi_spring_def){ .name = "curved",
                                       .a = { a, { 0.3, 0, 0 } },
                                       .b = { b, { 0, 0.4, 0 } },
                                       .rest = 0.8,
                                       .preload = 11.0,
                                       .table = force,
                                       .damping_table = rate });
    bi_add_spring(m, &(bi_spring_def){ .name = "rope",
                                       .a = { a, { 0, 0, 0.2 } },
                                       .b = { b, { 0, 0, 0 } },
                                       .stiffness = 50.0,
                                       .damping = 9.0,
                                       .rest = 0.9,
                                       .preload = 2.0,
                                       .only = 2 });
    bi_add_spring(m, &(bi_spring_def){ .name = "buffer",
                                       .a = { a, { 0, 0.1, 0.2 } },
                                       .b = { b, { 0, 0.3, 0 } },
                                       .damping = 3.0,
                                       .rest = 1.1,
                                       .table = force,
                                       .only = 3 });
}

static inline void describe_torque(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    (void)first;
    bi_expr e =
        bi_expression(m, "2*sin(3*second.angle)*first.rate - 0.4*second.rate^3 + first.angle^2 + 5*t", NULL);
    bi_add_torque(m, &(bi_torque_def){ .name = "t", .joint = second, .torque = e });

    // the same through every kind of signal
    static const double x[] = { -1.5, -0.4, 0.3, 1.7 }, y[] = { -2.0, 0.5, 1.0, 4.0 };
    bi_curve curve = bi_add_curve(m, &(bi_curve_def){ .name = "curve", .n_point = 4, .x = x, .y = y });
    bi_add_signal(m, &(bi_signal_def){ .name = "mix",
                                       .value = bi_expression(m, "slow*first.angle + second.rate", NULL) });
    bi_add_filter(m, &(bi_filter_def){ .name = "slow",
                                       .input = bi_expression(m, "20*second.angle*first.rate", NULL),
                                       .time = 4e-3 });
    bi_add_filter(m, &(bi_filter_def){ .name = "slower",
                                       .input = bi_expression(m, "30*mix", NULL),
                                       .time = 5e-3,
                                       .order = 2,
                                       .damping = 0.4 });
    bi_add_table_signal(m, &(bi_table_signal_def){
                               .name = "looked", .table = curve, .input = bi_expression(m, "mix", NULL) });
    bi_add_rate_limit(m, &(bi_rate_limit_def){ .name = "limited",
                                               .input = bi_expression(m, "looked + t", NULL),
                                               .rising = 1.0 });
    bi_add_pid(m, &(bi_pid_def){ .name = "controller",
                                 .setpoint = bi_expression(m, "limited", NULL),
                                 .measured = bi_expression(m, "second.angle", NULL),
                                 .proportional = 3.0,
                                 .integral = 40.0,
                                 .derivative = 0.02,
                                 .filter = 3e-3,
                                 .lower = -40.0,
                                 .upper = 40.0 });
    bi_add_switch(m, &(bi_switch_def){ .name = "choice",
                                       .input = bi_expression(m, "mix", NULL),
                                       .on = 0.1,
                                       .off = -0.1,
                                       .low = 1.0,
                                       .high = 2.0 });
    bi_add_torque(
        m, &(bi_torque_def){ .name = "by_signals",
                             .joint = second,
                             .torque = bi_expression(m, "choice*(controller + slower*first.angle)", NULL) });
}

static inline void describe_motor(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    (void)first;
    bi_expr e = bi_expression(m, "12 - 4*second.angle - 0.5*second.rate*first.angle + 3*sin(t)", NULL);
    bi_add_dc_motor(m, &(bi_dc_motor_def){ .name = "m",
                                           .joint = second,
                                           .voltage = e,
                                           .resistance = 0.8,
                                           .inductance = 2e-3,
                                           .constant = 0.3 });
}

static inline void describe_weight(bi_model *m, const placement *w)
{
    bi_model_gravity(m, place_vector(w, (vec3){ 1.0, -2.0, -9.0 }));
    bi_add_body(m,
                &(bi_body_def){ .name = "a", .mass = 2.5, .com = { 0.1, 0.2, 0.3 }, .inertia = { 1, 1, 1 } });
}

static inline void describe_modes(bi_model *m, const placement *w)
{
    (void)w;
    static const bi_vec3 at[] = { { 0, 0, 0 }, { 1, 0, 0 } },
                         shape[] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 2 } };
    static const double mass[] = { 1, 2 }, stiffness[] = { 30, 70 }, damping[] = { 0.5, 0.2 };
    bi_modes modes = { 2, 2, at, mass, shape, stiffness, damping, NULL, NULL, false };
    bi_add_body(m, &(bi_body_def){ .name = "bar", .flex = &modes });
}

static inline void describe_torsion(bi_model *m, const placement *w)
{
    (void)w;
    static const double x[] = { -1.0, 0.0, 1.2, 2.0 }, y[] = { -5.0, 0.0, 9.0, 30.0 };
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    bi_curve curve = bi_add_curve(m, &(bi_curve_def){ .name = "c", .n_point = 4, .x = x, .y = y });
    bi_add_torsion_spring(m, &(bi_torsion_spring_def){ .name = "s",
                                                       .joint = { hinge, 0 },
                                                       .stiffness = 9.0,
                                                       .damping = 2.0,
                                                       .rest = 0.3,
                                                       .preload = 4.0 });
    bi_add_torsion_spring(m,
                          &(bi_torsion_spring_def){
                              .name = "c", .joint = { hinge, 0 }, .table = curve, .damping_table = curve });
}

static inline void describe_stop(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    bi_stop_def def = { .name = "hard",
                        .joint = { hinge, 0 },
                        .lower = -0.3,
                        .upper = 0.2,
                        .stiffness = 70.0,
                        .damping = 20.0,
                        .hysteresis = 0.5 };
    bi_add_stop(m, &def);
    def.name = "soft";
    def.smooth = 0.4;
    bi_add_stop(m, &def);
}

// outside on both sides, shallow and deep, entering and leaving fast enough to lose touch
static inline void move_stop(bench *b, int regime, uint64_t *seed)
{
    static const double value[] = { 0.0, 0.3, 0.9, -0.4, -0.9, 0.27, -0.37 },
                        rate[] = { 1.0, 0.4, -0.3, -0.5, 0.2, -1.3, 1.3 };
    b->at.value[0] = value[regime] + 0.05 * bench_random(seed);
    b->at.rate[0] = rate[regime] * (1.0 + 0.1 * bench_random(seed));
}

static inline void describe_bearing(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 0.1, 0, 0 });
    bi_joint loose = bi_add_joint(m, &(bi_joint_def){ .name = "loose",
                                                      .kind = BI_REVOLUTE,
                                                      .a = a,
                                                      .b = b,
                                                      .axis = { 0.0, 0.0, 1.0 },
                                                      .clearance = 0.02 });
    bi_add_bearing(m, &(bi_bearing_def){ .name = "ring",
                                         .joint = loose,
                                         .radius = 0.3,
                                         .stiffness = 5e3,
                                         .dissipation = 0.4,
                                         .friction = 0.3,
                                         .slow_speed = 0.5 });
}

// inside, on either side of the ring, coming, going fast enough to lose touch, rolling
static inline void move_bearing(bench *b, int regime, uint64_t *seed)
{
    static const double value[][3] = { { 0.1, 0.005, 0.004 },
                                       { 0.5, 0.06, 0.02 },
                                       { 0.0, -0.03, 0.07 },
                                       { 0.2, 0.04, -0.05 },
                                       { -0.3, -0.05, -0.05 } },
                        rate[][3] = { { 1.0, 0.3, 0.2 },
                                      { 0.4, 0.5, -0.3 },
                                      { -1.0, 0.4, 0.6 },
                                      { 0.5, -4.0, 3.0 },
                                      { 0.8, 0.2, -0.1 } };
    for (int i = 0; i < 3; i++) {
        b->at.value[i] = value[regime][i] * (1.0 + 0.05 * bench_random(seed));
        b->at.rate[i] = rate[regime][i] * (1.0 + 0.05 * bench_random(seed));
    }
}

static inline void describe_limited_motor(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    (void)first;
    bi_expr command = bi_expression(m, "3*first.angle - second.rate*first.rate + sin(t)", NULL);
    bi_motor_def def = { .name = "plain", .joint = { second, 0 }, .command = command };
    bi_add_motor(m, &def);
    def = (bi_motor_def){
        .name = "limited", .joint = { second, 0 }, .command = command, .torque_limit = 1.2, .power_limit = 1.0
    };
    bi_add_motor(m, &def);
    def = (bi_motor_def){ .name = "lag",
                          .joint = { second, 0 },
                          .control = 2,
                          .command = command,
                          .gain = 4.0,
                          .torque_limit = 9.0,
                          .power_limit = 6.0,
                          .time = 3e-3 };
    bi_add_motor(m, &def);
}

static inline void describe_brake(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    (void)first;
    bi_add_brake(
        m, &(bi_brake_def){ .name = "b",
                            .joint = { second, 0 },
                            .command = bi_expression(m, "0.5 + 0.2*first.angle + 0.1*second.rate", NULL),
                            .torque = 6.0,
                            .inertia = 0.4 });
}

static inline void describe_friction(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    bi_add_joint_friction(m, &(bi_joint_friction_def){ .name = "f",
                                                       .joint = { hinge, 0 },
                                                       .coulomb = 2.0,
                                                       .breakaway = 3.0,
                                                       .stribeck = 0.4,
                                                       .viscous = 0.7,
                                                       .inertia = 0.4 });
}

// sticking, sliding either way, and dragged beyond the limit at rest; the joint is the first marker
static inline void move_stick(bench *b, int regime, uint64_t *seed)
{
    static const double offset[] = { 1e-3, 2e-3, -2e-3, 0.05 }, rate[] = { 0.01, 0.8, -0.8, 0.002 };
    b->at.rate[0] = rate[regime] * (1.0 + 0.1 * bench_random(seed));
    b->memory[0] = 1.0;
    if (b->plan.n_memory > 2) {
        b->memory[2] = regime > 0; // friction remembers that it slides
    }
    b->memory[1] = b->at.value[0] - offset[regime] * (1.0 + 0.1 * bench_random(seed));
}

static inline void describe_bushing(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 0.1, 0, 0 });
    bi_bushing_def def = { .name = "full",
                           .a = { a, { 0.1, 0.2, 0 }, { 0.8, 0.0, 0.6, 0.0 } },
                           .b = { b, { 0, 0.2, 0.1 }, { 0.6, 0.0, 0.8, 0.0 } },
                           .stiffness = { .count = 36 },
                           .damping = { .count = 21 },
                           .preload = { 6, { 1.0, -2.0, 3.0, 0.2, 0.1, -0.3 } } };
    uint64_t seed = 5;
    for (int k = 0; k < 36; k++) {
        def.stiffness.value[k] = (k % 7 == 0 ? 40.0 : 0.0) + 5.0 * bench_random(&seed);
        def.damping.value[k] = 2.0 * bench_random(&seed);
    }
    bi_add_bushing(m, &def);
}

// Soft enough for turns of every size; crooked without load, and with axes of their own.
static inline void describe_beam(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 0.5, 0, 0 });
    bi_beam_def def = { .name = "crooked",
                        .a = { a, { 0.1, 0.2, 0 }, { 0.8, 0.0, 0.6, 0.0 } },
                        .b = { b, { 0, 0.2, 0.1 }, { 0.6, 0.0, 0.8, 0.0 } },
                        .length = 0.4,
                        .stiffness = { 6, { 40.0, 17.0, 13.0, 2.0, 3.0, 5.0 } },
                        .damping = 0.07,
                        .rest = { 6, { -0.1, 0.02, 0.03, 0.3, -0.4, 0.5 } } };
    bi_add_beam(m, &def);
    bi_add_beam(m, &(bi_beam_def){ .name = "plain",
                                   .a = { a, { 0, 0, 0 } },
                                   .b = { b, { 0, 0, 0 } },
                                   .length = 0.5,
                                   .stiffness = { 6, { 30.0, 20.0, 10.0, 4.0, 5.0, 6.0 } } });
}

static inline void describe_force(bi_model *m, const placement *w)
{
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    (void)hinge;
    vec3 f = place_vector(w, (vec3){ 2.0, -1.0, 3.0 });
    char text[3][120];
    bi_expr e[3];
    for (int k = 0; k < 3; k++) {
        snprintf(text[k], sizeof text[k], "%.17g*(1 + hinge.angle^2 - 0.3*hinge.rate*t)",
                 k == 0   ? f.x
                 : k == 1 ? f.y
                          : f.z);
        e[k] = bi_expression(m, text[k], NULL);
    }
    bi_add_force(m,
                 &(bi_force_def){
                     .name = "ground", .point = { a, { 0.1, 0, 0 } }, .fx = e[0], .fy = e[1], .fz = e[2] });
    bi_add_force(m, &(bi_force_def){ .name = "body",
                                     .point = { a, { 0, 0.3, 0 } },
                                     .fx = bi_expression(m, "5*hinge.angle", NULL),
                                     .fz = bi_expression(m, "t + hinge.rate^2", NULL),
                                     .axes = 2 });
}

static inline void describe_body_torque(bi_model *m, const placement *w)
{
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    (void)hinge;
    vec3 f = place_vector(w, (vec3){ 0.0, -1.0, 3.0 });
    bi_add_body_torque(m, &(bi_body_torque_def){ .name = "ground",
                                                 .body = a,
                                                 .mx = bi_constant(m, f.x),
                                                 .my = bi_constant(m, f.y),
                                                 .mz = bi_constant(m, f.z) });
    bi_add_body_torque(m, &(bi_body_torque_def){ .name = "body",
                                                 .body = a,
                                                 .my = bi_expression(m, "5*hinge.angle + t", NULL),
                                                 .mz = bi_expression(m, "3 - hinge.rate", NULL),
                                                 .axes = 2 });
}

static inline void describe_drag(bi_model *m, const placement *w)
{
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_add_drag(m, &(bi_drag_def){ .name = "d",
                                   .point = { a, { 0.1, 0, 0 } },
                                   .area = 2.0,
                                   .coefficient = 0.9,
                                   .linear = 0.4,
                                   .wind = place_vector(w, (vec3){ 1.0, 0.5, -0.2 }) });
}

// Numbers, and beside them curves of a wind tunnel; forwards is no axis of the body.
static inline void describe_air(bi_model *m, const placement *w)
{
    static const double angle[] = { -3.1, -1.5, -0.4, 0.3, 1.2, 3.1 },
                        c[] = { -0.4, 0.9, 0.2, 0.5, -0.3, -0.4 };
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    vec3 wind = place_vector(w, (vec3){ 1.0, 0.5, -0.2 });
    bi_curve curve = bi_add_curve(
        m, &(bi_curve_def){ .name = "c", .n_point = 6, .x = angle, .y = c, .interpolation = BI_MONOTONE });
    bi_air_def d = { .name = "numbers",
                     .point = { a, { 0.1, 0, 0 } },
                     .forward = { 1.0, 0.2, 0.1 },
                     .up = { 0.1, 0.0, 1.0 },
                     .area = 2.0,
                     .length = 1.5,
                     .wind_x = bi_constant(m, wind.x),
                     .wind_y = bi_constant(m, wind.y),
                     .wind_z = bi_constant(m, wind.z),
                     .drag = 0.9,
                     .side = 1.3,
                     .lift = 0.4,
                     .roll = 0.2,
                     .pitch = -0.3,
                     .yaw = 0.25 };
    bi_add_air(m, &d);
    d.name = "curves";
    d.drag_table = d.side_table = d.lift_table = d.roll_table = d.pitch_table = d.yaw_table = curve;
    bi_add_air(m, &d);
}

// Two points that repel, and a joint whose effort follows their distance.
static inline void repel(void *data, const bi_force_motion *at, bi_force_load *out)
{
    double strength = *(const double *)data;
    vec3 d = vec3_sub(at->pos[1], at->pos[0]), v = vec3_sub(at->vel[1], at->vel[0]);
    vec3 f = vec3_scale(strength * vec3_dot(d, d) - 0.3 * vec3_dot(d, v), d);
    out->force[0] = vec3_neg(f);
    out->force[1] = f;
    out->effort[0] = vec3_dot(d, d) - 0.2 * at->rate[0] * at->value[0];
    out->scalar = vec3_norm(f);
}

static inline void describe_user(bi_model *m, const placement *w)
{
    (void)w;
    static double strength = 4.0;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    bi_add_user_force(m, &(bi_user_force_def){ .name = "u",
                                               .n_point = 2,
                                               .n_joint = 1,
                                               .point = { { a, { 0.1, 0, 0 } }, { b, { 0, 0.2, 0 } } },
                                               .joint = { hinge },
                                               .eval = repel,
                                               .data = &strength });
}

// The same between two of three points.
static inline void repel_many(void *data, const bi_law_motion *at, bi_law_load *out)
{
    double strength = *(const double *)data;
    double square = 0.0, along = 0.0;
    for (int i = 0; i < 3; i++) {
        double d = at->value[3 + i] - at->value[i];
        square += d * d;
        along += d * (at->rate[3 + i] - at->rate[i]);
    }
    for (int i = 0; i < 3; i++) {
        out->effort[3 + i] = (strength * square - 0.3 * along) * (at->value[3 + i] - at->value[i]);
        out->effort[i] = -out->effort[3 + i];
    }
    out->scalar = square;
    out->effort[9] = -0.2 * at->rate[9] * at->value[9];
}

static inline void describe_user_law(bi_model *m, const placement *w)
{
    (void)w;
    static double strength = 4.0;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint hinge = add_hinge(m, "hinge", BI_GROUND, a);
    const bi_named_point at[3] = { { "p", { a, { 0.1, 0, 0 } } },
                                   { "q", { b, { 0, 0.2, 0 } } },
                                   { "r", { b, { 0, 0, 0.3 } } } };
    bi_add_user_law(m, &(bi_user_law_def){ .name = "u",
                                           .points = { 3, at },
                                           .n_coordinate = 1,
                                           .coordinate = { { hinge, 0 } },
                                           .eval = repel_many,
                                           .data = &strength });
}

// An action of 30 to 37 N by its samples.
static inline void add_samples(bi_model *m, bi_element action)
{
    bi_report report = { 0 };
    assert_true(bi_action_samples(m, action, 2, (double[]){ 0.0, 2.0 }, (double[]){ 30.0, 37.0 }, &report));
}

static inline void describe_force_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    add_samples(
        m, bi_add_force_action(m, &(bi_force_action_def){ "f", { a, { 0.1, 0.2, 0.3 } }, { 1, 2, -0.5 } }));
}

static inline void describe_moment_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    add_samples(m, bi_add_moment_action(m, &(bi_moment_action_def){ "m", a, { 0.3, 2, 1 } }));
}

static inline void describe_effort_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    add_hinge(m, "first", BI_GROUND, a);
    add_samples(m, bi_add_effort_action(
                       m, &(bi_effort_action_def){ .name = "e", .joint = add_hinge(m, "second", a, b) }));
}

#endif
