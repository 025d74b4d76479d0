// SPDX-License-Identifier: MIT
// One element at a time: textbook matrices, rigid motions, constant strain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/mesh/beam.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const bi_material steel = { .name = "steel", .young = 2.1e11, .poisson = 0.3, .density = 7850.0 };

static bi_section odd_section(void)
{
    bi_section s = bi_section_rectangle(0.03, 0.05);
    s.thickness = 0.008;
    return s;
}

// An element of each kind, crooked on purpose.
static fe_element crooked(bi_fe_kind kind, bi_fe_element *def, const bi_section *section)
{
    *def =
        (bi_fe_element){ .kind = kind, .mass = 3.0, .inertia = { 0.02, 0.03, 0.04, 0.001, 0.002, -0.003 } };
    fe_element e = { .def = def, .material = &steel, .section = section };
    static const vec3 quad[4] = {
        { 0.1, 0.0, 0.0 }, { 1.0, 0.2, 0.0 }, { 0.8, 0.9, 0.0 }, { -0.1, 0.7, 0.0 }
    };
    static const vec3 line[2] = { { 0.1, 0.2, 0.3 }, { 0.9, -0.3, 0.7 } };
    bool is_beam = kind == BI_FE_BEAM || kind == BI_FE_TIMOSHENKO;
    if (is_beam) {
        def->offset[0] = (vec3){ 0.01, -0.02, 0.03 };
        def->offset[1] = (vec3){ -0.05, 0.04, 0.02 };
        def->y_axis = (vec3){ 0.3, 1.0, -0.2 };
    }
    for (int i = 0; i < 4; i++) {
        e.at[i] = is_beam ? line[i % 2] : quad[i];
    }
    return e;
}

static const bi_fe_kind elastic[] = { BI_FE_BEAM, BI_FE_TIMOSHENKO, BI_FE_QUAD, BI_FE_QUAD_PLAIN,
                                      BI_FE_TRIANGLE };
enum { N_ELASTIC = sizeof elastic / sizeof elastic[0] };

// In space a body has six rigid motions, in a plane three; nothing else may be free.
static void test_stiffness_of_every_kind_has_the_rigid_motions_as_its_only_zeros(void **state)
{
    (void)state;
    bi_section section = odd_section();
    for (int k = 0; k < N_ELASTIC; k++) {
        bi_fe_element def;
        fe_element e = crooked(elastic[k], &def, &section);
        const fe_kind *kind = fe_kind_of(elastic[k]);
        int n = fe_dof_count(kind), zeros = 0;
        double K[FE_MOST_DOF * FE_MOST_DOF], value[FE_MOST_DOF], V[FE_MOST_DOF * FE_MOST_DOF];
        kind->stiffness(&e, K);
        dense_symmetric_eigen(n, K, value, V);
        for (int i = 0; i < n; i++) {
            // round-off of the largest stiffness
            zeros += fabs(value[i]) < 1e-11 * value[n - 1];
            assert_true(value[i] > -1e-11 * value[n - 1]);
        }
        assert_int_equal(zeros, kind->freedoms & FE_Z ? 6 : 3);
    }
}

// Rigid motion u = t + r x at costs m |t|^2 and the inertia about the origin, whatever the shape of the element.
static void test_mass_matrix_of_every_kind_gives_mass_for_a_translation(void **state)
{
    (void)state;
    bi_section section = odd_section();
    static const bi_fe_kind all[] = { BI_FE_BEAM,       BI_FE_TIMOSHENKO, BI_FE_QUAD,
                                      BI_FE_QUAD_PLAIN, BI_FE_TRIANGLE,   BI_FE_MASS };
    for (int k = 0; k < 6; k++) {
        bi_fe_element def;
        fe_element e = crooked(all[k], &def, &section);
        const fe_kind *kind = fe_kind_of(all[k]);
        double M[FE_MOST_DOF * FE_MOST_DOF], sum = 0.0, expected;
        int n = fe_dof_count(kind), step = n / kind->n_node;
        fe_mass_matrix(&e, M);
        for (int i = 0; i < n; i += step) {
            for (int j = 0; j < n; j += step) {
                sum += M[i * n + j];
            }
        }
        if (all[k] == BI_FE_MASS) {
            expected = 3.0;
        } else if (kind->freedoms & FE_Z) {
            vec3 d = vec3_sub(vec3_add(e.at[1], def.offset[1]), vec3_add(e.at[0], def.offset[0]));
            expected = 7850.0 * 0.03 * 0.05 * vec3_norm(d);
        } else {
            double twice = 0.0;
            for (int i = 0; i < kind->n_node; i++) {
                vec3 a = e.at[i], b = e.at[(i + 1) % kind->n_node];
                twice += a.x * b.y - a.y * b.x;
            }
            expected = 0.5 * twice * 7850.0 * 0.008;
        }
        assert_true(fabs(sum / expected - 1.0) < 1e-13);
    }
}

static fe_element straight_beam(bi_fe_kind kind, double L, bi_fe_element *def, const bi_section *section)
{
    *def = (bi_fe_element){ .kind = kind };
    fe_element e = { .def = def, .material = &steel, .section = section };
    e.at[1].x = L;
    return e;
}

// Przemieniecki: bending in xy of a beam along x, rows and columns v1 rz1 v2 rz2.
static void test_beam_stiffness_is_that_of_the_textbook(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    double L = 0.7, K[144], EI = steel.young * s.iz;
    fe_element e = straight_beam(BI_FE_BEAM, L, &def, &s);
    fe_beam.stiffness(&e, K);
    static const int at[4] = { 1, 5, 7, 11 };
    const double book[4][4] = { { 12, 6 * L, -12, 6 * L },
                                { 6 * L, 4 * L * L, -6 * L, 2 * L * L },
                                { -12, -6 * L, 12, -6 * L },
                                { 6 * L, 2 * L * L, -6 * L, 4 * L * L } };
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double expected = EI / (L * L * L) * book[i][j];
            assert_true(fabs(K[12 * at[i] + at[j]] - expected) < 1e-12 * 12 * EI / (L * L * L));
        }
    }
    assert_true(fabs(K[0] / (steel.young * s.area / L) - 1.0) < 1e-14);
    double GJ = steel.young / 2.6 * s.torsion;
    assert_true(fabs(K[12 * 3 + 3] / (GJ / L) - 1.0) < 1e-14);
}

// m L / 420 [156 22L 54 -13L ...] and rho I / 30 L [36 3L -36 3L ...].
static void test_beam_mass_is_that_of_the_textbook_with_rotary_inertia(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    double L = 0.7, M[144], m = steel.density * s.area * L / 420.0, r = steel.density * s.iz / (30.0 * L);
    fe_element e = straight_beam(BI_FE_BEAM, L, &def, &s);
    fe_mass_matrix(&e, M);
    static const int at[4] = { 1, 5, 7, 11 };
    const double book[4][4] = { { 156, 22 * L, 54, -13 * L },
                                { 22 * L, 4 * L * L, 13 * L, -3 * L * L },
                                { 54, 13 * L, 156, -22 * L },
                                { -13 * L, -3 * L * L, -22 * L, 4 * L * L } };
    const double rotary[4][4] = { { 36, 3 * L, -36, 3 * L },
                                  { 3 * L, 4 * L * L, -3 * L, -L * L },
                                  { -36, -3 * L, 36, -3 * L },
                                  { 3 * L, -L * L, -3 * L, 4 * L * L } };
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            assert_true(fabs(M[12 * at[i] + at[j]] - m * book[i][j] - r * rotary[i][j]) < 1e-12 * m * 156);
        }
    }
    double polar = steel.density * (s.iy + s.iz) * L / 3.0;
    assert_true(fabs(M[12 * 3 + 3] / polar - 1.0) < 1e-13);
}

static void test_geometric_stiffness_is_that_of_the_textbook(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    double L = 0.7, K[144], N = 500.0;
    fe_element e = straight_beam(BI_FE_BEAM, L, &def, &s);
    fe_beam.geometric(&e, N, K);
    const double row[4] = { 36, 3 * L, -36, 3 * L };
    static const int at[4] = { 1, 5, 7, 11 };
    for (int j = 0; j < 4; j++) {
        assert_true(fabs(K[12 + at[j]] - N / (30.0 * L) * row[j]) < 1e-12 * N * 36 / (30.0 * L));
    }
    assert_true(fabs(K[12 * 5 + 5] - N / (30.0 * L) * 4 * L * L) < 1e-12 * N);
}

// P L^3 / 3 EI + P L / (k G A): a beam that is loaded at its end is exact with one element.
static void test_timoshenko_cantilever_bends_by_moment_and_shear(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    double L = 0.2, K[144], A[36], b[6] = { 0.0, 1000.0, 0.0, 0.0, 0.0, 0.0 };
    fe_element e = straight_beam(BI_FE_TIMOSHENKO, L, &def, &s);
    fe_timoshenko.stiffness(&e, K);
    for (int i = 0; i < 36; i++) {
        A[i] = K[12 * (6 + i / 6) + 6 + i % 6];
    }
    assert_true(dense_solve(6, A, b));
    double G = steel.young / 2.6,
           expected = 1000.0 * (L * L * L / (3.0 * steel.young * s.iz) + L / (5.0 / 6.0 * G * s.area));
    assert_true(fabs(b[1] / expected - 1.0) < 1e-12);
    assert_true(L / (5.0 / 6.0 * G * s.area) * 1000.0 > 0.01 * expected); // shear matters here
}

// Bathe: thin tube, and the torsion constant 0.1406 a^4 of a square, 0.2287 a b^3 for sides 2:1 (Timoshenko and Goodier).
static void test_sections_have_the_moments_of_the_tables(void **state)
{
    (void)state;
    bi_section tube = bi_section_tube(0.0424, 0.00325), square = bi_section_rectangle(0.02, 0.02),
               flat = bi_section_rectangle(0.04, 0.02);
    double D = 0.0424, d = 0.0424 - 0.0065, pi = 3.14159265358979323846;
    assert_true(fabs(tube.area / (pi / 4.0 * (D * D - d * d)) - 1.0) < 1e-13);
    assert_true(fabs(tube.iy / (pi / 64.0 * (pow(D, 4.0) - pow(d, 4.0))) - 1.0) < 1e-13);
    assert_true(fabs(square.torsion / pow(0.02, 4.0) - 0.1406) < 5e-5);
    assert_true(fabs(flat.torsion / (0.04 * pow(0.02, 3.0)) - 0.2287) < 5e-5);
    // the largest shear stress of the same tables: M / (0.208 a^3), M / (0.246 a b^2)
    assert_true(fabs(square.torsion / square.twist / pow(0.02, 3.0) - 0.208) < 5e-4);
    assert_true(fabs(flat.torsion / flat.twist / (0.04 * 0.02 * 0.02) - 0.246) < 5e-4);
}

// Stress at the clamp of a loaded end: N = P, M = P L, with the signs of the page.
static void test_section_forces_of_a_cantilever_balance_the_load(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    double L = 0.5, K[144], A[36], b[6] = { 700.0, 100.0, -40.0, 9.0, 0.0, 0.0 }, rows[72], u[12] = { 0 };
    fe_element e = straight_beam(BI_FE_BEAM, L, &def, &s);
    fe_beam.stiffness(&e, K);
    for (int i = 0; i < 36; i++) {
        A[i] = K[12 * (6 + i / 6) + 6 + i % 6];
    }
    assert_true(dense_solve(6, A, b));
    memcpy(u + 6, b, sizeof b);
    fe_beam.stress(&e, (vec3){ -1.0, 0.0, 0.0 }, rows);
    // on the side of the second node: force (N, Vy, Vz) and moment at the clamp, moment = (Mt, 40 L, 100 L)
    const double expected[6] = { 700.0, 100.0, -40.0, 9.0, 40.0 * 0.5, 100.0 * 0.5 };
    for (int k = 0; k < 6; k++) {
        double sum = 0.0;
        for (int i = 0; i < 12; i++) {
            sum += rows[12 * k + i] * u[i];
        }
        assert_true(fabs(sum - expected[k]) < 1e-9 * 700.0);
    }
}

// Eight nodes, five crooked elements: displacements linear on the rim are linear inside.
static void patch(bi_fe_kind kind)
{
    static const vec3 at[8] = { { 0.0, 0.0, 0.0 },   { 0.24, 0.0, 0.0 },  { 0.24, 0.12, 0.0 },
                                { 0.0, 0.12, 0.0 },  { 0.04, 0.02, 0.0 }, { 0.18, 0.03, 0.0 },
                                { 0.16, 0.08, 0.0 }, { 0.08, 0.08, 0.0 } };
    static const int quads[5][4] = {
        { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 }, { 4, 5, 6, 7 }
    };
    bi_section s = odd_section();
    double K[16 * 16] = { 0 }, u[16], A[64], b[8];
    for (int q = 0; q < (kind == BI_FE_TRIANGLE ? 10 : 5); q++) {
        bi_fe_element def = { .kind = kind };
        fe_element e = { .def = &def, .material = &steel, .section = &s };
        int node[4], n = kind == BI_FE_TRIANGLE ? 3 : 4;
        for (int i = 0; i < n; i++) {
            node[i] = kind != BI_FE_TRIANGLE ? quads[q][i] : quads[q / 2][q % 2 == 0 ? i : (i + 2) % 4];
            e.at[i] = at[node[i]];
        }
        double Ke[64];
        fe_kind_of(kind)->stiffness(&e, Ke);
        for (int i = 0; i < 2 * n; i++) {
            for (int j = 0; j < 2 * n; j++) {
                K[16 * (2 * node[i / 2] + i % 2) + 2 * node[j / 2] + j % 2] += Ke[2 * n * i + j];
            }
        }
    }
    // MacNeal and Harder: u = 1e-3 (x + y/2), v = 1e-3 (y + x/2)
    for (int i = 0; i < 8; i++) {
        u[2 * i] = 1e-3 * (at[i].x + 0.5 * at[i].y);
        u[2 * i + 1] = 1e-3 * (at[i].y + 0.5 * at[i].x);
    }
    for (int i = 0; i < 8; i++) {
        b[i] = 0.0;
        for (int j = 0; j < 8; j++) {
            A[8 * i + j] = K[16 * (8 + i) + 8 + j];
            b[i] -= K[16 * (8 + i) + j] * u[j];
        }
    }
    assert_true(dense_solve(8, A, b));
    for (int i = 0; i < 8; i++) {
        assert_true(fabs(b[i] - u[8 + i]) < 1e-12 * 3e-4);
    }
}

static void test_patch_of_quads_passes(void **state)
{
    (void)state;
    patch(BI_FE_QUAD);
}

static void test_patch_of_plain_quads_passes(void **state)
{
    (void)state;
    patch(BI_FE_QUAD_PLAIN);
}

static void test_patch_of_triangles_passes(void **state)
{
    (void)state;
    patch(BI_FE_TRIANGLE);
}

// A slender rectangle in pure bending: exact with incompatible modes, far too stiff without.
static void test_incompatible_modes_bend_without_locking(void **state)
{
    (void)state;
    static const bi_fe_kind kinds[2] = { BI_FE_QUAD, BI_FE_QUAD_PLAIN };
    double energy[2];
    bi_section s = odd_section();
    for (int k = 0; k < 2; k++) {
        bi_fe_element def = { .kind = kinds[k] };
        fe_element e = { .def = &def, .material = &steel, .section = &s };
        double a = 0.5, h = 0.05, K[64], kappa = 0.1;
        const vec3 at[4] = { { 0, 0, 0 }, { a, 0, 0 }, { a, h, 0 }, { 0, h, 0 } };
        // ends turned by +-kappa a / 2 about the axis y = h/2
        const double turn = 0.5 * kappa * a * 0.5 * h;
        const double u[8] = { -turn, 0, turn, 0, -turn, 0, turn, 0 };
        memcpy(e.at, at, sizeof at);
        fe_kind_of(kinds[k])->stiffness(&e, K);
        energy[k] = 0.0;
        for (int i = 0; i < 64; i++) {
            energy[k] += u[i / 8] * K[i] * u[i % 8];
        }
        energy[k] /= steel.young * 0.008 * h * h * h / 12.0 * kappa * kappa * a; // EI kappa^2 a
    }
    assert_true(fabs(energy[0] - 1.0) < 1e-9);
    assert_true(energy[1] > 30.0);
}

static void test_a_quad_with_exchanged_nodes_has_a_negative_jacobian(void **state)
{
    (void)state;
    bi_section s = odd_section();
    bi_fe_element def;
    char why[200] = "";
    fe_element e = crooked(BI_FE_QUAD, &def, &s);
    assert_true(fe_quad.check(&e, why, sizeof why));
    vec3 keep = e.at[2];
    e.at[2] = e.at[3];
    e.at[3] = keep;
    assert_false(fe_quad.check(&e, why, sizeof why));
    assert_non_null(strstr(why, "negative Jacobian"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_of_every_kind_has_the_rigid_motions_as_its_only_zeros),
        cmocka_unit_test(test_mass_matrix_of_every_kind_gives_mass_for_a_translation),
        cmocka_unit_test(test_beam_stiffness_is_that_of_the_textbook),
        cmocka_unit_test(test_beam_mass_is_that_of_the_textbook_with_rotary_inertia),
        cmocka_unit_test(test_geometric_stiffness_is_that_of_the_textbook),
        cmocka_unit_test(test_timoshenko_cantilever_bends_by_moment_and_shear),
        cmocka_unit_test(test_sections_have_the_moments_of_the_tables),
        cmocka_unit_test(test_section_forces_of_a_cantilever_balance_the_load),
        cmocka_unit_test(test_patch_of_quads_passes),
        cmocka_unit_test(test_patch_of_plain_quads_passes),
        cmocka_unit_test(test_patch_of_triangles_passes),
        cmocka_unit_test(test_incompatible_modes_bend_without_locking),
        cmocka_unit_test(test_a_quad_with_exchanged_nodes_has_a_negative_jacobian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
