// SPDX-License-Identifier: MIT
// The tree of joint coordinates is breadth first from the ground, unless a joint is said to close a loop: other variables, the same
// motion.
#include "support/run_model.h"

// A four-bar whose rocker stands on a ball joint: carried by it, three coordinates; as a loop, none.
static run_model four_bar(const char *loop, bi_coordinates coordinates)
{
    char text[1600];
    snprintf(text, sizeof text,
             "biela: 1\nname: four-bar\ngravity: [0, -9.81, 0]\n"
             "bodies:\n  crank: {mass: 1, com: [0, 0.25, 0], inertia: [0.02, 0.02, 0.02], spin: [0, 0, -3], "
             "velocity: [0, 0, 0]}\n"
             "  rod: {mass: 1, com: [0.5, 0, 0], inertia: [0.08, 0.08, 0.08], at: [0, 0.5, 0], velocity: "
             "[1.5, 0, 0]}\n"
             "  rocker: {mass: 1, com: [0, 0.25, 0], inertia: [0.02, 0.02, 0.02], at: [1, 0, 0], spin: [0, "
             "0, -3]}\n"
             "joints:\n  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
             "  B: {type: spherical, bodies: [ground, rocker], at: [1, 0, 0]%s}\n"
             "  C: {type: revolute, bodies: [crank, rod], at: [0, 0.5, 0], axis: [0, 0, 1]}\n"
             "  D: {type: revolute, bodies: [rod, rocker], at: [1, 0.5, 0], axis: [0, 0, 1]}\n"
             "outputs:\n  D: {point: {body: rod, at: [1, 0, 0]}}\n  R: {reaction: B}\n",
             loop);
    run_model run = { .dt = 1e-3, .time = 0.2, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_RK4);
    return run;
}

static void test_joint_that_closes_a_loop_changes_variables_not_motion(void **state)
{
    (void)state;
    run_model natural = four_bar("", BI_NATURAL), first = four_bar("", BI_JOINT),
              chosen = four_bar(", loop: true", BI_JOINT);
    assert_int_equal(bi_sim_view(first.sim).n_q, 5);
    assert_int_equal(bi_sim_view(chosen.sim).n_q, 3);
    static const char *const channel[] = { "D.x", "D.y", "D.vx", "R.fx", "R.fy" };
    double worst[2] = { 0.0, 0.0 }, moved = 0.0;
    // well before it lies flat, where a parallelogram is singular
    for (int k = 0; k < 200; k++) {
        run_step(&natural);
        run_step(&first);
        run_step(&chosen);
        for (int c = 0; c < 5; c++) {
            double a = run_read(&natural, channel[c]), b = run_read(&first, channel[c]);
            worst[0] = fmax(worst[0], fabs(b - a));
            worst[1] = fmax(worst[1], fabs(run_read(&chosen, channel[c]) - a));
        }
        moved = fmax(moved, fabs(run_read(&natural, "D.x") - 1.0));
    }
    assert_true(moved > 0.2);
    // order four at 1 ms with some 10 rad/s: (0.01)^4 times accelerations of 100 in the reactions
    run_expect("tree of the file", worst[0], 1e-5);
    run_expect("tree with a chosen loop", worst[1], 1e-5);
    run_close(&natural);
    run_close(&first);
    run_close(&chosen);
}

// The reference directions of this axis in the two bodies are opposite: rounding decides between pi and -pi, and a spring on the joint would
// pull either way.
static void test_half_a_turn_is_pi_in_all_coordinates(void **state)
{
    (void)state;
    static const char text[] =
        "biela: 1\nname: turned\nbodies: {b: {mass: 1, inertia: [1, 1, 1], turn: [{y: 1.79}]}}\n"
        "joints: {j: {type: revolute, bodies: [ground, b], axis: [2, 0, -2]}}\noutputs: {j: {joint: j}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = { .dt = 1e-3, .time = 0.2, .coordinates = (bi_coordinates)k };
        run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
        run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
        run_compile(&run, BI_ALI3P);
        run_expect("half a turn", fabs(run_read(&run, "j.angle") - run_pi), 1e-9);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_that_closes_a_loop_changes_variables_not_motion),
        cmocka_unit_test(test_half_a_turn_is_pi_in_all_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
