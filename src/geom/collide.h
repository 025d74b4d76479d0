// SPDX-License-Identifier: MIT
// The routines behind geom_collide. Each appends to `out`; A and B keep their places, the normal goes from B to A.
#pragma once

#include "geom/geom.h"
#include "geom/work.h"

// A shape where it is.
typedef struct {
    const geom_shape *shape;
    const geom_pose *pose;
} geom_placed;

// Adds a contact of the given region; a full list is told.
static inline void geom_add(geom_contacts *out, geom_contact contact)
{
    if (out->count >= out->capacity) {
        out->is_full = true;
        return;
    }
    out->item[out->count++] = contact;
}

// The contact added last is the deepest of a line whose own places follow.
static inline void geom_mark_whole(geom_contacts *out)
{
    if (out->count > 0) {
        out->item[out->count - 1].is_whole = true;
    }
}

// What the ball of radius r cuts out of a plane at the depth, eq. (geometry.11): a disc.
static inline double geom_cap_area(double radius, double depth)
{
    const double pi = 3.14159265358979323846;
    return pi * (depth < radius ? depth * (2.0 * radius - depth) : radius * radius);
}

// What a plane at `height` below the middle of an ellipsoid cuts out of it, when the ellipsoid reaches down to `reach`, eq.
// (geometry.13): an ellipse; beyond the middle the largest one.
static inline double geom_ellipsoid_section(vec3 half, double reach, double height)
{
    const double pi = 3.14159265358979323846;
    double part = height > 0.0 ? height / reach : 0.0;
    return pi * half.x * half.y * half.z / reach * (1.0 - part * part);
}

void geom_sphere_any(geom_placed a, geom_placed b, geom_contacts *out);   // b: anything but a mesh or a field
void geom_sphere_mesh(geom_placed a, geom_placed b, geom_contacts *out);  // b: a mesh
void geom_sphere_field(geom_placed a, geom_placed b, geom_contacts *out); // b: a field
void geom_any_plane(geom_placed a, geom_placed b,
                    geom_contacts *out); // a: box, capsule, cylinder, torus, ellipsoid
void geom_capsule_any(geom_placed a, geom_placed b,
                      geom_contacts *out); // b: capsule, box, cylinder, torus, cone, hull, ellipsoid
// a: a torus with a round section; b: box, cylinder, cone, hull, ellipsoid.
void geom_ring_convex(geom_placed a, geom_placed b, geom_contacts *out);
void geom_box_box(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out);
// Box, cylinder, cone, hull; a cone or hull on a plane.
void geom_convex_convex(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out);
void geom_convex_plane(geom_placed a, geom_placed b, geom_contacts *out);
// Box, cylinder, cone, hull on a field. False: more cells below it than there is room for; nothing was added.
bool geom_convex_field(geom_placed a, geom_placed b, geom_contacts *out);
size_t geom_cells_size(const geom_shape *shape, const geom_field *f); // bytes of room for these cells
// b: box, cylinder, cone, hull, ellipsoid.
void geom_ellipsoid_convex(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out);
size_t geom_spread_size(void); // bytes of room of geom_spread_regions
// Meshes of the shapes; b may be a plane.
void geom_mesh_any(geom_placed a, geom_placed b, geom_work *work, geom_contacts *out);
