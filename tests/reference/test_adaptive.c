// SPDX-License-Identifier: MIT
// Steps chosen by error: the error over the run is within the tolerance on A01 to A05, and falls with it.
#include "support/run_model.h"
#include <stdlib.h>

typedef struct {
    const char *name, *model;
    double time;
    const char *channel[4];
} adaptive_case;

static const adaptive_case cases[] = {
    { "A01", "pendulum", 10.0, { "P.x", "P.y", "P.vx", "P.vy" } },
    { "A02", "four-bars", 20.0, { "B0.x", "B0.y", "B0.vx", "B0.vy" } },
    { "A03", "andrews", 0.05, { "crank.angle", "F.x", "F.y" } },
    { "A04", "bricard", 10.0, { "P3.x", "P3.y", "P3.z" } },
    { "A05", "governor", 10.0, { "s", "omega", "alpha" } },
};

static run_model adaptive(const adaptive_case *what, bi_scheme scheme, double tolerance)
{
    char path[512];
    run_model run = { .time = what->time, .dt = 1e-12 };
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, what->model);
    run.model = bi_read_model(path, NULL, 0, NULL, NULL, &run.report);
    bi_options options = {
        .scheme = scheme, .dt = what->time * 1e-4, .accuracy = tolerance, .horizon = what->time
    };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static double adaptive_error(const adaptive_case *what, bi_scheme scheme, double tolerance)
{
    bi_table table = run_reference(what->model, "reference.csv");
    run_model run = adaptive(what, scheme, tolerance);
    const double *t = run_reference_column(&table, "t");
    double worst = 0.0;
    for (int k = 1; k < table.rows && t[k] <= what->time + 1e-9; k++) {
        bi_status status = bi_sim_step_to(run.sim, t[k]);
        if (status != BI_OK) {
            fail_msg("%s: %s", what->name, bi_sim_failure(run.sim));
        }
        assert_true(run_now(&run) == t[k]);
        for (int c = 0; c < 4 && what->channel[c]; c++) {
            const double *wanted = run_reference_column(&table, what->channel[c]);
            double error = fabs(run_read(&run, what->channel[c]) - wanted[k]) / run_range(wanted, table.rows);
            worst = error <= worst ? worst : error;
        }
    }
    bi_statistics n = bi_sim_statistics(run.sim);
    printf("%s tolerance %g: %lld steps of %.2g to %.2g s, %lld taken back\n", what->name, tolerance,
           (long long)n.steps, n.dt_smallest, n.dt_largest, (long long)n.rejected);
    run_close(&run);
    bi_table_clear(&table);
    return worst;
}

static void test_adaptive_ali3p_meets_its_tolerance(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double coarse = adaptive_error(&cases[k], BI_ALI3P, 1e-3);
        double fine = adaptive_error(&cases[k], BI_ALI3P, 1e-4);
        run_expect(cases[k].name, coarse, 1e-3);
        run_expect(cases[k].name, fine, 1e-4);
        // ten times the accuracy is at least four times less error
        assert_true(fine <= 0.25 * coarse);
    }
}

static void test_adaptive_rk4_meets_its_tolerance(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        adaptive_case what = cases[k];
        // the stiff springs of A05 cost an explicit scheme 17000 steps per second
        what.time = strcmp(what.name, "A05") == 0 ? 1.0 : what.time;
        run_expect(what.name, adaptive_error(&what, BI_INDEX1_RK4, 1e-4), 1e-4);
    }
}

static void test_adaptive_dopri5_meets_its_tolerance(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_expect(cases[k].name, adaptive_error(&cases[k], BI_DOPRI5, 1e-4), 1e-4);
        run_expect(cases[k].name, adaptive_error(&cases[k], BI_DOPRI5, 1e-5), 1e-5);
    }
}

static void test_adaptive_run_continues_from_a_snapshot_with_the_same_bits(void **state)
{
    (void)state;
    run_model a = adaptive(&cases[1], BI_ALI3P, 1e-3), b = adaptive(&cases[1], BI_ALI3P, 1e-3);
    assert_int_equal(bi_sim_step_to(a.sim, 1.0), BI_OK);
    size_t size = bi_sim_save(a.sim, NULL, 0);
    void *buffer = malloc(size);
    bi_sim_save(a.sim, buffer, size);
    assert_int_equal(bi_sim_load(b.sim, buffer, size), BI_OK);
    assert_int_equal(bi_sim_step_to(a.sim, 1.5), BI_OK);
    assert_int_equal(bi_sim_step_to(b.sim, 1.5), BI_OK);
    assert_true(bi_sim_hash(a.sim) == bi_sim_hash(b.sim));
    free(buffer);
    run_close(&a);
    run_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adaptive_ali3p_meets_its_tolerance),
        cmocka_unit_test(test_adaptive_rk4_meets_its_tolerance),
        cmocka_unit_test(test_adaptive_dopri5_meets_its_tolerance),
        cmocka_unit_test(test_adaptive_run_continues_from_a_snapshot_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
