// SPDX-License-Identifier: MIT
#include "cli/json_read.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *at, *end;
    json_tree *tree;
} scanner;

static void skip_space(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) {
        s->at++;
    }
}

static bool take(scanner *s, char c)
{
    skip_space(s);
    if (s->at < s->end && *s->at == c) {
        s->at++;
        return true;
    }
    return false;
}

// Letters of one escape after its backslash; 0: JSON has none such.
static size_t escape_length(const char *at, const char *end)
{
    if (at < end && *at && strchr("\"\\/bfnrt", *at)) {
        return 1;
    }
    if (end - at < 5 || *at != 'u') {
        return 0;
    }
    for (int k = 1; k <= 4; k++) {
        if (!isxdigit((unsigned char)at[k])) {
            return 0;
        }
    }
    return 5;
}

// Bytes of the letter at `at` in UTF-8; 0: it is none, too long for what it says, half of a pair, or beyond the last
// one.
static size_t letter_length(const char *at, const char *end)
{
    const unsigned char *c = (const unsigned char *)at;
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    if (n == 0 || (size_t)(end - at) < n) {
        return 0;
    }
    for (size_t k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_bad = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                  (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
    return is_bad ? 0 : n;
}

// What stands between quotes, escapes as they are.
static bool take_quoted(scanner *s, const char **text, size_t *length)
{
    if (!take(s, '"')) {
        return false;
    }
    *text = s->at;
    while (s->at < s->end && *s->at != '"') {
        bool is_escape = *s->at == '\\';
        size_t n = is_escape ? escape_length(s->at + 1, s->end) : letter_length(s->at, s->end);
        if ((unsigned char)*s->at < 0x20 || n == 0) {
            return false;
        }
        s->at += n + is_escape;
    }
    if (s->at >= s->end) {
        return false;
    }
    *length = (size_t)(s->at++ - *text);
    return true;
}

static bool take_word(scanner *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || strncmp(s->at, word, n) != 0) {
        return false;
    }
    s->at += n;
    return true;
}

static bool take_digits(scanner *s)
{
    const char *from = s->at;
    while (s->at < s->end && isdigit((unsigned char)*s->at)) {
        s->at++;
    }
    return s->at > from;
}

// -12.5e-3: no plus before it, no zero before other digits, digits on both sides of the point.
static bool take_number(scanner *s, json_item *item)
{
    item->kind = JSON_NUMBER;
    item->text = s->at;
    s->at += *s->at == '-';
    bool has_zero = s->at < s->end && *s->at == '0';
    const char *whole = s->at;
    bool ok = take_digits(s) && !(has_zero && s->at - whole > 1);
    if (ok && s->at < s->end && *s->at == '.') {
        s->at++;
        ok = take_digits(s);
    }
    if (ok && s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        s->at += s->at < s->end && (*s->at == '+' || *s->at == '-');
        ok = take_digits(s);
    }
    item->length = (size_t)(s->at - item->text);
    char copy[64];
    if (!ok || item->length >= sizeof copy) {
        return false;
    }
    memcpy(copy, item->text, item->length);
    copy[item->length] = '\0';
    return isfinite(strtod(copy, NULL));
}

static bool take_value(scanner *s, int parent, int level, const char *key, size_t key_length);

static bool take_members(scanner *s, int parent, int level, json_kind kind)
{
    char closing = kind == JSON_OBJECT ? '}' : ']';
    if (take(s, closing)) {
        return true;
    }
    do {
        const char *key = NULL;
        size_t length = 0;
        if (kind == JSON_OBJECT && !(take_quoted(s, &key, &length) && take(s, ':'))) {
            return false;
        }
        if (!take_value(s, parent, level + 1, key, length)) {
            return false;
        }
    } while (take(s, ','));
    return take(s, closing);
}

static bool take_value(scanner *s, int parent, int level, const char *key, size_t key_length)
{
    skip_space(s);
    if (s->tree->count == JSON_ITEMS || level > JSON_LEVELS || s->at >= s->end) {
        return false;
    }
    int own = s->tree->count++;
    json_item *item = &s->tree->item[own];
    *item = (json_item){ .parent = parent, .key = key, .key_length = key_length };
    if (take(s, '{') || take(s, '[')) {
        item->kind = s->at[-1] == '{' ? JSON_OBJECT : JSON_ARRAY;
        return take_members(s, own, level, item->kind);
    }
    if (*s->at == '"') {
        item->kind = JSON_TEXT;
        return take_quoted(s, &item->text, &item->length);
    }
    if (take_word(s, "true") || take_word(s, "false") || take_word(s, "null")) {
        item->kind = s->at[-1] == 'l' ? JSON_NULL : s->at[-2] == 'u' ? JSON_TRUE : JSON_FALSE;
        return true;
    }
    return take_number(s, item);
}

bool json_read(const char *text, size_t length, json_tree *tree)
{
    scanner s = { text, text + length, tree };
    tree->count = 0;
    bool is_good = take_value(&s, -1, 0, NULL, 0);
    skip_space(&s);
    return is_good && s.at == s.end;
}

int json_member(const json_tree *tree, int parent, const char *key)
{
    for (int k = 0; parent >= 0 && k < tree->count; k++) {
        const json_item *item = &tree->item[k];
        if (item->parent == parent && item->key && item->key_length == strlen(key) &&
            strncmp(item->key, key, item->key_length) == 0) {
            return k;
        }
    }
    return -1;
}

bool json_is(const json_tree *tree, int item, const char *text)
{
    return item >= 0 && tree->item[item].kind == JSON_TEXT && tree->item[item].length == strlen(text) &&
           strncmp(tree->item[item].text, text, tree->item[item].length) == 0;
}

bool json_number_at(const json_tree *tree, int item, double *value)
{
    if (item < 0) {
        return false;
    }
    const json_item *i = &tree->item[item];
    if (i->kind == JSON_TRUE || i->kind == JSON_FALSE) {
        *value = i->kind == JSON_TRUE;
        return true;
    }
    if (i->kind != JSON_NUMBER) {
        return false;
    }
    char copy[64];
    memcpy(copy, i->text, i->length);
    copy[i->length] = '\0';
    *value = strtod(copy, NULL);
    return true;
}

// The four digits after 'u'.
static unsigned hex4(const char *at)
{
    char digits[5] = { at[0], at[1], at[2], at[3], 0 };
    return (unsigned)strtoul(digits, NULL, 16);
}

// The letter of an escape whose 'u' is at `at`, in UTF-8; a half of a pair without the other becomes '?'. Moves *at
// behind it.
static size_t unescape_letter(const char **at, const char *end, char out[4])
{
    unsigned code = hex4(*at + 1);
    *at += 5;
    if (code >= 0xd800 && code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        unsigned low = hex4(*at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            *at += 6;
        }
    }
    code = (code >= 0xd800 && code < 0xe000) || code == 0 ? '?' : code;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n; k-- > 1; code >>= 6) {
        out[k] = (char)(0x80 | (code & 0x3f));
    }
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    out[0] = (char)(first[n] | code);
    return n;
}

static bool unescape(const char *text, size_t length, char *to, size_t size)
{
    static const char name[] = "bfnrt", value[] = "\b\f\n\r\t";
    const char *at = text, *end = text + length;
    size_t n = 0;
    while (at < end) {
        char out[4] = { *at };
        size_t count = 1;
        if (*at++ == '\\') {
            if (*at == 'u') {
                count = unescape_letter(&at, end, out);
            } else {
                const char *known = strchr(name, *at);
                out[0] = known ? value[known - name] : *at;
                at++;
            }
        }
        if (n + count >= size) {
            return false;
        }
        memcpy(to + n, out, count);
        n += count;
    }
    to[n] = '\0';
    return true;
}

bool json_text_at(const json_tree *tree, int item, char *to, size_t size)
{
    return item >= 0 && tree->item[item].kind == JSON_TEXT &&
           unescape(tree->item[item].text, tree->item[item].length, to, size);
}

bool json_key_at(const json_tree *tree, int item, char *to, size_t size)
{
    return item >= 0 && tree->item[item].key &&
           unescape(tree->item[item].key, tree->item[item].key_length, to, size);
}
