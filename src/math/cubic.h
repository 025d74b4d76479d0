// SPDX-License-Identifier: MIT
// Cubic splines with two continuous derivatives through given values, open or periodic.
#pragma once

#include <stdbool.h>

// Knots ascend strictly. Open: n knots; straight beyond the ends, where the second derivative is zero. Closed: n values
// and n + 1 knots, the last one being the first one after a period.
typedef struct {
    int n;
    bool is_closed;
    const double *knot;   // (n, closed: n + 1)
    const double *value;  // (n)
    const double *second; // (n) second derivatives at the knots, from cubic_fit
} cubic;

typedef struct {
    double v, d, dd, ddd; // value and derivatives
} cubic_value;

// Second derivatives of the spline; work: 3 n numbers. Open: n >= 2; closed: n >= 3.
void cubic_fit(int n, bool is_closed, const double *knot, const double *value, double *second, double *work);
cubic_value cubic_at(const cubic *c, double x);
