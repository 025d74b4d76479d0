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
        double A[196], re[14], im[14], X[196], Y[196], trace = 0.0, sum = 0.0;
        for (int i = 0; i < n * n; i++) {
            A[i] = next_random(&seed);
        }
        assert_true(dense_eigenvalues(n, A, re, im));
        assert_true(dense_eigenvectors(n, A, re, im, X, Y));
        for (int k = 0; k < n; k++) {
            const double *x = &X[k * n], *y = &Y[k * n];
            trace += A[k * n + k];
            sum += re[k];
            assert_true(k == 0 || re[k] >= re[k - 1]);
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

// equal oscillators x'' = -2 d w x' - w^2 x side by side, each turned and coupled within itself as a box on its corners
static void fill_equal(int copies, double *A)
{
    enum { SIDE = 4 };
    // slides and tilts: M^-1 K and M^-1 C of unlike sizes
    const double K[4] = { 3.1e4, -2.7e3, -8.2e4, 5.3e5 }, C[4] = { 310.0, -27.0, -820.0, 5300.0 };
    int n = SIDE * copies;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < copies; k++) {
        for (int i = 0; i < 2; i++) {
            A[(2 * k + i) * n + n / 2 + 2 * k + i] = 1.0;
            for (int j = 0; j < 2; j++) {
                A[(n / 2 + 2 * k + i) * n + 2 * k + j] = -K[2 * i + j];
                A[(n / 2 + 2 * k + i) * n + n / 2 + 2 * k + j] = -C[2 * i + j];
            }
        }
    }
}

// All vectors of `count` rows (complex) point in as many directions: what is left of each across those before it.
static double least_new_part(int n, int count, double *X, double *Y)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        double before = 0.0, after = 0.0;
        for (int i = 0; i < n; i++) {
            before = hypot(before, hypot(X[k * n + i], Y[k * n + i]));
        }
        for (int j = 0; j < k; j++) {
            double re = 0.0, im = 0.0;
            for (int i = 0; i < n; i++) {
                re += X[j * n + i] * X[k * n + i] + Y[j * n + i] * Y[k * n + i];
                im += X[j * n + i] * Y[k * n + i] - Y[j * n + i] * X[k * n + i];
            }
            for (int i = 0; i < n; i++) {
                double x = X[j * n + i], y = Y[j * n + i];
                X[k * n + i] -= re * x - im * y;
                Y[k * n + i] -= re * y + im * x;
            }
        }
        for (int i = 0; i < n; i++) {
            after = hypot(after, hypot(X[k * n + i], Y[k * n + i]));
        }
        least = fmin(least, after / before);
        for (int i = 0; i < n; i++) {
            X[k * n + i] /= after;
            Y[k * n + i] /= after;
        }
    }
    return least;
}

// Many equal boxes: the iteration must not lose its shifts, nor the vectors their range.
static void test_eigenvalues_of_many_equal_blocks_are_those_of_one(void **state)
{
    (void)state;
    enum { MOST = 40, N = 4 * MOST };
    static double A[N * N], one[16], X[N * N], Y[N * N], re[N], im[N];
    double r[4], i[4];
    fill_equal(1, one);
    assert_true(dense_eigenvalues(4, one, r, i));
    for (int copies = 2; copies <= MOST; copies += copies < 8 ? 1 : 8) {
        int n = 4 * copies;
        fill_equal(copies, A);
        assert_true(dense_eigenvalues(n, A, re, im));
        assert_true(dense_eigenvectors(n, A, re, im, X, Y));
        for (int k = 0; k < n; k++) {
            // rounding of the largest entry, 5e5, balanced to about its root, against each
            assert_true(hypot(re[k] - r[k / copies], fabs(im[k]) - fabs(i[k / copies])) < 1e-9 * fabs(r[0]));
        }
    }
}

static void test_eigenvectors_of_equal_eigenvalues_are_different_ones(void **state)
{
    (void)state;
    enum { COPIES = 9, N = 4 * COPIES };
    static double A[N * N], X[N * N], Y[N * N], re[N], im[N];
    fill_equal(COPIES, A);
    assert_true(dense_eigenvalues(N, A, re, im));
    assert_true(dense_eigenvectors(N, A, re, im, X, Y));
    // vectors of unlike eigenvalues of one block are at an angle of 1e-3 or more to each other
    assert_true(least_new_part(N, N, X, Y) > 1e-5);
}

// [-3 1; 0 -3] has one eigenvector only
static void test_eigenvectors_of_jordan_block_are_the_same_one_twice(void **state)
{
    (void)state;
    const double A[] = { -3, 1, 0, -3 };
    double re[2], im[2], X[4], Y[4];
    assert_true(dense_eigenvalues(2, A, re, im));
    assert_true(dense_eigenvectors(2, A, re, im, X, Y));
    for (int k = 0; k < 2; k++) {
        assert_true(X[2 * k] == 1.0 && fabs(X[2 * k + 1]) < 1e-12 && im[k] == 0.0);
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
    double re[2] = { 1.0, 1.0 }, im[2] = { 0.0 }, X[4], Y[4];
    assert_false(dense_eigenvectors(2, A, re, im, X, Y));
    assert_false(dense_eigenvalues(2, A, re, im));
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
        cmocka_unit_test(test_eigenvalues_of_many_equal_blocks_are_those_of_one),
        cmocka_unit_test(test_eigenvectors_of_equal_eigenvalues_are_different_ones),
        cmocka_unit_test(test_eigenvectors_of_jordan_block_are_the_same_one_twice),
        cmocka_unit_test(test_eigenvalues_of_zero_matrix_are_zero),
        cmocka_unit_test(test_eigenvalues_of_matrix_that_is_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
