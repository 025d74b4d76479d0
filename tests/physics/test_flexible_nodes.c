// SPDX-License-Identifier: MIT
// Bodies whose nodes turn and shorten to second order, in both sets of coordinates: what they conserve when they float, joints on
// moving nodes, reactions there.
#include "support/run_model.h"
#include <biela/laws.h>

// ---- a beam by assumed shapes ----------------------------------------------------------------------------------------------

enum { STATIONS = 5, PER = 3, NODES = STATIONS * PER + 1, SHAPES = 4 };
static const double beam_length = 1.2, density = 1.5; // m, kg/m

typedef struct {
    bi_vec3 at[NODES], shape[SHAPES * NODES], turn[SHAPES * NODES], bend[SHAPES * SHAPES * NODES];
    double mass[NODES], stiffness[SHAPES], damping[SHAPES];
} beam;

// Bending in two planes as x^2, twist as x^2 and stretch as x; three particles on every section, and the frame node at 0.
static beam make_beam(double damping)
{
    static const double y[PER] = { 0.06, -0.05, 0.01 }, z[PER] = { 0.02, 0.04, -0.07 };
    beam b = { .stiffness = { 40.0, 55.0, 2.0, 900.0 } };
    for (int i = 0; i < SHAPES; i++) {
        b.damping[i] = damping * b.stiffness[i];
    }
    for (int k = 0; k < NODES; k++) {
        bool is_frame = k == NODES - 1;
        double x = is_frame ? 0.0 : beam_length * (k / PER + 1) / STATIONS;
        double dy = is_frame ? 0.0 : y[k % PER], dz = is_frame ? 0.0 : z[k % PER];
        dy = k / PER == STATIONS - 1 && k % PER == 2 ? 0.0 : dy; // one on the axis at the tip, for joints
        dz = k / PER == STATIONS - 1 && k % PER == 2 ? 0.0 : dz;
        b.at[k] = (bi_vec3){ x, dy, dz };
        b.mass[k] = is_frame ? 0.0 : density * beam_length / (STATIONS * PER) * (1.0 + 0.1 * (k % PER));
        b.shape[0 * NODES + k] = (bi_vec3){ -2.0 * x * dy, x * x, 0.0 };
        b.turn[0 * NODES + k] = (bi_vec3){ 0.0, 0.0, 2.0 * x };
        b.shape[1 * NODES + k] = (bi_vec3){ -2.0 * x * dz, 0.0, x * x };
        b.turn[1 * NODES + k] = (bi_vec3){ 0.0, -2.0 * x, 0.0 };
        b.shape[2 * NODES + k] = (bi_vec3){ 0.0, -x * x * dz, x * x * dy };
        b.turn[2 * NODES + k] = (bi_vec3){ x * x, 0.0, 0.0 };
        b.shape[3 * NODES + k] = (bi_vec3){ x, 0.0, 0.0 };
        // half the integral of the squared slopes, as 1/2 bend eta eta
        double shortening = -4.0 / 3.0 * x * x * x;
        b.bend[(0 * SHAPES + 0) * NODES + k] = (bi_vec3){ shortening, -0.2 * x * dy, 0.0 };
        b.bend[(1 * SHAPES + 1) * NODES + k] = (bi_vec3){ shortening, 0.0, -0.3 * x * dz };
        b.bend[(0 * SHAPES + 2) * NODES + k] = b.bend[(2 * SHAPES + 0) * NODES + k] =
            (bi_vec3){ 0.1 * x, -0.4 * x * x, 0.3 * x };
    }
    return b;
}

enum { TIP = NODES - 2 };

static bi_body add_beam(bi_model *model, const beam *b, bi_pose pose, bi_twist twist)
{
    bi_modes modes = { NODES,        SHAPES,     b->at,   b->mass, b->shape,
                       b->stiffness, b->damping, b->turn, b->bend, false };
    return bi_add_body(model, &(bi_body_def){ .name = "beam", .flex = &modes, .pose = pose, .twist = twist });
}

static bi_vec3 read_point(run_model *run, const char *name, const char *prefix)
{
    char text[40];
    double v[3];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s.%s%c", name, prefix, "xyz"[i]);
        v[i] = run_read(run, text);
    }
    return (bi_vec3){ v[0], v[1], v[2] };
}

static run_model start(bi_model *model, bi_coordinates coordinates, bi_scheme scheme, double dt, double time)
{
    run_model run = { .model = model, .dt = dt, .time = time, .coordinates = coordinates };
    run_compile(&run, scheme);
    return run;
}

// ---- floating --------------------------------------------------------------------------------------------------------------

static bi_model *floating_beam(void)
{
    bi_model *model = bi_model_create("floating beam");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    beam b = make_beam(0.0);
    bi_body body = add_beam(model, &b, (bi_pose){ { 0.3, 0.1, -0.2 }, { 0.8, 0.36, 0.0, 0.48 } },
                            (bi_twist){ { 0.3, -0.2, 0.4 }, { 1.5, 4.0, -5.0 } });
    for (int i = 0; i < NODES; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        bi_add_output(model,
                      &(bi_output_def){ .name = name, .kind = BI_OUT_POINT, .body = body, .at = b.at[i] });
    }
    return model;
}

typedef struct {
    bi_vec3 momentum, angular, tip;
    double kinetic;
} sums;

static sums sum_nodes(run_model *run, const beam *b)
{
    sums s = { 0 };
    for (int i = 0; i < NODES; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        bi_vec3 place = read_point(run, name, ""), velocity = read_point(run, name, "v");
        bi_vec3 p = run_scale(b->mass[i], velocity);
        s.momentum = run_add(s.momentum, p);
        s.angular = run_add(s.angular, run_cross(place, p));
        s.kinetic += 0.5 * run_dot(p, velocity);
        s.tip = i == TIP ? place : s.tip;
    }
    return s;
}

static void expect_conserved(bi_coordinates coordinates, const char *name)
{
    beam b = make_beam(0.0);
    run_model run = start(floating_beam(), coordinates, BI_INDEX1_RK4, 1e-3, 2.0);
    sums first = sum_nodes(&run, &b);
    double energy = run_read(&run, "energy.total"), momentum = 0.0, angular = 0.0, kinetic = 0.0, drift = 0.0;
    double low = 1e9, high = 0.0;
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        sums now = sum_nodes(&run, &b);
        momentum = fmax(momentum, run_norm(run_sub(now.momentum, first.momentum)) / run_norm(first.momentum));
        angular = fmax(angular, run_norm(run_sub(now.angular, first.angular)) / run_norm(first.angular));
        kinetic = fmax(kinetic, fabs(run_read(&run, "energy.kinetic") - now.kinetic) / now.kinetic);
        drift = fmax(drift, fabs(run_read(&run, "energy.total") - energy) / energy);
        double reach = run_norm(run_sub(now.tip, read_point(&run, "n15", "")));
        low = fmin(low, reach);
        high = fmax(high, reach);
    }
    run_close(&run);
    assert_true(high - low > 5e-3); // it must really deform, or nothing is tested
    char text[80];
    snprintf(text, sizeof text, "%s, kinetic energy against the nodes", name);
    run_expect(text, kinetic, 1e-11);
    // fourth order: (w h)^4 = 3e-7 for 25 rad/s (stretch), less what little moves that fast
    snprintf(text, sizeof text, "%s, momentum", name);
    run_expect(text, momentum, 1e-7);
    snprintf(text, sizeof text, "%s, angular momentum", name);
    run_expect(text, angular, 1e-7);
    snprintf(text, sizeof text, "%s, energy", name);
    run_expect(text, drift, 1e-7);
}

static void
test_floating_beam_with_second_order_shapes_keeps_momentum_and_energy_in_natural_coordinates(void **state)
{
    (void)state;
    expect_conserved(BI_NATURAL, "floating beam, natural");
}

static void
test_floating_beam_with_second_order_shapes_keeps_momentum_and_energy_in_joint_coordinates(void **state)
{
    (void)state;
    expect_conserved(BI_JOINT, "floating beam, joint");
}

static double energy_drift(bi_coordinates coordinates, double dt)
{
    run_model run = start(floating_beam(), coordinates, BI_ALI3P, dt, 1.0);
    double energy = run_read(&run, "energy.total"), drift = 0.0;
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        drift = fmax(drift, fabs(run_read(&run, "energy.total") - energy) / energy);
    }
    run_close(&run);
    return drift;
}

static void test_floating_beam_loses_energy_as_the_square_of_the_step(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        double coarse = energy_drift(c ? BI_JOINT : BI_NATURAL, 2e-3);
        double fine = energy_drift(c ? BI_JOINT : BI_NATURAL, 1e-3);
        run_expect_order_two(c ? "floating beam, joint, energy" : "floating beam, natural, energy", coarse,
                             fine);
    }
}

// ---- stiffness of the centrifugal load -----------------------------------------------------------------------------------------

// A massless spoke with a point mass at its end, turned at a given rate about z: out of its plane it swings at
// w^2 + k/m, in it at k/m, with the load's stiffness as with the motion of the end along an arc.
static double spoke_frequency(bool is_in_plane, bool is_load, bi_coordinates coordinates)
{
    const double length = 2.0, mass = 1.5, stiffness = 30.0, spin = 4.0;
    bi_vec3 at[2] = { { length, 0, 0 }, { 0, 0, 0 } }, shape[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    shape[0] = is_in_plane ? (bi_vec3){ 0, length, 0 } : (bi_vec3){ 0, 0, length };
    bi_vec3 bend[2] = { { -length, 0, 0 }, { 0, 0, 0 } };
    double masses[2] = { mass, 0.0 };
    bi_modes modes = { 2, 1, at, masses, shape, &stiffness, NULL, NULL, bend, is_load };
    bi_model *model = bi_model_create("spoke");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0, 0, 0 });
    // it turns from the start: else the spoke would bend back to keep the mass at rest
    bi_body body = bi_add_body(
        model, &(bi_body_def){ .name = "spoke", .flex = &modes, .twist = { { 0, 0, 0 }, { 0, 0, spin } } });
    bi_joint hub = bi_add_joint(
        model, &(bi_joint_def){
                   .name = "hub", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = body, .axis = { 0, 0, 1 } });
    bi_add_guide(model,
                 &(bi_guide_def){ .name = "spin", .joint = hub, .value = bi_expression(model, "4*t", NULL) });
    // a small push at the end, for a moment
    bi_expr push = bi_expression(model, "if(t<0.01,1e-3,0)", NULL);
    bi_add_force(model, &(bi_force_def){ .name = "push",
                                         .point = { body, at[0] },
                                         .fy = is_in_plane ? push : (bi_expr){ 0 },
                                         .fz = is_in_plane ? (bi_expr){ 0 } : push });
    bi_add_output(model, &(bi_output_def){ .name = "T", .kind = BI_OUT_POINT, .body = body, .at = at[0] });
    run_model run = start(model, coordinates, BI_ALI3P, 1e-3, 6.0);
    double last = 0.0, first = 0.0, end = 0.0;
    int crossings = 0;
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        double t = run_now(&run), x = run_read(&run, "T.x"), y = run_read(&run, "T.y");
        double now = is_in_plane ? y * cos(spin * t) - x * sin(spin * t) : run_read(&run, "T.z");
        if (last < 0.0 && now >= 0.0) {
            end = t - run.dt * now / (now - last);
            first = crossings++ == 0 ? end : first;
        }
        last = now;
    }
    run_close(&run);
    return 2.0 * run_pi * (crossings - 1) / (end - first);
}

static void test_turning_spoke_is_stiffened_by_its_load_in_and_out_of_its_plane(void **state)
{
    (void)state;
    // amplitude 1 is one radian: inertia m L^2 = 6, so k/m is 30/6 = 5; spin^2 = 16; in the plane the spoke is softened as much
    const double wanted[2] = { sqrt(5.0 + 16.0), sqrt(5.0) };
    for (int k = 0; k < 8; k++) {
        double found = spoke_frequency(k & 1, k & 2, k & 4 ? BI_JOINT : BI_NATURAL);
        char text[80];
        snprintf(text, sizeof text, "turning spoke, %s, %s, %s", k & 1 ? "in plane" : "out of plane",
                 k & 2 ? "load" : "kinematics", k & 4 ? "joint" : "natural");
        // the trapezoidal rule: (w h)^2 / 12 = 2e-6; crossings by straight lines: less
        run_expect(text, fabs(found - wanted[k & 1]) / wanted[k & 1], 1e-5);
    }
}

// ---- joints on moving nodes -----------------------------------------------------------------------------------------------------

// The beam hangs by its frame on a revolute joint; a rigid body hangs on its tip.
static bi_model *beam_with_load(bi_joint_kind kind, double damping)
{
    bi_model *model = bi_model_create("beam with a load");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -9.81 });
    beam b = make_beam(damping);
    bi_body body =
        add_beam(model, &b, (bi_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } }, (bi_twist){ { 0, 0, 0 }, { 0, 0, 0 } });
    bi_body load = bi_add_body(model, &(bi_body_def){ .name = "load",
                                                      .mass = 0.8,
                                                      .com = { 0.2, 0.05, -0.1 },
                                                      .inertia = { 0.02, 0.03, 0.025, 0.001, 0.0, 0.002 },
                                                      .pose = { { beam_length, 0, 0 }, { 1, 0, 0, 0 } } });
    bi_add_joint(model,
                 &(bi_joint_def){
                     .name = "hub", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = body, .axis = { 0, 1, 0 } });
    bi_add_joint(model, &(bi_joint_def){ .name = "tip",
                                         .kind = kind,
                                         .a = body,
                                         .b = load,
                                         .at = { beam_length, 0, 0 },
                                         .axis = { 0.1, 0.9, 0.2 } });
    bi_add_output(model,
                  &(bi_output_def){ .name = "T", .kind = BI_OUT_POINT, .body = body, .at = b.at[TIP] });
    bi_add_output(model, &(bi_output_def){ .name = "L", .kind = BI_OUT_BODY, .body = load });
    return model;
}

typedef struct {
    double gap, energy, moved;
    bi_vec3 end; // of the load
} swing;

static swing swing_load(bi_joint_kind kind, bi_coordinates coordinates)
{
    run_model run = start(beam_with_load(kind, 0.0), coordinates, BI_INDEX1_RK4, 1e-3, 0.6);
    double energy = run_read(&run, "energy.total"), most = 0.0;
    swing s = { 0 };
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        bi_vec3 tip = read_point(&run, "T", ""), load = read_point(&run, "L", "");
        s.gap = fmax(s.gap, run_norm(run_sub(tip, load)));
        s.energy = fmax(s.energy, fabs(run_read(&run, "energy.total") - energy));
        most = fmax(most, run_read(&run, "energy.kinetic"));
        s.end = load;
    }
    s.energy /= most;
    s.moved = most;
    run_close(&run);
    return s;
}

static void test_joints_on_a_moving_node_keep_energy_and_both_coordinates_agree(void **state)
{
    (void)state;
    static const struct {
        bi_joint_kind kind;
        const char *name;
        bool holds_point;
    } cases[] = { { BI_FIXED, "fixed", true },
                  { BI_REVOLUTE, "revolute", true },
                  { BI_SPHERICAL, "spherical", true },
                  { BI_PRISMATIC, "prismatic", false },
                  { BI_CYLINDRICAL, "cylindrical", false } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swing natural = swing_load(cases[k].kind, BI_NATURAL), joint = swing_load(cases[k].kind, BI_JOINT);
        char text[96];
        assert_true(natural.moved > 1.0 && (natural.gap > 0.05 || cases[k].holds_point));
        // fourth order, (w h)^4 = 3e-7 for 25 rad/s, of a part of the energy
        snprintf(text, sizeof text, "%s joint on a moving node, natural, energy", cases[k].name);
        run_expect(text, natural.energy, 1e-7);
        snprintf(text, sizeof text, "%s joint on a moving node, joint, energy", cases[k].name);
        run_expect(text, joint.energy, 1e-7);
        if (cases[k].holds_point) {
            snprintf(text, sizeof text, "%s joint on a moving node, gap", cases[k].name);
            run_expect(text, fmax(natural.gap, joint.gap), 1e-8);
        }
        snprintf(text, sizeof text, "%s joint on a moving node, natural and joint coordinates",
                 cases[k].name);
        run_expect(text, run_norm(run_sub(natural.end, joint.end)), 1e-6);
    }
}

// At rest the joints carry weights: closed form with the places where things stand.
static void expect_reactions(bi_coordinates coordinates, const char *name)
{
    bi_model *model = bi_model_create("beam at rest");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -9.81 });
    beam b = make_beam(0.3);
    bi_body body =
        add_beam(model, &b, (bi_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } }, (bi_twist){ { 0, 0, 0 }, { 0, 0, 0 } });
    bi_body load = bi_add_body(model, &(bi_body_def){ .name = "load",
                                                      .mass = 0.3,
                                                      .com = { 0.2, 0.05, -0.1 },
                                                      .inertia = { 0.002, 0.003, 0.0025 },
                                                      .pose = { { beam_length, 0, 0 }, { 1, 0, 0, 0 } } });
    bi_joint hub =
        bi_add_joint(model, &(bi_joint_def){ .name = "hub", .kind = BI_FIXED, .a = BI_GROUND, .b = body });
    bi_joint tip = bi_add_joint(
        model, &(bi_joint_def){
                   .name = "tip", .kind = BI_FIXED, .a = body, .b = load, .at = { beam_length, 0, 0 } });
    bi_add_output(model, &(bi_output_def){ .name = "H", .kind = BI_OUT_REACTION, .joint = hub });
    bi_add_output(model, &(bi_output_def){ .name = "R", .kind = BI_OUT_REACTION, .joint = tip });
    bi_add_output(model, &(bi_output_def){
                             .name = "C", .kind = BI_OUT_POINT, .body = load, .at = { 0.2, 0.05, -0.1 } });
    for (int i = 0; i < NODES; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%d", i);
        bi_add_output(model,
                      &(bi_output_def){ .name = text, .kind = BI_OUT_POINT, .body = body, .at = b.at[i] });
    }
    run_model run = start(model, coordinates, BI_ALI3P, 5e-3, 12.0);
    run_to(&run, 12.0);
    sums now = sum_nodes(&run, &b);
    assert_true(now.kinetic < 1e-16);
    bi_vec3 com = read_point(&run, "C", ""), weight = { 0, 0, -9.81 * 0.3 }, moment = { 0, 0, 0 };
    bi_vec3 force = weight;
    bi_vec3 at_tip = run_scale(-1.0, run_cross(run_sub(com, now.tip), weight));
    moment = run_sub(moment, run_cross(com, weight));
    for (int i = 0; i < NODES; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%d", i);
        bi_vec3 w = { 0, 0, -9.81 * b.mass[i] };
        force = run_add(force, w);
        moment = run_sub(moment, run_cross(read_point(&run, text, ""), w));
    }
    char text[80];
    snprintf(text, sizeof text, "%s, force at the tip", name);
    run_expect(text, run_norm(run_add(read_point(&run, "R", "f"), weight)), 1e-7);
    snprintf(text, sizeof text, "%s, moment at the tip", name);
    run_expect(text, run_norm(run_sub(read_point(&run, "R", "m"), at_tip)), 1e-7);
    snprintf(text, sizeof text, "%s, force at the hub", name);
    run_expect(text, run_norm(run_add(read_point(&run, "H", "f"), force)), 1e-7);
    snprintf(text, sizeof text, "%s, moment at the hub", name);
    run_expect(text, run_norm(run_sub(read_point(&run, "H", "m"), moment)), 1e-6);
    assert_true(now.tip.z < -0.05); // it must really bend
    run_close(&run);
}

static void test_reactions_of_a_resting_beam_carry_the_weights_where_they_stand(void **state)
{
    (void)state;
    expect_reactions(BI_NATURAL, "beam at rest, natural");
    expect_reactions(BI_JOINT, "beam at rest, joint");
}

// ---- sensors on nodes -----------------------------------------------------------------------------------------------------------

// A gyro, an accelerometer and the orientation of the tip against the load that is welded to it, and against differences of
// velocities.
static void expect_sensors(bi_coordinates coordinates, const char *name)
{
    const double dt = 1e-4, arm = 0.5;
    bi_model *model = beam_with_load(BI_FIXED, 0.0);
    bi_body body = bi_model_body(model, "beam"), load = bi_model_body(model, "load");
    bi_vec3 tip = { beam_length, 0, 0 };
    bi_add_output(model, &(bi_output_def){ .name = "G", .kind = BI_OUT_GYRO, .body = body, .at = tip });
    bi_add_output(model,
                  &(bi_output_def){ .name = "A", .kind = BI_OUT_ACCELEROMETER, .body = body, .at = tip });
    bi_add_output(model, &(bi_output_def){ .name = "S",
                                           .kind = BI_OUT_RELATIVE,
                                           .body = body,
                                           .at = tip,
                                           .about = { BI_GROUND, { 0, 0, 0 } } });
    bi_add_output(model,
                  &(bi_output_def){ .name = "X", .kind = BI_OUT_POINT, .body = load, .at = { arm, 0, 0 } });
    run_model run = start(model, coordinates, BI_INDEX1_RK4, dt, 0.4);
    double worst_spin = 0.0, worst_felt = 0.0, worst_axis = 0.0, most = 0.0;
    bi_vec3 before = { 0, 0, 0 }, felt = { 0, 0, 0 };
    bool has_before = false;
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        // the load is welded to the tip: its angular velocity and axes are those of the node
        bi_vec3 spin = { run_read(&run, "L.wx"), run_read(&run, "L.wy"), run_read(&run, "L.wz") };
        bi_quat rot = { run_read(&run, "L.qw"), run_read(&run, "L.qx"), run_read(&run, "L.qy"),
                        run_read(&run, "L.qz") };
        bi_quat own = { run_read(&run, "S.qw"), run_read(&run, "S.qx"), run_read(&run, "S.qy"),
                        run_read(&run, "S.qz") };
        bi_vec3 seen = run_turn(own, read_point(&run, "G", ""));
        worst_spin = fmax(worst_spin, run_norm(run_sub(seen, spin)));
        bi_vec3 axis = run_sub(read_point(&run, "X", ""), read_point(&run, "T", ""));
        worst_axis = fmax(worst_axis, run_norm(run_sub(run_turn(own, (bi_vec3){ arm, 0, 0 }), axis)));
        worst_axis = fmax(worst_axis, run_norm(run_sub(run_turn(rot, (bi_vec3){ arm, 0, 0 }), axis)));
        most = fmax(most, run_norm(spin));
        // mean acceleration over a step against the mean of what is felt at its ends
        bi_vec3 velocity = read_point(&run, "T", "v"), now = run_turn(own, read_point(&run, "A", ""));
        now.z -= 9.81;
        if (has_before) {
            bi_vec3 mean = run_scale(0.5, run_add(now, felt));
            bi_vec3 difference = run_scale(1.0 / dt, run_sub(velocity, before));
            worst_felt = fmax(worst_felt, run_norm(run_sub(mean, difference)));
        }
        before = velocity;
        felt = now;
        has_before = true;
    }
    run_close(&run);
    char text[80];
    assert_true(most > 0.5);
    // axes of a node are right to the third power of its turn, some 0.1 rad here
    snprintf(text, sizeof text, "%s, axes of the tip", name);
    run_expect(text, worst_axis, 1e-3);
    snprintf(text, sizeof text, "%s, gyro at the tip", name);
    run_expect(text, worst_spin, 2e-2 * most);
    // the mean of two ends: (w h)^2 / 12 of it, and the axes above
    snprintf(text, sizeof text, "%s, accelerometer at the tip", name);
    run_expect(text, worst_felt, 0.05);
}

static void test_sensors_on_a_moving_node_turn_with_it(void **state)
{
    (void)state;
    expect_sensors(BI_NATURAL, "sensors, natural");
    expect_sensors(BI_JOINT, "sensors, joint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_floating_beam_with_second_order_shapes_keeps_momentum_and_energy_in_natural_coordinates),
        cmocka_unit_test(
            test_floating_beam_with_second_order_shapes_keeps_momentum_and_energy_in_joint_coordinates),
        cmocka_unit_test(test_floating_beam_loses_energy_as_the_square_of_the_step),
        cmocka_unit_test(test_turning_spoke_is_stiffened_by_its_load_in_and_out_of_its_plane),
        cmocka_unit_test(test_joints_on_a_moving_node_keep_energy_and_both_coordinates_agree),
        cmocka_unit_test(test_sensors_on_a_moving_node_turn_with_it),
        cmocka_unit_test(test_reactions_of_a_resting_beam_carry_the_weights_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
