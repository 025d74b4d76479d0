// SPDX-License-Identifier: MIT
// A flexible body with what is needed to show its stress at any time.
#pragma once
#include <biela/flex.h>
#include <biela/io.h>

typedef struct {
    bi_body body;
    const char *name;
    const bi_flex *flex;
    bi_recovery *mises; // everywhere
    double *forces;     // (n_element * 6 * n_mode) section forces in the middle of beams; NULL: no beams
    double *eta;        // (n_mode)
    bi_vec3 *at;        // (n_node) deformed, ground axes
    double *stress;     // (n_node) Pa, the largest of the elements around for beams
} flex_paint;

// All flexible bodies of a model with a mesh; -1: no memory.
int flex_paint_all(const bi_model *model, flex_paint **out);
void flex_paint_free(flex_paint *all, int count);

// Places and stresses for the amplitudes in `eta`.
void flex_paint_nodes(flex_paint *p, bi_pose pose);
// Section forces of a beam for the amplitudes in `eta`.
void flex_paint_forces(const flex_paint *p, int element, double force[6]);
// Places of `mises` that are ends of beams: they come first, two of each.
int flex_paint_sections(const flex_paint *p);
