// SPDX-License-Identifier: MIT
#include "math/cubic.h"
#include <math.h>

// Length of interval k, which ends at knot k + 1.
static double length_of(const double *knot, int k) { return knot[k + 1] - knot[k]; }

static double slope_of(int n, const double *knot, const double *value, int k)
{
    return (value[(k + 1) % n] - value[k]) / length_of(knot, k);
}

// Solves the tridiagonal system with diagonal b, neighbours h (symmetric), in place; c is work.
static void solve_tridiagonal(int n, const double *h, const double *b, double *x, double *c)
{
    double pivot = b[0];
    x[0] /= pivot;
    for (int k = 1; k < n; k++) {
        c[k] = h[k - 1] / pivot;
        pivot = b[k] - h[k - 1] * c[k];
        x[k] = (x[k] - h[k - 1] * x[k - 1]) / pivot;
    }
    for (int k = n - 2; k >= 0; k--) {
        x[k] -= c[k + 1] * x[k + 1];
    }
}

// Inner knots only: h_{k-1} s_{k-1} + 2 (h_{k-1} + h_k) s_k + h_k s_{k+1} = 6 (slope_k - slope_{k-1})
static void fit_open(int n, const double *knot, const double *value, double *second, double *work)
{
    double *h = work, *b = work + n, *c = work + 2 * n;
    second[0] = second[n - 1] = 0.0;
    for (int k = 1; k < n - 1; k++) {
        b[k - 1] = 2.0 * (length_of(knot, k - 1) + length_of(knot, k));
        h[k - 1] = length_of(knot, k);
        second[k] = 6.0 * (slope_of(n, knot, value, k) - slope_of(n, knot, value, k - 1));
    }
    if (n > 2) {
        solve_tridiagonal(n - 2, h, b, second + 1, c);
    }
}

// The same around the circle: Gauss elimination that carries the last column along.
static void fit_closed(int n, const double *knot, const double *value, double *second, double *work)
{
    double *diagonal = work, *upper = work + n, *last = work + 2 * n;
    double corner = 2.0 * (length_of(knot, n - 2) + length_of(knot, n - 1));
    double row = length_of(knot, n - 1); // entry of the last equation in column k
    for (int k = 0; k < n; k++) {
        int before = (k + n - 1) % n;
        diagonal[k] = 2.0 * (length_of(knot, before) + length_of(knot, k));
        upper[k] = length_of(knot, k);
        last[k] = 0.0;
        second[k] = 6.0 * (slope_of(n, knot, value, k) - slope_of(n, knot, value, before));
    }
    last[0] = length_of(knot, n - 1);
    last[n - 2] += upper[n - 2];
    double right = second[n - 1];
    for (int k = 0; k < n - 1; k++) {
        // from the last equation
        double factor = row / diagonal[k];
        corner -= factor * last[k];
        right -= factor * second[k];
        row = (k + 1 == n - 2 ? upper[n - 2] : 0.0) - factor * (k < n - 2 ? upper[k] : 0.0);
        // from the next one
        if (k < n - 2) {
            factor = upper[k] / diagonal[k];
            diagonal[k + 1] -= factor * upper[k];
            last[k + 1] -= factor * last[k];
            second[k + 1] -= factor * second[k];
        }
    }
    second[n - 1] = right / corner;
    for (int k = n - 2; k >= 0; k--) {
        double next = k < n - 2 ? upper[k] * second[k + 1] : 0.0;
        second[k] = (second[k] - next - last[k] * second[n - 1]) / diagonal[k];
    }
}

void cubic_fit(int n, bool is_closed, const double *knot, const double *value, double *second, double *work)
{
    if (is_closed) {
        fit_closed(n, knot, value, second, work);
    } else {
        fit_open(n, knot, value, second, work);
    }
}

static int interval_of(const double *knot, int n_interval, double x)
{
    int low = 0, high = n_interval - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (knot[middle] <= x) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

cubic_value cubic_at(const cubic *c, double x)
{
    int n_interval = c->is_closed ? c->n : c->n - 1;
    if (c->is_closed) {
        double period = c->knot[c->n] - c->knot[0];
        x -= period * floor((x - c->knot[0]) / period);
    }
    double inside = c->is_closed ? x : fmin(fmax(x, c->knot[0]), c->knot[n_interval]);
    int k = interval_of(c->knot, n_interval, inside), next = (k + 1) % c->n;
    double h = c->knot[k + 1] - c->knot[k], b = (inside - c->knot[k]) / h, a = 1.0 - b;
    double s0 = c->second[k], s1 = c->second[next];
    cubic_value out;
    out.v =
        a * c->value[k] + b * c->value[next] + h * h / 6.0 * ((a * a * a - a) * s0 + (b * b * b - b) * s1);
    out.d =
        (c->value[next] - c->value[k]) / h + h / 6.0 * ((3.0 * b * b - 1.0) * s1 - (3.0 * a * a - 1.0) * s0);
    out.dd = a * s0 + b * s1;
    out.ddd = (s1 - s0) / h;
    // straight on beyond the ends
    if (inside != x) {
        out.v += out.d * (x - inside);
        out.dd = out.ddd = 0.0;
    }
    return out;
}
