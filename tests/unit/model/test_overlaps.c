// SPDX-License-Identifier: MIT
// Shapes that start inside each other are told by name, with their depth, and refused when that cannot be meant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/shape_query.h"

enum { MOST = 8 };

// Crates of 1 x 1 x 0.5 m in a row, `step` from middle to middle, over a floor; all of them touch each other and it.
typedef struct {
    bi_model *m;
    bi_pose pose[MOST + 2];
    bi_report report;
} row;

static row make(int n, double step, double height)
{
    row r = { .m = bi_model_create("row") };
    bi_shape crate[MOST],
        floor = bi_add_shape(r.m, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE });
    r.pose[0].rot.w = 1.0;
    for (int k = 0; k < n; k++) {
        char name[] = { 'c', (char)('0' + k), '\0' };
        bi_body b = bi_add_body(r.m, &(bi_body_def){ .name = name, .mass = 1, .inertia = { 1, 1, 1 } });
        crate[k] = bi_add_shape(
            r.m, &(bi_shape_def){ .name = name, .type = BI_SHAPE_BOX, .body = b, .size = { 1, 1, 0.5 } });
        r.pose[k + 1] = (bi_pose){ .pos = { step * k, 0, height }, .rot = { 1, 0, 0, 0 } };
    }
    bi_add_contact(r.m, &(bi_contact_def){ .name = "meet", .a = { n, crate } });
    bi_add_contact(r.m, &(bi_contact_def){ .name = "rest", .a = { n, crate }, .b = { 1, &floor } });
    model_overlaps(r.m, r.pose, &r.report);
    return r;
}

static void drop(row *r)
{
    bi_report_clear(&r->report);
    bi_model_destroy(r->m);
}

static void test_shapes_that_rest_on_each_other_are_not_told(void **state)
{
    (void)state;
    row r = make(4, 0.999, 0.249);
    assert_int_equal(r.report.count, 0);
    drop(&r);
}

static void test_shapes_inside_each_other_are_told_by_name(void **state)
{
    (void)state;
    row r = make(2, 0.9, 0.5);
    assert_int_equal(r.report.count, 1);
    assert_int_equal(r.report.errors, 0);
    assert_string_equal(r.report.issue[0].where, "meet");
    assert_non_null(
        strstr(r.report.issue[0].what, "c0 and c1 start 0.1 m inside each other, 20 % of the thinner"));
    drop(&r);
}

static void test_shapes_deeper_than_half_of_the_thinner_one_are_refused(void **state)
{
    (void)state;
    row r = make(2, 0.6, 0.5);
    assert_int_equal(r.report.errors, 1);
    assert_non_null(strstr(r.report.issue[0].what, "0.4 m inside each other, 80 %"));
    drop(&r);
    // below the floor
    r = make(1, 1.0, -0.1);
    assert_int_equal(r.report.errors, 1);
    assert_string_equal(r.report.issue[0].where, "rest");
    assert_non_null(strstr(r.report.issue[0].what, "floor and c0 start 0.35 m inside each other"));
    drop(&r);
}

static void test_many_of_them_are_counted(void **state)
{
    (void)state;
    row r = make(8, 0.9, 0.5);
    // seven pairs: five by name, then how many
    assert_int_equal(r.report.count, 6);
    assert_non_null(strstr(r.report.issue[5].what, "7 pairs of shapes start inside each other"));
    drop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_that_rest_on_each_other_are_not_told),
        cmocka_unit_test(test_shapes_inside_each_other_are_told_by_name),
        cmocka_unit_test(test_shapes_deeper_than_half_of_the_thinner_one_are_refused),
        cmocka_unit_test(test_many_of_them_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
