// SPDX-License-Identifier: MIT
// Partial elimination of a full symmetric matrix by blocks: the inner loop of the multifrontal factor.
#include "base/lanes.h"
#include "sparse/front_inner.h"
#include <math.h>
#include <string.h>

// Four neighbouring rows; a tile of 4 x 8 is held in eight of them.
typedef double quad __attribute__((vector_size(32)));

enum { TILE = 4, WIDE = 2 * TILE };

// Eliminates the columns k0..k0+kb of left, rows k0.., among themselves.
static int eliminate_panel(int rows, int k0, int kb, double *left)
{
    for (int j = k0; j < k0 + kb; j++) {
        double *column = left + (ptrdiff_t)j * rows;
        double d = column[j];
        if (!(fabs(d) > 0.0 && isfinite(d))) {
            return j;
        }
        double inverse = 1.0 / d;
        for (int c = j + 1; c < k0 + kb; c++) {
            double factor = column[c] * inverse;
            double *out = left + (ptrdiff_t)c * rows;
            for (int i = c; i < rows; i++) {
                out[i] -= column[i] * factor;
            }
        }
        for (int i = j + 1; i < rows; i++) {
            column[i] *= inverse;
        }
    }
    return k0 + kb;
}

// Copies rows from.. of L (columns k0..k0+kb) in strips of four rows, once as they are and once times the pivots.
static void pack_strips(int rows, int from, int k0, int kb, const double *left, double *plain, double *scaled)
{
    for (int strip = from; strip < rows; strip += TILE) {
        int height = rows - strip < TILE ? rows - strip : TILE;
        for (int k = 0; k < kb; k++) {
            const double *column = left + (ptrdiff_t)(k0 + k) * rows;
            double d = column[k0 + k];
            for (int i = 0; i < TILE; i++) {
                double value = i < height ? column[strip + i] : 0.0;
                *plain++ = value;
                *scaled++ = value * d;
            }
        }
    }
}

// tile (4 x 8, by columns) = sum over k of strip a times strips b and c.
LANES_PART void multiply_strips(int kb, const double *a, const double *b, const double *c, double *tile)
{
    quad sum[WIDE] = { { 0.0 } };
    for (int k = 0; k < kb; k++) {
        quad rows;
        memcpy(&rows, a + 4 * k, sizeof rows);
        UNROLL
        for (int j = 0; j < TILE; j++) {
            sum[j] += rows * b[4 * k + j];
        }
        UNROLL
        for (int j = 0; j < TILE; j++) {
            sum[TILE + j] += rows * c[4 * k + j];
        }
    }
    memcpy(tile, sum, sizeof sum);
}

// Takes a tile off the rest of the matrix; columns before `pivots` are in left, the others in right.
LANES_PART void subtract_tile(int rows, int pivots, int i0, int j0, const double *tile, double *left,
                              double *right)
{
    for (int j = j0; j < j0 + WIDE && j < rows; j++, tile += 4) {
        double *column = j < pivots ? left + (ptrdiff_t)j * rows
                                    : right + (ptrdiff_t)(j - pivots) * (rows - pivots) - pivots;
        int begin = i0 < j ? j : i0;
        for (int i = begin; i < i0 + TILE && i < rows; i++) {
            column[i] -= tile[i - i0];
        }
    }
}

// Takes the products of kb eliminated columns off the columns from `from` on.
LANES static void update(int rows, int pivots, int from, int kb, const double *plain, const double *scaled,
                         double *left, double *right)
{
    for (int j = from; j < rows; j += WIDE) {
        const double *b = scaled + (ptrdiff_t)(j - from) * kb;
        const double *c = j + TILE < rows ? b + (ptrdiff_t)TILE * kb : b;
        for (int i = j; i < rows; i += TILE) {
            double tile[TILE * WIDE];
            multiply_strips(kb, plain + (ptrdiff_t)(i - from) * kb, b, c, tile);
            subtract_tile(rows, pivots, i, j, tile, left, right);
        }
    }
}

int front_eliminate(int rows, int pivots, double *left, double *right, double *pack)
{
    double *scaled = pack + (ptrdiff_t)FRONT_BLOCK * (rows + 8);
    for (int k0 = 0; k0 < pivots; k0 += FRONT_BLOCK) {
        int kb = pivots - k0 < FRONT_BLOCK ? pivots - k0 : FRONT_BLOCK;
        int done = eliminate_panel(rows, k0, kb, left);
        if (done < k0 + kb) {
            return done;
        }
        pack_strips(rows, k0 + kb, k0, kb, left, pack, scaled);
        update(rows, pivots, k0 + kb, kb, pack, scaled, left, right);
    }
    return pivots;
}
