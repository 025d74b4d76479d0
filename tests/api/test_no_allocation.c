// SPDX-License-Identifier: MIT
// Counts what a run asks of the C library's heap: nothing in a step, nothing when channels are read.
#include "support/run_model.h"
#include <stdlib.h>

// The sanitizers have a heap of their own; the release build counts.
#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define CAN_COUNT 0
#else
#define CAN_COUNT 1
#endif

// volatile: the compiler believes that malloc touches no variable of ours
static volatile long calls;
static volatile bool is_counting;

#if CAN_COUNT
// glibc's own names for its heap, so that these take the place of the usual ones for the whole program
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size)
{
    calls += is_counting;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    calls += is_counting;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    calls += is_counting;
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    calls += is_counting;
    __libc_free(memory);
}
#endif

static void require_counting(void)
{
    if (!CAN_COUNT) {
        skip();
    }
}

static void test_counter_sees_malloc_and_free(void **state)
{
    (void)state;
    require_counting();
    calls = 0;
    is_counting = true;
    void *volatile memory = malloc(16);
    free(memory);
    is_counting = false;
    assert_int_equal(calls, 2);
}

// Steps and reads everything: no call of the heap.
static void expect_no_calls(const char *name, const run_case *what, int steps)
{
    run_model run = run_open(what);
    double value[256];
    assert_true(bi_channel_count(run.system) <= 256);
    bi_status status = BI_OK;
    calls = 0;
    is_counting = true;
    for (int k = 0; k < steps && status == BI_OK; k++) {
        status = bi_sim_step(run.sim);
        bi_sim_read_all(run.sim, value);
    }
    is_counting = false;
    if (status != BI_OK) {
        fail_msg("%s: %s", name, bi_sim_failure(run.sim));
    }
    if (calls != 0) {
        fail_msg("%s: %ld calls of the heap in %d steps", name, calls, steps);
    }
    run_close(&run);
}

static void test_steps_of_all_models_take_no_memory(void **state)
{
    (void)state;
    require_counting();
    static const struct {
        const char *model;
        bi_scheme scheme;
        double dt;
        int steps;
    } cases[] = {
        { "four-bars", BI_ALI3P, 1e-3, 2000 },   { "four-bars", BI_INDEX1_RK4, 1e-3, 500 },
        { "andrews", BI_ALI3P, 1e-5, 500 },      { "andrews", BI_INDEX1_RK4, 1e-5, 200 },
        { "governor", BI_ALI3P, 1e-3, 500 },     { "governor", BI_INDEX1_RK4, 1e-5, 100 },
        { "slider-crank", BI_ALI3P, 1e-3, 500 }, { "slider-crank", BI_INDEX1_RK4, 1e-3, 200 },
        { "bricard", BI_ALI3P, 1e-3, 200 },      { "pendulum", BI_ALI3P, 1e-3, 200 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        expect_no_calls(cases[k].model,
                        &(run_case){ .model = cases[k].model, .scheme = cases[k].scheme, .dt = cases[k].dt },
                        cases[k].steps);
    }
}

static void test_step_over_a_singular_position_takes_no_memory(void **state)
{
    (void)state;
    require_counting();
    bi_setting windows = { "N", "40" };
    // steps over the horizontal position at 1.24 s
    expect_no_calls("four-bars, N = 40",
                    &(run_case){ .model = "four-bars", .settings = &windows, .n_settings = 1, .dt = 1e-3 },
                    1300);
}

static void test_failed_step_and_snapshot_take_no_memory(void **state)
{
    (void)state;
    require_counting();
    bi_model *m = bi_model_create("wheel");
    bi_body wheel = bi_add_body(m, &(bi_body_def){ .name = "wheel", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_joint axle =
        bi_add_joint(m, &(bi_joint_def){ .name = "axle", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = wheel });
    bi_input push = bi_add_input(m, "push", 0.0);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "drive", .joint = axle, .torque = bi_expression(m, "push", NULL) });
    run_model run = run_start(m, BI_ALI3P, 1e-3, 1.0);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    void *buffer = malloc(size);
    calls = 0;
    is_counting = true;
    bi_sim_save(run.sim, buffer, size);
    bi_sim_input(run.sim, push, NAN);
    bi_status failed = bi_sim_step(run.sim), loaded = bi_sim_load(run.sim, buffer, size);
    is_counting = false;
    assert_true(failed != BI_OK);
    assert_int_equal(loaded, BI_OK);
    assert_int_equal(calls, 0);
    free(buffer);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_sees_malloc_and_free),
        cmocka_unit_test(test_steps_of_all_models_take_no_memory),
        cmocka_unit_test(test_step_over_a_singular_position_takes_no_memory),
        cmocka_unit_test(test_failed_step_and_snapshot_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
