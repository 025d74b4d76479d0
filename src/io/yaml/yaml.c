// SPDX-License-Identifier: MIT
#include "io/yaml/yaml.h"
#include "io/model/names.h"
#include "io/yaml/blocks.h"
#include "io/yaml/yaml_text.h"
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct yaml_file {
    blocks memory;
    yaml_node *root;
};

// What is under way while events become nodes.
typedef struct {
    struct fy_parser *parser;
    const char *text; // whole input
    const char *path;
    bi_report *report;
    blocks *memory;
    int depth, expanded, n_reported; // expanded: nodes so far, aliases counted with all they name
    bool has_stopped;                // a limit is exceeded, or no memory: nothing more is worth reading
    int n_stack, capacity;
    yaml_node **stack; // children of the collections that are still open
    name_set anchors;
    yaml_node **anchor; // (anchors.capacity); NULL while the anchored collection is open
} builder;

static yaml_node *build_node(builder *b, struct fy_event *event);

static void stop(builder *b, int line, int column, const char *what);

__attribute__((format(printf, 4, 5))) static void complain(builder *b, int line, int column,
                                                           const char *format, ...)
{
    enum { MOST_REPORTED = 100 };
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (b->n_reported++ < MOST_REPORTED) {
        bi_report_add(b->report, BI_ERROR, BI_BAD_FILE, (bi_place){ b->path, line, column }, "", "%s", what);
    } else {
        stop(b, line, column, "more mistakes follow from here on; these are enough for one run");
    }
}

static void stop(builder *b, int line, int column, const char *what)
{
    if (!b->has_stopped) {
        bi_place place = { b->path, line, column };
        bi_report_add(b->report, BI_ERROR, BI_BAD_FILE, place, "", "%s", what);
    }
    b->has_stopped = true;
}

// ---- nodes -------------------------------------------------------------------------------------

static yaml_node *new_node(builder *b, yaml_kind kind, const struct fy_mark *mark, const yaml_node *owner)
{
    // what is not written at all (an empty value) stands where its owner stands
    int line = mark ? mark->line + 1 : owner ? owner->line : 1;
    int column = mark ? mark->column + 1 : owner ? owner->column : 1;
    yaml_node *node = blocks_new(b->memory, sizeof *node);
    if (!node) {
        stop(b, line, column, "out of memory");
        return NULL;
    }
    node->kind = kind;
    node->line = line;
    node->column = column;
    node->text = "";
    node->size = 1;
    b->expanded++;
    if (b->expanded > YAML_MAX_NODES) {
        stop(b, line, column, "the file has more than a million values; use repetitions (for: {i: 1..N})");
        return NULL;
    }
    return node;
}

static bool push(builder *b, yaml_node *node)
{
    if (b->n_stack == b->capacity) {
        int capacity = b->capacity ? 2 * b->capacity : 256;
        yaml_node **stack = realloc(b->stack, (size_t)capacity * sizeof *stack);
        if (!stack) {
            stop(b, 1, 1, "out of memory");
            return false;
        }
        b->stack = stack;
        b->capacity = capacity;
    }
    b->stack[b->n_stack++] = node;
    return true;
}

// Registers the anchor of a node: `node` is NULL while the collection is open. Returns its index, -1 without one.
static int open_anchor(builder *b, struct fy_token *anchor)
{
    size_t length = 0;
    const char *text = anchor ? fy_token_get_text(anchor, &length) : NULL;
    char *name = text ? blocks_text(b->memory, text, length) : NULL;
    if (!name) {
        return -1;
    }
    // YAML lets a later anchor of the same name hide the earlier one
    int known = name_set_find(&b->anchors, name);
    int index = known >= 0 ? known : name_set_add(&b->anchors, name, 0);
    yaml_node **all = index < 0 ? NULL : realloc(b->anchor, (size_t)b->anchors.capacity * sizeof *all);
    if (!all) {
        stop(b, 1, 1, "out of memory");
        return -1;
    }
    b->anchor = all;
    b->anchor[index] = NULL;
    return index;
}

static void close_anchor(builder *b, int index, yaml_node *node)
{
    if (index >= 0) {
        b->anchor[index] = node;
    }
}

static yaml_node *build_alias(builder *b, struct fy_event *event)
{
    const struct fy_mark *mark = fy_token_start_mark(event->alias.anchor);
    int line = mark ? mark->line + 1 : 1, column = mark ? mark->column : 1; // the mark is behind the star
    size_t length = 0;
    const char *text = fy_token_get_text(event->alias.anchor, &length);
    char *name = blocks_text(b->memory, text ? text : "", text ? length : 0);
    int index = name ? name_set_find(&b->anchors, name) : -1;
    if (index >= 0 && b->anchor[index]) {
        b->expanded += b->anchor[index]->size;
        if (b->expanded > YAML_MAX_NODES) {
            stop(b, line, column, "the aliases expand to more than a million values");
        }
        return b->has_stopped ? NULL : b->anchor[index];
    }
    if (index >= 0) {
        complain(b, line, column, "the alias *%.60s stands inside the value it names", name);
    } else {
        char hint[NAMES_HINT_SIZE];
        names_hint(name ? name : "", b->anchors.name, b->anchors.count, hint);
        complain(b, line, column, "no anchor &%.60s before this alias%s", name ? name : "", hint);
    }
    return new_node(b, YAML_BROKEN, mark, NULL);
}

// Copies the pieces of a scalar to `to` (NULL: only counts). Returns the number of letters.
static size_t copy_pieces(struct fy_token *token, char *to)
{
    size_t length = 0;
    struct fy_token_iter *pieces = fy_token_iter_create(token);
    const struct fy_iter_chunk *piece = NULL;
    while (pieces && (piece = fy_token_iter_chunk_next(pieces, piece, NULL)) != NULL) {
        if (to) {
            memcpy(to + length, piece->str, piece->len);
        }
        length += piece->len;
    }
    fy_token_iter_destroy(pieces);
    return length;
}

// Text of a scalar. fy_token_get_text leaks (0.7.12) when a quoted scalar has more than a few escapes; this does not.
static char *scalar_text(builder *b, struct fy_token *token, size_t *length)
{
    *length = copy_pieces(token, NULL);
    char *text = blocks_new(b->memory, *length + 1);
    if (text) {
        copy_pieces(token, text);
    }
    return text;
}

static yaml_node *build_scalar(builder *b, struct fy_event *event, const yaml_node *owner)
{
    struct fy_token *value = event->scalar.value;
    const struct fy_mark *mark = value ? fy_token_start_mark(value) : NULL;
    yaml_node *node = new_node(b, YAML_SCALAR, mark, owner);
    size_t length = 0;
    if (!node || !value) {
        return node;
    }
    const char *text = scalar_text(b, value, &length);
    if (!text) {
        stop(b, node->line, node->column, "out of memory");
        return NULL;
    }
    if (memchr(text, '\0', length)) {
        complain(b, node->line, node->column, "a text must not contain the character zero");
        node->kind = YAML_BROKEN;
        return node;
    }
    node->text = text;
    // the mark is behind the quote; the letters are those of the file unless there are escapes or folded lines
    const struct fy_mark *end = fy_token_end_mark(value);
    enum fy_scalar_style style = fy_token_scalar_style(value);
    bool is_as_written = mark && end && end->input_pos - mark->input_pos == length &&
                         memcmp(b->text + mark->input_pos, text, length) == 0;
    node->text_column = is_as_written ? node->column : 0;
    node->is_plain = style == FYSS_PLAIN;
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && node->column > 1) {
        node->column--;
    }
    return node;
}

// ---- collections -------------------------------------------------------------------------------

// Moves what stands on the stack from `from` on into fresh arrays: every `stride`-th node from `first`.
static yaml_node **take(builder *b, int from, int first, int stride, int count)
{
    yaml_node **list = blocks_new(b->memory, (size_t)(count > 0 ? count : 1) * sizeof(yaml_node *));
    if (!list) {
        stop(b, 1, 1, "out of memory");
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        list[k] = b->stack[from + first + stride * k];
    }
    return list;
}

// Puts key and value on the stack if no pair since `from` has that key.
static bool push_merged(builder *b, name_set *seen, yaml_node *key, yaml_node *value)
{
    return name_set_find(seen, key->text) >= 0 ||
           (name_set_add(seen, key->text, key->line) >= 0 && push(b, key) && push(b, value));
}

static void merge_map(builder *b, name_set *seen, const yaml_node *key, const yaml_node *map)
{
    if (map->kind != YAML_MAP) {
        if (map->kind != YAML_BROKEN) {
            complain(b, map->line, map->column,
                     "'<<' merges mappings: a mapping (or a list of them) must follow, "
                     "not %s",
                     yaml_kind_text(map));
        }
        return;
    }
    for (int k = 0; k < map->count && !b->has_stopped; k++) {
        if (!push_merged(b, seen, map->key[k], map->item[k])) {
            stop(b, key->line, key->column, "out of memory");
        }
    }
}

static bool is_merge(const yaml_node *key) { return key->is_plain && strcmp(key->text, "<<") == 0; }

// The pairs on the stack from `from` on become: each key once, then what is merged and not yet there.
static void settle_pairs(builder *b, int from)
{
    name_set seen = { 0 };
    int end = b->n_stack, kept = from;
    yaml_node *merge_key = NULL, *merge_value = NULL;
    for (int k = from; k + 1 < end && !b->has_stopped; k += 2) {
        yaml_node *key = b->stack[k], *value = b->stack[k + 1];
        int known = is_merge(key) ? -1 : name_set_find(&seen, key->text);
        if (is_merge(key) && !merge_key) {
            merge_key = key;
            merge_value = value;
        } else if (is_merge(key) || known >= 0) {
            complain(b, key->line, key->column, "the key '%.80s' is given twice (first in line %d)",
                     key->text, known >= 0 ? seen.line[known] : merge_key->line);
        } else {
            if (name_set_add(&seen, key->text, key->line) < 0) {
                stop(b, key->line, key->column, "out of memory");
            }
            b->stack[kept++] = key;
            b->stack[kept++] = value;
        }
    }
    b->n_stack = kept;
    if (merge_value && merge_value->kind == YAML_LIST) {
        for (int k = 0; k < merge_value->count; k++) {
            merge_map(b, &seen, merge_key, merge_value->item[k]);
        }
    } else if (merge_value) {
        merge_map(b, &seen, merge_key, merge_value);
    }
    name_set_clear(&seen);
}

// ---- commas inside parentheses -------------------------------------------------------------------

// Parentheses that are opened and not closed; negative: the other way.
static int open_parentheses(const char *text)
{
    int count = 0;
    for (; *text; text++) {
        count += *text == '(' ? 1 : *text == ')' ? -1 : 0;
    }
    return count;
}

// Piece j of an expression that begins with entry k of a list or mapping: a value, then items, or keys without a value.
// NULL: it does not go on.
static yaml_node *piece_at(const builder *b, int k, int j, yaml_kind kind)
{
    int at = kind == YAML_LIST ? k + j : j == 0 ? k + 1 : k + 2 * j;
    yaml_node *piece = at < b->n_stack ? b->stack[at] : NULL;
    const yaml_node *value = piece && kind == YAML_MAP && j > 0 ? b->stack[at + 1] : NULL;
    bool has_value = value && (value->kind != YAML_SCALAR || value->text_column > 0);
    return piece && piece->kind == YAML_SCALAR && piece->is_plain && !has_value ? piece : NULL;
}

static int count_pieces(const builder *b, int k, yaml_kind kind)
{
    int open = 0;
    const yaml_node *piece;
    for (int j = 0; (piece = piece_at(b, k, j, kind)) != NULL; j++) {
        open += open_parentheses(piece->text);
        if (open <= 0) {
            return open == 0 ? j + 1 : 1;
        }
    }
    return 1;
}

static void complain_of_comma(builder *b, int k, int count, yaml_kind kind)
{
    char whole[160] = "";
    for (int j = 0; j < count; j++) {
        size_t used = strlen(whole);
        snprintf(whole + used, sizeof whole - used, "%s%s", j ? ", " : "", piece_at(b, k, j, kind)->text);
    }
    yaml_node *value = piece_at(b, k, 0, kind);
    complain(b, value->line, value->column,
             "a comma ends the value '%.60s' here: write the whole in quotes, \"%.140s\"", value->text,
             whole);
    value->kind = YAML_BROKEN;
}

// In braces and brackets a comma ends a value, also inside the parentheses of an expression: that is reported once, and
// the pieces behind the first are dropped.
static void mend_commas(builder *b, int from, yaml_kind kind)
{
    int step = kind == YAML_MAP ? 2 : 1, kept = from, n;
    for (int k = from; k < b->n_stack; k += step * n) {
        n = count_pieces(b, k, kind);
        if (n > 1) {
            complain_of_comma(b, k, n, kind);
        }
        for (int i = 0; i < step; i++) {
            b->stack[kept++] = b->stack[k + i];
        }
    }
    b->n_stack = kept;
}

// Reads one key or value; NULL: the collection ends, or nothing more can be read.
static yaml_node *build_next(builder *b, enum fy_event_type end, const yaml_node *owner)
{
    struct fy_event *event = b->has_stopped ? NULL : fy_parser_parse(b->parser);
    if (!event) {
        b->has_stopped = true;
        return NULL;
    }
    yaml_node *node = NULL;
    if (event->type == FYET_SCALAR) {
        node = build_scalar(b, event, owner);
        int anchor = node ? open_anchor(b, event->scalar.anchor) : -1;
        close_anchor(b, anchor, node);
    } else if (event->type != end) {
        node = build_node(b, event);
    }
    fy_parser_event_free(b->parser, event);
    return node;
}

static void fill_list(builder *b, yaml_node *list)
{
    int from = b->n_stack;
    for (;;) {
        yaml_node *item = build_next(b, FYET_SEQUENCE_END, list);
        if (!item || !push(b, item)) {
            break;
        }
        list->size += item->size;
    }
    mend_commas(b, from, YAML_LIST);
    list->count = b->n_stack - from;
    list->item = take(b, from, 0, 1, list->count);
    b->n_stack = from;
}

static void fill_map(builder *b, yaml_node *map)
{
    int from = b->n_stack;
    for (;;) {
        yaml_node *key = build_next(b, FYET_MAPPING_END, map);
        yaml_node *value = key ? build_next(b, FYET_NONE, key) : NULL;
        if (!value) {
            break;
        }
        map->size += key->size + value->size;
        if (key->kind != YAML_SCALAR) {
            if (key->kind != YAML_BROKEN) {
                complain(b, key->line, key->column, "a key must be a name, not %s", yaml_kind_text(key));
            }
            continue;
        }
        if (!push(b, key) || !push(b, value)) {
            break;
        }
    }
    mend_commas(b, from, YAML_MAP);
    settle_pairs(b, from);
    map->count = (b->n_stack - from) / 2;
    map->key = take(b, from, 0, 2, map->count);
    map->item = take(b, from, 1, 2, map->count);
    b->n_stack = from;
}

static yaml_node *build_node(builder *b, struct fy_event *event)
{
    if (event->type == FYET_ALIAS) {
        return build_alias(b, event);
    }
    if (event->type != FYET_SEQUENCE_START && event->type != FYET_MAPPING_START) {
        return NULL;
    }
    bool is_map = event->type == FYET_MAPPING_START;
    struct fy_token *token =
        is_map ? event->mapping_start.mapping_start : event->sequence_start.sequence_start;
    yaml_node *node =
        new_node(b, is_map ? YAML_MAP : YAML_LIST, token ? fy_token_start_mark(token) : NULL, NULL);
    if (!node) {
        return NULL;
    }
    if (b->depth == YAML_MAX_DEPTH) {
        stop(b, node->line, node->column, "lists and mappings are nested more than 32 deep");
        return NULL;
    }
    int anchor = open_anchor(b, is_map ? event->mapping_start.anchor : event->sequence_start.anchor);
    b->depth++;
    if (is_map) {
        fill_map(b, node);
    } else {
        fill_list(b, node);
    }
    b->depth--;
    close_anchor(b, anchor, node);
    return b->has_stopped ? NULL : node;
}

// ---- whole files -------------------------------------------------------------------------------

static void report_syntax(builder *b, struct fy_diag *diag)
{
    // the first message is the mistake, the others follow from it
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    bi_place place = { b->path, error ? error->line : 1, error ? error->column : 1 };
    place.line = place.line > 0 ? place.line : 1;
    place.column = place.column > 0 ? place.column : 1;
    bi_report_add(b->report, BI_ERROR, BI_BAD_FILE, place, "", "this is not YAML: %s",
                  error && error->msg ? error->msg : "the parser stopped here");
}

static yaml_node *build_document(builder *b)
{
    yaml_node *root = NULL;
    int documents = 0;
    struct fy_event *event;
    while (!b->has_stopped && (event = fy_parser_parse(b->parser)) != NULL) {
        if (event->type == FYET_DOCUMENT_START && ++documents > 1) {
            const struct fy_mark *mark = event->document_start.document_start
                                             ? fy_token_start_mark(event->document_start.document_start)
                                             : NULL;
            stop(b, mark ? mark->line + 1 : 1, mark ? mark->column + 1 : 1,
                 "a second document begins here; a model file holds one");
        } else if (event->type == FYET_SCALAR) {
            root = build_scalar(b, event, NULL);
        } else if (event->type == FYET_MAPPING_START || event->type == FYET_SEQUENCE_START ||
                   event->type == FYET_ALIAS) {
            root = build_node(b, event);
        }
        fy_parser_event_free(b->parser, event);
    }
    return root;
}

// Reads all events. False: the tree is not complete; the report says why.
static bool build_file(builder *b, size_t length, yaml_node **root)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    struct fy_diag *diag = fy_diag_create(&quiet);
    if (!diag) {
        return false;
    }
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {
        .flags = FYPCF_QUIET | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_SLOPPY_FLOW_INDENTATION,
        .diag = diag,
    };
    int errors = b->report->errors;
    b->parser = fy_parser_create(&cfg);
    bool is_open = b->parser && fy_parser_set_string(b->parser, b->text, length) == 0;
    *root = is_open ? build_document(b) : NULL;
    bool is_good = is_open && !b->has_stopped && !fy_parser_get_stream_error(b->parser);
    // a limit that was exceeded has told so itself
    if (!is_good && (b->report->errors == errors || (b->parser && fy_parser_get_stream_error(b->parser)))) {
        report_syntax(b, diag);
    }
    fy_parser_destroy(b->parser);
    fy_diag_destroy(diag);
    return is_good;
}

yaml_file *yaml_parse(const char *text, size_t length, const char *path, bi_report *report)
{
    bi_place place = { path, 1, 1 };
    if (length > YAML_MAX_BYTES) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "", "the file has %.1f MB; at most 8 MB are read",
                      (double)length / (1024.0 * 1024.0));
        return NULL;
    }
    // a byte order mark is not text
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    yaml_file *file = yaml_text_is_sane(text, length, path, report) ? calloc(1, sizeof *file) : NULL;
    if (!file) {
        return NULL;
    }
    // libfyaml wants something to read
    builder b = { .text = text, .path = path, .report = report, .memory = &file->memory };
    bool is_good = length == 0 || build_file(&b, length, &file->root);
    free(b.stack);
    free(b.anchor);
    name_set_clear(&b.anchors);
    if (!is_good) {
        yaml_destroy(file);
        return NULL;
    }
    return file;
}

void yaml_destroy(yaml_file *file)
{
    if (file) {
        blocks_free(&file->memory);
        free(file);
    }
}

yaml_node *yaml_root(const yaml_file *file) { return file->root; }

yaml_node *yaml_get(const yaml_node *map, const char *key)
{
    for (int k = 0; map && map->kind == YAML_MAP && k < map->count; k++) {
        if (strcmp(map->key[k]->text, key) == 0) {
            return map->item[k];
        }
    }
    return NULL;
}

const char *yaml_kind_text(const yaml_node *node)
{
    switch (node->kind) {
    case YAML_LIST: return "a list";
    case YAML_MAP: return "a mapping";
    case YAML_SCALAR: return node->text[0] ? "a number or text" : "nothing";
    default: return "something else";
    }
}
