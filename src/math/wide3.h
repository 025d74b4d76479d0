// SPDX-License-Identifier: MIT
// Vectors of three components in four lanes, for loops over many of them: one instruction does what three do on a vec3
// where the processor has AVX2, two elsewhere. Products and sums have the order of those in vec3.h and mat3.h, hence
// the same bits.
#pragma once

#include "math/mat3.h"
#include "math/sym3.h"

#if defined(__GNUC__) && !defined(__clang__)
// nothing wide is passed between functions that stay apart
#pragma GCC diagnostic ignored "-Wpsabi"
#elif defined(__clang__)
#pragma clang diagnostic ignored "-Wpsabi"
#endif
#define WIDE static inline __attribute__((always_inline))

// x, y, z and a lane that stays zero. Aligned as a double, so that it may stand anywhere.
typedef double wide3 __attribute__((vector_size(32), aligned(8)));

typedef struct {
    wide3 col[3];
} wide_mat3;

WIDE wide3 wide3_zero(void) { return (wide3){ 0.0, 0.0, 0.0, 0.0 }; }
WIDE wide3 wide3_of(vec3 a) { return (wide3){ a.x, a.y, a.z, 0.0 }; }
WIDE vec3 wide3_narrow(wide3 a) { return (vec3){ a[0], a[1], a[2] }; }
WIDE wide3 wide3_read(const double *from) { return (wide3){ from[0], from[1], from[2], 0.0 }; }

WIDE void wide3_put(double *to, wide3 a)
{
    to[0] = a[0];
    to[1] = a[1];
    to[2] = a[2];
}

WIDE double wide3_dot(wide3 a, wide3 b)
{
    wide3 p = a * b;
    return p[0] + p[1] + p[2];
}

WIDE wide3 wide3_cross(wide3 a, wide3 b)
{
    wide3 c = a * __builtin_shufflevector(b, b, 1, 2, 0, 3) - __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

WIDE wide_mat3 wide_mat3_of(mat3 A)
{
    return (wide_mat3){ { wide3_of(A.col[0]), wide3_of(A.col[1]), wide3_of(A.col[2]) } };
}

WIDE mat3 wide_mat3_narrow(const wide_mat3 *A)
{
    return (mat3){ { wide3_narrow(A->col[0]), wide3_narrow(A->col[1]), wide3_narrow(A->col[2]) } };
}

WIDE wide_mat3 wide_mat3_zero(void) { return (wide_mat3){ { wide3_zero(), wide3_zero(), wide3_zero() } }; }

// s times the unit matrix
WIDE wide_mat3 wide_mat3_unit(double s)
{
    return (wide_mat3){ { { s, 0.0, 0.0, 0.0 }, { 0.0, s, 0.0, 0.0 }, { 0.0, 0.0, s, 0.0 } } };
}

// A v
WIDE wide3 wide_mat3_apply(const wide_mat3 *A, wide3 v)
{
    return A->col[0] * v[0] + A->col[1] * v[1] + A->col[2] * v[2];
}

// The same for a vector of a table.
WIDE wide3 wide_mat3_apply_vec3(const wide_mat3 *A, const vec3 *v)
{
    return A->col[0] * v->x + A->col[1] * v->y + A->col[2] * v->z;
}

WIDE wide_mat3 wide_mat3_multiply(const wide_mat3 *A, const mat3 *B)
{
    return (wide_mat3){ { wide_mat3_apply_vec3(A, &B->col[0]), wide_mat3_apply_vec3(A, &B->col[1]),
                          wide_mat3_apply_vec3(A, &B->col[2]) } };
}

WIDE wide_mat3 wide_mat3_transposed(const wide_mat3 *A)
{
    wide3 low = __builtin_shufflevector(A->col[0], A->col[1], 0, 4, 2, 6);
    wide3 high = __builtin_shufflevector(A->col[0], A->col[1], 1, 5, 3, 7);
    wide3 zero = wide3_zero();
    wide3 last_low = __builtin_shufflevector(A->col[2], zero, 0, 4, 2, 6);
    wide3 last_high = __builtin_shufflevector(A->col[2], zero, 1, 5, 3, 7);
    return (wide_mat3){ { __builtin_shufflevector(low, last_low, 0, 1, 4, 5),
                          __builtin_shufflevector(high, last_high, 0, 1, 4, 5),
                          __builtin_shufflevector(low, last_low, 2, 3, 6, 7) } };
}

WIDE void wide_mat3_add(wide_mat3 *A, const wide_mat3 *B)
{
    A->col[0] += B->col[0];
    A->col[1] += B->col[1];
    A->col[2] += B->col[2];
}

// A -= a b^T
WIDE void wide_mat3_less_outer(wide_mat3 *A, wide3 a, wide3 b)
{
    A->col[0] -= a * b[0];
    A->col[1] -= a * b[1];
    A->col[2] -= a * b[2];
}

// [a] B: the cross product with every column
WIDE wide_mat3 wide_mat3_cross(wide3 a, const wide_mat3 *B)
{
    return (wide_mat3){ { wide3_cross(a, B->col[0]), wide3_cross(a, B->col[1]), wide3_cross(a, B->col[2]) } };
}

// B [a]: column by column, since [a] = (0 z -y; -z 0 x; y -x 0) in columns
WIDE wide_mat3 wide_mat3_times_cross(const wide_mat3 *B, wide3 a)
{
    return (wide_mat3){ { B->col[1] * a[2] - B->col[2] * a[1], B->col[2] * a[0] - B->col[0] * a[2],
                          B->col[0] * a[1] - B->col[1] * a[0] } };
}

// R A R^T
WIDE wide_mat3 wide_mat3_turned(const wide_mat3 *R, const sym3 *A)
{
    wide3 x = R->col[0] * A->xx + R->col[1] * A->xy + R->col[2] * A->zx;
    wide3 y = R->col[0] * A->xy + R->col[1] * A->yy + R->col[2] * A->yz;
    wide3 z = R->col[0] * A->zx + R->col[1] * A->yz + R->col[2] * A->zz;
    return (wide_mat3){ { x * R->col[0][0] + y * R->col[1][0] + z * R->col[2][0],
                          x * R->col[0][1] + y * R->col[1][1] + z * R->col[2][1],
                          x * R->col[0][2] + y * R->col[1][2] + z * R->col[2][2] } };
}

// R diag(d) R^T = d1 1 + (d2 - d1) c2 c2^T + (d3 - d1) c3 c3^T with the columns of R
WIDE wide_mat3 wide_mat3_turned_diagonal(const wide_mat3 *R, const sym3 *d)
{
    wide_mat3 out = wide_mat3_unit(d->xx);
    wide3 second = R->col[1] * (d->yy - d->xx), third = R->col[2] * (d->zz - d->xx);
    for (int i = 0; i < 3; i++) {
        out.col[i] = out.col[i] + second * R->col[1][i] + third * R->col[2][i];
    }
    return out;
}

// A += (a.b) 1 - (a b^T + b a^T) / 2: the moment of inertia of a mass on an arm, a and b parallel or not
WIDE void wide_mat3_add_moment(wide_mat3 *A, wide3 a, wide3 b)
{
    double both = wide3_dot(a, b);
    wide_mat3 round = wide_mat3_unit(both);
    wide3 half = a * 0.5, other = b * 0.5;
    for (int i = 0; i < 3; i++) {
        A->col[i] += round.col[i] - (half * b[i] + other * a[i]);
    }
}
