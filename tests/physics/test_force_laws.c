// SPDX-License-Identifier: MIT
// Force laws at work against closed forms, in both formulations.
#include "support/text_model.h"

// A block of 2 kg on rails along x, gravity off.
#define BLOCK                                                                                                \
    "gravity: [0, 0, 0]\n"                                                                                   \
    "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"                                                 \
    "outputs: {x: {joint: rail}, f: {effort: law}}\n"
#define RAIL(extra) "joints: {rail: {type: prismatic, bodies: [ground, block], axis: [1, 0, 0]" extra "}}\n"

static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };
enum { N_BOTH = 2 };

// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
static double elliptic_k(double m)
{
    double a = 1.0, b = sqrt(1.0 - m);
    while (fabs(a - b) > 1e-15) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * run_pi / a;
}

// ---- springs ----------------------------------------------------------------------------------------------------

// Two stiffnesses, 8 N/m pushing and 72 N/m pulling: half a period of each, pi sqrt(m/k).
static void test_spring_with_two_stiffnesses_has_two_half_periods(void **state)
{
    (void)state;
    double first = run_pi * sqrt(2.0 / 72.0), second = run_pi * sqrt(2.0 / 8.0), A = 0.5;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(&(text_case){
            BLOCK RAIL(", value: 0.5") "tables: {kinked: {points: [[-9, -72], [0, 0], [9, 648]], "
                                       "interpolation: linear}}\n"
                                       "forces: {law: {type: torsion-spring, joint: rail, table: kinked}}\n",
            both[c], BI_ALI3P, 1e-4 });
        // the trapezoidal rule is late by (w h)^2 / 12 = 3e-7 of the phase; each kink is met within a step, to its second order
        run_to(&run, 0.5 * first);
        run_expect("kinked spring, quarter", fabs(run_read(&run, "x.position")), 1e-6);
        run_to(&run, 0.5 * first + 0.5 * second);
        // the energy of the pull is that of the push: 72 A^2 = 8 B^2
        run_expect("kinked spring, far side", fabs(run_read(&run, "x.position") + 3.0 * A), 1e-5);
        run_to(&run, first + second);
        run_expect("kinked spring, period", fabs(run_read(&run, "x.position") - A), 1e-5);
        run_close(&run);
    }
}

// x'' = -x - x^3 from A: period 4 K(m) / sqrt(1 + A^2), m = A^2 / (2 (1 + A^2)).
static void test_tabulated_cubic_spring_has_the_period_of_the_elliptic_integral(void **state)
{
    (void)state;
    double A = 1.5, period = 4.0 * elliptic_k(A * A / (2.0 * (1.0 + A * A))) / sqrt(1.0 + A * A);
    static char text[8192];
    // points on the cubic; a spline through them is wrong by 5/384 h^4 f'''' = 0 inside, and at its free ends beyond +-2.4 only
    int used = snprintf(text, sizeof text, "%s", BLOCK RAIL(", value: 1.5") "tables: {c: {points: [");
    for (int k = -60; k <= 60; k++) {
        double x = 0.05 * k;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s[%.2f, %.12g]", k > -60 ? ", " : "", x,
                         2.0 * (x + x * x * x));
    }
    snprintf(text + used, sizeof text - (size_t)used,
             "]}}\nforces: {law: {type: torsion-spring, joint: rail, table: c}}\n");
    run_model run = text_run(&(text_case){ text, BI_NATURAL, BI_ALI3P, 2e-4 });
    run_to(&run, 0.25 * period);
    // late by (w h)^2 / 12 of a phase of pi/2 at w up to 2.8 rad/s, times the speed of 2.3 m/s: 6e-8
    run_expect("cubic spring, quarter period", fabs(run_read(&run, "x.position")), 2e-7);
    run_to(&run, period);
    run_expect("cubic spring, energy", fabs(run_read(&run, "energy.balance")), 1e-6);
    run_close(&run);
}

// Weight on a preloaded spring: preload + k e = m g.
static void test_preloaded_spring_stands_where_its_tension_carries_the_weight(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(
            &(text_case){ "gravity: [0, 0, -10]\n"
                          "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                          "joints: {rail: {type: prismatic, bodies: [ground, block], axis: [0, 0, 1]}}\n"
                          "forces: {law: {type: spring, a: {body: ground, at: [0, 0, 1]}, b: {body: block}, "
                          "stiffness: 100, damping: 20, "
                          "rest: 0.9, preload: 5}}\n"
                          "outputs: {x: {joint: rail}, f: {effort: law}}\n",
                          both[c], BI_ALI3P, 1e-3 });
        run_to(&run, 8.0);
        // decays as exp(-5 t): 4e-18 is left
        run_expect("preload position", fabs(run_read(&run, "x.position") - (1.0 - 0.9 - 0.15)), 1e-10);
        run_expect("preload tension", fabs(run_read(&run, "f") - 20.0), 1e-8);
        run_close(&run);
    }
}

// The position of a cylindrical joint, its second coordinate: 18 N/m on 2 kg swing with 3 rad/s, and the turn stays free.
static void test_spring_on_the_second_coordinate_of_a_joint_swings_that_one(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(&(text_case){
            "gravity: [0, 0, 0]\n"
            "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [3, 0, 0], spin: [2, 0, 0]}}\n"
            "joints: {lead: {type: cylindrical, bodies: [ground, block], axis: [1, 0, 0]}}\n"
            "forces: {law: {type: torsion-spring, joint: lead.position, stiffness: 18}}\n"
            "outputs: {x: {joint: lead}}\n",
            both[c], BI_ALI3P, 1e-3 });
        run_to(&run, 1.0);
        // (w h)^2 / 12 of a phase of 3 rad: 2e-6
        run_expect("second coordinate", fabs(run_read(&run, "x.position") - sin(3.0)), 3e-6);
        run_expect("first coordinate", fabs(run_read(&run, "x.angle") - 2.0), 2e-6);
        run_close(&run);
    }
}

// A rope falls slack: free flight of a parabola between, and no push ever.
static void test_rope_pulls_and_never_pushes(void **state)
{
    (void)state;
    run_model run = text_run(
        &(text_case){ BLOCK RAIL(", value: 0.9, rate: 2") "forces: {law: {type: spring, a: {body: ground}, "
                                                          "b: {body: block}, stiffness: 200, damping: 3, "
                                                          "rest: 1, only: tension}}\n",
                      BI_NATURAL, BI_ALI3P, 1e-3 });
    double least = 0.0, most = 0.0;
    for (int k = 0; k < 600; k++) {
        run_step(&run);
        least = fmin(least, run_read(&run, "f"));
        most = fmax(most, run_read(&run, "f"));
    }
    assert_true(least == 0.0);
    assert_true(most > 10.0);
    // back from the rope it flies freely: constant rate, and what is lost was lost in the damper
    double rate = run_read(&run, "x.rate");
    run_step(&run);
    assert_true(run_read(&run, "f") == 0.0 && rate < -1.0);
    run_expect("free flight", fabs(run_read(&run, "x.rate") - rate), 1e-12);
    run_expect("rope energy balance", fabs(run_read(&run, "energy.balance")), 1e-4);
    run_close(&run);
}

// ---- stop ---------------------------------------------------------------------------------------------------------

// Left when the force is zero: e = exp(-zeta / sqrt(1 - zeta^2) (pi - 2 asin zeta)).
static double bounce(double zeta, double dt)
{
    char text[1024];
    double damping = 2.0 * zeta * sqrt(2.0 * 2e4);
    snprintf(text, sizeof text,
             BLOCK RAIL(", value: 0.9, rate: 3") "forces: {law: {type: stop, joint: rail, lower: -1, upper: "
                                                 "1, stiffness: 2e4, damping: %.17g}}\n",
             damping);
    run_model run = text_run(&(text_case){ text, BI_NATURAL, BI_ALI3P, dt });
    run_to(&run, 0.1);
    double ratio = -run_read(&run, "x.rate") / 3.0;
    assert_true(run_read(&run, "x.position") < 1.0);
    run_close(&run);
    return ratio;
}

static void test_stop_returns_the_speed_of_its_damping_ratio(void **state)
{
    (void)state;
    for (double zeta = 0.0; zeta < 0.5; zeta += 0.2) {
        double wanted = exp(-zeta / sqrt(1.0 - zeta * zeta) * (run_pi - 2.0 * asin(zeta)));
        char name[40];
        snprintf(name, sizeof name, "bounce, damping ratio %.1f", zeta);
        // both ends of the touch fall inside a step: w h = 1e-3 of relative error each, at most
        run_expect(name, fabs(bounce(zeta, 1e-5) - wanted), 1e-3);
    }
    run_expect("bounce without damping", fabs(bounce(0.0, 1e-5) - 1.0), 1e-5);
}

// ---- friction, brake ----------------------------------------------------------------------------------------------

static void test_joint_friction_holds_below_breakaway_and_creeps_nowhere(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(&(text_case){
            BLOCK RAIL("") "forces:\n"
                           "  law: {type: joint-friction, joint: rail, coulomb: 8, breakaway: 10, stribeck: "
                           "0.01, inertia: 2}\n"
                           "  push: {type: torque, joint: rail, torque: \"9.9*smooth(t, 0, 1)\"}\n",
            both[c], BI_ALI3P, 1e-3 });
        run_to(&run, 3.0);
        double at = run_read(&run, "x.position");
        // the stick spring of 2 kg / (0.03 s)^2 gives by its force over stiffness
        run_expect("stick offset", fabs(at - 9.9 / (2.0 / 9e-4)), 1e-9);
        run_to(&run, 6.0);
        run_expect("creep in 3 s", fabs(run_read(&run, "x.position") - at), 1e-12);
        run_expect("creep rate", fabs(run_read(&run, "x.rate")), 1e-11);
        run_close(&run);
    }
}

static void test_joint_friction_breaks_away_above_its_limit(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK RAIL("") "forces:\n"
                       "  law: {type: joint-friction, joint: rail, coulomb: 8, breakaway: 10, "
                       "stribeck: 0.01, inertia: 2}\n"
                       "  push: {type: torque, joint: rail, torque: \"10.1*smooth(t, 0, 1)\"}\n",
        BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 3.0);
    double before = run_read(&run, "x.rate");
    run_to(&run, 4.0);
    // far above the Stribeck rate the friction is Coulomb's: 2.1 N accelerate 2 kg
    run_expect("acceleration after breakaway", fabs(run_read(&run, "x.rate") - before - 1.05), 1e-9);
    run_close(&run);
}

static void test_joint_friction_decelerates_exactly_and_stops(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(&(text_case){
            BLOCK RAIL(
                ", rate: 3") "forces: {law: {type: joint-friction, joint: rail, coulomb: 8, inertia: 2}}\n",
            both[c], BI_ALI3P, 1e-3 });
        run_to(&run, 0.5);
        // constant deceleration of 4 m/s2: the trapezoidal rule has no error
        run_expect("sliding rate", fabs(run_read(&run, "x.rate") - 1.0), 1e-11);
        run_expect("sliding way", fabs(run_read(&run, "x.position") - 1.0), 1e-11);
        run_to(&run, 3.0);
        assert_true(fabs(run_read(&run, "x.rate")) < 1e-12);
        // stops at 1.125 m, within the give of the stick spring, 8 N over 2222 N/m
        run_expect("stopping place", fabs(run_read(&run, "x.position") - 1.125), 4e-3);
        run_close(&run);
    }
}

// Released, half, full: sliding with 6 N, then holding 10 N.
static void test_brake_slows_by_its_command_and_holds_at_rest(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK RAIL(", rate: 3") "inputs: {pedal: 0.5}\n"
                                "forces:\n"
                                "  law: {type: brake, joint: rail, command: pedal, torque: 12, inertia: 2}\n"
                                "  pull: {type: torque, joint: rail, torque: 10*step(t - 2.0005)}\n",
        BI_NATURAL, BI_ALI3P, 1e-3 });
    bi_input pedal = bi_find_input(run.system, "pedal");
    run_to(&run, 0.4);
    run_expect("braked rate", fabs(run_read(&run, "x.rate") - (3.0 - 3.0 * 0.4)), 1e-11);
    bi_sim_input(run.sim, pedal, 1.0);
    run_to(&run, 5.0);
    run_expect("held rate", fabs(run_read(&run, "x.rate")), 1e-9);
    run_expect("holding force", fabs(run_read(&run, "f") + 10.0), 1e-7);
    bi_sim_input(run.sim, pedal, 0.0);
    run_to(&run, 5.002);
    double before = run_read(&run, "x.rate");
    run_to(&run, 6.002);
    run_expect("released", fabs(run_read(&run, "x.rate") - before - 5.0), 1e-9);
    run_close(&run);
}

// ---- drag, motor, forces ------------------------------------------------------------------------------------------

// Falls with g = 10 to v_t = sqrt(2 m g / (rho cd A)): v = v_t tanh(g t / v_t).
static double fall_error(double dt)
{
    run_model run = text_run(&(text_case){
        "gravity: [0, 0, -10]\n"
        "bodies: {ball: {mass: 0.5, inertia: [0.1, 0.1, 0.1]}}\n"
        "forces: {law: {type: drag, point: {body: ball}, area: 0.2, coefficient: 0.8, density: 1.25}}\n"
        "outputs: {p: {point: {body: ball}}}\n",
        BI_NATURAL, BI_ALI3P, dt });
    double terminal = sqrt(2.0 * 0.5 * 10.0 / (1.25 * 0.8 * 0.2));
    run_to(&run, 1.0);
    double error = fabs(run_read(&run, "p.vz") + terminal * tanh(10.0 / terminal));
    run_close(&run);
    return error;
}

static void test_falling_ball_follows_the_hyperbolic_tangent(void **state)
{
    (void)state;
    double coarse = fall_error(2e-2), fine = fall_error(1e-2);
    run_expect("falling ball", fine, 1e-4);
    run_expect_order_two("falling ball", coarse, fine);
}

// T (1 - exp(-t/tau)) on 2 kg: v = T/m (t - tau (1 - exp(-t/tau))).
static void test_motor_lag_rises_as_an_exponential(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        run_model run = text_run(&(text_case){
            BLOCK RAIL(
                "") "forces: {law: {type: motor, joint: rail, command: 50, torque_limit: 6, time: 0.2}}\n",
            BI_NATURAL, scheme == 0 ? BI_ALI3P : BI_INDEX1_RK4, 1e-3 });
        run_to(&run, 0.5);
        double decay = exp(-2.5), wanted = 3.0 * (0.5 - 0.2 * (1.0 - decay));
        // trapezoidal rule: (h/tau)^2 / 12 = 2e-6 of the decaying part; RK4: (h/tau)^4
        run_expect("motor torque", fabs(run_read(&run, "f") - 6.0 * (1.0 - decay)),
                   scheme == 0 ? 1e-5 : 1e-10);
        run_expect("motor speed", fabs(run_read(&run, "x.rate") - wanted), scheme == 0 ? 1e-5 : 1e-10);
        run_close(&run);
    }
}

// At its power limit the kinetic energy grows by the power.
static void test_motor_power_limit_bounds_the_growth_of_energy(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK RAIL(", rate: 4") "forces: {law: {type: motor, joint: rail, command: 50, power_limit: 30}}\n",
        BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 2.0);
    // 16 J at the start and 60 J of work; the rule's own error (h/t)^2
    run_expect("motor at its power", fabs(run_read(&run, "energy.kinetic") - 76.0), 1e-4);
    run_close(&run);
}

static void test_speed_controlled_motor_approaches_its_speed(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        BLOCK RAIL("") "forces: {law: {type: motor, joint: rail, control: speed, command: 3, gain: 10}}\n",
        BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 0.4);
    // m v' = g (3 - v): time constant 0.2 s
    run_expect("motor speed control", fabs(run_read(&run, "x.rate") - 3.0 * (1.0 - exp(-2.0))), 1e-5);
    run_close(&run);
}

static void test_forces_and_moments_by_expressions_accelerate_a_free_body(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run =
            text_run(&(text_case){ "gravity: [0, 0, 0]\n"
                                   "bodies: {free: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
                                   "forces:\n"
                                   "  push: {type: force, point: {body: free}, fx: 4*t, fy: 2}\n"
                                   "  turn: {type: torque-on-body, body: free, mz: 0.6, axes: body}\n"
                                   "outputs: {b: {body: free}}\n",
                                   both[c], BI_ALI3P, 1e-3 });
        run_to(&run, 1.0);
        run_expect("force vx", fabs(run_read(&run, "b.vx") - 1.0), 1e-9);
        run_expect("force vy", fabs(run_read(&run, "b.vy") - 1.0), 1e-9);
        // turning by 1 rad in steps of 1e-3 at 2 rad/s: (w h)^2 of the rotation's chords
        run_expect("moment wz", fabs(run_read(&run, "b.wz") - 2.0), 2e-6);
        run_close(&run);
    }
}

// A jet fixed to the body drives it in a circle: force along the body's y, spin constant.
static void test_body_fixed_force_turns_with_the_body(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ "gravity: [0, 0, 0]\n"
                               "bodies: {free: {mass: 2, inertia: [0.1, 0.2, 0.3], spin: [0, 0, 3]}}\n"
                               "forces: {push: {type: force, point: {body: free}, fy: 4, axes: body}}\n"
                               "outputs: {b: {body: free}}\n",
                               BI_JOINT, BI_ALI3P, 1e-3 });
    run_to(&run, 1.0);
    // v = a/w (cos wt - 1, sin wt), a = 2, w = 3
    run_expect("jet vx", fabs(run_read(&run, "b.vx") - 2.0 / 3.0 * (cos(3.0) - 1.0)), 1e-5);
    run_expect("jet vy", fabs(run_read(&run, "b.vy") - 2.0 / 3.0 * sin(3.0)), 1e-5);
    run_close(&run);
}

// ---- bushing --------------------------------------------------------------------------------------------------------

// A cantilever of EI = 100 N m2 and 1 m as a 6x6: y and rotation about z coupled by 12, -6, 4 EI/L^n.
#define BEAM "[500, 0, 0, 0, 0, 0, 1200, 0, 0, 0, -600, 1200, 0, 600, 0, 80, 0, 0, 400, 0, 400]"
#define BEAM_DAMPING "[25, 0, 0, 0, 0, 0, 60, 0, 0, 0, -30, 60, 0, 30, 0, 4, 0, 0, 20, 0, 20]"

static void test_bushing_of_a_beam_bends_as_a_cantilever(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        run_model run = text_run(
            &(text_case){ "gravity: [0, 0, 0]\n"
                          "bodies: {tip: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
                          "forces:\n"
                          "  beam: {type: bushing, a: {body: ground}, b: {body: tip}, stiffness: " BEAM
                          ", damping: " BEAM_DAMPING "}\n"
                          "  load: {type: force, point: {body: tip}, fy: 3e-4}\n"
                          "  side: {type: torque-on-body, body: tip, my: 2e-4}\n"
                          "outputs: {b: {body: tip}}\n",
                          both[c], BI_ALI3P, 2e-3 });
        run_to(&run, 12.0);
        // F L^3 / 3 EI and F L^2 / 2 EI; M L^2 / 2 EI and M L / EI: rotations of 1e-6 make the rest linear to 1e-6 of these
        run_expect("beam deflection", fabs(run_read(&run, "b.y") - 1e-6), 1e-12);
        run_expect("beam slope", fabs(2.0 * run_read(&run, "b.qz") - 1.5e-6), 2e-12);
        run_expect("beam side deflection", fabs(run_read(&run, "b.z") + 1e-6), 1e-12);
        run_expect("beam side slope", fabs(2.0 * run_read(&run, "b.qy") - 2e-6), 2e-12);
        run_close(&run);
    }
}

// Large turns, no damping: forces by virtual work keep the energy to the order of the rule.
static double bushing_drift(bi_coordinates coordinates, double dt)
{
    run_model run = text_run(&(text_case){
        "gravity: [0, 0, 0]\n"
        "bodies: {tip: {mass: 1, inertia: [0.1, 0.2, 0.25], spin: [4, -5, 3], velocity: [1, 2, 0]}}\n"
        "forces: {beam: {type: bushing, a: {body: ground, turn: [{x: 30 deg}]}, b: {body: tip, at: [0.1, 0, "
        "0]}, "
        "stiffness: [50, 60, 40, 6, 4, 5], preload: [1, 2, 0, 0.1, 0, 0]}}\n",
        coordinates, BI_ALI3P, dt });
    double worst = 0.0;
    while (run_now(&run) < 1.0 - 1e-9) {
        run_step(&run);
        worst = fmax(worst, fabs(run_read(&run, "energy.balance")));
    }
    run_close(&run);
    return worst;
}

static void test_bushing_keeps_the_energy_at_large_turns(void **state)
{
    (void)state;
    for (int c = 0; c < N_BOTH; c++) {
        double coarse = bushing_drift(both[c], 2e-3), fine = bushing_drift(both[c], 1e-3);
        run_expect("bushing energy", fine, 1e-3);
        run_expect_order_two("bushing energy", coarse, fine);
    }
}

// ---- the user's own -------------------------------------------------------------------------------------------------

static void pull_home(void *data, const bi_force_motion *at, bi_force_load *out)
{
    double k = *(const double *)data;
    out->effort[0] = -k * at->value[0];
    out->scalar = out->effort[0];
    out->K[0] = k;
}

static void pull_home_wrongly(void *data, const bi_force_motion *at, bi_force_load *out)
{
    pull_home(data, at, out);
    out->K[0] *= 2.0;
}

static run_model user_run(void (*eval)(void *, const bi_force_motion *, bi_force_load *), bool gives,
                          double *k)
{
    run_model run = { .dt = 1e-3, .time = 1.0 };
    run.model = text_read(BLOCK RAIL(", value: 0.5") "forces: {law: {type: torsion-spring, joint: rail}}\n",
                          &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_add_user_force(run.model, &(bi_user_force_def){ .name = "own",
                                                       .n_joint = 1,
                                                       .joint = { bi_model_joint(run.model, "rail") },
                                                       .eval = eval,
                                                       .data = k,
                                                       .gives_tangent = gives });
    run.system = bi_compile(run.model, &(bi_options){ .dt = 1e-3 }, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    assert_non_null(run.sim);
    return run;
}

static void test_user_force_moves_as_a_spring_with_or_without_tangent(void **state)
{
    (void)state;
    double k = 18.0; // on 2 kg: 3 rad/s
    for (int gives = 0; gives < 2; gives++) {
        run_model run = user_run(pull_home, gives, &k);
        assert_int_equal(bi_sim_start(run.sim, &run.report), BI_OK);
        run_to(&run, 1.0);
        // (w h)^2 / 12 of a phase of 3 rad: 2e-6
        run_expect("user spring", fabs(run_read(&run, "x.position") - 0.5 * cos(3.0)), 2e-6);
        run_expect("user spring energy", fabs(run_read(&run, "energy.balance")), 1e-5);
        run_close(&run);
    }
}

static void test_user_force_with_a_wrong_tangent_is_named_at_the_start(void **state)
{
    (void)state;
    double k = 18.0;
    run_model run = user_run(pull_home_wrongly, true, &k);
    assert_int_equal(bi_sim_start(run.sim, &run.report), BI_BAD_MODEL);
    assert_int_equal(run.report.errors, 1);
    assert_string_equal(run.report.issue[0].where, "own");
    assert_non_null(strstr(run.report.issue[0].what, "K[0][0] = 36"));
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_with_two_stiffnesses_has_two_half_periods),
        cmocka_unit_test(test_tabulated_cubic_spring_has_the_period_of_the_elliptic_integral),
        cmocka_unit_test(test_preloaded_spring_stands_where_its_tension_carries_the_weight),
        cmocka_unit_test(test_spring_on_the_second_coordinate_of_a_joint_swings_that_one),
        cmocka_unit_test(test_rope_pulls_and_never_pushes),
        cmocka_unit_test(test_stop_returns_the_speed_of_its_damping_ratio),
        cmocka_unit_test(test_joint_friction_holds_below_breakaway_and_creeps_nowhere),
        cmocka_unit_test(test_joint_friction_breaks_away_above_its_limit),
        cmocka_unit_test(test_joint_friction_decelerates_exactly_and_stops),
        cmocka_unit_test(test_brake_slows_by_its_command_and_holds_at_rest),
        cmocka_unit_test(test_falling_ball_follows_the_hyperbolic_tangent),
        cmocka_unit_test(test_motor_lag_rises_as_an_exponential),
        cmocka_unit_test(test_motor_power_limit_bounds_the_growth_of_energy),
        cmocka_unit_test(test_speed_controlled_motor_approaches_its_speed),
        cmocka_unit_test(test_forces_and_moments_by_expressions_accelerate_a_free_body),
        cmocka_unit_test(test_body_fixed_force_turns_with_the_body),
        cmocka_unit_test(test_bushing_of_a_beam_bends_as_a_cantilever),
        cmocka_unit_test(test_bushing_keeps_the_energy_at_large_turns),
        cmocka_unit_test(test_user_force_moves_as_a_spring_with_or_without_tangent),
        cmocka_unit_test(test_user_force_with_a_wrong_tangent_is_named_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
