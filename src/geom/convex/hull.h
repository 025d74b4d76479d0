// SPDX-License-Identifier: MIT
// The convex hull of points: corners, flat faces, and the questions that a convex solid answers.
#pragma once

#include "geom/geom.h"
#include <biela/geom.h>

enum { HULL_FACE_CORNERS = 32 }; // of one face; larger ones are left in pieces

struct geom_hull {
    int n_vertex, n_face, n_corner;
    vec3 *vertex;    // (n_vertex) corners, m
    int32_t *first;  // (n_face + 1) of each face in `corner`
    int32_t *corner; // (n_corner) vertices, counter-clockwise seen from outside
    vec3 *normal;    // (n_face) unit, outwards
    double *offset;  // (n_face) normal . x of the face, m
    geom_box bounds;
    void *memory; // holds all the arrays
};

// The hull of the points. NULL: no memory, or `why` says what is wrong: points on a line or in a plane have none.
geom_hull *geom_hull_create(const vec3 *point, int n_point, const char **why);
void geom_hull_destroy(geom_hull *hull);

vec3 geom_hull_support(const geom_hull *hull, vec3 d);
geom_near geom_hull_near(const geom_hull *hull, vec3 p);
geom_hit geom_hull_ray(const geom_hull *hull, vec3 origin, vec3 direction, double reach);
// False: no memory.
bool geom_hull_triangles(const geom_hull *hull, bi_mesh *out);
