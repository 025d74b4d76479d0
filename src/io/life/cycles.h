// SPDX-License-Identifier: MIT
// Rainflow counting sample by sample: what has closed is damage already, what has not is a short list of turning points.
#pragma once
#include "io/life/endurance.h"
#include <stdbool.h>
#include <stdint.h>

enum { CYCLES_FIRST_ROOM = 8, CYCLES_MOST_ROOM = 512 };

typedef struct {
    double *turn;  // (depth) turning points that no cycle has used; the last one is where the history is now
    double *peak;  // (depth) largest normal stress from this turning point to the next; NULL: not kept
    double bound;  // where a cycle closes if the history goes on to there
    double damage; // of the cycles that have closed
    double count;  // of them
    int32_t depth, room;
    bool is_rising, is_owner; // owner: of its own memory, because the first room was too small
    bool is_cut;              // a small range was counted before it closed, because there was no room
} cycle_counter;

// What a counter begins with: room for CYCLES_FIRST_ROOM numbers, and as many for peaks or NULL.
void cycles_begin(cycle_counter *, double *turn, double *peak);
// The next samples, finite, with peaks the normal stresses that act beside them. False: no memory.
bool cycles_add(cycle_counter *, int count, const double *x, const double *normal, const endurance *);
void cycles_free(cycle_counter *);

// Damage and cycles so far, with what has not closed: once, as half cycles; repeated, as it closes when the history
// comes again and again.
typedef struct {
    double damage, count;
    double least, most;
    double range, mean; // of the cycle that is largest of those that have not closed
} cycle_sum;
typedef enum { CYCLES_REPEATED, CYCLES_ONCE } cycles_manner;
bool cycles_sum(const cycle_counter *, cycles_manner, const endurance *, cycle_sum *); // false: no memory
