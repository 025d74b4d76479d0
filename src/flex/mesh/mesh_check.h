// SPDX-License-Identifier: MIT
// Is the mesh one that can be computed? And how good are its elements?
#pragma once
#include "flex/mesh/assembly.h"

// Adds all mistakes of the mesh to the report, each at its place. False: there are some.
bool mesh_check(const bi_flex_def *def, bi_report *report);

// A node or element in words: "node tip", "node 12".
typedef struct {
    char text[80];
} mesh_name;
mesh_name mesh_node_name(const bi_fe_mesh *mesh, int node);
mesh_name mesh_element_name(const bi_fe_mesh *mesh, int element);

// Largest force of a rigid motion of one element, against its stiffest entry; and largest error of the work of constant
// strain.
void mesh_quality(const bi_fe_mesh *mesh, bool is_plane, double *rigid, double *patch);
