// SPDX-License-Identifier: MIT
// Eigenvalues of full symmetric matrices of some hundreds of rows, off line. For small or graded ones dense_eigen.h is
// more exact.
#pragma once
#include <stdbool.h>

// Eigenvalues of A (n x n, kept) in ascending order and unit eigenvectors, stored one after the other:
// vector[k * n + i]. Householder's reduction and the implicit QL iteration. False: no memory, numbers not finite, or no
// convergence.
bool dense_symmetric_vectors(int n, const double *A, double *value, double *vector);
