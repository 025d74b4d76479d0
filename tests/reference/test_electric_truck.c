// SPDX-License-Identifier: MIT
// The second truck, of the forklift's parts: weight, axle loads, speeds and strokes of its data sheet (Jungheinrich EFG 320).
#include "support/run_model.h"

static const double g = 9.81;

static run_model opened(const char *load, const char *rigid, bi_coordinates coordinates, double dt)
{
    const bi_setting set[] = { { "loads", "0" }, { "driver", "0" }, { "load", load }, { "rigid", rigid } };
    const run_case what = {
        .model = "electric-truck", .settings = set, .n_settings = 4, .coordinates = coordinates, .dt = dt
    };
    return run_open(&what);
}

static void put(run_model *run, const char *lever, double value)
{
    bi_sim_input(run->sim, bi_find_input(run->system, lever), value);
}

// Rigid tyres, as data sheets have it. The laden loads of the sheet want the load 0.895 m ahead of the front axle, the side shift puts it at 0.9.
static void expect_axle_loads(const char *load, double front, double rear, bi_coordinates coordinates)
{
    run_model run = opened(load, "100", coordinates, 2e-3);
    run_to(&run, 9.0);
    run_expect("front axle", fabs(run_read(&run, "axle.front") / (front * g) - 1.0), 3e-3);
    run_expect("rear axle, of the whole", fabs(run_read(&run, "axle.rear") / g - rear) / (front + rear),
               3e-3);
    run_close(&run);
}

static void test_axle_loads_are_those_of_the_data_sheet(void **state)
{
    (void)state;
    expect_axle_loads("0", 1489.0, 1817.0, BI_JOINT);
    expect_axle_loads("2000", 4676.0, 630.0, BI_JOINT);
    expect_axle_loads("2000", 4676.0, 630.0, BI_NATURAL);
}

// 7 degrees to both sides, 3 m of lift; the speeds are assumed.
static void test_levers_move_mast_and_truck_to_their_limits(void **state)
{
    (void)state;
    run_model run = opened("0", "1", BI_JOINT, 5e-3);
    put(&run, "tilt", 1.0);
    put(&run, "lift", 1.0);
    put(&run, "drive", 1.0);
    run_to(&run, 5.0);
    run_expect("travel", fabs(run_read(&run, "speed") * 3.6 / 16.0 - 1.0), 1e-3);
    run_expect("lifting, m/s", fabs(run_read(&run, "lifting") - 0.5), 1e-3);
    run_to(&run, 9.0);
    run_expect("tilt backwards, rad", fabs(run_read(&run, "phi5") - 7.0 * run_pi / 180.0), 1e-6);
    run_expect("lift, m", fabs(run_read(&run, "lifted") - 3.0), 1e-6);
    put(&run, "tilt", -1.0);
    put(&run, "drive", 0.0);
    run_to(&run, 16.0);
    run_expect("tilt forwards, rad", fabs(run_read(&run, "phi5") + 7.0 * run_pi / 180.0), 1e-6);
    run_expect("at rest, m/s", fabs(run_read(&run, "speed")), 1e-6);
    run_close(&run);
}

// The rated load at 3 m in a turn of 4 m at 3 m/s: over, in both formulations at the same time; at 0.15 m not.
static void test_raised_load_tips_it_in_a_turn(void **state)
{
    (void)state;
    double over[2];
    for (int k = 0; k < 3; k++) {
        const bi_setting set[] = { { "lift0", k < 2 ? "3" : "0.15" } };
        const run_case what = { .model = "electric-truck",
                                .run = "raised",
                                .settings = set,
                                .n_settings = 1,
                                .coordinates = k == 1 ? BI_NATURAL : BI_JOINT };
        run_model run = run_open(&what);
        while (run_now(&run) < 4.0 && run_read(&run, "attitude.roll") < 0.698) {
            run_step(&run);
        }
        if (k < 2) {
            over[k] = run_now(&run);
        }
        assert_true((run_now(&run) < 3.9) == (k < 2));
        run_close(&run);
    }
    run_expect("roll-over, s", fabs(over[0] - over[1]), 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axle_loads_are_those_of_the_data_sheet),
        cmocka_unit_test(test_levers_move_mast_and_truck_to_their_limits),
        cmocka_unit_test(test_raised_load_tips_it_in_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
