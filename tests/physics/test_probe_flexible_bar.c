// SPDX-License-Identifier: MIT
// Probe of the waist: markers on modes. A bar of lumped masses with one bending shape, turned at constant speed about its
// clamped end; a floating body with two shapes; a spring on a node. All yardsticks are closed forms or sums over the
// nodes made here.
#include "support/run_model.h"

enum { NODES = 11 };
static const double length = 1.0, mass = 2.0, own = 6.0 * 3.14159265358979323846; // own frequency, rad/s
static const double turn = 6.0, gravity = 1.0;                                    // rad/s, m/s2

// The bar in the form the library takes, with the sums the closed forms need.
typedef struct {
    bi_vec3 at[NODES], shape[NODES];
    double node_mass[NODES], stiffness, damping;
    double modal_mass, modal_load; // sum m psi^2, sum m psi
} bar;

// First bending shape of a clamped-free bar, 1 at the tip; `across`: the direction it bends in.
static bar make_bar(bi_vec3 across, double damping_ratio)
{
    const double beta = 1.875104068711961, sigma = 0.734095513758888;
    bar b = { .modal_mass = 0.0 };
    double tip = cosh(beta) - cos(beta) - sigma * (sinh(beta) - sin(beta));
    for (int i = 0; i < NODES; i++) {
        double x = (double)i / (NODES - 1), z = beta * x;
        double psi = (cosh(z) - cos(z) - sigma * (sinh(z) - sin(z))) / tip;
        b.at[i] = (bi_vec3){ length * x, 0.0, 0.0 };
        b.node_mass[i] = mass / (NODES - 1) * (i == 0 || i == NODES - 1 ? 0.5 : 1.0);
        b.shape[i] = run_scale(psi, across);
        b.modal_mass += b.node_mass[i] * psi * psi;
        b.modal_load += b.node_mass[i] * psi;
    }
    b.stiffness = own * own * b.modal_mass;
    b.damping = 2.0 * damping_ratio * own * b.modal_mass;
    return b;
}

// spin: described angular velocity about z; it makes the start that of a rigid bar, without bending rate.
static bi_body add_bar(bi_model *model, const bar *b, double spin)
{
    bi_modes modes = {
        NODES, 1, b->at, b->node_mass, b->shape, &b->stiffness, &b->damping, NULL, NULL, false
    };
    return bi_add_body(model,
                       &(bi_body_def){ .name = "bar", .flex = &modes, .twist.ang = { 0.0, 0.0, spin } });
}

static const bi_vec3 tip_at = { 1.0, 0.0, 0.0 };

static void add_tip(bi_model *model, bi_body body)
{
    bi_add_output(model, &(bi_output_def){ .name = "T", .kind = BI_OUT_POINT, .body = body, .at = tip_at });
}

static bi_vec3 read_point(run_model *run, const char *name, const char *suffix)
{
    char channel[3][32];
    for (int i = 0; i < 3; i++) {
        snprintf(channel[i], sizeof channel[i], "%s.%s%c", name, suffix, "xyz"[i]);
    }
    return (bi_vec3){ run_read(run, channel[0]), run_read(run, channel[1]), run_read(run, channel[2]) };
}

// ---- turning bar --------------------------------------------------------------------------------------------------------

// In the plane of the turn:  eta'' + (own^2 - turn^2) eta = -g (sum m psi / sum m psi^2) cos(turn t);  across it: no
// turn^2 and a constant load. Modal theory without stiffening, from rest.
static double bending(const bar *b, bool is_in_plane, double t, double *rate)
{
    double load = -gravity * b->modal_load / b->modal_mass;
    double soft = is_in_plane ? sqrt(own * own - turn * turn) : own, drive = is_in_plane ? turn : 0.0;
    double size = load / (soft * soft - drive * drive);
    *rate = size * (soft * sin(soft * t) - drive * sin(drive * t));
    return size * (cos(drive * t) - cos(soft * t));
}

static bi_model *turning_bar(const bar *b, bool is_in_plane)
{
    bi_model *model = bi_model_create("turning bar");
    assert_non_null(model);
    bi_model_gravity(model, is_in_plane ? (bi_vec3){ 0.0, -gravity, 0.0 } : (bi_vec3){ 0.0, 0.0, -gravity });
    bi_body body = add_bar(model, b, turn);
    bi_joint hub =
        bi_add_joint(model, &(bi_joint_def){ .name = "hub", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = body });
    bi_add_guide(
        model, &(bi_guide_def){ .name = "drive", .joint = hub, .value = bi_expression(model, "6*t", NULL) });
    add_tip(model, body);
    bi_add_output(model, &(bi_output_def){ .name = "clamp", .kind = BI_OUT_POINT, .body = body });
    return model;
}

// Largest error of the tip, its place and its velocity seen from ground, against the largest bending.
static double turning_error(bool is_in_plane, bi_scheme scheme, double dt)
{
    bar b = make_bar(is_in_plane ? (bi_vec3){ 0.0, 1.0, 0.0 } : (bi_vec3){ 0.0, 0.0, 1.0 }, 0.0);
    run_model run = run_start(turning_bar(&b, is_in_plane), scheme, dt, 2.0);
    double worst = 0.0, most = 0.0;
    // the hub holds the bar where the shape is zero: the clamped end stays at the origin
    assert_true(run_norm(b.shape[0]) == 0.0);
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        double t = run_now(&run), rate, eta = bending(&b, is_in_plane, t, &rate);
        bi_vec3 along = { cos(turn * t), sin(turn * t), 0.0 }, left = { -along.y, along.x, 0.0 };
        bi_vec3 bends = is_in_plane ? left : (bi_vec3){ 0.0, 0.0, 1.0 };
        bi_vec3 bends_rate = is_in_plane ? run_scale(-turn, along) : (bi_vec3){ 0.0, 0.0, 0.0 };
        bi_vec3 place = run_add(run_scale(length, along), run_scale(eta, bends));
        bi_vec3 velocity = run_add(run_scale(length * turn, left),
                                   run_add(run_scale(rate, bends), run_scale(eta, bends_rate)));
        double error = run_norm(run_sub(read_point(&run, "T", ""), place));
        double rate_error = run_norm(run_sub(read_point(&run, "T", "v"), velocity)) / own;
        worst = error <= worst ? worst : error;
        worst = rate_error <= worst ? worst : rate_error;
        most = fmax(most, fabs(eta));
        assert_true(run_norm(read_point(&run, "clamp", "")) <= 1e-9);
    }
    run_close(&run);
    return worst / most;
}

static void test_turning_bar_bends_in_plane_at_the_softened_frequency(void **state)
{
    (void)state;
    double coarse = turning_error(true, BI_ALI3P, 2e-3), fine = turning_error(true, BI_ALI3P, 1e-3);
    // phase of the trapezoidal rule after 2 s: (w h)^2 / 12 * w t = 1e-3 with w = 17.9 rad/s, on a swing to both sides;
    // without the softening the phase would be 2 rad off
    run_expect("turning bar in plane dt=1e-3", fine, 2e-3);
    run_expect_order_two("turning bar in plane", coarse, fine);
}

static void test_turning_bar_bends_out_of_plane_at_its_own_frequency(void **state)
{
    (void)state;
    double coarse = turning_error(false, BI_ALI3P, 2e-3), fine = turning_error(false, BI_ALI3P, 1e-3);
    run_expect("turning bar out of plane dt=1e-3", fine, 2e-3);
    run_expect_order_two("turning bar out of plane", coarse, fine);
}

static void test_turning_bar_with_runge_kutta_bends_as_the_closed_form(void **state)
{
    (void)state;
    // (w h)^5 / 120 per step with w h = 0.019, over 2000 steps: 4e-8
    run_expect("turning bar in plane rk4 dt=1e-3", turning_error(true, BI_INDEX1_RK4, 1e-3), 2e-7);
    run_expect("turning bar out of plane rk4 dt=1e-3", turning_error(false, BI_INDEX1_RK4, 1e-3), 2e-7);
}

// A mass on two modes, along and across a massless arm that turns: seen from ground it is an oscillator about a point on a
// circle, z'' = -own^2 (z - L exp(i turn t)), in complex numbers
//     z = A exp(i own t) + B exp(-i own t) + C exp(i turn t),  C = L own^2 / (own^2 - turn^2),
//     A + B = L - C,  A - B = turn / own (L - C).
// In the arm's frame this needs the Coriolis force between the two modes, which no energy or momentum would miss.
static double two_mode_error(bi_scheme scheme, double dt)
{
    static const bi_vec3 at[2] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } };
    static const bi_vec3 shape[4] = {
        { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }
    };
    const double node_mass[2] = { 0.5, 0.8 }, stiffness[2] = { 0.8 * own * own, 0.8 * own * own };
    bi_modes modes = { 2, 2, at, node_mass, shape, stiffness, NULL, NULL, NULL, false };
    bi_model *model = bi_model_create("turning mass");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    bi_body body =
        bi_add_body(model, &(bi_body_def){ .name = "arm", .flex = &modes, .twist.ang = { 0.0, 0.0, turn } });
    bi_joint hub =
        bi_add_joint(model, &(bi_joint_def){ .name = "hub", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = body });
    bi_add_guide(
        model, &(bi_guide_def){ .name = "drive", .joint = hub, .value = bi_expression(model, "6*t", NULL) });
    add_tip(model, body);
    run_model run = run_start(model, scheme, dt, 2.0);
    double centre = length * own * own / (own * own - turn * turn), rest = length - centre;
    double ahead = 0.5 * rest * (1.0 + turn / own), back = 0.5 * rest * (1.0 - turn / own), worst = 0.0;
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        double t = run_now(&run);
        bi_vec3 wanted = { (ahead + back) * cos(own * t) + centre * cos(turn * t),
                           (ahead - back) * sin(own * t) + centre * sin(turn * t), 0.0 };
        double error = run_norm(run_sub(read_point(&run, "T", ""), wanted));
        worst = error <= worst ? worst : error;
    }
    run_close(&run);
    return worst / fabs(rest);
}

static void test_turning_mass_on_two_modes_is_an_oscillator_seen_from_ground(void **state)
{
    (void)state;
    double coarse = two_mode_error(BI_ALI3P, 2e-3), fine = two_mode_error(BI_ALI3P, 1e-3);
    // phase of the trapezoidal rule after 2 s: (w h)^2 / 12 * w t = 3e-3 for the faster of the two whirls, 25 rad/s
    run_expect("turning mass on two modes dt=1e-3", fine, 3e-3);
    run_expect_order_two("turning mass on two modes", coarse, fine);
    // (w h)^5 / 120 per step with w h = 0.025, over 2000 steps: 2e-7
    run_expect("turning mass on two modes rk4 dt=1e-3", two_mode_error(BI_INDEX1_RK4, 1e-3), 2e-7);
}

// ---- floating body -----------------------------------------------------------------------------------------------------------

enum { CORNERS = 6, SHAPES = 2 };
static const bi_vec3 corner_at[CORNERS] = { { 0.0, 0.0, 0.0 },  { 0.5, 0.1, 0.0 },  { 1.0, -0.1, 0.1 },
                                            { 0.6, 0.4, -0.2 }, { 0.2, -0.3, 0.3 }, { -0.4, 0.1, -0.1 } };
static const double corner_mass[CORNERS] = { 0.4, 0.3, 0.5, 0.2, 0.35, 0.25 };
// any shapes will do: these bend, stretch and are not orthogonal, and move the centre of mass
static const bi_vec3 corner_shape[SHAPES * CORNERS] = {
    { 0.0, 0.0, 0.0 },  { 0.1, 0.3, 0.0 },  { 0.3, 1.0, -0.2 },  { 0.2, 0.1, 0.4 },
    { 0.0, -0.3, 0.2 }, { -0.2, 0.2, 0.1 }, { 0.0, 0.0, 0.0 },   { 0.2, -0.1, 0.2 },
    { 0.6, 0.1, 0.3 },  { 0.1, 0.5, 0.0 },  { -0.1, -0.2, 0.6 }, { -0.3, 0.1, 0.0 },
};
static const double corner_stiffness[SHAPES] = { 20.0, 30.0 };

static bi_model *floating_body(void)
{
    bi_model *model = bi_model_create("floating body");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    bi_modes modes = { CORNERS,          SHAPES, corner_at, corner_mass, corner_shape,
                       corner_stiffness, NULL,   NULL,      NULL,        false };
    // the spin stretches it: vibration starts by itself
    bi_body body =
        bi_add_body(model, &(bi_body_def){ .name = "body",
                                           .flex = &modes,
                                           .pose = { { 0.3, 0.1, -0.2 }, { 0.8, 0.36, 0.0, 0.48 } },
                                           .twist = { { 0.3, -0.2, 0.4 }, { 1.5, 2.0, -1.0 } } });
    for (int i = 0; i < CORNERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        bi_add_output(
            model, &(bi_output_def){ .name = name, .kind = BI_OUT_POINT, .body = body, .at = corner_at[i] });
    }
    return model;
}

typedef struct {
    bi_vec3 momentum, angular;
    double kinetic, stretch; // J; distance of the two end nodes, m
} sums;

// By hand from what the outputs say of the nodes.
static sums sum_nodes(run_model *run)
{
    sums s = { 0 };
    bi_vec3 place[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        place[i] = read_point(run, name, "");
        bi_vec3 velocity = read_point(run, name, "v"), p = run_scale(corner_mass[i], velocity);
        s.momentum = run_add(s.momentum, p);
        s.angular = run_add(s.angular, run_cross(place[i], p));
        s.kinetic += 0.5 * run_dot(p, velocity);
    }
    s.stretch = run_norm(run_sub(place[2], place[5]));
    return s;
}

typedef struct {
    double momentum, angular, energy, kinetic; // relative errors
    double low, high;                          // of the stretch, m
} drift;

static drift float_away(bi_scheme scheme, double dt)
{
    run_model run = run_start(floating_body(), scheme, dt, 3.0);
    sums start = sum_nodes(&run);
    double energy = run_read(&run, "energy.total");
    drift d = { .low = start.stretch, .high = start.stretch };
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        sums now = sum_nodes(&run);
        d.momentum =
            fmax(d.momentum, run_norm(run_sub(now.momentum, start.momentum)) / run_norm(start.momentum));
        d.angular = fmax(d.angular, run_norm(run_sub(now.angular, start.angular)) / run_norm(start.angular));
        d.energy = fmax(d.energy, fabs(run_read(&run, "energy.total") - energy) / energy);
        d.kinetic = fmax(d.kinetic, fabs(run_read(&run, "energy.kinetic") - now.kinetic) / now.kinetic);
        d.low = fmin(d.low, now.stretch);
        d.high = fmax(d.high, now.stretch);
        assert_true(isfinite(now.kinetic));
    }
    run_close(&run);
    return d;
}

static void test_floating_flexible_body_keeps_momentum_and_energy(void **state)
{
    (void)state;
    drift coarse = float_away(BI_ALI3P, 2e-3), fine = float_away(BI_ALI3P, 1e-3);
    // it must really vibrate, or nothing is tested
    assert_true(fine.high - fine.low > 0.05);
    // kinetic energy of the mass matrix against the sum over the nodes: the same quantity, rounding only
    run_expect("floating flexible body, kinetic energy", fine.kinetic, 1e-12);
    // the trapezoidal rule: (w h)^2 / 12 = 1e-5 for the fastest of spin and shapes, some 10 rad/s, at 1 ms
    run_expect("floating flexible body, momentum", fine.momentum, 1e-5);
    run_expect("floating flexible body, angular momentum", fine.angular, 1e-5);
    run_expect("floating flexible body, energy", fine.energy, 1e-5);
    run_expect_order_two("floating flexible body, angular momentum", coarse.angular, fine.angular);
}

static void test_floating_flexible_body_with_runge_kutta_keeps_momentum_and_energy(void **state)
{
    (void)state;
    drift d = float_away(BI_INDEX1_RK4, 1e-3);
    // (w h)^4 = 1e-8 for 10 rad/s at 1 ms
    run_expect("floating flexible body rk4, momentum", d.momentum, 1e-8);
    run_expect("floating flexible body rk4, angular momentum", d.angular, 1e-8);
    run_expect("floating flexible body rk4, energy", d.energy, 1e-8);
}

// ---- forces on nodes -----------------------------------------------------------------------------------------------------------

// A spring from the tip down to the ground, 0.2 m too short: it bends the bar until k eta = -F, F = k_s (0.2 + eta).
static void expect_static_bending(bi_joint_kind clamp)
{
    const double spring = 150.0, short_by = 0.2;
    bar b = make_bar((bi_vec3){ 0.0, 1.0, 0.0 }, 0.5);
    bi_model *model = bi_model_create("bar on a spring");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    bi_body body = add_bar(model, &b, 0.0);
    bi_joint hub =
        bi_add_joint(model, &(bi_joint_def){ .name = "hub", .kind = clamp, .a = BI_GROUND, .b = body });
    if (clamp == BI_REVOLUTE) {
        bi_add_guide(model,
                     &(bi_guide_def){ .name = "hold", .joint = hub, .value = bi_constant(model, 0.0) });
    }
    bi_element s = bi_add_spring(model, &(bi_spring_def){ .name = "s",
                                                          .a = { BI_GROUND, { 1.0, -1.0, 0.0 } },
                                                          .b = { body, tip_at },
                                                          .stiffness = spring,
                                                          .rest = 1.0 - short_by });
    add_tip(model, body);
    bi_add_output(model, &(bi_output_def){ .name = "F", .kind = BI_OUT_EFFORT, .element = s });
    run_model run = run_start(model, BI_ALI3P, 1e-3, 4.0);
    run_to(&run, 4.0);
    double force = run_read(&run, "F"), eta = run_read(&run, "T.y");
    double wanted = -spring * short_by / (b.stiffness + spring);
    // 4 s of damping at half critical: exp(-0.5 * 18.8 * 4) = 4e-17 left
    run_expect("bar on a spring, tip", fabs(eta - wanted) / fabs(wanted), 1e-9);
    run_expect("bar on a spring, force over stiffness", fabs(eta + force / b.stiffness) / fabs(wanted), 1e-9);
    run_expect("bar on a spring, straight", fabs(run_read(&run, "T.x") - 1.0) + fabs(run_read(&run, "T.z")),
               1e-9);
    run_close(&run);
}

static void test_spring_on_the_tip_bends_a_held_bar_as_far_as_its_stiffness_allows(void **state)
{
    (void)state;
    expect_static_bending(BI_REVOLUTE);
}

static void test_spring_on_the_tip_bends_a_fixed_bar_as_far_as_its_stiffness_allows(void **state)
{
    (void)state;
    expect_static_bending(BI_FIXED);
}

// A row on a node that the modes move: the spinning body hangs by such a node on a link. The node accelerates by itself in
// the turning frame, which the row must know; Runge-Kutta keeps the energy only if it does.
static void test_flexible_body_with_a_node_on_a_link_keeps_energy_and_length(void **state)
{
    (void)state;
    const double dt = 1e-3, reach = 0.8;
    bi_model *model = floating_body();
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -9.81 });
    bi_body body = bi_model_body(model, "body");
    bi_pose pose = { { 0.3, 0.1, -0.2 }, { 0.8, 0.36, 0.0, 0.48 } };
    bi_vec3 hook = run_add(run_point(pose, corner_at[2]), (bi_vec3){ 0.0, 0.0, reach });
    bi_add_joint(model, &(bi_joint_def){ .name = "link",
                                         .kind = BI_DISTANCE,
                                         .a = BI_GROUND,
                                         .b = body,
                                         .at_a = hook,
                                         .at_b = corner_at[2],
                                         .local = BI_AT_A | BI_AT_B });
    run_model run = run_start(model, BI_INDEX1_RK4, dt, 2.0);
    double energy = run_read(&run, "energy.total"), drift_energy = 0.0, drift_length = 0.0, most = 0.0;
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        bi_vec3 node = read_point(&run, "n2", "");
        drift_length = fmax(drift_length, fabs(run_norm(run_sub(node, hook)) - reach));
        drift_energy = fmax(drift_energy, fabs(run_read(&run, "energy.total") - energy));
        most = fmax(most, run_read(&run, "energy.kinetic"));
        assert_true(isfinite(node.x));
    }
    run_close(&run);
    assert_true(most > 1.0); // it must really move, or nothing is tested
    run_expect("flexible body on a link, length", drift_length, 1e-9);
    // (w h)^4 = 2e-7 for 20 rad/s, the fastest of spin and shapes under the link
    run_expect("flexible body on a link, energy", drift_energy / most, 2e-7);
}

// ---- what the description may not ask -----------------------------------------------------------------------------------------

// The work space of a step is cut for so many modes: more must be refused, not written past its end.
static void test_body_with_too_many_modes_is_refused(void **state)
{
    (void)state;
    enum { MANY = 257 };
    static const bi_vec3 at[1] = { { 0.0, 0.0, 0.0 } };
    static const double one[1] = { 1.0 };
    bi_vec3 shape[MANY] = { { 0.0, 0.0, 0.0 } };
    double stiffness[MANY];
    for (int k = 0; k < MANY; k++) {
        stiffness[k] = 1.0;
    }
    bi_modes modes = { 1, MANY, at, one, shape, stiffness, NULL, NULL, NULL, false };
    bi_model *model = bi_model_create("many modes");
    assert_non_null(model);
    bi_add_body(model, &(bi_body_def){ .name = "bar", .flex = &modes });
    bi_report report = { 0 };
    assert_null(bi_compile(model, &(bi_options){ 0 }, &report));
    assert_true(report.errors == 1);
    assert_non_null(strstr(report.issue[0].what, "257 modes"));
    bi_report_clear(&report);
    bi_model_destroy(model);
}

// So is the room for one constraint: twenty points of a body with a hundred modes are more than it has.
static void test_constraint_on_too_many_flexible_points_is_refused(void **state)
{
    (void)state;
    enum { HUNDRED = 100, POINTS = 20 };
    bi_vec3 at[POINTS], shape[HUNDRED * POINTS];
    double mass[POINTS], stiffness[HUNDRED];
    for (int p = 0; p < POINTS; p++) {
        at[p] = (bi_vec3){ 0.1 * p, 0.01 * p * p, 0.2 * (p % 3) };
        mass[p] = 1.0;
        for (int k = 0; k < HUNDRED; k++) {
            stiffness[k] = 1.0;
            shape[k * POINTS + p] = (bi_vec3){ 0.1 * k, 1.0 + p, 0.2 * k };
        }
    }
    bi_modes modes = { POINTS, HUNDRED, at, mass, shape, stiffness, NULL, NULL, NULL, false };
    bi_model *model = bi_model_create("wide");
    assert_non_null(model);
    bi_body body = bi_add_body(model, &(bi_body_def){ .name = "bar", .flex = &modes });
    bi_named_point point[POINTS];
    char name[POINTS][16], text[400] = "0";
    for (int k = 0; k < POINTS; k++) {
        snprintf(name[k], sizeof name[k], "P%d", k);
        snprintf(text + strlen(text), sizeof text - strlen(text), " + %s.x", name[k]);
        point[k] = (bi_named_point){ name[k], { body, at[k] } };
    }
    bi_add_expression(model, &(bi_expression_def){ .name = "wide",
                                                   .points = { POINTS, point },
                                                   .zero = bi_expression(model, text, NULL) });
    bi_report report = { 0 };
    assert_null(bi_compile(model, &(bi_options){ 0 }, &report));
    assert_true(report.errors == 1);
    printf("%s\n", report.issue[0].what);
    assert_non_null(strstr(report.issue[0].what, "flexible bodies"));
    bi_report_clear(&report);
    bi_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turning_bar_bends_in_plane_at_the_softened_frequency),
        cmocka_unit_test(test_turning_bar_bends_out_of_plane_at_its_own_frequency),
        cmocka_unit_test(test_turning_bar_with_runge_kutta_bends_as_the_closed_form),
        cmocka_unit_test(test_turning_mass_on_two_modes_is_an_oscillator_seen_from_ground),
        cmocka_unit_test(test_floating_flexible_body_keeps_momentum_and_energy),
        cmocka_unit_test(test_floating_flexible_body_with_runge_kutta_keeps_momentum_and_energy),
        cmocka_unit_test(test_spring_on_the_tip_bends_a_held_bar_as_far_as_its_stiffness_allows),
        cmocka_unit_test(test_spring_on_the_tip_bends_a_fixed_bar_as_far_as_its_stiffness_allows),
        cmocka_unit_test(test_flexible_body_with_a_node_on_a_link_keeps_energy_and_length),
        cmocka_unit_test(test_body_with_too_many_modes_is_refused),
        cmocka_unit_test(test_constraint_on_too_many_flexible_points_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
