// SPDX-License-Identifier: MIT
// Runs that start at another time than zero, options of Newton's method in files, and entries that a case leaves out.
#include "support/run_model.h"

// Pushed by cos(2 t) along a table of time, guided by t^2, and by a manoeuvre: all by the clock.
static const char driven[] =
    "biela: 1\nname: driven\ngravity: [0, 0, 0]\ninputs: {pull: 0}\n"
    "bodies:\n  a: {mass: 2, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n  c: {mass: 1, "
    "inertia: [1, 1, 1]}\n"
    "joints:\n  x: {type: prismatic, bodies: [ground, a], axis: [1, 0, 0], value: 0.5, rate: -1}\n"
    "  y: {type: prismatic, bodies: [ground, b], axis: [0, 1, 0]}\n"
    "  z: {type: prismatic, bodies: [ground, c], axis: [0, 0, 1]}\n"
    "forces:\n  push: {type: torque, joint: x, torque: 2*cos(2*t)}\n  drag: {type: torque, joint: z, torque: "
    "pull}\n"
    "constraints: {g: {type: guide, joint: y, value: t^2}}\n"
    "outputs:\n  x: {joint: x}\n  y: {joint: y}\n  z: {joint: z}\n"
    "run: {time: 2, start_time: 5, newton: 1e-6, iterations: 9, penalty: 1e8}\n"
    "runs:\n  free: {remove: [constraints.g, forces.push]}\n  gone: {remove: [joints.q]}\n"
    "  without: {remove: [bodies.b]}\n";

static run_model opened(const char *name, bi_run *file)
{
    run_model run = { 0 };
    run.model = bi_read_model_text(driven, strlen(driven), "test", NULL, 0, name, file, &run.report);
    return run;
}

static void compile(run_model *run, const bi_options *options)
{
    run_require(run->model && run->report.errors == 0, &run->report, "the model has mistakes");
    run->system = bi_compile(run->model, options, &run->report);
    run_require(run->system != NULL, &run->report, "the model does not compile");
    run->sim = bi_sim_create(run->system);
    run_require(bi_sim_start(run->sim, &run->report) == BI_OK, &run->report, "it does not start");
}

static void test_run_that_starts_later_follows_the_clock(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        bi_run file = { 0 };
        run_model run = opened(NULL, &file);
        bi_options options = bi_run_options(&file);
        assert_true(options.start_time == 5.0 && options.tolerance == 1e-6 && options.iterations == 9 &&
                    options.penalty == 1e8);
        options.coordinates = k % 2 == 0 ? BI_NATURAL : BI_JOINT;
        options.accuracy = k / 2 == 0 ? 0.0 : 1e-6;
        options.horizon = 2.0;
        // the force grows from 1 N at 4 s to 5 N at 8 s
        const double at[2] = { 4.0, 8.0 }, pull[2] = { 1.0, 5.0 };
        assert_true(bi_input_samples(run.model, bi_model_input(run.model, "pull"), 2, at, pull, &run.report));
        compile(&run, &options);
        assert_true(bi_sim_view(run.sim).t == 5.0);
        run_expect("guide at the start", fabs(run_read(&run, "y.position") - 25.0), 1e-8);
        run_expect("its rate", fabs(run_read(&run, "y.rate") - 10.0), 1e-8);
        assert_int_equal(bi_sim_run_to(run.sim, 7.0), BI_OK);
        // x'' = cos 2t from t0: x = x0 + v0 s - (cos 2t - cos 2t0)/4 - sin(2 t0) s/2
        double right = 0.5 - 2.0 - 0.25 * (cos(14.0) - cos(10.0)) - 0.5 * sin(10.0) * 2.0;
        run_expect("pushed", fabs(run_read(&run, "x.position") - right), k / 2 == 0 ? 2e-6 : 1e-4);
        run_expect("guided", fabs(run_read(&run, "y.position") - 49.0), 1e-8);
        // z'' = t - 3: 2 s^2/2 + s^3/6
        run_expect("by a table", fabs(run_read(&run, "z.position") - (4.0 + 8.0 / 6.0)),
                   k / 2 == 0 ? 1e-6 : 1e-4);
        run_close(&run);
    }
}

static void test_snapshot_of_a_run_at_another_start_is_refused(void **state)
{
    (void)state;
    static unsigned char kept[1 << 16];
    run_model one = opened(NULL, NULL), two = opened(NULL, NULL);
    compile(&one, &(bi_options){ .start_time = 5.0 });
    compile(&two, &(bi_options){ 0 });
    size_t size = bi_sim_save(one.sim, kept, sizeof kept);
    assert_int_equal(bi_sim_load(one.sim, kept, size), BI_OK);
    assert_true(bi_sim_load(two.sim, kept, size) != BI_OK);
    assert_null(bi_compile(one.model, &(bi_options){ .start_time = NAN }, &one.report));
    run_close(&one);
    run_close(&two);
}

static void test_case_leaves_out_what_it_removes(void **state)
{
    (void)state;
    bi_run file = { 0 };
    run_model run = opened("free", &file);
    bi_options options = bi_run_options(&file);
    compile(&run, &options);
    assert_int_equal(bi_sim_run_to(run.sim, 7.0), BI_OK);
    run_expect("free", fabs(run_read(&run, "x.position") - (0.5 - 2.0)), 1e-9);
    run_expect("not guided", fabs(run_read(&run, "y.position")), 1e-12);
    run_close(&run);
}

static void expect_refused(const char *name, const char *where, const char *what)
{
    bi_run file = { 0 };
    run_model run = opened(name, &file);
    bool is_told = false;
    for (int k = 0; k < run.report.count; k++) {
        is_told |= strstr(run.report.issue[k].where, where) && strstr(run.report.issue[k].what, what);
    }
    run_require(is_told && run.report.errors > 0, &run.report, "it is not refused as it should be");
    bi_model_destroy(run.model);
    bi_report_clear(&run.report);
}

static void test_what_is_not_there_or_still_named_is_told(void **state)
{
    (void)state;
    expect_refused("gone", "runs.remove", "no 'joints.q'");
    expect_refused("without", "joints.y", "no body called 'b'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_that_starts_later_follows_the_clock),
        cmocka_unit_test(test_snapshot_of_a_run_at_another_start_is_refused),
        cmocka_unit_test(test_case_leaves_out_what_it_removes),
        cmocka_unit_test(test_what_is_not_there_or_still_named_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
