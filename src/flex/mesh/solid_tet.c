// SPDX-License-Identifier: MIT
// Tetrahedron of 10 nodes: 4 corners, the fourth on the side that the first three are seen counter-clockwise from; then
// the middles of 1-2, 2-3, 3-1, 1-4, 2-4, 3-4.
#include "flex/mesh/solid.h"
#include <string.h>

enum { TET10 = 10, TET10_DOF = 3 * TET10, POINTS = 14 };

// Corners of the edges with a middle node.
static const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static const vec3 node_at[TET10] = { { 0, 0, 0 },     { 1, 0, 0 },     { 0, 1, 0 },   { 0, 0, 1 },
                                     { 0.5, 0, 0 },   { 0.5, 0.5, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.5 },
                                     { 0.5, 0, 0.5 }, { 0, 0.5, 0.5 } };

// Four points, exact for polynomials of degree 2: stiffness and stresses.
#define A4 0.13819660112501051518
#define B4 0.58541019662496845446
static const vec3 site[4] = { { A4, A4, A4 }, { B4, A4, A4 }, { A4, B4, A4 }, { A4, A4, B4 } };

static void shape(vec3 at, double *N, double (*d)[3])
{
    const double L[4] = { 1.0 - at.x - at.y - at.z, at.x, at.y, at.z };
    static const double dL[4][3] = { { -1, -1, -1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int i = 0; i < 4; i++) {
        N[i] = L[i] * (2.0 * L[i] - 1.0);
        for (int k = 0; k < 3; k++) {
            d[i][k] = (4.0 * L[i] - 1.0) * dL[i][k];
        }
    }
    for (int m = 0; m < 6; m++) {
        int a = edge[m][0];
        int b = edge[m][1];
        N[4 + m] = 4.0 * L[a] * L[b];
        for (int k = 0; k < 3; k++) {
            d[4 + m][k] = 4.0 * (dL[a][k] * L[b] + L[a] * dL[b][k]);
        }
    }
}

static void stiffness(const fe_element *e, double *K)
{
    memset(K, 0, TET10_DOF * TET10_DOF * sizeof *K);
    for (int p = 0; p < 4; p++) {
        double g[TET10][3];
        double det = solid_gradients_at(e, shape, TET10, site[p], g);
        solid_add_stiffness(e->material, det / 24.0, TET10, (const double(*)[3])g, K);
    }
}

static void stress(const fe_element *e, vec3 at, double *rows)
{
    double g[TET10][3];
    solid_gradients_at(e, shape, TET10, at, g);
    solid_stress_rows(e->material, TET10, (const double(*)[3])g, TET10_DOF, rows);
}

// Fourteen points of positive weight, exact for polynomials of degree 5.
static vec3 mass_point(int p, double *w)
{
    static const double near_corner[2] = { 0.31088591926330060980, 0.09273525031089122640 };
    static const double corner_weight[2] = { 0.01878132095300264180, 0.01224884051939365826 };
    static const double near_edge = 0.04550370412564964949;
    double L[4];
    if (p < 8) {
        double a = near_corner[p / 4];
        *w = corner_weight[p / 4];
        for (int i = 0; i < 4; i++) {
            L[i] = i == p % 4 ? 1.0 - 3.0 * a : a;
        }
    } else {
        *w = 0.00709100346284691107;
        for (int i = 0; i < 4; i++) {
            bool is_end = i == edge[p - 8][0] || i == edge[p - 8][1];
            L[i] = is_end ? near_edge : 0.5 - near_edge;
        }
    }
    return (vec3){ L[1], L[2], L[3] };
}

static int particles(const fe_element *e, fe_particle *out)
{
    for (int p = 0; p < POINTS; p++) {
        double w;
        vec3 at = mass_point(p, &w);
        solid_particle(e, shape, TET10, at, w, &out[p]);
    }
    return POINTS;
}

static bool check(const fe_element *e, char *why, size_t size)
{
    vec3 place[TET10 + 4];
    memcpy(place, node_at, sizeof node_at);
    memcpy(place + TET10, site, sizeof site);
    return solid_check(e, shape, TET10, place, TET10 + 4, why, size);
}

// Linear from the four points out to the nodes.
static void to_nodes(double *weights)
{
    for (int i = 0; i < TET10; i++) {
        vec3 at = node_at[i];
        const double L[4] = { 1.0 - at.x - at.y - at.z, at.x, at.y, at.z };
        for (int p = 0; p < 4; p++) {
            weights[i * 4 + p] = (L[p] - A4) / (B4 - A4);
        }
    }
}

const fe_kind fe_tet10 = { .name = "tet10",
                           .n_node = TET10,
                           .freedoms = FE_MOVE,
                           .needs_material = true,
                           .check = check,
                           .stiffness = stiffness,
                           .particles = particles,
                           .n_site = 4,
                           .site = site,
                           .stress = stress,
                           .to_nodes = to_nodes };
