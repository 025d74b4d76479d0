// SPDX-License-Identifier: MIT
#include "cli/json_read.h"
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

// What stands between quotes, escapes as they are.
static bool take_quoted(scanner *s, const char **text, size_t *length)
{
    if (!take(s, '"')) {
        return false;
    }
    *text = s->at;
    while (s->at < s->end && *s->at != '"') {
        if ((unsigned char)*s->at < 0x20) {
            return false;
        }
        s->at += *s->at == '\\' ? 2 : 1;
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

static bool take_number(scanner *s, json_item *item)
{
    item->kind = JSON_NUMBER;
    item->text = s->at;
    while (s->at < s->end && strchr("+-.0123456789eE", *s->at) && *s->at) {
        s->at++;
    }
    item->length = (size_t)(s->at - item->text);
    char copy[64], *end = NULL;
    if (item->length == 0 || item->length >= sizeof copy) {
        return false;
    }
    memcpy(copy, item->text, item->length);
    copy[item->length] = '\0';
    return isfinite(strtod(copy, &end)) && !*end;
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

// Escapes other than those of ASCII become '?': names of things here have none.
static bool unescape(const char *text, size_t length, char *to, size_t size)
{
    size_t n = 0;
    for (size_t k = 0; k < length; k++) {
        char c = text[k];
        if (c == '\\' && k + 1 < length) {
            char e = text[++k];
            c = e == 'n' ? '\n' : e == 't' ? '\t' : e == 'u' ? '?' : e;
            k += e == 'u' ? 4 : 0;
        }
        if (n + 1 >= size) {
            return false;
        }
        to[n++] = c;
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
