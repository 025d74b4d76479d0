// SPDX-License-Identifier: MIT
#include "io/keys/schema_type.h"
#include <stdlib.h>
#include <string.h>

static const char *write_alternatives(json_out *j, const char *at);

static const char *skip_blanks(const char *at) { return at + strspn(at, " "); }

static size_t word_length(const char *at)
{
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

// A copy of a part of the notation, or of a path to it.
typedef struct {
    char text[160];
} piece;

static piece piece_of(const char *before, const char *from, size_t length)
{
    piece p;
    snprintf(p.text, sizeof p.text, "%s%.*s", before, (int)length, from);
    return p;
}

// ---- terms: each takes the notation behind its first letter and gives what is left of it -----------------------------

// What JSON calls a word of ours; NULL: it is none of its own types.
static const char *json_type(const char *at, size_t length)
{
    static const char *const names[][2] = { { "string", "string" }, { "real", "number" },
                                            { "flag", "boolean" },  { "object", "object" },
                                            { "array", "array" },   { "null", "null" } };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strlen(names[k][0]) == length && strncmp(names[k][0], at, length) == 0) {
            return names[k][1];
        }
    }
    return NULL;
}

// vector, string, string/real
static const char *write_word(json_out *j, const char *at)
{
    size_t length = word_length(at);
    const char *type = json_type(at, length);
    if (!type) {
        json_put_text(j, "$ref", piece_of("#/definitions/", at, length).text);
        return at + length;
    }
    if (at[length] != '/') {
        json_put_text(j, "type", type);
        return at + length;
    }
    json_open_list(j, "type", JSON_ONE_LINE);
    for (;; at++) {
        length = word_length(at);
        type = json_type(at, length);
        json_put_text(j, NULL, type ? type : "");
        at += length;
        if (*at != '/') {
            break;
        }
    }
    json_close(j);
    return at;
}

// own, klu> or #1>
static const char *write_words(json_out *j, const char *at)
{
    json_open_list(j, "enum", JSON_ONE_LINE);
    while (*at && *at != '>') {
        size_t length = strcspn(at, ",>");
        if (*at == '#') {
            json_put_number(j, NULL, (int)strtol(at + 1, NULL, 10));
        } else {
            json_put_text(j, NULL, piece_of("", at, length).text);
        }
        at += length;
        at = skip_blanks(at + (*at == ','));
    }
    json_close(j);
    return at + (*at == '>');
}

static const char *write_engine_list(json_out *j, const char *at)
{
    size_t length = word_length(at);
    key_words words;
    key_words_of(piece_of("@", at, length).text, &words);
    json_open_list(j, "enum", JSON_ONE_LINE);
    for (int k = 0; k < words.count; k++) {
        json_put_text(j, NULL, words.word[k]);
    }
    json_close(j);
    return at + length;
}

// 2, 1.., ..4, 3..6, or nothing
static const char *write_range(json_out *j, const char *at, const char *least, const char *most)
{
    size_t digits = strspn(at, "0123456789");
    bool is_range = strncmp(at + digits, "..", 2) == 0;
    if (digits > 0) {
        json_put_number(j, least, (int)strtol(at, NULL, 10));
    }
    if (digits > 0 && !is_range) {
        json_put_number(j, most, (int)strtol(at, NULL, 10));
    }
    at += digits + (is_range ? 2 : 0);
    digits = is_range ? strspn(at, "0123456789") : 0;
    if (digits > 0) {
        json_put_number(j, most, (int)strtol(at, NULL, 10));
    }
    return at + digits;
}

// part]1..
static const char *write_list(json_out *j, const char *at)
{
    json_put_text(j, "type", "array");
    json_open(j, "items", JSON_ONE_LINE);
    at = write_alternatives(j, at);
    json_close(j);
    return write_range(j, at + (*at == ']'), "minItems", "maxItems");
}

// number}, or entry: body}?
static const char *write_named(json_out *j, const char *at)
{
    size_t length = word_length(at);
    if (at[length] == ':') {
        json_open(j, "propertyNames", JSON_ONE_LINE);
        at = skip_blanks(write_word(j, at) + 1);
        json_close(j);
    }
    json_open(j, "additionalProperties", JSON_ONE_LINE);
    at = write_alternatives(j, at);
    json_close(j);
    at += *at == '}';
    (void)write_word(j, *at == '?' ? "object/null" : "object");
    return write_range(j, at + (*at == '?'), "minProperties", "maxProperties");
}

static void write_required(json_out *j, const key_map *map)
{
    const key_def *key;
    bool is_open = false;
    for (int k = 0; (key = key_at(map, k)); k++) {
        if (key->needed_by == ~0u) {
            if (!is_open) {
                json_open_list(j, "required", JSON_ONE_LINE);
                is_open = true;
            }
            json_put_text(j, NULL, key->key);
        }
    }
    if (is_open) {
        json_close(j);
    }
}

static const char *write_map(json_out *j, const char *at)
{
    size_t length = word_length(at);
    const key_map *map = key_map_find(piece_of("", at, length).text);
    const key_def *key;
    bool may_be_empty = at[length] == '?';
    (void)write_word(j, may_be_empty ? "object/null" : "object");
    if (map && map->least > 0) {
        json_put_number(j, "minProperties", map->least);
    }
    if (map && map->most > 0) {
        json_put_number(j, "maxProperties", map->most);
    }
    if (map) {
        write_required(j, map);
    }
    json_put_false(j, "additionalProperties");
    json_open(j, "properties", JSON_LINES);
    for (int k = 0; map && (key = key_at(map, k)); k++) {
        schema_write_key(j, key);
    }
    json_close(j);
    return at + length + (may_be_empty ? 1 : 0);
}

static const char *write_pattern(json_out *j, const char *at)
{
    json_put_text(j, "pattern", at);
    return at + strlen(at);
}

static const char *write_term(json_out *j, const char *at)
{
    at = *at == '['   ? write_list(j, at + 1)
         : *at == '{' ? write_named(j, at + 1)
         : *at == '<' ? write_words(j, at + 1)
         : *at == '=' ? write_map(j, at + 1)
         : *at == '@' ? write_engine_list(j, at + 1)
         : *at == '~' ? at
                      : write_word(j, at);
    at = skip_blanks(at);
    if (*at == '~') {
        return write_pattern(j, at + 1);
    }
    if (*at == '\'') {
        size_t length = strcspn(at + 1, "'");
        json_put_text(j, "description", piece_of("", at + 1, length).text);
        at = skip_blanks(at + length + 2);
    }
    return at;
}

// ---- alternatives ---------------------------------------------------------------------------------------------------

// There is a | before the notation or its part ends.
static bool has_alternatives(const char *at)
{
    int depth = 0;
    for (; *at && *at != '~'; at++) {
        if (*at == '\'') {
            at += strcspn(at + 1, "'") + 1;
        } else if (strchr("[{<", *at)) {
            depth++;
        } else if (strchr("]}>", *at) && --depth < 0) {
            return false;
        } else if (*at == '|' && depth == 0) {
            return true;
        }
    }
    return false;
}

static const char *write_alternatives(json_out *j, const char *at)
{
    if (!has_alternatives(at)) {
        return write_term(j, at);
    }
    json_open_list(j, "anyOf", JSON_ONE_LINE);
    for (bool is_more = true; is_more;) {
        json_open(j, NULL, JSON_ONE_LINE);
        at = write_term(j, at);
        json_close(j);
        is_more = *at == '|';
        at = is_more ? skip_blanks(at + 1) : at;
    }
    json_close(j);
    return at;
}

void schema_write_type(json_out *j, const char *type)
{
    const char *rest = *type ? write_alternatives(j, type) : type;
    if (*rest) {
        json_put_text(j, "not-understood",
                      rest); // no keyword: whoever reads the schema refuses it, the tests first
    }
}

// ---- a key -----------------------------------------------------------------------------------------------------------

// name: meaning; name: meaning
static size_t list_meanings(const char *type, char *text, size_t size)
{
    key_words words;
    size_t used = 0;
    key_words_of(type, &words);
    for (int k = 0; k < words.count && used < size; k++) {
        const char *meaning = key_meaning(type, k);
        if (meaning) {
            used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used > 0 ? "; " : "",
                                     words.word[k], meaning);
        }
    }
    return used < size ? used : size;
}

// The first clause of the help, the unit, the rest; what the words of an engine's list mean; the default.
static void describe(const key_def *key, char *text, size_t size)
{
    const char *help = key->help ? key->help : "", *unit = key->unit ? key->unit : "";
    size_t first = strcspn(help, ";");
    size_t used = (size_t)snprintf(text, size, "%.*s%s%s%s", (int)first, help, *unit && *help ? ", " : "",
                                   unit, help + first);
    if (key_meaning(key->type, 0) && used + 2 < size) {
        memcpy(text + used, ": ", 3);
        used += 2;
        used += list_meanings(key->type, text + used, size - used);
    }
    if (key->usual && used < size) {
        snprintf(text + used, size - used, "; default %s", key->usual);
    }
}

void schema_write_key(json_out *j, const key_def *key)
{
    char text[4096];
    describe(key, text, sizeof text);
    bool is_map = key->type[0] == '=';
    json_open(j, key->key, is_map ? JSON_LINES : JSON_ONE_LINE);
    schema_write_type(j, key->type);
    if (*text) {
        json_put_text(j, "description", text);
    }
    json_close(j);
}
