// SPDX-License-Identifier: MIT
// The section `graphs`: bond graphs with their nodes and bonds.
#include "io/reader.h"
#include <stdlib.h>
#include <string.h>

// Words of `type`, in the order of bi_bond_kind.
static const char *const types[] = { "Se", "Sf", "R", "C", "I", "TF", "GY", "0", "1", "state", "port" };
enum { N_TYPES = sizeof types / sizeof *types };

typedef struct {
    bi_bond_node *node;
    bi_expr *value; // (36 each)
    int n_node;
    bi_bond *bond;
    int n_bond, cap_bond;
} graph_reader;

static bool read_row(reader *r, const yaml_node *node, const char *where, int columns, bi_expr *out)
{
    bool is_good = true;
    for (int k = 0; k < columns; k++) {
        is_good =
            reader_expr(r, node->kind == YAML_LIST ? node->item[k] : node, NULL, where, &out[k]) && is_good;
    }
    return is_good;
}

// One value, one per component, or rows of a matrix.
static bool read_value(reader *r, const yaml_node *node, const char *where, bi_bond_node *n, bi_expr *out)
{
    bool is_matrix = node->kind == YAML_LIST && node->count > 0 && node->item[0]->kind == YAML_LIST;
    int rows = node->kind == YAML_LIST ? node->count : 1, columns = is_matrix ? node->item[0]->count : 1;
    if (rows < 1 || rows > BI_BOND_WIDTH || columns < 1 || columns > BI_BOND_WIDTH) {
        reader_error(r, node, where, "one to six numbers, or rows of as many, are expected here");
        return false;
    }
    n->rows = rows;
    n->columns = columns;
    n->value = out;
    bool is_good = true;
    for (int k = 0; k < rows; k++) {
        const yaml_node *row = node->kind == YAML_LIST ? node->item[k] : node;
        if (is_matrix && (row->kind != YAML_LIST || row->count != columns)) {
            reader_error(r, row, where, "every row needs as many numbers as the first");
            return false;
        }
        is_good = read_row(r, row, where, columns, &out[k * columns]) && is_good;
    }
    return is_good;
}

static bool read_initial(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    if (node->kind != YAML_LIST) {
        return reader_number(r, node, NULL, where, &n->initial[0]);
    }
    if (node->count > BI_BOND_WIDTH) {
        reader_error(r, node, where, "at most six numbers are possible");
        return false;
    }
    return reader_numbers(r, node, node->count, NULL, where, n->initial);
}

static bool read_port(reader *r, const yaml_node *node, const char *where, bi_bond_node *n)
{
    const char *text = node ? reader_text(r, node, where) : NULL;
    bi_joint_coordinate found =
        text ? bi_model_coordinate(r->model, reader_full_name(r, text)) : (bi_joint_coordinate){ 0 };
    if (found.joint.i == 0) {
        reader_error(r, node ? node : r->entry, where,
                     "a port needs 'joint': a joint, or one of its coordinates (slide.position)");
        return false;
    }
    n->joint = found;
    return true;
}

static bool read_law(reader *r, const yaml_node *node, const char *where, bi_bond_node *n, bi_expr *value)
{
    const yaml_node *plain = yaml_get(node, "value"), *effort = yaml_get(node, "effort"),
                    *flow = yaml_get(node, "flow");
    int given = (plain != NULL) + (effort != NULL) + (flow != NULL);
    if (n->kind == BI_BOND_ZERO || n->kind == BI_BOND_ONE || n->kind == BI_BOND_PORT) {
        if (given > 0) {
            reader_error(r, plain ? plain : effort ? effort : flow, where, "a junction or port has no value");
        }
        return given == 0;
    }
    bool has_law = effort || flow;
    bool may = n->kind == BI_BOND_R || (n->kind == BI_BOND_C && !flow) || (n->kind == BI_BOND_I && !effort);
    if (given != 1 || (has_law && !may)) {
        reader_error(r, node, where,
                     "needs 'value'; instead, an R may have 'effort' (of f) or 'flow' (of e), a C 'effort' "
                     "(of q), an I "
                     "'flow' (of p)");
        return false;
    }
    n->law = effort ? BI_BOND_EFFORT : flow ? BI_BOND_FLOW : BI_BOND_LINEAR;
    return read_value(r, plain ? plain : effort ? effort : flow, where, n, value);
}

static bool read_node(reader *r, const char *name, const yaml_node *node, const char *where, bi_bond_node *n,
                      bi_expr *value)
{
    static const char *const keys[] = { "type",  "value",   "effort",     "flow", "size",
                                        "joint", "initial", "orthogonal", NULL };
    if (!reader_expect(r, node, YAML_MAP, where, "a mapping such as {type: I, value: 0.5}")) {
        return false;
    }
    reader_keys(r, node, keys, where);
    const yaml_node *type = yaml_get(node, "type"), *size = yaml_get(node, "size"),
                    *initial = yaml_get(node, "initial"), *orthogonal = yaml_get(node, "orthogonal");
    int kind = type ? reader_word(r, type, where_at(where, "type").text, types, N_TYPES) : -1;
    if (!type) {
        reader_error(r, node, where, "needs 'type': Se Sf R C I TF GY 0 1 state or port");
    }
    if (kind < 0) {
        return false;
    }
    double width = 1.0;
    *n = (bi_bond_node){ .name = name, .kind = (bi_bond_kind)(kind + 1), .place = reader_place_of(r, node) };
    bool is_good = !size || reader_number(r, size, NULL, where_at(where, "size").text, &width);
    n->size = (int32_t)width;
    is_good = (!orthogonal || reader_bool(r, orthogonal, where, &n->is_orthogonal)) && is_good;
    is_good = (!initial || read_initial(r, initial, where_at(where, "initial").text, n)) && is_good;
    is_good = read_law(r, node, where, n, value) && is_good;
    if (n->kind == BI_BOND_PORT) {
        is_good = read_port(r, yaml_get(node, "joint"), where_at(where, "joint").text, n) && is_good;
    }
    return is_good;
}

static bool read_nodes(reader *r, const yaml_node *map, const char *where, graph_reader *g)
{
    bool is_good = true;
    g->node = calloc((size_t)map->count + 1, sizeof *g->node);
    g->value = calloc((size_t)map->count * BI_BOND_WIDTH * BI_BOND_WIDTH + 1, sizeof *g->value);
    for (int k = 0; g->node && g->value && k < map->count; k++) {
        is_good = read_node(r, map->key[k]->text, map->item[k], where_at(where, map->key[k]->text).text,
                            &g->node[k], &g->value[k * BI_BOND_WIDTH * BI_BOND_WIDTH]) &&
                  is_good;
        g->n_node++;
    }
    return is_good && g->node && g->value;
}

static int find_node(reader *r, const graph_reader *g, const yaml_node *at, const char *name, size_t length,
                     const char *where)
{
    for (int k = 0; k < g->n_node; k++) {
        if (g->node[k].name && strlen(g->node[k].name) == length &&
            strncmp(g->node[k].name, name, length) == 0) {
            return k;
        }
    }
    reader_error(r, at, where, "there is no node '%.*s'", (int)length, name);
    return -1;
}

// "a -> b -> c": a chain of bonds.
static bool read_chain(reader *r, const yaml_node *node, const char *where, graph_reader *g)
{
    const char *text = reader_text(r, node, where);
    int before = -1, count = 0;
    while (text && *text) {
        text += strspn(text, " ");
        const char *arrow = strstr(text, "->");
        size_t length = arrow ? (size_t)(arrow - text) : strlen(text);
        while (length > 0 && text[length - 1] == ' ') {
            length--;
        }
        int k = find_node(r, g, node, text, length, where);
        if (k < 0) {
            return false;
        }
        if (before >= 0) {
            if (g->n_bond == g->cap_bond) {
                int larger = 2 * g->cap_bond + 16;
                bi_bond *moved = realloc(g->bond, (size_t)larger * sizeof *moved);
                if (!moved) {
                    return false;
                }
                g->bond = moved;
                g->cap_bond = larger;
            }
            g->bond[g->n_bond++] = (bi_bond){ before, k, reader_place_of(r, node) };
        }
        before = k;
        count++;
        text = arrow ? arrow + 2 : "";
    }
    if (count < 2) {
        reader_error(r, node, where, "a bond is written 'a -> b'");
    }
    return count >= 2;
}

int32_t read_graph(reader *r, const char *name, const yaml_node *value, const char *where)
{
    static const char *const keys[] = { "nodes", "bonds", "for", NULL };
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping with 'nodes' and 'bonds'")) {
        return 0;
    }
    reader_keys(r, value, keys, where);
    const yaml_node *nodes = yaml_get(value, "nodes"), *bonds = yaml_get(value, "bonds");
    where_path at_nodes = where_at(where, "nodes"), at_bonds = where_at(where, "bonds");
    if (!nodes || !bonds) {
        reader_error(r, r->entry, where, "needs 'nodes', a mapping, and 'bonds', a list such as [a -> b]");
        return 0;
    }
    if (!reader_expect(r, nodes, YAML_MAP, at_nodes.text, "a mapping of nodes") ||
        !reader_expect(r, bonds, YAML_LIST, at_bonds.text, "a list such as [a -> b, b -> c]")) {
        return 0;
    }
    graph_reader g = { 0 };
    int32_t id = 0;
    bool is_good = read_nodes(r, nodes, at_nodes.text, &g);
    for (int k = 0; k < bonds->count; k++) {
        is_good = reader_expect(r, bonds->item[k], YAML_SCALAR, at_bonds.text, "a bond such as a -> b") &&
                  read_chain(r, bonds->item[k], at_bonds.text, &g) && is_good;
    }
    if (is_good) {
        bi_graph_def def = { name, { g.n_node, g.n_bond, g.node, g.bond, r->scope->prefix } };
        reader_place(r, r->entry);
        id = bi_add_graph(r->model, &def).i;
    }
    free(g.node);
    free(g.value);
    free(g.bond);
    return id;
}
