// SPDX-License-Identifier: MIT
// Tangents against differences of forces, and what a free motion keeps.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include "exact/elements/inside.h"
#include <math.h>
#include <string.h>

static const vec3 ez = { 0.0, 0.0, 1.0 }, zero = { 0.0, 0.0, 0.0 };

// Numbers between -1 and 1, the same in every run.
static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1.0;
}

// ---- tangents --------------------------------------------------------------------------------------------------

static double work_along(yard *y, const double *direction)
{
    double sum = 0.0;
    for (int i = 0; i < y->n_all; i++) {
        sum += y->freedom[i] >= 0 ? y->force[i] * direction[i] : 0.0;
    }
    return sum;
}

// Moves along `direction` by `share` from where the structure stood, and adds up its forces there.
static void forces_at(yard *y, const double *direction, double share)
{
    for (int i = 0; i < y->n_all; i++) {
        y->delta[i] = y->freedom[i] >= 0 ? share * direction[i] : 0.0;
    }
    yard_move(y, 0.0);
    yard_assemble(y, FORCES_ONLY);
}

// d . K d against the change of d . forces along d: what the symmetric part of the tangent must give.
static void expect_tangent(yard *y, double shift)
{
    double direction[400];
    unsigned seed = 7;
    y->f_mass = y->f_rate = 0.0;
    assert_true(y->n_all <= 400);
    // a bent place to stand at
    for (int i = 0; i < y->n_all; i++) {
        direction[i] = shift * noise(&seed);
    }
    forces_at(y, direction, 1.0);
    memcpy(y->x_old, y->x, (size_t)y->n_all * sizeof *y->x);
    memcpy(y->rot_old, y->rot, (size_t)y->n_turn * sizeof *y->rot);
    for (int round = 0; round < 5; round++) {
        const double step = 1e-6;
        for (int i = 0; i < y->n_all; i++) {
            direction[i] = noise(&seed);
        }
        forces_at(y, direction, step);
        double ahead = work_along(y, direction);
        forces_at(y, direction, -step);
        double change = (ahead - work_along(y, direction)) / (2.0 * step);
        forces_at(y, direction, 0.0);
        yard_assemble(y, FORCES_AND_TANGENT);
        double d[400] = { 0.0 }, Kd[400] = { 0.0 }, quadratic = 0.0;
        for (int i = 0; i < y->n_all; i++) {
            if (y->freedom[i] >= 0) {
                d[y->freedom[i]] = direction[i];
            }
        }
        pattern_multiply(&y->pat, y->value, d, Kd);
        for (int i = 0; i < y->n; i++) {
            quadratic += d[i] * Kd[i];
        }
        // differences: rounding 1e-16 of the forces by the step, and the step squared
        assert_true(fabs(quadratic - change) <= 1e-7 * fabs(change));
    }
}

static const yard_section section = { .EA = 1e4,
                                      .GAy = 4e3,
                                      .GAz = 3e3,
                                      .GJ = 50.0,
                                      .EIy = 70.0,
                                      .EIz = 90.0,
                                      .rhoA = 0.5,
                                      .rhoIy = 2e-3,
                                      .rhoIz = 3e-3 };

static void test_tangent_of_planar_beams_equals_differences(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_planar(y);
    yard_node a = yard_add_node(y, zero, quat_identity()),
              b = yard_add_node(y, (vec3){ 1.0, 0.5, 0.0 }, quat_from_axis_angle(ez, 0.4));
    yard_add_bar(y, a, b, ez, &section, 2);
    assert_true(yard_finish(y));
    expect_tangent(y, 0.02);
    yard_destroy(y);
}

static void test_tangent_of_spatial_beams_equals_differences(void **state)
{
    (void)state;
    yard *y = yard_create();
    quat turned = quat_from_axis_angle((vec3){ 1.0, 2.0, 3.0 }, 0.7);
    yard_node a = yard_add_node(y, zero, turned),
              b = yard_add_node(y, (vec3){ 1.0, 0.5, 0.3 }, quat_identity());
    yard_add_bar(y, a, b, ez, &section, 3);
    assert_true(yard_finish(y));
    expect_tangent(y, 0.05);
    yard_destroy(y);
}

static void test_tangent_of_quads_equals_differences(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_planar(y);
    int place[6];
    for (int k = 0; k < 6; k++) {
        place[k] = yard_place(y, (vec3){ 0.5 * (k % 3) + 0.1 * (k / 3), 0.4 * (k / 3), 0.0 });
    }
    yard_plate plate = { .E = 1e4, .nu = 0.3, .rho = 100.0, .thickness = 0.1 };
    yard_add_quad(y, (const int[4]){ place[0], place[1], place[4], place[3] }, &plate);
    yard_add_quad(y, (const int[4]){ place[1], place[2], place[5], place[4] }, &plate);
    assert_true(yard_finish(y));
    expect_tangent(y, 0.05);
    yard_destroy(y);
}

static void test_tangent_of_triangles_equals_differences(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_planar(y);
    int place[4];
    for (int k = 0; k < 4; k++) {
        place[k] = yard_place(y, (vec3){ 0.5 * (k % 2) + 0.1 * (k / 2), 0.4 * (k / 2), 0.0 });
    }
    yard_plate plate = { .E = 1e4, .nu = 0.3, .rho = 100.0, .thickness = 0.1 };
    yard_add_triangle(y, (const int[3]){ place[0], place[1], place[2] }, &plate);
    yard_add_triangle(y, (const int[3]){ place[1], place[3], place[2] }, &plate);
    assert_true(yard_finish(y));
    expect_tangent(y, 0.05);
    yard_destroy(y);
}

// Mass of a triangle: A t rho / 12 off its diagonal, twice that on it (textbook).
static void test_triangle_has_the_stress_and_mass_of_the_textbook(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_planar(y);
    int place[3];
    static const vec3 at[3] = { { 0.0, 0.0, 0.0 }, { 2.0, 0.3, 0.0 }, { 0.5, 1.0, 0.0 } };
    for (int k = 0; k < 3; k++) {
        place[k] = yard_place(y, at[k]);
    }
    yard_plate plate = { .E = 1e4, .nu = 0.3, .rho = 100.0, .thickness = 0.1 };
    assert_true(yard_add_triangle(y, place, &plate) == 0);
    assert_true(yard_finish(y));
    double area = 0.5 * (2.0 * 1.0 - 0.3 * 0.5), share = area * 0.1 * 100.0 / 12.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            assert_true(fabs(y->quad[0].mass[i][j] - (i == j ? 2.0 : 1.0) * share) < 1e-12);
        }
    }
    // stretched by 1e-6 along x: sigma = E / (1 - nu^2) (e, nu e)
    assert_int_equal(yard_start(y), BI_OK);
    for (int k = 0; k < 3; k++) {
        y->x[component_of_place(place[k], 0)] += 1e-6 * at[k].x;
    }
    for (int k = 0; k < 3; k++) {
        double stress[3], wanted = 1e4 / 0.91 * 1e-6;
        yard_plate_stress(y, place[k], stress);
        assert_true(fabs(stress[0] - wanted) < 1e-6 * wanted &&
                    fabs(stress[1] - 0.3 * wanted) < 1e-6 * wanted);
        assert_true(fabs(stress[2]) < 1e-6 * wanted);
    }
    yard_destroy(y);
}

static void test_tangent_of_springs_equals_differences(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_node node[3];
    for (int k = 0; k < 3; k++) {
        node[k] = (yard_node){ yard_place(y, (vec3){ 0.5 * k, 0.3 * k * k, 0.2 * k }), -1 };
        yard_add_body(y, node[k], 1.0, zero, (mat3){ 0 });
    }
    yard_add_spring(y, node[0], zero, node[1], zero, &(yard_spring){ .stiffness = 80.0, .rest = 0.5 });
    yard_add_spring(y, node[1], zero, node[2], zero,
                    &(yard_spring){ .stiffness = 30.0, .rest = 0.2, .preload = 7.0 });
    assert_true(yard_finish(y));
    expect_tangent(y, 0.05);
    yard_destroy(y);
}

static void test_quad_with_clockwise_corners_is_refused(void **state)
{
    (void)state;
    yard *y = yard_create();
    yard_planar(y);
    int place[4];
    for (int k = 0; k < 4; k++) {
        place[k] = yard_place(y, (vec3){ k == 1 || k == 2, k >= 2, 0.0 });
    }
    yard_plate plate = { .E = 1.0, .rho = 1.0, .thickness = 1.0 };
    assert_int_equal(yard_add_quad(y, (const int[4]){ place[0], place[3], place[2], place[1] }, &plate), -1);
    yard_destroy(y);
}

// ---- motions -----------------------------------------------------------------------------------------------------

static void test_thrown_spinning_bar_keeps_energy_and_the_path_of_its_middle(void **state)
{
    (void)state;
    // two elements each side of the middle node; all spins about an axis across the bar, and one along it
    const vec3 throw = { 1.0, 2.0, 0.5 }, spin = { 1.0, 2.0, 3.0 };
    yard *y = yard_create();
    yard_gravity(y, (vec3){ 0.0, 0.0, -9.81 });
    yard_node node[5];
    for (int k = 0; k < 5; k++) {
        vec3 at = { 0.25 * k - 0.5, 0.0, 0.0 };
        node[k] = yard_add_node(y, at, quat_identity());
        yard_set_velocity(y, node[k].place, vec3_add(throw, vec3_cross(spin, at)));
        yard_set_spin(y, node[k].turn, spin);
    }
    for (int k = 0; k < 4; k++) {
        yard_add_bar(y, node[k], node[k + 1], ez, &section, 1);
    }
    assert_true(yard_finish(y));
    double start = yard_energy(y);
    yard_options options = { .h = 2e-3, .rho_inf = 0.9 };
    for (int k = 0; k < 500; k++) {
        assert_int_equal(yard_step(y, &options), BI_OK);
    }
    // mass 0.5 kg, 6 J of motion; a step of 2e-3 s and rho_inf 0.9: second order, measured 1e-5 of it
    assert_true(fabs(yard_energy(y) - start) <= 1e-4 * 6.0);
    vec3 sum = zero;
    const double weight[5] = { 0.125, 0.25, 0.25, 0.25, 0.125 };
    for (int k = 0; k < 5; k++) {
        sum = vec3_add_scaled(sum, weight[k], yard_at(y, node[k].place));
    }
    // the scheme integrates a constant acceleration exactly
    assert_true(fabs(sum.x - 1.0) <= 1e-9 && fabs(sum.y - 2.0) <= 1e-9 &&
                fabs(sum.z - (0.5 - 4.905)) <= 1e-9);
    yard_destroy(y);
}

// A rigid bar hinged at its end, horizontal at first; planar, and in space about a held axis, and by rows.
static double pendulum_error(int variant)
{
    const double mass = 2.0, length = 0.8, J = mass * length * length / 3.0;
    const vec3 y_axis = { 0.0, 1.0, 0.0 };
    yard *y = yard_create();
    if (variant == 0) {
        yard_planar(y);
    }
    yard_gravity(y, variant == 0 ? (vec3){ 0.0, -9.81, 0.0 } : (vec3){ 0.0, 0.0, -9.81 });
    // in space the axis is y: the turn's own z is laid along it
    quat rot =
        variant == 0 ? quat_identity() : quat_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, -1.5707963267948966);
    yard_node node = yard_add_node(y, variant == 2 ? (vec3){ 0.5 * length, 0.0, 0.0 } : zero, rot);
    mat3 inertia = { { { 1e-3, 0.0, 0.0 }, { 0.0, J, 0.0 }, { 0.0, 0.0, J } } };
    if (variant == 2) {
        double own = J / 4.0;
        yard_add_body(y, node, mass, zero,
                      (mat3){ { { 1e-3, 0.0, 0.0 }, { 0.0, own, 0.0 }, { 0.0, 0.0, own } } });
        yard_node ground = yard_add_node(y, zero, quat_identity());
        yard_hold_place(y, ground.place, YARD_ALL);
        yard_hold_turn(y, ground.turn, YARD_ALL);
        yard_join(y, ground, zero, node, (vec3){ -0.5 * length, 0.0, 0.0 });
        yard_hinge(y, ground.turn, node.turn, y_axis);
    } else {
        yard_add_body(y, node, mass, (vec3){ 0.5 * length, 0.0, 0.0 }, inertia);
        yard_hold_place(y, node.place, YARD_ALL);
        if (variant == 1) {
            yard_hold_turn(y, node.turn, YARD_X | YARD_Y);
        }
    }
    assert_true(yard_finish(y));
    yard_options options = { .h = 1e-3, .rho_inf = 0.9 };
    double worst = 0.0;
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(yard_step(y, &options), BI_OK);
        vec3 tip = yard_point(y, node, (vec3){ variant == 2 ? 0.5 * length : length, 0.0, 0.0 });
        double fall = variant == 0 ? -tip.y : -tip.z, rate = yard_rate(y, node.turn);
        // J rate^2 / 2 = m g fall / 2
        worst = fmax(worst, fabs(0.5 * J * rate * rate - 0.5 * mass * 9.81 * fall));
    }
    yard_destroy(y);
    return worst;
}

static void test_rigid_pendulum_falls_by_its_energy_however_it_is_held(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        double error = pendulum_error(variant);
        // 7.8 J are exchanged; second order in a step of 1e-3 s
        if (!(error <= 1e-4 * 7.8)) {
            fail_msg("variant %d: %.3e J", variant, error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent_of_planar_beams_equals_differences),
        cmocka_unit_test(test_tangent_of_spatial_beams_equals_differences),
        cmocka_unit_test(test_tangent_of_quads_equals_differences),
        cmocka_unit_test(test_tangent_of_triangles_equals_differences),
        cmocka_unit_test(test_triangle_has_the_stress_and_mass_of_the_textbook),
        cmocka_unit_test(test_tangent_of_springs_equals_differences),
        cmocka_unit_test(test_quad_with_clockwise_corners_is_refused),
        cmocka_unit_test(test_thrown_spinning_bar_keeps_energy_and_the_path_of_its_middle),
        cmocka_unit_test(test_rigid_pendulum_falls_by_its_energy_however_it_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
