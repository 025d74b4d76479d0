// SPDX-License-Identifier: MIT
// Isotropic solids by the gradients of their shape functions, eqs. (solid.1) to (solid.4).
#include "flex/mesh/solid.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

double solid_jacobian(const fe_element *e, int n, const double (*d)[3], double J[3][3])
{
    memset(J, 0, 9 * sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < 3; r++) {
            J[r][0] += d[i][r] * e->at[i].x;
            J[r][1] += d[i][r] * e->at[i].y;
            J[r][2] += d[i][r] * e->at[i].z;
        }
    }
    return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
           J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

void solid_gradients(const double J[3][3], double det, int n, const double (*d)[3], double (*g)[3])
{
    // inverse by cofactors: g = J^-1 d
    double inverse[3][3];
    for (int r = 0; r < 3; r++) {
        int a = (r + 1) % 3;
        int b = (r + 2) % 3;
        for (int c = 0; c < 3; c++) {
            int p = (c + 1) % 3;
            int q = (c + 2) % 3;
            inverse[c][r] = (J[a][p] * J[b][q] - J[a][q] * J[b][p]) / det;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            g[i][c] = inverse[c][0] * d[i][0] + inverse[c][1] * d[i][1] + inverse[c][2] * d[i][2];
        }
    }
}

double solid_gradients_at(const fe_element *e, solid_shape *shape, int n, vec3 at, double (*g)[3])
{
    double N[SOLID_MOST];
    double d[SOLID_MOST][3];
    double J[3][3];
    shape(at, N, d);
    double det = solid_jacobian(e, n, (const double(*)[3])d, J);
    solid_gradients((const double(*)[3])J, det, n, (const double(*)[3])d, g);
    return det;
}

// Constants of Lame.
static void lame(const bi_material *m, double *lambda, double *mu)
{
    *mu = 0.5 * m->young / (1.0 + m->poisson);
    *lambda = 2.0 * *mu * m->poisson / (1.0 - 2.0 * m->poisson);
}

void solid_add_rows(const bi_material *m, double w, int from, int n, const double (*g)[3], double *K)
{
    double lambda;
    double mu;
    lame(m, &lambda, &mu);
    lambda *= w;
    mu *= w;
    int wide = 3 * n;
    for (int i = from; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double dot = mu * (g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2]);
            for (int a = 0; a < 3; a++) {
                double *out = K + (3 * i + a) * wide + 3 * j;
                for (int b = 0; b < 3; b++) {
                    out[b] += lambda * g[i][a] * g[j][b] + mu * g[i][b] * g[j][a] + (a == b ? dot : 0.0);
                }
            }
        }
    }
}

void solid_add_stiffness(const bi_material *m, double w, int n, const double (*g)[3], double *K)
{
    solid_add_rows(m, w, 0, n, g, K);
}

void solid_stress_rows(const bi_material *m, int n, const double (*g)[3], int stride, double *rows)
{
    static const int first[3] = { 0, 1, 2 };  // shear xy yz zx
    static const int second[3] = { 1, 2, 0 }; //
    double lambda;
    double mu;
    lame(m, &lambda, &mu);
    memset(rows, 0, (size_t)(FE_STRESSES * stride) * sizeof *rows);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) {
                rows[r * stride + 3 * i + c] = (lambda + (r == c ? 2.0 * mu : 0.0)) * g[i][c];
            }
        }
        for (int s = 0; s < 3; s++) {
            rows[(3 + s) * stride + 3 * i + first[s]] = mu * g[i][second[s]];
            rows[(3 + s) * stride + 3 * i + second[s]] = mu * g[i][first[s]];
        }
    }
}

void solid_particle(const fe_element *e, solid_shape *shape, int n, vec3 at, double w, fe_particle *out)
{
    double N[SOLID_MOST];
    double d[SOLID_MOST][3];
    double J[3][3];
    shape(at, N, d);
    memset(out, 0, sizeof *out);
    out->mass = w * e->material->density * solid_jacobian(e, n, (const double(*)[3])d, J);
    for (int i = 0; i < n; i++) {
        out->at = vec3_add_scaled(out->at, N[i], e->at[i]);
        for (int c = 0; c < 3; c++) {
            out->shape[c][3 * i + c] = N[i];
        }
    }
}

bool solid_check(const fe_element *e, solid_shape *shape, int n, const vec3 *place, int n_place, char *why,
                 size_t size)
{
    // size of the element, against which a Jacobian counts as zero
    double span = 0.0;
    for (int i = 1; i < n; i++) {
        span = fmax(span, vec3_norm(vec3_sub(e->at[i], e->at[0])));
    }
    int n_bad = 0;
    int worst = -1;
    double lowest = INFINITY;
    double highest = -INFINITY;
    for (int p = 0; p < n_place; p++) {
        double N[SOLID_MOST];
        double d[SOLID_MOST][3];
        double J[3][3];
        shape(place[p], N, d);
        double det = solid_jacobian(e, n, (const double(*)[3])d, J);
        n_bad += !(det > 1e-12 * span * span * span);
        if (!(det >= lowest)) {
            lowest = det;
            worst = p;
        }
        highest = fmax(highest, det);
    }
    if (n_bad == 0) {
        return true;
    }
    if (highest < -1e-12 * span * span * span && n_bad == n_place) {
        snprintf(why, size, "has a negative volume: its nodes are in mirrored order; exchange its two faces");
    } else if (highest <= 1e-12 * span * span * span) {
        snprintf(why, size, "has no volume: its nodes lie in a plane");
    } else if (worst < n) {
        snprintf(why, size,
                 "has a negative Jacobian at its node %d: it is folded there, two nodes are exchanged, or a "
                 "mid-side node is far from the middle of its edge",
                 worst + 1);
    } else {
        snprintf(why, size,
                 "has a negative Jacobian inside: it is folded, or two of its nodes are exchanged");
    }
    return false;
}
