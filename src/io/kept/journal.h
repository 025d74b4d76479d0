// SPDX-License-Identifier: MIT
// What was read on account of which parameters: whoever changes some of them reads only that again (again.c).
#pragma once
#include "io/model/reader.h"

typedef enum {
    SPOT_FIXED, // reading it again takes the whole file
    SPOT_ENTRY, // an entry that can be read again in its place
    SPOT_GRAVITY,
    SPOT_RUN // the sections `run` and `runs`
} spot_kind;

enum { SPOT_INDICES = 4 };

// One thing that was read: an entry, or something else of the file.
typedef struct {
    spot_kind kind;
    char label[100]; // "forces.spring"
    uint64_t *reads; // (n_word of the journal) bits of the parameters that it reads
    int32_t *pose;   // (n_pose) bodies whose described place it uses
    int n_pose, cap_pose;
    // of an entry
    reader_entry *read;
    yaml_node *key;
    const yaml_node *value;
    const char *section, *index[SPOT_INDICES]; // of its repetition; NULL: no more
    double at[SPOT_INDICES];
    bool repeats;
    int32_t id;
    bi_mark from, to;
} spot;

typedef struct journal {
    name_set name;   // parameters of the first file
    int n_word;      // of 64 bits, one for each of them
    uint64_t *needs; // (name.count)(n_word) parameters that each parameter reads
    double *value;   // (name.count) SI
    spot **spot;     // (n_spot) in the order of the file; they do not move
    int n_spot, cap_spot;
    spot *now;      // what is being read; NULL: nothing that is noted
    int parameter;  // that is being evaluated; -1: none
    bool is_closed; // everything is read: nothing is added to the list
    bool is_lost;   // no memory: it says nothing
} journal;

// Around the reading of an entry: begin gives what was read before, for end.
spot *journal_begin(reader *r, const char *section, const char *name, reader_entry *read, yaml_node *key,
                    const yaml_node *value, const yaml_node *indices);
void journal_end(reader *r, spot *outer, int32_t id);
static inline bool journal_has(const uint64_t *bits, int k) { return bits[k >> 6] >> (k & 63) & 1u; }
static inline void journal_put(uint64_t *bits, int k) { bits[k >> 6] |= (uint64_t)1 << (k & 63); }
void journal_clear(journal *j);
// The values of the parameters as the model has them now; false: one is missing.
bool journal_values(const journal *j, const bi_model *m, double *value);
