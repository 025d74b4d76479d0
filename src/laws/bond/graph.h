// SPDX-License-Identifier: MIT
// A compiled bond graph, shared by what makes it (graph_law.c) and what evaluates it (graph_step.c).
#pragma once
#include "laws/bond/bond.h"
#include "laws/bond/port.h"

enum { MOST_OUTSIDE = 64, MOST_PARTIALS = 8, MOST_PORTS = 24 };

typedef enum { OUTSIDE_INPUT, OUTSIDE_SIGNAL, OUTSIDE_VALUE, OUTSIDE_RATE, OUTSIDE_PORT } outside_kind;
typedef struct {
    outside_kind kind;
    int index;  // input, slot of a signal, dof of a marker, or number of the port
    int column; // in the block; -1: none
    // of a signal: the joint coordinates it reads
    int partial, n_partial, partial_column[MOST_PARTIALS];
    bool is_rate[MOST_PARTIALS];
} outside;

// States of the law: those of the graph, torn variables and derivative rates (first guesses), efforts of the ports,
// energies that went through the bonds, and of what holds how it is (locking.c).
typedef struct {
    tape t;
    int element, n_bond, n_port, n_outside;
    outside *outside;  // (n_outside), ports first
    port *port;        // (n_port)
    int *port_effort;  // (n_port) variable
    double *port_sign; // of the effort on the joint: +1 where the bond points to the port
    int state;         // first in z
    size_t scratch;    // of a tape_work and the Newton matrix
    int *momentum;     // (n_state) bond of the inertia whose state it is; -1: it is of no inertia
    int readings; // in the scalars: efforts, flows, powers and energies of the bonds, then states, values, what is locked
    int block, width;
    // what its numbers change with, where signals read them in a step: as plan_graph lists it
    int n_slope;
    int *slope_column; // (n_slope) in the block
    bool *slope_is_rate;
} graph;

static inline int guess_at(const graph *g) { return g->state + g->t.n_state; }
static inline int effort_at(const graph *g) { return guess_at(g) + g->t.n_torn + g->t.n_derivative; }
static inline int energy_at(const graph *g) { return effort_at(g) + g->n_port; }
static inline int hold_at(const graph *g) { return energy_at(g) + g->n_bond; }

// Behind the working room of a graph: in which evaluation it was solved, and its matrix A made.
enum { SOLVED_IN, LINEARISED_IN, MODES_OF, N_MARKS }; // MODES_OF: which modes that matrix is of

void graph_eval(const void *items, int count, const law_in *in, law_out *out);
