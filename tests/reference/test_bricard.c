// SPDX-License-Identifier: MIT
// A04, the Bricard mechanism: over-constrained in every position, one degree of freedom.
#include "support/run_model.h"

static double bricard_error(double dt, double time, bi_scheme scheme)
{
    run_column column[] = {
        { .channel = "P3.x" }, { .channel = "P3.y" }, { .channel = "P3.z" },
        { .channel = "P4.x" }, { .channel = "P4.y" }, { .channel = "P4.z" },
    };
    run_case what = { .model = "bricard", .dt = dt, .time = time, .scheme = scheme };
    return run_error(&what, "reference.csv", column, 6);
}

static void test_bricard_at_one_millisecond_follows_the_reference(void **state)
{
    (void)state;
    run_expect("A04 1ms", bricard_error(1e-3, 10.0, BI_ALI3P), 3e-5);
}

static void test_bricard_keeps_its_energy(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "bricard", .dt = 1e-3 });
    // mass centres at y = 0, -1/2, -1, -1, -1/2 m at rest
    double start = -3.0 * 9.81, worst = fabs(run_read(&run, "energy.total") - start);
    assert_true(worst <= 1e-10);
    for (int k = 0; k < 10000; k++) {
        run_step(&run);
        worst = fmax(worst, fabs(run_read(&run, "energy.total") - start));
    }
    run_expect("A04 drift", worst, 2e-5);
    run_close(&run);
}

static void test_bricard_halved_step_quarters_the_error(void **state)
{
    (void)state;
    run_expect_order_two("A04 order", bricard_error(2e-3, 10.0, BI_ALI3P),
                         bricard_error(1e-3, 10.0, BI_ALI3P));
}

static void test_bricard_runs_with_the_default_penalty_at_every_step(void **state)
{
    (void)state;
    // 3e-5 at 1 ms scaled with the square of the step; the floor is the reference's and the rounding's
    run_expect("A04 dt=1e-2", bricard_error(1e-2, 10.0, BI_ALI3P), 3e-3);
    run_expect("A04 dt=1e-4", bricard_error(1e-4, 2.0, BI_ALI3P), 3e-7);
    run_expect("A04 dt=1e-5", bricard_error(1e-5, 0.4, BI_ALI3P), 1e-7);
}

static void test_bricard_with_rk4_at_ten_milliseconds_follows_the_reference(void **state)
{
    (void)state;
    // at 10 ms the stages leave the manifold by 1e-3, where the redundant joints contradict each other a little
    run_expect("A04 index1-rk4 10ms", bricard_error(1e-2, 10.0, BI_INDEX1_RK4), 5e-6);
}

static void test_bricard_has_one_degree_of_freedom(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "bricard" });
    // not at the start, where the joints lie along the edges of a cube
    run_to(&run, 0.3);
    bi_info info = { 0 };
    assert_int_equal(bi_sim_info(run.sim, &info, &run.report), BI_OK);
    assert_int_equal(info.degrees_of_freedom, 1);
    assert_true(info.redundant >= 1);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bricard_at_one_millisecond_follows_the_reference),
        cmocka_unit_test(test_bricard_keeps_its_energy),
        cmocka_unit_test(test_bricard_halved_step_quarters_the_error),
        cmocka_unit_test(test_bricard_runs_with_the_default_penalty_at_every_step),
        cmocka_unit_test(test_bricard_with_rk4_at_ten_milliseconds_follows_the_reference),
        cmocka_unit_test(test_bricard_has_one_degree_of_freedom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
