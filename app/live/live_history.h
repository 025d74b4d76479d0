// SPDX-License-Identifier: MIT
/* live_history.h - channels over the whole time of a drive, for the plots: memory stays constant, and no peak is lost. */
#pragma once
#include "running/rerun.h"
#include <stdbool.h>
#include <stddef.h>

/* Rows are kept in groups of equally many, each with the least and the most of every channel; groups double when they fill the room. */
typedef struct live_history live_history;
live_history *live_history_create(int n_channel);
void live_history_destroy(live_history *);
/* Rows at or after t belong to a timeline that was left, and go. */
void live_history_add(live_history *, double t, const double *channel);
/* The bytes of /history, to be freed; NULL: no memory. */
char *live_history_bytes(const live_history *, size_t *size);

/* A recording of which nothing has been shown yet, simulated beside the drive, a little at each call. */
typedef struct live_past live_past;
live_past *live_past_open(const rerun_source *, const bi_setting *more, int n_more); /* NULL: not possible */
void live_past_close(live_past *);
/* Steps for so long, s of the clock; false: nothing is left to do. Not beyond `until`, s: somebody took over there. */
bool live_past_pump(live_past *, live_history *, double seconds, double until);
