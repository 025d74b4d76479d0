// SPDX-License-Identifier: MIT
// What of the signals a step need not compute: models switch manoeuvres off by parameters, and what hangs on these is
// known.
#include "laws/signal/signal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The item that a variable reads; NULL: none.
static const signal_item *read_by(const signal_table *tab, const int *item_of, signal_variable v)
{
    return v.source == SIGNAL_OTHER && item_of[v.index] >= 0 ? &tab->item[item_of[v.index]] : NULL;
}

// Only the variables that are still read stay, and what each contributes to the derivatives.
static void drop_variables(signal_table *tab, signal_item *s, const int *read)
{
    int count = expr_variable_count(s->code);
    signal_variable *variable = &tab->variable[s->first];
    for (int v = 0; v < count; v++) {
        variable[v] = variable[read[v]];
    }
    int *link = &tab->link[s->link];
    for (int k = 0; k < s->n_partial; k++) {
        for (int v = 0; v < count; v++) {
            link[k * count + v] = link[k * s->count + read[v]];
        }
    }
    s->count = count;
}

static bool put_in_constants(signal_table *tab, const int *item_of, signal_item *s)
{
    bool is_known[MODEL_MAX_VARIABLES] = { false }, is_any = false;
    double value[MODEL_MAX_VARIABLES];
    int read[MODEL_MAX_VARIABLES];
    for (int v = 0; v < s->count; v++) {
        const signal_item *from = read_by(tab, item_of, tab->variable[s->first + v]);
        is_known[v] = from && from->is_constant;
        value[v] = is_known[v] ? from->constant.v : 0.0;
        is_any |= is_known[v];
    }
    if (!is_any) {
        return true;
    }
    s->own = expr_with_constants(s->code, is_known, value, read);
    if (!s->own) {
        return false;
    }
    s->code = s->own;
    drop_variables(tab, s, read);
    s->is_constant = s->count == 0;
    s->constant = (jet){ s->is_constant ? expr_value(s->code, NULL) : 0.0, 0.0, 0.0 };
    return true;
}

// Names and tables of what is known are known.
static void reduce_signal(const signal_table *tab, const int *item_of, signal_item *s)
{
    if (s->kind != &expr_signal && s->kind != &table_signal) {
        return;
    }
    const signal_item *from = read_by(tab, item_of, tab->variable[s->first]);
    if (from && from->is_constant) {
        signal_in in = { .input = { from->constant } };
        signal_out out = { .z = NULL };
        s->kind->eval(s->item, &in, &out);
        // what is outside its table is reported by the step
        s->is_constant = isfinite(out.value.v);
        s->constant = out.value;
    }
}

// Whether what it reads has no derivatives with time of its own.
static bool reads_still(const signal_table *tab, const int *item_of, const signal_item *s)
{
    for (int v = 0; v < s->count; v++) {
        signal_variable read = tab->variable[s->first + v];
        const signal_item *from = read_by(tab, item_of, read);
        bool moves = read.source == SIGNAL_TIME || read.source == SIGNAL_INPUT ||
                     (read.source == SIGNAL_OTHER && !(from && (from->is_still || from->is_constant)));
        if (moves) {
            return false;
        }
    }
    return true;
}

static bool is_still(const signal_table *tab, const int *item_of, const signal_item *s)
{
    bool hands_on = s->code || s->kind == &expr_signal || s->kind == &table_signal;
    bool remembers =
        s->kind == &switch_signal || s->kind == &count_signal || (s->kind == &effort_signal && s->graph < 0);
    // of a graph no derivative with time is known
    return remembers || s->graph >= 0 || (hands_on && reads_still(tab, item_of, s));
}

// No derivative with a joint coordinate is left: nothing of the motion is read, not even by a signal before.
static bool is_steady(const signal_table *tab, const int *item_of, const signal_item *s)
{
    bool remembers =
        s->kind == &switch_signal || s->kind == &count_signal || (s->kind == &effort_signal && s->graph < 0);
    if (s->graph >= 0) {
        return false; // its states move within the step
    }
    for (int v = 0; v < s->count && !remembers; v++) {
        signal_variable read = tab->variable[s->first + v];
        const signal_item *from = read_by(tab, item_of, read);
        if (read.source == SIGNAL_VALUE || read.source == SIGNAL_RATE ||
            (read.source == SIGNAL_OTHER && !(from && from->is_steady))) {
            return false;
        }
    }
    return true;
}

static bool is_timed(const bi_model *m, const signal_table *tab, const int *item_of, const signal_item *s)
{
    bool hands_on = s->code || s->kind == &expr_signal || s->kind == &table_signal;
    for (int v = 0; v < s->count && hands_on; v++) {
        signal_variable read = tab->variable[s->first + v];
        const signal_item *from = read_by(tab, item_of, read);
        hands_on = read.source == SIGNAL_TIME ||
                   (read.source == SIGNAL_INPUT && m->input[read.index].line.count > 0) ||
                   (read.source == SIGNAL_OTHER && from && from->is_timed);
    }
    return hands_on && !s->is_constant && s->count > 0;
}

bool signal_reduce(const plan *p, signal_table *tab)
{
    int n_slot = p->model->n_expr + p->model->n_element;
    int *item_of = malloc(((size_t)n_slot + 1) * sizeof *item_of);
    if (!item_of) {
        return false;
    }
    for (int k = 0; k < n_slot; k++) {
        item_of[k] = -1;
    }
    bool ok = true;
    for (int k = 0; ok && k < tab->count; k++) {
        signal_item *s = &tab->item[k];
        if (s->code) {
            ok = put_in_constants(tab, item_of, s);
        } else if (s->kind) {
            reduce_signal(tab, item_of, s);
        }
        s->is_still = is_still(tab, item_of, s);
        s->is_steady = is_steady(tab, item_of, s);
        s->is_timed = is_timed(p->model, tab, item_of, s);
        item_of[s->slot] = k;
    }
    free(item_of);
    return ok;
}
