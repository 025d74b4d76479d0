// SPDX-License-Identifier: MIT
/* fe_file.h - meshes of other programs: Gmsh .msh (2.2 and 4.1, text and binary), Abaqus and CalculiX .inp, Nastran .bdf .nas .dat. */
#pragma once
#include <biela/flex.h>
BI_BEGIN

/* SI units per unit of the file; 0: 1. A file in mm, t, s, MPa has length 1e-3 and mass 1e3. */
typedef struct {
    double length; /* m */
    double mass;   /* kg */
} bi_fe_units;

typedef struct {
    const char *name;
    int count;
    const int32_t *item; /* (count) places in the list of nodes or elements, ascending */
} bi_fe_set;

/* What a file holds. Nodes that no element uses are left out; a node that is alone in a set has the set's name.
 * Elements without a section or material of their own have -1 there. */
typedef struct {
    bi_fe_mesh mesh;
    int n_node_set, n_element_set;
    bi_fe_set *node_set, *element_set;
    void *memory; /* names and lists */
} bi_fe_file;

/* The ending of the path says the format. False: see the report, which has all mistakes with their lines; `out` is empty. */
bool bi_fe_file_read(const char *path, bi_fe_units, bi_fe_file *out, bi_report *);
/* The same from text; path is for the format and for messages. */
bool bi_fe_file_read_text(const char *text, size_t size, const char *path, bi_fe_units, bi_fe_file *out,
                          bi_report *);
void bi_fe_file_clear(bi_fe_file *);
const bi_fe_set *bi_fe_node_set(const bi_fe_file *, const char *name); /* NULL: none of that name */

/* A node that stands still in the input of CalculiX, and one that a force pulls at. */
typedef struct {
    int32_t node;
    bool turns;   /* its turns are held too */
    bool free[3]; /* directions x, y, z in which it may move all the same */
} bi_fe_hold;
typedef struct {
    int32_t node;
    bi_vec3 force; /* N */
} bi_fe_load;

typedef struct {
    const bi_fe_hold *hold;
    const bi_fe_load *load;
    int n_hold, n_load;
    int n_mode;      /* so many frequencies; 0: statics under the forces and gravity, */
    bi_vec3 gravity; /* m/s2 */
} bi_fe_step;

/* Writes a mesh as input of CalculiX. Links become rigid bodies, beams B32R. Statics asks for displacements, reactions,
 * and stresses of solids or section forces of beams. False: see the report. */
bool bi_fe_write_inp(const char *path, const bi_fe_mesh *, const bi_fe_step *, bi_report *);

/* A reduced body as a superelement of Nastran: DMIG matrices KFLEX, MFLEX and BFLEX of the six freedoms of its frame, a
 * GRID at the origin of the body, and of its amplitudes, SPOINTs; the nodes (n_node, of its mesh) follow by equations
 * MPC. Units as in the model, SI. False: see the report. */
bool bi_flex_write_dmig(const char *path, const bi_flex *, const int *node, int n_node, bi_report *);

BI_END
