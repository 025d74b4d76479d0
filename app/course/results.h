// SPDX-License-Identifier: MIT
/* results.h - what trainees have driven, in one SQLite file: attempts with their faults. Every change is one transaction on the disk,
 * so that a kill loses nothing that was written. */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#define RESULTS_USUAL "out/course.sqlite"

typedef struct {
    char *name; /* as the model has it, else the text of the limit */
    double t;   /* s of the drive: first time */
    int times;
    double points; /* lost, in all */
} attempt_fault;

typedef struct {
    char *id; /* 32 letters that nobody else has */
    char *trainee, *exercise, *title, *model, *version, *system,
        *lesson;             /* system, lesson: hashes, 16 letters */
    char *started, *ended;   /* UTC; ended "": it was not */
    char *state, *recording; /* as of exercises */
    double time, score;      /* s; 0 to 100 */
    int n_fault;
    attempt_fault *fault; /* (n_fault) */
} attempt;
typedef struct {
    int count;
    attempt *item; /* (count) by the time they were started */
} attempts;
void attempt_clear(attempt *);
void attempts_clear(attempts *);
attempt *attempts_add(attempts *); /* one more, empty */
char *attempt_new_id(void);        /* free it; NULL: no random numbers */
char *attempt_now(void);           /* "2026-11-19T12:00:00Z"; free it */

typedef enum {
    RESULTS_FINE,
    RESULTS_NOT_BUILT, /* this program knows no SQLite */
    RESULTS_MISSING,
    RESULTS_NOT_OURS,
    RESULTS_OTHER_VERSION,
    RESULTS_DAMAGED,
    RESULTS_LOCKED,
    RESULTS_FULL,
    RESULTS_REFUSED
} results_problem;
/* What is wrong and what to do, in English or Spanish. */
const char *results_say(results_problem, bool is_spanish);

typedef enum { RESULTS_READ, RESULTS_WRITE } results_use; /* write: it is made where there is none */
typedef struct results results;
results *results_open(const char *path, results_use, results_problem *); /* NULL: see the problem */
void results_close(results *);
/* In the place of one with the same id, all or nothing. */
results_problem results_put(results *, const attempt *);
/* The same for many; how many were not there. */
results_problem results_put_all(results *, const attempts *, int *n_new);
/* Of one trainee (NULL: of all). */
results_problem results_get(results *, const char *trainee, attempts *);

/* attempts_csv.c: the same as a table that spreadsheets read; false: `line` and `what` tell. */
bool attempts_write_csv(const attempts *, FILE *);
bool attempts_read_csv(FILE *, attempts *, int *line, const char **what);
