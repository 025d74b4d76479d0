// SPDX-License-Identifier: MIT
// A03, Andrews' squeezer: three loops, fast crank, step of 10 microseconds.
#include "support/run_model.h"

typedef struct {
    double angle, F; // largest errors / range
} andrews_errors;

static andrews_errors andrews_run(double dt, double time)
{
    run_column column[] = { { .channel = "crank.angle" }, { .channel = "F.x" }, { .channel = "F.y" } };
    run_error(&(run_case){ .model = "andrews", .dt = dt, .time = time }, "reference.csv", column, 3);
    return (andrews_errors){ column[0].error, fmax(column[1].error, column[2].error) };
}

static void test_andrews_at_ten_microseconds_follows_the_reference(void **state)
{
    (void)state;
    andrews_errors e = andrews_run(1e-5, 0.05);
    run_expect("A03 crank.angle", e.angle, 1e-4);
    run_expect("A03 F", e.F, 1e-3);
}

static double planar_angle(run_model *run, const char *body)
{
    bi_quat q = bi_sim_view(run->sim).pose[run_body(run, body)].rot;
    return 2.0 * atan2(q.z, q.w);
}

// Angles of bodies are known up to whole turns.
static double angle_error(double angle, double wanted)
{
    return fabs(remainder(angle - wanted, 2.0 * run_pi));
}

static void test_andrews_at_thirty_milliseconds_has_the_published_angles(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "andrews", .dt = 1e-5 });
    assert_true(run_to(&run, 0.03));
    run_expect("A03 beta(0.03)", fabs(run_read(&run, "crank.angle") - 15.8107712), 5e-4);

    // the other bodies lag by the same time; the loops turn at most as fast as the crank does
    const struct {
        const char *body;
        double angle;
    } published[] = {
        { "K2", 15.8107712 - 15.7563711 }, { "K3", 0.0408222 },
        { "K4", 0.5244100 - 0.5347301 },   { "K5", 0.5244100 },
        { "K6", 1.0480807 + 0.5347301 },   { "K7", 1.0480807 },
    };
    double worst = 0.0;
    for (int k = 0; k < 6; k++) {
        worst = fmax(worst, angle_error(planar_angle(&run, published[k].body), published[k].angle));
    }
    run_expect("A03 bodies(0.03)", worst, 5e-4);
    run_close(&run);
}

static void test_andrews_balances_energy_and_work(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "andrews", .dt = 1e-5 });
    double start = run_read(&run, "energy.balance"), worst = 0.0;
    for (int k = 1; k <= 500; k++) {
        run_to(&run, 1e-4 * k);
        worst = fmax(worst, fabs(run_read(&run, "energy.balance") - start));
    }
    run_expect("A03 energy.balance", worst, 2e-4);
    run_close(&run);
}

static void test_andrews_halved_step_quarters_the_error(void **state)
{
    (void)state;
    andrews_errors coarse = andrews_run(1e-5, 0.05), fine = andrews_run(5e-6, 0.05);
    run_expect_order_two("A03 order crank.angle", coarse.angle, fine.angle);
}

static void test_andrews_runs_with_the_default_penalty_at_every_step(void **state)
{
    (void)state;
    // second order about the measured 1.8e-5 at 1e-5 s, doubled; the curve ends at 0.05 s, the short runs earlier
    run_expect("A03 dt=1e-4", andrews_run(1e-4, 0.05).angle, 4e-3);
    run_expect("A03 dt=5e-5", andrews_run(5e-5, 0.05).angle, 1e-3);
    run_expect("A03 dt=1e-6", andrews_run(1e-6, 0.01).angle, 1e-6);
}

static void test_andrews_crank_angle_counts_whole_turns(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "andrews", .dt = 1e-5 });
    double before = run_read(&run, "crank.angle");
    assert_true(fabs(before + 0.0617138900142764) <= 1e-12);
    for (int k = 1; k <= 500; k++) {
        run_to(&run, 1e-4 * k);
        double now = run_read(&run, "crank.angle");
        assert_true(fabs(now - before) < 1.0);
        before = now;
    }
    assert_true(before > 30.0);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_andrews_at_ten_microseconds_follows_the_reference),
        cmocka_unit_test(test_andrews_at_thirty_milliseconds_has_the_published_angles),
        cmocka_unit_test(test_andrews_balances_energy_and_work),
        cmocka_unit_test(test_andrews_halved_step_quarters_the_error),
        cmocka_unit_test(test_andrews_runs_with_the_default_penalty_at_every_step),
        cmocka_unit_test(test_andrews_crank_angle_counts_whole_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
