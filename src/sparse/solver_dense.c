// SPDX-License-Identifier: MIT
// A full matrix, A = L D L^T in the order given: nothing hides in it, so that it is the judge when others are doubted.
#include "sparse/solver.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, nnz;
    int *start, *row;
} dense_tab;

static void dense_destroy(void *table)
{
    dense_tab *tab = table;
    free(tab->start);
    free(tab->row);
    free(tab);
}

static void *dense_create(const pattern *pat)
{
    dense_tab *tab = calloc(1, sizeof *tab);
    if (!tab) {
        return NULL;
    }
    tab->n = pat->n;
    tab->nnz = pat->nnz;
    tab->start = malloc(((size_t)pat->n + 1) * sizeof *tab->start);
    tab->row = malloc(((size_t)pat->nnz + 1) * sizeof *tab->row);
    if (!tab->start || !tab->row) {
        dense_destroy(tab);
        return NULL;
    }
    memcpy(tab->start, pat->start, ((size_t)pat->n + 1) * sizeof *tab->start);
    memcpy(tab->row, pat->row, (size_t)pat->nnz * sizeof *tab->row);
    return tab;
}

static size_t dense_numeric_count(const void *table)
{
    const dense_tab *tab = table;
    return (size_t)tab->n * (size_t)tab->n + (size_t)tab->n;
}

// Row i of L, then d_i: needs only the rows before.
static double eliminate_row(int i, size_t n, double *L, const double *d)
{
    double *row = &L[(size_t)i * n], pivot = row[i];
    for (int j = 0; j < i; j++) {
        const double *other = &L[(size_t)j * n];
        double sum = row[j];
        for (int k = 0; k < j; k++) {
            sum -= row[k] * other[k];
        }
        row[j] = sum; // L_ij d_j, as long as others of this row need it
    }
    for (int j = 0; j < i; j++) {
        double scaled = row[j] / d[j];
        pivot -= scaled * row[j];
        row[j] = scaled;
    }
    return pivot;
}

static int dense_factor(const void *table, const double *val, double *numeric, double pivot_tolerance)
{
    const dense_tab *tab = table;
    size_t n = (size_t)tab->n;
    double *L = numeric, *d = numeric + n * n;
    memset(L, 0, n * n * sizeof *L);
    for (int j = 0; j < tab->n; j++) {
        for (int k = tab->start[j]; k < tab->start[j + 1]; k++) {
            L[(size_t)j * n + (size_t)tab->row[k]] = val[k];
        }
    }
    for (int i = 0; i < tab->n; i++) {
        double diagonal = L[(size_t)i * n + (size_t)i];
        d[i] = eliminate_row(i, n, L, d);
        if (!(d[i] > pivot_tolerance * diagonal) || !isfinite(d[i])) {
            return i;
        }
    }
    return -1;
}

static void dense_solve_factored(const void *table, double *numeric, double *b)
{
    const dense_tab *tab = table;
    size_t n = (size_t)tab->n;
    const double *L = numeric, *d = numeric + n * n;
    for (int i = 0; i < tab->n; i++) {
        for (int j = 0; j < i; j++) {
            b[i] -= L[(size_t)i * n + (size_t)j] * b[j];
        }
    }
    for (int i = 0; i < tab->n; i++) {
        b[i] /= d[i];
    }
    for (int i = tab->n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++) {
            b[j] -= L[(size_t)i * n + (size_t)j] * b[i];
        }
    }
}

static int dense_nnz(const void *table)
{
    const dense_tab *tab = table;
    return tab->n * (tab->n + 1) / 2;
}

// The lower triangle, in the order of the variables.
static void dense_shape(const void *table, int *order, int *start, int *row)
{
    const dense_tab *tab = table;
    int count = 0;
    for (int j = 0; j < tab->n; j++) {
        order[j] = j;
        start[j] = count;
        for (int i = j; i < tab->n; i++) {
            row[count++] = i;
        }
    }
    start[tab->n] = count;
}

static double dense_pivot(const void *table, const double *numeric, int i)
{
    const dense_tab *tab = table;
    return numeric[(size_t)tab->n * (size_t)tab->n + (size_t)i];
}

const solver_kind solver_dense = { .create = dense_create,
                                   .destroy = dense_destroy,
                                   .numeric_count = dense_numeric_count,
                                   .factor = dense_factor,
                                   .solve = dense_solve_factored,
                                   .nnz = dense_nnz,
                                   .pivot = dense_pivot,
                                   .shape = dense_shape };
