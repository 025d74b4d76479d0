// SPDX-License-Identifier: MIT
#include "bond/net.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *net_kind_name(net_kind kind)
{
    static const char *const name[] = {
        [NET_SE] = "Se", [NET_SF] = "Sf",       [NET_R] = "R",      [NET_C] = "C",
        [NET_I] = "I",   [NET_TF] = "TF",       [NET_GY] = "GY",    [NET_ZERO] = "0",
        [NET_ONE] = "1", [NET_STATE] = "state", [NET_PORT] = "port"
    };
    return name[kind];
}

// ---- growing ----------------------------------------------------------------------------------------------

static bool grow(net *g, void **list, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    int larger = *capacity ? 2 * *capacity : 8;
    void *moved = realloc(*list, (size_t)larger * size);
    if (!moved) {
        g->no_memory = true;
        return false;
    }
    *list = moved;
    *capacity = larger;
    return true;
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

bool net_names(const net *g, const char *name)
{
    name = net_plain(g, name);
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    bool is_part = dot && dot[1] != '\0' && strchr("efpq", dot[1]) && dot[2] == '\0';
    for (int n = 0; n < g->n_node; n++) {
        const net_node *node = &g->node[n];
        if ((node->kind == NET_STATE && strcmp(node->name, name) == 0) ||
            (is_part && strlen(node->name) == length && strncmp(node->name, name, length) == 0)) {
            return true;
        }
    }
    return false;
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
    default: return n->n_port == 1 ? NULL : "the element needs exactly one bond";
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
        const char *mistake[] = { count_mistake(g, n), direction_mistake(g, n), number_mistake(&g->node[n]) };
        for (int k = 0; k < 3; k++) {
            if (mistake[k]) {
                complain(report, graph, &g->node[n], mistake[k]);
            }
        }
    }
    return report->errors == errors;
}
