// SPDX-License-Identifier: MIT
// Products with the gradients of rows, form by form (forklift in natural coordinates, thousand instructions of a
// step: 84 -> 57 for G^T x, 104 -> 63 for G x).
#include "base/lanes.h"
#include "integrate/algebra.h"

typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

// ---- G^T c -------------------------------------------------------------------------------------------------

LANES_PART void apply_triple(double c, const double *g, double *out)
{
    *(two *)out += *(const two *)g * c;
    out[2] += g[2] * c;
}

LANES_PART void apply_singles(double c, const double *g, const int *col, int count, double *out)
{
    UNROLL
    for (int k = 0; k < count; k++) {
        out[col[k]] += c * g[k];
    }
}

// A row with many consecutive columns: these four at a time.
LANES_PART void apply_long(const structure *st, int row, double c, const double *g, const int *col,
                           double *out)
{
    int length = st->G_start[row + 1] - st->G_start[row];
    int from = st->run[2 * row], to = from + st->run[2 * row + 1], k = from;
    apply_singles(c, g, col, from, out);
    double *there = out + col[from];
    for (; k + 4 <= to; k += 4) {
        *(lane *)(there + (k - from)) += *(const lane *)(g + k) * c;
    }
    apply_singles(c, g + k, col + k, length - k, out);
}

// Rows with that many columns anywhere.
LANES_PART const rows_place *apply_each(int count, const structure *st, const rows_place *p,
                                        const rows_place *last, const double *G, const double *coefficient,
                                        double *out)
{
    for (; p < last; p++) {
        apply_singles(coefficient[p->row], G + p->at, st->G_col + p->at, count, out);
    }
    return p;
}

LANES void rows_apply(const structure *st, const double *G, const double *coefficient, double *out)
{
    const rows_place *p = st->place;
    for (const rows_span *span = st->span, *end = span + st->n_span; span < end; span++) {
        const rows_place *last = p + span->count;
        switch ((rows_form)span->form) {
        case ROWS_ONE:
            for (; p < last; p++) {
                out[p->col] += coefficient[p->row] * G[p->at];
            }
            break;
        case ROWS_TWO:
            for (; p < last; p++) {
                const double *g = G + p->at;
                out[p->col] += coefficient[p->row] * g[0];
                out[p->other] += coefficient[p->row] * g[1];
            }
            break;
        case ROWS_TRIPLE:
            for (; p < last; p++) {
                apply_triple(coefficient[p->row], G + p->at, out + p->col);
            }
            break;
        case ROWS_TWO_TRIPLES:
            for (; p < last; p++) {
                const double *g = G + p->at;
                apply_triple(coefficient[p->row], g, out + p->col);
                apply_triple(coefficient[p->row], g + 3, out + p->other);
            }
            break;
        case ROWS_FLAT:
            for (; p < last; p++) {
                const double *g = G + p->at, *c = coefficient + p->row;
                apply_triple(c[0], g, out + p->col);
                out[st->G_col[p->at + 3]] += c[1] * g[3];
            }
            break;
        case ROWS_TWO_FLAT:
            for (; p < last; p++) {
                const double *g = G + p->at, *c = coefficient + p->row;
                apply_triple(c[0], g, out + p->col);
                apply_triple(c[0], g + 3, out + p->other);
                apply_singles(c[1], g + 6, st->G_col + p->at + 6, 2, out);
            }
            break;
        case ROWS_THREE: p = apply_each(3, st, p, last, G, coefficient, out); break;
        case ROWS_FOUR: p = apply_each(4, st, p, last, G, coefficient, out); break;
        case ROWS_FIVE: p = apply_each(5, st, p, last, G, coefficient, out); break;
        case ROWS_TRIPLES:
            for (int length = span->length, triples = 3 * span->n_triple; p < last; p++) {
                const double *g = G + p->at;
                const int *col = st->G_col + p->at;
                for (int k = 0; k < triples; k += 3) {
                    apply_triple(coefficient[p->row], g + k, out + col[k]);
                }
                apply_singles(coefficient[p->row], g + triples, col + triples, length - triples, out);
            }
            break;
        case ROWS_LONG:
            for (; p < last; p++) {
                apply_long(st, p->row, coefficient[p->row], G + p->at, st->G_col + p->at, out);
            }
            break;
        }
    }
}

// ---- G x ---------------------------------------------------------------------------------------------------

// One after the other: no other order of the sum.
LANES_PART double dot_triple(double sum, const double *g, const double *x)
{
    return sum + g[0] * x[0] + g[1] * x[1] + g[2] * x[2];
}

LANES_PART double dot_singles(double sum, const double *g, const int *col, int count, const double *x)
{
    UNROLL
    for (int k = 0; k < count; k++) {
        sum += g[k] * x[col[k]];
    }
    return sum;
}

LANES_PART double dot_long(const structure *st, int row, const double *g, const int *col, const double *x)
{
    int length = st->G_start[row + 1] - st->G_start[row];
    int from = st->run[2 * row], to = from + st->run[2 * row + 1], k = from;
    lane part = { 0.0 };
    double sum = dot_singles(0.0, g, col, from, x);
    const double *there = x + col[from];
    for (; k + 4 <= to; k += 4) {
        part += *(const lane *)(g + k) * *(const lane *)(there + (k - from));
    }
    sum += part[0] + part[1] + part[2] + part[3];
    return dot_singles(sum, g + k, col + k, length - k, x);
}

LANES_PART const rows_place *dot_each(int count, const structure *st, const rows_place *p,
                                      const rows_place *last, const double *G, const double *x, double *out)
{
    for (; p < last; p++) {
        out[p->row] = dot_singles(0.0, G + p->at, st->G_col + p->at, count, x);
    }
    return p;
}

LANES void rows_dot(const structure *st, const double *G, const double *x, double *out)
{
    const rows_place *p = st->place;
    for (const rows_span *span = st->span, *end = span + st->n_span; span < end; span++) {
        const rows_place *last = p + span->count;
        switch ((rows_form)span->form) {
        case ROWS_ONE:
            for (; p < last; p++) {
                out[p->row] = 0.0 + G[p->at] * x[p->col];
            }
            break;
        case ROWS_TWO:
            for (; p < last; p++) {
                const double *g = G + p->at;
                out[p->row] = 0.0 + g[0] * x[p->col] + g[1] * x[p->other];
            }
            break;
        case ROWS_TRIPLE:
            for (; p < last; p++) {
                out[p->row] = dot_triple(0.0, G + p->at, x + p->col);
            }
            break;
        case ROWS_TWO_TRIPLES:
            for (; p < last; p++) {
                const double *g = G + p->at;
                out[p->row] = dot_triple(dot_triple(0.0, g, x + p->col), g + 3, x + p->other);
            }
            break;
        case ROWS_FLAT:
            for (; p < last; p++) {
                const double *g = G + p->at;
                out[p->row] = dot_triple(0.0, g, x + p->col);
                out[p->row + 1] = 0.0 + g[3] * x[st->G_col[p->at + 3]];
            }
            break;
        case ROWS_TWO_FLAT:
            for (; p < last; p++) {
                const double *g = G + p->at;
                out[p->row] = dot_triple(dot_triple(0.0, g, x + p->col), g + 3, x + p->other);
                out[p->row + 1] = dot_singles(0.0, g + 6, st->G_col + p->at + 6, 2, x);
            }
            break;
        case ROWS_THREE: p = dot_each(3, st, p, last, G, x, out); break;
        case ROWS_FOUR: p = dot_each(4, st, p, last, G, x, out); break;
        case ROWS_FIVE: p = dot_each(5, st, p, last, G, x, out); break;
        case ROWS_TRIPLES:
            for (int length = span->length, triples = 3 * span->n_triple; p < last; p++) {
                const double *g = G + p->at;
                const int *col = st->G_col + p->at;
                double sum = 0.0;
                for (int k = 0; k < triples; k += 3) {
                    sum = dot_triple(sum, g + k, x + col[k]);
                }
                out[p->row] = dot_singles(sum, g + triples, col + triples, length - triples, x);
            }
            break;
        case ROWS_LONG:
            for (; p < last; p++) {
                out[p->row] = dot_long(st, p->row, G + p->at, st->G_col + p->at, x);
            }
            break;
        }
    }
}

LANES static double long_row_dot(const structure *st, const double *G, int row, const double *x)
{
    return dot_long(st, row, G + st->G_start[row], st->G_col + st->G_start[row], x);
}

double row_dot(const structure *st, const double *G, int row, const double *x)
{
    if (st->run[2 * row + 1] > 0) {
        return long_row_dot(st, G, row, x);
    }
    int first = st->G_start[row];
    return dot_singles(0.0, G + first, st->G_col + first, st->G_start[row + 1] - first, x);
}
