// SPDX-License-Identifier: MIT
// Rainflow counting against the examples of ASTM E1049 and damage against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/rainflow.h"
#include <math.h>

enum { MOST = 20000 };
static rainflow_cycle cycle[MOST];

static double counted(int n, double range)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += fabs(cycle[k].range - range) < 1e-12 ? cycle[k].count : 0.0;
    }
    return sum;
}

// E1049-85, figure 6
static const double astm[] = { -2, 1, -3, 5, -1, 3, -4, 4, -2 };

static void test_example_of_the_standard_is_counted_as_printed(void **state)
{
    (void)state;
    int n = rainflow_count(astm, 9, RAINFLOW_ONCE, cycle);
    static const double range[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    static const double expected[] = { 0, 0, 0.5, 1.5, 0, 0.5, 0, 1.0, 0.5, 0 };
    for (int k = 0; k < 10; k++) {
        assert_true(counted(n, range[k]) == expected[k]);
    }
    // the whole cycle E-F has its mean at 1 and its turns at samples 4 and 5
    for (int k = 0; k < n; k++) {
        if (cycle[k].count == 1.0) {
            assert_true(cycle[k].range == 4.0 && cycle[k].mean == 1.0);
            assert_int_equal(cycle[k].first, 4);
            assert_int_equal(cycle[k].second, 5);
        }
    }
}

static void test_repeated_example_of_the_standard_has_whole_cycles(void **state)
{
    (void)state;
    // E1049-85, figure 7: 3, 4, 7 and 9, one each
    int n = rainflow_count(astm, 9, RAINFLOW_REPEATED, cycle);
    assert_int_equal(n, 4);
    static const double expected[] = { 3, 4, 7, 9 };
    for (int k = 0; k < 4; k++) {
        assert_true(counted(n, expected[k]) == 1.0);
    }
}

static void test_samples_between_turns_and_plateaus_change_nothing(void **state)
{
    (void)state;
    static const double fine[] = { -2, -1, 0, 1, 1, 1, -3, -2.9, 5, -1, -1, 3, 0, -4, 4, 4, -2, -2 };
    // -2.9 after -3 is on the way up: no turn
    int n = rainflow_count(fine, 18, RAINFLOW_ONCE, cycle);
    assert_true(counted(n, 3) == 0.5 && counted(n, 4) == 1.5 && counted(n, 6) == 0.5 &&
                counted(n, 8) == 1.0 && counted(n, 9) == 0.5);
}

static void test_nothing_moves_nothing_is_counted(void **state)
{
    (void)state;
    static const double still[] = { 3, 3, 3 };
    assert_int_equal(rainflow_count(still, 3, RAINFLOW_ONCE, cycle), 0);
    assert_int_equal(rainflow_count(still, 3, RAINFLOW_REPEATED, cycle), 0);
    assert_int_equal(rainflow_count(still, 0, RAINFLOW_ONCE, cycle), 0);
    static const double ramp[] = { 0, 1, 2 };
    assert_int_equal(rainflow_count(ramp, 3, RAINFLOW_ONCE, cycle), 1);
    assert_true(cycle[0].range == 2.0 && cycle[0].count == 0.5);
}

static void test_damage_of_a_sine_is_its_cycles_over_its_life(void **state)
{
    (void)state;
    // 50 cycles of 200 MPa: N = 1e6 (150 / 200)^5
    static double sine[5001];
    for (int k = 0; k <= 5000; k++) {
        sine[k] = 200e6 * sin(2.0 * 3.14159265358979 * k / 100.0);
    }
    endurance e = { .amplitude = 150e6, .reference_cycles = 1e6, .slope = 5.0 };
    int n = rainflow_count(sine, 5001, RAINFLOW_REPEATED, cycle);
    double expected = 50.0 / (1e6 * pow(150.0 / 200.0, 5.0));
    // the ends at zero stress are on the way, the tops are sampled exactly
    assert_true(fabs(endurance_damage(&e, cycle, n) / expected - 1.0) < 1e-9);
    // below the limit nothing happens
    e.limit = 201e6;
    assert_true(endurance_damage(&e, cycle, n) == 0.0);
}

static void test_mean_is_corrected_by_goodman(void **state)
{
    (void)state;
    endurance e = { .amplitude = 100e6, .reference_cycles = 1e6, .slope = 4.0, .ultimate = 500e6 };
    // 0 .. 200 MPa: amplitude 100, mean 100: 100 / (1 - 0.2) = 125
    assert_true(fabs(endurance_equivalent(&e, 200e6, 100e6) - 125e6) < 1e-3);
    assert_true(fabs(endurance_equivalent(&e, 200e6, -100e6) - 100e6) < 1e-3);
    assert_true(isinf(endurance_equivalent(&e, 2e6, 500e6)));
    rainflow_cycle one = { 200e6, 100e6, 1.0, 0, 1 };
    assert_true(fabs(endurance_damage(&e, &one, 1) - pow(1.25, 4.0) / 1e6) < 1e-18);
}

static void test_two_sines_are_counted_as_large_and_small_cycles(void **state)
{
    (void)state;
    // a slow wave of 10 and a fast one of 1 on it: one cycle of 22 per slow period at most, the rest near 2
    static double both[4001];
    for (int k = 0; k <= 4000; k++) {
        double t = k / 4000.0;
        both[k] = 10.0 * cos(2.0 * 3.14159265358979 * 2.0 * t) + cos(2.0 * 3.14159265358979 * 50.0 * t);
    }
    int n = rainflow_count(both, 4000, RAINFLOW_REPEATED, cycle);
    double large = 0.0;
    double total = 0.0;
    for (int k = 0; k < n; k++) {
        total += cycle[k].count;
        large += cycle[k].range > 15.0 ? cycle[k].count : 0.0;
    }
    assert_true(large == 2.0);
    // one cycle per turn pair: 50 of them
    assert_true(total == 50.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_of_the_standard_is_counted_as_printed),
        cmocka_unit_test(test_repeated_example_of_the_standard_has_whole_cycles),
        cmocka_unit_test(test_samples_between_turns_and_plateaus_change_nothing),
        cmocka_unit_test(test_nothing_moves_nothing_is_counted),
        cmocka_unit_test(test_damage_of_a_sine_is_its_cycles_over_its_life),
        cmocka_unit_test(test_mean_is_corrected_by_goodman),
        cmocka_unit_test(test_two_sines_are_counted_as_large_and_small_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
