// SPDX-License-Identifier: MIT
// State equations of a linear graph in symbols, explicit: loops and storages in derivative form are eliminated (bond.15).
#pragma once
#include "laws/bond/tape.h"

typedef struct closed closed;
// NULL: no memory. What is not linear, or too large, has no equations, and says why.
closed *closed_create(const net *g, const tape *t);
void closed_destroy(closed *c);
const char *closed_why_not(const closed *c); // NULL: it has equations
// The rate of a state, "-R*L.p/L + V"; borrowed.
const char *closed_rate(closed *c, int state);
typedef enum { CLOSED_STATE, CLOSED_SOURCE, CLOSED_SOURCE_RATE } closed_of;
// Number of d rate / d (state, source, rate of source).
double closed_value(const closed *c, int state, closed_of of, int which);
