// SPDX-License-Identifier: MIT
// The course of the forklift: a careful driver passes every lesson without a fault, a careless one fails with the right faults by
// name. The inputs of some drives are kept in tests/course as manoeuvres, which tests/cli/course.sh judges again; with BIELA_COURSE_CSV
// they are written anew into that folder.
#include "support/forklift_driver.h"

static char *csv_of(const char *name, char path[512])
{
    const char *folder = getenv("BIELA_COURSE_CSV");
    snprintf(path, 512, "%s/%s.csv", folder ? folder : "", name);
    return folder ? path : NULL;
}

static int faults_of(const drive *d)
{
    int times = 0;
    for (int k = 0; k < exercise_limit_count(d->judged); k++) {
        times += exercise_limit_at(d->judged, k)->times;
    }
    return times;
}

static void passes_without_fault(const char *name, const leg *legs, int n_leg)
{
    char path[512], lesson[64];
    snprintf(lesson, sizeof lesson, "course/%s", name);
    drive d = { .exercise = lesson, .legs = legs, .n_leg = n_leg, .csv = csv_of(name, path) };
    exercise_state state = drive_it(&d);
    int faults = faults_of(&d);
    exercise_close(d.judged);
    assert_int_equal(state, EXERCISE_PASSED);
    assert_int_equal(faults, 0);
}

#define PASSES(name, legs) passes_without_fault(name, legs, (int)(sizeof(legs) / sizeof *(legs)))

// Into the pallet ahead, up and tilted back.
#define TAKE_THE_PALLET                                                                                      \
    { .drive = 0.2, .until = "tip.x", .value = 6.05 }, { .wait = 1.0 },                                      \
        { .lift = 0.5, .until = "lifted", .value = 0.35 }, { .tilt = 0.5, .until = "phi5", .value = 0.04 },  \
    {                                                                                                        \
        .wait = 0.5                                                                                          \
    }
#define PUT_IT_DOWN                                                                                          \
    { .wait = 1.0 }, { .tilt = -0.5, .until = "phi5", .value = 0.003, .is_below = true },                    \
        { .lift = -0.3, .until = "contact.pallet.normal", .value = 1.0, .is_below = true },                  \
        { .lift = -0.1, .wait = 0.4 },                                                                       \
    {                                                                                                        \
        .wait = 1.0                                                                                          \
    }

static void test_start_and_stop(void **state)
{
    (void)state;
    static const leg legs[] = { { .drive = 0.35, .until = "tip.x", .value = 16.0 },
                                { .drive = 0.15, .until = "tip.x", .value = 17.8 },
                                { .wait = 2.0 },
                                { .park = 1.0, .wait = 2.0 } };
    PASSES("01-start-and-stop", legs);
}

static void test_there_and_back(void **state)
{
    (void)state;
    static const leg legs[] = { { .drive = 0.3, .until = "tip.x", .value = 12.5 },
                                { .wait = 2.5 },
                                { .drive = -0.25, .until = "truck.x", .value = 1.8, .is_below = true },
                                { .drive = -0.1, .until = "truck.x", .value = 0.3, .is_below = true },
                                { .wait = 3.0 } };
    PASSES("02-there-and-back", legs);
}

static void test_between_the_cones(void **state)
{
    (void)state;
    static const leg legs[] = {
        THROUGH_THE_CONES,
    };
    PASSES("03-between-the-cones", legs);
}

static void test_lift_and_tilt(void **state)
{
    (void)state;
    static const leg legs[] = { { .lift = 1.0, .until = "lifted", .value = 2.1 },
                                { .wait = 1.5 },
                                { .tilt = 1.0, .until = "phi5", .value = 0.09 },
                                { .wait = 1.0 },
                                { .tilt = -1.0, .until = "phi5", .value = 0.012, .is_below = true },
                                { .wait = 1.5 },
                                { .tilt = -0.1, .until = "phi5", .value = 0.004, .is_below = true },
                                { .wait = 1.0 },
                                { .lift = -0.6, .until = "lifted", .value = 0.26, .is_below = true },
                                { .lift = -0.1, .until = "lifted", .value = 0.18, .is_below = true },
                                { .wait = 1.5 },
                                { .drive = 0.25, .until = "tip.x", .value = 11.6 },
                                { .wait = 3.0 } };
    PASSES("04-lift-and-tilt", legs);
}

static void test_take_a_pallet(void **state)
{
    (void)state;
    static const leg legs[] = { TAKE_THE_PALLET,
                                { .drive = -0.2, .until = "truck.x", .value = -2.1, .is_below = true },
                                { .wait = 3.0 } };
    PASSES("05-take-a-pallet", legs);
}

static void test_put_it_down(void **state)
{
    (void)state;
    static const leg legs[] = { TAKE_THE_PALLET,
                                { .drive = 0.22, .until = "pallet.x", .value = 17.4 },
                                PUT_IT_DOWN,
                                { .drive = -0.15, .until = "tip.x", .value = 16.2, .is_below = true },
                                { .wait = 3.0 } };
    PASSES("06-put-it-down", legs);
}

static void test_round_the_corner(void **state)
{
    (void)state;
    static const leg legs[] = {
        TAKE_THE_PALLET,
        { .drive = -0.25, .until = "truck.x", .value = -1.5, .is_below = true },
        { .wait = 1.0 },
        { .drive = 0.2,
          .n_point = 6,
          .point = { { 0.3, 0 }, { 1.5, 1 }, { 2.2, 3.5 }, { 4.0, 6.2 }, { 7.5, 7.4 }, { 13.0, 7.4 } },
          .until = "pallet.x",
          .value = 12.6 },
        PUT_IT_DOWN,
        { .wait = 1.0 },
    };
    PASSES("07-round-the-corner", legs);
}

static void test_onto_the_lorry(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 5.7 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "lifted", .value = 0.35 },
        { .tilt = 0.5, .until = "phi5", .value = 0.04 },
        { .wait = 0.5 },
        { .drive = -0.25, .until = "truck.x", .value = -1.5, .is_below = true },
        { .wait = 1.0 },
        TO_THE_LORRY,
        { .wait = 1.0 },
        { .lift = 0.6, .until = "pallet.z", .value = 1.45 },
        { .wait = 0.5 },
        { .drive = 0.08,
          .n_point = 2,
          .point = { { 14.4, 8 }, { 14.4, 16 } },
          .until = "pallet.y",
          .value = 14.15 },
        PUT_IT_DOWN,
        { .drive = -0.15, .until = "tip.y", .value = 12.0, .is_below = true },
        { .wait = 3.0 },
    };
    PASSES("08-onto-the-lorry", legs);
}

static void test_up_and_down_the_slope(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "loaded.z", .value = 0.12 },
        { .wait = 1.0 },
        { .tilt = 0.5, .until = "phi5", .value = 0.04 },
        { .wait = 1.0 },
        { .drive = 0.25, .until = "loaded.x", .value = 19.4 },
        { .wait = 2.0 },
        { .park = 1.0, .wait = 2.0 },
        { .wait = 0.5 },
        { .drive = -0.2, .until = "loaded.x", .value = 8.8, .is_below = true },
        { .wait = 4.0 },
    };
    PASSES("09-up-and-down-the-slope", legs);
}

static void test_third_level_in_the_wet(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "loaded.z", .value = 0.14 },
        { .wait = 1.0 },
        { .tilt = 0.5, .until = "phi5", .value = 0.04 },
        { .wait = 1.0 },
        { .drive = 0.18,
          .n_point = 8,
          .point = { { 4, 0 },
                     { 7.5, 0 },
                     { 9.4, 0.9 },
                     { 10.2, 3 },
                     { 9.8, 7 },
                     { 8.0, 11 },
                     { 7.1, 14 },
                     { 7.1, 22 } },
          .until = "loaded.y",
          .value = 20.3 },
        { .wait = 2.5 },
        { .lift = 0.7, .until = "loaded.z", .value = 2.82 },
        { .wait = 4.0 },
        { .lift = -0.6, .until = "loaded.z", .value = 0.4, .is_below = true },
        { .wait = 2.0 },
        { .drive = -0.15, .until = "loaded.y", .value = 17.7, .is_below = true },
        { .wait = 4.0 },
    };
    PASSES("10-third-level-in-the-wet", legs);
}

// Forks up, mast ahead, backwards without a look, through a cone at full speed, and into the curve.
static void test_a_careless_driver_fails_with_the_right_faults(void **state)
{
    (void)state;
    static const leg legs[] = { { .lift = 1.0, .tilt = -1.0, .wait = 3.0 },
                                { .drive = -0.3, .wait = 3.0 },
                                { .drive = 1.0, .until = "truck.x", .value = 16.0 },
                                { .drive = 1.0, .n_point = 2, .point = { { 16, 0 }, { 16, 40 } } } };
    static const char *const wanted[] = { "collision",     "raised-speed", "blind-reversing",
                                          "tilted-travel", "unstable",     "rolls-over" };
    char path[512];
    drive d = { .exercise = "course/03-between-the-cones",
                LEGS(legs),
                .is_blind = true,
                .csv = csv_of("careless", path) };
    assert_int_equal(drive_it(&d), EXERCISE_FAILED);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int times = 0;
        for (int k = 0; k < exercise_limit_count(d.judged); k++) {
            const exercise_limit *l = exercise_limit_at(d.judged, k);
            times += l->name && strcmp(l->name, wanted[i]) == 0 ? l->times : 0;
        }
        if (times == 0) {
            fail_msg("no fault '%s'", wanted[i]);
        }
    }
    exercise_reason first;
    assert_true(exercise_reason_at(d.judged, 0, &first));
    assert_int_equal(first.kind, REASON_FINAL);
    assert_string_equal(first.text, "rolls over");
    assert_true(exercise_score(d.judged) == 0.0);
    exercise_close(d.judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_and_stop),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_between_the_cones),
        cmocka_unit_test(test_lift_and_tilt),
        cmocka_unit_test(test_take_a_pallet),
        cmocka_unit_test(test_put_it_down),
        cmocka_unit_test(test_round_the_corner),
        cmocka_unit_test(test_onto_the_lorry),
        cmocka_unit_test(test_up_and_down_the_slope),
        cmocka_unit_test(test_third_level_in_the_wet),
        cmocka_unit_test(test_a_careless_driver_fails_with_the_right_faults),
    };
    const char *only = getenv("BIELA_LESSON"); // a pattern such as *lorry*, to work on one of them
    cmocka_set_test_filter(only ? only : "*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
