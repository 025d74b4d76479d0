// SPDX-License-Identifier: MIT
/* geom.h - triangle meshes as plain arrays: reading, repairing. The reader of files is part of the io library. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* Triangles with corners counter-clockwise seen from outside. The arrays come from malloc; bi_mesh_clear frees them. */
typedef struct bi_mesh {
    int n_vertex, n_triangle;
    bi_vec3 *vertex;        /* (n_vertex) m */
    int32_t (*triangle)[3]; /* (n_triangle) vertices, from 0 */
} bi_mesh;
void bi_mesh_clear(bi_mesh *);

/* What bi_mesh_repair changed, and what it found and left alone. */
typedef struct {
    int welded;     /* vertices joined with another one at the same place */
    int unused;     /* vertices of no triangle, dropped */
    int degenerate; /* triangles without area, dropped */
    int duplicate;  /* triangles with the corners of an earlier one, in the same order, dropped */
    int reversed;   /* triangles turned over because their neighbours run the other way */
    int flipped;    /* shells that were inside out, turned over */
    int shells;     /* connected pieces */
    int open;       /* edges with one triangle only: the mesh does not enclose a volume */
    int crowded;    /* edges with more than two triangles */
    double volume;  /* enclosed, m3, after the repair; of closed shells only */
} bi_mesh_repairs;

/* Joins vertices closer than `weld` (m; 0: only equal ones), drops triangles without area, makes neighbours agree and
 * turns inside-out shells over. Cavities keep their direction: a closed shell inside another one points inwards.
 * BI_BAD_MODEL: a corner out of range or a coordinate that is not finite; BI_NO_MEMORY; the mesh is unchanged then. */
bi_status bi_mesh_repair(bi_mesh *, double weld, bi_mesh_repairs *);

/* Reads .obj or .stl (text or binary, told apart by their content). Coordinates are multiplied by `scale`, the length
 * of the file's unit in m (0: 1). The mesh is repaired; repairs are warnings and notes of the report, broken files are
 * errors with file and line. `used` and `where` say where the mesh is named; they may be zero and NULL. False: see the
 * report; the mesh is empty then. */
bool bi_mesh_read(const char *path, double scale, bi_place used, const char *where, bi_mesh *,
                  bi_mesh_repairs *, bi_report *);
/* The same from memory; `path` is used in messages, its ending tells OBJ from STL. */
bool bi_mesh_read_text(const char *text, size_t length, const char *path, double scale, bi_place used,
                       const char *where, bi_mesh *, bi_mesh_repairs *, bi_report *);
BI_END
