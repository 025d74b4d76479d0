// SPDX-License-Identifier: MIT
/* flex_files.h - what a run writes about its flexible bodies: frames for ParaView, envelopes. */
#pragma once
#include "cli/record.h"

typedef struct {
    bi_pvd *pvd;           /* NULL: not asked for */
    bi_envelope *envelope; /* likewise */
    char *pvd_path;        /* FILE.pvd */
    const char *envelope_path;
    int frames;
} flex_files;

/* Opens what --vtu and --envelope ask for and hooks it into the plan. False: told. `out` is the file of results. */
bool flex_files_begin(flex_files *, const session *, const arguments *, const char *out, record_plan *);
bool flex_files_end(flex_files *); /* false: told */
void flex_files_print(const flex_files *);
void flex_files_json(json *, const flex_files *);
void flex_files_clear(flex_files *);
