// SPDX-License-Identifier: MIT
// Coordinates of universal and planar joints, values and rates of all coordinates at the start, and the zero of angles:
// against closed forms, in both formulations, with the bodies of the joint in either order.
#include "support/run_model.h"

static run_model open_with(const char *text, bi_coordinates coordinates, double dt)
{
    run_model run = { .dt = dt, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_ALI3P);
    return run;
}

static run_model open_text(const char *text, bi_coordinates coordinates)
{
    return open_with(text, coordinates, 1e-3);
}

static const bi_coordinates both[2] = { BI_NATURAL, BI_JOINT };

// ---- a gimbal -------------------------------------------------------------------------------------------------------

// The axis of the ground is x: its reference direction is y; that of the body is its y: its reference direction is x.
// So R = Rx(angle1) Ry(angle2), and a quarter turn makes angle2 zero where the frames are parallel.
#define GIMBAL(more)                                                                                         \
    "biela: 1\nname: gimbal\ngravity: [0, 0, 0]\n"                                                           \
    "bodies: {top: {mass: 2, inertia: [0.3, 0.4, 0.6]}}\n"                                                   \
    "joints:\n  u: {type: universal, bodies: [ground, top], axis_a: [1, 0, 0], axis_b: [0, 1, 0]" more "}\n" \
    "outputs:\n  u: {joint: u}\n  R: {rotation: {body: top}}\n  top: {body: top}\n  a: {acceleration: "      \
    "u.angle2}\n"

static void expect_turned(run_model *run, double one, double two)
{
    double c1 = cos(one), s1 = sin(one), c2 = cos(two), s2 = sin(two);
    run_expect("R.xx", fabs(run_read(run, "R.xx") - c2), 1e-9);
    run_expect("R.xz", fabs(run_read(run, "R.xz") - s2), 1e-9);
    run_expect("R.yx", fabs(run_read(run, "R.yx") - s1 * s2), 1e-9);
    run_expect("R.yy", fabs(run_read(run, "R.yy") - c1), 1e-9);
    run_expect("R.zz", fabs(run_read(run, "R.zz") - c1 * c2), 1e-9);
}

static void test_universal_joint_turns_as_its_guided_angles_say(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(
            GIMBAL(", zero: described") "constraints:\n"
                                        "  g1: {type: guide, joint: u, value: 0.3 + 2*t}\n"
                                        "  g2: {type: guide, joint: u, coordinate: angle2, value: -3*t*t}\n",
            both[c]);
        run_to(&run, 0.5);
        run_expect("angle1", fabs(run_read(&run, "u.angle1") - 1.3), 1e-9);
        run_expect("angle2", fabs(run_read(&run, "u.angle2") + 0.75), 1e-9);
        run_expect("rate", fabs(run_read(&run, "u.rate") - 2.0), 1e-8);
        run_expect("angle2_rate", fabs(run_read(&run, "u.angle2_rate") + 3.0), 1e-8);
        run_expect("acceleration", fabs(run_read(&run, "a") + 6.0), 1e-6);
        expect_turned(&run, 1.3, -0.75);
        run_close(&run);
    }
}

// The kinetic energy is (Ix c^2 + Iz s^2) a'^2 / 2 + Iy b'^2 / 2: with no torque the momentum of a is kept, and b swings
// in what that leaves. Both numbers stay what they were at the start, at speed, with a spring on b.
static void test_universal_joint_started_at_speed_keeps_momentum_and_energy(void **state)
{
    (void)state;
    static const char free_top[] =
        GIMBAL(", zero: described, value: [0.4, 0.2], rate: [5, 3]") "forces:\n"
                                                                     "  k: {type: torsion-spring, joint: "
                                                                     "u.angle2, stiffness: 7}\n";
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(free_top, both[c]);
        run_expect("value", fabs(run_read(&run, "u.angle1") - 0.4), 1e-12);
        run_expect("second value", fabs(run_read(&run, "u.angle2") - 0.2), 1e-12);
        run_expect("second rate", fabs(run_read(&run, "u.angle2_rate") - 3.0), 1e-9);
        double momentum[2], energy[2];
        for (int k = 0; k < 2; k++) {
            double b = run_read(&run, "u.angle2"), da = run_read(&run, "u.rate"),
                   db = run_read(&run, "u.angle2_rate");
            double about = 0.3 * cos(b) * cos(b) + 0.6 * sin(b) * sin(b);
            momentum[k] = about * da;
            energy[k] = 0.5 * about * da * da + 0.5 * 0.4 * db * db + 0.5 * 7.0 * b * b;
            run_to(&run, 1.0);
        }
        run_expect("energy told", fabs(run_read(&run, "energy.total") - energy[1]), 1e-9);
        run_expect("momentum", fabs(momentum[1] - momentum[0]), 3e-5); // (omega h)^2 of 1.5
        run_expect("energy", fabs(energy[1] - energy[0]), 3e-5);
        run_close(&run);
    }
}

// With its bodies in the other order the joint tells the same motion by its own rule, in the tree and by rows.
static void test_universal_joint_of_bodies_in_the_other_order_agrees_in_both_formulations(void **state)
{
    (void)state;
    static const char turned[] =
        "biela: 1\nname: gimbal\ngravity: [0, 0, -9.81]\n"
        "bodies: {top: {mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.4, 0.6]}}\n"
        "joints:\n  u: {type: universal, bodies: [top, ground], axis_a: [0.6, 0.8, 0], axis_b: [0, 0, 1],"
        " zero: [0.3, -0.2], value: [0.5, 0.1], rate: [4, -2]}\n"
        "forces:\n  k: {type: torsion-spring, joint: u.angle1, stiffness: 7, damping: 0.2}\n"
        "  s: {type: stop, joint: u.angle2, lower: -0.6, upper: 0.3, stiffness: 500, damping: 1}\n"
        "outputs:\n  u: {joint: u}\n  top: {body: top}\n";
    double seen[2][4];
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(turned, both[c]);
        run_expect("value", fabs(run_read(&run, "u.angle1") - 0.5), 1e-9);
        run_expect("second value", fabs(run_read(&run, "u.angle2") - 0.1), 1e-9);
        run_expect("second rate", fabs(run_read(&run, "u.angle2_rate") + 2.0), 1e-9);
        run_to(&run, 0.6);
        seen[c][0] = run_read(&run, "u.angle1");
        seen[c][1] = run_read(&run, "u.angle2");
        seen[c][2] = run_read(&run, "u.angle2_rate");
        seen[c][3] = run_read(&run, "top.qw") * run_read(&run, "top.qw");
        run_close(&run);
    }
    for (int k = 0; k < 4; k++) {
        // second order, another constant in each: the spring and the stop have 6 and 30 rad/s
        run_expect("formulations", fabs(seen[0][k] - seen[1][k]), k == 2 ? 1e-4 : 1e-5);
    }
}

// Cardan's joint: tan(output) = tan(input) / cos(bend), the output shaft held by a bearing on a bent line. The cross's
// angles follow from it: the axis of the driving yoke seen from the driven one.
static void test_universal_joint_between_bent_shafts_turns_as_cardan_found(void **state)
{
    (void)state;
    static const char shafts[] =
        "biela: 1\nname: shafts\ngravity: [0, 0, 0]\nparameters: {bend: 0.5}\n"
        "bodies:\n  one: {mass: 1, inertia: [1, 1, 1]}\n  two: {mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n  in: {type: revolute, bodies: [ground, one], axis: [1, 0, 0]}\n"
        "  out: {type: revolute, bodies: [ground, two], axis: [cos(bend), sin(bend), 0], zero: described}\n"
        "  u: {type: universal, bodies: [one, two], axis_a: [0, 0, 1], axis_b: [-sin(bend), cos(bend), 0], "
        "zero: described}\n"
        "constraints:\n  drive: {type: guide, joint: in, value: 3*t}\n"
        "outputs:\n  in: {joint: in}\n  out: {joint: out}\n  u: {joint: u}\n";
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(shafts, both[c]);
        run_to(&run, 0.4);
        double input = run_read(&run, "in.angle");
        run_expect("input", fabs(input - 1.2), 1e-9);
        // the driving yoke is across the plane of the bend: its angle counts from there
        run_expect("output", fabs(tan(run_read(&run, "out.angle")) - tan(input) * cos(0.5)), 1e-7);
        // the driven yoke seen from the driving one: in the plane of both shafts at first
        double angle = atan2(sin(0.5) * cos(input), cos(0.5)) - 0.5;
        run_expect("cross", fabs(run_read(&run, "u.angle1") - angle), 1e-7);
        run_close(&run);
    }
}

// ---- a puck on a plane ----------------------------------------------------------------------------------------------

// Springs of x and y and of the angle: three oscillators that know nothing of each other, started at value and rate.
static void test_planar_joint_with_springs_is_three_oscillators(void **state)
{
    (void)state;
    static const char puck[] =
        "biela: 1\nname: puck\ngravity: [0, 0, -9.81]\n"
        "bodies: {puck: {mass: 2, inertia: [0.3, 0.3, 0.5], at: [0, 0, 1], turn: [{z: 0.3}]}}\n"
        "joints: {p: {type: planar, bodies: [ground, puck], at: [0, 0, 1], value: [0.4, 0.1, -0.2], rate: "
        "[2, 1, 0.5], zero: described}}\n"
        "forces:\n  a: {type: torsion-spring, joint: p, stiffness: 8}\n"
        "  x: {type: torsion-spring, joint: p.x, stiffness: 18}\n"
        "  y: {type: torsion-spring, joint: p.y, stiffness: 50}\n"
        "outputs:\n  p: {joint: p}\n  puck: {body: puck}\n  R: {rotation: {body: puck}}\n";
    const double w[3] = { 4.0, 3.0, 5.0 }, at[3] = { 0.4, 0.1, -0.2 }, v[3] = { 2.0, 1.0, 0.5 };
    static const char *const name[3] = { "p.angle", "p.x", "p.y" };
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(puck, both[c]);
        run_to(&run, 0.7);
        for (int k = 0; k < 3; k++) {
            double right = at[k] * cos(w[k] * 0.7) + v[k] / w[k] * sin(w[k] * 0.7);
            // phase of the trapezoidal rule: (w h)^2 / 12 of w t
            run_expect(name[k], fabs(run_read(&run, name[k]) - right), 1e-5);
        }
        run_expect("place", fabs(run_read(&run, "puck.x") - run_read(&run, "p.x")), 1e-9);
        double turn = atan2(run_read(&run, "R.yx"), run_read(&run, "R.xx"));
        run_expect("turn", fabs(turn - 0.3 - run_read(&run, "p.angle")), 1e-9);
        run_close(&run);
    }
}

// In the other order ways are told in the axes of the puck, which turns: the ground's point seen from it.
static void test_planar_joint_in_the_other_order_tells_ways_in_the_axes_of_its_first_body(void **state)
{
    (void)state;
    static const char puck[] =
        "biela: 1\nname: puck\ngravity: [0, 0, 0]\n"
        "bodies: {puck: {mass: 2, inertia: [0.3, 0.3, 0.5], at: [1, 0.5, 0], velocity: [-2, 1, 0], spin: [0, "
        "0, 3]}}\n"
        "joints: {p: {type: planar, bodies: [puck, ground], at_a: [0, 0, 0], at_b: [0, 0, 0]}}\n"
        "outputs:\n  p: {joint: p}\n";
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(puck, both[c]);
        run_to(&run, 0.5);
        double x = 1.0 - 2.0 * 0.5, y = 0.5 + 0.5, turn = 1.5;
        run_expect("angle", fabs(run_read(&run, "p.angle") + turn), 1e-6);
        run_expect("x", fabs(run_read(&run, "p.x") + cos(turn) * x + sin(turn) * y), 1e-6);
        run_expect("y", fabs(run_read(&run, "p.y") + cos(turn) * y - sin(turn) * x), 1e-6);
        run_close(&run);
    }
}

// ---- a bearing with play --------------------------------------------------------------------------------------------

// A journal of 2 kg in a ring with a gap of c = 1 mm and k = 1e6 N/m behind it: it crosses the gap at v and stays at the
// wall for half a period of the spring, so that it is back after 2 (2 c/v + pi sqrt(m/k)).
static void test_journal_in_a_bearing_with_play_has_the_period_of_gap_and_wall(void **state)
{
    (void)state;
    static const char bearing[] =
        "biela: 1\nname: play\ngravity: [0, 0, 0]\n"
        "bodies: {journal: {mass: 2, inertia: [0.3, 0.3, 0.5]}}\n"
        "joints: {p: {type: planar, bodies: [ground, journal], value: [0, 0.5 mm, 0], rate: [3, 0.1, 0]}}\n"
        "tables: {gap: {points: [[0, 0], [0.001, 0], [0.002, 1000]], interpolation: linear, outside: "
        "extrapolate}}\n"
        "forces: {ring: {type: spring, a: {body: ground}, b: {body: journal}, table: gap}}\n"
        "outputs: {p: {joint: p}}\n";
    const double period = 2.0 * (2.0 * 0.001 / 0.1 + run_pi * sqrt(2.0 / 1e6));
    for (int c = 0; c < 2; c++) {
        run_model run = open_with(bearing, both[c], 5e-5);
        for (int k = 1; k <= 3; k++) {
            assert_int_equal(bi_sim_run_to(run.sim, k * period), BI_OK);
            // a step that meets the wall is of second order in w h = 0.035: 3e-4 of the speed; half of 3e-5 m/s times the
            // period of 49 ms for each period that follows
            run_expect("back again", fabs(run_read(&run, "p.x") - 0.5e-3), k * (k + 1) * 8e-7);
            run_expect("its speed", fabs(run_read(&run, "p.x_rate") - 0.1), k * 3e-5);
        }
        run_expect("turned on", fabs(run_read(&run, "p.angle") - 9.0 * period), 1e-6);
        run_close(&run);
    }
}

// ---- zero and start -------------------------------------------------------------------------------------------------

static void test_zero_of_an_angle_is_where_it_is_said(void **state)
{
    (void)state;
    static const char rods[] =
        "biela: 1\nname: rods\ngravity: [0, -9.81, 0]\n"
        "bodies:\n  one: {mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1], turn: [{z: 1.1}]}\n"
        "  two: {mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1], turn: [{z: 1.1}]}\n"
        "  three: {mass: 1, com: [1, 0, 0], inertia: [0, 0.1, 0.1], turn: [{z: 1.1}]}\n"
        "joints:\n  a: {type: revolute, bodies: [ground, one]}\n"
        "  b: {type: revolute, bodies: [ground, two], zero: described}\n"
        "  c: {type: revolute, bodies: [three, ground], zero: -90 deg}\n"
        "outputs:\n  a: {joint: a}\n  b: {joint: b}\n  c: {joint: c}\n";
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(rods, both[c]);
        run_expect("as described", fabs(run_read(&run, "b.angle")), 1e-15);
        for (int k = 0; k < 2; k++) {
            double a = run_read(&run, "a.angle");
            run_expect("described", fabs(run_read(&run, "b.angle") - (a - 1.1)), 1e-9);
            run_expect("a quarter", fabs(run_read(&run, "c.angle") - (0.5 * run_pi - a)), 1e-9);
            run_to(&run, 1.0);
        }
        run_close(&run);
    }
}

static void test_cylindrical_joint_starts_with_both_values_and_restores(void **state)
{
    (void)state;
    static const char rod[] =
        "biela: 1\nname: rod\ngravity: [0, 0, 0]\nbodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {j: {type: cylindrical, bodies: [ground, rod], value: [0.5, 0.2], rate: [1, -2]}}\n"
        "outputs: {j: {joint: j}}\n";
    static unsigned char kept[65536];
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(rod, both[c]);
        size_t size = bi_sim_save(run.sim, kept, sizeof kept);
        assert_true(size > 0 && size <= sizeof kept);
        run_to(&run, 0.5);
        uint64_t hash = bi_sim_hash(run.sim);
        run_expect("angle", fabs(run_read(&run, "j.angle") - 1.0), 1e-9);
        run_expect("position", fabs(run_read(&run, "j.position") + 0.8), 1e-9);
        assert_int_equal(bi_sim_load(run.sim, kept, size), BI_OK);
        run_to(&run, 0.5);
        assert_true(hash == bi_sim_hash(run.sim));
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_universal_joint_turns_as_its_guided_angles_say),
        cmocka_unit_test(test_universal_joint_started_at_speed_keeps_momentum_and_energy),
        cmocka_unit_test(test_universal_joint_of_bodies_in_the_other_order_agrees_in_both_formulations),
        cmocka_unit_test(test_universal_joint_between_bent_shafts_turns_as_cardan_found),
        cmocka_unit_test(test_planar_joint_with_springs_is_three_oscillators),
        cmocka_unit_test(test_planar_joint_in_the_other_order_tells_ways_in_the_axes_of_its_first_body),
        cmocka_unit_test(test_journal_in_a_bearing_with_play_has_the_period_of_gap_and_wall),
        cmocka_unit_test(test_zero_of_an_angle_is_where_it_is_said),
        cmocka_unit_test(test_cylindrical_joint_starts_with_both_values_and_restores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
