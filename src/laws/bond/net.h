// SPDX-License-Identifier: MIT
// A bond graph as a network of scalar bonds: who is joined to whom, which end receives the effort, and a tape of
// assignments that computes every effort and flow from states and sources (theory: docs/theory/bond-graphs.md).
//
// A bond points from `from` to `to`: that is where its power goes when effort times flow is positive. Its stroke stands
// at the end that receives the effort; the element there answers with the flow.
#pragma once
#include "math/expr.h"
#include <biela/biela.h>
#include <stdbool.h>

typedef enum {
    NET_SE,    // effort = value
    NET_SF,    // flow = value
    NET_R,     // effort = value * flow, or a law
    NET_C,     // effort = displacement / value, or a law of q
    NET_I,     // flow = momentum / value, or a law of p
    NET_TF,    // e1 = n e2, f2 = n f1; with several ports e1 = N^T e2, f2 = N f1
    NET_GY,    // e1 = r f2, e2 = r f1
    NET_ZERO,  // common effort
    NET_ONE,   // common flow
    NET_STATE, // no power: rate = value, read by other values
    NET_VALUE, // no power: a number, read by other values
    NET_PORT,  // flow comes from outside, the effort goes there
} net_kind;
const char *net_kind_name(net_kind kind);

// A number, or an expression of time, outside quantities and the graph's own variables.
typedef struct {
    double constant;
    const expr *code; // NULL: the constant; borrowed
} net_value;

// What the law of an R, C or I gives.
typedef enum { NET_LINEAR, NET_GIVES_EFFORT, NET_GIVES_FLOW, NET_HOLDS } net_law;

typedef struct {
    const char *name; // borrowed
    net_kind kind;
    net_value *value; // (n_value): one; of fields and wide transformers a matrix by rows
    int n_value, rows, columns;
    net_law law;                       // R: law of f or of e; C: effort of q; I: flow of p
    double initial;                    // of the state
    double breakaway, settle, inertia; // NET_HOLDS
    bool is_orthogonal;                // wide transformer: the inverse of N is N^T
    bi_place place;
    // set by net_add_bond
    int *port; // bonds, in the order they were added
    int n_port, cap_port;
} net_node;

typedef enum { STROKE_NONE = -1, STROKE_FROM = 0, STROKE_TO = 1 } net_stroke;
typedef struct {
    int from, to; // nodes
    net_stroke stroke;
    bi_place place;
} net_bond;

typedef enum { CAUSALITY_NONE, CAUSALITY_INTEGRAL, CAUSALITY_DERIVATIVE, CAUSALITY_ARBITRARY } net_causality;

typedef struct {
    net_node *node;
    int n_node, cap_node;
    net_bond *bond;
    int n_bond, cap_bond;
    net_causality *causality;   // (n_node), written by net_assign
    const char *prefix;         // of names in values; NULL: none; borrowed
    const bi_bond_alias *alias; // (n_alias) borrowed
    int n_alias;
    bool no_memory;
} net;

int net_add_node(net *g, const net_node *node); // index; the matrix is copied
int net_add_bond(net *g, int from, int to, bi_place place);
void net_clear(net *g);
int net_find(const net *g, const char *name);          // node; -1: none
const char *net_plain(const net *g, const char *name); // without the prefix
// A name as a value of the node writes it: true, a state or NODE.e .f .p .q of the graph; false, one of the model.
enum { NET_NAME = 200 };
bool net_resolve(const net *g, int node, const char *name, char out[NET_NAME]);
// Calls `found` with every name in the expressions of the nodes that is not of the graph; what it gives is not looked
// at.
void net_names_from_outside(const net *g, int (*found)(void *context, const char *name), void *context);
// "j->m", and "t->r#2" of the second of several bonds from one node to another: components between two matrices.
void net_bond_name(const net *g, int bond, char *out, size_t size);
// The node and port that "j.f", "J.p2" or a state's name mean, and the letter (0: a state); -1: none.
int net_variable(const net *g, const char *name, int *port, char *letter);

static inline bool net_points_in(const net *g, int node, int bond) { return g->bond[bond].to == node; }
static inline bool net_receives_effort(const net *g, int node, int bond)
{
    return g->bond[bond].stroke == (g->bond[bond].to == node ? STROKE_TO : STROKE_FROM);
}

// Writes what is wrong with the matrix of a storage or resistor, if it is constant (bond.2); false: nothing.
bool net_matrix_mistake(const net_node *node, char *what, size_t room);
// Ports, orientation and numbers of every node; mistakes go to the report. True: none.
bool net_check(const net *g, const char *graph, bi_report *report);
// Sequential causality assignment. False: a conflict, reported with its bond.
bool net_assign(net *g, const char *graph, bi_report *report);
