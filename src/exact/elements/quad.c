// SPDX-License-Identifier: MIT
// Quads of plane stress, total Lagrangian: Green strain, St. Venant-Kirchhoff material, 2 x 2 Gauss points, constant
// mass (yardstick.15).
#include "exact/elements/inside.h"
#include <math.h>
#include <string.h>

static const double corner[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
static const double gauss = 0.57735026918962576;

// Derivatives of the shape functions with the undeformed places; gives the determinant of the map.
static double slopes_at(const vec3 X[4], double xi, double eta, double slope[4][2])
{
    double d[4][2], J[2][2] = { { 0.0 } };
    for (int i = 0; i < 4; i++) {
        d[i][0] = 0.25 * corner[i][0] * (1.0 + eta * corner[i][1]);
        d[i][1] = 0.25 * corner[i][1] * (1.0 + xi * corner[i][0]);
        for (int k = 0; k < 2; k++) {
            J[k][0] += d[i][k] * X[i].x;
            J[k][1] += d[i][k] * X[i].y;
        }
    }
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    for (int i = 0; i < 4; i++) {
        slope[i][0] = (J[1][1] * d[i][0] - J[0][1] * d[i][1]) / det;
        slope[i][1] = (J[0][0] * d[i][1] - J[1][0] * d[i][0]) / det;
    }
    return det;
}

// The third and fourth corner are one: their functions add up to that of a triangle, exactly.
static void merge_corners(quad *e)
{
    for (int g = 0; g < 4; g++) {
        e->slope[g][2][0] += e->slope[g][3][0];
        e->slope[g][2][1] += e->slope[g][3][1];
    }
    for (int i = 0; i < 4; i++) {
        e->mass[i][2] += e->mass[i][3];
    }
    for (int j = 0; j < 3; j++) {
        e->mass[2][j] += e->mass[3][j];
    }
}

bool quad_prepare(yard *y, quad *e, const yard_plate *plate)
{
    vec3 X[4];
    for (int i = 0; i < 4; i++) {
        X[i] = y->place0[e->place[i]];
    }
    double factor = plate->E / (1.0 - plate->nu * plate->nu);
    e->D[0] = factor;
    e->D[1] = plate->nu * factor;
    e->D[2] = 0.5 * plate->E / (1.0 + plate->nu);
    for (int g = 0; g < 4; g++) {
        double xi = gauss * corner[g][0], eta = gauss * corner[g][1];
        double det = slopes_at(X, xi, eta, e->slope[g]);
        if (!(det > 0.0)) {
            return false;
        }
        e->weight[g] = det * plate->thickness;
        for (int i = 0; i < 4; i++) {
            double N_i = 0.25 * (1.0 + xi * corner[i][0]) * (1.0 + eta * corner[i][1]);
            for (int j = 0; j < 4; j++) {
                double N_j = 0.25 * (1.0 + xi * corner[j][0]) * (1.0 + eta * corner[j][1]);
                e->mass[i][j] += plate->rho * e->weight[g] * N_i * N_j;
            }
        }
    }
    if (e->n == 3) {
        merge_corners(e);
    }
    return true;
}

// Derivatives of the components `array` of the corners with the undeformed places: F when they are the places.
static inline void gradient(const double *array, int n, const int *place, const double slope[4][2],
                            double F[2][2])
{
    F[0][0] = F[0][1] = F[1][0] = F[1][1] = 0.0;
    for (int i = 0; i < n; i++) {
        const double *x = array + 3 * place[i];
        F[0][0] += x[0] * slope[i][0];
        F[0][1] += x[0] * slope[i][1];
        F[1][0] += x[1] * slope[i][0];
        F[1][1] += x[1] * slope[i][1];
    }
}

static inline void green(double F[2][2], double E[3])
{
    E[0] = 0.5 * (F[0][0] * F[0][0] + F[1][0] * F[1][0] - 1.0);
    E[1] = 0.5 * (F[0][1] * F[0][1] + F[1][1] * F[1][1] - 1.0);
    E[2] = F[0][0] * F[0][1] + F[1][0] * F[1][1];
}

static void stress_of(const quad *e, const double E[3], double S[3])
{
    S[0] = e->D[0] * E[0] + e->D[1] * E[1];
    S[1] = e->D[1] * E[0] + e->D[0] * E[1];
    S[2] = e->D[2] * E[2];
}

static void add_tangent(const quad *e, int g, const double B[3][8], const double S[3], double grow,
                        double K[64])
{
    double w = e->weight[g], stiff = grow * w;
    double DB[3][8];
    int n = 2 * e->n;
    for (int j = 0; j < n; j++) {
        DB[0][j] = stiff * (e->D[0] * B[0][j] + e->D[1] * B[1][j]);
        DB[1][j] = stiff * (e->D[1] * B[0][j] + e->D[0] * B[1][j]);
        DB[2][j] = stiff * e->D[2] * B[2][j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            K[n * i + j] += B[0][i] * DB[0][j] + B[1][i] * DB[1][j] + B[2][i] * DB[2][j];
        }
    }
    for (int i = 0; i < e->n; i++) {
        const double *a = e->slope[g][i];
        double sx = w * (S[0] * a[0] + S[2] * a[1]), sy = w * (S[2] * a[0] + S[1] * a[1]);
        for (int j = i; j < e->n; j++) {
            double geometric = sx * e->slope[g][j][0] + sy * e->slope[g][j][1];
            K[n * (2 * i) + 2 * j] += geometric;
            K[n * (2 * i + 1) + 2 * j + 1] += geometric;
        }
    }
}

static void inside_at(const yard *y, const quad *e, int g, double f[8], double *K)
{
    double F[2][2], E[3], S[3], B[3][8], grow = 1.0 + e->viscous * y->f_rate;
    gradient(y->x, e->n, e->place, e->slope[g], F);
    green(F, E);
    if (e->viscous > 0.0 && y->f_rate > 0.0) {
        double L[2][2];
        gradient(y->v, e->n, e->place, e->slope[g], L);
        E[0] += e->viscous * (F[0][0] * L[0][0] + F[1][0] * L[1][0]);
        E[1] += e->viscous * (F[0][1] * L[0][1] + F[1][1] * L[1][1]);
        E[2] += e->viscous * (F[0][0] * L[0][1] + L[0][0] * F[0][1] + F[1][0] * L[1][1] + L[1][0] * F[1][1]);
    }
    stress_of(e, E, S);
    for (int i = 0; i < e->n; i++) {
        const double *a = e->slope[g][i];
        for (int k = 0; k < 2; k++) {
            B[0][2 * i + k] = F[k][0] * a[0];
            B[1][2 * i + k] = F[k][1] * a[1];
            B[2][2 * i + k] = F[k][0] * a[1] + F[k][1] * a[0];
        }
    }
    for (int i = 0; i < 2 * e->n; i++) {
        f[i] += e->weight[g] * (B[0][i] * S[0] + B[1][i] * S[1] + B[2][i] * S[2]);
    }
    if (K) {
        add_tangent(e, g, (const double(*)[8])B, S, grow, K);
    }
}

static void inertia(const yard *y, const quad *e, double f[8], double *K)
{
    for (int i = 0; i < e->n; i++) {
        for (int j = 0; j < e->n; j++) {
            const double *a = y->a + 3 * e->place[j];
            double m = e->mass[i][j], moving = y->f_mass > 0.0 ? m : 0.0;
            f[2 * i] += moving * a[0] - y->scale * m * y->gravity.x;
            f[2 * i + 1] += moving * a[1] - y->scale * m * y->gravity.y;
            if (K && j >= i) {
                K[2 * e->n * (2 * i) + 2 * j] += m * y->f_mass;
                K[2 * e->n * (2 * i + 1) + 2 * j + 1] += m * y->f_mass;
            }
        }
    }
}

void quads_add(yard *y, yard_want want)
{
    for (int k = 0; k < y->n_quad; k++) {
        const quad *e = &y->quad[k];
        double f[8] = { 0.0 }, K[64];
        double *tangent = want == FORCES_AND_TANGENT ? K : NULL;
        if (tangent) {
            memset(K, 0, sizeof K);
        }
        for (int g = 0; g < 4; g++) {
            inside_at(y, e, g, f, tangent);
        }
        inertia(y, e, f, tangent);
        for (int i = 0; i < 2 * e->n; i++) {
            y->force[e->map.a[i]] += f[i];
        }
        if (tangent) {
            map_add(&e->map, 2 * e->n, K, y->value);
        }
    }
}

void quad_stress(const yard *y, const quad *e, double xi, double eta, double stress[3])
{
    vec3 X[4];
    double slope[4][2], F[2][2], E[3];
    for (int i = 0; i < 4; i++) {
        X[i] = y->place0[e->place[i]];
    }
    slopes_at(X, xi, eta, slope);
    gradient(y->x, 4, e->place, (const double(*)[2])slope, F);
    green(F, E);
    stress_of(e, E, stress);
}

double quads_energy(const yard *y)
{
    double energy = 0.0;
    for (int k = 0; k < y->n_quad; k++) {
        const quad *e = &y->quad[k];
        for (int g = 0; g < 4; g++) {
            double F[2][2], E[3], S[3];
            gradient(y->x, e->n, e->place, e->slope[g], F);
            green(F, E);
            stress_of(e, E, S);
            energy += 0.5 * e->weight[g] * (E[0] * S[0] + E[1] * S[1] + E[2] * S[2]);
        }
        for (int i = 0; i < e->n; i++) {
            vec3 v = place_get(y->v, e->place[i]);
            for (int j = 0; j < e->n; j++) {
                energy += 0.5 * e->mass[i][j] * vec3_dot(v, place_get(y->v, e->place[j]));
                energy -= e->mass[i][j] * vec3_dot(y->gravity, place_get(y->x, e->place[i]));
            }
        }
    }
    return energy;
}
