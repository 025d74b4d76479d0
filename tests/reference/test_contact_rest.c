// SPDX-License-Identifier: MIT
// Boxes and balls that lie on each other, against statics and closed forms of rigid bodies: two boxes on a floor that
// speeds up, towers on a slope, balls in a groove, a pyramid.
//
// tests/reference/data/stack_*.csv, rest_*.csv: closed forms to 1e-14. Compliant here: forces change by the give of the
// contacts over the sizes of the bodies, 1e-4 and less.
#include "support/text_model.h"

static const double g = 9.81;

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

static void keep_worst(double *worst, double error) { *worst = error <= *worst ? *worst : error; }

// ---- boxes -----------------------------------------------------------------------------------------------------

// Seen from the floor: its acceleration is a weight backwards. Flat and long, so that nothing tips.
static run_model two_boxes(const bi_table *data, int k)
{
    char text[2000];
    const double *v[5];
    for (int i = 0; i < 5; i++) {
        v[i] = &data->value[i][k];
    }
    snprintf(text, sizeof text,
             "parameters: {m1: %.17g, m2: %.17g, mu1: %.17g, mu2: %.17g, a: %.17g}\n"
             "gravity: [-a, 0, -9.81]\n"
             "bodies:\n"
             "  lower: {mass: m1, inertia: {box: [2, 0.4, 0.02]}, at: [0, 0, 0.01]}\n"
             "  upper: {mass: m2, inertia: {box: [0.4, 0.4, 0.02]}, at: [0, 0, 0.03]}\n"
             "shapes:\n"
             "  floor: {type: plane}\n"
             "  lower: {type: box, body: lower, size: [2, 0.4, 0.02]}\n"
             "  upper: {type: box, body: upper, size: [0.4, 0.4, 0.02]}\n"
             "forces:\n"
             "  floor: {type: contact, a: lower, b: floor, stiffness: 2e5, damping: 1000, friction: mu1}\n"
             "  upper: {type: contact, a: upper, b: lower, stiffness: 2e5, damping: 1000, friction: mu2}\n"
             "outputs: {lower: {body: lower}, upper: {body: upper}}\n",
             *v[0], *v[1], *v[2], *v[3], *v[4]);
    return text_run(&(text_case){ text, by_turns(k), BI_ALI3P, 1e-3 });
}

static void test_two_boxes_on_a_floor_that_speeds_up_slip_where_they_must(void **state)
{
    (void)state;
    bi_table data = run_data("stack_floor.csv");
    const double *floor = run_reference_column(&data, "a_floor"),
                 *lower = run_reference_column(&data, "a_lower"),
                 *upper = run_reference_column(&data, "a_upper");
    double worst = 0.0;
    for (int k = 0; k < data.rows; k++) {
        run_model run = two_boxes(&data, k);
        run_to(&run, 0.1);
        double v1 = run_read(&run, "lower.vx"), v2 = run_read(&run, "upper.vx");
        run_to(&run, 0.3);
        v1 = (run_read(&run, "lower.vx") - v1) / 0.2 + floor[k];
        v2 = (run_read(&run, "upper.vx") - v2) / 0.2 + floor[k];
        keep_worst(&worst, fabs(v1 - lower[k]));
        keep_worst(&worst, fabs(v2 - upper[k]));
        run_close(&run);
    }
    run_expect("two boxes: accelerations, m/s2", worst, 2e-2);
    bi_table_clear(&data);
}

// N boxes, x runs down the slope.
static run_model tower(double width, double height, double mu, int n, double slope,
                       bi_coordinates coordinates)
{
    char text[2000];
    snprintf(text, sizeof text,
             "parameters: {w: %.17g, h: %.17g, mu: %.17g, N: %d}\n"
             "gravity: [%.17g, 0, %.17g]\n"
             "bodies: {b$i: {for: {i: 1..N}, mass: 1, inertia: {box: [w, w, h]}, at: [0, 0, h*i - h/2]}}\n"
             "shapes: {b0: {type: plane}, b$i: {for: {i: 1..N}, type: box, body: b$i, size: [w, w, h]}}\n"
             "forces: {c$i: {for: {i: 1..N}, type: contact, a: b$i, b: b$(i-1), stiffness: 1e6, damping: "
             "5e3, friction: mu}}\n"
             "outputs: {top: {body: b$N}}\n",
             width, height, mu, n, g * sin(slope), -g * cos(slope));
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
}

// The slope comes at once, the contacts give, and the tower swings towards its edge: it must stand 7 % below the slope at
// which a rigid one topples or slides, and go 2 % above it. Of three and more boxes the swing lasts longer than a test should: see below.
static void test_towers_stand_up_to_their_slope_and_go_above_it(void **state)
{
    (void)state;
    bi_table data = run_data("stack_tower.csv");
    const double *width = run_reference_column(&data, "width"),
                 *height = run_reference_column(&data, "height"), *mu = run_reference_column(&data, "mu"),
                 *n = run_reference_column(&data, "N"),
                 *threshold = run_reference_column(&data, "threshold_deg");
    for (int k = 0; k < data.rows; k++) {
        for (int side = 0; side < 2 && n[k] <= 2.0; side++) {
            double slope = atan((side ? 1.02 : 0.93) * tan(threshold[k] * run_pi / 180.0));
            run_model run = tower(width[k], height[k], mu[k], (int)n[k], slope, by_turns(k));
            run_to(&run, 0.5);
            double x = run_read(&run, "top.x");
            run_to(&run, 1.0);
            double more = run_read(&run, "top.x") - x;
            if (side == 0) {
                run_expect("tower below its slope: creep in 0.5 s, m", fabs(more), 1e-6);
            } else {
                assert_true(more > 0.02);
            }
            run_close(&run);
        }
    }
    bi_table_clear(&data);
}

// The same on a floor that speeds up, which pushes them backwards: to f of what they bear within half a second, slowly enough for
// three and five boxes not to swing.
static run_model pushed_tower(double width, double height, double mu, int n, double push,
                              bi_coordinates coordinates)
{
    char text[2000];
    snprintf(text, sizeof text,
             "parameters: {w: %.17g, h: %.17g, mu: %.17g, N: %d}\n"
             "gravity: [0, 0, -9.81]\n"
             "signals: {push: \"%.17g*min(t/0.5, 1)\"}\n"
             "bodies: {b$i: {for: {i: 1..N}, mass: 1, inertia: {box: [w, w, h]}, at: [0, 0, h*i - h/2]}}\n"
             "shapes: {b0: {type: plane}, b$i: {for: {i: 1..N}, type: box, body: b$i, size: [w, w, h]}}\n"
             "forces:\n"
             "  c$i: {for: {i: 1..N}, type: contact, a: b$i, b: b$(i-1), stiffness: 1e6, damping: 5e3, "
             "friction: mu}\n"
             "  push$i: {for: {i: 1..N}, type: force, point: {body: b$i}, fx: push}\n"
             "outputs: {top: {body: b$N}}\n",
             width, height, mu, n, push);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
}

static void test_higher_towers_stand_on_a_floor_that_speeds_up_slowly(void **state)
{
    (void)state;
    bi_table data = run_data("stack_tower.csv");
    double *const *c = data.value;
    for (int k = 0; k < data.rows; k++) {
        bool is_meant = c[3][k] >= 3.0 && c[3][k] <= 5.0 && c[0][k] < c[2][k] * c[3][k] * c[1][k]; // topples
        for (int side = 0; side < 2 && is_meant; side++) {
            double push = (side ? 1.03 : 0.97) * g * tan(c[4][k] * run_pi / 180.0);
            run_model run = pushed_tower(c[0][k], c[1][k], c[2][k], (int)c[3][k], push, by_turns(k));
            run_to(&run, side ? 0.5 : 0.8);
            double x = run_read(&run, "top.x"), more = 0.0;
            while (run_now(&run) < 1.3 - 1e-9 && more < 0.02) {
                run_step(&run);
                more = run_read(&run, "top.x") - x;
            }
            printf("measured tower of %g, %g of its limit: moves=%.2e m\n", c[3][k], side ? 1.03 : 0.97,
                   more);
            assert_true(side ? more >= 0.02 : fabs(more) < 1e-3);
            run_close(&run);
        }
    }
    bi_table_clear(&data);
}

// ---- balls without friction ------------------------------------------------------------------------------------

static void test_ball_in_a_groove_rests_on_both_walls(void **state)
{
    (void)state;
    bi_table data = run_data("rest_groove.csv");
    double worst = 0.0;
    for (int k = 0; k < data.rows; k++) {
        double a = data.value[1][k] * run_pi / 180.0, b = data.value[2][k] * run_pi / 180.0;
        // its middle has the distance r from both walls
        double x = 0.1 * (cos(b) - cos(a)) / sin(a + b), z = 0.1 * (sin(a) + sin(b)) / sin(a + b);
        char text[1500];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, -10]\n"
                 "bodies: {ball: {mass: 1, inertia: {sphere: 0.1}, at: [%.17g, 0, %.17g]}}\n"
                 "shapes: {left: {type: plane, turn: {y: %.17g}}, right: {type: plane, turn: {y: %.17g}}, "
                 "ball: {type: sphere, body: ball, radius: 0.1}}\n"
                 "forces:\n"
                 "  left: {type: contact, a: ball, b: left, stiffness: 1e6, damping: 1000}\n"
                 "  right: {type: contact, a: ball, b: right, stiffness: 1e6, damping: 1000}\n"
                 "outputs: {left: {contact: left}, right: {contact: right}}\n",
                 x, z, a, -b);
        run_model run = text_run(&(text_case){ text, by_turns(k), BI_ALI3P, 1e-3 });
        run_to(&run, 0.3);
        keep_worst(&worst, fabs(run_read(&run, "left.normal") - data.value[3][k]));
        keep_worst(&worst, fabs(run_read(&run, "right.normal") - data.value[4][k]));
        run_close(&run);
    }
    run_expect("groove: forces of 10 N, N", worst, 1e-6);
    bi_table_clear(&data);
}

// Two balls on walls, one on top; 10 N each, and the same friction everywhere.
static run_model three_balls(double wall, double mu, bi_coordinates coordinates)
{
    char text[2500];
    snprintf(text, sizeof text,
             "parameters: {a: %.17g deg, r: 0.1, mu: %.17g}\n"
             "gravity: [0, 0, -10]\n"
             "bodies:\n"
             "  left: {mass: 1, inertia: {sphere: r}, at: [-r, 0, r*(1 + sin(a))/cos(a)]}\n"
             "  right: {mass: 1, inertia: {sphere: r}, at: [r, 0, r*(1 + sin(a))/cos(a)]}\n"
             "  top: {mass: 1, inertia: {sphere: r}, at: [0, 0, r*(1 + sin(a))/cos(a) + r*sqrt(3)]}\n"
             "shapes:\n"
             "  wall1: {type: plane, turn: {y: a}}\n"
             "  wall2: {type: plane, turn: {y: -a}}\n"
             "  left: {type: sphere, body: left, radius: r}\n"
             "  right: {type: sphere, body: right, radius: r}\n"
             "  top: {type: sphere, body: top, radius: r}\n"
             "forces:\n"
             "  wall: {type: contact, a: right, b: wall2, stiffness: 1e7, damping: 3000, friction: mu}\n"
             "  other: {type: contact, a: left, b: wall1, stiffness: 1e7, damping: 3000, friction: mu}\n"
             "  between: {type: contact, a: left, b: right, stiffness: 1e7, damping: 3000, friction: mu}\n"
             "  on: {type: contact, a: top, b: [left, right], stiffness: 1e7, damping: 3000, friction: mu}\n"
             "outputs: {wall: {contact: wall}, between: {contact: between}, on: {contact: on}, top: {body: "
             "top}}\n",
             wall, mu);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
}

static void test_three_balls_in_a_groove_share_their_weight(void **state)
{
    (void)state;
    bi_table data = run_data("rest_three.csv");
    double worst = 0.0;
    for (int k = 0; k < data.rows; k++) {
        run_model run = three_balls(data.value[1][k], 0.0, by_turns(k));
        run_to(&run, 1.0);
        keep_worst(&worst, fabs(run_read(&run, "wall.normal") - data.value[2][k]));
        keep_worst(&worst, fabs(run_read(&run, "between.normal") - data.value[3][k]));
        keep_worst(&worst, fabs(0.5 * run_read(&run, "on.normal") - data.value[4][k]));
        run_close(&run);
    }
    // the give, 3e-6 m of 0.1 m, turns the lines between the middles
    run_expect("three balls: forces of 5 to 30 N, N", worst, 5e-3);
    bi_table_clear(&data);
}

// By how much x lies outside of two limits.
static double outside(double x, double low, double high) { return fmax(0.0, fmax(low - x, x - high)); }

// With friction statics leaves a range of forces (by linear programmes): they must lie in it.
static void test_three_balls_with_friction_rest_within_what_statics_admits(void **state)
{
    (void)state;
    bi_table data = run_data("rest_bounds.csv");
    double *const *c = data.value, worst = 0.0;
    for (int k = 0; k < data.rows; k++) {
        run_model run = three_balls(c[0][k], c[1][k], by_turns(k));
        run_to(&run, 0.3);
        double z = run_read(&run, "top.z");
        keep_worst(&worst, outside(run_read(&run, "wall.normal"), c[2][k], c[3][k]));
        keep_worst(&worst, outside(run_read(&run, "between.normal"), c[4][k], c[5][k]));
        keep_worst(&worst, outside(0.5 * run_read(&run, "on.normal"), c[6][k], c[7][k]));
        run_to(&run, 0.4);
        run_expect("three balls with friction: creep in 0.1 s, m", fabs(run_read(&run, "top.z") - z), 1e-8);
        run_close(&run);
    }
    run_expect("three balls with friction: forces outside of statics, N", worst, 5e-3);
    bi_table_clear(&data);
}

// Without friction the groove holds them from atan(1/(3 sqrt 3)) = 10.8934 degrees on.
static void test_three_balls_part_in_a_groove_that_is_too_flat(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        run_model run = three_balls(k < 2 ? 10.7 : 11.1, 0.0, by_turns(k));
        run_to(&run, 0.5);
        double z = run_read(&run, "top.z");
        run_to(&run, 1.0);
        assert_true(k < 2 ? run_read(&run, "top.z") < z - 1e-3 : fabs(run_read(&run, "top.z") - z) < 1e-6);
        run_close(&run);
    }
}

// n balls that touch on a floor (2 in a line, 3 around), one on top; how far the top one sinks between 0.4 and 0.7 s.
static double sinking(int n, double between, double floor, bi_coordinates coordinates)
{
    char text[2000];
    snprintf(text, sizeof text,
             "parameters: {r: 0.1, n: %d, R: r/sin(180 deg/n)}\n"
             "gravity: [0, 0, -10]\n"
             "bodies:\n"
             "  b$i: {for: {i: 1..n}, mass: 1, inertia: {sphere: r}, at: [R*cos(360 deg*i/n), R*sin(360 "
             "deg*i/n), r]}\n"
             "  top: {mass: 1, inertia: {sphere: r}, at: [0, 0, r + sqrt(4*r*r - R*R)]}\n"
             "shapes:\n"
             "  floor: {type: plane}\n"
             "  b$i: {for: {i: 1..n}, type: sphere, body: b$i, radius: r}\n"
             "  top: {type: sphere, body: top, radius: r}\n"
             "forces:\n"
             "  on: {type: contact, a: top, b: b*, stiffness: 1e7, damping: 3000, friction: %.17g}\n"
             "  below: {type: contact, a: b*, b: floor, stiffness: 1e7, damping: 3000, friction: %.17g}\n"
             "  beside: {type: contact, a: b*, stiffness: 1e7, damping: 3000}\n"
             "outputs: {top: {body: top}}\n",
             n, between, floor);
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
    run_to(&run, 0.4);
    double z = run_read(&run, "top.z");
    run_to(&run, 0.7);
    z -= run_read(&run, "top.z");
    run_close(&run);
    return z;
}

// The least friction between the balls and on the floor with which they hold: 2 - sqrt 3 and a third of it for three in a
// plane, tan(asin(1/sqrt 3)/2) and a quarter of it for four. 3 % on either side.
static void test_balls_on_a_floor_hold_the_one_on_top_from_their_friction_on(void **state)
{
    (void)state;
    static const double least[2][2] = { { 0.267949192431123, 0.0893163974770409 },
                                        { 0.317837245195782, 0.0794593112989456 } };
    for (int k = 0; k < 4; k++) {
        int n = 2 + k / 2;
        for (int side = 0; side < 2; side++) {
            double by = side ? 1.03 : 0.97, mu = least[k / 2][k % 2] * by;
            double z = sinking(n, k % 2 ? 1.0 : mu, k % 2 ? mu : 1.0, by_turns(k + side));
            printf("measured balls on a floor n=%d %s friction=%.4f sinks=%.2e m\n", n + 1,
                   k % 2 ? "floor" : "between", mu, z);
            assert_true(side ? fabs(z) < 1e-6 : z > 1e-2);
        }
    }
}

// Rows of 1, 2 and 3 balls on 4 that are held; each lies on two of the row below.
static run_model pyramid(double pitch)
{
    char text[2500];
    snprintf(
        text, sizeof text,
        "parameters: {r: 0.1, p: %.17g*2*r, up: sqrt(4*r*r - p*p/4)}\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {b$i$j: {for: {i: 1..3, j: 1..i}, mass: 1, inertia: {sphere: r}, at: [p*(j - (i + 1)/2), "
        "0, up*(4 - i)]}}\n"
        "shapes:\n"
        "  s4$j: {for: {j: 1..4}, type: sphere, radius: r, at: [p*(j - 2.5), 0, 0]}\n"
        "  s$i$j: {for: {i: 1..3, j: 1..i}, type: sphere, body: b$i$j, radius: r}\n"
        "forces:\n"
        "  left$i$j: {for: {i: 1..3, j: 1..i}, type: contact, a: s$i$j, b: s$(i+1)$j, stiffness: 1e7, "
        "damping: 3000}\n"
        "  right$i$j: {for: {i: 1..3, j: 1..i}, type: contact, a: s$i$j, b: s$(i+1)$(j+1), stiffness: 1e7, "
        "damping: 3000}\n"
        "outputs:\n"
        "  left$i$j: {for: {i: 1..3, j: 1..i}, contact: left$i$j}\n"
        "  right$i$j: {for: {i: 1..3, j: 1..i}, contact: right$i$j}\n",
        pitch);
    return text_run(&(text_case){ text, BI_NATURAL, BI_ALI3P, 1e-3 });
}

static void test_pyramid_of_balls_carries_its_weight_along_the_diagonals(void **state)
{
    (void)state;
    bi_table data = run_data("rest_pyramid.csv");
    const double *pitch = run_reference_column(&data, "pitch_over_diameter"),
                 *row = run_reference_column(&data, "row_from_top"),
                 *disc = run_reference_column(&data, "disc_from_left"),
                 *is_right = run_reference_column(&data, "is_right"), *N = run_reference_column(&data, "N");
    double worst = 0.0;
    for (int first = 0, k = 0; first < data.rows; first = k) {
        run_model run = pyramid(pitch[first]);
        run_to(&run, 0.6);
        for (; k < data.rows && pitch[k] == pitch[first]; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s%d%d.normal", is_right[k] > 0.0 ? "right" : "left", (int)row[k],
                     (int)disc[k]);
            keep_worst(&worst, fabs(run_read(&run, name) - N[k]));
        }
        run_close(&run);
    }
    run_expect("pyramid: forces of 6 to 18 N, N", worst, 5e-3);
    bi_table_clear(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_boxes_on_a_floor_that_speeds_up_slip_where_they_must),
        cmocka_unit_test(test_towers_stand_up_to_their_slope_and_go_above_it),
        cmocka_unit_test(test_higher_towers_stand_on_a_floor_that_speeds_up_slowly),
        cmocka_unit_test(test_ball_in_a_groove_rests_on_both_walls),
        cmocka_unit_test(test_three_balls_in_a_groove_share_their_weight),
        cmocka_unit_test(test_three_balls_with_friction_rest_within_what_statics_admits),
        cmocka_unit_test(test_three_balls_part_in_a_groove_that_is_too_flat),
        cmocka_unit_test(test_balls_on_a_floor_hold_the_one_on_top_from_their_friction_on),
        cmocka_unit_test(test_pyramid_of_balls_carries_its_weight_along_the_diagonals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
