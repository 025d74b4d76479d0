// SPDX-License-Identifier: MIT
// Gmsh .msh, versions 2.2 and 4.1; the numbers of binary files are read in fe_gmsh_binary.c. Physical groups become
// sets of nodes and elements; the elements of the highest dimension are the mesh, the others only say which nodes
// belong to a group.
#include "io/fe/fe_gmsh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE BI_FE_KIND_COUNT

static const gmsh_type types[] = {
    { 15, 0, 1, NONE, "points" },
    { 1, 1, 2, BI_FE_BEAM, "lines of 2 nodes" },
    { 8, 1, 3, NONE, "lines of 3 nodes" },
    { 2, 2, 3, BI_FE_TRIANGLE, "triangles of 3 nodes" },
    { 3, 2, 4, BI_FE_QUAD, "quadrilaterals of 4 nodes" },
    { 9, 2, 6, NONE, "triangles of 6 nodes" },
    { 16, 2, 8, NONE, "quadrilaterals of 8 nodes" },
    { 10, 2, 9, NONE, "quadrilaterals of 9 nodes" },
    { 4, 3, 4, BI_FE_TET10, "tetrahedra of 4 nodes" },
    { 11, 3, 10, BI_FE_TET10, "tetrahedra of 10 nodes" },
    { 5, 3, 8, BI_FE_HEX8, "hexahedra of 8 nodes" },
    { 17, 3, 20, BI_FE_HEX20, "hexahedra of 20 nodes" },
    { 12, 3, 27, NONE, "hexahedra of 27 nodes" },
    { 6, 3, 6, BI_FE_WEDGE15, "prisms of 6 nodes" },
    { 13, 3, 18, NONE, "prisms of 18 nodes" },
    { 18, 3, 15, BI_FE_WEDGE15, "prisms of 15 nodes" },
    { 7, 3, 5, NONE, "pyramids of 5 nodes" },
    { 19, 3, 13, NONE, "pyramids of 13 nodes" },
    { 14, 3, 14, NONE, "pyramids of 14 nodes" },
};

// Our node i is Gmsh's node order[i].
static const int tet10_order[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 };
static const int hex20_order[20] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15 };
static const int wedge15_order[15] = { 0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11 };

const gmsh_type *gmsh_type_of(int64_t type)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (types[k].type == type) {
            return &types[k];
        }
    }
    return NULL;
}

static bool scan(char **text, int64_t *value)
{
    char *end;
    *value = strtoll(*text, &end, 10);
    bool is_good = end != *text;
    *text = end;
    return is_good;
}

static bool scan_double(char **text, double *value)
{
    char *end;
    *value = strtod(*text, &end);
    bool is_good = end != *text;
    *text = end;
    return is_good;
}

// The next line of the present section; NULL at its end, reported if the section should go on.
static char *section_line(gmsh *g, char *line, const char *what)
{
    char *text = g->is_stopped || g->in->is_full ? NULL : fe_next_line(g->in, line);
    if (!text || text[0] == '$') {
        if (what && !g->is_stopped) {
            fe_complain(g->in, "the section ends where %s should follow; is the file complete?", what);
        }
        g->is_stopped = g->is_stopped || what;
        return NULL;
    }
    return text;
}

void gmsh_add_group(gmsh *g, gmsh_group group)
{
    if (g->n_group == g->cap_group) {
        int more = g->cap_group ? 2 * g->cap_group : 64;
        gmsh_group *grown = more > FE_MOST_ITEMS ? NULL : realloc(g->group, (size_t)more * sizeof *grown);
        if (!grown) {
            g->in->is_full = true;
            return;
        }
        g->group = grown;
        g->cap_group = more;
    }
    g->group[g->n_group++] = group;
}

static void read_format(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "the version");
    int64_t is_binary = 0;
    int64_t size = 8;
    if (!text) {
        return;
    }
    if (!scan_double(&text, &g->version) || !scan(&text, &is_binary) || (is_binary && !scan(&text, &size))) {
        fe_complain(g->in, "$MeshFormat needs a version, such as 4.1 0 8");
        g->is_stopped = true;
    } else if (!(g->version >= 2.0 && g->version < 3.0) && !(g->version >= 4.1 && g->version < 4.2)) {
        fe_complain(g->in,
                    "version %g of the format is not known; save as 4.1 or 2.2 (Gmsh: Mesh.MshFileVersion)",
                    g->version);
        g->is_stopped = true;
    } else if (is_binary && size != 8) {
        fe_complain(g->in, "numbers of %lld bytes are not known, only those of 8", (long long)size);
        g->is_stopped = true;
    } else if (is_binary) {
        g->is_binary = true;
        gmsh_binary_order(g);
    }
}

static void read_names(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "the number of names");
    int64_t count = 0;
    if (!text || !scan(&text, &count)) {
        return;
    }
    for (int64_t k = 0; k < count && (text = section_line(g, line, "a name")) != NULL; k++) {
        int64_t dimension;
        int64_t group;
        char *open = strchr(text, '"');
        char *close = open ? strchr(open + 1, '"') : NULL;
        if (!scan(&text, &dimension) || !scan(&text, &group) || !close || close == open + 1) {
            fe_complain(g->in, "a physical name is: dimension, number, \"name\"");
            continue;
        }
        *close = '\0';
        gmsh_add_group(g, (gmsh_group){ (int)dimension, -1, group, fe_keep(g->in, open + 1) });
    }
}

// Physical groups of points, curves, surfaces and volumes (4.1).
static void read_entities(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "four numbers of entities");
    int64_t count[4];
    for (int d = 0; d < 4; d++) {
        if (!text || !scan(&text, &count[d])) {
            return;
        }
    }
    for (int d = 0; d < 4; d++) {
        for (int64_t k = 0; k < count[d] && (text = section_line(g, line, "an entity")) != NULL; k++) {
            int64_t entity;
            int64_t n_group = 0;
            double skipped;
            bool is_good = scan(&text, &entity);
            for (int c = 0; c < (d == 0 ? 3 : 6); c++) {
                is_good = is_good && scan_double(&text, &skipped);
            }
            is_good = is_good && scan(&text, &n_group);
            for (int64_t i = 0; is_good && i < n_group; i++) {
                int64_t group;
                is_good = scan(&text, &group);
                if (is_good) {
                    gmsh_add_group(g, (gmsh_group){ d, entity, group < 0 ? -group : group, NULL });
                }
            }
            if (!is_good) {
                fe_complain(g->in, "an entity of dimension %d lacks numbers", d);
            }
        }
    }
}

static void read_node(gmsh *g, int64_t number, char *text)
{
    double x[3];
    for (int c = 0; c < 3; c++) {
        if (!scan_double(&text, &x[c])) {
            fe_complain(g->in, "node %lld needs three coordinates", (long long)number);
            return;
        }
    }
    fe_add_node(g->in, number, x[0], x[1], x[2]);
}

static void read_nodes2(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "the number of nodes");
    int64_t count = 0;
    if (!text || !scan(&text, &count)) {
        return;
    }
    for (int64_t k = 0; k < count && (text = section_line(g, line, "a node")) != NULL; k++) {
        int64_t number = 0;
        if (!scan(&text, &number)) {
            fe_complain(g->in, "a node is: number, x, y, z");
            continue;
        }
        read_node(g, number, text);
    }
}

// Format 4 has nodes and elements in blocks. Gives their number; 0: none, or it cannot be read.
static int64_t read_block_count(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "the number of blocks");
    int64_t n_block = 0;
    return text && scan(&text, &n_block) ? n_block : 0;
}

static bool scan_four(char *text, int64_t head[4])
{
    return scan(&text, &head[0]) && scan(&text, &head[1]) && scan(&text, &head[2]) && scan(&text, &head[3]);
}

static void read_nodes4(gmsh *g)
{
    char line[FE_LINE], *text;
    int64_t n_block = read_block_count(g);
    for (int64_t b = 0; b < n_block && (text = section_line(g, line, "a block of nodes")) != NULL; b++) {
        int64_t head[4];
        bool is_good = scan_four(text, head);
        if (!is_good || head[3] < 0 || head[3] > FE_MOST_ITEMS) {
            fe_complain(g->in,
                        "a block of nodes starts with: dimension, entity, parametric, number of nodes");
            g->is_stopped = true;
            return;
        }
        int64_t *number = malloc(((size_t)head[3] + 1) * sizeof *number);
        for (int64_t k = 0;
             number && k < head[3] && (text = section_line(g, line, "a node's number")) != NULL; k++) {
            number[k] = 0;
            if (!scan(&text, &number[k])) {
                fe_complain(g->in, "a node's number should stand here");
            }
        }
        for (int64_t k = 0; number && k < head[3] && (text = section_line(g, line, "a node's place")) != NULL;
             k++) {
            read_node(g, number[k], text);
        }
        free(number);
    }
}

static const char *name_of(const gmsh *g, int dimension, int64_t group)
{
    for (int k = 0; k < g->n_group; k++) {
        if (g->group[k].entity < 0 && g->group[k].name && g->group[k].dimension == dimension &&
            g->group[k].group == group) {
            return g->group[k].name;
        }
    }
    return NULL;
}

void gmsh_join_group(gmsh *g, const gmsh_type *type, int64_t group, int64_t number, const int64_t *node)
{
    char unnamed[40];
    const char *name = name_of(g, type->dimension, group);
    if (!name) {
        snprintf(unnamed, sizeof unnamed, "%lld", (long long)group);
        name = unnamed;
    }
    fe_raw_set *set = fe_node_set(g->in, name);
    for (int i = 0; i < type->n_node; i++) {
        fe_set_add(g->in, set, node[i]);
    }
    if (type->kind != NONE) {
        fe_set_add(g->in, fe_element_set(g->in, name), number);
    }
}

void gmsh_join_entity(gmsh *g, const gmsh_type *type, int64_t dimension, int64_t entity, int64_t number,
                      const int64_t *node)
{
    for (int i = 0; i < g->n_group; i++) {
        const gmsh_group *at = &g->group[i];
        if (!at->name && at->dimension == dimension && at->entity == entity) {
            gmsh_join_group(g, type, at->group, number, node);
        }
    }
}

bool gmsh_take_element(gmsh *g, const gmsh_type *type, int64_t number, const int64_t *node)
{
    if (type->dimension == 3 && type->kind == NONE) {
        fe_complain(g->in,
                    "element %lld: %s are not supported; mesh with tetrahedra, hexahedra of 8 or 20 nodes or "
                    "prisms of 6 or 15",
                    (long long)number, type->name);
        return false;
    }
    int64_t ours[BI_FE_MOST_NODES];
    for (int i = 0; i < type->n_node && type->n_node <= BI_FE_MOST_NODES; i++) {
        bool is_tet = type->type == 11;
        bool is_hex = type->type == 17;
        bool is_wedge = type->type == 18;
        ours[i] = node[is_tet ? tet10_order[i] : is_hex ? hex20_order[i] : is_wedge ? wedge15_order[i] : i];
    }
    if (type->n_node <= BI_FE_MOST_NODES) {
        fe_raw *raw = fe_add_element(g->in, number, type->kind, type->n_node, ours);
        if (raw) {
            raw->property = type->dimension;
        }
    }
    return true;
}

static bool read_element(gmsh *g, const gmsh_type *type, int64_t number, char *text, int64_t *node)
{
    for (int i = 0; i < type->n_node; i++) {
        if (!scan(&text, &node[i])) {
            fe_complain(g->in, "element %lld has %d nodes, and %s have %d", (long long)number, i, type->name,
                        type->n_node);
            return false;
        }
    }
    return gmsh_take_element(g, type, number, node);
}

static void read_elements2(gmsh *g)
{
    char line[FE_LINE];
    char *text = section_line(g, line, "the number of elements");
    int64_t count = 0;
    if (!text || !scan(&text, &count)) {
        return;
    }
    for (int64_t k = 0; k < count && (text = section_line(g, line, "an element")) != NULL; k++) {
        int64_t number;
        int64_t type_number;
        int64_t n_tag;
        int64_t group = 0;
        int64_t node[MOST_GMSH_NODES];
        bool is_good = scan(&text, &number) && scan(&text, &type_number) && scan(&text, &n_tag);
        for (int64_t t = 0; is_good && t < n_tag; t++) {
            int64_t tag;
            is_good = scan(&text, &tag);
            group = t == 0 ? tag : group;
        }
        const gmsh_type *type = is_good ? gmsh_type_of(type_number) : NULL;
        if (!is_good) {
            fe_complain(g->in, "an element is: number, type, number of tags, tags, nodes");
        } else if (!type) {
            fe_complain(g->in, "element %lld is of type %lld, which is not known", (long long)number,
                        (long long)type_number);
        } else if (read_element(g, type, number, text, node) && group != 0) {
            gmsh_join_group(g, type, group < 0 ? -group : group, number, node);
        }
    }
}

static void read_elements4(gmsh *g)
{
    char line[FE_LINE], *text;
    int64_t n_block = read_block_count(g);
    for (int64_t b = 0; b < n_block && (text = section_line(g, line, "a block of elements")) != NULL; b++) {
        int64_t head[4];
        bool is_good = scan_four(text, head);
        const gmsh_type *type = is_good ? gmsh_type_of(head[2]) : NULL;
        if (!type) {
            fe_complain(g->in,
                        is_good ? "elements of type %lld are not known"
                                : "a block of elements starts with: dimension, entity, type, number (%lld)",
                        is_good ? (long long)head[2] : 0LL);
            g->is_stopped = true;
            return;
        }
        for (int64_t k = 0; k < head[3] && (text = section_line(g, line, "an element")) != NULL; k++) {
            int64_t number = 0;
            int64_t node[MOST_GMSH_NODES];
            if (!scan(&text, &number)) {
                fe_complain(g->in, "an element starts with its number");
            } else if (read_element(g, type, number, text, node)) {
                gmsh_join_entity(g, type, head[0], head[1], number, node);
            }
        }
    }
}

// Only the elements of the highest dimension are the mesh.
static void keep_highest(fe_source *in)
{
    int64_t highest = 0;
    for (int k = 0; k < in->n_raw; k++) {
        highest = in->raw[k].property > highest ? in->raw[k].property : highest;
    }
    int kept = 0;
    in->has_plain_tets = in->has_plain_tets && highest == 3;
    for (int k = 0; k < in->n_raw; k++) {
        if (in->raw[k].property != highest) {
            continue;
        }
        if (in->raw[k].def.kind == NONE) {
            fe_complain_at(
                in, in->raw[k].def.place.line,
                "element %lld: its kind is not supported; mesh with linear elements, or in three dimensions",
                (long long)in->raw[k].def.number);
            continue;
        }
        in->raw[kept++] = in->raw[k];
    }
    in->n_raw = kept;
}

static void skip_section(gmsh *g)
{
    char line[FE_LINE];
    char *text;
    while ((text = fe_next_line(g->in, line)) != NULL && strncmp(text, "$End", 4) != 0) {
    }
}

static void read_section(gmsh *g, const char *name)
{
    bool is_new = g->version >= 4.0;
    if (strcmp(name, "$PhysicalNames") == 0) {
        read_names(g);
    } else if (strcmp(name, "$Entities") == 0 && is_new) {
        (g->is_binary ? gmsh_binary_entities : read_entities)(g);
    } else if (strcmp(name, "$Nodes") == 0) {
        (g->is_binary ? gmsh_binary_nodes : is_new ? read_nodes4 : read_nodes2)(g);
    } else if (strcmp(name, "$Elements") == 0) {
        (g->is_binary ? gmsh_binary_elements : is_new ? read_elements4 : read_elements2)(g);
    } else if (g->is_binary) {
        gmsh_binary_skip(g, name);
    } else {
        skip_section(g);
    }
}

void fe_read_gmsh(fe_source *in)
{
    char line[FE_LINE];
    char *text;
    gmsh g = { .in = in, .start = in->text };
    while (!g.is_stopped && !in->is_full && (text = fe_next_line(in, line)) != NULL) {
        text = fe_trim(text);
        if (strcmp(text, "$MeshFormat") == 0) {
            read_format(&g);
        } else if (text[0] == '$' && strncmp(text, "$End", 4) != 0 && g.version == 0.0) {
            fe_complain(in, "the file must start with $MeshFormat");
            g.is_stopped = true;
        } else if (text[0] == '$' && strncmp(text, "$End", 4) != 0) {
            read_section(&g, text);
        }
    }
    if (g.version == 0.0 && in->n_complaint == 0) {
        fe_complain_at(in, 1, "is no Gmsh mesh: there is no $MeshFormat in it");
    }
    keep_highest(in);
    free(g.group);
}
