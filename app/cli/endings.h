// SPDX-License-Identifier: MIT
/* endings.h - files that commands write, by the ending of their names: the one list for commands, help, messages and
 * the page of result files. Tables of results have theirs in <biela/io.h> (bi_result_ending). */
#pragma once
#include <stdbool.h>

#define ENDING_EVENTS ".events.csv"
#define ENDING_LIFE ".life.csv"
#define ENDING_VERDICT ".verdict.json"
#define ENDING_STATE ".failed.checkpoint"
#define ENDING_SUMMARY ".summary.csv"
#define ENDING_SAMPLES ".samples.csv"
#define ENDING_JOURNAL ".journal"
#define ENDING_PICTURE ".png"
#define ENDING_DRAWING ".svg"
#define ENDING_FRAMES ".pvd"
#define ENDING_PAGE ".html"
#define ENDING_RECORDING ".biela"
#define ENDING_IMAGE ".image"

typedef struct {
    const char *ending; /* ".png" */
    const char *by;     /* commands and options that write it */
    const char *help;   /* what is in it */
} file_ending;
/* Whether a table of results may have this name: not when its ending is that of another kind of file. Else a message on
 * stderr. ENDING_TEXT: of commands that write text only. */
typedef enum { ENDING_ANY_TABLE, ENDING_TEXT } ending_choice;
bool ending_fits(const char *what, const char *path, ending_choice choice);
/* The k-th, tables of results first; all NULL: no more. */
file_ending ending_at(int k);
