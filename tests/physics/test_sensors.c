// SPDX-License-Identifier: MIT
// Sensors and wrenches against closed forms, in both sets of coordinates.
#include "support/run_model.h"

static run_model opened(const char *text, bi_coordinates coordinates)
{
    run_model run = { .dt = 1e-3 };
    run.model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .coordinates = coordinates, .dt = run.dt };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static const double g = 9.81;

// A thin rod of 1 m, 3 kg about its end, from the horizontal: alpha = -3 g cos(phi) / 2, omega^2 = -3 g sin(phi) (energy).
static const char pendulum[] =
    "biela: 1\nname: rod\ngravity: [0, -9.81, 0]\n"
    "bodies:\n  rod: {mass: 3, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}}\n"
    "joints:\n  p: {type: revolute, bodies: [ground, rod]}\n"
    "outputs:\n  p: {joint: p}\n  imu: {accelerometer: {body: rod, at: [0.8, 0, 0]}}\n"
    "  gyro: {gyro: {body: rod}}\n  R: {reaction: p, frame: b}\n  A: {reaction: p, on: a}\n  G: {reaction: "
    "p}\n"
    "  M: {reaction: p, at: {body: rod, at: [0.5, 0, 0]}}\n";

static void expect_pendulum(bi_coordinates coordinates)
{
    run_model run = opened(pendulum, coordinates);
    for (int k = 0; k < 400; k++) {
        run_step(&run);
    }
    double phi = run_read(&run, "p.angle"), rate = run_read(&run, "p.rate");
    double alpha = -1.5 * g * cos(phi);
    // closed in the angle and rate of the same state: only rounding is left, and that of the penalty in the reaction
    run_expect("accelerometer along", fabs(run_read(&run, "imu.x") - (-0.8 * rate * rate + g * sin(phi))),
               1e-9);
    run_expect("accelerometer across", fabs(run_read(&run, "imu.y") - (0.8 * alpha + g * cos(phi))), 1e-9);
    run_expect("gyro", fabs(run_read(&run, "gyro.z") - rate), 1e-12);
    double along = 3 * (-0.5 * rate * rate + g * sin(phi)), across = 3 * (0.5 * alpha + g * cos(phi));
    run_expect("reaction along the rod", fabs(run_read(&run, "R.fx") - along), 1e-7);
    run_expect("reaction across the rod", fabs(run_read(&run, "R.fy") - across), 1e-7);
    assert_true(run_read(&run, "A.fx") == -run_read(&run, "G.fx"));
    // about the middle of the rod the force at its end has the moment that turns it: I alpha = m l^2/12 alpha
    run_expect("moment about the middle", fabs(run_read(&run, "M.mz") - 3.0 / 12.0 * alpha), 1e-7);
    run_close(&run);
}

static void test_accelerometer_gyro_and_wrench_of_a_falling_rod_follow_the_closed_form(void **state)
{
    (void)state;
    expect_pendulum(BI_NATURAL);
    expect_pendulum(BI_JOINT);
}

// Turned about z, then the new y, then the new x: the same three numbers come back, also beyond a quarter turn of roll.
static void test_attitude_gives_back_yaw_pitch_and_roll_of_the_description(void **state)
{
    (void)state;
    static const char turned[] =
        "biela: 1\nname: turned\ngravity: [0, 0, 0]\n"
        "bodies: {car: {mass: 1, inertia: [1, 1, 1], turn: [{z: -2.5}, {y: 0.4}, {x: 1.9}]}}\n"
        "outputs: {car: {attitude: car}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = opened(turned, k == 0 ? BI_NATURAL : BI_JOINT);
        run_expect("yaw", fabs(run_read(&run, "car.yaw") + 2.5), 1e-14);
        run_expect("pitch", fabs(run_read(&run, "car.pitch") - 0.4), 1e-14);
        run_expect("roll", fabs(run_read(&run, "car.roll") - 1.9), 1e-14);
        run_close(&run);
    }
}

// A turntable with a guided speed carries a slider guided outwards: from the table the slider moves straight.
static const char turntable[] =
    "biela: 1\nname: table\ngravity: [0, 0, -9.81]\n"
    "bodies:\n  table: {mass: 2, inertia: [1, 1, 1]}\n  car: {mass: 1.5, inertia: [1, 1, 1], at: [0.2, 0, "
    "0]}\n"
    "joints:\n  turn: {type: revolute, bodies: [ground, table]}\n"
    "  track: {type: prismatic, bodies: [table, car], axis: [1, 0, 0]}\n"
    "constraints:\n  spin: {type: guide, joint: turn, value: 3*t}\n"
    "  drive: {type: guide, joint: track, value: 0.5*t^2}\n"
    "outputs:\n  seen: {relative: {of: {body: car, at: [0, 0.1, 0]}, to: {body: table, at: [0.05, 0, 0]}}}\n"
    "  imu: {accelerometer: {body: car}}\n  spin: {power: spin}\n  drive: {power: drive}\n"
    "  e: {effort: drive}\n";

static void expect_turntable(bi_coordinates coordinates)
{
    run_model run = opened(turntable, coordinates);
    for (int k = 0; k < 700; k++) {
        run_step(&run);
    }
    double t = run_now(&run), x = 0.2 + 0.5 * t * t, v = t, w = 3.0, m = 1.5;
    run_expect("relative x", fabs(run_read(&run, "seen.x") - (x - 0.05)), 1e-9);
    run_expect("relative y", fabs(run_read(&run, "seen.y") - 0.1), 1e-9);
    run_expect("relative vx", fabs(run_read(&run, "seen.vx") - v), 1e-9);
    run_expect("relative vy", fabs(run_read(&run, "seen.vy")), 1e-9);
    run_expect("relative spin", fabs(run_read(&run, "seen.wz")), 1e-9);
    run_expect("no turn", fabs(run_read(&run, "seen.qw") - 1.0), 1e-12);
    // centrifugal and Coriolis, felt in the car's axes, and the weight
    run_expect("felt along the track", fabs(run_read(&run, "imu.x") - (1.0 - w * w * x)), 1e-7);
    run_expect("felt across", fabs(run_read(&run, "imu.y") - 2.0 * w * v), 1e-7);
    run_expect("felt down", fabs(run_read(&run, "imu.z") - g), 1e-7);
    // power of the two guides: force times speed; torque (Coriolis, d(m x^2 w)/dt) times w
    run_expect("power of the drive", fabs(run_read(&run, "drive.power") - m * (1.0 - w * w * x) * v), 1e-7);
    run_expect("power of the spin", fabs(run_read(&run, "spin.power") - 2.0 * m * x * v * w * w), 1e-7);
    run_close(&run);
}

static void test_relative_motion_and_power_of_guides_on_a_turntable_follow_the_closed_form(void **state)
{
    (void)state;
    expect_turntable(BI_NATURAL);
    expect_turntable(BI_JOINT);
}

static void test_power_of_a_damper_and_energy_of_its_spring_are_told_apart(void **state)
{
    (void)state;
    run_model run =
        opened("biela: 1\nname: damped\ngravity: [0, 0, 0]\n"
               "bodies:\n  m: {mass: 2, inertia: [1, 1, 1], at: [1, 0, 0]}\n"
               "joints:\n  s: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0]}\n"
               "forces:\n"
               "  other: {type: spring, a: {body: ground}, b: {body: m}, stiffness: 7, rest: 1}\n"
               "  k: {type: spring, a: {body: ground}, b: {body: m}, stiffness: 50, damping: 3, rest: 0.8}\n"
               "outputs:\n  m: {body: m}\n  k: {power: k}\n",
               BI_NATURAL);
    for (int k = 0; k < 100; k++) {
        run_step(&run);
    }
    double x = run_read(&run, "m.x"), v = run_read(&run, "m.vx");
    run_expect("damper", fabs(run_read(&run, "k.power") + 3 * v * v), 1e-12);
    run_expect("spring", fabs(run_read(&run, "k.energy") - 25 * (x - 0.8) * (x - 0.8)), 1e-12);
    run_close(&run);
}

// Two rods, one of them elastic, hinged together and thrown with spin: whatever they do, the centre of mass of both flies
// on Newton's parabola.
static const char thrown[] =
    "biela: 1\nname: thrown\ngravity: [0, -3, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 3, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}, at: [0, 0, 2], velocity: [1, 0.5, 4], "
    "spin: [0.3, 2, 1]}\n"
    "  bar:\n    at: [1, 0, 2]\n    spin: [0, -3, 0]\n    flex:\n"
    "      materials: {soft: {young: 2 GPa, density: 2000}}\n"
    "      sections: {bar: {rectangle: [20 mm, 20 mm]}}\n"
    "      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n"
    "      lines: {bar: {from: root, to: tip, elements: 4}}\n      section: bar\n      material: soft\n"
    "      frame: root\n      modes: 2\n"
    "  stone: {mass: 0, at: [0, 0, 9]}\n"
    "joints:\n  h: {type: revolute, bodies: [rod, bar], at: [1, 0, 2], axis: [0, 1, 0]}\n"
    "  s: {type: fixed, bodies: [ground, stone]}\n"
    "outputs:\n  all: {com: all}\n  both: {com: [bar, rod]}\n  rod: {com: rod}\n  bar: {com: bar}\n"
    "  middle: {point: {body: rod, at: [0.5, 0, 0]}}\n  z: {com: all, only: z}\n"
    "  imu: {accelerometer: {body: rod, at: [0.5, 0, 0]}}\n"
    "  R: {rotation: {body: rod}}\n  y: {vector: {body: rod, along: [0, 3, 0]}}\n  frame: {body: rod}\n";

static run_model open_thrown(bi_coordinates coordinates, double accuracy)
{
    run_model run = { 0 };
    run.model = bi_read_model_text(thrown, strlen(thrown), "test.yaml", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .coordinates = coordinates, .dt = 1e-3, .accuracy = accuracy, .horizon = 0.3 };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static double read_axis(run_model *run, const char *before, int i)
{
    char name[40];
    snprintf(name, sizeof name, "%s%c", before, "xyz"[i]);
    return run_read(run, name);
}

static const double gravity[3] = { 0.0, -3.0, -9.81 };

static void expect_thrown(bi_coordinates coordinates, double accuracy)
{
    run_model run = open_thrown(coordinates, accuracy);
    const double t = 0.3, mass = run_read(&run, "bar.mass");
    // the steps are of second order: (omega h)^2 of the metre that turns, with 3 rad/s and 1 ms
    const double limit = accuracy > 0.0 ? accuracy : 1e-5;
    double at[3], v[3];
    for (int i = 0; i < 3; i++) {
        at[i] = read_axis(&run, "all.", i);
        v[i] = read_axis(&run, "all.v", i);
    }
    run_expect("mass", fabs(mass - 2000.0 * 0.02 * 0.02), 1e-12);
    assert_int_equal(bi_sim_run_to(run.sim, t), BI_OK);
    for (int i = 0; i < 3; i++) {
        double now = read_axis(&run, "all.", i), rod = read_axis(&run, "rod.", i);
        run_expect("parabola", fabs(now - (at[i] + v[i] * t + 0.5 * gravity[i] * t * t)), limit);
        run_expect("velocity", fabs(read_axis(&run, "all.v", i) - (v[i] + gravity[i] * t)), limit);
        run_expect("acceleration", fabs(read_axis(&run, "all.a", i) - gravity[i]), 1e-7);
        run_expect("the middle of the rod", fabs(rod - read_axis(&run, "middle.", i)), 0.0);
        double both = (3.0 * rod + mass * read_axis(&run, "bar.", i)) / (3.0 + mass);
        run_expect("two bodies", fabs(now - both), 1e-14);
        run_expect("a list of them", fabs(now - read_axis(&run, "both.", i)), 1e-14);
    }
    assert_true(run_read(&run, "z") == run_read(&run, "all.z"));
    run_close(&run);
}

// The rows of the matrix turn what an accelerometer feels, gravity added, into the acceleration in ground axes; its
// second column is the y axis, which the angular velocity turns.
static void test_rotation_and_vector_of_a_thrown_rod_agree_with_its_sensors(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = open_thrown(c == 0 ? BI_NATURAL : BI_JOINT, 0.0);
        assert_int_equal(bi_sim_run_to(run.sim, 0.2), BI_OK);
        static const char *const row[3] = { "R.x", "R.y", "R.z" };
        for (int i = 0; i < 3; i++) {
            double sum = gravity[i];
            for (int j = 0; j < 3; j++) {
                sum += read_axis(&run, row[i], j) * read_axis(&run, "imu.", j);
            }
            run_expect("rotation", fabs(read_axis(&run, "rod.a", i) - sum), 1e-11);
            run_expect("vector", fabs(read_axis(&run, "y.", i) - read_axis(&run, row[i], 1)), 1e-15);
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double turned = read_axis(&run, "frame.w", j) * read_axis(&run, "y.", k) -
                            read_axis(&run, "frame.w", k) * read_axis(&run, "y.", j);
            run_expect("its rate", fabs(read_axis(&run, "y.v", i) - turned), 1e-14);
            run_expect("quaternion", fabs(read_axis(&run, "R.q", i) - read_axis(&run, "frame.q", i)), 0.0);
        }
        run_close(&run);
    }
}

static void test_centre_of_mass_of_a_thrown_machine_flies_on_a_parabola(void **state)
{
    (void)state;
    expect_thrown(BI_NATURAL, 0.0);
    expect_thrown(BI_JOINT, 0.0);
    expect_thrown(BI_JOINT, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attitude_gives_back_yaw_pitch_and_roll_of_the_description),
        cmocka_unit_test(test_accelerometer_gyro_and_wrench_of_a_falling_rod_follow_the_closed_form),
        cmocka_unit_test(test_relative_motion_and_power_of_guides_on_a_turntable_follow_the_closed_form),
        cmocka_unit_test(test_power_of_a_damper_and_energy_of_its_spring_are_told_apart),
        cmocka_unit_test(test_rotation_and_vector_of_a_thrown_rod_agree_with_its_sensors),
        cmocka_unit_test(test_centre_of_mass_of_a_thrown_machine_flies_on_a_parabola),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
