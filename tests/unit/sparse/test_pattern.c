// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sparse/pattern.h"

#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void test_pattern_without_pairs_has_the_diagonal(void **state)
{
    (void)state;
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, 4);
    assert_true(pattern_build(&builder, &pat));
    assert_int_equal(pat.nnz, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pattern_find(&pat, i, i), i);
    }
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

static void test_pattern_of_order_zero_is_empty(void **state)
{
    (void)state;
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, 0);
    assert_true(pattern_build(&builder, &pat));
    assert_int_equal(pat.nnz, 0);
    assert_int_equal(pat.start[0], 0);
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

static void test_pattern_with_repeated_pairs_keeps_one(void **state)
{
    (void)state;
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, 3);
    pattern_add(&builder, 0, 2);
    pattern_add(&builder, 2, 0);
    pattern_add(&builder, 1, 1);
    pattern_add(&builder, 0, 2);
    assert_true(pattern_build(&builder, &pat));
    assert_int_equal(pat.nnz, 4);
    assert_int_equal(pattern_find(&pat, 0, 2), 2);
    assert_int_equal(pattern_find(&pat, 2, 0), 2);
    assert_int_equal(pattern_find(&pat, 0, 1), -1);
    assert_int_equal(pattern_find(&pat, 2, 1), -1);
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

static void test_pattern_of_random_cliques_is_sorted_and_complete(void **state)
{
    (void)state;
    enum { n = 40 };
    static bool is_set[n][n];
    uint64_t seed = 7;
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, n);
    for (int c = 0; c < 30; c++) {
        int index[4];
        for (int i = 0; i < 4; i++) {
            index[i] = (int)(next_random(&seed) % n);
        }
        pattern_add_clique(&builder, 4, index);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                is_set[index[i]][index[j]] = true;
            }
        }
    }
    assert_true(pattern_build(&builder, &pat));
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i <= j; i++) {
            bool is_expected = i == j || is_set[i][j];
            int p = pattern_find(&pat, j, i);
            assert_int_equal(p >= 0, is_expected);
            // columns one after the other and rows ascending: the entries are met in order
            assert_true(!is_expected || p == count);
            count += is_expected;
        }
        assert_int_equal(pat.row[pat.start[j + 1] - 1], j);
    }
    assert_int_equal(count, pat.nnz);
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

static void test_pattern_product_adds_the_symmetric_matrix(void **state)
{
    (void)state;
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, 3);
    pattern_add(&builder, 0, 1);
    pattern_add(&builder, 1, 2);
    assert_true(pattern_build(&builder, &pat));
    // [2 -1 0; -1 3 5; 0 5 7] (1 2 3) + (100 100 100); small integers: exact
    double val[5] = { 2.0, -1.0, 3.0, 5.0, 7.0 };
    double x[3] = { 1.0, 2.0, 3.0 };
    double y[3] = { 100.0, 100.0, 100.0 };
    pattern_multiply(&pat, val, x, y);
    assert_true(y[0] == 100.0 && y[1] == 120.0 && y[2] == 131.0);
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

static void test_pattern_of_five_million_pairs_is_built(void **state)
{
    (void)state;
    // each variable with the 50 after it, twice: 5 million pairs, half of them repeated
    enum { n = 50000, reach = 50 };
    pattern_builder builder;
    pattern pat;
    pattern_builder_init(&builder, n);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = n - 1; i >= 0; i--) {
            for (int k = 1; k <= reach; k++) {
                pattern_add(&builder, i, (i + k) % n);
            }
        }
    }
    assert_true(pattern_build(&builder, &pat));
    assert_int_equal(pat.nnz, n * (reach + 1));
    assert_true(pattern_find(&pat, n - 1, 0) >= 0);
    assert_int_equal(pattern_find(&pat, 0, reach + 1), -1);
    pattern_free(&pat);
    pattern_builder_free(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern_without_pairs_has_the_diagonal),
        cmocka_unit_test(test_pattern_of_order_zero_is_empty),
        cmocka_unit_test(test_pattern_with_repeated_pairs_keeps_one),
        cmocka_unit_test(test_pattern_of_random_cliques_is_sorted_and_complete),
        cmocka_unit_test(test_pattern_product_adds_the_symmetric_matrix),
        cmocka_unit_test(test_pattern_of_five_million_pairs_is_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
