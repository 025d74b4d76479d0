// SPDX-License-Identifier: MIT
// Expressions of time, inputs and joint coordinates, evaluated with their derivatives before the laws.
#pragma once
#include "state/plan.h"
#include "state/trays.h"

typedef enum { SIGNAL_TIME, SIGNAL_INPUT, SIGNAL_VALUE, SIGNAL_RATE } signal_source;
typedef struct {
    signal_source source;
    int index; // input, or dof of the joint marker
} signal_variable;

typedef struct {
    const expr *code; // borrowed from the model
    int slot;         // in signals.signal
    int first, count; // in signal_table.variable
    int partial;      // first of its partial derivatives, one per joint variable
} signal_item;

typedef struct {
    signal_item *item;
    int count;
    signal_variable *variable;
} signal_table;

// Expressions the plan uses. False: no memory.
bool signal_create(const plan *p, signal_table *out);
void signal_clear(signal_table *tab);
void signal_eval(const signal_table *tab, const motion *at, signals *out);
