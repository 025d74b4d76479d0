// SPDX-License-Identifier: MIT
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stddef.h>

// Turns rows and columns p and q of A so that A[p][q] vanishes, and columns p and q of V with them.
static void rotate(int n, double *A, double *V, int p, int q)
{
    size_t N = (size_t)n, P = (size_t)p, Q = (size_t)q;
    double apq = A[P * N + Q], theta = 0.5 * (A[Q * N + Q] - A[P * N + P]) / apq;
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (size_t k = 0; k < N; k++) {
        double akp = A[k * N + P], akq = A[k * N + Q];
        A[k * N + P] = c * akp - s * akq;
        A[k * N + Q] = s * akp + c * akq;
    }
    for (size_t k = 0; k < N; k++) {
        double apk = A[P * N + k], aqk = A[Q * N + k];
        A[P * N + k] = c * apk - s * aqk;
        A[Q * N + k] = s * apk + c * aqk;
        double vkp = V[k * N + P], vkq = V[k * N + Q];
        V[k * N + P] = c * vkp - s * vkq;
        V[k * N + Q] = s * vkp + c * vkq;
    }
    A[P * N + Q] = A[Q * N + P] = 0.0;
}

static void sort_ascending(int n, double *value, double *V)
{
    size_t N = (size_t)n;
    for (size_t i = 0; i + 1 < N; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < N; j++) {
            least = value[j] < value[least] ? j : least;
        }
        double swap = value[i];
        value[i] = value[least];
        value[least] = swap;
        for (size_t k = 0; k < N && least != i; k++) {
            double v = V[k * N + i];
            V[k * N + i] = V[k * N + least];
            V[k * N + least] = v;
        }
    }
}

void dense_symmetric_eigen(int n, double *A, double *value, double *V)
{
    enum { SWEEPS = 60 };
    size_t N = (size_t)n;
    for (size_t i = 0; i < N * N; i++) {
        V[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
    }
    int turned = 1;
    for (int sweep = 0; sweep < SWEEPS && turned > 0; sweep++) {
        turned = 0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                double apq = fabs(A[(size_t)p * N + (size_t)q]);
                double size = sqrt(fabs(A[(size_t)p * (N + 1)]) * fabs(A[(size_t)q * (N + 1)]));
                // below the rounding of its diagonal an entry means nothing
                if (apq > 1e-17 * size && apq > 1e-300) {
                    rotate(n, A, V, p, q);
                    turned++;
                }
            }
        }
    }
    for (size_t i = 0; i < N; i++) {
        value[i] = A[i * (N + 1)];
    }
    sort_ascending(n, value, V);
}

double dense_least(int n, const double *A, double *direction, double *largest)
{
    double even[DENSE_SMALL * DENSE_SMALL], value[DENSE_SMALL], V[DENSE_SMALL * DENSE_SMALL];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            even[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
        }
    }
    dense_symmetric_eigen(n, even, value, V);
    for (int i = 0; i < n; i++) {
        direction[i] = V[i * n];
    }
    *largest = fmax(fabs(value[0]), fabs(value[n - 1]));
    return value[0];
}
