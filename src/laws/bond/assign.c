// SPDX-License-Identifier: MIT
// Sequential causality assignment (bond.3): sources, then storages in integral form, then what is left of the
// resistors; after each choice the junctions pass on what follows from it.
#include "laws/bond/net.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    net *g;
    int *queue; // nodes to look at again
    bool *is_queued;
    int head, tail;
    int conflict; // bond; -1: none
} assignment;

static void push(assignment *a, int node)
{
    if (!a->is_queued[node]) {
        a->is_queued[node] = true;
        a->queue[a->tail] = node;
        a->tail = (a->tail + 1) % (a->g->n_node + 1);
    }
}

// Which way the effort of a bond goes, seen from a node.
typedef enum { EFFORT_AWAY, EFFORT_TO_NODE } effort_way;

static effort_way way_at(const net *g, int node, int bond)
{
    return net_receives_effort(g, node, bond) ? EFFORT_TO_NODE : EFFORT_AWAY;
}

static effort_way opposite(effort_way way) { return way == EFFORT_AWAY ? EFFORT_TO_NODE : EFFORT_AWAY; }

static void put(assignment *a, int bond, int node, effort_way way)
{
    net_bond *b = &a->g->bond[bond];
    net_stroke at_node = b->to == node ? STROKE_TO : STROKE_FROM;
    net_stroke wanted = way == EFFORT_TO_NODE ? at_node : (net_stroke)(1 - at_node);
    if (b->stroke == STROKE_NONE) {
        b->stroke = wanted;
        push(a, b->from);
        push(a, b->to);
    } else if (b->stroke != wanted && a->conflict < 0) {
        a->conflict = bond;
    }
}

// One bond decides at a junction: the one whose stroke is `special`; all others have it the other way.
static void settle_junction(assignment *a, int node, effort_way special)
{
    const net_node *n = &a->g->node[node];
    int decided = -1, open = 0, last = -1;
    for (int k = 0; k < n->n_port; k++) {
        int b = n->port[k];
        if (a->g->bond[b].stroke == STROKE_NONE) {
            open++;
            last = b;
        } else if (way_at(a->g, node, b) == special) {
            if (decided >= 0 && a->conflict < 0) {
                a->conflict = b;
            }
            decided = b;
        }
    }
    if (decided >= 0) {
        for (int k = 0; k < n->n_port; k++) {
            put(a, n->port[k], node, n->port[k] == decided ? special : opposite(special));
        }
    } else if (open == 1) {
        put(a, last, node, special);
    } else if (open == 0 && a->conflict < 0) {
        a->conflict = n->port[0];
    }
}

// Bonds that point in go one way, those that point out follow: the other way (transformer) or the same (gyrator).
static void settle_two_port(assignment *a, int node)
{
    const net_node *n = &a->g->node[node];
    for (int k = 0; k < n->n_port; k++) {
        int b = n->port[k];
        if (a->g->bond[b].stroke == STROKE_NONE) {
            continue;
        }
        effort_way way = way_at(a->g, node, b);
        bool in = net_points_in(a->g, node, b);
        for (int i = 0; i < n->n_port; i++) {
            bool is_same_side = net_points_in(a->g, node, n->port[i]) == in;
            put(a, n->port[i], node, is_same_side || n->kind == NET_GY ? way : opposite(way));
        }
        return;
    }
}

// A field decides for all its ports at once.
static void settle_field(assignment *a, int node)
{
    const net_node *n = &a->g->node[node];
    for (int k = 0; k < n->n_port; k++) {
        int b = n->port[k];
        if (a->g->bond[b].stroke != STROKE_NONE) {
            for (int i = 0; i < n->n_port; i++) {
                put(a, n->port[i], node, way_at(a->g, node, b));
            }
            return;
        }
    }
}

static void propagate(assignment *a)
{
    while (a->head != a->tail && a->conflict < 0) {
        int node = a->queue[a->head];
        a->head = (a->head + 1) % (a->g->n_node + 1);
        a->is_queued[node] = false;
        switch (a->g->node[node].kind) {
        case NET_ZERO: settle_junction(a, node, EFFORT_TO_NODE); break;
        case NET_ONE: settle_junction(a, node, EFFORT_AWAY); break;
        case NET_TF:
        case NET_GY: settle_two_port(a, node); break;
        case NET_R:
        case NET_C:
        case NET_I: settle_field(a, node); break;
        default: break;
        }
    }
}

static bool is_open(const net *g, int node) { return g->bond[g->node[node].port[0]].stroke == STROKE_NONE; }

static void choose(assignment *a, int node, effort_way way)
{
    const net_node *n = &a->g->node[node];
    for (int k = 0; k < n->n_port && a->conflict < 0; k++) {
        put(a, n->port[k], node, way);
    }
    propagate(a);
}

// What an element must receive: sources, ports, and resistors whose law works one way only.
static bool is_fixed(const net_node *n, bool *to_node)
{
    *to_node = n->kind == NET_SF || (n->kind == NET_R && n->law == NET_GIVES_FLOW);
    return n->kind == NET_SE || n->kind == NET_SF || n->kind == NET_PORT ||
           (n->kind == NET_R && n->law != NET_LINEAR);
}

static void assign_sources(assignment *a)
{
    for (int pass = 0; pass < 2; pass++) { // sources and ports first, so that a conflict names the law
        for (int n = 0; n < a->g->n_node && a->conflict < 0; n++) {
            bool to_node;
            if ((a->g->node[n].kind == NET_R) == (pass == 1) && is_fixed(&a->g->node[n], &to_node)) {
                // a port gives a flow, as a source of flow does
                choose(a, n, to_node || a->g->node[n].kind == NET_PORT);
            }
        }
    }
}

static void assign_storages(assignment *a)
{
    for (int n = 0; n < a->g->n_node && a->conflict < 0; n++) {
        net_kind kind = a->g->node[n].kind;
        if (kind != NET_I && kind != NET_C) {
            continue;
        }
        if (is_open(a->g, n)) {
            choose(a, n, kind == NET_I ? EFFORT_TO_NODE : EFFORT_AWAY);
        }
        bool received = net_receives_effort(a->g, n, a->g->node[n].port[0]);
        a->g->causality[n] = received == (kind == NET_I) ? CAUSALITY_INTEGRAL : CAUSALITY_DERIVATIVE;
    }
}

// A resistor that may still choose takes the effort: part of an algebraic loop.
static void assign_rest(assignment *a)
{
    for (int n = 0; n < a->g->n_node && a->conflict < 0; n++) {
        if (a->g->node[n].kind == NET_R && is_open(a->g, n)) {
            choose(a, n, EFFORT_TO_NODE);
            a->g->causality[n] = CAUSALITY_ARBITRARY;
        }
    }
    for (int b = 0; b < a->g->n_bond && a->conflict < 0; b++) {
        if (a->g->bond[b].stroke == STROKE_NONE) {
            put(a, b, a->g->bond[b].to, EFFORT_TO_NODE);
            propagate(a);
        }
    }
}

bool net_assign(net *g, const char *graph, bi_report *report)
{
    free(g->causality);
    g->causality = calloc((size_t)g->n_node + 1, sizeof *g->causality);
    assignment a = { .g = g, .conflict = -1 };
    a.queue = calloc((size_t)g->n_node + 1, sizeof *a.queue);
    a.is_queued = calloc((size_t)g->n_node + 1, sizeof *a.is_queued);
    bool ok = g->causality && a.queue && a.is_queued;
    if (ok) {
        for (int b = 0; b < g->n_bond; b++) {
            g->bond[b].stroke = STROKE_NONE;
        }
        assign_sources(&a);
        assign_storages(&a);
        assign_rest(&a);
    } else {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    if (ok && a.conflict >= 0) {
        const net_bond *b = &g->bond[a.conflict];
        char where[96] = "graphs.";
        strncat(where, graph, sizeof where - strlen(where) - 1);
        bi_report_add(
            report, BI_ERROR, BI_BAD_MODEL, b->place, where,
            "causality conflict at the bond %s -> %s: both ends want to impose the same variable; put "
            "an R or a storage between the sources",
            g->node[b->from].name, g->node[b->to].name);
        ok = false;
    }
    free(a.queue);
    free(a.is_queued);
    return ok;
}
