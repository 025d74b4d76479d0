// SPDX-License-Identifier: MIT
// What the readers of OBJ and STL share: lines, numbers, growing lists of vertices and triangles, complaints.
#pragma once
#include <biela/geom.h>

typedef struct {
    const char *path, *where; // where: the name of the thing that uses the mesh
    const char *text, *end;   // what is left
    int line;                 // of the last line read
    double scale;
    bi_report *report;
    bi_mesh mesh;
    int cap_vertex, cap_triangle;
    int n_complaint; // lines with a mistake; only the first ones are reported
    bool is_full;    // no memory, or too many
} mesh_source;

// The next line, cut to what fits, without blanks before it; NULL: the end.
const char *mesh_next_line(mesh_source *in, char *line, size_t size);
// Is `word` the first word of the line?
bool mesh_is_word(const char *line, const char *word);
// Three finite numbers, times the scale.
bool mesh_read_place(const mesh_source *in, const char *text, bi_vec3 *p);
// A mistake in the present line. The reader goes on: all mistakes of a file come in one run, twenty at most.
void mesh_complain(mesh_source *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
int32_t mesh_add_vertex(mesh_source *in, bi_vec3 p); // its number, from 0
void mesh_add_triangle(mesh_source *in, int32_t i, int32_t j, int32_t k);

void mesh_read_obj(mesh_source *in);
void mesh_read_stl(mesh_source *in);
