// SPDX-License-Identifier: MIT
#include "sparse/pattern.h"

#include "base/check.h"
#include <limits.h>
#include <stdlib.h>

void pattern_builder_init(pattern_builder *builder, int n)
{
    BI_ASSERT(n >= 0);
    *builder = (pattern_builder){ .n = n };
}

void pattern_builder_free(pattern_builder *builder)
{
    free(builder->pair);
    *builder = (pattern_builder){ 0 };
}

static bool builder_grow(pattern_builder *builder)
{
    size_t capacity = builder->capacity == 0 ? 256 : 2 * builder->capacity;
    int *pair = realloc(builder->pair, 2 * capacity * sizeof *pair);
    if (!pair) {
        builder->is_short = true;
        return false;
    }
    builder->pair = pair;
    builder->capacity = capacity;
    return true;
}

void pattern_add(pattern_builder *builder, int i, int j)
{
    BI_ASSERT(0 <= i && i < builder->n && 0 <= j && j < builder->n);
    // the diagonal is always there
    if (i == j) {
        return;
    }
    if (builder->count == builder->capacity && !builder_grow(builder)) {
        return;
    }
    int *pair = builder->pair + 2 * builder->count++;
    pair[0] = i < j ? i : j;
    pair[1] = i < j ? j : i;
}

void pattern_add_clique(pattern_builder *builder, int count, const int *index)
{
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            pattern_add(builder, index[i], index[j]);
        }
    }
}

// Columns of the pairs, bucketed by row: the columns of row i are column[begin[i] .. begin[i + 1]).
static void bucket_by_row(const pattern_builder *builder, size_t *begin, int *column)
{
    int n = builder->n;
    for (size_t p = 0; p < builder->count; p++) {
        begin[builder->pair[2 * p] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        begin[i + 1] += begin[i];
    }
    // filling moves begin[i] to the end of bucket i, which is the begin of bucket i + 1: shift back afterwards
    for (size_t p = 0; p < builder->count; p++) {
        column[begin[builder->pair[2 * p]]++] = builder->pair[2 * p + 1];
    }
    for (int i = n; i > 0; i--) {
        begin[i] = begin[i - 1];
    }
    begin[0] = 0;
}

// Entries of each column, every pair counted once; last[j] is the row that column j received last.
static bool count_columns(int n, const size_t *begin, const int *column, int *last, int *start)
{
    size_t nnz = 0;
    for (int j = 0; j < n; j++) {
        last[j] = -1;
        start[j + 1] = 0;
    }
    for (int i = 0; i < n; i++) {
        for (size_t p = begin[i]; p < begin[i + 1]; p++) {
            int j = column[p];
            if (last[j] != i) {
                last[j] = i;
                start[j + 1]++;
                nnz++;
            }
        }
        start[i + 1]++;
        nnz++;
    }
    start[0] = 0;
    if (nnz > INT_MAX) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        start[j + 1] += start[j];
    }
    return true;
}

// Rows arrive in ascending order, so every column comes out sorted; the diagonal closes its column.
static void fill_columns(int n, const size_t *begin, const int *column, const int *start, int *next, int *row)
{
    for (int j = 0; j < n; j++) {
        next[j] = start[j];
    }
    for (int i = 0; i < n; i++) {
        for (size_t p = begin[i]; p < begin[i + 1]; p++) {
            int j = column[p];
            if (next[j] == start[j] || row[next[j] - 1] != i) {
                row[next[j]++] = i;
            }
        }
        row[next[i]++] = i;
    }
}

bool pattern_build(const pattern_builder *builder, pattern *out)
{
    size_t n = (size_t)builder->n;
    *out = (pattern){ .n = builder->n };
    if (builder->is_short) {
        return false;
    }

    size_t *begin = calloc(n + 1, sizeof *begin);
    int *column = malloc((builder->count + 1) * sizeof *column);
    int *next = malloc((n + 1) * sizeof *next);
    out->start = malloc((n + 1) * sizeof *out->start);
    bool is_good = begin && column && next && out->start;
    if (is_good) {
        bucket_by_row(builder, begin, column);
        is_good = count_columns(builder->n, begin, column, next, out->start);
    }
    if (is_good) {
        out->nnz = out->start[n];
        out->row = malloc(((size_t)out->nnz + 1) * sizeof *out->row);
        is_good = out->row != NULL;
    }
    if (is_good) {
        fill_columns(builder->n, begin, column, out->start, next, out->row);
    } else {
        pattern_free(out);
    }
    free(next);
    free(column);
    free(begin);
    return is_good;
}

void pattern_free(pattern *pat)
{
    free(pat->start);
    free(pat->row);
    *pat = (pattern){ 0 };
}

int pattern_find(const pattern *pat, int i, int j)
{
    int row = i < j ? i : j;
    int column = i < j ? j : i;
    BI_ASSERT(0 <= row && column < pat->n);
    int low = pat->start[column];
    int high = pat->start[column + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pat->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return pat->row[low] == row ? low : -1;
}

void pattern_multiply(const pattern *pat, const double *val, const double *x, double *y)
{
    for (int j = 0; j < pat->n; j++) {
        int diagonal = pat->start[j + 1] - 1;
        double xj = x[j];
        double sum = val[diagonal] * xj;
        for (int p = pat->start[j]; p < diagonal; p++) {
            int i = pat->row[p];
            y[i] += val[p] * xj;
            sum += val[p] * x[i];
        }
        y[j] += sum;
    }
}
