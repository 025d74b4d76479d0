// SPDX-License-Identifier: MIT
// Tyres for the table of forces: one wheel on the floor of the contact sample, in all its regimes.
#ifndef BIELA_TESTS_LAWS_TYRE_SAMPLES_H
#define BIELA_TESTS_LAWS_TYRE_SAMPLES_H

#include "laws/law_bench.h"

// the ground, at home
static const vec3 road_point = { 0.1, -0.2, 0.05 }, road_normal = { 0.6, 0.0, 0.8 };
static const vec3 wheel_axis = { 0.1, 0.9, -0.2 }, wheel_centre = { 0.05, 0.02, -0.03 };
static const double wheel_radius = 0.35;

static inline bi_wheel sample_wheel(bi_model *m, const placement *w)
{
    // bodies without mass have no weight
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    return (bi_wheel){ .body = a,
                       .centre = wheel_centre,
                       .axis = wheel_axis,
                       .radius = wheel_radius,
                       .section = 0.06,
                       .section_width = 0.09,
                       .plane = place_point(w, road_point),
                       .normal = place_vector(w, vec3_scale(3.0, road_normal)),
                       .stiffness = 2e4,
                       .stiffness_2 = 3e4,
                       .damping = 150.0,
                       .rolling_resistance = 0.015,
                       .rolling_resistance_2 = 1e-5 };
}

static const bi_carcass sample_carcass = { 5e4, 300.0, 3e4, 170.0, 0.0 };

static inline void describe_tyre_linear(bi_model *m, const placement *w)
{
    bi_add_tyre_linear(m, &(bi_tyre_linear_def){ .name = "t",
                                                 .wheel = sample_wheel(m, w),
                                                 .carcass = sample_carcass,
                                                 .friction = 0.8,
                                                 .critical_slip = 0.15 });
}

// As new; with everything that ages.
static inline void describe_tyre_tmeasy(bi_model *m, const placement *w)
{
    bi_tyre_tmeasy_def d = {
        .name = "t",
        .wheel = sample_wheel(m, w),
        .carcass = sample_carcass,
        .nominal_load = 300.0,
        .longitudinal = { 10, { 9000.0, 330.0, 0.11, 310.0, 0.5, 16500.0, 620.0, 0.12, 590.0, 0.55 } },
        .lateral = { 5, { 7500.0, 310.0, 0.18, 300.0, 0.6 } },
        .trail = 0.17
    };
    bi_add_tyre_tmeasy(m, &d);
    d.name = "old";
    d.wheel.overturning = 2e4;
    d.wheel.leak = bi_constant(m, 0.3);
    d.wheel.rim_radius = 0.345;
    d.wheel.heat_capacity = 5e3;
    d.wheel.cooling = 20.0;
    bi_add_tyre_tmeasy(m, &d);
}

// Slips of the patch at once, slips of the centre with deflection.
static inline void describe_tyre_lean(bi_model *m, const placement *w)
{
    bi_tyre_lean_def d = { .name = "t",
                           .wheel = sample_wheel(m, w),
                           .friction = 0.8,
                           .friction_y = 0.6,
                           .critical_angle = 0.12,
                           // "holds at rest" slides at 1e-4 m/s
                           .slow_speed = 0.01,
                           .contact_modulus = 7.9e6 };
    d.wheel.damping_2 = 1.5e4;
    bi_add_tyre_lean(m, &d);
    d.name = "deflects";
    d.carcass = sample_carcass;
    d.angle_of = 2;
    d.nominal_load = 3000.0;
    d.load_exponent = 0.85;
    bi_add_tyre_lean(m, &d);
}

// Deflecting, then at once and cut at the ellipse; all shifts and the aligning moment of the formula.
static inline void describe_tyre_pacejka(bi_model *m, const placement *w)
{
    static const double b[] = { 1.6, -40.0, 1100.0, 20.0, 220.0, 0.1, -0.01, 0.02, 0.4, 0.05, 0.1 };
    static const double c[] = { 2.3,  -2.7, -1.2, -1.9,   -3.6, 0.02, 0.01,  0.0, -0.06,
                                -0.3, 0.01, 0.03, -0.001, 0.02, 0.05, -0.06, 0.3, -0.2 };
    bi_tyre_pacejka_def d = { .name = "t",
                              .wheel = sample_wheel(m, w),
                              .carcass = sample_carcass,
                              .lateral = { 14,
                                           { 1.3, -53.31, 1190.0, 588.6, 2.5212, 0.01, -0.5178, 1.0, 0.05,
                                             0.02, 0.03, -9.0, 5.0, 3.0 } },
                              .longitudinal = { .count = 11 },
                              .aligning = { .count = 18 } };
    memcpy(d.longitudinal.value, b, sizeof b);
    memcpy(d.aligning.value, c, sizeof c);
    bi_add_tyre_pacejka(m, &d);
    d.name = "at_once";
    d.carcass = (bi_carcass){ 0 };
    d.combined = 2;
    d.longitudinal.count = 0;
    d.adhesion = (bi_numbers){ 4, { 1.12, 40.39, 0.625, 1.0 } };
    bi_add_tyre_pacejka(m, &d);
}

// Slips that lag, with turn slip; at once and mirrored; a tyre of the size of the samples. Coefficients on
// sizes of the turn slip are left out: some samples have none, where these have a corner.
static inline void describe_tyre_magic(bi_model *m, const placement *w)
{
    bi_magic_formula f = bi_magic_formula_default();
    f.FITTYP = 62, f.USE_MODE = 5, f.UNLOADED_RADIUS = wheel_radius, f.FNOMIN = 300.0;
    f.NOMPRES = 2e5, f.INFLPRES = 2.3e5;
    f.Q_RE0 = 0.998, f.Q_V1 = 7e-4, f.Q_V2 = 0.05, f.Q_FZ2 = 15.0, f.Q_FCX = 0.1, f.Q_FCY = 0.2, f.PFZ1 = 0.7;
    f.BREFF = 8.0, f.DREFF = 0.25, f.FREFF = 0.01;
    f.LONGITUDINAL_STIFFNESS = 5e4, f.LATERAL_STIFFNESS = 3e4, f.PCFX1 = 0.2, f.PCFY1 = 0.2;
    f.PCX1 = 1.6, f.PDX1 = 1.1, f.PDX2 = -0.1, f.PEX1 = 0.1, f.PEX4 = 0.05, f.PKX1 = 18.0, f.PKX3 = 0.2;
    f.PHX1 = 1e-3, f.PVX1 = 1e-3, f.RBX1 = 12.0, f.RBX2 = -9.0, f.RCX1 = 1.1, f.PPX1 = -0.3, f.PPX3 = -0.1;
    f.PCY1 = 1.3, f.PDY1 = 1.0, f.PDY2 = -0.1, f.PDY3 = 1.0, f.PEY1 = -0.5, f.PEY3 = 0.1, f.PKY1 = -15.0;
    f.PKY2 = 1.7, f.PKY3 = 0.3, f.PKY6 = -0.9, f.PVY3 = -0.1, f.PHY1 = 2e-3, f.PVY1 = 0.03, f.PPY1 = -0.4;
    f.RBY1 = 10.0, f.RBY2 = 8.0, f.RBY3 = 0.02, f.RCY1 = 1.1, f.RVY1 = 0.05, f.RVY4 = 90.0, f.RVY5 = 1.9,
    f.RVY6 = 10.0;
    f.QSX1 = 0.01, f.QSX2 = 0.5, f.QSX3 = 0.1, f.QSX4 = 0.3, f.QSX5 = 1.0, f.QSX6 = 1.0, f.QSX7 = 0.7,
    f.QSX8 = 0.4;
    f.QSX9 = 0.2, f.QSX10 = 0.1, f.QSX11 = 5.0, f.QSY1 = 0.01, f.QSY3 = 1e-3, f.QSY7 = 0.9, f.QSY8 = -0.4;
    f.QBZ1 = 10.0, f.QBZ9 = 15.0, f.QCZ1 = 1.2, f.QDZ1 = 0.1, f.QDZ6 = -2e-3, f.QDZ8 = -0.1, f.QEZ1 = -1.5,
    f.SSZ1 = 0.03;
    f.PDXP1 = 0.4, f.PKYP1 = 1.0, f.PHYP2 = 0.15, f.PHYP4 = -4.0;
    f.PECP1 = 0.5, f.QDTP1 = 10.0, f.QCRP1 = 0.2, f.QBRP1 = 0.1, f.QDRP1 = 1.0;
    bi_tyre_magic_def d = { .name = "lags",
                            .wheel = sample_wheel(m, w),
                            .formula = f,
                            .relaxation = 2,
                            .slow_speed = 0.5,
                            .unclamped = true };
    d.wheel.stiffness_2 = 0.0;
    d.wheel.radius = wheel_radius;
    d.wheel.rolling_resistance = d.wheel.rolling_resistance_2 = 0.0;
    bi_add_tyre_magic(m, &d);
    d.name = "at_once";
    d.relaxation = 1;
    d.formula.USE_MODE = 4;
    d.tyre_side = 2;
    d.side = 3;
    d.formula.RIM_RADIUS = 0.33;
    d.formula.BOTTOM_OFFST = 0.014;
    d.formula.BOTTOM_STIFF = 1e5;
    // "holds at rest" slides at 1e-4 m/s
    d.slow_speed = 0.01;
    bi_add_tyre_magic(m, &d);
}

// depth and its rate, m, m/s; spin; slip along and across against the rolling speed or alone; tilt from upright;
// deflections as a part of friction times load over stiffness
typedef struct {
    const char *name;
    double depth, depth_rate, spin, along, across, tilt, deflection[2];
} tyre_regime;

static const tyre_regime tyre_regimes[] = {
    { "rolls", 0.01, 0.02, 20.0, 0.1, -0.2, 0.05, { 0.2, 0.1 } },
    { "rolls backwards, leaning", 0.01, -0.02, -15.0, 0.2, 0.3, 0.5, { -0.3, 0.2 } },
    { "slides while rolling", 0.012, 0.05, 10.0, 3.0, 2.0, -0.1, { 0.5, 0.9 } },
    { "slides locked", 0.012, 0.0, 1e-3, 1.0, -2.0, 0.02, { 0.7, -0.9 } },
    { "holds at rest", 0.011, 0.001, 1e-3, 1e-4, 2e-4, 0.1, { 0.5, -0.4 } },
    { "overloaded at rest", 0.004, 0.001, 1e-3, 1e-3, -1e-3, 0.1, { 2.5, -3.0 } },
    { "in the air", -0.02, 0.3, 12.0, 0.5, 0.1, 0.05, { 0.2, 0.1 } },
    { "leaves faster than it springs back", 0.002, -0.4, 12.0, 0.5, 0.1, 0.05, { 0.2, 0.1 } },
};

// The wheel is the only frame; its axis lies across a direction of the road and leans.
static inline void move_tyre(bench *b, int regime, uint64_t *seed)
{
    const tyre_regime *r = &tyre_regimes[regime];
    vec3 along = vec3_perpendicular(road_normal);
    vec3 side = vec3_cross(road_normal, along);
    double scale = 1.0 + 0.05 * bench_random(seed);

    // axes: the wheel's own, then leaning about `along`, yawed anyhow, spun anyhow
    vec3 e = vec3_add(vec3_scale(cos(scale * r->tilt), side), vec3_scale(sin(scale * r->tilt), road_normal));
    mat3 spun = quat_to_mat3(quat_exp(vec3_scale(2.0 * bench_random(seed), vec3_normalized(wheel_axis))));
    mat3 yaw = quat_to_mat3(quat_exp(vec3_scale(3.0 * bench_random(seed), road_normal)));
    vec3 from = vec3_normalized(wheel_axis), across = vec3_cross(from, e);
    double angle = acos(vec3_dot(from, e));
    mat3 tip = quat_to_mat3(quat_exp(vec3_scale(angle, vec3_normalized(across))));
    mat3 axes = mat3_multiply(yaw, mat3_multiply(tip, spun));
    b->at.axes[0] = axes;
    e = mat3_apply(axes, from);
    along = vec3_normalized(vec3_cross(e, road_normal));
    side = vec3_cross(road_normal, along);

    // height that gives the depth, by the section's half height (the support of a torus)
    double c = vec3_dot(e, road_normal), s = sqrt(1.0 - c * c);
    double height = (wheel_radius - 0.06) * s + sqrt(0.06 * 0.06 * s * s + 0.09 * 0.09 * c * c);
    vec3 place = vec3_add_scaled(road_point, height - scale * r->depth, road_normal);
    place = vec3_add_scaled(place, bench_random(seed), along);
    place = vec3_add_scaled(place, bench_random(seed), side);
    double radius = wheel_radius - fmax(r->depth, 0.0) / 3.0, spin = scale * r->spin;
    vec3 velocity = vec3_scale(radius * spin + scale * r->along, along);
    velocity = vec3_add_scaled(velocity, scale * r->across, side);
    velocity = vec3_add_scaled(velocity, -scale * r->depth_rate, road_normal);
    tray_put(&b->at.value[0], place);
    tray_put(&b->at.rate[0], velocity);
    vec3 omega =
        vec3_add_scaled(vec3_scale(spin, e), 0.1 * fabs(r->depth_rate) * bench_random(seed), road_normal);
    tray_put(&b->at.rate[3], omega);
    double load = 2e4 * fmax(r->depth, 0.0);
    for (int i = 0; i < b->plan.n_z; i++) {
        const double stiffness[2] = { sample_carcass.stiffness_x, sample_carcass.stiffness_y };
        b->z_old[i] = b->z[i] = scale * r->deflection[i % 2] * 0.8 * load / stiffness[i % 2];
        b->dz_old[i] = 0.01 * r->across * bench_random(seed);
    }
}

enum { N_TYRE_REGIMES = sizeof tyre_regimes / sizeof *tyre_regimes };

#endif
