// SPDX-License-Identifier: MIT
#include "coordinates/products.h"
#include <string.h>

void mass_multiply(const mass_entry *list, int count, const double *M, const double *x, double *y)
{
    for (int k = 0; k < count; k++) {
        const mass_entry *m = &list[k];
        double value = M[m->entry];
        y[m->i] += value * x[m->j];
        if (m->i != m->j) {
            y[m->j] += value * x[m->i];
        }
    }
}

void block_add(const block_map_values *b, const double *K, const double *C, double wK, double wC,
               const int *entry, double *T)
{
    double AJ[BLOCK_WIDTH][BLOCK_COLUMNS];
    int w = b->w, n = b->n;
    for (int i = 0; i < w; i++) {
        memset(AJ[i], 0, (size_t)n * sizeof AJ[i][0]);
        for (int j = 0; j < w; j++) {
            double s = 0.5 * (wK * (K[i * w + j] + K[j * w + i]) + wC * (C[i * w + j] + C[j * w + i]));
            for (int k = 0; k < n && s != 0.0; k++) {
                AJ[i][k] += s * b->J[j][k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < w; k++) {
                sum += b->J[k][i] * AJ[k][j];
            }
            T[*entry++] += sum;
        }
    }
}
