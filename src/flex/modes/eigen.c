// SPDX-License-Identifier: MIT
// Block Lanczos on the inverse, full reorthogonalisation, thick restarts, and a check of the count.
//
// The basis V is M-orthonormal; T = V^T M A V with A = (K - shift M)^-1 M is kept full, so that a restart is only a
// change of basis. Eigenvalues theta of A are 1 / (lambda - shift): the wanted ones are the largest.
#include "flex/modes/eigen.h"
#include "sparse/dense_symmetric.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4, MOST_RESTARTS = 60, MOST_ATTEMPTS = 4 };

typedef struct {
    const eigen_problem *p;
    front *factor;
    int n;        // unknowns
    int room;     // columns of V
    int size;     // columns in use for which T is known
    int next;     // columns of the block that comes after them, M-orthonormal to all before
    double *V;    // by columns                                     (n (room + BLOCK))
    double *MV;   // M V                                            (n (room + BLOCK))
    double *T;    // (room x room)
    double *beta; // part of A V_last outside V: V_next^T M A v_j    (BLOCK x room)
    double *theta;
    double *S;     // eigenvectors of T, one after the other        (room x room)
    double *W;     // a block                                      (n BLOCK)
    uint64_t seed; // of the start vectors: always the same
    int n_solve;
} lanczos;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static double dot(int n, const double *a, const double *b)
{
    double sum[4] = { 0.0 };
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        sum[0] += a[i] * b[i];
        sum[1] += a[i + 1] * b[i + 1];
        sum[2] += a[i + 2] * b[i + 2];
        sum[3] += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) {
        sum[0] += a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_scaled(int n, double f, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] += f * x[i];
    }
}

static double *column(const lanczos *lz, double *base, int j) { return base + (size_t)j * (size_t)lz->n; }

static void multiply_mass(const lanczos *lz, const double *x, double *y)
{
    memset(y, 0, (size_t)lz->n * sizeof *y);
    pattern_multiply(lz->p->pat, lz->p->M, x, y);
}

// Takes the parts along the first `count` columns of V off w, twice; adds them to part if not NULL.
static void orthogonalise(lanczos *lz, int count, double *w, double *part)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < count; j++) {
            double f = dot(lz->n, column(lz, lz->MV, j), w);
            add_scaled(lz->n, -f, column(lz, lz->V, j), w);
            if (part) {
                part[j] += f;
            }
        }
    }
}

static double mass_norm(lanczos *lz, const double *x, double *scratch)
{
    multiply_mass(lz, x, scratch);
    return sqrt(fmax(dot(lz->n, x, scratch), 0.0));
}

// Appends w as column `at` of V if something of it is left beside the others; gives its M-norm before scaling, or 0.
static double append(lanczos *lz, int at, double *w, double before)
{
    double *v = column(lz, lz->V, at);
    double *mv = column(lz, lz->MV, at);
    double norm = mass_norm(lz, w, mv);
    // when little is left, rounding in what was taken off weighs more: again, until no more comes off
    for (double last = before; norm < 1e-2 * last;) {
        if (!(norm > 1e-11 * before)) {
            return 0.0; // only rounding is left: an invariant subspace has been found
        }
        last = norm;
        orthogonalise(lz, at, w, NULL);
        norm = mass_norm(lz, w, mv);
    }
    for (int i = 0; i < lz->n; i++) {
        v[i] = w[i] / norm;
        mv[i] /= norm;
    }
    return norm;
}

// W = A V of the block at columns from.., in place of W.
static void apply(lanczos *lz, int from, int count)
{
    for (int c = 0; c < count; c++) {
        memcpy(lz->W + (size_t)c * (size_t)lz->n, column(lz, lz->MV, from + c),
               (size_t)lz->n * sizeof(double));
    }
    front_solve(lz->factor, count, lz->W);
    lz->n_solve += count;
}

// Fills the next block with random vectors, orthogonal to all; passed once through A so that they lie in its range.
static void start_block(lanczos *lz)
{
    int size = lz->size;
    lz->next = 0;
    for (int c = 0; c < BLOCK; c++) {
        double *w = lz->W;
        for (int i = 0; i < lz->n; i++) {
            w[i] = uniform(&lz->seed);
        }
        double *mv = column(lz, lz->MV, size + lz->next);
        multiply_mass(lz, w, mv);
        apply(lz, size + lz->next, 1);
        double before = mass_norm(lz, w, mv);
        orthogonalise(lz, size + lz->next, w, NULL);
        lz->next += append(lz, size + lz->next, w, before) > 0.0;
    }
    memset(lz->beta, 0, (size_t)BLOCK * (size_t)lz->room * sizeof(double));
}

// Takes the next block into the basis: its columns of T, and the block after it.
static void extend(lanczos *lz)
{
    int from = lz->size;
    int width = lz->next;
    int total = from + width;
    apply(lz, from, width);
    memset(lz->beta, 0, (size_t)BLOCK * (size_t)lz->room * sizeof(double));
    lz->size = total;
    lz->next = 0;
    double *part = lz->S; // free between decompositions
    for (int c = 0; c < width; c++) {
        double *w = lz->W + (size_t)c * (size_t)lz->n;
        int all = total + lz->next;
        double before = mass_norm(lz, w, column(lz, lz->MV, all));
        memset(part, 0, (size_t)all * sizeof *part);
        orthogonalise(lz, all, w, part);
        for (int j = 0; j < total; j++) {
            lz->T[(size_t)j * (size_t)lz->room + (size_t)(from + c)] = part[j];
            lz->T[(size_t)(from + c) * (size_t)lz->room + (size_t)j] = part[j];
        }
        for (int b = 0; b < lz->next; b++) {
            lz->beta[(size_t)b * (size_t)lz->room + (size_t)(from + c)] = part[total + b];
        }
        double norm = append(lz, all, w, before);
        if (norm > 0.0) {
            lz->beta[(size_t)lz->next * (size_t)lz->room + (size_t)(from + c)] = norm;
            lz->next++;
        }
    }
}

// Eigenvalues of T, largest theta first: theta[k], S + k room.
static bool decompose(lanczos *lz)
{
    int m = lz->size;
    size_t room = (size_t)lz->room;
    double *packed = malloc(2 * (size_t)m * (size_t)m * sizeof *packed + sizeof *packed);
    if (!packed) {
        return false;
    }
    double *vector = packed + (size_t)m * (size_t)m;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            packed[i * m + j] =
                0.5 * (lz->T[(size_t)i * room + (size_t)j] + lz->T[(size_t)j * room + (size_t)i]);
        }
    }
    bool is_good = dense_symmetric_vectors(m, packed, lz->theta, vector);
    // descending
    for (int k = 0; k < m / 2 && is_good; k++) {
        double t = lz->theta[k];
        lz->theta[k] = lz->theta[m - 1 - k];
        lz->theta[m - 1 - k] = t;
    }
    for (int k = 0; k < m && is_good; k++) {
        memcpy(lz->S + (size_t)k * room, vector + (size_t)(m - 1 - k) * (size_t)m,
               (size_t)m * sizeof(double));
    }
    free(packed);
    return is_good;
}

// |A x - theta x| / theta of the k-th Ritz vector.
static double residual(const lanczos *lz, int k)
{
    double sum = 0.0;
    for (int b = 0; b < lz->next; b++) {
        double part =
            dot(lz->size, lz->beta + (size_t)b * (size_t)lz->room, lz->S + (size_t)k * (size_t)lz->room);
        sum += part * part;
    }
    return lz->theta[k] > 0.0 ? sqrt(sum) / lz->theta[k] : INFINITY;
}

static double lambda_of(const lanczos *lz, int k) { return lz->p->shift + 1.0 / lz->theta[k]; }

// Leading Ritz vectors that are converged.
static int converged(const lanczos *lz, double tolerance)
{
    int k = 0;
    while (k < lz->size && residual(lz, k) <= tolerance) {
        k++;
    }
    return k;
}

// Columns 0..keep of base become base * S; row by row, so that no second basis is needed.
static void rotate(const lanczos *lz, int keep, double *base, double *row)
{
    for (int i = 0; i < lz->n; i++) {
        for (int j = 0; j < lz->size; j++) {
            row[j] = column(lz, base, j)[i];
        }
        for (int k = 0; k < keep; k++) {
            column(lz, base, k)[i] = dot(lz->size, row, lz->S + (size_t)k * (size_t)lz->room);
        }
    }
}

// Keeps the best Ritz vectors and the next block.
static bool restart(lanczos *lz, int keep)
{
    double *row = malloc((size_t)lz->size * sizeof *row);
    if (!row) {
        return false;
    }
    rotate(lz, keep, lz->V, row);
    rotate(lz, keep, lz->MV, row);
    for (int b = 0; b < lz->next; b++) {
        memmove(column(lz, lz->V, keep + b), column(lz, lz->V, lz->size + b), (size_t)lz->n * sizeof(double));
        memmove(column(lz, lz->MV, keep + b), column(lz, lz->MV, lz->size + b),
                (size_t)lz->n * sizeof(double));
    }
    free(row);
    memset(lz->T, 0, (size_t)lz->room * (size_t)lz->room * sizeof(double));
    for (int k = 0; k < keep; k++) {
        lz->T[(size_t)k * (size_t)lz->room + (size_t)k] = lz->theta[k];
    }
    lz->size = keep;
    return true;
}

// Room for the basis when `wanted` eigenvalues are asked.
static int room_for(int n, int wanted)
{
    int room = 2 * wanted + 40;
    return room < n ? room : n;
}

static bool make_room(lanczos *lz, int room)
{
    size_t n = (size_t)lz->n;
    size_t columns = (size_t)room + BLOCK;
    lz->room = room;
    lz->V = malloc(n * columns * sizeof(double));
    lz->MV = malloc(n * columns * sizeof(double));
    lz->W = malloc(n * BLOCK * sizeof(double));
    lz->T = calloc((size_t)room * (size_t)room, sizeof(double));
    lz->S = calloc(columns * columns, sizeof(double));
    lz->beta = calloc(BLOCK * (size_t)room, sizeof(double));
    lz->theta = calloc((size_t)room + 1, sizeof(double));
    return lz->V && lz->MV && lz->W && lz->T && lz->S && lz->beta && lz->theta;
}

static void lanczos_free(lanczos *lz)
{
    free(lz->V);
    free(lz->MV);
    free(lz->W);
    free(lz->T);
    free(lz->S);
    free(lz->beta);
    free(lz->theta);
}

static bool report_progress(const lanczos *lz)
{
    const eigen_problem *p = lz->p;
    double left = lz->size < lz->room ? lz->room - lz->size : BLOCK;
    return !p->progress || p->progress(p->data, 0.5 + 0.5 * lz->n_solve / (lz->n_solve + left));
}

// Runs until `wanted` Ritz vectors are converged; gives how many are in *found.
static eigen_status iterate(lanczos *lz, int wanted, double tolerance, int *found)
{
    int n_restart = 0;
    int check_at = lz->size + wanted + 8;
    start_block(lz);
    while (lz->next > 0) {
        extend(lz);
        if (!report_progress(lz)) {
            return EIGEN_STOPPED;
        }
        bool is_full = lz->size + lz->next > lz->room;
        if (lz->size < check_at && lz->next > 0 && !is_full) {
            continue;
        }
        check_at = lz->size + 8 + wanted / 8;
        if (!decompose(lz)) {
            return EIGEN_MEMORY;
        }
        *found = converged(lz, tolerance);
        if (*found >= wanted) {
            return EIGEN_GOOD;
        }
        // an invariant subspace: go on beside it, unless nothing is left
        if (lz->next == 0) {
            start_block(lz);
        }
        if (lz->size + lz->next > lz->room) {
            int keep = wanted + (lz->room - wanted) / 3;
            if (n_restart++ == MOST_RESTARTS || keep + lz->next > lz->room || keep > lz->size) {
                return EIGEN_NOT_FOUND;
            }
            if (!restart(lz, keep)) {
                return EIGEN_MEMORY;
            }
            check_at = lz->size + 8;
        }
    }
    return EIGEN_GOOD;
}

// Makes the signs of an eigenvector definite.
static void fix_sign(int n, double *x)
{
    int largest = 0;
    for (int i = 1; i < n; i++) {
        largest = fabs(x[i]) > fabs(x[largest]) * (1.0 + 1e-9) ? i : largest;
    }
    double sign = x[largest] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < n; i++) {
        x[i] *= sign;
    }
}

// Ritz vectors and values as they are given.
static bool give(lanczos *lz, int count, eigen_result *out)
{
    size_t n = (size_t)lz->n;
    out->value = malloc(((size_t)count + 1) * sizeof(double));
    out->vector = malloc(((size_t)count * n + 1) * sizeof(double));
    if (!out->value || !out->vector) {
        return false;
    }
    out->count = count;
    out->n_solve = lz->n_solve;
    for (int k = 0; k < count; k++) {
        double *x = out->vector + (size_t)k * n;
        memset(x, 0, n * sizeof *x);
        for (int j = 0; j < lz->size; j++) {
            add_scaled(lz->n, lz->S[(size_t)k * (size_t)lz->room + (size_t)j], column(lz, lz->V, j), x);
        }
        out->value[k] = lambda_of(lz, k);
        fix_sign(lz->n, x);
    }
    return true;
}

static double *shifted(const eigen_problem *p, double shift)
{
    double *val = malloc(((size_t)p->pat->nnz + 1) * sizeof *val);
    for (int k = 0; val && k < p->pat->nnz; k++) {
        val[k] = p->K[k] - shift * p->M[k];
    }
    return val;
}

// The first half of the progress is the factor.
static bool factor_progress(void *data, double share)
{
    const eigen_problem *p = data;
    return p->progress(p->data, 0.5 * share);
}

static eigen_status make_factor(const eigen_problem *p, front **out, int *bad)
{
    *out = front_create_placed(p->pat, p->place);
    double *val = shifted(p, p->shift);
    front_status status = FRONT_MEMORY;
    eigen_problem copy = *p; // for the progress function, which takes what it may write
    if (*out && val) {
        status = front_factor(*out, val, p->progress ? factor_progress : NULL, &copy);
    }
    free(val);
    *bad = status == FRONT_SINGULAR ? front_bad_variable(*out) : -1;
    static const eigen_status given[] = { EIGEN_GOOD, EIGEN_SINGULAR, EIGEN_MEMORY, EIGEN_STOPPED };
    return given[status];
}

int eigen_count_below(const eigen_problem *p, double lambda)
{
    front *fac = front_create_placed(p->pat, p->place);
    double *val = shifted(p, lambda);
    int count = -1;
    if (fac && val && front_factor(fac, val, NULL, NULL) == FRONT_GOOD) {
        count = front_negative(fac);
    }
    free(val);
    front_destroy(fac);
    return count;
}

// How many to look for: given, or counted.
static int wanted_count(const eigen_problem *p)
{
    if (p->count > 0) {
        return p->count < p->pat->n ? p->count : p->pat->n;
    }
    // on the eigenvalue itself the count is a matter of rounding: a little above
    return eigen_count_below(p, p->up_to * (1.0 + 1e-9));
}

// Whether no other eigenvalue lies between these: a count just below the last one, which may have more copies.
static bool is_complete(const lanczos *lz, int wanted)
{
    const eigen_problem *p = lz->p;
    double last = lambda_of(lz, wanted - 1);
    if (p->count == 0) {
        return last <= p->up_to * (1.0 + 1e-8);
    }
    double below = last - 1e-6 * fabs(last);
    int known = 0;
    while (known < wanted && lambda_of(lz, known) < below) {
        known++;
    }
    return p->is_unchecked || eigen_count_below(p, below) <= known;
}

eigen_status eigen_solve(const eigen_problem *p, eigen_result *out)
{
    *out = (eigen_result){ .bad = -1 };
    double tolerance = p->tolerance > 0.0 ? p->tolerance : 1e-8;
    lanczos lz = { .p = p, .factor = p->factor, .n = p->pat->n, .seed = 20021106 };
    eigen_status status = EIGEN_GOOD;
    int wanted = wanted_count(p);
    if (wanted <= 0) {
        return wanted < 0 ? EIGEN_SINGULAR : EIGEN_GOOD;
    }
    if (!lz.factor) {
        status = make_factor(p, &lz.factor, &out->bad);
    }
    if (status == EIGEN_GOOD && !make_room(&lz, room_for(lz.n, wanted))) {
        status = EIGEN_MEMORY;
    }
    int found = 0;
    // vectors of a multiple eigenvalue may be missed by one start: try again beside what is known
    for (int attempt = 0; status == EIGEN_GOOD && attempt < MOST_ATTEMPTS; attempt++) {
        status = iterate(&lz, wanted, tolerance, &found);
        if (status == EIGEN_GOOD && found < wanted) {
            status = EIGEN_NOT_FOUND;
        }
        if (status != EIGEN_GOOD || is_complete(&lz, wanted)) {
            break;
        }
        if (attempt == MOST_ATTEMPTS - 1) {
            status = EIGEN_MISSED;
        } else if (!restart(&lz, wanted)) {
            status = EIGEN_MEMORY;
        }
    }
    if (status == EIGEN_GOOD && !give(&lz, wanted, out)) {
        status = EIGEN_MEMORY;
    }
    lanczos_free(&lz);
    if (!p->factor) {
        front_destroy(lz.factor);
    }
    if (status != EIGEN_GOOD) {
        int bad = out->bad;
        eigen_clear(out);
        out->bad = bad;
    }
    return status;
}

void eigen_clear(eigen_result *result)
{
    free(result->value);
    free(result->vector);
    *result = (eigen_result){ .bad = -1 };
}
