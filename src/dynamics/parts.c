// SPDX-License-Identifier: MIT
// Parts of a mechanism that move by themselves, and how their sites move.
#include "dynamics/parts.h"
#include "base/lanes.h"
#include "math/wide3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OF_A_BODY = 6 };

// ---- create ------------------------------------------------------------------------------------------------------

static int root(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

// The smallest variable that each one is coupled with, through others.
static void couple(const structure *st, int *up)
{
    for (int i = 0; i < st->n; i++) {
        up[i] = i;
    }
    for (int j = 0; j < st->n; j++) {
        for (int k = st->tangent.start[j]; k < st->tangent.start[j + 1]; k++) {
            int a = root(up, st->tangent.row[k]), b = root(up, j);
            up[a > b ? a : b] = a > b ? b : a;
        }
    }
}

static bool take(const plan *p, const structure *st, part_table *out)
{
    size_t n = (size_t)st->n + 2, sites = (size_t)p->n_site + 2;
    *out = (part_table){ .part = calloc(sites, sizeof *out->part),
                         .site = calloc(sites, sizeof *out->site),
                         .part_of = calloc(sites, sizeof *out->part_of),
                         .place_of = calloc(sites, sizeof *out->place_of),
                         .variable = calloc(n, sizeof *out->variable),
                         .first_variable = calloc(sites, sizeof *out->first_variable),
                         .number = calloc(n, sizeof *out->number) };
    return out->part && out->site && out->part_of && out->place_of && out->variable && out->first_variable &&
           out->number;
}

// Numbers of parts to the roots that have a site, in the order of the sites.
static void number_parts(const plan *p, const structure *st, int *up, int *of_root, part_table *out)
{
    for (int i = 0; i < st->n; i++) {
        of_root[i] = -1;
        out->number[i] = -1;
    }
    for (int s = 0; s < p->n_site; s++) {
        int first = st->site_start[s],
            at = first < st->site_start[s + 1] ? root(up, st->site_col[first]) : -1;
        // what cannot move has a part of its own without variables
        if (at < 0 || of_root[at] < 0) {
            if (at >= 0) {
                of_root[at] = out->count;
            }
            out->part_of[s] = out->count++;
        } else {
            out->part_of[s] = of_root[at];
        }
        out->part[out->part_of[s]].count++;
    }
}

static void list_members(const plan *p, const structure *st, int *up, const int *of_root, part_table *out)
{
    int sites = 0;
    for (int k = 0; k < out->count; k++) {
        int width = 6 * out->part[k].count;
        out->part[k].first = sites;
        out->part[k].value = out->n_A;
        out->n_A += width * width;
        sites += out->part[k].count;
        out->part[k].count = 0;
    }
    for (int s = 0; s < p->n_site; s++) {
        mobile_part *part = &out->part[out->part_of[s]];
        out->place_of[s] = part->count;
        out->site[part->first + part->count++] = s;
        part->all = part->count;
    }
    for (int i = 0; i < st->n; i++) {
        int k = of_root[root(up, i)];
        if (k >= 0) {
            out->number[i] = out->first_variable[k + 1]++;
        }
    }
    for (int k = 0; k < out->count; k++) {
        int count = out->first_variable[k + 1];
        out->most = count > out->most ? count : out->most;
        out->first_variable[k + 1] += out->first_variable[k];
    }
    for (int i = 0; i < st->n; i++) {
        if (out->number[i] >= 0) {
            int k = of_root[root(up, i)], count = out->first_variable[k + 1] - out->first_variable[k];
            // ends of chains first, what carries them last: they do not fill in each other
            out->number[i] = count > OF_A_BODY ? count - 1 - out->number[i] : out->number[i];
            out->variable[out->first_variable[of_root[root(up, i)]] + out->number[i]] = i;
        }
    }
}

bool parts_create(const plan *p, const structure *st, part_table *out)
{
    *out = (part_table){ 0 };
    if (p->n_site == 0) {
        return true;
    }
    int *up = malloc(((size_t)st->n + 1) * sizeof *up), *of_root = malloc(((size_t)st->n + 1) * sizeof *up);
    bool ok = up && of_root && take(p, st, out);
    if (ok) {
        couple(st, up);
        number_parts(p, st, up, of_root, out);
        list_members(p, st, up, of_root, out);
    }
    free(up);
    free(of_root);
    return ok;
}

void parts_clear(part_table *tab)
{
    free(tab->part);
    free(tab->site);
    free(tab->part_of);
    free(tab->place_of);
    free(tab->variable);
    free(tab->first_variable);
    free(tab->number);
    *tab = (part_table){ 0 };
}

// ---- mobility -----------------------------------------------------------------------------------------------------

size_t parts_work(const part_table *tab)
{
    size_t most = (size_t)tab->most, sites = 0;
    for (int k = 0; k < tab->count; k++) {
        sites = (size_t)tab->part[k].count > sites ? (size_t)tab->part[k].count : sites;
    }
    return most * most + most * 6 * sites + most;
}

// The tangent of a part, lower triangle by rows.
static void gather(const part_table *tab, const structure *st, const double *T, int k, int n, double *L)
{
    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (int i = 0; i < n; i++) {
        int j = tab->variable[tab->first_variable[k] + i];
        for (int e = st->tangent.start[j]; e < st->tangent.start[j + 1]; e++) {
            int r = tab->number[st->tangent.row[e]];
            L[i >= r ? i * n + r : r * n + i] = T[e];
        }
    }
}

// always with the loops around it: the size of a free body is known there
#define SIZED static inline __attribute__((always_inline))

SIZED bool factor_lower(int n, double *L)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = L[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    return true;
}

// The first column of each row that is not zero: none before it ever is.
static void find_first(int n, const double *L, int *first)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && L[i * n + j] == 0.0) {
            j++;
        }
        first[i] = j;
    }
}

static bool factor_rows(int n, const int *first, double *L)
{
    for (int i = 0; i < n; i++) {
        for (int j = first[i]; j <= i; j++) {
            double sum = L[i * n + j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    return true;
}

// y becomes L^-1 y, of which nothing before `from` is not zero.
static void solve_rows(int n, const int *first, const double *L, int from, double *y)
{
    for (int i = from; i < n; i++) {
        double sum = y[i];
        for (int j = first[i] > from ? first[i] : from; j < i; j++) {
            sum -= L[i * n + j] * y[j];
        }
        y[i] = sum / L[i * n + i];
    }
}

// Y = L^-1 J^T of the sites of a part, column by column: 6 per site.
static void solve_sites(const part_table *tab, const structure *st, const double *J, int k, int n,
                        const int *first, const double *L, double *Y)
{
    const mobile_part *part = &tab->part[k];
    for (int s = 0; s < part->count; s++) {
        int site = tab->site[part->first + s], begin = st->site_start[site],
            count = st->site_start[site + 1] - begin;
        for (int r = 0; r < 6; r++) {
            double *y = &Y[(6 * s + r) * n];
            int from = n;
            memset(y, 0, (size_t)n * sizeof *y);
            for (int c = 0; c < count; c++) {
                int i = tab->number[st->site_col[begin + c]];
                y[i] = J[6 * begin + r * count + c];
                from = y[i] != 0.0 && i < from ? i : from;
            }
            solve_rows(n, first, L, from, y);
        }
    }
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Of part k: n variables, `width` displacements of its sites.
static bool find_mobility(const part_table *tab, const structure *st, const double *T, const double *J, int k,
                          int n, int width, double factor, double *work, double *to)
{
    double *L = work, *Y = work + (size_t)n * (size_t)n;
    int *first = (int *)(void *)(Y + (size_t)n * (size_t)width);
    gather(tab, st, T, k, n, L);
    find_first(n, L, first);
    if (!factor_rows(n, first, L)) {
        return false;
    }
    solve_sites(tab, st, J, k, n, first, L, Y);
    for (int i = 0; i < width; i++) {
        for (int j = 0; j <= i; j++) {
            to[i * width + j] = to[j * width + i] = factor * product(&Y[i * n], &Y[j * n], n);
        }
    }
    return true;
}

// The same of a free body with one site, its six displacements as two vectors: products and sums keep their order.
LANES static bool find_mobility_of_body(const part_table *tab, const structure *st, const double *T,
                                        const double *J, int k, double factor, double *to)
{
    enum { N = 6 };
    double L[N * N], y[N][8] = { { 0.0 } };
    wide3 Y[N][2];
    int site = tab->site[tab->part[k].first], from = st->site_start[site],
        count = st->site_start[site + 1] - from;
    gather(tab, st, T, k, N, L);
    if (!factor_lower(N, L)) {
        return false;
    }
    for (int c = 0; c < count; c++) {
        double *column = y[tab->number[st->site_col[from + c]]];
        for (int r = 0; r < N; r++) {
            column[r + r / 3] = J[N * from + r * count + c];
        }
    }
    UNROLL
    for (int i = 0; i < N; i++) {
        wide3 lin = wide3_read(y[i]), ang = wide3_read(y[i] + 4);
        UNROLL
        for (int j = 0; j < i; j++) {
            lin -= L[i * N + j] * Y[j][0];
            ang -= L[i * N + j] * Y[j][1];
        }
        Y[i][0] = lin / L[i * N + i];
        Y[i][1] = ang / L[i * N + i];
    }
    UNROLL
    for (int i = 0; i < N; i++) {
        wide3 lin = wide3_zero(), ang = wide3_zero();
        UNROLL
        for (int v = 0; v < N; v++) {
            double own = Y[v][i / 3][i % 3];
            lin += own * Y[v][0];
            ang += own * Y[v][1];
        }
        wide3_put(&to[i * N], factor * lin);
        wide3_put(&to[i * N + 3], factor * ang);
    }
    return true;
}

bool parts_mobility(const part_table *tab, const structure *st, const double *T, const double *J,
                    double factor, double *work, double *A)
{
    bool is_definite = true;
    for (int k = 0; k < tab->count && is_definite; k++) {
        if (tab->part[k].count == 0) {
            continue;
        }
        int n = tab->first_variable[k + 1] - tab->first_variable[k], width = 6 * tab->part[k].count;
        double *to = &A[tab->part[k].value];
        is_definite = n == 6 && width == 6 ? find_mobility_of_body(tab, st, T, J, k, factor, to)
                                           : find_mobility(tab, st, T, J, k, n, width, factor, work, to);
    }
    return is_definite;
}

void parts_narrow(const part_table *tab, const bool *wanted, part_table *out)
{
    for (int k = 0; k < tab->count; k++) {
        mobile_part *part = &out->part[k];
        *part = tab->part[k];
        part->count = 0;
        for (int i = 0; i < part->all; i++) {
            int site = tab->site[part->first + i];
            if (wanted[site]) {
                out->place_of[site] = part->count;
                out->site[part->first + part->count++] = site;
            }
        }
    }
}

// Of a free body.
static void move_body(const double *J, const int *col, const double *x, double *u)
{
    const double x0 = x[col[0]], x1 = x[col[1]], x2 = x[col[2]], x3 = x[col[3]], x4 = x[col[4]],
                 x5 = x[col[5]];
    for (int r = 0; r < 6; r++, J += OF_A_BODY) {
        u[r] = J[0] * x0 + J[1] * x1 + J[2] * x2 + J[3] * x3 + J[4] * x4 + J[5] * x5;
    }
}

void sites_moved(const structure *st, const double *J, const bool *wanted, const double *x, double *u)
{
    for (int s = 0; s < st->n_site; s++) {
        if (!wanted[s]) {
            continue;
        }
        int from = st->site_start[s], count = st->site_start[s + 1] - from;
        if (count == OF_A_BODY) {
            move_body(&J[6 * from], &st->site_col[from], x, &u[6 * s]);
            continue;
        }
        for (int r = 0; r < 6; r++) {
            double sum = 0.0;
            for (int c = 0; c < count; c++) {
                sum += J[6 * from + r * count + c] * x[st->site_col[from + c]];
            }
            u[6 * s + r] = sum;
        }
    }
}

static void push_body(const double *J, const int *col, const double *w, double factor, double *x)
{
    double sum[OF_A_BODY];
    for (int c = 0; c < OF_A_BODY; c++) {
        sum[c] = x[col[c]];
    }
    for (int r = 0; r < 6; r++, J += OF_A_BODY) {
        double f = factor * w[r];
        for (int c = 0; f != 0.0 && c < OF_A_BODY; c++) {
            sum[c] += f * J[c];
        }
    }
    for (int c = 0; c < OF_A_BODY; c++) {
        x[col[c]] = sum[c];
    }
}

void sites_push(const structure *st, const double *J, const bool *wanted, const double *w, double factor,
                double *x)
{
    for (int s = 0; s < st->n_site; s++) {
        if (!wanted[s]) {
            continue;
        }
        int from = st->site_start[s], count = st->site_start[s + 1] - from;
        const int *col = &st->site_col[from];
        if (count == OF_A_BODY) {
            push_body(&J[6 * from], col, &w[6 * s], factor, x);
            continue;
        }
        for (int r = 0; r < 6 && count > 0; r++) {
            double f = factor * w[6 * s + r];
            for (int c = 0; f != 0.0 && c < count; c++) {
                x[col[c]] += f * J[6 * from + r * count + c];
            }
        }
    }
}
