// SPDX-License-Identifier: MIT
// From elements to sparse matrices: freedoms of nodes as combinations of unknowns, stiffness and mass.
#pragma once
#include "flex/mesh/fe.h"
#include "sparse/pattern.h"

enum { FE_MOST_TERMS = 4 }; // displacement of the leader of a link and its three turns

// A freedom of a node is the sum of factor * unknown; no terms: it does not move.
typedef struct {
    int count;
    int index[FE_MOST_TERMS];
    double factor[FE_MOST_TERMS];
} fe_terms;

typedef struct {
    int n_node, n;   // nodes, unknowns
    bool is_plane;   // only x, y, rz
    fe_terms *terms; // (6 * n_node) of the freedoms x y z rx ry rz of each node
    int *leader;     // (n_node) the node that it follows by links; itself: none
    int *first;      // (n_node) first unknown of a leader, -1: none
    unsigned *mask;  // (n_node) freedoms that a leader has
    double *turn;    // (9 * n_node) unknown turns are about the rows of this matrix
} fe_freedoms;

// `turn` (9 * n_node) as above, by rows; NULL: body axes. Links that contradict each other are reported. False:
// reported, or no memory.
bool freedoms_build(const bi_fe_mesh *mesh, const double *turn, const char *name, fe_freedoms *out,
                    bi_report *report);
void freedoms_free(fe_freedoms *f);

// Terms of freedom `a` (0 <= a < n_dof) of element k.
const fe_terms *freedoms_of(const fe_freedoms *f, const bi_fe_mesh *mesh, int k, int a);

typedef struct {
    pattern pat;
    double *K, *M; // (nnz)
} fe_matrices;

// Whether particles resist being turned.
typedef enum { ROTARY_KEPT, ROTARY_LEFT_OUT } fe_rotary;
bool matrices_build(const bi_fe_mesh *mesh, const fe_freedoms *f, fe_rotary rotary, fe_matrices *out);
void matrices_free(fe_matrices *m);
