// SPDX-License-Identifier: MIT
// Who reads a model is told how far the meshes of its flexible bodies are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char stage[8][32];
    int n_stage;
    double last;
    bool has_model; // the model file itself was told
} diary;

static void note_file(void *context, const char *path)
{
    diary *d = context;
    d->has_model = d->has_model || strcmp(path, BI_SOURCE_DIR "/models/prototype-car/model.yaml") == 0;
}

static void note(void *context, const char *body, const char *stage, double done)
{
    diary *d = context;
    assert_string_equal(body, "chassis1");
    assert_true(done >= 0.0 && done <= 1.0);
    if (d->n_stage == 0 || strcmp(d->stage[d->n_stage - 1], stage) != 0) {
        assert_true(d->n_stage < 8);
        strncpy(d->stage[d->n_stage++], stage, sizeof d->stage[0] - 1);
    } else {
        assert_true(done >= d->last);
    }
    d->last = done;
}

static void test_stages_of_a_mesh_are_told_in_order(void **state)
{
    (void)state;
    static const char *const stages[] = { "assembly", "factor", "static modes", "normal modes",
                                          "orthogonal modes" };
    diary d = { 0 };
    bi_report report = { 0 };
    bi_read_watch watch = { .tell = note, .context = &d, .reads = note_file };
    setenv("BIELA_CACHE", "/proc/none", 1); // what is kept there is not reduced again
    bi_model *model = bi_read_model_watched(BI_SOURCE_DIR "/models/prototype-car/model.yaml", NULL, 0, NULL,
                                            &watch, NULL, &report);
    assert_non_null(model);
    assert_int_equal(report.errors, 0);
    assert_int_equal(d.n_stage, 5);
    assert_true(d.has_model);
    for (int k = 0; k < 5; k++) {
        assert_string_equal(d.stage[k], stages[k]);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stages_of_a_mesh_are_told_in_order) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
