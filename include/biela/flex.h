// SPDX-License-Identifier: MIT
/* flex.h - a finite-element mesh becomes the modes of a flexible body.
 *
 *   bi_fe_mesh   nodes, elements, sections, materials        you fill it, or a file reader does
 *   bi_flex_def  the mesh, its frame, boundary, and how many modes
 *   bi_flex      what bi_flex_build makes of it: bi_modes for bi_body_def.flex, checks, rows that recover stresses
 *
 * Coordinates are those of the body frame; SI units. */
#pragma once
#include <biela/biela.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    double young, poisson, density; /* Pa, -, kg/m3 */
    bi_place place;
} bi_material;

/* A section of beams (x along the beam, y and z its principal axes) or the thickness of plane elements. */
typedef struct {
    const char *name;
    double area, iy, iz;     /* m2; m4, bending about y and z */
    double torsion;          /* m4, of St Venant; 0: iy + iz */
    double shear_y, shear_z; /* shear areas over area, of Timoshenko beams; 0: rigid in shear */
    double top, side;        /* m, outermost fibres at y = +-top and z = +-side; stresses are told there */
    double twist;     /* m, torsional stress is twist * moment / torsion; 0: the farther of top and side */
    bool is_round;    /* fibres lie on a circle: the largest stress is that of the resulting moment */
    double thickness; /* m, of plane elements */
    bi_place place;
} bi_section;
bi_section bi_section_tube(double diameter, double wall); /* wall 0, or half the diameter: full */
bi_section bi_section_rectangle(double y, double z);      /* sides along the section's y and z */

typedef struct {
    const char *name; /* may be NULL: its number in the messages then */
    int64_t number;   /* of the file it came from; 0: its place in the list, from 1 */
    bi_vec3 at;       /* m */
    bi_place place;
} bi_fe_node;

/* name, nodes */
#define BI_FE_KIND_LIST(X)                                                                                   \
    X(BI_FE_BEAM, "beam")             /* 2: Euler-Bernoulli */                                               \
    X(BI_FE_TIMOSHENKO, "timoshenko") /* 2: with the shear factors of the section */                         \
    X(BI_FE_QUAD, "quad")             /* 4: plane stress in xy, incompatible modes */                        \
    X(BI_FE_QUAD_PLAIN, "quad-plain") /* 4: plane stress, bilinear, 2 x 2 */                                 \
    X(BI_FE_TRIANGLE, "triangle")     /* 3: plane stress, constant strain */                                 \
    X(BI_FE_MASS, "mass")             /* 1: mass with inertia at a node */                                   \
    X(BI_FE_LINK, "link")   /* 2: the second node follows the first as if both were one rigid body */        \
    X(BI_FE_TET10, "tet10") /* 10 */                                                                         \
    X(BI_FE_HEX8, "hex8")   /* 8: incompatible modes */                                                      \
    X(BI_FE_HEX20, "hex20") /* 20 */
#define BI_FE_KIND_ENUM(code, text) code,
typedef enum { BI_FE_KIND_LIST(BI_FE_KIND_ENUM) BI_FE_KIND_COUNT } bi_fe_kind;
enum { BI_FE_MOST_NODES = 20 };

typedef struct {
    const char *name; /* may be NULL */
    int64_t number;   /* as of a node */
    bi_fe_kind kind;
    int32_t node[BI_FE_MOST_NODES]; /* places in the list of nodes, from 0 */
    int32_t section, material;      /* places in their lists, from 0; -1: none */
    bi_vec3 y_axis;          /* beams: towards the section's y axis; 0: z x beam, or y for a beam along z */
    bi_vec3 offset[2];       /* beams: from the nodes to the ends of the beam, m, rigid */
    double mass, inertia[6]; /* of a mass, kg, kg m2: xx yy zz xy yz zx about the node */
    bi_place place;
} bi_fe_element;

typedef struct {
    int n_node, n_element, n_section, n_material;
    bi_fe_node *node;
    bi_fe_element *element;
    bi_section *section;
    bi_material *material;
    bool
        is_plane; /* nodes move in x and y and turn about z only: beams and plane elements in two dimensions */
} bi_fe_mesh;

#ifdef __cplusplus
}
#endif
