// SPDX-License-Identifier: MIT
// The waveboard with actions and imposed motions that cannot be: each is refused and says why.
#include "support/run_model.h"
#include <stdlib.h>

static char *model_text(void)
{
    FILE *file = fopen(BI_SOURCE_DIR "/models/waveboard/model.yaml", "rb");
    char *text = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

// The model with one line cut out, its lines replaced by `instead`.
static run_model open_changed(const char *line, const char *instead)
{
    char *text = model_text(), *changed = calloc(1, 1 << 17);
    char *at = strstr(text, line);
    assert_non_null(at);
    char *end = strchr(at, '\n');
    snprintf(changed, 1 << 17, "%.*s%s%s", (int)(at - text), text, instead, end);
    run_model run = { .dt = 1e-3, .coordinates = BI_JOINT };
    bi_run file;
    run.model = bi_read_model_text(changed, strlen(changed), "model.yaml", NULL, 0, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the changed model has mistakes");
    free(text);
    free(changed);
    return run;
}

static bool report_says(const bi_report *report, const char *words)
{
    for (int k = 0; k < report->count; k++) {
        if (strstr(report->issue[k].what, words)) {
            return true;
        }
    }
    bi_report_print(report, stderr);
    return false;
}

static void test_actions_that_cannot_produce_the_motion_are_refused(void **state)
{
    (void)state;
    // the action and its output are left out
    char *text = model_text();
    char *changed = calloc(1, 1 << 17);
    char *at = strstr(text, "  F5y: {type: force"), *out = strstr(text, "  F5y: {effort: F5y}");
    assert_true(at && out);
    snprintf(changed, 1 << 17, "%.*s%.*s%s", (int)(at - text), text, (int)(out - strchr(at, '\n')),
             strchr(at, '\n'), strchr(out, '\n') + 1);
    run_model run = { .dt = 1e-3, .coordinates = BI_JOINT };
    bi_run file;
    run.model = bi_read_model_text(changed, strlen(changed), "model.yaml", NULL, 0, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the changed model has mistakes");
    run_compile(&run, BI_INDEX1_RK4);
    assert_int_equal(bi_imposed_check(run.sim, &run.report), BI_OK);
    assert_int_equal(bi_inverse(run.sim, NULL, &run.report), BI_BAD_MODEL);
    assert_true(report_says(&run.report, "the 4 actions cannot produce the motion of 5 degrees of freedom"));
    free(text);
    free(changed);
    run_close(&run);
}

static void test_actions_that_are_not_unique_are_named(void **state)
{
    (void)state;
    run_model run =
        open_changed("  M5x: {type: moment", "  M5x: {type: moment, body: board5, axis: [1, 0, 0]}\n"
                                             "  bar: {type: effort, joint: th52}");
    run_compile(&run, BI_INDEX1_RK4);
    double tau[6];
    assert_int_equal(bi_imposed_check(run.sim, &run.report), BI_OK);
    assert_int_equal(bi_inverse(run.sim, tau, &run.report), BI_OK);
    // a torque between the boards is a pair of moments on them
    assert_true(report_says(&run.report, "the actions are not unique: M2x, M5x, bar can be traded"));
    run_expect("waveboard traded moments", fabs(tau[2] - tau[5] - 35.1505870824), 1e-6);
    run_close(&run);
}

static void test_imposed_motion_that_violates_the_constraints_is_refused(void **state)
{
    (void)state;
    run_model run = open_changed("  th43: {coordinate:", "  th43: {coordinate: th43.angle, value: v/R*t}\n"
                                                         "  th32: {coordinate: th32.angle, value: 3*t}");
    bi_options options = { .coordinates = BI_JOINT, .scheme = BI_INDEX1_RK4 };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    // six imposed rates and six rows for eleven coordinates
    assert_int_not_equal(bi_sim_start(run.sim, &run.report), BI_OK);
    assert_true(report_says(&run.report, "imposed"));
    run_close(&run);
}

static void test_imposed_motion_that_is_not_enough_names_what_is_free(void **state)
{
    (void)state;
    run_model run = open_changed("  th43: {coordinate:", "");
    run_compile(&run, BI_INDEX1_RK4);
    assert_int_equal(bi_imposed_check(run.sim, &run.report), BI_BAD_MODEL);
    assert_true(report_says(&run.report, "leaves 1 direction free"));
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actions_that_cannot_produce_the_motion_are_refused),
        cmocka_unit_test(test_actions_that_are_not_unique_are_named),
        cmocka_unit_test(test_imposed_motion_that_violates_the_constraints_is_refused),
        cmocka_unit_test(test_imposed_motion_that_is_not_enough_names_what_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
