// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sparse/dense_eigen.h"
#include "sparse/dense_symmetric.h"
#include "sparse/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

// A block of side^3 points with `freedoms` unknowns each, every point tied to its 26 neighbours.
static void block_pattern(int side, int freedoms, pattern *pat, double *place)
{
    pattern_builder builder;
    pattern_builder_init(&builder, side * side * side * freedoms);
    int count = 0;
    for (int x = 0; x < side; x++) {
        for (int y = 0; y < side; y++) {
            for (int z = 0; z < side; z++) {
                for (int d = 0; place && d < freedoms; d++, count += 3) {
                    place[count] = x;
                    place[count + 1] = y;
                    place[count + 2] = z;
                }
                int index[8 * 3];
                int n = 0;
                for (int c = 0; c < 8 && x + 1 < side && y + 1 < side && z + 1 < side; c++) {
                    int point = ((x + (c & 1)) * side + y + (c >> 1 & 1)) * side + z + (c >> 2);
                    for (int d = 0; d < freedoms; d++) {
                        index[n++] = point * freedoms + d;
                    }
                }
                pattern_add_clique(&builder, n, index);
            }
        }
    }
    assert_true(pattern_build(&builder, pat));
    pattern_builder_free(&builder);
}

// Random numbers with this diagonal.
static double *random_values(const pattern *pat, double diagonal)
{
    uint64_t state = 7;
    double *val = malloc((size_t)pat->nnz * sizeof *val);
    for (int j = 0; j < pat->n; j++) {
        for (int p = pat->start[j]; p < pat->start[j + 1]; p++) {
            val[p] = pat->row[p] == j ? diagonal : next_random(&state);
        }
    }
    return val;
}

// Largest |A x - b| of five right-hand sides.
static double solve_error(const pattern *pat, const double *val, front *fac)
{
    size_t n = (size_t)pat->n;
    uint64_t state = 3;
    double *b = malloc(5 * n * sizeof *b);
    double *x = malloc(5 * n * sizeof *x);
    double *y = calloc(5 * n, sizeof *y);
    for (size_t i = 0; i < 5 * n; i++) {
        b[i] = x[i] = next_random(&state);
    }
    front_solve(fac, 5, x);
    double worst = 0.0;
    for (size_t c = 0; c < 5; c++) {
        pattern_multiply(pat, val, x + c * n, y + c * n);
        for (size_t i = c * n; i < (c + 1) * n; i++) {
            worst = fmax(worst, fabs(y[i] - b[i]));
        }
    }
    free(b);
    free(x);
    free(y);
    return worst;
}

static void test_front_solves_definite_systems_of_every_size(void **state)
{
    (void)state;
    for (int side = 1; side <= 9; side++) {
        pattern pat;
        block_pattern(side, 3, &pat, NULL);
        double *val = random_values(&pat, 100.0);
        front *fac = front_create(&pat);
        assert_int_equal(front_factor(fac, val, NULL, NULL), FRONT_GOOD);
        assert_int_equal(front_negative(fac), 0);
        // diagonally dominant: no growth, some thousand roundings of unit numbers
        assert_true(solve_error(&pat, val, fac) < 1e-11);
        front_destroy(fac);
        free(val);
        pattern_free(&pat);
    }
}

static void test_front_by_dissection_gives_the_same_solution_for_less_work(void **state)
{
    (void)state;
    enum { side = 16 };
    double *place = malloc(3 * 3 * side * side * side * sizeof *place);
    pattern pat;
    block_pattern(side, 3, &pat, place);
    double *val = random_values(&pat, 100.0);
    front *plain = front_create(&pat);
    front *placed = front_create_placed(&pat, place);
    assert_true(front_flops(placed) < 0.7 * front_flops(plain));
    assert_int_equal(front_factor(placed, val, NULL, NULL), FRONT_GOOD);
    assert_true(solve_error(&pat, val, placed) < 1e-11);
    front_destroy(plain);
    front_destroy(placed);
    free(place);
    free(val);
    pattern_free(&pat);
}

static void test_front_counts_negative_eigenvalues(void **state)
{
    (void)state;
    // Sylvester's law against the eigenvalues by Jacobi
    pattern pat;
    block_pattern(4, 1, &pat, NULL);
    enum { n = 64 };
    static double A[n * n], V[n * n], value[n];
    for (int step = -6; step <= 6; step++) {
        double *val = random_values(&pat, 1.3 * step + 0.1);
        memset(A, 0, sizeof A);
        int expected = 0;
        for (int j = 0; j < n; j++) {
            for (int p = pat.start[j]; p < pat.start[j + 1]; p++) {
                A[j * n + pat.row[p]] = A[pat.row[p] * n + j] = val[p];
            }
        }
        dense_symmetric_eigen(n, A, value, V);
        for (int k = 0; k < n; k++) {
            expected += value[k] < 0.0;
        }
        front *fac = front_create(&pat);
        assert_int_equal(front_factor(fac, val, NULL, NULL), FRONT_GOOD);
        assert_int_equal(front_negative(fac), expected);
        front_destroy(fac);
        free(val);
    }
    pattern_free(&pat);
}

static void test_front_names_the_variable_without_a_pivot(void **state)
{
    (void)state;
    pattern pat;
    block_pattern(3, 1, &pat, NULL);
    double *val = random_values(&pat, 30.0);
    for (int j = 0; j < pat.n; j++) {
        for (int p = pat.start[j]; p < pat.start[j + 1]; p++) {
            val[p] = j == 11 || pat.row[p] == 11 ? 0.0 : val[p];
        }
    }
    front *fac = front_create(&pat);
    assert_int_equal(front_factor(fac, val, NULL, NULL), FRONT_SINGULAR);
    assert_int_equal(front_bad_variable(fac), 11);
    val[pat.start[12] - 1] = NAN;
    assert_int_equal(front_factor(fac, val, NULL, NULL), FRONT_SINGULAR);
    front_destroy(fac);
    free(val);
    pattern_free(&pat);
}

static bool stop_at_half(void *data, double share)
{
    *(double *)data = share;
    return share < 0.5;
}

static void test_front_stops_when_told(void **state)
{
    (void)state;
    pattern pat;
    block_pattern(8, 3, &pat, NULL);
    double *val = random_values(&pat, 100.0);
    front *fac = front_create(&pat);
    double share = 0.0;
    assert_int_equal(front_factor(fac, val, stop_at_half, &share), FRONT_STOPPED);
    assert_true(share >= 0.5 && share <= 1.0);
    // and is of use again afterwards
    assert_int_equal(front_factor(fac, val, NULL, NULL), FRONT_GOOD);
    assert_true(solve_error(&pat, val, fac) < 1e-11);
    front_destroy(fac);
    free(val);
    pattern_free(&pat);
}

static void test_symmetric_vectors_agree_with_jacobi(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 1; n <= 40; n += 3) {
        size_t size = (size_t)n * (size_t)n;
        double *A = malloc(size * sizeof *A);
        double *copy = malloc(size * sizeof *A);
        double *V = malloc(size * sizeof *A);
        double value[2][40];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                // blocks without coupling and repeated eigenvalues too
                double r = n % 2 && (i - j) % 3 ? 0.0 : next_random(&seed);
                A[i * n + j] = A[j * n + i] = n == 10 ? (i == j) : r;
            }
        }
        memcpy(copy, A, size * sizeof *A);
        assert_true(dense_symmetric_vectors(n, A, value[0], V));
        for (int k = 0; k < n; k++) {
            double norm = 0.0;
            for (int i = 0; i < n; i++) {
                double sum = -value[0][k] * V[k * n + i];
                for (int j = 0; j < n; j++) {
                    sum += A[i * n + j] * V[k * n + j];
                }
                assert_true(fabs(sum) < 1e-13 * n);
                norm += V[k * n + i] * V[k * n + i];
            }
            assert_true(fabs(norm - 1.0) < 1e-13 * n);
        }
        dense_symmetric_eigen(n, copy, value[1], V);
        for (int k = 0; k < n; k++) {
            assert_true(fabs(value[0][k] - value[1][k]) < 1e-13 * n);
        }
        free(A);
        free(copy);
        free(V);
    }
}

static void test_symmetric_vectors_refuse_what_is_not_finite(void **state)
{
    (void)state;
    double A[4] = { 1.0, NAN, NAN, 1.0 };
    double value[2];
    double V[4];
    assert_false(dense_symmetric_vectors(2, A, value, V));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front_solves_definite_systems_of_every_size),
        cmocka_unit_test(test_front_by_dissection_gives_the_same_solution_for_less_work),
        cmocka_unit_test(test_front_counts_negative_eigenvalues),
        cmocka_unit_test(test_front_names_the_variable_without_a_pivot),
        cmocka_unit_test(test_front_stops_when_told),
        cmocka_unit_test(test_symmetric_vectors_agree_with_jacobi),
        cmocka_unit_test(test_symmetric_vectors_refuse_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
