// SPDX-License-Identifier: MIT
// Tables of keys: what a map of a model file may hold. The reader checks by them, the schema and the reference page are written from them.
#pragma once
#include <stdio.h>

typedef enum {
    KEY_NAME,       // of another entry
    KEY_LABEL,      // a name or a number
    KEY_NUMBER,     // or an expression of parameters
    KEY_EXPRESSION, // of time, inputs, coordinates
    KEY_POINT,
    KEY_VECTOR,
    KEY_FLAG,
    KEY_CHOICE, // one of `more`, words with commas between
    KEY_REPEAT, // `for`
    KEY_OTHER   // `more` is its schema, with ' for "
} key_shape;

typedef struct {
    const char *key;
    key_shape shape;
    const char *more, *help;
} key_def;

// As a member of the properties of a JSON Schema.
void key_write_schema(FILE *out, const key_def *key);
// JSON with ' for ".
void keys_write_quoted(FILE *out, const char *text);
// "a,b" as ["a", "b"] of an enum.
void keys_write_choices(FILE *out, const char *words);
