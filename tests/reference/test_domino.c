// SPDX-License-Identifier: MIT
// Dominoes against a wave in which one moves at a time (data/domino_wave.csv): each of its rows is one domino that turns about its
// front edge with a given rate until it hits the next, which compares. What follows does not: there the one that has hit is gone,
// here all lean on each other, and the wave is faster.
#include "support/run_model.h"

typedef struct {
    double t, rate; // of the first hit: when, and how fast the one that hits turns, s, rad/s
} swing;

// Two dominoes, the first one pushed so.
static swing swing_of(double push)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", push);
    const bi_setting settings[] = { { "N", "2" }, { "push", text } };
    run_model run = run_open(
        &(run_case){ .model = "domino", .settings = settings, .n_settings = 2, .coordinates = BI_JOINT });
    swing out = { 0 };
    bi_event first;
    while (!bi_sim_event(run.sim, 0, &first)) {
        out.rate = run_read(&run, "domino1.wy");
        run_step(&run);
        assert_true(run_now(&run) < 0.2);
    }
    out.t = first.t;
    run_close(&run);
    return out;
}

static void test_each_domino_of_the_wave_hits_in_time_and_as_fast(void **state)
{
    (void)state;
    bi_table table = run_data("domino_wave.csv");
    const double *start = run_reference_column(&table, "omega_start"),
                 *hit = run_reference_column(&table, "omega_hit"),
                 *time = run_reference_column(&table, "time");
    double late = 0.0, off = 0.0;
    const int rows[] = { 0, 1, 2, 4, 9, 19 };
    for (int k = 0; k < 6; k++) {
        swing s = swing_of(start[rows[k]]);
        late = fmax(late, fabs(s.t / time[rows[k]] - 1.0));
        off = fmax(off, fabs(s.rate / hit[rows[k]] - 1.0));
    }
    bi_table_clear(&table);
    // the edge gives way by some thousandths of the height; rates are those of the step before, 3e-3 rad/s less
    run_expect("domino: time from hit to hit, one at a time", late, 1e-3);
    run_expect("domino: rate at the hit, one at a time", off, 1e-3);
}

// All hits of a row of twelve: the last ones follow each other as fast as they will, several times faster than one at a time.
static void test_dominoes_that_lean_on_each_other_are_faster(void **state)
{
    (void)state;
    const bi_setting count = { "N", "12" };
    run_model run = run_open(
        &(run_case){ .model = "domino", .settings = &count, .n_settings = 1, .coordinates = BI_JOINT });
    double t[13] = { 0 };
    for (int n = 2; n <= 12;) {
        char name[32];
        snprintf(name, sizeof name, "hit%d.normal", n);
        run_step(&run);
        if (run_read(&run, name) > 0.0) {
            t[n++] = run_now(&run);
        }
        assert_true(run_now(&run) < 1.0);
    }
    double speed = 2.0 * 0.0275 / (t[12] - t[10]), alone = 0.2579;
    printf("measured domino wave m/s=%.3f one at a time=%.3f\n", speed, alone);
    assert_true(speed > 3.0 * alone && speed < 8.0 * alone);
    for (int n = 4; n <= 12; n++) {
        assert_true(t[n] - t[n - 1] < 0.107); // the steady time of one at a time
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_domino_of_the_wave_hits_in_time_and_as_fast),
        cmocka_unit_test(test_dominoes_that_lean_on_each_other_are_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
