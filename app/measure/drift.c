// SPDX-License-Identifier: MIT
#include "measure/drift.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>

enum { LEAST_ROWS = 3 };

static bool is_at_rest(const drift_rest *r, double t) { return t >= r->from && t <= r->to; }

static const char *check(const drift_record *d)
{
    if (d->n < LEAST_ROWS) {
        return "has too few rows";
    }
    for (int i = 0; i < d->n; i++) {
        if (!isfinite(d->a[i]) || !isfinite(d->t[i])) {
            return "has a number that is not finite";
        }
        if (i > 0 && !(d->t[i] > d->t[i - 1])) {
            return "has times that do not rise";
        }
    }
    for (int k = 0; k < d->n_rest; k++) {
        if (!(d->rest[k].to > d->rest[k].from) || (k > 0 && !(d->rest[k].from > d->rest[k - 1].to))) {
            return "--rest: times must rise, and rests must not overlap";
        }
    }
    return d->n_rest > 0 ? NULL : "needs a time of rest";
}

// What is told at rest is bias and noise.
static const char *look_at_rests(drift_record *d)
{
    for (int k = 0; k < d->n_rest; k++) {
        drift_rest *r = &d->rest[k];
        double sum = 0.0, square = 0.0;
        int count = 0;
        for (int i = 0; i < d->n; i++) {
            if (is_at_rest(r, d->t[i])) {
                sum += d->a[i];
                count++;
            }
        }
        if (count < LEAST_ROWS) {
            return "--rest: fewer than three rows lie in a time of rest";
        }
        r->bias = sum / count;
        for (int i = 0; i < d->n; i++) {
            double off = d->a[i] - r->bias;
            square += is_at_rest(r, d->t[i]) ? off * off : 0.0;
        }
        r->noise = sqrt(square / (count - 1));
    }
    return NULL;
}

// Straight between the middles of the rests, constant before the first and behind the last (sensors.12).
static double bias_at(const drift_record *d, double t)
{
    int k = 0;
    double middle = 0.0, before = 0.0;
    for (; k < d->n_rest; k++, before = middle) {
        middle = 0.5 * (d->rest[k].from + d->rest[k].to);
        if (t <= middle) {
            break;
        }
    }
    if (k == 0 || k == d->n_rest) {
        return d->rest[k == 0 ? 0 : d->n_rest - 1].bias;
    }
    before = 0.5 * (d->rest[k - 1].from + d->rest[k - 1].to);
    double share = (t - before) / (middle - before);
    return (1.0 - share) * d->rest[k - 1].bias + share * d->rest[k].bias;
}

// The row where the rest begins, and the last one of it.
static void rows_of(const drift_record *d, int k, int *first, int *last)
{
    *first = d->n;
    *last = -1;
    for (int i = 0; i < d->n; i++) {
        if (is_at_rest(&d->rest[k], d->t[i])) {
            *first = i < *first ? i : *first;
            *last = i;
        }
    }
}

// Speeds from one row, where it is zero, to another.
static void speeds(drift_record *d, int from, int to)
{
    int way = to > from ? 1 : -1;
    d->v[from] = 0.0;
    for (int i = from; i != to; i += way) {
        d->v[i + way] = d->v[i] + 0.5 * (d->own[i] + d->own[i + way]) * (d->t[i + way] - d->t[i]);
    }
}

// From the end of one rest to the start of the next: the speed that is left is spread evenly (sensors.13).
static void close_speed(drift_record *d, int k, int from, int to)
{
    speeds(d, from, to);
    d->rest[k].closed = d->v[to];
    double rate = d->v[to] / (d->t[to] - d->t[from]);
    for (int i = from; i <= to; i++) {
        d->v[i] -= rate * (d->t[i] - d->t[from]);
        d->own[i] -= rate;
    }
    d->v[to] = 0.0;
}

const char *drift_integrate(drift_record *d)
{
    const char *mistake = check(d);
    mistake = mistake ? mistake : look_at_rests(d);
    if (mistake) {
        return mistake;
    }
    size_t size = (size_t)d->n * sizeof(double);
    d->own = words_alloc(size);
    d->v = words_alloc(size);
    d->x = words_alloc(size);
    for (int i = 0; i < d->n; i++) {
        d->own[i] = d->a[i] - bias_at(d, d->t[i]);
    }
    int first = 0, last = 0, before = 0;
    for (int k = 0; k < d->n_rest; k++, before = last) {
        rows_of(d, k, &first, &last);
        if (k == 0) {
            speeds(d, first, 0);
        } else {
            close_speed(d, k, before, first);
        }
        for (int i = first; i <= last; i++) {
            d->v[i] = d->own[i] = 0.0;
        }
        d->own[before] = k > 0 ? 0.0 : d->own[before];
    }
    speeds(d, last, d->n - 1);
    // the acceleration is straight between rows
    for (int i = 0; i + 1 < d->n; i++) {
        double h = d->t[i + 1] - d->t[i];
        d->x[i + 1] = d->x[i] + h * (0.5 * (d->v[i] + d->v[i + 1]) + h * (d->own[i] - d->own[i + 1]) / 12.0);
    }
    return NULL;
}

void drift_clear(drift_record *d)
{
    free(d->a);
    free(d->own);
    free(d->v);
    free(d->x);
}
