// SPDX-License-Identifier: MIT
// Drives of the library against closed forms: locked differential, motor with battery, hydrostat with two motors, governed engine; what
// goes in comes out or is lost where it should be.
#include "support/text_model.h"

#define LIBRARY "../../models/library/driveline.yaml"

static run_model start(const char *text, double dt, double time)
{
    run_model run = text_run(&(text_case){ .text = text, .dt = dt });
    run_to(&run, time);
    return run;
}

static run_model axle(const char *capacity, double time)
{
    char text[1024];
    snprintf(text, sizeof text,
             "inputs: {capacity: {initial: %s}}\n"
             "graphs:\n"
             "  g:\n"
             "    parts:\n"
             "      d: {file: " LIBRARY ", graph: lockable, set: {ratio: 4}, bind: {capacity: "
             "capacity}}\n"
             "    nodes:\n"
             "      T: {type: Se, value: 10}\n"
             "      J: {type: I, value: 2}\n"
             "      K: {type: I, value: 6}\n"
             "    bonds: [T -> d.shaft, d.left -> J, d.right -> K]\n"
             "outputs: {g: {graph: g}}\n",
             capacity);
    return start(text, 1e-3, time);
}

static void a_locked_axle_turns_as_one_and_an_open_one_does_not(void **state)
{
    (void)state;
    // locked: 40 N m on 8 kg m2; the plates carry 20 - 6*5 = -10 N m of 100
    run_model run = axle("100", 1.0);
    double left = run_read(&run, "g.d.left->J.f"), right = run_read(&run, "g.d.right->K.f");
    run_expect("locked, mean", fabs((2.0 * left + 6.0 * right) / 8.0 - 5.0), 1e-9);
    run_expect("locked, speed across", fabs(left - right), 1e-12);
    run_close(&run);
    // open: 20 N m on each
    run = axle("0", 1.0);
    run_expect("open, left", fabs(run_read(&run, "g.d.left->J.f") - 10.0), 1e-9);
    run_expect("open, right", fabs(run_read(&run, "g.d.right->K.f") - 20.0 / 6.0), 1e-9);
    run_close(&run);
    // between: plates that slip carry 4 N m: 16 and 24
    run = axle("4", 1.0);
    run_expect("slipping, left", fabs(run_read(&run, "g.d.left->J.f") - 8.0), 1e-9);
    run_expect("slipping, right", fabs(run_read(&run, "g.d.right->K.f") - 4.0), 1e-9);
    run_close(&run);
}

static const char *const car =
    "inputs: {duty: {initial: 0.5}}\n"
    "graphs:\n"
    "  g:\n"
    "    parts:\n"
    "      b: {file: " LIBRARY
    ", graph: battery, set: {charge: 3600, full: 48, empty: 48, resistance: 0.05}}\n"
    "      m: {file: " LIBRARY ", graph: dc_motor, set: {R: 0.1, L: 1e-3, k: 0.2, J: 0.02, friction: 1e-3}, "
    "bind: {duty: duty}}\n"
    "    nodes:\n"
    "      load: {type: R, value: 0.03}\n"
    "    bonds: [b.out -> m.supply, m.shaft -> load]\n"
    "outputs: {g: {graph: g}}\n";

static void a_motor_on_a_battery_settles_where_its_equations_say(void **state)
{
    (void)state;
    run_model run = start(car, 1e-3, 6.0);
    // duty U - (R + duty^2 r) i = k w, k i = b w, with U = 48 V, the charge does not matter here
    double b = 0.031, R = 0.1 + 0.25 * 0.05, w = 0.5 * 48.0 / (0.2 + R * b / 0.2), i = b * w / 0.2;
    run_expect("motor, speed", fabs(run_read(&run, "g.m.shaft->load.f") / w - 1.0), 1e-8);
    run_expect("motor, current of the coil", fabs(run_read(&run, "g.m.coil->m.heat.f") / i - 1.0), 1e-8);
    run_expect("motor, current of the battery", fabs(run_read(&run, "g.b.cells->b.out.f") / (0.5 * i) - 1.0),
               1e-8);
    run_close(&run);
}

static double energy(run_model *run, const char *bond)
{
    char name[120];
    snprintf(name, sizeof name, "g.%s.energy", bond);
    return run_read(run, name);
}

static void what_the_battery_gives_is_stored_lost_or_delivered(void **state)
{
    (void)state;
    run_model run = start(car, 1e-3, 1.5);
    double given = energy(&run, "b.cells->b.out");
    double rest = energy(&run, "b.out->b.inside") + energy(&run, "m.coil->m.wire") +
                  energy(&run, "m.coil->m.heat") + energy(&run, "m.shaft->m.rotor") +
                  energy(&run, "m.shaft->m.bearing") + energy(&run, "m.shaft->load");
    run_expect("motor, energy", fabs(given - rest) / given, 1e-12);
    // the charge that is left is what the current took, and the energy is 48 V of it
    run_expect("battery, charge", fabs((3600.0 - run_read(&run, "g.b.cells.q")) * 48.0 / given - 1.0), 1e-10);
    // energy on the wire is L i^2/2
    double i = run_read(&run, "g.m.coil->m.wire.f"), w = run_read(&run, "g.m.shaft->m.rotor.f");
    run_expect("motor, stored", fabs(energy(&run, "m.coil->m.wire") - 0.5e-3 * i * i) / given, 1e-4);
    run_expect("motor, rotor", fabs(energy(&run, "m.shaft->m.rotor") - 0.01 * w * w) / given, 1e-4);
    run_close(&run);
}

static void a_battery_loses_voltage_with_its_charge(void **state)
{
    (void)state;
    run_model run =
        start("graphs:\n"
              "  g:\n"
              "    parts:\n"
              "      b: {file: " LIBRARY ", graph: battery, set: {charge: 100, full: 50, empty: 40, "
              "resistance: 0.5}}\n"
              "    nodes: {load: {type: R, value: 4.5}}\n"
              "    bonds: [b.out -> load]\n"
              "outputs: {g: {graph: g}}\n",
              1e-2, 20.0);
    // (40 + 0.1 q)/5 = -q': q + 400 = 500 exp(-t/50), less the error of the rule
    run_expect("battery, discharge",
               fabs((run_read(&run, "g.b.cells.q") + 400.0) / (500.0 * exp(-20.0 / 50.0)) - 1.0), 1e-8);
    run_close(&run);
}

static const char *const truck =
    "inputs: {displacement: {initial: 0.5}}\n"
    "graphs:\n"
    "  g:\n"
    "    parts:\n"
    "      h: {file: " LIBRARY
    ", graph: hydrostat_two, set: {pump: 1e-5, motor: 2e-5, leak: 1e-12, relief: 2e7, "
    "open: 1e-9}, bind: {displacement: displacement}}\n"
    "      e: {file: " LIBRARY
    ", graph: governed, set: {torque: 190, speed: 230, droop: 10, friction: 0.05}}\n"
    "    nodes:\n"
    "      left: {type: 1}\n"
    "      Jl: {type: I, value: 0.2}\n"
    "      bl: {type: R, value: 1}\n"
    "      right: {type: 1}\n"
    "      Jr: {type: I, value: 0.2}\n"
    "      br: {type: R, value: 3}\n"
    "    bonds: [e.shaft -> h.in, h.left -> left, left -> Jl, left -> bl, h.right -> right, right -> Jr, "
    "right -> br]\n"
    "outputs: {g: {graph: g}}\n";

static void two_motors_share_pressure_and_divide_the_flow(void **state)
{
    (void)state;
    run_model run = start(truck, 1e-3, 6.0);
    double p = run_read(&run, "g.h.line->h.oil.e"), left = run_read(&run, "g.left->bl.f"),
           right = run_read(&run, "g.right->br.f"), engine = run_read(&run, "g.e.shaft->h.in.f");
    // p D = b w on each side; D (wl + wr) + leak p = 0.5 pump w; governor against pump and friction
    run_expect("two motors, left", fabs(left / (p * 2e-5) - 1.0), 1e-6);
    run_expect("two motors, right", fabs(right / (p * 2e-5 / 3.0) - 1.0), 1e-6);
    run_expect("two motors, flow", fabs((2e-5 * (left + right) + 1e-12 * p) / (0.5e-5 * engine) - 1.0), 1e-6);
    run_expect("governor", fabs(190.0 * (230.0 - engine) / 10.0 - 0.5e-5 * p - 0.05 * engine), 1e-4);
    run_close(&run);
}

static void two_motors_that_are_held_stall_at_the_relief_pressure(void **state)
{
    (void)state;
    run_model run =
        start("inputs: {displacement: {initial: 1}}\n"
              "graphs:\n"
              "  g:\n"
              "    parts:\n"
              "      h: {file: " LIBRARY ", graph: hydrostat_two, set: {relief: 2e7, open: 1e-9, leak: "
              "1e-12}, bind: {displacement: displacement}}\n"
              "    nodes:\n"
              "      engine: {type: Sf, value: 100}\n"
              "      a: {type: Sf, value: 0}\n"
              "      b: {type: Sf, value: 0}\n"
              "    bonds: [engine -> h.in, h.left -> a, h.right -> b]\n"
              "outputs: {g: {graph: g}}\n",
              1e-4, 1.0);
    double p = (1e-5 * 100.0 + 1e-9 * 2e7) / (1e-12 + 1e-9);
    run_expect("relief valve, pressure", fabs(run_read(&run, "g.h.line->h.oil.e") / p - 1.0), 1e-9);
    // all of the power is heat in the valve and the leak
    double in = run_read(&run, "g.engine->h.in.power"),
           heat = run_read(&run, "g.h.line->h.valve.power") + run_read(&run, "g.h.line->h.leakage.power");
    run_expect("relief valve, power", fabs(heat / in - 1.0), 1e-9);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_locked_axle_turns_as_one_and_an_open_one_does_not),
        cmocka_unit_test(a_motor_on_a_battery_settles_where_its_equations_say),
        cmocka_unit_test(what_the_battery_gives_is_stored_lost_or_delivered),
        cmocka_unit_test(a_battery_loses_voltage_with_its_charge),
        cmocka_unit_test(two_motors_share_pressure_and_divide_the_flow),
        cmocka_unit_test(two_motors_that_are_held_stall_at_the_relief_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
