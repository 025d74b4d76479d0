// SPDX-License-Identifier: MIT
// KLU of SuiteSparse, where it was found at build: pivots on the diagonal, so that they mean the same as ours.
#include "sparse/solver.h"
#ifdef BIELA_KLU
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, count;  // order, entries of both triangles
    int *start;    // compressed columns of the whole matrix           (n + 1)
    int *row;      //                                                   (count)
    int *from;     // entry of the pattern that each one repeats        (count)
    int *diagonal; // entry of the pattern on the diagonal              (n)
    klu_common common;
    klu_symbolic *symbolic;
} klu_tab;

// Lives in the numeric array of each user: made by its first factor, then only filled again.
typedef struct {
    klu_common common;
    klu_numeric *numeric;
} klu_own;

static void klu_tab_destroy(void *table)
{
    klu_tab *tab = table;
    klu_free_symbolic(&tab->symbolic, &tab->common);
    free(tab->start);
    free(tab->row);
    free(tab->from);
    free(tab->diagonal);
    free(tab);
}

static void fill_columns(klu_tab *tab, const pattern *pat)
{
    // count, then place; rows of a column come out ascending: first those above, then those below by symmetry
    for (int j = 0; j < pat->n; j++) {
        for (int k = pat->start[j]; k < pat->start[j + 1]; k++) {
            tab->start[j + 1]++;
            tab->start[pat->row[k] + 1] += pat->row[k] != j;
        }
        tab->diagonal[j] = pat->start[j + 1] - 1;
    }
    for (int j = 0; j < pat->n; j++) {
        tab->start[j + 1] += tab->start[j];
    }
    int *next = malloc(((size_t)pat->n + 1) * sizeof *next);
    for (int j = 0; next && j <= pat->n; j++) {
        next[j] = tab->start[j];
    }
    for (int j = 0; next && j < pat->n; j++) {
        for (int k = pat->start[j]; k < pat->start[j + 1]; k++) {
            int i = pat->row[k], to = next[j]++;
            tab->row[to] = i;
            tab->from[to] = k;
            if (i != j) {
                to = next[i]++;
                tab->row[to] = j;
                tab->from[to] = k;
            }
        }
    }
    free(next);
}

static void *klu_tab_create(const pattern *pat)
{
    klu_tab *tab = calloc(1, sizeof *tab);
    if (!tab) {
        return NULL;
    }
    tab->n = pat->n;
    tab->count = 2 * pat->nnz - pat->n;
    tab->start = calloc((size_t)pat->n + 2, sizeof *tab->start);
    tab->row = calloc((size_t)tab->count + 1, sizeof *tab->row);
    tab->from = calloc((size_t)tab->count + 1, sizeof *tab->from);
    tab->diagonal = calloc((size_t)pat->n + 1, sizeof *tab->diagonal);
    klu_defaults(&tab->common);
    tab->common.btf = 0;
    tab->common.scale = 0;
    tab->common.tol = 0.0;
    if (tab->start && tab->row && tab->from && tab->diagonal) {
        fill_columns(tab, pat);
        tab->symbolic = klu_analyze(tab->n, tab->start, tab->row, &tab->common);
    }
    if (!tab->symbolic) {
        klu_tab_destroy(tab);
        return NULL;
    }
    return tab;
}

// The pointer, then the values of both triangles.
static size_t klu_tab_numeric_count(const void *table)
{
    const klu_tab *tab = table;
    return 1 + (size_t)tab->count;
}

static klu_own *own_of(const double *numeric)
{
    klu_own *own;
    memcpy(&own, numeric, sizeof own);
    return own;
}

static int klu_tab_factor(const void *table, const double *val, double *numeric, double pivot_tolerance)
{
    const klu_tab *tab = table;
    klu_tab *shared = (klu_tab *)table; // KLU reads it only
    double *x = numeric + 1;
    klu_own *own = own_of(numeric);
    if (!own) {
        own = calloc(1, sizeof *own);
        if (!own) {
            return 0;
        }
        own->common = tab->common;
        memcpy(numeric, &own, sizeof own);
    }
    for (int k = 0; k < tab->count; k++) {
        x[k] = val[tab->from[k]];
    }
    if (!own->numeric) {
        own->numeric = klu_factor(shared->start, shared->row, x, shared->symbolic, &own->common);
    } else if (!klu_refactor(shared->start, shared->row, x, shared->symbolic, own->numeric, &own->common)) {
        klu_free_numeric(&own->numeric, &own->common);
    }
    if (!own->numeric) {
        return own->common.singular_col >= 0 && own->common.singular_col < tab->n ? own->common.singular_col
                                                                                  : 0;
    }
    const double *pivot = own->numeric->Udiag;
    for (int k = 0; k < tab->n; k++) {
        int i = tab->symbolic->Q[k];
        if (!(pivot[k] > pivot_tolerance * val[tab->diagonal[i]]) || !isfinite(pivot[k])) {
            return i;
        }
    }
    return -1;
}

static void klu_tab_solve(const void *table, double *numeric, double *b)
{
    const klu_tab *tab = table;
    klu_own *own = own_of(numeric);
    klu_solve(tab->symbolic, own->numeric, tab->n, 1, b, &own->common);
}

static int klu_tab_nnz(const void *table)
{
    const klu_tab *tab = table;
    return tab->symbolic->lnz > 0 ? (int)tab->symbolic->lnz : tab->count;
}

static void klu_tab_close(const void *table, double *numeric)
{
    (void)table;
    klu_own *own = own_of(numeric);
    if (own) {
        klu_free_numeric(&own->numeric, &own->common);
        free(own);
        memset(numeric, 0, sizeof own);
    }
}

const solver_kind solver_klu = { .create = klu_tab_create,
                                 .destroy = klu_tab_destroy,
                                 .numeric_count = klu_tab_numeric_count,
                                 .factor = klu_tab_factor,
                                 .solve = klu_tab_solve,
                                 .nnz = klu_tab_nnz,
                                 .close = klu_tab_close };
#else
const solver_kind solver_klu = { 0 };
#endif
