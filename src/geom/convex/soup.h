// SPDX-License-Identifier: MIT
// Flat convex polygons in no order, and what a plane leaves of them.
#pragma once

#include "geom/geom.h"

// n . x = offset; n is a unit vector.
typedef struct {
    vec3 n;
    double offset;
} geom_cutter;

static inline geom_cutter geom_cutter_turned(geom_cutter c)
{
    return (geom_cutter){ vec3_neg(c.n), -c.offset };
}

typedef struct {
    int n_corner, n_face, room_corner, room_face;
    vec3 *corner;   // (n_corner) m
    int32_t *first; // (n_face + 1) of each polygon in `corner`
    vec3 *normal;   // (n_face) unit, outwards
} geom_soup;

void geom_soup_clear(geom_soup *s);
// Adds a polygon of n corners. False: no memory.
bool geom_soup_add(geom_soup *s, const vec3 *corner, int n, vec3 normal);

// What lies above the plane; nearer to it than `thick` counts as in it. A polygon in the plane is kept when the solid
// behind it is above. False: no memory.
bool geom_soup_cut(const geom_soup *s, geom_cutter by, double thick, geom_soup *out);
// The same of the faces of a convex solid, which gets a new one in the plane.
bool geom_cell_cut(const geom_soup *cell, geom_cutter by, double thick, geom_soup *out);
// A box as faces, grown by `more` to all sides.
bool geom_cell_of_box(const geom_box *box, double more, geom_soup *out);

vec3 geom_soup_middle(const geom_soup *s, int face); // mean of the corners
double geom_soup_area(const geom_soup *s, int face);
