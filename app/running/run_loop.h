// SPDX-License-Identifier: MIT
/* record.h - steps a started simulation over its time grid and writes the rows. */
#pragma once
#include "running/session.h"

typedef enum {
    RECORD_DONE,
    RECORD_INTERRUPTED,
    RECORD_STOPPED,    /* by an event */
    RECORD_FAILED,     /* a step failed */
    RECORD_NOT_FINITE, /* a channel is not a number */
    RECORD_NOT_WRITTEN /* the file refused a row */
} record_ending;

/* A wheel whose constraint pulls. */
enum { RECORD_TOUCHES = 16 };
typedef struct {
    const char *name;
    bool pulls;
    double first, at, worst; /* s: first row that pulls, row that pulls most; N there, negative */
    int rows;                /* that pull */
} record_touch;

typedef struct {
    record_ending ending;
    bi_status status;     /* of the step or row that ended it */
    const char *channel;  /* the one that is not finite; borrowed from the system */
    double t;             /* reached, s */
    int64_t rows;         /* written */
    int64_t step;         /* of the grid, the last one done */
    int64_t csv_bytes;    /* of the file at the end; -1: not known */
    uint64_t mark;        /* of its last row (bi_csv_mark) */
    bool lost_checkpoint; /* one could not be written, and no later one */
    double cpu, wall;     /* s, stepping and writing */
    double violation;     /* largest constraint violation at the rows */
    double energy_drift;  /* largest change of energy.balance at the rows since t = 0, J */
    bi_statistics last;   /* statistics at the end */
    record_touch touch[RECORD_TOUCHES];
} record;

typedef enum { RECORD_SILENTLY, RECORD_WITH_PROGRESS } record_manner;

/* Long runs: where to keep checkpoints and how often; where to go on from. */
typedef struct {
    const char *path;     /* NULL: none are kept */
    double seconds;       /* of the wall clock between two; 0: at each row */
    bool is_resumed;      /* the sim stands at `from`, and so does the file */
    int64_t from;         /* step of the grid */
    double balance_start; /* of the run's first row, J */
    record so_far;
    /* called at each row; false ends the run as RECORD_NOT_WRITTEN; may be NULL */
    bool (*row)(void *context, bi_sim *);
    /* called at the start and after each step of the grid; false: no memory; may be NULL */
    bool (*step)(void *context, bi_sim *);
    void *context;
} record_plan;

/* The file is left open, with all rows up to the end of the run. `plan` may be NULL. */
void record_run(const session *, bi_csv *, record_manner, const record_plan *plan, record *);
const char *record_ending_name(const record *); /* "done", "failed", ... */
/* Wheels whose constraints pull where the ground cannot: on stderr, and as the array "pulling". */
void record_print_pulls(const record *);
/* The channel that is not finite, and who made it so. */
void record_print_lost(const record *, bi_sim *);
void record_json_pulls(json *, const record *);
