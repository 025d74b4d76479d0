// SPDX-License-Identifier: MIT
// Events at instants that are known: a stone falls z = 5 + 3 t - g t^2/2, which every scheme and the interpolation follow exactly.
#include "support/run_model.h"

static const double g = 9.81;

static run_model stone(const char *events, bi_scheme scheme, double accuracy)
{
    char text[1000];
    snprintf(text, sizeof text,
             "biela: 1\nname: stone\ngravity: [0, 0, -9.81]\n"
             "bodies:\n  stone: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 5], velocity: [0, 0, 3]}\n"
             "outputs:\n  P: {point: {body: stone}}\nevents:\n%s",
             events);
    run_model run = { .dt = 0.013 };
    run.model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .scheme = scheme, .dt = run.dt, .accuracy = accuracy };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

// When the stone is at this height: going up (-1) or down (+1).
static double when_at(double z, double sign) { return (3.0 + sign * sqrt(9.0 + 2.0 * g * (5.0 - z))) / g; }

static void expect_stone(bi_scheme scheme, double accuracy)
{
    run_model run = stone("  high: {channel: P.z, above: 5.2}\n  floor: {channel: P.z, below: 0, do: stop}\n"
                          "  falling: {condition: t > 0.7}\n  always: {condition: t > -1}\n",
                          scheme, accuracy);
    const double t_floor = when_at(0.0, 1.0);
    for (int k = 0; k < 10000 && !bi_sim_stopped(run.sim); k++) {
        run_step(&run);
    }
    assert_true(bi_sim_stopped(run.sim));
    // the sim stands at the instant, on the floor
    run_expect("stops when it lands", fabs(run_now(&run) - t_floor), 1e-9);
    run_expect("on the floor", fabs(run_read(&run, "P.z")), 1e-8);
    assert_int_equal(bi_sim_event_count(run.sim), 4);
    static const char *const name[] = { "always", "high", "falling", "floor" };
    const double wanted[] = { 0.0, when_at(5.2, -1.0), 0.7, t_floor };
    for (int k = 0; k < 4; k++) {
        bi_event e;
        assert_true(bi_sim_event(run.sim, k, &e));
        assert_string_equal(e.name, name[k]);
        run_expect(name[k], fabs(e.t - wanted[k]), 1e-9);
    }
    // and goes on when it is asked to
    run_step(&run);
    assert_false(bi_sim_stopped(run.sim));
    assert_true(run_now(&run) > t_floor);
    run_close(&run);
}

static void test_events_of_a_falling_stone_are_found_to_a_nanosecond(void **state)
{
    (void)state;
    expect_stone(BI_ALI3P, 0.0);
    expect_stone(BI_INDEX1_RK4, 0.0);
    expect_stone(BI_ALI3P, 1e-6);
}

static void test_event_happens_again_only_after_it_was_false(void **state)
{
    (void)state;
    run_model run = stone("  odd: {condition: sin(20*t) > 0}\n", BI_ALI3P, 0.0);
    while (run_now(&run) < 1.0) {
        run_step(&run);
    }
    // sin(20 t) rises through zero at multiples of pi/10, just after t = 0 too
    assert_int_equal(bi_sim_event_count(run.sim), 4);
    for (int k = 0; k < 4; k++) {
        bi_event e;
        assert_true(bi_sim_event(run.sim, k, &e));
        assert_true(fabs(e.t - run_pi / 10.0 * k) <= 1e-9);
    }
    run_close(&run);
}

static void test_event_on_an_unknown_channel_is_told_with_its_line(void **state)
{
    (void)state;
    const char text[] = "biela: 1\nname: stone\nbodies:\n  stone: {mass: 2, inertia: [1, 1, 1]}\n"
                        "events:\n  high: {channel: P.z, above: 5.2}\n";
    bi_report report = { 0 };
    bi_model *model = bi_read_model_text(text, sizeof text - 1, "test.yaml", NULL, 0, NULL, NULL, &report);
    assert_null(bi_compile(model, NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_int_equal(report.issue[0].place.line, 6);
    assert_non_null(strstr(report.issue[0].what, "no channel 'P.z'"));
    bi_model_destroy(model);
    bi_report_clear(&report);
}

// The pull of a spring on a stone that a guide moves, 10 N/s, passes its limits up and down again; a contact of something else makes
// the scheme keep its tangent and tell forces of its last iteration while these are far from a limit.
static void test_force_passes_its_limits_at_known_instants(void **state)
{
    (void)state;
    const char *text = "biela: 1\nname: pull\ngravity: [0, 0, -9.81]\n"
                       "bodies:\n  stone: {mass: 2, inertia: [1, 1, 1]}\n  ball: {mass: 1, inertia: [1, 1, "
                       "1], at: [0, 1, 0.0999]}\n"
                       "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
                       "joints: {x: {type: prismatic, bodies: [ground, stone], at_a: [0, 0, 0], at_b: [0, 0, "
                       "0], axis_a: [1, 0, 0], axis_b: [1, 0, 0]}}\n"
                       "constraints: {move: {type: guide, joint: x, value: 'if(t < 1, t, 2 - t)*0.01'}}\n"
                       "forces:\n  pull: {type: spring, a: {body: ground, at: [-1, 0, 0]}, b: {body: stone, "
                       "at: [0, 0, 0]}, stiffness: 1000, rest: 1}\n"
                       "  touch: {type: contact, a: ball, b: floor, stiffness: 98100, damping: 100}\n"
                       "outputs: {pull: {effort: pull}}\n"
                       "events: {strong: {channel: pull, above: 5}, weak: {channel: pull, below: 2.5}, most: "
                       "{channel: pull, above: 20}}\n";
    for (int f = 0; f < 2; f++) {
        run_model run = { .dt = 0.013 };
        run.model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &run.report);
        run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
        bi_options options = { .dt = run.dt, .coordinates = f ? BI_JOINT : BI_NATURAL };
        run.system = bi_compile(run.model, &options, &run.report);
        run_require(run.system != NULL, &run.report, "the model does not compile");
        run.sim = bi_sim_create(run.system);
        run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report,
                    "the simulation does not start");
        while (run_now(&run) < 1.9) {
            run_step(&run);
        }
        // at the start it is weak
        static const char *const name[] = { "weak", "strong", "weak" };
        const double wanted[] = { 0.0, 0.5, 1.75 };
        assert_int_equal(bi_sim_event_count(run.sim), 3);
        for (int k = 0; k < 3; k++) {
            bi_event e;
            assert_true(bi_sim_event(run.sim, k, &e));
            assert_string_equal(e.name, name[k]);
            // positions between steps are interpolated: nothing is lost on a straight line
            run_expect(name[k], fabs(e.t - wanted[k]), 1e-8);
        }
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_of_a_falling_stone_are_found_to_a_nanosecond),
        cmocka_unit_test(test_event_happens_again_only_after_it_was_false),
        cmocka_unit_test(test_event_on_an_unknown_channel_is_told_with_its_line),
        cmocka_unit_test(test_force_passes_its_limits_at_known_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
