// SPDX-License-Identifier: MIT
// Small full matrices, stored by rows. For compile time and analysis, not for the step: some functions allocate.
#ifndef BIELA_SPARSE_DENSE_H
#define BIELA_SPARSE_DENSE_H

#include <stdbool.h>

#define DENSE_TINY 32 // largest side of dense_pseudo_inverse

// Sum of a_i b_i, in order.
double dense_dot(int n, const double *a, const double *b);

// Rank of the rows of A (m x n, destroyed), taken in order. Rows are scaled to unit length first;
// dependent[r] is 1 if less than `tolerance` of row r is left beside the rows accepted before it, or if it is zero or
// not finite.
int dense_rank(int m, int n, double *A, double tolerance, int *dependent);

// Solves A x = b in place of b (A n x n, destroyed) by LU with row exchanges. False if a pivot is zero or not finite.
bool dense_solve(int n, double *A, double *b);

// Solves A x = b in place of b for a symmetric positive definite A, whose lower triangle is replaced by its Cholesky
// factor. b may be NULL: only the factor then. False if A is not positive definite; b is then untouched.
bool dense_cholesky(int n, double *A, double *b);

// The x of least norm among those with least |A x - b| (A m x n, destroyed). b has max(m, n) entries; x is
// left in its first n. Diagonal entries of R below tolerance times the largest count as zero. Gives the rank;
// -1 if there is no memory.
int dense_least_squares(int m, int n, double *A, double *b, double tolerance);

// out (n x m) = pseudo-inverse of A (m x n), m and n <= DENSE_TINY.
void dense_pseudo_inverse(int m, int n, const double *A, double *out);

// Orthonormal columns Z (n x k, stored with rows of length k; room for n * n) with A Z = 0. Gives k; -1 if there is no
// memory. Tolerance as in dense_least_squares.
int dense_null_space(int m, int n, const double *A, double tolerance, double *Z);

#endif
