// SPDX-License-Identifier: MIT
// Laws on a chosen coordinate of a joint that has several: the other ones do not feel them.
#include "support/run_model.h"

static const char head[] = "biela: 1\nname: lead\ngravity: [0, 0, 0]\n"
                           "bodies:\n  nut: {mass: 2, inertia: [2, 2, 3]}\n"
                           "joints:\n  lead: {type: cylindrical, bodies: [ground, nut]}\n"
                           "outputs: {angle: lead.angle, place: lead.position}\n";

static run_model run_text(const char *rest, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(text, sizeof text, "%s%s", head, rest);
    run_model run = { .dt = 1e-3 };
    run.model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run.system =
        bi_compile(run.model, &(bi_options){ .coordinates = coordinates, .dt = run.dt }, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static void expect(const char *rest, double angle, double place, double tolerance)
{
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = run_text(rest, (bi_coordinates)c);
        for (int k = 0; k < 500; k++) {
            assert_int_equal(bi_sim_step(run.sim), BI_OK);
        }
        printf("measured angle %.12f place %.12f\n", run_read(&run, "angle"), run_read(&run, "place"));
        assert_true(fabs(run_read(&run, "angle") - angle) <= tolerance);
        assert_true(fabs(run_read(&run, "place") - place) <= tolerance);
        run_close(&run);
    }
}

// Constant effort: the trapezoidal rule is exact, x = F t^2 / 2m; a turn in natural coordinates has its error of order two, (w h)^2.
static void test_torque_on_a_position_is_a_force(void **state)
{
    (void)state;
    expect("forces:\n  push: {type: torque, joint: lead, coordinate: position, torque: 8}\n", 0.0, 0.5,
           1e-11);
    expect("forces:\n  turn: {type: torque, joint: lead, coordinate: angle, torque: 12}\n", 0.5, 0.0, 1e-6);
    expect("forces:\n  turn: {type: torque, joint: lead, torque: 12}\n", 0.5, 0.0, 1e-6);
}

static void test_effort_action_acts_on_the_coordinate_it_names(void **state)
{
    (void)state;
    run_model run =
        run_text("actions:\n  push: {type: effort, joint: lead, coordinate: position}\n", BI_JOINT);
    bi_sim_input(run.sim, bi_find_input(run.system, "push"), 8.0);
    for (int k = 0; k < 500; k++) {
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
    }
    printf("measured angle %.3e place %.12f\n", run_read(&run, "angle"), run_read(&run, "place"));
    // the input comes after the start: the first step takes the mean of no effort and all of it, F h t / 2m = 1e-3 m
    assert_true(fabs(run_read(&run, "place") - 0.499) <= 2e-6 && fabs(run_read(&run, "angle")) <= 1e-11);
    run_close(&run);
}

// A linear motor at its final speed: v = V / k, reached as exp(-k^2 t / (R m)) when the winding has no lag: within 1e-4 for L/R = 1e-5 s.
static void test_dc_motor_on_a_position_drives_it(void **state)
{
    (void)state;
    double tau = 1.0 * 2.0 / (10.0 * 10.0), v = 5.0 / 10.0, t = 0.5;
    expect("forces:\n  m: {type: dc-motor, joint: lead, coordinate: position, voltage: 5, resistance: 1, "
           "inductance: 1e-5, "
           "constant: 10}\n",
           0.0, v * (t - tau * (1.0 - exp(-t / tau))), 1e-4);
}

static void test_a_basis_that_joint_coordinates_do_not_use_is_told(void **state)
{
    (void)state;
    static const char text[] =
        "biela: 1\nname: basis\nbodies:\n"
        "  rod: {mass: 1, inertia: [1, 1, 1], basis: [P, Q, u, v]}\n"
        "points: {P: {body: rod}, Q: {body: rod, at: [1, 0, 0]}}\n"
        "vectors: {u: {body: rod, along: [0, 1, 0]}, v: {body: rod, along: [0, 0, 1]}}\n"
        "joints:\n  base: {type: free, bodies: [ground, rod]}\n";
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        bi_report report = { 0 };
        bi_model *m = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &report);
        bi_system *s = bi_compile(m, &(bi_options){ .coordinates = (bi_coordinates)c }, &report);
        int notes = 0;
        for (int k = 0; k < report.count; k++) {
            notes += report.issue[k].severity == BI_NOTE &&
                     strcmp(report.issue[k].where, "bodies.rod.basis") == 0 &&
                     report.issue[k].place.line == 4;
        }
        run_require(s != NULL, &report, "the model does not compile");
        assert_int_equal(notes, c == BI_JOINT);
        bi_system_destroy(s);
        bi_model_destroy(m);
        bi_report_clear(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torque_on_a_position_is_a_force),
        cmocka_unit_test(test_effort_action_acts_on_the_coordinate_it_names),
        cmocka_unit_test(test_dc_motor_on_a_position_drives_it),
        cmocka_unit_test(test_a_basis_that_joint_coordinates_do_not_use_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
