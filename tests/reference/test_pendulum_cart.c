// SPDX-License-Identifier: MIT
// The pendulum on a cart against small motions in closed form (models/pendulum-cart/README.md).
#include "support/run_model.h"

static const double M = 2.0, m = 0.5, l = 0.5, g = 9.80665;

static double own_inertia(void) { return m * 4.0 * l * l / 12.0 + m * l * l; }

static double determinant(void) { return (M + m) * own_inertia() - m * m * l * l; }

static double frequency(void) { return sqrt((M + m) * m * g * l / determinant()); }

static void test_cart_with_hanging_rod_swings_at_its_frequency(void **state)
{
    (void)state;
    const bi_setting set[] = { { "tilt", "179" }, { "c", "0" } };
    run_model run = run_open(
        &(run_case){ .model = "pendulum-cart", .settings = set, .n_settings = 2, .dt = 1e-3, .time = 3.0 });
    double worst = 0.0, A = run_pi / 180.0;
    for (int k = 1; k <= 3000; k++) {
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
        // hanging is at pi; the rod starts one degree before it
        double expected = run_pi - A * cos(frequency() * 1e-3 * k);
        worst = fmax(worst, fabs(remainder(run_read(&run, "angle.angle") - expected, 2.0 * run_pi)) / A);
    }
    // the period of 1 degree is longer by A^2/16 = 2e-5 and the step adds (w dt)^2/12 = 1.5e-6, times 12.5 rad
    run_expect("hanging rod", worst, 4e-4);
    run_close(&run);
}

static void test_cart_with_upright_rod_falls_at_its_rate(void **state)
{
    (void)state;
    const bi_setting set[] = { { "tilt", "0.01" }, { "c", "0" } };
    run_model run = run_open(
        &(run_case){ .model = "pendulum-cart", .settings = set, .n_settings = 2, .dt = 1e-3, .time = 1.0 });
    double A = 0.01 * run_pi / 180.0;
    for (int k = 1; k <= 1000; k++) {
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
    }
    double expected = A * cosh(frequency());
    // the rate of the trapezoidal rule is off by (w dt)^2/12, times w over one second
    run_expect("falling rod", fabs(run_read(&run, "angle.angle") / expected - 1.0), 2e-5);
    run_close(&run);
}

static void test_cart_pushed_from_rest_accelerates_as_two_bodies(void **state)
{
    (void)state;
    const bi_setting set[] = { { "tilt", "0" }, { "c", "0" } };
    run_model run = run_open(
        &(run_case){ .model = "pendulum-cart", .settings = set, .n_settings = 2, .dt = 1e-3, .time = 1.0 });
    bi_sim_input(run.sim, bi_find_input(run.system, "push"), 0.5);
    for (int k = 1; k <= 20; k++) {
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
    }
    double a = 10.0 * own_inertia() / determinant(), t = 0.02;
    // the rod has turned by (w t)^2/2 of its rate by then; and the push comes in over the first step
    run_expect("pushed cart", fabs(run_read(&run, "position.rate") / (a * t) - 1.0), 0.04);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cart_with_hanging_rod_swings_at_its_frequency),
        cmocka_unit_test(test_cart_with_upright_rod_falls_at_its_rate),
        cmocka_unit_test(test_cart_pushed_from_rest_accelerates_as_two_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
