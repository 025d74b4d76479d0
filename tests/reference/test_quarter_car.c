// SPDX-License-Identifier: MIT
// The quarter car against its characteristic polynomial and its frequency response.
#include "support/run_model.h"
#include <complex.h>

static const double ms = 221.519, mu = 38.42, ks = 14900.0, cs = 475.0, kt = 150000.0, a = 0.02, f = 1.5;

static double complex polynomial(double complex s)
{
    double complex strut = cs * s + ks;
    return (ms * s * s + strut) * (mu * s * s + strut + kt) - strut * strut;
}

static void its_eigenvalues_are_roots_of_the_polynomial(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "quarter-car" });
    bi_bonds b;
    assert_true(bi_bonds_make(run.model, bi_model_graph(run.model, 0), NULL, NULL, &b, &run.report));
    assert_true(b.has_numbers);
    assert_int_equal(b.n_state, 4);
    for (int k = 0; k < 4; k++) {
        double complex s = b.re[k] + b.im[k] * (double complex)I;
        double size = cabs((ms * s * s + ks) * (mu * s * s + ks + kt)) + cabs((cs * s + ks) * (cs * s + ks));
        run_expect("quarter car, eigenvalue", cabs(polynomial(s)) / size, 1e-9);
    }
    bi_bonds_clear(&b);
    run_close(&run);
}

static void it_follows_the_road_as_the_frequency_response_says(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "quarter-car" });
    double complex s = 2.0 * run_pi * f * (double complex)I;
    double complex response = kt * (cs * s + ks) / polynomial(s);
    double worst = 0.0, size = cabs(response) * 2.0 * run_pi * f * a;
    // the slow mode dies with exp(-t)
    for (double t = 18.0; t < 19.0; t += 0.05) {
        run_to(&run, t);
        // road a sin wt: its velocity is the real part of a w exp(i w t)
        double wanted = creal(response * 2.0 * run_pi * f * a * cexp(s * run_now(&run)));
        worst = fmax(worst, fabs(run_read(&run, "graph.body->sprung.f") - wanted));
    }
    // trapezoidal rule: (w h)^2 / 12 = 7e-6, magnified near the resonance
    run_expect("quarter car, waves", worst / size, 1e-4);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_eigenvalues_are_roots_of_the_polynomial),
        cmocka_unit_test(it_follows_the_road_as_the_frequency_response_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
