// SPDX-License-Identifier: MIT
// Tables against the functions whose points they hold: exact where the interpolation must be exact, otherwise by order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/table.h"
#include <math.h>
#include <stdio.h>

enum { N = 9 };
static const double pi = 3.14159265358979323846;

static void expect_near(double have, double want, double tolerance)
{
    if (!(fabs(have - want) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", have, want, tolerance);
    }
}

// Uneven points, so that no formula for even ones passes.
static void uneven(double *x, double from, double to)
{
    for (int k = 0; k < N; k++) {
        double u = (double)k / (N - 1);
        x[k] = from + (to - from) * (0.7 * u + 0.3 * u * u);
    }
}

static void test_linear_table_is_exact_on_straight_lines(void **state)
{
    (void)state;
    double x[N], y[N];
    uneven(x, -1.0, 2.0);
    for (int k = 0; k < N; k++) {
        y[k] = 3.0 - 2.0 * x[k];
    }
    table *t = table_create(x, y, N, TABLE_LINEAR, TABLE_EXTRAPOLATE);
    for (double at = -3.0; at < 4.0; at += 0.137) {
        jet f = table_at(t, at);
        // a few roundings of numbers below 10
        expect_near(f.v, 3.0 - 2.0 * at, 1e-14 * 10.0);
        expect_near(f.d, -2.0, 1e-14 * 10.0);
        expect_near(table_integral(t, at), 3.0 * (at + 1.0) - (at * at - 1.0), 1e-13 * 10.0);
    }
    table_destroy(t);
}

// Of a natural spline: continuous f, f' and f'', and no curvature at the ends.
static void test_cubic_table_has_two_continuous_derivatives_and_free_ends(void **state)
{
    (void)state;
    double x[N], y[N];
    uneven(x, 0.0, 2.0);
    for (int k = 0; k < N; k++) {
        y[k] = sin(3.0 * x[k]);
    }
    table *t = table_create(x, y, N, TABLE_CUBIC, TABLE_CLAMP);
    // across a knot the values change by slope times this distance
    const double near = 1e-9;
    for (int k = 1; k < N - 1; k++) {
        jet before = table_at(t, x[k] - near), after = table_at(t, x[k] + near);
        expect_near(table_at(t, x[k]).v, y[k], 1e-15);
        expect_near(before.v, after.v, 10.0 * near);
        expect_near(before.d, after.d, 100.0 * near);
        expect_near(before.dd, after.dd, 1000.0 * near);
    }
    expect_near(table_at(t, x[0]).dd, 0.0, 1e-12);
    expect_near(table_at(t, x[N - 1]).dd, 0.0, 1e-12);
    table_destroy(t);
}

static void test_derivatives_and_integral_agree_with_differences(void **state)
{
    (void)state;
    double x[N], y[N];
    uneven(x, 0.0, 2.0);
    for (int k = 0; k < N; k++) {
        y[k] = sin(3.0 * x[k]);
    }
    for (int how = TABLE_CUBIC; how <= TABLE_MONOTONE; how++) {
        table *t = table_create(x, y, N, (table_interpolation)how, TABLE_EXTRAPOLATE);
        for (double at = -0.31; at < 2.4; at += 0.0713) {
            // central differences: h^2 f'''/6 with f''' below 200, and 1e-16/h of rounding
            const double h = 1e-5;
            jet f = table_at(t, at);
            jet before = table_at(t, at - h), after = table_at(t, at + h);
            expect_near(f.d, (after.v - before.v) / (2.0 * h), 1e-7);
            expect_near(f.dd, (after.d - before.d) / (2.0 * h), 1e-6);
            expect_near(f.v, (table_integral(t, at + h) - table_integral(t, at - h)) / (2.0 * h), 1e-7);
        }
        table_destroy(t);
    }
}

// Largest error of a periodic spline of sin over its circle.
static double sine_error(int n)
{
    double x[129], y[129];
    for (int k = 0; k <= n; k++) {
        x[k] = 2.0 * pi * k / n;
        y[k] = k == n ? 0.0 : sin(x[k]);
    }
    table *t = table_create(x, y, n + 1, TABLE_CUBIC, TABLE_PERIODIC);
    double worst = 0.0;
    for (double at = -20.0; at < 20.0; at += 0.0371) {
        worst = fmax(worst, fabs(table_at(t, at).v - sin(at)));
    }
    table_destroy(t);
    return worst;
}

static void test_periodic_cubic_table_of_a_sine_has_order_four(void **state)
{
    (void)state;
    double coarse = sine_error(32), fine = sine_error(64), ratio = coarse / fine;
    printf("measured periodic table ratio=%.2f fine=%.2e\n", ratio, fine);
    assert_true(ratio > 14.0 && ratio < 18.0);
    // 5/384 h^4 of the spline theory
    assert_true(fine < 1.1 * 5.0 / 384.0 * pow(2.0 * pi / 64.0, 4.0));
}

static void test_small_periodic_tables_close(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        const double x[] = { 0.0, 1.0, 2.5, 3.0 }, y[4][4] = { { 0 }, { 0 }, { 1, 2, 1, 0 }, { 1, 2, 0, 1 } };
        const double flat[2] = { 3.0, 3.0 };
        table *t = table_create(x, n == 2 ? flat : y[n - 1], n, TABLE_CUBIC, TABLE_PERIODIC);
        double period = x[n - 1], near = 1e-9;
        jet start = table_at(t, near), end = table_at(t, period - near);
        expect_near(start.v, end.v, 1e-7);
        expect_near(start.d, end.d, 1e-6);
        expect_near(start.dd, end.dd, 1e-5);
        table_destroy(t);
    }
}

static void test_monotone_table_does_not_overshoot(void **state)
{
    (void)state;
    const double x[] = { 0.0, 1.0, 2.0, 2.1, 4.0 }, y[] = { 0.0, 0.0, 0.1, 1.0, 1.0 };
    table *t = table_create(x, y, 5, TABLE_MONOTONE, TABLE_CLAMP);
    table *spline = table_create(x, y, 5, TABLE_CUBIC, TABLE_CLAMP);
    double before = 0.0, most = 0.0;
    for (double at = 0.0; at <= 4.0; at += 0.001) {
        double v = table_at(t, at).v;
        assert_true(v >= before - 1e-15);
        before = v;
        most = fmax(most, table_at(spline, at).v);
    }
    expect_near(before, 1.0, 1e-12);
    assert_true(most > 1.05); // the plain spline does overshoot: the test can fail
    table_destroy(t);
    table_destroy(spline);
}

static void test_step_table_holds_the_point_before(void **state)
{
    (void)state;
    const double x[] = { 0.0, 1.0, 2.0 }, y[] = { 5.0, 7.0, 9.0 };
    table *t = table_create(x, y, 3, TABLE_STEP, TABLE_CLAMP);
    assert_true(table_at(t, -1.0).v == 5.0 && table_at(t, 0.999).v == 5.0 && table_at(t, 1.0).v == 7.0);
    assert_true(table_at(t, 2.0).v == 9.0 && table_at(t, 3.0).v == 9.0 && table_at(t, 1.5).d == 0.0);
    table_destroy(t);
}

static void test_outside_rules_clamp_extend_and_refuse(void **state)
{
    (void)state;
    const double x[] = { 0.0, 1.0, 2.0 }, y[] = { 0.0, 1.0, 4.0 };
    table *clamp = table_create(x, y, 3, TABLE_LINEAR, TABLE_CLAMP);
    table *extend = table_create(x, y, 3, TABLE_LINEAR, TABLE_EXTRAPOLATE);
    table *refuse = table_create(x, y, 3, TABLE_LINEAR, TABLE_ERROR);
    assert_true(table_at(clamp, 5.0).v == 4.0 && table_at(clamp, 5.0).d == 0.0 &&
                table_at(clamp, -1.0).v == 0.0);
    expect_near(table_at(extend, 5.0).v, 13.0, 1e-12);
    expect_near(table_at(extend, -2.0).v, -2.0, 1e-12);
    assert_true(isnan(table_at(refuse, 2.1).v) && isnan(table_at(refuse, -0.1).v));
    assert_true(table_at(refuse, 2.0).v == 4.0);
    assert_true(isnan(table_at(clamp, NAN).v));
    table_destroy(clamp);
    table_destroy(extend);
    table_destroy(refuse);
}

static void test_moving_argument_follows_the_chain_rule(void **state)
{
    (void)state;
    double x[N], y[N];
    uneven(x, -1.0, 1.0);
    for (int k = 0; k < N; k++) {
        y[k] = exp(x[k]);
    }
    table *t = table_create(x, y, N, TABLE_CUBIC, TABLE_CLAMP);
    // u = sin(s) / 2 at s = 0.4: differences along s
    const double s = 0.4, h = 1e-4;
    jet have = table_of(t, (jet){ 0.5 * sin(s), 0.5 * cos(s), -0.5 * sin(s) });
    double before = table_at(t, 0.5 * sin(s - h)).v, mid = table_at(t, 0.5 * sin(s)).v,
           after = table_at(t, 0.5 * sin(s + h)).v;
    expect_near(have.d, (after - before) / (2.0 * h), 1e-8);
    expect_near(have.dd, (after - 2.0 * mid + before) / (h * h), 1e-5);
    table_destroy(t);
}

static void test_bad_points_are_named(void **state)
{
    (void)state;
    const double x[] = { 0.0, 1.0, 1.0 }, y[] = { 0.0, NAN, 1.0 }, good[] = { 0.0, 1.0, 2.0 };
    assert_non_null(table_mistake(x, good, 3, TABLE_CLAMP));
    assert_non_null(table_mistake(good, y, 3, TABLE_CLAMP));
    assert_non_null(table_mistake(good, good, 1, TABLE_CLAMP));
    assert_non_null(table_mistake(good, good, 3, TABLE_PERIODIC));
    assert_null(table_mistake(good, good, 3, TABLE_CLAMP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_table_is_exact_on_straight_lines),
        cmocka_unit_test(test_cubic_table_has_two_continuous_derivatives_and_free_ends),
        cmocka_unit_test(test_derivatives_and_integral_agree_with_differences),
        cmocka_unit_test(test_periodic_cubic_table_of_a_sine_has_order_four),
        cmocka_unit_test(test_small_periodic_tables_close),
        cmocka_unit_test(test_monotone_table_does_not_overshoot),
        cmocka_unit_test(test_step_table_holds_the_point_before),
        cmocka_unit_test(test_outside_rules_clamp_extend_and_refuse),
        cmocka_unit_test(test_moving_argument_follows_the_chain_rule),
        cmocka_unit_test(test_bad_points_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
