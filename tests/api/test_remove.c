// SPDX-License-Identifier: MIT
// Elements that were added to a model and taken out again.
#include "support/run_model.h"
#include <string.h>

enum { WITHOUT, TAKEN_OUT };

// A pendulum in a wind; besides a spring, a guide, a constraint by an expression of its points and a signal, or none of these.
static bi_model *pendulum(int what, bi_element taken[4])
{
    bi_model *m = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){
               .name = "rod", .mass = 2.0, .com = { 0.5, 0.0, 0.0 }, .inertia = { 0.01, 0.2, 0.2 } });
    bi_joint pin = bi_add_joint(
        m,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    const bi_point tip = { rod, { 1.0, 0.0, 0.0 } };
    if (what == TAKEN_OUT) {
        taken[0] = bi_add_spring(
            m,
            &(bi_spring_def){ .name = "air", .a = { BI_GROUND, { 0, 0, 1 } }, .b = tip, .stiffness = 50.0 });
        taken[1] = bi_add_guide(
            m, &(bi_guide_def){ .name = "guide", .joint = pin, .value = bi_expression(m, "0.1*t", NULL) });
        const bi_named_point p = { "P", tip };
        taken[2] = bi_add_expression(
            m, &(bi_expression_def){
                   .name = "law", .points = { 1, &p }, .zero = bi_expression(m, "P.z - 0.2*sin(t)", NULL) });
        taken[3] = bi_add_signal(
            m, &(bi_signal_def){ .name = "sway", .value = bi_expression(m, "0.2*sin(t)", NULL) });
    }
    for (int k = 0; what == TAKEN_OUT && k < 4; k++) {
        assert_true(bi_remove(m, taken[k]));
        assert_false(bi_remove(m, taken[k]));
    }
    // the name of the spring is free again
    bi_element wind = bi_add_drag(
        m,
        &(bi_drag_def){ .name = "air", .point = tip, .area = 1.0, .coefficient = 1.0, .wind = { 3, 0, 0 } });
    assert_int_equal(bi_model_element(m, "air").i, wind.i);
    bi_add_output(m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_add_output(m, &(bi_output_def){ .name = "push", .kind = BI_OUT_EFFORT, .element = wind });
    return m;
}

static void angle_after(bi_model *m, bi_coordinates coordinates, double out[2])
{
    bi_report report = { 0 };
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3, .coordinates = coordinates }, &report);
    run_require(system != NULL, &report, "the model does not compile");
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    assert_int_equal(bi_sim_run_to(sim, 1.0), BI_OK);
    out[0] = bi_sim_read(sim, bi_find_channel(system, "pin.angle"));
    out[1] = bi_sim_read(sim, bi_find_channel(system, "push"));
    // a system lives: the model stays as it is
    assert_false(bi_remove(m, bi_model_element(m, "air")));
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_report_clear(&report);
}

static void test_a_model_is_as_if_what_was_taken_out_had_never_been(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double without[2], after[2];
        bi_element taken[4];
        bi_model *a = pendulum(WITHOUT, NULL), *b = pendulum(TAKEN_OUT, taken);
        angle_after(a, k == 0 ? BI_NATURAL : BI_JOINT, without);
        angle_after(b, k == 0 ? BI_NATURAL : BI_JOINT, after);
        assert_true(without[0] == after[0] && without[1] == after[1] && fabs(after[1]) > 1.0);
        bi_model_destroy(a);
        bi_model_destroy(b);
    }
}

static void test_an_output_of_what_was_taken_out_is_told(void **state)
{
    (void)state;
    bi_element taken[4];
    bi_model *m = pendulum(TAKEN_OUT, taken);
    bi_add_output(m, &(bi_output_def){ .name = "pull", .kind = BI_OUT_EFFORT, .element = taken[0] });
    bi_report report = { 0 };
    assert_null(bi_compile(m, &(bi_options){ .dt = 1e-3 }, &report));
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[0].where, "pull"));
    bi_report_clear(&report);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_model_is_as_if_what_was_taken_out_had_never_been),
        cmocka_unit_test(test_an_output_of_what_was_taken_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
