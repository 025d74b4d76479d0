// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sparse/dense_general_eigen.h"

#include <math.h>
#include <string.h>

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static void assert_eigenvalues(int n, const double *A, const double *re, const double *im, double limit)
{
    double r[16], i[16];
    assert_true(dense_eigenvalues(n, A, r, i));
    for (int k = 0; k < n; k++) {
        if (!(hypot(r[k] - re[k], i[k] - im[k]) <= limit)) {
            fail_msg("eigenvalue %d is %.17g %+.17gi, not %.17g %+.17gi", k, r[k], i[k], re[k], im[k]);
        }
    }
}

static void test_eigenvalues_of_triangular_matrix_are_its_diagonal(void **state)
{
    (void)state;
    const double A[] = { 3, 5, -2, 0, -1, 4, 0, 0, 2 };
    assert_eigenvalues(3, A, (double[]){ -1, 2, 3 }, (double[]){ 0, 0, 0 }, 1e-14);
}

static void test_eigenvalues_of_rotation_are_an_exact_pair_on_the_circle(void **state)
{
    (void)state;
    double c = cos(0.3), s = sin(0.3), re[2], im[2];
    const double A[] = { c, -s, s, c };
    assert_eigenvalues(2, A, (double[]){ c, c }, (double[]){ -s, s }, 1e-15);
    assert_true(dense_eigenvalues(2, A, re, im));
    assert_true(re[0] == re[1] && im[0] == -im[1]);
}

// the roots of unity of order n: the QR iteration without unlike shifts would stand still
static void test_eigenvalues_of_cyclic_shift_are_the_roots_of_unity(void **state)
{
    (void)state;
    enum { N = 6 };
    double A[N * N] = { 0 };
    for (int i = 0; i < N; i++) {
        A[((i + 1) % N) * N + i] = 1.0;
    }
    double h = sqrt(0.75);
    assert_eigenvalues(N, A, (double[]){ -1, -0.5, -0.5, 0.5, 0.5, 1 }, (double[]){ 0, -h, h, -h, h, 0 },
                       1e-13);
}

// companion matrix of (x - 1)(x - 2)...(x - 8): condition of the roots about 1e6
static void test_eigenvalues_of_companion_matrix_are_the_roots(void **state)
{
    (void)state;
    enum { N = 8 };
    double A[N * N] = { 0 }, poly[N + 1] = { 1 }, re[N], im[N] = { 0 };
    for (int root = 1; root <= N; root++) {
        for (int k = root; k > 0; k--) {
            poly[k] -= root * poly[k - 1];
        }
        re[root - 1] = root;
    }
    for (int j = 0; j < N; j++) {
        A[j] = -poly[j + 1];
        if (j > 0) {
            A[j * N + j - 1] = 1.0;
        }
    }
    assert_eigenvalues(N, A, re, im, 1e-7);
}

// chain of equal springs and masses: -4 sin^2(k pi / (2 (N + 1)))
static void test_eigenvalues_of_chain_are_known_sines(void **state)
{
    (void)state;
    enum { N = 12 };
    double A[N * N] = { 0 }, re[N], im[N] = { 0 };
    for (int i = 0; i < N; i++) {
        A[i * N + i] = -2.0;
        if (i > 0) {
            A[i * N + i - 1] = A[(i - 1) * N + i] = 1.0;
        }
        double s = sin((N - i) * 3.14159265358979323846 / (2.0 * (N + 1)));
        re[i] = -4.0 * s * s;
    }
    assert_eigenvalues(N, A, re, im, 1e-14);
}

// rows of very different size: [0 1; -k 0] with k = 1e12 has +-1e6 i
static void test_eigenvalues_of_badly_scaled_oscillator_keep_their_digits(void **state)
{
    (void)state;
    const double A[] = { 0, 1, -1e12, 0 };
    assert_eigenvalues(2, A, (double[]){ 0, 0 }, (double[]){ -1e6, 1e6 }, 1e-8);
}

static void test_eigenvalues_of_random_matrices_have_the_trace_and_the_vectors(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int n = 1; n <= 14; n++) {
        double A[196], re[14], im[14], x[14], y[14], trace = 0.0, sum = 0.0;
        for (int i = 0; i < n * n; i++) {
            A[i] = next_random(&seed);
        }
        assert_true(dense_eigenvalues(n, A, re, im));
        for (int k = 0; k < n; k++) {
            trace += A[k * n + k];
            sum += re[k];
            assert_true(k == 0 || re[k] >= re[k - 1]);
            assert_true(dense_eigenvector(n, A, re[k], im[k], x, y));
            // A x = lambda x to rounding: entries below one, 14 of them
            for (int i = 0; i < n; i++) {
                double a = -(re[k] * x[i] - im[k] * y[i]), b = -(re[k] * y[i] + im[k] * x[i]);
                for (int j = 0; j < n; j++) {
                    a += A[i * n + j] * x[j];
                    b += A[i * n + j] * y[j];
                }
                assert_true(hypot(a, b) < 1e-12);
            }
        }
        assert_true(fabs(trace - sum) < 1e-12);
    }
}

static void test_eigenvalues_of_zero_matrix_are_zero(void **state)
{
    (void)state;
    const double A[9] = { 0 };
    assert_eigenvalues(3, A, (double[]){ 0, 0, 0 }, (double[]){ 0, 0, 0 }, 0.0);
}

static void test_eigenvalues_of_matrix_that_is_not_finite_are_refused(void **state)
{
    (void)state;
    const double A[] = { 1, (double)NAN, 0, 1 };
    double re[2], im[2];
    assert_false(dense_eigenvalues(2, A, re, im));
    assert_false(dense_eigenvector(2, A, 1.0, 0.0, re, im));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues_of_triangular_matrix_are_its_diagonal),
        cmocka_unit_test(test_eigenvalues_of_rotation_are_an_exact_pair_on_the_circle),
        cmocka_unit_test(test_eigenvalues_of_cyclic_shift_are_the_roots_of_unity),
        cmocka_unit_test(test_eigenvalues_of_companion_matrix_are_the_roots),
        cmocka_unit_test(test_eigenvalues_of_chain_are_known_sines),
        cmocka_unit_test(test_eigenvalues_of_badly_scaled_oscillator_keep_their_digits),
        cmocka_unit_test(test_eigenvalues_of_random_matrices_have_the_trace_and_the_vectors),
        cmocka_unit_test(test_eigenvalues_of_zero_matrix_are_zero),
        cmocka_unit_test(test_eigenvalues_of_matrix_that_is_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
