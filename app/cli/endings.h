// SPDX-License-Identifier: MIT
/* endings.h - files that commands write, by the ending of their names: the one list for commands, help, messages and
 * the page of result files. Tables of results have theirs in <biela/io.h> (bi_result_ending). */
#pragma once

#define ENDING_EVENTS ".events.csv"
#define ENDING_VERDICT ".verdict.json"
#define ENDING_STATE ".failed.checkpoint"
#define ENDING_SUMMARY ".summary.csv"
#define ENDING_JOURNAL ".journal"
#define ENDING_PICTURE ".png"
#define ENDING_DRAWING ".svg"
#define ENDING_FRAMES ".pvd"
#define ENDING_PAGE ".html"
#define ENDING_RECORDING ".biela"

typedef struct {
    const char *ending; /* ".png" */
    const char *by;     /* commands and options that write it */
    const char *help;   /* what is in it */
} file_ending;
/* The k-th, tables of results first; all NULL: no more. */
file_ending ending_at(int k);
