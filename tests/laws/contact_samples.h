// SPDX-License-Identifier: MIT
// Contacts for the table of forces, with the motions that matter to them.
#ifndef BIELA_TESTS_LAWS_CONTACT_SAMPLES_H
#define BIELA_TESTS_LAWS_CONTACT_SAMPLES_H

#include "laws/force_samples.h"

// the plane of the contact sample, at home
static const vec3 floor_point = { 0.1, -0.2, 0.05 }, floor_normal = { 0.6, 0.0, 0.8 };
static const double contact_stiffness = 2e4, contact_damping = 90.0, contact_friction = 0.5,
                    contact_mass = 3.0, contact_time = 0.03, contact_gravity = 9.81;

static inline void describe_contact(bi_model *m, const placement *w)
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

static inline void move_contact(bench *b, int regime, uint64_t *seed)
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

typedef struct {
    bi_shape ball, box, plate, knob;
} sample_shapes;

static inline sample_shapes add_sample_shapes(bi_model *m)
{
    // gravity only sets the speed below which the contact sticks
    bi_model_gravity(m, (vec3){ 0, 0, -contact_gravity });
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a" }),
            b = bi_add_body(m, &(bi_body_def){ .name = "b" }),
            c3 = bi_add_body(m, &(bi_body_def){ .name = "c" });
    return (sample_shapes){
        .ball = bi_add_shape(m, &(bi_shape_def){ .name = "ball",
                                                 .type = BI_SHAPE_SPHERE,
                                                 .body = a,
                                                 .pose.pos = ball_at,
                                                 .radius = ball_radius }),
        .box = bi_add_shape(m, &(bi_shape_def){ .name = "box",
                                                .type = BI_SHAPE_BOX,
                                                .body = c3,
                                                .pose.pos = box_at,
                                                .size = { 0.4, 0.6, 0.2 } }),
        .plate = bi_add_shape(m, &(bi_shape_def){ .name = "plate", .type = BI_SHAPE_PLANE, .body = b }),
        .knob = bi_add_shape(m, &(bi_shape_def){ .name = "knob",
                                                 .type = BI_SHAPE_SPHERE,
                                                 .body = b,
                                                 .pose.pos = knob_at,
                                                 .radius = knob_radius }),
    };
}

static inline void describe_shapes(bi_model *m, const placement *w)
{
    (void)w;
    sample_shapes s = add_sample_shapes(m);
    bi_expr k = bi_constant(m, contact_stiffness), c = bi_constant(m, contact_damping),
            mu = bi_constant(m, contact_friction), stiff = bi_constant(m, 3e5);
    // named the other way round: the plate comes second all the same
    bi_add_contact(m, &(bi_contact_def){ .name = "rolls",
                                         .a = { 1, &s.plate },
                                         .b = { 1, &s.ball },
                                         .stiffness = k,
                                         .damping = c,
                                         .hysteresis = 0.4,
                                         .smooth = 5e-3,
                                         .friction = mu,
                                         .sliding = 0.8,
                                         .viscous = 3.0,
                                         .belt = bi_constant(m, 0.3),
                                         .belt_axis = { 0.6, -0.3, 0.5 },
                                         .stick_time = contact_time,
                                         .mass = contact_mass });
    bi_add_contact(m, &(bi_contact_def){ .name = "meets",
                                         .a = { 1, &s.ball },
                                         .b = { 1, &s.knob },
                                         .law = 2,
                                         .stiffness = stiff,
                                         .restitution = 0.6,
                                         .friction = mu,
                                         .friction_law = 2,
                                         .stick_time = contact_time,
                                         .mass = contact_mass });
    bi_add_contact(m, &(bi_contact_def){ .name = "stands",
                                         .a = { 1, &s.box },
                                         .b = { 1, &s.plate },
                                         .law = 2,
                                         .stiffness = stiff,
                                         .dissipation = 0.3,
                                         .friction = mu,
                                         .belt = bi_constant(m, -0.2),
                                         .belt_axis = { 0.2, 1.0, 0.1 },
                                         .stick_time = contact_time,
                                         .mass = 4.0 * contact_mass });
}

// The same with moments against rolling and spinning, and friction by the direction.
static inline void describe_rolling(bi_model *m, const placement *w)
{
    (void)w;
    sample_shapes s = add_sample_shapes(m);
    bi_expr k = bi_constant(m, contact_stiffness), mu = bi_constant(m, contact_friction);
    bi_contact_def def = { .name = "rolls",
                           .a = { 1, &s.plate },
                           .b = { 1, &s.ball },
                           .stiffness = k,
                           .damping = bi_constant(m, contact_damping),
                           .friction = mu,
                           .belt = bi_constant(m, 0.3),
                           .stick_time = contact_time,
                           .mass = contact_mass,
                           .rolling_friction = 0.06,
                           .spinning_friction = 0.03,
                           .friction_across = 0.3,
                           .friction_axis = { 0.7, 0.4, -0.2 } };
    bi_add_contact(m, &def);
    def.name = "meets";
    def.a.item = &s.ball;
    def.b.item = &s.knob;
    def.rolling_friction = 0.0;
    def.friction_across = 2.0;
    bi_add_contact(m, &def);
    def.name = "stands";
    def.a.item = &s.box;
    def.b.item = &s.plate;
    def.rolling_friction = 0.04;
    def.spinning_friction = 0.0;
    def.mass = 4.0 * contact_mass;
    bi_add_contact(m, &def);
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

static inline void move_shapes(bench *b, int regime, uint64_t *seed)
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

// As above; what is anchored has turned since, by a part of its offset.
static inline void move_rolling(bench *b, int regime, uint64_t *seed)
{
    const shape_regime *r = &shape_regimes[regime];
    move_shapes(b, regime, seed);
    const marker *fa = frame_of(b, r->what == BOX_ON_PLATE ? 3 : 1);
    vec3 local = r->what == BOX_ON_PLATE ? box_at : ball_at,
         turn = bench_random_vector(seed, 4.0 * r->offset);
    mat3 before = b->at.axes[fa->frame], now = mat3_multiply(quat_to_mat3(quat_exp(turn)), before);
    double *xa = &b->at.value[fa->dof];
    tray_put(xa, vec3_add(tray_vec3(xa), vec3_sub(mat3_apply(before, local), mat3_apply(now, local))));
    b->at.axes[fa->frame] = now;
}

// ---- an ellipsoid on a plate: its lowest point wanders ----------------------------------------------------------

static const vec3 egg_half = { 0.5, 0.3, 0.2 };

static inline void describe_egg(bi_model *m, const placement *w)
{
    (void)w;
    bi_model_gravity(m, (vec3){ 0, 0, -contact_gravity });
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a" }),
            b = bi_add_body(m, &(bi_body_def){ .name = "b" });
    bi_shape egg = bi_add_shape(m, &(bi_shape_def){ .name = "egg",
                                                    .type = BI_SHAPE_ELLIPSOID,
                                                    .body = a,
                                                    .pose = { ball_at, { 0.8, 0.0, 0.6, 0.0 } },
                                                    .half_axes = egg_half }),
             plate = bi_add_shape(m, &(bi_shape_def){ .name = "plate", .type = BI_SHAPE_PLANE, .body = b });
    bi_add_contact(m, &(bi_contact_def){ .name = "rolls",
                                         .a = { 1, &egg },
                                         .b = { 1, &plate },
                                         .stiffness = bi_constant(m, contact_stiffness),
                                         .damping = bi_constant(m, contact_damping),
                                         .friction = bi_constant(m, contact_friction),
                                         .stick_time = contact_time,
                                         .mass = contact_mass });
}

typedef struct {
    const char *name;
    double depth, offset, turn, slip; // m, rad, m/s
} egg_regime;
static const egg_regime egg_regimes[] = {
    { "egg touches", 2e-3, -1.0, 0.0, 0.01 },
    { "egg sticks", 2e-3, 1e-3, 0.0, 0.01 },
    { "egg has rolled on", 2e-3, 1e-3, 0.05, 0.01 },
    { "egg slides", 2e-3, 1e-3, 0.02, 1.0 },
};

// The middle of the egg over the plate, at the depth asked for.
static inline vec3 egg_middle(const egg_regime *r, mat3 Ra, vec3 xb, mat3 Rb)
{
    mat3 axes = mat3_multiply(Ra, quat_to_mat3((quat){ 0.8, 0.0, 0.6, 0.0 }));
    vec3 n = mat3_apply_transposed(axes, Rb.col[2]),
         q = { egg_half.x * n.x, egg_half.y * n.y, egg_half.z * n.z };
    return vec3_add(xb, mat3_apply(Rb, (vec3){ 0.4, -0.3, vec3_norm(q) - r->depth }));
}

static inline void move_egg(bench *b, int regime, uint64_t *seed)
{
    const egg_regime *r = &egg_regimes[regime];
    const marker *fa = frame_of(b, 1), *fb = frame_of(b, 2);
    double *xa = &b->at.value[fa->dof], *va = &b->at.rate[fa->dof], *vb = &b->at.rate[fb->dof];
    vec3 xb = tray_vec3(&b->at.value[fb->dof]), along = vec3_perpendicular(b->at.axes[fb->frame].col[2]);
    mat3 Rb = b->at.axes[fb->frame],
         Ra = mat3_multiply(Rb, quat_to_mat3(quat_exp(bench_random_vector(seed, 2.0))));
    vec3 home = vec3_sub(egg_middle(r, Ra, xb, Rb), mat3_apply(Ra, ball_at));
    memset(va, 0, 6 * sizeof *va);
    memset(vb, 0, 6 * sizeof *vb);
    if (r->offset >= 0.0) {
        b->at.axes[fa->frame] = Ra;
        tray_put(xa, vec3_add_scaled(home, -r->offset, along));
        bench_commit(b);
        Ra = mat3_multiply(quat_to_mat3(quat_exp(bench_random_vector(seed, r->turn))), Ra);
        home = vec3_sub(egg_middle(r, Ra, xb, Rb), mat3_apply(Ra, ball_at));
    }
    b->at.axes[fa->frame] = Ra;
    tray_put(xa, home);
    vec3 velocity = bench_random_vector(seed, 1.0), spin = bench_random_vector(seed, 0.3);
    tray_put(vb, velocity);
    tray_put(vb + 3, spin);
    tray_put(va + 3, vec3_add(spin, bench_random_vector(seed, 0.01)));
    tray_put(va, vec3_add_scaled(vec3_add(velocity, vec3_cross(spin, vec3_sub(home, xb))), r->slip, along));
}

#endif
