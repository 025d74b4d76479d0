// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of small full matrices without symmetry, stored by rows. For analysis: allocates.
#pragma once
#include <stdbool.h>

// Eigenvalues of A (n x n, kept) sorted by real part, then imaginary part; complex ones come in exact pairs. False: no
// memory, a number that is not finite, or no convergence.
bool dense_eigenvalues(int n, const double *A, double *re, double *im);

// The vectors X of these eigenvalues, by rows: A x = (re + i im) x, largest component 1, real; by inverse iteration. An
// eigenvalue that occurs more than once has vectors across each other, or, where it has fewer, some of them again.
// False as above.
bool dense_eigenvectors(int n, const double *A, const double *re, const double *im, double *X_re,
                        double *X_im);
