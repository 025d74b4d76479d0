// SPDX-License-Identifier: MIT
// From causal elements to assignments.
#include "base/list.h"
#include "laws/bond/tape_builder.h"
#include "sparse/dense.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- growing ----------------------------------------------------------------------------------------------

static bool grow(tape *t, void **list, int count, int *capacity, size_t size)
{
    bool has_room = list_reserve(list, count, capacity, size);
    t->no_memory = t->no_memory || !has_room;
    return has_room;
}

int tape_new_variable(tape *t)
{
    if (!grow(t, (void **)&t->writer, t->n_variable, &t->cap_variable, sizeof *t->writer)) {
        return 0;
    }
    t->writer[t->n_variable] = -1;
    return t->n_variable++;
}

void tape_add_op(tape *t, tape_op_kind kind, int target, const expr *code)
{
    if (!grow(t, (void **)&t->op, t->n_op, &t->cap_op, sizeof *t->op)) {
        return;
    }
    t->op[t->n_op] = (tape_op){ kind, target, t->n_argument, 0, code };
    t->writer[target] = t->n_op++;
}

void tape_add_argument(tape *t, int variable, double factor)
{
    int capacity = t->cap_argument, again = t->cap_argument;
    if (!grow(t, (void **)&t->argument, t->n_argument, &capacity, sizeof *t->argument) ||
        !grow(t, (void **)&t->symbol, t->n_argument, &again, sizeof *t->symbol) ||
        !grow(t, (void **)&t->factor, t->n_argument, &t->cap_argument, sizeof *t->factor) || t->no_memory) {
        return;
    }
    t->argument[t->n_argument] = variable;
    t->symbol[t->n_argument] = 0;
    t->factor[t->n_argument++] = factor;
    t->op[t->n_op - 1].count++;
}

void tape_scale(tape *t, int target, int variable, double factor)
{
    tape_add_op(t, OP_LINEAR, target, NULL);
    tape_add_argument(t, variable, factor);
}

void tape_two(tape *t, tape_op_kind kind, int target, int a, int b)
{
    tape_add_op(t, kind, target, NULL);
    tape_add_argument(t, a, 1.0);
    tape_add_argument(t, b, 1.0);
}

void tape_complain(builder *b, int node, const char *what, const char *name)
{
    char where[160];
    snprintf(where, sizeof where, "graphs.%s.%s", b->graph, b->g->node[node].name);
    bi_report_add(b->report, BI_ERROR, BI_BAD_MODEL, b->g->node[node].place, where, what, name);
}

// Once per node and name: a matrix reads it in every one of its expressions. `full`: what a `bind` makes of the name.
static void complain_of_name(builder *b, int node, const char *plain, const char *full)
{
    char said[2 * NET_NAME], where[160];
    bool is_bound = strcmp(plain, full) != 0;
    snprintf(said, sizeof said, is_bound ? "%s', which 'bind' makes '%s" : "%s", plain, full);
    snprintf(where, sizeof where, "graphs.%s.%s", b->graph, b->g->node[node].name);
    for (int k = 0; b->report && k < b->report->count; k++) {
        const bi_issue *i = &b->report->issue[k];
        if (strcmp(i->where, where) == 0 && i->what[0] == '\'' &&
            strncmp(i->what + 1, said, strlen(said)) == 0) {
            return;
        }
    }
    tape_complain(b, node, "'%s' is neither of the graph nor of the model", said);
}

// ---- names ------------------------------------------------------------------------------------------------

int tape_state_of(const tape *t, int node, int port)
{
    for (int k = 0; k < t->n_state; k++) {
        if (t->state[k].node == node && (port < 0 || t->state[k].port == port)) {
            return tape_state_at(t, k);
        }
    }
    return -1;
}

int tape_named(const tape *t, int node)
{
    for (int k = 0; k < t->n_named; k++) {
        if (t->named_node[k] == node) {
            return t->named[k];
        }
    }
    return -1;
}

// Effort of an element or junction is that of its first bond; flow counts into an element with one bond.
static int find(const tape *t, const net *g, const char *name, double *sign)
{
    int port;
    char letter;
    int n = net_variable(g, name, &port, &letter);
    *sign = 1.0;
    if (n < 0 || letter == '\0') {
        return n < 0 ? -1 : g->node[n].kind == NET_VALUE ? tape_named(t, n) : tape_state_of(t, n, -1);
    }
    const net_node *node = &g->node[n];
    if (letter == (node->kind == NET_I ? 'p' : 'q') && (node->kind == NET_I || node->kind == NET_C)) {
        return tape_state_of(t, n, port);
    }
    if (letter == 'e' && port < node->n_port && node->kind != NET_ONE) {
        return t->effort[node->port[port]];
    }
    if (letter == 'f' && port < node->n_port && node->kind != NET_ZERO) {
        bool in = net_points_in(g, n, node->port[port]) || node->kind == NET_ONE;
        bool gives = node->kind == NET_SE || node->kind == NET_SF || node->kind == NET_PORT;
        *sign = in != gives ? 1.0 : -1.0;
        return t->flow[node->port[port]];
    }
    return -1;
}

int tape_find(const tape *t, const net *g, const char *name)
{
    double sign;
    return find(t, g, name, &sign);
}

// ---- values -----------------------------------------------------------------------------------------------

// own: the variable that plain "e", "f", "p" or "q" stands for in a law; -1: none.
void tape_add_expression(builder *b, int node, const expr *code, int target, const char *own,
                         int own_variable)
{
    tape *t = b->t;
    int count = expr_variable_count(code);
    int variable[TAPE_MOST_ARGUMENTS];
    if (count > TAPE_MOST_ARGUMENTS) {
        tape_complain(b, node, "the value of %s reads too many names: write part of it as a signal",
                      b->g->node[node].name);
        count = 0;
    }
    for (int k = 0; k < count; k++) {
        const char *name = expr_variable_name(code, k);
        double sign = 1.0;
        bool is_own = own && strcmp(net_plain(b->g, name), own) == 0;
        char full[NET_NAME];
        bool is_of_graph = net_resolve(b->g, node, name, full);
        variable[k] = is_own ? own_variable : is_of_graph ? find(t, b->g, full, &sign) : -1;
        if (variable[k] < 0) {
            int outside = b->lookup ? b->lookup(b->ctx, full) : -1;
            variable[k] = strcmp(full, "t") == 0 ? TAPE_T : outside < 0 ? -1 : TAPE_OUTSIDE + outside;
        }
        if (variable[k] < 0) {
            complain_of_name(b, node, net_plain(b->g, name), net_plain(b->g, full));
            variable[k] = TAPE_T;
        }
        if (sign < 0.0) {
            int turned = tape_new_variable(t);
            tape_scale(t, turned, variable[k], -1.0);
            variable[k] = turned;
        }
    }
    tape_add_op(t, OP_EXPRESSION, target, code);
    t->n_register = expr_registers(code) > t->n_register ? expr_registers(code) : t->n_register;
    for (int k = 0; k < count; k++) {
        tape_add_argument(t, variable[k], 1.0);
    }
}

// target = value * variable (OP_MULTIPLY), or variable / value (OP_DIVIDE).
void tape_apply(builder *b, int node, const net_value *value, int target, int variable, tape_op_kind how)
{
    if (!value->code) {
        tape_scale(b->t, target, variable, how == OP_DIVIDE ? 1.0 / value->constant : value->constant);
        if (!b->t->no_memory) {
            b->t->symbol[b->t->n_argument - 1] = how == OP_DIVIDE ? -(node + 1) : node + 1;
        }
        return;
    }
    if (b->last_value != value) {
        b->last_value = value;
        b->last_modulus = tape_new_variable(b->t);
        tape_add_expression(b, node, value->code, b->last_modulus, NULL, -1);
    }
    int modulus = b->last_modulus;
    tape_two(b->t, how, target, variable, modulus);
}

// The law of an R, C or I of its own variable; a constant one needs none.
void tape_add_law(builder *b, int node, int target, const char *own, int own_variable)
{
    const net_value *value = &b->g->node[node].value[0];
    if (value->code) {
        tape_add_expression(b, node, value->code, target, own, own_variable);
    } else {
        tape_scale(b->t, target, TAPE_ONE, value->constant);
    }
}

bool tape_is_constant(const net_node *n)
{
    for (int k = 0; k < n->n_value; k++) {
        if (n->value[k].code) {
            return false;
        }
    }
    return true;
}

// The matrix of a field or transformer; false: it has none.
bool tape_matrix(builder *b, int node, double *out)
{
    const net_node *n = &b->g->node[node];
    if (!tape_is_constant(n) || n->rows != n->columns) {
        tape_complain(b, node,
                      "%s would have to be inverted: give it the other causality, or constant numbers",
                      n->name);
        return false;
    }
    for (int k = 0; k < n->n_value; k++) {
        out[k] = n->value[k].constant;
    }
    return true;
}

bool tape_inverse(builder *b, int node, double *out)
{
    const net_node *n = &b->g->node[node];
    int size = n->rows;
    if (!tape_matrix(b, node, out)) {
        return false;
    }
    double copy[36], column[6], result[36];
    for (int c = 0; c < size; c++) {
        memcpy(copy, out, (size_t)(size * size) * sizeof *copy);
        memset(column, 0, sizeof column);
        column[c] = 1.0;
        if (!dense_solve(size, copy, column)) {
            tape_complain(b, node, "the matrix of %s is singular", n->name);
            return false;
        }
        for (int r = 0; r < size; r++) {
            result[r * size + c] = column[r];
        }
    }
    memcpy(out, result, (size_t)(size * size) * sizeof *out);
    return true;
}

// ---- the whole --------------------------------------------------------------------------------------------

static void name_state(tape_state *s, const net_node *n, int port)
{
    const char *letter = n->kind == NET_I ? ".p" : n->kind == NET_C ? ".q" : "";
    if (n->n_port > 1) {
        snprintf(s->name, sizeof s->name, "%.60s%s%d", n->name, letter, port + 1);
    } else {
        snprintf(s->name, sizeof s->name, "%.60s%s", n->name, letter);
    }
}

// M#1 and M#2 are components of one node, as are the ports of a field.
static bool is_same_vector(const net *g, const tape_state *a, const tape_state *b)
{
    const char *one = g->node[a->node].name, *two = g->node[b->node].name;
    const char *end = strrchr(one, '#');
    return a->node == b->node || (end && strncmp(one, two, (size_t)(end - one) + 1) == 0 &&
                                  g->node[a->node].kind == g->node[b->node].kind);
}

// How many states and derivative storages there are, and their lists.
static bool count_states(builder *b)
{
    const net *g = b->g;
    tape *t = b->t;
    int most = 1;
    for (int n = 0; n < g->n_node; n++) {
        most += g->node[n].n_port + 1;
    }
    t->state = calloc((size_t)most, sizeof *t->state);
    t->stored = calloc((size_t)most, sizeof *t->stored);
    t->derivative_node = calloc((size_t)most, sizeof *t->derivative_node);
    t->hold = calloc((size_t)most, sizeof *t->hold);
    t->source_node = calloc((size_t)most, sizeof *t->source_node);
    t->source_variable = calloc((size_t)most, sizeof *t->source_variable);
    t->named = calloc((size_t)g->n_node + 1, sizeof *t->named);
    t->named_node = calloc((size_t)g->n_node + 1, sizeof *t->named_node);
    t->effort = calloc((size_t)g->n_bond + 1, sizeof *t->effort);
    t->flow = calloc((size_t)g->n_bond + 1, sizeof *t->flow);
    if (!t->state || !t->stored || !t->derivative_node || !t->source_node || !t->source_variable ||
        !t->effort || !t->flow || !t->named || !t->named_node || !t->hold) {
        return false;
    }
    for (int n = 0; n < g->n_node; n++) {
        const net_node *node = &g->node[n];
        bool is_storage = node->kind == NET_I || node->kind == NET_C;
        if (node->kind == NET_R && node->law == NET_HOLDS) {
            t->n_derivative++;
            t->n_hold++;
        }
        if (is_storage && g->causality[n] == CAUSALITY_DERIVATIVE) {
            t->n_derivative += node->n_port;
            continue;
        }
        int count = node->kind == NET_STATE ? 1 : is_storage ? node->n_port : 0;
        for (int k = 0; k < count; k++) {
            tape_state *s = &t->state[t->n_state++];
            *s =
                (tape_state){ .node = n, .port = node->kind == NET_STATE ? -1 : k, .initial = node->initial };
            name_state(s, node, k);
            s->is_next = t->n_state > 1 && is_same_vector(g, s, s - 1);
        }
    }
    return true;
}

static void build_all(builder *b)
{
    tape *t = b->t;
    int first = tape_derivative(t, t->n_derivative);
    for (int k = 0; k < first; k++) {
        tape_new_variable(t);
    }
    for (int k = 0; k < b->g->n_bond; k++) {
        t->effort[k] = tape_new_variable(t);
        t->flow[k] = tape_new_variable(t);
    }
    for (int n = 0; n < b->g->n_node; n++) {
        if (b->g->node[n].kind == NET_VALUE) {
            t->named_node[t->n_named] = n;
            t->named[t->n_named++] = tape_new_variable(t);
        }
    }
    int derivative = 0, port = 0;
    for (int n = 0; n < b->g->n_node && !t->no_memory; n++) {
        tape_build_node(b, n, &derivative, &port);
    }
    t->is_linear = true;
    for (int k = 0; k < t->n_op; k++) {
        t->is_linear &= t->op[k].kind == OP_LINEAR;
    }
}

bool tape_create(const net *g, const char *graph, int n_outside, tape_lookup *lookup, void *ctx, tape *out,
                 bi_report *report)
{
    *out = (tape){ .n_outside = n_outside };
    builder b = { g, graph, out, lookup, ctx, report, NULL, -1 };
    int errors = report->errors;
    bool ok = count_states(&b);
    if (ok) {
        build_all(&b);
        ok = !out->no_memory && report->errors == errors && tape_order(out, g->n_bond);
    }
    if (!ok && report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    if (!ok) {
        tape_clear(out);
    }
    return ok;
}

void tape_clear(tape *t)
{
    free(t->op);
    free(t->argument);
    free(t->factor);
    free(t->symbol);
    free(t->state);
    free(t->torn);
    free(t->torn_source);
    free(t->stored);
    free(t->derivative_node);
    free(t->hold);
    free(t->effort);
    free(t->flow);
    free(t->source_variable);
    free(t->source_node);
    free(t->named);
    free(t->named_node);
    free(t->writer);
    *t = (tape){ 0 };
}
