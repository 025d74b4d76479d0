// SPDX-License-Identifier: MIT
// Tables (points in the file or in a CSV beside it), and the fields of forces and signals that are more than one
// number.
#include "io/model/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1000 * 1000 };

typedef struct {
    int count;
    double *x, *y; // (count)
} points;

static bool points_reserve(points *p, int count)
{
    p->x = malloc(((size_t)count + 1) * sizeof *p->x);
    p->y = malloc(((size_t)count + 1) * sizeof *p->y);
    return p->x && p->y;
}

static void points_clear(points *p)
{
    free(p->x);
    free(p->y);
}

void reader_table_units(reader *r, const yaml_node *node, int count, const char *where, double *factor)
{
    for (int k = 0; k < count; k++) {
        factor[k] = 1.0;
    }
    if (!node || !reader_expect(r, node, YAML_LIST, where, "units such as [rpm, N*m]")) {
        return;
    }
    if (node->count != count) {
        reader_error(r, node, where, "%s units are expected here, and there are %d",
                     count == 2 ? "two" : "three", node->count);
        return;
    }
    for (int k = 0; k < count; k++) {
        char one[80];
        bi_report scratch = { 0 };
        if (!reader_expect(r, node->item[k], YAML_SCALAR, where, "a unit such as rpm")) {
            continue;
        }
        if (strcmp(node->item[k]->text, "1") == 0) {
            continue; // a pure number
        }
        snprintf(one, sizeof one, "1 %.70s", node->item[k]->text);
        reader_place(r, node->item[k]);
        (void)bi_model_number(r->model, one, NULL, where, &factor[k], &scratch);
        reader_forward(r, &scratch, node->item[k], false);
    }
}

static bool read_points(reader *r, const yaml_node *node, const char *where, points *out)
{
    if (!reader_expect(r, node, YAML_LIST, where, "a list of points such as [[0, 0], [1, 5]]")) {
        return false;
    }
    bool is_good = points_reserve(out, node->count);
    for (int k = 0; is_good && k < node->count; k++) {
        double pair[2] = { 0.0, 0.0 };
        is_good = reader_numbers(r, node->item[k], 2, NULL, where, pair);
        out->x[k] = pair[0];
        out->y[k] = pair[1];
    }
    out->count = node->count;
    return is_good;
}

// ---- CSV ------------------------------------------------------------------------------------------------------

bool reader_table_columns(reader *r, const yaml_node *node, const bi_table *t, int count, const char *where,
                          int *column)
{
    for (int k = 0; k < count; k++) {
        column[k] = k;
    }
    if (!node) {
        return true;
    }
    if (!reader_expect(r, node, YAML_LIST, where, "names of columns")) {
        return false;
    }
    if (node->count != count) {
        reader_error(r, node, where,
                     "two names of columns are expected here (of a map three), and there are %d",
                     node->count);
        return false;
    }
    for (int k = 0; k < count; k++) {
        char hint[NAMES_HINT_SIZE];
        if (!reader_expect(r, node->item[k], YAML_SCALAR, where, "the name of a column")) {
            return false;
        }
        const char *name = reader_text(r, node->item[k], where);
        column[k] = name ? bi_table_column(t, name) : -1;
        if (column[k] < 0) {
            reader_error(r, node->item[k], where, "the file has no column '%.80s'%s", node->item[k]->text,
                         names_hint(node->item[k]->text, (const char *const *)t->name, t->columns, hint));
            return false;
        }
    }
    return true;
}

bool reader_table_file(reader *r, const yaml_node *map, int least, const char *where, bi_table *t)
{
    const yaml_node *node = yaml_get(map, "file");
    where_path at = where_at(where, "file");
    if (!reader_expect(r, node, YAML_SCALAR, at.text, "the name of a CSV file")) {
        return false;
    }
    const char *name = reader_text(r, node, at.text);
    char *path = name ? reader_path_beside(r, name) : NULL;
    bi_report said = { 0 };
    *t = (bi_table){ 0 };
    if (!path) {
        return false;
    }
    // a cell without a number is a hole of a map, and a mistake of a curve
    bool is_good = least > 2 ? bi_table_read_with_gaps(path, t, &said) : bi_table_read(path, t, &said);
    for (int k = 0; k < said.count; k++) {
        bi_place p = said.issue[k].place;
        char line[32] = "";
        if (p.line > 0) {
            snprintf(line, sizeof line, " line %d", p.line);
        }
        reader_error(r, node, at.text, "the table '%.200s'%s: %s", path, line, said.issue[k].what);
    }
    if (is_good && (t->columns < least || t->rows < 2 || t->rows > MOST_POINTS)) {
        reader_error(r, node, at.text,
                     "the table '%.200s' has %d columns and %d rows; at least %d columns and two rows are "
                     "needed, and at most %d rows",
                     path, t->columns, t->rows, least, MOST_POINTS);
        is_good = false;
    }
    bi_report_clear(&said);
    free(path);
    return is_good;
}

static bool read_csv(reader *r, const yaml_node *map, const char *where, points *out)
{
    bi_table t;
    int column[2];
    bool is_good =
        reader_table_file(r, map, 2, where, &t) &&
        reader_table_columns(r, yaml_get(map, "columns"), &t, 2, where_at(where, "columns").text, column) &&
        points_reserve(out, t.rows);
    for (int k = 0; is_good && k < t.rows; k++) {
        out->x[k] = t.value[column[0]][k];
        out->y[k] = t.value[column[1]][k];
        out->count = t.rows;
    }
    bi_table_clear(&t);
    return is_good;
}

// ---- tables --------------------------------------------------------------------------------------------------

bool reader_choice(reader *r, const yaml_node *node, const char *words, const char *where, int *value)
{
    const char *name =
        reader_expect(r, node, YAML_SCALAR, where, "a word") ? reader_text(r, node, where) : NULL;
    const char *list[16];
    char copy[200], hint[NAMES_HINT_SIZE], text[200] = "";
    int count = 0;
    if (!name) {
        return false;
    }
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = copy; word && count < 16; count++) {
        char *bar = strchr(word, '|');
        list[count] = word;
        word = bar ? bar + 1 : NULL;
        if (bar) {
            *bar = '\0';
        }
        if (strcmp(list[count], name) == 0) {
            *value = count;
            return true;
        }
    }
    for (int k = 0; k < count; k++) {
        strncat(text, k ? ", " : "", sizeof text - strlen(text) - 1);
        strncat(text, list[k], sizeof text - strlen(text) - 1);
    }
    reader_error(r, node, where, "'%.80s' is not possible here%s; there are %s", name,
                 names_hint(name, list, count, hint), text);
    return false;
}

bool reader_table_rules(reader *r, const yaml_node *value, const char *where, int choice[2])
{
    const yaml_node *how = yaml_get(value, "interpolation"), *outside = yaml_get(value, "outside");
    choice[0] = choice[1] = 0;
    bool is_good = !how || reader_choice(r, how, "cubic|linear|monotone|step",
                                         where_at(where, "interpolation").text, &choice[0]);
    return (!outside || reader_choice(r, outside, "clamp|extrapolate|periodic|error",
                                      where_at(where, "outside").text, &choice[1])) &&
           is_good;
}

// Of two variables: a grid, or three columns of a file.
static bool is_map(const yaml_node *value)
{
    const yaml_node *columns = yaml_get(value, "columns");
    return yaml_get(value, "x") || yaml_get(value, "y") || yaml_get(value, "values") ||
           (columns && columns->kind == YAML_LIST && columns->count == 3);
}

// `name` "": a table without a name, inside a field.
static int32_t table_of(reader *r, const char *name, const yaml_node *value, const char *where)
{
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping with 'points' or 'file'")) {
        return 0;
    }
    reader_known(r, value, &keys_curve, where);
    if (is_map(value)) {
        return read_map(r, name, value, where);
    }
    const yaml_node *list = yaml_get(value, "points"), *file = yaml_get(value, "file");
    if (!list == !file) {
        reader_error(r, value, where,
                     "a table needs either 'points' or 'file'; one of two variables 'x', 'y' and "
                     "'values', or a file with three columns");
        return 0;
    }
    points p = { 0 };
    int choice[2] = { 0, 0 };
    double factor[2];
    bool is_good =
        list ? read_points(r, list, where_at(where, "points").text, &p) : read_csv(r, value, where, &p);
    reader_table_units(r, yaml_get(value, "units"), 2, where_at(where, "units").text, factor);
    is_good = reader_table_rules(r, value, where, choice) && is_good;
    for (int k = 0; is_good && k < p.count; k++) {
        p.x[k] *= factor[0];
        p.y[k] *= factor[1];
    }
    int32_t id = 0;
    if (is_good) {
        reader_place(r, name[0] && r->entry ? r->entry : value);
        id = bi_add_curve(r->model, &(bi_curve_def){ .name = name,
                                                     .n_point = p.count,
                                                     .x = p.x,
                                                     .y = p.y,
                                                     .interpolation = (bi_interpolation)choice[0],
                                                     .outside = (bi_outside)choice[1] })
                 .i;
    }
    points_clear(&p);
    return id;
}

int32_t read_table(reader *r, const char *name, const yaml_node *value, const char *where)
{
    return table_of(r, name, value, where);
}

bool reader_table(reader *r, const yaml_node *node, const char *where, bi_curve *value)
{
    if (node->kind == YAML_MAP) {
        value->i = table_of(r, "", node, where);
        return value->i > 0;
    }
    return reader_lookup(r, node, &r->tables, "table", where, &value->i);
}

// ---- frames and lists ------------------------------------------------------------------------------------------

bool reader_frame(reader *r, const yaml_node *node, const char *where, bi_frame *value)
{
    if (!reader_expect(r, node, YAML_MAP, where,
                       "a frame such as {body: rod, at: [0, 0, 0], turn: [{z: 30 deg}]}")) {
        return false;
    }
    reader_known(r, node, &keys_frame, where);
    const yaml_node *body = yaml_get(node, "body");
    if (!body) {
        reader_error(r, node, where, "needs 'body'");
        return false;
    }
    bool has_body = reader_lookup(r, body, &r->bodies, "body", where_at(where, "body").text, &value->body.i);
    reader_turn(r, yaml_get(node, "turn"), where_at(where, "turn").text, &value->rot);
    bool has_at = reader_vec3_of(r, node, "at", "m", where, &value->at);
    if (has_body && yaml_get(node, "node")) {
        has_at = reader_node_place(r, node, &value->body, where, &value->at) && has_at;
    }
    if (has_body && has_at && reader_is_ground(body)) {
        bi_pose pose = reader_place_pose(r, (bi_pose){ value->at, value->rot });
        value->at = reader_into_body(r, value->body, pose.pos);
        value->rot = reader_rotation_into_body(r, value->body, pose.rot);
    }
    if (has_body && has_at && !yaml_get(node, "node")) {
        reader_piece(r, &value->body, &value->at, where);
    }
    return has_at && has_body;
}

// Whether the count is among "6|21|36".
static bool is_among(const char *counts, int count)
{
    for (const char *c = counts; c; c = strchr(c, '|')) {
        c += *c == '|';
        if (atoi(c) == count) {
            return true;
        }
    }
    return false;
}

bool reader_list(reader *r, const yaml_node *node, const char *counts, const char *where, bi_numbers *value)
{
    if (!reader_expect(r, node, YAML_LIST, where, "a list of numbers")) {
        return false;
    }
    if (node->count > BI_MOST_NUMBERS || (counts && !is_among(counts, node->count))) {
        reader_error(r, node, where, "has %d numbers; possible are %s", node->count,
                     counts ? counts : "fewer");
        return false;
    }
    value->count = node->count;
    return reader_numbers(r, node, node->count, NULL, where, value->value);
}

// ---- signals ---------------------------------------------------------------------------------------------------

// Signals are read by expressions: their names must be words of these, and mean nothing else.
bool reader_signal_name(reader *r, const char *name)
{
    if (!names_is_identifier(name)) {
        reader_error(r, r->entry, "signals",
                     "'%.80s' is not a name for a signal; use letters, digits and '_', not t or pi", name);
        return false;
    }
    if (name_set_find(&r->parameters, name) >= 0 || name_set_find(&r->inputs, name) >= 0) {
        reader_error(r, r->entry, "signals",
                     "'%.80s' is already a parameter or an input; choose another name", name);
        return false;
    }
    return true;
}
