// SPDX-License-Identifier: MIT
// The ground under a wheel: a plane, or the surface of shapes of the ground; patches of other friction on it.
#pragma once
#include "geom/geom.h"
#include "laws/tyre/smooth.h"
#include "laws/tyre/tyre_patch.h"
#include "state/plan.h"
#include "state/slippery.h"

typedef struct {
    geom_shape form;
    geom_pose pose;
} road_shape;

typedef struct {
    vec3 point, normal;      // of the plane; the normal is also where a search on shapes begins
    const road_shape *shape; // (n_shape) instead of the plane; NULL: none
    int n_shape;
    const bi_model *patched; // friction differs from place to place of the ground; NULL: it does not
    smooth_ground smooth;    // instead of all others
    bool envelops;           // springs over the footprint on it (footprint.c)
} road;

// Shapes as given; mistakes go to the plan.
road road_compile(plan *p, int element, const bi_wheel *def);

// The plane that touches the ground where the wheel is deepest (tyre.6). False: no ground there.
bool road_under(const road *r, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out);
// How that plane turns with the wheel's place and orientation: exact on smooth ground, by differences on other shapes,
// nothing on a plane.
void road_tilt(const road *r, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out);
double road_friction(const road *r, const signals *u, vec3 at);
