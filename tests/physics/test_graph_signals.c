// SPDX-License-Identifier: MIT
// Signals that read a graph inside the step (signals.9): against closed forms, and beside laws that need no graph.
#include "support/text_model.h"

#define CART                                                                                                 \
    "gravity: [0, 0, 0]\n"                                                                                   \
    "bodies: {cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"                                                  \
    "joints: {rail: {type: prismatic, bodies: [ground, cart], axis: [1, 0, 0]}}\n"                           \
    "outputs: {x: {joint: rail}, w: w, on: on}\n"
#define ROTOR                                                                                                \
    "graphs:\n"                                                                                              \
    "  g:\n"                                                                                                 \
    "    nodes: {v: {type: Se, value: 3}, j: {type: 1}, m: {type: I, value: 0.5}, r: {type: R, value: 2}}\n" \
    "    bonds: [v -> j, j -> m, j -> r]\n"
#define PUSH "forces: {push: {type: motor, joint: rail, command: 4*w}}\n"
#define WATCH "  on: {type: switch, input: w, on: 1, off: 0.5}\n"

// The rotor turns with w = W (1 - exp(-a t)), W = 1.5, a = 4; the cart is pushed by 4 w: v = 3 (t - w/(W a)).
static double push_error(const char *read, bi_coordinates coordinates, bi_scheme scheme, double dt)
{
    char text[2000];
    snprintf(text, sizeof text, CART ROTOR "signals:\n  w: {type: effort, of: g, %s}\n" WATCH PUSH, read);
    run_model run = text_run(&(text_case){ text, coordinates, scheme, dt });
    run_to(&run, 0.5);
    double v = 3.0 * (0.5 - (1.0 - exp(-2.0)) / 4.0), error = fabs(run_read(&run, "x.rate") - v);
    run_close(&run);
    return error;
}

static void test_a_force_reads_a_graph_without_delay(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        bi_coordinates c = k ? BI_JOINT : BI_NATURAL;
        double coarse = push_error("channel: j->m.f", c, BI_ALI3P, 2e-2),
               fine = push_error("channel: j->m.f", c, BI_ALI3P, 1e-2);
        // of the trapezoidal rule (a h)^2 / 12 of 1.5
        run_expect("graph read in the step", fine, 2e-4);
        run_expect_order_two("graph read in the step", coarse, fine);
        run_expect("graph read in an explicit step", push_error("channel: j->m.f", c, BI_INDEX1_RK4, 1e-2),
                   1e-7);
        // a step late it is of first order: h 2 w = 0.026 m/s
        double late = push_error("channel: j->m.f, late: true", c, BI_ALI3P, 1e-2);
        assert_true(late > 1e-2 && late < 4e-2);
    }
}

// A state, an effort, a power and a value inside the graph are those of the very instant, too.
static void test_all_that_a_graph_tells_is_of_the_instant(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ CART ROTOR "signals:\n"
                                          "  w: {type: effort, of: g, channel: m.p}\n"
                                          "  e: {type: effort, of: g, channel: j->r.e}\n"
                                          "  on: {type: effort, of: g, channel: j->r.power}\n"
                                          "  same: 2*w*e - on\n"
                                          "forces: {push: {type: motor, joint: rail, command: same}}\n",
                               BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 0.3);
    // e = 2 f and p = f/2: 2 p e = 2 f^2 is the power, so that nothing pushes
    run_expect("power of the instant", fabs(run_read(&run, "x.rate")), 1e-12);
    double w = 1.5 * (1.0 - exp(-1.2));
    run_expect("power shown", fabs(run_read(&run, "on") - 2.0 * w * w), 2e-3);
    run_close(&run);
}

// The flow of a port is the rate of its joint, the charge its way: a law that reads both by signals is one that reads the
// joint, iteration by iteration (the tangent is exact through the graph).
static void test_damping_through_a_graph_is_damping(void **state)
{
    (void)state;
    static const char *const by[2] = { "-40*w - 300*s", "-40*rail.rate - 300*rail.position" };
    for (int k = 0; k < 4; k++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            CART
            "graphs:\n  g:\n"
            "    nodes: {p: {type: port, joint: rail}, j: {type: 1}, c: {type: C, value: 0.01}, r: {type: R, "
            "value: 1}}\n"
            "    bonds: [p -> j, j -> c, j -> r]\n"
            "signals:\n  w: {type: effort, of: g, channel: j->r.f}\n"
            "  s: {type: effort, of: g, channel: c.q}\n" WATCH
            "forces: {push: {type: motor, joint: rail, command: 10 + %s}}\n",
            by[k / 2]);
        static double x[2], iterations[2];
        run_model run = text_run(&(text_case){ text, k % 2 ? BI_JOINT : BI_NATURAL, BI_ALI3P, 5e-3 });
        run_to(&run, 0.5);
        bi_statistics stats = bi_sim_statistics(run.sim);
        if (k < 2) {
            x[k] = run_read(&run, "x.position");
            iterations[k] = (double)stats.iterations;
        } else {
            // Newton ends at 1e-10 of the coordinate
            run_expect("read through the graph", fabs(run_read(&run, "x.position") - x[k - 2]), 1e-9);
            assert_true(iterations[k - 2] <= (double)stats.iterations + 1.0);
        }
        run_close(&run);
    }
}

// w passes 1 at t = ln(3)/4 = 0.2747 s: at the end of that step the switch is on, not a step later.
static void test_a_switch_sees_the_graph_at_the_end_of_the_step(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ CART ROTOR "signals:\n  w: {type: effort, of: g, channel: j->m.f}\n" WATCH,
                               BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 0.27);
    assert_true(run_read(&run, "on") == 0.0);
    run_to(&run, 0.28);
    assert_true(run_read(&run, "on") == 1.0);
    run_close(&run);
}

#define FED                                                                                                  \
    "graphs:\n"                                                                                              \
    "  g:\n"                                                                                                 \
    "    nodes: {v: {type: Se, value: back}, j: {type: 1}, m: {type: I, value: 0.5}, r: {type: R, value: "   \
    "2}}\n"                                                                                                  \
    "    bonds: [v -> j, j -> m, j -> r]\n"

// A circle through what is decided after the step has an order: the source falls when w has passed 0.5.
static void test_a_switch_may_close_a_circle_through_a_graph(void **state)
{
    (void)state;
    run_model run =
        text_run(&(text_case){ CART FED "signals:\n"
                                        "  back: 3 - 2.5*on\n"
                                        "  w: {type: effort, of: g, channel: j->m.f}\n"
                                        "  on: {type: switch, input: w, on: 0.5, off: 0.1}\n" PUSH,
                               BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 0.5);
    // 0.5 at t1 = -ln(2/3)/4, found within a step of 4 m/s2; then down to 0.25
    double t1 = -log(2.0 / 3.0) / 4.0, w = 0.25 + 0.25 * exp(-4.0 * (0.5 - t1));
    run_expect("a circle through a switch", fabs(run_read(&run, "w") - w), 4e-3);
    run_close(&run);
}

static void expect_refused(const char *sections, const char *words)
{
    bi_report report = { 0 };
    bi_model *model = text_read(sections, &report);
    assert_true(report.errors == 0);
    bi_options options = { .dt = 1e-3 };
    bi_system *system = bi_compile(model, &options, &report);
    assert_null(system);
    assert_int_equal(report.errors, 1);
    if (!strstr(report.issue[0].what, words)) {
        fail_msg("'%s' lacks '%s'", report.issue[0].what, words);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static void test_a_circle_without_memory_is_told_by_its_names(void **state)
{
    (void)state;
    expect_refused(CART FED "signals:\n  w: {type: effort, of: g, channel: j->m.f}\n  back: 3 - w\n" WATCH,
                   "back -> w -> g -> back");
    run_model run =
        text_run(&(text_case){ CART FED "signals:\n"
                                        "  w: {type: effort, of: g, channel: j->m.f, late: true}\n"
                                        "  back: 3 - w\n" WATCH,
                               BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 3.0);
    run_expect("late, it settles at 3/(2 + 1)", fabs(run_read(&run, "w") - 1.0), 1e-5);
    run_close(&run);
}

static void test_a_guide_may_not_read_a_graph_in_the_step(void **state)
{
    (void)state;
    text_expect_mistake(CART ROTOR "signals:\n  w: {type: effort, of: g, channel: m.p}\n" WATCH
                                   "constraints: {lead: {type: guide, joint: rail, value: w}}\n",
                        "but no joint");
}

// A graph behind a graph: the second is fed by what the first tells, both in the step.
static void test_a_graph_reads_another_through_a_signal(void **state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        run_model run = text_run(
            &(text_case){ CART ROTOR "  second:\n"
                                     "    nodes: {v: {type: Se, value: 3*w}, j: {type: 1}, m: {type: I, "
                                     "value: 1}, r: {type: R, value: 1}}\n"
                                     "    bonds: [v -> j, j -> m, j -> r]\n"
                                     "signals:\n"
                                     "  on: {type: effort, of: second, channel: m.p}\n"
                                     "  w: {type: effort, of: g, channel: j->m.f}\n",
                          BI_NATURAL, BI_ALI3P, k ? 1e-2 : 2e-2 });
        run_to(&run, 1.0);
        // p' = 4.5 (1 - exp(-4 t)) - p
        double p = 4.5 * (1.0 - exp(-1.0)) + 1.5 * (exp(-4.0) - exp(-1.0));
        error[k] = fabs(run_read(&run, "on") - p);
        run_close(&run);
    }
    run_expect("one graph behind another", error[1], 2e-4);
    run_expect_order_two("one graph behind another", error[0], error[1]);
}

// f = (0.45, 0.1) solves R f = e with e = N^-T (1, 2) = (1, 0.75).
static void test_components_between_two_matrices_have_names(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){ "graphs:\n"
                                           "  g:\n"
                                           "    nodes:\n"
                                           "      s: {type: Se, size: 2, value: [1, 2]}\n"
                                           "      t: {type: TF, value: [[1, 0.5], [0, 2]]}\n"
                                           "      r: {type: R, value: [[2, 1], [1, 3]]}\n"
                                           "    bonds: [s -> t, t -> r]\n"
                                           "signals: {second: {type: effort, of: g, channel: t->r#2.e}}\n"
                                           "outputs: {g: {graph: g}, second: second}\n",
                                           BI_NATURAL, BI_ALI3P, 1e-2 });
    run_to(&run, 0.1);
    run_expect("first component", fabs(run_read(&run, "g.t->r#1.f") - 0.45), 1e-12);
    run_expect("second component", fabs(run_read(&run, "g.t->r#2.f") - 0.1), 1e-12);
    run_expect("read by a signal", fabs(run_read(&run, "second") - 0.75), 1e-12);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_force_reads_a_graph_without_delay),
        cmocka_unit_test(test_all_that_a_graph_tells_is_of_the_instant),
        cmocka_unit_test(test_damping_through_a_graph_is_damping),
        cmocka_unit_test(test_a_switch_sees_the_graph_at_the_end_of_the_step),
        cmocka_unit_test(test_a_switch_may_close_a_circle_through_a_graph),
        cmocka_unit_test(test_a_circle_without_memory_is_told_by_its_names),
        cmocka_unit_test(test_a_guide_may_not_read_a_graph_in_the_step),
        cmocka_unit_test(test_a_graph_reads_another_through_a_signal),
        cmocka_unit_test(test_components_between_two_matrices_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
