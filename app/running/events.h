// SPDX-License-Identifier: MIT
/* events.h - what happened in a run: on stderr as it happens, in the JSON summary, in FILE.events.csv. */
#pragma once
#include "cli/json.h"
#include <biela/biela.h>

/* Prints the events after the first *n_printed and counts them there; after twenty only their number is worth a line. */
void events_print(const bi_sim *, int *n_printed);
void events_json(json *, const bi_sim *);
/* Nothing is written when nothing happened, and an older file is removed. False: printed why. */
bool events_write(const bi_sim *, const char *path);
