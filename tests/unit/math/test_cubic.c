// SPDX-License-Identifier: MIT
#include "math/cubic.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 65 };
static const double two_pi = 6.283185307179586;

typedef struct {
    double knot[MOST + 1], value[MOST], second[MOST], work[3 * MOST];
    cubic spline;
} sample;

// n values of sin over one turn, at knots that are not evenly spaced.
static void sine(sample *s, int n)
{
    for (int k = 0; k <= n; k++) {
        double x = two_pi * k / n;
        s->knot[k] = 0.3 + x + 0.1 * sin(x);
        if (k < n) {
            s->value[k] = sin(s->knot[k]);
        }
    }
    cubic_fit(n, true, s->knot, s->value, s->second, s->work);
    s->spline = (cubic){ n, true, s->knot, s->value, s->second };
}

static double sine_error(int n)
{
    sample s;
    sine(&s, n);
    double worst = 0.0;
    for (double x = -9.0; x < 9.0; x += 0.01) {
        worst = fmax(worst, fabs(cubic_at(&s.spline, x).v - sin(x)));
    }
    return worst;
}

static void test_cubic_goes_through_its_values(void **state)
{
    (void)state;
    sample s;
    for (int n = 3; n < 12; n++) {
        sine(&s, n);
        for (int k = 0; k < n; k++) {
            assert_true(fabs(cubic_at(&s.spline, s.knot[k]).v - s.value[k]) < 1e-14);
        }
    }
}

static void test_closed_cubic_of_a_sine_is_of_fourth_order(void **state)
{
    (void)state;
    double coarse = sine_error(16), fine = sine_error(32);
    // 1/384 h^4 per interval: 6e-5 at 16 intervals, sixteen times less at 32
    assert_true(coarse < 2e-4);
    assert_true(coarse / fine > 13.0 && coarse / fine < 20.0);
}

static void test_cubic_has_two_continuous_derivatives_also_across_the_period(void **state)
{
    (void)state;
    sample s;
    sine(&s, 9);
    for (int k = 0; k <= 9; k++) {
        cubic_value before = cubic_at(&s.spline, s.knot[k] - 1e-9),
                    after = cubic_at(&s.spline, s.knot[k] + 1e-9);
        // over 2e-9 the second derivative changes by its rate, of the order of one
        assert_true(fabs(before.v - after.v) < 1e-8);
        assert_true(fabs(before.d - after.d) < 1e-8);
        assert_true(fabs(before.dd - after.dd) < 2e-8);
    }
}

static void test_derivatives_agree_with_differences(void **state)
{
    (void)state;
    sample s;
    sine(&s, 9);
    const double h = 1e-4;
    for (double x = 0.4; x < 6.0; x += 0.37) {
        cubic_value low = cubic_at(&s.spline, x - h), at = cubic_at(&s.spline, x),
                    high = cubic_at(&s.spline, x + h);
        // a cubic: the differences are exact but for rounding / h^2, unless a knot lies between
        assert_true(fabs((high.v - low.v) / (2.0 * h) - at.d) < 1e-7);
        assert_true(fabs((high.d - low.d) / (2.0 * h) - at.dd) < 1e-3);
    }
}

static void test_open_cubic_of_a_line_is_the_line_also_outside(void **state)
{
    (void)state;
    double knot[4] = { 0.0, 0.5, 2.0, 3.0 }, value[4], second[4], work[12];
    for (int n = 2; n <= 4; n++) {
        for (int k = 0; k < n; k++) {
            value[k] = 2.0 - 3.0 * knot[k];
        }
        cubic_fit(n, false, knot, value, second, work);
        cubic c = { n, false, knot, value, second };
        for (double x = -2.0; x < 5.0; x += 0.3) {
            assert_true(fabs(cubic_at(&c, x).v - (2.0 - 3.0 * x)) < 1e-13);
            assert_true(fabs(cubic_at(&c, x).d + 3.0) < 1e-13);
        }
    }
}

static void test_open_cubic_is_smooth_at_its_ends(void **state)
{
    (void)state;
    double knot[5] = { 0.0, 0.4, 1.0, 1.5, 2.0 }, value[5] = { 0.0, 0.3, -0.2, 0.5, 0.1 }, second[5],
           work[15];
    cubic_fit(5, false, knot, value, second, work);
    cubic c = { 5, false, knot, value, second };
    for (int k = 0; k < 5; k += 4) {
        cubic_value in = cubic_at(&c, knot[k] + (k ? -1e-9 : 1e-9)),
                    out = cubic_at(&c, knot[k] + (k ? 1e-9 : -1e-9));
        assert_true(fabs(in.v - out.v) < 1e-8 && fabs(in.d - out.d) < 1e-6 && fabs(in.dd - out.dd) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubic_goes_through_its_values),
        cmocka_unit_test(test_closed_cubic_of_a_sine_is_of_fourth_order),
        cmocka_unit_test(test_cubic_has_two_continuous_derivatives_also_across_the_period),
        cmocka_unit_test(test_derivatives_agree_with_differences),
        cmocka_unit_test(test_open_cubic_of_a_line_is_the_line_also_outside),
        cmocka_unit_test(test_open_cubic_is_smooth_at_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
