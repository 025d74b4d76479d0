// SPDX-License-Identifier: MIT
// Matrices of three by three, kept as columns: the columns of a rotation are the axes of the frame.
#pragma once

#include <float.h>

#include "math/vec3.h"

typedef struct {
    vec3 col[3];
} mat3;

static inline mat3 mat3_identity(void)
{
    return (mat3){ { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
}

// A v
static inline vec3 mat3_apply(mat3 A, vec3 v)
{
    return (vec3){ A.col[0].x * v.x + A.col[1].x * v.y + A.col[2].x * v.z,
                   A.col[0].y * v.x + A.col[1].y * v.y + A.col[2].y * v.z,
                   A.col[0].z * v.x + A.col[1].z * v.y + A.col[2].z * v.z };
}

// A^T v
static inline vec3 mat3_apply_transposed(mat3 A, vec3 v)
{
    return (vec3){ vec3_dot(A.col[0], v), vec3_dot(A.col[1], v), vec3_dot(A.col[2], v) };
}

// A B
static inline mat3 mat3_multiply(mat3 A, mat3 B)
{
    return (mat3){ { mat3_apply(A, B.col[0]), mat3_apply(A, B.col[1]), mat3_apply(A, B.col[2]) } };
}

static inline mat3 mat3_transposed(mat3 A)
{
    return (mat3){ { { A.col[0].x, A.col[1].x, A.col[2].x },
                     { A.col[0].y, A.col[1].y, A.col[2].y },
                     { A.col[0].z, A.col[1].z, A.col[2].z } } };
}

static inline mat3 mat3_scale(double s, mat3 A)
{
    return (mat3){ { vec3_scale(s, A.col[0]), vec3_scale(s, A.col[1]), vec3_scale(s, A.col[2]) } };
}

static inline mat3 mat3_add(mat3 A, mat3 B)
{
    return (
        mat3){ { vec3_add(A.col[0], B.col[0]), vec3_add(A.col[1], B.col[1]), vec3_add(A.col[2], B.col[2]) } };
}

// a b^T
static inline mat3 mat3_outer(vec3 a, vec3 b)
{
    return (mat3){ { vec3_scale(b.x, a), vec3_scale(b.y, a), vec3_scale(b.z, a) } };
}

// The skew matrix of a: mat3_cross(a) v = a x v.
static inline mat3 mat3_cross(vec3 a)
{
    return (mat3){ { { 0.0, a.z, -a.y }, { -a.z, 0.0, a.x }, { a.y, -a.x, 0.0 } } };
}

static inline double mat3_det(mat3 A) { return vec3_dot(A.col[0], vec3_cross(A.col[1], A.col[2])); }

// Inverse of A; false, and out untouched, when A is singular to the precision of double or not finite.
static inline bool mat3_inverse(mat3 A, mat3 *out)
{
    // the determinant is at most the product of the lengths of the columns, so this test is free of units
    double det = mat3_det(A);
    double largest = vec3_norm(A.col[0]) * vec3_norm(A.col[1]) * vec3_norm(A.col[2]);
    if (!(fabs(det) > 4.0 * DBL_EPSILON * largest) || !isfinite(det)) {
        return false;
    }

    mat3 rows = { { vec3_cross(A.col[1], A.col[2]), vec3_cross(A.col[2], A.col[0]),
                    vec3_cross(A.col[0], A.col[1]) } };
    *out = mat3_scale(1.0 / det, mat3_transposed(rows));
    return true;
}

// Eigenvalues of a symmetric A, ascending; the part above the diagonal is read. Absolute error is of the order of
// DBL_EPSILON times the largest of them.
void mat3_symmetric_eigenvalues(mat3 A, double e[3]);
