// SPDX-License-Identifier: MIT
/* drive.h - what the commands with a page share. */
#pragma once
#include "cli/live.h"

/* Opens the server by the options --port --address --token --open, prints its address. */
exit_code drive_serve(live *, const arguments *);
/* Serves until the loop ends or the user interrupts; the loop stands still afterwards. */
void drive_loop(live *);
void drive_print_deadlines(const bi_deadlines *, double dt);
/* An option that is a number; false: told. */
bool drive_number(const arguments *, const char *name, double least, double most, double *value);
