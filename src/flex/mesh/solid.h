// SPDX-License-Identifier: MIT
// What the solid elements share: gradients of shape functions, and stiffness and stress made of them
// (theory/flex-solid.md).
#pragma once
#include "flex/mesh/fe.h"

enum { SOLID_MOST = 23 }; // shape functions of one element: 20 nodes, or 8 nodes and 3 bubbles

// Shape functions and their derivatives by the element's own coordinates at a place.
typedef void solid_shape(vec3 at, double *N, double (*d)[3]);

// dx/dxi by rows xi, eta, zeta; gives its determinant.
double solid_jacobian(const fe_element *e, int n, const double (*d)[3], double J[3][3]);

// Gradients in body axes of `n` functions with derivatives d.
void solid_gradients(const double J[3][3], double det, int n, const double (*d)[3], double (*g)[3]);

// The same of an element with n nodes at a place; gives the determinant.
double solid_gradients_at(const fe_element *e, solid_shape *shape, int n, vec3 at, double (*g)[3]);

// K (3 n x 3 n, by rows) += w * stiffness of functions with gradients g.
void solid_add_stiffness(const bi_material *m, double w, int n, const double (*g)[3], double *K);
// Only the rows of the functions from `from` on.
void solid_add_rows(const bi_material *m, double w, int from, int n, const double (*g)[3], double *K);

// Rows (FE_STRESSES x stride) of the stress on the freedoms of functions with gradients g.
void solid_stress_rows(const bi_material *m, int n, const double (*g)[3], int stride, double *rows);

// The particle of weight w at a place of an element with n nodes.
void solid_particle(const fe_element *e, solid_shape *shape, int n, vec3 at, double w, fe_particle *out);

// Whether the Jacobian is positive at the given places, those of the nodes first.
bool solid_check(const fe_element *e, solid_shape *shape, int n, const vec3 *place, int n_place, char *why,
                 size_t size);
