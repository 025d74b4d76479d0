// SPDX-License-Identifier: MIT
// Inertia on a joint coordinate alone (joint.18), in both formulations, with implicit and explicit schemes.
#include "support/text_model.h"

static const bi_scheme schemes[] = { BI_ALI3P, BI_RK4 };

static double angle_after(const char *sections, bi_coordinates coordinates, bi_scheme scheme, double *energy)
{
    run_model run =
        text_run(&(text_case){ .text = sections, .coordinates = coordinates, .scheme = scheme, .dt = 1e-3 });
    run_require(bi_sim_run_to(run.sim, 1.0) == BI_OK, &run.report, "the run fails");
    double angle = run_read(&run, "p.angle");
    *energy = run_read(&run, "energy.balance");
    run_close(&run);
    return angle;
}

// About a fixed axis an armature is the same as so much more moment of inertia of the body.
static void test_armature_at_the_ground_is_inertia_of_the_body(void **state)
{
    (void)state;
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        for (int s = 0; s < 2; s++) {
            double e1, e2;
            double with = angle_after(
                "bodies: {a: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]}}\n"
                "joints: {p: {type: revolute, bodies: [ground, a], axis: [0, 1, 0], armature: 0.7}}\n"
                "outputs: {p: {joint: p}}\n",
                (bi_coordinates)c, schemes[s], &e1);
            double of_body =
                angle_after("bodies: {a: {mass: 2, com: [0.5, 0, 0], inertia: [0.8, 0.9, 0.3]}}\n"
                            "joints: {p: {type: revolute, bodies: [ground, a], axis: [0, 1, 0]}}\n"
                            "outputs: {p: {joint: p}}\n",
                            (bi_coordinates)c, schemes[s], &e2);
            printf("measured armature coordinates %d scheme %d: %.1e\n", c, (int)schemes[s],
                   fabs(with - of_body));
            assert_true(fabs(with - of_body) <
                        1e-9); // rounding, and Baumgarte's terms of natural coordinates
            assert_true(fabs(with) > 0.5);
            assert_true(fabs(e1) < 1e-4 && fabs(e2) < 1e-4);
        }
    }
}

// A rotor that turns n times as fast, with 1/n^2 of the inertia, is the armature but for 1/n.
static void test_armature_is_the_limit_of_a_geared_rotor(void **state)
{
    (void)state;
    static const char armed[] =
        "bodies:\n"
        "  a: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]}\n"
        "  b: {mass: 1, com: [0.4, 0, 0.1], inertia: [0.01, 0.05, 0.05], at: [1, 0, 0]}\n"
        "joints:\n"
        "  o: {type: revolute, bodies: [ground, a], axis: [0, 1, 0]}\n"
        "  p: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 1, 0]%s}\n"
        "%s"
        "outputs: {p: {joint: p}}\n";
    char text[2][2048];
    snprintf(text[0], sizeof text[0], armed, ", armature: 0.5", "");
    for (int n = 100; n <= 1000; n *= 10) {
        char geared[512];
        snprintf(geared, sizeof geared,
                 "  r: {type: revolute, bodies: [a, rotor], at: [1, 0, 0], axis: [0, 1, 0]}\n"
                 "constraints: {g: {type: gear, a: p, b: r, ratio: %d}}\n",
                 n);
        snprintf(text[1], sizeof text[1], armed, "", geared);
        char *bodies = strstr(text[1], "joints:");
        char whole[3072];
        snprintf(whole, sizeof whole,
                 "%.*s  rotor: {mass: 1e-12, inertia: [%.17g, %.17g, 0], at: [1, 0, 0]}\n%s",
                 (int)(bodies - text[1]), text[1], 0.5 / n / n, 0.5 / n / n, bodies);
        double e, limit = angle_after(text[0], BI_JOINT, BI_RK4, &e);
        double turning = angle_after(whole, BI_JOINT, BI_RK4, &e);
        printf("measured rotor n=%d: %.2e\n", n, fabs(turning - limit));
        assert_true(fabs(turning - limit) < 2.0 / n);
    }
}

// In a joint that closes a loop, too: both formulations agree, and energy is kept.
static void test_armature_of_a_joint_that_closes_a_loop(void **state)
{
    (void)state;
    static const char four_bar[] =
        "bodies:\n"
        "  crank: {mass: 1, com: [0, 0, 0.25], inertia: [0.02, 0.02, 0.001]}\n"
        "  rod: {mass: 2, com: [0.6, 0, 0], inertia: [0.001, 0.1, 0.1], at: [0, 0, 0.5]}\n"
        "  rocker: {mass: 1, com: [0, 0, 0.25], inertia: [0.02, 0.02, 0.001], at: [1.2, 0, 0]}\n"
        "joints:\n"
        "  p: {type: revolute, bodies: [ground, crank], axis: [0, 1, 0], rate: 1}\n"
        "  q: {type: revolute, bodies: [crank, rod], at: [0, 0, 0.5], axis: [0, 1, 0]}\n"
        "  s: {type: revolute, bodies: [ground, rocker], at: [1.2, 0, 0], axis: [0, 1, 0]}\n"
        "  l: {type: revolute, bodies: [rod, rocker], at: [1.2, 0, 0.5], axis: [0, 1, 0], loop: true, "
        "armature: 0.3}\n"
        "outputs: {p: {joint: p}}\n";
    for (int s = 0; s < 2; s++) {
        double e[2], natural = angle_after(four_bar, BI_NATURAL, schemes[s], &e[0]);
        double joint = angle_after(four_bar, BI_JOINT, schemes[s], &e[1]);
        printf("measured loop scheme %d: %.2e rad apart, energy %.1e J\n", (int)schemes[s],
               fabs(natural - joint), e[0]);
        assert_true(fabs(natural - joint) < 1e-8);
    }
}

static void test_armatures_that_cannot_be_are_refused(void **state)
{
    (void)state;
    text_expect_mistake("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "joints: {p: {type: revolute, bodies: [ground, a], armature: -1}}\n",
                        "must not be negative");
    bi_report report = { 0 };
    bi_model *model = text_read("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                                "joints: {p: {type: spherical, bodies: [ground, a], armature: 1}}\n",
                                &report);
    assert_int_not_equal(bi_model_check(model, &report), BI_OK);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_armature_at_the_ground_is_inertia_of_the_body),
        cmocka_unit_test(test_armature_is_the_limit_of_a_geared_rotor),
        cmocka_unit_test(test_armature_of_a_joint_that_closes_a_loop),
        cmocka_unit_test(test_armatures_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
