// SPDX-License-Identifier: MIT
// Angles of successive turns about moving axes, from an orientation.
#pragma once
#include "math/mat3.h"
#include "model/model.h"

typedef struct {
    double angle[3], rate[3];
} euler_angles;

// R = R_i(angle 1) R_j(angle 2) R_k(angle 3); omega: angular velocity in the axes that R turns from (constraints.8).
euler_angles euler_from_axes(model_angles order, mat3 R, vec3 omega);

// The angle of a sine and a cosine of any common length, above -pi up to pi: half a turn is pi, whichever side rounding
// is on, so that all coordinates begin with the same one.
double described_angle(double sine, double cosine);
// A joint's coordinate and rate in the described configuration.
void described_coordinate(const bi_model *m, int joint, int coordinate, double *value, double *rate);
