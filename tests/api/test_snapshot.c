// SPDX-License-Identifier: MIT
// Snapshots: what is saved continues bit by bit, what is damaged or of another system is refused.
#include "api/arm.h"
#include <stdlib.h>

typedef struct {
    unsigned char *bytes;
    size_t size;
} snapshot;

static snapshot snapshot_take(const bi_sim *sim)
{
    snapshot s = { .size = bi_sim_save(sim, NULL, 0) };
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(bi_sim_save(sim, s.bytes, s.size), s.size);
    return s;
}

static void test_snapshot_continues_bit_by_bit(void **state)
{
    (void)state;
    for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
        run_model run = arm_run((bi_scheme)scheme);
        set_push(&run, 0.7);
        step_times(run.sim, 100);
        snapshot saved = snapshot_take(run.sim);
        uint64_t then = bi_sim_hash(run.sim);
        step_times(run.sim, 100);
        uint64_t end = bi_sim_hash(run.sim);
        double energy = run_read(&run, "energy.balance");

        // back in the same sim, and from nothing in a fresh one
        set_push(&run, -5.0);
        assert_int_equal(bi_sim_load(run.sim, saved.bytes, saved.size), BI_OK);
        assert_true(bi_sim_hash(run.sim) == then);
        step_times(run.sim, 100);
        assert_true(bi_sim_hash(run.sim) == end);
        bi_sim *fresh = bi_sim_create(run.system);
        assert_int_equal(bi_sim_load(fresh, saved.bytes, saved.size), BI_OK);
        assert_true(bi_sim_hash(fresh) == then);
        step_times(fresh, 100);
        assert_true(bi_sim_hash(fresh) == end);
        assert_true(bi_sim_read(fresh, run_channel(&run, "energy.balance")) == energy);
        bi_sim_destroy(fresh);
        free(saved.bytes);
        run_close(&run);
    }
}

static void test_snapshot_into_too_small_a_buffer_only_tells_the_size(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    unsigned char small[16] = { 1, 2, 3 };
    size_t size = bi_sim_save(run.sim, NULL, 0);
    assert_true(size > sizeof small);
    assert_int_equal(bi_sim_save(run.sim, small, sizeof small), size);
    assert_true(small[0] == 1 && small[1] == 2 && small[2] == 3 && small[3] == 0);
    run_close(&run);
}

static void expect_refused(bi_sim *sim, const void *bytes, size_t size)
{
    uint64_t before = bi_sim_hash(sim);
    assert_int_equal(bi_sim_load(sim, bytes, size), BI_BAD_SNAPSHOT);
    assert_true(bi_sim_hash(sim) == before);
}

static void test_snapshot_with_any_flipped_byte_is_refused(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    step_times(run.sim, 30);
    snapshot saved = snapshot_take(run.sim);
    step_times(run.sim, 5);
    for (size_t k = 0; k < saved.size; k++) {
        saved.bytes[k] ^= 0x40;
        expect_refused(run.sim, saved.bytes, saved.size);
        saved.bytes[k] ^= 0x40;
    }
    expect_refused(run.sim, saved.bytes, saved.size - 1);
    expect_refused(run.sim, saved.bytes, 8);
    expect_refused(run.sim, saved.bytes, 0);
    assert_int_equal(bi_sim_load(run.sim, saved.bytes, saved.size), BI_OK);
    free(saved.bytes);
    run_close(&run);
}

static void test_snapshot_of_another_system_is_refused(void **state)
{
    (void)state;
    run_model run = arm_run(BI_ALI3P);
    run_model others[] = {
        run_start(arm(arm_mass), BI_ALI3P, 2.0 * arm_dt, 1.0),
        run_start(arm(arm_mass), BI_INDEX1_RK4, arm_dt, 1.0),
        run_start(arm(2.0 * arm_mass), BI_ALI3P, arm_dt, 1.0), // the same geometry, heavier
        run_open(&(run_case){ .model = "pendulum" }),
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        step_times(others[k].sim, 3);
        snapshot saved = snapshot_take(others[k].sim);
        expect_refused(run.sim, saved.bytes, saved.size);
        free(saved.bytes);
        run_close(&others[k]);
    }
    run_close(&run);
}

// The sim stands between the stepper's last two states after it has stepped over a singular position.
static void test_snapshot_after_a_step_over_continues_bit_by_bit(void **state)
{
    (void)state;
    bi_setting windows = { "N", "40" };
    run_model run =
        run_open(&(run_case){ .model = "four-bars", .settings = &windows, .n_settings = 1, .dt = 1e-3 });
    int limit = 20000;
    for (; limit > 0 && bi_sim_statistics(run.sim).step_overs == 0; limit--) {
        step_times(run.sim, 1);
    }
    assert_true(limit > 0);
    printf("measured first step-over at t=%g\n", run_now(&run));
    snapshot saved = snapshot_take(run.sim);
    uint64_t then = bi_sim_hash(run.sim);
    double x = run_read(&run, "B0.x"), energy = run_read(&run, "energy.total");
    step_times(run.sim, 20);
    uint64_t end = bi_sim_hash(run.sim);

    assert_int_equal(bi_sim_load(run.sim, saved.bytes, saved.size), BI_OK);
    assert_true(bi_sim_hash(run.sim) == then);
    assert_true(run_read(&run, "B0.x") == x);
    assert_true(run_read(&run, "energy.total") == energy);
    step_times(run.sim, 20);
    assert_true(bi_sim_hash(run.sim) == end);
    free(saved.bytes);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snapshot_continues_bit_by_bit),
        cmocka_unit_test(test_snapshot_into_too_small_a_buffer_only_tells_the_size),
        cmocka_unit_test(test_snapshot_with_any_flipped_byte_is_refused),
        cmocka_unit_test(test_snapshot_of_another_system_is_refused),
        cmocka_unit_test(test_snapshot_after_a_step_over_continues_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
