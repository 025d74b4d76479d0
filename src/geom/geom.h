// SPDX-License-Identifier: MIT
// Shapes where they are, and what they touch. Lengths in m. No query allocates; the same input gives the same bits.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/spare.h"
#include "math/mat3.h"

// ---- frames and boxes ------------------------------------------------------------------------------------------

// Where a shape is: the columns of rot are its axes, pos its origin.
typedef struct {
    mat3 rot;
    vec3 pos;
} geom_pose;

static inline geom_pose geom_pose_identity(void) { return (geom_pose){ mat3_identity(), { 0.0, 0.0, 0.0 } }; }

static inline vec3 geom_outside(const geom_pose *pose, vec3 local)
{
    return vec3_add(pose->pos, mat3_apply(pose->rot, local));
}

static inline vec3 geom_inside(const geom_pose *pose, vec3 outside)
{
    return mat3_apply_transposed(pose->rot, vec3_sub(outside, pose->pos));
}

// The pose of `a` seen from `b`.
static inline geom_pose geom_relative(const geom_pose *a, const geom_pose *b)
{
    return (geom_pose){ mat3_multiply(mat3_transposed(b->rot), a->rot), geom_inside(b, a->pos) };
}

typedef struct {
    vec3 low, high;
} geom_box;

// ---- shapes ----------------------------------------------------------------------------------------------------

typedef struct geom_mesh geom_mesh;   // geom/mesh.h
typedef struct geom_field geom_field; // geom/field.h
typedef struct geom_hull geom_hull;   // geom/convex/hull.h
typedef struct geom_parts geom_parts; // geom/convex/decompose.h
typedef struct geom_road geom_road;   // geom/road/road.h

typedef enum {
    GEOM_SPHERE,   // radius
    GEOM_PLANE,    // the half space z < 0
    GEOM_BOX,      // half
    GEOM_CAPSULE,  // radius, half_length: of its axis z, without the caps
    GEOM_CYLINDER, // radius, half_length: along z
    GEOM_TORUS,    // ring, radius, half_width: a ring about z with an elliptic section
    GEOM_MESH,     // mesh
    GEOM_FIELD,    // field: what lies below a height field
    GEOM_CONE,     // radius, half_length: along z, base at the lower end, tip at the upper
    GEOM_HULL,     // hull: convex, of points
    GEOM_ELLIPSOID // half: semi-axes
} geom_kind;

typedef struct {
    geom_kind kind;
    double radius;           // sphere, capsule, cylinder, cone; torus: semi-axis of the section across z
    double half_length;      // capsule, cylinder, cone
    double ring;             // torus: distance of the middle of the section from z
    double half_width;       // torus: semi-axis of the section along z
    vec3 half;               // box: half of each side; ellipsoid: semi-axes
    const geom_mesh *mesh;   // mesh; for other kinds a mesh of the same shape, or NULL (geom_mesh_of_shape)
    const geom_field *field; // field
    const geom_hull *hull;   // hull
    const geom_parts *parts; // mesh: convex parts that meet convex shapes and planes in its place, or NULL
    const geom_road *road;   // mesh: the road that it stands for; or NULL
} geom_shape;

// What is wrong with the sizes; NULL: nothing.
const char *geom_shape_fault(const geom_shape *shape);

// The axis-parallel box around the shape; infinite for a plane.
geom_box geom_shape_bounds(const geom_shape *shape, const geom_pose *pose);

// The point of the shape farthest along `direction`, both in the axes of the shape. False: none, a plane.
bool geom_shape_support(const geom_shape *shape, vec3 direction, vec3 *point);

// The place of the surface nearest to a point.
typedef struct {
    double distance; // negative inside; INFINITY: no surface within the reach that was asked for
    vec3 point;      // of the surface
    vec3 normal;     // outwards, of unit length
} geom_near;

geom_near geom_shape_near(const geom_shape *shape, const geom_pose *pose, vec3 point);
// The same in the axes of the shape.
geom_near geom_shape_near_local(const geom_shape *shape, vec3 point);

typedef struct {
    bool is_hit;
    double t;    // origin + t direction
    vec3 normal; // of the surface, outwards
} geom_hit;

// The first crossing of the surface, from either side, for t in [0, reach]. The direction may have any length.
geom_hit geom_shape_ray(const geom_shape *shape, const geom_pose *pose, vec3 origin, vec3 direction,
                        double reach);
geom_hit geom_shape_ray_local(const geom_shape *shape, vec3 origin, vec3 direction, double reach);

// Point nearest to (u, v) on the ellipse with semi-axes a along u and b along v, and the normal there; the signed
// distance is returned, eq. (geometry.3).
double geom_ellipse_near(double a, double b, double u, double v, double point[2], double normal[2]);

// How the point of an ellipsoid farthest along the unit vector d goes when d turns, in its axes: radii of curvature, m;
// symmetric, and zero along d, eq. (geometry.5).
mat3 geom_ellipsoid_bend(vec3 half, vec3 d);

// ---- contact ---------------------------------------------------------------------------------------------------

typedef struct {
    vec3 point;    // in the middle of the overlap
    vec3 normal;   // from B to A: the way A is pushed
    double depth;  // largest overlap along the normal, m
    double area;   // of the patch seen along the normal, m2; shared by the points of one region
    int region;    // points of one region belong to one patch; from 0
    bool is_whole; // the deepest place of a line, whose own places follow: spreading leaves it out
    double
        spread[6]; // regions of meshes: mean of x x, y y, z z, x y, y z, z x over the patch about `point`, m2
    double below,
        above; // regions of meshes: how far the two surfaces reach from `point` against and along the normal
    double mean; // regions of convex shapes: mean depth over the patch, m; 0: not known
    vec3 slope;  // with `mean`: how the depth changes over the patch, across the normal
} geom_contact;

static inline geom_contact geom_contact_make(vec3 point, vec3 normal, double depth, double area, int region)
{
    return (geom_contact){ .point = point, .normal = normal, .depth = depth, .area = area, .region = region };
}

// A list of the caller's; a query appends to it.
typedef struct {
    geom_contact *item; // (capacity)
    int capacity, count, n_region;
    bool is_full;        // something was left out for want of room, here or in the work space
    bool is_unsupported; // no routine for this pair: give the shapes a mesh
    bool is_contained;   // one surface is wholly inside the other: no patch, no contact
    int n_tested;        // pairs of triangles, or triangles, that were looked at closely
    spare *room;         // of geom_room bytes at least, for what queries need while they run
} geom_contacts;

// Bytes of room that queries of the two shapes may need.
size_t geom_room(const geom_shape *a, const geom_shape *b);
// Of any two of them.
size_t geom_room_among(const geom_shape *const *shape, int count);

typedef struct geom_work
    geom_work; // geom/work.h, needed by pairs with a mesh on both sides, or a mesh and a plane

// The own places of lines in place of their deepest, and four points in place of each region that has an extent, with the depth at each of them: forces at them resist a tilt
// as the whole patch would, eq. (geometry.23). Points of their own (corners on a plane, spheres) stay as they are. In
// `list` from `first` on; what does not fit is left out and told.
void geom_spread_regions(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                         const geom_pose *pose_b, int first, geom_contacts *list);

// The two may meet by triangles: both need a mesh (but a plane) and a work space.
bool geom_meets_by_meshes(const geom_shape *a, const geom_shape *b);

// All that touches. `work` may be NULL when neither shape is, or stands for, a mesh.
void geom_collide(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b, const geom_pose *pose_b,
                  geom_work *work, geom_contacts *out);

// What a caller keeps of a pair from one query to the next, zero at first. It saves time and never changes an answer.
typedef struct {
    vec3
        axis; // the way from A to B that separated them last, in the axes of A, any length; zero: they touched
} geom_hint;

// The direction of the hint still separates them: one comparison. False: not known.
bool geom_are_apart(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                    const geom_pose *pose_b, const geom_hint *hint);

// The box around A in the axes of B does not meet the box around B: the cheapest thing to ask first. False: not known, or
// one of them is a plane.
bool geom_are_bounds_apart(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                           const geom_pose *pose_b);

// The same contacts as geom_collide, sooner; `hint` is read and renewed.
void geom_collide_again(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                        const geom_pose *pose_b, geom_hint *hint, geom_work *work, geom_contacts *out);

// ---- convex shapes that are apart ------------------------------------------------------------------------------

typedef struct {
    double distance; // m; NAN: one of the shapes is not convex, or both are planes
    vec3 on_a, on_b; // the nearest points
    vec3 normal;     // from B to A, unit
} geom_gap;

// The distance of two convex shapes (sphere, capsule, box, cylinder, cone, hull), one of which may be a plane; 0 or negative where
// they overlap.
geom_gap geom_distance(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                       const geom_pose *pose_b);

// A shape that moves and turns evenly: its points are at centre + velocity t + exp(spin t) (x - centre).
typedef struct {
    geom_pose pose; // at t = 0
    vec3 centre;    // m, about which it turns
    vec3 velocity;  // of the centre, m/s
    vec3 spin;      // rad/s, axes outside
} geom_motion;

typedef struct {
    double time; // s, from 0 (they touch already) to the end; INFINITY: misses; NAN: as with geom_distance
    vec3 point;  // where they meet, of B
    vec3 normal; // from B to A, unit; zero when they overlap already
} geom_impact;

// When two convex shapes meet for the first time within h. It may call a pass closer than 1e-13 of their size a hit; it
// never passes a hit by.
geom_impact geom_impact_time(const geom_shape *a, const geom_motion *motion_a, const geom_shape *b,
                             const geom_motion *motion_b, double h);

// Where a shape goes in a step, by less than half a turn.
typedef struct {
    geom_pose from, to;
} geom_sweep_way;

// When two shapes meet for the first time while both go their ways; `time` from 0 (they touch already) to 1, INFINITY:
// they do not, NAN: planes and fields among each other. Their middles go straight and they turn evenly. Meshes count by
// their convex parts or their triangles, fields by the triangles of their cells; of two meshes without parts the first
// counts as its hull, and a torus as the tin that holds it: a hit may be told too early, never too late.
geom_impact geom_sweep(const geom_shape *a, const geom_sweep_way *a_goes, const geom_shape *b,
                       const geom_sweep_way *b_goes);
