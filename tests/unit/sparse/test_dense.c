// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sparse/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Sides are at most 12 and the random matrices have a condition below about 1e4: 1e4 * 12 * 12 * DBL_EPSILON.
static const double close = 3e-10;

// Uniform in [-1, 1).
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static void fill_random(int count, double *a, uint64_t seed)
{
    for (int i = 0; i < count; i++) {
        a[i] = next_random(&seed);
    }
}

// C (m x n) = A (m x k) B (k x n)
static void multiply(int m, int k, int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            C[i * n + j] = 0.0;
            for (int p = 0; p < k; p++) {
                C[i * n + j] += A[i * k + p] * B[p * n + j];
            }
        }
    }
}

static void transpose(int m, int n, const double *A, double *out)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            out[j * m + i] = A[i * n + j];
        }
    }
}

static double distance(int count, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        double d = fabs(a[i] - b[i]);
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static void test_rank_with_repeated_and_zero_rows_names_the_later_ones(void **state)
{
    (void)state;
    double A[] = {
        1.0, 2.0, 3.0,  0.0, //
        0.0, 0.0, 0.0,  0.0, //
        1e9, 0.0, 0.0,  0.0, //
        2.0, 4.0, 6.0,  0.0, //
        7.0, 2.0, 3.0,  0.0, //
        0.0, 0.0, 1e-9, 1e-9,
    };
    int dependent[6];
    int expected[6] = { 0, 1, 0, 1, 1, 0 };
    assert_int_equal(dense_rank(6, 4, A, 1e-8, dependent), 3);
    assert_memory_equal(dependent, expected, sizeof expected);
}

static void test_rank_with_small_remainder_follows_the_tolerance(void **state)
{
    (void)state;
    double A[] = { 1.0, 0.0, 1.0, 1e-6 };
    double B[] = { 1.0, 0.0, 1.0, 1e-6 };
    int dependent[2];
    assert_int_equal(dense_rank(2, 2, A, 1e-5, dependent), 1);
    assert_int_equal(dependent[1], 1);
    assert_int_equal(dense_rank(2, 2, B, 1e-7, dependent), 2);
    assert_int_equal(dependent[1], 0);
}

static void test_rank_with_not_finite_row_counts_it_dependent(void **state)
{
    (void)state;
    double A[] = { 1.0, (double)NAN, 0.0, (double)INFINITY, 0.0, 1.0 };
    int dependent[3];
    assert_int_equal(dense_rank(3, 2, A, 1e-8, dependent), 1);
    assert_true(dependent[0] == 1 && dependent[1] == 1 && dependent[2] == 0);
}

static void test_rank_of_tall_product_is_the_inner_side(void **state)
{
    (void)state;
    double left[12 * 4];
    double right[4 * 9];
    double A[12 * 9];
    int dependent[12];
    fill_random(12 * 4, left, 3);
    fill_random(4 * 9, right, 4);
    multiply(12, 4, 9, left, right, A);
    assert_int_equal(dense_rank(12, 9, A, 1e-9, dependent), 4);
    // generic rows: the first four are accepted
    for (int r = 0; r < 12; r++) {
        assert_int_equal(dependent[r], r >= 4);
    }
}

static void test_solve_of_random_matrix_returns_the_known_solution(void **state)
{
    (void)state;
    double A[144];
    double x[12];
    double b[12];
    fill_random(144, A, 5);
    fill_random(12, x, 6);
    multiply(12, 12, 1, A, x, b);
    assert_true(dense_solve(12, A, b));
    assert_true(distance(12, b, x) < close);
}

static void test_solve_with_zero_first_pivot_exchanges_rows(void **state)
{
    (void)state;
    double A[] = { 0.0, 2.0, 4.0, 1.0 };
    double b[] = { 2.0, 9.0 };
    assert_true(dense_solve(2, A, b));
    assert_true(b[0] == 2.0 && b[1] == 1.0);
}

static void test_solve_of_singular_matrix_fails(void **state)
{
    (void)state;
    double A[] = { 1.0, 2.0, 2.0, 4.0 };
    double b[] = { 1.0, 1.0 };
    assert_false(dense_solve(2, A, b));
    double B[] = { (double)NAN, 2.0, 2.0, 4.0 };
    assert_false(dense_solve(2, B, b));
}

static void test_cholesky_of_definite_matrix_returns_the_known_solution(void **state)
{
    (void)state;
    double G[100];
    double Gt[100];
    double A[100];
    double x[10];
    double b[10];
    fill_random(100, G, 7);
    fill_random(10, x, 8);
    transpose(10, 10, G, Gt);
    multiply(10, 10, 10, G, Gt, A);
    for (int i = 0; i < 10; i++) {
        A[11 * i] += 1.0;
    }
    multiply(10, 10, 1, A, x, b);
    assert_true(dense_cholesky(10, A, b));
    assert_true(distance(10, b, x) < close);
}

static void test_cholesky_of_indefinite_matrix_fails_and_keeps_b(void **state)
{
    (void)state;
    double A[] = { 1.0, 2.0, 2.0, 1.0 };
    double b[] = { 3.0, 4.0 };
    assert_false(dense_cholesky(2, A, b));
    assert_true(b[0] == 3.0 && b[1] == 4.0);
}

static void test_cholesky_without_right_side_leaves_the_factor(void **state)
{
    (void)state;
    double A[] = { 4.0, 2.0, 2.0, 10.0 };
    assert_true(dense_cholesky(2, A, NULL));
    assert_true(A[0] == 2.0 && A[2] == 1.0 && A[3] == 3.0);
}

// For any shape and rank the answer obeys A^T (A x - b) = 0 and x is orthogonal to the null space of A.
static void check_least_squares(int m, int n, int rank, uint64_t seed)
{
    double left[144];
    double right[144];
    double A[144];
    double At[144];
    double work[144];
    double b[12];
    double x[12] = { 0 };
    double residual[12];
    double gradient[12];
    double Z[144];
    fill_random(m * rank, left, seed);
    fill_random(rank * n, right, seed + 1);
    fill_random(m, b, seed + 2);
    multiply(m, rank, n, left, right, A);
    memcpy(work, A, sizeof work);
    memcpy(x, b, (size_t)m * sizeof *x);
    assert_int_equal(dense_least_squares(m, n, work, x, 1e-10), rank);

    multiply(m, n, 1, A, x, residual);
    for (int i = 0; i < m; i++) {
        residual[i] -= b[i];
    }
    transpose(m, n, A, At);
    multiply(n, m, 1, At, residual, gradient);
    int k = dense_null_space(m, n, A, 1e-10, Z);
    assert_int_equal(k, n - rank);
    for (int i = 0; i < n; i++) {
        assert_true(fabs(gradient[i]) < close);
    }
    for (int c = 0; c < k; c++) {
        double along = 0.0;
        for (int i = 0; i < n; i++) {
            along += Z[i * k + c] * x[i];
        }
        assert_true(fabs(along) < close);
    }
}

static void test_least_squares_of_every_shape_and_rank_is_minimal(void **state)
{
    (void)state;
    uint64_t seed = 100;
    for (int m = 1; m <= 12; m++) {
        for (int n = 1; n <= 12; n++) {
            for (int rank = 0; rank <= (m < n ? m : n); rank++) {
                check_least_squares(m, n, rank, seed);
                seed += 3;
            }
        }
    }
}

static void test_pseudo_inverse_of_deficient_matrix_obeys_moore_and_penrose(void **state)
{
    (void)state;
    double left[7 * 3];
    double right[3 * 5];
    double A[35];
    double P[35];
    double AP[49];
    double PA[25];
    double back[35];
    double turned[49];
    fill_random(21, left, 9);
    fill_random(15, right, 10);
    multiply(7, 3, 5, left, right, A);
    dense_pseudo_inverse(7, 5, A, P);
    multiply(7, 5, 7, A, P, AP);
    multiply(5, 7, 5, P, A, PA);
    multiply(7, 7, 5, AP, A, back);
    assert_true(distance(35, back, A) < close);
    multiply(5, 5, 7, PA, P, back);
    assert_true(distance(35, back, P) < close);
    transpose(7, 7, AP, turned);
    assert_true(distance(49, turned, AP) < close);
    transpose(5, 5, PA, turned);
    assert_true(distance(25, turned, PA) < close);
}

static void test_pseudo_inverse_of_zero_is_zero(void **state)
{
    (void)state;
    double A[6] = { 0 };
    double P[6] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    dense_pseudo_inverse(2, 3, A, P);
    for (int i = 0; i < 6; i++) {
        assert_true(P[i] == 0.0);
    }
}

static void test_null_space_is_orthonormal_and_annihilated(void **state)
{
    (void)state;
    double A[3 * 8];
    double Z[64];
    double Zt[40];
    double AZ[15];
    double ZZ[25];
    fill_random(24, A, 11);
    assert_int_equal(dense_null_space(3, 8, A, 1e-10, Z), 5);
    multiply(3, 8, 5, A, Z, AZ);
    transpose(8, 5, Z, Zt);
    multiply(5, 8, 5, Zt, Z, ZZ);
    for (int i = 0; i < 15; i++) {
        assert_true(fabs(AZ[i]) < 8 * 8 * DBL_EPSILON);
    }
    for (int i = 0; i < 25; i++) {
        assert_true(fabs(ZZ[i] - (i % 6 == 0)) < 8 * 8 * DBL_EPSILON);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank_with_repeated_and_zero_rows_names_the_later_ones),
        cmocka_unit_test(test_rank_with_small_remainder_follows_the_tolerance),
        cmocka_unit_test(test_rank_with_not_finite_row_counts_it_dependent),
        cmocka_unit_test(test_rank_of_tall_product_is_the_inner_side),
        cmocka_unit_test(test_solve_of_random_matrix_returns_the_known_solution),
        cmocka_unit_test(test_solve_with_zero_first_pivot_exchanges_rows),
        cmocka_unit_test(test_solve_of_singular_matrix_fails),
        cmocka_unit_test(test_cholesky_of_definite_matrix_returns_the_known_solution),
        cmocka_unit_test(test_cholesky_of_indefinite_matrix_fails_and_keeps_b),
        cmocka_unit_test(test_cholesky_without_right_side_leaves_the_factor),
        cmocka_unit_test(test_least_squares_of_every_shape_and_rank_is_minimal),
        cmocka_unit_test(test_pseudo_inverse_of_deficient_matrix_obeys_moore_and_penrose),
        cmocka_unit_test(test_pseudo_inverse_of_zero_is_zero),
        cmocka_unit_test(test_null_space_is_orthonormal_and_annihilated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
