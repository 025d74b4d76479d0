// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/elementary.h"
#include "math/rotation.h"

// a handful of roundings of numbers of size one to pi
static const double FEW_ROUNDINGS = 16.0 * DBL_EPSILON;

static const double PI = 3.14159265358979323846;

static const vec3 AXES[] = {
    { 1.0, 0.0, 0.0 },  { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 },
    { 0.6, -0.8, 0.0 }, { 1.0, 1.0, 1.0 }, { -0.2, 0.5, 3.0 },
};
static const double ANGLES[] = { 0.0, 1e-300, 1e-9, 0.3, 1.5, 2.0, 3.0, 3.1415926, 3.14159265358979323846 };

enum { N_AXIS = sizeof AXES / sizeof AXES[0], N_ANGLE = sizeof ANGLES / sizeof ANGLES[0] };

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

// q and -q are the same rotation
static void assert_same_rotation(quat value, quat expected)
{
    double dot = value.w * expected.w + value.x * expected.x + value.y * expected.y + value.z * expected.z;
    double sign = dot < 0.0 ? -1.0 : 1.0;
    assert_near(sign * value.w, expected.w, FEW_ROUNDINGS);
    assert_near(sign * value.x, expected.x, FEW_ROUNDINGS);
    assert_near(sign * value.y, expected.y, FEW_ROUNDINGS);
    assert_near(sign * value.z, expected.z, FEW_ROUNDINGS);
}

static void test_quat_all_zero_reads_as_identity(void **state)
{
    (void)state;
    quat zero = { 0.0, 0.0, 0.0, 0.0 };
    assert_same_rotation(quat_or_identity(zero), quat_identity());
    assert_same_rotation(quat_normalized(zero), quat_identity());
    assert_mat3_near(quat_to_mat3(zero), mat3_identity(), 0.0);
    assert_vec3_near(quat_rotate(zero, AXES[5]), AXES[5], 0.0);
}

static void test_quat_quarter_turn_about_z_takes_x_to_y(void **state)
{
    (void)state;
    quat q = quat_from_axis_angle((vec3){ 0.0, 0.0, 7.0 }, PI / 2.0);
    assert_vec3_near(quat_rotate(q, AXES[0]), AXES[1], FEW_ROUNDINGS);
}

static void test_quat_and_matrix_of_axis_angle_agree(void **state)
{
    (void)state;
    for (int i = 0; i < N_AXIS; i++) {
        for (int j = 0; j < N_ANGLE; j++) {
            quat q = quat_from_axis_angle(AXES[i], ANGLES[j]);
            assert_mat3_near(quat_to_mat3(q), mat3_from_axis_angle(AXES[i], ANGLES[j]), FEW_ROUNDINGS);
        }
    }
}

static void test_quat_from_mat3_returns_the_quaternion_of_the_matrix(void **state)
{
    (void)state;
    for (int i = 0; i < N_AXIS; i++) {
        for (int j = 0; j < N_ANGLE; j++) {
            quat q = quat_from_axis_angle(AXES[i], ANGLES[j]);
            quat back = quat_from_mat3(quat_to_mat3(q));
            assert_true(back.w >= 0.0);
            assert_same_rotation(back, q);
        }
    }
}

static void test_quat_rotate_agrees_with_matrix(void **state)
{
    (void)state;
    vec3 v = { 0.5, -1.0, 2.0 };
    for (int i = 0; i < N_AXIS; i++) {
        quat q = quat_from_axis_angle(AXES[i], 2.2);
        assert_vec3_near(quat_rotate(q, v), mat3_apply(quat_to_mat3(q), v), FEW_ROUNDINGS);
    }
}

static void test_quat_multiply_turns_by_the_second_first(void **state)
{
    (void)state;
    vec3 v = { 0.5, -1.0, 2.0 };
    quat a = quat_from_axis_angle(AXES[3], 0.7);
    quat b = quat_from_axis_angle(AXES[5], -1.9);
    assert_vec3_near(quat_rotate(quat_multiply(a, b), v), quat_rotate(a, quat_rotate(b, v)), FEW_ROUNDINGS);
}

static void test_quat_times_conjugate_is_identity(void **state)
{
    (void)state;
    quat q = quat_from_axis_angle(AXES[5], 2.5);
    assert_same_rotation(quat_multiply(q, quat_conjugate(q)), quat_identity());
}

static void test_quat_log_of_exp_returns_the_vector(void **state)
{
    (void)state;
    // up to 3.1415926: exactly at pi the vector and its opposite are the same rotation
    for (int i = 0; i < N_AXIS; i++) {
        for (int j = 0; j < N_ANGLE - 1; j++) {
            vec3 v = vec3_scale(ANGLES[j], vec3_normalized(AXES[i]));
            assert_vec3_near(quat_log(quat_exp(v)), v, FEW_ROUNDINGS * ANGLES[j]);
        }
    }
}

static void test_quat_log_takes_the_short_way(void **state)
{
    (void)state;
    quat q = quat_exp((vec3){ 0.0, 0.0, 2.0 * PI - 0.5 });
    assert_vec3_near(quat_log(q), (vec3){ 0.0, 0.0, -0.5 }, FEW_ROUNDINGS);
}

static void test_quat_exp_of_zero_is_identity(void **state)
{
    (void)state;
    quat q = quat_exp((vec3){ 0.0, 0.0, 0.0 });
    assert_near(q.w, 1.0, 0.0);
    assert_near(q.x, 0.0, 0.0);
}

static void test_rotation_about_zero_axis_is_identity(void **state)
{
    (void)state;
    vec3 zero = { 0.0, 0.0, 0.0 };
    assert_same_rotation(quat_from_axis_angle(zero, 1.0), quat_identity());
    assert_mat3_near(mat3_from_axis_angle(zero, 1.0), mat3_identity(), 0.0);
}

static void test_rotation_matrix_is_orthonormal_and_right_handed(void **state)
{
    (void)state;
    for (int i = 0; i < N_AXIS; i++) {
        mat3 A = mat3_from_axis_angle(AXES[i], 2.9);
        assert_mat3_near(mat3_multiply(mat3_transposed(A), A), mat3_identity(), FEW_ROUNDINGS);
        assert_near(mat3_det(A), 1.0, FEW_ROUNDINGS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quat_all_zero_reads_as_identity),
        cmocka_unit_test(test_quat_quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(test_quat_and_matrix_of_axis_angle_agree),
        cmocka_unit_test(test_quat_from_mat3_returns_the_quaternion_of_the_matrix),
        cmocka_unit_test(test_quat_rotate_agrees_with_matrix),
        cmocka_unit_test(test_quat_multiply_turns_by_the_second_first),
        cmocka_unit_test(test_quat_times_conjugate_is_identity),
        cmocka_unit_test(test_quat_log_of_exp_returns_the_vector),
        cmocka_unit_test(test_quat_log_takes_the_short_way),
        cmocka_unit_test(test_quat_exp_of_zero_is_identity),
        cmocka_unit_test(test_rotation_about_zero_axis_is_identity),
        cmocka_unit_test(test_rotation_matrix_is_orthonormal_and_right_handed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
