// SPDX-License-Identifier: MIT
// A bond graph in the model (bond.7 to bond.9): its states are states of a law. An implicit step solves them for its end by
// the trapezoidal rule, with the flows of the ports at that end, so that power on both sides of a port is the same.
#include "bond/bond.h"
#include "sparse/dense.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEWTON = 40, MOST_OUTSIDE = 64, MOST_PARTIALS = 8 };

typedef enum { OUTSIDE_INPUT, OUTSIDE_SIGNAL, OUTSIDE_VALUE, OUTSIDE_RATE } outside_kind;
typedef struct {
    outside_kind kind;
    int index;  // input, slot of a signal, or dof of a marker
    int column; // in the block; -1: none
    // of a signal: the joint coordinates it reads
    int partial, n_partial, partial_column[MOST_PARTIALS];
    bool is_rate[MOST_PARTIALS];
} outside;

// States of the law: those of the graph, torn variables and derivative rates (first guesses), efforts of the ports, energies
// that went through the bonds.
typedef struct {
    tape t;
    int element, n_bond, n_port, n_outside;
    outside *outside;  // (n_outside), ports first
    int *port_effort;  // (n_port) variable
    double *port_sign; // of the effort on the joint: +1 where the bond points to the port
    int state;         // first in z
    size_t scratch;    // of a tape_work and the Newton matrix
    int told;          // efforts, flows, powers and energies of the bonds, then states
    int block, width;
} graph;

static int guess_at(const graph *g) { return g->state + g->t.n_state; }
static int effort_at(const graph *g) { return guess_at(g) + g->t.n_torn + g->t.n_derivative; }
static int energy_at(const graph *g) { return effort_at(g) + g->n_port; }

// ---- compile ----------------------------------------------------------------------------------------------

typedef struct {
    plan *p;
    outside list[MOST_OUTSIDE];
    int count;
    int marker[MOST_OUTSIDE], n_marker; // of the block
} collector;

static int column_of(collector *c, int marker)
{
    for (int k = 0; k < c->n_marker; k++) {
        if (c->marker[k] == marker) {
            return k;
        }
    }
    if (c->n_marker == MOST_OUTSIDE) {
        return -1; // without a tangent there
    }
    c->marker[c->n_marker] = marker;
    return c->n_marker++;
}

static int add_outside(collector *c, outside_kind kind, int index, int column)
{
    for (int k = 0; k < c->count; k++) {
        if (c->list[k].kind == kind && c->list[k].index == index && kind != OUTSIDE_RATE) {
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

// All names from outside are numbered before the tape is made: its states stand behind them.
static void collect_names(collector *c, const net *g)
{
    for (int n = 0; n < g->n_node; n++) {
        for (int k = 0; k < g->node[n].n_value; k++) {
            const expr *code = g->node[n].value[k].code;
            for (int i = 0; code && i < expr_variable_count(code); i++) {
                char full[NET_NAME];
                if (!net_resolve(g, n, expr_variable_name(code, i), full)) {
                    look_up(c, full);
                }
            }
        }
    }
}

static void collect_ports(collector *c, const bi_graph *g)
{
    for (int k = 0; k < g->n_node; k++) {
        if (g->node[k].kind == BI_BOND_PORT) {
            int marker = plan_joint(c->p, g->node[k].joint.joint.i - 1, g->node[k].joint.index);
            add_outside(c, OUTSIDE_RATE, plan_dof(c->p, marker), column_of(c, marker));
        }
    }
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
    t->derivative_node = keep(p, t->derivative_node, derivative * sizeof *t->derivative_node);
    t->effort = keep(p, t->effort, (size_t)g->n_bond * sizeof *t->effort);
    t->flow = keep(p, t->flow, (size_t)g->n_bond * sizeof *t->flow);
    t->source_variable = keep(p, t->source_variable, source * sizeof *t->source_variable);
    t->source_node = keep(p, t->source_node, source * sizeof *t->source_node);
    free(t->writer);
    t->writer = NULL;
}

// What a storage in derivative form holds may not hang on a port: its answer would be an inertia of the joint.
static void check_ports(const graph *g, const net *n, plan *p)
{
    const tape *t = &g->t;
    bool *reached = calloc((size_t)t->n_variable + 1, sizeof *reached);
    for (int k = 0; reached && k < g->n_outside; k++) {
        reached[TAPE_OUTSIDE + k] = g->outside[k].kind == OUTSIDE_RATE;
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
        if (reached[t->stored[k]]) {
            plan_complain(p, g->element, n->node[t->derivative_node[k]].name,
                          "is forced by a port into derivative causality: give this inertia to the body of "
                          "the joint, or "
                          "put a C (a shaft) between");
        }
    }
    free(reached);
}

// Channels: BOND.e .f .power .energy, named after the element at its end, and the states.
static void tell(plan *p, graph *g, const net *n)
{
    static const char *const part[] = { "e", "f", "power", "energy" }, *const unit[] = { "", "", "W", "J" };
    int count = 4 * n->n_bond + g->t.n_state;
    const char **name = plan_keep(p, (size_t)(count + 1) * sizeof *name);
    const char **units = plan_keep(p, (size_t)(count + 1) * sizeof *units);
    enum { LENGTH = 200 };
    char *text = plan_keep(p, (size_t)(count + 1) * LENGTH);
    if (!name || !units || !text) {
        return;
    }
    int k = 0;
    for (int b = 0; b < n->n_bond; b++) {
        for (int i = 0; i < 4; i++, k++) {
            snprintf(&text[k * LENGTH], LENGTH, "%.80s->%.80s.%s", n->node[n->bond[b].from].name,
                     n->node[n->bond[b].to].name, part[i]);
            name[k] = &text[k * LENGTH];
            units[k] = unit[i];
        }
    }
    for (int s = 0; s < g->t.n_state; s++, k++) {
        snprintf(&text[k * LENGTH], LENGTH, "%s", g->t.state[s].name);
        name[k] = &text[k * LENGTH];
        units[k] = "";
    }
    g->told = plan_tell(p, g->element, count, name, units);
}

static void plan_graph(plan *p, graph *g, const net *n, const collector *c)
{
    const tape *t = &g->t;
    g->n_bond = n->n_bond;
    g->n_outside = c->count;
    g->outside = plan_keep(p, (size_t)(c->count + 1) * sizeof *g->outside);
    g->port_effort = plan_keep(p, (size_t)(n->n_node + 1) * sizeof *g->port_effort);
    g->port_sign = plan_keep(p, (size_t)(n->n_node + 1) * sizeof *g->port_sign);
    if (!g->outside || !g->port_effort || !g->port_sign) {
        return;
    }
    memcpy(g->outside, c->list, (size_t)c->count * sizeof *g->outside);
    for (int k = 0; k < n->n_node; k++) {
        if (n->node[k].kind == NET_PORT) {
            g->port_sign[g->n_port] = net_points_in(n, k, n->node[k].port[0]) ? 1.0 : -1.0;
            g->port_effort[g->n_port++] = t->effort[n->node[k].port[0]];
        }
    }
    g->state = plan_states(p, t->n_state + t->n_torn + t->n_derivative + g->n_port + n->n_bond);
    size_t numbers = (size_t)(tape_work_size(t) + 2 * t->n_state * t->n_state + 5 * t->n_state);
    g->scratch = plan_scratch(p, numbers * sizeof(double));
    g->width = c->n_marker;
    g->block = c->n_marker > 0 ? plan_block(p, c->marker, c->n_marker) : 0;
    check_ports(g, n, p);
    tell(p, g, n);
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
    collect_ports(&c, &d->graph);
    if (graph_expand(p->model, p->model->element[element].name, &d->graph, &n, &names, report)) {
        collect_names(&c, &n);
        if (tape_create(&n, p->model->element[element].name, c.count, look_up, &c, &out->t, report)) {
            keep_tape(p, &n, &out->t);
            plan_graph(p, out, &n, &c);
        }
        net_clear(&n);
    }
    free(names);
    bi_report_clear(&unused);
}

// ---- evaluate ---------------------------------------------------------------------------------------------

typedef struct {
    tape_work w;
    double *A, *J, *r, *x;      // n_state^2 twice, n_state twice
    double *step, *from, *size; // n_state each
} room;

static room room_of(const graph *g, const law_in *in)
{
    double *memory = (double *)(void *)((char *)in->scratch + g->scratch);
    int n = g->t.n_state;
    room m = { .w = tape_work_cut(&g->t, memory) };
    m.A = memory + tape_work_size(&g->t);
    m.J = m.A + n * n;
    m.r = m.J + n * n;
    m.x = m.r + n;
    m.step = m.x + n;
    m.from = m.step + n;
    m.size = m.from + n;
    return m;
}

static double outside_value(const outside *o, const law_in *in)
{
    switch (o->kind) {
    case OUTSIDE_INPUT: return in->u->input[o->index];
    case OUTSIDE_SIGNAL: return in->u->signal[o->index].v;
    case OUTSIDE_VALUE: return in->at->value[o->index];
    default: return in->at->rate[o->index];
    }
}

static bool solve_at(const graph *g, const law_in *in, room *m)
{
    double rate[MOST_OUTSIDE];
    m->w.v[TAPE_T] = in->u->t;
    for (int k = 0; k < g->n_outside; k++) {
        m->w.v[TAPE_OUTSIDE + k] = outside_value(&g->outside[k], in);
        rate[k] = g->outside[k].kind == OUTSIDE_SIGNAL ? in->u->signal[g->outside[k].index].d : 0.0;
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->w.v[tape_state_at(&g->t, k)] = m->x[k];
    }
    return tape_solve(&g->t, rate, &m->w);
}

// First guesses of the unknowns: those of the last accepted step, the same whatever was tried since.
static void guess(const graph *g, const law_in *in, room *m)
{
    const double *from = &in->z_old[guess_at(g)];
    for (int k = 0; k < g->t.n_torn; k++) {
        m->w.v[g->t.torn[k]] = from[k];
    }
    for (int k = 0; k < g->t.n_derivative; k++) {
        m->w.v[tape_derivative(&g->t, k)] = from[g->t.n_torn + k];
    }
}

// J = 1 - h/2 A; A anew, or as it was.
static bool factor_needed(const graph *g, double h, bool anew, room *m)
{
    int n = g->t.n_state;
    if (anew && !tape_linearise(&g->t, &m->w, m->A, NULL, NULL)) {
        return false;
    }
    for (int i = 0; i < n * n; i++) {
        m->J[i] = -0.5 * h * m->A[i];
    }
    for (int i = 0; i < n; i++) {
        m->J[i * n + i] += 1.0;
    }
    return true;
}

// What the states miss, into m->r; gives its norm against the sizes in m->size. NaN: no solution inside.
static double miss(const graph *g, const law_in *in, room *m)
{
    const double *x0 = &in->z_old[g->state], *dx0 = &in->dz_old[g->state];
    double h = in->u->h, sum = 0.0;
    if (!solve_at(g, in, m)) {
        return NAN;
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->r[k] = x0[k] + 0.5 * h * (dx0[k] + tape_rate(&g->t, &m->w, k)) - m->x[k];
        sum += (m->r[k] / m->size[k]) * (m->r[k] / m->size[k]);
    }
    return sqrt(sum);
}

// Goes along m->step, by half as much as often as needed until the miss gets smaller: laws that saturate (a clutch) throw a
// full step far beyond. Gives the part taken; 0: there is none.
static double walk(const graph *g, const law_in *in, double *norm, room *m)
{
    static const double least = 1.0 / 1024.0;
    for (double part = 1.0; part >= least; part *= 0.5) {
        for (int k = 0; k < g->t.n_state; k++) {
            m->x[k] = m->from[k] + part * m->step[k];
        }
        double now = miss(g, in, m);
        if (now <= (1.0 - 0.1 * part) * *norm || now <= 1e-13) {
            *norm = now;
            return part;
        }
    }
    return 0.0;
}

// x - x0 - h/2 (dx0 + f(x)) = 0 by Newton (bond.8).
static bool solve_step(const graph *g, const law_in *in, room *m)
{
    int n = g->t.n_state;
    size_t bytes = (size_t)n * sizeof *m->x;
    const double *x0 = &in->z_old[g->state], *dx0 = &in->dz_old[g->state];
    double h = in->u->h, before = INFINITY;
    bool anew =
        true; // most of the work: only where the last correction was not much smaller than the one before
    for (int k = 0; k < n; k++) {
        m->x[k] = x0[k] + h * dx0[k];
        m->size[k] = fabs(x0[k]) + fabs(h * dx0[k]) + 1e-12;
    }
    double norm = miss(g, in, m);
    if (isnan(norm)) {
        memcpy(m->x, x0, bytes);
        norm = miss(g, in, m);
    }
    for (int iteration = 0; iteration < MOST_NEWTON && isfinite(norm); iteration++) {
        memcpy(m->step, m->r, bytes);
        memcpy(m->from, m->x, bytes);
        if (!factor_needed(g, h, anew, m) || !dense_solve(n, m->J, m->step)) {
            return false;
        }
        double moved = 0.0;
        for (int k = 0; k < n; k++) {
            // a state that starts at nothing is as large as its first correction
            m->size[k] = iteration == 0 ? m->size[k] + fabs(m->step[k]) : m->size[k];
            moved = fmax(moved, fabs(m->step[k]) / m->size[k]);
        }
        if (!isfinite(moved)) {
            return false;
        }
        if (moved <= 1e-11) {
            for (int k = 0; k < n; k++) {
                m->x[k] += m->step[k];
            }
            return solve_at(g, in, m);
        }
        norm = iteration == 0 ? miss(g, in, m) : norm; // in the sizes as they are now
        double part = walk(g, in, &norm, m);
        if (part == 0.0) {
            // rounding is all that is left, or the derivatives are too old
            if (moved <= 1e-8 || anew) {
                memcpy(m->x, m->from, bytes);
                return moved <= 1e-8 && solve_at(g, in, m);
            }
            memcpy(m->x, m->from, bytes);
            norm = miss(g, in, m);
            anew = true;
            continue;
        }
        anew = part < 1.0 || moved > 0.05 * before;
        before = moved;
    }
    return n == 0 && isfinite(norm);
}

// d effort / d outside, the states following within the step.
static bool port_column(const graph *g, const law_in *in, int k, room *m)
{
    const tape *t = &g->t;
    int n = t->n_state;
    double h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    memset(m->w.d, 0, (size_t)t->n_variable * sizeof *m->w.d);
    m->w.d[TAPE_OUTSIDE + k] = 1.0;
    if (!tape_tangent(t, -1, &m->w)) {
        return false;
    }
    if (n == 0 || h == 0.0) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        m->r[i] = 0.5 * h * m->w.d[t->state[i].rate];
    }
    if (!factor_needed(g, h, true, m) || !dense_solve(n, m->J, m->r)) {
        return false;
    }
    memset(m->w.d, 0, (size_t)t->n_variable * sizeof *m->w.d);
    m->w.d[TAPE_OUTSIDE + k] = 1.0;
    for (int i = 0; i < n; i++) {
        m->w.d[tape_state_at(t, i)] = m->r[i];
    }
    return tape_tangent(t, -1, &m->w);
}

// Efforts of the ports along the direction at hand.
static void add_column(const graph *g, double *to, int column, double factor, const room *m)
{
    for (int i = 0; column >= 0 && i < g->n_port; i++) {
        to[g->outside[i].column * g->width + column] -= factor * g->port_sign[i] * m->w.d[g->port_effort[i]];
    }
}

static void write_tangent(const graph *g, const law_in *in, room *m, load *out)
{
    size_t size = (size_t)(g->width * g->width) * sizeof(double);
    double *K = &out->K[g->block], *C = &out->C[g->block];
    memset(K, 0, size);
    memset(C, 0, size);
    for (int k = 0; k < g->n_outside; k++) {
        const outside *o = &g->outside[k];
        if ((o->column < 0 && o->n_partial == 0) || !port_column(g, in, k, m)) {
            continue;
        }
        if (o->column >= 0) {
            add_column(g, o->kind == OUTSIDE_RATE ? C : K, o->column, 1.0, m);
        }
        for (int i = 0; i < o->n_partial; i++) {
            add_column(g, o->is_rate[i] ? C : K, o->partial_column[i], in->u->partial[o->partial + i], m);
        }
    }
}

static void write_states(const graph *g, const law_in *in, const room *m, law_out *out)
{
    const tape *t = &g->t;
    bool is_implicit = !(in->want & (LAW_EXPLICIT | LAW_START));
    double *told = &out->load->scalar[g->told];
    for (int k = 0; k < t->n_state; k++) {
        out->z[g->state + k] = m->x[k];
        out->dz[g->state + k] = tape_rate(t, &m->w, k);
    }
    for (int k = 0; k < t->n_torn; k++) {
        out->z[guess_at(g) + k] = m->w.v[t->torn[k]];
        out->dz[guess_at(g) + k] = 0.0;
    }
    for (int k = 0; k < t->n_derivative; k++) {
        out->z[guess_at(g) + t->n_torn + k] = m->w.v[tape_derivative(t, k)];
        out->dz[guess_at(g) + t->n_torn + k] = 0.0;
    }
    for (int k = 0; k < g->n_port; k++) {
        out->z[effort_at(g) + k] = m->w.v[g->port_effort[k]];
        out->dz[effort_at(g) + k] = 0.0;
    }
    for (int b = 0; b < g->n_bond; b++) {
        int at = energy_at(g) + b;
        double e = m->w.v[t->effort[b]], f = m->w.v[t->flow[b]], power = e * f;
        out->z[at] = in->want & LAW_START ? 0.0 : in->z_old[at];
        out->z[at] += is_implicit ? 0.5 * in->u->h * (in->dz_old[at] + power) : 0.0;
        out->dz[at] = power;
        told[4 * b] = e;
        told[4 * b + 1] = f;
        told[4 * b + 2] = power;
        told[4 * b + 3] = out->z[at];
    }
    for (int k = 0; k < t->n_state; k++) {
        told[4 * g->n_bond + k] = m->x[k];
    }
}

static void eval_one(const graph *g, const law_in *in, law_out *out)
{
    room m = room_of(g, in);
    bool ok;
    guess(g, in, &m);
    if (in->want & (LAW_EXPLICIT | LAW_START)) {
        for (int k = 0; k < g->t.n_state; k++) {
            m.x[k] = in->want & LAW_START ? g->t.state[k].initial : in->z_old[g->state + k];
        }
        ok = solve_at(g, in, &m);
    } else {
        ok = solve_step(g, in, &m);
    }
    write_states(g, in, &m, out);
    if (!ok) {
        // the step fails by it, and the number of the element says whose fault it is
        for (int k = g->state; k < energy_at(g) + g->n_bond; k++) {
            out->z[k] = out->dz[k] = NAN;
        }
    }
    for (int k = 0; k < g->n_port; k++) {
        out->load->effort[g->outside[k].index] += ok ? g->port_sign[k] * m.w.v[g->port_effort[k]] : NAN;
    }
    out->load->scalar[g->element] = !ok             ? NAN
                                    : g->n_port > 0 ? g->port_sign[0] * m.w.v[g->port_effort[0]]
                                                    : 0.0;
    if ((in->want & LAW_TANGENT) && g->width > 0) {
        write_tangent(g, in, &m, out->load);
    }
}

static void graph_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const graph *item = items;
    for (int k = 0; k < count; k++) {
        eval_one(&item[k], in, out);
    }
}

static void graph_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    const graph *item = items;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < item[k].n_port; i++) {
            out->power +=
                item[k].port_sign[i] * z[effort_at(&item[k]) + i] * in->at->rate[item[k].outside[i].index];
        }
    }
}

static const bi_field fields[] = {
    { "graph", BI_FIELD_GRAPH, offsetof(bi_graph_def, graph), NULL, BI_REQUIRED, "nodes and bonds" },
};
static const bi_kind schema = { "graphs", "graph", sizeof(bi_graph_def), fields, 1, "bond graph" };
const law_kind graph_kind = { &schema, sizeof(graph), graph_compile, graph_eval, NULL, graph_energy, NULL };
