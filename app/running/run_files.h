// SPDX-License-Identifier: MIT
/* run_files.h - which files of a run are there at its end, and which are not: the summary must be true. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"
#include "running/run_loop.h"
#include <biela/io.h>

enum { MOST_MISSING = 8 };

typedef struct {
    bool has_table;              /* the results are under their name */
    char *why;                   /* the file refused a row; NULL: it did not */
    char *part;                  /* where the rows of a table without name are; NULL: nowhere */
    char *missing[MOST_MISSING]; /* (n_missing) files that were asked for and could not be written */
    int n_missing;
} run_files;

/* Every name that the run may write under. False: one of them is taken, printed on stderr. */
bool run_files_claim(const arguments *, const char *out);
/* The table gets its name, or stays FILE.part when it or something else of the run could not be written; the ending says so. */
void run_files_end_table(run_files *, bi_csv *, const char *out, record *);
void run_files_miss(run_files *, const char *path);
/* Why there is no table, and where its rows are, on stderr. */
void run_files_explain(const run_files *, const char *out, double t);
void run_files_print(const run_files *);
void run_files_json(json *, const run_files *);
void run_files_clear(run_files *);
