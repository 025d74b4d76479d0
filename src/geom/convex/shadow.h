// SPDX-License-Identifier: MIT
// Faces of two convex shapes seen along the normal of their contact: the patch in which their shadows overlap, and how
// far one reaches into the other there, eq. (geometry.16).
#pragma once

#include "geom/geom.h"

// Across the normal, m.
typedef struct {
    double x, y;
} geom_spot;

// A flat face seen along the normal.
typedef struct {
    int n;                           // corners, SHADOW_CORNERS at most
    const geom_spot *at;             // (n) counter-clockwise
    double height, slope_x, slope_y; // along the normal: height + slope_x x + slope_y y
    double share;                    // with which it counts, 0 to 1
    geom_spot least, most;           // the rectangle around the corners
} geom_shadow;

enum { SHADOW_CORNERS = 32 };

// Sums over all that overlaps, about an origin within the patch.
typedef struct {
    bool has_origin;
    geom_spot origin;
    double area, x, y, xx, xy, yy;
    double depth, x_depth, y_depth; // of the depth
    double high;                    // of the height of the upper face
    double most;                    // largest depth, m
} geom_overlap;

// Faces seen edge on cast a shadow that does not count: at a sine s it is s^2 of the patch. 0 up to the sine of 1e-3, 1
// from twice that on, without a jump.
static inline double geom_shadow_share(double sine)
{
    double x = 1e3 * fabs(sine) - 1.0;
    return x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : x * x * (3.0 - 2.0 * x);
}

// Adds the part of the patch where `low`, a face of A, lies below `high`, a face of B.
void geom_overlap_add(const geom_shadow *low, const geom_shadow *high, geom_overlap *sum);

// The axes in which shapes are seen: x, y, along the normal; unit vectors.
typedef struct {
    vec3 x, y, normal, origin;
} geom_view;

// Two unit vectors across a unit vector n; x, y, n are right-handed.
static inline void geom_across(vec3 n, vec3 *x, vec3 *y)
{
    double sign = n.z < 0.0 ? -1.0 : 1.0, p = -1.0 / (sign + n.z), q = n.x * n.y * p;
    *x = (vec3){ 1.0 + sign * n.x * n.x * p, sign * q, -sign * n.x };
    *y = (vec3){ q, sign + n.y * n.y * p, -n.y };
}

// The region that the sums describe; area 0: nothing overlaps.
geom_contact geom_overlap_contact(const geom_overlap *sum, const geom_view *view, int region);
