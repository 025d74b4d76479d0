// SPDX-License-Identifier: MIT
// Other variables for the same modes: displacements of the nodes that carry something, and what is left (flex.11 ..
// flex.13).
#pragma once
#include "flex/body/moments.h"
#include "state/plan.h"

// eta = X y. The first n_unit of y are displacements of nodes along an axis of the body, which no other y moves.
typedef struct {
    int n, stride; // modes, and these rounded up to four; n = 0: y is eta
    int n_unit;
    int *unit; // node (from 0) and axis of each, 3 node + axis   (n_unit)
    double *X; // row of each amplitude                           (n x stride)
    double *Y; // its transpose                                   (n x stride)
} flex_nodal;

// Of these nodes (from 0). Left at n = 0 where it does not pay: few modes, few nodes, second-order shapes, modes
// without stiffness. False: no memory; clear all the same.
bool flex_nodal_create(flex_nodal *b, const bi_modes *modes, const int *node, int n_node);
// Of the nodes of a body that rows and blocks of the plan look at.
bool flex_nodal_for(flex_nodal *b, const plan *p, int body);
void flex_nodal_clear(flex_nodal *b);

// The shapes of a place at a node (from 0; -1: centre of mass) in y, those that are not zero.

bool flex_nodal_place(const flex_nodal *b, int node, flex_place *p);

void flex_nodal_amplitudes(const flex_nodal *b, const double *y, double *eta);
void flex_nodal_add_force(const flex_nodal *b, const double *force, double *Q); // Q += X^T force
// X^T diag(d) X, upper triangle column by column (n (n + 1) / 2).
void flex_nodal_square(const flex_nodal *b, const double *d, double *out);
