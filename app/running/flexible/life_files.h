// SPDX-License-Identifier: MIT
/* life_files.h - fatigue of flexible bodies during a run: --life and what it writes. */
#pragma once
#include "cli/options.h"
#include "running/session.h"

typedef struct {
    bi_life *life; /* NULL: not asked for */
    char *path;    /* FILE.life.csv */
    bool has_failed, is_written;
} life_files;

#define LIFE_OPTION                                                                                          \
    {                                                                                                        \
        "--life", "DATA.yaml",                                                                               \
            "count the cycles of stress everywhere in flexible bodies: life into FILE.life.csv and "         \
            "FILE-BODY-life.vtu, the ten worst places told"                                                  \
    }

/* Reads the data that --life names; `out` is the file of results. False: reported. */
bool life_files_begin(life_files *, const session *, const arguments *, const char *out);
bool life_files_step(life_files *, bi_sim *); /* the sim has made a step, or stands at the start */
bool life_files_end(life_files *);            /* writes; false: reported */
void life_files_print(const life_files *);
void life_files_json(json *, const life_files *);
void life_files_clear(life_files *);
