// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/model/names.h"
#include <stdio.h>
#include <string.h>

static void test_distance_of_equal_words_is_zero(void **state)
{
    (void)state;
    assert_int_equal(names_distance("stiffness", "stiffness"), 0);
}

static void test_distance_of_swapped_neighbours_is_one_change(void **state)
{
    (void)state;
    assert_int_equal(names_distance("pivto", "pivot"), names_distance("pivo", "pivot"));
}

static void test_distance_of_case_is_less_than_that_of_a_letter(void **state)
{
    (void)state;
    assert_true(names_distance("l", "L") < names_distance("l", "k"));
}

static void test_distance_of_endless_words_stays_within_its_table(void **state)
{
    (void)state;
    char a[500], b[500];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    assert_true(names_distance(a, b) > 0);
}

static void test_nearest_with_a_misspelt_key_finds_it(void **state)
{
    (void)state;
    static const char *const keys[] = { "stiffness", "damping", "rest" };
    assert_string_equal(names_nearest("dumping", keys, 3), "damping");
}

static void test_nearest_with_an_unrelated_word_finds_none(void **state)
{
    (void)state;
    static const char *const keys[] = { "stiffness", "damping", "rest" };
    assert_null(names_nearest("colour", keys, 3));
    assert_null(names_nearest("x", keys, 3));
    assert_null(names_nearest("", keys, 3));
}

static void test_identifier_with_minus_or_leading_digit_is_none(void **state)
{
    (void)state;
    assert_true(names_is_identifier("theta_0"));
    assert_false(names_is_identifier("gas-pedal"));
    assert_false(names_is_identifier("0a"));
    assert_false(names_is_identifier("t"));
    assert_false(names_is_identifier(""));
    assert_true(names_is_name("gas-pedal"));
    assert_false(names_is_name("a.b"));
}

static void test_set_with_thousands_of_names_finds_each(void **state)
{
    (void)state;
    name_set set = { 0 };
    char name[16];
    for (int k = 0; k < 5000; k++) {
        snprintf(name, sizeof name, "rod%d", k);
        assert_int_equal(name_set_add(&set, name, k), k);
    }
    assert_int_equal(name_set_add(&set, "rod17", 1), -1);
    for (int k = 0; k < 5000; k++) {
        snprintf(name, sizeof name, "rod%d", k);
        assert_int_equal(name_set_find(&set, name), k);
    }
    assert_int_equal(name_set_find(&set, "rod"), -1);
    name_set_clear(&set);
}

// ---- substitution: i = 3, N = 40 -----------------------------------------------------------------

static int model_setup(void **state)
{
    bi_model *model = bi_model_create("names");
    bi_model_parameter(model, "i", 3.0, NULL);
    bi_model_parameter(model, "N", 40.0, NULL);
    bi_model_parameter(model, "half", 0.5, NULL);
    *state = model;
    return model ? 0 : -1;
}

static int model_teardown(void **state)
{
    bi_model_destroy(*state);
    return 0;
}

static void expect(bi_model *model, const char *text, const char *result)
{
    blocks memory = { 0 };
    bi_report report = { 0 };
    const char *got = names_substitute(model, text, (bi_place){ "f", 1, 1 }, "here", &memory, &report);
    assert_int_equal(report.errors, 0);
    assert_string_equal(got, result);
    blocks_free(&memory);
    bi_report_clear(&report);
}

static void expect_mistake(bi_model *model, const char *text, int column)
{
    blocks memory = { 0 };
    bi_report report = { 0 };
    assert_null(names_substitute(model, text, (bi_place){ "f", 1, 1 }, "here", &memory, &report));
    assert_int_equal(report.errors, 1);
    assert_int_equal(report.issue[0].place.column, column);
    blocks_free(&memory);
    bi_report_clear(&report);
}

static void test_substitution_without_dollar_is_the_text_itself(void **state)
{
    blocks memory = { 0 };
    bi_report report = { 0 };
    const char *text = "rod";
    assert_ptr_equal(names_substitute(*state, text, (bi_place){ 0 }, "", &memory, &report), text);
}

static void test_substitution_of_index_and_expression_gives_integers(void **state)
{
    expect(*state, "rod$i", "rod3");
    expect(*state, "rod$(i-1)-$N", "rod2-40");
    expect(*state, "$(2*(i+1))$i", "83");
    expect(*state, "$(3-i)", "0");
}

static void test_substitution_of_a_fraction_is_a_mistake(void **state)
{
    expect_mistake(*state, "rod$half", 5);
}

static void test_substitution_of_an_unknown_name_is_a_mistake_at_its_letter(void **state)
{
    expect_mistake(*state, "rod$(i-k)", 8);
}

static void test_substitution_of_a_lonely_dollar_is_a_mistake(void **state)
{
    expect_mistake(*state, "rod$", 4);
    expect_mistake(*state, "rod$(i", 4);
    expect_mistake(*state, "$ 1", 1);
}

int main(void)
{
#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, model_setup, model_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_of_equal_words_is_zero),
        cmocka_unit_test(test_distance_of_swapped_neighbours_is_one_change),
        cmocka_unit_test(test_distance_of_case_is_less_than_that_of_a_letter),
        cmocka_unit_test(test_distance_of_endless_words_stays_within_its_table),
        cmocka_unit_test(test_nearest_with_a_misspelt_key_finds_it),
        cmocka_unit_test(test_nearest_with_an_unrelated_word_finds_none),
        cmocka_unit_test(test_identifier_with_minus_or_leading_digit_is_none),
        cmocka_unit_test(test_set_with_thousands_of_names_finds_each),
        WITH_MODEL(test_substitution_without_dollar_is_the_text_itself),
        WITH_MODEL(test_substitution_of_index_and_expression_gives_integers),
        WITH_MODEL(test_substitution_of_a_fraction_is_a_mistake),
        WITH_MODEL(test_substitution_of_an_unknown_name_is_a_mistake_at_its_letter),
        WITH_MODEL(test_substitution_of_a_lonely_dollar_is_a_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
