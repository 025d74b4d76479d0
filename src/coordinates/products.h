// SPDX-License-Identifier: MIT
// Products that every set of coordinates forms on the tangent's pattern.
#pragma once
#include "state/trays.h"
#include <stdbool.h>

// An entry of the mass matrix and its place in the tangent.
typedef struct {
    int i, j, entry;
} mass_entry;

// y += M x
void mass_multiply(const mass_entry *list, int count, const double *M, const double *x, double *y);

static inline void negate(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = -x[i];
    }
}

// the widest group of markers of a law, and the most variables that move it, that a tangent is formed for; beyond them
// Newton is only slower, since the residual stays exact
enum { BLOCK_WIDTH = 36, BLOCK_COLUMNS = 256 };

// J: where a unit effort on each of the w numbers of a group goes, n variables.
typedef struct {
    int w, n;
    double J[BLOCK_WIDTH][BLOCK_COLUMNS];
} block_map_values;

// Any of these efforts is not zero.
static inline bool is_loaded(const double *effort, int width)
{
    for (int i = 0; i < width; i++) {
        if (effort[i] != 0.0) {
            return true;
        }
    }
    return false;
}

// A law that does nothing now: most contacts, most of the time.
static inline bool block_is_zero(const double *K, const double *C, int width)
{
    for (int i = 0; i < width * width; i++) {
        if (K[i] != 0.0 || C[i] != 0.0) {
            return false;
        }
    }
    return true;
}
// T += J^T (symmetric part of wK K + wC C) J; entry: places of the pairs (0,0) (1,0) (1,1) (2,0) ...
void block_add(block_map_values *b, const double *K, const double *C, double wK, double wC, const int *entry,
               double *T);
