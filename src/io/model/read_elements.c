// SPDX-License-Identifier: MIT
// Forces and constraints, from the tables of their kinds: a new kind of the core needs no word here.
#include "io/model/reader.h"
#include "io/tyre/tyre_file.h"
#include <stdlib.h>
#include <string.h>

// A vector in the ground axes of the file, in those of the model. One not given is the origin, or z.
static void place_vector(reader *r, const bi_field *f, char *def)
{
    bi_vec3 vector;
    memcpy(&vector, def + f->offset, sizeof vector);
    bool is_zero = vector.x == 0.0 && vector.y == 0.0 && vector.z == 0.0;
    if (f->unit && strcmp(f->unit, "m") == 0) {
        vector = reader_place_point(r, vector);
    } else if (is_zero && (f->rules & BI_DIRECTION)) {
        vector = reader_place_vector(r, (bi_vec3){ 0.0, 0.0, 1.0 });
    } else {
        vector = reader_place_vector(r, vector);
    }
    memcpy(def + f->offset, &vector, sizeof vector);
}

// A field of an included file that stands elsewhere: `node` may be NULL.
static void place_field(reader *r, const bi_field *f, const yaml_node *node, const char *where, char *def)
{
    const yaml_node *at = node ? node : r->entry;
    where_path here = where_at(where, f->key);
    int32_t word = 0;
    if (f->type == BI_FIELD_VEC3 && (f->rules & BI_GROUND_AXES)) {
        place_vector(r, f, def);
    } else if (f->type == BI_FIELD_CHOICE && (f->rules & BI_GROUND_AXES)) {
        // the first word is the ground
        memcpy(&word, def + f->offset, sizeof word);
        if (word <= 1 && r->scope->is_turned) {
            reader_error(r, at, here.text,
                         "components in ground axes cannot turn with an included file; choose others");
        }
    } else if (node && (f->rules & (BI_GROUND_AXES | BI_OF_POINTS))) {
        reader_error(r, node, here.text,
                     "is in ground axes and cannot be moved; include this file without 'at' and 'turn'");
    }
}

// Reads one field into its place in the definition.
static void read_field(reader *r, const bi_field *f, const yaml_node *node, const char *where, char *def)
{
    void *to = def + f->offset;
    double number = 0.0;
    bi_expr expr = { 0 };
    bi_vec3 vector = { 0 };
    bi_point point = { 0 };
    bi_frame frame = { 0 };
    bi_curve curve = { 0 };
    bi_numbers list = { 0 };
    int32_t id = 0;
    switch (f->type) {
    case BI_FIELD_NUMBER:
        if (reader_number(r, node, f->unit, where, &number) && number == 0.0 &&
            (f->rules & BI_ZERO_IS_DEFAULT)) {
            reader_error(r, node, where,
                         "is 0, which would count as if it were not there (%s): leave it out, or write a "
                         "small number",
                         f->help ? f->help : "");
        }
        memcpy(to, &number, sizeof number);
        break;
    case BI_FIELD_EXPR:
        reader_expr(r, node, f->unit, where, &expr);
        memcpy(to, &expr, sizeof expr);
        break;
    case BI_FIELD_VEC3:
        if (f->rules & BI_DIRECTION) {
            reader_direction(r, node, where, &vector);
        } else {
            reader_vec3(r, node, f->unit, where, &vector);
        }
        memcpy(to, &vector, sizeof vector);
        break;
    case BI_FIELD_BODY:
        reader_lookup(r, node, &r->bodies, "body", where, &id);
        memcpy(to, &(bi_body){ id }, sizeof(bi_body));
        break;
    case BI_FIELD_JOINT:
        reader_lookup(r, node, &r->joints, "joint", where, &id);
        memcpy(to, &(bi_joint){ id }, sizeof(bi_joint));
        break;
    case BI_FIELD_POINT:
        reader_point(r, node, where, &point);
        memcpy(to, &point, sizeof point);
        break;
    case BI_FIELD_FRAME:
        reader_frame(r, node, where, &frame);
        memcpy(to, &frame, sizeof frame);
        break;
    case BI_FIELD_TABLE:
        reader_table(r, node, where, &curve);
        memcpy(to, &curve, sizeof curve);
        break;
    case BI_FIELD_NUMBERS:
        reader_list(r, node, f->unit, where, &list);
        memcpy(to, &list, sizeof list);
        break;
    default: reader_field(r, f, node, where, to); break;
    }
}

enum { MOST_KINDS = 64 };

// The kind that `type` names; NULL: a mistake was told.
static const bi_kind *read_kind(reader *r, const char *section, const yaml_node *value, const tyre_data *data,
                                const char *where)
{
    // all types of this section, for the hints
    const char *names[MOST_KINDS], *other = NULL;
    int n_names = 0;
    const yaml_node *node = yaml_get(value, "type");
    node = node || !data->map ? node : yaml_get(data->map, "type");
    const char *type =
        node && reader_expect(r, node, YAML_SCALAR, where, "a type") ? reader_text(r, node, where) : NULL;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        bool is_here = strcmp(kind->section, section) == 0;
        if (is_here && n_names < MOST_KINDS) {
            names[n_names++] = kind->type;
        }
        if (type && strcmp(kind->type, type) == 0) {
            other = kind->section;
            if (is_here) {
                return kind;
            }
        }
    }
    char hint[NAMES_HINT_SIZE], list[300] = "";
    for (int k = 0; k < n_names; k++) {
        strncat(list, k ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, names[k], sizeof list - strlen(list) - 1);
    }
    if (!node) {
        reader_error(r, r->entry, where, "needs 'type', one of %s", list);
    } else if (type && other) {
        reader_error(r, node, where_at(where, "type").text, "'%s' belongs into the section '%s'", type,
                     other);
    } else if (type) {
        reader_error(r, node, where_at(where, "type").text, "unknown type '%.80s'%s; there are %s", type,
                     names_hint(type, names, n_names, hint), list);
    }
    return NULL;
}

static void read_fields(reader *r, const bi_kind *kind, const yaml_node *value, const tyre_data *data,
                        const char *where, char *def)
{
    const char *keys[MOST_KEYS + 5], *file = r->file;
    int n_keys = 0;
    keys[n_keys++] = "type";
    keys[n_keys++] = "for";
    if (strcmp(kind->section, "constraints") == 0) {
        keys[n_keys++] = "active";
    }
    for (int f = 0; f < kind->n_field && f < MOST_KEYS; f++) {
        keys[n_keys++] = kind->field[f].key;
    }
    keys[n_keys] = NULL;
    if (data->map) {
        r->file = data->file;
        reader_keys(r, data->map, keys, where);
        r->file = file;
    }
    if (strncmp(kind->type, "tyre-", 5) == 0) {
        keys[n_keys++] = "file";
        keys[n_keys] = NULL;
    }
    reader_keys(r, value, keys, where);

    for (int f = 0; f < kind->n_field; f++) {
        const bi_field *field = &kind->field[f];
        const yaml_node *node = yaml_get(value, field->key);
        bool is_from_data = !node && data->map && (node = yaml_get(data->map, field->key));
        if (node) {
            // what the entry says counts before what its file of data says
            r->file = is_from_data ? data->file : file;
            read_field(r, field, node, where_at(where, field->key).text, def);
            r->file = file;
        } else if (field->rules & BI_REQUIRED) {
            const char *help = field->help ? field->help : "";
            reader_error(r, r->entry, where, "a %s needs '%s'%s%s", kind->type, field->key,
                         help[0] ? ": " : "", help);
        } else if (field->rules & BI_ONE_IS_DEFAULT) {
            memcpy(def + field->offset, &(double){ 1.0 }, sizeof(double));
        }
        if (r->scope->is_placed) {
            place_field(r, field, node, where, def);
        }
    }
}

// Numbers that go together, such as the two ends of a stroke: a zero that nobody wrote is no end.
static void check_pairs(reader *r, const bi_kind *kind, const yaml_node *value, const tyre_data *data,
                        const char *where, const char *def)
{
    for (int f = 0; f + 1 < kind->n_field; f++) {
        const bi_field *one = &kind->field[f], *two = one + 1;
        if (!(one->rules & two->rules & BI_IN_PAIR)) {
            continue;
        }
        bool has_one = yaml_get(value, one->key) || (data->map && yaml_get(data->map, one->key));
        bool has_two = yaml_get(value, two->key) || (data->map && yaml_get(data->map, two->key));
        double x, y;
        memcpy(&x, def + one->offset, sizeof x);
        memcpy(&y, def + two->offset, sizeof y);
        if (has_one != has_two) {
            reader_error(r, r->entry, where, "'%s' and '%s' go together: give both of them, or none",
                         one->key, two->key);
        } else if (has_one && x == 0.0 && y == 0.0) {
            reader_error(r, r->entry, where,
                         "'%s' and '%s' are both 0, which would count as if they were not there: leave them "
                         "out, or give two different numbers",
                         one->key, two->key);
        }
        f++;
    }
}

static int32_t read_element(reader *r, const char *section, const char *name, const yaml_node *value,
                            const char *where)
{
    bool is_map = reader_expect(r, value, YAML_MAP, where, "a mapping such as {type: spring, ...}");
    tyre_data data = is_map ? tyre_data_of(r, section, value, where) : (tyre_data){ 0 };
    const bi_kind *kind = is_map && !data.is_broken ? read_kind(r, section, value, &data, where) : NULL;
    char *def = kind ? calloc(1, kind->size) : NULL;
    if (!def) {
        return 0;
    }
    // every definition begins with its name
    memcpy(def, &name, sizeof name);
    read_fields(r, kind, value, &data, where, def);
    check_pairs(r, kind, value, &data, where, def);
    reader_place(r, r->entry);
    int32_t id = bi_add(r->model, kind, def).i;
    const yaml_node *active = yaml_get(value, "active");
    bi_expr condition;
    if (active && strcmp(section, "constraints") == 0 &&
        reader_expr(r, active, NULL, where_at(where, "active").text, &condition)) {
        bi_element_active(r->model, (bi_element){ id }, condition);
    }
    reader_fields_done(kind, def);
    free(def);
    return id;
}

int32_t read_force(reader *r, const char *name, const yaml_node *value, const char *where)
{
    return read_element(r, "forces", name, value, where);
}

int32_t read_constraint(reader *r, const char *name, const yaml_node *value, const char *where)
{
    return read_element(r, "constraints", name, value, where);
}

// A plain text is an expression with a name.
int32_t read_signal(reader *r, const char *name, const yaml_node *value, const char *where)
{
    if (!reader_signal_name(r, name)) {
        return 0;
    }
    if (value->kind != YAML_SCALAR) {
        return read_element(r, "signals", name, value, where);
    }
    bi_signal_def def = { .name = name };
    if (!reader_expr(r, value, NULL, where, &def.value)) {
        return 0;
    }
    reader_place(r, r->entry);
    return bi_add_signal(r->model, &def).i;
}

int32_t read_action(reader *r, const char *name, const yaml_node *value, const char *where)
{
    return read_element(r, "actions", name, value, where);
}
