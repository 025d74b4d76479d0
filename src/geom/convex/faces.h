// SPDX-License-Identifier: MIT
// The faces of a convex shape that are seen along the normal of a contact.
#pragma once

#include "geom/convex/shadow.h"

enum { SEEN_FACES = 96, SEEN_SPOTS = 640 };

typedef enum { GEOM_LOWER, GEOM_UPPER } geom_side;

typedef struct {
    int n_face, n_spot;
    bool is_full; // something was left out
    geom_shadow face[SEEN_FACES];
    geom_spot spot[SEEN_SPOTS];
} geom_seen;

// Faces of a box, cylinder, cone or hull that look against the normal (lower) or along it (upper) and come below, or
// above, the height `to`. `band` is how deep the contact is: round sides are cut finer there.
void geom_see(const geom_shape *shape, const geom_pose *pose, const geom_view *view, geom_side which,
              double to, double band, geom_seen *out);
