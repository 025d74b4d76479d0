// SPDX-License-Identifier: MIT
// The order in which products with rows go over them: those of one form together, as far as rows that share a column keep
// their order.
#include "state/structure.h"
#include <stdlib.h>

static rows_span form_of(const structure *s, int r)
{
    const int *col = &s->G_col[s->G_start[r]];
    int length = s->G_start[r + 1] - s->G_start[r], n = 0;
    while (3 * n + 3 <= length && col[3 * n + 1] == col[3 * n] + 1 && col[3 * n + 2] == col[3 * n] + 2) {
        n++;
    }
    static const rows_form short_ones[] = {
        ROWS_TRIPLES, ROWS_ONE, ROWS_TWO, ROWS_THREE, ROWS_FOUR, ROWS_FIVE
    };
    rows_form form = s->run[2 * r + 1] > 0   ? ROWS_LONG
                     : n == 0 && length <= 5 ? short_ones[length]
                     : n == 1 && length == 3 ? ROWS_TRIPLE
                     : n == 2 && length == 6 ? ROWS_TWO_TRIPLES
                                             : ROWS_TRIPLES;
    return (rows_span){ (int)form, 0, length, n };
}

// Bodies in a plane have a row in it and one across it, again and again: these go together.
static rows_span form_here(const structure *s, int r, int *rows)
{
    rows_span form = form_of(s, r);
    int next = r + 1 < s->n_row ? form_of(s, r + 1).form : ROWS_LONG;
    bool is_flat = form.form == ROWS_TRIPLE && next == ROWS_ONE;
    bool is_two_flat = form.form == ROWS_TWO_TRIPLES && next == ROWS_TWO;
    form.form = is_flat ? ROWS_FLAT : is_two_flat ? ROWS_TWO_FLAT : form.form;
    *rows = is_flat || is_two_flat ? 2 : 1;
    return form;
}

static rows_place place_of(const structure *s, int r)
{
    int at = s->G_start[r], length = s->G_start[r + 1] - at;
    const int *col = &s->G_col[at];
    return (rows_place){ r, at, length > 0 ? col[0] : 0, length == 2 ? col[1] : length == 6 ? col[3] : 0 };
}

// Rows that wait for none, by form.
typedef struct {
    rows_span form;
    int first, last; // of a list, -1: empty
    int ready;
} waiting;

typedef struct {
    const structure *s;
    waiting *kind; // (n_row)
    int n_kind;
    int placed; // rows so far
    // of each place, by its first row                                       (n_row)
    int *of;    // kind
    int *rows;  // one or two
    int *next;  // in the list of its kind
    int *waits; // columns on which it follows one that is not yet placed
    int *after; // of each gradient number: the next place on its column; -1: none (n_G)
    int *last;  // of each column: its last gradient number so far         (n)
} ordering;

static void find_kind(ordering *o, int r)
{
    rows_span form = form_here(o->s, r, &o->rows[r]);
    int k = 0;
    while (k < o->n_kind && (o->kind[k].form.form != form.form || o->kind[k].form.length != form.length ||
                             o->kind[k].form.n_triple != form.n_triple)) {
        k++;
    }
    if (k == o->n_kind) {
        o->kind[o->n_kind++] = (waiting){ form, -1, -1, 0 };
    }
    o->of[r] = k;
}

static void make_ready(ordering *o, int r)
{
    waiting *w = &o->kind[o->of[r]];
    o->next[r] = -1;
    *(w->last < 0 ? &w->first : &o->next[w->last]) = r;
    w->last = r;
    w->ready++;
}

static void find_neighbours(ordering *o)
{
    const structure *s = o->s;
    for (int i = 0; i < s->n; i++) {
        o->last[i] = -1;
    }
    for (int r = 0; r < s->n_row; r += o->rows[r]) {
        find_kind(o, r);
        int first = s->G_start[r];
        for (int k = first; k < s->G_start[r + o->rows[r]]; k++) {
            int *last = &o->last[s->G_col[k]];
            o->after[k] = -1;
            if (*last >= 0 && *last < first) {
                o->after[*last] = r;
                o->waits[r]++;
            }
            *last = k;
        }
    }
    for (int r = 0; r < s->n_row; r += o->rows[r]) {
        if (o->waits[r] == 0) {
            make_ready(o, r);
        }
    }
}

// All rows of a kind that wait for none, and those that then do not wait any more.
static int place_kind(ordering *o, waiting *w, rows_place *place)
{
    const structure *s = o->s;
    int count = 0;
    while (w->first >= 0) {
        int r = w->first;
        w->first = o->next[r];
        w->last = w->first < 0 ? -1 : w->last;
        w->ready--;
        place[count++] = place_of(s, r);
        o->placed += o->rows[r];
        for (int k = s->G_start[r]; k < s->G_start[r + o->rows[r]]; k++) {
            if (o->after[k] >= 0 && --o->waits[o->after[k]] == 0) {
                make_ready(o, o->after[k]);
            }
        }
    }
    return count;
}

static void order(ordering *o, structure *to)
{
    rows_place *place = to->place;
    while (o->placed < to->n_row) {
        waiting *most = &o->kind[0];
        for (int k = 1; k < o->n_kind; k++) {
            most = o->kind[k].ready > most->ready ? &o->kind[k] : most;
        }
        rows_span *span = &to->span[to->n_span++];
        *span = most->form;
        span->count = place_kind(o, most, place);
        place += span->count;
    }
}

bool structure_order_rows(structure *s)
{
    size_t rows = (size_t)s->n_row + 1;
    s->place = calloc(rows, sizeof *s->place);
    s->span = calloc(rows, sizeof *s->span);
    ordering o = { .s = s,
                   .kind = calloc(rows, sizeof *o.kind),
                   .of = calloc(rows, sizeof *o.of),
                   .rows = calloc(rows, sizeof *o.rows),
                   .next = calloc(rows, sizeof *o.next),
                   .waits = calloc(rows, sizeof *o.waits),
                   .after = calloc((size_t)s->n_G + 1, sizeof *o.after),
                   .last = calloc((size_t)s->n + 1, sizeof *o.last) };
    bool ok = s->place && s->span && o.kind && o.of && o.rows && o.next && o.waits && o.after && o.last;
    if (ok) {
        find_neighbours(&o);
        order(&o, s);
    }
    free(o.kind);
    free(o.of);
    free(o.rows);
    free(o.next);
    free(o.waits);
    free(o.after);
    free(o.last);
    return ok;
}
