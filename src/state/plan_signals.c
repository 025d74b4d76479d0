// SPDX-License-Identifier: MIT
// The order in which expressions and signals are evaluated, each after those it reads, and what each depends on.
#include "base/list.h"
#include "state/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNUSED = -1,
    OPEN = -2
}; // signal_use.first: not in the order; on the way there, for what is needed first

// Room for the expressions and signals of the model, none of them used yet.
static bool signals_exist(plan *p)
{
    while (p->n_signal < p->model->n_expr + p->model->n_element) {
        if (!LIST_RESERVE(p->signal, p->n_signal, p->cap_signal)) {
            p->no_memory = true;
            return false;
        }
        p->signal[p->n_signal++] = (signal_use){ UNUSED, 0 };
    }
    return true;
}

// Adds to the list that is growing at the end of `partial`, unless it is there from `first` on.
static void add_partial(plan *p, int first, signal_partial wanted)
{
    for (int k = first; k < p->n_partial; k++) {
        if (p->partial[k].marker == wanted.marker && p->partial[k].is_rate == wanted.is_rate) {
            return;
        }
    }
    if (!LIST_RESERVE(p->partial, p->n_partial, p->cap_partial)) {
        p->no_memory = true;
        return;
    }
    // number by number: nothing of the gap behind them
    signal_partial *to = &p->partial[p->n_partial++];
    to->marker = wanted.marker;
    to->is_rate = wanted.is_rate;
}

static void add_partials_of(plan *p, int first, signal_use use)
{
    for (int k = 0; k < use.count; k++) {
        add_partial(p, first, p->partial[use.first + k]);
    }
}

// Of what has its place already; nothing of what is told as a circle.
static signal_use use_of(const plan *p, int slot)
{
    return p->signal[slot].first >= 0 ? p->signal[slot] : (signal_use){ 0, 0 };
}

static signal_use finish_signal(plan *p, int slot, int first)
{
    signal_use use = { first, p->n_partial - first };
    p->signal[slot] = use;
    if (LIST_RESERVE(p->order, p->n_order, p->cap_order)) {
        p->order[p->n_order++] = slot;
    } else {
        p->no_memory = true;
    }
    return use;
}

static bi_expr expression_field(const model_element *e, int field)
{
    bi_expr id = { 0 };
    if (e->kind->field[field].type == BI_FIELD_EXPR) {
        memcpy(&id, model_field(e, &e->kind->field[field]), sizeof id);
    }
    return id;
}

// ---- circles -----------------------------------------------------------------------------------------------------------

// Whether what is being put in order would be needed first. `seen`: slots.
static bool needs_open(const plan *p, int slot, bool *seen)
{
    const bi_model *m = p->model;
    if (p->signal[slot].first != UNUSED || seen[slot]) {
        return p->signal[slot].first == OPEN;
    }
    seen[slot] = true;
    if (slot < m->n_expr) {
        const expr *code = m->expr[slot].code;
        for (int v = 0; v < expr_variable_count(code); v++) {
            model_name name = model_resolve(m, expr_variable_name(code, v));
            if (name.kind == MODEL_NAME_SIGNAL && needs_open(p, plan_signal_slot(p, name.index), seen)) {
                return true;
            }
        }
        return false;
    }
    const model_element *e = &m->element[slot - m->n_expr];
    for (int f = 0; model_is_signal(e) && f < e->kind->n_field; f++) {
        bi_expr read = expression_field(e, f);
        if (read.i > 0 && needs_open(p, read.i - 1, seen)) {
            return true;
        }
    }
    int graph = model_graph_read(m, slot - m->n_expr);
    if (graph >= 0 && needs_open(p, plan_signal_slot(p, graph), seen)) {
        return true;
    }
    for (int k = 0; k < p->n_outside; k++) {
        const plan_outside *o = &p->outside[k];
        if (o->element == slot - m->n_expr && o->name.kind == MODEL_NAME_SIGNAL &&
            needs_open(p, plan_signal_slot(p, o->name.index), seen)) {
            return true;
        }
    }
    return false;
}

static bool is_circle(plan *p, bi_expr expression)
{
    bool *seen = expression.i > 0 ? calloc((size_t)p->n_signal + 1, sizeof *seen) : NULL;
    bool answer = seen && needs_open(p, expression.i - 1, seen);
    p->no_memory |= expression.i > 0 && !seen;
    free(seen);
    return answer;
}

// What counts after a step only may come later in the order than its reader.
static void plan_field(plan *p, const model_element *e, int field)
{
    bi_expr read = expression_field(e, field);
    if (!(e->kind->field[field].rules & BI_AFTER_STEP) || !is_circle(p, read)) {
        plan_signal(p, read);
    } else if (LIST_RESERVE(p->postponed, p->n_postponed, p->cap_postponed)) {
        p->postponed[p->n_postponed++] = read;
    } else {
        p->no_memory = true;
    }
}

void plan_postponed(plan *p)
{
    for (int k = 0; k < p->n_postponed; k++) {
        plan_signal(p, p->postponed[k]);
    }
    p->n_postponed = 0;
}

// Names of what is open from this element on, which would be needed first, and of the signal that could wait.
static signal_use tell_circle(plan *p, int element)
{
    const bi_model *m = p->model;
    char chain[300] = "";
    size_t used = 0;
    int k = p->n_open - 1, waits = element;
    while (k > 0 && p->open[k] != element) {
        k--;
    }
    for (; k < p->n_open; k++) {
        waits = model_graph_read(m, p->open[k]) >= 0 ? p->open[k] : waits;
        if (used < sizeof chain) {
            used +=
                (size_t)snprintf(chain + used, sizeof chain - used, "%.40s -> ", m->element[p->open[k]].name);
        }
    }
    plan_complain(
        p, waits, "",
        "reads a graph that needs it in the same step, a circle: %s%.40s; 'late: true' reads the graph at "
        "the end of the last step, or let a node of type value inside the graph do it",
        chain, m->element[element].name);
    return (signal_use){ 0, 0 };
}

// From here to finish_signal, what it needs finds its place.
static bool open_element(plan *p, int element)
{
    p->signal[plan_signal_slot(p, element)].first = OPEN;
    if (!LIST_RESERVE(p->open, p->n_open, p->cap_open)) {
        p->no_memory = true;
        return false;
    }
    p->open[p->n_open++] = element;
    return true;
}

// ---- signals -----------------------------------------------------------------------------------------------------------

// A signal depends on what its expressions depend on. The model was checked: circles go through graphs.
signal_use plan_named_signal(plan *p, int element)
{
    if (!signals_exist(p)) {
        return (signal_use){ 0, 0 };
    }
    int slot = plan_signal_slot(p, element);
    if (p->signal[slot].first != UNUSED) {
        return p->signal[slot].first == OPEN ? tell_circle(p, element) : p->signal[slot];
    }
    const model_element *e = &p->model->element[element];
    if (!open_element(p, element)) {
        return (signal_use){ 0, 0 };
    }
    for (int f = 0; f < e->kind->n_field; f++) {
        plan_field(p, e, f);
    }
    int graph = model_graph_read(p->model, element);
    signal_use use = graph >= 0 ? plan_graph(p, graph) : (signal_use){ 0, 0 };
    int first = p->n_partial;
    for (int f = 0; f < e->kind->n_field; f++) {
        if (!(e->kind->field[f].rules & BI_AFTER_STEP)) {
            add_partials_of(p, first, plan_signal(p, expression_field(e, f)));
        }
    }
    add_partials_of(p, first, use);
    p->n_open--;
    return finish_signal(p, slot, first);
}

signal_use plan_signal(plan *p, bi_expr expression)
{
    if (expression.i < 1 || !signals_exist(p)) {
        return (signal_use){ 0, 0 };
    }
    int slot = expression.i - 1;
    if (p->signal[slot].first != UNUSED) {
        // an expression in a circle is told by the signal that it is of, or that it reads
        return p->signal[slot].first == OPEN ? (signal_use){ 0, 0 } : p->signal[slot];
    }
    p->signal[slot].first = OPEN;
    // what it reads comes first, in the order of evaluation and in the list of partial derivatives
    const expr *code = p->model->expr[slot].code;
    for (int v = 0; v < expr_variable_count(code); v++) {
        model_name name = model_resolve(p->model, expr_variable_name(code, v));
        if (name.kind == MODEL_NAME_SIGNAL) {
            plan_named_signal(p, name.index);
        }
    }
    int first = p->n_partial;
    for (int v = 0; v < expr_variable_count(code); v++) {
        model_name name = model_resolve(p->model, expr_variable_name(code, v));
        if (name.kind == MODEL_NAME_VALUE || name.kind == MODEL_NAME_RATE) {
            int m = plan_joint(p, name.index, name.coordinate);
            add_partial(p, first, (signal_partial){ m, name.kind == MODEL_NAME_RATE });
        } else if (name.kind == MODEL_NAME_SIGNAL) {
            add_partials_of(p, first, use_of(p, plan_signal_slot(p, name.index)));
        }
    }
    return finish_signal(p, slot, first);
}

void plan_add_outside(plan *p, int element, model_name name)
{
    for (int k = 0; k < p->n_outside; k++) {
        const plan_outside *o = &p->outside[k];
        if (o->element == element && o->name.kind == name.kind && o->name.index == name.index &&
            o->name.coordinate == name.coordinate) {
            return;
        }
    }
    if (LIST_RESERVE(p->outside, p->n_outside, p->cap_outside)) {
        p->outside[p->n_outside++] = (plan_outside){ element, name };
    } else {
        p->no_memory = true;
    }
}

signal_use plan_graph(plan *p, int element)
{
    if (!signals_exist(p)) {
        return (signal_use){ 0, 0 };
    }
    int slot = plan_signal_slot(p, element);
    if (p->signal[slot].first != UNUSED) {
        return p->signal[slot].first == OPEN ? tell_circle(p, element) : p->signal[slot];
    }
    if (!open_element(p, element)) {
        return (signal_use){ 0, 0 };
    }
    for (int k = 0; k < p->n_outside; k++) {
        if (p->outside[k].element == element && p->outside[k].name.kind == MODEL_NAME_SIGNAL) {
            plan_named_signal(p, p->outside[k].name.index);
        }
    }
    int first = p->n_partial;
    for (int k = 0; k < p->n_outside; k++) {
        model_name name = p->outside[k].name;
        if (p->outside[k].element != element) {
            continue;
        }
        if (name.kind == MODEL_NAME_VALUE || name.kind == MODEL_NAME_RATE) {
            int m = plan_joint(p, name.index, name.coordinate);
            add_partial(p, first, (signal_partial){ m, name.kind == MODEL_NAME_RATE });
        } else if (name.kind == MODEL_NAME_SIGNAL) {
            add_partials_of(p, first, use_of(p, plan_signal_slot(p, name.index)));
        }
    }
    p->n_open--;
    return finish_signal(p, slot, first);
}

bool plan_is_negative(const plan_certain *c, double value)
{
    static const double rounding = -1e-6; // of 1 + sin(x) and its like
    return c->key && value < rounding;
}

signal_use plan_certain_signal(plan *p, int element, bi_expr expression, const char *key)
{
    if (expression.i > 0 && LIST_RESERVE(p->certain, p->n_certain, p->cap_certain)) {
        p->certain[p->n_certain++] = (plan_certain){ expression.i - 1, element, key };
    } else if (expression.i > 0) {
        p->no_memory = true;
    }
    return plan_signal(p, expression);
}
