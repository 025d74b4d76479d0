// SPDX-License-Identifier: MIT
// The sets of coordinates, from inside and from outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/dynamics.h"
#include <biela/names.h>

static void test_sets_stand_where_their_values_say(void **state)
{
    (void)state;
    assert_true(bi_coordinates_count() >= 2);
    for (int k = 0; k < bi_coordinates_count(); k++) {
        assert_int_equal(coordinates_of((bi_coordinates)k)->value, k);
    }
}

static void test_sets_are_found_by_their_names(void **state)
{
    (void)state;
    for (int k = 0; k < bi_coordinates_count(); k++) {
        assert_int_equal(bi_coordinates_find(bi_coordinates_name((bi_coordinates)k)), k);
    }
    assert_int_equal(bi_coordinates_find("natural"), BI_NATURAL);
    assert_int_equal(bi_coordinates_find("joint"), BI_JOINT);
}

static void test_sets_that_are_none_have_no_name(void **state)
{
    (void)state;
    const int none[] = { -1, 1000, bi_coordinates_count() };
    for (int k = 0; k < 3; k++) {
        assert_null(coordinates_of((bi_coordinates)none[k]));
        assert_null(bi_coordinates_name((bi_coordinates)none[k]));
    }
    assert_int_equal(bi_coordinates_find("joints"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_stand_where_their_values_say),
        cmocka_unit_test(test_sets_are_found_by_their_names),
        cmocka_unit_test(test_sets_that_are_none_have_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
