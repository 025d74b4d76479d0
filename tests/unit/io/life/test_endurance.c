// SPDX-License-Identifier: MIT
// Lines of endurance against numbers done by hand: two slopes, means, survival.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/life/endurance.h"
#include <math.h>

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

static endurance steel(mean_rule mean)
{
    endurance e = { .n_point = 3,
                    .cycles = { 1e4, 1e6, 1e7 },
                    .amplitude = { 400.0, 200.0, 180.0 },
                    .slope = 4.0,
                    .slope_beyond = 9.0,
                    .ultimate = 600.0,
                    .yield = 400.0,
                    .sensitivity = 0.3,
                    .scatter = 0.2,
                    .survival = 0.5,
                    .mean = mean };
    return e;
}

static double cycles(const endurance *e, double amplitude, double mean)
{
    return 1.0 / endurance_of_cycle(e, 2.0 * amplitude, mean, 0.0);
}

static void test_lines_go_through_their_points(void **state)
{
    (void)state;
    endurance e = steel(MEAN_NONE);
    for (int k = 0; k < 3; k++) {
        assert_true(is_near(cycles(&e, e.amplitude[k], 0.0), e.cycles[k]));
    }
    assert_true(is_near(cycles(&e, 800.0, 0.0), 1e4 / 16.0));
    assert_true(is_near(cycles(&e, 90.0, 0.0), 1e7 * 512.0));
    // the middle of two points in the logarithms
    assert_true(is_near(cycles(&e, sqrt(400.0 * 200.0), 0.0), 1e5));
    e.limit = 90.0;
    assert_true(endurance_of_cycle(&e, 180.0, 0.0, 0.0) == 0.0);
}

// The amplitude without mean that lives as long is found in the line itself.
static double equivalent(mean_rule mean, double amplitude, double middle)
{
    endurance e = steel(mean);
    double n = cycles(&e, amplitude, middle);
    double low = 1e-6, high = 1e9;
    for (int k = 0; k < 200; k++) {
        double x = sqrt(low * high);
        if (cycles(&e, x, 0.0) > n) {
            low = x;
        } else {
            high = x;
        }
    }
    return low;
}

static bool is_equivalent(mean_rule mean, double amplitude, double middle, double expected)
{
    return fabs(equivalent(mean, amplitude, middle) - expected) < 1e-9 * expected;
}

static void test_means(void **state)
{
    (void)state;
    assert_true(is_equivalent(MEAN_GOODMAN, 100.0, 300.0, 200.0));
    assert_true(is_equivalent(MEAN_GOODMAN, 100.0, -300.0, 100.0));
    assert_true(is_equivalent(MEAN_GERBER, 100.0, 300.0, 100.0 / 0.75));
    assert_true(is_equivalent(MEAN_SODERBERG, 100.0, 200.0, 200.0));
    assert_true(is_equivalent(MEAN_SWT, 100.0, 300.0, 200.0));
    // Haigh with 0.3: R > 1; -1; 0 (1.3); 1/2 (1.3 1.3/1.1); beyond the same factor
    assert_true(is_equivalent(MEAN_HAIGH, 100.0, -150.0, 70.0));
    assert_true(is_equivalent(MEAN_HAIGH, 100.0, -100.0, 70.0));
    assert_true(is_equivalent(MEAN_HAIGH, 100.0, 100.0, 130.0));
    assert_true(is_equivalent(MEAN_HAIGH, 100.0, 300.0, 169.0 / 1.1));
    assert_true(is_equivalent(MEAN_HAIGH, 100.0, 500.0, 169.0 / 1.1));
    endurance e = steel(MEAN_GOODMAN);
    assert_true(isinf(endurance_of_cycle(&e, 2.0, 600.0, 0.0)));
    // of seams the range counts
    e.is_range = true;
    assert_true(is_near(cycles(&e, 200.0, 500.0), 1e6));
}

// One standard deviation of the normal distribution below the mean survive 84.13 %.
static void test_survival(void **state)
{
    (void)state;
    endurance e = steel(MEAN_NONE);
    endurance_survive(&e, 0.841344746068543);
    assert_true(fabs(e.cycles[1] / (1e6 * pow(10.0, -0.2)) - 1.0) < 1e-9);
    endurance_survive(&e, 0.5);
    assert_true(fabs(e.cycles[1] / 1e6 - 1.0) < 1e-9);
}

// Under push and pull alone the plane at 45 degrees has half the stress as shear and as normal stress.
static void test_shear_of_push_and_pull_is_the_line_itself(void **state)
{
    (void)state;
    endurance e = steel(MEAN_NONE);
    e.share = 0.5;
    assert_true(is_near(1.0 / endurance_of_cycle(&e, 200.0, 0.0, 100.0), 1e6));
}

static void test_gate_does_nothing(void **state)
{
    (void)state;
    endurance e = steel(MEAN_NONE);
    endurance_finish(&e);
    assert_true(e.gate > 0.0 && e.gate < 1e-3 * 180.0);
    assert_true(endurance_of_cycle(&e, e.gate, 0.0, 0.0) < 1.0001e-40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_go_through_their_points),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_survival),
        cmocka_unit_test(test_shear_of_push_and_pull_is_the_line_itself),
        cmocka_unit_test(test_gate_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
