// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <string.h>

typedef struct {
    bi_model *model;
    bi_run run;
    bi_report report;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){ .model = bi_model_create("run"), .run = bi_run_usual() };
    bi_model_parameter(f.model, "T", 0.5, "s");
    *state = &f;
    return f.model ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    bi_report_clear(&f->report);
    bi_model_destroy(f->model);
    return 0;
}

static bool set(fixture *f, const char *key, const char *text)
{
    return bi_run_set(&f->run, f->model, key, text, NULL, &f->report);
}

static void test_usual_run_has_the_defaults_of_the_table(void **state)
{
    fixture *f = *state;
    assert_true(f->run.time == 10.0 && f->run.dt == 1e-3 && f->run.every == 0.0 && f->run.rho == 0.9 &&
                f->run.tolerance == 1e-5 && !f->run.is_auto && f->run.baumgarte == 0.0);
    // the first word of a list is the usual one
    for (int k = 0; k < bi_run_option_count(); k++) {
        bi_run_option o = bi_run_option_at(k);
        const char *word = bi_run_option_word(o.key, 0, NULL);
        if (word) {
            assert_string_equal(word, o.usual);
        }
    }
}

static void test_run_set_takes_numbers_with_units_and_expressions(void **state)
{
    fixture *f = *state;
    assert_true(set(f, "time", "2*T") && set(f, "every", "20 ms"));
    assert_true(f->run.time == 1.0 && f->run.every == 0.02);
}

static void test_run_set_takes_every_word_of_every_list(void **state)
{
    fixture *f = *state;
    const char *word;
    int count = 0;
    for (int k = 0; k < bi_run_option_count(); k++) {
        for (int i = 0; (word = bi_run_option_word(bi_run_option_at(k).key, i, NULL)); i++, count++) {
            assert_true(set(f, bi_run_option_at(k).key, word));
        }
    }
    assert_true(count > 15);
    assert_true(f->run.starts_settled && f->run.coordinates == BI_JOINT && f->run.solver == BI_SOLVER_DENSE);
}

static void test_run_set_of_a_step_and_of_a_tolerance_decide_who_chooses_steps(void **state)
{
    fixture *f = *state;
    assert_true(set(f, "dt", "auto") && f->run.is_auto);
    assert_true(set(f, "dt", "1e-2") && !f->run.is_auto);
    assert_true(set(f, "tolerance", "1e-4") && f->run.is_auto && f->run.tolerance == 1e-4);
    assert_true(bi_run_options(&f->run).accuracy == 1e-4);
    assert_true(set(f, "dt", "1e-2") && bi_run_options(&f->run).accuracy == 0.0);
    assert_true(set(f, "scheme", "dopri5") && f->run.is_auto);
}

static void test_run_of_another_scheme_takes_back_steps_that_only_the_first_chose(void **state)
{
    fixture *f = *state;
    assert_true(set(f, "scheme", "dopri5") && f->run.is_auto_by_scheme && !f->run.has_dt);
    assert_true(set(f, "scheme", "ali3p") && !f->run.is_auto);
    // what was asked for stays
    assert_true(set(f, "scheme", "dopri5") && set(f, "tolerance", "1e-6") && !f->run.is_auto_by_scheme);
    assert_true(set(f, "scheme", "ali3p") && f->run.is_auto);
    assert_true(set(f, "dt", "1e-2") && f->run.has_dt && !f->run.is_auto);
}

static void test_run_idle_tells_what_a_run_makes_no_use_of(void **state)
{
    fixture *f = *state;
    assert_non_null(strstr(bi_run_idle(&f->run, "rho"), "ali3p-alpha"));
    assert_non_null(bi_run_idle(&f->run, "dt_min"));
    assert_non_null(bi_run_idle(&f->run, "stabilisation"));
    assert_null(bi_run_idle(&f->run, "dt"));
    assert_true(set(f, "scheme", "ali3p-flex") && set(f, "dt", "auto"));
    assert_null(bi_run_idle(&f->run, "rho"));
    assert_null(bi_run_idle(&f->run, "dt_min"));
    assert_true(set(f, "scheme", "rk4"));
    assert_null(bi_run_idle(&f->run, "alpha"));
}

static void test_run_set_takes_no_unit_where_there_is_none(void **state)
{
    fixture *f = *state;
    assert_false(set(f, "rho", "1 m"));
    assert_non_null(strstr(f->report.issue[0].what, "a number without unit is expected"));
    assert_true(set(f, "rho", "50 %") && f->run.rho == 0.5);
}

static void test_run_set_of_a_wrong_value_tells_what_it_must_be(void **state)
{
    fixture *f = *state;
    assert_false(bi_run_set(&f->run, f->model, "rho", "1.5", "--rho", &f->report));
    assert_string_equal(f->report.issue[0].where, "--rho");
    assert_non_null(strstr(f->report.issue[0].what, "between 0 and 1, and it is 1.5"));
    assert_false(set(f, "solver", "kul"));
    assert_non_null(strstr(f->report.issue[1].what, "did you mean 'klu'"));
    assert_false(set(f, "time", "3 kg"));
    assert_false(set(f, "alpha", "30")); // of baumgarte, which is not asked for
    assert_true(set(f, "stabilisation", "baumgarte") && set(f, "alpha", "30") && f->run.baumgarte == 30.0);
    assert_true(f->run.baumgarte_beta == 0.0 && set(f, "beta", "20") && f->run.baumgarte_beta == 20.0);
    assert_int_equal(f->report.errors, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_usual_run_has_the_defaults_of_the_table),
        TEST(test_run_set_takes_numbers_with_units_and_expressions),
        TEST(test_run_set_takes_every_word_of_every_list),
        TEST(test_run_set_of_a_step_and_of_a_tolerance_decide_who_chooses_steps),
        TEST(test_run_of_another_scheme_takes_back_steps_that_only_the_first_chose),
        TEST(test_run_idle_tells_what_a_run_makes_no_use_of),
        TEST(test_run_set_takes_no_unit_where_there_is_none),
        TEST(test_run_set_of_a_wrong_value_tells_what_it_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
