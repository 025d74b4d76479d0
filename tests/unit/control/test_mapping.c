// SPDX-License-Identifier: MIT
// Rules of mapping files against numbers worked out by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/control.h>
#include <math.h>
#include <string.h>

static const char text[] = "{\"name\": \"wheel\", \"match\": [\"g29\", \"racing wheel\"],\n"
                           " \"axes\": [\n"
                           "  {\"input\": \"steer\", \"axis\": 0, \"range\": [-0.8, 0.1, 0.9], \"dead\": "
                           "0.2, \"curve\": 2, \"gain\": -1},\n"
                           "  {\"input\": \"drive\", \"axis\": 1, \"range\": [1, -1]},\n"
                           "  {\"input\": \"drive\", \"axis\": 2, \"range\": [1, -1], \"gain\": -1}],\n"
                           " \"buttons\": [{\"input\": \"lift\", \"positive\": 1, \"negative\": 0}, "
                           "{\"action\": \"play\", \"button\": 2}]}";

static bi_mapping *mapping(void)
{
    bi_report report = { 0 };
    bi_mapping *m = bi_mapping_parse(text, strlen(text), "wheel.json", &report);
    assert_non_null(m);
    return m;
}

static double steer(const bi_mapping *m, double raw)
{
    double axis[3] = { raw, 1.0, 1.0 };
    bool button[3] = { false };
    return bi_mapping_value(m, 0, &(bi_device_state){ 3, 3, axis, button });
}

static void near(double a, double b) { assert_true(fabs(a - b) < 1e-12); }

static void test_axis_is_calibrated_and_bent_outside_its_dead_zone(void **state)
{
    (void)state;
    bi_mapping *m = mapping();
    near(steer(m, 0.1), 0.0);
    near(steer(m, 0.9), -1.0);
    near(steer(m, 2.0), -1.0);
    near(steer(m, -0.8), 1.0);
    // half of the travel to the right: 0.5 less the dead 0.2, of 0.8, squared
    near(steer(m, 0.5), -(0.375 * 0.375));
    // left of the centre the travel is 0.9 long
    near(steer(m, 0.1 - 0.45), 0.375 * 0.375);
    near(steer(m, 0.1 + 0.8 * 0.19), 0.0);
    bi_mapping_close(m);
}

static void test_two_pedals_make_one_input_and_buttons_cancel(void **state)
{
    (void)state;
    bi_mapping *m = mapping();
    double axis[3] = { 0.1, 0.0, 1.0 };
    bool button[3] = { true, false, false };
    bi_device_state s = { 3, 3, axis, button };
    assert_string_equal(bi_mapping_input(m, 1), "drive");
    near(bi_mapping_value(m, 1, &s), 0.5);
    axis[2] = -1.0;
    near(bi_mapping_value(m, 1, &s), -0.5);
    near(bi_mapping_value(m, 2, &s), -1.0);
    button[1] = true;
    near(bi_mapping_value(m, 2, &s), 0.0);
    // a device with fewer axes and buttons than the file knows
    near(bi_mapping_value(m, 1, &(bi_device_state){ 1, 0, axis, button }), 0.0);
    int number = -1;
    assert_string_equal(bi_mapping_action(m, 0, &number), "play");
    assert_int_equal(number, 2);
    assert_null(bi_mapping_action(m, 1, &number));
    bi_mapping_close(m);
}

static void test_longest_part_of_a_name_fits_best(void **state)
{
    (void)state;
    bi_mapping *m = mapping();
    assert_int_equal(bi_mapping_fit(m, "Logitech G29 Racing Wheel"), 12);
    assert_int_equal(bi_mapping_fit(m, "Logitech G29"), 3);
    assert_int_equal(bi_mapping_fit(m, "pad"), -1);
    bi_mapping_close(m);
}

static void test_scale_keeps_the_initial_value_in_the_middle(void **state)
{
    (void)state;
    near(bi_control_scale(0.0, -10.0, 2.0, 30.0), 2.0);
    near(bi_control_scale(1.0, -10.0, 2.0, 30.0), 30.0);
    near(bi_control_scale(-0.5, -10.0, 2.0, 30.0), -4.0);
}

static void test_mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{}",
        "{\"name\": \"a\", \"axes\": [{\"axis\": 0}]}",
        "{\"name\": \"a\", \"axes\": [{\"input\": \"x\", \"axis\": 1.5}]}",
        "{\"name\": \"a\", \"axes\": [{\"input\": \"x\", \"axis\": 0, \"range\": [1, 1]}]}",
        "{\"name\": \"a\", \"axes\": [{\"input\": \"x\", \"axis\": 0, \"dead\": 1}]}",
        "{\"name\": \"a\", \"axes\": [{\"input\": \"x\", \"axis\": 0, \"curve\": \"steep\"}]}",
        "{\"name\": \"a\", \"buttons\": [{\"input\": \"x\"}]}",
        "not a mapping: ["
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bi_report report = { 0 };
        assert_null(bi_mapping_parse(bad[k], strlen(bad[k]), "bad.json", &report));
        assert_true(report.errors > 0);
        assert_string_equal(report.issue[0].place.file, "bad.json");
        bi_report_clear(&report);
    }
}

// A joystick moves the mast where there is one, else it steers; what nobody names it moves, too.
static void test_a_mapping_fits_the_machine(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_mapping *m = bi_mapping_open("web/mappings/joystick.json", &report);
    assert_non_null(m);
    const double axis[] = { -1.0, -1.0, 0.0 };
    const bi_device_state left_and_ahead = { 3, 0, axis, NULL };
    static const struct {
        const char *input[4];
        int n;
        const char *moved[2];
        double value[2];
    } machine[] = {
        { { "steer", "drive", "lift", "tilt" }, 4, { "lift", "tilt" }, { -1.0, 1.0 } },
        { { "truck_steer", "truck_drive", "truck_lift", "truck_tilt" },
          4,
          { "truck_lift", "truck_tilt" },
          { -1.0, 1.0 } },
        { { "steer", "pedal", "lean", "assist" }, 4, { "steer", "pedal" }, { 1.0, 1.0 } },
        { { "wheel", "throttle", "brake" }, 3, { "wheel", "throttle" }, { 1.0, 1.0 } },
        { { "push" }, 1, { "push", NULL }, { -1.0, 0.0 } },
        { { "F2x", "M2x" }, 2, { "F2x", "M2x" }, { -1.0, 1.0 } },
    };
    for (size_t k = 0; k < sizeof machine / sizeof *machine; k++) {
        bi_mapping_choose(m, machine[k].input, machine[k].n);
        for (int i = 0; i < 2 && machine[k].moved[i]; i++) {
            double value = 0.0;
            for (int j = 0; j < bi_mapping_input_count(m); j++) {
                if (strcmp(bi_mapping_input(m, j), machine[k].moved[i]) == 0) {
                    value = bi_mapping_value(m, j, &left_and_ahead);
                }
            }
            near(value, machine[k].value[i]);
        }
        // nothing that the machine does not have
        for (int j = 0; j < bi_mapping_input_count(m); j++) {
            bool is_there = false;
            for (int i = 0; i < machine[k].n; i++) {
                is_there = is_there || strcmp(bi_mapping_input(m, j), machine[k].input[i]) == 0;
            }
            assert_true(is_there);
        }
    }
    bi_mapping_close(m);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis_is_calibrated_and_bent_outside_its_dead_zone),
        cmocka_unit_test(test_two_pedals_make_one_input_and_buttons_cancel),
        cmocka_unit_test(test_longest_part_of_a_name_fits_best),
        cmocka_unit_test(test_scale_keeps_the_initial_value_in_the_middle),
        cmocka_unit_test(test_mistakes_are_told_with_their_place),
        cmocka_unit_test(test_a_mapping_fits_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
