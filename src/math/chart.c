// SPDX-License-Identifier: MIT
#include "math/chart.h"
#include "math/cubic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is known at a point of the grid: value, slopes with x and y, and the slope of the slopes.
typedef struct {
    double f, fx, fy, fxy;
} corner;

struct chart {
    int nx, ny;
    bool is_linear;
    table_outside outside;
    double *x, *y; // (nx), (ny)
    corner *at;    // (nx ny) by rows of one x
};

static const char *axis_mistake(const double *x, int n)
{
    for (int k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            return "has a number that is not finite";
        }
        if (k > 0 && !(x[k] > x[k - 1])) {
            return "needs x and y in order, each number larger than the one before";
        }
    }
    return n < 2 ? "needs at least two numbers in x and two in y" : NULL;
}

const char *chart_mistake(const double *x, int nx, const double *y, int ny, const double *value,
                          table_interpolation how, table_outside outside)
{
    const char *mistake = axis_mistake(x, nx);
    mistake = mistake ? mistake : axis_mistake(y, ny);
    if (mistake) {
        return mistake;
    }
    for (int k = 0; k < nx * ny; k++) {
        if (!isfinite(value[k])) {
            return "has a number that is not finite";
        }
    }
    if (how != TABLE_CUBIC && how != TABLE_LINEAR) {
        return "of two variables is 'cubic' or 'linear'";
    }
    return outside == TABLE_PERIODIC ? "of two variables cannot be periodic" : NULL;
}

// ---- create ---------------------------------------------------------------------------------------------------

// Slopes of natural splines through n values that stand `stride` numbers apart, as do the slopes. work: 5 n.
static void line_slopes(const double *knot, int n, const double *value, double *slope, int stride,
                        double *work)
{
    double *v = work, *second = v + n;
    for (int k = 0; k < n; k++) {
        v[k] = value[k * stride];
    }
    cubic_fit(n, false, knot, v, second, second + n);
    cubic c = { n, false, knot, v, second };
    for (int k = 0; k < n; k++) {
        slope[k * stride] = cubic_at(&c, knot[k]).d;
    }
}

// The slopes of the surface whose lines are natural splines in both directions.
static void fill_slopes(chart *m, double *work)
{
    enum { STRIDE = sizeof(corner) / sizeof(double) };
    for (int j = 0; j < m->ny; j++) {
        line_slopes(m->x, m->nx, &m->at[j].f, &m->at[j].fx, STRIDE * m->ny, work);
    }
    for (int i = 0; i < m->nx; i++) {
        corner *row = &m->at[i * m->ny];
        line_slopes(m->y, m->ny, &row->f, &row->fy, STRIDE, work);
        line_slopes(m->y, m->ny, &row->fx, &row->fxy, STRIDE, work);
    }
}

chart *chart_create(const double *x, int nx, const double *y, int ny, const double *value,
                    table_interpolation how, table_outside outside)
{
    chart *m = calloc(1, sizeof *m);
    double *work = malloc((size_t)(nx > ny ? nx : ny) * 5 * sizeof *work);
    if (m) {
        *m = (chart){ .nx = nx, .ny = ny, .is_linear = how == TABLE_LINEAR, .outside = outside };
        m->x = malloc((size_t)nx * sizeof *m->x);
        m->y = malloc((size_t)ny * sizeof *m->y);
        m->at = calloc((size_t)nx * (size_t)ny, sizeof *m->at);
    }
    if (!m || !work || !m->x || !m->y || !m->at) {
        chart_destroy(m);
        free(work);
        return NULL;
    }
    memcpy(m->x, x, (size_t)nx * sizeof *x);
    memcpy(m->y, y, (size_t)ny * sizeof *y);
    for (int k = 0; k < nx * ny; k++) {
        m->at[k].f = value[k];
    }
    if (!m->is_linear) {
        fill_slopes(m, work);
    }
    free(work);
    return m;
}

void chart_destroy(chart *m)
{
    if (m) {
        free(m->x);
        free(m->y);
        free(m->at);
        free(m);
    }
}

// ---- read -----------------------------------------------------------------------------------------------------

void chart_ends(const chart *m, double x[2], double y[2])
{
    x[0] = m->x[0];
    x[1] = m->x[m->nx - 1];
    y[0] = m->y[0];
    y[1] = m->y[m->ny - 1];
}

bool chart_refuses(const chart *m) { return m->outside == TABLE_ERROR; }

// Weights of the value (0, 1) and slope (2, 3) at the two ends of a cell, with their derivatives.
typedef struct {
    int cell;
    double w[3][4];
} weights;

static void cell_weights(bool is_linear, double s, double h, double w[3][4])
{
    if (is_linear) {
        const double line[3][4] = { { 1.0 - s, s }, { -1.0 / h, 1.0 / h }, { 0.0 } };
        memcpy(w, line, sizeof line);
        return;
    }
    double r = 1.0 - s, bend = 6.0 * s * r / h;
    const double cubic[3][4] = {
        { r * r * (1.0 + 2.0 * s), s * s * (3.0 - 2.0 * s), h * s * r * r, -h * s * s * r },
        { -bend, bend, r * (1.0 - 3.0 * s), s * (3.0 * s - 2.0) },
        { (12.0 * s - 6.0) / (h * h), (6.0 - 12.0 * s) / (h * h), (6.0 * s - 4.0) / h, (6.0 * s - 2.0) / h }
    };
    memcpy(w, cubic, sizeof cubic);
}

// Where x lies among the knots. Outside: the end, its straight line, or no number (signals.15).
static weights weights_of(const chart *m, const double *knot, int n, double x)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < knot[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    weights out = { .cell = low };
    double inside = x < knot[0] ? knot[0] : x > knot[n - 1] ? knot[n - 1] : x, h = knot[low + 1] - knot[low];
    cell_weights(m->is_linear, (inside - knot[low]) / h, h, out.w);
    if (inside == x || isnan(x)) {
        return out;
    }
    for (int k = 0; k < 4; k++) {
        bool goes_on = m->outside == TABLE_EXTRAPOLATE;
        out.w[0][k] = m->outside == TABLE_ERROR ? NAN
                      : goes_on                 ? out.w[0][k] + (x - inside) * out.w[1][k]
                                                : out.w[0][k];
        out.w[1][k] = goes_on ? out.w[1][k] : 0.0;
        out.w[2][k] = 0.0;
    }
    return out;
}

static double blend(const corner *low, const corner *high, const double *wx, const double *wy)
{
    const corner *end[2] = { low, high };
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const corner *c = &end[i][j];
            sum +=
                wx[i] * (wy[j] * c->f + wy[2 + j] * c->fy) + wx[2 + i] * (wy[j] * c->fx + wy[2 + j] * c->fxy);
        }
    }
    return sum;
}

chart_value chart_at(const chart *m, double x, double y)
{
    weights a = weights_of(m, m->x, m->nx, x), b = weights_of(m, m->y, m->ny, y);
    const corner *low = &m->at[a.cell * m->ny + b.cell], *high = low + m->ny;
    return (chart_value){ blend(low, high, a.w[0], b.w[0]), blend(low, high, a.w[1], b.w[0]),
                          blend(low, high, a.w[0], b.w[1]), blend(low, high, a.w[2], b.w[0]),
                          blend(low, high, a.w[1], b.w[1]), blend(low, high, a.w[0], b.w[2]) };
}

jet chart_of(const chart *m, jet u, jet w)
{
    chart_value f = chart_at(m, u.v, w.v);
    return (jet){ f.v, f.x * u.d + f.y * w.d,
                  f.xx * u.d * u.d + 2.0 * f.xy * u.d * w.d + f.yy * w.d * w.d + f.x * u.dd + f.y * w.dd };
}
