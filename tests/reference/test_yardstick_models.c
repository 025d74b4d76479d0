// SPDX-License-Identifier: MIT
// The structure made from a model file against the curves of another program: what the bridge reads, and what it refuses.
#include "support/text_model.h"
#include <biela/flex.h>
#include <biela/yardstick.h>

static const char bar[] = "gravity: [0, 0, 0]\n"
                          "bodies:\n"
                          "  bar:\n"
                          "    flex:\n"
                          "      plane: true\n"
                          "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
                          "      sections: {flat: {area: 1e-4, iz: 1e-10, iy: 1e-10, top: 1.75e-3}}\n"
                          "      nodes: {root: [0, 0, 0], tip: [1.5, 0, 0]}\n"
                          "      lines: {beam: {from: root, to: tip, elements: 10}}\n"
                          "      frame: root\n"
                          "      boundary: [tip]\n"
                          "      modes: 2\n"
                          "joints:\n"
                          "  root: {type: revolute, bodies: [ground, bar], at: [0, 0, 0]}\n"
                          "forces:\n"
                          "  drive: {type: torque, joint: root, torque: \"1 N*m*(0.5 - 0.5*cos(pi*clamp(t/0.1, 0, 1)))\"}\n"
                          "outputs:\n"
                          "  tip: {point: {body: bar, node: tip}}\n"
                          "  root: {joint: root}\n"
                          "  top: {stress: bar, element: beam, at: mid, fibre: top}\n"
                          "  mid: {section: bar, element: beam, at: mid}\n";

static bi_model *model_of(const char *text)
{
    bi_report report = { 0 };
    bi_model *m = text_read(text, &report);
    run_require(m && report.errors == 0, &report, "the model has mistakes");
    bi_report_clear(&report);
    return m;
}

static double read_channel(const bi_yardstick *y, const char *name)
{
    int c = bi_yardstick_channel(y, name);
    if (c < 0) {
        fail_msg("no channel %s", name);
    }
    return bi_yardstick_read(y, c);
}

static void test_bar_of_a_model_file_follows_the_other_program(void **state)
{
    (void)state;
    bi_model *m = model_of(bar);
    bi_report report = { 0 };
    bi_yardstick *y = bi_yardstick_create(m, &(bi_yardstick_options){ .elements = 5, .dt = 2e-4, .damping = 0.1 }, &report);
    run_require(y != NULL, &report, "no structure");
    bi_table table = run_reference("flex-bar", "ex1_ge.csv");
    const double *t = run_reference_column(&table, "t");
    double tip = 0.0, stress = 0.0, moment = 0.0;
    for (int k = 0; t[k] <= 0.5 + 1e-9; k++) {
        while (bi_yardstick_time(y) < t[k] - 1e-4) {
            assert_int_equal(bi_yardstick_step(y), BI_OK);
        }
        tip = fmax(tip, fabs(read_channel(y, "tip.y") - run_reference_column(&table, "y_tip")[k]));
        stress = fmax(stress, fabs(read_channel(y, "top") - run_reference_column(&table, "sigma_top_mid")[k]));
        moment = fmax(moment, fabs(read_channel(y, "mid.Mz") - run_reference_column(&table, "M_mid")[k]));
    }
    // as of the structure described in C: 4.3e-6 m, 3e4 Pa
    run_expect("bar of a file, tip", tip, 4.3e-6);
    run_expect("bar of a file, stress", stress, 3e4);
    run_expect("bar of a file, moment", moment, 2e-3);
    bi_table_clear(&table);
    bi_yardstick_destroy(y);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_of_a_model_file_follows_the_other_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
