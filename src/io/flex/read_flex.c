// SPDX-License-Identifier: MIT
// The key `flex` of a body: a mesh, and what to make of it.
#include "io/flex/flex_exact.h"
#include "io/flex/flex_split.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_frame(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *node = yaml_get(map, "frame");
    where_path here = where_at(where, "frame");
    if (!node) {
        reader_error(r, map, where, "needs 'frame', the node that the body's axes are fixed to");
        return;
    }
    // a list of numbers is a place, a list of names several nodes
    bool is_several = node->kind == YAML_LIST && (node->count != 3 || node->item[0]->kind != YAML_SCALAR ||
                                                  flex_find_node(&m->def.mesh, node->item[0]->text) >= 0);
    int count = is_several ? node->count : 1;
    int32_t *frame = blocks_new(&m->names, ((size_t)count + 1) * sizeof *frame);
    for (int k = 0; frame && k < count; k++) {
        int found = read_flex_node(r, m, is_several ? node->item[k] : node, here.text);
        if (found >= 0) {
            frame[m->def.n_frame++] = found;
        }
    }
    m->def.frame = frame;
    m->def.frame_place = reader_place_of(r, node);
}

static void read_boundary_vectors(reader *r, const yaml_node *one, const char *where, bi_flex_boundary *b)
{
    const yaml_node *vectors = yaml_get(one, "vectors");
    where_path here = where_at(where, "vectors");
    if (!vectors ||
        !reader_expect(r, vectors, YAML_LIST, here.text, "a list of one to three vectors [x, y, z]")) {
        return;
    }
    if (vectors->count > 3) {
        reader_error(r, vectors, here.text, "three vectors are enough to fix all turns");
        return;
    }
    for (int k = 0; k < vectors->count; k++) {
        if (reader_direction(r, vectors->item[k], here.text, &b->vector[b->n_vector])) {
            b->n_vector++;
        }
    }
}

// Nodes, or {node: tip, point: false, vectors: [[0, 0, 1]]}.
static void read_boundary(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, "boundary");
    where_path here = where_at(where, "boundary");
    if (!all || !reader_expect(r, all, YAML_LIST, here.text, "a list of nodes")) {
        return;
    }
    bi_flex_boundary *list = blocks_new(&m->names, ((size_t)all->count + 1) * sizeof *list);
    for (int k = 0; list && k < all->count; k++) {
        const yaml_node *one = all->item[k], *node = one->kind == YAML_MAP ? yaml_get(one, "node") : one;
        bi_flex_boundary b = { .is_point = true, .place = reader_place_of(r, one) };
        if (one->kind == YAML_MAP) {
            reader_known(r, one, &keys_flex_boundary, here.text);
            if (yaml_get(one, "point")) {
                reader_bool(r, yaml_get(one, "point"), where_at(here.text, "point").text, &b.is_point);
            }
            read_boundary_vectors(r, one, here.text, &b);
        }
        if (!node) {
            reader_error(r, one, here.text, "needs 'node'");
            continue;
        }
        b.node = read_flex_node(r, m, node, here.text);
        if (b.node >= 0) {
            list[m->def.n_boundary++] = b;
        }
    }
    m->def.boundary = list;
}

// A ratio for all modes, or {ratio: 0.01, alpha: .., beta: ..}.
static void read_damping(reader *r, const yaml_node *map, const char *where, bi_flex_def *def)
{
    const yaml_node *node = yaml_get(map, "damping");
    where_path here = where_at(where, "damping");
    if (!node) {
        return;
    }
    if (node->kind == YAML_SCALAR) {
        reader_number(r, node, NULL, here.text, &def->damping);
    } else if (reader_expect(r, node, YAML_MAP, here.text,
                             "a ratio, or {ratio: 0.01, alpha: 0, beta: 1e-4 s}")) {
        reader_known(r, node, &keys_flex_damping, here.text);
        reader_number_of(r, node, "ratio", NULL, here.text, &def->damping);
        reader_number_of(r, node, "alpha", "1/s", here.text, &def->alpha);
        reader_number_of(r, node, "beta", "s", here.text, &def->beta);
    }
    if (def->damping < 0.0 || def->alpha < 0.0 || def->beta < 0.0) {
        reader_error(r, node, here.text, "must not be negative");
    }
}

static void read_flag(reader *r, const yaml_node *map, const char *key, const char *where, bool *value)
{
    const yaml_node *node = yaml_get(map, key);
    if (node) {
        reader_bool(r, node, where_at(where, key).text, value);
    }
}

shortening read_shortening(reader *r, const yaml_node *flex, const char *where)
{
    static const char *const words[] = { "false", "true", "load" };
    const yaml_node *node = yaml_get(flex, "foreshortening");
    where_path here = where_at(where, "foreshortening");
    double code = 0.0;
    for (int k = 0; node && node->kind == YAML_SCALAR && k < 3; k++) {
        if (strcmp(node->text, words[k]) == 0) {
            return (shortening)k;
        }
    }
    if (node && reader_number(r, node, NULL, here.text, &code) && code != 0.0 && code != 1.0 && code != 2.0) {
        reader_error(r, node, here.text,
                     "must be false, true or load (0, 1 or 2): load is for a prescribed rotation");
        return SHORTEN_NOT;
    }
    return (shortening)code;
}

// "auto 1 %": the stress may be this far from that of the full mesh.
static bool read_auto(reader *r, const yaml_node *modes, const yaml_node *up_to, const char *where,
                      bi_flex_def *def)
{
    where_path here = where_at(where, "modes");
    if (!modes || modes->kind != YAML_SCALAR || strncmp(modes->text, "auto", 4) != 0) {
        return false;
    }
    const char *rest = modes->text + 4 + strspn(modes->text + 4, " ");
    bi_report own = { 0 };
    def->tolerance = 0.01;
    if (*rest && (!bi_model_number(r->model, rest, NULL, here.text, &def->tolerance, &own) ||
                  !(def->tolerance >= 1e-5 && def->tolerance < 1.0))) {
        reader_error(r, modes, here.text, "must be such as 'auto 1 %%': from 0.001 %% to below 100 %%");
        def->tolerance = 0.01;
    }
    bi_report_clear(&own);
    if (!up_to) {
        reader_error(
            r, modes, here.text,
            "auto needs 'up_to', the highest frequency of what acts on the body, such as up_to: 50 Hz");
    }
    return true;
}

static void read_modes(reader *r, const yaml_node *map, const char *where, bi_flex_def *def)
{
    const yaml_node *modes = yaml_get(map, "modes"), *up_to = yaml_get(map, "up_to");
    double count = 0.0;
    if (!read_auto(r, modes, up_to, where, def) && modes &&
        reader_number(r, modes, NULL, where_at(where, "modes").text, &count)) {
        if (!(count >= 0.0 && count <= 10000.0 && count == floor(count))) {
            reader_error(r, modes, where_at(where, "modes").text,
                         "must be an integer from 0 on, and it is %g", count);
            count = 0.0;
        }
        def->n_normal = (int)count;
    }
    reader_number_of(r, map, "up_to", "1/s", where, &def->up_to);
    if (up_to && !(def->up_to > 0.0)) {
        reader_error(r, up_to, where_at(where, "up_to").text, "must be a positive frequency, such as 100 Hz");
    }
    def->normal_place = reader_place_of(r, modes ? modes : up_to ? up_to : map);
}

static bool refuse_prestress(reader *r, const flex_mesh *m)
{
    for (int k = 0; k < m->def.mesh.n_element; k++) {
        const bi_fe_element *e = &m->def.mesh.element[k];
        if (e->prestress != 0.0) {
            bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, e->place, e->name ? e->name : "prestress",
                          "'prestress' is for 'model: exact': bodies in modes are described without stress");
            return false;
        }
    }
    return true;
}

void read_flex(reader *r, const yaml_node *body, const char *where, flex_pieces *out)
{
    const yaml_node *map = yaml_get(body, "flex"), *node;
    where_path here = where_at(where, "flex");
    flex_mesh m = { 0 };
    int before = r->n_told, errors = r->report->errors;
    if (!map || !reader_expect(r, map, YAML_MAP, here.text, "a mapping with nodes, elements and frame")) {
        return;
    }
    bool has_rotary = true;
    int n_piece = 1;
    reader_known(r, map, &keys_flex, here.text);
    m.def.name = here.text;
    m.def.place = reader_place_of(r, map);
    read_flex_mesh(r, map, here.text, &m);
    m.has_gap = r->n_told > before || r->report->errors > errors;
    read_frame(r, map, here.text, &m);
    read_boundary(r, map, here.text, &m);
    read_modes(r, map, here.text, &m.def);
    read_damping(r, map, here.text, &m.def);
    m.def.is_foreshortened = read_shortening(r, map, here.text) != SHORTEN_NOT;
    read_flag(r, map, "rotary", here.text, &has_rotary);
    read_flag(r, map, "weight_modes", here.text, &m.def.has_weight_modes);
    node = yaml_get(map, "mass");
    if (node && reader_number_of(r, map, "mass", "kg", here.text, &m.def.mass) && m.def.mass == 0.0) {
        reader_error(r, node, where_at(here.text, "mass").text, "must be positive, and it is 0");
    }
    m.def.has_no_rotary = !has_rotary;
    m.def.mass_place = reader_place_of(r, node ? node : map);
    node = yaml_get(map, "foreshortening");
    m.def.foreshortening_place = reader_place_of(r, node ? node : map);
    const yaml_node *split = yaml_get(map, "split");
    where_path here_split = where_at(here.text, "split");
    bool is_good = !split || flex_read_integer(r, split, here_split.text, 1, FLEX_MOST_PIECES, &n_piece);
    int model = yaml_get(map, "model") ? reader_word_of(r, map, &keys_flex, "model", here.text) : 0;
    // what was told already would be told again
    is_good = is_good && r->n_told == before && r->report->errors == errors;
    is_good = is_good && (model == 1 || refuse_prestress(r, &m));
    if (is_good && model == 1) {
        out->is_exact = flex_exact_take(r, map, here.text, &m);
    } else if (is_good) {
        (void)flex_build(r, split, here_split.text, &m, n_piece, out);
    }
    if (out->n == 0 && !out->is_exact) {
        r->entry->has_mistake = true;
        r->has_bad_flex = true;
    }
    flex_mesh_free(&m);
}

bool reader_node_place(reader *r, const yaml_node *map, bi_body *body, const char *where, bi_vec3 *value)
{
    const yaml_node *node = yaml_get(map, "node");
    where_path here = where_at(where, "node");
    const bi_flex *flex = bi_model_flex(r->model, *body);
    const bi_fe_mesh *exact = flex_exact_mesh(r, *body);
    if (yaml_get(map, "at")) {
        reader_error(r, node, here.text, "'node' and 'at' exclude each other");
        return false;
    }
    if (exact) {
        flex_mesh view = { .def.mesh = *exact };
        int k = read_flex_node(r, &view, node, here.text);
        blocks_free(&view.names);
        return k >= 0 && flex_exact_node(r, *body, k, body, value);
    }
    if (!flex) {
        // a mesh with a mistake was reported
        if (!r->has_bad_flex) {
            reader_error(r, node, here.text, "only a body with 'flex' has nodes; give 'at'");
        }
        return false;
    }
    const char *text = reader_expect(r, node, YAML_SCALAR, here.text, "the name or number of a node")
                           ? reader_text(r, node, here.text)
                           : NULL;
    if (text) {
        *body = reader_piece_of_node(r, *body, text);
        flex = bi_model_flex(r->model, *body);
    }
    flex_mesh view = { .def.mesh = *bi_flex_mesh(flex) };
    int k = text ? flex_find_node(&view.def.mesh, text) : -1;
    if (text && k < 0) {
        reader_error(r, node, here.text, "there is no node '%.60s' in the mesh of this body%s", text,
                     flex_hint(&view, text));
    }
    blocks_free(&view.names);
    if (k >= 0) {
        *value = view.def.mesh.node[k].at;
    }
    return k >= 0;
}
