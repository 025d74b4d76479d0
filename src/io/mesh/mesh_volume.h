// SPDX-License-Identifier: MIT
// The volume that a triangle mesh encloses.
#pragma once
#include <biela/geom.h>

typedef struct {
    double volume;    // m3
    bi_vec3 centre;   // of the volume
    double second[6]; // integral of x x, y y, z z, x y, y z, z x over the volume, about the centre
} mesh_volume;
mesh_volume mesh_integrate(const bi_mesh *m);

// How far the triangles are from enclosing a volume.
typedef struct {
    int n_open;       // edges with one triangle only
    int n_clash;      // edges with triangles that run the same way
    bi_vec3 from, to; // the first such edge
} mesh_faults;
// False: no memory.
bool mesh_find_faults(const bi_mesh *m, mesh_faults *faults);
