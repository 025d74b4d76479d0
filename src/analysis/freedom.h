// SPDX-License-Identifier: MIT
// How freely a mechanism moves, and which joints and constraints hold more than they need to.
#pragma once
#include "sim/system.h"

typedef struct {
    int redundant;  // rows that others hold already
    bool is_shared; // others can take over what it carries: its reactions are not unique
} freedom_mark;

typedef struct {
    freedom_mark *joint, *element; // (n_joint), (n_element) of the model
} freedom_marks;

// Rank, degrees of freedom and redundancy; names of what is redundant or not unique as notes, and on the marks where
// these are given. False: no memory.
bool freedom_find(bi_sim *sim, bi_info *out, freedom_marks *marks, bi_report *report);
