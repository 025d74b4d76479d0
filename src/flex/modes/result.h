// SPDX-License-Identifier: MIT
// What the reduction makes: inside of bi_flex.
#pragma once
#include "flex/mesh/assembly.h"
#include <biela/flex.h>

struct bi_flex {
    uint64_t hash;        // of the definition
    bi_fe_mesh mesh;      // own copy, names included
    bool is_plane;        // freedoms of two dimensions
    bi_flex_facts facts;  //
    bi_modes modes;       // arrays below
    bi_flex_damping said; // of the definition
    double *hz;           // (n_mode) frame held
    double *normal_hz;    // (n_normal) frame and boundary held
    double *nodal;        // (n_mode * 6 n_node) freedoms of the mesh's nodes per unit amplitude, mode by mode
    bi_vec3 *at, *shape, *turn, *bend; // of bi_modes; bend may be NULL
    double *mass, *stiffness, *damping;
    int n_held;    // nodes of the frame, then those whose displacement is a boundary
    int32_t *held; // (n_held)
};

// A deep copy; false: no memory, `out` is empty then.
bool mesh_copy(const bi_fe_mesh *mesh, bi_fe_mesh *out);
void mesh_clear(bi_fe_mesh *mesh);

// Fills particles, shapes, turns, bends and masses from `nodal`. False: reported, or no memory.
bool particles_fill(const bi_flex_def *def, bi_flex *flex, bi_report *report);

// Foreshortening of a straight body of beams, (fe.15). False: reported at its place, or no memory.
bool bend_fill(const bi_flex_def *def, bi_flex *flex, bi_report *report);

// Freedoms of element k in mode m.
void element_freedoms(const bi_flex *flex, int k, int m, double *u);

// As bi_flex_nodal_rows; of shells at `side` from -1 (bottom) to 1 (top), on the side of the first one's normal.
bool flex_nodal_rows(const bi_flex *flex, int node, double side, double *rows);
// The side of an element that is `side` at a node with this normal; zero: the node has none yet, and gets that of the
// element. Others than shells: 0.
double flex_side_of(const bi_flex *flex, int element, double side, vec3 *normal);

// Hash, what else the definition said, and public pointers, when all arrays are there. False: no memory.
bool result_finish(bi_flex *flex, const bi_flex_def *def);
