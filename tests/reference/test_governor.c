// SPDX-License-Identifier: MIT
// A05, the stiff flyball governor: spring-dampers with a time constant of microseconds at steps of milliseconds.
#include "support/run_model.h"

// The rate of the slider is compared apart: at coarse steps its start is a shock of the stiff dampers.
static double governor_error(double dt, double time)
{
    run_column column[] = { { .channel = "s" }, { .channel = "alpha" }, { .channel = "omega" } };
    return run_error(&(run_case){ .model = "governor", .dt = dt, .time = time }, "reference.csv", column, 3);
}

static void test_governor_at_one_millisecond_follows_the_reference(void **state)
{
    (void)state;
    run_expect("A05 1ms", governor_error(1e-3, 10.0), 3e-4);
}

static void test_governor_rate_at_one_millisecond_follows_the_reference(void **state)
{
    (void)state;
    run_column column[] = { { .channel = "s.rate" } };
    double error = run_error(&(run_case){ .model = "governor", .dt = 1e-3 }, "reference.csv", column, 1);
    run_expect("A05 1ms s.rate", error, 5e-4);
}

static void test_governor_halved_step_quarters_the_error(void **state)
{
    (void)state;
    run_expect_order_two("A05 order", governor_error(2e-3, 10.0), governor_error(1e-3, 10.0));
}

static void test_governor_runs_with_the_default_penalty_at_every_step(void **state)
{
    (void)state;
    // 3e-4 at 1 ms scaled with the square of the step
    run_expect("A05 dt=1e-2", governor_error(1e-2, 10.0), 3e-2);
    run_expect("A05 dt=1e-4", governor_error(1e-4, 2.0), 3e-6);
    run_expect("A05 dt=1e-5", governor_error(1e-5, 0.4), 1e-7);
}

static void test_governor_starts_spinning_as_one(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "governor" });
    assert_true(fabs(run_read(&run, "s") - 0.5) <= 1e-12);
    assert_true(fabs(run_read(&run, "s.rate")) <= 1e-12);
    assert_true(fabs(run_read(&run, "omega") - 2.0 * run_pi) <= 1e-12);
    assert_true(fabs(run_read(&run, "alpha") - run_pi / 6.0) <= 1e-12);
    bi_statistics statistics = bi_sim_statistics(run.sim);
    assert_true(statistics.moved <= 1e-12 && statistics.turned <= 1e-12);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_governor_at_one_millisecond_follows_the_reference),
        cmocka_unit_test(test_governor_rate_at_one_millisecond_follows_the_reference),
        cmocka_unit_test(test_governor_halved_step_quarters_the_error),
        cmocka_unit_test(test_governor_runs_with_the_default_penalty_at_every_step),
        cmocka_unit_test(test_governor_starts_spinning_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
