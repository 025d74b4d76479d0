// SPDX-License-Identifier: MIT
// Contacts shared by threads: the same bits with one, two and three, in both formulations and schemes, from a snapshot on.
#include "support/run_model.h"
#include <stdlib.h>
#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

typedef struct {
    const char *file; // under the sources
    bi_setting set[2];
    bi_scheme scheme;
    bi_coordinates coordinates;
    double dt;
    int steps;
} scene;

static const scene scenes[] = {
    // one pile; of round things; islands of one or two; a truck with joints among crates; a mesh, whose room all pairs share
    { "models/pile/model.yaml", { { "N", "16" } }, BI_PILES, BI_JOINT, 1e-3, 200 },
    { "models/pile/model.yaml", { { "N", "12" } }, BI_ALI3P, BI_NATURAL, 1e-3, 80 },
    { "models/pile/model.yaml", { { "N", "12" }, { "shape", "3" } }, BI_PILES, BI_NATURAL, 1e-3, 40 },
    { "models/domino/model.yaml", { { "N", "24" } }, BI_PILES, BI_JOINT, 5e-4, 100 },
    { "models/wall-of-crates/model.yaml", { { "W", "3" }, { "H", "2" } }, BI_PILES, BI_JOINT, 2e-3, 60 },
    { "models/wall-of-crates/model.yaml", { { "W", "2" }, { "H", "2" } }, BI_ALI3P, BI_JOINT, 2e-3, 30 },
    { "models/wall-of-crates/model.yaml", { { "W", "2" }, { "H", "2" } }, BI_PILES, BI_NATURAL, 2e-3, 20 },
    { "models/gears/model.yaml", { { 0 } }, BI_PILES, BI_JOINT, 5e-4, 10 },
    { "tests/support/stirred.yaml", { { "paddle", "1" } }, BI_PILES, BI_JOINT, 5e-3, 40 },
};
enum { N_SCENE = sizeof scenes / sizeof *scenes };

typedef struct {
    bi_system *system;
    bi_sim *sim;
} shared_run;

static bi_model *read_scene(const scene *s)
{
    char path[512];
    bi_report report = { 0 };
    bi_run run;
    snprintf(path, sizeof path, "%s/%s", BI_SOURCE_DIR, s->file);
    int n = s->set[0].name == NULL ? 0 : s->set[1].name == NULL ? 1 : 2;
    bi_model *model = bi_read_model(path, s->set, n, NULL, &run, &report);
    run_require(model && report.errors == 0, &report, s->file);
    bi_report_clear(&report);
    return model;
}

static shared_run start(const scene *s, const bi_model *model, int threads)
{
    shared_run run;
    bi_report report = { 0 };
    bi_options options = {
        .scheme = s->scheme, .coordinates = s->coordinates, .dt = s->dt, .threads = threads
    };
    run.system = bi_compile(model, &options, &report);
    run_require(run.system != NULL, &report, s->file);
    run.sim = bi_sim_create(run.system);
    assert_non_null(run.sim);
    run_require(bi_sim_start(run.sim, &report) == BI_OK, &report, s->file);
    bi_report_clear(&report);
    return run;
}

static void stop(shared_run *run)
{
    bi_sim_destroy(run->sim);
    bi_system_destroy(run->system);
}

static uint64_t go(const scene *s, shared_run *run, int steps)
{
    for (int k = 0; k < steps; k++) {
        if (bi_sim_step(run->sim) != BI_OK) {
            fail_msg("%s: %s", s->file, bi_sim_failure(run->sim));
        }
    }
    return bi_sim_hash(run->sim);
}

static void test_threads_leave_every_bit_as_it_is(void **state)
{
    (void)state;
    for (int k = 0; k < N_SCENE; k++) {
        const scene *s = &scenes[k];
        bi_model *model = read_scene(s);
        shared_run alone = start(s, model, 1);
        uint64_t half = go(s, &alone, s->steps / 2), end = go(s, &alone, s->steps - s->steps / 2);
        for (int threads = 2; threads <= 3; threads++) {
            shared_run run = start(s, model, threads);
            assert_true(bi_system_hash(run.system) == bi_system_hash(alone.system));
            assert_true(go(s, &run, s->steps / 2) == half);
            assert_true(go(s, &run, s->steps - s->steps / 2) == end);
            stop(&run);
        }
        stop(&alone);
        bi_model_destroy(model);
    }
}

// Of a run with one thread, into one with three that has gone elsewhere, and the other way round.
static void test_snapshot_goes_on_with_other_threads(void **state)
{
    (void)state;
    const scene *s = &scenes[0];
    bi_model *model = read_scene(s);
    shared_run one = start(s, model, 1), three = start(s, model, 3);
    go(s, &one, 40);
    size_t size = bi_sim_save(one.sim, NULL, 0);
    void *snapshot = malloc(size);
    assert_non_null(snapshot);
    bi_sim_save(one.sim, snapshot, size);
    go(s, &three, 7);
    assert_int_equal(bi_sim_load(three.sim, snapshot, size), BI_OK);
    uint64_t end = go(s, &three, 60);
    assert_true(go(s, &one, 60) == end);
    assert_int_equal(bi_sim_load(one.sim, snapshot, size), BI_OK);
    assert_true(go(s, &one, 60) == end);
    free(snapshot);
    stop(&three);
    stop(&one);
    bi_model_destroy(model);
}

#if defined(__unix__)
// A forked process has none of the threads: it goes on alone, and ends the sim without waiting for them.
static void test_forked_process_goes_on_alone(void **state)
{
    (void)state;
    const scene *s = &scenes[0];
    bi_model *model = read_scene(s);
    shared_run run = start(s, model, 3);
    go(s, &run, 30);
    int end[2];
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uint64_t hash = go(s, &run, 30);
        stop(&run);
        bool is_told = write(end[1], &hash, sizeof hash) == (ssize_t)sizeof hash;
        _exit(is_told ? 0 : 1);
    }
    uint64_t hash = go(s, &run, 30), of_child = 0;
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(end[0], &of_child, sizeof of_child), sizeof of_child);
    assert_true(of_child == hash);
    close(end[0]);
    close(end[1]);
    stop(&run);
    bi_model_destroy(model);
}
#endif

static void test_threads_that_cannot_be_are_refused(void **state)
{
    (void)state;
    bi_model *model = read_scene(&scenes[0]);
    const int wrong[] = { -1, 65, 1 << 30 };
    for (int k = 0; k < 3; k++) {
        bi_report report = { 0 };
        bi_options options = { .threads = wrong[k] };
        assert_null(bi_compile(model, &options, &report));
        assert_int_equal(report.errors, 1);
        assert_string_equal(report.issue[0].where, "threads");
        bi_report_clear(&report);
    }
    bi_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_leave_every_bit_as_it_is),
        cmocka_unit_test(test_snapshot_goes_on_with_other_threads),
#if defined(__unix__)
        cmocka_unit_test(test_forked_process_goes_on_alone),
#endif
        cmocka_unit_test(test_threads_that_cannot_be_are_refused)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
