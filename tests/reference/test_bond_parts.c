// SPDX-License-Identifier: MIT
// Parts of the library against closed forms, and mistakes in parts.
#include "support/text_model.h"

#define LIBRARY "../../models/library/driveline.yaml"

static run_model start(const char *text, bi_coordinates coordinates, double dt, double time)
{
    run_model run = text_run(&(text_case){ .text = text, .coordinates = coordinates, .dt = dt });
    run_to(&run, time);
    return run;
}

static void a_hydrostat_turns_its_motor_as_flow_and_leakage_say(void **state)
{
    (void)state;
    run_model run =
        start("inputs: {displacement: {initial: 0.5}}\n"
              "graphs:\n"
              "  g:\n"
              "    parts:\n"
              "      h: {file: " LIBRARY ", graph: hydrostat, set: {pump: 1e-5, motor: 2e-5, leak: 1e-12}, "
              "bind: {displacement: displacement}}\n"
              "    nodes:\n"
              "      engine: {type: Sf, value: 200}\n"
              "      wheel: {type: 1}\n"
              "      J: {type: I, value: 0.2}\n"
              "      b: {type: R, value: 1.5}\n"
              "    bonds: [engine -> h.in, h.out -> wheel, wheel -> J, wheel -> b]\n"
              "outputs: {g: {graph: g}}\n",
              BI_NATURAL, 1e-3, 4.0);
    // Q = leak p + motor w, p motor = b w
    double Q = 1e-5 * 0.5 * 200.0, w = Q / (2e-5 + 1e-12 * 1.5 / 2e-5), p = 1.5 * w / 2e-5;
    // it starts with a wave that dies with exp(-3.75 t): e^-15
    run_expect("hydrostat, speed", fabs(run_read(&run, "g.wheel->b.f") / w - 1.0), 1e-5);
    run_expect("hydrostat, pressure", fabs(run_read(&run, "g.h.line->h.oil.e") / p - 1.0), 1e-5);
    run_close(&run);
}

static void a_hydrostat_whose_motor_is_held_blows_through_its_valve(void **state)
{
    (void)state;
    run_model run =
        start("inputs: {displacement: {initial: 1}}\n"
              "graphs:\n"
              "  g:\n"
              "    parts:\n"
              "      h: {file: " LIBRARY ", graph: hydrostat, set: {relief: 2e7, open: 1e-9, leak: 1e-12}, "
              "bind: {displacement: displacement}}\n"
              "    nodes:\n"
              "      engine: {type: Sf, value: 100}\n"
              "      held: {type: Sf, value: 0}\n"
              "    bonds: [engine -> h.in, h.out -> held]\n"
              "outputs: {g: {graph: g}}\n",
              BI_NATURAL, 1e-4, 1.0);
    double p = (1e-5 * 100.0 + 1e-9 * 2e7) / (1e-12 + 1e-9);
    run_expect("relief valve, pressure", fabs(run_read(&run, "g.h.line->h.oil.e") / p - 1.0), 1e-9);
    run_close(&run);
}

// The port is a joint of the multibody model, in both formulations.
static void a_cylinder_lifts_a_weight_with_the_flow_of_its_pump(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run =
            start("gravity: [0, 0, -9.81]\n"
                  "bodies: {load: {mass: 1000, inertia: [10, 10, 10]}}\n"
                  "joints: {mast: {type: prismatic, bodies: [ground, load], axis: [0, 0, 1]}}\n"
                  "graphs:\n"
                  "  g:\n"
                  "    parts:\n"
                  "      c: {file: " LIBRARY ", graph: cylinder, set: {area: 2e-3, leak: 2e-12, pressure: "
                  "1000*9.81/2e-3}}\n"
                  "    nodes:\n"
                  "      pump: {type: Sf, value: 1e-3}\n"
                  "      rod: {type: 1}\n"
                  "      seal: {type: R, value: 2e4}\n"
                  "      lift: {type: port, joint: mast}\n"
                  "    bonds: [pump -> c.oil, c.piston -> rod, rod -> seal, rod -> lift]\n"
                  "outputs: {g: {graph: g}, mast: {joint: mast}}\n",
                  k ? BI_JOINT : BI_NATURAL, 1e-3, 3.0);
        // Q = A v + leak p, p A = m g + b v
        double v = (1e-3 - 2e-12 * 9810.0 / 2e-3) / (2e-3 + 2e-12 * 2e4 / 2e-3),
               p = (9810.0 + 2e4 * v) / 2e-3;
        // the column of oil and the weight ring with 75 rad/s and die with exp(-10 t)
        run_expect("cylinder, speed", fabs(run_read(&run, "mast.rate") / v - 1.0), 1e-8);
        run_expect("cylinder, pressure", fabs(run_read(&run, "g.c.oil->c.column.e") / p - 1.0), 1e-8);
        run_close(&run);
    }
}

static void a_differential_gives_half_the_torque_to_each_side(void **state)
{
    (void)state;
    run_model run = start("graphs:\n"
                          "  g:\n"
                          "    parts:\n"
                          "      d: {file: " LIBRARY ", graph: differential, set: {ratio: 4}}\n"
                          "    nodes:\n"
                          "      T: {type: Se, value: 10}\n"
                          "      left: {type: I, value: 2}\n"
                          "      right: {type: I, value: 5}\n"
                          "    bonds: [T -> d.shaft, d.out -> left, d.out -> right]\n"
                          "outputs: {g: {graph: g}}\n",
                          BI_NATURAL, 1e-3, 1.0);
    // 20 N m on each side for a second: the trapezoidal rule is exact for constant torques
    double left = run_read(&run, "g.d.out->left.f"), right = run_read(&run, "g.d.out->right.f");
    run_expect("differential, left", fabs(left - 10.0), 1e-10);
    run_expect("differential, right", fabs(right - 4.0), 1e-10);
    // the shaft turns with the mean, times the ratio
    run_expect("differential, shaft", fabs(run_read(&run, "g.T->d.shaft.f") - 4.0 * 0.5 * (left + right)),
               1e-10);
    run_close(&run);
}

static void a_brake_stops_a_wheel_and_holds_it(void **state)
{
    (void)state;
    run_model run = start("inputs: {command: {initial: 1}}\n"
                          "graphs:\n"
                          "  g:\n"
                          "    parts:\n"
                          "      b: {file: " LIBRARY ", graph: brake, set: {torque: 100}, bind: {command: "
                          "command}}\n"
                          "    nodes:\n"
                          "      J: {type: I, value: 2, initial: 2*30}\n"
                          "      T: {type: Se, value: 50}\n"
                          "    bonds: [T -> b.shaft, b.shaft -> J]\n"
                          "outputs: {g: {graph: g}}\n",
                          BI_NATURAL, 1e-3, 1.0);
    // (100 - 50) N m on 2 kg m2: 25 rad/s2 from 30 rad/s
    run_expect("brake, slowing", fabs(run_read(&run, "g.b.shaft->J.f") - 5.0), 1e-8);
    run_to(&run, 2.0);
    run_expect("brake, holding", fabs(run_read(&run, "g.b.shaft->J.f")), 1e-12);
    run_expect("brake, what it bears", fabs(run_read(&run, "g.b.shaft->b.disc.e") - 50.0), 1e-9);
    run_close(&run);
}

static const char *part_of(const char *part, const char *bonds)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "subgraphs:\n  w: {parameters: {m: 1}, ports: [front], nodes: {front: {type: 1}, mass: {type: "
             "I, value: m}}, "
             "bonds: [front -> mass]}\n"
             "graphs: {g: {parts: {a: %s}, nodes: {F: {type: Se, value: 1}}, bonds: [%s]}}\n",
             part, bonds);
    return text;
}

static void mistakes_in_parts_are_named(void **state)
{
    (void)state;
    text_expect_mistake(part_of("{graph: v}", "F -> a.front"), "there is no sub-graph 'v'");
    text_expect_mistake(part_of("{graph: w}", "F -> a.mass"),
                        "'mass' is not among the ports of the part 'a'");
    text_expect_mistake(part_of("{graph: w, set: {k: 2}}", "F -> a.front"), "has no parameter 'k'");
    text_expect_mistake(part_of("{set: {m: 2}}", "F -> a.front"), "needs 'graph'");
    text_expect_mistake(part_of("{graph: w, file: nowhere.yaml}", "F -> a.front"), "cannot be read");
    text_expect_mistake(part_of("{graph: w}", "F -> a.nobody"), "there is no node 'a.nobody'");
    text_expect_mistake("subgraphs: {s: {parts: {s: {graph: s}}, bonds: []}}\n"
                        "graphs: {g: {parts: {a: {graph: s}}, bonds: []}}\n",
                        "deep inside each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hydrostat_turns_its_motor_as_flow_and_leakage_say),
        cmocka_unit_test(a_hydrostat_whose_motor_is_held_blows_through_its_valve),
        cmocka_unit_test(a_cylinder_lifts_a_weight_with_the_flow_of_its_pump),
        cmocka_unit_test(a_differential_gives_half_the_torque_to_each_side),
        cmocka_unit_test(a_brake_stops_a_wheel_and_holds_it),
        cmocka_unit_test(mistakes_in_parts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
