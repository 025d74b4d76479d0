// SPDX-License-Identifier: MIT
#include "coordinates/products.h"
#include "base/lanes.h"
#include <string.h>

LANES void mass_multiply(const mass_entry *list, int count, const double *M, const double *x, double *y)
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

// Four numbers at once, anywhere in memory.
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

// Rows are filled up to a multiple of four, whose last columns nobody reads: every sum keeps its order.
LANES void block_add(const block_map_values *b, const double *K, const double *C, double wK, double wC,
                     const int *entry, double *T)
{
    int w = b->w, n = b->n, stride = b->stride, wide = stride / 4;
    double *J = b->J, *AJ = J + w * stride, *line = AJ + w * stride;
    for (int i = 0; i < w; i++) {
        for (int k = n; k < stride; k++) {
            J[i * stride + k] = 0.0;
        }
    }
    memset(AJ, 0, (size_t)(w * stride) * sizeof *AJ);
    for (int i = 0; i < w; i++) {
        four *to = (four *)&AJ[i * stride];
        for (int j = 0; j < w; j++) {
            double s = 0.5 * (wK * (K[i * w + j] + K[j * w + i]) + wC * (C[i * w + j] + C[j * w + i]));
            const four *from = (const four *)&J[j * stride];
            for (int k = 0; k < wide && s != 0.0; k++) {
                to[k] += s * from[k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        four *sum = (four *)line;
        memset(line, 0, (size_t)(4 * (i / 4 + 1)) * sizeof *line);
        for (int k = 0; k < w; k++) {
            double g = J[k * stride + i];
            const four *from = (const four *)&AJ[k * stride];
            for (int j = 0; j <= i / 4 && g != 0.0; j++) {
                sum[j] += g * from[j];
            }
        }
        for (int j = 0; j <= i; j++) {
            T[*entry++] += line[j];
        }
    }
}
