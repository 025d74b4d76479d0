// SPDX-License-Identifier: MIT
// A bar in several flexible pieces follows large deflections: each piece is linear about a frame of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/text_model.h"
#include <math.h>

// n pieces by repetition, welded at their ends; P L^2 / EI = 2.
static void tip_of(int n, double *x, double *y)
{
    char text[2048];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "parameters: {n: %d, L: 1}\n"
             "bodies:\n"
             "  bar$i:\n"
             "    for: {i: 1..n}\n"
             "    at: [L*(i - 1)/n, 0, 0]\n"
             "    flex:\n"
             "      plane: true\n"
             "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
             "      sections: {bar: {rectangle: [5 mm, 10 mm]}}\n"
             "      nodes: {root: [0, 0, 0], tip: [L/n, 0, 0]}\n"
             "      lines: {bar: {from: root, to: tip, elements: 4}}\n"
             "      frame: root\n"
             "      boundary: [{node: tip, vectors: [[1, 0, 0]]}]\n"
             "      foreshortening: true\n"
             "joints:\n"
             "  clamp: {type: fixed, bodies: [ground, bar1]}\n"
             "  weld$i: {for: {i: 2..n}, type: fixed, bodies: [\"bar$(i-1)\", \"bar$i\"], at: [L*(i - 1)/n, "
             "0, 0]}\n"
             "forces:\n"
             "  push: {type: force, point: {body: \"bar$(n)\", node: tip}, fy: 2*200e9*0.01*0.005^3/12}\n"
             "outputs:\n"
             "  tip: {point: {body: \"bar$(n)\", node: tip}}\n",
             n);
    text_case c = { .text = text, .coordinates = BI_NATURAL, .dt = 1e-3 };
    run_model run = text_run(&c);
    assert_int_equal(bi_equilibrium(run.sim, NULL, &run.report), BI_OK);
    *x = run_read(&run, "tip.x");
    *y = run_read(&run, "tip.y");
    run_close(&run);
}

// Elastica of a cantilever with a load at its end, elliptic integrals of Mattiasson (1981): 0.49346 across, 0.16064 back.
static void test_pieces_converge_to_the_elastica(void **state)
{
    (void)state;
    double before = 1.0;
    for (int n = 2; n <= 8; n *= 2) {
        double x, y;
        tip_of(n, &x, &y);
        double error = hypot(x - (1.0 - 0.16064), y - 0.49346);
        print_message("%d pieces: tip [%.5f, %.5f], error %.1e\n", n, x, y, error);
        // second order in the length of a piece: a factor that grows to four (measured 2.9, 3.7, and 3.8 with 16)
        assert_true(error < before / 2.5);
        before = error;
    }
    assert_true(before < 7e-3);
}

// ---- the key `split` ------------------------------------------------------------------------------------------------------

// The same bar as one body with `split`; quantities of its whole line are asked for by its name.
static run_model split_bar(int n, bi_coordinates coordinates, const char *rest)
{
    char text[3000];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "parameters: {L: 1, EI: 200e9*0.01*0.005^3/12}\n"
             "bodies:\n"
             "  cap: {mass: 0.01, inertia: [1e-5, 1e-5, 1e-5], at: [L, 0, 0]}\n"
             "  bar:\n"
             "    flex:\n"
             "      plane: true\n"
             "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
             "      sections: {bar: {rectangle: [5 mm, 10 mm]}}\n"
             "      nodes: {root: [0, 0, 0], tip: [L, 0, 0]}\n"
             "      lines: {bar: {from: root, to: tip, elements: 16}}\n"
             "      frame: root\n"
             "      boundary: [{node: tip, vectors: [[1, 0, 0]]}]\n"
             "      split: %d\n"
             "%s",
             n, rest);
    return text_run(&(text_case){ .text = text, .coordinates = coordinates, .dt = 1e-3 });
}

static const char pushed[] = "      foreshortening: true\n"
                             "joints:\n"
                             "  clamp: {type: fixed, bodies: [ground, bar]}\n"
                             "  cap: {type: fixed, bodies: [bar, cap], at: [L, 0, 0]}\n"
                             "forces:\n"
                             "  push: {type: force, point: {body: bar, node: tip}, fy: 2*EI}\n"
                             "outputs:\n"
                             "  tip: {point: {body: bar, node: tip}}\n"
                             "  by_place: {point: {body: bar, at: [L, 0, 0]}}\n"
                             "  clamped: {section: bar, element: bar, at: start}\n"
                             "  three_quarters: {section: bar, element: bar, at: 0.75, only: Mz}\n"
                             "  one: {section: bar, element: bar.12, at: end, only: Mz}\n"
                             "  at_three_quarters: {point: {body: bar, node: bar.12}}\n"
                             "  worst: {stress: bar.3}\n";

static void test_key_split_makes_the_pieces_and_welds_that_one_would_write(void **state)
{
    (void)state;
    double x, y;
    tip_of(4, &x, &y);
    run_model run = split_bar(4, BI_NATURAL, pushed);
    assert_int_equal(bi_equilibrium(run.sim, NULL, &run.report), BI_OK);
    run_expect("split bar, tip against pieces by hand",
               hypot(run_read(&run, "tip.x") - x, run_read(&run, "tip.y") - y), 1e-8);
    run_expect("tip by its place", fabs(run_read(&run, "by_place.y") - run_read(&run, "tip.y")), 1e-12);
    // equilibrium of what lies beyond: M = P (x_tip - x); the weld is the end of the third piece
    double P = 2.0 * 200e9 * 0.01 * pow(0.005, 3) / 12.0;
    double beyond = P * (run_read(&run, "tip.x") - run_read(&run, "at_three_quarters.x"));
    printf("measured moment at three quarters %.4f, by the place of the load %.4f N m\n",
           run_read(&run, "three_quarters"), beyond);
    // of the moment at the clamp: a linear piece sees its own length, not that of the bent one
    run_expect("moment at three quarters", fabs(run_read(&run, "three_quarters") - beyond) / (P * x), 5e-3);
    run_expect("moment of the twelfth element",
               fabs(run_read(&run, "one") - run_read(&run, "three_quarters")), 1e-9);
    assert_true(run_read(&run, "worst") > 0.0);
    run_close(&run);
}

// Quarter of a ring under a moment at the tip, of linear pieces: (2/pi, 2/pi); second order in the length of a piece.
static void test_linear_pieces_roll_up_as_the_exact_bar(void **state)
{
    (void)state;
    static const char rolled[] = "joints:\n"
                                 "  clamp: {type: fixed, bodies: [ground, bar]}\n"
                                 "  cap: {type: fixed, bodies: [bar, cap], at: [L, 0, 0]}\n"
                                 "forces:\n"
                                 "  roll: {type: torque-on-body, body: cap, mz: pi/2*EI/L}\n"
                                 "outputs:\n"
                                 "  tip: {point: {body: bar, node: tip}}\n"
                                 "  mid: {section: bar, element: bar, at: mid, only: Mz}\n";
    for (int k = 0; k < 2; k++) {
        double before = 1.0;
        for (int n = 4; n <= 8; n *= 2) {
            run_model run = split_bar(n, k ? BI_JOINT : BI_NATURAL, rolled);
            assert_int_equal(bi_equilibrium(run.sim, NULL, &run.report), BI_OK);
            double error =
                hypot(run_read(&run, "tip.x") - 2.0 / run_pi, run_read(&run, "tip.y") - 2.0 / run_pi);
            double moment = run_read(&run, "mid") * 2.0 / run_pi / (200e9 * 0.01 * pow(0.005, 3) / 12.0);
            printf("measured roll-up, %s, %d linear pieces: tip %.2e L off, moment %.6f of the load\n",
                   k ? "joint" : "natural", n, error, moment);
            assert_true(error < before / 3.0);
            // a node turns by theta to second order: (pi/2/n)^2/3 of the moment for each
            run_expect("moment of the roll-up", fabs(moment - 1.0), 1.5 / n / n);
            before = error;
            run_close(&run);
        }
        assert_true(before < 0.02);
    }
}

// The fast spin-up, which one linear body fails: several follow the nonlinear beam (models/flex-spin-up).
static void test_linear_pieces_spin_up_as_the_nonlinear_beam(void **state)
{
    (void)state;
    bi_table table = run_reference("flex-spin-up", "ex5_ge_fast.csv");
    for (int k = 0; k < 2; k++) {
        double before = 1.0;
        static const char *const pieces[] = { "4", "8", "16" };
        for (int i = 0; i < 3; i++) {
            bi_setting settings[] = {
                { "foreshortening", "0" }, { "modes", "0" }, { "elements", "16" }, { "split", pieces[i] }
            };
            run_model run = run_open(&(run_case){ .model = "flex-spin-up",
                                                  .settings = settings,
                                                  .n_settings = 4,
                                                  .dt = 2e-2,
                                                  .time = 12.0,
                                                  .coordinates = k ? BI_JOINT : BI_NATURAL });
            run_column list[] = { { "u_tr", 0.57386, 0.0 }, { "M_mid", 85.015, 0.0 } };
            run_compare(&run, &table, list, 2);
            printf("measured spin-up, %s, %s linear pieces: lag %.2e, moment %.2e\n", k ? "joint" : "natural",
                   pieces[i], list[0].error, list[1].error);
            assert_true(list[0].error < (i == 0 ? 0.2 : before / 3.0));
            before = list[0].error;
            run_close(&run);
        }
        run_expect("spin-up of 16 linear pieces, lag", before, 0.01);
    }
    bi_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_converge_to_the_elastica),
        cmocka_unit_test(test_key_split_makes_the_pieces_and_welds_that_one_would_write),
        cmocka_unit_test(test_linear_pieces_roll_up_as_the_exact_bar),
        cmocka_unit_test(test_linear_pieces_spin_up_as_the_nonlinear_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
