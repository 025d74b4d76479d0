// SPDX-License-Identifier: MIT
// Shell of four nodes: membrane with incompatible modes, plate of Bathe and Dvorkin (MITC4), eqs. (shell.2), (shell.3).
#include "flex/mesh/shell.h"
#include <string.h>

static const double corner_x[4] = { -1.0, 1.0, 1.0, -1.0 }, corner_y[4] = { -1.0, -1.0, 1.0, 1.0 };

// dx/dxi by rows xi, eta; gives its determinant
static double jacobian(const shell_plane *p, double xi, double eta, double J[2][2])
{
    memset(J, 0, 4 * sizeof(double));
    for (int i = 0; i < 4; i++) {
        double d_xi = 0.25 * corner_x[i] * (1.0 + eta * corner_y[i]);
        double d_eta = 0.25 * corner_y[i] * (1.0 + xi * corner_x[i]);
        for (int c = 0; c < 2; c++) {
            J[0][c] += d_xi * p->at[i][c];
            J[1][c] += d_eta * p->at[i][c];
        }
    }
    return J[0][0] * J[1][1] - J[0][1] * J[1][0];
}

static double shape(const shell_plane *p, vec3 at, double *N, double *dx, double *dy)
{
    double J[2][2], det = jacobian(p, at.x, at.y, J);
    for (int i = 0; i < 4; i++) {
        double d_xi = 0.25 * corner_x[i] * (1.0 + at.y * corner_y[i]);
        double d_eta = 0.25 * corner_y[i] * (1.0 + at.x * corner_x[i]);
        N[i] = 0.25 * (1.0 + at.x * corner_x[i]) * (1.0 + at.y * corner_y[i]);
        dx[i] = (J[1][1] * d_xi - J[0][1] * d_eta) / det;
        dy[i] = (J[0][0] * d_eta - J[1][0] * d_xi) / det;
    }
    return det;
}

// A fibre along the normal leans by ry towards x and by -rx towards y.
static void curvature(const shell_plane *p, vec3 at, double B[3][SHELL_BEND])
{
    double N[4], dx[4], dy[4];
    shape(p, at, N, dx, dy);
    memset(B, 0, 3 * SHELL_BEND * sizeof(double));
    for (int i = 0; i < 4; i++) {
        B[0][3 * i + 2] = dx[i];
        B[1][3 * i + 1] = -dy[i];
        B[2][3 * i + 2] = dy[i];
        B[2][3 * i + 1] = -dx[i];
    }
}

// Shear along one of the element's coordinates in the middle of an edge: w, + (dx, dy) . lean.
static void edge_shear(const shell_plane *p, int along, double xi, double eta, double factor, double *row)
{
    double J[2][2];
    jacobian(p, xi, eta, J);
    for (int i = 0; i < 4; i++) {
        double N = 0.25 * (1.0 + xi * corner_x[i]) * (1.0 + eta * corner_y[i]);
        double d = along == 0 ? 0.25 * corner_x[i] * (1.0 + eta * corner_y[i])
                              : 0.25 * corner_y[i] * (1.0 + xi * corner_x[i]);
        row[3 * i] += factor * d;
        row[3 * i + 1] -= factor * N * J[along][1];
        row[3 * i + 2] += factor * N * J[along][0];
    }
}

// Between the middles of opposite edges the shear along them is linear; so thin plates do not lock.
static void shear(const shell_plane *p, vec3 at, double B[2][SHELL_BEND])
{
    double own[2][SHELL_BEND] = { { 0 } }, J[2][2];
    edge_shear(p, 0, 0.0, 1.0, 0.5 * (1.0 + at.y), own[0]);
    edge_shear(p, 0, 0.0, -1.0, 0.5 * (1.0 - at.y), own[0]);
    edge_shear(p, 1, 1.0, 0.0, 0.5 * (1.0 + at.x), own[1]);
    edge_shear(p, 1, -1.0, 0.0, 0.5 * (1.0 - at.x), own[1]);
    double det = jacobian(p, at.x, at.y, J);
    for (int k = 0; k < SHELL_BEND; k++) {
        B[0][k] = (J[1][1] * own[0][k] - J[0][1] * own[1][k]) / det;
        B[1][k] = (J[0][0] * own[1][k] - J[1][0] * own[0][k]) / det;
    }
}

#define G 0.57735026918962576451
static const vec3 places[4] = { { -G, -G, 0.0 }, { G, -G, 0.0 }, { G, G, 0.0 }, { -G, G, 0.0 } };

static const shell_family quad = { .membrane = &fe_quad,
                                   .membrane_kind = BI_FE_QUAD,
                                   .n_gauss = 4,
                                   .gauss = places,
                                   .weight = 1.0,
                                   .shape = shape,
                                   .curvature = curvature,
                                   .shear = shear };

static void stiffness(const fe_element *e, double *K) { shell_stiffness(&quad, e, K); }
static void stress(const fe_element *e, vec3 site, double *rows) { shell_stress(&quad, e, site, rows); }
static int particles(const fe_element *e, fe_particle *out) { return shell_particles(&quad, e, out); }
static bool check(const fe_element *e, char *why, size_t size) { return shell_check(&quad, e, why, size); }
static void to_nodes(double *weights) { fe_quad.to_nodes(weights); }

const fe_kind fe_shell4 = SHELL_KIND("shell4", 4);
