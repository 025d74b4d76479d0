// SPDX-License-Identifier: MIT
// Eigenvalues of small full symmetric matrices, stored by rows.
#ifndef BIELA_SPARSE_DENSE_EIGEN_H
#define BIELA_SPARSE_DENSE_EIGEN_H

// Eigenvalues of the symmetric A (n x n, destroyed) in ascending order, and unit eigenvectors as the columns of V
// (n x n), by Jacobi rotations: small eigenvalues are as good as large ones when A is graded.
void dense_symmetric_eigen(int n, double *A, double *value, double *V);

#endif

// The symmetric part of A (n x n, by rows, n up to DENSE_SMALL): its least eigenvalue, with the unit direction in which it
// is (n); *largest: the largest |eigenvalue|, which rounding is measured by.
enum { DENSE_SMALL = 6 };
double dense_least(int n, const double *A, double *direction, double *largest);
