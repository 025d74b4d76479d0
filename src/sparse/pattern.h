// SPDX-License-Identifier: MIT
// The places of a symmetric sparse matrix, without its numbers.
#ifndef BIELA_SPARSE_PATTERN_H
#define BIELA_SPARSE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

// Compressed columns of the upper triangle. The diagonal is always present and is the last entry of its column. The
// numbers of a matrix with this pattern are an array of nnz doubles in the same order.
typedef struct {
    int n;      // order of the matrix
    int nnz;    // stored entries
    int *start; // first entry of each column                             (n + 1), written by pattern_build
    int *row;   // row of each entry, row <= column, ascending in a column (nnz), written by pattern_build
} pattern;

// A growing heap of pairs (i, j); repeated pairs and either order are welcome.
typedef struct {
    int n;           // order of the matrix
    size_t count;    // pairs collected
    size_t capacity; // pairs there is room for
    int *pair;       // smaller and larger index of each pair              (2 * capacity)
    bool is_short;   // memory ran out in an earlier add: build will refuse
} pattern_builder;

// Starts an empty builder for a matrix of order n; owns nothing until the first add.
void pattern_builder_init(pattern_builder *builder, int n);
void pattern_builder_free(pattern_builder *builder);

// Adds the entry (i, j) and, by symmetry, (j, i). A lack of memory is remembered and reported by pattern_build.
void pattern_add(pattern_builder *builder, int i, int j);

// Adds all pairs among `count` variables: a full block.
void pattern_add_clique(pattern_builder *builder, int count, const int *index);

// Sorts and joins the pairs in time linear in their number. False if there is no memory or nnz does not fit an int;
// `out` is then empty. The builder stays usable.
bool pattern_build(const pattern_builder *builder, pattern *out);
void pattern_free(pattern *pat);

// Index of entry (i, j) or (j, i) in the array of numbers, -1 if the pattern lacks it.
int pattern_find(const pattern *pat, int i, int j);

// y += A x with the full symmetric A; x and y have n entries and do not overlap.
void pattern_multiply(const pattern *pat, const double *val, const double *x, double *y);

#endif
