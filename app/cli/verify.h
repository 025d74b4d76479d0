// SPDX-License-Identifier: MIT
/* verify.h - a run repeated with half the step, and what the difference says about the error of each channel. */
#pragma once
#include "cli/session.h"

typedef struct {
    int n_channel; /* 0: nothing to tell */
    char **name;   /* (n_channel) */
    double *error; /* estimated largest error of the run over its rows (n_channel) */
    double *range; /* largest less smallest value (n_channel) */
} verification;

/* Repeats the run that wrote `out` with half its step (an eighth of its tolerance), compares row by row. False: the repetition
 * failed, told on stderr. */
bool verify_run(const session *, const session_request *, const char *out, verification *);
void verify_print(const verification *);
void verify_json(json *, const verification *);
void verify_clear(verification *);
