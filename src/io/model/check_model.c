// SPDX-License-Identifier: MIT
// What the core says about the model just read, at the place in the file where the reader of the file looks for it. The
// core has the place of the key of each entry, and that of the first letter of each expression.
#include "io/model/reader.h"
#include <stdio.h>
#include <string.h>

static const char *const sections[] = { "bodies",  "joints", "forces",  "constraints", "outputs",
                                        "inputs",  "points", "vectors", "events",      "tables",
                                        "signals", "shapes", "patches", "struts",      "looks" };
enum { N_SECTION = sizeof sections / sizeof *sections, DEEPEST = 4 };

// Something in the file: an entry of a section, and a value inside it.
typedef struct {
    const char *section;
    yaml_node *entry;       // its key
    const yaml_node *value; // of the entry
    const yaml_node *at;    // the value meant
} found;

static bool is_in_scalar(const yaml_node *node, bi_place place)
{
    return node->line == place.line && place.column >= node->column &&
           place.column <= node->column + 1 + (int)strlen(node->text);
}

// The scalar in which the place is; NULL: none.
static const yaml_node *scalar_at(const yaml_node *node, bi_place place, int depth)
{
    if (node->kind == YAML_SCALAR) {
        return is_in_scalar(node, place) ? node : NULL;
    }
    const yaml_node *scalar = NULL;
    for (int k = 0; depth < DEEPEST && k < node->count && !scalar; k++) {
        scalar = scalar_at(node->item[k], place, depth + 1);
    }
    return scalar;
}

// The entry whose key stands at the place, or that has a scalar there. entry = NULL: none.
static found find_place(const reader *r, bi_place place)
{
    const yaml_node *root = reader_root_of(r, place.file);
    for (int s = 0; root && s < N_SECTION; s++) {
        const yaml_node *map = yaml_get(root, sections[s]);
        for (int k = 0; map && map->kind == YAML_MAP && k < map->count; k++) {
            found f = { sections[s], map->key[k], map->item[k], NULL };
            if (f.entry->line == place.line && f.entry->column == place.column) {
                return f;
            }
            f.at = scalar_at(f.value, place, 0);
            if (f.at) {
                return f;
            }
        }
    }
    return (found){ 0 };
}

// Whether a mistake was told about the value or something in it.
static bool is_told_about(const reader *r, const yaml_node *node, int depth)
{
    for (int k = 0; k < r->report->count; k++) {
        bi_place place = r->report->issue[k].place;
        if (!place.file || strcmp(place.file, r->file) != 0) {
            continue;
        }
        if (node->kind == YAML_SCALAR ? is_in_scalar(node, place)
                                      : place.line == node->line && place.column == node->column) {
            return true;
        }
    }
    bool is_told = false;
    for (int k = 0; node->kind != YAML_SCALAR && depth < DEEPEST && k < node->count && !is_told; k++) {
        is_told = is_told_about(r, node->item[k], depth + 1);
    }
    return is_told;
}

static void tell_expression(reader *r, bi_issue issue, found f)
{
    // joints that could not be read are missing in expressions too
    if (r->joints.is_incomplete) {
        return;
    }
    where_path entry = where_at(f.section, f.entry->text), where = entry;
    for (int k = 0; f.value->kind == YAML_MAP && k < f.value->count; k++) {
        where = f.value->item[k] == f.at ? where_at(entry.text, f.value->key[k]->text) : where;
    }
    issue.where = where.text;
    r->repeats = yaml_get(f.value, "for") != NULL;
    // the column is that of the letter only when the text stands in the file letter by letter
    if (f.at->text_column == 0 || strchr(f.at->text, '$')) {
        issue.place = reader_place_of(r, f.at);
    }
    reader_tell(r, &issue);
}

static void tell_entry(reader *r, bi_issue issue, found f)
{
    // the last word of "joints.B.axis" is the key
    const char *dot = strrchr(issue.where, '.');
    const yaml_node *field = dot ? yaml_get(f.value, dot + 1) : NULL;
    // what follows from a mistake already told is not told
    if (f.entry->has_gap || (field ? is_told_about(r, field, 0) : f.entry->has_mistake)) {
        return;
    }
    issue.place = field ? reader_place_of(r, field) : issue.place;
    r->repeats = yaml_get(f.value, "for") != NULL;
    reader_tell(r, &issue);
}

void check_model(reader *r)
{
    bi_report said = { 0 };
    bi_model_check(r->model, &said);
    for (int k = 0; k < said.count && r->n_told <= READER_MAX_TOLD; k++) {
        bi_issue issue = said.issue[k];
        if (issue.severity != BI_ERROR) {
            continue; // whoever compiles the model hears it then
        }
        found f = issue.place.line > 0 ? find_place(r, issue.place) : (found){ 0 };
        r->file = f.entry ? issue.place.file : r->scope->file;
        if (f.at) {
            tell_expression(r, issue, f);
        } else if (f.entry) {
            tell_entry(r, issue, f);
        } else {
            issue.place.file = issue.place.file ? issue.place.file : r->file;
            reader_tell(r, &issue);
        }
        r->repeats = false;
    }
    r->file = r->scope->file;
    bi_report_clear(&said);
}
