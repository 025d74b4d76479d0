// SPDX-License-Identifier: MIT
// The faces of a convex shape that are seen along the normal of a contact.
#pragma once

#include "geom/convex/shadow.h"

enum { SEEN_FACES = 96, SEEN_SPOTS = 640 };

typedef enum { GEOM_LOWER, GEOM_UPPER } geom_side;

typedef struct {
    int n_face, n_spot, most_faces, most_spots;
    bool is_full;      // something was left out
    geom_shadow *face; // (most_faces)
    geom_spot *spot;   // (most_spots)
} geom_seen;

// Room for all faces of a box, cylinder, cone or hull, or of the largest part of a mesh; taken, and how much that is.
geom_seen geom_seen_take(const geom_shape *shape, spare *room);
size_t geom_seen_size(const geom_shape *shape);

// Faces of a box, cylinder, cone or hull that look against the normal (lower) or along it (upper) and come below, or
// above, the height `to`. `band` is how deep the contact is: round sides are cut finer there.
void geom_see(const geom_shape *shape, const geom_pose *pose, const geom_view *view, geom_side which,
              double to, double band, geom_seen *out);
