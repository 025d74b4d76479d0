// SPDX-License-Identifier: MIT
// Equilibria of the nonlinear elements against closed forms and published structures.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include "exact/elements/yardstick.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

static jet constant(const void *ctx, double t)
{
    (void)t;
    return (jet){ .v = *(const double *)ctx };
}

// ---- the 45-degree bend --------------------------------------------------------------------------------------

static vec3 bend_tip(int count)
{
    // radius 100 in the plane x y, square section of side 1, E = 1e7, no lateral contraction; 600 along z at the tip
    const double E = 1e7, G = 5e6, force = 600.0;
    yard_section section = {
        .EA = E, .GAy = G / 1.2, .GAz = G / 1.2, .GJ = 0.1406 * G, .EIy = E / 12.0, .EIz = E / 12.0
    };
    yard *y = yard_create();
    yard_node node[65];
    for (int k = 0; k <= count; k++) {
        double angle = 0.25 * pi * k / count;
        vec3 at = { 100.0 * sin(angle), 100.0 * (1.0 - cos(angle)), 0.0 };
        node[k] = yard_add_node(y, at, quat_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, angle));
    }
    yard_hold_place(y, node[0].place, YARD_ALL);
    yard_hold_turn(y, node[0].turn, YARD_ALL);
    yard_add_curved_bar(y, node, count, 25.0 * pi / count, &section);
    yard_force(y, node[count], (vec3){ 0.0, 0.0, 0.0 }, (vec3){ 0.0, 0.0, 1.0 },
               (yard_profile){ constant, &force });
    assert_true(yard_finish(y));
    assert_int_equal(yard_static(y, 0.0, 6, &(yard_options){ 0 }), BI_OK);
    vec3 tip = yard_at(y, node[count].place);
    yard_destroy(y);
    return tip;
}

static void expect_place(vec3 at, vec3 wanted, double limit)
{
    vec3 gap = vec3_sub(at, wanted);
    print_message("measured tip %.4f %.4f %.4f, wanted %.3f %.3f %.3f, %.1e apart\n", at.x, at.y, at.z,
                  wanted.x, wanted.y, wanted.z, vec3_norm(gap));
    if (!(vec3_norm(gap) <= limit)) {
        fail_msg("%.5f %.5f %.5f instead of %.5f %.5f %.5f", at.x, at.y, at.z, wanted.x, wanted.y, wanted.z);
    }
}

static void test_bend_lifts_its_tip_as_computed_by_another_program(void **state)
{
    (void)state;
    // its digits: three decimals
    expect_place(bend_tip(16), (vec3){ 46.913, 15.565, 53.572 }, 1e-3);
    expect_place(bend_tip(8), (vec3){ 46.976, 15.585, 53.466 }, 1e-3);
}

// ---- roll-up ---------------------------------------------------------------------------------------------------

static void test_bar_under_two_pi_EI_over_L_rolls_up_to_a_closed_ring(void **state)
{
    (void)state;
    double length = 10.0, moment = 2.0 * pi * 100.0 / length;
    yard_section section = { .EA = 1e4, .GAy = 5e3, .GAz = 5e3, .GJ = 100.0, .EIy = 100.0, .EIz = 100.0 };
    for (int planar = 0; planar <= 1; planar++) {
        yard *y = yard_create();
        if (planar) {
            yard_planar(y);
        }
        yard_node a = yard_add_node(y, (vec3){ 0.0, 0.0, 0.0 }, quat_identity());
        yard_node b = yard_add_node(y, (vec3){ length, 0.0, 0.0 }, quat_identity());
        yard_hold_place(y, a.place, YARD_ALL);
        yard_hold_turn(y, a.turn, YARD_ALL);
        yard_add_bar(y, a, b, (vec3){ 0.0, 0.0, 1.0 }, &section, planar ? 12 : 10);
        yard_torque(y, b.turn, (vec3){ 0.0, 0.0, 1.0 }, (yard_profile){ constant, &moment });
        assert_true(yard_finish(y));
        assert_int_equal(yard_static(y, 0.0, 12, &(yard_options){ 0 }), BI_OK);
        vec3 tip = yard_at(y, b.place);
        expect_place(tip, (vec3){ 0.0, 0.0, 0.0 }, 1e-12);
        // Newton's method with the true tangent: about nine corrections for each twelfth of a turn, far from 60
        assert_true(yard_counts(y).iterations <= 12 * 12);
        yard_destroy(y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bend_lifts_its_tip_as_computed_by_another_program),
        cmocka_unit_test(test_bar_under_two_pi_EI_over_L_rolls_up_to_a_closed_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
