// SPDX-License-Identifier: MIT
// Plane stress in xy: quadrilaterals with and without incompatible modes, triangles; eqs. (fe.7) to (fe.9).
#include "flex/mesh/fe.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUAD_DOF = 8, BUBBLES = 4 };
static const double corner_x[4] = { -1.0, 1.0, 1.0, -1.0 }, corner_y[4] = { -1.0, -1.0, 1.0, 1.0 };

// Stress = C strain on (xx, yy, xy), the strain of shear counted double.
void plane_elasticity(const bi_material *m, double C[3][3])
{
    double nu = m->poisson, c = m->young / (1.0 - nu * nu);
    memset(C, 0, 9 * sizeof(double));
    C[0][0] = C[1][1] = c;
    C[0][1] = C[1][0] = nu * c;
    C[2][2] = 0.5 * m->young / (1.0 + nu);
}

// dx/dxi by rows xi, eta; gives its determinant
static double jacobian(const fe_element *e, double xi, double eta, double J[2][2])
{
    memset(J, 0, 4 * sizeof(double));
    for (int i = 0; i < 4; i++) {
        double dx = 0.25 * corner_x[i] * (1.0 + eta * corner_y[i]);
        double dy = 0.25 * corner_y[i] * (1.0 + xi * corner_x[i]);
        J[0][0] += dx * e->at[i].x;
        J[0][1] += dx * e->at[i].y;
        J[1][0] += dy * e->at[i].x;
        J[1][1] += dy * e->at[i].y;
    }
    return J[0][0] * J[1][1] - J[0][1] * J[1][0];
}

// Columns of strain of a shape with derivatives (d_xi, d_eta): on its x and its y.
static void strain_of(double J[2][2], double det, double d_xi, double d_eta, double B[3][2])
{
    double dx = (J[1][1] * d_xi - J[0][1] * d_eta) / det, dy = (J[0][0] * d_eta - J[1][0] * d_xi) / det;
    B[0][0] = dx, B[0][1] = 0.0;
    B[1][0] = 0.0, B[1][1] = dy;
    B[2][0] = dy, B[2][1] = dx;
}

// Strain rows at (xi, eta) on 8 freedoms and 4 bubbles 1 - xi^2, 1 - eta^2, taken with the Jacobian of the centre and
// scaled by det0/det, so that a constant stress does no work on them: the patch test holds (fe.8).
static double strain_rows(const fe_element *e, double xi, double eta, double B[3][QUAD_DOF + BUBBLES])
{
    double J[2][2], J0[2][2], part[3][2];
    double det = jacobian(e, xi, eta, J), det0 = jacobian(e, 0.0, 0.0, J0);
    for (int i = 0; i < 6; i++) {
        if (i < 4) {
            strain_of(J, det, 0.25 * corner_x[i] * (1.0 + eta * corner_y[i]),
                      0.25 * corner_y[i] * (1.0 + xi * corner_x[i]), part);
        } else {
            strain_of(J0, det0, i == 4 ? -2.0 * xi : 0.0, i == 5 ? -2.0 * eta : 0.0, part);
        }
        double scale = i < 4 ? 1.0 : det0 / det;
        for (int r = 0; r < 3; r++) {
            B[r][2 * i] = scale * part[r][0];
            B[r][2 * i + 1] = scale * part[r][1];
        }
    }
    return det;
}

enum { WIDE = QUAD_DOF + BUBBLES };

// Stiffness with the bubbles still in it.
static void wide_stiffness(const fe_element *e, double K[WIDE][WIDE])
{
    double C[3][3], B[3][WIDE], CB[3][WIDE];
    plane_elasticity(e->material, C);
    memset(K, 0, WIDE * WIDE * sizeof(double));
    for (int g = 0; g < 4; g++) {
        double det = strain_rows(e, fe_gauss_at[1][g % 2], fe_gauss_at[1][g / 2], B);
        double w = det * e->section->thickness;
        for (int r = 0; r < 3; r++) {
            for (int j = 0; j < WIDE; j++) {
                CB[r][j] = C[r][0] * B[0][j] + C[r][1] * B[1][j] + C[r][2] * B[2][j];
            }
        }
        for (int i = 0; i < WIDE; i++) {
            for (int j = 0; j < WIDE; j++) {
                K[i][j] += w * (B[0][i] * CB[0][j] + B[1][i] * CB[1][j] + B[2][i] * CB[2][j]);
            }
        }
    }
}

// Eliminates the bubbles: X (4 x 8) with bubbles = X freedoms; K is left condensed in its first 8.
static void condense(double K[WIDE][WIDE], double X[BUBBLES][QUAD_DOF])
{
    // Gauss without exchanges: K of the bubbles is positive definite
    for (int p = WIDE - 1; p >= QUAD_DOF; p--) {
        for (int i = 0; i < p; i++) {
            double f = K[i][p] / K[p][p];
            for (int j = 0; j < p; j++) {
                K[i][j] -= f * K[p][j];
            }
        }
    }
    // row p now says K[p][0..p] . (u, bubbles before it and itself) = 0
    for (int p = QUAD_DOF; p < WIDE; p++) {
        for (int j = 0; j < QUAD_DOF; j++) {
            double sum = K[p][j];
            for (int b = QUAD_DOF; b < p; b++) {
                sum += K[p][b] * X[b - QUAD_DOF][j];
            }
            X[p - QUAD_DOF][j] = -sum / K[p][p];
        }
    }
}

static void stiffness(const fe_element *e, double *out)
{
    double K[WIDE][WIDE], X[BUBBLES][QUAD_DOF];
    wide_stiffness(e, K);
    if (e->def->kind == BI_FE_QUAD) {
        condense(K, X);
    }
    for (int i = 0; i < QUAD_DOF; i++) {
        memcpy(out + i * QUAD_DOF, K[i], QUAD_DOF * sizeof *out);
    }
}

static void put_stress(const double C[3][3], const double *B, int stride, int n, double *rows)
{
    static const int place[3] = { 0, 1, 3 }; // xx yy xy
    memset(rows, 0, (size_t)(FE_STRESSES * n) * sizeof *rows);
    for (int r = 0; r < 3; r++) {
        for (int j = 0; j < n; j++) {
            rows[place[r] * n + j] = C[r][0] * B[j] + C[r][1] * B[stride + j] + C[r][2] * B[2 * stride + j];
        }
    }
}

static void stress(const fe_element *e, vec3 site, double *rows)
{
    double C[3][3], B[3][WIDE], K[WIDE][WIDE], X[BUBBLES][QUAD_DOF];
    plane_elasticity(e->material, C);
    strain_rows(e, site.x, site.y, B);
    if (e->def->kind == BI_FE_QUAD) {
        wide_stiffness(e, K);
        condense(K, X);
        for (int r = 0; r < 3; r++) {
            for (int j = 0; j < QUAD_DOF; j++) {
                for (int b = 0; b < BUBBLES; b++) {
                    B[r][j] += B[r][QUAD_DOF + b] * X[b][j];
                }
            }
        }
    }
    put_stress((const double(*)[3])C, B[0], WIDE, QUAD_DOF, rows);
}

static int particles(const fe_element *e, fe_particle *out)
{
    double J[2][2];
    for (int g = 0; g < 4; g++) {
        double xi = fe_gauss_at[1][g % 2], eta = fe_gauss_at[1][g / 2];
        fe_particle *p = &out[g];
        memset(p, 0, sizeof *p);
        p->mass = jacobian(e, xi, eta, J) * e->section->thickness * e->material->density;
        for (int i = 0; i < 4; i++) {
            double N = 0.25 * (1.0 + xi * corner_x[i]) * (1.0 + eta * corner_y[i]);
            p->at = vec3_add_scaled(p->at, N, e->at[i]);
            p->shape[0][2 * i] = p->shape[1][2 * i + 1] = N;
        }
    }
    return 4;
}

static bool is_flat(const fe_element *e, int n, char *why, size_t size)
{
    double span = 0.0, rise = 0.0;
    for (int i = 1; i < n; i++) {
        span = fmax(span, vec3_norm(vec3_sub(e->at[i], e->at[0])));
        rise = fmax(rise, fabs(e->at[i].z - e->at[0].z));
    }
    if (rise > 1e-9 * span) {
        snprintf(why, size,
                 "leaves the plane: plane elements lie in a plane z = constant of the body; "
                 "elsewhere use shells");
    } else if (!(e->section->thickness > 0.0)) {
        snprintf(why, size, "section '%s' has no thickness; plane elements need one",
                 e->section->name ? e->section->name : "");
    } else {
        return true;
    }
    return false;
}

static bool check(const fe_element *e, char *why, size_t size)
{
    double J[2][2];
    if (!is_flat(e, 4, why, size)) {
        return false;
    }
    int n_negative = 0, worst = 0;
    for (int i = 0; i < 4; i++) {
        if (!(jacobian(e, corner_x[i], corner_y[i], J) > 0.0)) {
            n_negative++;
            worst = i + 1;
        }
    }
    if (n_negative == 4) {
        snprintf(why, size,
                 "has a negative Jacobian: its nodes go round clockwise; write them in the other order");
    } else if (n_negative > 0) {
        snprintf(why, size,
                 "has a negative Jacobian at its node %d: the corner is concave, or two nodes are exchanged",
                 worst);
    }
    return n_negative == 0;
}

#define G 0.57735026918962576451
static const vec3 quad_site[4] = { { -G, -G, 0.0 }, { G, -G, 0.0 }, { G, G, 0.0 }, { -G, G, 0.0 } };

// Bilinear from the 2 x 2 points out to the corners.
static void quad_to_nodes(double *weights)
{
    for (int i = 0; i < 4; i++) {
        for (int g = 0; g < 4; g++) {
            weights[4 * i + g] = 0.25 * (1.0 + corner_x[i] * quad_site[g].x / (G * G)) *
                                 (1.0 + corner_y[i] * quad_site[g].y / (G * G));
        }
    }
}

#define QUAD_KIND(text)                                                                                      \
    {                                                                                                        \
        .name = text, .n_node = 4, .freedoms = FE_X | FE_Y, .needs_section = true, .needs_material = true,   \
        .check = check, .stiffness = stiffness, .particles = particles, .n_site = 4, .site = quad_site,      \
        .stress = stress, .to_nodes = quad_to_nodes                                                          \
    }
const fe_kind fe_quad = QUAD_KIND("quad");
const fe_kind fe_quad_plain = QUAD_KIND("quad-plain");

// ---- triangle ----------------------------------------------------------------------------------------------

enum { TRIANGLE_DOF = 6 };

// Strain rows; gives twice the area.
static double triangle_strain(const fe_element *e, double B[3][TRIANGLE_DOF])
{
    const vec3 *p = e->at;
    double det = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    memset(B, 0, 3 * TRIANGLE_DOF * sizeof(double));
    for (int i = 0; i < 3; i++) {
        vec3 a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        double dx = (a.y - b.y) / det, dy = (b.x - a.x) / det;
        B[0][2 * i] = B[2][2 * i + 1] = dx;
        B[1][2 * i + 1] = B[2][2 * i] = dy;
    }
    return det;
}

static void triangle_stress(const fe_element *e, vec3 site, double *rows)
{
    (void)site; // constant
    double C[3][3], B[3][TRIANGLE_DOF];
    plane_elasticity(e->material, C);
    triangle_strain(e, B);
    put_stress((const double(*)[3])C, B[0], TRIANGLE_DOF, TRIANGLE_DOF, rows);
}

static void triangle_stiffness(const fe_element *e, double *K)
{
    double B[3][TRIANGLE_DOF], rows[FE_STRESSES * TRIANGLE_DOF];
    double w = 0.5 * triangle_strain(e, B) * e->section->thickness;
    triangle_stress(e, (vec3){ 0 }, rows);
    for (int i = 0; i < TRIANGLE_DOF; i++) {
        for (int j = 0; j < TRIANGLE_DOF; j++) {
            K[i * TRIANGLE_DOF + j] = w * (B[0][i] * rows[j] + B[1][i] * rows[TRIANGLE_DOF + j] +
                                           B[2][i] * rows[3 * TRIANGLE_DOF + j]);
        }
    }
}

// Three points inside are exact for linear times linear.
static int triangle_particles(const fe_element *e, fe_particle *out)
{
    double B[3][TRIANGLE_DOF];
    double mass = 0.5 * triangle_strain(e, B) * e->section->thickness * e->material->density;
    for (int g = 0; g < 3; g++) {
        fe_particle *p = &out[g];
        memset(p, 0, sizeof *p);
        p->mass = mass / 3.0;
        for (int i = 0; i < 3; i++) {
            double N = i == g ? 2.0 / 3.0 : 1.0 / 6.0;
            p->at = vec3_add_scaled(p->at, N, e->at[i]);
            p->shape[0][2 * i] = p->shape[1][2 * i + 1] = N;
        }
    }
    return 3;
}

static bool triangle_check(const fe_element *e, char *why, size_t size)
{
    double B[3][TRIANGLE_DOF];
    if (!is_flat(e, 3, why, size)) {
        return false;
    }
    if (!(triangle_strain(e, B) > 0.0)) {
        snprintf(why, size, "has a negative Jacobian: its nodes go round clockwise, or lie on a line");
        return false;
    }
    return true;
}

static const vec3 triangle_site[1] = { { 1.0 / 3.0, 1.0 / 3.0, 0.0 } };

static void triangle_to_nodes(double *weights) { weights[0] = weights[1] = weights[2] = 1.0; }

const fe_kind fe_triangle = { .name = "triangle",
                              .n_node = 3,
                              .freedoms = FE_X | FE_Y,
                              .needs_section = true,
                              .needs_material = true,
                              .check = triangle_check,
                              .stiffness = triangle_stiffness,
                              .particles = triangle_particles,
                              .n_site = 1,
                              .site = triangle_site,
                              .stress = triangle_stress,
                              .to_nodes = triangle_to_nodes };
