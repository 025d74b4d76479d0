// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of small full matrices without symmetry, stored by rows. For analysis: allocates.
#pragma once
#include <stdbool.h>

// Eigenvalues of A (n x n, kept) sorted by real part, then imaginary part; complex ones come in exact pairs. False: no
// memory, a number that is not finite, or no convergence.
bool dense_eigenvalues(int n, const double *A, double *re, double *im);

// A unit vector x (largest component 1, real) with A x = (re + i im) x, by inverse iteration. False as above.
bool dense_eigenvector(int n, const double *A, double re, double im, double *x_re, double *x_im);
