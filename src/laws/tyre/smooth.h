// SPDX-License-Identifier: MIT
// Smooth ground under a wheel: height over x and y with two derivatives, from an expression, a road or a smooth height field.
// The place that the wheel touches deepest is found by Newton's method (tyre.8 .. tyre.11).
#pragma once
#include "geom/road/road.h"
#include "laws/tyre/tyre_patch.h"
#include "state/surface.h"

typedef struct {
    surface height;          // of the ground axes; code NULL: none
    const geom_field *field; // instead; NULL: none
    const geom_road *road;   // instead; NULL: none
    geom_pose pose;          // of the field, of the road
} smooth_ground;

static inline bool smooth_is_there(const smooth_ground *g) { return g->height.code || g->field || g->road; }

// Height and derivatives, in the axes of the ground. False: outside of it, or no number there.
bool smooth_height(const smooth_ground *g, double x, double y, jet *room, surface_point *out);
// A wheel in these axes, and a direction out of them.
tyre_pose smooth_pose(const smooth_ground *g, const tyre_pose *at);
vec3 smooth_outside(const smooth_ground *g, vec3 direction);

// The plane that touches the ground where the wheel is deepest. False: no ground there, or no such place was found.
bool smooth_under(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out);
// How that plane turns with the wheel's place and orientation; `out` as smooth_under left it.
void smooth_tilt(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out);
