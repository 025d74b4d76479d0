// SPDX-License-Identifier: MIT
// Moments of a deformed body from sums made once, against the nodes themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "flex/body/moments.h"
#include <math.h>

enum { MOST = 21, NODES = 25 };

static double waves(int k) { return sin(1.7 * k + 0.3e-3 * k * k) + 0.3 * cos(0.37 * k); }

static void expect_near(const char *what, double value, double wanted)
{
    // sums of some tens of terms of about one
    if (!(fabs(value - wanted) <= 1e-11 * (1.0 + fabs(wanted)))) {
        print_error("%s: %.17g instead of %.17g\n", what, value, wanted);
        fail();
    }
}

static double part(vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static void expect_moments_of_the_nodes(int n_mode)
{
    static bi_vec3 at[NODES], shape[MOST * NODES];
    static const double turn[9] = { 0.3, -1.0, 2.0, 1.1, 0.2, -0.7, -1.9, 0.8, -0.4 };
    double mass[NODES], stiffness[MOST], eta[MOST], rate[MOST];
    for (int i = 0; i < NODES; i++) {
        at[i] = (bi_vec3){ waves(i), waves(i + 100), waves(i + 200) };
        mass[i] = i == 7 ? 0.0 : 1.0 + 0.5 * waves(i + 300);
    }
    for (int k = 0; k < n_mode * NODES; k++) {
        shape[k] = (bi_vec3){ waves(k + 400), waves(2 * k + 7), k < 3 * NODES ? 0.0 : waves(3 * k + 5) };
    }
    for (int m = 0; m < n_mode; m++) {
        stiffness[m] = 1.0;
        eta[m] = 0.1 * waves(m + 31);
        rate[m] = waves(m + 57);
    }
    bi_modes modes = {
        .n_node = NODES, .n_mode = n_mode, .at = at, .mass = mass, .shape = shape, .stiffness = stiffness
    };
    flex_sums sums;
    vec3 origin = { 0.2, -0.1, 0.4 };
    assert_true(flex_sums_create(&sums, &modes, origin, NULL, 0));
    double *room = calloc((size_t)flex_moments_room(&sums), sizeof *room);
    assert_non_null(room);
    flex_moments now = flex_moments_cut(&sums, room);
    flex_moments_at(&sums, eta, rate, turn, &now);

    double J[16] = { 0.0 }, D[12] = { 0.0 }, H[MOST][12] = { { 0.0 } }, T[MOST] = { 0.0 }, P[MOST] = { 0.0 };
    for (int i = 0; i < NODES; i++) {
        vec3 p = vec3_add(at[i], origin), dp = { 0.0, 0.0, 0.0 };
        for (int m = 0; m < n_mode; m++) {
            p = vec3_add_scaled(p, eta[m], shape[m * NODES + i]);
            dp = vec3_add_scaled(dp, rate[m], shape[m * NODES + i]);
        }
        const double one[4] = { 1.0, p.x, p.y, p.z };
        for (int k = 0; k < 16; k++) {
            J[k] += mass[i] * one[k / 4] * one[k % 4];
        }
        for (int k = 0; k < 12; k++) {
            D[k] += mass[i] * one[k / 3] * part(dp, k % 3);
        }
        for (int m = 0; m < n_mode; m++) {
            vec3 s = shape[m * NODES + i];
            for (int k = 0; k < 12; k++) {
                H[m][k] += mass[i] * one[k / 3] * part(s, k % 3);
            }
            for (int k = 0; k < 9; k++) {
                T[m] += mass[i] * turn[k] * part(s, k / 3) * part(dp, k % 3);
            }
            P[m] += mass[i] * vec3_dot(s, shape[2 * NODES + i]);
        }
    }
    for (int k = 0; k < 16; k++) {
        expect_near("J", now.J[k], J[k]);
    }
    for (int k = 0; k < 12; k++) {
        expect_near("D", now.D[k], D[k]);
        expect_near("W", now.W[k], 0.0);
    }
    for (int m = 0; m < n_mode; m++) {
        for (int k = 0; k < 12; k++) {
            expect_near("H", now.H[m][k], H[m][k]);
        }
        expect_near("T", now.T[m], T[m]);
        expect_near("S", now.S[m], 0.0);
        expect_near("P", now.P[m * n_mode + 2], P[m]);
    }
    free(room);
    flex_sums_clear(&sums);
}

// ---- bodies that bend ------------------------------------------------------------------------------------------------

// Place of a node, its rate, its second rate when those of the amplitudes are zero, and its derivatives with the amplitudes.
typedef struct {
    vec3 p, dp, w, mode[MOST];
} node_state;

static node_state bent_node(const bi_modes *f, int i, vec3 origin, const double *eta, const double *rate)
{
    node_state s = { .p = vec3_add(f->at[i], origin) };
    for (int m = 0; m < f->n_mode; m++) {
        s.mode[m] = f->shape[m * f->n_node + i];
        s.p = vec3_add_scaled(s.p, eta[m], f->shape[m * f->n_node + i]);
        for (int k = 0; k < f->n_mode; k++) {
            vec3 b = f->bend[(m * f->n_mode + k) * f->n_node + i];
            s.mode[m] = vec3_add_scaled(s.mode[m], eta[k], b);
            s.p = vec3_add_scaled(s.p, 0.5 * eta[m] * eta[k], b);
            s.w = vec3_add_scaled(s.w, rate[m] * rate[k], b);
        }
        s.dp = vec3_add_scaled(s.dp, rate[m], s.mode[m]);
    }
    return s;
}

static void expect_bent_moments_of_the_nodes(int n_mode, double across)
{
    enum { BENT = 13 };
    static bi_vec3 at[NODES], shape[BENT * NODES], bend[BENT * BENT * NODES];
    static const double turn[9] = { 0.3, -1.0, 2.0, 1.1, 0.2, -0.7, -1.9, 0.8, -0.4 };
    double mass[NODES], stiffness[BENT], eta[BENT], rate[BENT];
    for (int i = 0; i < NODES; i++) {
        at[i] = (bi_vec3){ waves(i), waves(i + 100), across * waves(i + 200) };
        mass[i] = 1.0 + 0.5 * waves(i + 300);
    }
    for (int k = 0; k < n_mode * NODES; k++) {
        shape[k] = (bi_vec3){ waves(k + 400), waves(2 * k + 7), across * waves(3 * k + 5) };
    }
    for (int m = 0; m < n_mode; m++) {
        for (int q = 0; q <= m; q++) {
            for (int i = 0; i < NODES; i++) {
                int k = (m * n_mode + q) * NODES + i;
                bend[k] = (bi_vec3){ waves(k + 11), waves(k + 23), across * waves(k + 57) };
                bend[(q * n_mode + m) * NODES + i] = bend[k];
            }
        }
        stiffness[m] = 1.0;
        eta[m] = 0.1 * waves(m + 31);
        rate[m] = waves(m + 57);
    }
    bi_modes modes = { .n_node = NODES,
                       .n_mode = n_mode,
                       .at = at,
                       .mass = mass,
                       .shape = shape,
                       .stiffness = stiffness,
                       .bend = bend };
    flex_sums sums;
    vec3 origin = { 0.2, -0.1, 0.4 * across };
    assert_true(flex_sums_create(&sums, &modes, origin, NULL, 0));
    double *room = calloc((size_t)flex_moments_room(&sums), sizeof *room);
    assert_non_null(room);
    flex_moments now = flex_moments_cut(&sums, room);
    flex_moments_at(&sums, eta, rate, turn, &now);
    double J[16] = { 0.0 }, D[12] = { 0.0 }, W[12] = { 0.0 };
    double H[BENT][12] = { { 0.0 } }, T[BENT] = { 0.0 }, S[BENT] = { 0.0 }, P[BENT] = { 0.0 };
    for (int i = 0; i < NODES; i++) {
        node_state s = bent_node(&modes, i, origin, eta, rate);
        const double one[4] = { 1.0, s.p.x, s.p.y, s.p.z };
        for (int k = 0; k < 16; k++) {
            J[k] += mass[i] * one[k / 4] * one[k % 4];
        }
        for (int k = 0; k < 12; k++) {
            D[k] += mass[i] * one[k / 3] * part(s.dp, k % 3);
            W[k] += mass[i] * one[k / 3] * part(s.w, k % 3);
        }
        for (int m = 0; m < n_mode; m++) {
            for (int k = 0; k < 12; k++) {
                H[m][k] += mass[i] * one[k / 3] * part(s.mode[m], k % 3);
            }
            for (int k = 0; k < 9; k++) {
                T[m] += mass[i] * turn[k] * part(s.mode[m], k / 3) * part(s.dp, k % 3);
            }
            S[m] += mass[i] * vec3_dot(s.mode[m], s.w);
            P[m] += mass[i] * vec3_dot(s.mode[m], s.mode[1]);
        }
    }
    for (int k = 0; k < 16; k++) {
        expect_near("bent J", now.J[k], J[k]);
    }
    for (int k = 0; k < 12; k++) {
        expect_near("bent D", now.D[k], D[k]);
        expect_near("bent W", now.W[k], W[k]);
    }
    for (int m = 0; m < n_mode; m++) {
        for (int k = 0; k < 12; k++) {
            expect_near("bent H", now.H[m][k], H[m][k]);
        }
        expect_near("bent T", now.T[m], T[m]);
        expect_near("bent S", now.S[m], S[m]);
        expect_near("bent P", now.P[m * n_mode + 1], P[m]);
    }
    free(room);
    flex_sums_clear(&sums);
}

static void test_moments_of_a_bent_body_are_those_of_the_nodes(void **state)
{
    (void)state;
    expect_bent_moments_of_the_nodes(5, 1.0);
    expect_bent_moments_of_the_nodes(4, 0.0);  // in a plane
    expect_bent_moments_of_the_nodes(13, 1.0); // more modes than vectors are made for
}

static void test_moments_of_few_modes_are_those_of_the_nodes(void **state)
{
    (void)state;
    expect_moments_of_the_nodes(5);
}

static void test_moments_of_many_modes_are_those_of_the_nodes(void **state)
{
    (void)state;
    expect_moments_of_the_nodes(MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_of_few_modes_are_those_of_the_nodes),
        cmocka_unit_test(test_moments_of_many_modes_are_those_of_the_nodes),
        cmocka_unit_test(test_moments_of_a_bent_body_are_those_of_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
