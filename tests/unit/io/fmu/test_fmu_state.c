// SPDX-License-Identifier: MIT
// The state of an FMU inside a model is part of the state of the run.
#include <biela/io.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka wants the above first
#include <cmocka.h>

// A rod, and the pendulum as an FMU beside it.
static bi_model *make_model(void)
{
    char folder[] = "/tmp/biela-test-XXXXXX", command[1024], text[1024], path[256];
    bi_report report = { 0 };
    bi_run run;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "'%s' export '%s/models/pendulum/model.yaml' --fmu '%s/p.fmu' --quiet",
             BI_EXECUTABLE, BI_SOURCE_DIR, folder);
    assert_int_equal(system(command), 0);
    snprintf(
        text, sizeof text,
        "biela: 1\nname: beside\nbodies:\n  rod: {mass: 1, com: [1, 0, 0]}\njoints:\n  pin: {type: revolute, "
        "bodies: [ground, rod], axis: [0, 1, 0]}\nfmus:\n  other: {file: p.fmu}\nsignals:\n  y: {type: "
        "effort, "
        "of: other, channel: P.y}\nforces:\n  push: {type: torque, joint: pin, torque: y}\n");
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    bi_model *model = bi_read_model_text(text, strlen(text), path, NULL, 0, NULL, &run, &report);
    bi_report_print(&report, stderr);
    assert_int_equal(report.errors, 0);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    bi_report_clear(&report);
    return model;
}

static void take_steps(bi_sim *sim, int n)
{
    for (int k = 0; k < n; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
}

static void test_restored_run_with_an_fmu_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    bi_model *model = make_model();
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, NULL);
    bi_sim *sim = bi_sim_create(system), *other = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    take_steps(sim, 50);
    size_t size = bi_sim_save(sim, NULL, 0);
    void *snapshot = malloc(size);
    assert_int_equal(bi_sim_save(sim, snapshot, size), size);
    take_steps(sim, 50);
    uint64_t first = bi_sim_hash(sim);
    // back in the same run, and in another one beside it, which share the process of the FMU
    assert_int_equal(bi_sim_load(sim, snapshot, size), BI_OK);
    assert_int_equal(bi_sim_start(other, NULL), BI_OK);
    for (int k = 0; k < 50; k++) {
        take_steps(sim, 1);
        take_steps(other, 2);
    }
    assert_true(bi_sim_hash(sim) == first);
    assert_true(bi_sim_hash(other) == first);
    free(snapshot);
    bi_sim_destroy(other);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        test_restored_run_with_an_fmu_goes_on_with_the_same_bits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
