// SPDX-License-Identifier: MIT
// Every exercise of the forklift can be passed: a simple driver, who looks only at what a person sees, does it.
#include "support/forklift_driver.h"

#define LEGS_OF(legs) legs, (int)(sizeof(legs) / sizeof *(legs))

static bool passes(const char *name, const leg *legs, int n_leg)
{
    char path[64];
    snprintf(path, sizeof path, "exercises/%s", name);
    drive d = { .exercise = path, .legs = legs, .n_leg = n_leg };
    bool has_passed = drive_it(&d) == EXERCISE_PASSED;
    exercise_close(d.judged);
    return has_passed;
}

static void test_the_truck_stops_before_the_line(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.6, .until = "tip.x", .value = 24.0 },
        { .drive = 0.25, .until = "tip.x", .value = 32.0 },
        { .drive = 0.08, .until = "tip.x", .value = 32.9 },
    };
    assert_true(passes("1-stop-before-the-line", LEGS_OF(legs)));
}

static void test_the_slalom_is_driven(void **state)
{
    (void)state;
    static const leg legs[] = {
        THROUGH_THE_CONES,
    };
    assert_true(passes("2-slalom", LEGS_OF(legs)));
}

static void test_the_pallet_is_put_on_the_lorry(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "lifted", .value = 0.35 },
        { .tilt = 0.5, .wait = 0.8 },
        { .drive = -0.25, .until = "truck.x", .value = -1.5, .is_below = true },
        { .wait = 1.0 },
        TO_THE_LORRY,
        { .wait = 1.0 },
        { .lift = 0.6, .until = "pallet.z", .value = 1.45 },
        { .wait = 0.5 },
        { .drive = 0.12,
          .n_point = 2,
          .point = { { 14.4, 8 }, { 14.4, 16 } },
          .until = "pallet.y",
          .value = 14.7 },
        { .wait = 1.0 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "contact.pallet.normal", .value = 1.0, .is_below = true },
        { .lift = -0.1, .wait = 0.4 },
        { .wait = 1.5 },
        { .drive = -0.15, .until = "tip.y", .value = 12.0, .is_below = true },
    };
    assert_true(passes("3-pallet-to-the-lorry", LEGS_OF(legs)));
}

static void test_the_virola_is_carried_past_the_crane(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = -0.4, .until = "truck.x", .value = -10.0, .is_below = true },
        { .wait = 1.5 },
        { .drive = 0.2,
          .n_point = 5,
          .point = { { -8, 0 }, { -6, 0.7 }, { -3, 2.5 }, { -1.0, 3.0 }, { 8, 3.0 } },
          .until = "tip.x",
          .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "virola.z", .value = 0.25 },
        { .tilt = 0.5, .wait = 0.8 },
        { .wait = 0.5 },
        { .drive = 0.2,
          .n_point = 8,
          .point = { { 4.4, 3 },
                     { 12, 3 },
                     { 20, 0.5 },
                     { 26, -4 },
                     { 30.5, -8.5 },
                     { 31.6, -11.5 },
                     { 31.0, -13.4 },
                     { 29.2, -15.0 } } },
        { .wait = 1.0 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "virola.z", .value = 0.012, .is_below = true },
        { .lift = -0.1, .wait = 0.5 },
    };
    assert_true(passes("4-virola-past-the-crane", LEGS_OF(legs)));
}

static void test_the_pallet_is_fetched(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "pallet.z", .value = 0.4 },
        { .tilt = 0.5, .wait = 0.8 },
        { .wait = 0.5 },
        { .drive = -0.25, .until = "pallet.x", .value = 3.3, .is_below = true },
        { .wait = 1.5 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "contact.pallet.normal", .value = 1.0, .is_below = true },
        { .lift = -0.1, .wait = 0.4 },
    };
    assert_true(passes("pallet", LEGS_OF(legs)));
}

static void test_the_truck_brakes_in_time(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = -0.8, .until = "speed", .value = -4.2, .is_below = true },
        { .drive = -0.6, .until = "truck.x", .value = -22.0, .is_below = true },
        { .drive = -0.15, .until = "truck.x", .value = -29.6, .is_below = true },
    };
    assert_true(passes("brake", LEGS_OF(legs)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truck_stops_before_the_line),
        cmocka_unit_test(test_the_slalom_is_driven),
        cmocka_unit_test(test_the_pallet_is_put_on_the_lorry),
        cmocka_unit_test(test_the_virola_is_carried_past_the_crane),
        cmocka_unit_test(test_the_pallet_is_fetched),
        cmocka_unit_test(test_the_truck_brakes_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
