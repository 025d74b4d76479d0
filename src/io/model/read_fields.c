// SPDX-License-Identifier: MIT
// Fields of elements that are more than one value: directions, coordinates of joints, tables.
#include "io/model/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The name of a point or vector of the sections `points` and `vectors`; NULL: a mistake was told. `example` is what may
// stand there instead.
static const char *named_of(reader *r, const yaml_node *node, const char *where, const char *example)
{
    const char *name = reader_text(r, node, where), *full = name ? reader_full_name(r, name) : NULL;
    int k = full ? name_set_find(&r->named, full) : -1;
    if (k >= 0 && r->named.id[k] != 0) {
        return full;
    }
    char hint[NAMES_HINT_SIZE];
    if (k >= 0 || r->named.is_incomplete) {
        r->entry->has_gap = true; // told where it is described
    } else if (name) {
        reader_error(r, node, where, "there is no point or vector called '%.80s'%s; name one, or write %s",
                     name, names_hint(name, r->named.name, r->named.count, hint), example);
    }
    return NULL;
}

bool reader_named_point(reader *r, const yaml_node *node, const char *where, bi_point *value)
{
    const char *name = named_of(r, node, where, "{body: rod, at: [0, 0, 0]}");
    if (name && !bi_model_point(r->model, name, value)) {
        reader_error(r, node, where, "'%.80s' is a vector; a point is expected here", name);
        return false;
    }
    return name != NULL;
}

// ---- sections `points` and `vectors` ---------------------------------------------------------------------------

int32_t read_named_point(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_point point = { 0 };
    bool is_good = reader_point(r, value, where, &point);
    reader_place(r, r->entry);
    if (is_good) {
        bi_add_point(r->model, name, point);
    }
    return is_good;
}

int32_t read_named_vector(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_vector vector = { 0 };
    bool is_good = reader_vector(r, value, where, &vector);
    reader_place(r, r->entry);
    if (is_good) {
        bi_add_vector(r->model, name, vector);
    }
    return is_good;
}

bool reader_vector(reader *r, const yaml_node *node, const char *where, bi_vector *value)
{
    if (node->kind == YAML_SCALAR && node->text[0]) {
        const char *name = named_of(r, node, where, "{body: rod, along: [0, 0, 1]}");
        if (name && !bi_model_vector(r->model, name, value)) {
            reader_error(r, node, where, "'%.80s' is a point; a vector is expected here", name);
            return false;
        }
        return name != NULL;
    }
    if (!reader_expect(r, node, YAML_MAP, where, "a direction such as {body: rod, along: [0, 0, 1]}")) {
        return false;
    }
    bool is_named = strncmp(where, "vectors.", 8) == 0;
    reader_known_of(r, node, &keys_direction, is_named ? POINT_NAMED : POINT_INLINE, where);
    const yaml_node *body = yaml_get(node, "body"), *along = yaml_get(node, "along");
    if (!body || !along) {
        reader_error(r, node, where, "needs '%s'", body ? "along" : "body");
        return false;
    }
    bool has_body = reader_lookup(r, body, &r->bodies, "body", where_at(where, "body").text, &value->body.i);
    bool has_along = reader_direction(r, along, where_at(where, "along").text, &value->along);
    if (has_body && has_along && reader_is_ground(body)) {
        value->along = reader_turn_into_body(r, value->body, reader_place_vector(r, value->along));
    }
    return has_along && has_body;
}

// A coordinate by the text `pivot` or `lead.position`, of the node `at`.
static bool coordinate_of_text(reader *r, const char *text, const yaml_node *at, const char *where,
                               bi_joint_coordinate *value)
{
    *value = bi_model_coordinate(r->model, reader_full_name(r, text));
    if (value->joint.i > 0) {
        return true;
    }
    // which part is not known?
    const char *dot = strrchr(text, '.');
    char *name = blocks_text(&r->memory, text, dot ? (size_t)(dot - text) : strlen(text));
    int k = name ? name_set_find(&r->joints, reader_full_name(r, name)) : -1;
    char hint[NAMES_HINT_SIZE];
    if (k >= 0 && r->joints.id[k] == 0) {
        r->entry->has_gap = true;
    } else if (k >= 0) {
        reader_error(r, at, where, "joint '%.80s' has no coordinate '%.80s'", name, dot ? dot + 1 : "");
    } else if (r->joints.is_incomplete) {
        r->entry->has_gap = true;
    } else if (name) {
        reader_error(r, at, where, "there is no joint called '%.80s'%s", name,
                     names_hint(name, r->joints.name, r->joints.count, hint));
    }
    return false;
}

static void read_coordinate(reader *r, const yaml_node *node, const char *where, void *to)
{
    bi_joint_coordinate value = { 0 };
    const char *text =
        reader_expect(r, node, YAML_SCALAR, where, "a joint, or a coordinate such as lead.position")
            ? reader_text(r, node, where)
            : NULL;
    if (text) {
        coordinate_of_text(r, text, node, where, &value);
    }
    memcpy(to, &value, sizeof value);
}

static void read_terms(reader *r, const yaml_node *node, const char *where, void *to)
{
    bi_term term[BI_TERMS] = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "joints and coefficients, such as {sun: 1, ring: -2}")) {
        return;
    }
    if (node->count > BI_TERMS) {
        reader_error(r, node, where, "has %d coordinates; %d is the limit", node->count, BI_TERMS);
        return;
    }
    for (int k = 0; k < node->count; k++) {
        const char *text = reader_text(r, node->key[k], where);
        where_path here = where_at(where, node->key[k]->text);
        if (text && coordinate_of_text(r, text, node->key[k], where, &term[k].coordinate)) {
            reader_number(r, node->item[k], NULL, here.text, &term[k].coefficient);
        }
    }
    memcpy(to, term, sizeof term);
}

// Whether the key is a name that expressions can read; told if not.
static bool is_good_key(reader *r, const yaml_node *key, const char *where)
{
    if (!names_is_identifier(key->text)) {
        reader_error(r, key, where, "'%.80s' is no name: use letters, digits and _", key->text);
        return false;
    }
    return true;
}

static void read_points(reader *r, const yaml_node *node, const char *where, void *to)
{
    bi_points list = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "points such as {P: {body: rod, at: [0, 0, 0]}}")) {
        return;
    }
    bi_named_point *item = blocks_new(&r->memory, ((size_t)node->count + 1) * sizeof *item);
    for (int k = 0; item && k < node->count; k++) {
        bi_named_point *one = &item[list.count];
        one->name = reader_full_name(r, node->key[k]->text); // as in its expression
        if (is_good_key(r, node->key[k], where) &&
            reader_point(r, node->item[k], where_at(where, one->name).text, &one->point)) {
            list.count++;
        }
    }
    list.item = item;
    memcpy(to, &list, sizeof list);
}

static void read_vectors(reader *r, const yaml_node *node, const char *where, void *to)
{
    bi_vectors list = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "directions such as {u: {body: rod, along: [0, 0, 1]}}")) {
        return;
    }
    bi_named_vector *item = blocks_new(&r->memory, ((size_t)node->count + 1) * sizeof *item);
    for (int k = 0; item && k < node->count; k++) {
        bi_named_vector *one = &item[list.count];
        one->name = reader_full_name(r, node->key[k]->text); // as in its expression
        if (is_good_key(r, node->key[k], where) &&
            reader_vector(r, node->item[k], where_at(where, one->name).text, &one->vector)) {
            list.count++;
        }
    }
    list.item = item;
    memcpy(to, &list, sizeof list);
}

// One of the words of the field, as its number.
static void read_choice(reader *r, const bi_field *f, const yaml_node *node, const char *where, void *to)
{
    enum { MOST = 12 };
    const char *words[MOST],
        *text = reader_expect(r, node, YAML_SCALAR, where, "a word") ? reader_text(r, node, where) : NULL;
    int count = 0;
    for (const char *from = f->unit; from && *from && count < MOST;) {
        size_t length = strcspn(from, ",");
        words[count] = blocks_text(&r->memory, from, length);
        if (!words[count++]) {
            return;
        }
        from += length + (from[length] == ',');
    }
    for (int32_t k = 0; text && k < count; k++) {
        if (strcmp(words[k], text) == 0) {
            memcpy(to, &(int32_t){ k + 1 }, sizeof k);
            return;
        }
    }
    char hint[NAMES_HINT_SIZE];
    if (text) {
        reader_error(r, node, where, "'%.80s' is not one of %s%s", text, f->unit,
                     names_hint(text, words, count, hint));
    }
}

// ---- tables --------------------------------------------------------------------------------------------------

enum { MOST_COLUMNS = 8 };

// The units of the columns; gives their number.
static int column_units(reader *r, const bi_field *f, const char *unit[MOST_COLUMNS])
{
    int count = 0;
    for (const char *from = f->unit; from && *from && count < MOST_COLUMNS;) {
        size_t length = strcspn(from, ",");
        unit[count++] = blocks_text(&r->memory, from, length);
        from += length + (from[length] == ',');
    }
    return count;
}

static bool read_listed_rows(reader *r, const bi_field *f, const yaml_node *node, const char *where,
                             double *value)
{
    const char *unit[MOST_COLUMNS];
    int columns = column_units(r, f, unit);
    bool is_good = true;
    for (int k = 0; k < node->count; k++) {
        const yaml_node *row = node->item[k];
        if (!reader_expect(r, row, YAML_LIST, where, "a row of numbers such as [0, 1]")) {
            return false;
        }
        if (row->count != columns) {
            reader_error(r, row, where, "a row of %d numbers is expected here, and there are %d", columns,
                         row->count);
            return false;
        }
        for (int c = 0; c < columns; c++) {
            is_good = reader_number(r, row->item[c], unit[c], where, &value[k * columns + c]) && is_good;
        }
    }
    return is_good;
}

// A path in a model file counts from the folder of that file.
static char *path_beside(reader *r, const char *path)
{
    const char *slash = r->file ? strrchr(r->file, '/') : NULL;
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - r->file) + 1 : 0;
    char *full = blocks_new(&r->memory, folder + strlen(path) + 1);
    if (full) {
        memcpy(full, r->file ? r->file : "", folder);
        memcpy(full + folder, path, strlen(path) + 1);
        reader_tell_file(r, full);
    }
    return full;
}

// {file: curve.csv, columns: [x, y, z]}: by default the first columns of the file.
static double *read_file_rows(reader *r, const bi_field *f, const yaml_node *node, const char *where,
                              bi_grid *grid)
{
    reader_known(r, node, &keys_table_file, where);
    const yaml_node *file = yaml_get(node, "file"), *names = yaml_get(node, "columns");
    const char *unit[MOST_COLUMNS];
    int columns = column_units(r, f, unit), at[MOST_COLUMNS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    if (!file || !reader_expect(r, file, YAML_SCALAR, where, "the name of a CSV file")) {
        if (!file) {
            reader_error(r, node, where, "needs 'file': the name of a CSV file");
        }
        return NULL;
    }
    const char *text = reader_text(r, file, where), *path = text ? path_beside(r, text) : NULL;
    bi_report report = { 0 };
    bi_table table = { 0 };
    if (!path || !bi_table_read(path, &table, &report)) {
        reader_error(r, file, where, "%s: %s", text ? text : "",
                     report.count > 0 ? report.issue[0].what : "cannot be read");
        bi_report_clear(&report);
        return NULL;
    }
    bool is_good = true;
    if (names && (names->kind != YAML_LIST || names->count != columns)) {
        reader_error(r, names, where, "a list of %d names of columns is expected here", columns);
        is_good = false;
    }
    for (int c = 0; is_good && names && c < columns; c++) {
        at[c] = names->item[c]->kind == YAML_SCALAR ? bi_table_column(&table, names->item[c]->text) : -1;
        if (at[c] < 0) {
            reader_error(r, names->item[c], where, "%.80s has no such column", text);
            is_good = false;
        }
    }
    if (is_good && !names && table.columns < columns) {
        reader_error(r, file, where, "%.80s has %d columns, and %d are needed", text, table.columns, columns);
        is_good = false;
    }
    double *value = is_good ? malloc(((size_t)table.rows * (size_t)columns + 1) * sizeof *value) : NULL;
    for (int k = 0; value && k < table.rows; k++) {
        for (int c = 0; c < columns; c++) {
            value[k * columns + c] = table.value[at[c]][k];
        }
    }
    *grid = (bi_grid){ table.rows, columns, value };
    bi_table_clear(&table);
    bi_report_clear(&report);
    return value;
}

// The array lives until the element is added: reader_fields_done frees it.
static void read_grid(reader *r, const bi_field *f, const yaml_node *node, const char *where, void *to)
{
    const char *unit[MOST_COLUMNS];
    bi_grid grid = { 0 };
    if (node->kind == YAML_MAP) {
        read_file_rows(r, f, node, where, &grid);
    } else if (reader_expect(r, node, YAML_LIST, where, "rows of numbers, or {file: NAME.csv}")) {
        int columns = column_units(r, f, unit);
        double *value = calloc((size_t)node->count * (size_t)columns + 1, sizeof *value);
        if (value && read_listed_rows(r, f, node, where, value)) {
            grid = (bi_grid){ node->count, columns, value };
        } else {
            free(value);
        }
    }
    memcpy(to, &grid, sizeof grid);
}

// Whether there is an element of that name is seen when all of them are known.
static void read_name(reader *r, const bi_field *f, const yaml_node *node, const char *where, void *to)
{
    char *full = NULL;
    const char *text = reader_expect(r, node, YAML_SCALAR, where,
                                     f->unit ? "the name of a channel" : "the name of a force or constraint")
                           ? reader_text(r, node, where)
                           : NULL;
    if (text) {
        const char *prefix = f->unit ? "" : r->scope->prefix;
        size_t size = strlen(prefix) + strlen(text) + 1;
        full = malloc(size);
        if (full) {
            snprintf(full, size, "%s%s", prefix, text);
        }
    }
    memcpy(to, &full, sizeof full);
}

void reader_field(reader *r, const bi_field *f, const yaml_node *node, const char *where, void *to)
{
    bi_vector vector = { 0 };
    bi_shapes shapes = { 0 };
    bool flag = false;
    switch (f->type) {
    case BI_FIELD_VECTOR:
        reader_vector(r, node, where, &vector);
        memcpy(to, &vector, sizeof vector);
        break;
    case BI_FIELD_COORDINATE: read_coordinate(r, node, where, to); break;
    case BI_FIELD_TERMS: read_terms(r, node, where, to); break;
    case BI_FIELD_GRID: read_grid(r, f, node, where, to); break;
    case BI_FIELD_POINTS: read_points(r, node, where, to); break;
    case BI_FIELD_VECTORS: read_vectors(r, node, where, to); break;
    case BI_FIELD_CHOICE: read_choice(r, f, node, where, to); break;
    case BI_FIELD_SHAPES:
        reader_shapes(r, node, where, &shapes);
        memcpy(to, &shapes, sizeof shapes);
        break;
    case BI_FIELD_NAME: read_name(r, f, node, where, to); break;
    case BI_FIELD_FLAG:
        reader_bool(r, node, where, &flag);
        memcpy(to, &flag, sizeof flag);
        break;
    default: break;
    }
}

void reader_fields_done(const bi_kind *kind, void *def)
{
    for (int k = 0; k < kind->n_field; k++) {
        if (kind->field[k].type == BI_FIELD_NAME) {
            char *name;
            memcpy(&name, (char *)def + kind->field[k].offset, sizeof name);
            free(name);
        }
        if (kind->field[k].type == BI_FIELD_GRID) {
            bi_grid grid;
            memcpy(&grid, (char *)def + kind->field[k].offset, sizeof grid);
            free((void *)grid.value);
        }
    }
}
