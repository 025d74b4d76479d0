// SPDX-License-Identifier: MIT
// What the reduction needs to know of a beam besides the table of elements.
#pragma once
#include "flex/mesh/fe.h"

enum { BEAM_DOF = 12 };

// Axes of the section (unit vectors, body frame), ends and length of a straight beam.
typedef struct {
    vec3 x, y, z;
    vec3 end[2];
    double length;
} beam_axes;

// False: it has no length.
bool beam_axes_of(const fe_element *e, beam_axes *out);

// Slopes v' and w' at s in [0, 1]: rows (2 x 12) on the freedoms of the element.
void beam_slopes(const fe_element *e, double s, double *rows);

// Displacement (3 x 12, body axes) of the point (0, y, z) of the section at s in [0, 1], and turn (3 x 12).
void beam_move(const fe_element *e, double s, double y, double z, double *move, double *turn);
