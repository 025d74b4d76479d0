// SPDX-License-Identifier: MIT
// Shells: rigid motions, patch tests, and the benchmarks of the literature for plates and cylinders.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/mesh/assembly.h"
#include "flex/mesh/shell.h"
#include "flex/modes/eigen.h"
#include "sparse/dense_eigen.h"
#include "sparse/front.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const bi_fe_kind kinds[2] = { BI_FE_SHELL4, BI_FE_SHELL3 };

// ---- one element ---------------------------------------------------------------------------------------------------

static const bi_material steel = { .name = "steel", .young = 2.1e11, .poisson = 0.3, .density = 7850.0 };

// Anywhere in space, of no special shape; `warp` lifts one corner of a quadrilateral.
static fe_element crooked(bi_fe_kind kind, double warp, bi_fe_element *def, const bi_section *section)
{
    static const vec3 at[4] = { { 0.1, 0.2, 0.0 }, { 1.2, 0.1, 0.0 }, { 1.0, 0.9, 0.0 }, { -0.1, 1.1, 0.0 } };
    vec3 x = vec3_normalized((vec3){ 1.0, 0.4, -0.3 }),
         z = vec3_normalized(vec3_cross(x, (vec3){ 0.2, 0.1, 1.0 }));
    vec3 y = vec3_cross(z, x);
    *def = (bi_fe_element){ .kind = kind };
    fe_element e = { .def = def, .material = &steel, .section = section };
    for (int i = 0; i < 4; i++) {
        double height = i == 2 ? warp : 0.0;
        e.at[i] = vec3_add_scaled(vec3_add(vec3_scale(at[i].x, x), vec3_scale(at[i].y, y)), height, z);
    }
    return e;
}

static void test_only_rigid_motions_are_free_also_when_the_element_is_warped(void **state)
{
    (void)state;
    bi_section section = { .thickness = 0.02 };
    for (int k = 0; k < 3; k++) {
        bi_fe_element def;
        bi_fe_kind what = k == 2 ? BI_FE_SHELL4 : kinds[k];
        fe_element e = crooked(what, k == 2 ? 0.08 : 0.0, &def, &section);
        const fe_kind *kind = fe_kind_of(what);
        int n = fe_dof_count(kind), zeros = 0;
        double K[FE_MOST_DOF * FE_MOST_DOF], copy[FE_MOST_DOF * FE_MOST_DOF], value[FE_MOST_DOF],
            V[FE_MOST_DOF * FE_MOST_DOF];
        kind->stiffness(&e, K);
        memcpy(copy, K, sizeof copy);
        dense_symmetric_eigen(n, copy, value, V);
        for (int i = 0; i < n; i++) {
            zeros += fabs(value[i]) < 1e-11 * value[n - 1];
        }
        assert_int_equal(zeros, 6);
        // six motions as a body: no force
        for (int r = 0; r < 6; r++) {
            vec3 turn = { r == 3, r == 4, r == 5 }, move = { r == 0, r == 1, r == 2 };
            double u[FE_MOST_DOF];
            for (int i = 0; i < kind->n_node; i++) {
                vec3 d = vec3_add(move, vec3_cross(turn, e.at[i]));
                const double all[6] = { d.x, d.y, d.z, turn.x, turn.y, turn.z };
                memcpy(u + (ptrdiff_t)6 * i, all, sizeof all);
            }
            for (int i = 0; i < n; i++) {
                double force = 0.0;
                for (int j = 0; j < n; j++) {
                    force += K[i * n + j] * u[j];
                }
                assert_true(fabs(force) < 1e-12 * value[n - 1]);
            }
        }
    }
}

static void test_constant_strain_and_curvature_cost_what_they_should(void **state)
{
    (void)state;
    bi_section section = { .thickness = 0.02 };
    for (int k = 0; k < 2; k++) {
        bi_fe_element def;
        fe_element e = crooked(kinds[k], 0.0, &def, &section);
        double K[FE_MOST_DOF * FE_MOST_DOF];
        fe_kind_of(kinds[k])->stiffness(&e, K);
        assert_true(shell_patch_error(&e, K) < 1e-9);
    }
}

// Mass, and inertia about an axis in the middle plane: a plate of 2 x 1 m with its thickness.
static void test_mass_has_the_inertia_of_a_plate(void **state)
{
    (void)state;
    bi_section section = { .thickness = 0.3 };
    bi_fe_element def = { .kind = BI_FE_SHELL4 };
    fe_element e = { .def = &def, .material = &steel, .section = &section };
    const vec3 at[4] = { { -1.0, -0.5, 0.0 }, { 1.0, -0.5, 0.0 }, { 1.0, 0.5, 0.0 }, { -1.0, 0.5, 0.0 } };
    memcpy(e.at, at, sizeof at);
    double M[FE_MOST_DOF * FE_MOST_DOF], mass = 7850.0 * 2.0 * 0.3, sum = 0.0, inertia = 0.0, u[24];
    fe_mass_matrix(&e, M);
    for (int i = 0; i < 4; i++) {
        // turns about x
        const double all[6] = { 0.0, 0.0, at[i].y, 1.0, 0.0, 0.0 };
        memcpy(u + (ptrdiff_t)6 * i, all, sizeof all);
    }
    for (int i = 0; i < 24; i++) {
        for (int j = 0; j < 24; j++) {
            sum += i % 6 == 1 && j % 6 == 1 ? M[i * 24 + j] : 0.0;
            inertia += u[i] * M[i * 24 + j] * u[j];
        }
    }
    assert_true(fabs(sum / mass - 1.0) < 1e-13);
    assert_true(fabs(inertia / (mass * (1.0 + 0.3 * 0.3) / 12.0) - 1.0) < 1e-13);
}

// ---- meshes --------------------------------------------------------------------------------------------------------

typedef struct {
    bi_fe_mesh mesh;
    bi_material material;
    bi_section section;
    fe_freedoms f;
    fe_matrices m;
    bool *is_held;
    double *load, *u;
    int nx, ny;
} bench;

// A sheet of nx times ny quadrilaterals, or twice as many triangles, over the unit square that `place` bends.
static void make_sheet(bench *b, bi_fe_kind kind, int nx, int ny, vec3 (*place)(double, double))
{
    int n = (nx + 1) * (ny + 1), per = kind == BI_FE_SHELL3 ? 2 : 1;
    b->nx = nx;
    b->ny = ny;
    b->mesh = (bi_fe_mesh){ .n_node = n,
                            .n_element = per * nx * ny,
                            .n_section = 1,
                            .n_material = 1,
                            .section = &b->section,
                            .material = &b->material };
    b->mesh.node = calloc((size_t)n, sizeof *b->mesh.node);
    b->mesh.element = calloc((size_t)b->mesh.n_element, sizeof *b->mesh.element);
    for (int k = 0; k < n; k++) {
        b->mesh.node[k].at = place((double)(k % (nx + 1)) / nx, (double)(k / (nx + 1)) / ny);
    }
    for (int k = 0; k < nx * ny; k++) {
        int first = k % nx + (k / nx) * (nx + 1);
        const int q[4] = { first, first + 1, first + nx + 2, first + nx + 1 };
        for (int h = 0; h < per; h++) {
            bi_fe_element *e = &b->mesh.element[per * k + h];
            *e = (bi_fe_element){ .kind = kind };
            for (int i = 0; i < 4; i++) {
                e->node[i] = per == 1 ? q[i] : q[h == 0 ? i % 3 : (i + 2) % 4];
            }
        }
    }
    bi_report report = { 0 };
    assert_true(freedoms_build(&b->mesh, NULL, "sheet", &b->f, &report));
    assert_true(matrices_build(&b->mesh, &b->f, ROTARY_KEPT, &b->m));
    assert_int_equal(b->f.n, 6 * n);
    b->is_held = calloc((size_t)b->f.n, sizeof *b->is_held);
    b->load = calloc((size_t)b->f.n, sizeof *b->load);
    b->u = calloc((size_t)b->f.n, sizeof *b->u);
    bi_report_clear(&report);
}

static void release(bench *b)
{
    freedoms_free(&b->f);
    matrices_free(&b->m);
    free(b->mesh.node);
    free(b->mesh.element);
    free(b->is_held);
    free(b->load);
    free(b->u);
}

static int node_at(const bench *b, int i, int j) { return i + j * (b->nx + 1); }

// Freedoms of the nodes of an edge (0: u = 0, 1: u = 1, 2: v = 0, 3: v = 1), letters x y z and X Y Z for the turns.
static void hold_edge(bench *b, int edge, const char *freedoms)
{
    for (int k = 0; k <= (edge < 2 ? b->ny : b->nx); k++) {
        int node = edge < 2 ? node_at(b, edge == 0 ? 0 : b->nx, k) : node_at(b, k, edge == 2 ? 0 : b->ny);
        for (const char *c = freedoms; *c; c++) {
            b->is_held[6 * node + (*c >= 'x' ? *c - 'x' : 3 + *c - 'X')] = true;
        }
    }
}

// What is held gets a stiffness that makes it stand.
static double *held_stiffness(const bench *b)
{
    double *K = malloc((size_t)b->m.pat.nnz * sizeof *K);
    memcpy(K, b->m.K, (size_t)b->m.pat.nnz * sizeof *K);
    for (int i = 0; i < b->f.n; i++) {
        if (b->is_held[i]) {
            K[pattern_find(&b->m.pat, i, i)] *= 1e10;
        }
    }
    return K;
}

static void solve(bench *b)
{
    double *K = held_stiffness(b);
    front *factor = front_create(&b->m.pat);
    memcpy(b->u, b->load, (size_t)b->f.n * sizeof *b->u);
    assert_int_equal(front_factor(factor, K, NULL, NULL), FRONT_GOOD);
    front_solve(factor, 1, b->u);
    front_destroy(factor);
    free(K);
}

// Weight of the sheet itself along z, N/kg.
static void add_weight(bench *b, double g)
{
    for (int k = 0; k < b->mesh.n_element; k++) {
        fe_element e = fe_element_of(&b->mesh, k);
        fe_particle p[FE_MOST_PARTICLES];
        const fe_kind *kind = fe_kind_of(b->mesh.element[k].kind);
        int n = kind->particles(&e, p), dof = fe_dof_count(kind);
        for (int g_at = 0; g_at < n; g_at++) {
            for (int i = 0; i < dof; i++) {
                b->load[6 * e.def->node[i / 6] + i % 6] += g * p[g_at].mass * p[g_at].shape[2][i];
            }
        }
    }
}

static void expect(const char *what, double value, double expected, double share)
{
    print_message("measured %s: %.6g, %.6g expected, %+.2f %%\n", what, value, expected,
                  100.0 * (value / expected - 1.0));
    assert_true(fabs(value / expected - 1.0) < share);
}

// ---- patch ---------------------------------------------------------------------------------------------------------

// The patch of MacNeal and Harder: 0.24 x 0.12, four nodes inside, turned into space.
static const double patch_at[8][2] = { { 0.0, 0.0 },   { 0.24, 0.0 },  { 0.24, 0.12 }, { 0.0, 0.12 },
                                       { 0.04, 0.02 }, { 0.18, 0.03 }, { 0.16, 0.08 }, { 0.08, 0.08 } };
static const int patch_quad[5][4] = {
    { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 }, { 4, 5, 6, 7 }
};

// Membrane: u = 1e-3 (x + y/2), v = 1e-3 (y + x/2). Bending: w = 1e-3 (x^2 + x y + y^2) / 2.
static void patch_field(double x, double y, bool is_bent, double *u)
{
    const double flat[6] = { 1e-3 * (x + 0.5 * y), 1e-3 * (y + 0.5 * x), 0.0, 0.0, 0.0, 0.0 };
    const double bent[6] = {
        0.0, 0.0, 0.5e-3 * (x * x + x * y + y * y), 1e-3 * (0.5 * x + y), -1e-3 * (x + 0.5 * y), 0.0
    };
    memcpy(u, is_bent ? bent : flat, sizeof flat);
}

static void patch(bi_fe_kind kind, bool is_bent)
{
    bench b = { .material = { .young = 1e6, .poisson = 0.25, .density = 1.0 },
                .section = { .thickness = 1e-3 } };
    int per = kind == BI_FE_SHELL3 ? 2 : 1;
    bi_fe_node node[8] = { 0 };
    bi_fe_element element[10] = { 0 };
    vec3 x = vec3_normalized((vec3){ 1.0, 2.0, 0.5 }),
         z = vec3_normalized(vec3_cross(x, (vec3){ 0.0, 1.0, 1.0 })), y = vec3_cross(z, x);
    const vec3 axis[3] = { x, y, z };
    for (int i = 0; i < 8; i++) {
        node[i].at = vec3_add(vec3_scale(patch_at[i][0], x), vec3_scale(patch_at[i][1], y));
    }
    for (int k = 0; k < 5 * per; k++) {
        element[k].kind = kind;
        for (int i = 0; i < 4; i++) {
            element[k].node[i] = patch_quad[k / per][per == 1 ? i : k % 2 == 0 ? i % 3 : (i + 2) % 4];
        }
    }
    b.mesh = (bi_fe_mesh){ .n_node = 8,
                           .n_element = 5 * per,
                           .n_section = 1,
                           .n_material = 1,
                           .node = node,
                           .element = element,
                           .section = &b.section,
                           .material = &b.material };
    bi_report report = { 0 };
    assert_true(freedoms_build(&b.mesh, NULL, "patch", &b.f, &report));
    assert_true(matrices_build(&b.mesh, &b.f, ROTARY_KEPT, &b.m));
    double exact[48], force[48] = { 0 }, held[48] = { 0 }, size = 0.0;
    for (int i = 0; i < 8; i++) {
        double own[6];
        patch_field(patch_at[i][0], patch_at[i][1], is_bent, own);
        for (int c = 0; c < 6; c++) {
            const double *a = &axis[0].x;
            exact[6 * i + c] = 0.0;
            for (int r = 0; r < 3; r++) {
                exact[6 * i + c] += own[r + (c < 3 ? 0 : 3)] * a[3 * r + c % 3];
            }
            size = fmax(size, fabs(exact[6 * i + c]));
        }
    }
    // corners stand where the field has them: the forces of that move the four nodes inside
    memcpy(held, exact, 24 * sizeof *held);
    pattern_multiply(&b.m.pat, b.m.K, held, force);
    b.is_held = calloc(48, sizeof *b.is_held);
    b.load = calloc(48, sizeof *b.load);
    b.u = calloc(48, sizeof *b.u);
    for (int i = 0; i < 48; i++) {
        b.is_held[i] = i < 24;
        b.load[i] = i < 24 ? 0.0 : -force[i];
    }
    solve(&b);
    for (int i = 24; i < 48; i++) {
        assert_true(fabs(b.u[i] - exact[i]) < 1e-7 * size);
    }
    freedoms_free(&b.f);
    matrices_free(&b.m);
    free(b.is_held);
    free(b.load);
    free(b.u);
}

static void test_patch_of_crooked_elements_is_exact(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        patch(kinds[k / 2], k % 2 != 0);
    }
}

// ---- plates --------------------------------------------------------------------------------------------------------

static vec3 square(double u, double v) { return (vec3){ u, v, 0.0 }; }

static double plate_stiffness(const bench *b)
{
    double t = b->section.thickness;
    return b->material.young * t * t * t / 12.0 / (1.0 - b->material.poisson * b->material.poisson);
}

// Navier: w = 0.00406235 q a^4 / D in the middle, simply supported; Timoshenko: 0.00126532 clamped.
static void test_square_plates_bend_as_in_the_tables(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        bench b = { .material = steel, .section = { .thickness = 1e-3 } };
        bool is_clamped = k % 2 != 0;
        make_sheet(&b, kinds[k / 2], 16, 16, square);
        for (int edge = 0; edge < 4; edge++) {
            hold_edge(&b, edge, is_clamped ? "xyzXYZ" : "z");
        }
        hold_edge(&b, 0, "xyZ");
        add_weight(&b, 1.0);
        solve(&b);
        double q = 7850.0 * 1e-3, w = b.u[6 * node_at(&b, 8, 8) + 2];
        expect(is_clamped ? "clamped plate" : "supported plate", w * plate_stiffness(&b) / q,
               is_clamped ? 0.00126532 : 0.00406235, 0.01);
        release(&b);
    }
}

// omega = pi^2 (m^2 + n^2) sqrt(D / rho t), the simply supported square of 1 m, 16 x 16.
static void test_square_plates_have_the_frequencies_of_navier(void **state)
{
    (void)state;
    static const double sums[4] = { 2.0, 5.0, 5.0, 8.0 };
    for (int k = 0; k < 2; k++) {
        bench b = { .material = steel, .section = { .thickness = 5e-3 } };
        make_sheet(&b, kinds[k], 16, 16, square);
        for (int edge = 0; edge < 4; edge++) {
            hold_edge(&b, edge, "xyz");
        }
        double *K = held_stiffness(&b);
        eigen_problem problem = { .pat = &b.m.pat, .K = K, .M = b.m.M, .count = 4 };
        eigen_result result = { 0 };
        assert_int_equal(eigen_solve(&problem, &result), EIGEN_GOOD);
        for (int i = 0; i < 4; i++) {
            double omega = PI * PI * sums[i] * sqrt(plate_stiffness(&b) / (7850.0 * 5e-3));
            expect("frequency of a plate", sqrt(result.value[i]) / omega, 1.0, 0.025);
        }
        eigen_clear(&result);
        free(K);
        release(&b);
    }
}

// ---- cylinders -----------------------------------------------------------------------------------------------------

// Scordelis and Lo: a roof of 40 degrees to either side, radius 25, length 50, under its weight, on diaphragms. A quarter: u along
// the axis from the diaphragm to the middle, v from the crown to the free edge.
static vec3 roof(double u, double v)
{
    double angle = v * 40.0 * PI / 180.0;
    return (vec3){ 25.0 * u, 25.0 * sin(angle), 25.0 * cos(angle) };
}

static void test_roof_of_scordelis_and_lo_sags_as_published(void **state)
{
    (void)state;
    // 0.3024 at the middle of the free edge is the value that meshes of shells converge to (MacNeal and Harder 1985)
    // triangles of constant strain need twice as many
    static const int n[2] = { 16, 32 };
    for (int k = 0; k < 2; k++) {
        bench b = { .material = { .young = 4.32e8, .poisson = 0.0, .density = 360.0 },
                    .section = { .thickness = 0.25 } };
        make_sheet(&b, kinds[k], n[k], n[k], roof);
        hold_edge(&b, 0, "yz");
        hold_edge(&b, 1, "xYZ");
        hold_edge(&b, 2, "yXZ");
        add_weight(&b, -1.0);
        solve(&b);
        expect("roof", -b.u[6 * node_at(&b, n[k], n[k]) + 2], 0.3024, k == 0 ? 0.01 : 0.02);
        release(&b);
    }
}

// A cylinder of radius 300, length 600, thickness 3, pinched by two forces of 1 in its middle, ends on diaphragms: an eighth.
static vec3 cylinder(double u, double v)
{
    double angle = v * 0.5 * PI;
    return (vec3){ 300.0 * u, 300.0 * sin(angle), 300.0 * cos(angle) };
}

static void test_pinched_cylinder_yields_as_published(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        bench b = { .material = { .young = 3e6, .poisson = 0.3, .density = 1.0 },
                    .section = { .thickness = 3.0 } };
        make_sheet(&b, kinds[k], 32, 32, cylinder);
        hold_edge(&b, 0, "yz");
        hold_edge(&b, 1, "xYZ");
        hold_edge(&b, 2, "yXZ");
        hold_edge(&b, 3, "zXY");
        b.load[6 * node_at(&b, 32, 0) + 2] = -0.25;
        solve(&b);
        // MacNeal and Harder 1985, Belytschko 1985
        expect("pinched cylinder", -b.u[6 * node_at(&b, 32, 0) + 2], 1.8248e-5, 0.015);
        release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_rigid_motions_are_free_also_when_the_element_is_warped),
        cmocka_unit_test(test_constant_strain_and_curvature_cost_what_they_should),
        cmocka_unit_test(test_mass_has_the_inertia_of_a_plate),
        cmocka_unit_test(test_patch_of_crooked_elements_is_exact),
        cmocka_unit_test(test_square_plates_bend_as_in_the_tables),
        cmocka_unit_test(test_square_plates_have_the_frequencies_of_navier),
        cmocka_unit_test(test_roof_of_scordelis_and_lo_sags_as_published),
        cmocka_unit_test(test_pinched_cylinder_yields_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
