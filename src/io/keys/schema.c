// SPDX-License-Identifier: MIT
// The JSON Schema of the model file, written from the tables of keys and from those of the engine's kinds. Editors
// complete and check model files with it; `biela check` says more.
#include "io/keys/schema_type.h"
#include <biela/io.h>
#include <string.h>

// What a field of an engine's kind looks like; words to choose from stand in its unit.
static const char *type_of_field(const bi_field *f, char *text, size_t size)
{
    switch (f->type) {
    case BI_FIELD_NUMBER: return "number";
    case BI_FIELD_EXPR: return "expression";
    case BI_FIELD_VEC3: return "vector";
    case BI_FIELD_POINT: return "point";
    case BI_FIELD_VECTOR: return "direction";
    case BI_FIELD_GRID: return "table";
    case BI_FIELD_TERMS: return "{number}";
    case BI_FIELD_FRAME: return "frame";
    case BI_FIELD_TABLE: return "string | curve";
    case BI_FIELD_NUMBERS: return "[number]";
    case BI_FIELD_POINTS: return "{point}";
    case BI_FIELD_VECTORS: return "{direction}";
    case BI_FIELD_FLAG: return "flag";
    case BI_FIELD_SHAPES: return "string | [string]";
    case BI_FIELD_COORDINATE:
    case BI_FIELD_NAME:
    case BI_FIELD_BODY:
    case BI_FIELD_JOINT: return "string";
    case BI_FIELD_CHOICE: snprintf(text, size, "<%s>", f->unit); return text;
    default: return "string/real/flag/array/object";
    }
}

static void write_field(json_out *j, const bi_field *f)
{
    char type[512], help[1024];
    const char *unit = f->unit && strcmp(f->unit, "1") != 0 && f->type != BI_FIELD_CHOICE ? f->unit : "";
    const char *of = f->type == BI_FIELD_BODY ? "body: " : f->type == BI_FIELD_JOINT ? "joint: " : "";
    snprintf(help, sizeof help, "%s%s%s%s", of, unit, *unit && f->help ? ", " : "", f->help ? f->help : "");
    schema_write_key(j,
                     &(key_def){ .key = f->key, .type = type_of_field(f, type, sizeof type), .help = help });
}

// Keys that stand beside the fields of a kind.
static const key_def of_all[] = { KEY("type", "", "which of the kinds"), KEY("for", "for", NULL) };
static const key_def of_tyres = KEY("file", "string", "data of the tyre: YAML or .tir");
static const key_def of_constraints =
    KEY("active", "expression", "holds only in steps at whose start this is above zero");

static void write_kind(json_out *j, const bi_kind *kind)
{
    char name[128];
    // the numbers of a tyre may stand in a file of their own
    bool has_file = strncmp(kind->type, "tyre-", 5) == 0;
    snprintf(name, sizeof name, "%s.%s", kind->section, kind->type);
    json_open(j, name, JSON_LINES);
    json_put_text(j, "description", kind->help ? kind->help : "");
    json_put_false(j, "additionalProperties");
    json_open_list(j, "required", JSON_ONE_LINE);
    json_put_text(j, NULL, "type");
    for (int f = 0; f < kind->n_field; f++) {
        if ((kind->field[f].rules & BI_REQUIRED) && (!has_file || kind->field[f].type == BI_FIELD_BODY)) {
            json_put_text(j, NULL, kind->field[f].key);
        }
    }
    json_close(j);
    json_open(j, "properties", JSON_LINES);
    schema_write_key(j, &of_all[0]);
    schema_write_key(j, &of_all[1]);
    if (has_file) {
        schema_write_key(j, &of_tyres);
    }
    if (strcmp(kind->section, "constraints") == 0) {
        schema_write_key(j, &of_constraints);
    }
    for (int f = 0; f < kind->n_field; f++) {
        write_field(j, &kind->field[f]);
    }
    json_close(j);
    json_close(j);
}

// What must stand in an entry of a section: its type, or, of a tyre, its file.
static void write_needs(json_out *j, const char *section)
{
    static const char *const keys[] = { "type", "file" };
    int count = strcmp(section, "forces") == 0 ? 2 : 1;
    json_open_list(j, "anyOf", JSON_ONE_LINE);
    for (int k = 0; k < count; k++) {
        json_open(j, NULL, JSON_ONE_LINE);
        json_open_list(j, "required", JSON_ONE_LINE);
        json_put_text(j, NULL, keys[k]);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

static const bi_kind *kind_in(const char *section, int k)
{
    return strcmp(bi_kind_at(k)->section, section) == 0 ? bi_kind_at(k) : NULL;
}

// {"type": {NAME: VALUE...}}, the one property that tells kinds apart.
static void open_type(json_out *j)
{
    json_open(j, "properties", JSON_ONE_LINE);
    json_open(j, "type", JSON_ONE_LINE);
}

static void close_type(json_out *j)
{
    json_close(j);
    json_close(j);
}

// If it is of this type, it is the definition of this kind.
static void write_branch(json_out *j, const bi_kind *kind)
{
    char to[160];
    snprintf(to, sizeof to, "#/definitions/%s.%s", kind->section, kind->type);
    json_open(j, NULL, JSON_ONE_LINE);
    json_open(j, "if", JSON_ONE_LINE);
    json_open_list(j, "required", JSON_ONE_LINE);
    json_put_text(j, NULL, "type");
    json_close(j);
    open_type(j);
    json_put_text(j, "const", kind->type);
    close_type(j);
    json_close(j);
    json_open(j, "then", JSON_ONE_LINE);
    json_put_text(j, "$ref", to);
    json_close(j);
    json_close(j);
}

// Entries of a section are of kinds: their types, and a branch for each.
static void write_entries(json_out *j, const char *section)
{
    json_open(j, "additionalProperties", JSON_LINES);
    // a signal may be an expression
    schema_write_type(j, strcmp(section, "signals") == 0 ? "object/string/real" : "object");
    write_needs(j, section);
    open_type(j);
    json_open_list(j, "enum", JSON_ONE_LINE);
    for (int k = 0; k < bi_kind_count(); k++) {
        if (kind_in(section, k)) {
            json_put_text(j, NULL, bi_kind_at(k)->type);
        }
    }
    json_close(j);
    close_type(j);
    json_open_list(j, "allOf", JSON_LINES);
    for (int k = 0; k < bi_kind_count(); k++) {
        if (kind_in(section, k)) {
            write_branch(j, bi_kind_at(k));
        }
    }
    json_close(j);
    json_close(j);
}

// The section, and one definition per kind.
static void write_section(json_out *j, const char *section)
{
    json_open(j, section, JSON_LINES);
    schema_write_type(j, "object/null");
    json_open(j, "propertyNames", JSON_ONE_LINE);
    schema_write_type(j, "entry");
    json_close(j);
    write_entries(j, section);
    json_close(j);
    for (int k = 0; k < bi_kind_count(); k++) {
        if (kind_in(section, k)) {
            write_kind(j, bi_kind_at(k));
        }
    }
}

// Keys that begin with x- are the user's own.
static void write_own_keys(json_out *j)
{
    json_open(j, "patternProperties", JSON_ONE_LINE);
    json_open(j, "^x-", JSON_ONE_LINE);
    json_put_text(j, "description", "not read: a place for YAML anchors");
    json_close(j);
    json_close(j);
}

void bi_write_schema(FILE *out)
{
    if (!out) {
        return;
    }
    json_out j = { .out = out };
    const key_type *type;
    json_open(&j, NULL, JSON_LINES);
    json_put_text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    json_put_text(&j, "title", "Biela model file, version 1");
    write_own_keys(&j);
    schema_write_type(&j, "=file");
    json_open(&j, "definitions", JSON_LINES);
    for (int k = 0; (type = key_type_at(k)); k++) {
        if (type->type) {
            schema_write_key(&j, &(key_def){ .key = type->name, .type = type->type, .help = type->help });
        } else {
            write_section(&j, type->name);
        }
    }
    json_close(&j);
    json_close(&j);
}
