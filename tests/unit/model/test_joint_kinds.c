// SPDX-License-Identifier: MIT
// The table of joints, from inside and from outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <string.h>

static void test_joints_all_have_a_name_that_finds_them(void **state)
{
    (void)state;
    assert_true(bi_joint_kind_count() >= 10);
    for (int k = 1; k <= bi_joint_kind_count(); k++) {
        bi_joint_kind kind = (bi_joint_kind)k;
        assert_true(joint_exists(kind));
        assert_non_null(bi_joint_kind_name(kind));
        assert_int_equal(bi_joint_kind_find(bi_joint_kind_name(kind)), k);
        assert_true(bi_joint_kind_help(kind) && bi_joint_kind_help(kind)[0]);
    }
}

static void test_joints_have_as_many_names_as_coordinates(void **state)
{
    (void)state;
    for (int k = 1; k <= bi_joint_kind_count(); k++) {
        const joint_kind *kind = joint_of((bi_joint_kind)k);
        int named = 0;
        while (named < JOINT_COORDINATES && kind->coordinate[named]) {
            named++;
        }
        assert_int_equal(kind->n_coordinate, named);
        for (int c = 0; c < named; c++) {
            assert_string_equal(bi_joint_kind_coordinate((bi_joint_kind)k, c), kind->coordinate[c]);
            bool is_angle = strncmp(kind->coordinate[c], "angle", 5) == 0;
            assert_string_equal(bi_joint_kind_unit((bi_joint_kind)k, c), is_angle ? "rad" : "m");
        }
        assert_null(bi_joint_kind_coordinate((bi_joint_kind)k, named));
        assert_null(bi_joint_kind_unit((bi_joint_kind)k, named));
        assert_null(bi_joint_kind_coordinate((bi_joint_kind)k, -1));
    }
}

// Rows are made from what a joint holds: six freedoms less those of its points and orientations.
static void test_joints_hold_what_their_help_says(void **state)
{
    (void)state;
    static const int of_place[] = { [JOINT_PLACE_FREE] = 3,
                                    [JOINT_PLACE_POINT] = 0,
                                    [JOINT_PLACE_LINE] = 1,
                                    [JOINT_PLACE_PLANE] = 2,
                                    [JOINT_PLACE_DISTANCE] = 2 };
    static const int of_turn[] = {
        [JOINT_TURN_FREE] = 3, [JOINT_TURN_AXIS] = 1, [JOINT_TURN_CROSS] = 2, [JOINT_TURN_NONE] = 0
    };
    static const struct {
        const char *name;
        int freedoms;
    } cases[] = { { "fixed", 0 },  { "revolute", 1 },  { "prismatic", 1 }, { "cylindrical", 2 },
                  { "free", 6 },   { "universal", 2 }, { "spherical", 3 }, { "distance", 5 },
                  { "planar", 3 }, { "screw", 1 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bi_joint_kind kind = (bi_joint_kind)bi_joint_kind_find(cases[k].name);
        const joint_kind *j = joint_of(kind);
        assert_int_equal(of_place[j->place] + of_turn[j->turn] - (joint_has_pitch(kind) ? 1 : 0),
                         cases[k].freedoms);
    }
}

static void test_joints_that_are_none_have_nothing(void **state)
{
    (void)state;
    assert_int_equal(bi_joint_kind_find("hinge"), 0);
    assert_int_equal(bi_joint_kind_find(NULL), 0);
    const int none[] = { 0, -1, 1000, bi_joint_kind_count() + 1 };
    for (int k = 0; k < 4; k++) {
        bi_joint_kind kind = (bi_joint_kind)none[k];
        assert_false(joint_exists(kind));
        assert_null(bi_joint_kind_name(kind));
        assert_null(bi_joint_kind_help(kind));
        assert_null(bi_joint_kind_coordinate(kind, 0));
        assert_null(bi_joint_kind_unit(kind, 0));
        assert_int_equal(bi_joint_kind_takes(kind), 0);
        assert_string_equal(model_coordinate_name(kind, 0), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_all_have_a_name_that_finds_them),
        cmocka_unit_test(test_joints_have_as_many_names_as_coordinates),
        cmocka_unit_test(test_joints_hold_what_their_help_says),
        cmocka_unit_test(test_joints_that_are_none_have_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
