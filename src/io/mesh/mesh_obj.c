// SPDX-License-Identifier: MIT
// Wavefront OBJ: vertices and faces; what is about pictures is passed over.
#include "io/mesh/mesh_source.h"
#include <stdlib.h>
#include <string.h>

// A polygon `f 1 2/2 3//1 -1`: the fan of triangles from its first corner.
static void read_face(mesh_source *in, const char *text)
{
    int32_t first = 0, before = 0;
    int n = 0;
    for (text += strspn(text, " \t\r"); *text; n++) {
        char *end;
        long index = strtol(text, &end, 10);
        long number = index < 0 ? in->mesh.n_vertex + index : index - 1;
        if (end == text) {
            mesh_complain(in, "a number of a vertex is expected in the face, not '%.20s'", text);
            return;
        }
        if (number < 0 || number >= in->mesh.n_vertex) {
            mesh_complain(in, "the face names vertex %ld, and there are %d so far", index, in->mesh.n_vertex);
            return;
        }
        int32_t corner = (int32_t)number;
        if (n >= 2) {
            mesh_add_triangle(in, first, before, corner);
        }
        first = n == 0 ? corner : first;
        before = corner;
        text = end + strcspn(end, " \t\r");
        text += strspn(text, " \t\r");
    }
    if (n < 3) {
        mesh_complain(in, "a face must have three corners or more, and this one has %d", n);
    }
}

void mesh_read_obj(mesh_source *in)
{
    char buffer[4096];
    const char *line;
    while ((line = mesh_next_line(in, buffer, sizeof buffer)) != NULL && !in->is_full) {
        bi_vec3 p = { 0.0, 0.0, 0.0 };
        if (mesh_is_word(line, "v")) {
            if (!mesh_read_place(in, line + 1, &p)) {
                mesh_complain(in, "three finite numbers must follow 'v'");
            }
            // a bad vertex keeps its number, so that faces do not shift
            mesh_add_vertex(in, p);
        } else if (mesh_is_word(line, "f")) {
            if (strlen(line) + 1 >= sizeof buffer - 1) {
                mesh_complain(in, "the face is too long; cut it into triangles");
            } else {
                read_face(in, line + 1);
            }
        }
    }
}
