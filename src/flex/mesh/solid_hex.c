// SPDX-License-Identifier: MIT
// Hexahedra: 8 nodes with incompatible modes, 20 nodes. Nodes: 1-4 round the bottom, 5-8 above them; 9-12 between those
// of the bottom, 13-16 of the top, 17-20 between bottom and top.
#include "flex/mesh/solid.h"
#include <string.h>

enum { HEX8 = 8, BUBBLES = 3, WIDE = HEX8 + BUBBLES, HEX20 = 20 };
enum { HEX8_DOF = 3 * HEX8, WIDE_DOF = 3 * WIDE, HEX20_DOF = 3 * HEX20 };

#define G 0.57735026918962576451
static const vec3 corner[HEX20] = {
    { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 },  { -1, 1, -1 }, { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 },
    { -1, 1, 1 },   { 0, -1, -1 }, { 1, 0, -1 },  { 0, 1, -1 },  { -1, 0, -1 }, { 0, -1, 1 }, { 1, 0, 1 },
    { 0, 1, 1 },    { -1, 0, 1 },  { -1, -1, 0 }, { 1, -1, 0 },  { 1, 1, 0 },   { -1, 1, 0 },
};
static const vec3 site[HEX8] = { { -G, -G, -G }, { G, -G, -G }, { G, G, -G }, { -G, G, -G },
                                 { -G, -G, G },  { G, -G, G },  { G, G, G },  { -G, G, G } };

static void shape8(vec3 at, double *N, double (*d)[3])
{
    for (int i = 0; i < HEX8; i++) {
        double x = 1.0 + at.x * corner[i].x;
        double y = 1.0 + at.y * corner[i].y;
        double z = 1.0 + at.z * corner[i].z;
        N[i] = 0.125 * x * y * z;
        d[i][0] = 0.125 * corner[i].x * y * z;
        d[i][1] = 0.125 * x * corner[i].y * z;
        d[i][2] = 0.125 * x * y * corner[i].z;
    }
}

// Serendipity functions: corners (solid.5), middles of edges (solid.6).
static void shape20(vec3 at, double *N, double (*d)[3])
{
    const double p[3] = { at.x, at.y, at.z };
    for (int i = 0; i < HEX20; i++) {
        const double c[3] = { corner[i].x, corner[i].y, corner[i].z };
        // along each axis: a linear factor, or 1 - x^2 on the axis of a middle
        double f[3];
        double df[3];
        double sum = -2.0;
        bool is_corner = i < HEX8;
        for (int k = 0; k < 3; k++) {
            bool is_middle = c[k] == 0.0;
            f[k] = is_middle ? 1.0 - p[k] * p[k] : 1.0 + p[k] * c[k];
            df[k] = is_middle ? -2.0 * p[k] : c[k];
            sum += p[k] * c[k];
        }
        double scale = is_corner ? 0.125 : 0.25;
        double product = scale * f[0] * f[1] * f[2];
        N[i] = is_corner ? product * sum : product;
        for (int k = 0; k < 3; k++) {
            double slope = scale * df[k] * f[(k + 1) % 3] * f[(k + 2) % 3];
            d[i][k] = is_corner ? slope * sum + product * c[k] : slope;
        }
    }
}

// ---- 8 nodes ---------------------------------------------------------------------------------------------------

// Gradients of 8 shape functions and 3 bubbles 1 - xi^2 ..., taken with the Jacobian of the centre and scaled by
// det0/det, so that a constant stress does no work on them (solid.8). Gives the determinant.
static double wide_gradients(const fe_element *e, vec3 at, double (*g)[3])
{
    double N[HEX8];
    double d[HEX8][3];
    double J[3][3];
    double J0[3][3];
    shape8((vec3){ 0 }, N, d);
    double det0 = solid_jacobian(e, HEX8, (const double(*)[3])d, J0);
    shape8(at, N, d);
    double det = solid_jacobian(e, HEX8, (const double(*)[3])d, J);
    solid_gradients((const double(*)[3])J, det, HEX8, (const double(*)[3])d, g);
    double scale = -2.0 * det0 / det;
    double bubble[BUBBLES][3] = { { scale * at.x, 0.0, 0.0 },
                                  { 0.0, scale * at.y, 0.0 },
                                  { 0.0, 0.0, scale * at.z } };
    solid_gradients((const double(*)[3])J0, det0, BUBBLES, (const double(*)[3])bubble, g + HEX8);
    return det;
}

// Stiffness with the bubbles still in it, the rows of the functions from `from` on.
static void wide_stiffness(const fe_element *e, int from, double *K)
{
    memset(K, 0, WIDE_DOF * WIDE_DOF * sizeof *K);
    for (int p = 0; p < HEX8; p++) {
        double g[WIDE][3];
        double det = wide_gradients(e, site[p], g);
        solid_add_rows(e->material, det, from, WIDE, (const double(*)[3])g, K);
    }
}

// Eliminates the bubbles without exchanges (their part of K is positive definite): X (9 x 24) with bubbles = X
// freedoms. Rows before `from` are left as they are.
static void condense(int from, double *K, double (*X)[HEX8_DOF])
{
    for (int p = WIDE_DOF - 1; p >= HEX8_DOF; p--) {
        for (int i = 3 * from; i < p; i++) {
            double f = K[i * WIDE_DOF + p] / K[p * WIDE_DOF + p];
            for (int j = 0; j < p; j++) {
                K[i * WIDE_DOF + j] -= f * K[p * WIDE_DOF + j];
            }
        }
    }
    for (int p = HEX8_DOF; p < WIDE_DOF; p++) {
        for (int j = 0; j < HEX8_DOF; j++) {
            double sum = K[p * WIDE_DOF + j];
            for (int b = HEX8_DOF; b < p; b++) {
                sum += K[p * WIDE_DOF + b] * X[b - HEX8_DOF][j];
            }
            X[p - HEX8_DOF][j] = -sum / K[p * WIDE_DOF + p];
        }
    }
}

static void stiffness8(const fe_element *e, double *out)
{
    double K[WIDE_DOF * WIDE_DOF];
    double X[3 * BUBBLES][HEX8_DOF];
    wide_stiffness(e, 0, K);
    condense(0, K, X);
    for (int i = 0; i < HEX8_DOF; i++) {
        memcpy(out + i * HEX8_DOF, K + i * WIDE_DOF, HEX8_DOF * sizeof *out);
    }
}

static void stress8(const fe_element *e, vec3 at, double *rows)
{
    double K[WIDE_DOF * WIDE_DOF];
    double X[3 * BUBBLES][HEX8_DOF];
    double g[WIDE][3];
    double wide[FE_STRESSES * WIDE_DOF];
    wide_stiffness(e, HEX8, K);
    condense(HEX8, K, X);
    wide_gradients(e, at, g);
    solid_stress_rows(e->material, WIDE, (const double(*)[3])g, WIDE_DOF, wide);
    for (int r = 0; r < FE_STRESSES; r++) {
        for (int j = 0; j < HEX8_DOF; j++) {
            double sum = wide[r * WIDE_DOF + j];
            for (int b = 0; b < 3 * BUBBLES; b++) {
                sum += wide[r * WIDE_DOF + HEX8_DOF + b] * X[b][j];
            }
            rows[r * HEX8_DOF + j] = sum;
        }
    }
}

// Two points a side are exact for linear times linear.
static int particles8(const fe_element *e, fe_particle *out)
{
    for (int p = 0; p < HEX8; p++) {
        solid_particle(e, shape8, HEX8, site[p], 1.0, &out[p]);
    }
    return HEX8;
}

static bool check8(const fe_element *e, char *why, size_t size)
{
    return solid_check(e, shape8, HEX8, corner, HEX8, why, size);
}

// Trilinear from the 2 x 2 x 2 points out to the nodes.
static void to_nodes(int n, double *weights)
{
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < HEX8; p++) {
            weights[i * HEX8 + p] = 0.125 * (1.0 + corner[i].x * site[p].x / (G * G)) *
                                    (1.0 + corner[i].y * site[p].y / (G * G)) *
                                    (1.0 + corner[i].z * site[p].z / (G * G));
        }
    }
}

static void to_nodes8(double *weights) { to_nodes(HEX8, weights); }

const fe_kind fe_hex8 = { .name = "hex8",
                          .n_node = HEX8,
                          .freedoms = FE_MOVE,
                          .needs_material = true,
                          .check = check8,
                          .stiffness = stiffness8,
                          .particles = particles8,
                          .n_site = HEX8,
                          .site = site,
                          .stress = stress8,
                          .to_nodes = to_nodes8 };

// ---- 20 nodes --------------------------------------------------------------------------------------------------

enum { POINTS20 = 27 };

static vec3 point20(int p, double *w)
{
    int i = p % 3;
    int j = p / 3 % 3;
    int k = p / 9;
    *w = fe_gauss_weight[2][i] * fe_gauss_weight[2][j] * fe_gauss_weight[2][k];
    return (vec3){ fe_gauss_at[2][i], fe_gauss_at[2][j], fe_gauss_at[2][k] };
}

static void stiffness20(const fe_element *e, double *K)
{
    memset(K, 0, HEX20_DOF * HEX20_DOF * sizeof *K);
    for (int p = 0; p < POINTS20; p++) {
        double w;
        double g[HEX20][3];
        vec3 at = point20(p, &w);
        double det = solid_gradients_at(e, shape20, HEX20, at, g);
        solid_add_stiffness(e->material, w * det, HEX20, (const double(*)[3])g, K);
    }
}

static void stress20(const fe_element *e, vec3 at, double *rows)
{
    double g[HEX20][3];
    solid_gradients_at(e, shape20, HEX20, at, g);
    solid_stress_rows(e->material, HEX20, (const double(*)[3])g, HEX20_DOF, rows);
}

// Three points a side are exact for quadratic times quadratic.
static int particles20(const fe_element *e, fe_particle *out)
{
    for (int p = 0; p < POINTS20; p++) {
        double w;
        vec3 at = point20(p, &w);
        solid_particle(e, shape20, HEX20, at, w, &out[p]);
    }
    return POINTS20;
}

static bool check20(const fe_element *e, char *why, size_t size)
{
    vec3 place[HEX20 + POINTS20];
    memcpy(place, corner, sizeof corner);
    for (int p = 0; p < POINTS20; p++) {
        double w;
        place[HEX20 + p] = point20(p, &w);
    }
    return solid_check(e, shape20, HEX20, place, HEX20 + POINTS20, why, size);
}

static void to_nodes20(double *weights) { to_nodes(HEX20, weights); }

// stresses are taken at 2 x 2 x 2 points, where those of quadratic elements are best
const fe_kind fe_hex20 = { .name = "hex20",
                           .n_node = HEX20,
                           .freedoms = FE_MOVE,
                           .needs_material = true,
                           .check = check20,
                           .stiffness = stiffness20,
                           .particles = particles20,
                           .n_site = HEX8,
                           .site = site,
                           .stress = stress20,
                           .to_nodes = to_nodes20 };
