// SPDX-License-Identifier: MIT
// The places of a pair after a step: what is remembered of each, and what they sum up to.
#pragma once
#include "laws/contact/shape_contact.h"

// A pair that is committed.
typedef struct {
    const contact *c;
    const contact_pair *p;
    const law_in *in;
    const pair_motion *m;
    double **on; // forces and moments on the sites; NULL each: nobody asks
    int count;
    double before, scale; // places after the last step; of what is kept, since their number has changed
    store_limit held;
} commit;

typedef struct {
    double energy, of_sticking; // J, of springs
    int n_slipping;
    double deepest; // m
    store_effort effort;
} committed;

// All places of a plain pair, in lanes (fours.h); slots: what is remembered of each.
void commit_fours(const commit *of, const pair_place *place, double *slots, committed *out);
