// SPDX-License-Identifier: MIT
/* json.h - writes one JSON value to a stream: escaped texts, numbers with 17 digits, null for what is not finite. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };
typedef struct {
    FILE *file;
    int depth;                  /* open objects and arrays */
    char closing[JSON_DEPTH];   /* '}' or ']' of each */
    bool is_filled[JSON_DEPTH]; /* it has a member already */
} json;

json json_start(FILE *);
/* `key` is NULL inside an array and for the outermost value. */
void json_object(json *, const char *key);
void json_array(json *, const char *key);
void json_end(json *); /* of the innermost object or array; the last one ends the line */
void json_text(json *, const char *key, const char *value); /* NULL: null */
void json_number(json *, const char *key, double value);
void json_count(json *, const char *key, int count); /* below zero: null, not computed */
void json_integer(json *, const char *key, int64_t value);
void json_true_or_false(json *, const char *key, bool value);
/* The caller writes the value, which must be JSON itself, to the stream. */
FILE *json_raw(json *, const char *key);
