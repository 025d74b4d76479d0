// SPDX-License-Identifier: MIT
// Free bodies at rest fall asleep: they stand still and cost nothing until something could move them (contact.17,
// contact.18).
#pragma once
#include "dynamics/laws.h"
#include "state/structure.h"
#include "state/trays.h"

// What belongs to one of them: lists in one block that `variable` owns.
typedef struct {
    const plan_sleeper *of;
    const bi_body_def *def;
    int frame;                 // its axes, in the trays
    bool never;                // a constraint holds it
    double weight;             // N, scale of forces
    int frame_dof;             // its twist, in the trays
    int *variable, n_variable; // of the solver
    int *row, n_row;           // of the coordinates themselves
    const marker **load;       // markers that may be loaded
    int n_load;
} sleeper;

typedef struct {
    sleeper *item;
    int count;
    double time, acceleration; // s, m/s2
} sleep_table;

bool sleep_create(const plan *p, const structure *st, sleep_table *out); // false: no memory
void sleep_clear(sleep_table *);

// After an evaluation: whoever sleeps feels no force, and its own rows are closed.
void sleep_hold(const sleep_table *tab, const double *memory, rows *r, equations *out);

// After a step of length h, with the motion of `now` on the trays and laws that remember: who falls asleep stops, who
// is disturbed wakes. Gives how many changed, and the kinetic energy that was lost in stopping, J.
int sleep_after(const sleep_table *tab, const laws *laws, const law_in *in, const load *in_load, double h,
                coords *now, double *lost);
// Before the first step; `second` holds rates of markers made by second rates of q: who begins at rest begins asleep.
int sleep_before(const sleep_table *tab, const laws *laws, const law_in *in, const double *second,
                 coords *now);
