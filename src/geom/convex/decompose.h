// SPDX-License-Identifier: MIT
// A closed mesh as convex parts: hulls that lie side by side and cover it.
#pragma once

#include "geom/convex/hull.h"
#include "geom/mesh.h"

struct geom_parts {
    int n;
    geom_hull **hull; // (n)
    double volume;    // of all hulls, m3
    double excess;    // over the volume of the mesh, less one: what the hulls fill that the mesh does not
};

enum { GEOM_MOST_PARTS = 256, GEOM_PARTS_TRIANGLES = 20000 };

// Cuts the mesh into `most` parts or fewer, see geometry.md. NULL: no memory, or `why` says what is wrong with the mesh.
geom_parts *geom_parts_create(const geom_mesh *mesh, int most, const char **why);
void geom_parts_destroy(geom_parts *parts);
