// SPDX-License-Identifier: MIT
/* rerun.h - a recording simulated again: as it was, with other parameters, or with smaller steps. */
#pragma once
#include "running/session.h"
#include <biela/record.h>

/* A recording on the table: read, one timeline chosen, its files unpacked. */
typedef struct {
    bi_recording recording;
    bi_track track;
    char *folder;       /* temporary */
    char *model;        /* path of the model file there */
    double dt;          /* s */
    bi_shelf *shelf;    /* its files, for every run of it */
    session_kept *kept; /* and their model */
} rerun_source;
/* Prints messages. `branch` -1: the last. */
exit_code rerun_open_source(const char *path, int branch, rerun_source *);
void rerun_close_source(rerun_source *);
/* bi_recording_link of a drive whose model others find by its name, too. NULL: they do not. Free it. */
char *rerun_link(const bi_recording *, int branch);

typedef struct {
    const rerun_source *source;
    session s;
    bi_input *input;     /* of the recording's inputs; unset: the model has none of that name (n_input) */
    int ratio;           /* steps for one of the recording */
    int64_t step, steps; /* done, of all */
    int64_t next;        /* change to come */
    bool is_same;        /* same system, same start: hashes can be compared */
} rerun;
/* The request for a session as recorded, with further settings behind; release with rerun_request_clear. */
session_request rerun_request(const rerun_source *, const bi_setting *more, int n_more, int ratio);
void rerun_request_clear(session_request *);
/* The recorded state at the start into the sim; false: it is another system. */
bool rerun_load_start(const rerun_source *, const session *);
/* `more` settings come after the recorded ones. The messages are in `s.report`. */
exit_code rerun_open(rerun *, const rerun_source *, const bi_setting *more, int n_more, int ratio);
/* The same steps in another formulation, "natural" or "joint", from the start that the model describes. */
exit_code rerun_open_formulation(rerun *, const rerun_source *, const bi_setting *more, int n_more,
                                 const char *formulation);
void rerun_close(rerun *);
bi_status rerun_step(rerun *); /* one step with its inputs */
/* Puts inputs that are recorded for this step into the sim; part of rerun_step. */
void rerun_inputs(rerun *);
