// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/modes/eigen.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// K, M of a problem under test.
typedef struct {
    pattern pat;
    double *K, *M;
} pair_of_matrices;

static void start(pair_of_matrices *km, pattern_builder *builder)
{
    assert_true(pattern_build(builder, &km->pat));
    pattern_builder_free(builder);
    km->K = calloc((size_t)km->pat.nnz, sizeof(double));
    km->M = calloc((size_t)km->pat.nnz, sizeof(double));
}

static void release(pair_of_matrices *km)
{
    pattern_free(&km->pat);
    free(km->K);
    free(km->M);
}

static eigen_problem problem_of(const pair_of_matrices *km, int count)
{
    return (eigen_problem){ .pat = &km->pat, .K = km->K, .M = km->M, .count = count };
}

static void add(pair_of_matrices *km, double *val, int i, int j, double x)
{
    val[pattern_find(&km->pat, i, j)] += x;
}

// One-dimensional stiffness and mass between points i and j of a chain with h = 1 / n, E = rho = A = 1.
static double chain_k(int n, int i, int j, bool is_last)
{
    return i == j ? (is_last ? n : 2.0 * n) : -(double)n;
}
static double chain_m(int n, int i, int j, bool is_last)
{
    return (i == j ? (is_last ? 2.0 : 4.0) : 1.0) / (6.0 * n);
}

// Bar clamped at one end, free at the other, n linear elements with consistent mass.
static void make_bar(int n, bool is_free, pair_of_matrices *km)
{
    int points = n + is_free;
    pattern_builder builder;
    pattern_builder_init(&builder, points);
    for (int i = 0; i + 1 < points; i++) {
        pattern_add(&builder, i, i + 1);
    }
    start(km, &builder);
    for (int i = 0; i < points; i++) {
        bool is_end = i == points - 1 || (is_free && i == 0);
        add(km, km->K, i, i, chain_k(n, 0, 0, is_end));
        add(km, km->M, i, i, chain_m(n, 0, 0, is_end));
        if (i + 1 < points) {
            add(km, km->K, i, i + 1, chain_k(n, 0, 1, false));
            add(km, km->M, i, i + 1, chain_m(n, 0, 1, false));
        }
    }
}

// Its eigenvalues: a wave of phase theta per element satisfies the difference equation exactly.
static double chain_lambda(int n, double theta)
{
    return 6.0 * n * n * (1.0 - cos(theta)) / (2.0 + cos(theta));
}

static void check_vectors(const pair_of_matrices *km, const eigen_result *r)
{
    size_t n = (size_t)km->pat.n;
    double *kx = malloc(n * sizeof *kx);
    double *mx = malloc(n * sizeof *mx);
    double top = 1.0;
    for (size_t k = 0; k < n; k++) {
        top = fmax(top, km->K[km->pat.start[k + 1] - 1]);
    }
    for (int k = 0; k < r->count; k++) {
        const double *x = r->vector + (size_t)k * n;
        memset(kx, 0, n * sizeof *kx);
        memset(mx, 0, n * sizeof *mx);
        pattern_multiply(&km->pat, km->K, x, kx);
        pattern_multiply(&km->pat, km->M, x, mx);
        for (int j = 0; j <= k; j++) {
            double sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                sum += mx[i] * r->vector[(size_t)j * n + i];
            }
            assert_true(fabs(sum - (j == k)) < 1e-9);
        }
        double largest = 0.0;
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(x[i]));
        }
        for (size_t i = 0; i < n; i++) {
            // the tolerance of the eigenvectors is about the root of that of the eigenvalues
            assert_true(fabs(kx[i] - r->value[k] * mx[i]) < 1e-6 * top * largest);
        }
    }
    free(kx);
    free(mx);
}

static void test_bar_clamped_at_one_end_gives_the_waves_of_its_chain(void **state)
{
    (void)state;
    static const int sizes[] = { 1, 2, 7, 60, 2000 };
    for (int s = 0; s < 5; s++) {
        int n = sizes[s];
        int wanted = n < 12 ? n : 12;
        pair_of_matrices km;
        make_bar(n, false, &km);
        eigen_problem problem = problem_of(&km, wanted);
        eigen_result r;
        assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
        assert_int_equal(r.count, wanted);
        for (int k = 0; k < wanted; k++) {
            double expected = chain_lambda(n, (2 * k + 1) * PI / (2.0 * n));
            // cos(theta) loses digits to 1: eps / theta^2 of the expected value itself
            assert_true(fabs(r.value[k] / expected - 1.0) < 1e-9);
        }
        check_vectors(&km, &r);
        eigen_clear(&r);
        release(&km);
    }
}

static void test_free_bar_with_negative_shift_has_a_rigid_mode(void **state)
{
    (void)state;
    pair_of_matrices km;
    make_bar(200, true, &km);
    eigen_problem problem = problem_of(&km, 6);
    problem.shift = -1.0;
    eigen_result r;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
    assert_true(fabs(r.value[0]) < 1e-8);
    for (int k = 1; k < 6; k++) {
        assert_true(fabs(r.value[k] / chain_lambda(200, k * PI / 200.0) - 1.0) < 1e-9);
    }
    eigen_clear(&r);
    release(&km);
}

static void test_free_bar_without_shift_is_told_singular(void **state)
{
    (void)state;
    pair_of_matrices km;
    // stiffness of a free chain of two: exactly singular in binary numbers
    make_bar(2, true, &km);
    eigen_problem problem = problem_of(&km, 1);
    eigen_result r;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_SINGULAR);
    assert_true(r.bad >= 0 && r.bad < 3);
    release(&km);
}

// Square or cube of n^dim linear elements clamped on three sides' corner planes: sums of the chain's eigenvalues.
static void make_block(int n, int dim, pair_of_matrices *km)
{
    int points = dim == 2 ? n * n : n * n * n;
    pattern_builder builder;
    pattern_builder_init(&builder, points);
    for (int pass = 0; pass < 2; pass++) {
        for (int a = 0; a < points; a++) {
            for (int c = 0; c < 27; c++) {
                int at[3] = { a % n, a / n % n, a / n / n };
                int to[3] = { at[0] + c % 3 - 1, at[1] + c / 3 % 3 - 1, at[2] + c / 9 - 1 };
                int b = (to[2] * n + to[1]) * n + to[0];
                bool is_in = b >= a;
                double k[3];
                double m[3];
                for (int d = 0; d < 3; d++) {
                    is_in = is_in && to[d] >= 0 && to[d] < n && (d < dim || to[d] == 0);
                    k[d] = d < dim ? chain_k(n, at[d], to[d], at[d] == n - 1) : 0.0;
                    m[d] = d < dim ? chain_m(n, at[d], to[d], at[d] == n - 1) : 1.0;
                }
                if (!is_in) {
                    continue;
                }
                if (pass == 0) {
                    pattern_add(&builder, a, b);
                } else {
                    double sum = k[0] * m[1] * m[2] + m[0] * k[1] * m[2] + m[0] * m[1] * k[2];
                    add(km, km->K, a, b, sum);
                    add(km, km->M, a, b, m[0] * m[1] * m[2]);
                }
            }
        }
        if (pass == 0) {
            start(km, &builder);
        }
    }
}

static int compare_double(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_block_with_multiple_eigenvalues_finds_all_copies(void **state)
{
    (void)state;
    // a cube has eigenvalues of multiplicity 3 and 6, more than vectors in a block
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 2 ? 24 : 9;
        pair_of_matrices km;
        make_block(n, dim, &km);
        double expected[729];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < (dim == 3 ? n : 1); k++) {
                    double third = dim == 3 ? chain_lambda(n, (2 * k + 1) * PI / (2.0 * n)) : 0.0;
                    expected[count++] = chain_lambda(n, (2 * i + 1) * PI / (2.0 * n)) +
                                        chain_lambda(n, (2 * j + 1) * PI / (2.0 * n)) + third;
                }
            }
        }
        qsort(expected, (size_t)count, sizeof *expected, compare_double);
        for (int wanted = 1; wanted <= 41; wanted += 8) {
            eigen_problem problem = problem_of(&km, wanted);
            eigen_result r;
            assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
            for (int k = 0; k < wanted; k++) {
                assert_true(fabs(r.value[k] / expected[k] - 1.0) < 1e-9);
            }
            check_vectors(&km, &r);
            eigen_clear(&r);
        }
        release(&km);
    }
}

static void test_all_up_to_a_frequency_are_found_and_no_other(void **state)
{
    (void)state;
    pair_of_matrices km;
    make_bar(400, false, &km);
    for (int count = 0; count < 30; count += 7) {
        double limit = chain_lambda(400, (2 * count) * PI / 800.0) + 0.01; // between two eigenvalues
        eigen_problem problem = problem_of(&km, 0);
        problem.up_to = limit;
        eigen_result r;
        assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
        assert_int_equal(r.count, count);
        assert_int_equal(eigen_count_below(&problem, limit), count);
        eigen_clear(&r);
    }
    release(&km);
}

// Cantilever of Hermite elements, EI = rho A = L = 1: w and its slope at n nodes.
static void make_cantilever(int n, pair_of_matrices *km)
{
    double h = 1.0 / n;
    double k[4][4] = { { 12, 6 * h, -12, 6 * h },
                       { 6 * h, 4 * h * h, -6 * h, 2 * h * h },
                       { -12, -6 * h, 12, -6 * h },
                       { 6 * h, 2 * h * h, -6 * h, 4 * h * h } };
    double m[4][4] = { { 156, 22 * h, 54, -13 * h },
                       { 22 * h, 4 * h * h, 13 * h, -3 * h * h },
                       { 54, 13 * h, 156, -22 * h },
                       { -13 * h, -3 * h * h, -22 * h, 4 * h * h } };
    pattern_builder builder;
    pattern_builder_init(&builder, 2 * n);
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < n; e++) {
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j <= i; j++) {
                    int a = 2 * e - 2 + i;
                    int b = 2 * e - 2 + j;
                    if (b < 0) {
                        continue;
                    }
                    if (pass == 0) {
                        pattern_add(&builder, a, b);
                    } else {
                        add(km, km->K, a, b, k[i][j] / (h * h * h));
                        add(km, km->M, a, b, m[i][j] * h / 420.0);
                    }
                }
            }
        }
        if (pass == 0) {
            start(km, &builder);
        }
    }
}

static void test_cantilever_of_beams_has_the_roots_of_its_characteristic_equation(void **state)
{
    (void)state;
    // cos b cosh b = -1
    static const double root[] = { 1.8751040687119611, 4.6940911329741746, 7.8547574382376126,
                                   10.995540734875467 };
    pair_of_matrices km;
    make_cantilever(40, &km);
    eigen_problem problem = problem_of(&km, 4);
    eigen_result r;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
    for (int k = 0; k < 4; k++) {
        // error of cubic elements: (b h)^4 / 720, here at most 8e-6
        assert_true(fabs(r.value[k] / pow(root[k], 4.0) - 1.0) < 1e-5);
    }
    eigen_clear(&r);
    release(&km);
}

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static void test_random_pair_agrees_with_the_full_solution(void **state)
{
    (void)state;
    enum { n = 50 };
    static double K[n][n], M[n][n], A[n][n], V[n * n], value[n];
    uint64_t seed = 11;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (next_random(&seed) > 0.7) {
                pattern_add(&builder, i, j);
            }
        }
    }
    pair_of_matrices km;
    start(&km, &builder);
    for (int j = 0; j < n; j++) {
        for (int p = km.pat.start[j]; p < km.pat.start[j + 1]; p++) {
            int i = km.pat.row[p];
            km.K[p] = i == j ? 20.0 + 5.0 * next_random(&seed) : next_random(&seed);
            km.M[p] = i == j ? 15.0 + 5.0 * next_random(&seed) : next_random(&seed);
            K[i][j] = K[j][i] = km.K[p];
            M[i][j] = M[j][i] = km.M[p];
        }
    }
    // L^-1 K L^-T by its columns
    assert_true(dense_cholesky(n, &M[0][0], NULL));
    memcpy(A, K, sizeof A);
    for (int side = 0; side < 2; side++) {
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < n; i++) {
                double *x = side == 0 ? &A[i][c] : &A[c][i];
                for (int j = 0; j < i; j++) {
                    *x -= M[i][j] * (side == 0 ? A[j][c] : A[c][j]);
                }
                *x /= M[i][i];
            }
        }
    }
    dense_symmetric_eigen(n, &A[0][0], value, V);
    for (int wanted = 1; wanted <= n; wanted += 7) {
        eigen_problem problem = problem_of(&km, wanted);
        eigen_result r;
        assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
        for (int k = 0; k < wanted; k++) {
            assert_true(fabs(r.value[k] / value[k] - 1.0) < 1e-9);
        }
        check_vectors(&km, &r);
        eigen_clear(&r);
    }
    release(&km);
}

static void test_unknowns_without_mass_are_no_modes(void **state)
{
    (void)state;
    // mass only at the tip of a chain of springs: one finite eigenvalue, k / (n m)
    pair_of_matrices km;
    make_bar(10, false, &km);
    memset(km.M, 0, (size_t)km.pat.nnz * sizeof(double));
    add(&km, km.M, 9, 9, 2.0);
    eigen_problem problem = problem_of(&km, 1);
    eigen_result r;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
    assert_true(fabs(r.value[0] - 0.5) < 1e-12);
    eigen_clear(&r);
    problem.count = 2;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_NOT_FOUND);
    release(&km);
}

static bool count_calls(void *data, double share)
{
    double *told = data;
    assert_true(share >= 0.0 && share <= 1.0);
    told[0] += 1.0;
    told[1] = share;
    return told[2] == 0.0 || share < told[2];
}

static void test_progress_is_told_and_may_stop(void **state)
{
    (void)state;
    pair_of_matrices km;
    make_block(30, 2, &km);
    double told[3] = { 0.0, 0.0, 0.0 };
    eigen_problem problem = problem_of(&km, 10);
    problem.progress = count_calls;
    problem.data = told;
    eigen_result r;
    eigen_result again;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_GOOD);
    assert_true(told[0] > 5.0);
    // the same bits twice
    assert_int_equal(eigen_solve(&problem, &again), EIGEN_GOOD);
    assert_memory_equal(r.vector, again.vector, 10 * 900 * sizeof(double));
    eigen_clear(&r);
    eigen_clear(&again);
    told[2] = 0.6;
    assert_int_equal(eigen_solve(&problem, &r), EIGEN_STOPPED);
    assert_null(r.vector);
    release(&km);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_clamped_at_one_end_gives_the_waves_of_its_chain),
        cmocka_unit_test(test_free_bar_with_negative_shift_has_a_rigid_mode),
        cmocka_unit_test(test_free_bar_without_shift_is_told_singular),
        cmocka_unit_test(test_block_with_multiple_eigenvalues_finds_all_copies),
        cmocka_unit_test(test_all_up_to_a_frequency_are_found_and_no_other),
        cmocka_unit_test(test_cantilever_of_beams_has_the_roots_of_its_characteristic_equation),
        cmocka_unit_test(test_random_pair_agrees_with_the_full_solution),
        cmocka_unit_test(test_unknowns_without_mass_are_no_modes),
        cmocka_unit_test(test_progress_is_told_and_may_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
