// SPDX-License-Identifier: MIT
// A02, the N four-bar mechanism: accuracy, energy, branch and constraint violation, through the singular positions.
#include "support/run_model.h"
#include <stdlib.h>

// ---- the exact motion: on the parallelogram branch all cranks turn alike, one degree of freedom ------------------

typedef struct {
    double t, theta, omega; // s, rad, rad/s
    double gain;            // theta'' = -gain cos(theta), 1/s2
} exact_motion;

static exact_motion exact_start(int n_window)
{
    double n = n_window;
    // per kg and m: inertia of the N+1 turning rods and the N translating ones, and their moments of weight
    double inertia = (n + 1.0) / 3.0 + n;
    double weight = 9.81 * ((n + 1.0) / 2.0 + n);
    return (exact_motion){ .theta = run_pi / 2.0, .omega = -1.0, .gain = weight / inertia };
}

static void exact_step(exact_motion *e, double h)
{
    double k1 = e->omega, w1 = -e->gain * cos(e->theta);
    double k2 = e->omega + 0.5 * h * w1, w2 = -e->gain * cos(e->theta + 0.5 * h * k1);
    double k3 = e->omega + 0.5 * h * w2, w3 = -e->gain * cos(e->theta + 0.5 * h * k2);
    double k4 = e->omega + h * w3, w4 = -e->gain * cos(e->theta + h * k3);
    e->theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    e->omega += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    e->t += h;
}

// RK4 with steps of at most 0.2 ms: equals the reference files to 7e-10 over 20 s.
static void exact_to(exact_motion *e, double t)
{
    int n = (int)ceil((t - e->t) / 2e-4);
    double h = n > 0 ? (t - e->t) / n : 0.0;
    for (int k = 0; k < n; k++) {
        exact_step(e, h);
    }
    e->t = t;
}

// ---- one run, everything measured ---------------------------------------------------------------------------------

typedef struct {
    int n_window;
    bi_scheme scheme;
    double dt, time; // s
} four_bars_case;

// Largest values over all steps of a run.
typedef struct {
    double position; // of B0 against the exact motion, m
    double speed;    // m/s
    double drift;    // of the energy, J
    double parallel; // distance of B_i from B_0 + i L, m
    double violation, violation_rate;
    bi_statistics statistics;
} four_bars_result;

static double larger(double a, double b) { return b <= a ? a : b; } // keeps what is not a number

static double parallelism(run_model *run, const int *crank, int n_crank)
{
    bi_view view = bi_sim_view(run->sim);
    bi_vec3 tip = { 1.0, 0.0, 0.0 };
    bi_vec3 first = run_point(view.pose[crank[0]], tip);
    double worst = 0.0;
    for (int i = 1; i < n_crank; i++) {
        bi_vec3 wanted = { first.x + i, first.y, first.z };
        worst = larger(worst, run_norm(run_sub(run_point(view.pose[crank[i]], tip), wanted)));
    }
    return worst;
}

static void measure(run_model *run, exact_motion *exact, const int *crank, int n_crank, four_bars_result *out)
{
    bi_view view = bi_sim_view(run->sim);
    exact_to(exact, view.t);
    double c = cos(exact->theta), s = sin(exact->theta);
    bi_vec3 place = run_point(view.pose[crank[0]], (bi_vec3){ 1.0, 0.0, 0.0 });
    bi_vec3 speed = { run_read(run, "B0.vx"), run_read(run, "B0.vy"), 0.0 };
    out->position = larger(out->position, run_norm(run_sub(place, (bi_vec3){ c, s, 0.0 })));
    out->speed =
        larger(out->speed, run_norm(run_sub(speed, (bi_vec3){ -s * exact->omega, c * exact->omega, 0.0 })));
    out->parallel = larger(out->parallel, parallelism(run, crank, n_crank));
    out->statistics = bi_sim_statistics(run->sim);
    out->violation = larger(out->violation, out->statistics.violation);
    out->violation_rate = larger(out->violation_rate, out->statistics.violation_rate);
}

static four_bars_result four_bars_run(const four_bars_case *what)
{
    char windows[16];
    snprintf(windows, sizeof windows, "%d", what->n_window);
    const bi_setting settings[] = { { "N", windows } };
    run_model run = run_open(&(run_case){ .model = "four-bars",
                                          .settings = settings,
                                          .n_settings = 1,
                                          .scheme = what->scheme,
                                          .dt = what->dt,
                                          .time = what->time });

    int n_crank = what->n_window + 1;
    int *crank = malloc((size_t)n_crank * sizeof *crank);
    assert_non_null(crank);
    for (int i = 0; i < n_crank; i++) {
        char name[32];
        snprintf(name, sizeof name, "crank%d", i);
        crank[i] = run_body(&run, name);
    }

    exact_motion exact = exact_start(what->n_window);
    four_bars_result result = { 0 };
    bi_channel energy = run_channel(&run, "energy.total");
    double energy0 = bi_sim_read(run.sim, energy);
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        measure(&run, &exact, crank, n_crank, &result);
        result.drift = larger(result.drift, fabs(bi_sim_read(run.sim, energy) - energy0));
    }
    free(crank);
    run_close(&run);
    return result;
}

// ---- the acceptance numbers ---------------------------------------------------------------------------------------

static void test_forty_windows_at_one_millisecond_follow_the_exact_motion(void **state)
{
    (void)state;
    four_bars_result r = four_bars_run(&(four_bars_case){ .n_window = 40, .dt = 1e-3, .time = 20.0 });
    run_expect("A02 N=40", r.position, 1e-3);
    run_expect("A02 N=40 drift", r.drift, 3e-2);
    run_expect("A02 N=40 parallelism", r.parallel, 1e-6);
    run_expect("A02 N=40 violation", r.violation, 1e-9);
    printf("measured A02 N=40 velocity=%.3e steps=%lld iterations=%lld step_overs=%lld unconverged=%lld\n",
           r.speed, (long long)r.statistics.steps, (long long)r.statistics.iterations,
           (long long)r.statistics.step_overs, (long long)r.statistics.unconverged);
}

static void compare_with_file(const char *name, const char *windows, const char *file, double dt)
{
    run_column column[] = {
        { .channel = "B0.x", .scale = 1.0 },
        { .channel = "B0.y", .scale = 1.0 },
        { .channel = "B0.vx" },
        { .channel = "B0.vy" },
    };
    const bi_setting settings[] = { { "N", windows } };
    run_case what = { .model = "four-bars", .settings = settings, .n_settings = 1, .dt = dt };
    run_expect(name, run_error(&what, file, column, 4), 1e-3);
}

static void test_two_windows_follow_the_reference_file(void **state)
{
    (void)state;
    compare_with_file("A02 N=2 file", "2", "reference.csv", 1e-3);
}

static void test_forty_windows_follow_the_reference_file(void **state)
{
    (void)state;
    compare_with_file("A02 N=40 file", "40", "reference-n40.csv", 1e-3);
}

static void test_one_and_two_windows_keep_the_constraints(void **state)
{
    (void)state;
    for (int n = 1; n <= 2; n++) {
        four_bars_result r = four_bars_run(&(four_bars_case){ .n_window = n, .dt = 1e-3, .time = 5.0 });
        run_expect(n == 1 ? "A02 N=1 violation" : "A02 N=2 violation", r.violation, 1e-9);
    }
}

static void test_halved_step_quarters_the_error_before_the_first_singular_position(void **state)
{
    (void)state;
    // the cranks lie down for the first time after 0.72 s; 0.48 s is a multiple of both steps
    exact_motion exact = exact_start(10);
    exact_to(&exact, 0.48);
    assert_true(exact.theta > 0.2);
    four_bars_result coarse = four_bars_run(&(four_bars_case){ .n_window = 10, .dt = 2e-3, .time = 0.48 });
    four_bars_result fine = four_bars_run(&(four_bars_case){ .n_window = 10, .dt = 1e-3, .time = 0.48 });
    run_expect_order_two("A02 N=10 order position", coarse.position, fine.position);
    run_expect_order_two("A02 N=10 order velocity", coarse.speed, fine.speed);
}

static void test_rk4_with_forty_windows_at_ten_milliseconds_follows_the_exact_motion(void **state)
{
    (void)state;
    four_bars_result r =
        four_bars_run(&(four_bars_case){ .n_window = 40, .scheme = BI_INDEX1_RK4, .dt = 1e-2, .time = 20.0 });
    run_expect("A02 N=40 index1-rk4 10ms", r.position, 1e-3);
    run_expect("A02 N=40 index1-rk4 10ms drift", r.drift, 1e-2);
    run_expect("A02 N=40 index1-rk4 10ms parallelism", r.parallel, 1e-4);
}

// A case is bad when its energy is 1.5 times worse, or its position 3 times (a step over the singular position costs about
// one more of the step's errors), than of one window at the same step. The floors are what rounding and the criterion leave.
static void test_unround_windows_and_steps_keep_branch_and_accuracy(void **state)
{
    (void)state;
    static const double dt[] = { 1.3e-3, 1.7e-3, 2.3e-3, 3.7e-3, 5.3e-3, 7.9e-3, 9.0e-3 };
    static const int windows[7][3] = { { 2, 15, 33 }, { 3, 25, 0 },  { 7, 33, 60 }, { 2, 15, 60 },
                                       { 3, 7, 25 },  { 2, 33, 60 }, { 7, 15, 25 } };
    const double floor_position = 1e-4, floor_drift = 1e-5;
    int cases = 0, bad = 0;
    for (int d = 0; d < 7; d++) {
        four_bars_result base = four_bars_run(&(four_bars_case){ .n_window = 1, .dt = dt[d], .time = 20.0 });
        for (int k = 0; k < 3 && windows[d][k] > 0; k++) {
            int n = windows[d][k];
            four_bars_result r = four_bars_run(&(four_bars_case){ .n_window = n, .dt = dt[d], .time = 20.0 });
            double limit = 3.0 * base.position + floor_position;
            double drift = r.drift / (2 * n + 1), drift_limit = 1.5 * base.drift / 3.0 + floor_drift;
            bool is_good = r.position <= limit && drift <= drift_limit && r.parallel <= 1e-6;
            printf("measured A02 grid N=%d dt=%.1e error=%.3e limit=%.3e drift_per_rod=%.3e drift_limit=%.3e "
                   "parallelism=%.3e step_overs=%lld%s\n",
                   n, dt[d], r.position, limit, drift, drift_limit, r.parallel,
                   (long long)r.statistics.step_overs, is_good ? "" : " BAD");
            cases++;
            bad += !is_good;
        }
    }
    printf("measured A02 grid cases=%d bad=%d\n", cases, bad);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forty_windows_at_one_millisecond_follow_the_exact_motion),
        cmocka_unit_test(test_two_windows_follow_the_reference_file),
        cmocka_unit_test(test_forty_windows_follow_the_reference_file),
        cmocka_unit_test(test_one_and_two_windows_keep_the_constraints),
        cmocka_unit_test(test_halved_step_quarters_the_error_before_the_first_singular_position),
        cmocka_unit_test(test_rk4_with_forty_windows_at_ten_milliseconds_follows_the_exact_motion),
        cmocka_unit_test(test_unround_windows_and_steps_keep_branch_and_accuracy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
