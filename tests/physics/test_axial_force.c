// SPDX-License-Identifier: MIT
// The normal force along straight bars of few modes, against statics: what modes lack is found by equilibrium.
#include "support/text_model.h"

// A bar of two sections that hangs along -z, with a weight at a node; `boundary` and `joints` say who holds it.
static run_model hanging(const char *boundary, const char *joints)
{
    char text[2048];
    snprintf(text, sizeof text,
             "gravity: [0, 0, -10]\n"
             "bodies:\n"
             "  bar:\n"
             "    turn: {y: 90 deg}\n" // x of the bar points down
             "    flex:\n"
             "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
             "      sections: {thick: {rectangle: [20 mm, 20 mm]}, thin: {rectangle: [20 mm, 10 mm]}}\n"
             "      nodes: {root: [0, 0, 0], knee: [1, 0, 0], tip: [2, 0, 0]}\n"
             "      lines: {upper: {from: root, to: knee, elements: 4, section: thick},\n"
             "              lower: {from: knee, to: tip, elements: 4, section: thin}}\n"
             "      masses: [{node: knee, mass: 3}]\n"
             "      frame: root\n"
             "      boundary: [%s]\n"
             "      modes: 1\n"
             "joints:\n"
             "  hold: {type: fixed, bodies: [ground, bar]}\n%s"
             "outputs:\n"
             "  top: {section: bar, element: upper, at: start, only: N}\n"
             "  near: {section: bar, element: upper, at: 0.4, only: N}\n" // inside an element
             "  far: {section: bar, element: lower, at: mid, only: N}\n"
             "  end: {section: bar, element: lower, at: end, only: N}\n"
             "  fibre: {stress: bar, element: upper, at: 0.4, fibre: centre}\n"
             "  of_ground: {section: bar, element: upper, at: 0.4, axes: ground, only: fz}\n",
             boundary, joints);
    run_model run = text_run(&(text_case){ .text = text, .coordinates = BI_NATURAL, .dt = 1e-3 });
    assert_int_equal(bi_equilibrium(run.sim, NULL, &run.report), BI_OK);
    return run;
}

// Weights: 3.2 kg/m above, 1.6 kg/m below, 3 kg between; g = 10.
static void expect_hanging(run_model *run, const char *what)
{
    char name[80];
    static const char *const channel[] = { "top", "near", "far", "end" };
    static const double wanted[] = { 32.0 + 30.0 + 16.0, 0.6 * 32.0 + 30.0 + 16.0, 8.0, 0.0 };
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%s, N at %s", what, channel[k]);
        run_expect(name, fabs(run_read(run, channel[k]) - wanted[k]), 1e-6); // equilibrium to 1e-8 of 78 N
    }
    run_expect("stress by N", fabs(run_read(run, "fibre") - wanted[1] / 4e-4), 1e-2);
    run_expect("N in ground axes", fabs(run_read(run, "of_ground") + wanted[1]), 1e-5);
    run_close(run);
}

static void test_bar_that_hangs_carries_what_is_below(void **state)
{
    (void)state;
    run_model run = hanging("tip", "");
    expect_hanging(&run, "boundary at the tip");
    run = hanging("knee", "");
    expect_hanging(&run, "free below the boundary");
    run = hanging("knee, tip", "");
    expect_hanging(&run, "two boundaries");
}

static void test_bar_held_at_both_ends_shares_its_weight_by_flexibility(void **state)
{
    (void)state;
    run_model run = hanging("tip", "  low: {type: spherical, bodies: [ground, bar], at: [0, 0, -2]}\n");
    // N = R - (weight above), R from no change of length: flexibilities 1 and 2 per m, weights as above
    //   int_0^1 (R - 32 x) dx + 2 int_1^2 (R - 62 - 16 (x - 1)) dx = 0
    double R = (16.0 + 2.0 * (62.0 + 8.0)) / 3.0;
    run_expect("held bar, N at top", fabs(run_read(&run, "top") - R), 1e-6);
    run_expect("held bar, N near", fabs(run_read(&run, "near") - (R - 0.4 * 32.0)), 1e-6);
    run_expect("held bar, N far", fabs(run_read(&run, "far") - (R - 62.0 - 8.0)), 1e-6);
    run_expect("held bar, N at the end", fabs(run_read(&run, "end") - (R - 62.0 - 16.0)), 1e-6);
    run_close(&run);
}

// Turning at a steady speed on a hinge: rho A w^2 (L^2 - x^2) / 2, with one static mode along the axis.
static void test_bar_that_turns_carries_the_centrifugal_force_of_what_is_outside(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run =
            text_run(&(text_case){ .text = "gravity: [0, 0, 0]\n"
                                           "bodies:\n"
                                           "  bar:\n"
                                           "    flex:\n"
                                           "      plane: true\n"
                                           "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
                                           "      sections: {bar: {rectangle: [20 mm, 20 mm]}}\n"
                                           "      nodes: {root: [0, 0, 0], tip: [1, 0, 0]}\n"
                                           "      lines: {bar: {from: root, to: tip, elements: 8}}\n"
                                           "      frame: root\n"
                                           "      boundary: [tip]\n"
                                           "      foreshortening: true\n"
                                           "      damping: 0.2\n"
                                           "joints:\n"
                                           "  hub: {type: revolute, bodies: [ground, bar]}\n"
                                           "constraints:\n"
                                           "  turn: {type: guide, joint: hub, value: \"if(t < 0.2, "
                                           "100*(t^2/2 + (cos(10*pi*t) - 1)/(100*pi^2)), 20*(t - 0.1))\"}\n"
                                           "outputs:\n"
                                           "  root: {section: bar, element: bar, at: start, only: N}\n"
                                           "  mid: {section: bar, element: bar, at: mid, only: N}\n",
                                   .coordinates = k ? BI_JOINT : BI_NATURAL,
                                   .dt = 1e-3 });
        run_to(&run, 0.5); // what the start left is damped away
        double root = 3.2 * 400.0 / 2.0, mid = 0.75 * root;
        // (h/3 times the jerk is gone at a steady speed; the bar is longer by 1.3e-5 of its length)
        run_expect("turning bar, N at the root", fabs(run_read(&run, "root") - root) / root, 1e-4);
        run_expect("turning bar, N in the middle", fabs(run_read(&run, "mid") - mid) / mid, 1e-4);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_that_hangs_carries_what_is_below),
        cmocka_unit_test(test_bar_held_at_both_ends_shares_its_weight_by_flexibility),
        cmocka_unit_test(test_bar_that_turns_carries_the_centrifugal_force_of_what_is_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
