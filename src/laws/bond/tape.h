// SPDX-License-Identifier: MIT
// The equations of a causal network as a list of assignments in an order in which each reads only what stands before
// it. Where that is impossible (algebraic loops) some variables are torn: guessed, computed, and corrected by Newton.
// Storages in derivative form have an unknown each as well: the rate of what they store (bond.5).
#pragma once
#include "laws/bond/net.h"

typedef enum { OP_LINEAR, OP_MULTIPLY, OP_DIVIDE, OP_EXPRESSION } tape_op_kind;
typedef struct {
    tape_op_kind kind;
    int target;       // variable
    int first, count; // arguments, in tape.argument and tape.factor
    const expr *code; // OP_EXPRESSION
} tape_op;

// A state: momentum of an I, displacement of a C, or a signal's own.
typedef struct {
    int node, port; // port: -1 for the state of a NET_STATE
    int rate;       // variable
    double initial;
    bool is_next;  // of the same vector as the one before
    char name[80]; // "L.p", "C.q", "x"
} tape_state;

// An effort that is an unknown, too: dry friction, which slips with a given effort or is locked (bond.13). In the list
// of what is derived it stands beside the storages.
typedef struct {
    int capacity; // variable; -1: this unknown is of a storage
    double breakaway, settle, inertia;
} tape_hold;
// How it is at an instant.
typedef struct {
    double slip;         // -1, +1: it slips that way; 0: it is locked
    double gain, offset; // of a lock: its flow fades, f' + gain f + offset = 0
} tape_mode;

// Variables: t, the number one, quantities from outside (flows of ports first), states, unknown rates of what
// derivative storages hold, and behind them efforts and flows of the bonds and whatever stands between.
typedef struct {
    int n_outside, n_state, n_torn, n_derivative, n_variable;
    tape_op *op; // (n_op) in order
    int n_op, cap_op;
    int *argument;  // variables
    double *factor; // of linear ones
    int *
        symbol; // whose value a factor is: node + 1; minus that: one over it; 0: a number. While it is built and told
    int n_argument, cap_argument;
    tape_state *state;
    int *torn, *torn_source; // (n_torn) guessed variable, and the one it must equal
    int *stored;             // (n_derivative) variable whose rate the unknown is
    int *derivative_node;
    tape_hold *hold;                              // (n_derivative)
    int n_hold;                                   // those of them that are of friction
    int *effort, *flow;                           // (n_bond) variables
    int *source_variable, *source_node, n_source; // values of Se and Sf nodes
    int *named, *named_node, n_named;             // variables of nodes that are values
    bool is_linear;                               // no expression and no product
    int n_register;                               // of the longest expression
    // while building
    int *writer; // for each variable, the op that writes it; -1: none
    int cap_variable;
    bool no_memory;
} tape;

enum { TAPE_T, TAPE_ONE, TAPE_OUTSIDE };
enum { TAPE_MOST_ARGUMENTS = 32 }; // names that one value reads
static inline int tape_state_at(const tape *t, int k) { return TAPE_OUTSIDE + t->n_outside + k; }
static inline int tape_derivative(const tape *t, int k)
{
    return TAPE_OUTSIDE + t->n_outside + t->n_state + k;
}

// Number of the quantity from outside that the graph calls `name`; -1: there is none.
typedef int tape_lookup(void *ctx, const char *name);

// False: a mistake, in the report.
bool tape_create(const net *g, const char *graph, int n_outside, tape_lookup *lookup, void *ctx, tape *out,
                 bi_report *report);
void tape_clear(tape *t);
// Puts the assignments into an order that works, tearing what goes in circles. False: no memory.
bool tape_order(tape *t, int n_bond);
int tape_new_variable(tape *t);
// The variable that a name of the graph stands for ("L.f", "C.q", "j1.f"); -1: none.
int tape_find(const tape *t, const net *g, const char *name);

// Numbers of an evaluation, all owned by the caller (tape_work_size).
typedef struct {
    double *v;       // variables (n_variable)
    double *partial; // derivative of each op with each argument (n_argument)
    bool is_stale;   // they are not those of the values yet
    double *d;       // a direction: rates of variables (n_variable)
    double *keep;    // another direction (n_variable)
    double *J;       // of the torn variables, factored in place when needed (n_torn^2)
    double *r;       // (n_torn)
    double *D, *g;   // of the rates in derivative form (n_derivative^2), (n_derivative)
    tape_mode *mode; // of what holds, set by who asks; zero: locked (n_derivative)
    double *scratch; // copy of J or D
    double *start;   // a direction as given (t, outside, states)
    jet *room;       // to evaluate an expression (n_register)
} tape_work;
int tape_work_size(const tape *t); // numbers
tape_work tape_work_cut(const tape *t, double *memory);

// With t, outside quantities, states and first guesses of the unknowns in place: all other variables. `rate`: of t (1)
// and the outside quantities, where storages in derivative form need them; NULL: they stand still. False: a loop did
// not converge.
bool tape_solve(const tape *t, const double *outside_rate, tape_work *w);
// With w->mode set: whether the unknowns have one solution.
bool tape_can_lock(const tape *t, int *dependent, tape_work *w); // dependent: room (n_derivative)
double tape_rate(const tape *t, const tape_work *w, int state);
// After tape_solve: the derivative of every variable in w->d along a direction of t, outside quantities and states,
// which the caller has put into w->d; unknowns follow. `source`: variable of a source that changes by one besides; -1:
// none.
bool tape_tangent(const tape *t, int source, tape_work *w);

// After tape_solve: what rounding may have done to each variable, into w->d.
void tape_noise(const tape *t, tape_work *w);

// Rates of the states: A = d rate / d state (n_state^2 by rows), B = d rate / d source (n_state * n_source), B_rate = d
// rate / d (rate of source). Each may be NULL.
bool tape_linearise(const tape *t, tape_work *w, double *A, double *B, double *B_rate);
// Efforts and flows of the bonds: C = d (e, f of each) / d state, D = d the same / d source.
bool tape_outputs(const tape *t, int n_bond, tape_work *w, double *C, double *D);
