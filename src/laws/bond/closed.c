// SPDX-License-Identifier: MIT
// State equations of a linear graph in symbols, explicit (bond.15): its assignments are walked through once with fractions
// of element names in place of numbers; what was torn and what derivative storages answer are solved for.
#include "laws/bond/closed.h"
#include "laws/bond/fraction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Variables are linear in these: states, values of sources, what comes from outside, torn variables, rates of derivative
// storages; and in the end in the rates of sources and of what comes from outside.
enum { MOST_COLUMNS = 64, MOST_CELLS = 200000, TEXT = 4096 };

struct closed {
    const net *g;
    const tape *t;
    fractions keep;
    int n_column;
    fraction *form; // (n_variable * n_column)
    char *is_known; // (n_variable): it has a form
    int n_name;
    int node[FRACTION_MOST_NAMES];
    const char *name[FRACTION_MOST_NAMES];
    double value[FRACTION_MOST_NAMES];
    const char *why_not;
    char text[TEXT];
};

static int column_of_source(const closed *c, int k) { return c->t->n_state + k; }
static int column_of_outside(const closed *c, int k) { return column_of_source(c, c->t->n_source) + k; }
static int column_of_torn(const closed *c, int k) { return column_of_outside(c, c->t->n_outside) + k; }
static int column_of_derivative(const closed *c, int k) { return column_of_torn(c, c->t->n_torn) + k; }
static int column_of_source_rate(const closed *c, int k)
{
    return column_of_derivative(c, c->t->n_derivative) + k;
}
static int column_of_outside_rate(const closed *c, int k)
{
    return column_of_source_rate(c, c->t->n_source) + k;
}
static int column_count(const closed *c) { return column_of_outside_rate(c, c->t->n_outside); }

static fraction *form_of(closed *c, int variable) { return &c->form[variable * c->n_column]; }

// Number of the name of a node's value; the value comes with it.
static int name_of(closed *c, int node)
{
    for (int k = 0; k < c->n_name; k++) {
        if (c->node[k] == node) {
            return k;
        }
    }
    if (c->n_name == FRACTION_MOST_NAMES) {
        c->why_not = "it has too many elements";
        return 0;
    }
    c->node[c->n_name] = node;
    c->name[c->n_name] = c->g->node[node].name;
    c->value[c->n_name] = c->g->node[node].value[0].constant;
    return c->n_name++;
}

// to += factor from
static void accumulate(closed *c, fraction *to, fraction factor, const fraction *from)
{
    for (int k = 0; k < c->n_column; k++) {
        if (!fraction_is_zero(from[k])) {
            to[k] = fraction_add(&c->keep, to[k], fraction_multiply(&c->keep, factor, from[k]));
        }
    }
}

static void set_unit(closed *c, int variable, int column)
{
    form_of(c, variable)[column] = fraction_number(&c->keep, 1.0);
    c->is_known[variable] = 1;
}

static void set_units(closed *c)
{
    const tape *t = c->t;
    for (int k = 0; k < t->n_variable * c->n_column; k++) {
        c->form[k] = fraction_number(&c->keep, 0.0);
    }
    for (int k = 0; k < t->n_state; k++) {
        set_unit(c, tape_state_at(t, k), k);
    }
    for (int k = 0; k < t->n_source; k++) {
        set_unit(c, t->source_variable[k], column_of_source(c, k));
    }
    for (int k = 0; k < t->n_outside; k++) {
        set_unit(c, TAPE_OUTSIDE + k, column_of_outside(c, k));
    }
    for (int k = 0; k < t->n_torn; k++) {
        set_unit(c, t->torn[k], column_of_torn(c, k));
    }
    for (int k = 0; k < t->n_derivative; k++) {
        set_unit(c, tape_derivative(t, k), column_of_derivative(c, k));
    }
}

static bool is_source(const tape *t, int variable)
{
    for (int k = 0; k < t->n_source; k++) {
        if (t->source_variable[k] == variable) {
            return true;
        }
    }
    return false;
}

static bool is_torn(const tape *t, int variable)
{
    for (int k = 0; k < t->n_torn; k++) {
        if (t->torn[k] == variable) {
            return true;
        }
    }
    return false;
}

// Every assignment in its order; one that is not linear leaves its variable without a form.
static void walk(closed *c)
{
    const tape *t = c->t;
    for (int i = 0; i < t->n_op; i++) {
        const tape_op *op = &t->op[i];
        bool is_linear = op->kind == OP_LINEAR && !is_source(t, op->target) && !is_torn(t, op->target);
        for (int k = 0; k < op->count && is_linear; k++) {
            is_linear = c->is_known[t->argument[op->first + k]];
        }
        if (!is_linear) {
            continue;
        }
        for (int k = 0; k < op->count; k++) {
            int at = op->first + k, symbol = t->symbol[at];
            fraction factor = symbol == 0
                                  ? fraction_number(&c->keep, t->factor[at])
                                  : fraction_name(&c->keep, name_of(c, abs(symbol) - 1), symbol > 0 ? 1 : -1);
            accumulate(c, form_of(c, op->target), factor, form_of(c, t->argument[at]));
        }
        c->is_known[op->target] = 1;
    }
}

// Solves (1 - A) y = B for y, row k of `row` holding A in n columns from `first` on and B in all others; then the columns
// of y are gone from the rows.
static bool solve(closed *c, int n, int first, fraction **row)
{
    fractions *f = &c->keep;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            row[i][first + k] = fraction_negative(f, row[i][first + k]);
        }
        row[i][first + i] = fraction_add(f, row[i][first + i], fraction_number(f, 1.0));
    }
    for (int i = 0; i < n; i++) {
        int pivot = i;
        while (pivot < n && fraction_is_zero(row[pivot][first + i])) {
            pivot++;
        }
        if (pivot == n || f->has_failed) {
            return false;
        }
        fraction *swap = row[i], by;
        row[i] = row[pivot];
        row[pivot] = swap;
        by = row[i][first + i];
        for (int k = 0; k < c->n_column; k++) {
            row[i][k] = fraction_divide(f, row[i][k], by);
        }
        for (int r = 0; r < n; r++) {
            fraction part = row[r][first + i];
            if (r == i || fraction_is_zero(part)) {
                continue;
            }
            for (int k = 0; k < c->n_column; k++) {
                // unknowns stand on the left, all others on the right
                fraction less = fraction_multiply(f, part, row[i][k]);
                row[r][k] = fraction_add(f, row[r][k], fraction_negative(f, less));
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            row[i][first + k] = fraction_number(f, 0.0);
        }
    }
    return !f->has_failed;
}

// The columns from `first` on, of what was solved for, are replaced in a form.
static void replace(closed *c, fraction *form, int n, int first, fraction **row)
{
    for (int k = 0; k < n; k++) {
        fraction part = form[first + k];
        form[first + k] = fraction_number(&c->keep, 0.0);
        if (!fraction_is_zero(part)) {
            accumulate(c, form, part, row[k]);
        }
    }
}

// Solving mixes unknowns and the rest in one row: unknown columns hold the matrix, the rest is B.
static bool close_loops(closed *c, fraction **row)
{
    const tape *t = c->t;
    int first = column_of_torn(c, 0);
    for (int k = 0; k < t->n_torn; k++) {
        if (!c->is_known[t->torn_source[k]]) {
            return false;
        }
        row[k] = calloc((size_t)c->n_column, sizeof *row[k]);
        if (!row[k]) {
            return false;
        }
        memcpy(row[k], form_of(c, t->torn_source[k]), (size_t)c->n_column * sizeof *row[k]);
    }
    return solve(c, t->n_torn, first, row);
}

// Rate of what storage k holds, along states, sources and what comes from outside; false: it holds an unknown.
static bool stored_rate(closed *c, int k, fraction *out)
{
    const tape *t = c->t;
    fraction *held = form_of(c, t->stored[k]);
    for (int i = 0; i < c->n_column; i++) {
        out[i] = fraction_number(&c->keep, 0.0);
    }
    for (int i = 0; i < t->n_derivative; i++) {
        if (!fraction_is_zero(held[column_of_derivative(c, i)])) {
            return false;
        }
    }
    for (int i = 0; i < t->n_state; i++) {
        if (!fraction_is_zero(held[i])) {
            accumulate(c, out, held[i], form_of(c, t->state[i].rate));
        }
    }
    for (int i = 0; i < t->n_source; i++) {
        out[column_of_source_rate(c, i)] = held[column_of_source(c, i)];
    }
    for (int i = 0; i < t->n_outside; i++) {
        out[column_of_outside_rate(c, i)] = held[column_of_outside(c, i)];
    }
    return true;
}

static bool close_derivatives(closed *c, fraction **row)
{
    const tape *t = c->t;
    for (int k = 0; k < t->n_derivative; k++) {
        row[k] = calloc((size_t)c->n_column, sizeof *row[k]);
        if (!row[k] || !c->is_known[t->stored[k]] || !stored_rate(c, k, row[k])) {
            return false;
        }
    }
    if (!solve(c, t->n_derivative, column_of_derivative(c, 0), row)) {
        return false;
    }
    for (int k = 0; k < t->n_state; k++) {
        replace(c, form_of(c, t->state[k].rate), t->n_derivative, column_of_derivative(c, 0), row);
    }
    return true;
}

static void close_all(closed *c)
{
    const tape *t = c->t;
    int most = t->n_torn + t->n_derivative;
    fraction **row = calloc((size_t)most + 1, sizeof *row);
    walk(c);
    bool is_known = row != NULL;
    for (int k = 0; k < t->n_state && is_known; k++) {
        is_known = c->is_known[t->state[k].rate];
    }
    bool ok = is_known && close_loops(c, row);
    for (int v = 0; ok && v < t->n_variable; v++) {
        if (c->is_known[v]) {
            replace(c, form_of(c, v), t->n_torn, column_of_torn(c, 0), row);
        }
    }
    ok = ok && close_derivatives(c, row + t->n_torn);
    for (int k = 0; row && k < most; k++) {
        free(row[k]);
    }
    free(row);
    if (!ok && !c->why_not) {
        c->why_not = c->keep.has_failed ? "its equations are too long to be read" : "it is not linear";
    }
}

closed *closed_create(const net *g, const tape *t)
{
    closed *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->g = g;
    c->t = t;
    c->n_column = column_count(c);
    if (t->n_hold > 0) {
        c->why_not = "it has friction that holds";
    } else if (c->n_column > MOST_COLUMNS || t->n_variable * c->n_column > MOST_CELLS) {
        c->why_not = "it is too large to be read";
    }
    if (c->why_not) {
        return c;
    }
    c->form = calloc((size_t)(t->n_variable * c->n_column) + 1, sizeof *c->form);
    c->is_known = calloc((size_t)t->n_variable + 1, 1);
    if (!c->form || !c->is_known) {
        closed_destroy(c);
        return NULL;
    }
    set_units(c);
    close_all(c);
    if (c->keep.has_failed && !c->why_not) {
        c->why_not = "its equations are too long to be read";
    }
    return c;
}

void closed_destroy(closed *c)
{
    if (c) {
        fractions_clear(&c->keep);
        free(c->form);
        free(c->is_known);
    }
    free(c);
}

const char *closed_why_not(const closed *c) { return c->why_not; }

// ---- told ----------------------------------------------------------------------------------------------------------

// The k-th port of the graph.
static const char *port_name(const net *g, int k)
{
    for (int n = 0; n < g->n_node; n++) {
        if (g->node[n].kind == NET_PORT && k-- == 0) {
            return g->node[n].name;
        }
    }
    return "?";
}

static void column_name(const closed *c, int column, char *out, size_t size)
{
    const tape *t = c->t;
    if (column < t->n_state) {
        snprintf(out, size, "%.90s", t->state[column].name);
    } else if (column < column_of_outside(c, 0)) {
        snprintf(out, size, "%.90s", c->g->node[t->source_node[column - t->n_state]].name);
    } else if (column < column_of_torn(c, 0)) {
        snprintf(out, size, "%.90s.f", port_name(c->g, column - column_of_outside(c, 0)));
    } else if (column < column_of_outside_rate(c, 0)) {
        int source = t->source_node[column - column_of_source_rate(c, 0)];
        snprintf(out, size, "d(%.90s)/dt", c->g->node[source].name);
    } else {
        snprintf(out, size, "d(%.90s.f)/dt", port_name(c->g, column - column_of_outside_rate(c, 0)));
    }
}

const char *closed_rate(closed *c, int state)
{
    const fraction *form = form_of(c, c->t->state[state].rate);
    bool is_first = true;
    c->text[0] = '\0';
    for (int k = 0; k < c->n_column; k++) {
        char name[120];
        if (fraction_is_zero(form[k])) {
            continue;
        }
        column_name(c, k, name, sizeof name);
        bool is_minus = fraction_sign(form[k]) < 0.0;
        size_t used = strlen(c->text);
        snprintf(c->text + used, TEXT - used, "%s",
                 is_first   ? (is_minus ? "-" : "")
                 : is_minus ? " - "
                            : " + ");
        fraction_text(form[k], c->name, name, c->text, TEXT);
        is_first = false;
    }
    return is_first ? "0" : c->text;
}

double closed_value(const closed *c, int state, closed_of of, int which)
{
    int column = of == CLOSED_STATE    ? which
                 : of == CLOSED_SOURCE ? column_of_source(c, which)
                                       : column_of_source_rate(c, which);
    return fraction_value(c->form[c->t->state[state].rate * c->n_column + column], c->value);
}
