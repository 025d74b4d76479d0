// SPDX-License-Identifier: MIT
/* api.h - the engine for programs in JavaScript: models and runs of them, behind handles. The names that pages call stand in
 * web/src/engine/module.ts; web/src/engine/api.ts makes classes of them. */
#pragma once
#include "running/session.h"

/* Settings and options come as one text, a line "name=value" each. */
typedef struct {
    char *text;   /* owned: the lines, cut */
    int count;    /* lines */
    char **name;  /* (count) into text */
    char **value; /* (count) into text */
} api_pairs;
api_pairs api_pairs_of(const char *lines);
void api_pairs_clear(api_pairs *);

/* A model that was read, with all that was said about it. */
typedef struct {
    session read;
} api_model;

/* A run of it. */
typedef struct {
    session s;
    double *channel; /* (channels) where they were read last */
    double *row;     /* (chosen) the channels of api_sim_choose */
    bi_channel *chosen;
    int n_chosen;
    int64_t step; /* of the grid, done by api_sim_next_row */
    bi_verdict verdict;
    char hash[17]; /* the last one asked for */
} api_sim;
