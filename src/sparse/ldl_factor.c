// SPDX-License-Identifier: MIT
// Numeric phase of the factor: factor and solve inside the step, plain loops over prepared places.
#include "base/check.h"
#include "base/lanes.h"
#include "sparse/ldl_panel.h"
#include <float.h>
#include <limits.h>
#include <string.h>

// Two neighbouring rows. Against a scalar up-looking factor with prepared row patterns, callgrind counts of one factor:
// chain of 1203 variables 257k -> 155k, mechanism of 293 144k -> 62k, full 60 x 60 394k -> 91k.
typedef double pair __attribute__((vector_size(16)));

// Four, where there are as many: one instruction with AVX2, two without. Each row has its own sum: the bits are those of pairs.
typedef double four __attribute__((vector_size(32), aligned(8)));
enum { MANY = 8 }; // rows from which that pays

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE pair pair_load(const double *p)
{
    pair v;
    memcpy(&v, p, sizeof v);
    return v;
}

ALWAYS_INLINE void pair_store(double *p, pair v) { memcpy(p, &v, sizeof v); }

// out[0 .. count) -= sum_k factor_k column_k[0 .. count), four or two rows at a time.
ALWAYS_INLINE void subtract_columns(int width, const double *column, ptrdiff_t stride, const double *factor,
                                    int count, double *out)
{
    pair f[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        f[k] = (pair){ factor[k], factor[k] };
    }
    ptrdiff_t b = 0;
    for (; count >= MANY && b + 3 < count; b += 4) {
        four sum, more, value;
        memcpy(&more, column + b, sizeof more);
        sum = more * factor[0];
        UNROLL
        for (int k = 1; k < width; k++) {
            memcpy(&more, column + k * stride + b, sizeof more);
            sum += more * factor[k];
        }
        memcpy(&value, out + b, sizeof value);
        value -= sum;
        memcpy(out + b, &value, sizeof value);
    }
    for (; b < count; b += 2) {
        pair sum = f[0] * pair_load(column + b);
        UNROLL
        for (int k = 1; k < width; k++) {
            sum += f[k] * pair_load(column + k * stride + b);
        }
        pair_store(out + b, pair_load(out + b) - sum);
    }
}

// The same with the rows of out given by an index.
ALWAYS_INLINE void subtract_columns_at(int width, const double *column, ptrdiff_t stride,
                                       const double *factor, int count, const int *index, double *out)
{
    pair f[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        f[k] = (pair){ factor[k], factor[k] };
    }
    for (ptrdiff_t b = 0; b < count; b += 2) {
        pair sum = f[0] * pair_load(column + b);
        UNROLL
        for (int k = 1; k < width; k++) {
            sum += f[k] * pair_load(column + k * stride + b);
        }
        double *out0 = out + index[b];
        double *out1 = out + index[b + 1];
        pair value = (pair){ *out0, *out1 } - sum;
        *out0 = value[0];
        *out1 = value[1];
    }
}

// One row of L: its entries of U by the inverse pivots.
ALWAYS_INLINE void panel_multipliers(int width, const double *row, ptrdiff_t stride, const double *inverse,
                                     double *factor)
{
    UNROLL
    for (int k = 0; k < width; k++) {
        factor[k] = row[k * stride] * inverse[k];
    }
}

// Factors the columns of one panel; gives the first local column with a bad pivot, or width.
ALWAYS_INLINE int panel_eliminate(int width, const ldl *fac, const panel *pan, const double *val,
                                  double pivot_tolerance, double *numeric, double *inverse)
{
    double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    const int *diagonal = fac->diagonal + pan->first;
    UNROLL
    for (int j = 0; j < width; j++) {
        double *column = block + j * stride + j;
        double factor[PANEL_WIDTH];
        if (j > 0) {
            panel_multipliers(j, block + j, stride, inverse, factor);
            subtract_columns(j, block + j, stride, factor, width + pan->below - j, column);
        }
        double d = column[0];
        if (!(d > pivot_tolerance * val[diagonal[j]] && d <= DBL_MAX)) {
            return j;
        }
        inverse[j] = 1.0 / d;
    }
    return width;
}

// The same of a panel with no rows below, by the same products and sums in the same order: held in registers, since the
// processor waits where it loads two numbers of which each was just stored with another one (steps of free bodies: 5 % of their time).
ALWAYS_INLINE int panel_eliminate_alone(int width, const ldl *fac, const panel *pan, const double *val,
                                        double pivot_tolerance, double *numeric, double *inverse)
{
    double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    const int *diagonal = fac->diagonal + pan->first;
    double u[PANEL_WIDTH][PANEL_WIDTH];
    UNROLL
    for (int j = 0; j < width; j++) {
        UNROLL
        for (int i = j; i < width; i++) {
            u[j][i] = block[j * stride + i];
        }
    }
    UNROLL
    for (int j = 0; j < width; j++) {
        double factor[PANEL_WIDTH];
        UNROLL
        for (int k = 0; k < j; k++) {
            factor[k] = u[k][j] * inverse[k];
        }
        UNROLL
        for (int i = j; i < width && j > 0; i++) {
            double sum = factor[0] * u[0][i];
            UNROLL
            for (int k = 1; k < j; k++) {
                sum += factor[k] * u[k][i];
            }
            u[j][i] -= sum;
            block[j * stride + i] = u[j][i];
        }
        if (!(u[j][j] > pivot_tolerance * val[diagonal[j]] && u[j][j] <= DBL_MAX)) {
            return j;
        }
        inverse[j] = 1.0 / u[j][j];
    }
    return width;
}

// Subtracts the products of one panel from the later columns.
ALWAYS_INLINE void panel_update(int width, const ldl *fac, const panel *pan, double *numeric,
                                const double *inverse)
{
    const double *below = numeric + pan->block + width;
    ptrdiff_t stride = pan->stride;
    double g[PANEL_WIDTH];
    double factor[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        g[k] = inverse[k];
    }
    for (int t = pan->target_begin; t < pan->target_end; t++) {
        const target *to = &fac->target[t];
        double *out = numeric + to->block;
        const double *column = below + to->begin;
        const double *end = below + to->end;
        int count = pan->below - to->begin;
        if (to->index < 0) {
            for (; column < end; column++, count--) {
                panel_multipliers(width, column, stride, g, factor);
                subtract_columns(width, column, stride, factor, count, out);
                out += to->stride + 1;
            }
        } else {
            const int *place = fac->place + to->index;
            for (; column < end; column++, count--) {
                panel_multipliers(width, column, stride, g, factor);
                subtract_columns_at(width, column, stride, factor, count, place,
                                    out + (ptrdiff_t)*place * to->stride);
                place++;
            }
        }
    }
}

ALWAYS_INLINE int panel_factor(int width, const ldl *fac, const panel *pan, const double *val,
                               double pivot_tolerance, double *numeric)
{
    double *inverse = numeric + fac->n_number + pan->first;
    if (pan->below == 0) {
        return panel_eliminate_alone(width, fac, pan, val, pivot_tolerance, numeric, inverse);
    }
    int good = panel_eliminate(width, fac, pan, val, pivot_tolerance, numeric, inverse);
    if (good == width) {
        panel_update(width, fac, pan, numeric, inverse);
    }
    return good;
}

// One body for each width, so that the compiler sees constants; `call` uses the name `width`.
#define FOR_WIDTH(w, call)                                                                                   \
    case w: {                                                                                                \
        enum { width = w };                                                                                  \
        call;                                                                                                \
        break;                                                                                               \
    }
#define FOR_EACH_WIDTH(w, call)                                                                              \
    switch (w) {                                                                                             \
        FOR_WIDTH(1, call)                                                                                   \
        FOR_WIDTH(2, call)                                                                                   \
        FOR_WIDTH(3, call)                                                                                   \
        FOR_WIDTH(4, call)                                                                                   \
        FOR_WIDTH(5, call)                                                                                   \
        FOR_WIDTH(6, call)                                                                                   \
        FOR_WIDTH(7, call)                                                                                   \
        FOR_WIDTH(8, call)                                                                                   \
    }

LANES_PART void load_values(const ldl *fac, const double *val, double *numeric)
{
    // a list is cheaper than clearing whole blocks: fill is rare, and the upper triangles are never read
    const int *blank = fac->blank;
    for (ptrdiff_t p = 0; p < fac->n_blank; p += 4) {
        numeric[blank[p]] = 0.0;
        numeric[blank[p + 1]] = 0.0;
        numeric[blank[p + 2]] = 0.0;
        numeric[blank[p + 3]] = 0.0;
    }
    const int *scatter = fac->scatter;
    ptrdiff_t nnz = fac->nnz;
    ptrdiff_t p = 0;
    for (; p + 4 <= nnz; p += 4) {
        numeric[scatter[p]] = val[p];
        numeric[scatter[p + 1]] = val[p + 1];
        numeric[scatter[p + 2]] = val[p + 2];
        numeric[scatter[p + 3]] = val[p + 3];
    }
    for (; p < nnz; p++) {
        numeric[scatter[p]] = val[p];
    }
}

// No number but zero below the diagonal block: whatever the later columns are, these do not feel it.
LANES_PART bool panel_is_alone(const panel *pan, const double *numeric)
{
    bool is_alone = true;
    for (ptrdiff_t k = 0; k < pan->width; k++) {
        const double *column = numeric + pan->block + k * pan->stride + pan->width;
        for (int b = 0; b < pan->below; b++) {
            if (column[b] != 0.0) {
                is_alone = false;
                LANES_STOP(false);
            }
        }
    }
    return is_alone;
}

LANES int ldl_factor(const ldl *fac, const double *val, double *numeric, double pivot_tolerance)
{
    load_values(fac, val, numeric);
    double *is_alone = numeric + fac->n_number + 2 * fac->n + 1;
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        int good = 0;
        FOR_EACH_WIDTH(pan->width, good = panel_factor(width, fac, pan, val, pivot_tolerance, numeric))
        if (good < pan->width) {
            return fac->original[pan->first + good];
        }
        is_alone[p] = panel_is_alone(pan, numeric) ? 1.0 : 0.0;
    }
    return -1;
}

// z = D^-1 L^-1 b of the columns of one panel, and its share taken off the later ones.
ALWAYS_INLINE void panel_forward(int width, const ldl *fac, const panel *pan, const double *numeric,
                                 const double *inverse, double *x)
{
    const double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    double *own = x + pan->first;
    double z[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        double sum = own[k];
        UNROLL
        for (int j = 0; j < k; j++) {
            sum -= block[j * stride + k] * z[j];
        }
        z[k] = sum * inverse[pan->first + k];
        own[k] = z[k];
    }
    const int *row = fac->row + pan->row;
    if (pan->is_contiguous) {
        subtract_columns(width, block + width, stride, z, pan->below, x + row[0]);
    } else {
        subtract_columns_at(width, block + width, stride, z, pan->below, row, x);
    }
}

// x = L^-T z of the columns of one panel from the later ones.
ALWAYS_INLINE void panel_backward(int width, const ldl *fac, const panel *pan, const double *numeric,
                                  const double *inverse, double *x)
{
    const double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    const int *row = fac->row + pan->row;
    double *own = x + pan->first;
    pair sum[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        sum[k] = (pair){ 0.0, 0.0 };
    }
    // by index even where the rows are consecutive: the processor waits when it loads a pair that was just stored as
    // two numbers (chain of 1203 variables: solve 16.0 -> 13.7 us)
    for (ptrdiff_t b = 0; b < pan->below; b += 2) {
        pair known = { x[row[b]], x[row[b + 1]] };
        UNROLL
        for (int k = 0; k < width; k++) {
            sum[k] += pair_load(block + k * stride + width + b) * known;
        }
    }
    double solution[PANEL_WIDTH];
    UNROLL
    for (int i = 0; i < width; i++) {
        int k = width - 1 - i;
        double s = sum[k][0] + sum[k][1];
        UNROLL
        for (int j = width - 1; j > k; j--) {
            s += block[k * stride + j] * solution[j];
        }
        solution[k] = own[k] - inverse[pan->first + k] * s;
        own[k] = solution[k];
    }
}

// Nothing on the right of these columns. So it is with bodies that sleep: they pass nothing on, and where nothing ties
// them to the later columns they do not move (forklift with three loads asleep: solve 3.1k -> 2.5k instructions).
LANES_PART bool is_blank(const panel *pan, const double *x)
{
    bool is = true;
    for (int k = 0; k < pan->width; k++) {
        if (x[pan->first + k] != 0.0) {
            is = false;
            LANES_STOP(false);
        }
    }
    return is;
}

LANES_SOME void forward(const ldl *fac, const panel *pan, const double *numeric, const double *inverse,
                        double *x){ FOR_EACH_WIDTH(pan->width,
                                                   panel_forward(width, fac, pan, numeric, inverse, x)) }

LANES_SOME void backward(const ldl *fac, const panel *pan, const double *numeric, const double *inverse,
                         double *x){ FOR_EACH_WIDTH(pan->width,
                                                    panel_backward(width, fac, pan, numeric, inverse, x)) }

LANES void ldl_solve(const ldl *fac, double *numeric, double *b)
{
    int n = fac->n;
    const double *inverse = numeric + fac->n_number;
    double *x = numeric + fac->n_number + n;
    const double *is_alone = x + n + 1;
    for (int k = 0; k < n; k++) {
        x[k] = b[fac->original[k]];
    }
    x[n] = 0.0;
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        if (!is_blank(pan, x)) {
            forward(fac, pan, numeric, inverse, x);
        }
    }
    for (int p = fac->n_panel - 1; p >= 0; p--) {
        const panel *pan = &fac->panel[p];
        if (!(is_alone[p] > 0.0 && is_blank(pan, x))) {
            backward(fac, pan, numeric, inverse, x);
        }
    }
    for (int k = 0; k < n; k++) {
        b[fac->original[k]] = x[k];
    }
}

size_t ldl_numeric_count(const ldl *fac)
{
    // panels | inverse pivots | permuted right-hand side and its spare entry | which panels are alone
    return fac->n_number + 2 * (size_t)fac->n + 1 + (size_t)fac->n_panel;
}

double ldl_pivot(const ldl *fac, const double *numeric, int i) { return numeric[fac->pivot[i]]; }

int ldl_nnz(const ldl *fac) { return fac->nnz_factor; }
