// SPDX-License-Identifier: MIT
// Strain gauges, bridges and principal stresses of flexible bodies against the strength of materials, and channels as a
// device tells them.
#include "support/run_model.h"

static run_model open_text(const char *text, bi_coordinates coordinates)
{
    run_model run = { .dt = 1e-3, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_ALI3P);
    bi_balance balance;
    run_require(bi_equilibrium(run.sim, &balance, &run.report) == BI_OK, &run.report, "no equilibrium");
    return run;
}

// A square bar of 20 mm, pulled by 4 kN along and 50 N across at its tip, 0.5 m from the gauges:
// N/(E A) = 5e-5, M y/(E I) = 9.375e-5.
static const char cantilever[] =
    "biela: 1\nname: cantilever\ngravity: [0, 0, 0]\nbodies:\n  bar:\n    turn: {x: 0.4}\n    flex:\n"
    "      materials: {steel: {young: 200 GPa, density: 1000}}\n"
    "      sections: {bar: {rectangle: [20 mm, 20 mm]}}\n      section: bar\n      material: steel\n"
    "      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n      lines: {bar: {from: root, to: tip, elements: 8}}\n"
    "      frame: root\n"
    "joints: {wall: {type: fixed, bodies: [ground, bar]}}\n"
    "forces: {pull: {type: force, point: {body: bar, node: tip}, fx: 4000, fy: 50*cos(0.4), fz: "
    "50*sin(0.4)}}\n"
    "outputs:\n  top: {stress: bar, element: bar, at: 0.5, fibre: top, quantity: strain}\n"
    "  bottom: {stress: bar, element: bar, at: 0.5, fibre: bottom, quantity: strain}\n"
    "  most: {stress: bar, element: bar, at: 0.5, fibre: max, quantity: strain}\n"
    "  half: {channel: top, minus: bottom, times: 0.5}\n"
    "  device: {channel: top, times: 1e6, noise: 2, seed: 7}\n"
    "  other: {channel: top, times: 1e6, noise: 2, seed: 8}\n"
    "  cut: {channel: top, times: 1e6, noise: 20, range: [-45, -40], resolution: 2}\n";

static void test_gauges_and_half_bridge_tell_pull_and_bending_apart(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(cantilever, c == 0 ? BI_NATURAL : BI_JOINT);
        // linear in the loads: only how far the equilibrium went is left
        run_expect("top", fabs(run_read(&run, "top") - (5e-5 - 9.375e-5)), 1e-12);
        run_expect("bottom", fabs(run_read(&run, "bottom") - (5e-5 + 9.375e-5)), 1e-12);
        run_expect("largest", fabs(run_read(&run, "most") - (5e-5 + 9.375e-5)), 1e-12);
        run_expect("bridge", fabs(run_read(&run, "half") + 9.375e-5), 1e-12);
        run_close(&run);
    }
}

// 2000 readings: mean within 4 sigma / sqrt(2000), deviation within 4 / sqrt(4000) of itself; the same again.
static void test_noise_has_its_size_and_is_the_same_again(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static double told[COUNT];
    for (int c = 0; c < 2; c++) {
        run_model run = open_text(cantilever, c == 0 ? BI_NATURAL : BI_JOINT);
        double sum = 0.0, square = 0.0, both = 0.0;
        for (int k = 0; k < COUNT; k++) {
            run_step(&run);
            double exact = 1e6 * run_read(&run, "top"), x = run_read(&run, "device") - exact,
                   y = run_read(&run, "other") - exact, cut = run_read(&run, "cut");
            assert_true(x == run_read(&run, "device") - exact);
            assert_true(cut == -44.0 || cut == -42.0 || cut == -40.0 ||
                        cut == -45.0); // in steps, and never outside
            sum += x;
            square += x * x;
            both += x * y;
            if (c == 1) {
                run_expect("the same in the other formulation", fabs(x - told[k]), 1e-6);
            }
            told[k] = x;
        }
        run_expect("mean", fabs(sum / COUNT), 4.0 * 2.0 / sqrt(COUNT));
        run_expect("deviation", fabs(sqrt(square / COUNT) - 2.0), 4.0 * 2.0 / sqrt(2.0 * COUNT));
        run_expect("another seed has nothing to do with it", fabs(both / COUNT), 4.0 * 4.0 / sqrt(COUNT));
        run_close(&run);
    }
}

// A sheet held at three corners and pulled at the fourth: its strains follow its stresses by Hooke's law, and its principal
// stresses by Mohr's circle.
static void test_gauges_on_a_sheet_follow_hooke_and_principal_stresses_mohr(void **state)
{
    (void)state;
    static const char sheet[] =
        "biela: 1\nname: sheet\ngravity: [0, 0, 0]\nbodies:\n  sheet:\n    flex:\n"
        "      materials: {steel: {young: 200 GPa, poisson: 0.25, density: 1000}}\n"
        "      sections: {thin: {thickness: 1 mm}}\n      section: thin\n      material: steel\n"
        "      nodes: {a: [0, 0, 0], b: [0.1, 0, 0], c: [0.1, 0.1, 0], d: [0, 0.1, 0]}\n"
        "      elements: {q: {kind: quad, nodes: [a, b, c, d]}}\n"
        "      frame: [a, b, d]\n      boundary: [c]\n"
        "joints: {wall: {type: fixed, bodies: [ground, sheet]}}\n"
        "forces: {c: {type: force, point: {body: sheet, node: c}, fx: 500, fy: 200}}\n"
        "outputs:\n  t: {stress: sheet, node: c}\n"
        "  along: {stress: sheet, node: c, quantity: strain, along: [2, 0, 0]}\n"
        "  across: {stress: sheet, node: c, quantity: strain, along: [0, 1, 0]}\n"
        "  between: {stress: sheet, node: c, quantity: strain, along: [1, 1, 0]}\n"
        "  s: {stress: sheet, node: c, quantity: principal}\n";
    run_model run = open_text(sheet, BI_NATURAL);
    double xx = run_read(&run, "t.xx"), yy = run_read(&run, "t.yy"), xy = run_read(&run, "t.xy");
    const double young = 200e9, nu = 0.25, small = 1e-12 * fabs(xx) / young;
    assert_true(fabs(xx) > 1e6 && fabs(xy) > 1e5); // it is loaded
    double along = (xx - nu * yy) / young, across = (yy - nu * xx) / young,
           shear = 2.0 * (1.0 + nu) * xy / young;
    run_expect("along", fabs(run_read(&run, "along") - along), small);
    run_expect("across", fabs(run_read(&run, "across") - across), small);
    run_expect("between", fabs(run_read(&run, "between") - 0.5 * (along + across + shear)), small);
    double middle = 0.5 * (xx + yy), radius = hypot(0.5 * (xx - yy), xy);
    const double right[3] = { middle + radius, middle - radius > 0.0 ? middle - radius : 0.0,
                              middle - radius > 0.0 ? 0.0 : middle - radius };
    run_expect("first", fabs(run_read(&run, "s.1") - right[0]), 1e-9 * fabs(xx));
    run_expect("second", fabs(run_read(&run, "s.2") - right[1]), 1e-9 * fabs(xx));
    run_expect("third", fabs(run_read(&run, "s.3") - right[2]), 1e-9 * fabs(xx));
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gauges_and_half_bridge_tell_pull_and_bending_apart),
        cmocka_unit_test(test_noise_has_its_size_and_is_the_same_again),
        cmocka_unit_test(test_gauges_on_a_sheet_follow_hooke_and_principal_stresses_mohr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
