// SPDX-License-Identifier: MIT
// Screw and planar joints against closed forms, with their reactions.
#include "support/run_model.h"

static run_model run_text(const char *text, bi_coordinates coordinates)
{
    run_model run = { .dt = 1e-3, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_INDEX1_RK4);
    return run;
}

// ---- a nut runs down a vertical screw: a = -g m / (m + I (2 pi / p)^2) ---------------------------------------------

static const char nut[] = "biela: 1\n"
                          "name: nut on a vertical screw\n"
                          "gravity: [0, 0, -9.81]\n"
                          "bodies:\n"
                          "  nut: {mass: 2, inertia: [0.01, 0.01, 0.02], turn: [{z: 0.7}]}\n"
                          "joints:\n"
                          "  thread: {type: screw, bodies: [ground, nut], pitch: 0.5}\n"
                          "outputs:\n"
                          "  s: {joint: thread}\n"
                          "  R: {reaction: thread}\n";

static void check_nut(bi_coordinates coordinates)
{
    const double two_pi = 6.283185307179586, m = 2.0, inertia = 0.02, p = 0.5, g = 9.81;
    double a = -g * m / (m + inertia * (two_pi / p) * (two_pi / p));
    run_model run = run_text(nut, coordinates);
    assert_true(fabs(run_read(&run, "s.position")) < 1e-12); // it starts where it is described, turned or not
    run_to(&run, 1.0);
    // fourth order in entities that turn by up to 0.048 rad per step: 0.048^4 / 120 times the 12 turns
    run_expect("screw position", fabs(run_read(&run, "s.position") - 0.5 * a), 1e-7);
    run_expect("screw angle", fabs(run_read(&run, "s.angle") - 0.7 - 0.5 * a * two_pi / p), 1e-6);
    run_expect("screw force", fabs(run_read(&run, "R.fz") - m * (a + g)), 1e-6);
    run_expect("screw moment", fabs(run_read(&run, "R.mz") - inertia * a * two_pi / p), 1e-6);
    run_expect("screw side force", fabs(run_read(&run, "R.fx")) + fabs(run_read(&run, "R.my")), 1e-6);
    run_close(&run);
}

// ---- a block slides down a plane without friction: a = g sin(30 deg), N = m g cos(30 deg) ---------------------------

static const char block[] =
    "biela: 1\n"
    "name: block on an incline\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  block: {mass: 2, inertia: [0.1, 0.2, 0.3], at: [0.3, 0, 0.1], spin: [1, 0, 1.7320508075688772]}\n"
    "joints:\n"
    "  bed: {type: planar, bodies: [ground, block], at: [0.3, 0, 0.1], axis: [0.5, 0, 0.8660254037844386]}\n"
    "outputs:\n"
    "  P: {point: {body: block}}\n"
    "  R: {reaction: bed}\n";

static void check_block(bi_coordinates coordinates)
{
    run_model run = run_text(block, coordinates);
    run_to(&run, 1.0);
    // down the plane: (cos 30, 0, -sin 30) g sin 30; the point is the mass centre
    double way = 0.5 * 9.81 * 0.5;
    run_expect("planar x", fabs(run_read(&run, "P.x") - 0.3 - way * 0.8660254037844386), 1e-9);
    run_expect("planar z", fabs(run_read(&run, "P.z") - 0.1 + way * 0.5), 1e-9);
    double normal = 2.0 * 9.81 * 0.8660254037844386;
    run_expect("planar normal force x", fabs(run_read(&run, "R.fx") - 0.5 * normal), 1e-6);
    run_expect("planar normal force z", fabs(run_read(&run, "R.fz") - 0.8660254037844386 * normal), 1e-6);
    run_close(&run);
}

static void test_nut_runs_down_a_screw_as_by_hand(void **state)
{
    (void)state;
    check_nut(BI_NATURAL);
    check_nut(BI_JOINT);
}

static void test_block_slides_on_a_planar_joint_as_by_hand(void **state)
{
    (void)state;
    check_block(BI_NATURAL);
    check_block(BI_JOINT);
}

static void test_screw_without_pitch_is_refused(void **state)
{
    (void)state;
    bi_model *model = bi_model_create("screw");
    bi_body b = bi_add_body(model, &(bi_body_def){ .name = "nut", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_add_joint(model, &(bi_joint_def){ .name = "thread", .kind = BI_SCREW, .a = BI_GROUND, .b = b });
    bi_report report = { 0 };
    assert_null(bi_compile(model, NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].where, "joints.thread.pitch");
    bi_report_clear(&report);
    bi_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nut_runs_down_a_screw_as_by_hand),
        cmocka_unit_test(test_block_slides_on_a_planar_joint_as_by_hand),
        cmocka_unit_test(test_screw_without_pitch_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
