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

// J: where a unit effort on each of the w numbers of a group goes, n variables; rows are filled up to a multiple of
// four.
typedef struct {
    int w, n, stride;
    double *J; // (w, stride); behind it as much and one row more to work in
} block_map_values;

static inline bool block_has_tangent(int w, int n) { return w <= BLOCK_WIDTH && n <= BLOCK_COLUMNS; }

static inline block_map_values block_values(int w, int n, double *room)
{
    return (block_map_values){ w, n, (n + 3) / 4 * 4, room };
}

// Numbers of the room; the larger of it and `most`.
static inline int block_room(int w, int n, int most)
{
    int stride = (n + 3) / 4 * 4, size = block_has_tangent(w, n) ? (2 * w + 1) * stride : 0;
    return size > most ? size : most;
}

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
void block_add(const block_map_values *b, const double *K, const double *C, double wK, double wC,
               const int *entry, double *T);
