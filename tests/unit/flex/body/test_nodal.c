// SPDX-License-Identifier: MIT
// Displacements of nodes in place of amplitudes: the same body in other variables.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "flex/body/nodal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES = 20, NODES = 30, HELD = 4 };
static const int held[HELD] = { 3, 11, 17, 26 };

typedef struct {
    bi_vec3 at[NODES], shape[MODES * NODES], turn[MODES * NODES];
    double mass[NODES], stiffness[MODES];
    bi_modes modes;
    flex_nodal nodal;
} body;

static void expect_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) {
        print_error("%.17g instead of %.17g, tolerance %g\n", value, wanted, tolerance);
        fail();
    }
}

static double waves(int k) { return sin(1.7 * k + 0.3 * k * k * 1e-3) + 0.3 * cos(0.37 * k); }

static void make(body *b)
{
    for (int i = 0; i < NODES; i++) {
        b->at[i] = (bi_vec3){ waves(i), waves(i + 100), waves(i + 200) };
        b->mass[i] = 1.0 + 0.5 * waves(i + 300);
    }
    for (int k = 0; k < MODES * NODES; k++) {
        b->shape[k] = (bi_vec3){ waves(k + 400), waves(2 * k + 7), waves(3 * k + 5) };
        b->turn[k] = (bi_vec3){ waves(k + 9), waves(2 * k + 3), waves(3 * k + 1) };
    }
    for (int m = 0; m < MODES; m++) {
        b->stiffness[m] = 1e3 * (1.0 + m * m);
    }
    b->modes = (bi_modes){ .n_node = NODES,
                           .n_mode = MODES,
                           .at = b->at,
                           .mass = b->mass,
                           .shape = b->shape,
                           .stiffness = b->stiffness,
                           .turn = b->turn };
    assert_true(flex_nodal_create(&b->nodal, &b->modes, held, HELD));
    assert_int_equal(b->nodal.n, MODES);
    assert_int_equal(b->nodal.n_unit, 3 * HELD);
}

// Some y and their amplitudes.
static void some(const body *b, int seed, double *y, double *eta)
{
    for (int k = 0; k < MODES; k++) {
        y[k] = waves(seed + k);
    }
    flex_nodal_amplitudes(&b->nodal, y, eta);
}

static void test_displacement_of_a_held_node_is_its_own_variables(void **state)
{
    (void)state;
    body b;
    double y[MODES], eta[MODES];
    make(&b);
    some(&b, 1, y, eta);
    for (int k = 0; k < HELD; k++) {
        bi_vec3 u = { 0.0, 0.0, 0.0 };
        for (int m = 0; m < MODES; m++) {
            u = vec3_add_scaled(u, eta[m], b.shape[m * NODES + held[k]]);
        }
        // through shapes and amplitudes of some tens: rounding
        expect_near(u.x, y[3 * k], 1e-10);
        expect_near(u.y, y[3 * k + 1], 1e-10);
        expect_near(u.z, y[3 * k + 2], 1e-10);
        flex_place p;
        assert_true(flex_point_create(&p, &b.modes, held[k], b.at[held[k]]));
        assert_true(flex_nodal_place(&b.nodal, held[k], &p));
        assert_int_equal(p.n_used, 3);
        assert_int_equal(p.used[1], 3 * k + 1);
        assert_true(p.shape[1].x == 0.0 && p.shape[1].y == 1.0 && p.shape[1].z == 0.0);
        flex_place_clear(&p);
    }
    flex_nodal_clear(&b.nodal);
}

static void expect_same_place(const body *b, flex_place *p, int node)
{
    double y[MODES], eta[MODES], speed[MODES], rate[MODES], Q[MODES] = { 0.0 }, force[MODES] = { 0.0 };
    vec3 before[3], after[3], push = { 0.3, -0.7, 0.5 };
    some(b, 5, y, eta);
    some(b, 50, speed, rate);
    flex_place_at(p, eta, rate, before);
    flex_place_push(p, eta, push, force);
    assert_true(flex_nodal_place(&b->nodal, node, p));
    flex_place_at(p, y, speed, after);
    for (int i = 0; i < 3; i++) {
        expect_near(vec3_norm(vec3_sub(after[i], before[i])), 0.0, 1e-9 * (1.0 + vec3_norm(before[i])));
    }
    // the same power: force . rate = Q . speed
    double power = 0.0, same = 0.0;
    flex_place_push(p, y, push, Q);
    for (int m = 0; m < MODES; m++) {
        power += force[m] * rate[m];
        same += Q[m] * speed[m];
    }
    expect_near(same, power, 1e-9 * (1.0 + fabs(power)));
    expect_near(power, vec3_dot(push, before[1]), 1e-9 * (1.0 + fabs(power)));
    flex_place_clear(p);
}

static void test_points_and_vectors_move_as_before(void **state)
{
    (void)state;
    body b;
    make(&b);
    for (int node = -1; node < NODES; node += 6) {
        flex_place p;
        assert_true(flex_point_create(&p, &b.modes, node, b.at[node < 0 ? 0 : node]));
        expect_same_place(&b, &p, node);
        if (node >= 0) {
            assert_true(flex_vector_create(&p, &b.modes, node, (vec3){ 0.6, 0.0, 0.8 }));
            expect_same_place(&b, &p, node);
        }
    }
    flex_nodal_clear(&b.nodal);
}

static void test_stiffness_is_that_of_the_modes_and_static_shapes_cost_least(void **state)
{
    (void)state;
    body b;
    double y[MODES], eta[MODES], K[MODES * (MODES + 1) / 2], energy = 0.0, same = 0.0, most = 0.0;
    make(&b);
    some(&b, 9, y, eta);
    flex_nodal_square(&b.nodal, b.stiffness, K);
    for (int j = 0, at = 0; j < MODES; j++) {
        energy += 0.5 * b.stiffness[j] * eta[j] * eta[j];
        for (int i = 0; i <= j; i++, at++) {
            same += (i == j ? 0.5 : 1.0) * K[at] * y[i] * y[j];
            most = fmax(most, fabs(K[at]));
        }
    }
    expect_near(same, energy, 1e-10 * energy);
    // an interior shape does no work on a static one: no other shape with these displacements has less energy
    for (int j = b.nodal.n_unit; j < MODES; j++) {
        for (int i = 0; i < b.nodal.n_unit; i++) {
            expect_near(K[j * (j + 1) / 2 + i], 0.0, 1e-9 * most);
        }
    }
    double f[MODES], Q[MODES] = { 0.0 }, work = 0.0;
    for (int m = 0; m < MODES; m++) {
        f[m] = b.stiffness[m] * eta[m];
    }
    flex_nodal_add_force(&b.nodal, f, Q);
    for (int m = 0; m < MODES; m++) {
        work += 0.5 * Q[m] * y[m];
    }
    expect_near(work, energy, 1e-10 * energy);
    flex_nodal_clear(&b.nodal);
}

static void test_inertia_is_that_of_the_modes(void **state)
{
    (void)state;
    body b;
    double y[MODES], eta[MODES], speed[MODES], rate[MODES], kinetic = 0.0, same = 0.0, H[12] = { 0.0 };
    flex_sums plain, changed;
    vec3 origin = { 0.2, -0.1, 0.4 };
    const double turn[9] = { 0.3, -1.0, 2.0, 1.1, 0.2, -0.7, -1.9, 0.8, -0.4 };
    make(&b);
    some(&b, 13, y, eta);
    some(&b, 80, speed, rate);
    assert_true(flex_sums_create(&plain, &b.modes, origin, NULL, 0));
    assert_true(flex_sums_create(&changed, &b.modes, origin, b.nodal.Y, b.nodal.stride));
    double *room = calloc((size_t)(flex_moments_room(&plain) + flex_moments_room(&changed)), sizeof *room);
    assert_non_null(room);
    flex_moments before = flex_moments_cut(&plain, room);
    flex_moments after = flex_moments_cut(&changed, room + flex_moments_room(&plain));
    flex_moments_at(&plain, eta, rate, turn, &before);
    flex_moments_at(&changed, y, speed, turn, &after);
    for (int i = 0; i < 16; i++) {
        expect_near(after.J[i], before.J[i], 1e-9 * before.J[0] * 100.0);
    }
    for (int i = 0; i < 12; i++) {
        expect_near(after.D[i], before.D[i], 1e-9 * before.J[0] * 100.0);
        for (int m = 0; m < MODES; m++) {
            H[i] += after.H[m][i] * speed[m] - before.H[m][i] * rate[m];
        }
        expect_near(H[i], 0.0, 1e-9 * before.J[0] * 100.0);
    }
    for (int m = 0; m < MODES; m++) {
        for (int n = 0; n < MODES; n++) {
            kinetic += before.P[m * MODES + n] * rate[m] * rate[n];
            same += after.P[m * MODES + n] * speed[m] * speed[n];
        }
    }
    expect_near(same, kinetic, 1e-10 * kinetic);
    free(room);
    flex_sums_clear(&plain);
    flex_sums_clear(&changed);
    flex_nodal_clear(&b.nodal);
}

static void test_few_modes_keep_their_amplitudes(void **state)
{
    (void)state;
    body b;
    make(&b);
    flex_nodal_clear(&b.nodal);
    b.modes.n_mode = 15;
    assert_true(flex_nodal_create(&b.nodal, &b.modes, held, HELD));
    assert_int_equal(b.nodal.n, 0);
    b.modes.n_mode = MODES;
    b.stiffness[4] = 0.0;
    assert_true(flex_nodal_create(&b.nodal, &b.modes, held, HELD));
    assert_int_equal(b.nodal.n, 0);
    flex_nodal_clear(&b.nodal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_displacement_of_a_held_node_is_its_own_variables),
        cmocka_unit_test(test_points_and_vectors_move_as_before),
        cmocka_unit_test(test_stiffness_is_that_of_the_modes_and_static_shapes_cost_least),
        cmocka_unit_test(test_inertia_is_that_of_the_modes),
        cmocka_unit_test(test_few_modes_keep_their_amplitudes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
