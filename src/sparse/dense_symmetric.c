// SPDX-License-Identifier: MIT
// Householder's reduction to a tridiagonal matrix, then QL with implicit shifts.
#include "sparse/dense_symmetric.h"
#include "math/elementary.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SWEEPS = 60 }; // of one eigenvalue; 30 are plenty in practice

// A = H T H^T. Row k of A (k >= 2, entries 0..k-1) is left as the reflection vector u of step k, h[k] its 2 / u.u.
static void reduce(int n, double *A, double *diagonal, double *off, double *h, double *w)
{
    for (int k = n - 1; k >= 1; k--) {
        double *u = A + (size_t)k * (size_t)n;
        double norm2 = 0.0;
        for (int i = 0; i < k; i++) {
            norm2 += u[i] * u[i];
        }
        double rest = norm2 - u[k - 1] * u[k - 1];
        h[k] = 0.0;
        if (!(rest > 0.0)) {
            off[k] = u[k - 1];
            continue;
        }
        double alpha = u[k - 1] > 0.0 ? -sqrt(norm2) : sqrt(norm2);
        off[k] = alpha;
        u[k - 1] -= alpha;
        h[k] = 2.0 / (rest + u[k - 1] * u[k - 1]);
        // w = h A u - (h / 2)(h u.A u) u, A -= u w^T + w u^T, lower triangle only
        for (int i = 0; i < k; i++) {
            w[i] = 0.0;
        }
        for (int i = 0; i < k; i++) {
            const double *row = A + (size_t)i * (size_t)n;
            double sum = row[i] * u[i];
            for (int j = 0; j < i; j++) {
                sum += row[j] * u[j];
                w[j] += row[j] * u[i];
            }
            w[i] += sum;
        }
        double dot = 0.0;
        for (int i = 0; i < k; i++) {
            w[i] *= h[k];
            dot += w[i] * u[i];
        }
        for (int i = 0; i < k; i++) {
            w[i] -= 0.5 * h[k] * dot * u[i];
        }
        for (int i = 0; i < k; i++) {
            double *row = A + (size_t)i * (size_t)n;
            for (int j = 0; j <= i; j++) {
                row[j] -= u[i] * w[j] + w[i] * u[j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        diagonal[i] = A[(size_t)i * (size_t)n + (size_t)i];
    }
}

// One eigenvalue after the other; the rotations act on rows of vector.
static bool iterate(int n, double *d, double *e, double *vector)
{
    for (int l = 0; l < n; l++) {
        for (int sweep = 0;; sweep++) {
            int m = l;
            while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1]))) {
                m++;
            }
            if (m == l) {
                break;
            }
            if (sweep == MOST_SWEEPS) {
                return false;
            }
            double g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            double r = math_hypot(g, 1.0);
            g = d[m] - d[l] + e[l] / (g + copysign(r, g));
            double s = 1.0;
            double c = 1.0;
            double p = 0.0;
            int i = m - 1;
            for (; i >= l; i--) {
                double f = s * e[i];
                double b = c * e[i];
                r = math_hypot(f, g);
                e[i + 1] = r;
                if (r == 0.0) {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                double *x = vector + (size_t)i * (size_t)n;
                double *y = x + n;
                for (int k = 0; k < n; k++) {
                    double t = y[k];
                    y[k] = s * x[k] + c * t;
                    x[k] = c * x[k] - s * t;
                }
            }
            if (r == 0.0 && i >= l) {
                continue;
            }
            d[l] -= p;
            e[l] = g;
            e[m] = 0.0;
        }
    }
    return true;
}

// Eigenvectors of T become those of A: the reflections in reverse.
static void turn_back(int n, const double *A, const double *h, double *x)
{
    for (int k = 1; k < n; k++) {
        if (h[k] == 0.0) {
            continue;
        }
        const double *u = A + (size_t)k * (size_t)n;
        double dot = 0.0;
        for (int i = 0; i < k; i++) {
            dot += u[i] * x[i];
        }
        for (int i = 0; i < k; i++) {
            x[i] -= h[k] * dot * u[i];
        }
    }
}

// Selection sort: few exchanges of long vectors.
static void sort_ascending(int n, double *value, double *vector)
{
    for (int k = 0; k < n - 1; k++) {
        int least = k;
        for (int i = k + 1; i < n; i++) {
            least = value[i] < value[least] ? i : least;
        }
        if (least != k) {
            double v = value[k];
            value[k] = value[least];
            value[least] = v;
            for (int i = 0; i < n; i++) {
                double t = vector[(size_t)k * (size_t)n + (size_t)i];
                vector[(size_t)k * (size_t)n + (size_t)i] = vector[(size_t)least * (size_t)n + (size_t)i];
                vector[(size_t)least * (size_t)n + (size_t)i] = t;
            }
        }
    }
}

bool dense_symmetric_vectors(int n, const double *A, double *value, double *vector)
{
    size_t size = (size_t)n;
    double *copy = malloc((size * size + 3 * size + 1) * sizeof *copy);
    if (!copy) {
        return false;
    }
    bool is_good = true;
    for (size_t k = 0; k < size * size; k++) {
        copy[k] = A[k];
        is_good = is_good && isfinite(A[k]);
    }
    double *off = copy + size * size;
    double *h = off + size;
    if (is_good) {
        reduce(n, copy, value, off, h, h + size);
        for (int i = 0; i + 1 < n; i++) {
            off[i] = off[i + 1];
        }
        if (n > 0) {
            off[n - 1] = 0.0;
        }
        memset(vector, 0, size * size * sizeof *vector);
        for (size_t i = 0; i < size; i++) {
            vector[i * size + i] = 1.0;
        }
        is_good = iterate(n, value, off, vector);
        for (size_t k = 0; k < size && is_good; k++) {
            turn_back(n, copy, h, vector + k * size);
        }
        sort_ascending(n, value, vector);
    }
    free(copy);
    return is_good;
}
