// SPDX-License-Identifier: MIT
// The lines of a tyre property file as items, and the mapping that is made of them.
#pragma once
#include "io/yaml/blocks.h"
#include "io/yaml/yaml.h"

enum { TIR_ITEMS = 4000, TIR_PAIRS = 400, TIR_WORD = 64, TIR_NOTES = 400, TIR_SECTIONS = 64 };

typedef struct {
    char section[TIR_WORD], key[TIR_WORD], value[TIR_WORD];
    int line, column;
    double number;
    bool is_number, is_used;
} tir_item;

typedef struct {
    char name[TIR_WORD];
    int line;
} tir_section;

typedef struct {
    tir_item *item; // (n_item)
    int n_item;
    tir_section section[TIR_SECTIONS];
    int n_section;
    const char *path;
    bi_report *report;
    blocks *memory;
    double length, force, time, angle; // units of the file, SI
    yaml_node *map;
} tir;

__attribute__((format(printf, 5, 6))) void tir_complain(tir *t, int line, int column, const char *where,
                                                        const char *format, ...);
void tir_lines(tir *t, const char *text, size_t length);
void tir_units(tir *t);
// The item of that name, in any section; NULL: none. It counts as used.
tir_item *tir_find(tir *t, const char *key);
// A number; false: it is not there, or told to be none.
bool tir_number(tir *t, const char *key, double *value);
double tir_number_or(tir *t, const char *key, double otherwise);

// ---- the mapping (tir_map.c) ---------------------------------------------------------------------------------------

yaml_node *tir_text(tir *t, const char *text, int line); // NULL: no memory
void tir_put(tir *t, const char *key, yaml_node *value);
void tir_put_number(tir *t, const char *key, double value, int line);
void tir_put_numbers(tir *t, const char *key, const double *value, int count, int line);
// The value of a key in SI under our name, if it is there.
bool tir_carry(tir *t, const char *key, double si, const char *ours);

// The Magic Formula as it stands (tir_magic.c).
void tir_magic(tir *t);
// Why a known key is not used, for behind its name; "" for others.
const char *tir_why_unused(const char *key);
