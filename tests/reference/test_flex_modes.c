// SPDX-License-Identifier: MIT
// Frequencies of flexible bodies against closed forms and independent computations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/mesh/assembly.h"
#include "flex/modes/eigen.h"
#include "support/chassis.h"
#include "support/flex_mesh.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static bi_flex *build(const bi_flex_def *def)
{
    bi_report report = { 0 };
    bi_flex *flex = bi_flex_build(def, NULL, NULL, &report);
    for (int k = 0; k < report.count; k++) {
        print_message("%s: %s\n", report.issue[k].where, report.issue[k].what);
    }
    bi_report_clear(&report);
    assert_non_null(flex);
    return flex;
}

static void assert_close(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected))) {
        print_message("%.10g instead of %.10g\n", value, expected);
        fail();
    }
}

// Roots of cos x cosh x = -1. Cubic elements of length h are too stiff by (x h)^4 / 1440.
static void test_cantilever_has_the_frequencies_of_bernoulli(void **state)
{
    (void)state;
    static const double root[4] = { 1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349 };
    flex_case c = { .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    c.section = bi_section_rectangle(0.01, 0.02);
    flex_bar(&c, BI_FE_BEAM, 40, 1.0, true);
    c.def.n_normal = 4;
    c.def.has_no_rotary = true;
    bi_flex *flex = build(&c.def);
    for (int k = 0; k < 4; k++) {
        double omega = root[k] * root[k] * sqrt(7e10 * c.section.iz / (2700.0 * c.section.area));
        assert_close(bi_flex_facts_of(flex).normal_hz[k], omega / (2.0 * PI),
                     1.1 * pow(root[k] / 40.0, 4.0) / 1440.0);
    }
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// Nothing held: three motions of a rigid body in the plane, then the roots of cos x cosh x = 1.
static void test_free_bar_has_three_zeros_and_the_frequencies_of_bernoulli(void **state)
{
    (void)state;
    static const double root[3] = { 4.7300407449, 7.8532046241, 10.9956078380 };
    flex_case c = { .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    bi_report report = { 0 };
    fe_freedoms f;
    fe_matrices m;
    eigen_result modes = { 0 };
    c.section = bi_section_rectangle(0.01, 0.02);
    flex_bar(&c, BI_FE_BEAM, 40, 1.0, true);
    assert_true(freedoms_build(&c.def.mesh, NULL, "bar", &f, &report));
    assert_int_equal(f.n, 3 * 41);
    assert_true(matrices_build(&c.def.mesh, &f, ROTARY_LEFT_OUT, &m));
    double unit = 7e10 * c.section.iz / (2700.0 * c.section.area); // (rad/s)^2 of x = 1
    eigen_problem problem = { .pat = &m.pat, .K = m.K, .M = m.M, .count = 6, .shift = -100.0 * unit };
    assert_int_equal(eigen_solve(&problem, &modes), EIGEN_GOOD);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(modes.value[k]) < 1e-6 * modes.value[3]);
        // frequencies to (x h)^4 / 1440, their squares to twice that
        assert_close(modes.value[3 + k], pow(root[k], 4.0) * unit,
                     2.2 * pow(root[k] / 40.0, 4.0) / 1440.0 + 1e-8);
    }
    eigen_clear(&modes);
    matrices_free(&m);
    freedoms_free(&f);
    flex_case_free(&c);
}

// Euler: a cantilever buckles at pi^2 EI / 4 L^2, where K and the geometric stiffness of that force balance.
static void test_geometric_stiffness_buckles_a_cantilever_at_eulers_load(void **state)
{
    (void)state;
    flex_case c = { .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    bi_report report = { 0 };
    fe_freedoms f;
    fe_matrices m;
    eigen_result modes = { 0 };
    enum { N = 10 };
    double L = 2.0, Ke[144];
    c.section = bi_section_rectangle(0.01, 0.02);
    flex_bar(&c, BI_FE_BEAM, N, L, true);
    assert_true(freedoms_build(&c.def.mesh, NULL, "bar", &f, &report));
    assert_true(matrices_build(&c.def.mesh, &f, ROTARY_LEFT_OUT, &m));
    memset(m.M, 0, (size_t)m.pat.nnz * sizeof *m.M);
    for (int k = 0; k < N; k++) {
        fe_element e = fe_element_of(&c.def.mesh, k);
        e.is_plane = true;
        fe_beam.geometric(&e, 1.0, Ke);
        for (int i = 0; i < 144; i++) {
            const fe_terms *a = freedoms_of(&f, &c.def.mesh, k, i / 12),
                           *b = freedoms_of(&f, &c.def.mesh, k, i % 12);
            if (a->count && b->count && a->index[0] <= b->index[0]) {
                m.M[pattern_find(&m.pat, a->index[0], b->index[0])] += Ke[i];
            }
        }
    }
    // the clamp: three stiff springs
    for (int i = 0; i < 3; i++) {
        m.K[pattern_find(&m.pat, i, i)] *= 1e9;
    }
    eigen_problem problem = { .pat = &m.pat, .K = m.K, .M = m.M, .count = 1 };
    assert_int_equal(eigen_solve(&problem, &modes), EIGEN_GOOD);
    // ten cubic elements: (pi / 20)^4 / 720; springs: 1e-8
    assert_close(modes.value[0], PI * PI * 7e10 * c.section.iz / (4.0 * L * L), 2e-6);
    eigen_clear(&modes);
    matrices_free(&m);
    freedoms_free(&f);
    flex_case_free(&c);
}

// tan x = tanh x, axial (k - 1/2) pi: the bars of examples 1 and 2 of the thesis; reference values have four digits
// and were computed with 20 and 10 elements.
static void bar_example(int n, double rho, double E, double A, double I, const double *hz, double axial)
{
    flex_case c = { .material = { .young = E, .poisson = 0.3, .density = rho } };
    c.section = (bi_section){ .area = A, .iz = I, .iy = I };
    flex_bar(&c, BI_FE_BEAM, n, 1.5, true);
    flex_hold_tip(&c);
    c.def.n_normal = 6;
    bi_flex *flex = build(&c.def);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    int found = 0;
    for (int k = 0; k < 6 && found < 4; k++) {
        // the axial mode of the second bar comes between
        found += fabs(facts.normal_hz[k] - hz[found]) < 1.5e-4 * hz[found];
    }
    assert_int_equal(found, 4);
    for (int k = 0; axial > 0.0 && k < 6; k++) {
        found += fabs(facts.normal_hz[k] - axial) < 3e-4 * axial;
    }
    assert_int_equal(found, axial > 0.0 ? 5 : 4);
    assert_int_equal(facts.n_static, 2);
    assert_int_equal(facts.n_rigid, 3);
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

static void test_bar_of_example_1_has_the_frequencies_of_the_reference(void **state)
{
    (void)state;
    bar_example(20, 8000.0, 2e11, 1e-4, 1e-10, (const double[]){ 5.453, 17.671, 36.87, 63.06 }, 0.0);
}

static void test_bar_of_example_2_has_the_frequencies_of_the_reference(void **state)
{
    (void)state;
    bar_example(10, 2000.0, 7e10, 1.2e-3, 4e-7, (const double[]){ 117.7, 380.6, 791.6, 1348.5 }, 1980.0);
}

static void rod_example(bi_fe_kind kind, int nx, int ny, int count, const double *hz, double relative)
{
    flex_case c = { .material = { .young = 2.1e11, .poisson = 0.3, .density = 7850.0 } };
    c.section.thickness = 0.008;
    flex_rod(&c, kind, nx, ny, 0.130446, 0.034922);
    c.def.n_normal = 4;
    bi_flex *flex = build(&c.def);
    for (int k = 0; k < count; k++) {
        assert_close(bi_flex_facts_of(flex).normal_hz[k], hz[k], relative);
    }
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// The reference prints two and no decimals; the side lengths have six digits.
static void test_rod_of_example_3_has_the_frequencies_of_the_reference(void **state)
{
    (void)state;
    rod_example(BI_FE_QUAD_PLAIN, 36, 6, 4, (const double[]){ 6111.48, 15914.0, 19934.0, 27288.0 }, 5e-5);
    rod_example(BI_FE_QUAD_PLAIN, 72, 12, 2, (const double[]){ 6076.9, 15786.7 }, 5e-5);
}

// Eight-node elements of another program on 72 x 12: 6069.4 and 15752.8 Hz. Incompatible modes are there with 36 x 6.
static void test_incompatible_modes_are_as_good_as_eight_nodes(void **state)
{
    (void)state;
    rod_example(BI_FE_QUAD, 36, 6, 2, (const double[]){ 6069.4, 15752.8 }, 8e-3);
    rod_example(BI_FE_QUAD, 72, 12, 2, (const double[]){ 6069.4, 15752.8 }, 2e-3);
}

// The whole body at once gives what each node gives alone.
static void test_stress_everywhere_is_that_of_each_node(void **state)
{
    (void)state;
    flex_case c = { .material = { .young = 2.1e11, .poisson = 0.3, .density = 7850.0 } };
    char why[200];
    c.section.thickness = 0.008;
    flex_rod(&c, BI_FE_QUAD, 6, 2, 0.1, 0.03);
    c.def.n_normal = 3;
    bi_flex *flex = build(&c.def);
    const bi_modes *m = bi_flex_modes(flex);
    bi_flex_probe probe = { .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1 };
    bi_recovery *all = bi_flex_recover(flex, &probe, why, sizeof why);
    assert_non_null(all);
    assert_int_equal(all->n_point, 21);
    double *one = malloc(6 * (size_t)m->n_mode * sizeof *one), largest = 0.0;
    for (int p = 0; p < all->n_point; p++) {
        assert_true(bi_flex_nodal_rows(flex, all->node[p], one));
        for (int k = 0; k < 6 * m->n_mode; k++) {
            largest = fmax(largest, fabs(one[k]));
        }
    }
    for (int p = 0; p < all->n_point; p++) {
        assert_true(bi_flex_nodal_rows(flex, all->node[p], one));
        for (int k = 0; k < 6 * m->n_mode; k++) {
            assert_true(fabs(all->row[p * 6 * m->n_mode + k] - one[k]) < 1e-13 * largest);
        }
    }
    free(one);
    bi_recovery_destroy(all);
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// Modes are orthogonal on the particles: sum m s_i s_j = mass, when i = j, and the FE mass is what they carry.
static void test_particles_carry_the_modes_of_the_mesh(void **state)
{
    (void)state;
    flex_case c = { .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    c.section = bi_section_tube(0.05, 0.004);
    flex_bar(&c, BI_FE_TIMOSHENKO, 6, 1.2, false);
    flex_hold_tip(&c);
    c.boundary[0].n_vector = 1;
    c.boundary[0].vector[0] = (bi_vec3){ 0.0, 0.6, 0.8 };
    c.def.n_normal = 5;
    bi_flex *flex = build(&c.def);
    const bi_modes *m = bi_flex_modes(flex);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    assert_int_equal(facts.n_static, 5);
    assert_int_equal(m->n_mode, 10);
    assert_close(facts.mass, 2700.0 * c.section.area * 1.2, 1e-12);
    assert_close(facts.com.x, 0.6, 1e-12);
    assert_close(facts.inertia[0], 2.0 * c.section.iy * 2700.0 * 1.2, 1e-11);
    assert_close(facts.inertia[2], facts.mass * (1.2 * 1.2 / 12.0 + c.section.iz / c.section.area), 1e-11);
    for (int i = 0; i < m->n_mode; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int p = 0; p < m->n_node; p++) {
                bi_vec3 a = m->shape[i * m->n_node + p], b = m->shape[j * m->n_node + p];
                sum += m->mass[p] * (a.x * b.x + a.y * b.y + a.z * b.z);
            }
            // round-off: the stiffest mode is 1e5 times as stiff as the softest
            assert_true(fabs(sum - (i == j) * facts.mass) < 1e-8 * facts.mass);
        }
    }
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// A tip that is lifted by 1 bends the bar to (3 x^2 - x^3) / 2 per length: int v'^2 = 6 / 5 L, int to x in closed form.
static void test_foreshortening_of_a_bent_cantilever_is_six_fifths(void **state)
{
    (void)state;
    flex_case c = { .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    c.section = bi_section_rectangle(0.01, 0.02);
    double L = 2.0;
    flex_bar(&c, BI_FE_BEAM, 8, L, true);
    flex_hold_tip(&c);
    c.def.is_foreshortened = true;
    bi_flex *flex = build(&c.def);
    const bi_modes *m = bi_flex_modes(flex);
    assert_int_equal(m->n_mode, 2);
    assert_non_null(m->bend);
    // amplitudes that lift the tip by one and do not stretch it
    int tip = 8, n = m->n_node;
    bi_vec3 a = m->shape[tip], b = m->shape[n + tip];
    double det = a.x * b.y - a.y * b.x, eta[2] = { -b.x / det, a.x / det };
    for (int p = 0; p < n; p++) {
        double x = m->at[p].x / L, shortening = 0.0;
        for (int i = 0; i < 4; i++) {
            shortening -= m->bend[i * n + p].x * eta[i / 2] * eta[i % 2];
        }
        // v' = (3 x - 1.5 x^2) / L
        double expected = (3.0 * x * x * x - 2.25 * x * x * x * x + 0.45 * x * x * x * x * x) / L;
        assert_true(fabs(shortening - expected) < 1e-10);
        assert_true(p != tip || fabs(shortening - 1.2 / L) < 1e-10);
    }
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// ---- the chassis ---------------------------------------------------------------------------------------------

static void read_chassis(chassis *c, int n_points) { assert_true(chassis_read(c, n_points)); }

// Five decimals are printed: 1e-6 relative is half of the last digit at 45 Hz.
static void check_chassis(int n_points, int column)
{
    static chassis c;
    read_chassis(&c, n_points);
    c.def.n_normal = 10;
    bi_flex *flex = build(&c.def);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    FILE *file = fopen(BI_SOURCE_DIR "/models/prototype-car/chassis/fixed_interface.csv", "r");
    char line[200];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int k = 0, id; k < 10; k++) {
        double hz[2];
        assert_int_equal(fscanf(file, "%d,%lf,%lf", &id, &hz[0], &hz[1]), 3);
        assert_close(facts.normal_hz[k], hz[column], 1e-6);
    }
    fclose(file);
    assert_int_equal(facts.n_static, 3 * n_points);
    // two decimals, and lengths to a micrometre
    assert_true(fabs(facts.mass - 107.74) < 0.005);
    assert_true(fabs(facts.section_mass / facts.mass - 1.0) < 1e-12);
    assert_true(fabs(facts.com.x - 1.4745) < 1e-4 && fabs(facts.com.y) < 1e-9 &&
                fabs(facts.com.z - 0.5557) < 1e-4);
    assert_true(fabs(facts.inertia[0] - 24.54) < 0.01 && fabs(facts.inertia[1] - 105.25) < 0.01 &&
                fabs(facts.inertia[2] - 114.55) < 0.01);
    assert_true(facts.rigid < 1e-12 && facts.patch < 1e-11);
    assert_int_equal(facts.n_rigid, 6);
    bi_flex_destroy(flex);
}

static void test_chassis_with_20_points_has_the_frequencies_of_the_reference(void **state)
{
    (void)state;
    check_chassis(20, 0);
}

static void test_chassis_with_24_points_has_the_frequencies_of_the_reference(void **state)
{
    (void)state;
    check_chassis(24, 1);
}

static void test_modes_below_a_frequency_are_all_found(void **state)
{
    (void)state;
    static chassis c;
    read_chassis(&c, 20);
    c.def.up_to = 100.0;
    bi_flex *flex = build(&c.def);
    assert_int_equal(bi_flex_facts_of(flex).n_normal, 4);
    assert_int_equal(bi_flex_modes(flex)->n_mode, 64);
    bi_flex_destroy(flex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever_has_the_frequencies_of_bernoulli),
        cmocka_unit_test(test_free_bar_has_three_zeros_and_the_frequencies_of_bernoulli),
        cmocka_unit_test(test_geometric_stiffness_buckles_a_cantilever_at_eulers_load),
        cmocka_unit_test(test_bar_of_example_1_has_the_frequencies_of_the_reference),
        cmocka_unit_test(test_bar_of_example_2_has_the_frequencies_of_the_reference),
        cmocka_unit_test(test_rod_of_example_3_has_the_frequencies_of_the_reference),
        cmocka_unit_test(test_incompatible_modes_are_as_good_as_eight_nodes),
        cmocka_unit_test(test_stress_everywhere_is_that_of_each_node),
        cmocka_unit_test(test_particles_carry_the_modes_of_the_mesh),
        cmocka_unit_test(test_foreshortening_of_a_bent_cantilever_is_six_fifths),
        cmocka_unit_test(test_chassis_with_20_points_has_the_frequencies_of_the_reference),
        cmocka_unit_test(test_chassis_with_24_points_has_the_frequencies_of_the_reference),
        cmocka_unit_test(test_modes_below_a_frequency_are_all_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
