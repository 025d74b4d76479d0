// SPDX-License-Identifier: MIT
#include "sparse/solver.h"
#include "sparse/ldl.h"
#include <math.h>
#include <stdlib.h>

struct solver {
    solver_choice choice;
    void *tab;
};

static const solver_kind *const kinds[] = {
    [SOLVER_OWN] = &solver_own, [SOLVER_KLU] = &solver_klu, [SOLVER_DENSE] = &solver_dense
};
static const solver_kind *kind_of(const solver *s) { return kinds[s->choice]; }

bool solver_exists(solver_choice choice)
{
    return choice >= SOLVER_OWN && choice <= SOLVER_DENSE && kinds[choice]->create;
}

solver *solver_create(solver_choice choice, const pattern *pat)
{
    solver *s = calloc(1, sizeof *s);
    if (s) {
        s->choice = choice;
        s->tab = kinds[choice]->create(pat);
    }
    if (s && !s->tab) {
        free(s);
        return NULL;
    }
    return s;
}

void solver_destroy(solver *s)
{
    if (s) {
        kind_of(s)->destroy(s->tab);
        free(s);
    }
}

size_t solver_numeric_count(const solver *s) { return kind_of(s)->numeric_count(s->tab); }

int solver_factor(const solver *s, const double *val, double *numeric, double pivot_tolerance)
{
    return kind_of(s)->factor(s->tab, val, numeric, pivot_tolerance);
}

void solver_solve(const solver *s, double *numeric, double *b) { kind_of(s)->solve(s->tab, numeric, b); }

int solver_nnz(const solver *s) { return kind_of(s)->nnz(s->tab); }

double solver_pivot(const solver *s, const double *numeric, int i)
{
    return kind_of(s)->pivot ? kind_of(s)->pivot(s->tab, numeric, i) : (double)NAN;
}

void solver_close(const solver *s, double *numeric)
{
    if (kind_of(s)->close) {
        kind_of(s)->close(s->tab, numeric);
    }
}

bool solver_shape(const solver *s, int *order, int *start, int *row)
{
    if (!kind_of(s)->shape) {
        return false;
    }
    kind_of(s)->shape(s->tab, order, start, row);
    return true;
}

// ---- our own sparse factor -------------------------------------------------------------------------------

static void *own_create(const pattern *pat) { return ldl_create(pat); }

static void own_destroy(void *tab) { ldl_destroy(tab); }

static size_t own_numeric_count(const void *tab) { return ldl_numeric_count(tab); }

static int own_factor(const void *tab, const double *val, double *numeric, double pivot_tolerance)
{
    return ldl_factor(tab, val, numeric, pivot_tolerance);
}

static void own_solve(const void *tab, double *numeric, double *b) { ldl_solve(tab, numeric, b); }

static int own_nnz(const void *tab) { return ldl_nnz(tab); }

static double own_pivot(const void *tab, const double *numeric, int i) { return ldl_pivot(tab, numeric, i); }

static void own_shape(const void *tab, int *order, int *start, int *row)
{
    ldl_shape(tab, order, start, row);
}

const solver_kind solver_own = { .create = own_create,
                                 .destroy = own_destroy,
                                 .numeric_count = own_numeric_count,
                                 .factor = own_factor,
                                 .solve = own_solve,
                                 .nnz = own_nnz,
                                 .pivot = own_pivot,
                                 .shape = own_shape };
