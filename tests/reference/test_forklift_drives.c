// SPDX-License-Identifier: MIT
// The forklift's three drives under one pedal, its parking brake, and the limits on its motion.
#include "support/run_model.h"

static const double top = 22.0 / 3.6; // m/s

static run_model opened(const char *named, const bi_setting *set, int count)
{
    const run_case what = {
        .model = "forklift", .run = named, .settings = set, .n_settings = count, .coordinates = BI_JOINT
    };
    return run_open(&what);
}

static void put(run_model *run, const char *lever, double value)
{
    bi_sim_input(run->sim, bi_find_input(run->system, lever), value);
}

static const char *const drives[] = { "as-documented", "hydraulic", "hydrostatic" };

// The pedal asks for its share of the top speed, forwards and backwards, and gets its share of the acceleration.
static void test_pedal_gives_the_same_speed_in_all_drives(void **state)
{
    (void)state;
    static const double pedal[] = { 0.3, 0.6, -0.4 };
    const bi_setting set[] = { { "loads", "0" } };
    for (size_t p = 0; p < sizeof pedal / sizeof *pedal; p++) {
        double slow[3];
        for (int k = 0; k < 3; k++) {
            run_model run = opened(drives[k], set, 1);
            put(&run, "drive", pedal[p]);
            run_to(&run, 2.0);
            slow[k] = run_read(&run, "speed");
            run_to(&run, 9.0);
            run_expect("speed over its share of the top speed",
                       fabs(run_read(&run, "speed") / (pedal[p] * top) - 1.0), 0.01);
            run_close(&run);
        }
        // pump and motors follow 0.15 s late
        run_expect("speed on the way", fmax(fabs(slow[1] - slow[0]), fabs(slow[2] - slow[0])) / top, 0.04);
    }
}

// 15 %, forwards: the pumps leak, so that without the brake it rolls for ever.
static void test_hydrostatic_drive_parks_by_itself(void **state)
{
    (void)state;
    const bi_setting set[] = { { "ahead", "0.15" } },
                     free[] = { { "ahead", "0.15" }, { "park_torque", "1" } };
    run_model run = opened("hydrostatic", set, 1);
    run_to(&run, 6.0);
    double from = run_read(&run, "truck.x");
    run_to(&run, 12.0);
    run_expect("creep in 6 s, m", fabs(run_read(&run, "truck.x") - from), 1e-3);
    // it lets go when the pedal is pressed, and falls in again
    put(&run, "drive", -0.2);
    run_to(&run, 16.0);
    assert_true(run_read(&run, "speed") < -0.5);
    put(&run, "drive", 0.0);
    run_to(&run, 22.0);
    run_expect("at rest, m/s", fabs(run_read(&run, "speed")), 3e-3);
    run_close(&run);
    run = opened("hydrostatic", free, 2);
    run_to(&run, 12.0);
    assert_true(run_read(&run, "truck.x") > 0.05);
    run_close(&run);
}

// By hand, in the drive without leaks, too: it stops a truck whose pedal is let go on the slope before the drive would.
static void test_parking_brake_holds_by_hand(void **state)
{
    (void)state;
    const bi_setting set[] = { { "ahead", "0.15" }, { "park_torque", "4000" } };
    run_model run = opened("hydrostatic", set, 2);
    put(&run, "park", 1.0);
    run_to(&run, 1.0);
    double from = run_read(&run, "truck.x");
    put(&run, "drive", 0.1); // against the brake
    run_to(&run, 4.0);
    run_expect("held, m", fabs(run_read(&run, "truck.x") - from), 0.05);
    run_close(&run);
}

static bool has_event(run_model *run, const char *name)
{
    bi_event e;
    for (int k = 0; k < bi_sim_event_count(run->sim); k++) {
        if (bi_sim_event(run->sim, k, &e) && strcmp(e.name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Full pedal, then full lock: a front wheel lifts without limits. With them the truck slows down while it steers, and
// gets to the full lock.
static void test_limits_keep_the_wheels_on_the_ground(void **state)
{
    (void)state;
    for (int limits = 0; limits < 2; limits++) {
        const bi_setting set[] = { { "loads", "0" }, { "lift0", "0.25" }, { "limits", limits ? "1" : "0" } };
        run_model run = opened(NULL, set, 3);
        put(&run, "drive", 1.0);
        run_to(&run, 6.0);
        run_expect("top speed", fabs(run_read(&run, "speed") / top - 1.0), 0.01);
        put(&run, "steer", 1.0);
        run_to(&run, 12.0);
        assert_true(has_event(&run, "wheel-lifts") == (limits == 0));
        if (limits) {
            // at the full lock half of what would tip it: sqrt(0.2625 g 0.58 m)
            run_expect("speed at full lock", fabs(run_read(&run, "speed") / sqrt(0.2625 * 9.81 * 0.58) - 1.0),
                       0.02);
            assert_true(run_read(&run, "steering.left") > 1.4);
        }
        run_close(&run);
    }
}

// With the forks up it walks.
static void test_limits_slow_down_a_raised_mast(void **state)
{
    (void)state;
    const bi_setting set[] = { { "loads", "0" }, { "lift0", "2.3" }, { "limits", "1" } };
    run_model run = opened(NULL, set, 3);
    put(&run, "drive", 1.0);
    run_to(&run, 8.0);
    run_expect("speed, m/s", fabs(run_read(&run, "speed") - 1.0), 0.01);
    run_close(&run);
}

// Table 1.4: h2 150 mm. What is compared are the heads of the two masts, on a truck that rocks on its tyres.
static void test_mast_has_the_free_lift_of_the_data_sheet(void **state)
{
    (void)state;
    const bi_setting set[] = { { "loads", "0" }, { "lift0", "0" }, { "free_lift", "1" } };
    run_model run = opened(NULL, set, 3);
    put(&run, "lift", 1.0);
    double lift = 0.0, above = -1.0;
    for (int k = 1; above < 0.0 && k < 200; k++) {
        double before = above, from = lift;
        run_to(&run, 0.01 * k);
        lift = run_read(&run, "lifted");
        above = run_read(&run, "mast.inner.z") - run_read(&run, "mast.outer.z");
        if (above >= 0.0) {
            lift = from + (lift - from) * before / (before - above);
        }
    }
    run_expect("free lift", fabs(lift / 0.150 - 1.0), 0.01);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pedal_gives_the_same_speed_in_all_drives),
        cmocka_unit_test(test_hydrostatic_drive_parks_by_itself),
        cmocka_unit_test(test_parking_brake_holds_by_hand),
        cmocka_unit_test(test_limits_keep_the_wheels_on_the_ground),
        cmocka_unit_test(test_limits_slow_down_a_raised_mast),
        cmocka_unit_test(test_mast_has_the_free_lift_of_the_data_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
