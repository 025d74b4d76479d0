// SPDX-License-Identifier: MIT
// A01, the simple pendulum: against the reference curve, and against the closed form of its energy.
#include "support/run_model.h"

// Amplitudes: the rod is 1 m long; the mass passes the lowest point with sqrt(2 g L).
static const double amplitude = 1.0;
static const double top_speed = 4.4294469180700204;

static double pendulum_error(double dt, bi_scheme scheme)
{
    run_column column[] = {
        { .channel = "P.x", .scale = amplitude },
        { .channel = "P.y", .scale = amplitude },
        { .channel = "P.vx", .scale = top_speed },
        { .channel = "P.vy", .scale = top_speed },
    };
    return run_error(&(run_case){ .model = "pendulum", .dt = dt, .scheme = scheme }, "reference.csv", column,
                     4);
}

static void test_pendulum_at_one_millisecond_follows_the_reference(void **state)
{
    (void)state;
    run_expect("A01 1ms", pendulum_error(1e-3, BI_ALI3P), 2e-4);
}

static void test_pendulum_halved_step_quarters_the_error(void **state)
{
    (void)state;
    run_expect_order_two("A01 order", pendulum_error(2e-3, BI_ALI3P), pendulum_error(1e-3, BI_ALI3P));
}

static void test_pendulum_with_rk4_is_better_than_the_reference_needs(void **state)
{
    (void)state;
    // fourth order: (omega h)^4 / 120 per radian, omega about 4.4 rad/s, over 10 s at 5 ms gives about 1e-7
    run_expect("A01 index1-rk4 5ms", pendulum_error(5e-3, BI_INDEX1_RK4), 1e-6);
}

static void test_pendulum_starts_where_the_problem_says(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "pendulum" });
    assert_true(fabs(run_read(&run, "P.x") + 1.0) <= 1e-14);
    assert_true(fabs(run_read(&run, "P.y")) <= 1e-14);
    assert_true(fabs(run_read(&run, "P.vx")) <= 1e-14);
    assert_true(fabs(run_read(&run, "P.vy")) <= 1e-14);
    run_close(&run);
}

static void test_pendulum_parameters_set_length_mass_and_angle(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "L", "2" }, { "m", "3" }, { "theta0", "-pi/2" } };
    run_model run = run_open(&(run_case){ .model = "pendulum", .settings = settings, .n_settings = 3 });
    assert_true(fabs(run_read(&run, "P.y") + 2.0) <= 1e-14);
    assert_true(fabs(run_read(&run, "energy.potential") + 3.0 * 9.81 * 2.0) <= 1e-12);
    // hanging at rest it stays
    run_to(&run, 0.1);
    assert_true(fabs(run_read(&run, "P.x")) <= 1e-12);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_at_one_millisecond_follows_the_reference),
        cmocka_unit_test(test_pendulum_halved_step_quarters_the_error),
        cmocka_unit_test(test_pendulum_with_rk4_is_better_than_the_reference_needs),
        cmocka_unit_test(test_pendulum_starts_where_the_problem_says),
        cmocka_unit_test(test_pendulum_parameters_set_length_mass_and_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
