// SPDX-License-Identifier: MIT
// Symmetric matrices of three by three.
#pragma once

#include "math/mat3.h"

typedef struct {
    double xx, yy, zz, xy, yz, zx;
} sym3;

// A v
static inline vec3 sym3_apply(const sym3 *A, vec3 v)
{
    return (vec3){ A->xx * v.x + A->xy * v.y + A->zx * v.z, A->xy * v.x + A->yy * v.y + A->yz * v.z,
                   A->zx * v.x + A->yz * v.y + A->zz * v.z };
}

static inline void sym3_add(sym3 *A, const sym3 *B)
{
    A->xx += B->xx;
    A->yy += B->yy;
    A->zz += B->zz;
    A->xy += B->xy;
    A->yz += B->yz;
    A->zx += B->zx;
}

// A += s a a^T
static inline void sym3_add_square(sym3 *A, double s, vec3 a)
{
    vec3 b = { s * a.x, s * a.y, s * a.z };
    A->xx += b.x * a.x;
    A->yy += b.y * a.y;
    A->zz += b.z * a.z;
    A->xy += b.x * a.y;
    A->yz += b.y * a.z;
    A->zx += b.z * a.x;
}

// A += (a.b) 1 - a b^T for parallel a and b, or its symmetric part for others: the moment of inertia of a mass on an
// arm
static inline void sym3_add_moment(sym3 *A, vec3 a, vec3 b)
{
    double xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
    A->xx += yy + zz;
    A->yy += zz + xx;
    A->zz += xx + yy;
    A->xy -= 0.5 * (a.x * b.y + a.y * b.x);
    A->yz -= 0.5 * (a.y * b.z + a.z * b.y);
    A->zx -= 0.5 * (a.z * b.x + a.x * b.z);
}

// R A R^T
static inline sym3 sym3_turned(const mat3 *R, const sym3 *A)
{
    const vec3 *c = R->col;
    // columns of R A
    vec3 x = { A->xx * c[0].x + A->xy * c[1].x + A->zx * c[2].x,
               A->xx * c[0].y + A->xy * c[1].y + A->zx * c[2].y,
               A->xx * c[0].z + A->xy * c[1].z + A->zx * c[2].z };
    vec3 y = { A->xy * c[0].x + A->yy * c[1].x + A->yz * c[2].x,
               A->xy * c[0].y + A->yy * c[1].y + A->yz * c[2].y,
               A->xy * c[0].z + A->yy * c[1].z + A->yz * c[2].z };
    vec3 z = { A->zx * c[0].x + A->yz * c[1].x + A->zz * c[2].x,
               A->zx * c[0].y + A->yz * c[1].y + A->zz * c[2].y,
               A->zx * c[0].z + A->yz * c[1].z + A->zz * c[2].z };
    return (sym3){ x.x * c[0].x + y.x * c[1].x + z.x * c[2].x, x.y * c[0].y + y.y * c[1].y + z.y * c[2].y,
                   x.z * c[0].z + y.z * c[1].z + z.z * c[2].z, x.x * c[0].y + y.x * c[1].y + z.x * c[2].y,
                   x.y * c[0].z + y.y * c[1].z + z.y * c[2].z, x.z * c[0].x + y.z * c[1].x + z.z * c[2].x };
}

// R diag(d) R^T = d1 1 + (d2 - d1) c2 c2^T + (d3 - d1) c3 c3^T with the columns of R
static inline sym3 sym3_turned_diagonal(const mat3 *R, const sym3 *d)
{
    sym3 out = { d->xx, d->xx, d->xx, 0.0, 0.0, 0.0 };
    sym3_add_square(&out, d->yy - d->xx, R->col[1]);
    sym3_add_square(&out, d->zz - d->xx, R->col[2]);
    return out;
}
