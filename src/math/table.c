// SPDX-License-Identifier: MIT
#include "math/table.h"
#include "math/cubic.h"
#include <math.h>
#include <stdlib.h>

// Segment k: y = a + b s + c s^2 + d s^3, s = x - x[k] (signals.1).
typedef struct {
    double a, b, c, d;
} segment;

struct table {
    int n; // points
    table_outside outside;
    double *x;         // (n)
    segment *part;     // (n - 1)
    double *area;      // integral up to each point (n)
    double first, end; // values at the ends
    double slope[2];   // at the ends
};

const char *table_mistake(const double *x, const double *y, int n, table_outside outside)
{
    if (n < 2) {
        return "needs at least two points";
    }
    for (int k = 0; k < n; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k])) {
            return "has a number that is not finite";
        }
        if (k > 0 && !(x[k] > x[k - 1])) {
            return "needs its points in order, each x larger than the one before";
        }
    }
    if (outside == TABLE_PERIODIC && fabs(y[0] - y[n - 1]) > 1e-9 * fmax(fabs(y[0]), fabs(y[n - 1]))) {
        return "is periodic and therefore needs the same value at its first and last point";
    }
    return NULL;
}

// ---- slopes and curvatures -------------------------------------------------------------------------------

static double chord(const double *x, const double *y, int k) { return (y[k + 1] - y[k]) / (x[k + 1] - x[k]); }

// Second derivatives with equal ends; the last point is the first. work: 3 n.
static void periodic_curvature(const double *x, const double *y, int n, double *work, double *M)
{
    int m = n - 1; // unknowns
    if (m >= 3) {
        cubic_fit(m, true, x, y, M, work);
    } else {
        // two segments: the two equations are 2 (a+b) M0 + (a+b) M1 = r, and its mirror; one is straight
        double r = m == 2 ? 6.0 * (chord(x, y, 0) - chord(x, y, 1)) : 0.0;
        M[0] = r / (x[m] - x[0]);
        M[1] = -M[0];
    }
    M[m] = M[0];
}

// Slopes that keep each segment between its ends: weighted harmonic means.
static void monotone_slopes(const double *x, const double *y, int n, bool is_periodic, double *m)
{
    for (int k = 0; k < n; k++) {
        bool is_end = k == 0 || k == n - 1;
        if (is_end && !is_periodic) {
            m[k] = chord(x, y, k == 0 ? 0 : n - 2);
            continue;
        }
        int left = is_end ? n - 2 : k - 1, right = is_end ? 0 : k;
        double before = chord(x, y, left), after = chord(x, y, right);
        double w1 = 2.0 * (x[right + 1] - x[right]) + (x[left + 1] - x[left]);
        double w2 = (x[right + 1] - x[right]) + 2.0 * (x[left + 1] - x[left]);
        m[k] = before * after > 0.0 ? (w1 + w2) / (w1 / before + w2 / after) : 0.0;
    }
}

// ---- create --------------------------------------------------------------------------------------------------

static segment hermite(double h, double y0, double y1, double m0, double m1)
{
    double slope = (y1 - y0) / h;
    return (segment){ y0, m0, (3.0 * slope - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * slope) / (h * h) };
}

static segment curved(double h, double y0, double y1, double M0, double M1)
{
    return (segment){ y0, (y1 - y0) / h - h * (2.0 * M0 + M1) / 6.0, 0.5 * M0, (M1 - M0) / (6.0 * h) };
}

static void fill(table *t, const double *x, const double *y, table_interpolation how, double *work)
{
    int n = t->n;
    bool is_periodic = t->outside == TABLE_PERIODIC;
    double *at = &work[3 * n];
    if (how == TABLE_CUBIC && is_periodic) {
        periodic_curvature(x, y, n, work, at);
    } else if (how == TABLE_CUBIC) {
        cubic_fit(n, false, x, y, at, work);
    } else if (how == TABLE_MONOTONE) {
        monotone_slopes(x, y, n, is_periodic, at);
    }
    for (int k = 0; k < n - 1; k++) {
        double h = x[k + 1] - x[k];
        t->x[k] = x[k];
        switch (how) {
        case TABLE_CUBIC: t->part[k] = curved(h, y[k], y[k + 1], at[k], at[k + 1]); break;
        case TABLE_MONOTONE: t->part[k] = hermite(h, y[k], y[k + 1], at[k], at[k + 1]); break;
        case TABLE_LINEAR: t->part[k] = (segment){ .a = y[k], .b = (y[k + 1] - y[k]) / h }; break;
        case TABLE_STEP: t->part[k] = (segment){ .a = y[k] }; break;
        }
        const segment *s = &t->part[k];
        t->area[k + 1] = t->area[k] + h * (s->a + h * (s->b / 2.0 + h * (s->c / 3.0 + h * s->d / 4.0)));
    }
    const segment *last = &t->part[n - 2];
    double h = x[n - 1] - x[n - 2];
    t->x[n - 1] = x[n - 1];
    t->first = y[0];
    t->end = y[n - 1];
    t->slope[0] = t->part[0].b;
    t->slope[1] = last->b + h * (2.0 * last->c + 3.0 * h * last->d);
}

table *table_create(const double *x, const double *y, int n, table_interpolation how, table_outside outside)
{
    table *t = calloc(1, sizeof *t);
    double *work = malloc((size_t)n * 4 * sizeof *work);
    if (t) {
        *t = (table){ .n = n, .outside = outside };
        t->x = calloc((size_t)n, sizeof *t->x);
        t->part = calloc((size_t)n, sizeof *t->part);
        t->area = calloc((size_t)n, sizeof *t->area);
    }
    if (!t || !work || !t->x || !t->part || !t->area) {
        table_destroy(t);
        t = NULL;
    } else {
        fill(t, x, y, how, work);
    }
    free(work);
    return t;
}

void table_destroy(table *t)
{
    if (t) {
        free(t->x);
        free(t->part);
        free(t->area);
        free(t);
    }
}

// ---- read ----------------------------------------------------------------------------------------------------

// The segment that x is in; the first or last one outside.
static int segment_of(const table *t, double x)
{
    int low = 0, high = t->n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < t->x[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

// x less whole periods, and how many those are.
static double wrap(const table *t, double x, double *turns)
{
    double period = t->x[t->n - 1] - t->x[0];
    *turns = floor((x - t->x[0]) / period);
    double inside = x - *turns * period;
    return inside < t->x[t->n - 1] ? inside : t->x[0];
}

void table_ends(const table *t, double *first, double *last)
{
    *first = t->x[0];
    *last = t->x[t->n - 1];
}

bool table_refuses(const table *t) { return t->outside == TABLE_ERROR; }

double table_point_after(const table *t, double x, double limit)
{
    double period = t->x[t->n - 1] - t->x[0], shift = 0.0;
    if (t->outside == TABLE_PERIODIC) {
        shift = period * floor((x - t->x[0]) / period);
    }
    for (int k = 0; k < t->n; k++) {
        double at = t->x[k] + shift;
        if (at > x) {
            return fmin(at, limit);
        }
    }
    return limit;
}

jet table_at(const table *t, double x)
{
    double turns;
    bool is_before = x<t->x[0], is_after = x> t->x[t->n - 1];
    if (t->outside == TABLE_PERIODIC) {
        x = wrap(t, x, &turns);
    } else if (!(x >= t->x[0]) || is_after) {
        double end = is_after ? t->end : t->first, slope = t->slope[is_after];
        switch (t->outside) {
        case TABLE_CLAMP: return (jet){ .v = is_before || is_after ? end : x };
        case TABLE_EXTRAPOLATE: return (jet){ end + slope * (x - t->x[is_after ? t->n - 1 : 0]), slope, 0.0 };
        default: return (jet){ NAN, NAN, NAN };
        }
    }
    // the last point belongs to the end: a stepped table has its own value there
    if (x == t->x[t->n - 1]) {
        return (jet){ t->end, t->slope[1],
                      2.0 * t->part[t->n - 2].c + 6.0 * (x - t->x[t->n - 2]) * t->part[t->n - 2].d };
    }
    int k = segment_of(t, x);
    const segment *p = &t->part[k];
    double s = x - t->x[k];
    return (jet){ p->a + s * (p->b + s * (p->c + s * p->d)), p->b + s * (2.0 * p->c + 3.0 * s * p->d),
                  2.0 * p->c + 6.0 * s * p->d };
}

double table_integral(const table *t, double x)
{
    int last = t->n - 1;
    double turns = 0.0;
    if (t->outside == TABLE_PERIODIC) {
        x = wrap(t, x, &turns);
    } else if (x < t->x[0] || x > t->x[last]) {
        bool is_after = x > t->x[last];
        double far = x - t->x[is_after ? last : 0], end = is_after ? t->end : t->first;
        double slope = t->outside == TABLE_EXTRAPOLATE ? t->slope[is_after] : 0.0;
        return (is_after ? t->area[last] : 0.0) + far * (end + 0.5 * far * slope);
    }
    int k = segment_of(t, x);
    const segment *p = &t->part[k];
    double s = x - t->x[k];
    return turns * t->area[last] + t->area[k] +
           s * (p->a + s * (p->b / 2.0 + s * (p->c / 3.0 + s * p->d / 4.0)));
}

jet table_of(const table *t, jet u)
{
    jet f = table_at(t, u.v);
    return (jet){ f.v, f.d * u.d, f.dd * u.d * u.d + f.d * u.dd };
}
