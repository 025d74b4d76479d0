// SPDX-License-Identifier: MIT
// A model written in the test, run in either formulation.
#ifndef BIELA_TESTS_SUPPORT_TEXT_MODEL_H
#define BIELA_TESTS_SUPPORT_TEXT_MODEL_H

#include "support/run_model.h"

typedef struct {
    const char *text; // sections of a model file, without its head
    bi_coordinates coordinates;
    bi_scheme scheme;
    double dt; // s
} text_case;

static inline bi_model *text_read(const char *sections, bi_report *report)
{
    char text[8192];
    int length = snprintf(text, sizeof text, "biela: 1\nname: test\n%s", sections);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return bi_read_model_text(text, (size_t)length, BI_SOURCE_DIR "/tests/support/test.yaml", NULL, 0, NULL,
                              NULL, report);
}

// sleep: s, at rest before a body falls asleep; 0: never
static inline run_model text_run_sleeping(const text_case *c, double sleep)
{
    run_model run = { .dt = c->dt, .time = 1.0 };
    run.model = text_read(c->text, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .coordinates = c->coordinates, .scheme = c->scheme, .dt = c->dt, .sleep = sleep };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    assert_non_null(run.sim);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static inline run_model text_run(const text_case *c) { return text_run_sleeping(c, 0.0); }

// What the mistakes of the sections are must contain the words.
static inline void text_expect_mistake(const char *sections, const char *words)
{
    bi_report report = { 0 };
    bi_model *model = text_read(sections, &report);
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, words) != NULL;
    }
    if (!is_told) {
        bi_report_print(&report, stderr);
        fail_msg("nothing was told about '%s'", words);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

#endif
