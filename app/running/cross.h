// SPDX-License-Identifier: MIT
/* cross.h - a run repeated in the other formulation and with half its step, and how far the three are apart. */
#pragma once
#include "running/rerun.h"
#include "running/session.h"
#include <biela/verdict.h>

typedef enum {
    CROSS_NOTHING,
    CROSS_STEP, /* half the step only: --verify */
    CROSS_ALL   /* --cross-check */
} cross_what;

typedef struct {
    cross_what what;
    bool is_done;
    bi_cross gaps;
    double factor;      /* from a gap to half the step to the error of the run (Richardson) */
    bi_outcome outcome; /* of the largest gap */
    const char *other;  /* the other formulation */
    char *finer;        /* "steps of 0.0005 s", "a tolerance of 1e-5" */
    bi_system *system;  /* owner of the channels' names */
} cross_check;

/* Three sessions (two with CROSS_STEP) side by side over the rows of the run. False: one of them failed, printed on stderr. */
bool cross_run(const session *, const session_request *, cross_what, cross_check *);
/* The same of a recording, with all its inputs in each of the three; settings come after the recorded ones. */
bool cross_replay(const rerun_source *, const bi_setting *more, int n_more, cross_check *);
void cross_print(const cross_check *);
void cross_json(json *, const cross_check *);
void cross_clear(cross_check *);
