// SPDX-License-Identifier: MIT
// Shapes on bodies: sizes, meshes from files, height fields from rows, files or an expression.
#include "io/mesh/look_file.h"
#include "io/model/reader.h"
#include "io/road/read_road.h"
#include <biela/geom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 4 * 1000 * 1000 };

static void check_keys(reader *r, const yaml_node *value, const char *where, bi_shape_type type)
{
    const key_def *key;
    reader_known(r, value, &keys_solid, where);
    for (int k = 0; (key = key_at(&keys_solid, k)); k++) {
        const yaml_node *node = key_is_of(key, 1u << type) ? NULL : yaml_get(value, key->key);
        if (node) {
            const char *name = bi_shape_type_name(type);
            reader_error(r, node, where_at(where, key->key).text, "%s %s has no '%s'",
                         name[0] == 'e' ? "an" : "a", name, key->key);
        }
    }
}

// A size that is missing, or cannot be read, is 1: what cannot be known must not look like another mistake.
static void assume_sizes(reader *r, const yaml_node *value, const char *where, bi_shape_def *def)
{
    const key_def *key;
    for (int k = 0; (key = key_at(&keys_solid, k)); k++) {
        if (key->needed_by == ~0u || !(key->needed_by & 1u << def->type)) {
            continue;
        }
        bool is_vector = strcmp(key->type, "vector") == 0;
        double *to = (double *)(void *)((char *)def + key->at);
        for (int i = 0; i < (is_vector ? 3 : 1); i++) {
            to[i] = 1.0;
        }
        bool is_replaced = strcmp(key->key, "length") == 0 && yaml_get(value, "ends");
        if (!yaml_get(value, key->key) && !is_replaced) {
            reader_error(r, r->entry, where, "needs '%s', %sin %s", key->key, is_vector ? "[x, y, z] " : "",
                         key->unit);
        }
    }
}

// A whole number; `otherwise` stands for what is none of the kind, which the model tells. 0: not given.
static int read_count(reader *r, const yaml_node *value, const char *key, int otherwise, const char *where)
{
    const yaml_node *node = yaml_get(value, key);
    double count = 0.0;
    if (!node || !reader_number_of(r, value, key, "1", where, &count)) {
        return 0;
    }
    if (count != floor(count)) {
        reader_error(r, node, where_at(where, key).text, "must be a whole number, and it is %g", count);
        return 0;
    }
    return count >= 1.0 && count <= 1e6 ? (int)count : otherwise;
}

static void read_sizes(reader *r, const yaml_node *value, const char *where, bi_shape_def *def)
{
    assume_sizes(r, value, where, def);
    reader_values(r, value, &keys_solid, 1u << def->type, where, def);
    def->facets = read_count(r, value, "facets", 1, where);
    def->pieces = def->type == BI_SHAPE_MESH ? read_count(r, value, "pieces", -1, where) : 0;
}

// ---- meshes ----------------------------------------------------------------------------------------------------

// How long the unit of the file is along each axis, in m; negative: mirrored. False: a mistake was told.
static bool read_scale(reader *r, const yaml_node *value, const char *where, double scale[3])
{
    const yaml_node *unit = yaml_get(value, "unit"), *factor = yaml_get(value, "scale");
    where_path here = where_at(where, unit ? "unit" : "scale");
    scale[0] = scale[1] = scale[2] = 1.0;
    if (unit && factor) {
        reader_error(r, unit, here.text, "is given besides 'scale'; one of them is enough");
        return false;
    }
    if (unit) {
        char text[64];
        if (!reader_expect(r, unit, YAML_SCALAR, here.text, "a unit of length such as mm")) {
            return false;
        }
        snprintf(text, sizeof text, "1 %.40s", unit->text);
        bi_report said = { 0 };
        bool is_length = bi_model_number(r->model, text, "m", here.text, scale, &said);
        bi_report_clear(&said);
        if (!is_length) {
            reader_error(r, unit, here.text, "'%.40s' is no unit of length; mm, cm, m or inch", unit->text);
        }
        scale[1] = scale[2] = scale[0];
        return is_length;
    }
    if (factor && factor->kind == YAML_LIST) {
        if (!reader_numbers(r, factor, 3, NULL, here.text, scale)) {
            return false;
        }
        bool is_good = true;
        for (int k = 0; k < 3; k++) {
            is_good = is_good && isfinite(scale[k]) && scale[k] != 0.0;
        }
        if (!is_good) {
            reader_error(r, factor, here.text, "must have three numbers that are not zero");
        }
        return is_good;
    }
    if (factor && !reader_number(r, factor, NULL, here.text, scale)) {
        return false;
    }
    if (!(scale[0] > 0.0) || !isfinite(scale[0])) {
        reader_error(r, factor, here.text,
                     "must be positive, and it is %g: the length of the file's unit in m", scale[0]);
        return false;
    }
    scale[1] = scale[2] = scale[0];
    return true;
}

// The triangles of a file, borrowed. NULL: a mistake was told.
static const bi_mesh *read_triangles(reader *r, const yaml_node *value, const char *where)
{
    const yaml_node *file = yaml_get(value, "file");
    where_path here = where_at(where, "file");
    double scale[3];
    if (!file) {
        reader_error(r, r->entry, where, "a mesh needs 'file': an .obj or .stl, relative to this file");
        return NULL;
    }
    const char *name = reader_expect(r, file, YAML_SCALAR, here.text, "the name of a file .obj or .stl")
                           ? reader_text(r, file, here.text)
                           : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    bi_report said = { 0 };
    const bi_mesh *mesh = read_scale(r, value, where, scale) && path
                              ? shelf_mesh(r->shelf, path, scale, reader_place_of(r, file), here.text, &said)
                              : NULL;
    // of what is only seen, a few holes and loose corners are nobody's concern
    bool is_solid = true;
    if (yaml_get(value, "solid")) {
        reader_bool(r, yaml_get(value, "solid"), where_at(where, "solid").text, &is_solid);
    }
    for (int k = 0; k < said.count; k++) {
        if (is_solid || said.issue[k].severity == BI_ERROR) {
            reader_tell(r, &said.issue[k]);
        }
    }
    bi_report_clear(&said);
    int line =
        mesh && !yaml_get(value, "colour") && !yaml_get(value, "visible") ? look_file_material(path) : 0;
    if (line > 0) {
        reader_tell(r, &(bi_issue){ BI_NOTE,
                                    BI_OK,
                                    { path, line, 1 },
                                    here.text,
                                    "materials of a shape are not drawn: give it 'colour', or draw the file "
                                    "with 'looks'" });
    }
    free(path);
    return mesh;
}

// points: [[x, y, z], ...], or the corners of the triangles of a file; they live until the entry ends. NULL: a mistake was
// told.
static const bi_mesh *read_points(reader *r, const yaml_node *value, const char *where)
{
    const yaml_node *points = yaml_get(value, "points"), *file = yaml_get(value, "file");
    where_path here = where_at(where, "points");
    if (!points == !file) {
        reader_error(r, r->entry, where, "a hull needs 'points' or 'file', one of them");
        return NULL;
    }
    if (file) {
        return read_triangles(r, value, where);
    }
    if (!reader_expect(r, points, YAML_LIST, here.text, "a list of points [x, y, z] in m")) {
        return NULL;
    }
    bi_mesh *mesh = blocks_new(&r->memory, sizeof *mesh);
    bi_vec3 *vertex = blocks_new(&r->memory, ((size_t)points->count + 1) * sizeof *vertex);
    bool is_good = mesh && vertex;
    if (is_good) {
        *mesh = (bi_mesh){ .vertex = vertex };
    }
    for (int k = 0; is_good && k < points->count; k++) {
        is_good = reader_vec3(r, points->item[k], "m", here.text, &mesh->vertex[k]);
        mesh->n_vertex += is_good;
    }
    return is_good ? mesh : NULL;
}

// ---- height fields ---------------------------------------------------------------------------------------------

static bool read_rows(reader *r, const yaml_node *rows, const char *where, bi_shape_def *def, double **height)
{
    if (rows->count < 2 || rows->item[0]->kind != YAML_LIST || rows->item[0]->count < 2) {
        reader_error(r, rows, where, "needs two rows of two heights at least, such as [[0, 0], [0, 1]]");
        return false;
    }
    int n_x = rows->item[0]->count, n_y = rows->count;
    *height = malloc((size_t)n_x * (size_t)n_y * sizeof **height);
    bool is_good = *height != NULL;
    for (int j = 0; j < n_y && *height; j++) {
        is_good =
            reader_numbers(r, rows->item[j], n_x, "m", where, *height + (size_t)j * (size_t)n_x) && is_good;
    }
    def->n_x = n_x;
    def->n_y = n_y;
    return is_good;
}

// {file: heights.csv}: a line of names, then a row of heights along x per line.
static bool read_file(reader *r, const yaml_node *map, const char *where, bi_shape_def *def, double **height)
{
    reader_known(r, map, &keys_heights_file, where);
    const yaml_node *file = yaml_get(map, "file");
    const char *name = file && file->kind == YAML_SCALAR ? reader_text(r, file, where) : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    bi_report said = { 0 };
    bi_table table = { 0 };
    bool is_read = path && bi_table_read(path, &table, &said);
    if (!is_read) {
        reader_error(r, file ? file : map, where, "%.200s: %s", name ? name : "needs 'file'",
                     said.count > 0 ? said.issue[0].what : "the name of a CSV file");
    }
    if (is_read && (table.rows < 2 || table.columns < 2)) {
        reader_error(r, file, where, "%.200s has %d rows and %d columns, and two of each are needed", name,
                     table.rows, table.columns);
        is_read = false;
    }
    *height = is_read ? malloc((size_t)table.rows * (size_t)table.columns * sizeof **height) : NULL;
    for (int j = 0; *height && j < table.rows; j++) {
        for (int i = 0; i < table.columns; i++) {
            (*height)[(size_t)j * (size_t)table.columns + (size_t)i] = table.value[i][j];
        }
    }
    def->n_x = table.columns;
    def->n_y = table.rows;
    bi_table_clear(&table);
    bi_report_clear(&said);
    free(path);
    return *height != NULL;
}

// A parameter of the model that is hidden for a while.
typedef struct {
    const char *name, *unit;
    double value;
    bool is_there;
} hidden;

static hidden hide(reader *r, const char *name)
{
    hidden h = { .name = name };
    const char *own, *unit;
    double value;
    for (int k = 0; bi_model_parameter_at(r->model, k, &own, &value, &unit); k++) {
        if (strcmp(own, name) == 0) {
            h.is_there = true;
            h.value = value;
            h.unit = unit ? blocks_text(&r->memory, unit, strlen(unit)) : NULL;
        }
    }
    return h;
}

static void show_again(reader *r, const hidden *h)
{
    bi_model_forget(r->model, h->name);
    if (h->is_there) {
        bi_model_parameter(r->model, h->name, h->value, h->unit);
    }
}

// surface: an expression of x and y at the nodes between `from` and `to`.
static bool read_surface(reader *r, const yaml_node *value, const yaml_node *surface, const char *where,
                         bi_shape_def *def, double **height)
{
    double from[2], to[2];
    const yaml_node *a = yaml_get(value, "from"), *b = yaml_get(value, "to");
    where_path here = where_at(where, "surface");
    if (!a || !b) {
        reader_error(r, surface, here.text, "needs 'from: [x, y]' and 'to: [x, y]': where the field lies");
        return false;
    }
    if (!reader_numbers(r, a, 2, "m", where_at(where, "from").text, from) ||
        !reader_numbers(r, b, 2, "m", where_at(where, "to").text, to) ||
        !reader_expect(r, surface, YAML_SCALAR, here.text, "an expression of x and y")) {
        return false;
    }
    double n_x = floor((to[0] - from[0]) / def->step_x + 0.5) + 1.0,
           n_y = floor((to[1] - from[1]) / def->step_y + 0.5) + 1.0;
    if (!(n_x >= 2.0 && n_y >= 2.0 && n_x * n_y <= MOST_NODES)) {
        reader_error(r, b, where_at(where, "to").text,
                     "gives %g x %g nodes with this 'spacing'; two each way at least, %d in all at most", n_x,
                     n_y, MOST_NODES);
        return false;
    }
    const char *text = reader_text(r, surface, here.text);
    def->n_x = (int)n_x;
    def->n_y = (int)n_y;
    def->first_x = from[0];
    def->first_y = from[1];
    *height = malloc((size_t)def->n_x * (size_t)def->n_y * sizeof **height);
    bool is_good = *height && text;
    hidden x = hide(r, "x"), y = hide(r, "y");
    reader_place(r, surface);
    for (int k = 0; k < def->n_x * def->n_y && is_good; k++) {
        bi_report said = { 0 };
        // numbers in m without a unit, as the surfaces of tyres and rolling wheels read them: 0.2*sin(x) is a hill
        bi_model_parameter(r->model, "x", from[0] + def->step_x * (k % def->n_x), NULL);
        bi_model_parameter(r->model, "y", from[1] + def->step_y * (int)(k / def->n_x), NULL);
        is_good = bi_model_number(r->model, text, NULL, here.text, &(*height)[k], &said);
        reader_forward(r, &said, surface, surface->text_column > 0);
    }
    show_again(r, &x);
    show_again(r, &y);
    return is_good;
}

// False: a mistake was told.
static bool read_heights(reader *r, const yaml_node *value, const char *where, bi_shape_def *def,
                         double **height)
{
    const yaml_node *heights = yaml_get(value, "heights"), *surface = yaml_get(value, "surface"),
                    *spacing = yaml_get(value, "spacing");
    double step[2] = { 0.0, 0.0 }, from[2] = { 0.0, 0.0 };
    where_path here = where_at(where, "heights");
    if ((heights != NULL) + (surface != NULL) != 1) {
        reader_error(r, r->entry, where, "a field needs either 'heights' or 'surface'");
        return false;
    }
    if (!spacing) {
        reader_error(r, r->entry, where,
                     "a field needs 'spacing': the distance of its nodes, or [x, y], in m");
        return false;
    }
    bool is_good = spacing->kind == YAML_LIST
                       ? reader_numbers(r, spacing, 2, "m", where_at(where, "spacing").text, step)
                       : reader_number(r, spacing, "m", where_at(where, "spacing").text, step);
    def->step_x = step[0];
    def->step_y = spacing->kind == YAML_LIST ? step[1] : step[0];
    if (is_good && !(def->step_x > 0.0 && def->step_y > 0.0)) {
        reader_error(r, spacing, where_at(where, "spacing").text, "must be positive");
        return false;
    }
    if (!is_good) {
        return false;
    }
    if (surface) {
        return read_surface(r, value, surface, where, def, height);
    }
    const yaml_node *first = yaml_get(value, "from");
    if (first && reader_numbers(r, first, 2, "m", where_at(where, "from").text, from)) {
        def->first_x = from[0];
        def->first_y = from[1];
    }
    if (heights->kind == YAML_MAP) {
        return read_file(r, heights, here.text, def, height);
    }
    return reader_expect(r, heights, YAML_LIST, here.text, "rows of heights, or {file: heights.csv}") &&
           read_rows(r, heights, here.text, def, height);
}

// ---- looks -----------------------------------------------------------------------------------------------------

static void read_looks(reader *r, const yaml_node *value, const char *where, bi_shape_def *def)
{
    const yaml_node *colour = yaml_get(value, "colour"), *visible = yaml_get(value, "visible");
    bool is_visible = true;
    if (colour) {
        reader_colour(r, colour, where_at(where, "colour").text, def->colour);
    }
    if (visible && reader_bool(r, visible, where_at(where, "visible").text, &is_visible)) {
        def->is_hidden = !is_visible;
    }
    const yaml_node *title = yaml_get(value, "title");
    def->title = title ? reader_text(r, title, where_at(where, "title").text) : NULL;
    if (yaml_get(value, "finish")) {
        def->finish = (bi_finish)(1 + reader_word_of(r, value, &keys_solid, "finish", where));
    }
}

// ---- one shape -------------------------------------------------------------------------------------------------

// ends: [[x, y, z], [x, y, z]], the ends of the axis instead of place, turn and length.
static void read_ends(reader *r, const yaml_node *value, const char *where, bi_shape_def *def)
{
    static const char *const instead[] = { "at", "turn", "length" };
    const yaml_node *ends = yaml_get(value, "ends");
    where_path here = where_at(where, "ends");
    bi_vec3 end[2];
    def->length = 1.0; // what cannot be known must not look like another mistake
    for (int k = 0; k < 3; k++) {
        if (yaml_get(value, instead[k])) {
            reader_error(r, ends, here.text, "is given besides '%s'; the ends alone are enough", instead[k]);
        }
    }
    if (!reader_expect(r, ends, YAML_LIST, here.text, "two points [[x, y, z], [x, y, z]] in m")) {
        return;
    }
    if (ends->count != 2) {
        reader_error(r, ends, here.text, "has %d points; two are needed", ends->count);
        return;
    }
    if (!reader_vec3(r, ends->item[0], "m", here.text, &end[0]) ||
        !reader_vec3(r, ends->item[1], "m", here.text, &end[1])) {
        return;
    }
    bi_vec3 d = { end[1].x - end[0].x, end[1].y - end[0].y, end[1].z - end[0].z };
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    if (!(length > 0.0)) {
        reader_error(r, ends, here.text, "both ends are the same point");
        return;
    }
    def->length = length;
    def->pose.pos = (bi_vec3){ end[0].x + 0.5 * d.x, end[0].y + 0.5 * d.y, end[0].z + 0.5 * d.z };
    // from z to d: half the way is z + d, and a d straight down is half a turn about x
    double w = length + d.z, size = sqrt(w * w + d.x * d.x + d.y * d.y);
    def->pose.rot = size > 1e-9 * length ? (bi_quat){ w / size, -d.y / size, d.x / size, 0.0 }
                                         : (bi_quat){ 0.0, 1.0, 0.0, 0.0 };
}

// On a body, or on the ground, which is where an included file says.
static void read_pose(reader *r, const yaml_node *value, const char *where, bi_shape_def *def)
{
    const yaml_node *body = yaml_get(value, "body");
    def->body = BI_GROUND;
    bool is_known = true;
    if (body) {
        is_known = reader_lookup(r, body, &r->bodies, "body", where_at(where, "body").text, &def->body.i);
    } else {
        def->body.i = r->scope->ground;
    }
    reader_turn(r, yaml_get(value, "turn"), where_at(where, "turn").text, &def->pose.rot);
    if (yaml_get(value, "ends") &&
        (def->type == BI_SHAPE_CYLINDER || def->type == BI_SHAPE_CAPSULE || def->type == BI_SHAPE_CONE)) {
        read_ends(r, value, where, def);
    }
    if (is_known && (!body || reader_is_ground(body))) {
        bi_pose pose = reader_place_pose(r, def->pose);
        def->pose.pos = reader_into_body(r, def->body, pose.pos);
        def->pose.rot = reader_rotation_into_body(r, def->body, pose.rot);
    }
    def->body = is_known ? def->body : BI_GROUND;
    reader_piece_near(r, &def->body, &def->pose.pos);
}

// What became of a mesh that is cut into pieces; nothing to say if they are exactly the mesh.
static void tell_pieces(reader *r, const yaml_node *value, const char *where, bi_shape shape)
{
    double excess;
    int n = bi_model_shape_pieces(r->model, shape, &excess);
    char what[120];
    if (n == 0 || excess < 1e-6) {
        return;
    }
    snprintf(what, sizeof what, "%d convex piece%s with %.2g %% more volume than the mesh", n,
             n == 1 ? "" : "s", 100.0 * excess);
    const yaml_node *node = yaml_get(value, "pieces");
    reader_tell(
        r, &(bi_issue){ BI_NOTE, BI_OK, reader_place_of(r, node), where_at(where, "pieces").text, what });
}

int32_t read_solid(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_shape_def def = { .name = name };
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping such as {type: box, size: [1, 1, 1]}")) {
        return 0;
    }
    if (!yaml_get(value, "type")) {
        char list[200];
        key_words words;
        key_words_of(key_find(&keys_solid, "type")->type, &words);
        reader_error(r, r->entry, where, "needs 'type', one of %s",
                     key_words_list(&words, ", ", list, sizeof list));
        return 0;
    }
    int word = reader_word_of(r, value, &keys_solid, "type", where);
    if (word < 0) {
        return 0;
    }
    def.type = (bi_shape_type)(word + 1);
    check_keys(r, value, where, def.type);
    read_sizes(r, value, where, &def);
    read_pose(r, value, where, &def);
    read_looks(r, value, where, &def);
    bool has_mesh = def.type == BI_SHAPE_MESH || def.type == BI_SHAPE_HULL;
    const bi_mesh *mesh = def.type == BI_SHAPE_MESH   ? read_triangles(r, value, where)
                          : def.type == BI_SHAPE_HULL ? read_points(r, value, where)
                                                      : NULL;
    double *height = NULL;
    def.road = def.type == BI_SHAPE_ROAD ? read_road(r, value, where) : NULL;
    bool is_good = def.type == BI_SHAPE_ROAD    ? def.road != NULL
                   : has_mesh                   ? mesh != NULL
                   : def.type == BI_SHAPE_FIELD ? read_heights(r, value, where, &def, &height)
                                                : true;
    if (mesh) {
        def.n_vertex = mesh->n_vertex;
        def.n_triangle = mesh->n_triangle;
        def.vertex = mesh->vertex;
        def.triangle = (const int32_t(*)[3])mesh->triangle;
        def.surface = def.type == BI_SHAPE_MESH ? shelf_surface(r->shelf, mesh, def.pieces) : NULL;
    }
    def.height = height;
    reader_place(r, r->entry);
    int32_t id = is_good ? bi_add_shape(r->model, &def).i : 0;
    tell_pieces(r, value, where, (bi_shape){ id });
    bi_road_release(def.road);
    free(height);
    return id;
}

// ---- shapes as fields ------------------------------------------------------------------------------------------

// `box*`: the beginning of names, without its star. NULL: a name.
static const char *beginning_of(reader *r, const yaml_node *node, const char *where)
{
    size_t length = node->kind == YAML_SCALAR && node->text[0] ? strlen(node->text) : 0;
    if (length == 0 || node->text[length - 1] != '*') {
        return NULL;
    }
    const char *name = reader_text(r, node, where);
    char *start = name ? blocks_new(&r->memory, strlen(name) + 1) : NULL;
    if (start) {
        memcpy(start, name, strlen(name));
        start[strlen(name) - 1] = 0;
    }
    return start;
}

// All shapes whose names begin so, in the order in which they are defined.
static void add_beginning(reader *r, const yaml_node *node, const char *start, const char *where,
                          bi_shape *item, bi_shapes *value)
{
    const char *full = reader_full_name(r, start);
    size_t length = strlen(full);
    int before = value->count;
    for (int k = 0; k < r->shapes.count; k++) {
        if (strncmp(r->shapes.name[k], full, length) == 0 && r->shapes.id[k] != 0) {
            item[value->count++].i = r->shapes.id[k];
        }
    }
    if (value->count == before && !r->shapes.is_incomplete) {
        reader_error(r, node, where, "there is no shape whose name begins with '%.80s'", start);
    }
}

// Twice the same shape would meet itself.
static void check_once(reader *r, const yaml_node *node, const char *where, const bi_shapes *value)
{
    int n = bi_model_shape_count(r->model);
    bool *is_named = blocks_new(&r->memory, ((size_t)n + 1) * sizeof *is_named);
    for (int i = 0; is_named && i <= n; i++) {
        is_named[i] = false;
    }
    for (int i = 0; is_named && i < value->count; i++) {
        bool *is_here = &is_named[value->item[i].i];
        if (*is_here) {
            reader_error(r, node, where, "names a shape twice");
            return;
        }
        *is_here = true;
    }
}

void reader_shapes(reader *r, const yaml_node *node, const char *where, bi_shapes *value)
{
    bool is_list = node->kind == YAML_LIST, has_star = false;
    int count = is_list ? node->count : 1, most = 1;
    for (int k = 0; k < count; k++) {
        most += beginning_of(r, is_list ? node->item[k] : node, where) ? r->shapes.count : 1;
    }
    bi_shape *item = blocks_new(&r->memory, (size_t)most * sizeof *item);
    if (!item || (is_list && count == 0)) {
        reader_error(r, node, where, "is empty; name at least one shape");
        return;
    }
    for (int k = 0; k < count; k++) {
        const yaml_node *one = is_list ? node->item[k] : node;
        const char *start = beginning_of(r, one, where);
        has_star |= start != NULL;
        if (start) {
            add_beginning(r, one, start, where, item, value);
        } else if (reader_lookup(r, one, &r->shapes, "shape", where, &item[value->count].i)) {
            value->count++;
        }
    }
    value->item = item;
    if (has_star) {
        check_once(r, node, where, value);
    }
}
