// SPDX-License-Identifier: MIT
// Sims that are stepped at other addresses, by the code that a GPU runs, have the bits that they have alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the four above
#include <cmocka.h>

#include <biela/batch.h>
#include <biela/image.h>
#include <biela/io.h>
#include <biela/loop.h>

enum { SIMS = 5 };

typedef struct {
    const char *path, *run;
    bi_coordinates coordinates;
} source;

static bi_system *make(void *context, bi_report *report)
{
    const source *from = context;
    bi_run run;
    bi_model *m = bi_read_model(from->path, NULL, 0, from->run, &run, report);
    assert_non_null(m);
    bi_options o = { .coordinates = from->coordinates, .scheme = run.scheme, .dt = run.dt };
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

static double pushed(const bi_system *s, const double *initial, int i, int k)
{
    (void)s;
    return initial[i] + 0.05 * k * (i + 1);
}

// Sim k alone: inputs, steps, and to a time between two of them.
static uint64_t alone(const bi_system *s, int k, double *read)
{
    bi_sim *sim = bi_sim_create(s);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    double *input = bi_sim_input_values(sim);
    for (int i = 0; i < bi_input_count(s); i++) {
        input[i] = pushed(s, input, i, k);
    }
    bi_status status = bi_sim_steps(sim, 30);
    if (status == BI_OK) {
        bi_sim_run_to(sim, bi_sim_time(sim) + 3.4e-3);
    }
    *read = bi_channel_count(s) > 0 ? bi_sim_read(sim, bi_channel_at(s, 0)) : 0.0;
    uint64_t hash = bi_sim_hash(sim);
    bi_sim_destroy(sim);
    return hash;
}

static void check(source from, const char *device)
{
    bi_system *s = system_of(from);
    bi_report report = { 0 };
    bi_batch *b = bi_batch_create(s, SIMS, &(bi_batch_options){ .device = device }, &report);
    assert_non_null(b);
    assert_int_equal(bi_batch_start(b), BI_OK);
    for (int k = 0; k < SIMS; k++) {
        double *input = bi_sim_input_values(bi_batch_sim(b, k));
        for (int i = 0; i < bi_input_count(s); i++) {
            input[i] = pushed(s, input, i, k);
        }
    }
    // in pieces, looked at in between
    uint64_t hash[SIMS];
    bi_channel first = bi_channel_at(s, 0);
    double read[SIMS];
    assert_int_equal(bi_batch_step(b, 10), BI_OK);
    assert_int_equal(bi_batch_read(b, &first, 1, read), BI_OK);
    assert_int_equal(bi_batch_step(b, 20), BI_OK);
    assert_int_equal(bi_batch_failed(b), 0);
    assert_int_equal(bi_batch_run_to(b, bi_sim_time(bi_batch_sim(b, 0)) + 3.4e-3), BI_OK);
    assert_int_equal(bi_batch_hashes(b, hash), BI_OK);
    assert_int_equal(bi_batch_read(b, &first, 1, read), BI_OK);
    for (int k = 0; k < SIMS; k++) {
        double own = 0.0;
        assert_true(hash[k] == alone(s, k, &own));
        assert_true(read[k] == own);
    }
    bi_batch_destroy(b);
    bi_system_destroy(s);
    bi_report_clear(&report);
}

#define MODEL(name) BI_SOURCE_DIR "/models/" name "/model.yaml"

static void test_explicit_steps_have_equal_bits(void **state)
{
    (void)state;
    check((source){ MODEL("chain"), NULL, BI_JOINT }, "mirror");
    check((source){ MODEL("car"), NULL, BI_JOINT }, "mirror");
    check((source){ MODEL("bicycle"), NULL, BI_JOINT }, "mirror");
}

static void test_implicit_steps_and_graphs_have_equal_bits(void **state)
{
    (void)state;
    check((source){ MODEL("clio"), NULL, BI_JOINT }, "mirror");
    check((source){ MODEL("four-bars"), NULL, BI_NATURAL }, "mirror");
    check((source){ MODEL("waveboard"), NULL, BI_JOINT }, "mirror");
    check((source){ MODEL("flex-four-bar"), NULL, BI_JOINT }, "mirror");
}

static void expect_refusal(const bi_system *s, const char *device, const char *words)
{
    bi_report report = { 0 };
    assert_null(bi_batch_create(s, SIMS, &(bi_batch_options){ .device = device }, &report));
    assert_true(report.errors > 0);
    bool is_said = false;
    for (int k = 0; k < report.count; k++) {
        is_said |= strstr(report.issue[k].what, words) != NULL;
    }
    assert_true(is_said);
    bi_report_clear(&report);
}

static void test_what_cannot_go_there_is_refused(void **state)
{
    (void)state;
    bi_report report = { 0 };
    source chain = { MODEL("chain"), NULL, BI_JOINT };
    bi_system *plain = make(&chain, &report);
    expect_refusal(plain, "mirror", "images only");
    bi_system_destroy(plain);
    bi_system *boxes = system_of((source){ MODEL("box-stack"), NULL, BI_JOINT });
    expect_refusal(boxes, "mirror", "threads");
    bi_system_destroy(boxes);
    bi_system *s = system_of(chain);
    expect_refusal(s, "nothing", "no device");
    bi_system_destroy(s);
    bi_report_clear(&report);
}

// Where there is none, it is said; where there is one, it does the same.
static void test_without_a_gpu_it_is_said(void **state)
{
    (void)state;
    source chain = { MODEL("chain"), NULL, BI_JOINT };
    bi_system *s = system_of(chain);
    bi_report report = { 0 };
    bi_batch *b = bi_batch_create(s, 1, &(bi_batch_options){ .device = "gpu" }, &report);
    if (b) {
        bi_batch_destroy(b);
        check(chain, "gpu");
    } else {
        assert_true(report.errors > 0);
        assert_non_null(strstr(report.issue[report.count - 1].what, "--device threads"));
    }
    bi_system_destroy(s);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explicit_steps_have_equal_bits),
        cmocka_unit_test(test_implicit_steps_and_graphs_have_equal_bits),
        cmocka_unit_test(test_what_cannot_go_there_is_refused),
        cmocka_unit_test(test_without_a_gpu_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
