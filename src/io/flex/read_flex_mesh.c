// SPDX-License-Identifier: MIT
// Nodes and elements of a flexible body: in lists, in CSV tables, along lines, on rectangles.
#include "io/flex/flex_mesh.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define KIND_NAME(code, text) text,
    BI_FE_KIND_LIST(KIND_NAME)
};

// A text that lives until the entry ends; NULL: reported.
static const char *text_of(reader *r, const yaml_node *map, const char *key, const char *where)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at(where, key);
    return node && reader_expect(r, node, YAML_SCALAR, here.text, "a name") ? reader_text(r, node, here.text)
                                                                            : NULL;
}

static int find_section(const flex_mesh *m, const char *name)
{
    for (int k = 0; k < m->def.mesh.n_section; k++) {
        if (strcmp(m->def.mesh.section[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static int find_material(const flex_mesh *m, const char *name)
{
    for (int k = 0; k < m->def.mesh.n_material; k++) {
        if (strcmp(m->def.mesh.material[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

// kind, section and material of the elements of an entry; what is not said stays. False: reported.
bool flex_read_make(reader *r, const yaml_node *map, const char *where, const flex_mesh *m, bi_fe_element *e)
{
    const yaml_node *kind = yaml_get(map, "kind");
    const char *section = text_of(r, map, "section", where), *material = text_of(r, map, "material", where);
    int word = kind ? reader_word(r, kind, where_at(where, "kind").text, kind_names, BI_FE_KIND_COUNT)
                    : (int)e->kind;
    int s = section ? find_section(m, section) : e->section;
    int x = material ? find_material(m, material) : e->material;
    if (section && s < 0) {
        reader_error(r, yaml_get(map, "section"), where_at(where, "section").text,
                     "there is no section '%.60s' in 'sections'", section);
    }
    if (material && x < 0) {
        reader_error(r, yaml_get(map, "material"), where_at(where, "material").text,
                     "there is no material '%.60s' in 'materials'", material);
    }
    if (word < 0 || (section && s < 0) || (material && x < 0)) {
        return false;
    }
    e->kind = (bi_fe_kind)word;
    e->section = s;
    e->material = x;
    return true;
}

// ---- nodes -------------------------------------------------------------------------------------------------------

int flex_nearest_node(const flex_mesh *m, bi_vec3 at, double *distance)
{
    int best = -1;
    *distance = INFINITY;
    for (int k = 0; k < m->def.mesh.n_node; k++) {
        bi_vec3 p = m->def.mesh.node[k].at;
        double d = hypot(hypot(p.x - at.x, p.y - at.y), p.z - at.z);
        if (d < *distance) {
            *distance = d;
            best = k;
        }
    }
    return best;
}

static const bi_fe_set *find_set(const flex_mesh *m, const char *name)
{
    for (int k = 0; k < m->n_set; k++) {
        if (strcmp(m->set[k].name, name) == 0) {
            return &m->set[k];
        }
    }
    return NULL;
}

int read_flex_node(reader *r, flex_mesh *m, const yaml_node *node, const char *where)
{
    const bi_fe_mesh *mesh = &m->def.mesh;
    bi_vec3 at;
    double distance = 0.0;
    if (node->kind == YAML_LIST) {
        if (!reader_vec3(r, node, "m", where, &at)) {
            return -1;
        }
        int k = flex_nearest_node(m, at, &distance);
        if (m->has_gap) {
            return -1;
        }
        if (k >= 0 && distance > 1e-6 * hypot(1.0, hypot(hypot(at.x, at.y), at.z))) {
            bi_vec3 p = mesh->node[k].at;
            char name[80];
            if (mesh->node[k].name) {
                snprintf(name, sizeof name, "'%.60s'", mesh->node[k].name);
            } else {
                snprintf(name, sizeof name, "%" PRId64,
                         mesh->node[k].number ? mesh->node[k].number : (int64_t)k + 1);
            }
            reader_error(
                r, node, where,
                "there is no node at [%g, %g, %g]; the nearest is node %s at [%g, %g, %g], %g m away", at.x,
                at.y, at.z, name, p.x, p.y, p.z, distance);
            return -1;
        }
        return k;
    }
    const char *text = reader_expect(r, node, YAML_SCALAR, where, "the name or number of a node")
                           ? reader_text(r, node, where)
                           : NULL;
    int k = text ? flex_find_node(mesh, text) : -1;
    const bi_fe_set *set = text && k < 0 ? find_set(m, text) : NULL;
    if (set && !m->has_gap) {
        reader_error(r, node, where,
                     "'%.60s' is a set of %d nodes: name a node that leads them, mesh: {file: ..., "
                     "interfaces: {%.60s: "
                     "%.60s}}",
                     text, set->count, text, text);
    } else if (text && k < 0 && !m->has_gap) {
        reader_error(r, node, where, "there is no node '%.60s' in this mesh of %d nodes%s", text,
                     mesh->n_node, flex_hint(m, text));
    }
    return k;
}

// A number in a cell of a table; false: reported.
static bool cell_number(reader *r, const text_table *t, int row, int column, const char *where, double *value)
{
    const char *text = t->cell[row * t->n_column + column];
    char *end = NULL;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value)) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE,
                      (bi_place){ t->file, t->line[row], t->column[row * t->n_column + column] }, where,
                      "'%.60s' is not a number; column '%.40s' must have one in every row", text,
                      t->head[column]);
        return false;
    }
    return true;
}

static void read_node_table(reader *r, const yaml_node *file, const char *where, flex_mesh *m)
{
    static const char *const xyz[3] = { "x", "y", "z" };
    text_table t;
    if (!text_table_read(r, m, file, where, &t)) {
        return;
    }
    int id = text_table_column(&t, "id"), name = text_table_column(&t, "name"), at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = text_table_column(&t, xyz[k]);
    }
    if (at[0] < 0 || at[1] < 0) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t.file, 1, 1 }, where,
                      "a table of nodes needs the columns x and y, and may have id, z and name");
        return;
    }
    for (int row = 0; row < t.n_row; row++) {
        double number = row + 1, p[3] = { 0 };
        bool is_good = id < 0 || cell_number(r, &t, row, id, where, &number);
        for (int k = 0; k < 3; k++) {
            is_good = (at[k] < 0 || cell_number(r, &t, row, at[k], where, &p[k])) && is_good;
        }
        const char *own = name >= 0 ? t.cell[row * t.n_column + name] : "";
        bi_fe_node node = { .name = own[0] ? own : NULL, .number = (int64_t)number };
        node.at = (bi_vec3){ m->scale * p[0], m->scale * p[1], m->scale * p[2] };
        node.place = (bi_place){ t.file, t.line[row], 1 };
        if (!is_good || flex_add_node(r, m, &node) < 0) {
            return;
        }
    }
}

static void read_nodes(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, "nodes");
    where_path list = where_at(where, "nodes");
    const yaml_node *file = all && all->kind == YAML_MAP && all->count == 1 ? yaml_get(all, "file") : NULL;
    if (!all) {
        return;
    }
    if (file && file->kind == YAML_SCALAR) {
        read_node_table(r, file, where_at(list.text, "file").text, m);
        return;
    }
    if (all->kind != YAML_LIST &&
        !reader_expect(r, all, YAML_MAP, list.text,
                       "nodes {tip: [1, 0, 0]}, a list of them, or {file: nodes.csv}")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        bi_fe_node node = { .name = all->kind == YAML_MAP ? all->key[k]->text : NULL, .number = k + 1 };
        char number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        node.place = reader_place_of(r, all->kind == YAML_MAP ? all->key[k] : all->item[k]);
        if (reader_vec3(r, all->item[k], "m", where_at(list.text, node.name ? node.name : number).text,
                        &node.at)) {
            node.at = (bi_vec3){ m->scale * node.at.x, m->scale * node.at.y, m->scale * node.at.z };
            if (flex_add_node(r, m, &node) < 0) {
                return;
            }
        }
    }
}

// ---- elements ----------------------------------------------------------------------------------------------------

static const int nodes_of_kind[BI_FE_KIND_COUNT] = {
    [BI_FE_BEAM] = 2,     [BI_FE_TIMOSHENKO] = 2, [BI_FE_QUAD] = 4,   [BI_FE_QUAD_PLAIN] = 4,
    [BI_FE_TRIANGLE] = 3, [BI_FE_MASS] = 1,       [BI_FE_LINK] = 2,   [BI_FE_TET10] = 10,
    [BI_FE_HEX8] = 8,     [BI_FE_HEX20] = 20,     [BI_FE_SHELL4] = 4, [BI_FE_SHELL3] = 3,
    [BI_FE_WEDGE15] = 15
};

static void read_element(reader *r, const yaml_node *map, const char *name, int number, const char *where,
                         flex_mesh *m)
{
    bi_fe_element e = {
        .name = name, .number = number, .kind = m->kind, .section = m->section, .material = m->material
    };
    const yaml_node *nodes = yaml_get(map, "nodes"), *offsets = yaml_get(map, "offsets"),
                    *inertia = yaml_get(map, "inertia");
    e.place = reader_place_of(r, map);
    reader_known(r, map, &keys_flex_element, where);
    bool is_good = flex_read_make(r, map, where, m, &e);
    int wanted = nodes_of_kind[e.kind];
    where_path here = where_at(where, "nodes");
    if (!nodes || nodes->kind != YAML_LIST || nodes->count != wanted) {
        reader_error(r, nodes ? nodes : map, here.text, "%s needs 'nodes', a list of %d", kind_names[e.kind],
                     wanted);
        return;
    }
    for (int i = 0; i < wanted; i++) {
        e.node[i] = read_flex_node(r, m, nodes->item[i], here.text);
        is_good = e.node[i] >= 0 && is_good;
    }
    is_good = reader_vec3_of(r, map, "y_axis", NULL, where, &e.y_axis) && is_good;
    is_good = reader_number_of(r, map, "mass", "kg", where, &e.mass) && is_good;
    is_good =
        (!inertia || reader_numbers(r, inertia, 6, "kg*m^2", where_at(where, "inertia").text, e.inertia)) &&
        is_good;
    if (offsets && offsets->kind == YAML_LIST && offsets->count == 2) {
        is_good =
            reader_vec3(r, offsets->item[0], "m", where_at(where, "offsets").text, &e.offset[0]) && is_good;
        is_good =
            reader_vec3(r, offsets->item[1], "m", where_at(where, "offsets").text, &e.offset[1]) && is_good;
    } else if (offsets) {
        reader_error(r, offsets, where_at(where, "offsets").text,
                     "two vectors are expected here, one per end");
        is_good = false;
    }
    if (is_good) {
        flex_add_element(r, m, &e);
    }
}

// What a cell names; false: reported.
static bool cell_name(reader *r, const text_table *t, int row, int column, const char *what, int found,
                      const char *where)
{
    if (found < 0) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE,
                      (bi_place){ t->file, t->line[row], t->column[row * t->n_column + column] }, where,
                      "there is no %s '%.60s'", what, t->cell[row * t->n_column + column]);
    }
    return found >= 0;
}

// Columns id, kind, n1 n2 ..., section, material; what has no column is as `like` says.
static void read_element_rows(reader *r, const text_table *t, const char *where, flex_mesh *m,
                              bi_fe_element like)
{
    int id = text_table_column(t, "id"), kind = text_table_column(t, "kind");
    int section = text_table_column(t, "section"), material = text_table_column(t, "material");
    for (int row = 0; row < t->n_row; row++) {
        bi_fe_element e = like;
        double number = m->def.mesh.n_element + 1;
        char **cell = t->cell + (ptrdiff_t)row * t->n_column;
        e.place = (bi_place){ t->file, t->line[row], 1 };
        bool is_good = id < 0 || cell_number(r, t, row, id, where, &number);
        e.number = (int64_t)number;
        if (kind >= 0) {
            int found = -1;
            for (int k = 0; k < BI_FE_KIND_COUNT; k++) {
                found = strcmp(cell[kind], kind_names[k]) == 0 ? k : found;
            }
            is_good = cell_name(r, t, row, kind, "kind of element", found, where) && is_good;
            e.kind = found >= 0 ? (bi_fe_kind)found : e.kind;
        }
        if (section >= 0) {
            e.section = find_section(m, cell[section]);
            is_good = cell_name(r, t, row, section, "section", e.section, where) && is_good;
        }
        if (material >= 0) {
            e.material = find_material(m, cell[material]);
            is_good = cell_name(r, t, row, material, "material", e.material, where) && is_good;
        }
        for (int i = 0; i < nodes_of_kind[e.kind]; i++) {
            char head[16];
            snprintf(head, sizeof head, "n%d", i + 1);
            int column = text_table_column(t, head);
            if (column < 0) {
                bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t->file, 1, 1 }, where,
                              "kind %s needs the columns n1 to n%d", kind_names[e.kind],
                              nodes_of_kind[e.kind]);
                return;
            }
            e.node[i] = flex_find_node(&m->def.mesh, cell[column]);
            is_good = cell_name(r, t, row, column, "node", e.node[i], where) && is_good;
        }
        if (is_good && flex_add_element(r, m, &e) < 0) {
            return;
        }
    }
}

static void read_elements(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, "elements");
    where_path list = where_at(where, "elements");
    if (!all) {
        return;
    }
    const yaml_node *file = all->kind == YAML_MAP ? yaml_get(all, "file") : NULL;
    if (file && file->kind == YAML_SCALAR) {
        text_table t;
        bi_fe_element like = { .kind = m->kind, .section = m->section, .material = m->material };
        reader_known(r, all, &keys_flex_elements, list.text);
        if (flex_read_make(r, all, list.text, m, &like) &&
            text_table_read(r, m, file, where_at(list.text, "file").text, &t)) {
            read_element_rows(r, &t, where_at(list.text, "file").text, m, like);
        }
        return;
    }
    if (all->kind != YAML_LIST &&
        !reader_expect(r, all, YAML_MAP, list.text, "elements, a list of them, or {file: elements.csv}")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        char number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        const char *name = all->kind == YAML_MAP ? all->key[k]->text : NULL;
        where_path here = where_at(list.text, name ? name : number);
        if (reader_expect(r, all->item[k], YAML_MAP, here.text, "an element such as {nodes: [a, b]}")) {
            read_element(r, all->item[k], name, m->def.mesh.n_element + 1, here.text, m);
        }
    }
}

// A leader and the nodes that follow it.
static void read_link(reader *r, const yaml_node *one, const char *where, flex_mesh *m)
{
    reader_known(r, one, &keys_flex_link, where);
    const yaml_node *leader = yaml_get(one, "leader"), *followers = yaml_get(one, "followers");
    if (!leader || !followers || followers->kind != YAML_LIST) {
        reader_error(r, one, where, "needs 'leader', a node, and 'followers', a list of nodes");
        return;
    }
    bi_fe_element e = { .kind = BI_FE_LINK, .section = -1, .material = -1, .place = reader_place_of(r, one) };
    e.node[0] = read_flex_node(r, m, leader, where_at(where, "leader").text);
    for (int i = 0; i < followers->count; i++) {
        e.node[1] = read_flex_node(r, m, followers->item[i], where_at(where, "followers").text);
        if (e.node[0] >= 0 && e.node[1] >= 0) {
            flex_add_element(r, m, &e);
        }
    }
}

static void read_mass(reader *r, const yaml_node *one, const char *where, flex_mesh *m)
{
    reader_known(r, one, &keys_flex_mass, where);
    const yaml_node *node = yaml_get(one, "node"), *inertia = yaml_get(one, "inertia");
    if (!node || !yaml_get(one, "mass")) {
        reader_error(r, one, where, "needs 'node' and 'mass'");
        return;
    }
    bi_fe_element e = { .kind = BI_FE_MASS, .section = -1, .material = -1, .place = reader_place_of(r, one) };
    e.node[0] = read_flex_node(r, m, node, where_at(where, "node").text);
    bool is_good = reader_number_of(r, one, "mass", "kg", where, &e.mass) && e.node[0] >= 0;
    if ((!inertia || reader_numbers(r, inertia, 6, "kg*m^2", where_at(where, "inertia").text, e.inertia)) &&
        is_good) {
        flex_add_element(r, m, &e);
    }
}

// The lists of a mesh whose entries are maps.
typedef struct {
    const char *key, *example;
    void (*read)(reader *r, const yaml_node *one, const char *where, flex_mesh *m);
} map_list;

static const map_list map_lists[] = { { "links", "{leader: a, followers: [b, c]}", read_link },
                                      { "masses", "{node: tip, mass: 1}", read_mass } };

static void read_map_list(reader *r, const yaml_node *map, const char *where, const map_list *l, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, l->key);
    where_path list = where_at(where, l->key);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "a list of %s", l->example);
    if (!all || !reader_expect(r, all, YAML_LIST, list.text, wanted)) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        if (reader_expect(r, all->item[k], YAML_MAP, list.text, l->example)) {
            l->read(r, all->item[k], list.text, m);
        }
    }
}

static void each_of(reader *r, const yaml_node *map, const char *key, const char *where, flex_mesh *m,
                    void (*read)(reader *, const yaml_node *, const char *, const char *, flex_mesh *))
{
    const yaml_node *all = yaml_get(map, key);
    where_path list = where_at(where, key);
    if (!all || !reader_expect(r, all, YAML_MAP, list.text, "a mapping from names")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        where_path here = where_at(list.text, all->key[k]->text);
        if (reader_expect(r, all->item[k], YAML_MAP, here.text, "a mapping")) {
            read(r, all->item[k], all->key[k]->text, here.text, m);
        }
    }
}

void read_flex_mesh(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *plane = yaml_get(map, "plane");
    m->scale = 1.0;
    reader_number_of(r, map, "scale", NULL, where, &m->scale);
    if (plane) {
        reader_bool(r, plane, where_at(where, "plane").text, &m->def.mesh.is_plane);
    }
    read_flex_materials(r, map, where, m);
    read_flex_sections(r, map, where, m);
    // where there is one only, elements need not name it
    m->section = m->def.mesh.n_section == 1 ? 0 : -1;
    m->material = m->def.mesh.n_material == 1 ? 0 : -1;
    bi_fe_element like = { .kind = BI_FE_BEAM, .section = m->section, .material = m->material };
    if (flex_read_make(r, map, where, m, &like)) {
        m->kind = like.kind;
        m->section = like.section;
        m->material = like.material;
    }
    read_flex_file(r, map, where, m);
    read_nodes(r, map, where, m);
    each_of(r, map, "rectangles", where, m, read_flex_rectangle);
    each_of(r, map, "lines", where, m, read_flex_line);
    read_elements(r, map, where, m);
    for (size_t k = 0; k < sizeof map_lists / sizeof *map_lists; k++) {
        read_map_list(r, map, where, &map_lists[k], m);
    }
}
