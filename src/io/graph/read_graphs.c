// SPDX-License-Identifier: MIT
// The section `graphs`: bond graphs with their nodes and bonds.
#include "io/model/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A part of the graph, and what others may join of it.
typedef struct {
    const char *name;       // "engine", with the names of the parts around it
    const char *of;         // the sub-graph
    const yaml_node *ports; // NULL: any of its nodes
} graph_part;

typedef struct {
    bi_bond_node *node;
    int n_node, cap_node;
    bi_bond *bond;
    int n_bond, cap_bond;
    bi_bond_alias *alias;
    int n_alias, cap_alias;
    graph_part *part;
    int n_part, cap_part, depth;
    bool no_memory;
} graph_reader;

enum { DEEPEST_PART = 16, MOST_NODES = 20000 };

// Room for one more; false: no memory.
static bool grow(graph_reader *g, void **list, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    int larger = 2 * *capacity + 16;
    void *moved = realloc(*list, (size_t)larger * size);
    if (!moved) {
        g->no_memory = true;
        return false;
    }
    *list = moved;
    *capacity = larger;
    return true;
}

// "engine." and "J": "engine.J", until the entry ends.
static const char *join(reader *r, const char *scope, const char *name, const char *behind)
{
    size_t size = strlen(scope) + strlen(name) + strlen(behind) + 1;
    char *text = blocks_new(&r->memory, size);
    if (text) {
        snprintf(text, size, "%s%s%s", scope, name, behind);
    }
    return text ? text : name;
}

static bool read_nodes(reader *r, const yaml_node *map, const char *where, const char *scope, graph_reader *g)
{
    bool is_good = true;
    for (int k = 0; k < map->count; k++) {
        bi_expr *value = blocks_new(&r->memory, BI_BOND_WIDTH * BI_BOND_WIDTH * sizeof *value);
        const char *name = map->key[k]->text;
        if (!value || !grow(g, (void **)&g->node, g->n_node, &g->cap_node, sizeof *g->node)) {
            return false;
        }
        if (!names_is_name(name)) {
            reader_error(r, map->key[k], where, "'%.80s' is not a name; use letters, digits, '_' and '-'",
                         name);
            is_good = false;
        }
        bi_bond_node node = { 0 };
        is_good = read_graph_node(r, join(r, scope, name, ""), map->item[k], where_at(where, name).text,
                                  &node, value) &&
                  is_good;
        // kept also with a mistake: bonds may name it
        node.name = join(r, scope, name, "");
        g->node[g->n_node++] = node;
    }
    if (g->n_node > MOST_NODES) {
        reader_error(r, map, where, "the graph has more than %d nodes", MOST_NODES);
        return false;
    }
    return is_good;
}

// ---- bonds ------------------------------------------------------------------------------------------------------------

// What is not a port of a part is its own affair.
static bool is_port(reader *r, const graph_reader *g, const yaml_node *at, const char *name,
                    const char *scope, const char *where)
{
    const char *inner = strrchr(name + strlen(scope), '.');
    for (int k = 0; inner && k < g->n_part; k++) {
        const graph_part *p = &g->part[k];
        if (strlen(p->name) != (size_t)(inner - name) || strncmp(p->name, name, strlen(p->name)) != 0) {
            continue;
        }
        for (int i = 0; p->ports && i < p->ports->count; i++) {
            if (p->ports->item[i]->kind == YAML_SCALAR && strcmp(p->ports->item[i]->text, inner + 1) == 0) {
                return true;
            }
        }
        if (p->ports) {
            reader_error(r, at, where, "'%s' is not among the ports of the part '%s'", inner + 1, p->name);
        }
        return !p->ports;
    }
    return true;
}

// The node "j", or one component of it, "j#2".
static int find_node(reader *r, const graph_reader *g, const yaml_node *at, const char *text, size_t length,
                     const char *scope, const char *where, int32_t *component)
{
    const char *plain = blocks_text(&r->memory, text, length);
    char *full = (char *)(plain ? join(r, scope, plain, "") : NULL), *hash = full ? strrchr(full, '#') : NULL;
    *component = 0;
    if (hash && hash[1] >= '1' && hash[1] <= '6' && hash[2] == '\0') {
        *component = hash[1] - '0';
        *hash = '\0';
    }
    for (int k = 0; full && k < g->n_node; k++) {
        if (strcmp(g->node[k].name, full) == 0) {
            return is_port(r, g, at, full, scope, where) ? k : -1;
        }
    }
    reader_error(r, at, where, "there is no node '%.*s'", (int)length, text);
    return -1;
}

// "a -> b -> c": a chain of bonds.
static bool read_chain(reader *r, const yaml_node *node, const char *where, const char *scope,
                       graph_reader *g)
{
    const char *text = reader_text(r, node, where);
    int before = -1, count = 0;
    int32_t before_component = 0, component = 0;
    while (text && *text) {
        text += strspn(text, " ");
        const char *arrow = strstr(text, "->");
        size_t length = arrow ? (size_t)(arrow - text) : strlen(text);
        while (length > 0 && text[length - 1] == ' ') {
            length--;
        }
        int k = find_node(r, g, node, text, length, scope, where, &component);
        if (k < 0) {
            return false;
        }
        if (before >= 0) {
            if (!grow(g, (void **)&g->bond, g->n_bond, &g->cap_bond, sizeof *g->bond)) {
                return false;
            }
            g->bond[g->n_bond++] =
                (bi_bond){ before, k, reader_place_of(r, node), before_component, component };
        }
        before = k;
        before_component = component;
        count++;
        text = arrow ? arrow + 2 : "";
    }
    if (count < 2) {
        reader_error(r, node, where, "a bond is written 'a -> b'");
    }
    return count >= 2;
}

// ---- parts ------------------------------------------------------------------------------------------------------------

static bool read_body_of(reader *r, const yaml_node *map, const char *where, const char *scope,
                         graph_reader *g);

// The sub-graph that a part names, in this file or in `file`, which becomes the file being read. NULL: a mistake was
// told.
static const yaml_node *find_subgraph(reader *r, const yaml_node *part, const char *where)
{
    const yaml_node *graph = yaml_get(part, "graph"), *file = yaml_get(part, "file");
    const char *name = graph && reader_expect(r, graph, YAML_SCALAR, where, "the name of a sub-graph")
                           ? reader_text(r, graph, where)
                           : NULL;
    if (!name) {
        if (!graph) {
            reader_error(r, part, where, "needs 'graph', a name in `subgraphs`");
        }
        return NULL;
    }
    const char *from = r->file;
    const yaml_node *root = r->root;
    const char *other =
        file && reader_expect(r, file, YAML_SCALAR, where, "a path") ? reader_text(r, file, where) : NULL;
    if (file) {
        char *path = other ? reader_path_beside(r, other) : NULL;
        shelf_tree *tree = path ? reader_find_tree(r, path, file, where) : NULL;
        if (!tree || !tree->yaml) {
            reader_error(r, file, where, "the file with the sub-graph cannot be read");
            return NULL;
        }
        from = tree->path;
        root = yaml_root(tree->yaml);
    }
    const yaml_node *all = root && root->kind == YAML_MAP ? yaml_get(root, "subgraphs") : NULL;
    const yaml_node *found = all && all->kind == YAML_MAP ? yaml_get(all, name) : NULL;
    if (!found || found->kind != YAML_MAP) {
        // the name stands in the file that asks, not in the one that was asked
        reader_error(r, graph, where, "there is no sub-graph '%.60s' in `subgraphs` of %s", name, from);
        return NULL;
    }
    r->file = from;
    r->root = root;
    return found;
}

// A value of `bind` that is a number of the user's scope ("c0", "cos(angle/2)"), not a name that changes.
static bool bound_number(reader *r, const yaml_node *item, double *number)
{
    bi_report unused = { 0 };
    bool is_number =
        item->kind == YAML_SCALAR && bi_model_number(r->model, item->text, NULL, "", number, &unused);
    bi_report_clear(&unused);
    return is_number;
}

// Numbers that `set` and `bind` give to a part, under the names that they have inside it.
typedef struct {
    const char **name;
    double *value;
    int count;
} given_numbers;

static void give(given_numbers *g, const char *name, double value)
{
    g->name[g->count] = name;
    g->value[g->count++] = value;
}

// Numbers of `set` and of `bind`, in the scope of the part's user. False: a mistake was told.
static bool read_given(reader *r, const yaml_node *set, const yaml_node *bind, const char *where,
                       given_numbers *out)
{
    size_t most = (size_t)(set ? set->count : 0) + (size_t)(bind ? bind->count : 0) + 1;
    *out = (given_numbers){ blocks_new(&r->memory, most * sizeof *out->name),
                            blocks_new(&r->memory, most * sizeof *out->value), 0 };
    bool is_good = out->name && out->value;
    for (int k = 0; set && is_good && k < set->count; k++) {
        double number;
        if (reader_number(r, set->item[k], NULL, where_at(where, set->key[k]->text).text, &number)) {
            give(out, set->key[k]->text, number);
        } else {
            is_good = false;
        }
    }
    for (int k = 0; bind && is_good && k < bind->count; k++) {
        double number;
        if (set && yaml_get(set, bind->key[k]->text)) {
            reader_error(r, bind->key[k], where, "'%.60s' stands in 'set' and in 'bind': give it once",
                         bind->key[k]->text);
            is_good = false;
        } else if (bound_number(r, bind->item[k], &number)) {
            give(out, bind->key[k]->text, number);
        }
    }
    return is_good;
}

// The parameters of the sub-graph alone: those given, the others as it says, and none that `bind` joins to a name.
static bool make_parameters(reader *r, const yaml_node *own, const given_numbers *given,
                            const yaml_node *bind, const char *where)
{
    const char *name, *unit;
    double number;
    bool is_good = true;
    while (bi_model_parameter_at(r->model, 0, &name, &number, &unit)) {
        bi_model_forget(r->model, name);
    }
    for (int i = 0; i < given->count; i++) {
        bi_model_parameter(r->model, given->name[i], given->value[i], NULL);
    }
    for (int k = 0; own && own->kind == YAML_MAP && k < own->count; k++) {
        const char *key = own->key[k]->text;
        bool is_given = bind && yaml_get(bind, key);
        for (int i = 0; i < given->count; i++) {
            is_given |= strcmp(given->name[i], key) == 0;
        }
        if (is_given) {
            continue;
        }
        if (reader_number(r, own->item[k], NULL, where_at(where, key).text, &number)) {
            bi_model_parameter(r->model, key, number, NULL);
        } else {
            is_good = false;
        }
    }
    return is_good;
}

static bool is_needed(const yaml_node *node)
{
    return node->kind == YAML_SCALAR && strcmp(node->text, "needed") == 0;
}

// What the user of a sub-graph gives is among its parameters, and what it needs is given.
static bool are_known(reader *r, const yaml_node *own, const yaml_node *part, const char *where)
{
    const yaml_node *set = yaml_get(part, "set"), *bind = yaml_get(part, "bind");
    bool is_good = true, has_own = own && own->kind == YAML_MAP;
    for (int i = 0; set && i < set->count; i++) {
        if (!has_own || !yaml_get(own, set->key[i]->text)) {
            reader_error(
                r, set->key[i], where,
                "the sub-graph has no parameter '%.60s'; a name that its values read is given by 'bind'",
                set->key[i]->text);
            is_good = false;
        }
    }
    for (int k = 0; has_own && k < own->count; k++) {
        const char *key = own->key[k]->text;
        if (is_needed(own->item[k]) && !(set && yaml_get(set, key)) && !(bind && yaml_get(bind, key))) {
            reader_error(
                r, part, where,
                "the sub-graph needs '%.60s': a number in 'set', or in 'bind' a number or a name of the "
                "graph or model",
                key);
            is_good = false;
        }
    }
    return is_good;
}

// The table that a value of `bind` names; unset: none.
static bi_curve bound_table(reader *r, const yaml_node *item)
{
    return item->kind == YAML_SCALAR ? bi_model_called(r->model, item->text) : (bi_curve){ 0 };
}

// Lets the values of a part call tables by the names it has for them. Gives their number.
static int call_tables(reader *r, const yaml_node *bind)
{
    int count = 0;
    for (int k = 0; bind && k < bind->count; k++) {
        double number;
        bi_curve found = bound_table(r, bind->item[k]);
        if (found.i > 0 && !bound_number(r, bind->item[k], &number)) {
            bi_model_call(r->model, bind->key[k]->text, found);
            count++;
        }
    }
    return count;
}

// The names of `bind`; what is a number is a parameter instead.
static bool read_bind(reader *r, const yaml_node *bind, const char *where, const char *scope, graph_reader *g)
{
    for (int k = 0; bind && k < bind->count; k++) {
        double number;
        if (bound_number(r, bind->item[k], &number)) {
            continue;
        }
        const char *as = reader_expect(r, bind->item[k], YAML_SCALAR, where, "a name")
                             ? reader_text(r, bind->item[k], where)
                             : NULL;
        if (!as || !grow(g, (void **)&g->alias, g->n_alias, &g->cap_alias, sizeof *g->alias)) {
            return false;
        }
        g->alias[g->n_alias++] = (bi_bond_alias){ join(r, scope, bind->key[k]->text, ""), as };
    }
    return true;
}

// What the part is made of, read with its own parameters in its own file.
static bool read_inside(reader *r, const yaml_node *part, const char *where, const char *scope,
                        graph_reader *g)
{
    const yaml_node *set = yaml_get(part, "set"), *bind = yaml_get(part, "bind");
    const char *file = r->file;
    const yaml_node *root = r->root;
    given_numbers given;
    bool is_good = (!set || reader_expect(r, set, YAML_MAP, where, "a mapping of parameters")) &&
                   (!bind || reader_expect(r, bind, YAML_MAP, where, "a mapping of names")) &&
                   read_given(r, set, bind, where, &given) && read_bind(r, bind, where, scope, g);
    int n_saved = 0;
    reader_parameter *saved = is_good ? reader_save_parameters(r, &n_saved) : NULL;
    if (!saved) {
        return false;
    }
    const yaml_node *graph = find_subgraph(r, part, where);
    int n_called = call_tables(r, bind);
    if (graph) {
        const char *own_file = r->file;
        r->file = file;
        is_good = are_known(r, yaml_get(graph, "parameters"), part, where);
        r->file = own_file;
        const yaml_node *ports = yaml_get(graph, "ports");
        reader_known(r, graph, &keys_subgraph, where);
        is_good = is_good && make_parameters(r, yaml_get(graph, "parameters"), &given, bind, where) &&
                  (!ports || reader_expect(r, ports, YAML_LIST, where, "a list of nodes")) &&
                  read_body_of(r, graph, where, scope, g);
        if (is_good && grow(g, (void **)&g->part, g->n_part, &g->cap_part, sizeof *g->part)) {
            const char *name = blocks_text(&r->memory, scope, strlen(scope) - 1);
            g->part[g->n_part++] = (graph_part){ name ? name : "", yaml_get(part, "graph")->text, ports };
        }
    }
    bi_model_uncall(r->model, n_called);
    reader_restore_parameters(r, saved, n_saved);
    r->file = file;
    r->root = root;
    return graph && is_good;
}

static bool read_parts(reader *r, const yaml_node *map, const char *where, const char *scope, graph_reader *g)
{
    bool is_good = true;
    if (g->depth >= DEEPEST_PART) {
        reader_error(r, map, where, "sub-graphs are more than %d deep inside each other", DEEPEST_PART);
        return false;
    }
    g->depth++;
    for (int k = 0; k < map->count; k++) {
        const char *name = map->key[k]->text;
        where_path here = where_at(where, name);
        if (!names_is_name(name)) {
            reader_error(r, map->key[k], where, "'%.80s' is not a name; use letters, digits, '_' and '-'",
                         name);
            is_good = false;
        } else if (!reader_expect(r, map->item[k], YAML_MAP, here.text, "a mapping such as {graph: wheel}")) {
            is_good = false;
        } else {
            reader_known(r, map->item[k], &keys_graph_part, here.text);
            is_good = read_inside(r, map->item[k], here.text, join(r, scope, name, "."), g) && is_good;
        }
    }
    g->depth--;
    return is_good;
}

// ---- the whole --------------------------------------------------------------------------------------------------------

static bool read_body_of(reader *r, const yaml_node *map, const char *where, const char *scope,
                         graph_reader *g)
{
    const yaml_node *nodes = yaml_get(map, "nodes"), *bonds = yaml_get(map, "bonds"),
                    *parts = yaml_get(map, "parts");
    where_path at_nodes = where_at(where, "nodes"), at_bonds = where_at(where, "bonds"),
               at_parts = where_at(where, "parts");
    if ((!nodes && !parts) || !bonds) {
        reader_error(r, scope[0] ? map : r->entry, where,
                     "needs 'nodes', a mapping, and 'bonds', a list such as [a -> b]");
        return false;
    }
    if ((nodes && !reader_expect(r, nodes, YAML_MAP, at_nodes.text, "a mapping of nodes")) ||
        (parts && !reader_expect(r, parts, YAML_MAP, at_parts.text, "a mapping of parts")) ||
        !reader_expect(r, bonds, YAML_LIST, at_bonds.text, "a list such as [a -> b, b -> c]")) {
        return false;
    }
    bool is_good = !parts || read_parts(r, parts, at_parts.text, scope, g);
    is_good = (!nodes || read_nodes(r, nodes, at_nodes.text, scope, g)) && is_good;
    for (int k = 0; k < bonds->count && (is_good || !parts); k++) {
        is_good = reader_expect(r, bonds->item[k], YAML_SCALAR, at_bonds.text, "a bond such as a -> b") &&
                  read_chain(r, bonds->item[k], at_bonds.text, scope, g) && is_good;
    }
    return is_good;
}

int32_t read_graph(reader *r, const char *name, const yaml_node *value, const char *where)
{
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping with 'nodes' and 'bonds'")) {
        return 0;
    }
    reader_known(r, value, &keys_graph, where);
    graph_reader g = { 0 };
    int32_t id = 0;
    bi_bond_part *part = NULL;
    if (read_body_of(r, value, where, "", &g)) {
        part = blocks_new(&r->memory, ((size_t)g.n_part + 1) * sizeof *part);
        for (int k = 0; part && k < g.n_part; k++) {
            part[k] = (bi_bond_part){ g.part[k].name, g.part[k].of };
        }
        bi_graph_def def;
        memset(&def, 0, sizeof def); // also between the members: the model keeps all bytes
        def.name = name;
        def.graph.n_node = g.n_node;
        def.graph.n_bond = g.n_bond;
        def.graph.node = g.node;
        def.graph.bond = g.bond;
        def.graph.n_alias = g.n_alias;
        def.graph.alias = g.alias;
        def.graph.prefix = r->scope->prefix;
        def.graph.n_part = part ? g.n_part : 0;
        def.graph.part = part;
        reader_place(r, r->entry);
        id = bi_add_graph(r->model, &def).i;
    }
    if (g.no_memory) {
        reader_error(r, value, where, "out of memory");
    }
    free(g.node);
    free(g.bond);
    free(g.alias);
    free(g.part);
    return id;
}
