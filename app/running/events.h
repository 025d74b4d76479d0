// SPDX-License-Identifier: MIT
/* events.h - what happened in a run: on stderr as it happens, in the JSON summary, in FILE.events.csv. */
#pragma once
#include "cli/json.h"
#include <biela/biela.h>

/* Prints the events after the first *n_printed and counts them there; after twenty only their number is worth a line. */
void events_print(const bi_sim *, int *n_printed);
/* At the end of a run: of the first twenty touches what only their end tells, force and energy. */
void events_print_touches(const bi_sim *);
/* "forks against lorry at (14.1, 13.2, 0.8) m, 1.52 m/s; largest force 84.3 kN, took 5.2 kJ"; false: it is no touch. */
enum { EVENTS_TOUCH = 320 };
bool events_touch(const bi_hit *, char text[EVENTS_TOUCH]);
void events_json(json *, const bi_sim *);
/* Nothing is written when nothing happened, and an older file is removed. False: printed why. */
bool events_write(const bi_sim *, const char *path);
