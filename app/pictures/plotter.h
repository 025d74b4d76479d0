// SPDX-License-Identifier: MIT
/* plotter.h - curves of a table as a picture, drawn by gnuplot: one panel per unit, all over the same x. */
#pragma once
#include "pictures/gnuplot.h"
#include <biela/io.h>

typedef struct {
    const bi_table *table;
    const char *title;
    const char *out;        /* FILE.png, or FILE.svg */
    const char *x, *x_unit; /* column of the horizontal axis; unit NULL or "": not known */
    const char *y; /* column of the second horizontal axis: paths in space; NULL: none, curves in a plane */
    int n_curve;
    char *const *name;       /* (n_curve) columns; all must exist */
    const char *const *unit; /* (n_curve) "m"; NULL or "": not known */
    /* of curves of several tables; NULL: all are columns of `table`, told apart by their names, in one group */
    const bi_table *const *of; /* (n_curve) whose column `name` it is; each has a column x */
    char *const *label;        /* (n_curve) what the legend says */
    const int *group; /* (n_curve) curves of different groups never share a panel; its colours begin there */
} plot_request;

/* Prints on stderr why there is no picture. */
plot_result plot_write(const plot_request *);
/* The unit that the last part of a channel's name stands for ("P.vx": "m/s"), "" if it says nothing: CSV files carry no
 * units. */
const char *plot_unit_of(const char *name);
