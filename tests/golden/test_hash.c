// SPDX-License-Identifier: MIT
// Same run, same bits: every model of models/ with every scheme that suits it, twice, from a fresh model each time.
#include "support/run_model.h"

static const struct {
    const char *model, *windows;
    bi_scheme scheme;
    double dt;
    int steps;
} cases[] = {
    { "pendulum", NULL, BI_ALI3P, 1e-3, 500 },     { "pendulum", NULL, BI_INDEX1_RK4, 1e-3, 300 },
    { "four-bars", "40", BI_ALI3P, 1e-3, 1300 },   { "four-bars", "40", BI_INDEX1_RK4, 1e-2, 200 },
    { "andrews", NULL, BI_ALI3P, 1e-5, 1000 },     { "andrews", NULL, BI_INDEX1_RK4, 1e-5, 300 },
    { "bricard", NULL, BI_ALI3P, 1e-3, 500 },      { "bricard", NULL, BI_INDEX1_RK4, 1e-3, 300 },
    { "governor", NULL, BI_ALI3P, 1e-3, 500 },     { "governor", NULL, BI_INDEX1_RK4, 1e-5, 300 },
    { "slider-crank", NULL, BI_ALI3P, 1e-3, 500 }, { "slider-crank", NULL, BI_INDEX1_RK4, 1e-3, 300 },
};
enum { N_CASES = sizeof cases / sizeof *cases };

static run_model open_case(int k, bi_scheme scheme)
{
    bi_setting setting = { "N", cases[k].windows };
    return run_open(&(run_case){ .model = cases[k].model,
                                 .settings = &setting,
                                 .n_settings = cases[k].windows ? 1 : 0,
                                 .scheme = scheme,
                                 .dt = cases[k].dt });
}

static uint64_t run_hash(int k)
{
    run_model run = open_case(k, cases[k].scheme);
    for (int n = 0; n < cases[k].steps; n++) {
        run_step(&run);
    }
    uint64_t hash = bi_sim_hash(run.sim);
    run_close(&run);
    return hash;
}

static void test_same_run_twice_gives_the_same_hash(void **state)
{
    (void)state;
    uint64_t hash[N_CASES];
    for (int k = 0; k < N_CASES; k++) {
        hash[k] = run_hash(k);
        printf("hash %s %s %016llx\n", cases[k].model, cases[k].scheme == BI_ALI3P ? "ali3p" : "index1-rk4",
               (unsigned long long)hash[k]);
        if (run_hash(k) != hash[k]) {
            fail_msg("%s: two runs differ", cases[k].model);
        }
        for (int i = 0; i < k; i++) {
            assert_true(hash[i] != hash[k]);
        }
    }
}

// A hash that never changed would pass the test above: each step must change it.
static void test_hash_changes_with_every_step(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k += 2) {
        run_model run = open_case(k, BI_ALI3P);
        uint64_t before = bi_sim_hash(run.sim);
        for (int n = 0; n < 20; n++) {
            run_step(&run);
            assert_true(bi_sim_hash(run.sim) != before);
            before = bi_sim_hash(run.sim);
        }
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_run_twice_gives_the_same_hash),
        cmocka_unit_test(test_hash_changes_with_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
