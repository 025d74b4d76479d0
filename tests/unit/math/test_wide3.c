// SPDX-License-Identifier: MIT
// Four lanes against the plain vectors and matrices, which have tests of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/wide3.h"

// a few roundings of sums of numbers of size ten
static const double FEW_ROUNDINGS = 100.0 * DBL_EPSILON;

static const vec3 a = { 0.3, -1.7, 2.9 }, b = { -2.1, 0.7, 1.3 };
static const mat3 A = { { { 1.3, 0.2, -0.7 }, { 0.9, -1.1, 0.4 }, { -0.6, 2.2, 0.8 } } };
static const mat3 B = { { { 0.1, 1.2, 0.3 }, { -0.4, 0.5, 1.6 }, { 0.7, -0.8, 0.9 } } };

static void assert_same(wide3 value, vec3 expected)
{
    vec3 narrow = wide3_narrow(value);
    assert_memory_equal(&narrow, &expected, sizeof expected);
    assert_true(value[3] == 0.0);
}

static void assert_near(const wide_mat3 *value, mat3 expected)
{
    for (int i = 0; i < 3; i++) {
        vec3 off = vec3_sub(wide3_narrow(value->col[i]), expected.col[i]);
        assert_true(vec3_norm(off) <= FEW_ROUNDINGS);
        assert_true(value->col[i][3] == 0.0);
    }
}

static void test_wide3_products_have_the_bits_of_vec3(void **state)
{
    (void)state;
    wide3 wa = wide3_of(a), wb = wide3_of(b);
    wide_mat3 wA = wide_mat3_of(A);
    assert_same(wide3_cross(wa, wb), vec3_cross(a, b));
    assert_true(wide3_dot(wa, wb) == vec3_dot(a, b));
    assert_same(wide_mat3_apply(&wA, wb), mat3_apply(A, b));
    assert_same(wide_mat3_apply_vec3(&wA, &b), mat3_apply(A, b));
}

static void test_wide3_reads_and_writes_three_numbers_only(void **state)
{
    (void)state;
    double from[4] = { 1.0, 2.0, 3.0, 4.0 }, to[4] = { 0.0, 0.0, 0.0, 5.0 };
    assert_same(wide3_read(from), (vec3){ 1.0, 2.0, 3.0 });
    wide3_put(to, wide3_read(from));
    assert_true(to[2] == 3.0 && to[3] == 5.0);
}

static void test_wide_mat3_products_are_those_of_mat3(void **state)
{
    (void)state;
    wide_mat3 wA = wide_mat3_of(A), product = wide_mat3_multiply(&wA, &B), turned = wide_mat3_transposed(&wA);
    assert_near(&product, mat3_multiply(A, B));
    assert_near(&turned, mat3_transposed(A));
    wide_mat3 left = wide_mat3_cross(wide3_of(a), &wA), right = wide_mat3_times_cross(&wA, wide3_of(a));
    assert_near(&left, mat3_multiply(mat3_cross(a), A));
    assert_near(&right, mat3_multiply(A, mat3_cross(a)));
    wide_mat3_less_outer(&wA, wide3_of(a), wide3_of(b));
    assert_near(&wA, mat3_add(A, mat3_scale(-1.0, mat3_outer(a, b))));
}

static void test_wide_mat3_turns_a_tensor_as_three_products(void **state)
{
    (void)state;
    sym3 I = { 2.0, 3.0, 4.0, 0.3, -0.2, 0.1 }, d = { 2.0, 3.0, 4.0, 0.0, 0.0, 0.0 };
    mat3 full = { { { 2.0, 0.3, 0.1 }, { 0.3, 3.0, -0.2 }, { 0.1, -0.2, 4.0 } } };
    mat3 diagonal = { { { 2.0, 0.0, 0.0 }, { 0.0, 3.0, 0.0 }, { 0.0, 0.0, 4.0 } } };
    wide_mat3 wA = wide_mat3_of(A), turned = wide_mat3_turned(&wA, &I);
    assert_near(&turned, mat3_multiply(mat3_multiply(A, full), mat3_transposed(A)));
    // the short form needs a rotation: about z, cosine 0.8 and sine 0.6
    mat3 R = { { { 0.8, 0.6, 0.0 }, { -0.6, 0.8, 0.0 }, { 0.0, 0.0, 1.0 } } };
    wide_mat3 wR = wide_mat3_of(R);
    turned = wide_mat3_turned_diagonal(&wR, &d);
    assert_near(&turned, mat3_multiply(mat3_multiply(R, diagonal), mat3_transposed(R)));
}

static void test_wide_mat3_moment_of_a_mass_is_steiner(void **state)
{
    (void)state;
    wide_mat3 I = wide_mat3_zero();
    wide_mat3_add_moment(&I, wide3_of(vec3_scale(3.0, a)), wide3_of(a));
    // m ([a]^T [a])
    mat3 cross = mat3_cross(a);
    assert_near(&I, mat3_scale(3.0, mat3_multiply(mat3_transposed(cross), cross)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide3_products_have_the_bits_of_vec3),
        cmocka_unit_test(test_wide3_reads_and_writes_three_numbers_only),
        cmocka_unit_test(test_wide_mat3_products_are_those_of_mat3),
        cmocka_unit_test(test_wide_mat3_turns_a_tensor_as_three_products),
        cmocka_unit_test(test_wide_mat3_moment_of_a_mass_is_steiner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
