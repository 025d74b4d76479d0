// SPDX-License-Identifier: MIT
// Factor A = L D L^T of one large symmetric matrix, off line (finite elements): multifrontal, definite or not. The step
// of a simulation uses ldl.h instead.
#pragma once
#include "sparse/pattern.h"

typedef struct front front;

// Told how far a long computation is, 0..1; gives false to stop it.
typedef bool front_progress(void *data, double share);

// How a factorisation ended.
typedef enum {
    FRONT_GOOD,
    FRONT_SINGULAR, // a pivot is zero beside the entries of its column, or not finite
    FRONT_MEMORY,
    FRONT_STOPPED // by the progress function
} front_status;

// Ordering and symbolic analysis of one pattern, which must outlive the factor. NULL if there is no memory.
front *front_create(const pattern *pat);
// The same with the coordinates of each variable (3 n): orders by dissection of space where that is cheaper. NULL:
// none.
front *front_create_placed(const pattern *pat, const double *place);
void front_destroy(front *fac);

// Factors the matrix with numbers val (order of the pattern), without exchange of pivots: exact enough for positive
// definite matrices, and for others unless a pivot happens to be tiny.
front_status front_factor(front *fac, const double *val, front_progress *progress, void *data);

// Negative pivots after a good factor: by Sylvester's law the number of negative eigenvalues of A.
int front_negative(const front *fac);

// Original variable of the first bad pivot after FRONT_SINGULAR.
int front_bad_variable(const front *fac);

// Solves A X = B in place of B (count columns of n) after a good factor.
void front_solve(front *fac, int count, double *B);

// Entries of L, and multiplications and additions of one factor.
double front_nnz(const front *fac);
double front_flops(const front *fac);
