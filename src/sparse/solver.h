// SPDX-License-Identifier: MIT
// The linear equations of a step, by one of several methods on the same pattern: our own sparse factor, KLU, or a full
// matrix.
#ifndef BIELA_SPARSE_SOLVER_H
#define BIELA_SPARSE_SOLVER_H

#include "sparse/pattern.h"

typedef enum { SOLVER_OWN, SOLVER_KLU, SOLVER_DENSE } solver_choice;

// What a method offers; the contracts are those of ldl.h. `close` releases what hides in a numeric array; NULL:
// nothing.
typedef struct {
    void *(*create)(const pattern *pat);
    void (*destroy)(void *tab);
    size_t (*numeric_count)(const void *tab);
    int (*factor)(const void *tab, const double *val, double *numeric, double pivot_tolerance);
    void (*solve)(const void *tab, double *numeric, double *b);
    int (*nnz)(const void *tab);
    double (*pivot)(const void *tab, const double *numeric, int i); // NULL: not known
    void (*close)(const void *tab, double *numeric);
    void (*shape)(const void *tab, int *order, int *start, int *row); // NULL: known only with numbers
} solver_kind;
extern const solver_kind solver_own, solver_dense,
    solver_klu; // solver_klu.create is NULL when built without KLU

typedef struct solver solver; // immutable after create
bool solver_exists(solver_choice choice);
solver *solver_create(solver_choice choice, const pattern *pat); // NULL: no memory
void solver_destroy(solver *s);
size_t solver_numeric_count(const solver *s); // doubles, zero at first
int solver_factor(const solver *s, const double *val, double *numeric, double pivot_tolerance);
void solver_solve(const solver *s, double *numeric, double *b);
int solver_nnz(const solver *s);
double solver_pivot(const solver *s, const double *numeric, int i); // as ldl_pivot; NAN: not known
void solver_close(const solver *s, double *numeric);
bool solver_shape(const solver *s, int *order, int *start, int *row); // as ldl_shape; false: not known

#endif
