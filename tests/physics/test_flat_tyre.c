// SPDX-License-Identifier: MIT
// A car whose left front tyre loses its air: in the middle of it a snapshot goes on bit by bit, in both formulations, and an
// explicit scheme with small steps goes the same way.
#include "support/run_model.h"
#include <stdlib.h>

static void test_a_snapshot_holds_the_air_that_is_left(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = run_open(
            &(run_case){ .model = "car", .run = "flat", .coordinates = c == 0 ? BI_NATURAL : BI_JOINT });
        run_to(&run, 1.2);
        double air = run_read(&run, "tyre11.air");
        assert_true(air > 0.1 && air < 0.9);
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *kept = malloc(size);
        assert_non_null(kept);
        assert_int_equal(bi_sim_save(run.sim, kept, size), size);
        run_to(&run, 1.5);
        uint64_t first = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_load(run.sim, kept, size), BI_OK);
        assert_true(run_read(&run, "tyre11.air") == air);
        run_to(&run, 1.5);
        assert_true(bi_sim_hash(run.sim) == first);
        free(kept);
        run_close(&run);
    }
}

static void test_schemes_lose_the_same_air(void **state)
{
    (void)state;
    static const char *const channel[] = { "tyre11.air", "tyre11.depth", "chassis.y" };
    // errors of second order of steps of 0.5 ms and 0.1 ms in a second in which loads change by half within 0.2 s
    static const double limit[] = { 1e-6, 1e-6, 1e-6 };
    double value[2][3];
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "car",
                                              .run = "flat",
                                              .coordinates = BI_JOINT,
                                              .scheme = k == 0 ? BI_ALI3P : BI_INDEX1_RK4,
                                              .dt = k == 0 ? 0.0 : 1e-4 });
        run_to(&run, 1.6);
        for (int c = 0; c < 3; c++) {
            value[k][c] = run_read(&run, channel[c]);
        }
        run_close(&run);
    }
    for (int c = 0; c < 3; c++) {
        run_expect(channel[c], fabs(value[1][c] - value[0][c]), limit[c]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_snapshot_holds_the_air_that_is_left),
        cmocka_unit_test(test_schemes_lose_the_same_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
