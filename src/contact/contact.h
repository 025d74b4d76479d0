// SPDX-License-Identifier: MIT
// Contact laws. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind point_contact_kind, contact_kind;

// What an element of the kind "contact" tells, in this order, from plan_tell on.
enum {
    CONTACT_FX, // force on the bodies of a, N
    CONTACT_FY,
    CONTACT_FZ,
    CONTACT_NORMAL,   // sum of the normal forces, N
    CONTACT_POINTS,   // that touch
    CONTACT_REGIONS,  // of touching points
    CONTACT_DEPTH,    // largest, m
    CONTACT_STICK,    // share of the normal force on points that stick, 0 to 1
    CONTACT_SLIPPING, // and on points that slip; both 0: apart
    CONTACT_SLIP,     // largest speed across the normal, m/s
    CONTACT_RELEASED, // 1: nothing touches any more
    CONTACT_X,        // where it pushes: mean of the points, weighted by their normal forces, ground axes, m
    CONTACT_Y,
    CONTACT_Z,
    CONTACT_TOLD
};
