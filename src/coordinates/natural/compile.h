// SPDX-License-Identifier: MIT
// What the pages of the compiler of natural coordinates share.
#pragma once
#include "base/list.h"
#include "coordinates/natural/natural.h"

typedef struct {
    const plan *p;
    const bi_model *model;
    sharing shared;
    bases base;
    natural *tab;
    structure *out;
    int *mode_q; // first amplitude of each body (n_body); -1: rigid
    int null;    // coordinate of the null vector
    pattern_builder couplings;
    bool ok;
    bool is_too_wide; // a law or constraint touches more than a step has room for
} compiler;

// Variables that a row or a block touches, in the order of their discovery.
typedef struct {
    int *col;
    int n_col, cap_col;
} columns;

// compile_maps.c: what each marker is of the variables
bool compile_axes(natural *tab, int body, vec3 at,
                  map_vec column[4]); // origin and axes of a frame at a point of a body
bool compile_markers(compiler *c);
// compile_rows.c: columns and gradients of the rows of the plan, of rigid bodies, of stiffness
bool compile_constraint_rows(compiler *c, int *cap_row, int *cap_col, columns *cols);
bool compile_rigid_rows(compiler *c, int *cap_row, int *cap_col, columns *cols);
bool compile_blocks(compiler *c, columns *cols);
bool compile_block_entries(compiler *c);
// compile_mass.c: every entry of the constant mass matrix, and those that are not zero
void compile_each_mass(compiler *c, void (*use)(compiler *, int i, int j, double value));
void compile_each_rotor(compiler *c, void (*use)(compiler *, int i, int j, double value));
bool compile_light(compiler *c);
bool compile_mass_list(compiler *c);
// turning.c: bodies that turn, and the entities they carry
bool turning_create(compiler *c);
// floating.c: mechanisms that nothing holds
bool floating_create(compiler *c);
