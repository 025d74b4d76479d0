// SPDX-License-Identifier: MIT
// A flexible body of geometrically exact beams: the key `model: exact`. Each node of its mesh is a rigid section, a body
// of the model; each beam a force between two of them.
#pragma once
#include "io/flex/flex_mesh.h"

// Takes the mesh over. False: told, and nothing is kept.
bool flex_exact_take(reader *r, const yaml_node *map, const char *where, flex_mesh *m);
// Mass, centre and inertia of the first section of the mesh taken last; it has the axes of the whole body.
void flex_exact_first(const reader *r, bi_body_def *def);
// The other sections, behind the first one, and the beams.
void flex_exact_add(reader *r, const bi_body_def *whole, bi_body first);

// The mesh of an exact body; NULL: it is none.
const bi_fe_mesh *flex_exact_mesh(const reader *r, bi_body body);
// The section that carries a node of it, and where there; false: nothing does.
bool flex_exact_node(const reader *r, bi_body body, int node, bi_body *section, bi_vec3 *at);
// How many sections it has; 0: it is no exact body.
int flex_exact_sections(const reader *r, bi_body body);
// A place in the axes of the whole: the section of the nearest node, where there, and how far the node is.
void flex_exact_near(const reader *r, bi_body *body, bi_vec3 *at, double *distance);
// The force of an element of it, and how many beams it has; none: not a beam.
bi_element flex_exact_beam(const reader *r, bi_body body, int element);
int flex_exact_beams(const reader *r, bi_body body);
void flex_exact_forget(reader *r);
