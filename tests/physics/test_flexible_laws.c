// SPDX-License-Identifier: MIT
// Laws on nodes of a cantilever against beam theory: contact of a shape at the tip, a bushing that holds the tip's rotation, a moment.
#include "support/text_model.h"

// length, bending stiffness, force at the tip
static const double L = 0.8, EI = 2.1e11 * 1e-9, P = 40.0;

#define BEAM                                                                                                 \
    "gravity: [0, 0, 0]\n"                                                                                   \
    "bodies:\n"                                                                                              \
    "  beam:\n"                                                                                              \
    "    flex:\n"                                                                                            \
    "      materials: {steel: {young: 2.1e11, density: 7850}}\n"                                             \
    "      sections: {bar: {area: 1e-4, iy: 1e-9, iz: 1e-9, top: 5 mm, side: 5 mm}}\n"                       \
    "      nodes: {root: [0, 0, 0], tip: [0.8, 0, 0]}\n"                                                     \
    "      lines: {bar: {from: root, to: tip, elements: 6}}\n"                                               \
    "      frame: root\n"                                                                                    \
    "      boundary: [{node: tip, vectors: [[1, 0, 0]]}]\n"                                                  \
    "      damping: 0.7\n"                                                                                   \
    "joints:\n"                                                                                              \
    "  clamp: {type: fixed, bodies: [ground, beam]}\n"                                                       \
    "outputs:\n"                                                                                             \
    "  tip: {point: {body: beam, node: tip}}\n"                                                              \
    "  seen: {relative: {of: {body: beam, node: tip}, to: {body: beam, node: root}}}\n"

static run_model rest(const char *text, bi_coordinates coordinates)
{
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
    // the slowest mode, some 50 rad/s with 0.7 of critical damping, is gone to exp(-70)
    run_to(&run, 2.0);
    return run;
}

static void expect_near(const char *what, bi_coordinates coordinates, double found, double wanted,
                        double limit)
{
    char text[96];
    snprintf(text, sizeof text, "%s, %s", what, coordinates == BI_JOINT ? "joint" : "natural");
    run_expect(text, fabs(found - wanted) / fabs(wanted), limit);
}

// A ball at the tip comes down on a floor: two springs side by side.
static void test_ball_at_the_tip_of_a_beam_rests_on_the_floor(void **state)
{
    (void)state;
    const char *text = BEAM "shapes:\n"
                            "  ball: {type: sphere, body: beam, at: [0.8, 0, 0], radius: 20 mm}\n"
                            "  floor: {type: plane, at: [0, 0, -0.025]}\n"
                            "forces:\n"
                            "  push: {type: force, point: {body: beam, node: tip}, fz: -40}\n"
                            "  touch: {type: contact, a: ball, b: floor, stiffness: 5e3}\n";
    double beam = 3.0 * EI / (L * L * L), ground = 5e3, gap = 5e-3;
    for (int c = 0; c < 2; c++) {
        run_model run = rest(text, c ? BI_JOINT : BI_NATURAL);
        double wanted = -(P + ground * gap) / (beam + ground);
        assert_true(wanted < -gap);
        // rounding, and modes that are orthogonal to 1e-9
        expect_near("ball on the floor, deflection", c ? BI_JOINT : BI_NATURAL, run_read(&run, "tip.z"),
                    wanted, 1e-6);
        run_close(&run);
    }
}

// A bushing that only resists turning: the tip's stiffness matrix is 12, 6L, 4L^2 times EI/L^3.
static void test_bushing_at_the_tip_of_a_beam_holds_its_rotation(void **state)
{
    (void)state;
    const char *text =
        BEAM "forces:\n"
             "  push: {type: force, point: {body: beam, node: tip}, fz: -40}\n"
             "  hold: {type: bushing, a: {body: ground, at: [0.8, 0, 0]}, b: {body: beam, node: tip}, "
             "stiffness: [0, 0, 0, 0, 800, 0], damping: [0, 0, 0, 0, 0, 0]}\n";
    double s = EI / (L * L * L), turn = 800.0;
    // (w, theta) with theta = dw/dx: [12 s, -6 L s; -6 L s, 4 L^2 s + turn] (w, theta) = (-P, 0)
    double a = 12.0 * s, b = -6.0 * L * s, d = 4.0 * L * L * s + turn, w = -P * d / (a * d - b * b);
    for (int c = 0; c < 2; c++) {
        run_model run = rest(text, c ? BI_JOINT : BI_NATURAL);
        // the axes of the node are right to the third power of its turn, 0.01 rad
        expect_near("bushing at the tip, deflection", c ? BI_JOINT : BI_NATURAL, run_read(&run, "tip.z"), w,
                    1e-4);
        double theta = -b * w / d; // about -y
        expect_near("bushing at the tip, rotation", c ? BI_JOINT : BI_NATURAL,
                    -2.0 * run_read(&run, "seen.qy"), theta, 1e-4);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_at_the_tip_of_a_beam_rests_on_the_floor),
        cmocka_unit_test(test_bushing_at_the_tip_of_a_beam_holds_its_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
