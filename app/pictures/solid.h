// SPDX-License-Identifier: MIT
/* solid.h - shapes as triangles, for pictures: corners and normals, counter-clockwise seen from outside. */
#pragma once
#include <biela/biela.h>

typedef struct {
    bi_vec3 corner[3], normal[3]; /* axes of the shape, m; unit */
} solid_triangle;
/* Calls `found` for each. Planes are a square of 2 `reach`. */
void solid_triangles(const bi_shape_def *, double reach, void (*found)(void *, const solid_triangle *),
                     void *);

static inline bi_vec3 solid_plus(bi_vec3 a, double s, bi_vec3 b)
{
    return (bi_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}
static inline double solid_dot(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline bi_vec3 solid_cross(bi_vec3 a, bi_vec3 b)
{
    return (bi_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
bi_vec3 solid_unit(bi_vec3); /* of nothing: up */
/* A vector of a body in ground axes. */
bi_vec3 solid_turn(bi_quat, bi_vec3);
