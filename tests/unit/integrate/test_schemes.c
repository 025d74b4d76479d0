// SPDX-License-Identifier: MIT
// The table of schemes, from inside and from outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "integrate/schemes.h"
#include <string.h>

static void test_schemes_all_have_what_a_run_needs(void **state)
{
    (void)state;
    assert_true(bi_scheme_count() >= 8);
    for (int k = 0; k < bi_scheme_count(); k++) {
        const scheme *s = scheme_of((bi_scheme)k);
        assert_true(scheme_exists((bi_scheme)k));
        assert_int_equal(s->value, k);
        assert_non_null(s->name);
        assert_non_null(s->step);
        assert_true(s->help && s->help[0]);
        assert_true(s->order >= 1);
        // an estimate beside the step is Hermite's, which is of the fourth order
        assert_true(!s->is_explicit || !s->has_estimate || s->is_embedded || s->order <= 4);
        assert_true(!s->is_embedded || s->has_estimate);
        assert_true(s->is_explicit == (s->real > 0.0 && s->imaginary > 0.0));
        assert_true(s->is_damped || !s->needs_damping);
    }
}

static void test_schemes_are_found_by_each_of_their_names(void **state)
{
    (void)state;
    for (int k = 0; k < bi_scheme_count(); k++) {
        bi_scheme value = (bi_scheme)k;
        assert_int_equal(bi_scheme_find(bi_scheme_name(value)), k);
        assert_true(!bi_scheme_also(value) || bi_scheme_find(bi_scheme_also(value)) == k);
    }
    assert_int_equal(bi_scheme_find("rk4"), BI_RK4);
    assert_int_equal(bi_scheme_find("ali3p"), BI_ALI3P);
}

static void test_schemes_that_are_none_have_no_name(void **state)
{
    (void)state;
    assert_int_equal(bi_scheme_find("midpoint"), -1);
    assert_int_equal(bi_scheme_find(""), -1);
    assert_int_equal(bi_scheme_find(NULL), -1);
    const int none[] = { -1, 1000, bi_scheme_count() };
    for (int k = 0; k < 3; k++) {
        bi_scheme value = (bi_scheme)none[k];
        assert_null(bi_scheme_name(value));
        assert_null(bi_scheme_also(value));
        assert_null(bi_scheme_help(value));
        assert_int_equal(bi_scheme_order(value), 0);
        assert_false(bi_scheme_is_explicit(value));
        assert_false(bi_scheme_chooses_steps(value));
    }
}

static void test_schemes_tell_what_they_are(void **state)
{
    (void)state;
    assert_false(bi_scheme_is_explicit(BI_ALI3P_FLEX));
    assert_true(bi_scheme_is_explicit(BI_SEMI_IMPLICIT_EULER));
    assert_int_equal(bi_scheme_order(BI_DOPRI5), 5);
    assert_true(bi_scheme_chooses_steps(BI_DOPRI5));
    assert_false(bi_scheme_chooses_steps(BI_RK4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schemes_all_have_what_a_run_needs),
        cmocka_unit_test(test_schemes_are_found_by_each_of_their_names),
        cmocka_unit_test(test_schemes_that_are_none_have_no_name),
        cmocka_unit_test(test_schemes_tell_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
