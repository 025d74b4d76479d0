// SPDX-License-Identifier: MIT
/* compare.h - how far the columns of two tables are apart. */
#pragma once
#include <biela/io.h>

typedef struct {
    const char *name;   /* borrowed from table a */
    int points;         /* compared */
    double largest, at; /* largest |b - a|, and the t where it is */
    double range;       /* largest less smallest value of a at the points compared */
    double relative;    /* largest / range; 0 when both are 0, not finite when only the range is */
    double rms;         /* root mean square of b - a */
    double size;        /* for the caller: what rounding is measured by */
    bool is_not_finite; /* a value of a or b is not a number; the rest says nothing then */
} column_difference;

typedef struct {
    const bi_table *a, *b;
    const double *t_a, *t_b; /* (rows) */
    bool is_same_grid;       /* both have the same instants: nothing is interpolated */
    int first, last;         /* rows of a that lie within the time of b; last is behind the last one */
} comparison;

/* False, with a message in the report, when the tables cannot be compared: no column t, times that do not grow, no
 * common time. The files are named in messages only. */
bool comparison_make(const bi_table *a, const char *file_a, const bi_table *b, const char *file_b,
                     comparison *, bi_report *);
/* Column by its index in each table. Where the grids differ, b is interpolated by cubics through the four nearest
 * rows. */
column_difference comparison_column(const comparison *, int column_a, int column_b);
/* b - a at each of the points compared: (last - first). */
void comparison_differences(const comparison *, int column_a, int column_b, double *difference);
/* Largest |value| of a column of a, at the points compared; what is not finite does not count. */
double comparison_size(const comparison *, int column_a);
