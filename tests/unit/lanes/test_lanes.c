// SPDX-License-Identifier: MIT
// Sims that are stepped side by side in lanes have the bits, the failures and the words that each has alone: with inputs,
// velocities and parameters spread by 30 %, in groups that are not full, after failures and restarts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the four above
#include <cmocka.h>

#include "lanes/lanes.h"
#include <biela/batch.h>
#include <biela/image.h>
#include <biela/io.h>
#include <biela/loop.h>
#include <biela/state.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 16 };
static const double SHARE = 0.3; // up to so much beside what the model says

typedef struct {
    const char *path;
    bi_coordinates coordinates;
    bi_scheme scheme;
    double dt;
    const char *set[4]; // parameters that are spread
    double value[4];    // of them
    int n_set, number;  // so many; which case it is
} source;

static bi_system *make(void *context, bi_report *report)
{
    const source *from = context;
    char text[4][64];
    bi_setting set[4];
    for (int i = 0; i < from->n_set; i++) {
        double share = bi_random(2, from->set[i], (uint64_t)from->number) - 0.5;
        snprintf(text[i], sizeof text[i], "%.17g", from->value[i] * (1.0 + 2.0 * SHARE * share));
        set[i] = (bi_setting){ from->set[i], text[i] };
    }
    bi_run run;
    bi_model *m = bi_read_model(from->path, set, from->n_set, NULL, &run, report);
    assert_non_null(m);
    bi_options o = { .coordinates = from->coordinates, .scheme = from->scheme, .dt = from->dt };
    bi_system *s = bi_compile(m, &o, report);
    bi_model_destroy(m);
    return s;
}

static bi_system *system_of(source from)
{
    bi_report report = { 0 };
    size_t size = 0;
    void *image = bi_image_make(make, &from, NULL, 0, &size, &report);
    assert_non_null(image);
    bi_system *s = bi_image_load(image, size, &report);
    assert_non_null(s);
    free(image);
    bi_report_clear(&report);
    return s;
}

// ---- the same twice: on threads, and side by side ---------------------------------------------------------------

typedef struct {
    bi_system *system[MOST];
    int count, n_system; // sims; systems, one for all or one for each
    bi_batch *right, *wide;
} twins;

// False: there is no code for lanes, and this is said.
static bool open_twins(twins *t)
{
    bi_report report = { 0 };
    const bi_system *all[MOST];
    for (int k = 0; k < t->count; k++) {
        all[k] = t->system[t->n_system > 1 ? k : 0];
    }
    t->right = bi_batch_create_of(all, t->count, &(bi_batch_options){ .workers = 1 }, &report);
    t->wide =
        bi_batch_create_of(all, t->count, &(bi_batch_options){ .device = "lanes", .workers = 1 }, &report);
    assert_non_null(t->right);
    bool is_there = t->wide != NULL;
    if (!is_there) {
        assert_true(report.errors > 0);
        assert_non_null(strstr(report.issue[report.count - 1].what, "threads"));
        print_message("%s\n", report.issue[report.count - 1].what);
    } else {
        assert_int_equal(bi_batch_start(t->right), BI_OK);
        assert_int_equal(bi_batch_start(t->wide), BI_OK);
    }
    bi_report_clear(&report);
    return is_there;
}

static void close_twins(twins *t)
{
    bi_batch_destroy(t->right);
    bi_batch_destroy(t->wide);
    for (int k = 0; k < t->n_system; k++) {
        bi_system_destroy(t->system[k]);
    }
}

static void same(twins *t)
{
    uint64_t right[MOST], wide[MOST];
    double a[MOST], b[MOST];
    bi_channel first = bi_channel_at(t->system[0], 0);
    assert_int_equal(bi_batch_hashes(t->right, right), BI_OK);
    assert_int_equal(bi_batch_hashes(t->wide, wide), BI_OK);
    bi_batch_read(t->right, &first, 1, a);
    bi_batch_read(t->wide, &first, 1, b);
    for (int k = 0; k < t->count; k++) {
        assert_true(right[k] == wide[k]);
        assert_int_equal(bi_batch_status(t->right, k), bi_batch_status(t->wide, k));
        assert_string_equal(bi_batch_failure(t->right, k), bi_batch_failure(t->wide, k));
        assert_memory_equal(&a[k], &b[k], sizeof *a);
        // what is only counted, too: a snapshot holds all of it
        bi_sim *x = bi_batch_sim(t->right, k), *y = bi_batch_sim(t->wide, k);
        size_t size = bi_sim_save(x, NULL, 0);
        char *p = calloc(1, size), *q = calloc(1, size);
        bi_sim_save(x, p, size);
        bi_sim_save(y, q, size);
        assert_memory_equal(p, q, size);
        free(p);
        free(q);
    }
}

static void spread_sim(const bi_system *s, bi_sim *sim, uint64_t k)
{
    double *input = bi_sim_input_values(sim);
    for (int i = 0; i < bi_input_count(s); i++) {
        double size = input[i] != 0.0 ? input[i] : 0.1;
        input[i] += 2.0 * SHARE * size * (bi_random(1, bi_input_name(s, i), k) - 0.5);
    }
    double v[256], more = 2.0 * SHARE * (bi_random(1, "velocity", k) - 0.5);
    int n = bi_variable_count(s);
    assert_true(n <= 256);
    for (int i = 0; i < n; i++) {
        v[i] = bi_sim_view(sim).v[i] * (1.0 + more) + (bi_row_count(s) == 0 ? 0.1 * more : 0.0);
    }
    bi_sim_set_state(sim, NULL, v, NULL);
}

static void spread_twins(twins *t)
{
    for (int k = 0; k < t->count; k++) {
        spread_sim(t->system[0], bi_batch_sim(t->right, k), (uint64_t)k);
        spread_sim(t->system[0], bi_batch_sim(t->wide, k), (uint64_t)k);
    }
}

static void go(twins *t, int steps)
{
    assert_int_equal(bi_batch_step(t->right, steps), BI_OK);
    assert_int_equal(bi_batch_step(t->wide, steps), BI_OK);
}

static void check_spread(source from, int count)
{
    twins t = { .system = { system_of(from) }, .count = count, .n_system = 1 };
    if (open_twins(&t)) {
        spread_twins(&t);
        go(&t, 1);
        same(&t);
        go(&t, 40);
        same(&t);
        // to an instant between two steps, and on from there
        double end = bi_sim_time(bi_batch_sim(t.right, 0)) + 7.4 * from.dt;
        bi_batch_run_to(t.right, end);
        bi_batch_run_to(t.wide, end);
        same(&t);
        go(&t, 10);
        same(&t);
    }
    close_twins(&t);
}

#define MODEL(name) BI_SOURCE_DIR "/models/" name "/model.yaml"

static const source chain = { MODEL("chain"), BI_JOINT, BI_RK4, 1e-3, { NULL }, { 0.0 }, 0, 0 };
static const source car = { MODEL("car"), BI_JOINT, BI_HEUN, 1e-3, { NULL }, { 0.0 }, 0, 0 };

static void test_inputs_and_velocities_may_differ(void **state)
{
    (void)state;
    check_spread(chain, 11);
    check_spread(car, 13);
    check_spread((source){ MODEL("bicycle"), BI_JOINT, BI_HEUN, 1e-3, { NULL }, { 0.0 }, 0, 0 }, 9);
    check_spread((source){ MODEL("waveboard"), BI_JOINT, BI_ALI3P, 5e-3, { NULL }, { 0.0 }, 0, 0 }, 8);
    check_spread((source){ MODEL("clio"), BI_JOINT, BI_ALI3P, 1e-3, { NULL }, { 0.0 }, 0, 0 }, 8);
}

static void test_groups_may_be_small(void **state)
{
    (void)state;
    check_spread(chain, 1);
    check_spread(car, 3);
}

static void check_parameters(source from)
{
    twins t = { .count = 9, .n_system = 9 };
    for (int k = 0; k < t.count; k++) {
        from.number = k;
        t.system[k] = system_of(from);
    }
    if (open_twins(&t)) {
        spread_twins(&t);
        go(&t, 60);
        same(&t);
    }
    close_twins(&t);
}

static void test_parameters_may_differ(void **state)
{
    (void)state;
    check_parameters((source){ MODEL("car"),
                               BI_JOINT,
                               BI_HEUN,
                               1e-3,
                               { "m", "ks", "cs", "kt" },
                               { 1200.0, 20000.0, 1500.0, 2e5 },
                               4,
                               0 });
    check_parameters((source){ MODEL("chain"), BI_JOINT, BI_RK4, 1e-3, { "m", "L" }, { 1.0, 1.0 }, 2, 0 });
}

// One whose rates are none fails at once, another whose rates are huge somewhat later; the others in their lanes go on.
static void test_failures_stop_nobody_else(void **state)
{
    (void)state;
    twins t = { .system = { system_of(car) }, .count = 10, .n_system = 1 };
    if (!open_twins(&t)) {
        close_twins(&t);
        return;
    }
    spread_twins(&t);
    bi_batch *both[] = { t.right, t.wide };
    for (int i = 0; i < 2; i++) {
        double *none = bi_sim_input_values(bi_batch_sim(both[i], 2));
        none[0] = (double)NAN;
        double v[256];
        for (int j = 0; j < bi_variable_count(t.system[0]); j++) {
            v[j] = 1e6 * (j + 1);
        }
        bi_sim_set_state(bi_batch_sim(both[i], 5), NULL, v, NULL);
    }
    go(&t, 30);
    same(&t);
    assert_true(bi_batch_failed(t.wide) >= 1);
    assert_int_not_equal(bi_batch_status(t.wide, 2), BI_OK);
    // those that are begun again go along with the others
    for (int k = 0; k < t.count; k++) {
        if (bi_batch_status(t.right, k) != BI_OK) {
            for (int i = 0; i < 2; i++) {
                bi_sim_input_values(bi_batch_sim(both[i], k))[0] = 0.1;
                bi_batch_restart(both[i], k);
            }
        }
    }
    go(&t, 30);
    same(&t);
    assert_int_equal(bi_batch_failed(t.wide), 0);
    close_twins(&t);
}

// It is no use if all of them are done alone: cars whose numbers are all spread part in few turns.
static void test_cars_go_side_by_side(void **state)
{
    (void)state;
    enum { STEPS = 100 };
    bi_report report = { 0 };
    lanes_code code;
    bi_system *s = system_of(car);
    gpu_layout layout = { 0 };
    if (lanes_code_open(&code, &report)) {
        assert_true(gpu_layout_of(s, &layout, &report));
        lanes_worker *w = lanes_worker_open(&code, &layout);
        assert_non_null(w);
        bi_sim *sim[LANES_MOST];
        bi_status status[LANES_MOST] = { BI_OK };
        for (int k = 0; k < code.lanes; k++) {
            sim[k] = bi_sim_create(s);
            assert_int_equal(bi_sim_start(sim[k], NULL), BI_OK);
            spread_sim(s, sim[k], (uint64_t)k);
        }
        lanes_go(w, sim, code.lanes, &(gpu_work){ .steps = STEPS }, status);
        assert_int_equal(lanes_counted(w).together, STEPS * code.lanes);
        assert_int_equal(lanes_counted(w).alone, 0);
        for (int k = 0; k < code.lanes; k++) {
            assert_int_equal(status[k], BI_OK);
            bi_sim_destroy(sim[k]);
        }
        lanes_worker_close(w);
        lanes_code_close(&code);
    }
    gpu_layout_clear(&layout);
    bi_system_destroy(s);
    bi_report_clear(&report);
}

// What lanes have no code for is done all the same, by itself.
static void test_what_lanes_do_not_know_is_done_alone(void **state)
{
    (void)state;
    check_spread((source){ MODEL("box-stack"), BI_JOINT, BI_ALI3P, 2e-3, { NULL }, { 0.0 }, 0, 0 }, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_and_velocities_may_differ),
        cmocka_unit_test(test_groups_may_be_small),
        cmocka_unit_test(test_parameters_may_differ),
        cmocka_unit_test(test_failures_stop_nobody_else),
        cmocka_unit_test(test_cars_go_side_by_side),
        cmocka_unit_test(test_what_lanes_do_not_know_is_done_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
