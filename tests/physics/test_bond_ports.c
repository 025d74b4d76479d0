// SPDX-License-Identifier: MIT
// Graphs on bodies in both formulations: a force, a torque, a cylinder between two points, a joint and a wheel's spin; each against a closed
// form or another law, with equal power on both sides of the port.
#include "support/text_model.h"

static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };

static run_model start(const char *text, bi_coordinates coordinates, double dt)
{
    return text_run(&(text_case){ .text = text, .coordinates = coordinates, .dt = dt });
}

// A mass of the graph behind a spring drags a free body: two masses and a spring.
static void a_force_on_a_body_is_the_other_end_of_a_spring(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = start("gravity: [0, 0, 0]\n"
                              "bodies: {sledge: {mass: 3, inertia: [0.1, 0.1, 0.1]}}\n"
                              "joints: {free: {type: free, bodies: [ground, sledge]}}\n"
                              "graphs:\n"
                              "  g:\n"
                              "    nodes:\n"
                              "      m: {type: I, value: 1, initial: 8}\n"
                              "      v: {type: 1}\n"
                              "      z: {type: 0}\n"
                              "      k: {type: C, value: 1/12}\n"
                              "      P: {type: port, force: {body: sledge}, axis: [1, 0, 0]}\n"
                              "    bonds: [v -> m, v -> z, z -> k, z -> P]\n"
                              "outputs: {g: {graph: g}, s: {body: sledge}}\n",
                              both[c], 1e-3);
        run_to(&run, 2.0);
        // together at 2 m/s; against each other with w = sqrt(12 (1 + 1/3)) = 4 and 8 m/s at first
        double x = 2.0 * 2.0 - 0.25 * 8.0 / 4.0 * sin(8.0), v = 2.0 - 0.25 * 8.0 * cos(8.0);
        // the trapezoidal rule turns 4 rad/s slower by (w h)^2/12
        run_expect("force port, place", fabs(run_read(&run, "s.x") - x), 1e-4);
        run_expect("force port, speed", fabs(run_read(&run, "s.vx") - v), 1e-4);
        run_expect("force port, flow", fabs(run_read(&run, "g.z->P.f") - run_read(&run, "s.vx")), 1e-12);
        run_close(&run);
    }
}

// A reaction wheel of the graph against a body: what one gains the other loses.
static void a_torque_on_a_body_shares_the_angular_momentum(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = start("gravity: [0, 0, 0]\n"
                              "bodies: {probe: {mass: 3, inertia: [2, 2, 2]}}\n"
                              "joints: {free: {type: free, bodies: [ground, probe]}}\n"
                              "graphs:\n"
                              "  g:\n"
                              "    nodes:\n"
                              "      J: {type: I, value: 0.5, initial: 5}\n"
                              "      w: {type: 1}\n"
                              "      z: {type: 0}\n"
                              "      c: {type: R, value: 0.8}\n"
                              "      P: {type: port, torque: probe, axis: [0, 3, 4]}\n"
                              "    bonds: [w -> J, w -> z, z -> c, z -> P]\n"
                              "outputs: {g: {graph: g}, s: {body: probe}}\n",
                              both[c], 1e-3);
        run_to(&run, 1.0);
        // relative speed 10 exp(-0.8 (1/0.5 + 1/2) t); the probe takes 5 - 0.5 w
        double apart = 10.0 * exp(-2.0), w = (5.0 - 0.5 * apart) / 2.5;
        run_expect("torque port, about y", fabs(run_read(&run, "s.wy") - 0.6 * w), 1e-5);
        run_expect("torque port, about z", fabs(run_read(&run, "s.wz") - 0.8 * w), 1e-5);
        run_expect("torque port, momentum", fabs(run_read(&run, "g.J.p") + 2.0 * w - 5.0), 1e-5);
        run_close(&run);
    }
}

// All axes of a point at once: a damper of the graph as the bushing's own.
static void three_components_act_along_the_axes_of_the_body(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = start("gravity: [0, 0, -9.81]\n"
                              "bodies: {block: {mass: 2, inertia: [0.3, 0.2, 0.1], turn: [{z: 30 deg}]}}\n"
                              "joints: {free: {type: free, bodies: [ground, block]}}\n"
                              "graphs:\n"
                              "  g:\n"
                              "    nodes:\n"
                              "      c: {type: R, size: 3, value: [4, 6, 8]}\n"
                              "      P: {type: port, size: 3, force: {body: block}}\n"
                              "    bonds: [P -> c]\n"
                              "outputs: {g: {graph: g}, s: {body: block}}\n",
                              both[c], 1e-3);
        run_to(&run, 1.5);
        // falls along its own z against 8 N s/m
        double v = -2.0 * 9.81 / 8.0 * (1.0 - exp(-8.0 / 2.0 * 1.5));
        run_expect("three components", fabs(run_read(&run, "s.vz") - v), 1e-5);
        run_close(&run);
    }
}

static const char *const crane =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {boom: {mass: 100, com: [2, 0, 0], inertia: [5, 140, 140]}}\n"
    "joints: {foot: {type: revolute, bodies: [ground, boom], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
    "graphs:\n"
    "  g:\n"
    "    nodes:\n"
    "      pump: {type: Sf, value: 1e-4}\n"
    "      z: {type: 0}\n"
    "      oil: {type: C, value: 1e-12, initial: 1e-12*2e6}\n"
    "      leak: {type: R, value: 1e12}\n"
    "      piston: {type: TF, value: 1/2e-3}\n"
    "      rod: {type: 1}\n"
    "      seal: {type: R, value: 4e3}\n"
    "      P: {type: port, between: [{body: ground, at: [0.3, 0, -1]}, {body: boom, at: [1, 0, 0]}]}\n"
    "    bonds: [pump -> z, z -> oil, z -> leak, z -> piston -> rod, rod -> seal, rod -> P]\n"
    "outputs: {g: {graph: g}, foot: {joint: foot}}\n";

static double length(run_model *run)
{
    double a = run_read(run, "foot.angle");
    return hypot(cos(a) - 0.3, 1.0 - sin(a));
}

static void a_cylinder_between_points_moves_as_its_oil_says(void **state)
{
    (void)state;
    double end[2];
    for (int c = 0; c < 2; c++) {
        run_model run = start(crane, both[c], 1e-3);
        run_to(&run, 1.0);
        double before = length(&run), oil = run_read(&run, "g.oil.q");
        double leaked = 0.0, from = run_now(&run);
        while (run_now(&run) < 3.0 - 1e-9) {
            double p = run_read(&run, "g.z->oil.e");
            run_step(&run);
            leaked += 0.5e-3 * (p + run_read(&run, "g.z->oil.e")) * 1e-12;
        }
        // what the pump gave is in the cylinder, in the oil that is pressed together, or lost
        double given = 1e-4 * (run_now(&run) - from), taken = 2e-3 * (length(&run) - before);
        run_expect("cylinder, oil", fabs(given - taken - leaked - (run_read(&run, "g.oil.q") - oil)) / given,
                   1e-6);
        // power of the port is that of the joint: the boom gains what it gets
        double rate = run_read(&run, "foot.rate"), a = run_read(&run, "foot.angle");
        double slope = (-(cos(a) - 0.3) * sin(a) - (1.0 - sin(a)) * cos(a)) / length(&run);
        run_expect("cylinder, flow of the port", fabs(run_read(&run, "g.rod->P.f") - slope * rate), 1e-9);
        end[c] = a;
        run_close(&run);
    }
    run_expect("cylinder, both formulations", fabs(end[0] - end[1]), 1e-6);
}

// The work of the ports and of gravity is the energy of the bodies.
static void power_of_a_port_is_the_power_on_the_bodies(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = start(crane, both[c], 2e-4);
        run_to(&run, 0.5);
        double w0 = run_read(&run, "foot.rate"), a0 = run_read(&run, "foot.angle"),
               work = run_read(&run, "g.rod->P.energy");
        run_to(&run, 1.5);
        double w1 = run_read(&run, "foot.rate"), a1 = run_read(&run, "foot.angle");
        // 540 kg m2 about the foot; the weight falls by 2 m sin(a) with the angle about y
        double gained = 0.5 * 540.0 * (w1 * w1 - w0 * w0) - 100.0 * 9.81 * 2.0 * (sin(a1) - sin(a0));
        double given = run_read(&run, "g.rod->P.energy") - work;
        run_expect("port, work", fabs(given - gained) / fabs(given), 1e-5);
        run_close(&run);
    }
}

// The same resistor on the spin of a wheel as a port of the joint and as a torque of the axle.
static void a_wheel_is_braked_the_same_by_joint_and_by_body(void **state)
{
    (void)state;
    static const char *const port[] = { "joint: axle", "torque: wheel, axis: [0, 1, 0]" };
    double end[4];
    for (int k = 0; k < 4; k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, 0]\n"
                 "bodies: {wheel: {mass: 10, inertia: [0.3, 0.5, 0.3], spin: [0, 20, 0]}}\n"
                 "joints: {axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
                 "graphs: {g: {nodes: {R: {type: R, effort: 2*f + 3*tanh(f)}, P: {type: port, %s}}, bonds: "
                 "[P -> R]}}\n"
                 "outputs: {axle: {joint: axle}}\n",
                 port[k / 2]);
        run_model run = start(text, both[k % 2], 1e-3);
        run_to(&run, 0.3);
        end[k] = run_read(&run, "axle.rate");
        run_close(&run);
    }
    for (int k = 0; k < 2; k++) {
        // in natural coordinates the angle is a variable of its own: as near as the step is
        run_expect("wheel, joint and body", fabs(end[k + 2] / end[k] - 1.0), 1e-6);
    }
    // 0.5 w' = -2 w - 3 while it is fast: w = (20 + 1.5) exp(-4 t) - 1.5
    for (int k = 0; k < 2; k++) {
        run_expect("wheel, closed form", fabs(end[k] - (21.5 * exp(-1.2) - 1.5)), 1e-3);
    }
}

static void mistakes_in_ports_are_named(void **state)
{
    (void)state;
    char text[600];
    static const struct {
        const char *port, *message;
    } item[] = {
        { "{type: port}", "a port needs one of 'joint'" },
        { "{type: port, joint: axle, torque: wheel}", "a port needs one of 'joint'" },
        { "{type: port, joint: nobody}", "a port needs a joint here" },
        { "{type: port, between: [{body: wheel}]}", "a port needs two points here" },
        { "{type: port, between: {body: wheel}}", "two points such as" },
        { "{type: port, force: {body: wheel}}", "needs 'axis' in axes of the body, or 'size: 3'" },
        { "{type: port, torque: nobody, axis: [0, 0, 1]}", "there is no body" },
        { "{type: port, force: {body: wheel}, axis: [0, 0, 0]}", "has a port that needs an axis" },
        { "{type: port, joint: axle, axis: [0, 0, 1]}", "'axis' is for 'force' and 'torque'" },
    };
    for (size_t k = 0; k < sizeof item / sizeof *item; k++) {
        snprintf(text, sizeof text,
                 "bodies: {wheel: {mass: 10, inertia: [0.3, 0.5, 0.3]}}\n"
                 "joints: {axle: {type: revolute, bodies: [ground, wheel], axis: [0, 1, 0]}}\n"
                 "graphs: {g: {nodes: {R: {type: R, value: 1}, P: %s}, bonds: [P -> R]}}\n",
                 item[k].port);
        text_expect_mistake(text, item[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_on_a_body_is_the_other_end_of_a_spring),
        cmocka_unit_test(a_torque_on_a_body_shares_the_angular_momentum),
        cmocka_unit_test(three_components_act_along_the_axes_of_the_body),
        cmocka_unit_test(a_cylinder_between_points_moves_as_its_oil_says),
        cmocka_unit_test(power_of_a_port_is_the_power_on_the_bodies),
        cmocka_unit_test(a_wheel_is_braked_the_same_by_joint_and_by_body),
        cmocka_unit_test(mistakes_in_ports_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
