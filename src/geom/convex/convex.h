// SPDX-License-Identifier: MIT
// Convex shapes by their farthest points: distances, the way that parts them, the time of an impact.
#pragma once

#include "geom/geom.h"

// A convex shape where it is: a core with `round` around it. Balls are points, capsules are lines.
typedef struct {
    const geom_shape *shape;
    geom_pose pose;
    double round; // m
} geom_core;

// False: not convex, or without an end (a plane).
bool geom_core_of(const geom_shape *shape, const geom_pose *pose, geom_core *out);
// The point of the core farthest along d.
vec3 geom_core_support(const geom_core *core, vec3 d);
// The radius of a ball about `centre` that holds the core.
double geom_core_reach(const geom_core *core, vec3 centre);

// A point of the difference of two cores, with those it is made of.
typedef struct {
    vec3 w, a, b; // w = a - b
} geom_corner;

// The way between two cores.
typedef struct {
    double distance; // between the cores, m; 0: they overlap
    double least;    // the distance is not smaller than this, m
    vec3 on_a, on_b; // nearest points of the cores
    vec3 normal;     // from B to A, unit; of cores that overlap zero
    geom_corner corner[4];
    int count; // of corners that span the nearest point
} geom_way;

// `start` is a guess of the way from B to A; any vector will do.
geom_way geom_core_way(const geom_core *a, const geom_core *b, vec3 start);

// The shortest way that parts two cores that overlap, found by growing a solid of farthest points from inside.
typedef struct {
    double depth; // m; 0: none was found
    vec3 normal;  // A is pushed this way, unit
    vec3 on_a, on_b;
} geom_parting;

geom_parting geom_core_parting(const geom_core *a, const geom_core *b, vec3 start, spare *room);
size_t geom_parting_size(void); // bytes of room that it takes, at most
enum { GEOM_PARTING_MOST = 27 * 1024 };
