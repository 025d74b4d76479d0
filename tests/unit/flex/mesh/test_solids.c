// SPDX-License-Identifier: MIT
// Solid elements: rigid motions, mass, patch tests, bending, shapes that are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/mesh/fe.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_material steel = { .name = "steel", .young = 2.1e11, .poisson = 0.3, .density = 7850.0 };
static const bi_fe_kind kinds[] = { BI_FE_TET10, BI_FE_HEX8, BI_FE_HEX20, BI_FE_WEDGE15 };
enum { KINDS = sizeof kinds / sizeof *kinds };

// ---- small meshes ----------------------------------------------------------------------------------------------

enum { MOST = 400 };

typedef struct {
    bi_fe_kind kind;
    int n_node, n_element;
    vec3 at[MOST];
    int node[160][BI_FE_MOST_NODES];
} mesh;

static const int hex_edge[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
                                     { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
static const int tet_edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static const int wedge_edge[9][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 },
                                      { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } };

static int corners_of(bi_fe_kind kind) { return kind == BI_FE_TET10 ? 4 : kind == BI_FE_WEDGE15 ? 6 : 8; }

static int node_at(mesh *m, vec3 at)
{
    for (int i = 0; i < m->n_node; i++) {
        if (vec3_norm(vec3_sub(m->at[i], at)) < 1e-9) {
            return i;
        }
    }
    assert_true(m->n_node < MOST);
    m->at[m->n_node] = at;
    return m->n_node++;
}

// Adds an element by its corners, with middles of its edges where the kind has them.
static void add_element(mesh *m, const vec3 *corner)
{
    int corners = corners_of(m->kind);
    int *node = m->node[m->n_element++];
    for (int i = 0; i < corners; i++) {
        node[i] = node_at(m, corner[i]);
    }
    int edges = m->kind == BI_FE_TET10 ? 6 : m->kind == BI_FE_HEX20 ? 12 : m->kind == BI_FE_WEDGE15 ? 9 : 0;
    for (int k = 0; k < edges; k++) {
        const int *edge = m->kind == BI_FE_TET10     ? tet_edge[k]
                          : m->kind == BI_FE_WEDGE15 ? wedge_edge[k]
                                                     : hex_edge[k];
        node[corners + k] = node_at(m, vec3_scale(0.5, vec3_add(corner[edge[0]], corner[edge[1]])));
    }
}

// Six tetrahedra round the diagonal 0-6 of a hexahedron.
static void add_hex_as_tets(mesh *m, const vec3 *c)
{
    static const int ring[7] = { 1, 2, 3, 7, 4, 5, 1 };
    for (int k = 0; k < 6; k++) {
        add_element(m, (vec3[]){ c[ring[k]], c[ring[k + 1]], c[0], c[6] });
    }
}

static void add_hex(mesh *m, const vec3 *corner)
{
    const vec3 *c = corner;
    if (m->kind == BI_FE_TET10) {
        add_hex_as_tets(m, corner);
    } else if (m->kind == BI_FE_WEDGE15) {
        add_element(m, (vec3[]){ c[0], c[1], c[2], c[4], c[5], c[6] });
        add_element(m, (vec3[]){ c[0], c[2], c[3], c[4], c[6], c[7] });
    } else {
        add_element(m, corner);
    }
}

// A bar of nx x ny x nz boxes.
static void make_bar(mesh *m, bi_fe_kind kind, vec3 size, const int *count)
{
    *m = (mesh){ .kind = kind };
    for (int i = 0; i < count[0]; i++) {
        for (int j = 0; j < count[1]; j++) {
            for (int k = 0; k < count[2]; k++) {
                vec3 corner[8];
                for (int c = 0; c < 8; c++) {
                    int x = i + (c % 4 == 1 || c % 4 == 2);
                    int y = j + (c % 4 >= 2);
                    corner[c] = (vec3){ size.x * x / count[0], size.y * y / count[1],
                                        size.z * (k + c / 4) / count[2] };
                }
                add_hex(m, corner);
            }
        }
    }
}

static fe_element element_of(const mesh *m, int k, bi_fe_element *def)
{
    *def = (bi_fe_element){ .kind = m->kind };
    fe_element e = { .def = def, .material = &steel };
    for (int i = 0; i < fe_kind_of(m->kind)->n_node; i++) {
        e.at[i] = m->at[m->node[k][i]];
    }
    return e;
}

static double *assemble(const mesh *m)
{
    const fe_kind *kind = fe_kind_of(m->kind);
    int n = 3 * m->n_node;
    double *K = calloc((size_t)(n * n), sizeof *K);
    double *Ke = malloc(FE_MOST_DOF * FE_MOST_DOF * sizeof *Ke);
    for (int k = 0; k < m->n_element; k++) {
        bi_fe_element def;
        fe_element e = element_of(m, k, &def);
        int wide = fe_dof_count(kind);
        kind->stiffness(&e, Ke);
        for (int i = 0; i < wide; i++) {
            for (int j = 0; j < wide; j++) {
                K[(3 * m->node[k][i / 3] + i % 3) * n + 3 * m->node[k][j / 3] + j % 3] += Ke[i * wide + j];
            }
        }
    }
    free(Ke);
    return K;
}

// Solves K u = f with the freedoms marked held at the values they have in u.
static void solve_held(int n, const double *K, const bool *is_held, double *u, const double *f)
{
    int *free_one = malloc((size_t)n * sizeof *free_one);
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (!is_held[i]) {
            free_one[count++] = i;
        }
    }
    double *A = malloc((size_t)(count * count) * sizeof *A);
    double *b = malloc((size_t)count * sizeof *b);
    for (int i = 0; i < count; i++) {
        b[i] = f[free_one[i]];
        for (int j = 0; j < n; j++) {
            b[i] -= is_held[j] ? K[free_one[i] * n + j] * u[j] : 0.0;
        }
        for (int j = 0; j < count; j++) {
            A[i * count + j] = K[free_one[i] * n + free_one[j]];
        }
    }
    assert_true(dense_cholesky(count, A, b));
    for (int i = 0; i < count; i++) {
        u[free_one[i]] = b[i];
    }
    free(free_one);
    free(A);
    free(b);
}

static void stress_at(const mesh *m, int k, vec3 site, const double *u, double *stress)
{
    const fe_kind *kind = fe_kind_of(m->kind);
    bi_fe_element def;
    fe_element e = element_of(m, k, &def);
    int wide = fe_dof_count(kind);
    double rows[FE_STRESSES * FE_MOST_DOF];
    kind->stress(&e, site, rows);
    for (int r = 0; r < FE_STRESSES; r++) {
        stress[r] = 0.0;
        for (int j = 0; j < wide; j++) {
            stress[r] += rows[r * wide + j] * u[3 * m->node[k][j / 3] + j % 3];
        }
    }
}

// ---- tests -----------------------------------------------------------------------------------------------------

static const vec3 crooked_hex[8] = { { 0.1, 0.0, 0.0 },  { 1.0, 0.2, 0.1 },  { 0.8, 0.9, -0.1 },
                                     { -0.1, 0.7, 0.0 }, { 0.0, -0.1, 0.8 }, { 1.1, 0.1, 1.0 },
                                     { 1.0, 1.0, 0.9 },  { 0.1, 0.8, 0.7 } };

static void make_crooked(mesh *m, bi_fe_kind kind)
{
    *m = (mesh){ .kind = kind };
    add_element(m, kind == BI_FE_TET10
                       ? (const vec3[]){ crooked_hex[0], crooked_hex[1], crooked_hex[3], crooked_hex[4] }
                   : kind == BI_FE_WEDGE15 ? (const vec3[]){ crooked_hex[0], crooked_hex[1], crooked_hex[3],
                                                             crooked_hex[4], crooked_hex[5], crooked_hex[7] }
                                           : crooked_hex);
    // middles out of the middle: the edges are curved
    for (int i = corners_of(kind); i < m->n_node; i++) {
        m->at[i] = vec3_add(m->at[i], (vec3){ 0.02 * (i % 3 - 1), 0.03 * (i % 2), -0.02 * (i % 4 - 1) });
    }
}

static void test_rigid_motions_are_the_only_ones_without_force(void **state)
{
    (void)state;
    static double K[FE_MOST_DOF * FE_MOST_DOF], V[FE_MOST_DOF * FE_MOST_DOF];
    for (int t = 0; t < KINDS; t++) {
        mesh m;
        bi_fe_element def;
        make_crooked(&m, kinds[t]);
        fe_element e = element_of(&m, 0, &def);
        const fe_kind *kind = fe_kind_of(kinds[t]);
        int n = fe_dof_count(kind);
        char why[200];
        double value[FE_MOST_DOF];
        assert_true(kind->check(&e, why, sizeof why));
        kind->stiffness(&e, K);
        dense_symmetric_eigen(n, K, value, V);
        int zeros = 0;
        for (int i = 0; i < n; i++) {
            zeros += fabs(value[i]) < 1e-11 * value[n - 1]; // round-off of the largest
        }
        assert_int_equal(zeros, 6);
        assert_true(value[6] > 1e-6 * value[n - 1]);
    }
}

static void test_mass_of_a_box_gives_its_mass_and_inertia(void **state)
{
    (void)state;
    for (int t = 0; t < KINDS; t++) {
        mesh m;
        make_bar(&m, kinds[t], (vec3){ 0.3, 0.2, 0.1 }, (int[]){ 1, 1, 1 });
        double mass = 0.0;
        double square[3] = { 0.0 };
        double energy = 0.0;
        const fe_kind *kind = fe_kind_of(kinds[t]);
        for (int k = 0; k < m.n_element; k++) {
            bi_fe_element def;
            fe_element e = element_of(&m, k, &def);
            fe_particle p[FE_MOST_PARTICLES];
            int count = kind->particles(&e, p);
            for (int g = 0; g < count; g++) {
                mass += p[g].mass;
                square[0] += p[g].mass * p[g].at.x * p[g].at.x;
                square[1] += p[g].mass * p[g].at.y * p[g].at.y;
                square[2] += p[g].mass * p[g].at.z * p[g].at.z;
                // a displacement x^2 along y, which quadratic elements hold exactly
                double uy = 0.0;
                for (int i = 0; i < kind->n_node; i++) {
                    uy += p[g].shape[1][3 * i + 1] * e.at[i].x * e.at[i].x;
                }
                energy += p[g].mass * uy * uy;
            }
        }
        double expected = 7850.0 * 0.3 * 0.2 * 0.1;
        assert_true(fabs(mass / expected - 1.0) < 1e-13);
        assert_true(fabs(square[0] / (expected * 0.09 / 3.0) - 1.0) < 1e-13);
        assert_true(fabs(square[1] / (expected * 0.04 / 3.0) - 1.0) < 1e-13);
        assert_true(fabs(square[2] / (expected * 0.01 / 3.0) - 1.0) < 1e-13);
        if (kinds[t] != BI_FE_HEX8) {
            assert_true(fabs(energy / (expected * pow(0.3, 4.0) / 5.0) - 1.0) < 1e-12);
        }
    }
}

// Triangles of wedges meet triangles only: eight boxes cut alike, with their common corner out of the middle.
static void make_wedge_patch(mesh *m, vec3 middle)
{
    for (int box = 0; box < 8; box++) {
        vec3 corner[8];
        for (int c = 0; c < 8; c++) {
            int x = box % 2 + (c % 4 == 1 || c % 4 == 2), y = box / 2 % 2 + (c % 4 >= 2), z = box / 4 + c / 4;
            bool is_middle = x == 1 && y == 1 && z == 1;
            corner[c] = is_middle ? middle : (vec3){ 0.5 * x, 0.5 * y, 0.5 * z };
        }
        add_hex(m, corner);
    }
}

// The cube of MacNeal and Harder (1985): eight inner nodes, seven hexahedra; tetrahedra round one inner node.
static void make_patch(mesh *m, bi_fe_kind kind)
{
    static const vec3 inner[8] = { { 0.249, 0.342, 0.192 }, { 0.826, 0.288, 0.288 }, { 0.850, 0.649, 0.263 },
                                   { 0.273, 0.750, 0.230 }, { 0.320, 0.186, 0.643 }, { 0.677, 0.305, 0.683 },
                                   { 0.788, 0.693, 0.644 }, { 0.165, 0.745, 0.702 } };
    static const vec3 outer[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                   { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
    // seen from outside, counter-clockwise
    static const int face[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                    { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
    *m = (mesh){ .kind = kind };
    if (kind == BI_FE_WEDGE15) {
        make_wedge_patch(m, inner[6]);
        return;
    }
    if (kind != BI_FE_TET10) {
        add_hex(m, inner);
    }
    for (int f = 0; f < 6; f++) {
        const int *q = face[f];
        if (kind == BI_FE_TET10) {
            for (int h = 1; h < 3; h++) {
                add_element(m, (vec3[]){ outer[q[0]], outer[q[h + 1]], outer[q[h]], inner[0] });
            }
            continue;
        }
        add_hex(m, (vec3[]){ inner[q[0]], inner[q[1]], inner[q[2]], inner[q[3]], outer[q[0]], outer[q[1]],
                             outer[q[2]], outer[q[3]] });
    }
}

static void test_patch_of_crooked_elements_holds_a_constant_stress(void **state)
{
    (void)state;
    // u = S x with a symmetric S and a turn
    static const double S[3][3] = { { 1e-3, 4e-4, -2e-4 }, { 2e-4, -5e-4, 6e-4 }, { 1e-4, 3e-4, 7e-4 } };
    double mu = 0.5 * steel.young / 1.3;
    double lambda = 2.0 * mu * 0.3 / 0.4;
    double trace = S[0][0] + S[1][1] + S[2][2];
    double expected[6];
    for (int r = 0; r < 3; r++) {
        expected[r] = lambda * trace + 2.0 * mu * S[r][r];
        expected[3 + r] = mu * (S[r][(r + 1) % 3] + S[(r + 1) % 3][r]);
    }
    for (int t = 0; t < KINDS; t++) {
        mesh m;
        make_patch(&m, kinds[t]);
        int n = 3 * m.n_node;
        double *K = assemble(&m);
        double *u = calloc((size_t)n, sizeof *u);
        double *f = calloc((size_t)n, sizeof *f);
        bool *is_held = calloc((size_t)n, sizeof *is_held);
        int n_inner = 0;
        for (int i = 0; i < m.n_node; i++) {
            const double *x = (const double[]){ m.at[i].x, m.at[i].y, m.at[i].z };
            bool is_outer = false;
            for (int c = 0; c < 3; c++) {
                is_outer = is_outer || fabs(x[c]) < 1e-9 || fabs(x[c] - 1.0) < 1e-9;
            }
            n_inner += !is_outer;
            for (int c = 0; c < 3; c++) {
                is_held[3 * i + c] = is_outer;
                u[3 * i + c] = is_outer ? S[c][0] * x[0] + S[c][1] * x[1] + S[c][2] * x[2] : 0.0;
            }
        }
        assert_true(n_inner >= 1);
        solve_held(n, K, is_held, u, f);
        for (int k = 0; k < m.n_element; k++) {
            const fe_kind *kind = fe_kind_of(kinds[t]);
            for (int p = 0; p < kind->n_site; p++) {
                double stress[6];
                stress_at(&m, k, kind->site[p], u, stress);
                for (int r = 0; r < 6; r++) {
                    assert_true(fabs(stress[r] - expected[r]) < 1e-9 * lambda * 1e-3);
                }
            }
        }
        free(K);
        free(u);
        free(f);
        free(is_held);
    }
}

static void test_slender_bar_bends_like_a_beam(void **state)
{
    (void)state;
    // 1 m x 0.1 x 0.1, clamped, moment at the end as pairs of forces: w = M L^2 / 2 EI, stress = M z / I
    static const int count[KINDS][3] = { { 6, 1, 1 }, { 6, 1, 1 }, { 3, 1, 1 }, { 3, 1, 1 } };
    for (int t = 0; t < KINDS; t++) {
        mesh m;
        make_bar(&m, kinds[t], (vec3){ 1.0, 0.1, 0.1 }, count[t]);
        int n = 3 * m.n_node;
        double *K = assemble(&m);
        double *u = calloc((size_t)n, sizeof *u);
        double *f = calloc((size_t)n, sizeof *f);
        bool *is_held = calloc((size_t)n, sizeof *is_held);
        double arm = 0.0;
        for (int i = 0; i < m.n_node; i++) {
            // the clamp lets the section breathe: x on the face, y and z where symmetry asks
            is_held[3 * i] = m.at[i].x < 1e-9;
            is_held[3 * i + 1] = m.at[i].x < 1e-9 && m.at[i].y < 1e-9;
            is_held[3 * i + 2] = m.at[i].x < 1e-9 && m.at[i].z < 1e-9;
            bool is_corner = m.at[i].x > 1.0 - 1e-9 && (m.at[i].y < 1e-9 || m.at[i].y > 0.1 - 1e-9) &&
                             (m.at[i].z < 1e-9 || m.at[i].z > 0.1 - 1e-9);
            if (is_corner) {
                f[3 * i] = m.at[i].z > 0.05 ? -500.0 : 500.0;
                arm += 500.0 * 0.05;
            }
        }
        assert_true(fabs(arm - 100.0) < 1e-9);
        solve_held(n, K, is_held, u, f);
        double inertia = 1e-4 / 12.0;
        double expected = 100.0 * 1.0 / (2.0 * steel.young * inertia);
        int tip = node_at(&m, (vec3){ 1.0, 0.0, 0.0 });
        // rectangular incompatible hexahedra and quadratic elements hold pure bending; the point forces stir the last element
        assert_true(fabs(u[3 * tip + 2] / expected - 1.0) < 0.01);
        // at the middle, away from both ends
        for (int k = 0; k < m.n_element; k++) {
            const fe_kind *kind = fe_kind_of(kinds[t]);
            bi_fe_element def;
            fe_element e = element_of(&m, k, &def);
            double low = 1.0;
            double high = 0.0;
            for (int i = 0; i < kind->n_node; i++) {
                low = fmin(low, e.at[i].x);
                high = fmax(high, e.at[i].x);
            }
            if (low > 0.45 || high < 0.55) {
                continue;
            }
            for (int p = 0; p < kind->n_site && kinds[t] != BI_FE_TET10; p++) {
                double stress[6];
                stress_at(&m, k, kind->site[p], u, stress);
                double z = 0.05 * kind->site[p].z;
                assert_true(fabs(stress[0] + 100.0 * z / inertia) < 0.01 * 100.0 * 0.05 / inertia);
            }
        }
        free(K);
        free(u);
        free(f);
        free(is_held);
    }
}

static void test_weights_to_the_nodes_carry_a_linear_field(void **state)
{
    (void)state;
    for (int t = 0; t < KINDS; t++) {
        const fe_kind *kind = fe_kind_of(kinds[t]);
        mesh m;
        make_bar(&m, kinds[t], (vec3){ 2.0, 2.0, 2.0 }, (int[]){ 1, 1, 1 });
        bi_fe_element def;
        fe_element e = element_of(&m, 0, &def);
        double weights[BI_FE_MOST_NODES * FE_MOST_SITES];
        kind->to_nodes(weights);
        for (int i = 0; i < kind->n_node; i++) {
            double sum = 0.0;
            for (int p = 0; p < kind->n_site; p++) {
                vec3 s = kind->site[p];
                // where the site lies in the body: tetrahedra by their corners, the box by its centre
                vec3 at = vec3_add(s, (vec3){ 1.0, 1.0, 1.0 });
                if (kinds[t] == BI_FE_TET10) {
                    at = vec3_scale(1.0 - s.x - s.y - s.z, e.at[0]);
                    at = vec3_add_scaled(at, s.x, e.at[1]);
                    at = vec3_add_scaled(at, s.y, e.at[2]);
                    at = vec3_add_scaled(at, s.z, e.at[3]);
                } else if (kinds[t] == BI_FE_WEDGE15) {
                    at = vec3_scale(1.0 - s.x - s.y, e.at[0]);
                    at = vec3_add_scaled(at, s.x, e.at[1]);
                    at = vec3_add_scaled(at, s.y, e.at[2]);
                    at = vec3_add_scaled(at, 0.5 * (1.0 + s.z), vec3_sub(e.at[3], e.at[0]));
                }
                sum += weights[i * kind->n_site + p] * (3.0 + 2.0 * at.x - at.y + 0.5 * at.z);
            }
            assert_true(fabs(sum - (3.0 + 2.0 * e.at[i].x - e.at[i].y + 0.5 * e.at[i].z)) < 1e-13);
        }
    }
}

static void test_bad_shapes_are_refused_with_the_reason(void **state)
{
    (void)state;
    for (int t = 0; t < KINDS; t++) {
        const fe_kind *kind = fe_kind_of(kinds[t]);
        mesh m;
        bi_fe_element def;
        char why[300];
        make_crooked(&m, kinds[t]);
        fe_element good = element_of(&m, 0, &def);

        fe_element mirrored = good;
        for (int i = 0; i < kind->n_node; i++) {
            mirrored.at[i].z = -mirrored.at[i].z;
        }
        assert_false(kind->check(&mirrored, why, sizeof why));
        assert_non_null(strstr(why, "negative volume"));

        fe_element flat = good;
        for (int i = 0; i < kind->n_node; i++) {
            flat.at[i].z = 0.0;
        }
        assert_false(kind->check(&flat, why, sizeof why));
        assert_non_null(strstr(why, "no volume"));

        fe_element folded = good;
        if (kinds[t] == BI_FE_TET10) {
            folded.at[4] = vec3_add_scaled(vec3_scale(0.1, good.at[0]), 0.9, good.at[1]); // middle at the end
        } else {
            int first = kinds[t] == BI_FE_WEDGE15 ? 3 : 5;
            vec3 swap = folded.at[first];
            folded.at[first] = folded.at[first + 1];
            folded.at[first + 1] = swap;
        }
        assert_false(kind->check(&folded, why, sizeof why));
        assert_non_null(strstr(why, "negative Jacobian"));

        fe_element unknown = good;
        unknown.at[1].x = NAN;
        assert_false(kind->check(&unknown, why, sizeof why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_motions_are_the_only_ones_without_force),
        cmocka_unit_test(test_mass_of_a_box_gives_its_mass_and_inertia),
        cmocka_unit_test(test_patch_of_crooked_elements_holds_a_constant_stress),
        cmocka_unit_test(test_slender_bar_bends_like_a_beam),
        cmocka_unit_test(test_weights_to_the_nodes_carry_a_linear_field),
        cmocka_unit_test(test_bad_shapes_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
