// SPDX-License-Identifier: MIT
// Bodies that turn while they touch, against closed forms and an independent integration of rigid ones: boxes that tip
// over an edge, or rock from edge to edge, a thin disc that spins and rolls on its rim, balls with spin that bounce.
//
// tests/reference/data/tipping.csv: a box that turns about its lower edge as about a hinge, until its face lands, to 1e-13.
// rocking.csv: one that rocks from edge to edge, without slip and bounce (Housner). disc.csv: a disc without thickness that rolls without slipping, to 1e-10. Compliant here: the edge lies deeper by the
// give of the contact.
#include "support/text_model.h"

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

static void keep_worst(double *worst, double error) { *worst = error <= *worst ? *worst : error; }

// ---- boxes -----------------------------------------------------------------------------------------------------

// 2 kg; the edge is at the origin, and rough enough not to slip.
static run_model box(double width, double height, double angle, double omega, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(
        text, sizeof text,
        "parameters: {w: %.17g, h: %.17g, a: %.17g, o: %.17g, x: h/2*sin(a) - w/2*cos(a), z: h/2*cos(a) + "
        "w/2*sin(a)}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {box: {mass: 2, inertia: {box: [w, 0.2, h]}, at: [x, 0, z - 2e-5], turn: {y: a}, spin: "
        "[0, o, 0], velocity: [o*z, 0, -o*x]}}\n"
        "shapes: {floor: {type: plane}, box: {type: box, body: box, size: [w, 0.2, h]}}\n"
        "forces: {edge: {type: contact, a: box, b: floor, stiffness: 5e5, damping: 1000, friction: 20}}\n"
        "outputs: {box: {body: box}}\n",
        width, height, angle, omega);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 2e-4 });
}

static void test_boxes_tip_over_their_edge_as_over_a_hinge(void **state)
{
    (void)state;
    bi_table data = run_data("tipping.csv");
    const double *of = run_reference_column(&data, "case"), *t = run_reference_column(&data, "t"),
                 *angle = run_reference_column(&data, "angle"), *omega = run_reference_column(&data, "omega");
    double worst[2] = { 0 };
    for (int first = 0, k = 0; first < data.rows; first = k) {
        run_model run = box(data.value[1][first], data.value[2][first], angle[first], omega[first],
                            by_turns((int)of[first]));
        for (; k < data.rows && of[k] == of[first]; k++) {
            run_to(&run, t[k]);
            double now = 2.0 * asin(run_read(&run, "box.qy"));
            keep_worst(&worst[0], fabs(now - angle[k]));
            keep_worst(&worst[1], fabs(run_read(&run, "box.wy") - omega[k]));
        }
        run_close(&run);
    }
    // the give of the edge, 2e-5 m, and beside the balance an error grows as exp(4 t)
    run_expect("tipping: angle, rad", worst[0], 2e-3);
    run_expect("tipping: spin, rad/s", worst[1], 1e-2);
    bi_table_clear(&data);
}

// Housner's box: from 0.6 of its angle of balance it rocks from edge to edge; each change takes 1 - 1.5 sin^2(alpha) of
// the spin. Both edges are damped so that they do not bounce.
static run_model rocking_box(double width, double height, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(text, sizeof text,
             "parameters: {w: %.17g, h: %.17g, a: 0.6*atan(w/h), x: h/2*sin(a) - w/2*cos(a), z: h/2*cos(a) + "
             "w/2*sin(a)}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies: {box: {mass: 2, inertia: {box: [w, 0.2, h]}, at: [x, 0, z], turn: {y: a}}}\n"
             "shapes: {floor: {type: plane}, box: {type: box, body: box, size: [w, 0.2, h]}}\n"
             "forces: {edge: {type: contact, a: box, b: floor, stiffness: 1e7, damping: 6000, friction: 5, "
             "stick_time: 0.5 ms}}\n"
             "outputs: {box: {body: box}}\n",
             width, height);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-4 });
}

static void test_box_rocks_from_edge_to_edge(void **state)
{
    (void)state;
    bi_table data = run_data("rocking.csv");
    const double *width = run_reference_column(&data, "width"), *t = run_reference_column(&data, "t_impact"),
                 *height = run_reference_column(&data, "height"),
                 *after = run_reference_column(&data, "omega_after");
    double worst = 0.0;
    for (int first = 0, k = 0; first < data.rows; first = k) {
        run_model run = rocking_box(width[first], height[first], by_turns(first / 8));
        double sign = 1.0;
        for (; k < data.rows && width[k] == width[first] && height[k] == height[first]; k++) {
            while (sign * run_read(&run, "box.qy") > 0.0 && run_now(&run) < t[k] + 0.2) {
                run_step(&run);
            }
            // slower ones are smaller than the give of the edges
            keep_worst(&worst, after[k] > 0.05 ? fabs(run_now(&run) - t[k]) : 0.0);
            sign = -sign;
        }
        run_close(&run);
    }
    // 20 times from edge to edge; a change lasts as long as an edge is hit, a millisecond
    run_expect("rocking: times of changing the edge, s", worst, 4e-3);
    bi_table_clear(&data);
}

// ---- Euler's disc ----------------------------------------------------------------------------------------------

// 0.4 kg, R = 37.5 mm. A cylinder all of whose thickness lies above the plane of the disc: its lower rim is that of a
// disc without thickness.
static run_model disc(const bi_table *data, int k, bi_coordinates coordinates)
{
    char text[2000];
    double angle = 2.0 * atan2(data->value[3][k], data->value[2][k]);
    snprintf(
        text, sizeof text,
        "parameters: {R: 0.0375, m: 0.4, a: %.17g, p: %.17g, q: %.17g, r: %.17g, wy: q*cos(a) - r*sin(a), "
        "wz: q*sin(a) + r*cos(a), k: 1e6, thick: 2 mm}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {disc: {mass: m, inertia: [m*R*R/4, m*R*R/4, m*R*R/2], at: [0, 0, R*sin(a) - m*9.81/k], "
        "turn: {x: a}, spin: [p, wy, wz], velocity: [wy*R*sin(a) - wz*R*cos(a), -p*R*sin(a), "
        "p*R*cos(a)]}}\n"
        "shapes: {floor: {type: plane}, disc: {type: cylinder, body: disc, radius: R, length: thick, at: [0, "
        "0, thick/2]}}\n"
        "forces: {rim: {type: contact, a: disc, b: floor, stiffness: k, damping: 300, friction: 2, "
        "stick_time: 0.5 ms}}\n"
        "outputs: {disc: {body: disc}, rim: {contact: rim}}\n",
        angle, data->value[6][k], data->value[7][k], data->value[8][k]);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 5e-5 });
}

static void test_disc_rolls_on_its_rim(void **state)
{
    (void)state;
    bi_table data = run_data("disc.csv");
    const double *of = run_reference_column(&data, "case"), *t = run_reference_column(&data, "t"),
                 *x = run_reference_column(&data, "x"), *y = run_reference_column(&data, "y"),
                 *z = run_reference_column(&data, "z");
    double worst[3] = { 0 };
    for (int first = 0, k = 0; first < data.rows; first = k) {
        run_model run = disc(&data, first, by_turns((int)of[first]));
        for (; k < data.rows && of[k] == of[first]; k++) {
            run_to(&run, t[k]);
            double far = hypot(run_read(&run, "disc.x") - x[k], run_read(&run, "disc.y") - y[k]);
            keep_worst(&worst[(int)of[k]], far);
            keep_worst(&worst[(int)of[k]], fabs(run_read(&run, "disc.z") - z[k]));
        }
        run_close(&run);
    }
    // a place that moves with u on a body that spins with w about the normal leaves its anchor by h w u/2 in a second, to
    // the side: 1.7e-4 m/s for the first two, 2.3 rad/s and 2.9 m/s, 2e-4 m/s for the last
    run_expect("disc, steady: place, m", worst[0], 2e-4);
    run_expect("disc, perturbed: place, m", worst[1], 2e-4);
    run_expect("disc, rolling: place, m", worst[2], 4e-4);
    bi_table_clear(&data);
}

// ---- balls with spin -------------------------------------------------------------------------------------------

// A ball of 1 kg, r = 50 mm, falls 1 m: e = 0.8. x right, z up, counter-clockwise is -y.
static run_model bouncer(double speed, double spin, double mu, bi_coordinates coordinates)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies: {ball: {mass: 1, inertia: {sphere: 0.05}, at: [0, 0, 1.05], velocity: [%.17g, 0, 0], spin: "
        "[0, %.17g, 0]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.05}}\n"
        "forces: {hit: {type: contact, a: ball, b: floor, law: hertz, stiffness: 1e9, restitution: 0.8, "
        "friction: %.17g, stick_time: 1e-5}}\n"
        "outputs: {ball: {body: ball}}\n",
        speed, -spin, mu);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-5 });
}

// Seven bounces each, of which the first slip and the last roll: speeds half way to the next one.
static void test_balls_with_spin_bounce_on_and_end_rolling(void **state)
{
    (void)state;
    bi_table data = run_data("friction_spin_sequence.csv");
    double worst[2] = { 0 };
    for (int first = 0, k = 0; first < data.rows; first = k) {
        run_model run = bouncer(data.value[1][first], data.value[2][first], first == 0 ? 0.05 : 0.15,
                                by_turns(first / 7));
        for (; k < data.rows && data.value[0][k] == data.value[0][first]; k++) {
            run_to(&run, 0.5 * (data.value[3][k] + data.value[4][k]));
            keep_worst(&worst[0], fabs(run_read(&run, "ball.vx") - data.value[5][k]));
            keep_worst(&worst[1], 0.05 * fabs(run_read(&run, "ball.wy") + data.value[7][k]));
        }
        run_close(&run);
    }
    // a ball of r = 50 mm is pressed in by 0.8 mm: its lever is shorter by 1 %
    run_expect("bouncing with spin: speed, m/s", worst[0], 2e-2);
    run_expect("bouncing with spin: speed of the rim, m/s", worst[1], 4e-2);
    bi_table_clear(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_tip_over_their_edge_as_over_a_hinge),
        cmocka_unit_test(test_box_rocks_from_edge_to_edge),
        cmocka_unit_test(test_disc_rolls_on_its_rim),
        cmocka_unit_test(test_balls_with_spin_bounce_on_and_end_rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
