// SPDX-License-Identifier: MIT
// From a stress to what is counted: principal and von Mises stress with a sign, normal and shear stress on planes;
// eqs. (life.9) to (life.12).
#include "io/life/life_body.h"
#include <math.h>
#include <stdlib.h>

// Directions of normals over half a sphere, as far from each other as the planes of half a turn, and four directions of
// shear on each.
typedef struct {
    double n[3], t[4][3];
} direction;
enum { SHEARS = 4 };

static double half_turn(void) { return acos(-1.0); }

static bool has_planes(const life_data *d) { return d->method == LIFE_PLANE || d->method == LIFE_SHEAR; }

int life_planes_of_fibre(const life_data *d) { return has_planes(d) ? d->n_plane : 1; }

static int ring_count(const life_data *d, int ring)
{
    int n_ring = d->n_plane / 2;
    double polar = 0.5 * half_turn() * ring / (n_ring > 0 ? n_ring : 1);
    // the equator is seen twice: half of it is enough
    double turns = ring == n_ring ? 1.0 : 2.0;
    int count = (int)ceil(turns * d->n_plane * sin(polar) - 1e-9);
    return count > 1 ? count : 1;
}

static int direction_count(const life_data *d)
{
    int count = 0;
    for (int ring = 0; ring <= d->n_plane / 2; ring++) {
        count += ring_count(d, ring);
    }
    return count;
}

int life_planes_of_tensor(const life_data *d)
{
    return !has_planes(d) ? 1 : direction_count(d) * (d->method == LIFE_SHEAR ? SHEARS : 1);
}

static void make_direction(double polar, double around, direction *to)
{
    double a[3] = { cos(polar) * cos(around), cos(polar) * sin(around), -sin(polar) };
    double b[3] = { -sin(around), cos(around), 0.0 };
    to->n[0] = sin(polar) * cos(around);
    to->n[1] = sin(polar) * sin(around);
    to->n[2] = cos(polar);
    for (int k = 0; k < SHEARS; k++) {
        for (int i = 0; i < 3; i++) {
            to->t[k][i] = cos(half_turn() * k / SHEARS) * a[i] + sin(half_turn() * k / SHEARS) * b[i];
        }
    }
}

// First those of fibres, four numbers each: shares of normal and shear stress in the normal stress and in the shear;
// then the directions.
double *life_planes_make(const life_data *d)
{
    int n = d->n_plane, n_direction = direction_count(d);
    size_t each = sizeof(direction) / sizeof(double);
    double *all = malloc((4 * (size_t)n + each * (size_t)n_direction) * sizeof *all);
    for (int k = 0; all && k < n; k++) {
        double phi = half_turn() * k / n;
        all[4 * k] = cos(phi) * cos(phi);
        all[4 * k + 1] = sin(2.0 * phi);
        all[4 * k + 2] = -0.5 * sin(2.0 * phi);
        all[4 * k + 3] = cos(2.0 * phi);
    }
    direction *to = all ? (direction *)(void *)(all + 4 * (size_t)n) : NULL;
    for (int ring = 0; to && ring <= n / 2; ring++) {
        int count = ring_count(d, ring);
        double polar = 0.5 * half_turn() * ring / (n / 2 > 0 ? n / 2 : 1);
        double whole = ring == n / 2 ? half_turn() : 2.0 * half_turn();
        for (int k = 0; k < count; k++) {
            make_direction(polar, whole * k / count, to++);
        }
    }
    return all;
}

static void fibre_on_planes(const life_data *d, const double *plane, const double *stress,
                            const double *shear, double *to, double *normal)
{
    for (int k = 0; k < d->n_plane; k++, plane += 4) {
        double *out = to + (size_t)k * LIFE_BLOCK, *beside = normal + (size_t)k * LIFE_BLOCK;
        bool is_shear = d->method == LIFE_SHEAR;
        for (int i = 0; i < LIFE_BLOCK; i++) {
            double along = plane[0] * stress[i] + plane[1] * shear[i];
            out[i] = is_shear ? plane[2] * stress[i] + plane[3] * shear[i] : along;
            beside[i] = along;
        }
    }
}

void life_fibre(const life_data *d, const double *plane, const double *stress, const double *shear,
                double *to, double *normal)
{
    switch (d->method) {
    case LIFE_METHODS:
    case LIFE_PRINCIPAL:
        for (int i = 0; i < LIFE_BLOCK; i++) {
            double half = 0.5 * stress[i];
            to[i] = half + copysign(sqrt(half * half + shear[i] * shear[i]), half);
        }
        break;
    case LIFE_MISES:
        for (int i = 0; i < LIFE_BLOCK; i++) {
            to[i] = copysign(sqrt(stress[i] * stress[i] + 3.0 * shear[i] * shear[i]), stress[i]);
        }
        break;
    case LIFE_PLANE:
    case LIFE_SHEAR: fibre_on_planes(d, plane, stress, shear, to, normal); break;
    }
}

// The principal stress of the largest size: invariants and the angle of Lode (life.10).
static double largest_principal(const double s[6])
{
    double mean = (s[0] + s[1] + s[2]) / 3.0, x = s[0] - mean, y = s[1] - mean, z = s[2] - mean;
    double j2 = 0.5 * (x * x + y * y + z * z) + s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    double j3 = x * (y * z - s[4] * s[4]) - s[3] * (s[3] * z - s[4] * s[5]) + s[5] * (s[3] * s[4] - y * s[5]);
    double size = sqrt(j2 / 3.0), cube = size * size * size;
    double angle = acos(cube > 0.0 ? fmax(-1.0, fmin(1.0, 0.5 * j3 / cube)) : 1.0) / 3.0;
    double first = mean + 2.0 * size * cos(angle);
    double last = mean + 2.0 * size * cos(angle + 2.0 * half_turn() / 3.0);
    return fabs(first) >= fabs(last) ? first : last;
}

static double von_mises(const double s[6])
{
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void on_planes(const life_data *d, const double *plane, const double s[6], double *to, double *normal)
{
    const direction *at = (const direction *)(const void *)(plane + 4 * (size_t)d->n_plane);
    int n = direction_count(d);
    for (int k = 0; k < n; k++) {
        const double *v = at[k].n;
        double pull[3] = { s[0] * v[0] + s[3] * v[1] + s[5] * v[2], s[3] * v[0] + s[1] * v[1] + s[4] * v[2],
                           s[5] * v[0] + s[4] * v[1] + s[2] * v[2] };
        double along = pull[0] * v[0] + pull[1] * v[1] + pull[2] * v[2];
        if (d->method == LIFE_PLANE) {
            to[(size_t)k * LIFE_BLOCK] = along;
            continue;
        }
        for (int i = 0; i < SHEARS; i++) {
            const double *t = at[k].t[i];
            normal[(size_t)(SHEARS * k + i) * LIFE_BLOCK] = along;
            to[(size_t)(SHEARS * k + i) * LIFE_BLOCK] = pull[0] * t[0] + pull[1] * t[1] + pull[2] * t[2];
        }
    }
}

void life_tensor(const life_data *d, const double *plane, const double s[6], double *to, double *normal)
{
    switch (d->method) {
    case LIFE_METHODS:
    case LIFE_PRINCIPAL: *to = largest_principal(s); break;
    case LIFE_MISES: *to = copysign(von_mises(s), largest_principal(s)); break;
    case LIFE_PLANE:
    case LIFE_SHEAR: on_planes(d, plane, s, to, normal); break;
    }
}
