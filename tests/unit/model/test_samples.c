// SPDX-License-Identifier: MIT
// Samples of an action: the spline reproduces cubics between uneven samples, and what is not usable is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <math.h>

static bi_model *new_model(bi_element *action)
{
    bi_model *m = bi_model_create("m");
    assert_non_null(m);
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a", .mass = 1.0 });
    *action = bi_add_moment_action(m, &(bi_moment_action_def){ "M", a, { 1, 0, 0 } });
    return m;
}

static double cubic(double t) { return 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t; }

static void test_spline_through_samples_of_a_cubic_is_the_cubic(void **state)
{
    (void)state;
    static const double t[] = { 0.0, 0.1, 0.35, 0.4, 0.9, 1.3, 2.0 };
    double value[7];
    bi_element action;
    bi_report report = { 0 };
    bi_model *m = new_model(&action);
    for (int n = 4; n <= 7; n++) {
        for (int k = 0; k < n; k++) {
            value[k] = cubic(t[k]);
        }
        assert_true(bi_action_samples(m, action, n, t, value, &report));
        for (double x = 0.0; x <= t[n - 1]; x += 0.03) {
            // not-a-knot: exact for cubics, rounding of the elimination
            assert_true(fabs(model_samples_at(&m->element[action.i - 1].samples, x) - cubic(x)) <= 1e-11);
        }
    }
    bi_model_destroy(m);
}

static void test_two_and_three_samples_give_a_line_and_a_parabola(void **state)
{
    (void)state;
    bi_element action;
    bi_report report = { 0 };
    bi_model *m = new_model(&action);
    const model_samples *s = &m->element[action.i - 1].samples;
    assert_true(bi_action_samples(m, action, 2, (double[]){ 0, 2 }, (double[]){ 1, 5 }, &report));
    assert_true(fabs(model_samples_at(s, 0.5) - 2.0) <= 1e-14);
    assert_true(fabs(model_samples_at(s, 7.0) - 5.0) <= 0.0);
    assert_true(bi_action_samples(m, action, 3, (double[]){ 0, 1, 3 }, (double[]){ 0, 1, 9 }, &report));
    assert_true(fabs(model_samples_at(s, 2.0) - 4.0) <= 1e-13);
    bi_model_destroy(m);
}

static void test_samples_that_do_not_increase_are_refused(void **state)
{
    (void)state;
    bi_element action;
    bi_report report = { 0 };
    bi_model *m = new_model(&action);
    assert_false(bi_action_samples(m, action, 3, (double[]){ 0, 1, 1 }, (double[]){ 0, 1, 9 }, &report));
    assert_false(bi_action_samples(m, action, 1, (double[]){ 0 }, (double[]){ 0 }, &report));
    assert_false(bi_action_samples(m, action, 2, (double[]){ 0, 1 }, (double[]){ 0, NAN }, &report));
    assert_int_equal(report.errors, 3);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_an_action_is_an_input(void **state)
{
    (void)state;
    bi_element action;
    bi_model *m = new_model(&action);
    assert_int_equal(bi_model_input(m, "M").i, 1);
    assert_int_equal(bi_action_count(m), 1);
    assert_string_equal(bi_action_name(m, bi_action_at(m, 0)), "M");
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spline_through_samples_of_a_cubic_is_the_cubic),
        cmocka_unit_test(test_two_and_three_samples_give_a_line_and_a_parabola),
        cmocka_unit_test(test_samples_that_do_not_increase_are_refused),
        cmocka_unit_test(test_an_action_is_an_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
