// SPDX-License-Identifier: MIT
// The loop in its own thread, against the same steps done here one by one.
#include "support/run_model.h"
#include <biela/realtime.h>
#include <stdlib.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define CAN_COUNT 0
#else
#define CAN_COUNT 1
#endif

// heap calls of the engine's thread: counted for threads other than the first while it is on
static volatile bool is_counting;
static volatile long calls;
static _Thread_local bool is_first_thread;

#if CAN_COUNT
void *__libc_malloc(size_t size);
void __libc_free(void *memory);

void *malloc(size_t size)
{
    calls += is_counting && !is_first_thread;
    return __libc_malloc(size);
}

void free(void *memory)
{
    calls += is_counting && !is_first_thread;
    __libc_free(memory);
}
#endif

static const run_case cart = { .model = "pendulum-cart", .dt = 5e-3, .time = 10.0 };

static void nap(double seconds) { nanosleep(&(struct timespec){ .tv_nsec = (long)(1e9 * seconds) }, NULL); }

// Waits for a frame with the flags, at most so many milliseconds.
static const bi_loop_frame *wait_for(bi_loop *loop, unsigned flags, int milliseconds)
{
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < milliseconds && (f->flags & flags) != flags; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->flags & flags, flags);
    return f;
}

static const bi_loop_frame *wait_done(bi_loop *loop)
{
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < 20000 && !f->is_done; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_true(f->is_done);
    return f;
}

// Hash after so many steps, done here.
static uint64_t hash_after(int64_t steps, int64_t push_from, double push)
{
    run_model run = run_open(&cart);
    for (int64_t k = 0; k < steps; k++) {
        if (k == push_from) {
            bi_sim_input(run.sim, bi_find_input(run.system, "push"), push);
        }
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
    }
    uint64_t hash = bi_sim_hash(run.sim);
    run_close(&run);
    return hash;
}

static void test_loop_without_clock_does_the_same_steps_to_the_bit(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .time = 2.0, .is_unpaced = true });
    assert_non_null(loop);
    bi_loop_input(loop, 0, 0.5);
    assert_true(bi_loop_start(loop));
    const bi_loop_frame *f = wait_done(loop);
    assert_int_equal(f->step, 400);
    assert_int_equal(f->deadlines.steps, 400);
    bi_log_entry entry, first = { 0 }, last = { 0 };
    while (bi_loop_log(loop, &entry)) {
        first = entry.kind == BI_LOG_INPUT ? entry : first;
        last = entry.kind == BI_LOG_HASH ? entry : last;
    }
    assert_int_equal(first.step, 0);
    assert_true(first.value == 0.5);
    assert_int_equal(last.step, 400);
    assert_true(last.hash == hash_after(400, 0, 0.5));
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_loop_without_a_thread_does_the_same_steps_in_turns(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim,
                       &(bi_loop_options){ .time = 2.0, .is_unpaced = true, .is_threadless = true });
    assert_true(isnan(bi_loop_turn(loop, 0.01)));
    bi_loop_input(loop, 0, 0.5);
    assert_true(bi_loop_start(loop));
    assert_true(isnan(bi_loop_turn(loop, -1.0)));
    assert_true(isnan(bi_loop_turn(loop, NAN)));
    for (int k = 0; k < 100000 && !bi_loop_latest(loop, NULL)->is_done; k++) {
        (void)bi_loop_turn(loop, 1e-3);
    }
    assert_int_equal(bi_loop_latest(loop, NULL)->step, 400);
    assert_true(isnan(bi_loop_turn(loop, 0.01)));
    bi_log_entry entry, last = { 0 };
    while (bi_loop_log(loop, &entry)) {
        last = entry.kind == BI_LOG_HASH ? entry : last;
    }
    assert_int_equal(last.step, 400);
    assert_true(last.hash == hash_after(400, 0, 0.5));
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_loop_without_a_thread_waits_for_the_clock(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .is_threadless = true });
    assert_true(bi_loop_start(loop));
    double wait = bi_loop_turn(loop, 0.02);
    // a step of 5 ms is not due, or, on a busy machine, is due at once
    assert_true(wait >= 0.0 && wait <= 5e-3);
    bi_loop_stop(loop);
    assert_true(bi_loop_latest(loop, NULL)->is_done);
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_loop_with_clock_keeps_time(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .time = 0.5, .speed = 2.0 });
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_true(bi_loop_start(loop));
    wait_done(loop);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double took = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    // never ahead of the clock by more than the step that is being shown; how much later is the machine's business
    assert_true(took >= 0.25 - 2.0 * 5e-3);
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_seek_shows_the_past_to_the_bit_and_take_over_goes_on_from_there(void **state)
{
    (void)state;
    run_model run = run_open(&cart), other = run_open(&cart);
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim,
                       &(bi_loop_options){ .is_unpaced = true, .is_paused = true, .hash_every = 1 });
    assert_true(bi_loop_start(loop));
    bi_loop_input(loop, 0, -0.5);
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_STEP, 600 }));
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < 20000 && f->step < 600; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->step, 600);
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_SEEK, 1.235 }));
    wait_for(loop, BI_FRAME_REWOUND | BI_FRAME_PAUSED, 5000);
    for (int k = 0; k < 5000 && f->step != 247; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->step, 247);
    bi_sim_input(other.sim, bi_find_input(other.system, "push"), -0.5);
    for (int k = 0; k < 247; k++) {
        assert_int_equal(bi_sim_step(other.sim), BI_OK);
    }
    bi_view view = bi_sim_view(other.sim);
    assert_memory_equal(f->pose, view.pose, (size_t)f->n_body * sizeof *f->pose);
    assert_true(f->input[0] == -0.5);

    // from here with another push
    bi_loop_input(loop, 0, 1.0);
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_TAKE, 0 }));
    f = wait_for(loop, BI_FRAME_GHOST, 5000);
    bi_loop_stop(loop);
    f = bi_loop_latest(loop, NULL);
    assert_int_equal(f->timeline.branch, 1);
    bi_log_entry entry, branch = { 0 }, last = { 0 };
    while (bi_loop_log(loop, &entry)) {
        branch = entry.kind == BI_LOG_BRANCH ? entry : branch;
        last = entry.kind == BI_LOG_HASH ? entry : last;
    }
    assert_int_equal(branch.step, 247);
    bi_sim_input(other.sim, bi_find_input(other.system, "push"), 1.0);
    for (int64_t k = 247; k < last.step; k++) {
        assert_int_equal(bi_sim_step(other.sim), BI_OK);
    }
    assert_true(last.step > 247);
    assert_true(last.hash == bi_sim_hash(other.sim));
    bi_loop_destroy(loop);
    run_close(&run);
    run_close(&other);
}

static void test_little_memory_still_reaches_the_whole_past(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    // room for four keyframes only: they are thinned again and again
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim,
                                   &(bi_loop_options){ .is_unpaced = true, .is_paused = true, .memory = 1 });
    assert_true(bi_loop_start(loop));
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_STEP, 4000 }));
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < 20000 && f->step < 4000; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_true(f->timeline.begin == 0.0 && f->timeline.end == 20.0);
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_SEEK, 7.5 }));
    for (int k = 0; k < 20000 && f->step != 1500; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->step, 1500);
    bi_loop_stop(loop);
    assert_true(bi_sim_hash(run.sim) == hash_after(1500, -1, 0.0));
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_engine_allocates_nothing_and_the_caller_may_sleep(void **state)
{
    (void)state;
    is_first_thread = true;
    run_model run = run_open(&cart);
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .is_unpaced = true });
    assert_true(bi_loop_start(loop));
    nap(20e-3); // the C library makes something for a new thread
    is_counting = true;
    for (int k = 0; k < 50; k++) {
        // commands and inputs in between, nothing taken: the frames and the log are not read
        bi_loop_input(loop, 0, 0.01 * k);
        nap(1e-3);
    }
    // some machines, and some sanitizers, are slow
    for (int k = 0; k < 20000 && bi_loop_latest(loop, NULL)->step <= 100; k++) {
        nap(1e-3);
    }
    is_counting = false;
    assert_true(bi_loop_latest(loop, NULL)->step > 100);
    assert_int_equal(calls, 0);
    bi_loop_destroy(loop);
    run_close(&run);
}

static void dawdle(void *data, bi_sim *sim, bi_loop_arrow *out)
{
    (void)data;
    (void)sim;
    (void)out;
    nap(0.15);
}

static void test_machine_that_is_too_slow_runs_slower_and_says_so(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    // every frame costs more than can be caught up
    bi_loop *loop =
        bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .n_arrow = 1, .arrows = dawdle });
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_ARROWS, 1.0 }));
    assert_true(bi_loop_start(loop));
    nap(0.9);
    bi_loop_stop(loop);
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    const bi_deadlines *d = &f->deadlines;
    assert_true(d->slips >= 2);
    assert_true(d->misses >= d->slips);
    // what was simulated and what was given up make the clock, to a step and what is caught up at the end
    assert_true(d->simulated <= d->clock - d->slipped + 2.0 * 5e-3);
    assert_true(d->simulated + d->slipped >= d->clock - 0.3);
    assert_true(fabs(f->t - (double)f->step * 5e-3) < 1e-9);
    assert_true(f->reached < 0.7);
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_log_that_nobody_takes_ends_and_says_so(void **state)
{
    (void)state;
    run_model run = run_open(&cart);
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim,
                                   &(bi_loop_options){ .is_unpaced = true, .time = 400.0, .hash_every = 1 });
    assert_true(bi_loop_start(loop));
    const bi_loop_frame *f = wait_done(loop);
    assert_int_equal(f->step, 80000);
    assert_true(f->lost_log);
    bi_log_entry entry;
    int64_t last = 0;
    while (bi_loop_log(loop, &entry)) {
        // what is there has no gap
        if (entry.kind == BI_LOG_HASH) {
            assert_int_equal(entry.step, last + 1);
            last = entry.step;
        }
    }
    bi_loop_destroy(loop);
    run_close(&run);
}

static run_model open_rotor(void)
{
    run_model run = { .coordinates = BI_JOINT };
    bi_run file = { 0 };
    run.model = bi_read_model(BI_SOURCE_DIR "/tests/support/rotor.yaml", NULL, 0, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    run.dt = file.dt;
    run_compile(&run, file.scheme);
    return run;
}

// The frame that stands at this step.
static const bi_loop_frame *wait_step(bi_loop *loop, int64_t step)
{
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < 20000 && !(f->step == step && f->flags & BI_FRAME_PAUSED); k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->step, step);
    return f;
}

static int count_verdicts(bi_loop *loop)
{
    bi_loop_notice n;
    int count = 0;
    while (bi_loop_next_notice(loop, &n)) {
        count += strcmp(n.name, "verdict") == 0;
    }
    return count;
}

// 200 steps are fewer than those between two looks while it runs: what stands is judged as it stands
static void test_frame_that_stands_has_the_verdict_of_its_instant(void **state)
{
    (void)state;
    run_model run = open_rotor();
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim,
                                   &(bi_loop_options){ .is_unpaced = true, .is_paused = true });
    assert_int_equal(bi_loop_latest(loop, NULL)->outcome, BI_GOOD);
    assert_string_equal(bi_loop_latest(loop, NULL)->verdict, "good");
    bi_loop_input(loop, 0, 1.0);
    assert_true(bi_loop_start(loop));
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_STEP, 200 }));
    const bi_loop_frame *f = wait_step(loop, 200);
    assert_int_equal(f->outcome, BI_DOUBTFUL);
    assert_non_null(strstr(f->verdict, "doubtful: largest turn of a body in a step"));
    assert_int_equal(count_verdicts(loop), 1);

    // in the past it was good; what is shown again is not told again
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_SEEK, 0.5 }));
    assert_int_equal(wait_step(loop, 50)->outcome, BI_GOOD);
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_SEEK, 2.0 }));
    assert_int_equal(wait_step(loop, 200)->outcome, BI_DOUBTFUL);
    bi_loop_stop(loop);
    assert_int_equal(count_verdicts(loop), 0);
    bi_loop_destroy(loop);
    run_close(&run);
}

static void test_frames_of_a_running_loop_have_the_verdict(void **state)
{
    (void)state;
    run_model run = open_rotor();
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim, &(bi_loop_options){ .is_unpaced = true });
    bi_loop_input(loop, 0, 1.0);
    assert_true(bi_loop_start(loop));
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int k = 0; k < 20000 && f->step < 256; k++) {
        nap(1e-3);
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->flags & BI_FRAME_PAUSED, 0);
    assert_int_equal(f->outcome, BI_DOUBTFUL);
    bi_loop_destroy(loop);
    run_close(&run);
}

// The rod of another length moves by the recorded inputs; what was recorded is the ghost beside it, wherever one looks.
static void test_recorded_drive_is_the_ghost_of_the_same_inputs_on_another_system(void **state)
{
    (void)state;
    static const bi_log_entry past[] = { { .kind = BI_LOG_INPUT, .input = 0, .step = 20, .value = 0.5 },
                                         { .kind = BI_LOG_INPUT, .input = 0, .step = 90, .value = -0.25 } };
    static const bi_setting longer[] = { { "L", "2" } };
    run_case other = cart;
    other.settings = longer;
    other.n_settings = 1;
    run_model run = run_open(&other), recorded = run_open(&cart), alone = run_open(&cart);
    bi_loop *loop = bi_loop_create(run.model, run.system, run.sim,
                                   &(bi_loop_options){ .is_paused = true,
                                                       .is_threadless = true,
                                                       .past = past,
                                                       .n_past = 2,
                                                       .past_steps = 200,
                                                       .recorded = recorded.sim,
                                                       .recorded_system = recorded.system });
    assert_true(bi_loop_start(loop));
    int64_t step = 0;
    static const int64_t places[] = { 150, 200, 30 }; // also back
    for (int k = 0; k < 3; k++) {
        assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_SEEK, 5e-3 * (double)places[k] }));
        const bi_loop_frame *f = bi_loop_latest(loop, NULL);
        for (int turn = 0; turn < 100000 && (f->step != places[k] || !(f->flags & BI_FRAME_GHOST)); turn++) {
            if (bi_loop_turn(loop, 1e-3) > 0.0) {
                nap(1e-4); // the next picture is due later
            }
            f = bi_loop_latest(loop, NULL);
        }
        assert_int_equal(f->step, places[k]);
        if (places[k] < step) {
            run_close(&alone);
            alone = run_open(&cart);
            step = 0;
        }
        for (; step < places[k]; step++) {
            bi_sim_input(alone.sim, bi_find_input(alone.system, "push"),
                         step < 20   ? 0.0
                         : step < 90 ? 0.5
                                     : -0.25);
            assert_int_equal(bi_sim_step(alone.sim), BI_OK);
        }
        bi_view view = bi_sim_view(alone.sim);
        assert_int_equal(f->n_ghost, view.n_body);
        assert_memory_equal(f->ghost, view.pose, (size_t)view.n_body * sizeof *view.pose);
        assert_memory_not_equal(f->pose, view.pose, (size_t)view.n_body * sizeof *view.pose);
    }
    // who takes over drives alone: the ghost is the future that was left
    assert_true(bi_loop_send(loop, (bi_loop_command){ BI_LOOP_TAKE, 0.0 }));
    const bi_loop_frame *f = bi_loop_latest(loop, NULL);
    for (int turn = 0; turn < 100000 && (f->flags & BI_FRAME_REWOUND); turn++) {
        if (bi_loop_turn(loop, 1e-3) > 0.0) {
            nap(1e-4);
        }
        f = bi_loop_latest(loop, NULL);
    }
    assert_int_equal(f->flags & BI_FRAME_REWOUND, 0);
    bi_loop_destroy(loop);
    run_close(&alone);
    run_close(&recorded);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_without_clock_does_the_same_steps_to_the_bit),
        cmocka_unit_test(test_loop_without_a_thread_does_the_same_steps_in_turns),
        cmocka_unit_test(test_loop_without_a_thread_waits_for_the_clock),
        cmocka_unit_test(test_loop_with_clock_keeps_time),
        cmocka_unit_test(test_seek_shows_the_past_to_the_bit_and_take_over_goes_on_from_there),
        cmocka_unit_test(test_little_memory_still_reaches_the_whole_past),
        cmocka_unit_test(test_engine_allocates_nothing_and_the_caller_may_sleep),
        cmocka_unit_test(test_machine_that_is_too_slow_runs_slower_and_says_so),
        cmocka_unit_test(test_log_that_nobody_takes_ends_and_says_so),
        cmocka_unit_test(test_frame_that_stands_has_the_verdict_of_its_instant),
        cmocka_unit_test(test_frames_of_a_running_loop_have_the_verdict),
        cmocka_unit_test(test_recorded_drive_is_the_ghost_of_the_same_inputs_on_another_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
