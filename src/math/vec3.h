// SPDX-License-Identifier: MIT
// Vectors of three components.
#pragma once

#include <math.h>
#include <stdbool.h>

#include <biela/types.h>

typedef bi_vec3 vec3;

static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){ a.x + b.x, a.y + b.y, a.z + b.z }; }

static inline vec3 vec3_sub(vec3 a, vec3 b) { return (vec3){ a.x - b.x, a.y - b.y, a.z - b.z }; }

static inline vec3 vec3_neg(vec3 a) { return (vec3){ -a.x, -a.y, -a.z }; }

static inline vec3 vec3_scale(double s, vec3 a) { return (vec3){ s * a.x, s * a.y, s * a.z }; }

// a + s b
static inline vec3 vec3_add_scaled(vec3 a, double s, vec3 b)
{
    return (vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// Length; components beyond 1e150 or all below 1e-150 leave the range of the squares.
static inline double vec3_norm(vec3 a) { return sqrt(vec3_dot(a, a)); }

// Unit vector along a; zero stays zero.
static inline vec3 vec3_normalized(vec3 a)
{
    double norm = vec3_norm(a);
    if (norm == 0.0) {
        return (vec3){ 0.0, 0.0, 0.0 };
    }
    return (vec3){ a.x / norm, a.y / norm, a.z / norm };
}

static inline bool vec3_is_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

// The reference direction of an axis of any length: the unit vector perpendicular to it that is closest to x, or to y
// when the axis itself is close to x. perpendicular(z) = x; a zero axis gives x.
static inline vec3 vec3_perpendicular(vec3 axis)
{
    vec3 e = vec3_normalized(axis);
    vec3 guide = fabs(e.x) > 0.9 ? (vec3){ 0.0, 1.0, 0.0 } : (vec3){ 1.0, 0.0, 0.0 };
    return vec3_normalized(vec3_add_scaled(guide, -vec3_dot(guide, e), e));
}
