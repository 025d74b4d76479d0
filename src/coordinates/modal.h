// SPDX-License-Identifier: MIT
// The amplitudes of a flexible body among the variables: themselves, or displacements of nodes that stand for them
// (flex.11).
#pragma once
#include "coordinates/set.h"
#include "flex/body/nodal.h"
#include "sparse/pattern.h"
#include "state/trays.h"

// A block of one amplitude that is no variable.
typedef struct {
    int mode, value; // in load.K
} modal_block;

typedef struct {
    int body, n, q;   // modes; first variable
    flex_nodal nodal; // n = 0: the variables are the amplitudes
    int *entry; // of the tangent: those above and on each diagonal lie one after the other from here on (n)
    int *dof;   // of the marker of each amplitude, -1: none (n)
    modal_block *block;
    int n_block;
    flex_place *turn;   // rotations of the nodes with vectors and frames (n_turn)
    int *turn_node;     // (n_turn)
    int n_turn, n_read; // those that every step reads come first
} modal_set;

// False: no memory; clear all the same.
bool modal_create(modal_set *s, const plan *p, int body, int q);
void modal_entries(modal_set *s, const pattern *tangent);
void modal_clear(modal_set *s);
// A direction that turns with a node: where its rotation is found in `turn`.
flex_place modal_vector(const modal_set *s, int node, vec3 direction);
bool modal_place_moves(const modal_set *s, const flex_place *p, int mode);
// What stands for the amplitudes: shapes of a place, and Y of flex_sums_create.
const double *modal_variables(const modal_set *s);
// One of the blocks that modal_tangent adds.
bool modal_has_block(const modal_set *s, const plan *p, const block_group *b);

// Where the variables are not the amplitudes: their motion, the forces on them, their stiffness and damping.
void modal_lift(const modal_set *s, const coords *in, motion *out);
void modal_drop_load(const modal_set *s, const load *in, double *Q);
// kept: room for what changes only when a stiffness does (modal_kept numbers, zero at first).
void modal_drop_tangent(const modal_set *s, const load *in, double wK, double wC, double *kept, double *T);
int modal_kept(const modal_set *s);

// Rotations of the nodes and their rates (2 n_turn); places of the body with them at hand.
void modal_lift_turns(const modal_set *s, const coords *in, unsigned want, vec3 *turn);
void modal_place_at(const flex_place *p, const double *eta, const double *rate, const vec3 *turn,
                    vec3 out[3]);
void modal_place_push(const modal_set *s, const flex_place *p, const double *eta, const vec3 *turn,
                      vec3 force, double *modal);

// y += M x, variables of the set among themselves.
void modal_multiply(const modal_set *s, const double *M, const double *x, double *y);
