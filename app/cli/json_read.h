// SPDX-License-Identifier: MIT
/* json_read.h - short JSON messages of strangers: one object, few members, at most one object or array inside another. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef enum { JSON_OBJECT, JSON_ARRAY, JSON_TEXT, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL } json_kind;
enum { JSON_ITEMS = 96, JSON_LEVELS = 8 };
typedef struct {
    json_kind kind;
    int parent;      /* item that it is in; -1: the whole */
    const char *key; /* between its quotes; NULL: none */
    size_t key_length;
    const char *text; /* of a text: between its quotes */
    size_t length;
} json_item;
typedef struct {
    int count;
    json_item item[JSON_ITEMS];
} json_tree; /* borrows the message */

/* False: it is not JSON, too many members, too deep. */
bool json_read(const char *text, size_t length, json_tree *);
int json_member(const json_tree *, int parent, const char *key); /* -1: none */
bool json_is(const json_tree *, int item, const char *text);     /* a text that reads so */
bool json_number_at(const json_tree *, int item, double *);      /* numbers, true and false */
/* A text or key without its escapes; false: it is no text, or does not fit. */
bool json_text_at(const json_tree *, int item, char *to, size_t size);
bool json_key_at(const json_tree *, int item, char *to, size_t size);
