// SPDX-License-Identifier: MIT
#include "measure/column_errors.h"
#include <math.h>

static const bi_place nowhere = { 0 };
// two instants are the same when they differ by less than this part of a step: rounding of k * dt
static const double same_instant = 1e-6;

// The column t, with times that grow. NULL: the report says why.
static const double *time_of(const bi_table *table, const char *file, bi_report *report)
{
    int column = bi_table_column(table, "t");
    bi_place place = { file, 0, 0 };
    if (column < 0 || table->rows == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "", "%s",
                      column < 0 ? "has no column t" : "has no rows");
        return NULL;
    }
    const double *t = table->value[column];
    for (int k = 0; k < table->rows; k++) {
        if (!isfinite(t[k]) || (k > 0 && !(t[k] > t[k - 1]))) {
            place.line = k + 2;
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "t",
                          "the times must grow from row to row, and here stands %g", t[k]);
            return NULL;
        }
    }
    return t;
}

static double step_at(const double *t, int rows, int k)
{
    return rows < 2 ? 1.0 : k > 0 ? t[k] - t[k - 1] : t[1] - t[0];
}

static bool has_same_grid(const comparison *c)
{
    if (c->a->rows != c->b->rows) {
        return false;
    }
    for (int k = 0; k < c->a->rows; k++) {
        if (fabs(c->t_a[k] - c->t_b[k]) > same_instant * step_at(c->t_a, c->a->rows, k)) {
            return false;
        }
    }
    return true;
}

bool comparison_make(const bi_table *a, const char *file_a, const bi_table *b, const char *file_b,
                     comparison *c, bi_report *report)
{
    *c = (comparison){ .a = a, .b = b };
    c->t_a = time_of(a, file_a, report);
    c->t_b = time_of(b, file_b, report);
    if (!c->t_a || !c->t_b) {
        return false;
    }
    c->is_same_grid = has_same_grid(c);
    c->last = a->rows;
    if (!c->is_same_grid) {
        double slack_first = same_instant * step_at(c->t_b, b->rows, 0);
        double slack_last = same_instant * step_at(c->t_b, b->rows, b->rows - 1);
        while (c->first < c->last && c->t_a[c->first] < c->t_b[0] - slack_first) {
            c->first++;
        }
        while (c->last > c->first && c->t_a[c->last - 1] > c->t_b[b->rows - 1] + slack_last) {
            c->last--;
        }
    }
    if (c->first == c->last) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, nowhere, "",
                      "%s (t = %g .. %g) and %s (t = %g .. %g) have no time in common", file_a, c->t_a[0],
                      c->t_a[a->rows - 1], file_b, c->t_b[0], c->t_b[b->rows - 1]);
        return false;
    }
    return true;
}

// Lagrange's cubic through the four rows of b around t (fewer when b is shorter). *row moves forward with t.
static double interpolate(const comparison *c, const double *value, double t, int *row)
{
    int rows = c->b->rows, points = rows < 4 ? rows : 4;
    while (*row + 1 < rows - 1 && c->t_b[*row + 1] <= t) {
        ++*row;
    }
    int first = *row - 1;
    first = first < 0 ? 0 : first > rows - points ? rows - points : first;
    double sum = 0.0;
    for (int j = first; j < first + points; j++) {
        double weight = 1.0;
        for (int k = first; k < first + points; k++) {
            weight *= k == j ? 1.0 : (t - c->t_b[k]) / (c->t_b[j] - c->t_b[k]);
        }
        // a row that does not count must not spoil the sum, should it not be finite
        sum += weight == 0.0 ? 0.0 : weight * value[j];
    }
    return sum;
}

column_difference comparison_column(const comparison *c, int column_a, int column_b)
{
    const double *a = c->a->value[column_a], *b = c->b->value[column_b];
    column_difference d = { .name = c->a->name[column_a],
                            .points = c->last - c->first,
                            .at = c->t_a[c->first] };
    double low = INFINITY, high = -INFINITY, squares = 0.0;
    int row = 0;
    for (int k = c->first; k < c->last; k++) {
        double other = c->is_same_grid ? b[k] : interpolate(c, b, c->t_a[k], &row);
        double difference = fabs(other - a[k]);
        if (!isfinite(difference)) {
            d.at = d.is_not_finite ? d.at : c->t_a[k];
            d.is_not_finite = true;
        }
        if (!d.is_not_finite && difference > d.largest) {
            d.largest = difference;
            d.at = c->t_a[k];
        }
        low = fmin(low, a[k]);
        high = fmax(high, a[k]);
        squares += difference * difference;
    }
    d.range = high - low;
    d.relative = d.largest == 0.0 ? 0.0 : d.largest / d.range;
    d.rms = sqrt(squares / d.points);
    return d;
}

void comparison_differences(const comparison *c, int column_a, int column_b, double *difference)
{
    const double *a = c->a->value[column_a], *b = c->b->value[column_b];
    int row = 0;
    for (int k = c->first; k < c->last; k++) {
        double other = c->is_same_grid ? b[k] : interpolate(c, b, c->t_a[k], &row);
        difference[k - c->first] = other - a[k];
    }
}

double comparison_size(const comparison *c, int column_a)
{
    double size = 0.0;
    for (int k = c->first; k < c->last; k++) {
        double value = fabs(c->a->value[column_a][k]);
        size = isfinite(value) ? fmax(size, value) : size;
    }
    return size;
}
