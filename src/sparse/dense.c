// SPDX-License-Identifier: MIT
#include "sparse/dense.h"

#include "base/check.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double *row_of(double *A, int n, int i) { return A + (ptrdiff_t)i * n; }

double dense_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Scales a row to unit length and gives its old length; a zero or not finite row is left as it is and gives 0.
static double normalise(int n, double *a)
{
    // by the largest entry first, so that squares neither overflow nor vanish
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i]) <= DBL_MAX)) {
            return 0.0;
        }
        largest = fmax(largest, fabs(a[i]));
    }
    if (largest == 0.0) {
        return 0.0;
    }
    for (int i = 0; i < n; i++) {
        a[i] /= largest;
    }
    double length = sqrt(dense_dot(n, a, a));
    for (int i = 0; i < n; i++) {
        a[i] /= length;
    }
    return largest * length;
}

int dense_rank(int m, int n, double *A, double tolerance, int *dependent)
{
    int rank = 0;
    for (int r = 0; r < m; r++) {
        double *row = row_of(A, n, r);
        dependent[r] = 1;
        if (normalise(n, row) == 0.0) {
            continue;
        }
        // twice is enough: the second pass removes what rounding left of the first
        for (int pass = 0; pass < 2; pass++) {
            for (int s = 0; s < r; s++) {
                const double *accepted = row_of(A, n, s);
                double part = dependent[s] ? 0.0 : dense_dot(n, accepted, row);
                for (int i = 0; part != 0.0 && i < n; i++) {
                    row[i] -= part * accepted[i];
                }
            }
        }
        if (sqrt(dense_dot(n, row, row)) >= tolerance && normalise(n, row) > 0.0) {
            dependent[r] = 0;
            rank++;
        }
    }
    return rank;
}

static void swap_rows(int n, double *a, double *b)
{
    for (int j = 0; j < n; j++) {
        double keep = a[j];
        a[j] = b[j];
        b[j] = keep;
    }
}

bool dense_solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(row_of(A, n, i)[k]) > fabs(row_of(A, n, best)[k])) {
                best = i;
            }
        }
        double *pivot_row = row_of(A, n, k);
        if (best != k) {
            swap_rows(n, pivot_row, row_of(A, n, best));
            swap_rows(1, b + k, b + best);
        }
        double pivot = pivot_row[k];
        if (!(fabs(pivot) > 0.0 && fabs(pivot) <= DBL_MAX)) {
            return false;
        }
        for (int i = k + 1; i < n; i++) {
            double *row = row_of(A, n, i);
            double factor = row[k] / pivot;
            for (int j = k + 1; j < n; j++) {
                row[j] -= factor * pivot_row[j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = row_of(A, n, k);
        b[k] = (b[k] - dense_dot(n - 1 - k, row + k + 1, b + k + 1)) / row[k];
    }
    return true;
}

bool dense_cholesky(int n, double *A, double *b)
{
    for (int i = 0; i < n; i++) {
        double *row = row_of(A, n, i);
        for (int j = 0; j < i; j++) {
            const double *other = row_of(A, n, j);
            row[j] = (row[j] - dense_dot(j, row, other)) / other[j];
        }
        double square = row[i] - dense_dot(i, row, row);
        if (!(square > 0.0 && square <= DBL_MAX)) {
            return false;
        }
        row[i] = sqrt(square);
    }
    for (int i = 0; b && i < n; i++) {
        const double *row = row_of(A, n, i);
        b[i] = (b[i] - dense_dot(i, row, b)) / row[i];
    }
    for (int i = n - 1; b && i >= 0; i--) {
        const double *row = row_of(A, n, i);
        b[i] /= row[i];
        for (int j = 0; j < i; j++) {
            b[j] -= row[j] * b[i];
        }
    }
    return true;
}

// Householder reflection H = 1 - tau v v^T, v_0 = 1, with H a = (beta, 0, ..): a becomes (beta, v_1, v_2, ..). Entries
// of a are `step` apart. Gives tau.
static double reflect_make(int n, double *a, ptrdiff_t step)
{
    double largest = 0.0;
    for (int i = 1; i < n; i++) {
        largest = fmax(largest, fabs(a[i * step]));
    }
    if (largest == 0.0) {
        return 0.0;
    }
    largest = fmax(largest, fabs(a[0]));
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        square += (a[i * step] / largest) * (a[i * step] / largest);
    }
    double beta = -copysign(largest * sqrt(square), a[0]);
    double tau = (beta - a[0]) / beta;
    double scale = a[0] - beta;
    for (int i = 1; i < n; i++) {
        a[i * step] /= scale;
    }
    a[0] = beta;
    return tau;
}

// b = H b with the reflection stored in v (v_0 = 1 implied).
static void reflect_apply(int n, const double *v, ptrdiff_t v_step, double tau, double *b, ptrdiff_t b_step)
{
    double sum = b[0];
    for (int i = 1; i < n; i++) {
        sum += v[i * v_step] * b[i * b_step];
    }
    sum *= tau;
    b[0] -= sum;
    for (int i = 1; i < n; i++) {
        b[i * b_step] -= v[i * v_step] * sum;
    }
}

// Length of a column below row k, computed afresh: updating formulas lose digits, and the matrices are small.
static double column_length(int m, int n, double *A, int k, int j)
{
    double largest = 0.0;
    for (int i = k; i < m; i++) {
        largest = fmax(largest, fabs(row_of(A, n, i)[j]));
    }
    double square = 0.0;
    for (int i = k; largest > 0.0 && i < m; i++) {
        double a = row_of(A, n, i)[j] / largest;
        square += a * a;
    }
    return largest * sqrt(square);
}

// A P = Q R with the longest remaining column first; R above the diagonal, reflections below it, `column` is P. Gives
// the rank: rows of R whose diagonal exceeds tolerance times the first one.
static int factor_qr(int m, int n, double *A, double tolerance, double *tau, int *column)
{
    double longest = 0.0;
    int small = m < n ? m : n;
    for (int j = 0; j < n; j++) {
        column[j] = j;
    }
    for (int k = 0; k < small; k++) {
        int best = k;
        double length = column_length(m, n, A, k, k);
        for (int j = k + 1; j < n; j++) {
            double other = column_length(m, n, A, k, j);
            if (other > length) {
                best = j;
                length = other;
            }
        }
        longest = k == 0 ? length : longest;
        if (!(length > tolerance * longest)) {
            return k;
        }
        for (int i = 0; best != k && i < m; i++) {
            swap_rows(1, row_of(A, n, i) + k, row_of(A, n, i) + best);
        }
        int keep = column[k];
        column[k] = column[best];
        column[best] = keep;

        double *diagonal = row_of(A, n, k) + k;
        tau[k] = reflect_make(m - k, diagonal, n);
        for (int j = 1; j < n - k; j++) {
            reflect_apply(m - k, diagonal, n, tau[k], diagonal + j, n);
        }
    }
    return small;
}

// Turns [R11 R12] into [T 0] by reflections from the right, each of the diagonal entry k and columns rank .. n.
static void remove_tail(int n, int rank, double *A, double *tau, double *work)
{
    int tail = n - rank;
    for (int k = rank - 1; k >= 0; k--) {
        double *row = row_of(A, n, k);
        work[0] = row[k];
        memcpy(work + 1, row + rank, (size_t)tail * sizeof *work);
        tau[k] = reflect_make(tail + 1, work, 1);
        row[k] = work[0];
        memcpy(row + rank, work + 1, (size_t)tail * sizeof *work);
        for (int i = 0; i < k; i++) {
            double *other = row_of(A, n, i);
            double sum = tau[k] * (other[k] + dense_dot(tail, work + 1, other + rank));
            other[k] -= sum;
            for (int j = 0; j < tail; j++) {
                other[rank + j] -= sum * work[1 + j];
            }
        }
    }
}

// Solution from the finished decomposition: x = P Z^T [T^-1 (Q^T b); 0].
static void solve_orthogonal(int n, int rank, double *A, const double *tau, const int *column, double *b,
                             double *x)
{
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = row_of(A, n, k);
        b[k] = (b[k] - dense_dot(rank - 1 - k, row + k + 1, b + k + 1)) / row[k];
    }
    for (int k = rank; k < n; k++) {
        b[k] = 0.0;
    }
    for (int k = 0; k < rank; k++) {
        const double *v = row_of(A, n, k) + rank;
        double sum = tau[k] * (b[k] + dense_dot(n - rank, v, b + rank));
        b[k] -= sum;
        for (int j = 0; j < n - rank; j++) {
            b[rank + j] -= sum * v[j];
        }
    }
    for (int j = 0; j < n; j++) {
        x[column[j]] = b[j];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
}

// Least squares with working arrays of the caller: 2 n + 1 doubles, n ints.
static int least_squares(int m, int n, double *A, double *b, double tolerance, double *work, int *column)
{
    double *tau = work;
    double *x = work + n;
    int rank = factor_qr(m, n, A, tolerance, tau, column);
    for (int k = 0; k < rank; k++) {
        reflect_apply(m - k, row_of(A, n, k) + k, n, tau[k], b + k, 1);
    }
    if (rank < n) {
        remove_tail(n, rank, A, tau, x);
    } else {
        memset(tau, 0, (size_t)n * sizeof *tau);
    }
    solve_orthogonal(n, rank, A, tau, column, b, x);
    return rank;
}

int dense_least_squares(int m, int n, double *A, double *b, double tolerance)
{
    double *work = malloc((2 * (size_t)n + 1) * sizeof *work);
    int *column = malloc(((size_t)n + 1) * sizeof *column);
    int rank = -1;
    if (work && column) {
        rank = least_squares(m, n, A, b, tolerance, work, column);
    }
    free(column);
    free(work);
    return rank;
}

void dense_pseudo_inverse(int m, int n, const double *A, double *out)
{
    // rounding of the factorisation stays below about 1e2 * DBL_EPSILON for sides up to 32: 1e-12 is clear of it
    static const double tolerance = 1e-12;
    BI_ASSERT(m <= DENSE_TINY && n <= DENSE_TINY);
    double copy[DENSE_TINY * DENSE_TINY];
    double b[DENSE_TINY];
    double work[2 * DENSE_TINY + 1];
    int column[DENSE_TINY];
    for (int r = 0; r < m; r++) {
        memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
        memset(b, 0, sizeof b);
        b[r] = 1.0;
        least_squares(m, n, copy, b, tolerance, work, column);
        for (int i = 0; i < n; i++) {
            out[i * m + r] = b[i];
        }
    }
}

int dense_null_space(int m, int n, const double *A, double tolerance, double *Z)
{
    size_t size = (size_t)m * (size_t)n + 1;
    double *transposed = malloc(size * sizeof *transposed);
    double *tau = malloc(((size_t)m + 1) * sizeof *tau);
    int *column = malloc(((size_t)m + 1) * sizeof *column);
    int k = -1;
    if (transposed && tau && column) {
        for (int i = 0; i < n; i++) {
            for (int r = 0; r < m; r++) {
                transposed[(ptrdiff_t)i * m + r] = A[(ptrdiff_t)r * n + i];
            }
        }
        // A^T P = Q R: the columns of Q after the rank span what is orthogonal to all rows of A
        int rank = factor_qr(n, m, transposed, tolerance, tau, column);
        k = n - rank;
        memset(Z, 0, (size_t)n * (size_t)k * sizeof *Z);
        for (int c = 0; c < k; c++) {
            Z[(ptrdiff_t)(rank + c) * k + c] = 1.0;
            for (int r = rank - 1; r >= 0; r--) {
                const double *v = transposed + (ptrdiff_t)r * m + r;
                reflect_apply(n - r, v, m, tau[r], Z + (ptrdiff_t)r * k + c, k);
            }
        }
    }
    free(column);
    free(tau);
    free(transposed);
    return k;
}
