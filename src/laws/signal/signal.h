// SPDX-License-Identifier: MIT
// Expressions of time, inputs, joint coordinates and signals, and the signals themselves, evaluated with their
// derivatives before the laws, each after those it reads.
#pragma once
#include "laws/signal/kinds.h"

typedef enum { SIGNAL_TIME, SIGNAL_INPUT, SIGNAL_VALUE, SIGNAL_RATE, SIGNAL_OTHER } signal_source;
typedef struct {
    signal_source source;
    int index; // input, dof of the joint marker, or slot of a signal
} signal_variable;

// An expression, or a signal whose variables are its expressions.
typedef struct {
    const expr *code;        // borrowed from the model, or `own`; NULL: a signal
    expr *own;               // the same with what is known put in
    const signal_kind *kind; // of a signal
    void *item;              // its compiled definition
    int slot;                // in signals.signal
    int first, count;        // in signal_table.variable
    int partial, n_partial;  // in signals.partial
    bool is_shown;           // nothing but outputs needs it: no part of a step
    bool is_watched;         // an event needs it
    bool is_constant;        // reads nothing that changes: its value is known
    bool is_still;           // changes with the motion only: no derivatives with time
    bool is_timed;           // a plain function of time, or of inputs that a manoeuvre drives
    bool is_steady;          // does not change with the motion: the same in all evaluations of one instant
    jet constant;
    int link; // in signal_table.link: for each partial, what each variable contributes (count each)
    int graph; // of a graph that signals read inside the step, and of these signals: its number among graphs; -1: none
} signal_item;

enum { LINK_NONE = -1, LINK_SELF = -2 }; // else: index in signals.partial

// Which items an evaluation needs: of a step, again at its instant, for events, of time alone, for outputs; and which
// remember.
typedef enum { PICK_STEP, PICK_AGAIN, PICK_WATCHED, PICK_TIMED, PICK_ALL, PICK_COMMIT, N_PICK } signal_pick;

typedef struct {
    signal_item *item;
    int count;
    int *pick[N_PICK], n_pick[N_PICK]; // indices of items, in one block that the first owns (count each)
    signal_variable *variable;
    int *link;
} signal_table;

// Graphs that signals read inside the step, and their numbers.
typedef struct {
    void (*solve)(const void *of, int graph);
    void (*slopes)(const void *of, int graph, int scalar, double *slope); // with what plan_graph lists
    const void *of;
    const double *scalar;
} signal_graphs;

// States of signals, as those of laws.
typedef struct {
    const double *z_old, *dz_old, *memory;
    double *z, *dz;
    unsigned want; // LAW_...
    bool is_shown; // for outputs: also what no law reads
    const signal_graphs *graphs;
} signal_states;

// Expressions and signals the plan uses, in their order; plans the states of signals. False: no memory.
bool signal_create(plan *p, signal_table *out);
void signal_clear(signal_table *tab);
// Puts in what is known, and finds what need not be evaluated each time. False: no memory.
bool signal_reduce(const plan *p, signal_table *tab);
// An event watches the expression or signal in this slot: it and all that it reads.
void signal_watch(signal_table *tab, int slot);
// Inputs at u->t: as last set from outside, or as their manoeuvre says.
void signal_inputs(const bi_model *m, signals *u);
void signal_eval(const signal_table *tab, const motion *at, const signal_states *s, signals *out);
// Only what is a function of time, at u->t.
void signal_eval_timed(const signal_table *tab, const bi_model *m, signals *u);
// Nothing that steps read changes while nothing moves.
bool signal_stands(const signal_table *tab);
// The first corner of a manoeuvre or of a table over time after t; the limit: there is none before it.
double signal_corner(const signal_table *tab, const bi_model *m, double t, double limit);
// After acceptance: what signals remember; of efforts and multipliers too, when they are given.
void signal_commit(const signal_table *tab, const signals *u, const double *scalar, const double *lambda,
                   double *memory, law_doubts *doubts);
