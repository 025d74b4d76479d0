// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/mat3.h"

// a handful of roundings of numbers of size one
static const double FEW_ROUNDINGS = 8.0 * DBL_EPSILON;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

static void assert_vec3_near(vec3 value, vec3 expected, double tolerance)
{
    assert_near(value.x, expected.x, tolerance);
    assert_near(value.y, expected.y, tolerance);
    assert_near(value.z, expected.z, tolerance);
}

static void assert_mat3_near(mat3 value, mat3 expected, double tolerance)
{
    for (int i = 0; i < 3; i++) {
        assert_vec3_near(value.col[i], expected.col[i], tolerance);
    }
}

static void test_vec3_small_integers_compute_exactly(void **state)
{
    (void)state;
    vec3 a = { 1.0, 2.0, 3.0 };
    vec3 b = { -2.0, 5.0, 7.0 };
    assert_vec3_near(vec3_add(a, b), (vec3){ -1.0, 7.0, 10.0 }, 0.0);
    assert_vec3_near(vec3_sub(a, b), (vec3){ 3.0, -3.0, -4.0 }, 0.0);
    assert_vec3_near(vec3_neg(a), (vec3){ -1.0, -2.0, -3.0 }, 0.0);
    assert_vec3_near(vec3_scale(2.0, a), (vec3){ 2.0, 4.0, 6.0 }, 0.0);
    assert_vec3_near(vec3_add_scaled(a, 2.0, b), (vec3){ -3.0, 12.0, 17.0 }, 0.0);
    assert_near(vec3_dot(a, b), 29.0, 0.0);
    assert_near(vec3_norm((vec3){ 2.0, 3.0, 6.0 }), 7.0, 0.0);
}

static void test_vec3_cross_of_x_and_y_is_z(void **state)
{
    (void)state;
    vec3 z = vec3_cross((vec3){ 1.0, 0.0, 0.0 }, (vec3){ 0.0, 1.0, 0.0 });
    assert_vec3_near(z, (vec3){ 0.0, 0.0, 1.0 }, 0.0);
}

static void test_vec3_normalized_of_zero_is_zero(void **state)
{
    (void)state;
    assert_vec3_near(vec3_normalized((vec3){ 0.0, 0.0, 0.0 }), (vec3){ 0.0, 0.0, 0.0 }, 0.0);
}

static void test_vec3_normalized_has_length_one(void **state)
{
    (void)state;
    vec3 e = vec3_normalized((vec3){ 0.3, -4.0, 1e-3 });
    assert_near(vec3_norm(e), 1.0, FEW_ROUNDINGS);
}

static void test_vec3_with_nan_or_infinity_is_not_finite(void **state)
{
    (void)state;
    assert_true(vec3_is_finite((vec3){ 1.0, -DBL_MAX, 0.0 }));
    assert_false(vec3_is_finite((vec3){ 1.0, (double)NAN, 0.0 }));
    assert_false(vec3_is_finite((vec3){ 1.0, 0.0, -(double)INFINITY }));
}

static void test_vec3_perpendicular_of_axes_follows_the_convention(void **state)
{
    (void)state;
    vec3 x = { 1.0, 0.0, 0.0 };
    vec3 y = { 0.0, 1.0, 0.0 };
    vec3 z = { 0.0, 0.0, 1.0 };
    assert_vec3_near(vec3_perpendicular(z), x, 0.0);
    assert_vec3_near(vec3_perpendicular(y), x, 0.0);
    assert_vec3_near(vec3_perpendicular(x), y, 0.0);
    assert_vec3_near(vec3_perpendicular((vec3){ 0.0, 0.0, 0.0 }), x, 0.0);
}

static void test_vec3_perpendicular_of_any_axis_is_unit_and_perpendicular(void **state)
{
    (void)state;
    const vec3 axes[] = {
        { 0.91, 0.1, 0.2 }, { -0.89, 0.3, -0.2 }, { 1e-9, 3e-9, -2e-9 }, { 1e6, 1e6, 1e6 }
    };
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        vec3 n = vec3_perpendicular(axes[i]);
        assert_near(vec3_norm(n), 1.0, FEW_ROUNDINGS);
        assert_near(vec3_dot(n, vec3_normalized(axes[i])), 0.0, FEW_ROUNDINGS);
    }
}

static const mat3 SAMPLE = { { { 2.0, 1.0, -1.0 }, { 0.5, 3.0, 0.25 }, { -1.0, 0.0, 4.0 } } };

static void test_mat3_apply_transposed_agrees_with_transposed(void **state)
{
    (void)state;
    vec3 v = { 1.0, -2.0, 0.5 };
    assert_vec3_near(mat3_apply_transposed(SAMPLE, v), mat3_apply(mat3_transposed(SAMPLE), v), 0.0);
}

static void test_mat3_apply_combines_columns(void **state)
{
    (void)state;
    assert_vec3_near(mat3_apply(SAMPLE, (vec3){ 1.0, 2.0, -1.0 }), (vec3){ 4.0, 7.0, -4.5 }, 0.0);
}

static void test_mat3_inverse_times_matrix_is_identity(void **state)
{
    (void)state;
    mat3 inverse;
    assert_true(mat3_inverse(SAMPLE, &inverse));
    assert_mat3_near(mat3_multiply(inverse, SAMPLE), mat3_identity(), FEW_ROUNDINGS);
    assert_near(mat3_det(SAMPLE) * mat3_det(inverse), 1.0, FEW_ROUNDINGS);
}

static void test_mat3_inverse_of_singular_or_nan_is_refused(void **state)
{
    (void)state;
    mat3 untouched = mat3_identity();
    mat3 flat = { { { 1.0, 2.0, 3.0 }, { 2.0, 4.0, 6.0 }, { 0.0, 1.0, 0.0 } } };
    mat3 broken = { { { (double)NAN, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    assert_false(mat3_inverse(flat, &untouched));
    assert_false(mat3_inverse(broken, &untouched));
    assert_false(mat3_inverse(mat3_scale(0.0, flat), &untouched));
    assert_mat3_near(untouched, mat3_identity(), 0.0);
}

static void test_mat3_inverse_of_slender_inertia_is_accepted(void **state)
{
    (void)state;
    mat3 inverse;
    mat3 slender = { { { 1e-12, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    assert_true(mat3_inverse(slender, &inverse));
    assert_near(inverse.col[0].x * 1e-12, 1.0, FEW_ROUNDINGS);
}

static void test_mat3_cross_and_outer_act_as_their_products(void **state)
{
    (void)state;
    vec3 a = { 1.0, -2.0, 0.5 };
    vec3 b = { 3.0, 0.25, -4.0 };
    vec3 v = { -1.0, 2.0, 8.0 };
    assert_vec3_near(mat3_apply(mat3_cross(a), v), vec3_cross(a, v), 0.0);
    assert_vec3_near(mat3_apply(mat3_outer(a, b), v), vec3_scale(vec3_dot(b, v), a), 0.0);
}

static void test_mat3_eigenvalues_of_diagonal_are_sorted(void **state)
{
    (void)state;
    double e[3];
    mat3_symmetric_eigenvalues((mat3){ { { 3.0, 0.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 0.0, 0.0, 2.0 } } }, e);
    assert_near(e[0], -1.0, 0.0);
    assert_near(e[1], 2.0, 0.0);
    assert_near(e[2], 3.0, 0.0);
}

static void test_mat3_eigenvalues_of_full_matrix_match_the_known(void **state)
{
    (void)state;
    // second difference matrix: 2 - sqrt 2, 2, 2 + sqrt 2
    double e[3];
    mat3_symmetric_eigenvalues((mat3){ { { 2.0, -1.0, 0.0 }, { -1.0, 2.0, -1.0 }, { 0.0, -1.0, 2.0 } } }, e);
    assert_near(e[0], 2.0 - sqrt(2.0), 4.0 * FEW_ROUNDINGS);
    assert_near(e[1], 2.0, 4.0 * FEW_ROUNDINGS);
    assert_near(e[2], 2.0 + sqrt(2.0), 4.0 * FEW_ROUNDINGS);
}

static void test_mat3_eigenvalues_of_ones_find_the_double_zero(void **state)
{
    (void)state;
    double e[3];
    mat3_symmetric_eigenvalues(mat3_outer((vec3){ 1.0, 1.0, 1.0 }, (vec3){ 1.0, 1.0, 1.0 }), e);
    assert_near(e[0], 0.0, FEW_ROUNDINGS);
    assert_near(e[1], 0.0, FEW_ROUNDINGS);
    assert_near(e[2], 3.0, FEW_ROUNDINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vec3_small_integers_compute_exactly),
        cmocka_unit_test(test_vec3_cross_of_x_and_y_is_z),
        cmocka_unit_test(test_vec3_normalized_of_zero_is_zero),
        cmocka_unit_test(test_vec3_normalized_has_length_one),
        cmocka_unit_test(test_vec3_with_nan_or_infinity_is_not_finite),
        cmocka_unit_test(test_vec3_perpendicular_of_axes_follows_the_convention),
        cmocka_unit_test(test_vec3_perpendicular_of_any_axis_is_unit_and_perpendicular),
        cmocka_unit_test(test_mat3_apply_transposed_agrees_with_transposed),
        cmocka_unit_test(test_mat3_apply_combines_columns),
        cmocka_unit_test(test_mat3_inverse_times_matrix_is_identity),
        cmocka_unit_test(test_mat3_inverse_of_singular_or_nan_is_refused),
        cmocka_unit_test(test_mat3_inverse_of_slender_inertia_is_accepted),
        cmocka_unit_test(test_mat3_cross_and_outer_act_as_their_products),
        cmocka_unit_test(test_mat3_eigenvalues_of_diagonal_are_sorted),
        cmocka_unit_test(test_mat3_eigenvalues_of_full_matrix_match_the_known),
        cmocka_unit_test(test_mat3_eigenvalues_of_ones_find_the_double_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
