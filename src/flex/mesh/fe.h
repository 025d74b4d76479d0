// SPDX-License-Identifier: MIT
// Finite elements: one table entry per kind, and what all of them share.
#pragma once
#include "math/vec3.h"
#include <biela/flex.h>
#include <stddef.h>

enum {
    FE_MOST_DOF = 3 * BI_FE_MOST_NODES, // of one element; a beam has 12
    FE_MOST_PARTICLES = 64,             // of one element: 4 x 4 x 4 Gauss points
    FE_MOST_SITES = 27,                 // Gauss points where stresses are taken
    FE_STRESSES = 6                     // solids: xx yy zz xy yz zx; beams: N Vy Vz Mt My Mz
};

// Freedoms of a node, one bit each, in this order.
enum {
    FE_X = 1,
    FE_Y = 2,
    FE_Z = 4,
    FE_RX = 8,
    FE_RY = 16,
    FE_RZ = 32,
    FE_MOVE = 7,
    FE_TURN = 56,
    FE_ALL = 63
};

// An element with what it needs to know looked up.
typedef struct {
    const bi_fe_element *def;
    const bi_material *material; // NULL: none
    const bi_section *section;   // NULL: none
    vec3 at[BI_FE_MOST_NODES];   // nodes, body frame, m
    bool is_plane;               // only x, y, rz move: no particles apart in z
    bool has_no_rotary;          // beams: mass on the axis only
} fe_element;

// A piece of an element's mass, at a Gauss point: it moves by shape * (freedoms of the element). The consistent mass
// matrix is the sum of mass shape^T shape.
typedef struct {
    double mass;                  // kg
    vec3 at;                      // undeformed, body frame, m
    double shape[3][FE_MOST_DOF]; // body axes
} fe_particle;

// Matrices are full, by rows, n_dof wide, in body axes; freedoms node by node, at each node those of the mask in order.
typedef struct {
    const char *name; // as in bi_fe_kind
    int n_node;
    unsigned freedoms; // of each node
    bool needs_section, needs_material;
    bool is_shell; // stresses at z of the site, from -1 (bottom) to 1 (top, on the side of the normal)
    // False: `why` says what is wrong with the shape (no length, negative Jacobian at node 3 ...) and what to do.
    bool (*check)(const fe_element *e, char *why, size_t size);
    void (*stiffness)(const fe_element *e, double *K);
    int (*particles)(const fe_element *e, fe_particle *out); // gives their number
    // stiffness that an axial force (tension positive, N) adds; NULL: none
    void (*geometric)(const fe_element *e, double axial, double *K);
    // Places of stress inside the element, in its own coordinates (beams: x from -1 to 1).
    int n_site;
    const vec3 *site; // (n_site)
    // rows (FE_STRESSES x n_dof) at a place: stress of the element = rows * freedoms
    void (*stress)(const fe_element *e, vec3 site, double *rows);
    // weights (n_node x n_site) that carry the values of the sites to the nodes; NULL: beams, which keep them apart
    void (*to_nodes)(double *weights);
} fe_kind;

const fe_kind *fe_kind_of(bi_fe_kind kind); // NULL: not an element with stiffness or mass (link)
int fe_dof_count(const fe_kind *kind);      // freedoms of an element

// The element k of the mesh with its nodes, section and material.
fe_element fe_element_of(const bi_fe_mesh *mesh, int k);

// M = sum of mass shape^T shape over the particles.
void fe_mass_matrix(const fe_element *e, double *M);

// Abscissae and weights of Gauss, 1 to 4 points on [-1, 1].
extern const double fe_gauss_at[4][4], fe_gauss_weight[4][4];

// Families: beam.c, plane.c, point_mass.c, solid_*.c, shell_*.c
extern const fe_kind fe_beam, fe_timoshenko, fe_quad, fe_quad_plain, fe_triangle, fe_mass, fe_tet10, fe_hex8,
    fe_hex20, fe_wedge15, fe_shell4, fe_shell3;
// The normal of a shell: its nodes go round it against the clock.
vec3 fe_shell_normal(const fe_element *e);
// Stresses from strains in a plane: xx, yy, xy.
void plane_elasticity(const bi_material *m, double C[3][3]);
