// SPDX-License-Identifier: MIT
// Every force law in the table of dynamics/laws.c: K and C are the derivatives of the efforts, the efforts do the work
// that the energies say, they follow a rigid motion of the world, and internal ones change no momentum. A new law fails
// here until it has a sample below.
#include "laws/law_bench.h"
#include "laws/tyre_samples.h"

enum { TRIES = 5 };

// ---- samples: how to make one, and the motions that matter to it ---------------------------------------------------

typedef struct sample sample;
struct sample {
    const char *name; // type of the schema, or what the compiler makes of bodies
    bool is_made;     // by the compiler: no schema
    bool is_internal; // between bodies: no net force or moment
    void (*describe)(bi_model *m, const placement *w);
    void (*move)(bench *b, int regime, uint64_t *seed); // NULL: any motion will do
    int n_regime;
    double step; // s, of the implicit step; 0: none
};

static bi_body add_body(bi_model *m, const char *name, vec3 at)
{
    return bi_add_body(
        m, &(bi_body_def){ .name = name, .mass = 1.5, .inertia = { 0.2, 0.3, 0.4 }, .pose.pos = at });
}

static bi_joint add_hinge(bi_model *m, const char *name, bi_body a, bi_body b)
{
    return bi_add_joint(m, &(bi_joint_def){ .name = name, .kind = BI_REVOLUTE, .a = a, .b = b });
}

static void describe_spring(bi_model *m, const placement *w)
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

static void describe_torque(bi_model *m, const placement *w)
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

static void describe_motor(bi_model *m, const placement *w)
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

// the plane of the contact sample, at home
static const vec3 floor_point = { 0.1, -0.2, 0.05 }, floor_normal = { 0.6, 0.0, 0.8 };
static const double contact_stiffness = 2e4, contact_damping = 90.0, contact_friction = 0.5,
                    contact_mass = 3.0, contact_time = 0.03, contact_gravity = 9.81;

static void describe_contact(bi_model *m, const placement *w)
{
    // gravity only sets the speed below which the contact sticks; the body has no mass and so no weight
    bi_model_gravity(m, (vec3){ 0, 0, -contact_gravity });
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a" });
    bi_add_point_contact(m, &(bi_point_contact_def){ .name = "c",
                                                     .point = { a, { 0.1, 0, 0 } },
                                                     .plane = place_point(w, floor_point),
                                                     .normal = place_vector(w, vec3_scale(2.0, floor_normal)),
                                                     .stiffness = contact_stiffness,
                                                     .damping = contact_damping,
                                                     .hysteresis = 0.4,
                                                     .friction = contact_friction,
                                                     .stick_time = contact_time,
                                                     .mass = contact_mass });
}

// depth and its rate, distance from the anchor and slip; lengths in m
typedef struct {
    const char *name;
    bool is_anchored;
    double depth, depth_rate, offset, slip;
    double most; // tangential force over friction times normal force: at least low, at most high
    double low;
} contact_regime;

// stick speed 0.147 m/s; normal force 40 N; the stick spring reaches its limit of 20 N at 6 mm, its damper at 0.1 m/s
static const contact_regime contact_regimes[] = {
    { "separated", true, -0.01, 0.3, 1e-3, 0.1, 0.0, 0.0 },
    { "first touch", false, 2e-3, 0.05, 0.0, 0.01, 0.9, 0.0 },
    { "sticking", true, 2e-3, 0.02, 1e-3, 0.01, 0.5, 0.01 },
    { "between stick and slide", true, 2e-3, 0.02, 3e-3, 0.15, 1.0, 0.1 },
    { "sliding", true, 2e-3, -0.02, 1e-3, 1.0, 1.0, 0.999 },
    { "saturated at rest", true, 2e-3, 0.01, 0.02, 1e-3, 1.0, 0.999 },
    { "saturated and sliding", true, 2e-3, -0.01, 0.02, 0.1, 1.0, 0.3 },
    { "leaving faster than it springs back", true, 2e-4, -1.0, 1e-3, 0.1, 0.0, 0.0 },
};

static void move_contact(bench *b, int regime, uint64_t *seed)
{
    const contact_regime *r = &contact_regimes[regime];
    vec3 along = vec3_perpendicular(floor_normal), across = vec3_cross(floor_normal, along);
    double a = 3.0 * bench_random(seed), c = 3.0 * bench_random(seed),
           scale = 1.0 + 0.05 * bench_random(seed);
    vec3 away = vec3_add(vec3_scale(cos(a), along), vec3_scale(sin(a), across));
    vec3 slip = vec3_add(vec3_scale(cos(c), along), vec3_scale(sin(c), across));
    vec3 anchor = vec3_add(
        floor_point, vec3_add(vec3_scale(bench_random(seed), along), vec3_scale(bench_random(seed), across)));
    double *value = b->at.value, *rate = b->at.rate;
    if (r->is_anchored) {
        tray_put(value, vec3_add_scaled(anchor, -1e-3, floor_normal));
        tray_put(rate, (vec3){ 0, 0, 0 });
        bench_commit(b);
    }
    tray_put(value, vec3_add_scaled(vec3_add_scaled(anchor, scale * r->offset, away), -scale * r->depth,
                                    floor_normal));
    tray_put(rate, vec3_add_scaled(vec3_scale(scale * r->slip, slip), -scale * r->depth_rate, floor_normal));
}

// ---- contact of shapes: a ball and a box on a plate and a ball of a third body ------------------------------

static const vec3 ball_at = { 0.1, 0.0, 0.05 }, box_at = { 0.0, 0.2, 0.3 }, knob_at = { 0.5, 1.0, 1.5 };
static const double ball_radius = 0.2, knob_radius = 0.3;

static void describe_shapes(bi_model *m, const placement *w)
{
    (void)w;
    // gravity only sets the speed below which the contact sticks
    bi_model_gravity(m, (vec3){ 0, 0, -contact_gravity });
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a" }),
            b = bi_add_body(m, &(bi_body_def){ .name = "b" }),
            c3 = bi_add_body(m, &(bi_body_def){ .name = "c" });
    bi_shape ball = bi_add_shape(m, &(bi_shape_def){ .name = "ball",
                                                     .type = BI_SHAPE_SPHERE,
                                                     .body = a,
                                                     .pose.pos = ball_at,
                                                     .radius = ball_radius }),
             box = bi_add_shape(m, &(bi_shape_def){ .name = "box",
                                                    .type = BI_SHAPE_BOX,
                                                    .body = c3,
                                                    .pose.pos = box_at,
                                                    .size = { 0.4, 0.6, 0.2 } }),
             plate = bi_add_shape(m, &(bi_shape_def){ .name = "plate", .type = BI_SHAPE_PLANE, .body = b }),
             knob = bi_add_shape(m, &(bi_shape_def){ .name = "knob",
                                                     .type = BI_SHAPE_SPHERE,
                                                     .body = b,
                                                     .pose.pos = knob_at,
                                                     .radius = knob_radius });
    bi_expr k = bi_constant(m, contact_stiffness), c = bi_constant(m, contact_damping),
            mu = bi_constant(m, contact_friction), stiff = bi_constant(m, 3e5);
    // named the other way round: the plate comes second all the same
    bi_add_contact(m, &(bi_contact_def){ .name = "rolls",
                                         .a = { 1, &plate },
                                         .b = { 1, &ball },
                                         .stiffness = k,
                                         .damping = c,
                                         .hysteresis = 0.4,
                                         .smooth = 5e-3,
                                         .friction = mu,
                                         .sliding = 0.8,
                                         .viscous = 3.0,
                                         .stick_time = contact_time,
                                         .mass = contact_mass });
    bi_add_contact(m, &(bi_contact_def){ .name = "meets",
                                         .a = { 1, &ball },
                                         .b = { 1, &knob },
                                         .law = 2,
                                         .stiffness = stiff,
                                         .restitution = 0.6,
                                         .friction = mu,
                                         .stick_time = contact_time,
                                         .mass = contact_mass });
    bi_add_contact(m, &(bi_contact_def){ .name = "stands",
                                         .a = { 1, &box },
                                         .b = { 1, &plate },
                                         .law = 2,
                                         .stiffness = stiff,
                                         .dissipation = 0.3,
                                         .friction = mu,
                                         .stick_time = contact_time,
                                         .mass = 4.0 * contact_mass });
}

typedef enum { BALL_ON_PLATE, BALL_ON_KNOB, BOX_ON_PLATE } meeting;
typedef struct {
    const char *name;
    meeting what;
    bool is_anchored;
    double depth, depth_rate, offset, slip; // m, m/s
} shape_regime;
static const shape_regime shape_regimes[] = {
    { "apart", BALL_ON_PLATE, true, -0.01, 0.3, 1e-3, 0.1 },
    { "ball touches", BALL_ON_PLATE, false, 2e-3, 0.05, 0.0, 0.01 },
    { "ball sticks", BALL_ON_PLATE, true, 2e-3, 0.02, 1e-3, 0.01 },
    { "ball between stick and slide", BALL_ON_PLATE, true, 2e-3, -0.02, 3e-3, 0.15 },
    { "ball slides", BALL_ON_PLATE, true, 2e-3, -0.02, 1e-3, 1.0 },
    { "ball is saturated", BALL_ON_PLATE, true, 2e-3, 0.01, 0.02, 1e-3 },
    { "balls touch", BALL_ON_KNOB, false, 2e-3, 0.05, 0.0, 0.01 },
    { "balls stick", BALL_ON_KNOB, true, 2e-3, 0.02, 1e-3, 0.01 },
    { "balls slide", BALL_ON_KNOB, true, 2e-3, -0.02, 1e-3, 0.4 },
    { "box sticks", BOX_ON_PLATE, true, 4e-3, 0.02, 1e-3, 0.01 },
    { "box slides", BOX_ON_PLATE, true, 4e-3, -0.02, 1e-3, 1.0 },
};

static const marker *frame_of(const bench *b, int body)
{
    for (int m = 0; m < b->plan.n_marker; m++) {
        if (b->plan.marker[m].kind == MARKER_FRAME && b->plan.marker[m].body == body) {
            return &b->plan.marker[m];
        }
    }
    fail_msg("no frame on body %d", body);
    return NULL;
}

static void move_shapes(bench *b, int regime, uint64_t *seed)
{
    const shape_regime *r = &shape_regimes[regime];
    const marker *fb = frame_of(b, 2), *fa = frame_of(b, r->what == BOX_ON_PLATE ? 3 : 1),
                 *idle = frame_of(b, r->what == BOX_ON_PLATE ? 1 : 3);
    double *xa = &b->at.value[fa->dof], *va = &b->at.rate[fa->dof], *vb = &b->at.rate[fb->dof];
    vec3 xb = tray_vec3(&b->at.value[fb->dof]), spin_a = tray_vec3(va + 3),
         spin_b = vec3_scale(0.2, tray_vec3(vb + 3));
    mat3 Rb = b->at.axes[fb->frame];
    // where the middle of the touching shape is, and which way it is pushed
    vec3 n = Rb.col[2], middle, local = r->what == BOX_ON_PLATE ? box_at : ball_at;
    double scale = 1.0 + 0.05 * bench_random(seed), side = bench_random(seed);
    if (r->what == BALL_ON_KNOB) {
        n = vec3_normalized(bench_random_vector(seed, 1.0));
        middle = vec3_add(vec3_add(xb, mat3_apply(Rb, knob_at)),
                          vec3_scale(ball_radius + knob_radius - scale * r->depth, n));
    } else {
        double height = (r->what == BOX_ON_PLATE ? 0.1 : ball_radius) - scale * r->depth;
        middle = vec3_add(xb, mat3_apply(Rb, (vec3){ 0.4, side, height }));
    }
    // the other one is well above the plate
    tray_put(&b->at.value[idle->dof], vec3_add_scaled(xb, 9.0, Rb.col[2]));
    double tilt = r->what == BOX_ON_PLATE ? 4e-3 : 1.0;
    mat3 Ra = mat3_multiply(Rb, quat_to_mat3(quat_exp(bench_random_vector(seed, tilt))));
    b->at.axes[fa->frame] = Ra;
    vec3 home = vec3_sub(middle, mat3_apply(Ra, local));
    double turn = 3.0 * bench_random(seed), way = 3.0 * bench_random(seed);
    vec3 u = vec3_perpendicular(n), v = vec3_cross(n, u);
    vec3 away = vec3_add(vec3_scale(cos(turn), u), vec3_scale(sin(turn), v)),
         slip = vec3_add(vec3_scale(cos(way), u), vec3_scale(sin(way), v));
    if (r->is_anchored) {
        tray_put(xa, vec3_add_scaled(home, -scale * r->offset, away));
        memset(va, 0, 6 * sizeof *va);
        memset(vb, 0, 6 * sizeof *vb);
        bench_commit(b);
    }
    tray_put(xa, home);
    vec3 touch = r->what == BOX_ON_PLATE ? vec3_add_scaled(middle, -0.1, n)
                                         : vec3_add_scaled(middle, -ball_radius + 0.5 * scale * r->depth, n);
    vec3 of_b = vec3_cross(spin_b, vec3_sub(touch, xb)), velocity = bench_random_vector(seed, 1.0);
    // spins of a few hundredths: the slip at all four corners stays near that of the middle
    spin_a = vec3_add(spin_b, vec3_scale(0.02, spin_a));
    tray_put(vb, velocity);
    tray_put(vb + 3, spin_b);
    tray_put(va + 3, spin_a);
    vec3 of_a = vec3_add(vec3_add(velocity, of_b),
                         vec3_add_scaled(vec3_scale(scale * r->slip, slip), -scale * r->depth_rate, n));
    tray_put(va, vec3_sub(of_a, vec3_cross(spin_a, vec3_sub(touch, home))));
}

static void describe_weight(bi_model *m, const placement *w)
{
    bi_model_gravity(m, place_vector(w, (vec3){ 1.0, -2.0, -9.0 }));
    bi_add_body(m,
                &(bi_body_def){ .name = "a", .mass = 2.5, .com = { 0.1, 0.2, 0.3 }, .inertia = { 1, 1, 1 } });
}

static void describe_modes(bi_model *m, const placement *w)
{
    (void)w;
    static const bi_vec3 at[] = { { 0, 0, 0 }, { 1, 0, 0 } },
                         shape[] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 2 } };
    static const double mass[] = { 1, 2 }, stiffness[] = { 30, 70 }, damping[] = { 0.5, 0.2 };
    bi_modes modes = { 2, 2, at, mass, shape, stiffness, damping, NULL, NULL, false };
    bi_add_body(m, &(bi_body_def){ .name = "bar", .flex = &modes });
}

static void describe_torsion(bi_model *m, const placement *w)
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

static void describe_stop(bi_model *m, const placement *w)
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
static void move_stop(bench *b, int regime, uint64_t *seed)
{
    static const double value[] = { 0.0, 0.3, 0.9, -0.4, -0.9, 0.27, -0.37 },
                        rate[] = { 1.0, 0.4, -0.3, -0.5, 0.2, -1.3, 1.3 };
    b->at.value[0] = value[regime] + 0.05 * bench_random(seed);
    b->at.rate[0] = rate[regime] * (1.0 + 0.1 * bench_random(seed));
}

static void describe_limited_motor(bi_model *m, const placement *w)
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

static void describe_brake(bi_model *m, const placement *w)
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

static void describe_friction(bi_model *m, const placement *w)
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
static void move_stick(bench *b, int regime, uint64_t *seed)
{
    static const double offset[] = { 1e-3, 2e-3, -2e-3, 0.05 }, rate[] = { 0.01, 0.8, -0.8, 0.002 };
    b->at.rate[0] = rate[regime] * (1.0 + 0.1 * bench_random(seed));
    b->memory[0] = 1.0;
    if (b->plan.n_memory > 2) {
        b->memory[2] = regime > 0; // friction remembers that it slides
    }
    b->memory[1] = b->at.value[0] - offset[regime] * (1.0 + 0.1 * bench_random(seed));
}

static void describe_bushing(bi_model *m, const placement *w)
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

static void describe_force(bi_model *m, const placement *w)
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

static void describe_body_torque(bi_model *m, const placement *w)
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

static void describe_drag(bi_model *m, const placement *w)
{
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    bi_add_drag(m, &(bi_drag_def){ .name = "d",
                                   .point = { a, { 0.1, 0, 0 } },
                                   .area = 2.0,
                                   .coefficient = 0.9,
                                   .linear = 0.4,
                                   .wind = place_vector(w, (vec3){ 1.0, 0.5, -0.2 }) });
}

// Two points that repel, and a joint whose effort follows their distance.
static void repel(void *data, const bi_force_motion *at, bi_force_load *out)
{
    double strength = *(const double *)data;
    vec3 d = vec3_sub(at->pos[1], at->pos[0]), v = vec3_sub(at->vel[1], at->vel[0]);
    vec3 f = vec3_scale(strength * vec3_dot(d, d) - 0.3 * vec3_dot(d, v), d);
    out->force[0] = vec3_neg(f);
    out->force[1] = f;
    out->effort[0] = vec3_dot(d, d) - 0.2 * at->rate[0] * at->value[0];
    out->scalar = vec3_norm(f);
}

static void describe_user(bi_model *m, const placement *w)
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

// An action of 30 to 37 N by its samples.
static void add_samples(bi_model *m, bi_element action)
{
    bi_report report = { 0 };
    assert_true(bi_action_samples(m, action, 2, (double[]){ 0.0, 2.0 }, (double[]){ 30.0, 37.0 }, &report));
}

static void describe_force_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    add_samples(
        m, bi_add_force_action(m, &(bi_force_action_def){ "f", { a, { 0.1, 0.2, 0.3 } }, { 1, 2, -0.5 } }));
}

static void describe_moment_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 });
    add_samples(m, bi_add_moment_action(m, &(bi_moment_action_def){ "m", a, { 0.3, 2, 1 } }));
}

static void describe_effort_action(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    add_hinge(m, "first", BI_GROUND, a);
    add_samples(m, bi_add_effort_action(
                       m, &(bi_effort_action_def){ .name = "e", .joint = add_hinge(m, "second", a, b) }));
}

// A motor whose constant reads another joint, with a shaft and friction of their own laws and a signal; and a network with an
// algebraic loop on the other joint.
static bi_bond_node node_of(bi_model *m, const char *name, bi_bond_kind kind, const char *value,
                            bi_bond_law law)
{
    static bi_expr room[64];
    static int used;
    bi_bond_node n = { .name = name, .kind = kind, .law = law };
    if (value) {
        room[used] = bi_expression(m, value, NULL);
        n.value = &room[used];
        used = (used + 1) % 64;
    }
    return n;
}

static bi_bond_node port_of(bi_joint joint)
{
    return (bi_bond_node){ .name = "port", .kind = BI_BOND_PORT, .joint = { joint, 0 } };
}

static void describe_graph(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    bi_add_signal(
        m, &(bi_signal_def){ .name = "mix", .value = bi_expression(m, "first.rate*second.angle + t", NULL) });
    const bi_bond_node motor[] = {
        node_of(m, "V", BI_BOND_SE, "12 - 4*second.angle + mix", BI_BOND_LINEAR),
        node_of(m, "j1", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "La", BI_BOND_I, "2e-3", BI_BOND_LINEAR),
        node_of(m, "Ra", BI_BOND_R, "0.8", BI_BOND_LINEAR),
        node_of(m, "gy", BI_BOND_GY, "0.3 + 0.05*first.angle*La.f", BI_BOND_LINEAR),
        node_of(m, "j2", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "shaft", BI_BOND_C, "0.1*q + 0.01*q^3", BI_BOND_EFFORT),
        node_of(m, "j3", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "drag", BI_BOND_R, "0.2*f + 0.1*f^3", BI_BOND_EFFORT),
        port_of(second),
    };
    static const bi_bond motor_bond[] = { { .from = 0, .to = 1 }, { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3 }, { .from = 1, .to = 4 },
                                          { .from = 4, .to = 5 }, { .from = 5, .to = 6 },
                                          { .from = 5, .to = 7 }, { .from = 7, .to = 8 },
                                          { .from = 9, .to = 7 } };
    bi_add_graph(
        m, &(bi_graph_def){ "motor", { .n_node = 10, .n_bond = 9, .node = motor, .bond = motor_bond } });
    const bi_bond_node loop[] = {
        node_of(m, "F", BI_BOND_SE, "5*first.angle", BI_BOND_LINEAR),
        node_of(m, "j1", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "R1", BI_BOND_R, "3", BI_BOND_LINEAR),
        node_of(m, "j2", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "R2", BI_BOND_R, "6", BI_BOND_LINEAR),
        port_of(first),
    };
    static const bi_bond loop_bond[] = { { .from = 0, .to = 1 },
                                         { .from = 1, .to = 2 },
                                         { .from = 1, .to = 3 },
                                         { .from = 3, .to = 4 },
                                         { .from = 3, .to = 5 } };
    bi_add_graph(m, &(bi_graph_def){ "loop", { .n_node = 6, .n_bond = 5, .node = loop, .bond = loop_bond } });
}

// A cylinder between two bodies, a damper in all directions of a point with a spring in one, and a rotor with drag about an axis.
static void describe_ports(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    const bi_bond_node cylinder[] = {
        node_of(m, "Q", BI_BOND_SF, "0.3 + 0.1*sin(t)", BI_BOND_LINEAR),
        node_of(m, "z", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "oil", BI_BOND_C, "2e-2", BI_BOND_LINEAR),
        node_of(m, "leak", BI_BOND_R, "0.1*e + 0.02*e^3", BI_BOND_FLOW),
        { .name = "rod",
          .kind = BI_BOND_PORT,
          .port = BI_PORT_LINE,
          .a = { a, { 0.1, 0.2, -0.3 } },
          .b = { b, { -0.2, 0.4, 0.1 } } },
    };
    static const bi_bond cylinder_bond[] = {
        { .from = 0, .to = 1 }, { .from = 1, .to = 2 }, { .from = 1, .to = 3 }, { .from = 1, .to = 4 }
    };
    bi_add_graph(m, &(bi_graph_def){ "cylinder",
                                     { .n_node = 5, .n_bond = 4, .node = cylinder, .bond = cylinder_bond } });
    bi_bond_node wide = node_of(m, "c", BI_BOND_R, "0.7*f + 0.2*f^3", BI_BOND_EFFORT),
                 one = node_of(m, "v", BI_BOND_ONE, NULL, BI_BOND_LINEAR);
    wide.size = one.size = 3;
    const bi_bond_node point[] = {
        { .name = "P",
          .kind = BI_BOND_PORT,
          .size = 3,
          .port = BI_PORT_FORCE,
          .a = { a, { 0.2, -0.1, 0.3 } } },
        one,
        wide,
        node_of(m, "k", BI_BOND_C, "0.4", BI_BOND_LINEAR),
    };
    static const bi_bond point_bond[] = { { .from = 0, .to = 1 },
                                          { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3, .from_component = 2 } };
    bi_add_graph(m,
                 &(bi_graph_def){ "point", { .n_node = 4, .n_bond = 3, .node = point, .bond = point_bond } });
    const bi_bond_node rotor[] = {
        node_of(m, "T", BI_BOND_SE, "2", BI_BOND_LINEAR),
        node_of(m, "j", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "J", BI_BOND_I, "0.05", BI_BOND_LINEAR),
        node_of(m, "z", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "belt", BI_BOND_R, "0.6*f + 0.1*f^3", BI_BOND_EFFORT),
        { .name = "P",
          .kind = BI_BOND_PORT,
          .port = BI_PORT_TORQUE,
          .a = { b, { 0, 0, 0 } },
          .axis = { 1, 2, -1 } },
    };
    static const bi_bond rotor_bond[] = { { .from = 0, .to = 1 },
                                          { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3 },
                                          { .from = 3, .to = 4 },
                                          { .from = 3, .to = 5 } };
    bi_add_graph(m,
                 &(bi_graph_def){ "rotor", { .n_node = 6, .n_bond = 5, .node = rotor, .bond = rotor_bond } });
}

static const sample samples[] = {
    { "spring", false, true, describe_spring, NULL, 1, 0.0 },
    // h = 2 ms against times of the filters of 3 to 5 ms: K and C carry their states
    { "torque", false, true, describe_torque, NULL, 1, 2e-3 },
    // h = 2 ms against L/R = 2.5 ms: K and C carry most of the change of the current within the step
    { "dc-motor", false, true, describe_motor, NULL, 1, 2e-3 },
    { "point-contact", false, false, describe_contact, move_contact,
      sizeof contact_regimes / sizeof *contact_regimes, 0.0 },
    { "contact", false, true, describe_shapes, move_shapes, sizeof shape_regimes / sizeof *shape_regimes,
      0.0 },
    { "weight", true, false, describe_weight, NULL, 1, 0.0 },
    { "elastic modes", true, true, describe_modes, NULL, 1, 0.0 },
    { "torsion-spring", false, true, describe_torsion, NULL, 1, 0.0 },
    { "stop", false, true, describe_stop, move_stop, 7, 0.0 },
    { "motor", false, true, describe_limited_motor, NULL, 1, 2e-3 },
    { "brake", false, true, describe_brake, move_stick, 4, 0.0 },
    { "joint-friction", false, true, describe_friction, move_stick, 4, 0.0 },
    { "bushing", false, true, describe_bushing, NULL, 1, 0.0 },
    { "force", false, false, describe_force, NULL, 1, 0.0 },
    { "torque-on-body", false, false, describe_body_torque, NULL, 1, 0.0 },
    { "drag", false, false, describe_drag, NULL, 1, 0.0 },
    // actions, whose force acts along an axis of the body
    { "force", false, false, describe_force_action, NULL, 1, 0.0 },
    { "moment", false, false, describe_moment_action, NULL, 1, 0.0 },
    { "effort", false, true, describe_effort_action, NULL, 1, 0.0 },
    // h = 2 ms against relaxation in some 10 ms: K and C carry the deflection
    { "tyre-linear", false, false, describe_tyre_linear, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-pacejka", false, false, describe_tyre_pacejka, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-tmeasy", false, false, describe_tyre_tmeasy, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-lean", false, false, describe_tyre_lean, move_tyre, N_TYRE_REGIMES, 2e-3 },
    // h = 2 ms against L/R = 2.5 ms
    { "graph", true, true, describe_graph, NULL, 1, 2e-3 },
    { "graph", true, false, describe_ports, NULL, 1, 2e-3 },
    { "user force", true, true, describe_user, NULL, 1, 0.0 },
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

static const char *regime_name(const sample *s, int regime)
{
    static const char *const number[] = { "regime 0", "regime 1", "regime 2", "regime 3",
                                          "regime 4", "regime 5", "regime 6" };
    if (s->move == move_contact) {
        return contact_regimes[regime].name;
    }
    if (s->move == move_tyre) {
        return tyre_regimes[regime].name;
    }
    if (s->move == move_shapes) {
        return shape_regimes[regime].name;
    }
    return s->move ? number[regime] : "any motion";
}

static bench open_sample(const sample *s, const placement *w)
{
    bi_model *m = bi_model_create(s->name);
    assert_non_null(m);
    bi_model_gravity(m, (vec3){ 0, 0, 0 });
    s->describe(m, w);
    bench b = bench_open(m, NULL, 0);
    b.u.h = s->step;
    return b;
}

static void set_state(const sample *s, bench *b, int regime, uint64_t *seed)
{
    memset(b->memory, 0, (size_t)b->plan.n_memory * sizeof *b->memory);
    bench_scatter(b, seed);
    if (s->move) {
        s->move(b, regime, seed);
    }
}

// Runs a check over every sample, regime and try.
static void for_all(void (*check)(const sample *s, bench *b, const char *where))
{
    for (int k = 0; k < N_SAMPLES; k++) {
        const sample *s = &samples[k];
        bench b = open_sample(s, &bench_home);
        uint64_t seed = 7 + (uint64_t)k;
        for (int regime = 0; regime < s->n_regime; regime++) {
            for (int i = 0; i < TRIES; i++) {
                char where[128];
                snprintf(where, sizeof where, "%s, %s, try %d", s->name, regime_name(s, regime), i);
                set_state(s, &b, regime, &seed);
                check(s, &b, where);
            }
        }
        bench_close(&b);
    }
}

static void expect_near(double found, double wanted, double tolerance, const char *where, const char *what,
                        int i, int j)
{
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%s: %s (%d, %d) is %.12g, the difference gives %.12g", where, what, i, j, found, wanted);
    }
}

// ---- nobody is forgotten --------------------------------------------------------------------------------------------

static const sample *find_sample(const char *type)
{
    for (int k = 0; k < N_SAMPLES; k++) {
        if (!samples[k].is_made && strcmp(samples[k].name, type) == 0) {
            return &samples[k];
        }
    }
    return NULL;
}

static void test_every_registered_force_has_a_sample(void **state)
{
    (void)state;
    int n_force = 0, n_sample = 0;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        if (strcmp(kind->section, "forces") == 0 || strcmp(kind->section, "actions") == 0) {
            n_force++;
            if (!find_sample(kind->type)) {
                fail_msg("the force %s has no sample in this file", kind->type);
            }
        }
    }
    for (int k = 0; k < N_SAMPLES; k++) {
        n_sample += !samples[k].is_made;
    }
    assert_int_equal(n_sample, n_force);
}

// Each table of forces, also those made by the compiler, has items in some sample: they all run in the checks below.
static void test_every_table_of_forces_runs_in_some_sample(void **state)
{
    (void)state;
    enum { MOST = 64 };
    int used[MOST] = { 0 }, n_table = 0;
    bool is_force[MOST] = { 0 };
    for (int k = 0; k < N_SAMPLES; k++) {
        bench b = open_sample(&samples[k], &bench_home);
        n_table = b.laws.n_table;
        assert_true(n_table <= MOST);
        for (int t = 0; t < n_table; t++) {
            used[t] += b.laws.table[t].count;
            is_force[t] = b.laws.table[t].kind->eval != NULL && b.laws.table[t].kind->rows == NULL;
        }
        bench_close(&b);
    }
    for (int t = 0; t < n_table; t++) {
        if (is_force[t] && used[t] == 0) {
            fail_msg("table %d of the laws has a force without a sample in this file", t);
        }
    }
}

// ---- K and C --------------------------------------------------------------------------------------------------------

// The blocks of the load as one matrix over all numbers of the markers.
static double *gather_blocks(const bench *b, const double *block_value)
{
    int n = b->plan.n_dof;
    double *out = bench_numbers(n * n);
    for (int g = 0; g < b->plan.n_block; g++) {
        const block_group *group = &b->plan.block[g];
        int dof[64], width = 0;
        for (int k = 0; k < group->n_marker; k++) {
            const marker *m = &b->plan.marker[b->plan.list[group->marker + k]];
            for (int i = 0; i < marker_width(m->kind); i++) {
                dof[width++] = m->dof + i;
            }
        }
        assert_int_equal(width, group->width);
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                out[n * dof[i] + dof[j]] += block_value[group->value + width * i + j];
            }
        }
    }
    return out;
}

typedef enum { BY_VALUE, BY_RATE } direction;

// Column `dof` of -d effort / d value or rate.
static void difference(bench *b, direction by, int dof, double h, double *column)
{
    int n = b->plan.n_dof;
    bench_state home = bench_keep(b);
    memset(column, 0, (size_t)n * sizeof *column);
    for (int side = -1; side <= 1; side += 2) {
        if (by == BY_VALUE) {
            bench_nudge(b, dof, side * h);
        } else {
            b->at.rate[dof] += side * h;
        }
        bench_eval(b, 0);
        for (int i = 0; i < n; i++) {
            column[i] -= side * b->load.effort[i] / (2.0 * h);
        }
        bench_restore(&home, b);
    }
    bench_forget(&home);
}

static void check_tangent(const sample *s, bench *b, const char *where)
{
    (void)s;
    int n = b->plan.n_dof;
    bench_eval(b, LAW_TANGENT);
    double *block[2] = { gather_blocks(b, b->load.K), gather_blocks(b, b->load.C) },
           *column = bench_numbers(n);
    for (int by = BY_VALUE; by <= BY_RATE; by++) {
        // central differences at 1e-6: truncation (1e-6 over lengths of 1e-3 m)^2 = 1e-6 at worst, rounding 1e-16
        // of the force over 1e-6; both against the largest entry
        double h = 1e-6, size = bench_largest(block[by], n * n), force = bench_largest(b->load.effort, n);
        double tolerance = 3e-6 * size + 1e-9 * force + 1e-9;
        for (int j = 0; j < n; j++) {
            difference(b, (direction)by, j, h, column);
            for (int i = 0; i < n; i++) {
                expect_near(block[by][n * i + j], column[i], tolerance, where, by == BY_VALUE ? "K" : "C", i,
                            j);
            }
        }
    }
    free(block[0]);
    free(block[1]);
    free(column);
}

static void test_every_force_tangent_equals_differences(void **state)
{
    (void)state;
    for_all(check_tangent);
}

// The motor's tangent must include its own state: with the current held there would be no C at all.
static void test_motor_tangent_includes_its_current(void **state)
{
    (void)state;
    const sample *s = find_sample("dc-motor");
    bench b = open_sample(s, &bench_home);
    uint64_t seed = 3;
    set_state(s, &b, 0, &seed);
    bench_eval(&b, LAW_TANGENT);
    // closed form: back voltage and the expression's own slope, both through k h/2 / (L + R h/2)
    double gain = 0.3 * 0.5 * s->step / (2e-3 + 0.5 * s->step * 0.8);
    const marker *first = NULL, *second = NULL;
    for (int m = 0; m < b.plan.n_marker; m++) {
        if (b.plan.marker[m].joint == 0) {
            first = &b.plan.marker[m];
        } else {
            second = &b.plan.marker[m];
        }
    }
    assert_true(first && second);
    double wanted = gain * (0.3 + 0.5 * b.at.value[first->dof]);
    double *C = gather_blocks(&b, b.load.C);
    double found = C[b.plan.n_dof * second->dof + second->dof];
    // rounding of a handful of operations
    assert_true(fabs(found - wanted) <= 1e-14 * fabs(wanted) + 1e-16);
    free(C);
    bench_close(&b);
}

// ---- with and without tangent ---------------------------------------------------------------------------------------

static void expect_same(const double *found, const double *wanted, int n, const char *where, const char *what)
{
    for (int i = 0; i < n; i++) {
        if (found[i] != wanted[i]) {
            fail_msg("%s: %s %d is %.17g with tangent, %.17g without", where, what, i, found[i], wanted[i]);
        }
    }
}

// Laws may have a shorter way for evaluations that want no tangent (tyres do): it gives the same bits.
static void check_without_tangent(const sample *s, bench *b, const char *where)
{
    (void)s;
    int n = b->plan.n_dof, n_z = b->plan.n_z, n_told = b->model->n_element + b->plan.n_scalar;
    bench_eval(b, 0);
    double *kept = bench_numbers(n + 2 * n_z + n_told);
    double *effort = kept, *z = effort + n, *dz = z + n_z, *told = dz + n_z;
    memcpy(effort, b->load.effort, (size_t)n * sizeof *kept);
    memcpy(z, b->z, (size_t)n_z * sizeof *kept);
    memcpy(dz, b->dz, (size_t)n_z * sizeof *kept);
    memcpy(told, b->load.scalar, (size_t)n_told * sizeof *kept);
    bench_eval(b, LAW_TANGENT);
    expect_same(b->load.effort, effort, n, where, "effort");
    expect_same(b->z, z, n_z, where, "state");
    expect_same(b->dz, dz, n_z, where, "rate");
    expect_same(b->load.scalar, told, n_told, where, "number told");
    free(kept);
}

static void test_every_force_is_the_same_with_and_without_tangent(void **state)
{
    (void)state;
    for_all(check_without_tangent);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static void check_energy(const sample *s, bench *b, const char *where)
{
    (void)s;
    bench_eval(b, 0);
    law_energy now = bench_energy(b);
    double power = 0.0, size = 0.0, change = 0.0, h = 1e-5;
    for (int i = 0; i < b->plan.n_dof; i++) {
        power += b->load.effort[i] * b->at.rate[i];
        size += fabs(b->load.effort[i] * b->at.rate[i]);
    }
    bench_state home = bench_keep(b);
    // five points: a contact of 1 cm at 1 m/s is left in 10 ms, too fast for three
    static const double weight[5] = { 1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0 };
    for (int side = -2; side <= 2; side++) {
        bench_drift(b, side * h);
        // states go on too: what they store counts
        for (int i = 0; i < b->plan.n_z; i++) {
            b->z[i] += side * h * b->dz[i];
        }
        change += weight[side + 2] * bench_energy(b).potential / h;
        for (int i = 0; i < b->plan.n_z; i++) {
            b->z[i] -= side * h * b->dz[i];
        }
        bench_restore(&home, b);
    }
    bench_forget(&home);
    // truncation (1e-5 s over 10 ms)^4 = 1e-12, rounding 1e-16 of the potential over 1e-5
    double tolerance = 1e-8 * (size + fabs(change)) + 1e-10 * (1.0 + fabs(now.potential));
    expect_near(power, now.power - change, tolerance, where, "power of the efforts", 0, 0);
}

static void test_every_force_works_as_its_energy_says(void **state)
{
    (void)state;
    for_all(check_energy);
}

// ---- the world moves rigidly ------------------------------------------------------------------------------------------

// The same motion seen from another place: efforts turn with the world, scalars stay.
static void check_carried(const sample *s, bench *b, bench *other, const placement *w, const char *where)
{
    bench_state home = bench_keep(b);
    bench_eval(b, 0);
    double size = bench_largest(b->load.effort, b->plan.n_dof) + 1.0;
    double *wanted = bench_numbers(b->plan.n_dof);
    memcpy(wanted, b->load.effort, (size_t)b->plan.n_dof * sizeof *wanted);
    bench_eval(other, 0);
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        for (int part = 0; part < marker_width(k->kind) / 3; part++) {
            double *f = &wanted[k->dof + 3 * part];
            tray_put(f, place_vector(w, tray_vec3(f)));
        }
        for (int i = k->dof; i < k->dof + marker_width(k->kind); i++) {
            // rounding: places of a few metres to 1e-15 m times the stiffness of the sample, 2e4 N/m
            expect_near(other->load.effort[i], wanted[i], 1e-12 * size + 1e-10, where, "carried effort", i,
                        0);
        }
    }
    (void)s;
    free(wanted);
    bench_restore(&home, b);
    bench_forget(&home);
}

static void test_every_force_follows_a_rigid_motion_of_the_world(void **state)
{
    (void)state;
    uint64_t seed = 99;
    placement w = { bench_random_turn(&seed), bench_random_vector(&seed, 2.0) };
    for (int k = 0; k < N_SAMPLES; k++) {
        const sample *s = &samples[k];
        bench here = open_sample(s, &bench_home), there = open_sample(s, &w);
        for (int regime = 0; regime < s->n_regime; regime++) {
            char where[128];
            snprintf(where, sizeof where, "%s, %s", s->name, regime_name(s, regime));
            set_state(s, &here, regime, &seed);
            // the same history there: what is remembered is a place of the home world, carried point by point
            memcpy(there.at.value, here.at.value, (size_t)here.plan.n_dof * sizeof(double));
            memcpy(there.at.rate, here.at.rate, (size_t)here.plan.n_dof * sizeof(double));
            memcpy(there.z_old, here.z_old, (size_t)here.plan.n_z * sizeof(double));
            memcpy(there.dz_old, here.dz_old, (size_t)here.plan.n_z * sizeof(double));
            memset(there.memory, 0, (size_t)there.plan.n_memory * sizeof(double));
            memcpy(there.at.axes, here.at.axes, (size_t)here.plan.n_frame * sizeof *here.at.axes);
            there.u.t = here.u.t;
            if (s->move != move_contact) {
                // anchors of joint coordinates are the same everywhere
                memcpy(there.memory, here.memory, (size_t)here.plan.n_memory * sizeof(double));
            } else if (here.memory[0] > 0.0) {
                // anchor at the remembered place by touching there first
                tray_put(there.at.value, vec3_add_scaled(tray_vec3(&here.memory[1]), 0.0, floor_normal));
                bench_carry(&there, &w);
                bench_commit(&there);
                memcpy(there.at.value, here.at.value, (size_t)here.plan.n_dof * sizeof(double));
                memcpy(there.at.rate, here.at.rate, (size_t)here.plan.n_dof * sizeof(double));
            }
            bench_carry(&there, &w);
            check_carried(s, &here, &there, &w, where);
        }
        bench_close(&here);
        bench_close(&there);
    }
}

// ---- action and reaction ------------------------------------------------------------------------------------------------

static void check_reaction(const sample *s, bench *b, const char *where)
{
    if (!s->is_internal) {
        return;
    }
    vec3 force = { 0, 0, 0 }, moment = { 0, 0, 0 };
    bench_eval(b, 0);
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        if (k->kind == MARKER_POINT || k->kind == MARKER_FRAME) {
            vec3 f = tray_vec3(&b->load.effort[k->dof]);
            force = vec3_add(force, f);
            moment = vec3_add(moment, vec3_cross(tray_vec3(&b->at.value[k->dof]), f));
            if (k->kind == MARKER_FRAME) {
                moment = vec3_add(moment, tray_vec3(&b->load.effort[k->dof + 3]));
            }
        } else {
            // efforts on joint and modal coordinates have no resultant by themselves; vectors would
            assert_true(k->kind == MARKER_JOINT || k->kind == MARKER_MODE);
        }
    }
    // rounding of forces of some 100 N at a metre
    expect_near(vec3_norm(force), 0.0, 1e-12, where, "net force", 0, 0);
    expect_near(vec3_norm(moment), 0.0, 1e-12, where, "net moment", 0, 0);
}

static void test_every_internal_force_has_no_resultant(void **state)
{
    (void)state;
    for_all(check_reaction);
}

// Internal efforts on joint coordinates act on both bodies: two floating bodies, hinged and with the sample between them,
// start at rest and keep no momentum and no angular momentum, though they move.
static bi_vec3 spin_momentum(bi_pose pose, bi_vec3 omega, const double inertia[3])
{
    mat3 A = quat_to_mat3(pose.rot);
    vec3 w = mat3_apply_transposed(A, omega);
    return mat3_apply(A, (vec3){ inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z });
}

static void expect_no_momentum(bi_model *model, const char *what)
{
    static const double inertia[3] = { 0.2, 0.3, 0.4 }, mass = 1.5;
    bi_report report = { 0 };
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    assert_non_null(system);
    bi_sim *sim = bi_sim_create(system);
    assert_non_null(sim);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    for (int k = 0; k < 200; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
    vec3 momentum = { 0, 0, 0 }, angular = { 0, 0, 0 };
    double size = 0.0;
    bi_view view = bi_sim_view(sim);
    for (int b = 1; b < view.n_body; b++) {
        vec3 p = vec3_scale(mass, view.twist[b].lin),
             own = spin_momentum(view.pose[b], view.twist[b].ang, inertia);
        momentum = vec3_add(momentum, p);
        angular = vec3_add(angular, vec3_add(own, vec3_cross(view.pose[b].pos, p)));
        size += vec3_norm(p) + vec3_norm(own);
    }
    printf("measured %s: momentum %.1e, angular momentum %.1e of %.3f\n", what, vec3_norm(momentum),
           vec3_norm(angular), size);
    // it must move, or nothing is tested
    assert_true(size > 0.05);
    // forces add to zero in every evaluation; what is left are corrections below the Newton tolerance and projections,
    // second order in the step: (0.002 rad per step)^2
    assert_true(vec3_norm(momentum) <= 4e-6 * size);
    assert_true(vec3_norm(angular) <= 4e-6 * size);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

// Two bodies without gravity, a skew hinge between them.
static bi_model *floating_pair(bi_body body[2], bi_joint *hinge)
{
    bi_model *m = bi_model_create("pair");
    assert_non_null(m);
    bi_model_gravity(m, (vec3){ 0, 0, 0 });
    body[0] = add_body(m, "a", (vec3){ 0, 0, 0 });
    body[1] = add_body(m, "b", (vec3){ 1, 0.5, 0 });
    *hinge = bi_add_joint(m, &(bi_joint_def){ .name = "hinge",
                                              .kind = BI_REVOLUTE,
                                              .a = body[0],
                                              .b = body[1],
                                              .at = { 0.4, 0.1, 0.2 },
                                              .axis = { 0.3, -0.5, 1.0 } });
    return m;
}

static void test_internal_forces_between_floating_bodies_make_no_momentum(void **state)
{
    (void)state;
    bi_body body[2];
    bi_joint hinge;
    bi_model *m = floating_pair(body, &hinge);
    bi_add_torque(m, &(bi_torque_def){ .name = "t", .joint = hinge, .torque = bi_constant(m, 0.6) });
    expect_no_momentum(m, "torque");
    m = floating_pair(body, &hinge);
    bi_add_dc_motor(m, &(bi_dc_motor_def){ .name = "m",
                                           .joint = hinge,
                                           .voltage = bi_constant(m, 3.0),
                                           .resistance = 1.0,
                                           .inductance = 0.01,
                                           .constant = 0.3 });
    expect_no_momentum(m, "dc motor");
    m = floating_pair(body, &hinge);
    bi_add_spring(m, &(bi_spring_def){ .name = "s",
                                       .a = { body[0], { 0.1, 0.2, -0.3 } },
                                       .b = { body[1], { 0.2, -0.1, 0.3 } },
                                       .stiffness = 8.0,
                                       .damping = 0.4,
                                       .rest = 0.2 });
    expect_no_momentum(m, "spring");
}

// ---- what the friction of a contact may be ---------------------------------------------------------------------------

static void test_contact_friction_is_what_its_regime_says(void **state)
{
    (void)state;
    const sample *s = find_sample("point-contact");
    bench b = open_sample(s, &bench_home);
    uint64_t seed = 11;
    for (int regime = 0; regime < s->n_regime; regime++) {
        const contact_regime *r = &contact_regimes[regime];
        for (int i = 0; i < TRIES; i++) {
            set_state(s, &b, regime, &seed);
            bench_eval(&b, 0);
            vec3 force = tray_vec3(b.load.effort);
            double normal = vec3_dot(force, floor_normal);
            double tangential = vec3_norm(vec3_add_scaled(force, -normal, floor_normal));
            // rounding only: the law states the limit exactly
            assert_true(tangential <= r->most * contact_friction * normal * (1.0 + 1e-12) + 1e-12);
            assert_true(tangential >= r->low * contact_friction * normal);
            assert_true(normal >= -1e-12);
            assert_true((r->low > 0.0) <= (normal > 0.0));
        }
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_registered_force_has_a_sample),
        cmocka_unit_test(test_every_table_of_forces_runs_in_some_sample),
        cmocka_unit_test(test_every_force_tangent_equals_differences),
        cmocka_unit_test(test_every_force_is_the_same_with_and_without_tangent),
        cmocka_unit_test(test_motor_tangent_includes_its_current),
        cmocka_unit_test(test_every_force_works_as_its_energy_says),
        cmocka_unit_test(test_every_force_follows_a_rigid_motion_of_the_world),
        cmocka_unit_test(test_every_internal_force_has_no_resultant),
        cmocka_unit_test(test_internal_forces_between_floating_bodies_make_no_momentum),
        cmocka_unit_test(test_contact_friction_is_what_its_regime_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
