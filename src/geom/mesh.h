// SPDX-License-Identifier: MIT
// Triangle meshes with neighbours, normals and a tree of boxes: made once, then only read.
#pragma once

#include <biela/geom.h>

#include "geom/geom.h"

typedef struct {
    geom_box box;
    int32_t right; // inner node: the right child, the left one is the next node; leaf: first place in `order`
    int32_t count; // leaf: triangles; 0: an inner node
} geom_node;

struct geom_mesh {
    int n_vertex, n_triangle, n_edge, n_node;
    vec3 *vertex;            // (n_vertex)
    int32_t (*triangle)[3];  // (n_triangle)
    int32_t (*edge)[2];      // (n_edge) vertices, the lower first
    int32_t (*side)[3];      // (n_triangle) edge from corner k to corner k + 1
    int32_t (*neighbour)[3]; // (n_triangle) triangle beyond side k; -1: none, or more than one
    int32_t *fan;            // (n_vertex + 1) first place in fan_triangle
    int32_t *fan_triangle;   // (3 n_triangle) triangles about each vertex, ascending
    vec3 *grown; // (n_vertex) moved outwards by a trifle, see geometry.md: no face lies in a face of another
    vec3 *face_normal;   // (n_triangle) unit; zero for a triangle without area
    vec3 *edge_normal;   // (n_edge) sum of the face normals
    vec3 *vertex_normal; // (n_vertex) sum of the face normals weighted with the angle
    geom_node *node;     // (n_node) the root first
    int32_t *order;      // (n_triangle) triangles by leaf
    geom_box bounds;
    double volume;       // m3; negative: inside out; without meaning unless closed
    int n_open, n_crowd; // edges with one triangle, with more than two
    bool is_closed;      // no such edges, and neighbours agree which side is outside
    void *memory;        // holds all the arrays
};

// A copy of the arrays with all that belongs to them. NULL: no memory, or `why` says what is wrong with the mesh.
geom_mesh *geom_mesh_create(const bi_mesh *mesh, const char **why);
void geom_mesh_destroy(geom_mesh *mesh);

// Triangles that stand for a shape, with about n of them around: errors fall with 1/n^2. Planes have none. Fields are
// cut into two triangles per cell. False: no memory, or no mesh for this kind.
bool geom_mesh_of_shape(const geom_shape *shape, int n, bi_mesh *out);

// Which part of a triangle: its face, the side from corner k to k + 1, or corner k.
typedef enum {
    GEOM_FACE,
    GEOM_SIDE_0,
    GEOM_SIDE_1,
    GEOM_SIDE_2,
    GEOM_CORNER_0,
    GEOM_CORNER_1,
    GEOM_CORNER_2
} geom_feature;

// The point of the triangle nearest to p.
vec3 geom_triangle_near(vec3 a, vec3 b, vec3 c, vec3 p, geom_feature *feature);

typedef struct {
    int32_t triangle; // -1: none within reach
    geom_feature feature;
    double distance; // not signed
    vec3 point;
} geom_mesh_spot;

// The spot of the mesh nearest to p, if it is not farther than `reach`.
geom_mesh_spot geom_mesh_nearest(const geom_mesh *mesh, vec3 p, double reach);

// The normal whose sign against p - point tells inside from outside, for any part of a triangle, eq. (geometry.6); not
// of unit length.
vec3 geom_mesh_normal(const geom_mesh *mesh, int32_t triangle, geom_feature feature);

// Signed distance; for open meshes the sign says in front of or behind the nearest triangle.
geom_near geom_mesh_near(const geom_mesh *mesh, vec3 p, double reach);
geom_hit geom_mesh_ray(const geom_mesh *mesh, vec3 origin, vec3 direction, double reach);
vec3 geom_mesh_support(const geom_mesh *mesh, vec3 direction);

// Two triangles without a common corner cross: inside and outside are not clear.
bool geom_mesh_crosses_itself(const geom_mesh *mesh);
// The same of triangles of one shell: several solids that overlap are one solid to whoever comes from outside. False also
// where there is no memory to ask.
bool geom_mesh_shell_crosses_itself(const geom_mesh *mesh);
// The first triangle of the shell of each, by way of neighbours; `stack` is scratch, both (n_triangle).
void geom_mesh_shells(const geom_mesh *mesh, int32_t *shell, int32_t *stack);

// Makes node, order and bounds of a mesh whose vertices and triangles stand; `centre` is scratch (n_triangle).
void geom_tree_build(geom_mesh *mesh, vec3 *centre);

// Nodes of a tree for n triangles at most.
static inline int geom_tree_size(int n_triangle) { return 2 * n_triangle; }

enum {
    GEOM_LEAF = 4,       // triangles of a leaf at most
    GEOM_TREE_DEPTH = 40 // halving 2^31 triangles ends after 31 levels
};

// A walk down the tree of a mesh: nodes one after the other, with no more of them than whoever walks opens.
//
//     geom_walk w;
//     geom_walk_begin(&w, mesh);
//     for (const geom_node *node; (node = geom_walk_next(&w)) != NULL;) {
//         if (... is too far ...) continue;
//         if (node->count == 0) { geom_walk_open(&w, node); continue; }
//         ... the triangles order[node->right + k], k < count ...
//     }
typedef struct {
    const geom_node *root;
    int n;
    int32_t stack[GEOM_TREE_DEPTH + 2];
} geom_walk;

static inline void geom_walk_begin(geom_walk *w, const geom_mesh *mesh)
{
    // the rest of the stack is written before it is read
    w->root = mesh->node;
    w->stack[0] = 0;
    w->n = 1;
}

static inline const geom_node *geom_walk_next(geom_walk *w)
{
    return w->n > 0 ? &w->root[w->stack[--w->n]] : NULL;
}

static inline const geom_node *geom_walk_left(const geom_node *node) { return node + 1; }

static inline const geom_node *geom_walk_right(const geom_walk *w, const geom_node *node)
{
    return &w->root[node->right];
}

// The children of an inner node come next, the left one first.
static inline void geom_walk_open(geom_walk *w, const geom_node *node)
{
    w->stack[w->n++] = node->right;
    w->stack[w->n++] = (int32_t)(node - w->root) + 1;
}

// The same, the right one first.
static inline void geom_walk_open_right(geom_walk *w, const geom_node *node)
{
    w->stack[w->n++] = (int32_t)(node - w->root) + 1;
    w->stack[w->n++] = node->right;
}
