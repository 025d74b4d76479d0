// SPDX-License-Identifier: MIT
/* sweep_loop.h - what whoever does the cases of a sweep gives its answers to. */
#pragma once
#include "sweep/sweep_job.h"

typedef struct {
    bool is_on, is_terminal, is_shown;
    double started, next;
} sweep_ticker;

typedef struct {
    sweep_job *job;
    survey_journal *journal; // NULL: none is kept
    sweep_ticker ticker;
} sweep_loop;

// The row of a case that is done: into the results and the journal.
exit_code sweep_loop_take(sweep_loop *, int64_t id, const double *answer, const char *message);
// Now and then: tells how far it is. interrupt_code() after Ctrl-C.
exit_code sweep_loop_look(sweep_loop *);
// sweep_device.c: all cases by job->device. False: it cannot be, which is told, and nothing was done.
bool sweep_by_device(sweep_loop *, exit_code *);
