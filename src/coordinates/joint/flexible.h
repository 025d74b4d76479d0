// SPDX-License-Identifier: MIT
// Flexible bodies on the tree: their amplitudes follow the coordinates of the tree (joint.13 .. joint.15).
#pragma once
#include "coordinates/joint/joint.h"

// compile_flexible.c: a body on its node, all but its slices; false: no memory.
bool joint_flexible_create(const plan *p, const tree_node *node, joint_flex *f);
// A marker on a moving node: its place, and its axes if it is a frame, about the origin of the tree's node.
bool joint_flexible_place(const plan *p, joint_table *tab, const marker *k, joint_marker *out);
bool joint_flexible_moves(const joint_table *tab, const joint_marker *k, int mode);

// Marker on a moving node from the motion of the tree.
void joint_flexible_lift(const joint_table *tab, const own_motion *own, const joint_marker *k,
                         const coords *in, motion *out);

// An effort on such a marker: force, moment about the ground's origin, and what the amplitudes feel (n_mode).
typedef struct {
    wide3 force, moment;
    double modal[FLEX_MODES];
} flexible_effort;
void joint_flexible_effort(const joint_table *tab, const own_motion *own, const joint_marker *k,
                           const coords *at, const motion *m, const double *f, flexible_effort *out);

// The deformed body of a node: its inertia, its couplings in own->flex, and what its inertia needs beyond that of a rigid body with
// accelerations ang, lin of the node (bias included) and second rates a of the amplitudes (NULL: zero), taken from the wrench on
// the node and, where Q is given, from the forces on the amplitudes.
// (Plain vectors: wide ones do not travel between files compiled for different processors.)
void joint_flexible_body(const joint_table *tab, int node, own_motion *own, const coords *at, vec3 ang,
                         vec3 lin, const double *a, double *Q);

// The amplitudes of a node's body give way: its inertia before any coordinate of the tree does. Q: forces on all variables.
void joint_flexible_release(const joint_table *tab, int node, own_motion *own, const double *Q);
// Their second rates once the node's acceleration is known.
void joint_flexible_rise(const joint_table *tab, int node, own_motion *own, double *a);
