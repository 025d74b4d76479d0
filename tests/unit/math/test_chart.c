// SPDX-License-Identifier: MIT
// Surfaces over a grid: exact where the interpolation must be exact, splines along their lines, derivatives against
// differences, and what they are outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/chart.h"
#include <math.h>

enum { NX = 6, NY = 5 };
static const double x[NX] = { -1.0, -0.4, 0.3, 0.9, 1.1, 2.0 }, y[NY] = { 0.0, 0.5, 0.7, 1.6, 3.0 };

static void expect_near(double have, double want, double tolerance)
{
    if (!(fabs(have - want) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", have, want, tolerance);
    }
}

static double twisted(double a, double b) { return 2.0 - 3.0 * a + 0.5 * b + 1.5 * a * b; }
static double wavy(double a, double b) { return sin(1.3 * a) * cos(0.8 * b) + 0.2 * a * b * b; }

static void fill(double (*f)(double, double), double *value)
{
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < NY; j++) {
            value[i * NY + j] = f(x[i], y[j]);
        }
    }
}

static chart *surface_of(double (*f)(double, double), table_interpolation how, table_outside outside)
{
    double value[NX * NY];
    fill(f, value);
    assert_null(chart_mistake(x, NX, y, NY, value, how, outside));
    chart *m = chart_create(x, NX, y, NY, value, how, outside);
    assert_non_null(m);
    return m;
}

// Both kinds keep what is straight along x and y, inside and, extrapolated, outside; a few roundings of numbers below 40.
static void test_chart_of_a_twisted_plane_is_exact(void **state)
{
    (void)state;
    for (int how = TABLE_CUBIC; how <= TABLE_LINEAR; how++) {
        chart *m = surface_of(twisted, (table_interpolation)how, TABLE_EXTRAPOLATE);
        for (double a = -3.0; a < 4.0; a += 0.173) {
            for (double b = -2.0; b < 5.0; b += 0.191) {
                chart_value f = chart_at(m, a, b);
                expect_near(f.v, twisted(a, b), 2e-13);
                expect_near(f.x, -3.0 + 1.5 * b, 2e-13);
                expect_near(f.y, 0.5 + 1.5 * a, 2e-13);
                expect_near(f.xy, 1.5, 2e-13);
                expect_near(f.xx, 0.0, 2e-12);
                expect_near(f.yy, 0.0, 2e-12);
            }
        }
        chart_destroy(m);
    }
}

// Along a line of the grid a smooth surface is the table through the points of that line.
static void test_cubic_chart_is_the_spline_of_each_line(void **state)
{
    (void)state;
    double value[NX * NY], line[NX];
    fill(wavy, value);
    chart *m = surface_of(wavy, TABLE_CUBIC, TABLE_EXTRAPOLATE);
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            line[i] = value[i * NY + j];
        }
        table *t = table_create(x, line, NX, TABLE_CUBIC, TABLE_EXTRAPOLATE);
        for (double a = -2.0; a < 3.0; a += 0.097) {
            jet want = table_at(t, a);
            chart_value f = chart_at(m, a, y[j]);
            expect_near(f.v, want.v, 1e-13 * 20.0);
            expect_near(f.x, want.d, 1e-13 * 40.0);
            expect_near(f.xx, want.dd, 1e-12 * 40.0);
        }
        table_destroy(t);
    }
    for (int i = 0; i < NX; i++) {
        table *t = table_create(y, &value[i * NY], NY, TABLE_CUBIC, TABLE_CLAMP);
        for (double b = 0.0; b < 3.0; b += 0.083) {
            jet want = table_at(t, b);
            chart_value f = chart_at(m, x[i], b);
            expect_near(f.v, want.v, 1e-13 * 20.0);
            expect_near(f.y, want.d, 1e-13 * 40.0);
            expect_near(f.yy, want.dd, 1e-12 * 40.0);
        }
        table_destroy(t);
    }
    chart_destroy(m);
}

// Central differences of 1e-4: their error is 1e-8 of third derivatives below 20, and roundings of 1e-12 over 1e-8.
static void test_chart_has_the_derivatives_of_its_values(void **state)
{
    (void)state;
    static const double h = 1e-4;
    for (int how = TABLE_CUBIC; how <= TABLE_LINEAR; how++) {
        chart *m = surface_of(wavy, (table_interpolation)how, TABLE_CLAMP);
        for (double a = -1.477; a < 2.5; a += 0.31) {
            for (double b = -0.521; b < 3.5; b += 0.37) {
                chart_value f = chart_at(m, a, b), e = chart_at(m, a + h, b), w = chart_at(m, a - h, b),
                            n = chart_at(m, a, b + h), s = chart_at(m, a, b - h);
                expect_near(f.x, (e.v - w.v) / (2.0 * h), 1e-6);
                expect_near(f.y, (n.v - s.v) / (2.0 * h), 1e-6);
                expect_near(f.xx, (e.x - w.x) / (2.0 * h), 1e-6);
                expect_near(f.xy, (n.x - s.x) / (2.0 * h), 1e-6);
                expect_near(f.xy, (e.y - w.y) / (2.0 * h), 1e-6);
                expect_near(f.yy, (n.y - s.y) / (2.0 * h), 1e-6);
            }
        }
        chart_destroy(m);
    }
}

static void test_cubic_chart_has_two_continuous_derivatives(void **state)
{
    (void)state;
    chart *m = surface_of(wavy, TABLE_CUBIC, TABLE_CLAMP);
    for (int i = 1; i < NX - 1; i++) {
        for (double b = 0.05; b < 3.0; b += 0.21) {
            chart_value l = chart_at(m, x[i] - 1e-9, b), r = chart_at(m, x[i] + 1e-9, b);
            // 2e-9 of the next derivatives, below 30
            expect_near(l.v, r.v, 6e-8);
            expect_near(l.x, r.x, 6e-8);
            expect_near(l.xx, r.xx, 6e-8);
            expect_near(l.xy, r.xy, 6e-8);
            expect_near(l.yy, r.yy, 6e-8);
        }
    }
    chart_destroy(m);
}

static void test_chart_outside_keeps_its_edge_or_refuses(void **state)
{
    (void)state;
    chart *clamp = surface_of(wavy, TABLE_CUBIC, TABLE_CLAMP),
          *none = surface_of(wavy, TABLE_LINEAR, TABLE_ERROR);
    chart_value f = chart_at(clamp, 9.0, 0.6), edge = chart_at(clamp, 2.0, 0.6);
    expect_near(f.v, edge.v, 0.0);
    expect_near(f.y, edge.y, 0.0);
    expect_near(f.x, 0.0, 0.0);
    expect_near(f.xy, 0.0, 0.0);
    expect_near(chart_at(clamp, -5.0, -5.0).v, wavy(-1.0, 0.0), 1e-15);
    assert_true(isnan(chart_at(none, 2.001, 0.6).v));
    assert_true(isnan(chart_at(none, 0.0, -1e-9).v));
    assert_true(isfinite(chart_at(none, 2.0, 3.0).v));
    assert_true(isnan(chart_at(clamp, NAN, 0.6).v));
    chart_destroy(clamp);
    chart_destroy(none);
}

static void test_chart_of_moving_arguments_follows_the_chain_rule(void **state)
{
    (void)state;
    chart *m = surface_of(wavy, TABLE_CUBIC, TABLE_EXTRAPOLATE);
    // u = 0.2 + t - t^2, w = 1 + 2 t + 0.5 t^2 at t = 0
    jet f = chart_of(m, (jet){ 0.2, 1.0, -2.0 }, (jet){ 1.0, 2.0, 1.0 });
    double h = 1e-4, at[3];
    for (int k = 0; k < 3; k++) {
        double t = (k - 1) * h;
        at[k] = chart_at(m, 0.2 + t - t * t, 1.0 + 2.0 * t + 0.5 * t * t).v;
    }
    expect_near(f.d, (at[2] - at[0]) / (2.0 * h), 1e-6);
    expect_near(f.dd, (at[2] - 2.0 * at[1] + at[0]) / (h * h), 1e-5);
    chart_destroy(m);
}

static void test_chart_names_what_is_wrong_with_its_grid(void **state)
{
    (void)state;
    double value[NX * NY], late[3] = { 0.0, 1.0, 1.0 };
    fill(wavy, value);
    assert_non_null(chart_mistake(late, 3, y, NY, value, TABLE_LINEAR, TABLE_CLAMP));
    assert_non_null(chart_mistake(x, NX, late, 3, value, TABLE_LINEAR, TABLE_CLAMP));
    assert_non_null(chart_mistake(x, 1, y, NY, value, TABLE_LINEAR, TABLE_CLAMP));
    assert_non_null(chart_mistake(x, NX, y, NY, value, TABLE_STEP, TABLE_CLAMP));
    assert_non_null(chart_mistake(x, NX, y, NY, value, TABLE_LINEAR, TABLE_PERIODIC));
    value[7] = NAN;
    assert_non_null(chart_mistake(x, NX, y, NY, value, TABLE_LINEAR, TABLE_CLAMP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chart_of_a_twisted_plane_is_exact),
        cmocka_unit_test(test_cubic_chart_is_the_spline_of_each_line),
        cmocka_unit_test(test_chart_has_the_derivatives_of_its_values),
        cmocka_unit_test(test_cubic_chart_has_two_continuous_derivatives),
        cmocka_unit_test(test_chart_outside_keeps_its_edge_or_refuses),
        cmocka_unit_test(test_chart_of_moving_arguments_follows_the_chain_rule),
        cmocka_unit_test(test_chart_names_what_is_wrong_with_its_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
