// SPDX-License-Identifier: MIT
#include "laws/bond/net.h"
#include "base/list.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *net_kind_name(net_kind kind)
{
    static const char *const name[] = {
        [NET_SE] = "Se", [NET_SF] = "Sf",       [NET_R] = "R",       [NET_C] = "C",
        [NET_I] = "I",   [NET_TF] = "TF",       [NET_GY] = "GY",     [NET_ZERO] = "0",
        [NET_ONE] = "1", [NET_STATE] = "state", [NET_PORT] = "port", [NET_VALUE] = "value"
    };
    return name[kind];
}

// ---- growing ----------------------------------------------------------------------------------------------

static bool grow(net *g, void **list, int count, int *capacity, size_t size)
{
    bool has_room = list_reserve(list, count, capacity, size);
    g->no_memory = g->no_memory || !has_room;
    return has_room;
}

int net_add_node(net *g, const net_node *node)
{
    if (!grow(g, (void **)&g->node, g->n_node, &g->cap_node, sizeof *g->node)) {
        return -1;
    }
    net_node copy = *node;
    copy.port = NULL;
    copy.n_port = copy.cap_port = 0;
    copy.value = calloc((size_t)node->n_value + 1, sizeof *copy.value);
    if (!copy.value) {
        g->no_memory = true;
        return -1;
    }
    for (int k = 0; k < node->n_value; k++) {
        copy.value[k] = node->value[k];
    }
    g->node[g->n_node] = copy;
    return g->n_node++;
}

static void add_port(net *g, int node, int bond)
{
    net_node *n = &g->node[node];
    if (grow(g, (void **)&n->port, n->n_port, &n->cap_port, sizeof *n->port)) {
        n->port[n->n_port++] = bond;
    }
}

int net_add_bond(net *g, int from, int to, bi_place place)
{
    if (!grow(g, (void **)&g->bond, g->n_bond, &g->cap_bond, sizeof *g->bond)) {
        return -1;
    }
    g->bond[g->n_bond] = (net_bond){ from, to, STROKE_NONE, place };
    add_port(g, from, g->n_bond);
    add_port(g, to, g->n_bond);
    return g->n_bond++;
}

void net_clear(net *g)
{
    for (int n = 0; n < g->n_node; n++) {
        free(g->node[n].value);
        free(g->node[n].port);
    }
    free(g->node);
    free(g->bond);
    free(g->causality);
    *g = (net){ 0 };
}

int net_find(const net *g, const char *name)
{
    for (int n = 0; n < g->n_node; n++) {
        if (strcmp(g->node[n].name, name) == 0) {
            return n;
        }
    }
    return -1;
}

const char *net_plain(const net *g, const char *name)
{
    size_t length = g->prefix ? strlen(g->prefix) : 0;
    return length > 0 && strncmp(name, g->prefix, length) == 0 ? name + length : name;
}

// A node by the first letters of a name, or its component: "w", "w#2".
static int find_part(const net *g, const char *name, size_t length, int component)
{
    char full[NET_NAME];
    snprintf(full, sizeof full, component > 0 ? "%.*s#%d" : "%.*s", (int)length, name, component);
    return net_find(g, full);
}

int net_variable(const net *g, const char *name, int *port, char *letter)
{
    int n = net_find(g, name);
    *port = 0;
    *letter = '\0';
    if (n >= 0 && (g->node[n].kind == NET_STATE || g->node[n].kind == NET_VALUE)) {
        return n;
    }
    const char *dot = strrchr(name, '.');
    if (!dot || !dot[1] || !strchr("efpq", dot[1])) {
        return -1;
    }
    size_t length = (size_t)(dot - name);
    int component = dot[2] >= '1' && dot[2] <= '6' && !dot[3] ? dot[2] - '0' : 0;
    if (dot[2] && component == 0) {
        return -1;
    }
    *letter = dot[1];
    n = find_part(g, name, length, component);
    if (n < 0 && component > 0) {
        n = find_part(g, name, length, 0);
        *port = component - 1;
        n = n >= 0 && component <= g->node[n].n_port ? n : -1;
    }
    return n;
}

// The part that holds a part: "a.b." -> "a.".
static size_t outer_scope(const char *name, size_t length)
{
    size_t k = length > 0 ? length - 1 : 0;
    while (k > 0 && name[k - 1] != '.') {
        k--;
    }
    return k;
}

static const char *alias_of(const net *g, const char *name)
{
    for (int k = 0; k < g->n_alias; k++) {
        if (strcmp(g->alias[k].name, name) == 0) {
            return g->alias[k].as;
        }
    }
    return NULL;
}

bool net_resolve(const net *g, int node, const char *name, char out[NET_NAME])
{
    const char *own = g->node[node].name, *dot = strrchr(own, '.'), *plain = net_plain(g, name), *as;
    size_t scope = dot ? (size_t)(dot - own) + 1 : 0;
    int port;
    char letter;
    bool is_bound = false;
    for (;;) {
        snprintf(out, NET_NAME, "%.*s%s", (int)scope, own, plain);
        as = scope > 0 ? alias_of(g, out) : NULL;
        if (!as) {
            break;
        }
        is_bound = true;
        plain = as;
        scope = outer_scope(own, scope);
    }
    if (net_variable(g, out, &port, &letter) >= 0) {
        return true;
    }
    snprintf(out, NET_NAME, "%s%s", is_bound && g->prefix && strcmp(plain, "t") != 0 ? g->prefix : "",
             is_bound ? plain : name);
    return false;
}

void net_bond_name(const net *g, int bond, char *out, size_t size)
{
    const net_bond *b = &g->bond[bond];
    int count = 0, number = 0;
    for (int k = 0; k < g->n_bond; k++) {
        count += g->bond[k].from == b->from && g->bond[k].to == b->to;
        number = k == bond ? count : number;
    }
    const char *from = g->node[b->from].name, *to = g->node[b->to].name;
    if (count > 1) {
        snprintf(out, size, "%.80s->%.80s#%d", from, to, number);
    } else {
        snprintf(out, size, "%.80s->%.80s", from, to);
    }
}

void net_names_from_outside(const net *g, int (*found)(void *context, const char *name), void *context)
{
    for (int n = 0; n < g->n_node; n++) {
        for (int k = 0; k < g->node[n].n_value; k++) {
            const expr *code = g->node[n].value[k].code;
            for (int i = 0; code && i < expr_variable_count(code); i++) {
                char full[NET_NAME];
                if (!net_resolve(g, n, expr_variable_name(code, i), full)) {
                    found(context, full);
                }
            }
        }
    }
}

// ---- mistakes ---------------------------------------------------------------------------------------------

static void complain(bi_report *report, const char *graph, const net_node *n, const char *what)
{
    char where[160];
    const char *part[] = { "graphs.", graph, ".", n->name };
    where[0] = '\0';
    for (int k = 0; k < 4; k++) {
        strncat(where, part[k], sizeof where - strlen(where) - 1);
    }
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, n->place, where, "%s", what);
}

static const char *count_mistake(const net *g, int node)
{
    const net_node *n = &g->node[node];
    switch (n->kind) {
    case NET_STATE: return n->n_port ? "a state carries no power: take its bonds away" : NULL;
    case NET_VALUE: return n->n_port ? "a value carries no power: take its bonds away" : NULL;
    case NET_ZERO:
    case NET_ONE: return n->n_port >= 2 ? NULL : "a junction joins at least two bonds";
    case NET_TF:
        return n->n_port == n->rows + n->columns
                   ? NULL
                   : "a transformer needs one bond in and one out per component";
    case NET_GY: return n->n_port == 2 ? NULL : "a gyrator needs one bond in and one out";
    case NET_R:
    case NET_C:
    case NET_I: return n->n_port == n->rows ? NULL : "the element needs one bond per row of its value";
    default:
        return n->n_port == 1  ? NULL
               : n->n_port > 1 ? "has several bonds and takes one: put a junction before it that joins them"
                               : "has no bond and needs one";
    }
}

static const char *direction_mistake(const net *g, int node)
{
    const net_node *n = &g->node[node];
    if (n->kind != NET_TF && n->kind != NET_GY) {
        return NULL;
    }
    int in = 0;
    for (int k = 0; k < n->n_port; k++) {
        in += net_points_in(g, node, n->port[k]);
    }
    return in == (n->kind == NET_TF ? n->columns : 1)
               ? NULL
               : "as many bonds must point into it as out of it: turn a bond round";
}

static const char *number_mistake(const net_node *n)
{
    for (int k = 0; k < n->n_value; k++) {
        if (!n->value[k].code && !isfinite(n->value[k].constant)) {
            return "its value is not a finite number";
        }
    }
    bool is_alone = n->n_value == 1 && !n->value[0].code && n->law == NET_LINEAR;
    bool divides = n->kind == NET_C || n->kind == NET_I;
    if (is_alone && divides && n->value[0].constant <= 0.0) {
        return "its value must be above zero";
    }
    bool may_divide = n->kind == NET_TF || n->kind == NET_GY;
    if (is_alone && may_divide && n->value[0].constant == 0.0) {
        return "its modulus must not be zero";
    }
    if (is_alone && n->kind == NET_R && n->value[0].constant < 0.0) {
        return "its value must not be negative: it would make power from nothing";
    }
    return NULL;
}

bool net_check(const net *g, const char *graph, bi_report *report)
{
    int errors = report->errors;
    for (int n = 0; n < g->n_node; n++) {
        char what[320];
        bool is_bad = net_matrix_mistake(&g->node[n], what, sizeof what);
        const char *mistake[] = { count_mistake(g, n), direction_mistake(g, n), number_mistake(&g->node[n]),
                                  is_bad ? what : NULL };
        for (int k = 0; k < 4; k++) {
            if (mistake[k]) {
                complain(report, graph, &g->node[n], mistake[k]);
            }
        }
    }
    return report->errors == errors;
}
