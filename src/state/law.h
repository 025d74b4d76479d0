// SPDX-License-Identifier: MIT
// What every force and constraint looks like to the corridor.
#pragma once
#include "base/crew.h"
#include "base/spare.h"
#include "state/plan.h"
#include "state/trays.h"
#include "state/want.h"

// What speaks against a step just made, the worst of each kind and the element that found it (verdict.6).
typedef enum {
    DOUBT_IMPACT,  // h sqrt(k/m) of places that touch first in this step
    DOUBT_DEPTH,   // of the smaller shape's size
    DOUBT_PASSED,  // 1: two shapes have passed through each other
    DOUBT_BELOW,   // how deep the middle of a body is below the ground that holds it, of its size
    DOUBT_GRAIN,   // cosine between an axis of friction and the normal of a place
    DOUBT_RANGE,   // how far a tyre is outside of the ranges of its data, of their widths
    DOUBT_SAMPLED, // share of looks of a device between which its input went over half of its range
    DOUBT_TUMBLE,  // how fast free bodies turn over each other, and errors with them, 1/s
    DOUBT_COUNT
} law_doubt;
typedef struct {
    double h;       // length of the step, s
    bool is_sample; // also what is looked at now and then only
    double value[DOUBT_COUNT];
    int element[DOUBT_COUNT]; // -1: none
} law_doubts;
static inline void law_doubts_note(law_doubts *d, law_doubt kind, double value, int element)
{
    if (value > d->value[kind]) {
        d->value[kind] = value;
        d->element[kind] = element;
    }
}

typedef struct {
    const signals *u;
    const motion *at;
    const double *z_old, *dz_old; // states of laws at the start of the step (n_z)
    const double *memory;         // as left by the last commit (n_memory)
    double *pool;                 // likewise; only commit writes to it
    unsigned want;                // LAW_...
    void *scratch;                // working room, see plan_scratch
    law_doubts *doubts;           // in commit; NULL: nobody asks
    crew *crew;                   // helps with long loops; NULL: nobody does
    const pool_room *room;        // of the parts of the pool (n_pools)
    spare *spare;                 // of this thread, see plan_spare; those of a crew stand in a row
} law_in;

// How much more friction can hold than it can.
static inline double law_grip(const law_in *in) { return in->want & LAW_GLUED ? 1e4 : 1.0; }

typedef struct {
    load *load;
    double *z, *dz; // states at the end of the step and their rates (n_z); each law owns its slice
} law_out;

typedef struct {
    double potential; // J
    double power;     // done on the mechanism and not stored in the potential: motors plus, dampers minus, W
    double work;      // the same since the start, of laws that count it themselves, J
    double counted;   // their part of the power
    bool is_driven;   // one of them may do work, as a belt does; else they only lose
} law_energy;

// Table functions loop over `count` items of one kind. Unset ones are skipped.
typedef struct {
    const bi_kind *schema; // of the definition; NULL for kinds made by the compiler
    size_t item;           // bytes of one compiled item
    void (*compile)(plan *p, int element, const void *def, void *item);
    void (*eval)(const void *items, int count, const law_in *in, law_out *out);
    void (*rows)(const void *items, int count, const law_in *in, rows *out);
    void (*energy)(const void *items, int count, const law_in *in, const double *z, law_energy *out);
    void (*commit)(const void *items, int count, const law_in *in, double *memory);
} law_kind;
