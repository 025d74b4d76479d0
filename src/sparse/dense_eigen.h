// SPDX-License-Identifier: MIT
// Eigenvalues of small full symmetric matrices, stored by rows.
#ifndef BIELA_SPARSE_DENSE_EIGEN_H
#define BIELA_SPARSE_DENSE_EIGEN_H

// Eigenvalues of the symmetric A (n x n, destroyed) in ascending order, and unit eigenvectors as the columns of V (n x n),
// by Jacobi rotations: small eigenvalues are as good as large ones when A is graded.
void dense_symmetric_eigen(int n, double *A, double *value, double *V);

#endif
