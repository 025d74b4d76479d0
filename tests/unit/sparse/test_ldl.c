// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sparse/ldl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

// A matrix with its factor.
typedef struct {
    pattern pat;
    double *val;
    ldl *fac;
    double *numeric;
} system_under_test;

// Uniform in [-1, 1).
static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static int next_index(uint64_t *state, int n) { return (int)(0.5 * (next_random(state) + 1.0) * n) % n; }

static void add_range(pattern_builder *builder, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        for (int j = first; j < i; j++) {
            pattern_add(builder, i, j);
        }
    }
}

static void finish(pattern_builder *builder, system_under_test *sys)
{
    assert_true(pattern_build(builder, &sys->pat));
    pattern_builder_free(builder);
    sys->val = calloc((size_t)sys->pat.nnz + 1, sizeof(double));
    sys->fac = ldl_create(&sys->pat);
    assert_non_null(sys->fac);
    sys->numeric = malloc(ldl_numeric_count(sys->fac) * sizeof(double));
    // whatever the caller's memory holds must not matter
    memset(sys->numeric, 0xff, ldl_numeric_count(sys->fac) * sizeof(double));
}

static void release(system_under_test *sys)
{
    pattern_free(&sys->pat);
    ldl_destroy(sys->fac);
    free(sys->val);
    free(sys->numeric);
}

// Linkage of n_window windows: block tridiagonal, 3 x 3 blocks.
static system_under_test make_chain(int n_window)
{
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, 3 * n_window + 3);
    for (int k = 0; k < n_window; k++) {
        add_range(&builder, 3 * k, 6);
    }
    finish(&builder, &sys);
    return sys;
}

static system_under_test make_full(int n)
{
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    add_range(&builder, 0, n);
    finish(&builder, &sys);
    return sys;
}

// Tree of bodies with 12 variables, joints between some of them, and single variables hung on bodies.
static system_under_test make_mechanism(int n, uint64_t seed)
{
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    int n_body = n / 12;
    for (int b = 0; b < n_body; b++) {
        add_range(&builder, 12 * b, 12);
        int parent = b > 0 ? next_index(&seed, b) : 0;
        int index[10];
        for (int i = 0; i < 10; i++) {
            index[i] = 12 * (i < 5 ? b : parent) + next_index(&seed, 12);
        }
        pattern_add_clique(&builder, 10, index);
    }
    for (int i = 12 * n_body; i < n; i++) {
        pattern_add(&builder, i, next_index(&seed, i));
        pattern_add(&builder, i, next_index(&seed, i));
    }
    finish(&builder, &sys);
    return sys;
}

// Scattered pairs: much fill, groups merged over zeros.
static system_under_test make_scattered(int n, int n_pair, uint64_t seed)
{
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    for (int k = 0; k < n_pair; k++) {
        int i = next_index(&seed, n);
        int j = next_index(&seed, n);
        pattern_add(&builder, i, j);
    }
    finish(&builder, &sys);
    return sys;
}

// Strictly dominant diagonal, so positive definite, then rows and columns scaled by s_i: the condition number
// grows to about (max s / min s)^2.
static void set_definite(system_under_test *sys, double scale_range, uint64_t seed)
{
    const pattern *pat = &sys->pat;
    double *sum = calloc((size_t)pat->n + 1, sizeof *sum);
    double *scale = calloc((size_t)pat->n + 1, sizeof *scale);
    for (int j = 0; j < pat->n; j++) {
        scale[j] = pow(scale_range, 0.5 * next_random(&seed));
        for (int p = pat->start[j]; p < pat->start[j + 1] - 1; p++) {
            sys->val[p] = next_random(&seed);
            sum[j] += fabs(sys->val[p]);
            sum[pat->row[p]] += fabs(sys->val[p]);
        }
    }
    for (int j = 0; j < pat->n; j++) {
        sys->val[pat->start[j + 1] - 1] = 1.01 * sum[j] + 0.1;
        for (int p = pat->start[j]; p < pat->start[j + 1]; p++) {
            sys->val[p] *= scale[j] * scale[pat->row[p]];
        }
    }
    free(scale);
    free(sum);
}

static double *random_vector(int n, uint64_t seed)
{
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    for (int i = 0; i < n; i++) {
        x[i] = next_random(&seed);
    }
    return x;
}

static double *copy_vector(int n, const double *x)
{
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

// Largest |b - A x|_i / (|A| |x| + |b|)_i: the componentwise backward error.
static double backward_error(const system_under_test *sys, const double *x, const double *b)
{
    int n = sys->pat.n;
    double *product = calloc((size_t)n + 1, sizeof *product);
    double *size = calloc((size_t)n + 1, sizeof *size);
    double *val = malloc((size_t)sys->pat.nnz * sizeof *val);
    double *positive = malloc(((size_t)n + 1) * sizeof *positive);
    pattern_multiply(&sys->pat, sys->val, x, product);
    for (int p = 0; p < sys->pat.nnz; p++) {
        val[p] = fabs(sys->val[p]);
    }
    for (int i = 0; i < n; i++) {
        positive[i] = fabs(x[i]);
    }
    pattern_multiply(&sys->pat, val, positive, size);
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double error = fabs(b[i] - product[i]) / (size[i] + fabs(b[i]));
        worst = error <= worst ? worst : error;
    }
    free(positive);
    free(val);
    free(size);
    free(product);
    return worst;
}

// The same system by KLU, as a full unsymmetric matrix.
static void solve_by_klu(const system_under_test *sys, double *b)
{
    const pattern *pat = &sys->pat;
    int n = pat->n;
    int *start = calloc((size_t)n + 2, sizeof *start);
    int *row = malloc(2 * (size_t)pat->nnz * sizeof *row);
    double *val = malloc(2 * (size_t)pat->nnz * sizeof *val);
    for (int j = 0; j < n; j++) {
        for (int p = pat->start[j]; p < pat->start[j + 1]; p++) {
            start[j + 2]++;
            start[pat->row[p] + 2] += pat->row[p] != j;
        }
    }
    for (int j = 0; j < n; j++) {
        start[j + 2] += start[j + 1];
    }
    for (int j = 0; j < n; j++) {
        for (int p = pat->start[j]; p < pat->start[j + 1]; p++) {
            int i = pat->row[p];
            row[start[j + 1]] = i;
            val[start[j + 1]++] = sys->val[p];
            if (i != j) {
                row[start[i + 1]] = j;
                val[start[i + 1]++] = sys->val[p];
            }
        }
    }
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(n, start, row, &common);
    klu_numeric *numeric = klu_factor(start, row, val, symbolic, &common);
    assert_non_null(numeric);
    assert_int_equal(klu_solve(symbolic, numeric, n, 1, b, &common), 1);
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
    free(val);
    free(row);
    free(start);
}

// Factors, solves, and compares with the matrix and with KLU.
static void check_solution(system_under_test *sys, double scale_range, uint64_t seed)
{
    int n = sys->pat.n;
    set_definite(sys, scale_range, seed);
    double *b = random_vector(n, seed + 1);
    double *x = copy_vector(n, b);
    double *oracle = copy_vector(n, b);
    assert_int_equal(ldl_factor(sys->fac, sys->val, sys->numeric, 1e-12), -1);
    ldl_solve(sys->fac, sys->numeric, x);

    // sums have at most n terms, each of factor and two solves rounds once per term: 3 n eps bounds the
    // backward error of a positive definite matrix in any order
    assert_true(backward_error(sys, x, b) <= 3.0 * n * DBL_EPSILON);

    // scaling does not touch the componentwise condition, which dominance keeps below about (1 + 1) / (0.01 /
    // 1.01) = 2e2: the two solvers agree to that times their backward errors, relative to the scaled size of
    // the solution
    solve_by_klu(sys, oracle);
    double largest = 0.0;
    double difference = 0.0;
    for (int i = 0; i < n; i++) {
        double size = sqrt(sys->val[sys->pat.start[i + 1] - 1]);
        largest = fmax(largest, fabs(size * oracle[i]));
        difference = fmax(difference, fabs(size * (x[i] - oracle[i])));
    }
    assert_true(difference <= 2e2 * 6.0 * n * DBL_EPSILON * largest);
    free(oracle);
    free(x);
    free(b);
}

static void test_ldl_of_chains_solves_like_klu(void **state)
{
    (void)state;
    static const int n_window[] = { 1, 2, 10, 400 };
    for (size_t i = 0; i < sizeof n_window / sizeof n_window[0]; i++) {
        system_under_test sys = make_chain(n_window[i]);
        check_solution(&sys, 1.0, 3);
        release(&sys);
    }
}

static void test_ldl_of_full_matrices_solves_like_klu(void **state)
{
    (void)state;
    // every panel width, and several panels
    for (int n = 1; n <= 20; n++) {
        system_under_test sys = make_full(n);
        check_solution(&sys, 1.0, 5);
        release(&sys);
    }
    system_under_test sys = make_full(60);
    check_solution(&sys, 1.0, 5);
    release(&sys);
}

static void test_ldl_of_mechanisms_solves_like_klu(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        system_under_test sys = make_mechanism(seed % 2 ? 161 : 293, seed);
        check_solution(&sys, 1.0, seed);
        release(&sys);
    }
}

static void test_ldl_of_scattered_patterns_solves_like_klu(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 1 + (int)seed * 4;
        system_under_test sys = make_scattered(n, (int)(seed % 6) * n / 2, seed);
        check_solution(&sys, 1.0, seed);
        release(&sys);
    }
}

static void test_ldl_of_condition_up_to_1e10_keeps_a_small_residual(void **state)
{
    (void)state;
    for (double range = 10.0; range <= 1.0001e5; range *= 10.0) {
        system_under_test sys = make_mechanism(161, 11);
        check_solution(&sys, range, 13);
        release(&sys);
        sys = make_chain(40);
        check_solution(&sys, range, 17);
        release(&sys);
    }
}

// Chain of springs of stiffness 1 fixed to ground by a soft one: the condition comes from the coupling
// itself.
static void test_ldl_of_nearly_floating_chain_keeps_a_small_residual(void **state)
{
    (void)state;
    enum { n = 100 };
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    for (int i = 1; i < n; i++) {
        pattern_add(&builder, i - 1, i);
    }
    finish(&builder, &sys);
    // smallest eigenvalue about ground / n, largest 4: condition 4e10
    double ground = 1e-8;
    for (int i = 0; i < n; i++) {
        sys.val[pattern_find(&sys.pat, i, i)] = i == 0 || i == n - 1 ? 1.0 : 2.0;
        if (i > 0) {
            sys.val[pattern_find(&sys.pat, i - 1, i)] = -1.0;
        }
    }
    sys.val[pattern_find(&sys.pat, 0, 0)] += ground;
    double *b = random_vector(n, 1);
    double *x = copy_vector(n, b);
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), -1);
    ldl_solve(sys.fac, sys.numeric, x);
    assert_true(backward_error(&sys, x, b) <= 3.0 * n * DBL_EPSILON);
    free(x);
    free(b);
    release(&sys);
}

static void test_ldl_with_zero_row_names_the_variable(void **state)
{
    (void)state;
    system_under_test sys = make_mechanism(161, 2);
    for (int bad = 0; bad < 161; bad++) {
        set_definite(&sys, 1.0, 19);
        for (int i = 0; i < 161; i++) {
            int p = pattern_find(&sys.pat, bad, i);
            if (p >= 0) {
                sys.val[p] = 0.0;
            }
        }
        assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), bad);
    }
    release(&sys);
}

static void test_ldl_with_negative_diagonal_names_the_variable(void **state)
{
    (void)state;
    // no coupling: no other pivot can be touched
    for (int bad = 0; bad < 30; bad++) {
        system_under_test sys = make_scattered(30, 0, 1);
        set_definite(&sys, 1.0, 23);
        sys.val[bad] = -1.0;
        assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), bad);
        release(&sys);
    }
}

static void test_ldl_with_nan_or_infinite_diagonal_names_the_variable(void **state)
{
    (void)state;
    system_under_test sys = make_chain(10);
    for (int bad = 0; bad < 33; bad++) {
        set_definite(&sys, 1.0, 29);
        sys.val[pattern_find(&sys.pat, bad, bad)] = (double)NAN;
        assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), bad);
        sys.val[pattern_find(&sys.pat, bad, bad)] = (double)INFINITY;
        assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), bad);
    }
    release(&sys);
}

static void test_ldl_with_nan_coupling_names_one_of_the_two(void **state)
{
    (void)state;
    system_under_test sys = make_chain(10);
    set_definite(&sys, 1.0, 29);
    sys.val[pattern_find(&sys.pat, 7, 10)] = (double)NAN;
    int bad = ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12);
    assert_true(bad == 7 || bad == 10);
    release(&sys);
}

static void test_ldl_with_pivot_below_tolerance_names_a_coupled_variable(void **state)
{
    (void)state;
    // [1 1; 1 1 + 1e-9] in the middle of loose variables: the second pivot is 1e-9 of its diagonal
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, 6);
    pattern_add(&builder, 2, 4);
    finish(&builder, &sys);
    for (int i = 0; i < 6; i++) {
        sys.val[pattern_find(&sys.pat, i, i)] = 1.0;
    }
    sys.val[pattern_find(&sys.pat, 2, 4)] = 1.0;
    sys.val[pattern_find(&sys.pat, 4, 4)] += 1e-9;
    int bad = ldl_factor(sys.fac, sys.val, sys.numeric, 1e-8);
    assert_true(bad == 2 || bad == 4);
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-10), -1);
    release(&sys);
}

static void test_ldl_pivots_of_diagonal_matrix_are_its_entries(void **state)
{
    (void)state;
    system_under_test sys = make_scattered(50, 0, 1);
    set_definite(&sys, 100.0, 31);
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), -1);
    for (int i = 0; i < 50; i++) {
        assert_true(ldl_pivot(sys.fac, sys.numeric, i) == sys.val[i]);
    }
    release(&sys);
}

static void test_ldl_pivots_multiply_to_the_determinant(void **state)
{
    (void)state;
    // tridiagonal 2, -1 of order n has determinant n + 1
    enum { n = 30 };
    system_under_test sys;
    pattern_builder builder;
    pattern_builder_init(&builder, n);
    for (int i = 1; i < n; i++) {
        pattern_add(&builder, i - 1, i);
    }
    finish(&builder, &sys);
    for (int p = 0; p < sys.pat.nnz; p++) {
        sys.val[p] = -1.0;
    }
    for (int i = 0; i < n; i++) {
        sys.val[sys.pat.start[i + 1] - 1] = 2.0;
    }
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 0.0), -1);
    double determinant = 1.0;
    for (int i = 0; i < n; i++) {
        determinant *= ldl_pivot(sys.fac, sys.numeric, i);
    }
    // the condition of a pivot is at most about n here: n pivots, n roundings amplified n times
    assert_true(fabs(determinant - (n + 1)) <= (n + 1) * n * n * DBL_EPSILON);
    release(&sys);
}

static void test_ldl_of_a_chain_without_fill_stores_no_more_than_the_matrix(void **state)
{
    (void)state;
    system_under_test sys = make_chain(10);
    assert_int_equal(ldl_nnz(sys.fac), sys.pat.nnz);
    release(&sys);
}

static void test_ldl_factored_again_after_failure_gives_the_same_bits(void **state)
{
    (void)state;
    system_under_test sys = make_mechanism(161, 4);
    set_definite(&sys, 10.0, 37);
    double *b = random_vector(161, 41);
    double *first = copy_vector(161, b);
    double *second = copy_vector(161, b);
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), -1);
    ldl_solve(sys.fac, sys.numeric, first);
    double keep = sys.val[5];
    sys.val[5] = (double)NAN;
    assert_true(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12) >= 0);
    sys.val[5] = keep;
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), -1);
    ldl_solve(sys.fac, sys.numeric, second);
    assert_memory_equal(first, second, 161 * sizeof *first);
    free(second);
    free(first);
    free(b);
    release(&sys);
}

static void test_ldl_of_order_zero_does_nothing(void **state)
{
    (void)state;
    system_under_test sys = make_scattered(0, 0, 1);
    assert_int_equal(ldl_factor(sys.fac, sys.val, sys.numeric, 1e-12), -1);
    ldl_solve(sys.fac, sys.numeric, NULL);
    assert_int_equal(ldl_nnz(sys.fac), 0);
    release(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ldl_of_chains_solves_like_klu),
        cmocka_unit_test(test_ldl_of_full_matrices_solves_like_klu),
        cmocka_unit_test(test_ldl_of_mechanisms_solves_like_klu),
        cmocka_unit_test(test_ldl_of_scattered_patterns_solves_like_klu),
        cmocka_unit_test(test_ldl_of_condition_up_to_1e10_keeps_a_small_residual),
        cmocka_unit_test(test_ldl_of_nearly_floating_chain_keeps_a_small_residual),
        cmocka_unit_test(test_ldl_with_zero_row_names_the_variable),
        cmocka_unit_test(test_ldl_with_negative_diagonal_names_the_variable),
        cmocka_unit_test(test_ldl_with_nan_or_infinite_diagonal_names_the_variable),
        cmocka_unit_test(test_ldl_with_nan_coupling_names_one_of_the_two),
        cmocka_unit_test(test_ldl_with_pivot_below_tolerance_names_a_coupled_variable),
        cmocka_unit_test(test_ldl_pivots_of_diagonal_matrix_are_its_entries),
        cmocka_unit_test(test_ldl_pivots_multiply_to_the_determinant),
        cmocka_unit_test(test_ldl_of_a_chain_without_fill_stores_no_more_than_the_matrix),
        cmocka_unit_test(test_ldl_factored_again_after_failure_gives_the_same_bits),
        cmocka_unit_test(test_ldl_of_order_zero_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
