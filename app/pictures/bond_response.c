// SPDX-License-Identifier: MIT
#include "pictures/bond_response.h"
#include "cli/words.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- which -------------------------------------------------------------------------------------------------------------

static int source_of(const bi_bonds *b, const char *name)
{
    for (int k = 0; k < b->n_source; k++) {
        if (strcmp(b->source[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

// The bond that ends in a node with no other one, or "FROM->TO"; -1: there is none.
static int bond_of(const bi_bonds *b, const char *name)
{
    int found = -1, count = 0;
    for (int k = 0; k < b->n_bond; k++) {
        const char *from = b->node[b->bond[k].from].name, *to = b->node[b->bond[k].to].name;
        char *whole = words_format("%s->%s", from, to);
        bool is_it = strcmp(whole, name) == 0;
        free(whole);
        if (is_it) {
            return k;
        }
        if (strcmp(from, name) == 0 || strcmp(to, name) == 0) {
            found = k;
            count++;
        }
    }
    return count == 1 ? found : -1;
}

// Row of C and D; -1: told.
static int row_of(const bi_bonds *b, const char *end, char *why, size_t size)
{
    size_t length = strlen(end);
    bool has_part =
        length > 2 && end[length - 2] == '.' && (end[length - 1] == 'e' || end[length - 1] == 'f');
    char *name = words_copy(end, has_part ? length - 2 : length);
    int bond = has_part ? bond_of(b, name) : -1;
    if (bond < 0) {
        snprintf(why, size,
                 "'%s' is no effort (.e) or flow (.f) of a bond: name an element with one bond, such as L.f, "
                 "or FROM->TO.e",
                 end);
    }
    free(name);
    return bond < 0 ? -1 : 2 * bond + (end[length - 1] == 'f');
}

// A derivative storage that stands across the source answers with the rate of the source.
static bool answers_its_rate(const bi_bonds *b, int source, char *why, size_t size)
{
    bool does = false;
    const char *name = "";
    for (int k = 0; k < b->n_state && !does; k++) {
        does = b->B_rate[k * b->n_source + source] != 0.0;
        name = does ? b->state[k].name : name;
    }
    for (int k = 0; k < b->n_bond && !does; k++) {
        for (int end = 0; end < 2 && !does; end++) {
            const bi_bonds_node *node = &b->node[end ? b->bond[k].to : b->bond[k].from];
            bool is_inertia = node->kind[0] == 'I';
            does = node->causality == BI_CAUSALITY_DERIVATIVE &&
                   b->D[(2 * k + (is_inertia ? 1 : 0)) * b->n_source + source] != 0.0;
            name = does ? node->name : name;
        }
    }
    if (does) {
        snprintf(why, size,
                 "%s follows the rate of %s, too: a step of it has no finite answer. Put an R between the "
                 "source and the "
                 "storage that it drives",
                 name, b->source[source]);
    }
    return does;
}

// ---- in the frequency -----------------------------------------------------------------------------------------------------

// (s - A) x = b by elimination with pivots; x replaces b. False: singular.
static bool solve(int n, double complex *M, double complex *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = cabs(M[i * n + k]) > cabs(M[best * n + k]) ? i : best;
        }
        if (cabs(M[best * n + k]) == 0.0) {
            return false;
        }
        for (int j = 0; j < n && best != k; j++) {
            double complex swap = M[k * n + j];
            M[k * n + j] = M[best * n + j];
            M[best * n + j] = swap;
        }
        double complex swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double complex factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++) {
                M[i * n + j] -= factor * M[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= M[k * n + j] * x[j];
        }
        x[k] /= M[k * n + k];
    }
    return true;
}

static double complex transfer(const bi_bonds *b, int source, int row, double complex s)
{
    int n = b->n_state;
    double complex *M = words_alloc(((size_t)n * (size_t)n + (size_t)n + 1) * sizeof *M), *x = M + n * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = (i == j ? s : 0.0) - b->A[i * n + j];
        }
        x[i] = b->B[i * b->n_source + source];
    }
    double complex y = solve(n, M, x) ? b->D[row * b->n_source + source] : NAN;
    for (int i = 0; i < n; i++) {
        y += b->C[row * n + i] * x[i];
    }
    free(M);
    return y;
}

// From a hundredth of the slowest eigenvalue to a hundred times the fastest.
static void fill_frequencies(const bi_bonds *b, int source, int row, bond_response *r)
{
    double low = INFINITY, high = 0.0;
    for (int k = 0; k < b->n_state; k++) {
        double size = hypot(b->re[k], b->im[k]);
        high = fmax(high, size);
    }
    for (int k = 0; k < b->n_state; k++) {
        double size = hypot(b->re[k], b->im[k]);
        low = size > 1e-9 * high ? fmin(low, size) : low;
    }
    if (!(high > 0.0)) {
        low = high = 1.0;
    }
    double from = log10(low) - 2.0, to = log10(high) + 2.0;
    for (int k = 0; k < RESPONSE_POINTS; k++) {
        r->w[k] = pow(10.0, from + (to - from) * k / (RESPONSE_POINTS - 1));
        double complex y = transfer(b, source, row, I * r->w[k]);
        r->re[k] = creal(y);
        r->im[k] = cimag(y);
        r->gain[k] = cabs(y);
        double phase = carg(y), before = k > 0 ? r->phase[k - 1] : phase;
        r->phase[k] = phase + 2.0 * pi * round((before - phase) / (2.0 * pi));
    }
}

// ---- as a fraction of polynomials -------------------------------------------------------------------------------------------

// Faddeev and Leverrier: det(s - A) and c adj(s - A) b, from s^0 on.
static void fill_function(const bi_bonds *b, int source, int row, bond_response *r)
{
    int n = b->n_state;
    r->has_function = n <= RESPONSE_ORDER;
    if (!r->has_function) {
        return;
    }
    size_t square = (size_t)n * (size_t)n;
    double *N = words_alloc((2 * square + 1) * sizeof *N), *AN = N + square;
    r->denominator[n] = 1.0;
    for (int i = 0; i < n; i++) {
        N[i * n + i] = 1.0;
    }
    for (int k = 1; k <= n; k++) {
        double top = 0.0, trace = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                top += b->C[row * n + i] * N[i * n + j] * b->B[j * b->n_source + source];
            }
        }
        r->numerator[n - k] = top;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                AN[i * n + j] = 0.0;
                for (int m = 0; m < n; m++) {
                    AN[i * n + j] += b->A[i * n + m] * N[m * n + j];
                }
            }
            trace += AN[i * n + i];
        }
        r->denominator[n - k] = -trace / k;
        for (int i = 0; i < n; i++) {
            AN[i * n + i] += r->denominator[n - k];
        }
        memcpy(N, AN, square * sizeof *N);
    }
    free(N);
    for (int k = 0; k <= n; k++) {
        r->numerator[k] += b->D[row * b->n_source + source] * r->denominator[k];
    }
}

// ---- in time ----------------------------------------------------------------------------------------------------------------

// exp of a matrix: halved until small, a series, squared again.
static void exponential(int n, const double *A, double h, double *out)
{
    size_t square = (size_t)n * (size_t)n;
    double *term = words_alloc((2 * square + 1) * sizeof *term), *next = term + square, norm = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += fabs(A[i * n + j] * h);
        }
        norm = fmax(norm, sum);
    }
    int halvings = norm > 0.5 ? (int)ceil(log2(norm / 0.5)) : 0;
    double small = ldexp(h, -halvings);
    memset(out, 0, square * sizeof *out);
    for (int i = 0; i < n; i++) {
        out[i * n + i] = term[i * n + i] = 1.0;
    }
    for (int k = 1; k <= 18; k++) { // 0.5^18 / 18! is far below rounding
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                next[i * n + j] = 0.0;
                for (int m = 0; m < n; m++) {
                    next[i * n + j] += term[i * n + m] * A[m * n + j] * small / k;
                }
            }
        }
        memcpy(term, next, square * sizeof *term);
        for (size_t i = 0; i < square; i++) {
            out[i] += term[i];
        }
    }
    for (int k = 0; k < halvings; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                next[i * n + j] = 0.0;
                for (int m = 0; m < n; m++) {
                    next[i * n + j] += out[i * n + m] * out[m * n + j];
                }
            }
        }
        memcpy(out, next, square * sizeof *out);
    }
    free(term);
}

// Until the slowest part has died to e^-6; what does not decay is shown as long.
static void fill_step(const bi_bonds *b, int source, int row, bond_response *r)
{
    int n = b->n_state, m = n + 1;
    double slow = INFINITY, fast = 0.0;
    for (int k = 0; k < n; k++) {
        fast = fmax(fast, hypot(b->re[k], b->im[k]));
    }
    for (int k = 0; k < n; k++) {
        slow = -b->re[k] > 1e-9 * fast ? fmin(slow, -b->re[k]) : slow;
    }
    double end = isfinite(slow) ? 6.0 / slow
                 : fast > 0.0   ? 20.0 * pi / fast
                                : 1.0,
           h = end / (RESPONSE_POINTS - 1);
    double *A = words_alloc((2 * (size_t)m * (size_t)m + 2 * (size_t)m) * sizeof *A), *E = A + m * m,
           *x = E + m * m, *y = x + m;
    for (int i = 0; i < n; i++) {
        memcpy(&A[i * m], &b->A[i * n], (size_t)n * sizeof *A);
        A[i * m + n] = b->B[i * b->n_source + source];
    }
    exponential(m, A, h, E);
    x[n] = 1.0;
    for (int k = 0; k < RESPONSE_POINTS; k++) {
        r->t[k] = h * k;
        r->step[k] = b->D[row * b->n_source + source];
        for (int i = 0; i < n; i++) {
            r->step[k] += b->C[row * n + i] * x[i];
        }
        for (int i = 0; i < m; i++) {
            y[i] = 0.0;
            for (int j = 0; j < m; j++) {
                y[i] += E[i * m + j] * x[j];
            }
        }
        memcpy(x, y, (size_t)m * sizeof *x);
    }
    free(A);
}

bool bond_response_make(const bi_bonds *b, const char *text, bond_response *r, char *why, size_t size)
{
    const char *colon = strchr(text, ':');
    *r = (bond_response){ .graph = b->name, .n = b->n_state };
    if (!colon || colon == text || !colon[1]) {
        snprintf(why, size, "'%s' is not SOURCE:END, such as S:L.f", text);
        return false;
    }
    r->source = words_copy(text, (size_t)(colon - text));
    r->end = words_format("%s", colon + 1);
    int source = source_of(b, r->source);
    if (source < 0) {
        snprintf(why, size, "'%s' is no source of the graph%s%s", r->source,
                 b->n_source ? "; the first one is " : "", b->n_source ? b->source[0] : "");
        return false;
    }
    if (!b->has_numbers) {
        snprintf(why, size, "the equations have no solution at the start");
        return false;
    }
    int row = row_of(b, r->end, why, size);
    if (row < 0 || answers_its_rate(b, source, why, size)) {
        return false;
    }
    fill_frequencies(b, source, row, r);
    fill_function(b, source, row, r);
    fill_step(b, source, row, r);
    return true;
}

void bond_response_clear(bond_response *r)
{
    free(r->source);
    free(r->end);
    *r = (bond_response){ 0 };
}
