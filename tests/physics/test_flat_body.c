// SPDX-License-Identifier: MIT
// Bodies that are flat or nearly so: a vector across them has no inertia of its own, whatever rounding says (natural.13). What holds
// such a vector holds the body. Joint coordinates, which know no vectors, tell what is right.
#include "support/text_model.h"
#include <stdlib.h>

static const char *const plates[] = {
    // a direction of the body stays across a fixed one
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  D: {mass: 1, inertia: [0.1, 0.2, \"0.3 - %g\"], spin: [0, 1, 2]}\n"
    "constraints:\n"
    "  d: {type: dot, u: {body: D, along: [0, 0, 1]}, v: {body: ground, along: [0, 1, 0]}}\n"
    "outputs: {D: {body: D}}\n",
    // a universal joint whose second axis stands across the plate
    "bodies:\n"
    "  D: {mass: 1, com: [0.3, 0.2, 0], inertia: [0.1, 0.2, \"0.3 - %g\"]}\n"
    "joints:\n"
    "  u: {type: universal, bodies: [ground, D], at: [0, 0, 0], axis_a: [0, 1, 0], axis_b: [0, 0, 1]}\n"
    "outputs: {D: {body: D}}\n",
    // free discs, turned so that the vector across them lies along another axis of the ground but for rounding
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  D: {mass: 1, inertia: [0.1, \"0.3 - %g\", 0.2], turn: {x: 90 deg}, spin: [0.3, 1, 0.4]}\n"
    "outputs: {D: {body: D}}\n",
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  D: {mass: 1, inertia: [1, \"2 - %g\", 1], turn: {x: 270 deg}, spin: [0, 1, 0]}\n"
    "outputs: {D: {body: D}}\n",
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  D: {mass: 1, inertia: [0.2, 0.1, \"0.3 - %g\"], turn: {y: 180 deg}, spin: [1, 0.2, 0.4]}\n"
    "outputs: {D: {body: D}}\n",
};

// inertias of 0.1, 0.2, 0.3 round to 5.6e-17 across the plate; the others are plates of some thickness
static const double thickness[] = { 0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3 };

static run_model plate(int which, double thick, bi_coordinates coordinates)
{
    char text[1024];
    snprintf(text, sizeof text, plates[which], thick);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
}

static void test_flat_bodies_keep_their_constraints(void **state)
{
    (void)state;
    static const char *const channel[] = { "D.x", "D.z", "D.wx", "D.wy", "D.wz" };
    double gap = 0.0, open = 0.0;
    for (int which = 0; which < (int)(sizeof plates / sizeof *plates); which++) {
        for (size_t k = 0; k < sizeof thickness / sizeof *thickness; k++) {
            run_model natural = plate(which, thickness[k], BI_NATURAL),
                      joint = plate(which, thickness[k], BI_JOINT);
            run_to(&natural, 1.0);
            run_to(&joint, 1.0);
            for (size_t i = 0; i < sizeof channel / sizeof *channel; i++) {
                gap = fmax(gap, fabs(run_read(&natural, channel[i]) - run_read(&joint, channel[i])));
            }
            open = fmax(open, bi_sim_statistics(natural.sim).violation);
            assert_int_equal(bi_sim_statistics(natural.sim).step_overs, 0);
            assert_int_equal(bi_sim_statistics(natural.sim).unconverged, 0);
            run_close(&natural);
            run_close(&joint);
        }
    }
    // steps of 1 ms at 2 rad/s: errors of (w h)^2 of what changes
    run_expect("plates in both formulations", gap, 2e-5);
    run_expect("constraints of plates", open, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_flat_bodies_keep_their_constraints) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
