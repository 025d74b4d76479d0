// SPDX-License-Identifier: MIT
// Shell of three nodes: membrane of constant strain, plate without shear across (discrete Kirchhoff triangle of Batoz),
// eq. (shell.4).
#include "flex/mesh/shell.h"
#include <string.h>

static double shape(const shell_plane *p, vec3 at, double *N, double *dx, double *dy)
{
    double det = (p->at[1][0] - p->at[0][0]) * (p->at[2][1] - p->at[0][1]) -
                 (p->at[2][0] - p->at[0][0]) * (p->at[1][1] - p->at[0][1]);
    N[0] = 1.0 - at.x - at.y;
    N[1] = at.x;
    N[2] = at.y;
    for (int i = 0; i < 3; i++) {
        const double *a = p->at[(i + 1) % 3], *b = p->at[(i + 2) % 3];
        dx[i] = (a[1] - b[1]) / det;
        dy[i] = (b[0] - a[0]) / det;
    }
    return det;
}

// The lean of a fibre is quadratic: that of the corners, and in the middle of a side along it what the cubic w of its
// ends has. Shape functions of that lean on w, rx, ry of the nodes have the derivatives below, by side k = 0 (nodes 2,
// 3), 1 (3, 1), 2 (1, 2).
typedef struct {
    double P[3], t[3], q[3], r[3];
} sides;

static sides sides_of(const shell_plane *p)
{
    sides s;
    for (int k = 0; k < 3; k++) {
        const double *a = p->at[(k + 1) % 3], *b = p->at[(k + 2) % 3];
        double x = a[0] - b[0], y = a[1] - b[1], l2 = x * x + y * y;
        s.P[k] = -6.0 * x / l2;
        s.t[k] = -6.0 * y / l2;
        s.q[k] = 3.0 * x * y / l2;
        s.r[k] = 3.0 * y * y / l2;
    }
    return s;
}

// Derivatives along the first coordinate (side 1-2), x and y parts of the lean.
static void along_first(const sides *s, double xi, double eta, double *Hx, double *Hy)
{
    const double *P = s->P, *t = s->t, *q = s->q, *r = s->r, m = 1.0 - 2.0 * xi;
    const double x[9] = { P[2] * m + (P[1] - P[2]) * eta,
                          q[2] * m - (q[1] + q[2]) * eta,
                          -4.0 + 6.0 * (xi + eta) + r[2] * m - eta * (r[1] + r[2]),
                          -P[2] * m + eta * (P[0] + P[2]),
                          q[2] * m - eta * (q[2] - q[0]),
                          -2.0 + 6.0 * xi + r[2] * m + eta * (r[0] - r[2]),
                          -eta * (P[1] + P[0]),
                          eta * (q[0] - q[1]),
                          -eta * (r[1] - r[0]) };
    const double y[9] = { t[2] * m + eta * (t[1] - t[2]),
                          1.0 + r[2] * m - eta * (r[1] + r[2]),
                          -q[2] * m + eta * (q[1] + q[2]),
                          -t[2] * m + eta * (t[0] + t[2]),
                          -1.0 + r[2] * m + eta * (r[0] - r[2]),
                          -q[2] * m - eta * (q[0] - q[2]),
                          -eta * (t[0] + t[1]),
                          eta * (r[0] - r[1]),
                          -eta * (q[0] - q[1]) };
    memcpy(Hx, x, sizeof x);
    memcpy(Hy, y, sizeof y);
}

// And along the second (side 1-3).
static void along_second(const sides *s, double xi, double eta, double *Hx, double *Hy)
{
    const double *P = s->P, *t = s->t, *q = s->q, *r = s->r, m = 1.0 - 2.0 * eta;
    const double x[9] = { -P[1] * m - xi * (P[2] - P[1]),
                          q[1] * m - xi * (q[1] + q[2]),
                          -4.0 + 6.0 * (xi + eta) + r[1] * m - xi * (r[1] + r[2]),
                          xi * (P[0] + P[2]),
                          xi * (q[0] - q[2]),
                          -xi * (r[2] - r[0]),
                          P[1] * m - xi * (P[0] + P[1]),
                          q[1] * m + xi * (q[0] - q[1]),
                          -2.0 + 6.0 * eta + r[1] * m + xi * (r[0] - r[1]) };
    const double y[9] = { -t[1] * m - xi * (t[2] - t[1]),
                          1.0 + r[1] * m - xi * (r[1] + r[2]),
                          -q[1] * m + xi * (q[1] + q[2]),
                          xi * (t[0] + t[2]),
                          xi * (r[0] - r[2]),
                          -xi * (q[0] - q[2]),
                          t[1] * m - xi * (t[0] + t[1]),
                          -1.0 + r[1] * m + xi * (r[0] - r[1]),
                          -q[1] * m - xi * (q[0] - q[1]) };
    memcpy(Hx, x, sizeof x);
    memcpy(Hy, y, sizeof y);
}

static void curvature(const shell_plane *p, vec3 at, double B[3][SHELL_BEND])
{
    sides s = sides_of(p);
    double N[3], dx[3], dy[3], x1[9], y1[9], x2[9], y2[9];
    shape(p, at, N, dx, dy);
    along_first(&s, at.x, at.y, x1, y1);
    along_second(&s, at.x, at.y, x2, y2);
    memset(B, 0, 3 * SHELL_BEND * sizeof(double));
    for (int k = 0; k < 9; k++) {
        // d/dx = dx[1] d/dxi + dx[2] d/deta
        B[0][k] = dx[1] * x1[k] + dx[2] * x2[k];
        B[1][k] = dy[1] * y1[k] + dy[2] * y2[k];
        B[2][k] = dy[1] * x1[k] + dy[2] * x2[k] + dx[1] * y1[k] + dx[2] * y2[k];
    }
}

static const vec3 places[3] = { { 1.0 / 6.0, 1.0 / 6.0, 0.0 },
                                { 2.0 / 3.0, 1.0 / 6.0, 0.0 },
                                { 1.0 / 6.0, 2.0 / 3.0, 0.0 } };

static const shell_family triangle = { .membrane = &fe_triangle,
                                       .membrane_kind = BI_FE_TRIANGLE,
                                       .n_gauss = 3,
                                       .gauss = places,
                                       .weight = 1.0 / 6.0,
                                       .shape = shape,
                                       .curvature = curvature };

static void stiffness(const fe_element *e, double *K) { shell_stiffness(&triangle, e, K); }
static void stress(const fe_element *e, vec3 site, double *rows) { shell_stress(&triangle, e, site, rows); }
static int particles(const fe_element *e, fe_particle *out) { return shell_particles(&triangle, e, out); }
static bool check(const fe_element *e, char *why, size_t size)
{
    return shell_check(&triangle, e, why, size);
}

// Linear from the three places out to the corners: each is 2/3 of the way to its own.
static void to_nodes(double *weights)
{
    for (int i = 0; i < 3; i++) {
        for (int g = 0; g < 3; g++) {
            weights[3 * i + g] = i == g ? 5.0 / 3.0 : -1.0 / 3.0;
        }
    }
}

const fe_kind fe_shell3 = SHELL_KIND("shell3", 3);
