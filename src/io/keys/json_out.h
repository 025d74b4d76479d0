// SPDX-License-Identifier: MIT
// Writes JSON: members with their commas, on lines of their own or in one line.
#pragma once
#include <stdbool.h>
#include <stdio.h>

enum { JSON_OUT_DEPTH = 24 };
typedef enum { JSON_ONE_LINE, JSON_LINES } json_layout;
typedef struct {
    FILE *out;
    int depth;
    char closing[JSON_OUT_DEPTH]; // '}' or ']' of each that is open
    json_layout layout[JSON_OUT_DEPTH];
    bool is_filled[JSON_OUT_DEPTH];
} json_out;

// `key` is NULL in a list and for the outermost value.
void json_open(json_out *j, const char *key, json_layout layout);
void json_open_list(json_out *j, const char *key, json_layout layout);
void json_close(json_out *j);
void json_put_text(json_out *j, const char *key, const char *text);
void json_put_number(json_out *j, const char *key, int number);
void json_put_false(json_out *j, const char *key);

// A text in quotes, what is special in it escaped.
void json_write_text(FILE *out, const char *text);
