// SPDX-License-Identifier: MIT
// Singular values of a tall matrix with few columns: rotations of pairs of columns until all are orthogonal. Small
// values keep their relative precision, which is what a question of rank needs.
#include "study/fit.h"
#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void rotate(double *a, double *b, int n, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

static void swap(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

void svd_jacobi(double *A, int m, int n, double *S, double *V)
{
    memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
    for (int j = 0; j < n; j++) {
        V[j * n + j] = 1.0;
    }
    bool is_turned = true;
    for (int sweep = 0; sweep < 60 && is_turned; sweep++) {
        is_turned = false;
        for (int p = 0; p < n - 1; p++) {
            for (int q = p + 1; q < n; q++) {
                double *a = &A[p * m], *b = &A[q * m];
                double aa = dot(a, a, m), bb = dot(b, b, m), ab = dot(a, b, m);
                if (fabs(ab) <= 1e-15 * sqrt(aa * bb)) {
                    continue;
                }
                double zeta = (bb - aa) / (2.0 * ab);
                double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
                double c = 1.0 / sqrt(1.0 + t * t);
                rotate(a, b, m, c, c * t);
                rotate(&V[p * n], &V[q * n], n, c, c * t);
                is_turned = true;
            }
        }
    }
    for (int j = 0; j < n; j++) {
        S[j] = sqrt(dot(&A[j * m], &A[j * m], m));
    }
    // largest first
    for (int p = 0; p < n - 1; p++) {
        int most = p;
        for (int q = p + 1; q < n; q++) {
            most = S[q] > S[most] ? q : most;
        }
        if (most != p) {
            swap(&A[p * m], &A[most * m], m);
            swap(&V[p * n], &V[most * n], n);
            swap(&S[p], &S[most], 1);
        }
    }
}
