// SPDX-License-Identifier: MIT
// Names: sets with positions, suggestions for misspelt ones, and `$i` in repeated ones.
#pragma once
#include "io/yaml/blocks.h"
#include <biela/biela.h>

// A set of names in the order added, each with the line where it came from.
typedef struct {
    int count, capacity;
    const char **name; // (count) owned by the set
    int *line;         // (count)
    int32_t *id;       // (count) for the owner; 0 at first
    int *slot;         // (2 * capacity) hash table: index + 1, 0 = free
    blocks text;
    bool is_incomplete; // for the owner: names are missing because of a mistake that was told
} name_set;             // starts as { 0 }, ends with name_set_clear

// Index of the name; -1: not there.
int name_set_find(const name_set *set, const char *name);
// Index of the new name; -1: it is already there, or no memory.
int name_set_add(name_set *set, const char *name, int line);
void name_set_clear(name_set *set);

// Changes between two words: letters replaced, added, left out, or swapped with their neighbour; case counts half, so
// all are counted twice. Only the first 63 letters are looked at.
int names_distance(const char *a, const char *b);
// The candidate most like `name`; NULL: none is like it.
const char *names_nearest(const char *name, const char *const *candidate, int count);
// " (did you mean 'x'?)", or "" when nothing is like it. Returns the buffer.
enum { NAMES_HINT_SIZE = 128 };
const char *names_hint(const char *name, const char *const *candidate, int count,
                       char buffer[NAMES_HINT_SIZE]);

// Letters, digits, '_', '-'; not empty.
bool names_is_name(const char *text);
// A name an expression can read: letters, digits, '_', not beginning with a digit, and not `t` or `pi`.
bool names_is_identifier(const char *text);

// Replaces each `$name` and `$(expression)` by its value, an integer. `place` is that of text[0]. Mistakes go to the
// report; then NULL. The text itself when there is nothing to replace, otherwise a copy in `memory`.
const char *names_substitute(bi_model *model, const char *text, bi_place place, const char *where,
                             blocks *memory, bi_report *report);
