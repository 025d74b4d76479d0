// SPDX-License-Identifier: MIT
// Options of a run: the one table, by which files, command lines and programs set them.
#pragma once
#include "io/keys/keys.h"
#include <biela/io.h>

typedef enum { ANY_NUMBER, POSITIVE, NOT_NEGATIVE, BETWEEN, WHOLE } run_rule;
typedef struct {
    key_def def;
    const char *value;                   // see bi_run_option; NULL: in files only
    run_rule rule;                       // of a number
    double least, most;                  // with BETWEEN and WHOLE
    void (*choose)(bi_run *, int word);  // of words: takes the number of one
    const char *(*idle)(const bi_run *); // why it does nothing in the run; NULL: it always counts
} run_key;

const run_key *run_key_at(int k); // NULL: no more
const run_key *run_key_find(const char *key);
// Why it does nothing in the run, "is for ..."; NULL: it counts.
const char *run_key_idle(const run_key *key, const bi_run *run);
// Puts a number into its place. False: `mistake` says why not, "must be positive, and it is -1".
bool run_take_number(const run_key *key, double number, bi_run *run, char *mistake, size_t size);
// Steps as long as the tolerance allows: the value of dt.
bool run_is_auto_word(const run_key *key, const char *text);
void run_take_auto(bi_run *run);
