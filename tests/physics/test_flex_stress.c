// SPDX-License-Identifier: MIT
// Stresses of flexible bodies as channels, against the strength of materials.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/text_model.h"
#include <math.h>

#define PI 3.14159265358979323846

// A cantilever of tube along x, turned by 30 degrees about z with the rest of the world, with loads along and across it at the
// tip (in ground axes: in those of the body they would turn with the node).
static const char cantilever[] =
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  bar:\n"
    "    turn: {z: 30 deg}\n"
    "    flex:\n"
    "      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}\n"
    "      sections: {tube: {tube: [40 mm, 4 mm]}}\n"
    "      nodes: {root: [0, 0, 0], tip: [2, 0, 0]}\n"
    "      lines: {bar: {from: root, to: tip, elements: 8}}\n"
    "      frame: root\n"
    "      boundary: [{node: tip, vectors: [[0, 1, 0], [0, 0, 1]]}]\n"
    "joints:\n"
    "  hold: {type: fixed, bodies: [ground, bar]}\n"
    "forces:\n"
    "  pull: {type: force, point: {body: bar, node: tip}, fx: 5000*cos(pi/6) - 100*sin(pi/6), "
    "fy: 5000*sin(pi/6) + 100*cos(pi/6), fz: -50}\n"
    "outputs:\n"
    "  mid: {section: bar, element: bar, at: 0.5}\n"
    "  of_body: {section: bar, element: bar, at: 0.5, axes: body}\n"
    "  of_ground: {section: bar, element: bar, at: 0.5, axes: ground}\n"
    "  top: {stress: bar, element: bar, at: 0.25, fibre: top}\n"
    "  bottom: {stress: bar, element: bar.3, at: start, fibre: bottom}\n"
    "  left: {stress: bar, element: bar, at: 0.25, fibre: left}\n"
    "  right: {stress: bar, element: bar, at: 0.25, fibre: right}\n"
    "  centre: {stress: bar, element: bar, at: 0.25, fibre: centre}\n"
    "  max: {stress: bar, element: bar.1, at: start, fibre: max}\n"
    "  min: {stress: bar, element: bar.1, at: start, fibre: min}\n"
    "  mises: {stress: bar, element: bar.1, at: start}\n"
    "  worst: {stress: bar}\n"
    "  only: {section: bar, element: bar, at: 0.5, only: Mz}\n";

static double value(run_model *run, const char *name)
{
    bi_channel c = bi_find_channel(run->system, name);
    assert_true(c.i > 0);
    return bi_sim_read(run->sim, c);
}

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) {
        print_message("%.9g instead of %.9g\n", got, expected);
        fail();
    }
}

static void test_stresses_of_a_loaded_cantilever_are_those_of_the_textbook(void **state)
{
    (void)state;
    text_case c = { .text = cantilever, .coordinates = BI_NATURAL, .dt = 1e-3 };
    run_model run = text_run(&c);
    bi_balance balance;
    assert_int_equal(bi_equilibrium(run.sim, &balance, &run.report), BI_OK);
    double D = 0.04, d = 0.032, A = PI / 4 * (D * D - d * d), I = PI / 64 * (pow(D, 4) - pow(d, 4)),
           r = D / 2;
    // forces at a section are those of what lies beyond it: M_z = F_y (L - x), M_y = -F_z (L - x)
    const double N = 5000.0, Mz = 100.0, My = 50.0, close = 1e-4; // N, N m; equilibrium to 1e-8 of the loads
    assert_near(value(&run, "mid.N"), N, close);
    assert_near(value(&run, "mid.Vy"), 100.0, close);
    assert_near(value(&run, "mid.Vz"), -50.0, close);
    assert_near(value(&run, "mid.Mt"), 0.0, close);
    assert_near(value(&run, "mid.My"), My, close);
    assert_near(value(&run, "mid.Mz"), Mz, close);
    assert_near(value(&run, "only"), Mz, close);
    assert_near(value(&run, "of_body.fx"), N, close);
    assert_near(value(&run, "of_body.mz"), Mz, close);
    assert_near(value(&run, "of_ground.fx"), N * cos(PI / 6) - 100.0 * sin(PI / 6), 10 * close);
    assert_near(value(&run, "of_ground.fy"), N * sin(PI / 6) + 100.0 * cos(PI / 6), 10 * close);
    assert_near(value(&run, "of_ground.mx"), -My * sin(PI / 6), close);
    // a quarter from the clamp the moments are 1.5 times those in the middle; Pa
    const double near_stress = 10.0 * close * r / I;
    assert_near(value(&run, "top"), N / A - 1.5 * Mz * r / I, near_stress);
    assert_near(value(&run, "bottom"), N / A + 1.5 * Mz * r / I, near_stress);
    assert_near(value(&run, "left"), N / A + 1.5 * My * r / I, near_stress);
    assert_near(value(&run, "right"), N / A - 1.5 * My * r / I, near_stress);
    assert_near(value(&run, "centre"), N / A, near_stress);
    double bending = 2.0 * sqrt(Mz * Mz + My * My) * r / I;
    assert_near(value(&run, "max"), N / A + bending, near_stress);
    assert_near(value(&run, "min"), N / A - bending, near_stress);
    assert_near(value(&run, "mises"), N / A + bending, near_stress);
    assert_near(value(&run, "worst"), N / A + bending, near_stress);
    assert_near(value(&run, "worst.at"), 1.0, 0.0);
    run_close(&run);
}

// Torsion of a turned arm: a force at the end of a cranked bar twists its first part; von Mises sqrt(s^2 + 3 t^2).
static void test_torsion_counts_in_von_mises(void **state)
{
    (void)state;
    text_case c = { .text = "gravity: [0, 0, 0]\n"
                            "bodies:\n"
                            "  crank:\n"
                            "    flex:\n"
                            "      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}\n"
                            "      sections: {tube: {tube: [40 mm, 4 mm]}}\n"
                            "      nodes: {root: [0, 0, 0], knee: [1, 0, 0], tip: [1, 0.5, 0]}\n"
                            "      lines: {long: {from: root, to: knee, elements: 4}, short: {from: knee, "
                            "to: tip, elements: 2}}\n"
                            "      frame: root\n"
                            "      boundary: [tip]\n"
                            "joints: {hold: {type: fixed, bodies: [ground, crank]}}\n"
                            "forces: {push: {type: force, point: {body: crank, node: tip}, fz: 200}}\n"
                            "outputs:\n"
                            "  root: {section: crank, element: long, at: 0}\n"
                            "  mises: {stress: crank, element: long, at: 0}\n",
                    .coordinates = BI_NATURAL,
                    .dt = 1e-3 };
    run_model run = text_run(&c);
    bi_balance balance;
    assert_int_equal(bi_equilibrium(run.sim, &balance, &run.report), BI_OK);
    double I = PI / 64 * (pow(0.04, 4) - pow(0.032, 4)), r = 0.02;
    // moments about the root: r x F = (1, 0.5, 0) x (0, 0, 200) = (100, -200, 0)
    assert_near(value(&run, "root.Mt"), 100.0, 1e-4);
    assert_near(value(&run, "root.My"), -200.0, 1e-4);
    double sigma = 200.0 * r / I, tau = 100.0 * r / (2.0 * I);
    assert_near(value(&run, "mises"), sqrt(sigma * sigma + 3.0 * tau * tau), 1e-6 * sigma);
    run_close(&run);
}

// A sheet pulled along x: sigma_xx = F / A in the middle, and turned by 30 degrees the tensor turns.
static void test_plane_stress_in_the_middle_of_a_pulled_rod_is_force_over_area(void **state)
{
    (void)state;
    text_case c = {
        .text = "gravity: [0, 0, 0]\n"
                "bodies:\n"
                "  rod:\n"
                "    turn: {z: 30 deg}\n"
                "    flex:\n"
                "      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}\n"
                "      sections: {sheet: {thickness: 8 mm}}\n"
                "      rectangles: {rod: {size: [200 mm, 30 mm], at: [0, -15 mm, 0], divisions: [20, 4], "
                "rigid_ends: true}}\n"
                "      frame: rod.start\n"
                "      boundary: [rod.end]\n"
                "joints: {hold: {type: fixed, bodies: [ground, rod]}}\n"
                "forces: {pull: {type: force, point: {body: rod, node: rod.end}, fx: 24000*cos(pi/6), fy: "
                "24000*sin(pi/6)}}\n"
                "outputs:\n"
                "  node: {stress: rod, node: rod.10.2}\n"
                "  element: {stress: rod, element: rod.41, at: [0, 0, 0]}\n"
                "  ground: {stress: rod, node: rod.10.2, axes: ground}\n"
                "  gauss: {stress: rod, element: rod.41, at: 3, only: xx}\n"
                "  mises: {stress: rod, node: rod.10.2, quantity: mises}\n",
        .coordinates = BI_NATURAL,
        .dt = 1e-3
    };
    run_model run = text_run(&c);
    bi_balance balance;
    assert_int_equal(bi_equilibrium(run.sim, &balance, &run.report), BI_OK);
    // 100 MPa; St Venant: seven widths from the ends the disturbance is gone to 1e-4
    double s = 24000.0 / (0.03 * 0.008), close = 1e-4 * s;
    assert_near(value(&run, "node.xx"), s, close);
    assert_near(value(&run, "node.yy"), 0.0, close);
    assert_near(value(&run, "element.xx"), s, close);
    assert_near(value(&run, "gauss"), s, close);
    assert_near(value(&run, "mises"), s, close);
    assert_near(value(&run, "ground.xx"), 0.75 * s, close);
    assert_near(value(&run, "ground.yy"), 0.25 * s, close);
    assert_near(value(&run, "ground.xy"), sqrt(0.75) * 0.5 * s, close);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stresses_of_a_loaded_cantilever_are_those_of_the_textbook),
        cmocka_unit_test(test_torsion_counts_in_von_mises),
        cmocka_unit_test(test_plane_stress_in_the_middle_of_a_pulled_rod_is_force_over_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
