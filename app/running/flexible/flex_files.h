// SPDX-License-Identifier: MIT
/* flex_files.h - what a run writes about its flexible bodies: frames for ParaView, envelopes, fatigue. */
#pragma once
#include "running/flexible/life_files.h"
#include "running/run_loop.h"

typedef struct {
    bi_pvd *pvd;           /* NULL: not asked for */
    bi_envelope *envelope; /* likewise */
    char *pvd_path;        /* FILE.pvd; NULL: not asked for */
    const char *envelope_path;
    bool has_frames, has_envelope; /* they are written */
    bool has_failed;               /* a frame could not be written */
    int frames;
    life_files life; /* --life */
} flex_files;

/* Opens what --vtu, --envelope and --life ask for and hooks it into the plan. False: reported. `out` is the file of results. */
bool flex_files_begin(flex_files *, const session *, const arguments *, const char *out, record_plan *);
/* Writes what was gathered; false: reported. */
bool flex_files_end(flex_files *);
/* Nothing of it is written; what went wrong is reported. */
void flex_files_drop(flex_files *);
/* The k-th file that was asked for, when it is not written; NULL: it is, or was not asked for. */
enum { FLEX_FILES = 3 };
const char *flex_files_missing(const flex_files *, int k);
void flex_files_print(const flex_files *);
void flex_files_json(json *, const flex_files *);
void flex_files_clear(flex_files *); /* what has not ended is discarded */
