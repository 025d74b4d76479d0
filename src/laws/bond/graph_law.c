// SPDX-License-Identifier: MIT
// A bond graph in the model (bond.8, bond.11, bond.12): its states are states of a law. An implicit step solves them
// for its end by the trapezoidal rule, with the flows of the ports at that end, so that power on both sides of a port
// is the same.
#include "laws/bond/graph.h"
#include "laws/bond/locking.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- compile ----------------------------------------------------------------------------------------------

typedef struct {
    plan *p;
    outside list[MOST_OUTSIDE];
    int count;
    port port[MOST_OUTSIDE];
    int n_port;
    int marker[MOST_OUTSIDE], column[MOST_OUTSIDE], n_marker; // of the block
    int width;
} collector;

static int column_of(collector *c, int marker)
{
    for (int k = 0; k < c->n_marker; k++) {
        if (c->marker[k] == marker) {
            return c->column[k];
        }
    }
    if (c->n_marker == MOST_OUTSIDE) {
        return -1; // without a tangent there
    }
    c->marker[c->n_marker] = marker;
    c->column[c->n_marker++] = c->width;
    c->width += marker_width(c->p->marker[marker].kind);
    return c->width - marker_width(c->p->marker[marker].kind);
}

static int add_outside(collector *c, outside_kind kind, int index, int column)
{
    for (int k = 0; k < c->count; k++) {
        if (c->list[k].kind == kind && c->list[k].index == index) {
            return k;
        }
    }
    if (c->count == MOST_OUTSIDE) {
        return -1;
    }
    c->list[c->count] = (outside){ .kind = kind, .index = index, .column = column };
    return c->count++;
}

static int add_signal(collector *c, int element)
{
    signal_use use = plan_named_signal(c->p, element);
    int before = c->count, k = add_outside(c, OUTSIDE_SIGNAL, plan_signal_slot(c->p, element), -1);
    if (k < before) {
        return k; // known already, or no room
    }
    outside *o = &c->list[k];
    o->partial = use.first;
    o->n_partial = use.count < MOST_PARTIALS ? use.count : MOST_PARTIALS;
    for (int i = 0; i < o->n_partial; i++) {
        o->partial_column[i] = column_of(c, c->p->partial[use.first + i].marker);
        o->is_rate[i] = c->p->partial[use.first + i].is_rate;
    }
    return k;
}

// Names that are not of the graph: inputs, signals, joint coordinates and rates.
static int look_up(void *ctx, const char *name)
{
    collector *c = ctx;
    model_name found = model_resolve(c->p->model, name);
    if (found.kind == MODEL_NAME_INPUT) {
        return add_outside(c, OUTSIDE_INPUT, found.index, -1);
    }
    if (found.kind == MODEL_NAME_SIGNAL) {
        return add_signal(c, found.index);
    }
    if (found.kind == MODEL_NAME_VALUE || found.kind == MODEL_NAME_RATE) {
        int marker = plan_joint(c->p, found.index, found.coordinate);
        return add_outside(c, found.kind == MODEL_NAME_RATE ? OUTSIDE_RATE : OUTSIDE_VALUE,
                           plan_dof(c->p, marker), column_of(c, marker));
    }
    return -1;
}

static port port_of(collector *c, const bi_bond_node *n, vec3 axis)
{
    int m[2] = { -1, -1 };
    port out = { .kind = n->port, .axes = -1, .axis = axis };
    switch (n->port) {
    case BI_PORT_JOINT: m[0] = plan_joint(c->p, n->joint.joint.i - 1, n->joint.index); break;
    case BI_PORT_LINE:
        m[0] = plan_point(c->p, n->a.body.i - 1, n->a.at);
        m[1] = plan_point(c->p, n->b.body.i - 1, n->b.at);
        break;
    default:
        m[0] = plan_frame(c->p, n->a.body.i - 1, n->a.at);
        out.axes = c->p->marker[m[0]].frame;
        break;
    }
    out.a = plan_dof(c->p, m[0]);
    out.column[0] = column_of(c, m[0]);
    if (m[1] >= 0) {
        out.b = plan_dof(c->p, m[1]);
        out.column[1] = column_of(c, m[1]);
    }
    return out;
}

// One port per component: along x, y and z of the body when there are three.
static void collect_ports(collector *c, int element, const bi_graph *g)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < g->n_node; k++) {
        const bi_bond_node *n = &g->node[k];
        int count = n->kind != BI_BOND_PORT ? 0 : n->size > 1 ? n->size : 1;
        for (int i = 0; i < count; i++) {
            if (c->n_port == MOST_PORTS) {
                plan_complain(c->p, element, n->name, "is one port too many: a graph has at most %d",
                              MOST_PORTS);
                return;
            }
            vec3 axis = count == 3 ? unit[i] : vec3_normalized(n->axis);
            c->port[c->n_port] = port_of(c, n, axis);
            add_outside(c, OUTSIDE_PORT, c->n_port++, -1);
        }
    }
}

typedef struct {
    plan *p;
    int element;
} named_outside;

static int name_outside(void *ctx, const char *name)
{
    named_outside *to = ctx;
    model_name found = model_resolve(to->p->model, name);
    if (found.kind == MODEL_NAME_VALUE || found.kind == MODEL_NAME_RATE || found.kind == MODEL_NAME_SIGNAL) {
        plan_add_outside(to->p, to->element, found);
    }
    return -1;
}

// Memory that goes with the plan instead of the tape.
static void *keep(plan *p, void *list, size_t size)
{
    void *own = plan_keep(p, size + 1);
    if (own && list && size > 0) {
        memcpy(own, list, size);
    }
    free(list);
    return own;
}

static void keep_tape(plan *p, const net *g, tape *t)
{
    size_t derivative = (size_t)t->n_derivative, torn = (size_t)t->n_torn, source = (size_t)t->n_source;
    t->op = keep(p, t->op, (size_t)t->n_op * sizeof *t->op);
    t->argument = keep(p, t->argument, (size_t)t->n_argument * sizeof *t->argument);
    t->factor = keep(p, t->factor, (size_t)t->n_argument * sizeof *t->factor);
    t->state = keep(p, t->state, (size_t)t->n_state * sizeof *t->state);
    t->torn = keep(p, t->torn, torn * sizeof *t->torn);
    t->torn_source = keep(p, t->torn_source, torn * sizeof *t->torn_source);
    t->stored = keep(p, t->stored, derivative * sizeof *t->stored);
    t->hold = keep(p, t->hold, derivative * sizeof *t->hold);
    t->derivative_node = keep(p, t->derivative_node, derivative * sizeof *t->derivative_node);
    t->effort = keep(p, t->effort, (size_t)g->n_bond * sizeof *t->effort);
    t->flow = keep(p, t->flow, (size_t)g->n_bond * sizeof *t->flow);
    t->source_variable = keep(p, t->source_variable, source * sizeof *t->source_variable);
    t->source_node = keep(p, t->source_node, source * sizeof *t->source_node);
    t->named = keep(p, t->named, (size_t)t->n_named * sizeof *t->named);
    t->named_node = keep(p, t->named_node, (size_t)t->n_named * sizeof *t->named_node);
    free(t->symbol);
    t->symbol = NULL;
    free(t->writer);
    t->writer = NULL;
}

// What a storage in derivative form holds may not hang on a port: its answer would be an inertia of the joint.
static void check_ports(const graph *g, const net *n, plan *p)
{
    const tape *t = &g->t;
    bool *reached = calloc((size_t)t->n_variable + 1, sizeof *reached);
    for (int k = 0; reached && k < g->n_outside; k++) {
        reached[TAPE_OUTSIDE + k] = g->outside[k].kind == OUTSIDE_RATE || g->outside[k].kind == OUTSIDE_PORT;
    }
    for (int pass = 0; reached && pass <= t->n_torn; pass++) {
        for (int i = 0; i < t->n_op; i++) {
            for (int k = 0; k < t->op[i].count; k++) {
                reached[t->op[i].target] |= reached[t->argument[t->op[i].first + k]];
            }
        }
        for (int k = 0; k < t->n_torn; k++) {
            reached[t->torn[k]] |= reached[t->torn_source[k]];
        }
    }
    for (int k = 0; reached && k < t->n_derivative; k++) {
        if (t->hold[k].capacity < 0 && reached[t->stored[k]]) {
            plan_complain(p, g->element, n->node[t->derivative_node[k]].name,
                          "is forced by a port into derivative causality: give this inertia to the body of "
                          "the joint, or "
                          "put a C (a shaft) between");
        }
    }
    free(reached);
}

// What cannot be locked by the inertias of the graph would be found in the middle of a run.
static void check_locks(const graph *g, const net *n, plan *p)
{
    const tape *t = &g->t;
    double *memory = t->n_hold > 0 ? calloc((size_t)tape_work_size(t) + 1, sizeof *memory) : NULL;
    int *room = calloc((size_t)t->n_derivative + 1, sizeof *room);
    if (!memory || !room) {
        free(memory);
        free(room);
        return;
    }
    tape_work w = tape_work_cut(t, memory);
    w.v[TAPE_ONE] = 1.0;
    for (int k = 0; k < t->n_outside; k++) {
        w.v[TAPE_OUTSIDE + k] = 1.0;
    }
    for (int k = 0; k < t->n_state; k++) {
        w.v[tape_state_at(t, k)] = t->state[k].initial;
    }
    int other, one = hold_impossible(t, &w, room, &other);
    if (one >= 0 && other < 0) {
        plan_complain(
            p, g->element, n->node[t->derivative_node[one]].name,
            "holds, but nothing in the graph that has inertia moves against it: give it 'inertia' (what its "
            "port carries, kg m2 or kg), or join an I beside it");
    } else if (one >= 0) {
        plan_complain(
            p, g->element, n->node[t->derivative_node[one]].name,
            "can be locked together with %s, which holds the same motion, in a loop: what each of them "
            "carries is not determined. Put a C (a shaft) between, or give one of them 'inertia'",
            n->node[t->derivative_node[other]].name);
    }
    free(memory);
    free(room);
}

// Channels: BOND.e .f .power .energy, named after the element at its end, the states, and the values.
static void add_readings(plan *p, graph *g, const net *n)
{
    static const char *const part[] = { "e", "f", "power", "energy" }, *const unit[] = { "", "", "W", "J" };
    int count = 4 * n->n_bond + g->t.n_state + g->t.n_named + g->t.n_hold;
    const char **name = plan_keep(p, (size_t)(count + 1) * sizeof *name);
    const char **units = plan_keep(p, (size_t)(count + 1) * sizeof *units);
    enum { LENGTH = 200 };
    char *text = plan_keep(p, (size_t)(count + 1) * LENGTH);
    if (!name || !units || !text) {
        return;
    }
    int k = 0;
    for (int b = 0; b < n->n_bond; b++) {
        char bond[180];
        net_bond_name(n, b, bond, sizeof bond);
        for (int i = 0; i < 4; i++, k++) {
            snprintf(&text[k * LENGTH], LENGTH, "%s.%s", bond, part[i]);
            name[k] = &text[k * LENGTH];
            units[k] = unit[i];
        }
    }
    for (int s = 0; s < g->t.n_state; s++, k++) {
        snprintf(&text[k * LENGTH], LENGTH, "%s", g->t.state[s].name);
        name[k] = &text[k * LENGTH];
        units[k] = "";
    }
    for (int s = 0; s < g->t.n_named; s++, k++) {
        snprintf(&text[k * LENGTH], LENGTH, "%s", n->node[g->t.named_node[s]].name);
        name[k] = &text[k * LENGTH];
        units[k] = "";
    }
    for (int s = 0; s < g->t.n_derivative; s++) {
        if (g->t.hold[s].capacity >= 0) {
            snprintf(&text[k * LENGTH], LENGTH, "%s.locked", n->node[g->t.derivative_node[s]].name);
            name[k] = &text[k * LENGTH];
            units[k++] = "";
        }
    }
    g->readings = plan_add_readings(p, g->element, count, name, units);
}

static void plan_parts(plan *p, graph *g, const net *n, const collector *c)
{
    const tape *t = &g->t;
    g->n_bond = n->n_bond;
    g->n_outside = c->count;
    g->outside = plan_keep(p, (size_t)(c->count + 1) * sizeof *g->outside);
    g->port = plan_keep(p, (size_t)(c->n_port + 1) * sizeof *g->port);
    g->port_effort = plan_keep(p, (size_t)(n->n_node + 1) * sizeof *g->port_effort);
    g->port_sign = plan_keep(p, (size_t)(n->n_node + 1) * sizeof *g->port_sign);
    if (!g->outside || !g->port || !g->port_effort || !g->port_sign) {
        return;
    }
    memcpy(g->port, c->port, (size_t)c->n_port * sizeof *g->port);
    memcpy(g->outside, c->list, (size_t)c->count * sizeof *g->outside);
    for (int k = 0; k < n->n_node; k++) {
        if (n->node[k].kind == NET_PORT) {
            g->port_sign[g->n_port] = net_points_in(n, k, n->node[k].port[0]) ? 1.0 : -1.0;
            g->port_effort[g->n_port++] = t->effort[n->node[k].port[0]];
        }
    }
    g->momentum = plan_keep(p, (size_t)(t->n_state + 1) * sizeof *g->momentum);
    for (int k = 0; g->momentum && k < t->n_state; k++) {
        const net_node *node = &n->node[t->state[k].node];
        g->momentum[k] = node->kind == NET_I ? node->port[t->state[k].port] : -1;
    }
    // the same smallest size as in the Newton of its step
    g->state = plan_states(p, t->n_state, 1e-12);
    for (int k = 0; k < t->n_state; k++) {
        plan_name_state(p, g->state + k, t->state[k].name);
    }
    plan_carried(p, t->n_torn + t->n_derivative + g->n_port + n->n_bond + 2 * t->n_hold);
    size_t numbers = (size_t)(tape_work_size(t) + 2 * t->n_state * t->n_state + 5 * t->n_state + N_MARKS);
    g->scratch = plan_scratch(p, numbers * sizeof(double));
    g->width = c->width;
    g->block = c->n_marker > 0 ? plan_block(p, c->marker, c->n_marker) : 0;
    check_ports(g, n, p);
    check_locks(g, n, p);
    add_readings(p, g, n);
}

// What signals that read it in a step need of its tangent.
static void plan_slopes(plan *p, graph *g, collector *c)
{
    bool is_read = false;
    for (int k = 0; k < p->model->n_element && !is_read; k++) {
        is_read = model_graph_read(p->model, k) == g->element;
    }
    signal_use use = is_read ? plan_graph(p, g->element) : (signal_use){ 0, 0 };
    g->slope_column = plan_keep(p, (size_t)(use.count + 1) * sizeof *g->slope_column);
    g->slope_is_rate = plan_keep(p, (size_t)(use.count + 1) * sizeof *g->slope_is_rate);
    g->n_slope = g->slope_column && g->slope_is_rate ? use.count : 0;
    for (int k = 0; k < g->n_slope; k++) {
        g->slope_column[k] = column_of(c, p->partial[use.first + k].marker);
        g->slope_is_rate[k] = p->partial[use.first + k].is_rate;
    }
}

void graph_outside(plan *p, int element)
{
    const bi_graph_def *d = p->model->element[element].def;
    bi_report unused = { 0 };
    named_outside to = { p, element };
    char *names = NULL;
    net n;
    for (int k = 0; k < d->graph.n_node; k++) {
        const bi_bond_node *node = &d->graph.node[k];
        if (node->kind == BI_BOND_PORT && node->port == BI_PORT_JOINT) {
            plan_add_outside(p, element,
                             (model_name){ MODEL_NAME_RATE, node->joint.joint.i - 1, node->joint.index });
        }
    }
    // its mistakes are told when it is compiled
    if (graph_expand(p->model, p->model->element[element].name, &d->graph, &n, &names, &unused)) {
        net_names_from_outside(&n, name_outside, &to);
        net_clear(&n);
    }
    free(names);
    bi_report_clear(&unused);
}

static void graph_compile(plan *p, int element, const void *def, void *item)
{
    const bi_graph_def *d = def;
    graph *out = item;
    net n;
    char *names = NULL;
    collector c = { .p = p };
    bi_report unused = { 0 }, *report = p->report ? p->report : &unused;
    *out = (graph){ .element = element };
    collect_ports(&c, element, &d->graph);
    if (graph_expand(p->model, p->model->element[element].name, &d->graph, &n, &names, report)) {
        // all are numbered before the tape is made: its states stand behind them
        net_names_from_outside(&n, look_up, &c);
        if (tape_create(&n, p->model->element[element].name, c.count, look_up, &c, &out->t, report)) {
            keep_tape(p, &n, &out->t);
            plan_slopes(p, out, &c);
            plan_parts(p, out, &n, &c);
        }
        net_clear(&n);
    }
    free(names);
    bi_report_clear(&unused);
}

// ---- energy ----------------------------------------------------------------------------------------------------

static void graph_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    const graph *item = items;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < item[k].n_port; i++) {
            out->power +=
                item[k].port_sign[i] * z[effort_at(&item[k]) + i] * port_flow(&item[k].port[i], in->at);
        }
    }
}

static const bi_field fields[] = {
    { "graph", BI_FIELD_GRAPH, offsetof(bi_graph_def, graph), NULL, BI_REQUIRED, "nodes and bonds" },
};
static const bi_kind schema = { "graphs", "graph", sizeof(bi_graph_def), fields, 1, "bond graph" };
const law_kind graph_kind = { &schema, sizeof(graph), graph_compile, graph_eval, NULL, graph_energy, NULL };
