// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/plan.h"
#include <string.h>

static void test_same_marker_twice_is_one_marker(void **state)
{
    (void)state;
    plan p = { 0 };
    vec3 at = { 1, 2, 3 }, other = { 1, 2, 4 };
    int point = plan_point(&p, 1, at), vector = plan_vector(&p, 1, at), frame = plan_frame(&p, 1, at);
    int joint = plan_joint(&p, 0, 0), mode = plan_mode(&p, 1, 0);
    assert_int_equal(p.n_marker, 5);
    assert_int_equal(plan_point(&p, 1, at), point);
    assert_int_equal(plan_vector(&p, 1, at), vector);
    assert_int_equal(plan_frame(&p, 1, at), frame);
    assert_int_equal(plan_joint(&p, 0, 0), joint);
    assert_int_equal(plan_mode(&p, 1, 0), mode);
    assert_int_equal(p.n_marker, 5);
    // another place, body, coordinate or mode is another marker
    plan_point(&p, 1, other);
    plan_point(&p, 2, at);
    plan_joint(&p, 0, 1);
    plan_joint(&p, 1, 0);
    plan_mode(&p, 1, 1);
    assert_int_equal(p.n_marker, 10);
    plan_clear(&p);
}

static void test_markers_own_consecutive_numbers_of_their_width(void **state)
{
    (void)state;
    plan p = { 0 };
    vec3 at = { 1, 2, 3 };
    assert_int_equal(plan_dof(&p, plan_point(&p, 1, at)), 0);
    assert_int_equal(plan_dof(&p, plan_vector(&p, 1, at)), 3);
    assert_int_equal(plan_dof(&p, plan_frame(&p, 1, at)), 6);
    assert_int_equal(plan_dof(&p, plan_joint(&p, 0, 0)), 12);
    assert_int_equal(plan_dof(&p, plan_mode(&p, 1, 0)), 13);
    assert_int_equal(plan_dof(&p, plan_frame(&p, 2, at)), 14);
    assert_int_equal(p.n_dof, 20);
    assert_int_equal(p.n_frame, 2);
    assert_int_equal(p.marker[5].frame, 1);
    plan_clear(&p);
}

static void test_joint_marker_is_found_however_old(void **state)
{
    (void)state;
    plan p = { 0 };
    int joint = plan_joint(&p, 3, 0);
    for (int k = 0; k < 6000; k++) {
        plan_point(&p, 1, (vec3){ k, 0, 0 });
    }
    assert_int_equal(plan_joint(&p, 3, 0), joint);
    assert_int_equal(p.n_marker, 6001);
    plan_clear(&p);
}

static void test_rows_know_their_markers_width_and_gradients(void **state)
{
    (void)state;
    plan p = { 0 };
    int one[2] = { plan_point(&p, 1, (vec3){ 0, 0, 0 }), plan_frame(&p, 2, (vec3){ 0, 0, 0 }) };
    int two[2] = { plan_joint(&p, 4, 0), one[0] };
    row_owner owner = { .name = "first", .place = { "f", 3, 4 }, .joint = 4, .element = -1 };
    row_handle a = plan_rows(&p, &owner, 2, one, 2);
    owner = (row_owner){ .name = "second", .is_velocity = true, .joint = -1, .element = 5 };
    row_handle b = plan_rows(&p, &owner, 3, two, 2);
    assert_int_equal(a.row, 0);
    assert_int_equal(a.gradient, 0);
    // two rows of 3 + 6 numbers
    assert_int_equal(b.row, 2);
    assert_int_equal(b.gradient, 18);
    assert_int_equal(p.n_row, 5);
    assert_int_equal(p.n_gradient, 18 + 3 * 4);
    assert_int_equal(p.n_row_group, 2);
    assert_string_equal(p.row[0].name, "first");
    assert_int_equal(p.row[0].place.line, 3);
    assert_int_equal(p.row[0].joint, 4);
    assert_false(p.row[0].is_velocity);
    assert_true(p.row[1].is_velocity);
    assert_int_equal(p.row[1].element, 5);
    assert_int_equal(p.row[1].width, 4);
    assert_int_equal(p.list[p.row[0].marker], one[0]);
    assert_int_equal(p.list[p.row[0].marker + 1], one[1]);
    assert_int_equal(p.list[p.row[1].marker], two[0]);
    assert_int_equal(p.list[p.row[1].marker + 1], two[1]);
    plan_clear(&p);
}

static void test_long_owner_name_is_cut(void **state)
{
    (void)state;
    plan p = { 0 };
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    plan_rows(&p, &(row_owner){ .name = name }, 1, NULL, 0);
    assert_int_equal(strlen(p.row[0].name), sizeof p.row[0].name - 1);
    plan_clear(&p);
}

static void test_blocks_are_square_in_the_width_of_their_markers(void **state)
{
    (void)state;
    plan p = { 0 };
    int markers[2] = { plan_point(&p, 1, (vec3){ 0, 0, 0 }), plan_point(&p, 2, (vec3){ 0, 0, 0 }) };
    int joint = plan_joint(&p, 0, 0);
    assert_int_equal(plan_block(&p, markers, 2), 0);
    assert_int_equal(plan_block(&p, &joint, 1), 36);
    assert_int_equal(plan_block(&p, markers, 1), 37);
    assert_int_equal(p.n_block_value, 46);
    assert_int_equal(p.block[0].width, 6);
    plan_clear(&p);
}

static void test_states_and_memory_follow_one_another(void **state)
{
    (void)state;
    plan p = { 0 };
    assert_int_equal(plan_states(&p, 2, 1e-9), 0);
    assert_int_equal(plan_carried(&p, 1), 2);
    assert_int_equal(plan_memory(&p, 5), 0);
    assert_int_equal(plan_memory(&p, 5), 5);
    assert_int_equal(p.n_z, 3);
    assert_int_equal(p.n_memory, 10);
    plan_clear(&p);
}

static void test_signal_plans_the_joint_coordinates_it_reads(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("signals");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a", .mass = 1 });
    bi_add_joint(m, &(bi_joint_def){ .name = "hinge", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = a });
    bi_add_joint(m, &(bi_joint_def){ .name = "tube", .kind = BI_CYLINDRICAL, .a = BI_GROUND, .b = a });
    bi_add_input(m, "u", 0.0);
    bi_expr plain = bi_expression(m, "2*t + u", NULL);
    bi_expr reads = bi_expression(m, "hinge.angle + t*tube.position_rate + hinge.angle^2", NULL);
    plan p = { .model = m };
    assert_int_equal(plan_signal(&p, plain).count, 0);
    assert_int_equal(p.n_marker, 0);
    signal_use use = plan_signal(&p, reads), again = plan_signal(&p, reads);
    assert_int_equal(use.count, 2);
    assert_int_equal(again.first, use.first);
    assert_int_equal(p.n_partial, 2);
    assert_int_equal(p.n_marker, 2);
    for (int k = 0; k < 2; k++) {
        const signal_partial *part = &p.partial[use.first + k];
        const marker *mark = &p.marker[part->marker];
        assert_int_equal(mark->kind, MARKER_JOINT);
        assert_int_equal(part->is_rate, mark->joint == 1);
        assert_int_equal(mark->coordinate, mark->joint == 1 ? 1 : 0);
    }
    plan_clear(&p);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_marker_twice_is_one_marker),
        cmocka_unit_test(test_markers_own_consecutive_numbers_of_their_width),
        cmocka_unit_test(test_joint_marker_is_found_however_old),
        cmocka_unit_test(test_rows_know_their_markers_width_and_gradients),
        cmocka_unit_test(test_long_owner_name_is_cut),
        cmocka_unit_test(test_blocks_are_square_in_the_width_of_their_markers),
        cmocka_unit_test(test_states_and_memory_follow_one_another),
        cmocka_unit_test(test_signal_plans_the_joint_coordinates_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
