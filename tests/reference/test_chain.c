// SPDX-License-Identifier: MIT
// The open chain: energy, both formulations, and a double pendulum that the test integrates itself.
#include "support/run_model.h"

static run_model chain(const char *links, bi_coordinates coordinates, double dt)
{
    bi_setting setting = { "N", links };
    return run_open(&(run_case){ .model = "chain",
                                 .settings = &setting,
                                 .n_settings = 1,
                                 .scheme = BI_RK4,
                                 .dt = dt,
                                 .coordinates = coordinates });
}

// Two uniform rods with angles p, r against x: Lagrange's equations solved for the second rates.
static void two_rods(const double *s, double *rate)
{
    double c = 0.5 * cos(s[0] - s[1]), n = 0.5 * sin(s[0] - s[1]);
    double right0 = -n * s[3] * s[3] - 9.81 * 1.5 * cos(s[0]),
           right1 = n * s[2] * s[2] - 9.81 * 0.5 * cos(s[1]);
    double a = 4.0 / 3.0, b = 1.0 / 3.0, det = a * b - c * c;
    rate[0] = s[2];
    rate[1] = s[3];
    rate[2] = (b * right0 - c * right1) / det;
    rate[3] = (a * right1 - c * right0) / det;
}

static void test_two_links_move_like_the_double_pendulum(void **state)
{
    (void)state;
    double s[4] = { 0.0 }, k[4][4], at[4], h = 1e-4;
    static const double share[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int step = 0; step < 10000; step++) {
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++) {
                at[i] = s[i] + (stage > 0 ? share[stage] * h * k[stage - 1][i] : 0.0);
            }
            two_rods(at, k[stage]);
        }
        for (int i = 0; i < 4; i++) {
            s[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = chain("2", (bi_coordinates)c, 1e-3);
        run_to(&run, 1.0);
        double x = cos(s[0]) + cos(s[1]), y = sin(s[0]) + sin(s[1]);
        // order four at 1 ms with rates of some 10 rad/s
        run_expect("tip of two links", hypot(run_read(&run, "tip.x") - x, run_read(&run, "tip.y") - y), 1e-8);
        run_close(&run);
    }
}

static void test_five_links_follow_the_reference(void **state)
{
    (void)state;
    bi_setting setting = { "N", "5" };
    run_column column[] = { { "tip.x", 1, 0 }, { "tip.y", 1, 0 }, { "tip.vx", 1, 0 }, { "tip.vy", 1, 0 } };
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_case what = { .model = "chain",
                          .settings = &setting,
                          .n_settings = 1,
                          .scheme = BI_RK4,
                          .time = 1.0,
                          .coordinates = (bi_coordinates)c };
        // order four at 1 ms; the whip of the last link reaches some 30 rad/s: (0.03)^4 times its growth
        run_expect("five links", run_error(&what, "reference.csv", column, 4), 1e-6);
    }
}

static void test_five_links_agree_in_both_formulations(void **state)
{
    (void)state;
    run_model natural = chain("5", BI_NATURAL, 1e-3), joint = chain("5", BI_JOINT, 1e-3);
    double worst = 0.0;
    for (int k = 0; k < 1000; k++) {
        run_step(&natural);
        run_step(&joint);
        worst = fmax(worst, hypot(run_read(&natural, "tip.x") - run_read(&joint, "tip.x"),
                                  run_read(&natural, "tip.y") - run_read(&joint, "tip.y")));
    }
    // two different fourth-order errors at 1 ms, which the chain spreads
    run_expect("tip of five links, natural against joint", worst, 1e-7);
    run_close(&natural);
    run_close(&joint);
}

static void test_ten_links_keep_their_energy(void **state)
{
    (void)state;
    run_model run = chain("10", BI_JOINT, 5e-3);
    double worst = 0.0;
    for (int k = 0; k < 200; k++) {
        run_step(&run);
        worst = fmax(worst, fabs(run_read(&run, "energy.balance")));
    }
    // of 340 J that move after a second
    run_expect("energy of ten links dt=5e-3", worst, 1e-4);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_links_move_like_the_double_pendulum),
        cmocka_unit_test(test_five_links_follow_the_reference),
        cmocka_unit_test(test_five_links_agree_in_both_formulations),
        cmocka_unit_test(test_ten_links_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
