// SPDX-License-Identifier: MIT
// What the data say about the parameters at the minimum: covariance, and directions that they do not determine.
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Derivatives by differences are good to about 1e-6 of a column: what is smaller may be zero.
static const double smallest_singular = 1e-5;
// a parameter whose change by its own size moves the data by less than this part of their noise
static const double smallest_effect = 1e-6;

// Length of each column of J; zero for one without influence.
static void column_lengths(const fit_problem *f, const fit_result *r, double *length)
{
    for (int j = 0; j < f->n_parameter; j++) {
        double sum = 0.0;
        for (int i = 0; i < f->n_value; i++) {
            sum += r->J[j * f->n_value + i] * r->J[j * f->n_value + i];
        }
        double size = fmax(fabs(r->x[j]), f->parameter[j].scale);
        length[j] = sqrt(sum) * size > smallest_effect ? sqrt(sum) : 0.0;
    }
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return x < y ? -1 : x > y;
}

// Of normal noise the middle size is 0.6745 sigma; outliers do not move it.
double fit_middle(const double *residual, int count)
{
    double *sorted = words_alloc((size_t)(count + 1) * sizeof *sorted);
    memcpy(sorted, residual, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    double middle = count > 0 ? 0.5 * (fabs(sorted[(count - 1) / 2]) + fabs(sorted[count / 2])) : 0.0;
    free(sorted);
    return middle / 0.67448975019608171;
}

fit_stray fit_stray_at(const fit_problem *f, const fit_result *r, int k)
{
    fit_stray out = { -1, 0, 0.0 };
    int from = 0;
    while (out.column + 1 < f->n_measured && k - from >= f->measured[out.column].count) {
        from += f->measured[out.column++].count;
    }
    const double *data = f->table.value[f->measured[out.column].index];
    for (int left = k - from; left >= 0 && out.row + 1 < f->table.rows;) {
        out.row++;
        left -= isfinite(data[out.row]) ? 1 : 0;
    }
    double sigma = fit_middle(&r->raw[from], f->measured[out.column].count);
    out.sigmas = sigma > 0.0 ? fabs(r->raw[k]) / sigma : 0.0;
    return out;
}

static void judge_residuals(const fit_problem *f, fit_result *r)
{
    for (int c = 0; c < f->n_measured; c++) {
        const double *data = f->table.value[f->measured[c].index];
        double sum = 0.0, neighbours = 0.0, before = NAN;
        for (int row = 0; row < f->table.rows; row++) {
            double rest = data[row] - r->model[row * f->n_measured + c];
            if (isfinite(rest)) {
                sum += rest * rest;
                neighbours += isfinite(before) ? rest * before : 0.0;
                before = rest;
            }
        }
        r->rms[c] = f->measured[c].count > 0 ? sqrt(sum / f->measured[c].count) : 0.0;
        r->echo[c] = sum > 0.0 ? neighbours / sum : 0.0;
    }
}

// Where large residuals count less, the data tell less, and the noise is what the counted part says (statistics.6).
static void widen(const fit_problem *f, fit_result *r)
{
    double sum = 0.0, inside = 0.0;
    for (int i = 0; i < f->n_value; i++) {
        double size = fabs(r->raw[i]), counted = fmin(size, f->huber);
        sum += counted * counted;
        inside += size <= f->huber ? 1.0 : 0.0;
    }
    double share = inside / f->n_value, factor = sqrt(sum / fmax(1.0, r->freedom)) / fmax(share, 1e-3);
    for (int i = 0; i < f->n_parameter * f->n_parameter; i++) {
        r->covariance[i] *= factor * factor;
    }
    for (int j = 0; j < f->n_parameter; j++) {
        r->deviation[j] *= factor;
    }
}

void fit_judge(const fit_problem *f, fit_result *r)
{
    int n = f->n_parameter, m = f->n_value;
    double *A = words_alloc((size_t)m * (size_t)n * sizeof *A), *V = words_alloc((size_t)(n * n) * sizeof *V);
    double *length = words_alloc((size_t)n * sizeof *length);
    column_lengths(f, r, length);
    for (int j = 0; j < n; j++) {
        r->is_at_bound[j] = r->x[j] <= f->parameter[j].low || r->x[j] >= f->parameter[j].high;
        for (int i = 0; i < m && length[j] > 0.0; i++) {
            A[j * m + i] = r->J[j * m + i] / length[j];
        }
    }
    svd_jacobi(A, m, n, r->singular, V);

    // directions with a singular value of their own make the covariance (statistics.5); the others are lost
    for (int k = 0; k < n; k++) {
        bool is_lost = !(r->singular[k] > smallest_singular * fmax(1.0, r->singular[0]));
        if (is_lost) {
            memcpy(&r->lost[r->n_lost++ * n], &V[k * n], (size_t)n * sizeof *V);
            continue;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (length[i] > 0.0 && length[j] > 0.0) {
                    r->covariance[i * n + j] += V[k * n + i] * V[k * n + j] /
                                                (r->singular[k] * r->singular[k] * length[i] * length[j]);
                }
            }
        }
    }
    for (int j = 0; j < n; j++) {
        r->deviation[j] = sqrt(r->covariance[j * n + j]);
        for (int k = 0; k < r->n_lost; k++) {
            r->deviation[j] = fabs(r->lost[k * n + j]) > 0.01 ? INFINITY : r->deviation[j];
        }
    }
    if (f->huber > 0.0) {
        widen(f, r);
    }
    judge_residuals(f, r);
    free(A);
    free(V);
    free(length);
}
