// SPDX-License-Identifier: MIT
/* checkpoint.h - a run on disk: the state of the sim, and how far its file had been written. */
#pragma once
#include "running/run_loop.h"

typedef struct {
    int64_t step;         /* of the grid, the last one done */
    int64_t csv_bytes;    /* of the result file up to the last row */
    double balance_start; /* energy.balance of the first row, J */
    record so_far;        /* rows, violation, energy drift, t, wheels that pull */
} checkpoint;

/* Writes it whole or not at all. False: printed on stderr. */
bool checkpoint_write(const char *path, const checkpoint *, const bi_sim *);
/* Reads it into a started sim of the same model and options. False: printed on stderr. */
bool checkpoint_read(const char *path, checkpoint *, bi_sim *);
