// SPDX-License-Identifier: MIT
// Planar geometrically exact beams: cubic Lagrange interpolation of place and angle, three Gauss points, constant mass
// (yardstick.1 to yardstick.4).
#include "exact/elements/inside.h"
#include "math/elementary.h"
#include <string.h>

// Cubic Lagrange functions on nodes 0, 1/3, 2/3, 1 and their derivatives with s.
static void lagrange(double s, double N[4], double dN[4])
{
    double a = 3.0 * s, b = a - 1.0, c = a - 2.0, d = a - 3.0;
    N[0] = -b * c * d / 6.0;
    N[1] = a * c * d / 2.0;
    N[2] = -a * b * d / 2.0;
    N[3] = a * b * c / 6.0;
    dN[0] = -0.5 * (c * d + b * d + b * c);
    dN[1] = 1.5 * (c * d + a * d + a * c);
    dN[2] = -1.5 * (b * d + a * d + a * b);
    dN[3] = 0.5 * (b * c + a * c + a * b);
}

enum { N_GAUSS = 3 };
static const double gauss_place[N_GAUSS] = { 0.1127016653792583, 0.5, 0.8872983346207417 };
static const double gauss_weight[N_GAUSS] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };

// Integral of N_i N_j over an element of unit length, times 1680.
static const double mass_table[4][4] = { { 128.0, 99.0, -36.0, 19.0 },
                                         { 99.0, 648.0, -81.0, -36.0 },
                                         { -36.0, -81.0, 648.0, 99.0 },
                                         { 19.0, -36.0, 99.0, 128.0 } };
static const double load_table[4] = { 0.125, 0.375, 0.375, 0.125 };

// Strains of a section and what they are made of.
typedef struct {
    double N[4], dN[4]; // dN: with the length, 1/m
    double c, s;        // of the angle
    double strain[3];   // axial, shear, curvature
} section_state;

void planar_beams_prepare(yard *y)
{
    for (int g = 0; g < N_GAUSS; g++) {
        lagrange(gauss_place[g], y->shape[g][0], y->shape[g][1]);
    }
}

static section_state section_at(const yard *y, const planar_beam *e, int g)
{
    section_state at;
    double dx = 0.0, dy = 0.0, angle = 0.0, curvature = 0.0, per_length = 1.0 / e->length;
    for (int i = 0; i < 4; i++) {
        at.N[i] = y->shape[g][0][i];
        at.dN[i] = y->shape[g][1][i] * per_length;
        const double *x = y->x + 3 * e->place[i];
        double th = y->x[component_of_turn(y, e->turn[i], 2)] + e->off[i];
        dx += at.dN[i] * x[0];
        dy += at.dN[i] * x[1];
        angle += at.N[i] * th;
        curvature += at.dN[i] * th;
    }
    math_sincos(angle, &at.s, &at.c);
    at.strain[0] = at.c * dx + at.s * dy - 1.0;
    at.strain[1] = -at.s * dx + at.c * dy;
    at.strain[2] = curvature;
    return at;
}

// Rates of the strains (yardstick.3).
static void section_rates(const yard *y, const planar_beam *e, const section_state *at, double rate[3])
{
    double dx = 0.0, dy = 0.0, spin = 0.0;
    rate[2] = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *v = y->v + 3 * e->place[i];
        double w = y->v[component_of_turn(y, e->turn[i], 2)];
        dx += at->dN[i] * v[0];
        dy += at->dN[i] * v[1];
        spin += at->N[i] * w;
        rate[2] += at->dN[i] * w;
    }
    rate[0] = at->c * dx + at->s * dy + at->strain[1] * spin;
    rate[1] = -at->s * dx + at->c * dy - (1.0 + at->strain[0]) * spin;
}

// Tangent with the columns (x', y', theta, theta') of one section (yardstick.4); symmetric, upper part.
typedef struct {
    double xx, xy, xt, yy, yt, tt, kk;
} section_tangent;

static section_tangent tangent_at(const yard *y, const planar_beam *e, const section_state *at, double axial,
                                  double shear)
{
    double grow = 1.0 + e->section.viscous * y->f_rate;
    double EA = e->section.EA * grow, GA = e->section.GAy * grow;
    double c = at->c, s = at->s, stretch = 1.0 + at->strain[0], gamma = at->strain[1];
    double nx = axial * c - shear * s, ny = axial * s + shear * c;
    return (section_tangent){ .xx = EA * c * c + GA * s * s,
                              .xy = (EA - GA) * c * s,
                              .yy = EA * s * s + GA * c * c,
                              .xt = EA * c * gamma + GA * s * stretch - ny,
                              .yt = EA * s * gamma - GA * c * stretch + nx,
                              .tt = EA * gamma * gamma + GA * stretch * stretch - axial * stretch -
                                    shear * gamma,
                              .kk = e->section.EIz * grow };
}

static void add_tangent(const section_state *at, const section_tangent *D, double w, double K[144])
{
    for (int i = 0; i < 4; i++) {
        double di = w * at->dN[i], ni = w * at->N[i];
        for (int j = i; j < 4; j++) {
            double dj = at->dN[j], nj = at->N[j], dd = di * dj;
            double *block = K + 36 * i + 3 * j;
            block[0] += dd * D->xx;
            block[1] += dd * D->xy;
            block[2] += di * nj * D->xt;
            block[12] += dd * D->xy;
            block[13] += dd * D->yy;
            block[14] += di * nj * D->yt;
            block[24] += ni * dj * D->xt;
            block[25] += ni * dj * D->yt;
            block[26] += ni * nj * D->tt + dd * D->kk;
        }
    }
}

static void beam_inside(yard *y, const planar_beam *e, double f[12], double *K)
{
    for (int g = 0; g < N_GAUSS; g++) {
        section_state at = section_at(y, e, g);
        double rate[3] = { 0.0 }, mu = e->section.viscous;
        if (mu > 0.0 && y->f_rate > 0.0) {
            section_rates(y, e, &at, rate);
        }
        double axial = e->section.EA * (at.strain[0] + mu * rate[0]);
        double shear = e->section.GAy * (at.strain[1] + mu * rate[1]);
        double moment = e->section.EIz * (at.strain[2] + mu * rate[2]);
        double nx = axial * at.c - shear * at.s, ny = axial * at.s + shear * at.c;
        double turning = axial * at.strain[1] - shear * (1.0 + at.strain[0]);
        double w = gauss_weight[g] * e->length;
        for (int i = 0; i < 4; i++) {
            f[3 * i] += w * at.dN[i] * nx;
            f[3 * i + 1] += w * at.dN[i] * ny;
            f[3 * i + 2] += w * (at.N[i] * turning + at.dN[i] * moment);
        }
        if (K) {
            section_tangent D = tangent_at(y, e, &at, axial, shear);
            add_tangent(&at, &D, w, K);
        }
    }
}

static void beam_inertia(const yard *y, const planar_beam *e, double f[12], double *K)
{
    double m = e->section.rhoA * e->length / 1680.0, J = e->section.rhoIz * e->length / 1680.0;
    for (int i = 0; i < 4; i++) {
        double weight = y->scale * e->section.rhoA * e->length * load_table[i];
        f[3 * i] -= weight * y->gravity.x;
        f[3 * i + 1] -= weight * y->gravity.y;
        for (int j = 0; j < 4 && y->f_mass > 0.0; j++) {
            const double *a = y->a + 3 * e->place[j];
            f[3 * i] += m * mass_table[i][j] * a[0];
            f[3 * i + 1] += m * mass_table[i][j] * a[1];
            f[3 * i + 2] += J * mass_table[i][j] * y->a[component_of_turn(y, e->turn[j], 2)];
            if (K && j >= i) {
                double *block = K + 36 * i + 3 * j;
                block[0] += m * mass_table[i][j] * y->f_mass;
                block[13] += m * mass_table[i][j] * y->f_mass;
                block[26] += J * mass_table[i][j] * y->f_mass;
            }
        }
    }
}

void planar_beams_add(yard *y, yard_want want)
{
    for (int k = 0; k < y->n_planar; k++) {
        const planar_beam *e = &y->planar[k];
        double f[12] = { 0.0 }, K[144];
        if (want == FORCES_AND_TANGENT) {
            memset(K, 0, sizeof K);
        }
        double *tangent = want == FORCES_AND_TANGENT ? K : NULL;
        beam_inside(y, e, f, tangent);
        beam_inertia(y, e, f, tangent);
        for (int i = 0; i < 12; i++) {
            y->force[e->map.a[i]] += f[i];
        }
        if (tangent) {
            map_add(&e->map, 12, K, y->value);
        }
    }
}

yard_forces planar_beam_forces(const yard *y, const planar_beam *e, double s)
{
    // at the Gauss points, and straight lines between and beyond them: elsewhere the interpolated strain oscillates
    double strain[N_GAUSS][3];
    for (int g = 0; g < N_GAUSS; g++) {
        section_state at = section_at(y, e, g);
        memcpy(strain[g], at.strain, sizeof at.strain);
    }
    int first = s > 0.5;
    double share = (s - gauss_place[first]) / (gauss_place[first + 1] - gauss_place[first]);
    double here[3];
    for (int k = 0; k < 3; k++) {
        here[k] = strain[first][k] + share * (strain[first + 1][k] - strain[first][k]);
    }
    return (yard_forces){ .N = e->section.EA * here[0],
                          .Qy = e->section.GAy * here[1],
                          .Mz = e->section.EIz * here[2] };
}

void planar_beam_point(const yard *y, const planar_beam *e, double s, vec3 *at, double *angle)
{
    double N[4], dN[4];
    lagrange(s, N, dN);
    *at = (vec3){ 0 };
    *angle = 0.0;
    for (int i = 0; i < 4; i++) {
        *at = vec3_add_scaled(*at, N[i], place_get(y->x, e->place[i]));
        *angle += N[i] * (y->x[component_of_turn(y, e->turn[i], 2)] + e->off[i]);
    }
}

double planar_beams_energy(const yard *y)
{
    double energy = 0.0;
    for (int k = 0; k < y->n_planar; k++) {
        const planar_beam *e = &y->planar[k];
        const yard_section *section = &e->section;
        for (int g = 0; g < N_GAUSS; g++) {
            section_state at = section_at(y, e, g);
            energy +=
                0.5 * gauss_weight[g] * e->length *
                (section->EA * at.strain[0] * at.strain[0] + section->GAy * at.strain[1] * at.strain[1] +
                 section->EIz * at.strain[2] * at.strain[2]);
        }
        for (int i = 0; i < 4; i++) {
            vec3 x = place_get(y->x, e->place[i]), v = place_get(y->v, e->place[i]);
            double w = y->v[component_of_turn(y, e->turn[i], 2)];
            energy -= section->rhoA * e->length * load_table[i] * vec3_dot(y->gravity, x);
            for (int j = 0; j < 4; j++) {
                vec3 v_j = place_get(y->v, e->place[j]);
                double w_j = y->v[component_of_turn(y, e->turn[j], 2)];
                energy += 0.5 * e->length / 1680.0 * mass_table[i][j] *
                          (section->rhoA * vec3_dot(v, v_j) + section->rhoIz * w * w_j);
            }
        }
    }
    return energy;
}
