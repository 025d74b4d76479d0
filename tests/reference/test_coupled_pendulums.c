// SPDX-License-Identifier: MIT
#include "support/run_model.h"

static void check(const char *name, const char *file, const bi_setting *setting, bi_coordinates coordinates)
{
    run_column column[] = { { "theta1", 1, 0 }, { "theta2", 1, 0 }, { "omega1", 1, 0 }, { "omega2", 1, 0 } };
    run_case what = { .model = "coupled-pendulums",
                      .settings = setting,
                      .n_settings = setting ? 1 : 0,
                      .scheme = BI_INDEX1_RK4,
                      .coordinates = coordinates };
    run_expect(name, run_error(&what, file, column, 4), 1e-6);
}

static void test_coupled_pendulums_follow_the_reference_in_both_formulations(void **state)
{
    (void)state;
    const bi_setting large = { "theta2_0", "30" };
    check("pendulums.small.natural", "reference.csv", NULL, BI_NATURAL);
    check("pendulums.small.joint", "reference.csv", NULL, BI_JOINT);
    check("pendulums.large.natural", "reference-large.csv", &large, BI_NATURAL);
    check("pendulums.large.joint", "reference-large.csv", &large, BI_JOINT);
}

// theta1 + theta2 swings with (g/R)^1/2, theta2 - theta1 with (g/R + 2K/m)^1/2
static void test_coupled_pendulums_at_one_degree_stay_near_the_closed_form(void **state)
{
    (void)state;
    const double half = 0.5 * run_pi / 180.0, slow = sqrt(9.81 / 3.0), fast = sqrt(9.81 / 3.0 + 2.0);
    run_model run = run_open(&(run_case){ .model = "coupled-pendulums", .scheme = BI_INDEX1_RK4 });
    double worst = 0.0;
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        double t = run_now(&run), s = half * cos(slow * t), a = half * cos(fast * t);
        worst = fmax(worst, fabs(run_read(&run, "theta1") - (s - a)));
        worst = fmax(worst, fabs(run_read(&run, "theta2") - (s + a)));
    }
    run_close(&run);
    // what the neglected terms of third order make of one degree in 60 s
    run_expect("pendulums.closed_form", worst, 5.2e-5);
    assert_true(worst > 4e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coupled_pendulums_follow_the_reference_in_both_formulations),
        cmocka_unit_test(test_coupled_pendulums_at_one_degree_stay_near_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
