// SPDX-License-Identifier: MIT
// Dry friction of a graph (bond.13, bond.14): what slips and what is locked, by an evaluation.
#pragma once
#include "laws/bond/graph.h"

enum { HOLD_MOST_CHANGES = 8 }; // of one evaluation

// As it was at the start of the step; at the start itself all are tried as locked.
void hold_begin(const graph *g, const law_in *in, tape_work *w);
// After a solution: those that it contradicts become what it says, `try` counts them. False: it contradicts none.
bool hold_change(const graph *g, const law_in *in, int try, tape_work *w);
// One of them has come to rest within this step.
bool hold_closes(const graph *g, const law_in *in, const tape_work *w);
// Those are locked from now on, their flow fades by itself; or are as in the step that brings them to rest.
typedef enum { HOLD_FROM_NOW, HOLD_IN_STEP } hold_when;
void hold_settle(const graph *g, const law_in *in, hold_when when, tape_work *w);
// A number that differs when any of them is otherwise.
double hold_signature(const graph *g, const tape_work *w);
void hold_write(const graph *g, const law_in *in, const tape_work *w, law_out *out);
// 1: it is locked.
double hold_reading(const graph *g, const tape_work *w, int which);
// The first of those that cannot all be locked; -1: they can. `other`: the one it is locked against; -1: none.
// room: (n_derivative).
int hold_impossible(const tape *t, tape_work *w, int *room, int *other);
