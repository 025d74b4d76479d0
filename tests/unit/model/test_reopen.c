// SPDX-License-Identifier: MIT
// A part of a model that is described again in its place: the model is then the one described so from the beginning.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <biela/laws.h>
#include <string.h>

typedef struct {
    bi_model *m;
    bi_mark at[5]; // around the body, the joint, the input and the motor
} machine;

static void add_body(bi_model *m, double mass)
{
    bi_add_body(m, &(bi_body_def){ .name = "rod", .mass = mass, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
}

static void add_joint(bi_model *m, double value)
{
    bi_add_joint(m, &(bi_joint_def){ .name = "pin",
                                     .kind = BI_REVOLUTE,
                                     .a = BI_GROUND,
                                     .b = { 2 },
                                     .axis = { 0, 1, 0 },
                                     .value = value,
                                     .set_value = true });
}

static void add_motor(bi_model *m, const char *text)
{
    bi_add_torque(
        m, &(bi_torque_def){ .name = "motor", .joint = { 1 }, .torque = bi_expression(m, text, "N*m") });
}

static machine make(double mass, double value, double initial, const char *text)
{
    machine a = { .m = bi_model_create("machine") };
    bi_model_parameter(a.m, "k", 3.0, NULL);
    a.at[0] = bi_model_mark(a.m);
    add_body(a.m, mass);
    a.at[1] = bi_model_mark(a.m);
    add_joint(a.m, value);
    a.at[2] = bi_model_mark(a.m);
    bi_add_input(a.m, "push", initial);
    a.at[3] = bi_model_mark(a.m);
    add_motor(a.m, text);
    a.at[4] = bi_model_mark(a.m);
    bi_add_output(a.m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = { 1 } });
    return a;
}

static uint64_t hash_of(const bi_model *m)
{
    bi_report report = { 0 };
    bi_system *system = bi_compile(m, NULL, &report);
    assert_non_null(system);
    uint64_t hash = bi_system_hash(system);
    bi_system_destroy(system);
    bi_report_clear(&report);
    return hash;
}

static void test_parts_described_again_give_the_model_described_so(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push"), b = make(2.0, 0.3, 0.5, "k*push + t");
    assert_true(hash_of(a.m) != hash_of(b.m));
    assert_true(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    assert_int_equal(bi_model_joint_count(a.m), 0); // as it was then
    add_body(a.m, 2.0);
    assert_true(bi_model_shut(a.m));
    assert_int_equal(bi_model_joint_count(a.m), 1);
    assert_true(bi_model_reopen(a.m, &a.at[1], &a.at[2]));
    add_joint(a.m, 0.3);
    assert_true(bi_model_shut(a.m));
    assert_true(bi_model_reopen(a.m, &a.at[2], &a.at[3]));
    bi_add_input(a.m, "push", 0.5);
    assert_true(bi_model_shut(a.m));
    assert_true(bi_model_reopen(a.m, &a.at[3], &a.at[4]));
    add_motor(a.m, "k*push + t");
    assert_true(bi_model_shut(a.m));
    assert_true(hash_of(a.m) == hash_of(b.m));
    bi_model_destroy(a.m);
    bi_model_destroy(b.m);
}

static void test_more_or_fewer_items_change_nothing(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push");
    uint64_t before = hash_of(a.m);
    assert_true(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    assert_false(bi_model_shut(a.m));
    assert_true(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    add_body(a.m, 2.0);
    add_body(a.m, 3.0);
    assert_false(bi_model_shut(a.m));
    assert_true(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    add_joint(a.m, 3.0);
    add_body(a.m, 3.0);
    assert_false(bi_model_shut(a.m));
    assert_true(bi_model_reopen(a.m, &a.at[3], &a.at[4]));
    bi_expression(a.m, "push", NULL);
    add_motor(a.m, "push");
    assert_false(bi_model_shut(a.m));
    assert_true(hash_of(a.m) == before);
    bi_model_destroy(a.m);
}

static void test_a_model_in_use_stays_closed(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push");
    bi_system *system = bi_compile(a.m, NULL, NULL);
    assert_false(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    bi_system_destroy(system);
    assert_true(bi_model_reopen(a.m, &a.at[0], &a.at[1]));
    assert_false(bi_model_reopen(a.m, &a.at[1], &a.at[2])); // one at a time
    bi_report report = { 0 };
    assert_null(bi_compile(a.m, NULL, &report)); // half of it would be missing
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[0].what, "bi_model_shut"));
    bi_report_clear(&report);
    bi_model_destroy(a.m); // also while it is open
}

static void test_samples_of_an_input_stay(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push"), b = make(1.0, 0.2, 0.5, "push");
    const double t[] = { 0, 1 }, x[] = { 0, 2 };
    assert_true(bi_input_samples(a.m, bi_model_input(a.m, "push"), 2, t, x, NULL));
    assert_true(bi_input_samples(b.m, bi_model_input(b.m, "push"), 2, t, x, NULL));
    assert_true(bi_model_reopen(a.m, &a.at[2], &a.at[3]));
    bi_add_input(a.m, "push", 0.5);
    assert_true(bi_model_shut(a.m));
    assert_true(hash_of(a.m) == hash_of(b.m));
    bi_model_destroy(a.m);
    bi_model_destroy(b.m);
}

static void test_parts_with_tables_are_not_whole(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push");
    const double x[] = { 0, 1, 2 };
    bi_mark from = bi_model_mark(a.m);
    bi_add_curve(a.m, &(bi_curve_def){ .name = "table", .n_point = 3, .x = x, .y = x });
    bi_mark to = bi_model_mark(a.m);
    assert_false(bi_mark_is_whole(&from, &to));
    assert_false(bi_model_reopen(a.m, &from, &to));
    bi_model_destroy(a.m);
}

static void note(void *context, const char *parameter) { strncat(context, parameter, 20); }

static void test_who_listens_hears_of_parameters(void **state)
{
    (void)state;
    machine a = make(1.0, 0.2, 0.0, "push");
    char heard[100] = "";
    double value;
    bi_model_parameter(a.m, "m", 3.0, NULL);
    bi_model_listen(a.m, note, heard);
    assert_true(bi_model_number(a.m, "2*k", NULL, "", &value, NULL));
    assert_string_equal(heard, "k");
    bi_expression(a.m, "push*k*t", NULL);
    assert_string_equal(heard, "kk");
    // of the unit only its dimension counts
    assert_true(bi_model_number(a.m, "2", "m", "", &value, NULL));
    assert_string_equal(heard, "kk");
    bi_model_listen(a.m, NULL, NULL);
    assert_true(bi_model_number(a.m, "k", NULL, "", &value, NULL));
    assert_string_equal(heard, "kk");
    bi_model_destroy(a.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_described_again_give_the_model_described_so),
        cmocka_unit_test(test_more_or_fewer_items_change_nothing),
        cmocka_unit_test(test_a_model_in_use_stays_closed),
        cmocka_unit_test(test_samples_of_an_input_stay),
        cmocka_unit_test(test_parts_with_tables_are_not_whole),
        cmocka_unit_test(test_who_listens_hears_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
