// SPDX-License-Identifier: MIT
// What the tests of the shapes share: chance that is the same every time, poses, meshes with their work space.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geom/field.h"
#include "geom/mesh.h"
#include "geom/work.h"
#include "math/elementary.h"
#include "math/rotation.h"

static const double PI = 3.14159265358979323846;

typedef struct {
    uint64_t state;
} chance;

// uniform in [low, high)
static inline double chance_in(chance *c, double low, double high)
{
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(c->state >> 11) * 0x1.0p-53);
}

static inline vec3 chance_vec3(chance *c, double size)
{
    double x = chance_in(c, -size, size), y = chance_in(c, -size, size);
    return (vec3){ x, y, chance_in(c, -size, size) };
}

static inline geom_pose chance_pose(chance *c, double size)
{
    vec3 axis = chance_vec3(c, 1.0);
    double angle = chance_in(c, 0.0, 3.0);
    return (geom_pose){ mat3_from_axis_angle(axis, angle), chance_vec3(c, size) };
}

static inline geom_pose pose_at(double x, double y, double z)
{
    return (geom_pose){ mat3_identity(), { x, y, z } };
}

// the pose moved and turned as a whole
static inline geom_pose pose_moved(const geom_pose *by, const geom_pose *pose)
{
    return (geom_pose){ mat3_multiply(by->rot, pose->rot), geom_outside(by, pose->pos) };
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

static inline void assert_vec3_near(vec3 value, vec3 expected, double tolerance)
{
    if (!(vec3_norm(vec3_sub(value, expected)) <= tolerance)) {
        fail_msg("(%.17g %.17g %.17g) is not (%.17g %.17g %.17g) within %g", value.x, value.y, value.z,
                 expected.x, expected.y, expected.z, tolerance);
    }
}

static inline geom_mesh *mesh_from(bi_mesh *plain)
{
    const char *why = NULL;
    geom_mesh *mesh = geom_mesh_create(plain, &why);
    bi_mesh_clear(plain);
    assert_non_null(mesh);
    return mesh;
}

static inline geom_mesh *mesh_of(const geom_shape *shape, int n)
{
    bi_mesh plain;
    assert_true(geom_mesh_of_shape(shape, n, &plain));
    return mesh_from(&plain);
}

// a work space of its own block; free `block`
typedef struct {
    geom_work work;
    void *block;
} workspace;

static inline workspace workspace_for(const geom_mesh *a, const geom_mesh *b, int n_piece)
{
    workspace w = { 0 };
    arena measure = { 0 };
    geom_work_take(&w.work, &measure, a, b, n_piece);
    w.block = malloc(measure.used);
    arena memory = { w.block, 0, measure.used, false };
    geom_work_take(&w.work, &memory, a, b, n_piece);
    return w;
}
