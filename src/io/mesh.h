// SPDX-License-Identifier: MIT
// Triangle meshes from OBJ and STL files, and the volume they enclose.
#pragma once
#include <biela/biela.h>

typedef struct {
    int n_vertex, n_triangle;
    bi_vec3 *vertex;        // (n_vertex) no two equal
    int32_t (*triangle)[3]; // (n_triangle) vertices, counter-clockwise seen from outside
} mesh;

// Reads the file; vertices at the same place become one. Mistakes go to the report: at the line of the mesh file, or at
// `used`, where the mesh is named, if there is none.
bool mesh_read(const char *path, bi_place used, const char *where, mesh *m, bi_report *report);
void mesh_clear(mesh *m);

typedef struct {
    double volume;    // m3 (of the file's unit); negative: all triangles are inside out
    bi_vec3 centre;   // of the volume
    double second[6]; // integral of x x, y y, z z, x y, y z, z x over the volume, about the centre
} mesh_volume;
mesh_volume mesh_integrate(const mesh *m);

// How far the triangles are from enclosing a volume.
typedef struct {
    int n_open;       // edges with one triangle only
    int n_clash;      // edges with triangles that run the same way
    bi_vec3 from, to; // the first such edge
} mesh_faults;
// False: no memory.
bool mesh_find_faults(const mesh *m, mesh_faults *faults);
