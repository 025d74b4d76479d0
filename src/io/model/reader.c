// SPDX-License-Identifier: MIT
#include "io/model/reader.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

where_path where_at(const char *parent, const char *key)
{
    where_path path;
    size_t used = 0;
    for (; used < 110 && parent[used]; used++) {
        path.text[used] = parent[used];
    }
    if (parent[0] && key[0]) {
        path.text[used++] = '.';
    }
    for (int k = 0; k < 40 && key[k]; k++) {
        path.text[used++] = key[k];
    }
    path.text[used] = '\0';
    return path;
}

// ---- mistakes ------------------------------------------------------------------------------------

bi_place reader_place_of(const reader *r, const yaml_node *node)
{
    return (bi_place){ r->file, node->line, node->column };
}

static bool is_same_place(bi_place a, bi_place b)
{
    return a.line == b.line && a.column == b.column &&
           strcmp(a.file ? a.file : "", b.file ? b.file : "") == 0;
}

static bool is_told(const reader *r, const bi_issue *issue)
{
    for (int k = 0; k < r->report->count; k++) {
        const bi_issue *other = &r->report->issue[k];
        if (is_same_place(other->place, issue->place) &&
            (r->repeats || strcmp(other->what, issue->what) == 0)) {
            return true;
        }
    }
    return false;
}

// Something of the entry is unknown, and it was told elsewhere why: what the core says of it may follow from that.
static void mark_gap(reader *r)
{
    if (r->entry) {
        r->entry->has_gap = true;
    }
}

void reader_tell(reader *r, const bi_issue *issue)
{
    if (r->entry) {
        r->entry->has_mistake = true;
    }
    if (r->n_told > READER_MAX_TOLD || is_told(r, issue)) {
        return;
    }
    r->n_told++;
    bool is_last = r->n_told > READER_MAX_TOLD;
    bi_severity severity = r->is_spared ? BI_WARNING : issue->severity;
    bi_report_add(r->report, severity, severity == BI_WARNING ? BI_OK : issue->code, issue->place,
                  is_last ? "" : issue->where, "%s%s",
                  is_last ? "more mistakes follow from here on; these are enough for one run" : issue->what,
                  r->is_spared ? "; another case was asked for, which goes on" : "");
}

// Whether a mistake at the node would be told at all: if not, it needs no suggestion, which is dear with many names.
static bool is_heard(const reader *r, const yaml_node *at)
{
    bi_issue issue = { .place = reader_place_of(r, at), .what = "" };
    return r->n_told <= READER_MAX_TOLD && !(r->repeats && is_told(r, &issue));
}

void reader_error(reader *r, const yaml_node *at, const char *where, const char *format, ...)
{
    char what[900];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_issue issue = { BI_ERROR, BI_BAD_MODEL, reader_place_of(r, at), where, what };
    reader_tell(r, &issue);
}

void reader_forward(reader *r, bi_report *from, const yaml_node *value, bool is_as_written)
{
    for (int k = 0; k < from->count; k++) {
        bi_issue issue = from->issue[k];
        if (!is_as_written || !issue.place.file) {
            issue.place = reader_place_of(r, value);
        }
        reader_tell(r, &issue);
    }
    bi_report_clear(from);
}

void reader_place(reader *r, const yaml_node *node) { bi_model_place(r->model, reader_place_of(r, node)); }

// ---- structure -----------------------------------------------------------------------------------

bool reader_expect(reader *r, const yaml_node *node, yaml_kind kind, const char *where, const char *what)
{
    if (node->kind == kind && (kind != YAML_SCALAR || node->text[0])) {
        return true;
    }
    if (node->kind == YAML_BROKEN) {
        // told before; what is read goes on without it
        mark_gap(r);
        return false;
    }
    reader_error(r, node, where, "%s is expected here, not %s", what, yaml_kind_text(node));
    return false;
}

static int count_of(const char *const *list)
{
    int n = 0;
    while (list[n]) {
        n++;
    }
    return n;
}

void reader_keys(reader *r, const yaml_node *map, const char *const *known, const char *where)
{
    int n_known = count_of(known);
    for (int k = 0; k < map->count; k++) {
        bool is_known = false;
        for (int j = 0; j < n_known && !is_known; j++) {
            is_known = strcmp(map->key[k]->text, known[j]) == 0;
        }
        if (is_known) {
            continue;
        }
        char hint[NAMES_HINT_SIZE], list[700] = "";
        if (!names_hint(map->key[k]->text, known, n_known, hint)[0]) {
            size_t used = 0;
            for (int j = 0; j < n_known && used < sizeof list; j++) {
                used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", j ? ", " : "; known are ",
                                         known[j]);
            }
        }
        reader_error(r, map->key[k], where, "unknown key '%.80s'%s%s", map->key[k]->text, hint, list);
    }
}

void reader_known_of(reader *r, const yaml_node *map, const key_map *keys, unsigned kind, const char *where)
{
    const char *known[MOST_KEYS + 1];
    const key_def *key;
    int count = 0;
    for (int k = 0; (key = key_at(keys, k)) && count < MOST_KEYS; k++) {
        if (key_is_of(key, kind)) {
            known[count++] = key->key;
        }
    }
    known[count] = NULL;
    reader_keys(r, map, known, where);
}

void reader_known(reader *r, const yaml_node *map, const key_map *keys, const char *where)
{
    reader_known_of(r, map, keys, ~0u, where);
}

// ---- values --------------------------------------------------------------------------------------

static bi_place text_place(const reader *r, const yaml_node *node)
{
    bi_place place = reader_place_of(r, node);
    place.column = node->text_column ? node->text_column : node->column;
    return place;
}

const char *reader_text(reader *r, const yaml_node *node, const char *where)
{
    if (!strchr(node->text, '$')) {
        return node->text;
    }
    bi_report scratch = { 0 };
    const char *text =
        names_substitute(r->model, node->text, text_place(r, node), where, &r->memory, &scratch);
    reader_forward(r, &scratch, node, node->text_column > 0);
    return text;
}

// Value of `text`, which stands `offset` letters into the scalar when it is as written.
static bool number_of_text(reader *r, const yaml_node *node, const char *text, int offset, const char *unit,
                           const char *where, double *value)
{
    bool is_as_written = node->text_column > 0 && !strchr(node->text, '$');
    bi_place place = text_place(r, node);
    place.column += offset;
    bi_model_place(r->model, place);
    bi_report scratch = { 0 };
    double number = 0.0;
    bool is_good = bi_model_number(r->model, text, unit, where, &number, &scratch);
    reader_forward(r, &scratch, node, is_as_written);
    if (is_good) {
        *value = number;
    }
    return is_good;
}

bool reader_number(reader *r, const yaml_node *node, const char *unit, const char *where, double *value)
{
    if (!reader_expect(r, node, YAML_SCALAR, where, "a number or an expression")) {
        return false;
    }
    const char *text = reader_text(r, node, where);
    return text && number_of_text(r, node, text, 0, unit, where, value);
}

bool reader_part(reader *r, const yaml_node *node, size_t offset, size_t length, const char *where,
                 double *value)
{
    char *part = blocks_text(&r->memory, node->text + offset, length);
    if (!part || !number_of_text(r, node, part, (int)offset, NULL, where, value)) {
        return false;
    }
    if (fabs(*value - round(*value)) > 1e-9 || fabs(*value) > 1e9) {
        reader_error(r, node, where, "an integer is expected, and '%.80s' is %g", part, *value);
        return false;
    }
    *value = round(*value);
    return true;
}

bool reader_numbers(reader *r, const yaml_node *node, int count, const char *unit, const char *where,
                    double *value)
{
    char what[48];
    if (node->kind != YAML_LIST) {
        snprintf(what, sizeof what, "a list of %d numbers", count);
        return reader_expect(r, node, YAML_LIST, where, what);
    }
    if (node->count != count) {
        reader_error(r, node, where, "a list of %d numbers is expected here, and there are %d", count,
                     node->count);
        return false;
    }
    bool is_good = true;
    for (int k = 0; k < count; k++) {
        is_good = reader_number(r, node->item[k], unit, where, &value[k]) && is_good;
    }
    return is_good;
}

bool reader_vec3(reader *r, const yaml_node *node, const char *unit, const char *where, bi_vec3 *value)
{
    double x[3];
    if (!reader_numbers(r, node, 3, unit, where, x)) {
        return false;
    }
    *value = (bi_vec3){ x[0], x[1], x[2] };
    return true;
}

bool reader_direction(reader *r, const yaml_node *node, const char *where, bi_vec3 *value)
{
    bi_vec3 direction;
    if (!reader_vec3(r, node, NULL, where, &direction)) {
        return false;
    }
    if (direction.x == 0.0 && direction.y == 0.0 && direction.z == 0.0) {
        reader_error(r, node, where, "is zero: give a direction such as [0, 0, 1]");
        return false;
    }
    *value = direction;
    return true;
}

bool reader_bool(reader *r, const yaml_node *node, const char *where, bool *value)
{
    if (!reader_expect(r, node, YAML_SCALAR, where, "true or false")) {
        return false;
    }
    *value = strcmp(node->text, "true") == 0;
    if (!*value && strcmp(node->text, "false") != 0) {
        reader_error(r, node, where, "true or false is expected here, not '%.80s'", node->text);
        return false;
    }
    return true;
}

bool reader_expr(reader *r, const yaml_node *node, const char *unit, const char *where, bi_expr *value)
{
    const char *text =
        reader_expect(r, node, YAML_SCALAR, where, "an expression") ? reader_text(r, node, where) : NULL;
    if (!text) {
        return false;
    }
    // a folded text ends with the end of its line
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    if (text[length]) {
        const char *shorter = blocks_text(&r->memory, text, length);
        text = shorter ? shorter : text;
    }
    // the core looks at it in bi_model_check, and counts columns from here
    bi_model_place(r->model, text_place(r, node));
    *value = bi_expression(r->model, text, unit);
    return true;
}

// A suggestion among the names of the file, as they stand in it.
static const char *hint_of_file(reader *r, const char *name, const name_set *set, int count,
                                char hint[NAMES_HINT_SIZE])
{
    size_t length = strlen(r->scope->prefix);
    const char **own = length > 0 ? malloc(((size_t)count + 1) * sizeof *own) : NULL;
    if (!own) {
        return names_hint(name, set->name, length > 0 ? 0 : count, hint);
    }
    int n_own = 0;
    for (int k = 0; k < count; k++) {
        if (strncmp(set->name[k], r->scope->prefix, length) == 0) {
            own[n_own++] = set->name[k] + length;
        }
    }
    names_hint(name, own, n_own, hint);
    free((void *)own);
    return hint;
}

bool reader_lookup(reader *r, const yaml_node *node, const name_set *set, const char *what, const char *where,
                   int32_t *id)
{
    char expected[40], hint[NAMES_HINT_SIZE];
    snprintf(expected, sizeof expected, "the name of a %s", what);
    const char *name =
        reader_expect(r, node, YAML_SCALAR, where, expected) ? reader_text(r, node, where) : NULL;
    if (!name) {
        return false;
    }
    if (set == &r->bodies && strcmp(name, "ground") == 0) {
        *id = r->scope->ground;
        return true;
    }
    int k = name_set_find(set, reader_full_name(r, name));
    if (k < 0 && set->is_incomplete) {
        mark_gap(r);
        return false;
    }
    const char *dot = set == &r->joints && k < 0 ? strrchr(name, '.') : NULL;
    char *joint = dot ? blocks_text(&r->memory, name, (size_t)(dot - name)) : NULL;
    if (joint && name_set_find(set, reader_full_name(r, joint)) >= 0) {
        reader_error(
            r, node, where,
            "the name of a joint is needed here, and '%.80s' is a coordinate: write joint: %.60s, and "
            "coordinate: %.30s where there is such a key",
            name, joint, dot + 1);
        return false;
    }
    if (k < 0) {
        reader_error(r, node, where, "there is no %s called '%.80s'%s", what, name,
                     hint_of_file(r, name, set, is_heard(r, node) ? set->count : 0, hint));
        return false;
    }
    *id = set->id[k];
    // a name that could not be added was told when it was read
    if (*id == 0) {
        mark_gap(r);
    }
    return *id != 0;
}

bool reader_point(reader *r, const yaml_node *node, const char *where, bi_point *value)
{
    if (node->kind == YAML_SCALAR && node->text[0]) {
        return reader_named_point(r, node, where, value);
    }
    if (!reader_expect(r, node, YAML_MAP, where, "a point such as {body: rod, at: [0, 0, 0]}")) {
        return false;
    }
    // an entry of the section `points` may be repeated
    bool is_named = strncmp(where, "points.", 7) == 0;
    reader_known_of(r, node, &keys_point, is_named ? POINT_NAMED : POINT_INLINE, where);
    const yaml_node *body = yaml_get(node, "body");
    if (!body) {
        reader_error(r, node, where, "needs 'body'");
        return false;
    }
    bool has_body = reader_lookup(r, body, &r->bodies, "body", where_at(where, "body").text, &value->body.i);
    bool has_at = reader_vec3_of(r, node, "at", "m", where, &value->at);
    if (yaml_get(node, "node") && has_body) {
        has_at = reader_node_place(r, node, &value->body, where, &value->at) && has_at;
    }
    if (has_body && has_at && reader_is_ground(body)) {
        value->at = reader_into_body(r, value->body, reader_place_point(r, value->at));
    }
    if (has_body && has_at && !yaml_get(node, "node")) {
        reader_piece(r, &value->body, &value->at, where);
    }
    return has_at && has_body;
}

bool reader_number_of(reader *r, const yaml_node *map, const char *key, const char *unit, const char *where,
                      double *value)
{
    const yaml_node *node = yaml_get(map, key);
    return !node || reader_number(r, node, unit, where_at(where, key).text, value);
}

bool reader_vec3_of(reader *r, const yaml_node *map, const char *key, const char *unit, const char *where,
                    bi_vec3 *value)
{
    const yaml_node *node = yaml_get(map, key);
    return !node || reader_vec3(r, node, unit, where_at(where, key).text, value);
}

// One value into its place by the type in its table. False: told.
static bool read_value(reader *r, const yaml_node *node, const key_def *key, const char *where, char *to)
{
    if (strcmp(key->type, "vector") == 0) {
        return reader_vec3(r, node, key->unit, where, (bi_vec3 *)(void *)to);
    }
    if (strcmp(key->type, "flag") == 0) {
        return reader_bool(r, node, where, (bool *)to);
    }
    double number = 0.0;
    if (!reader_number(r, node, key->unit, where, &number)) {
        return false;
    }
    if (key->is_positive && !(number > 0.0)) {
        reader_error(r, node, where, "must be positive, and it is %g", number);
        return false;
    }
    memcpy(to, &number, sizeof number);
    return true;
}

bool reader_values(reader *r, const yaml_node *map, const key_map *keys, unsigned kind, const char *where,
                   void *def)
{
    const key_def *key;
    bool is_good = true;
    for (int k = 0; (key = key_at(keys, k)); k++) {
        const yaml_node *node = key->at > 0 && key_is_of(key, kind) ? yaml_get(map, key->key) : NULL;
        if (node) {
            where_path here = where_at(where, key->key);
            is_good = read_value(r, node, key, here.text, (char *)def + key->at) && is_good;
        }
    }
    return is_good;
}

int reader_word_of(reader *r, const yaml_node *map, const key_map *keys, const char *name, const char *where)
{
    const yaml_node *node = yaml_get(map, name);
    const key_def *key = key_find(keys, name);
    key_words words;
    if (!node || !key) {
        return -1;
    }
    key_words_of(key->type, &words);
    return reader_word(r, node, where_at(where, name).text, words.word, words.count);
}
