// SPDX-License-Identifier: MIT
// Curves through points, with two derivatives and the integral; made once, read without allocation (signals.1).
#pragma once

#include "math/expr.h"

typedef enum {
    TABLE_CUBIC,    // natural cubic spline: two continuous derivatives
    TABLE_LINEAR,   // straight between the points
    TABLE_MONOTONE, // cubic without overshoot: one continuous derivative
    TABLE_STEP      // value of the point before
} table_interpolation;
typedef enum {
    TABLE_CLAMP,       // the value of the end
    TABLE_EXTRAPOLATE, // straight on with the slope of the end
    TABLE_PERIODIC,    // again from the start; first and last value are equal
    TABLE_ERROR        // not a number, so that the step is refused
} table_outside;

typedef struct table table;

// What is wrong with the points; NULL: nothing.
const char *table_mistake(const double *x, const double *y, int n, table_outside outside);
// A curve through n >= 2 good points. NULL: no memory.
table *table_create(const double *x, const double *y, int n, table_interpolation how, table_outside outside);
void table_destroy(table *t);

// First and last x.
void table_ends(const table *t, double *first, double *last);
bool table_refuses(const table *t); // outside, it has no value

// The first point after x and before the limit; the limit: there is none.
double table_point_after(const table *t, double x, double limit);
// Value, first and second derivative with x; at a knot, those of the segment after it.
jet table_at(const table *t, double x);
// Integral of the curve from the first point to x.
double table_integral(const table *t, double x);
// f(u) for a moving u.
jet table_of(const table *t, jet u);
