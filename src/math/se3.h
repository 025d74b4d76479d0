// SPDX-License-Identifier: MIT
// Relative configurations of two frames as vectors (u, w): logarithm, its derivative, and the derivative of that
// (yardstick.5 to yardstick.7).
#pragma once
#include "math/rotation.h"

typedef struct {
    vec3 u, w;         // translation and rotation of the screw from one frame to the other
    double c, dc, ddc; // c(s) of s = w . w and its derivatives
} screw;

// The screw of the frame (rotation, place) seen from the first one.
screw screw_log(quat rotation, vec3 place);
// A share of the way along it: rotation and place.
void screw_exp(screw d, double share, mat3 *rotation, vec3 *place);

// Transposed derivative of the screw with local increments of the far frame (side +1) or, but for its sign, of the near
// frame (side -1): forces (n, m) of the screw -> forces on the frame.
void screw_forces(const screw *d, double side, vec3 n, vec3 m, vec3 *force, vec3 *torque);
// The derivative itself: increments of the frame -> change of the screw.
void screw_change(const screw *d, double side, vec3 shift, vec3 spin, vec3 *du, vec3 *dw);
// Derivative of screw_forces along a change (du, dw) of the screw, with n and m kept.
void screw_bend(const screw *d, double side, vec3 n, vec3 m, vec3 du, vec3 dw, vec3 *force, vec3 *torque);
