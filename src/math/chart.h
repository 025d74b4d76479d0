// SPDX-License-Identifier: MIT
// Surfaces over a grid of two variables, with two derivatives; made once, read without allocation (signals.15).
#pragma once

#include "math/table.h"

typedef struct chart chart;

// Value and derivatives with x and y.
typedef struct {
    double v, x, y, xx, xy, yy;
} chart_value;

// What is wrong with the grid; NULL: nothing. value: nx rows of ny.
const char *chart_mistake(const double *x, int nx, const double *y, int ny, const double *value,
                          table_interpolation how, table_outside outside);
// A surface through a good grid, bilinear (TABLE_LINEAR) or with two continuous derivatives (TABLE_CUBIC). NULL: no
// memory.
chart *chart_create(const double *x, int nx, const double *y, int ny, const double *value,
                    table_interpolation how, table_outside outside);
void chart_destroy(chart *m);

// First and last of each variable.
void chart_ends(const chart *m, double x[2], double y[2]);
bool chart_refuses(const chart *m); // outside, it has no value
chart_value chart_at(const chart *m, double x, double y);
// f(u, w) for moving u and w.
jet chart_of(const chart *m, jet u, jet w);
