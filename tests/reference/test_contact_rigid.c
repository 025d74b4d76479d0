// SPDX-License-Identifier: MIT
// What the reference data of contact say of rigid bodies, with joints and constraints that are rigid, too: a box that tips or rocks
// about its edge as about a hinge, a thin disc that rolls without slipping. test_contact_bodies.c has the same tables with contacts, which give.
//
// tests/reference/data/tipping.csv, rocking_period.csv: to 1e-13. disc.csv: to 1e-10.
#include "support/text_model.h"

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

static void keep_worst(double *worst, double error) { *worst = error <= *worst ? *worst : error; }

// ---- boxes on a hinge ------------------------------------------------------------------------------------------

// 2 kg; the edge is at the origin.
static run_model hinged(double width, double height, double angle, double omega, bi_coordinates coordinates)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "parameters: {w: %.17g, h: %.17g, a: %.17g, o: %.17g, x: h/2*sin(a) - w/2*cos(a), z: h/2*cos(a) + "
        "w/2*sin(a)}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {box: {mass: 2, inertia: {box: [w, 0.2, h]}, at: [x, 0, z], turn: {y: a}, spin: [0, o, 0], "
        "velocity: [o*z, 0, -o*x]}}\n"
        "joints: {edge: {type: revolute, bodies: [ground, box], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
        "outputs: {box: {body: box}}\n",
        width, height, angle, omega);
    return text_run(&(text_case){ text, coordinates, BI_INDEX1_RK4, 4e-4 });
}

static double angle_of(run_model *run) { return 2.0 * asin(run_read(run, "box.qy")); }

static void test_boxes_tip_about_a_hinge(void **state)
{
    (void)state;
    bi_table data = run_data("tipping.csv");
    const double *of = run_reference_column(&data, "case"), *t = run_reference_column(&data, "t"),
                 *angle = run_reference_column(&data, "angle"), *omega = run_reference_column(&data, "omega");
    double worst[2] = { 0 };
    for (int formulation = 0; formulation < 2; formulation++) {
        for (int first = 0, k = 0; first < data.rows; first = k) {
            run_model run = hinged(data.value[1][first], data.value[2][first], angle[first], omega[first],
                                   by_turns(formulation));
            for (; k < data.rows && of[k] == of[first]; k++) {
                run_to(&run, t[k]);
                keep_worst(&worst[0], fabs(angle_of(&run) - angle[k]));
                keep_worst(&worst[1], fabs(run_read(&run, "box.wy") - omega[k]));
            }
            run_close(&run);
        }
    }
    run_expect("tipping about a hinge: angle, rad", worst[0], 1e-9);
    run_expect("tipping about a hinge: spin, rad/s", worst[1], 1e-9);
    bi_table_clear(&data);
}

// A quarter of the period of a box that rocks without loss, by an integral: from rest until it stands flat.
static void test_box_rocks_with_the_exact_period(void **state)
{
    (void)state;
    bi_table data = run_data("rocking_period.csv");
    const double *width = run_reference_column(&data, "width"),
                 *height = run_reference_column(&data, "height"),
                 *start = run_reference_column(&data, "theta0"),
                 *period = run_reference_column(&data, "period_exact_no_loss"),
                 *omega = run_reference_column(&data, "omega_before_impact");
    double worst[2] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        run_model run = hinged(width[k], height[k], start[k], 0.0, by_turns(k));
        run_to(&run, 0.25 * period[k]);
        keep_worst(&worst[0], 4.0 * fabs(angle_of(&run)) / omega[k] / period[k]);
        keep_worst(&worst[1], fabs(fabs(run_read(&run, "box.wy")) / omega[k] - 1.0));
        run_close(&run);
    }
    run_expect("rocking about a hinge: period, relative", worst[0], 1e-10);
    run_expect("rocking about a hinge: spin when flat, relative", worst[1], 1e-10);
    bi_table_clear(&data);
}

// ---- Euler's disc ----------------------------------------------------------------------------------------------

// 0.4 kg, R = 37.5 mm, its axis is z of the body.
static run_model rolling(const bi_table *data, int k, bi_coordinates coordinates)
{
    char text[1500];
    double angle = 2.0 * atan2(data->value[3][k], data->value[2][k]);
    snprintf(
        text, sizeof text,
        "parameters: {R: 0.0375, m: 0.4, a: %.17g, p: %.17g, q: %.17g, r: %.17g, wy: q*cos(a) - r*sin(a), "
        "wz: q*sin(a) + r*cos(a)}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {disc: {mass: m, inertia: [m*R*R/4, m*R*R/4, m*R*R/2], at: [0, 0, R*sin(a)], turn: {x: a}, "
        "spin: [p, wy, wz], velocity: [wy*R*sin(a) - wz*R*cos(a), -p*R*sin(a), p*R*cos(a)]}}\n"
        "constraints: {rim: {type: rolling, body: disc, radius: R, axis: [0, 0, 1]}}\n"
        "outputs: {disc: {body: disc}}\n",
        angle, data->value[6][k], data->value[7][k], data->value[8][k]);
    return text_run(&(text_case){ text, coordinates, BI_INDEX1_RK4, 2e-4 });
}

static void test_disc_rolls_by_a_constraint(void **state)
{
    (void)state;
    bi_table data = run_data("disc.csv");
    const double *of = run_reference_column(&data, "case"), *t = run_reference_column(&data, "t"),
                 *x = run_reference_column(&data, "x"), *y = run_reference_column(&data, "y"),
                 *z = run_reference_column(&data, "z");
    double worst = 0.0;
    for (int formulation = 0; formulation < 2; formulation++) {
        for (int first = 0, k = 0; first < data.rows; first = k) {
            run_model run = rolling(&data, first, by_turns(formulation));
            for (; k < data.rows && of[k] == of[first]; k++) {
                run_to(&run, t[k]);
                keep_worst(&worst, fabs(run_read(&run, "disc.x") - x[k]));
                keep_worst(&worst, fabs(run_read(&run, "disc.y") - y[k]));
                keep_worst(&worst, fabs(run_read(&run, "disc.z") - z[k]));
            }
            run_close(&run);
        }
    }
    run_expect("disc by a constraint: place, m", worst, 1e-10);
    bi_table_clear(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_tip_about_a_hinge),
        cmocka_unit_test(test_box_rocks_with_the_exact_period),
        cmocka_unit_test(test_disc_rolls_by_a_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
