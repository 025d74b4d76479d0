// SPDX-License-Identifier: MIT
/* record.h - steps a started simulation over its time grid and writes the rows. */
#pragma once
#include "cli/session.h"

typedef enum {
    RECORD_DONE,
    RECORD_INTERRUPTED,
    RECORD_STOPPED,    /* by an event */
    RECORD_FAILED,     /* a step failed */
    RECORD_NOT_FINITE, /* a channel is not a number */
    RECORD_NOT_WRITTEN /* the file refused a row */
} record_ending;

typedef struct {
    record_ending ending;
    bi_status status;    /* of the step or row that ended it */
    const char *channel; /* the one that is not finite; borrowed from the system */
    double t;            /* reached, s */
    int64_t rows;        /* written */
    double cpu, wall;    /* s, stepping and writing */
    double violation;    /* largest constraint violation at the rows */
    double energy_drift; /* largest change of energy.balance at the rows since t = 0, J */
    bi_statistics last;  /* statistics at the end */
} record;

typedef enum { RECORD_SILENTLY, RECORD_WITH_PROGRESS } record_manner;

/* The file is left open, with all rows up to the end of the run. */
void record_run(const session *, bi_csv *, record_manner, record *);
