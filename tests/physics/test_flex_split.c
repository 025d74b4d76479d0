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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_converge_to_the_elastica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
