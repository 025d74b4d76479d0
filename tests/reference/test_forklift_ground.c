// SPDX-License-Identifier: MIT
// What of the forklift touches the ground besides its tyres: chassis, overhead guard, mast and forks of a truck that has rolled over,
// and forks that are lowered onto the ground.
#include "support/forklift.h"
#include <biela/io.h>

static const double weight = 4802.44 * 9.81, stiffness = 2e6; // N with driver and fuel; N/m of a point

static run_model opened(const bi_setting *set, int count, bi_coordinates coordinates)
{
    run_model run = { .coordinates = coordinates, .dt = 5e-3 };
    bi_run file = { 0 };
    run.model =
        bi_read_model(BI_SOURCE_DIR "/models/forklift/model.yaml", set, count, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    run_compile(&run, BI_ALI3P);
    return run;
}

// Of truck and flanks of the wheels together.
static double lying(run_model *run, const char *what)
{
    char truck[64], wheels[64];
    snprintf(truck, sizeof truck, "lying.%s", what);
    snprintf(wheels, sizeof wheels, "lying.wheels.%s", what);
    double a = run_read(run, truck), b = run_read(run, wheels);
    return strcmp(what, "depth") == 0 ? fmax(a, b) : a + b;
}

// Largest acceleration of the truck until t.
static double shaking(run_model *run, double t)
{
    double most = 0.0;
    int body = run_body(run, "chassis");
    bi_vec3 before = bi_sim_view(run->sim).twist[body].lin;
    while (run_now(run) < t - 1e-9) {
        run_step(run);
        bi_vec3 now = bi_sim_view(run->sim).twist[body].lin;
        most = fmax(most, run_norm(run_sub(now, before)) / run->dt);
        before = now;
    }
    return most;
}

// Left turn of 4 m at 6 m/s: over at 1.3 s, on its side at 1.6 s, slides until 2.4 s and rocks for a while.
static run_model rolled_over(const char *lift, bi_coordinates coordinates)
{
    const bi_setting set[] = { { "loads", "0" }, { "lift0", lift }, { "speed", "6" }, { "turn", "4" } };
    run_model run = opened(set, 4, coordinates);
    run_to(&run, 6.0);
    printf("measured forks at %s m: roll %.4f rad on %g points\n", lift, run_read(&run, "attitude.roll"),
           lying(&run, "points"));
    return run;
}

static double expect_lying_still(const char *lift, bi_coordinates coordinates)
{
    run_model run = rolled_over(lift, coordinates);
    double roll = run_read(&run, "attitude.roll"), depth = lying(&run, "depth");
    assert_true(roll > 1.5 && roll < 1.75 && lying(&run, "points") >= 4.0);
    run_expect("weight on the ground", fabs(lying(&run, "normal") / weight - 1.0), 1e-4);
    // half the weight on one point
    run_expect("depth, m", depth, weight / (2.0 * stiffness));
    // boxes leave out roundings of some millimetres; a wheel whose flank is pressed against the ground is round, too
    double low = forklift_lowest(&run, forklift_steel, 8);
    run_expect("what is seen below the ground, m", -low, depth + 2e-3);
    assert_true(low < 0.0);
    run_expect("wheels below the ground, m", -forklift_lowest(&run, forklift_rubber, 4), 0.02);
    // in natural coordinates wheels that still spin in the air move what they hang on by 1e-5 m/s
    run_expect("at rest, m/s", run_norm(bi_sim_view(run.sim).twist[run_body(&run, "chassis")].lin), 1e-4);
    run_expect("acceleration at rest, m/s2", shaking(&run, 7.0), 1e-3);
    run_close(&run);
    return roll;
}

static void expect_same_place(const char *lift)
{
    double joint = expect_lying_still(lift, BI_JOINT), natural = expect_lying_still(lift, BI_NATURAL);
    // friction holds it where it comes to lie: small differences of the fall stay
    run_expect("the same in both formulations, rad", fabs(joint - natural), 1e-3);
}

static void test_truck_that_rolled_over_lies_still_on_its_body_and_its_carriage(void **state)
{
    (void)state;
    expect_same_place("1");
}

static void test_truck_that_rolled_over_lies_still_on_its_body_and_its_overhead_guard(void **state)
{
    (void)state;
    expect_same_place("0.25");
    run_model run = rolled_over("0.25", BI_JOINT);
    run_expect("guard above the ground, m", fabs(forklift_corner(&run, "chassis", "guard")), 2e-3);
    run_close(&run);
}

// ---- forks ----------------------------------------------------------------------------------------------------------

static void pull(run_model *run, const char *lever, double value, double t)
{
    bi_sim_input(run->sim, bi_find_input(run->system, lever), value);
    run_to(run, t);
}

// Down to the ends of their stroke the heels of the forks press 7 mm, what the tyres give way, into the ground; tilted forwards, tips
// and ends of the heels lift the front wheels.
static void expect_forks_carry(bi_coordinates coordinates)
{
    const bi_setting set = { "loads", "0" };
    run_model run = opened(&set, 1, coordinates);
    run_to(&run, 0.3);
    pull(&run, "lift", -0.4, 6.0);
    double forks = run_read(&run, "lying.normal"), front = run_read(&run, "axle.front");
    printf("measured forks %.0f N, front axle %.0f N\n", forks, front);
    // 2113.7 kg alone
    assert_true(front < 0.6 * 2113.7 * 9.81 && forks > 5e3);
    run_expect("weight", fabs((forks + front + run_read(&run, "axle.rear")) / weight - 1.0), 1e-5);
    // moments about the rear axle, as drawn: the centre of the truck, the front axle, the ends of the heels; it leans by 5 mrad
    double moment = front * 1.965 + forks * (2.165 + 0.19);
    run_expect("moment", fabs(moment / (weight * 0.864862549038) - 1.0), 5e-3);
    run_expect("acceleration at rest, m/s2", shaking(&run, 6.5), 1e-4);
    pull(&run, "tilt", -0.6, 11.0);
    assert_true(run_read(&run, "axle.front") == 0.0);
    run_expect("weight", fabs((run_read(&run, "lying.normal") + run_read(&run, "axle.rear")) / weight - 1.0),
               1e-5);
    run_expect("depth, m", run_read(&run, "lying.depth"),
               run_read(&run, "lying.normal") / (2.0 * stiffness) * 1.001);
    run_expect("acceleration at rest, m/s2", shaking(&run, 11.5), 1e-4);
    run_close(&run);
}

static void test_forks_lowered_to_the_ground_take_load_off_the_front_wheels(void **state)
{
    (void)state;
    expect_forks_carry(BI_JOINT);
    expect_forks_carry(BI_NATURAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truck_that_rolled_over_lies_still_on_its_body_and_its_carriage),
        cmocka_unit_test(test_truck_that_rolled_over_lies_still_on_its_body_and_its_overhead_guard),
        cmocka_unit_test(test_forks_lowered_to_the_ground_take_load_off_the_front_wheels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
