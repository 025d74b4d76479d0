// SPDX-License-Identifier: MIT
// A pendulum, a bar of two beams and a folder for tests that misuse files, meshes and flexible bodies.
#pragma once
#include "support/misuse.h"
#include <biela/biela.h>
#include <biela/flex.h>
#include <stdlib.h>
#include <string.h>

static const char *const absent = "/no/such/folder/file.csv";
static const char *const text = "not: [what, is, asked for";
static bi_model *m; // a pendulum
static bi_system *sys;
static bi_sim *run;
static bi_flex *bar; // two beams
static char folder[] = "/tmp/biela-misuse-XXXXXX";

static bi_flex_def bar_def(void)
{
    static bi_fe_node node[] = { { .at = { 0, 0, 0 } }, { .at = { 0.5, 0, 0 } }, { .at = { 1, 0, 0 } } };
    static bi_fe_element element[] = { { .kind = BI_FE_BEAM, .node = { 0, 1 } },
                                       { .kind = BI_FE_BEAM, .node = { 1, 2 } } };
    static bi_section section[1];
    static bi_material steel[] = { { .young = 2e11, .poisson = 0.3, .density = 7800 } };
    static const int32_t frame[] = { 0 };
    section[0] = bi_section_rectangle(0.01, 0.01);
    return (bi_flex_def){ .name = "bar",
                          .mesh = { 3, 2, 1, 1, node, element, section, steel, false },
                          .n_frame = 1,
                          .frame = frame,
                          .n_normal = 2 };
}

static void make_all(void)
{
    assert_non_null(mkdtemp(folder));
    m = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_add_joint(m, &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod });
    sys = bi_compile(m, NULL, NULL);
    run = bi_sim_create(sys);
    assert_true(sys && run && bi_sim_start(run, NULL) == BI_OK);
    bi_flex_def def = bar_def();
    bi_report report = { 0 };
    bar = bi_flex_build(&def, NULL, NULL, &report);
    if (!bar) {
        fail_msg("%s", report.count > 0 ? report.issue[0].what : "no bar");
    }
    bi_report_clear(&report);
}

static inline const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void clear_all(void)
{
    bi_flex_destroy(bar);
    bi_sim_destroy(run);
    bi_system_destroy(sys);
    bi_model_destroy(m);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

// ---- the one test of such a file -----------------------------------------------------------------------------------

static void (*misused)(misuse *);

static void test_what_is_misused_answers_and_leaves_nothing(void **state)
{
    (void)state;
    make_all();
    misuse_all(misused);
    clear_all();
}

static int misuse_main(void (*everything)(misuse *))
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_misused_answers_and_leaves_nothing),
    };
    misused = everything;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
