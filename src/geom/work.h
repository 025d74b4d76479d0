// SPDX-License-Identifier: MIT
// Room for a query with meshes, cut from an arena once; and the steps of such a query.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"

// Where two triangles cross: a straight piece of the line in which two surfaces meet.
typedef struct {
    int32_t a, b;   // triangles
    int32_t parent; // towards the representative of the region
    int32_t region; // written by the grouping
    vec3 p, q;      // ends, in the axes of B; the direction is that of the product of the normals of a and b
} geom_piece;

// An end of a piece: an edge of one mesh goes through a triangle of the other.
typedef struct {
    int32_t edge;   // edges of B are counted on from those of A
    int32_t other;  // the triangle
    int32_t piece;  // the end of which it is
    int32_t enters; // 1: from its lower to its higher vertex the edge enters the other solid, -1: it leaves
    double t;       // place on the edge, 0 at the lower vertex, 1 at the higher
} geom_pierce;

// Marks of one mesh; all zero between queries.
typedef struct {
    int32_t *piece;   // (n_vertex) inside: a piece of its region, plus one; -1: outside; 0: not known
    int8_t *is_cut;   // (n_edge) the edge is pierced
    int32_t *stack;   // (n_vertex) vertices inside, in the order found
    int32_t *outside; // (n_vertex) vertices marked as outside
    int n_inside, n_outside;
} geom_marks;

typedef struct {
    vec3 area;            // vector area of the patch of A inside B, m2
    double plain;         // sum of the sizes that were added, to see whether they cancelled
    vec3 reference;       // a point of the region, origin of the sums
    vec3 first;           // moment of the area
    double length;        // of the pieces
    double height;        // moment of the length along the normal
    vec3 normal;          // from B to A
    double low_a, high_b; // extent of the patches along the normal
    double second[6];     // second moments of the area about the reference, xx yy zz xy yz zx
    double depth;
    int n_end_a, n_end_b; // ends on edges of A, of B
} geom_region;

struct geom_work {
    int n_piece, n_region; // capacities
    int n_vertex, n_edge;  // capacities of the marks of each side
    geom_piece *piece;
    geom_pierce *pierce; // (2 n_piece)
    geom_region *region;
    geom_marks a, b;
};

// Cuts the room for meshes `a` and `b` (b NULL: a plane) and n_piece crossing pairs of triangles at once. A work space
// for larger meshes serves smaller ones, too.
void geom_work_take(geom_work *work, arena *memory, const geom_mesh *a, const geom_mesh *b, int n_piece);

// The solid that A meets: another mesh, or the half space z < 0 (mesh NULL), with the pose of A seen from it.
typedef struct {
    const geom_mesh *a, *b;
    geom_pose pose;
} geom_meeting;

// Pieces and their ends, in a fixed order; the number of pieces is returned.
int geom_find_pieces(const geom_meeting *meet, geom_work *work, geom_contacts *out);
// Regions from pieces, appended as contacts in the axes of B; leaves the marks clean.
void geom_measure_regions(const geom_meeting *meet, geom_work *work, int n_piece, geom_contacts *out);
