// SPDX-License-Identifier: MIT
/* progress.h - one line on the terminal, rewritten in place, for runs that take more than a second. */
#pragma once
#include <stdbool.h>

typedef struct {
    bool is_on;           /* somebody looks at a terminal */
    bool is_shown;        /* a line stands there now */
    double started, next; /* wall clock, s */
} progress;

double progress_clock(void); /* s, from an arbitrary instant */
progress progress_start(void);
progress progress_none(void);                          /* shows nothing */
void progress_show(progress *, double t, double time); /* call as often as you like */
/* What is being done to what, and how much of that is done, 0 to 1. */
void progress_stage(progress *, const char *of, const char *stage, double done);
void progress_end(progress *); /* wipes the line */
