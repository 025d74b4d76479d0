// SPDX-License-Identifier: MIT
// Eigenvalues and modes of the linearised equations, sorted, named and followed over a parameter.
#include "analysis/modes.h"
#include "math/elementary.h"
#include "sparse/dense.h"
#include "sparse/dense_general_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// M^-1 times a matrix with `columns` of them, into the rows of the second rates of A from column `at` on.
static bool put_divided(const bi_linear *l, const double *from, int columns, double sign, int at, double *A)
{
    int n = l->n, m = l->n_value;
    double *copy = malloc((size_t)(n * n + n + 1) * sizeof *copy), *right = copy + n * n;
    bool ok = copy != NULL;
    for (int k = 0; k < columns && ok; k++) {
        memcpy(copy, l->M, (size_t)(n * n) * sizeof *copy);
        for (int i = 0; i < n; i++) {
            right[i] = sign * from[i * columns + k];
        }
        ok = dense_solve(n, copy, right);
        for (int i = 0; i < n; i++) {
            A[(n + i) * m + at + k] = right[i];
        }
    }
    free(copy);
    return ok;
}

// First-order form [0 1 0; -M^-1 K, -M^-1 C, M^-1 F; Zq Zv Zz] (linearisation.10).
static bool state_matrix(const bi_linear *l, double *A)
{
    int n = l->n, m = l->n_value;
    for (int i = 0; i < n; i++) {
        A[i * m + n + i] = 1.0;
    }
    for (int z = 0; z < l->n_state; z++) {
        double *row = &A[(2 * n + z) * m];
        memcpy(row, &l->Zq[z * n], (size_t)n * sizeof *row);
        memcpy(row + n, &l->Zv[z * n], (size_t)n * sizeof *row);
        memcpy(row + 2 * n, &l->Zz[z * l->n_state], (size_t)l->n_state * sizeof *row);
    }
    return put_divided(l, l->K, n, -1.0, 0, A) && put_divided(l, l->C, n, -1.0, n, A) &&
           put_divided(l, l->F, l->n_state, 1.0, 2 * n, A);
}

// The positions of an eigenvector, largest component 1; all zero when only states take part.
static void keep_shape(int n, const double *x, const double *y, double *shape_re, double *shape_im)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = math_hypot(x[i], y[i]) > (1.0 + 1e-9) * math_hypot(x[best], y[best]) ? i : best;
    }
    double a = x[best], b = y[best], square = a * a + b * b;
    for (int i = 0; i < n && square > 0.0; i++) {
        shape_re[i] = i == best ? 1.0 : (x[i] * a + y[i] * b) / square;
        shape_im[i] = i == best ? 0.0 : (y[i] * a - x[i] * b) / square;
    }
}

bool modes_find(bi_linear *l)
{
    int n = l->n, m = l->n_value;
    double *A = calloc((size_t)(3 * m * m + 1), sizeof *A), *x = A + m * m, *y = x + m * m;
    bool ok = A && state_matrix(l, A) && dense_eigenvalues(m, A, l->re, l->im) &&
              dense_eigenvectors(m, A, l->re, l->im, x, y);
    for (int k = 0; k < m && ok; k++) {
        keep_shape(n, &x[k * m], &y[k * m], &l->shape_re[k * n], &l->shape_im[k * n]);
    }
    free(A);
    return ok;
}
