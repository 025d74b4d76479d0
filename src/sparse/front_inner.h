// SPDX-License-Identifier: MIT
// What the symbolic and the numeric phase of the multifrontal factor share.
#pragma once
#include "sparse/front.h"
#include <stddef.h>

// Consecutive columns of L with common rows, eliminated together in one full matrix.
typedef struct {
    int first;       // first column
    int width;       // columns
    int below;       // rows below them
    int parent;      // supernode that takes the update matrix, -1 at a root
    ptrdiff_t row;   // its rows in `row`: first the columns themselves, then the rows below, ascending
    ptrdiff_t block; // its numbers: (width + below) x width, stored by columns
} supernode;

struct front {
    const pattern *pat;
    int n;
    int n_node;       // supernodes, in order of elimination
    supernode *node;  // (n_node)
    int *row;         // rows of all supernodes
    int *original;    // original variable of each column                          (n)
    int *lower_start; // entries of A below and on the diagonal of each column     (n + 1)
    int *lower_row;   // their rows                                                (nnz)
    int *lower_entry; // their places in the pattern                               (nnz)
    double *number;   // numbers of L, D on the diagonals; NULL before the first factor
    double *work;     // interleaved right-hand sides                              (4 n)
    double n_number;  // numbers of L
    double flops;     // of one factor
    int negative;     // negative pivots
    int bad;          // original variable of the first bad pivot, or -1
};

// Order of elimination by halving space again and again, the nodes between the halves last. False: no memory.
bool front_dissect(const pattern *pat, const double *place, int *order);

// Eliminates the first `pivots` columns of F and takes their products off the rest. F has `rows` rows; its first
// `pivots` columns are in `left` (stride rows), the others in `right` (stride rows - pivots, lower triangle). Pivots
// stay on the diagonal of left, L below it. `pack` has room for 2 * FRONT_BLOCK * (rows + 8) numbers. Gives the first
// local column with a bad pivot, or pivots.
#define FRONT_BLOCK 32
int front_eliminate(int rows, int pivots, double *left, double *right, double *pack);
