// SPDX-License-Identifier: MIT
// Kinematic simulation against closed forms: nothing drifts, and the efforts are those of inverse dynamics.
#include "support/run_model.h"

// A slider-crank's closed form is its reference; here at instants 50 ms apart, half a turn of the crank in six.
static void test_kinematics_of_a_slider_crank_at_coarse_instants_follows_the_closed_form(void **state)
{
    (void)state;
    static const char *const name[] = {
        "crank.angle", "slider.position", "slider.rate", "A.fx", "A.fy", "B.fx", "B.fy", "C.fx",
        "C.fy",        "slide.fy",        "motor"
    };
    bi_table table = run_reference("slider-crank", "reference.csv");
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    const double *t = run_reference_column(&table, "t");
    double worst = 0.0;
    for (int k = 5; k < table.rows; k += 5) {
        assert_int_equal(bi_kinematics_step_to(run.sim, t[k]), BI_OK);
        for (size_t c = 0; c < sizeof name / sizeof *name; c++) {
            double error = fabs(run_read(&run, name[c]) - run_reference_column(&table, name[c])[k]);
            worst = error <= worst ? worst : error;
        }
    }
    // efforts of some 20 N from accelerations of 10 m/s2: rounding of the penalty 1e6 leaves 1e-10 of them
    run_expect("kinematics slider-crank", worst, 2e-8);
    run_close(&run);
    bi_table_clear(&table);
}

// Two guided arms: the torques of a planar robot, by the textbook's formula, at one instant far from the start.
static void test_kinematics_of_two_arms_gives_the_torques_of_the_textbook(void **state)
{
    (void)state;
    const double m1 = 3.0, m2 = 2.0, l1 = 0.7, l2 = 0.5, g = 9.81;
    bi_model *model = bi_model_create("robot");
    bi_model_gravity(model, (bi_vec3){ 0.0, -g, 0.0 });
    bi_body arm1 =
        bi_add_body(model, &(bi_body_def){ .name = "upper",
                                           .mass = m1,
                                           .com = { l1 / 2, 0, 0 },
                                           .inertia = { 0, m1 * l1 * l1 / 12, m1 * l1 * l1 / 12 } });
    bi_body arm2 = bi_add_body(model, &(bi_body_def){ .name = "fore",
                                                      .mass = m2,
                                                      .com = { l2 / 2, 0, 0 },
                                                      .inertia = { 0, m2 * l2 * l2 / 12, m2 * l2 * l2 / 12 },
                                                      .pose.pos = { l1, 0, 0 } });
    bi_joint j1 = bi_add_joint(
        model, &(bi_joint_def){ .name = "shoulder", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = arm1 });
    bi_joint j2 = bi_add_joint(
        model,
        &(bi_joint_def){ .name = "elbow", .kind = BI_REVOLUTE, .a = arm1, .b = arm2, .at = { l1, 0, 0 } });
    bi_element e1 = bi_add_guide(
        model,
        &(bi_guide_def){ .name = "m1", .joint = j1, .value = bi_expression(model, "0.5*sin(2*t)", NULL) });
    bi_element e2 = bi_add_guide(
        model, &(bi_guide_def){ .name = "m2", .joint = j2, .value = bi_expression(model, "0.8*t^2", NULL) });
    bi_add_output(model, &(bi_output_def){ .name = "t1", .kind = BI_OUT_EFFORT, .element = e1 });
    bi_add_output(model, &(bi_output_def){ .name = "t2", .kind = BI_OUT_EFFORT, .element = e2 });
    run_model run = run_start(model, BI_ALI3P, 0.1, 1.0);
    assert_int_equal(bi_kinematics_check(run.sim, &run.report), BI_OK);
    for (int k = 1; k <= 10; k++) {
        double t = 0.1 * k;
        assert_int_equal(bi_kinematics_step_to(run.sim, t), BI_OK);
        double p = 0.5 * sin(2 * t), dp = cos(2 * t), ddp = -2.0 * sin(2 * t);
        double e = 0.8 * t * t, de = 1.6 * t, dde = 1.6, c = cos(e), s = sin(e);
        double h = m2 * l1 * l2 / 2;
        double tau2 = (m2 * l2 * l2 / 3 + h * c) * ddp + m2 * l2 * l2 / 3 * dde + h * s * dp * dp +
                      m2 * g * l2 / 2 * cos(p + e);
        double tau1 = (m1 * l1 * l1 / 3 + m2 * l1 * l1 + m2 * l2 * l2 / 3 + 2 * h * c) * ddp +
                      (m2 * l2 * l2 / 3 + h * c) * dde - h * s * (2 * dp * de + de * de) +
                      (m1 * l1 / 2 + m2 * l1) * g * cos(p) + m2 * g * l2 / 2 * cos(p + e);
        assert_true(fabs(run_read(&run, "t1") - tau1) <= 1e-8);
        assert_true(fabs(run_read(&run, "t2") - tau2) <= 1e-8);
    }
    run_close(&run);
}

static void test_kinematics_without_guides_names_what_is_free(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "governor" });
    bi_report report = { 0 };
    assert_int_equal(bi_kinematics_check(run.sim, &report), BI_BAD_MODEL);
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[0].what, "degrees of freedom are not driven"));
    // the names are joints of the model
    assert_non_null(strstr(report.issue[0].what, ".angle"));
    bi_report_clear(&report);
    run_close(&run);
}

static void test_kinematics_beyond_reach_fails_and_stays_at_the_last_instant(void **state)
{
    (void)state;
    // the slider of a slider-crank pulled beyond crank plus rod, 0.4 m
    bi_report report = { 0 };
    const char text[] =
        "biela: 1\nname: pull\ngravity: [0, 0, 0]\nbodies:\n"
        "  crank: {mass: 1, inertia: {rod: [0.1, 0, 0]}, com: [0.05, 0, 0], turn: {z: 1}}\n"
        "  rod: {mass: 1, inertia: {rod: [0.3, 0, 0]}, com: [0.15, 0, 0],"
        " at: [0.1*cos(1), 0.1*sin(1), 0], turn: {z: -asin(sin(1)/3)}}\n"
        "  slider: {mass: 1, inertia: [1, 1, 1], at: [0.1*cos(1)+0.3*cos(asin(sin(1)/3)), 0, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank]}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [0.1*cos(1), 0.1*sin(1), 0]}\n"
        "  C: {type: revolute, bodies: [rod, slider],"
        " at: [0.1*cos(1)+0.3*cos(asin(sin(1)/3)), 0, 0]}\n"
        "  S: {type: prismatic, bodies: [ground, slider], axis: [1, 0, 0]}\n"
        "constraints:\n  pull: {type: guide, joint: S, value: 0.1*t}\n";
    bi_model *model = bi_read_model_text(text, sizeof text - 1, "pull.yaml", NULL, 0, NULL, NULL, &report);
    run_require(model && report.errors == 0, &report, "the model has mistakes");
    run_model run = run_start(model, BI_ALI3P, 0.1, 1.0);
    bi_status status = BI_OK;
    double last = 0.0;
    for (int k = 1; k <= 20 && status == BI_OK; k++) {
        last = run_now(&run);
        status = bi_kinematics_step_to(run.sim, 0.1 * k);
    }
    assert_int_equal(status, BI_CANNOT_ASSEMBLE);
    assert_non_null(strstr(bi_sim_failure(run.sim), "cannot follow its guides"));
    assert_true(run_now(&run) == last);
    assert_true(bi_sim_statistics(run.sim).violation <= 1e-9);
    bi_report_clear(&report);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinematics_of_a_slider_crank_at_coarse_instants_follows_the_closed_form),
        cmocka_unit_test(test_kinematics_of_two_arms_gives_the_torques_of_the_textbook),
        cmocka_unit_test(test_kinematics_without_guides_names_what_is_free),
        cmocka_unit_test(test_kinematics_beyond_reach_fails_and_stays_at_the_last_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
