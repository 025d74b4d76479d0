// SPDX-License-Identifier: MIT
// What `biela bonds` shows of a graph: causality, equations in symbols, state matrices, eigenvalues, steady state
// (bond.6).
#include "base/arena.h"
#include "laws/bond/bond.h"
#include "laws/bond/closed.h"
#include "laws/bond/symbols.h"
#include "math/elementary.h"
#include "model/model.h"
#include "sparse/dense.h"
#include "sparse/dense_general_eigen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bi_element bi_model_graph(const bi_model *m, int k)
{
    for (int e = 0; m && e < m->n_element; e++) {
        if (strcmp(m->element[e].kind->section, "graphs") == 0 && k-- == 0) {
            return (bi_element){ e + 1 };
        }
    }
    return (bi_element){ 0 };
}

// ---- names from outside ---------------------------------------------------------------------------------------------

enum { MOST_OUTSIDE = 64 };
typedef struct {
    const bi_model *m;
    bi_name_value *get; // NULL: none
    void *context;
    char name[MOST_OUTSIDE][NET_NAME];
    double value[MOST_OUTSIDE];
    int count;
} outside_list;

static int look_up(void *ctx, const char *name)
{
    outside_list *o = ctx;
    model_name found = model_resolve(o->m, name);
    bool is_known = found.kind == MODEL_NAME_INPUT || found.kind == MODEL_NAME_SIGNAL ||
                    found.kind == MODEL_NAME_VALUE || found.kind == MODEL_NAME_RATE;
    for (int k = 0; k < o->count; k++) {
        if (strcmp(o->name[k], name) == 0) {
            return k;
        }
    }
    if (!is_known || o->count == MOST_OUTSIDE) {
        return -1;
    }
    snprintf(o->name[o->count], NET_NAME, "%s", name);
    o->value[o->count] = found.kind == MODEL_NAME_INPUT ? o->m->input[found.index].initial : 0.0;
    if (o->get) {
        o->get(o->context, name, &o->value[o->count]);
    }
    return o->count++;
}

static void collect(outside_list *o, const net *g)
{
    for (int n = 0; n < g->n_node; n++) {
        o->count += g->node[n].kind == NET_PORT && o->count < MOST_OUTSIDE;
    }
    net_names_from_outside(g, look_up, o);
}

// ---- the parts of the answer ------------------------------------------------------------------------------------------

typedef struct {
    char **text;
    int count, capacity;
} text_list;

// Text that lives as long as the answer.
static const char *keep_text(text_list *l, const char *text)
{
    if (l->count == l->capacity) {
        int larger = 2 * l->capacity + 64;
        char **moved = realloc((void *)l->text, (size_t)larger * sizeof *moved);
        if (!moved) {
            return "";
        }
        l->text = moved;
        l->capacity = larger;
    }
    char *own = malloc(strlen(text) + 1);
    if (!own) {
        return "";
    }
    memcpy(own, text, strlen(text) + 1);
    return l->text[l->count++] = own;
}

static const char *value_text(const bi_model *m, const net_node *n, text_list *l)
{
    char text[400] = "";
    size_t used = 0;
    for (int k = 0; k < n->n_value && used < sizeof text - 1; k++) {
        const char *code = NULL;
        for (int e = 0; n->value[k].code && e < m->n_expr; e++) {
            code = m->expr[e].code == n->value[k].code ? m->expr[e].text : code;
        }
        const char *between = k == 0 ? "" : k % n->columns ? ", " : "; ";
        int more = code ? snprintf(text + used, sizeof text - used, "%s%s", between, code)
                        : snprintf(text + used, sizeof text - used, "%s%.12g", between, n->value[k].constant);
        used += more > 0 ? (size_t)more : 0;
    }
    bool is_junction = n->kind == NET_ZERO || n->kind == NET_ONE || n->kind == NET_PORT;
    return keep_text(l, is_junction ? "" : text);
}

static void tell_structure(const bi_model *m, const net *g, const tape *t, bi_bonds *out, text_list *l)
{
    symbols *s = symbols_create(g);
    for (int n = 0; n < g->n_node; n++) {
        const net_node *node = &g->node[n];
        out->node[n] = (bi_bonds_node){ keep_text(l, node->name), net_kind_name(node->kind),
                                        value_text(m, node, l), (bi_causality)g->causality[n] };
    }
    for (int b = 0; b < g->n_bond; b++) {
        out->bond[b] = (bi_bonds_bond){ g->bond[b].from, g->bond[b].to, g->bond[b].stroke == STROKE_TO,
                                        keep_text(l, s ? symbols_effort(s, b) : ""),
                                        keep_text(l, s ? symbols_flow(s, b) : "") };
    }
    for (int k = 0; k < t->n_state; k++) {
        const tape_state *x = &t->state[k];
        const char *rate = !s            ? ""
                           : x->port < 0 ? out->node[x->node].value
                                         : symbols_rate(s, x->node, x->port);
        out->state[k] = (bi_bonds_state){ keep_text(l, x->name), keep_text(l, rate), x->initial };
    }
    for (int k = 0; k < t->n_source; k++) {
        out->source[k] = keep_text(l, g->node[t->source_node[k]].name);
    }
    for (int k = 0; s && k < symbols_loop_count(s) && k < out->n_bond * 2; k++) {
        out->loop[out->n_loop++] = keep_text(l, symbols_loop(s, k));
    }
    symbols_destroy(s);
}

// The closed equations, where the graph is linear.
static void tell_closed(const net *g, const tape *t, bi_bonds *out, text_list *l)
{
    closed *c = closed_create(g, t);
    const char *why_not = c ? closed_why_not(c) : "there is no memory";
    out->why_not_closed = keep_text(l, why_not ? why_not : "");
    out->is_closed = !why_not;
    for (int k = 0; k < t->n_state && out->is_closed; k++) {
        out->closed[k] = keep_text(l, closed_rate(c, k));
        for (int i = 0; i < t->n_state; i++) {
            out->closed_A[k * t->n_state + i] = closed_value(c, k, CLOSED_STATE, i);
        }
        for (int i = 0; i < t->n_source; i++) {
            out->closed_B[k * t->n_source + i] = closed_value(c, k, CLOSED_SOURCE, i);
            out->closed_B_rate[k * t->n_source + i] = closed_value(c, k, CLOSED_SOURCE_RATE, i);
        }
    }
    closed_destroy(c);
}

static bool solve_at(const tape *t, const outside_list *o, const double *x, tape_work *w)
{
    w->v[TAPE_T] = 0.0;
    for (int k = 0; k < t->n_outside; k++) {
        w->v[TAPE_OUTSIDE + k] = o->value[k];
    }
    for (int k = 0; k < t->n_state; k++) {
        w->v[tape_state_at(t, k)] = x[k];
    }
    return tape_solve(t, NULL, w);
}

// Newton from the initial states on rate = 0; where A is singular there is no such point, or a whole line of them.
static bool find_steady(const tape *t, const outside_list *o, double *x, tape_work *w)
{
    int n = t->n_state;
    double *A = calloc((size_t)(n * n + 2 * n) + 1, sizeof *A), *r = A ? A + n * n : NULL;
    bool ok = A != NULL, done = false;
    for (int i = 0; ok && !done && i < 100; i++) {
        ok = solve_at(t, o, x, w) && tape_linearise(t, w, A, NULL, NULL);
        double size = 0.0, moved = 0.0;
        // a pivot that is rounding of the matrix is no pivot
        for (int k = 0; ok && k < n; k++) {
            r[k] = -tape_rate(t, w, k);
        }
        double *re = ok ? calloc(2 * (size_t)n + 1, sizeof *re) : NULL;
        ok = ok && re && dense_eigenvalues(n, A, re, re + n);
        double least = INFINITY, most = 0.0;
        for (int k = 0; ok && k < n; k++) {
            double length = math_hypot(re[k], re[n + k]);
            least = fmin(least, length);
            most = fmax(most, length);
        }
        free(re);
        ok = ok && (n == 0 || least > 1e-12 * most) && dense_solve(n, A, r);
        for (int k = 0; ok && k < n; k++) {
            x[k] += r[k];
            size = fmax(size, fabs(x[k]));
            moved = fmax(moved, fabs(r[k]) / (fabs(x[k]) + 1e-300));
        }
        ok = ok && isfinite(size);
        done = ok && moved <= 1e-13;
    }
    ok = ok && done && solve_at(t, o, x, w);
    free(A);
    return ok;
}

static void tell_numbers(const net *g, const tape *t, const outside_list *o, bi_bonds *out)
{
    double *memory = calloc((size_t)tape_work_size(t) + 1, sizeof *memory);
    if (!memory) {
        return;
    }
    tape_work w = tape_work_cut(t, memory);
    for (int k = 0; k < t->n_derivative; k++) {
        // what holds is locked
        w.mode[k].gain = t->hold[k].capacity >= 0 ? 2.0 / t->hold[k].settle : 0.0;
    }
    for (int k = 0; k < t->n_state; k++) {
        out->steady[k] = t->state[k].initial;
    }
    out->has_numbers = solve_at(t, o, out->steady, &w) &&
                       tape_linearise(t, &w, out->A, out->B, out->B_rate) &&
                       dense_eigenvalues(t->n_state, out->A, out->re, out->im);
    out->has_numbers = out->has_numbers && tape_outputs(t, g->n_bond, &w, out->C, out->D);
    out->has_steady = out->has_numbers && find_steady(t, o, out->steady, &w);
    for (int b = 0; out->has_steady && b < g->n_bond; b++) {
        out->steady_effort[b] = w.v[t->effort[b]];
        out->steady_flow[b] = w.v[t->flow[b]];
    }
    free(memory);
}

// ---- the whole -----------------------------------------------------------------------------------------------------------

typedef struct {
    arena lists;
    text_list text;
} bonds_memory;

static bool make_room(const net *g, const tape *t, bi_bonds *out)
{
    int n = t->n_state, m = t->n_source;
    bonds_memory *own = out->memory;
    arena *a = &own->lists;
    out->n_node = g->n_node;
    out->n_bond = g->n_bond;
    out->n_state = n;
    out->n_source = m;
    out->node = ARENA_NEW(a, bi_bonds_node, g->n_node + 1);
    out->bond = ARENA_NEW(a, bi_bonds_bond, g->n_bond + 1);
    out->state = ARENA_NEW(a, bi_bonds_state, n + 1);
    out->source = ARENA_NEW(a, const char *, m + 1);
    out->loop = ARENA_NEW(a, const char *, 2 * g->n_bond + 1);
    out->A = ARENA_NEW(a, double, n *n + 1);
    out->B = ARENA_NEW(a, double, n *m + 1);
    out->B_rate = ARENA_NEW(a, double, n *m + 1);
    out->closed = ARENA_NEW(a, const char *, n + 1);
    out->closed_A = ARENA_NEW(a, double, n *n + 1);
    out->closed_B = ARENA_NEW(a, double, n *m + 1);
    out->closed_B_rate = ARENA_NEW(a, double, n *m + 1);
    out->C = ARENA_NEW(a, double, 2 * g->n_bond * n + 1);
    out->D = ARENA_NEW(a, double, 2 * g->n_bond * m + 1);
    out->re = ARENA_NEW(a, double, n + 1);
    out->im = ARENA_NEW(a, double, n + 1);
    out->steady = ARENA_NEW(a, double, n + 1);
    out->steady_effort = ARENA_NEW(a, double, g->n_bond + 1);
    out->steady_flow = ARENA_NEW(a, double, g->n_bond + 1);
    return a->memory != NULL;
}

// Once to measure, once to cut.
static bool take_room(const net *g, const tape *t, bi_bonds *out)
{
    bonds_memory *own = out->memory;
    make_room(g, t, out);
    own->lists = (arena){ aligned_alloc(64, (own->lists.used + 127) / 64 * 64), 0, own->lists.used, false };
    return make_room(g, t, out);
}

bool bi_bonds_make(const bi_model *m, bi_element graph, bi_name_value *value, void *context, bi_bonds *out,
                   bi_report *report)
{
    if (!out) {
        return false;
    }
    *out = (bi_bonds){ 0 };
    if (!m || graph.i < 1 || graph.i > m->n_element ||
        strcmp(m->element[graph.i - 1].kind->section, "graphs") != 0) {
        return false;
    }
    const model_element *e = &m->element[graph.i - 1];
    const bi_graph_def *def = (const void *)e->def;
    net g;
    tape t;
    char *names = NULL;
    outside_list o = { .m = m, .get = value, .context = context };
    out->name = e->name;
    out->n_part = def->graph.n_part;
    out->part = def->graph.part;
    out->n_alias = def->graph.n_alias;
    out->alias = def->graph.alias;
    out->memory = calloc(1, sizeof(bonds_memory));
    bool ok = out->memory && graph_expand(m, e->name, &def->graph, &g, &names, report);
    if (ok) {
        collect(&o, &g);
        ok = tape_create(&g, e->name, o.count, look_up, &o, &t, report);
        if (ok) {
            ok = take_room(&g, &t, out);
            if (ok) {
                tell_structure(m, &g, &t, out, &((bonds_memory *)out->memory)->text);
                tell_closed(&g, &t, out, &((bonds_memory *)out->memory)->text);
                tell_numbers(&g, &t, &o, out);
            }
            tape_clear(&t);
        }
        net_clear(&g);
    }
    free(names);
    if (!ok) {
        bi_bonds_clear(out);
    }
    return ok;
}

void bi_bonds_clear(bi_bonds *b)
{
    bonds_memory *own = b ? b->memory : NULL;
    for (int k = 0; own && k < own->text.count; k++) {
        free(own->text.text[k]);
    }
    if (own) {
        free((void *)own->text.text);
        free(own->lists.memory);
    }
    free(own);
    if (b) {
        *b = (bi_bonds){ 0 };
    }
}
