// SPDX-License-Identifier: MIT
// Bodies that tumble over each other part from their neighbours, whatever the step: the verdict says from when on single
// paths are chance (verdict.14).
#include "support/run_model.h"

static run_model open_pile(const char *count, double dt)
{
    const bi_setting set = { "N", count };
    return run_open(&(run_case){ .model = "pile",
                                 .settings = &set,
                                 .n_settings = 1,
                                 .coordinates = BI_JOINT,
                                 .scheme = BI_PILES,
                                 .dt = dt });
}

static const bi_judgement *judgement(const bi_verdict *v, const char *name)
{
    for (int k = 0; k < v->count; k++) {
        if (strcmp(v->item[k].name, name) == 0) {
            return &v->item[k];
        }
    }
    return NULL;
}

// Between steps of 0.5 and 0.25 ms its boxes are 6 cm apart after a second; both called themselves good or nearly so.
static void test_tumbling_pile_says_that_paths_are_chance(void **state)
{
    (void)state;
    run_model run = open_pile("30", 5e-4);
    run_to(&run, 0.2);
    bi_verdict v = bi_sim_verdict(run.sim);
    const bi_judgement *paths = judgement(&v, "paths");
    assert_non_null(paths);
    assert_true(paths->outcome == BI_GOOD); // 0.3 mm by then
    run_to(&run, 0.8);
    v = bi_sim_verdict(run.sim);
    paths = judgement(&v, "paths");
    assert_true(paths->outcome == BI_DOUBTFUL);
    assert_true(paths->t > 0.3 && paths->t < 0.8);
    assert_true(strstr(v.line, "tumble") != NULL);
    run_close(&run);
}

// Boxes that fall over once do not.
static void test_dominoes_do_not(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "domino", .coordinates = BI_JOINT });
    run_to(&run, run.time);
    bi_verdict v = bi_sim_verdict(run.sim);
    assert_true(v.outcome == BI_GOOD);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tumbling_pile_says_that_paths_are_chance),
                                        cmocka_unit_test(test_dominoes_do_not) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
