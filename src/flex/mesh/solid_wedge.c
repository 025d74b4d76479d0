// SPDX-License-Identifier: MIT
// Wedge of 15 nodes: three corners of a triangle, three above them; then the middles of 1-2, 2-3, 3-1, of 4-5, 5-6, 6-4,
// and of 1-4, 2-5, 3-6.
#include "flex/mesh/solid.h"
#include <string.h>

enum { WEDGE = 15, WEDGE_DOF = 3 * WEDGE, IN_TRIANGLE = 3, SITES = 6, STIFF = 9, HEAVY = 18 };

static const int next[3] = { 1, 2, 0 };

// Coordinates: two of the triangle, then from -1 below to 1 above.
static const vec3 node_at[WEDGE] = { { 0, 0, -1 },   { 1, 0, -1 },  { 0, 1, -1 },    { 0, 0, 1 },
                                     { 1, 0, 1 },    { 0, 1, 1 },   { 0.5, 0, -1 },  { 0.5, 0.5, -1 },
                                     { 0, 0.5, -1 }, { 0.5, 0, 1 }, { 0.5, 0.5, 1 }, { 0, 0.5, 1 },
                                     { 0, 0, 0 },    { 1, 0, 0 },   { 0, 1, 0 } };

// Three points of the triangle, exact for degree 2, in two layers.
#define T1 0.16666666666666666667
#define T2 0.66666666666666666667
#define G2 0.57735026918962576451
static const vec3 site[SITES] = { { T1, T1, -G2 }, { T2, T1, -G2 }, { T1, T2, -G2 },
                                  { T1, T1, G2 },  { T2, T1, G2 },  { T1, T2, G2 } };

// Serendipity functions, (solid.7).
static void shape(vec3 at, double *N, double (*d)[3])
{
    const double L[3] = { 1.0 - at.x - at.y, at.x, at.y };
    static const double dL[3][2] = { { -1, -1 }, { 1, 0 }, { 0, 1 } };
    double z = at.z, bubble = 1.0 - z * z;
    for (int i = 0; i < 3; i++) {
        int j = next[i];
        for (int top = 0; top < 2; top++) {
            double side = top ? 1.0 : -1.0, half = 0.5 * (1.0 + side * z);
            double own = L[i] * (2.0 * L[i] - 1.0), slope = (4.0 * L[i] - 1.0) * half - 0.5 * bubble;
            int corner = i + 3 * top, middle = 6 + i + 3 * top;
            N[corner] = own * half - 0.5 * L[i] * bubble;
            N[middle] = 4.0 * L[i] * L[j] * half;
            for (int k = 0; k < 2; k++) {
                d[corner][k] = slope * dL[i][k];
                d[middle][k] = 4.0 * half * (dL[i][k] * L[j] + L[i] * dL[j][k]);
            }
            d[corner][2] = 0.5 * side * own + L[i] * z;
            d[middle][2] = 2.0 * side * L[i] * L[j];
        }
        N[12 + i] = L[i] * bubble;
        d[12 + i][0] = dL[i][0] * bubble;
        d[12 + i][1] = dL[i][1] * bubble;
        d[12 + i][2] = -2.0 * L[i] * z;
    }
}

static vec3 stiff_point(int p, double *w)
{
    vec3 at = site[p % IN_TRIANGLE];
    at.z = fe_gauss_at[3 - 1][p / IN_TRIANGLE];
    *w = fe_gauss_weight[3 - 1][p / IN_TRIANGLE] / 6.0;
    return at;
}

static void stiffness(const fe_element *e, double *K)
{
    memset(K, 0, WEDGE_DOF * WEDGE_DOF * sizeof *K);
    for (int p = 0; p < STIFF; p++) {
        double g[WEDGE][3], w;
        vec3 at = stiff_point(p, &w);
        double det = solid_gradients_at(e, shape, WEDGE, at, g);
        solid_add_stiffness(e->material, w * det, WEDGE, (const double(*)[3])g, K);
    }
}

static void stress(const fe_element *e, vec3 at, double *rows)
{
    double g[WEDGE][3];
    solid_gradients_at(e, shape, WEDGE, at, g);
    solid_stress_rows(e->material, WEDGE, (const double(*)[3])g, WEDGE_DOF, rows);
}

// Six points of the triangle, exact for degree 4, in three layers.
static vec3 mass_point(int p, double *w)
{
    static const double far[2] = { 0.44594849091596488632, 0.09157621350977074346 };
    static const double weight[2] = { 0.11169079483900573285, 0.05497587182766093382 };
    int q = p % 6, group = q / 3, odd = q % 3, layer = p / 6;
    double L[3];
    for (int i = 0; i < 3; i++) {
        L[i] = i == odd ? 1.0 - 2.0 * far[group] : far[group];
    }
    *w = weight[group] * fe_gauss_weight[3 - 1][layer];
    return (vec3){ L[1], L[2], fe_gauss_at[3 - 1][layer] };
}

static int particles(const fe_element *e, fe_particle *out)
{
    for (int p = 0; p < HEAVY; p++) {
        double w;
        vec3 at = mass_point(p, &w);
        solid_particle(e, shape, WEDGE, at, w, &out[p]);
    }
    return HEAVY;
}

static bool check(const fe_element *e, char *why, size_t size)
{
    vec3 place[WEDGE + STIFF];
    memcpy(place, node_at, sizeof node_at);
    for (int p = 0; p < STIFF; p++) {
        double w;
        place[WEDGE + p] = stiff_point(p, &w);
    }
    return solid_check(e, shape, WEDGE, place, WEDGE + STIFF, why, size);
}

// Linear from the six points out to the nodes.
static void to_nodes(double *weights)
{
    for (int i = 0; i < WEDGE; i++) {
        vec3 at = node_at[i];
        const double L[3] = { 1.0 - at.x - at.y, at.x, at.y };
        for (int p = 0; p < SITES; p++) {
            double side = p < 3 ? -1.0 : 1.0, up = 0.5 * (1.0 + side * at.z / G2);
            weights[i * SITES + p] = (L[p % 3] - T1) / (T2 - T1) * up;
        }
    }
}

const fe_kind fe_wedge15 = { .name = "wedge15",
                             .n_node = WEDGE,
                             .freedoms = FE_MOVE,
                             .needs_material = true,
                             .check = check,
                             .stiffness = stiffness,
                             .particles = particles,
                             .n_site = SITES,
                             .site = site,
                             .stress = stress,
                             .to_nodes = to_nodes };
