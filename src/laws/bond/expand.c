// SPDX-License-Identifier: MIT
// A graph as written, with bonds of several components, as a network of scalar bonds.
#include "laws/bond/bond.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80 };

typedef struct {
    const bi_model *m;
    const char *graph;
    const bi_graph *from;
    net *out;
    int *first; // scalar node of each node's first component
    char *names;
    int n_name;
    bi_report *report;
} expansion;

static net_kind kind_of(bi_bond_kind kind)
{
    static const net_kind list[] = {
        [BI_BOND_SE] = NET_SE,       [BI_BOND_SF] = NET_SF,     [BI_BOND_R] = NET_R,
        [BI_BOND_C] = NET_C,         [BI_BOND_I] = NET_I,       [BI_BOND_TF] = NET_TF,
        [BI_BOND_GY] = NET_GY,       [BI_BOND_ZERO] = NET_ZERO, [BI_BOND_ONE] = NET_ONE,
        [BI_BOND_STATE] = NET_STATE, [BI_BOND_PORT] = NET_PORT, [BI_BOND_VALUE] = NET_VALUE,
    };
    return list[kind];
}

static void complain(const expansion *x, const char *name, bi_place place, const char *what)
{
    char where[192];
    snprintf(where, sizeof where, "graphs.%s.%s", x->graph, name);
    bi_report_add(x->report, BI_ERROR, BI_BAD_MODEL, place, where, "%s", what);
}

static int size_of(const bi_bond_node *n) { return n->size > 0 ? n->size : 1; }
static int rows_of(const bi_bond_node *n) { return n->rows > 0 ? n->rows : 1; }
static int columns_of(const bi_bond_node *n) { return n->columns > 0 ? n->columns : 1; }

// A matrix couples the components: they stay one node.
static bool is_coupled(const bi_bond_node *n)
{
    bool is_storage = n->kind == BI_BOND_R || n->kind == BI_BOND_C || n->kind == BI_BOND_I;
    return (is_storage && rows_of(n) > 1 && columns_of(n) > 1) ||
           (n->kind == BI_BOND_TF && (rows_of(n) > 1 || columns_of(n) > 1));
}

static net_value value_of(const expansion *x, bi_expr id)
{
    const expr *code = x->m->expr[id.i - 1].code;
    bool is_constant = expr_is_constant(code);
    return (net_value){ is_constant ? expr_value(code, NULL) : 0.0, is_constant ? NULL : code };
}

static const char *name_of(expansion *x, const bi_bond_node *n, int component)
{
    char *name = &x->names[NAME * x->n_name++];
    if (size_of(n) > 1 && !is_coupled(n)) {
        snprintf(name, NAME, "%.60s#%d", n->name, component + 1);
    } else {
        snprintf(name, NAME, "%.70s", n->name);
    }
    return name;
}

static void expand_node(expansion *x, int k)
{
    const bi_bond_node *n = &x->from->node[k];
    int size = size_of(n), count = n->value ? rows_of(n) * columns_of(n) : 0;
    bool coupled = is_coupled(n);
    net_value value[BI_BOND_WIDTH * BI_BOND_WIDTH] = { 0 };
    for (int i = 0; i < count; i++) {
        value[i] = value_of(x, n->value[i]);
    }
    if (!coupled && count > 1 && count != size) {
        complain(x, n->name, n->place, "needs one value, or one for each component");
    }
    x->first[k] = x->out->n_node;
    for (int c = 0; c < (coupled ? 1 : size); c++) {
        bool own = !coupled && count == size && size > 1;
        net_node node = { .name = name_of(x, n, c),
                          .kind = kind_of(n->kind),
                          .value = own ? &value[c] : value,
                          .n_value = coupled ? count : 1,
                          .rows = coupled ? rows_of(n) : 1,
                          .columns = coupled ? columns_of(n) : 1,
                          .law = n->law == BI_BOND_EFFORT  ? NET_GIVES_EFFORT
                                 : n->law == BI_BOND_FLOW  ? NET_GIVES_FLOW
                                 : n->law == BI_BOND_HOLDS ? NET_HOLDS
                                                           : NET_LINEAR,
                          .initial = n->initial[c],
                          .breakaway = n->breakaway > 0.0 ? n->breakaway : 1.0,
                          .settle = n->settle > 0.0 ? n->settle : 2e-3,
                          .inertia = n->inertia,
                          .is_orthogonal = n->is_orthogonal,
                          .place = n->place };
        net_add_node(x->out, &node);
    }
}

// Components of a bond that leaves the node, and of one that points at it.
static int width_out(const bi_bond_node *n) { return is_coupled(n) ? rows_of(n) : size_of(n); }

static int width_in(const bi_bond_node *n)
{
    return n->kind == BI_BOND_TF && is_coupled(n) ? columns_of(n) : width_out(n);
}

static void expand_bond(expansion *x, const bi_bond *b)
{
    const bi_bond_node *from = &x->from->node[b->from], *to = &x->from->node[b->to];
    int width = b->from_component > 0 ? 1 : width_out(from), end = b->to_component > 0 ? 1 : width_in(to);
    if (b->from_component > (is_coupled(from) ? 0 : size_of(from)) ||
        b->to_component > (is_coupled(to) ? 0 : size_of(to))) {
        complain(x, b->from_component > 0 ? from->name : to->name, b->place,
                 "has no such component of its own to join");
        return;
    }
    if (width != end) {
        char what[200];
        snprintf(what, sizeof what,
                 "the bond %.60s -> %.60s has %d components at one end and %d at the other", from->name,
                 to->name, width, end);
        complain(x, from->name, b->place, what);
        return;
    }
    for (int c = 0; c < width; c++) {
        int first = b->from_component > 0 ? b->from_component - 1 : c,
            second = b->to_component > 0 ? b->to_component - 1 : c;
        net_add_bond(x->out, x->first[b->from] + (is_coupled(from) ? 0 : first),
                     x->first[b->to] + (is_coupled(to) ? 0 : second), b->place);
    }
}

bool graph_expand(const bi_model *m, const char *graph, const bi_graph *from, net *out, char **names,
                  bi_report *report)
{
    *out = (net){ .prefix = from->prefix, .alias = from->alias, .n_alias = from->n_alias };
    size_t count = (size_t)from->n_node * BI_BOND_WIDTH + 1;
    expansion x = { m, graph, from, out, calloc(count, sizeof(int)), calloc(count, NAME), 0, report };
    int errors = report->errors;
    *names = x.names;
    bool ok = x.first && x.names;
    for (int k = 0; ok && k < from->n_node; k++) {
        for (int i = 0; i < k; i++) {
            if (strcmp(from->node[i].name, from->node[k].name) == 0) {
                complain(&x, from->node[k].name, from->node[k].place, "there are two nodes of this name");
            }
        }
        expand_node(&x, k);
    }
    for (int k = 0; ok && k < from->n_bond; k++) {
        expand_bond(&x, &from->bond[k]);
    }
    free(x.first);
    ok = ok && !out->no_memory;
    if (!ok) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    ok = ok && report->errors == errors && net_check(out, graph, report) && net_assign(out, graph, report);
    if (!ok) {
        net_clear(out);
    }
    return ok;
}
