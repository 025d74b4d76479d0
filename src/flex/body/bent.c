// SPDX-License-Identifier: MIT
#include "flex/body/bent.h"
#include "base/lanes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the basis -----------------------------------------------------------------------------------------------------

// Functions: 1, then the kept components of the sums. Integral of the product of two of them.
static double product_of(const flex_sums *s, int f, int g)
{
    if (f == 0 || g == 0) {
        int other = f + g;
        return other == 0 ? s->mass : s->mean[other - 1];
    }
    return s->G[(f - 1) * s->stride + g - 1];
}

// Cholesky factor with pivots, the function 1 first; functions have unit size. Rows of L (count x count) are the
// functions in the basis; gives the number of its columns.
static int factor_products(const flex_sums *s, int count, double *L, double *left, double *size)
{
    static const double nothing = 1e-15; // rounding of the integrals
    int rank = 0;
    memset(L, 0, (size_t)(count * count) * sizeof *L);
    for (int f = 0; f < count; f++) {
        size[f] = sqrt(product_of(s, f, f));
        left[f] = 1.0;
    }
    while (rank < count) {
        int best = 0;
        for (int f = 1; f < count && rank > 0; f++) {
            best = left[f] > left[best] ? f : best;
        }
        if (!(left[best] > nothing)) {
            break;
        }
        double pivot = sqrt(left[best]);
        for (int f = 0; f < count; f++) {
            if (left[f] > nothing || f == best) {
                double sum = product_of(s, f, best) / (size[f] * size[best]);
                for (int k = 0; k < rank; k++) {
                    sum -= L[f * count + k] * L[best * count + k];
                }
                L[f * count + rank] = f == best ? pivot : sum / pivot;
                left[f] = f == best ? 0.0 : left[f] - L[f * count + rank] * L[f * count + rank];
            }
        }
        rank++;
    }
    return rank;
}

// ---- creation ------------------------------------------------------------------------------------------------------

static int vector_of(const flex_sums *s, const struct flex_bent *b, int shape, int component)
{
    int part = s->part[3 * shape + component];
    return (1 + part) * b->length;
}

// Vectors of component i of each mode and its pairs; 0 is a vector of zeros.
static void list_vectors(const flex_sums *s, struct flex_bent *b)
{
    int n = s->n_mode, count = 0;
    for (int i = 0; i < 3; i++) {
        bool is_there = s->start[i + 1] > s->start[i];
        if (is_there) {
            b->axis[b->n_axis++] = i;
        }
    }
    // bodies in a plane have two components; all others are treated as if they had three
    if (b->n_axis != 2) {
        b->n_axis = 3;
        b->axis[0] = 0, b->axis[1] = 1, b->axis[2] = 2;
    }
    for (int d = 0; d < b->n_axis; d++) {
        b->base[d] = vector_of(s, b, 0, b->axis[d]);
    }
    for (int m = 0; m < n; m++) {
        for (int d = 0; d < b->n_axis; d++) {
            b->mode[3 * m + d] = vector_of(s, b, 1 + m, b->axis[d]);
            b->first[3 * m + d] = count;
            for (int k = 0; k < n; k++) {
                int vector = vector_of(s, b, flex_pair_shape(n, m, k), b->axis[d]);
                if (vector > 0) {
                    b->pair[count++] = (bent_pair){ k, vector };
                }
            }
        }
        for (int d = b->n_axis; d < 3; d++) {
            b->first[3 * m + d] = count;
        }
    }
    b->first[3 * n] = count;
}

struct flex_bent *flex_bent_create(const flex_sums *s)
{
    int count = 1 + s->n_part;
    size_t n = (size_t)s->n_mode;
    struct flex_bent *b = calloc(1, sizeof *b);
    double *L = malloc((size_t)(count * count) * sizeof *L), *left = malloc((size_t)count * sizeof *left),
           *size = malloc((size_t)count * sizeof *size);
    bool ok = b && L && left && size;
    if (ok) {
        int rank = factor_products(s, count, L, left, size);
        b->n_mode = s->n_mode;
        b->length = (rank + 3) / 4 * 4;
        b->root_mass = sqrt(s->mass);
        b->mode = calloc(3 * n, sizeof *b->mode);
        b->first = calloc(3 * n + 1, sizeof *b->first);
        b->pair = calloc(3 * n * n + 1, sizeof *b->pair);
        b->value = calloc((size_t)(count * b->length), sizeof *b->value);
        ok = b->mode && b->first && b->pair && b->value;
        for (int f = 1; ok && f < count; f++) {
            for (int k = 0; k < rank; k++) {
                b->value[f * b->length + k] = size[f] * L[f * count + k];
            }
        }
    }
    if (ok) {
        list_vectors(s, b);
    }
    free(L);
    free(left);
    free(size);
    if (!ok) {
        flex_bent_destroy(b);
        return NULL;
    }
    return b;
}

void flex_bent_destroy(struct flex_bent *b)
{
    if (b) {
        free(b->mode);
        free(b->first);
        free(b->pair);
        free(b->value);
        free(b);
    }
}

// ---- moments -------------------------------------------------------------------------------------------------------

// Four numbers at once; vectors end with zeros to a multiple of four.
typedef double lane __attribute__((vector_size(32), aligned(8)));

// Place, its rate and its second rate, and the derivatives p_m of the place, as vectors.
typedef struct {
    double *place, *rate, *second; // a vector for each direction (3 x length)
    double *mode;                  // the same for each mode (n_mode x 3 x length)
} bent_vectors;

int flex_bent_work(const struct flex_bent *b) { return 3 * (3 + b->n_mode) * b->length; }

LANES_PART bent_vectors vectors_cut(const struct flex_bent *b, double *work)
{
    int n = 3 * b->length;
    return (bent_vectors){ work, work + n, work + 2 * n, work + 3 * n };
}

LANES_PART lane *lane_of(double *x, int k) { return (lane *)(x + k); }

LANES_PART double sum_of(lane x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// What mode m adds in direction d.
LANES_PART void add_mode(const struct flex_bent *b, const double *eta, const double *rate, int m, int d,
                         bent_vectors *v)
{
    const bent_pair *first = b->pair + b->first[3 * m + d], *end = b->pair + b->first[3 * m + d + 1];
    double *own = b->value + b->mode[3 * m + d];
    for (int k = 0; k < b->length; k += 4) {
        lane bend = { 0.0, 0.0, 0.0, 0.0 }, fast = bend;
        for (const bent_pair *p = first; p < end; p++) {
            lane x = *lane_of(b->value + p->vector, k);
            bend += x * eta[p->k];
            fast += x * rate[p->k];
        }
        lane shape = *lane_of(own, k), here = shape + bend;
        *lane_of(v->mode + (3 * m + d) * b->length, k) = here;
        // half of what pairs add to the derivative belongs to the place
        *lane_of(v->place + d * b->length, k) += (shape + bend * 0.5) * eta[m];
        *lane_of(v->rate + d * b->length, k) += here * rate[m];
        *lane_of(v->second + d * b->length, k) += fast * rate[m];
    }
}

LANES_PART void place_vectors(const struct flex_bent *b, int n_axis, const double *eta, const double *rate,
                              bent_vectors *v)
{
    size_t bytes = (size_t)b->length * sizeof(double);
    for (int d = 0; d < n_axis; d++) {
        memcpy(v->place + d * b->length, b->value + b->base[d], bytes);
        memset(v->rate + d * b->length, 0, bytes);
        memset(v->second + d * b->length, 0, bytes);
        for (int m = 0; m < b->n_mode; m++) {
            add_mode(b, eta, rate, m, d, v);
        }
    }
}

// int [1 p] x^T dm (4 x 3); what is zero everywhere has been written before.
LANES_PART void four_by_three(const struct flex_bent *b, int n_axis, bent_vectors *v, double *x, double *out)
{
    lane sum[3][3] = { 0 };
    for (int k = 0; k < b->length; k += 4) {
        UNROLL
        for (int i = 0; i < n_axis; i++) {
            UNROLL
            for (int j = 0; j < n_axis; j++) {
                sum[i][j] += *lane_of(v->place + i * b->length, k) * *lane_of(x + j * b->length, k);
            }
        }
    }
    for (int j = 0; j < n_axis; j++) {
        out[b->axis[j]] = b->root_mass * x[j * b->length];
        for (int i = 0; i < n_axis; i++) {
            out[3 + 3 * b->axis[i] + b->axis[j]] = sum_of(sum[i][j]);
        }
    }
}

LANES_PART void rate_moments(const struct flex_bent *b, int n_axis, bent_vectors *v, int m, flex_moments *out)
{
    lane sum[3][3] = { 0 }, second = { 0.0, 0.0, 0.0, 0.0 };
    for (int k = 0; k < b->length; k += 4) {
        UNROLL
        for (int i = 0; i < n_axis; i++) {
            lane here = *lane_of(v->mode + (3 * m + i) * b->length, k);
            second += here * *lane_of(v->second + i * b->length, k);
            UNROLL
            for (int j = 0; j < n_axis; j++) {
                sum[i][j] += here * *lane_of(v->rate + j * b->length, k);
            }
        }
    }
    out->S[m] = sum_of(second);
    for (int i = 0; i < n_axis; i++) {
        for (int j = 0; j < n_axis; j++) {
            out->N[m][3 * b->axis[i] + b->axis[j]] = sum_of(sum[i][j]);
        }
    }
}

LANES_PART void mass_row(const struct flex_bent *b, int n_axis, bent_vectors *v, int m, double *P)
{
    int n = b->n_mode;
    for (int q = 0; q <= m; q++) {
        lane sum = { 0.0, 0.0, 0.0, 0.0 };
        for (int k = 0; k < b->length; k += 4) {
            UNROLL
            for (int i = 0; i < n_axis; i++) {
                sum += *lane_of(v->mode + (3 * m + i) * b->length, k) *
                       *lane_of(v->mode + (3 * q + i) * b->length, k);
            }
        }
        P[n * m + q] = P[n * q + m] = sum_of(sum);
    }
}

LANES_PART void all_moments(const struct flex_bent *b, int n_axis, double mass, const double *eta,
                            const double *rate, flex_moments *out)
{
    bent_vectors v = vectors_cut(b, out->work);
    double square[12] = { 0 };
    place_vectors(b, n_axis, eta, rate, &v);
    four_by_three(b, n_axis, &v, v.place, square);
    out->J[0] = mass;
    for (int i = 0; i < 3; i++) {
        out->J[1 + i] = out->J[4 * (1 + i)] = square[i];
        for (int j = 0; j < 3; j++) {
            out->J[4 * (1 + i) + 1 + j] = square[3 + 3 * i + j];
        }
    }
    memset(out->D, 0, sizeof out->D);
    memset(out->W, 0, sizeof out->W);
    four_by_three(b, n_axis, &v, v.rate, out->D);
    four_by_three(b, n_axis, &v, v.second, out->W);
    for (int m = 0; m < b->n_mode; m++) {
        memset(out->H[m], 0, sizeof out->H[m]);
        memset(out->N[m], 0, sizeof out->N[m]);
        four_by_three(b, n_axis, &v, v.mode + 3 * m * b->length, out->H[m]);
        rate_moments(b, n_axis, &v, m, out);
        mass_row(b, n_axis, &v, m, out->bent);
    }
    out->P = out->bent;
}

LANES void flex_bent_moments(const struct flex_bent *b, double mass, const double *eta, const double *rate,
                             flex_moments *out)
{
    if (b->n_axis == 2) {
        all_moments(b, 2, mass, eta, rate, out);
    } else {
        all_moments(b, 3, mass, eta, rate, out);
    }
}
