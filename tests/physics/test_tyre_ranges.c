// SPDX-License-Identifier: MIT
// Tyres whose data end: the verdict names the tyre and the time when a run goes beyond them.
#include "support/text_model.h"

// A wheel of 300 kg and a push down on it; the file has loads up to 10 kN.
static const char sections[] =
    "bodies:\n"
    "  hub: {mass: 300, inertia: [1, 1, 1], at: [0, 0, 0.29], velocity: [10, 0, 0]}\n"
    "  wheel: {mass: 20, inertia: [0.5, 1, 0.5], at: [0, 0, 0.29], velocity: [10, 0, 0], spin: [0, 33, 0]}\n"
    "joints:\n"
    "  slide: {type: prismatic, bodies: [ground, sledge], at: [0, 0, 0.29], axis: [1, 0, 0]}\n"
    "  heave: {type: prismatic, bodies: [sledge, hub], at: [0, 0, 0.29], axis: [0, 0, 1]}\n"
    "  axle: {type: revolute, bodies: [hub, wheel], at: [0, 0, 0.29], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  tyre: {file: ../tyres/magic_formula/car_mf61.tir, body: wheel, relaxation: linear}\n"
    "  push: {type: force, point: {body: hub}, fz: \"-%g*clamp(t - 0.2, 0, 0.3)/0.3\"}\n"
    "  damper: {type: torsion-spring, joint: heave, stiffness: 0, damping: 5e3}\n"
    "outputs:\n"
    "  tyre: {tyre: tyre}\n";

static bi_verdict verdict_of(double push, bi_coordinates coordinates, run_model *run)
{
    char text[2000], all[2400];
    snprintf(text, sizeof text, sections, push);
    // the sledge stands first, so that its name is known
    snprintf(all, sizeof all,
             "bodies:\n  sledge: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0.29], velocity: [10, 0, 0]}\n%s",
             text + strlen("bodies:\n"));
    *run = text_run(&(text_case){ all, coordinates, BI_ALI3P, 1e-3 });
    run_to(run, 0.7);
    return bi_sim_verdict(run->sim);
}

static void test_a_load_beyond_the_file_is_told_with_tyre_and_time(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run;
        bi_verdict verdict = verdict_of(20e3, k ? BI_NATURAL : BI_JOINT, &run);
        assert_true(run_read(&run, "tyre.fz") > 12e3);
        assert_int_equal(verdict.outcome, BI_DOUBTFUL);
        if (!strstr(verdict.line, "ranges of its data") || !strstr(verdict.line, "tyre")) {
            fail_msg("%s", verdict.line);
        }
        run_close(&run);
    }
}

static void test_within_the_file_nothing_is_said(void **state)
{
    (void)state;
    run_model run;
    bi_verdict verdict = verdict_of(3e3, BI_JOINT, &run);
    if (verdict.outcome != BI_GOOD) {
        fail_msg("%s", verdict.line);
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_load_beyond_the_file_is_told_with_tyre_and_time),
        cmocka_unit_test(test_within_the_file_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
