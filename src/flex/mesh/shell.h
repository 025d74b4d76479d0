// SPDX-License-Identifier: MIT
// What flat shells share: the mean plane of an element, and its freedoms in the axes of that plane
// (theory/flex-shell.md).
#pragma once
#include "flex/mesh/fe.h"

enum { SHELL_NODES = 4, SHELL_DOF = 6 * SHELL_NODES, SHELL_BEND = 3 * SHELL_NODES };

// The plane, and the feet of the nodes in it.
typedef struct {
    int n_node;
    vec3 origin, x, y, z;       // z is the normal: top is on its side
    double at[SHELL_NODES][2];  // feet, m
    double height[SHELL_NODES]; // of the nodes above their feet, m
} shell_plane;

// One file per family fills this. Rows of bending are on w, rx, ry of each node, in axes of the plane.
typedef struct {
    const fe_kind *membrane; // of the same shape in a plane
    bi_fe_kind membrane_kind;
    int n_gauss;
    const vec3 *gauss; // places of integration, all of the same weight
    double weight;
    // shape functions and their derivatives along x and y; gives the area per unit of the element's own coordinates
    double (*shape)(const shell_plane *p, vec3 at, double *N, double *dx, double *dy);
    void (*curvature)(const shell_plane *p, vec3 at, double B[3][SHELL_BEND]);
    void (*shear)(const shell_plane *p, vec3 at, double B[2][SHELL_BEND]); // NULL: rigid in shear across
} shell_family;

// False: the nodes lie on a line.
bool shell_plane_of(const fe_element *e, int n_node, shell_plane *out);

void shell_stiffness(const shell_family *f, const fe_element *e, double *K);
void shell_stress(const shell_family *f, const fe_element *e, vec3 site, double *rows);
int shell_particles(const shell_family *f, const fe_element *e, fe_particle *out);
// Largest relative error of the energy of constant strains and curvatures in the plane (fe.10).
double shell_patch_error(const fe_element *e, const double *K);
bool shell_check(const shell_family *f, const fe_element *e, char *why, size_t size);

// The entry of a family in the table of elements, from the functions and places of its file.
#define SHELL_KIND(title, nodes)                                                                             \
    {                                                                                                        \
        .name = title, .n_node = nodes, .freedoms = FE_ALL, .needs_section = true, .needs_material = true,   \
        .is_shell = true, .check = check, .stiffness = stiffness, .particles = particles, .n_site = nodes,   \
        .site = places, .stress = stress, .to_nodes = to_nodes                                               \
    }
