// SPDX-License-Identifier: MIT
// Triangles made ready for queries once, and shared by the shapes of any number of models.
#pragma once

#include "geom/convex/decompose.h"
#include "geom/mesh.h"
#include <biela/shapes.h>

struct bi_surface; // <biela/shapes.h>

// What the queries need of it; pieces are NULL where none were asked for.
geom_mesh *surface_mesh(const bi_surface *surface);
geom_parts *surface_parts(const bi_surface *surface);
int surface_pieces(const bi_surface *surface);
// One shell of it crosses itself; found when it is first asked.
bool surface_crosses_itself(bi_surface *surface);
// The surface, or NULL: `key` of a shape's definition is wrong, `why` says in what.
bi_surface *surface_make(const bi_mesh *mesh, int pieces, const char **key, const char **why);
