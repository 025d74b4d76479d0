// SPDX-License-Identifier: MIT
// A wheel that lies over edges: on a plane it is the tyre that it was, over a kerb and a hole its force has no jump and its
// springs give back what they took, in both formulations.
#include "support/text_model.h"

static const char sections[] =
    "parameters: {v: 3, h: %g}\n"
    "bodies:\n"
    "  sledge: {mass: 1000, inertia: [1, 1, 1], at: [0, 0, 0.29], velocity: [v, 0, 0]}\n"
    "  hub: {mass: 250, inertia: [1, 1, 1], at: [0, 0, 0.2878], velocity: [v, 0, 0]}\n"
    "joints:\n"
    "  travel: {type: prismatic, bodies: [ground, sledge], at: [0, 0, 0.29], axis: [1, 0, 0]}\n"
    "  strut: {type: prismatic, bodies: [sledge, hub], at_a: [0, 0, 0], at_b: [0, 0, 0], axis_a: [0, 0, 1], "
    "axis_b: [0, 0, 1]}\n"
    "forces:\n"
    "  tyre: {type: tyre-linear, body: hub, surface: \"h/2*(tanh((x - 0.8)/0.004) - tanh((x - "
    "1.4)/0.004))\", enveloping: true,\n"
    "         radius: 0.3, stiffness: 2e5, friction: 1e-9, critical_slip: 0.1, stiffness_x: 1e5, damping_x: "
    "100, stiffness_y: 1e5, damping_y: 100}\n"
    "outputs:\n"
    "  tyre: {tyre: tyre}\n"
    "  hub: {body: hub}\n"
    "  e: {energy: total}\n";

typedef struct {
    double energy, jump, most,
        end; // J: highest less lowest; N: between two steps, largest; m/s: speed at the end
} crossing;

static crossing cross(double height, double dt, bi_coordinates coordinates)
{
    char text[2000];
    crossing c = { 0 };
    snprintf(text, sizeof text, sections, height);
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, dt });
    double before = run_read(&run, "tyre.fz"), low = run_read(&run, "e"), high = low;
    for (int k = 1; k * dt < 0.7; k++) {
        run_to(&run, k * dt);
        double force = run_read(&run, "tyre.fz"), energy = run_read(&run, "e");
        c.jump = fmax(c.jump, fabs(force - before));
        c.most = fmax(c.most, force);
        low = fmin(low, energy);
        high = fmax(high, energy);
        before = force;
    }
    c.energy = high - low;
    c.end = run_read(&run, "hub.vx");
    run_close(&run);
    return c;
}

static void check_edge(double height, const char *name)
{
    char text[64];
    crossing joint = cross(height, 2e-4, BI_JOINT), natural = cross(height, 2e-4, BI_NATURAL),
             fine = cross(height, 1e-4, BI_JOINT);
    // the springs take some hundred J; a scheme of second order loses a quarter with half the step
    snprintf(text, sizeof text, "enveloping %s energy", name);
    run_expect(text, joint.energy, 0.2);
    snprintf(text, sizeof text, "enveloping %s energy, half the step", name);
    run_expect(text, fine.energy, 0.4 * joint.energy + 1e-3);
    // a continuous force changes half as much in half the step
    snprintf(text, sizeof text, "enveloping %s jump, half the step", name);
    run_expect(text, fine.jump / joint.jump, 0.7);
    snprintf(text, sizeof text, "enveloping %s formulations", name);
    run_expect(text, fabs(joint.most - natural.most) / joint.most + fabs(joint.end - natural.end), 1e-6);
    assert_true(joint.most > 5000.0);
}

static void test_a_wheel_crosses_a_kerb_without_a_jump_or_a_loss(void **state)
{
    (void)state;
    check_edge(0.06, "kerb");
}

static void test_a_wheel_crosses_a_hole_without_a_jump_or_a_loss(void **state)
{
    (void)state;
    check_edge(-0.08, "hole");
}

static void test_on_a_plane_it_is_the_tyre_that_it_was(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, sections, 1e-9);
    run_model run = text_run(&(text_case){ text, BI_JOINT, BI_ALI3P, 1e-3 });
    // 0.3 - 0.2878 m deep
    run_expect("enveloping plane depth", fabs(run_read(&run, "tyre.depth") / 0.0122 - 1.0), 2e-3);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wheel_crosses_a_kerb_without_a_jump_or_a_loss),
        cmocka_unit_test(test_a_wheel_crosses_a_hole_without_a_jump_or_a_loss),
        cmocka_unit_test(test_on_a_plane_it_is_the_tyre_that_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
