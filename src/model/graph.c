// SPDX-License-Identifier: MIT
// Bond graphs as described: copies, checks and fingerprint.
#include "base/hash.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int value_count(const bi_bond_node *n)
{
    int rows = n->rows > 0 ? n->rows : 1, columns = n->columns > 0 ? n->columns : 1;
    return n->value ? rows * columns : 0;
}

static bool copy_node(bi_bond_node *n)
{
    size_t size = (size_t)value_count(n) * sizeof *n->value;
    bi_expr *own = size > 0 ? malloc(size) : NULL;
    n->value = own ? memcpy(own, n->value, size) : NULL;
    n->name = text_copy(n->name ? n->name : "");
    return n->name && (own || size == 0);
}

// The count of nodes of a graph that was given without its lists: nothing is copied, the check tells it.
enum { NO_LISTS = -1 };
static bool is_list(int count, const void *item) { return count == 0 || (count > 0 && item); }

bool model_graph_copy(bi_model *m, void *at)
{
    bi_graph g;
    memcpy(&g, at, sizeof g);
    bool has_lists = is_list(g.n_node, g.node) && is_list(g.n_bond, g.bond) && is_list(g.n_alias, g.alias) &&
                     is_list(g.n_part, g.part);
    if (!has_lists) {
        g = (bi_graph){ .n_node = NO_LISTS };
        memcpy(at, &g, sizeof g);
        return true;
    }
    size_t nodes = (size_t)g.n_node, bonds = (size_t)g.n_bond;
    bi_bond_node *node = calloc(nodes + 1, sizeof *node);
    bi_bond *bond = calloc(bonds + 1, sizeof *bond);
    bool ok = node && bond;
    if (ok && nodes > 0) {
        memcpy(node, g.node, nodes * sizeof *node);
    }
    if (ok && bonds > 0) {
        memcpy(bond, g.bond, bonds * sizeof *bond);
    }
    for (size_t k = 0; node && k < nodes; k++) {
        ok = copy_node(&node[k]) && ok;
        node[k].place = model_own_place(m, node[k].place);
    }
    for (size_t k = 0; bond && k < bonds; k++) {
        bond[k].place = model_own_place(m, bond[k].place);
    }
    char *prefix = g.prefix ? text_copy(g.prefix) : NULL;
    ok = ok && (prefix || !g.prefix);
    bi_bond_alias *alias = calloc((size_t)(g.n_alias > 0 ? g.n_alias : 0) + 1, sizeof *alias);
    ok = ok && alias;
    for (int k = 0; alias && k < g.n_alias; k++) {
        alias[k] = (bi_bond_alias){ text_copy(g.alias[k].name ? g.alias[k].name : ""),
                                    text_copy(g.alias[k].as ? g.alias[k].as : "") };
        ok = ok && alias[k].name && alias[k].as;
    }
    bi_bond_part *part = calloc((size_t)g.n_part + 1, sizeof *part);
    ok = ok && part;
    for (int k = 0; part && k < g.n_part; k++) {
        part[k] = (bi_bond_part){ text_copy(g.part[k].name ? g.part[k].name : ""),
                                  text_copy(g.part[k].of ? g.part[k].of : "") };
        ok = ok && part[k].name && part[k].of;
    }
    g = (bi_graph){ .n_node = node && bond ? g.n_node : 0,
                    .n_bond = node && bond ? g.n_bond : 0,
                    .node = node,
                    .bond = bond,
                    .n_alias = alias && g.n_alias > 0 ? g.n_alias : 0,
                    .alias = alias,
                    .prefix = prefix,
                    .n_part = part ? g.n_part : 0,
                    .part = part };
    memcpy(at, &g, sizeof g);
    return ok;
}

void model_graph_free(void *at)
{
    bi_graph g;
    memcpy(&g, at, sizeof g);
    for (int k = 0; k < g.n_node; k++) {
        free((void *)g.node[k].name);
        free((void *)g.node[k].value);
    }
    free((void *)g.node);
    for (int k = 0; k < g.n_alias; k++) {
        free((void *)g.alias[k].name);
        free((void *)g.alias[k].as);
    }
    free((void *)g.alias);
    for (int k = 0; k < g.n_part; k++) {
        free((void *)g.part[k].name);
        free((void *)g.part[k].of);
    }
    free((void *)g.part);
    free((void *)g.bond);
    free((void *)g.prefix);
}

void model_graph_scope(bi_model *m, const void *at)
{
    bi_graph g;
    memcpy(&g, at, sizeof g);
    for (int k = 0; k < g.n_node; k++) {
        for (int i = 0; i < value_count(&g.node[k]); i++) {
            int e = g.node[k].value[i].i;
            if (e >= 1 && e <= m->n_expr) {
                m->expr[e - 1].is_of_graph = true;
            }
        }
    }
}

static bool is_point(const bi_model *m, bi_point p)
{
    return p.body.i >= 1 && p.body.i <= m->n_body && vec3_is_finite(p.at);
}

static const char *port_mistake(const bi_model *m, const bi_bond_node *n)
{
    bool is_on_body = n->port == BI_PORT_FORCE || n->port == BI_PORT_TORQUE;
    if (n->size > 1 && !(is_on_body && n->size == 3)) {
        return "has a port of several components: only a force or torque on a body may have three";
    }
    if (n->port == BI_PORT_LINE) {
        return is_point(m, n->a) && is_point(m, n->b) ? NULL : "has a port that needs two points of bodies";
    }
    if (is_on_body) {
        bool has_axis = vec3_is_finite(n->axis) && vec3_norm(n->axis) > 0.0;
        return !is_point(m, n->a)         ? "has a port that needs a point of a body"
               : n->size == 3 || has_axis ? NULL
                                          : "has a port that needs an axis, or three components";
    }
    bool is_joint = n->joint.joint.i >= 1 && n->joint.joint.i <= m->n_joint;
    int count = is_joint ? model_coordinate_count(m->joint[n->joint.joint.i - 1].def.kind) : 0;
    return n->joint.index >= 0 && n->joint.index < count ? NULL : "has a port that needs a joint coordinate";
}

static const char *node_mistake(const bi_model *m, const bi_bond_node *n)
{
    bool is_junction = n->kind == BI_BOND_ZERO || n->kind == BI_BOND_ONE;
    if (n->kind < BI_BOND_SE || n->kind > BI_BOND_VALUE) {
        return "has a node of unknown kind";
    }
    if (n->size < 0 || n->size > BI_BOND_WIDTH || n->rows < 0 || n->rows > BI_BOND_WIDTH || n->columns < 0 ||
        n->columns > BI_BOND_WIDTH) {
        return "has a node with more than six components";
    }
    if (n->kind == BI_BOND_PORT) {
        return port_mistake(m, n);
    }
    if (!is_junction && value_count(n) == 0) {
        return "has a node without a value";
    }
    for (int i = 0; i < value_count(n); i++) {
        if (n->value[i].i < 1 || n->value[i].i > m->n_expr) {
            return "has a node without a value";
        }
    }
    for (int i = 0; i < BI_BOND_WIDTH; i++) {
        if (!isfinite(n->initial[i])) {
            return "has a node with an initial value that is not finite";
        }
    }
    bool is_friction = n->law == BI_BOND_HOLDS;
    if (is_friction && (n->kind != BI_BOND_R || n->rows > 1 || n->columns > 1)) {
        return "has a node that holds and is no R with one value";
    }
    if (!(n->breakaway == 0.0 || n->breakaway >= 1.0) || !isfinite(n->breakaway) || !(n->settle >= 0.0) ||
        !isfinite(n->settle) || !(n->inertia >= 0.0) || !isfinite(n->inertia)) {
        return "has a node whose breakaway lies below 1, or whose settle or inertia lies below 0";
    }
    return NULL;
}

const char *model_graph_mistake(const bi_model *m, const void *at)
{
    bi_graph g;
    memcpy(&g, at, sizeof g);
    if (g.n_node < 0) {
        return "has a count without items, or one below zero";
    }
    for (int k = 0; k < g.n_node; k++) {
        const char *what = node_mistake(m, &g.node[k]);
        if (what) {
            return what;
        }
    }
    for (int k = 0; k < g.n_bond; k++) {
        const bi_bond *b = &g.bond[k];
        if (b->from < 0 || b->from >= g.n_node || b->to < 0 || b->to >= g.n_node || b->from == b->to) {
            return "has a bond that does not join two of its nodes";
        }
    }
    return g.n_node == 0 ? "needs nodes" : NULL;
}

uint64_t model_graph_hash(uint64_t h, const void *at)
{
    bi_graph g;
    memcpy(&g, at, sizeof g);
    for (int k = 0; k < g.n_node; k++) {
        const bi_bond_node *n = &g.node[k];
        const int32_t choice[] = { (int32_t)n->kind, n->size,          n->rows,          n->columns,
                                   (int32_t)n->law,  n->is_orthogonal, n->joint.joint.i, n->joint.index };
        h = hash_bytes(h, n->name, strlen(n->name));
        h = hash_bytes(h, choice, sizeof choice);
        if (n->kind == BI_BOND_PORT && n->port != BI_PORT_JOINT) {
            const int32_t end[3] = { (int32_t)n->port, n->a.body.i, n->b.body.i };
            const double place[9] = { n->a.at.x, n->a.at.y, n->a.at.z, n->b.at.x, n->b.at.y,
                                      n->b.at.z, n->axis.x, n->axis.y, n->axis.z };
            h = hash_bytes(h, end, sizeof end);
            h = hash_bytes(h, place, sizeof place);
        }
        h = hash_bytes(h, n->initial, sizeof n->initial);
        if (n->law == BI_BOND_HOLDS) {
            const double how[3] = { n->breakaway, n->settle, n->inertia };
            h = hash_bytes(h, how, sizeof how);
        }
        for (int i = 0; i < value_count(n); i++) {
            h = hash_bytes(h, &n->value[i].i, sizeof n->value[i].i);
        }
    }
    for (int k = 0; k < g.n_bond; k++) {
        const int32_t ends[4] = { g.bond[k].from, g.bond[k].to, g.bond[k].from_component,
                                  g.bond[k].to_component };
        h = hash_bytes(h, ends, sizeof ends);
    }
    for (int k = 0; k < g.n_alias; k++) {
        h = hash_bytes(h, g.alias[k].name, strlen(g.alias[k].name));
        h = hash_bytes(h, g.alias[k].as, strlen(g.alias[k].as));
    }
    return h;
}
