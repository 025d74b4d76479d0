// SPDX-License-Identifier: MIT
// Lowest eigenvalues of K x = lambda M x with large sparse symmetric matrices (theory/flex.md, eigen).
#pragma once
#include "sparse/front.h"

// What is asked. K and M share a pattern; K positive semi-definite, M positive semi-definite.
typedef struct {
    const pattern *pat;
    const double *K;     // N/m ...                                                   (pat->nnz)
    const double *M;     // kg ...                                                    (pat->nnz)
    const double *place; // coordinates of each unknown, for a better ordering; NULL  (3 n)
    int count;           // lowest eigenvalues wanted; 0: all up to `up_to`
    double up_to;        // with count 0: all lambda <= up_to, (rad/s)^2
    double shift; // lambda near which the inverse is taken: 0 when K is definite, negative for a free body
    double tolerance;         // of the vectors, relative (eigenvalues: its square); 0: 1e-8
    bool is_unchecked;        // with a count: no second factor to see that none was missed
    front *factor;            // of K - shift M, good; NULL: made here
    front_progress *progress; // NULL: none
    void *data;               // for progress
} eigen_problem;

typedef enum {
    EIGEN_GOOD,
    EIGEN_SINGULAR, // K - shift M has no factor: the body is free, or a freedom has no stiffness
    EIGEN_MEMORY,
    EIGEN_STOPPED,   // by the progress function
    EIGEN_NOT_FOUND, // not converged, or fewer finite eigenvalues than wanted
    EIGEN_MISSED     // a count by Sylvester's law tells that some lower ones were missed
} eigen_status;

typedef struct {
    int count;      // eigenvalues found
    double *value;  // ascending                                                      (count)
    double *vector; // x_k at vector + k n, x_k^T M x_k = 1, largest entry positive   (count n)
    int bad;        // EIGEN_SINGULAR: the unknown of the bad pivot, or -1
    int n_solve;    // solutions with the factor
} eigen_result;

eigen_status eigen_solve(const eigen_problem *problem, eigen_result *out);
void eigen_clear(eigen_result *result);

// Eigenvalues below lambda, by the signs of the pivots of K - lambda M. -1: no memory or a zero pivot.
int eigen_count_below(const eigen_problem *problem, double lambda);
