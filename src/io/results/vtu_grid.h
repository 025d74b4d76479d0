// SPDX-License-Identifier: MIT
// A mesh as an unstructured grid of VTK: what frames, modes and lives share.
#pragma once
#include <biela/flex.h>
#include <stdio.h>

void vtu_head(FILE *out, const bi_fe_mesh *mesh);  // up to the points, which the caller writes
void vtu_begin(FILE *out, const bi_fe_mesh *mesh); // with the points where they are without load
void vtu_cells(FILE *out, const bi_fe_mesh *mesh);
void vtu_numbers(FILE *out, const char *name, const double *value, int count); // a number per point or cell
void vtu_end(FILE *out);
