// SPDX-License-Identifier: MIT
// A tangent that serves several steps is a part of the state: snapshots hold it, reading leaves it alone (ali3p.10).
#include "support/run_model.h"
#include <stdlib.h>

static const run_case cases[] = {
    { .model = "forklift", .dt = 10e-3, .coordinates = BI_NATURAL, .sleep = 0.5 },
    { .model = "forklift", .dt = 10e-3, .coordinates = BI_JOINT, .sleep = 0.5 },
    { .model = "clio", .dt = 2e-3, .coordinates = BI_JOINT },
    { .model = "bouncing-pallet", .dt = 2e-3, .coordinates = BI_NATURAL },
    { .model = "flex-double-pendulum", .dt = 5e-4, .coordinates = BI_NATURAL },
};
enum { N_CASES = sizeof cases / sizeof *cases, STEPS = 60 };

static void go_on(bi_sim *sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
}

// Saved after each of the first steps, so that tangents of many ages are among them.
static void test_restored_run_with_a_kept_tangent_continues_bit_by_bit(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        for (int age = 1; age <= 13; age += 3) {
            run_model run = run_open(&cases[k]);
            go_on(run.sim, age);
            size_t size = bi_sim_save(run.sim, NULL, 0);
            void *bytes = malloc(size);
            assert_non_null(bytes);
            bi_sim_save(run.sim, bytes, size);
            go_on(run.sim, STEPS);
            uint64_t end = bi_sim_hash(run.sim);
            bi_sim *fresh = bi_sim_create(run.system);
            assert_int_equal(bi_sim_load(fresh, bytes, size), BI_OK);
            go_on(fresh, STEPS);
            if (bi_sim_hash(fresh) != end) {
                fail_msg("%s: restored after %d steps it goes on differently", cases[k].model, age);
            }
            bi_sim_destroy(fresh);
            free(bytes);
            run_close(&run);
        }
    }
}

// Reactions are found with a factor of their own.
static void test_reading_every_channel_does_not_change_the_run(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        run_model quiet = run_open(&cases[k]), read = run_open(&cases[k]);
        for (int n = 0; n < STEPS / 2; n++) {
            go_on(quiet.sim, 1);
            go_on(read.sim, 1);
            for (int c = 0; c < bi_channel_count(read.system); c++) {
                (void)bi_sim_read(read.sim, bi_channel_at(read.system, c));
            }
        }
        assert_true(bi_sim_hash(quiet.sim) == bi_sim_hash(read.sim));
        run_close(&quiet);
        run_close(&read);
    }
}

// Without keeping there is one for each step at least; the limit is half of that.
static void test_tangents_of_machines_serve_several_steps(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        run_model run = run_open(&cases[k]);
        go_on(run.sim, 200);
        bi_statistics s = bi_sim_statistics(run.sim);
        printf("%s: %.3f iterations and %.3f tangents per step\n", cases[k].model,
               (double)s.iterations / 200.0, (double)s.factors / 200.0);
        assert_true(s.factors < 100);
        assert_true(s.violation < 1e-11);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restored_run_with_a_kept_tangent_continues_bit_by_bit),
        cmocka_unit_test(test_reading_every_channel_does_not_change_the_run),
        cmocka_unit_test(test_tangents_of_machines_serve_several_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
