// SPDX-License-Identifier: MIT
// Sparse A = L D L^T on a fixed pattern: analyse once, factor and solve many times without memory or searching.
#ifndef BIELA_SPARSE_LDL_H
#define BIELA_SPARSE_LDL_H

#include "sparse/pattern.h"

// Ordering and symbolic analysis of one pattern. Immutable after create: any number of threads may share it, each with
// its own numeric array.
typedef struct ldl ldl;

// Analyses a pattern (which may be freed afterwards). NULL if there is no memory.
ldl *ldl_create(const pattern *pat);
void ldl_destroy(ldl *fac);

// Doubles of the numeric array that the caller owns: factor and scratch of factor and solve.
size_t ldl_numeric_count(const ldl *fac);

// Factors the matrix with numbers val (order of the pattern). Gives -1 if every pivot is finite and
// d_i > pivot_tolerance * a_ii; otherwise the original index of the first variable, in the order of elimination, whose
// pivot is not; the numeric array is then of no use for ldl_solve.
int ldl_factor(const ldl *fac, const double *val, double *numeric, double pivot_tolerance);

// Solves A x = b in place after a good ldl_factor. Writes only b and the scratch part of numeric.
void ldl_solve(const ldl *fac, double *numeric, double *b);

// Pivot d_i of the original variable i after a good ldl_factor.
double ldl_pivot(const ldl *fac, const double *numeric, int i);

// Stored entries of L and D together, including the zeros accepted for the sake of full blocks.
int ldl_nnz(const ldl *fac);

// Where they are: order[k] is the original variable of column k of L, row[start[k]..start[k + 1]) its rows in the order
// of elimination, the diagonal first. Lengths n, n + 1 and ldl_nnz.
void ldl_shape(const ldl *fac, int *order, int *start, int *row);

#endif
