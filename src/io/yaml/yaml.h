// SPDX-License-Identifier: MIT
// A YAML file as a tree with positions. Thin layer over libfyaml: aliases share their target, merge keys are already
// merged, and size, depth and alias expansion are limited, so that no file can hang or exhaust the reader.
#pragma once
#include <biela/biela.h>
#include <stdio.h>

typedef enum {
    YAML_SCALAR,
    YAML_LIST,
    YAML_MAP,
    YAML_BROKEN // a mistake about it is already in the report
} yaml_kind;

typedef struct yaml_node yaml_node;
struct yaml_node {
    yaml_kind kind;
    int line, column; // of the first character, from 1
    int text_column;  // of text[0]; 0: the text does not stand in the file letter by letter
    bool is_plain;    // a scalar without quotes
    bool has_mistake; // for the reader: set on the key of an entry with a mistake
    bool has_gap;     // likewise: something of the entry is unknown for a mistake reported elsewhere
    const char *text; // scalar: zero-terminated
    int count;        // items of a list, pairs of a map
    yaml_node **key;  // (count) of a map, scalars, no two equal
    yaml_node **item; // (count) items of a list, values of a map
    int size;         // nodes with aliases expanded
};

enum {
    YAML_MAX_BYTES = 8 * 1024 * 1024,
    YAML_MAX_NODES = 1000000, // aliases expanded
    YAML_MAX_DEPTH = 32
};

typedef struct yaml_file yaml_file;

// Parses one document. Mistakes go to the report with `path` as file name. NULL: not YAML, or a limit is exceeded.
yaml_file *yaml_parse(const char *text, size_t length, const char *path, bi_report *report);
void yaml_destroy(yaml_file *file);
// NULL: the file is empty.
yaml_node *yaml_root(const yaml_file *file);

// Value of a key of a map; NULL: none, or not a map. Linear search.
yaml_node *yaml_get(const yaml_node *map, const char *key);
// "a number or text", "a list", "a mapping", "nothing"
const char *yaml_kind_text(const yaml_node *node);
// As JSON, plain numbers as numbers (yaml_json.c).
void yaml_write_json(FILE *out, const yaml_node *node);
