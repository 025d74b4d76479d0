// SPDX-License-Identifier: MIT
// Free joints: coordinates that bind nothing, from any body to any other.
#include "support/run_model.h"

static run_model run_text(const char *angles, const char *rest, bi_coordinates coordinates)
{
    char text[1400];
    snprintf(text, sizeof text,
             "biela: 1\nname: free\ngravity: [0, 0, 0]\nbodies:\n"
             "  a: {mass: 1, inertia: [1, 1, 1], at: [1, 2, 3], turn: [{z: 0.5}], spin: [0, 0, 2], velocity: "
             "[1, 0, "
             "0]}\n"
             "  b: {mass: 2, inertia: [1, 2, 3], at: [-1, 0, 1], turn: [{x: 0.4}], spin: [0, 1, 2]}\n"
             "joints:\n  first: {type: free, bodies: [ground, a], at_a: [1, 0, 0], at_b: [0, 0.5, 0]}\n"
             "  second: {type: free, bodies: [a, b], at_a: [1, 0, 0], at_b: [0, 0.5, 0]%s}\n"
             "outputs:\n  A: {body: a}\n  B: {body: b}\n  first: {joint: first}\n  second: {joint: second}\n"
             "  R: {reaction: second}\n%s",
             angles, rest);
    run_model run = { .dt = 1e-3, .time = 0.2, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_RK4);
    return run;
}

static const char *const orders[] = { "", ", angles: xyz" };

static void test_bodies_of_free_joints_start_and_move_as_described(void **state)
{
    (void)state;
    static const char *const channel[] = { "A.x",      "A.y",      "A.vx",     "B.x",        "B.y",
                                           "B.z",      "B.vx",     "B.vy",     "first.x",    "first.y",
                                           "second.x", "second.y", "second.z", "first.rate", "second.rate" };
    for (int k = 0; k < 2; k++) {
        run_model natural = run_text(orders[k], "", BI_NATURAL), joint = run_text(orders[k], "", BI_JOINT);
        run_expect("described place", fabs(run_read(&joint, "B.x") + 1.0), 1e-12);
        double worst = 0.0;
        for (int i = 0; i < 200; i++) {
            run_step(&natural);
            run_step(&joint);
            for (size_t c = 0; c < sizeof channel / sizeof *channel; c++) {
                worst = fmax(worst, fabs(run_read(&natural, channel[c]) - run_read(&joint, channel[c])));
            }
        }
        // both of order four: some tenths of (2 rad/s * 1 ms)^4 times 200 steps
        run_expect("free joints", worst, 1e-9);
        run_close(&natural);
        run_close(&joint);
    }
}

// Nothing is held, so nothing holds: what acts along the coordinates is no reaction.
static void test_free_joint_has_no_reaction_when_laws_act_on_it(void **state)
{
    (void)state;
    static const char *const channel[] = { "R.fx", "R.fy", "R.fz", "R.mx", "R.my", "R.mz" };
    for (int k = 0; k < 4; k++) {
        run_model run = run_text(orders[k % 2],
                                 "forces:\n  pull: {type: torsion-spring, joint: second.x, stiffness: 50}\n"
                                 "  twist: {type: torque, joint: second, coordinate: angle1, torque: 3}\n",
                                 (bi_coordinates)(k / 2));
        run_step(&run);
        for (int c = 0; c < 6; c++) {
            assert_true(run_read(&run, channel[c]) == 0.0);
        }
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_of_free_joints_start_and_move_as_described),
        cmocka_unit_test(test_free_joint_has_no_reaction_when_laws_act_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
