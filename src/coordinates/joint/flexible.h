// SPDX-License-Identifier: MIT
// Flexible bodies on the tree: their amplitudes follow the coordinates of the tree (joint.13 .. joint.15).
#pragma once
#include "coordinates/joint/joint.h"

// compile_flexible.c: a body on its node, all but its slices; false: no memory.
bool joint_flexible_create(const plan *p, const tree_node *node, joint_flex *f);
// A marker on a moving node: its place, and its axes if it is a frame, about the origin of the tree's node.
bool joint_flexible_place(const plan *p, joint_table *tab, const marker *k, joint_marker *out);
bool joint_flexible_moves(const joint_table *tab, const joint_marker *k, int mode);
