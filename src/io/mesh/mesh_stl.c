// SPDX-License-Identifier: MIT
// STL, text and binary.
#include "io/mesh/mesh_source.h"
#include <math.h>
#include <string.h>

static void read_text(mesh_source *in)
{
    char buffer[512];
    const char *line;
    bi_vec3 corner[3] = { 0 };
    int n = 0;
    bool is_open = false, is_bad = false;
    while ((line = mesh_next_line(in, buffer, sizeof buffer)) != NULL && !in->is_full) {
        bi_vec3 p = { 0.0, 0.0, 0.0 };
        if (mesh_is_word(line, "facet")) {
            n = 0;
            is_open = true;
            is_bad = false;
        } else if (mesh_is_word(line, "vertex")) {
            if (!mesh_read_place(in, line + 6, &p)) {
                mesh_complain(in, "three finite numbers must follow 'vertex'");
                is_bad = true;
            }
            corner[n < 3 ? n : 2] = p;
            n++;
        } else if (mesh_is_word(line, "endfacet")) {
            if (n != 3) {
                mesh_complain(in, "a facet must have three vertices, and this one has %d", n);
            } else if (!is_bad) {
                int32_t i = mesh_add_vertex(in, corner[0]), j = mesh_add_vertex(in, corner[1]);
                mesh_add_triangle(in, i, j, mesh_add_vertex(in, corner[2]));
            }
            is_open = false;
        }
    }
    if (is_open) {
        mesh_complain(in, "the file ends inside a facet; is it complete?");
    }
}

static uint32_t little_endian(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

// Three coordinates of four bytes; false: one is not finite.
static bool read_corner(const mesh_source *in, const char *record, bi_vec3 *p)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        float value;
        uint32_t bits = little_endian(record + 4 * i);
        memcpy(&value, &bits, sizeof value);
        x[i] = (double)value * in->scale;
    }
    *p = (bi_vec3){ x[0], x[1], x[2] };
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static void read_binary(mesh_source *in, size_t count)
{
    const char *record = in->text + 84;
    in->line = 0;
    for (size_t k = 0; k < count && !in->is_full; k++, record += 50) {
        bi_vec3 p[3];
        bool is_good = true;
        for (int c = 0; c < 3; c++) {
            is_good = read_corner(in, record + 12 + 12 * c, &p[c]) && is_good;
        }
        if (!is_good) {
            mesh_complain(in, "a coordinate of triangle %zu is not a finite number", k + 1);
            continue;
        }
        int32_t i = mesh_add_vertex(in, p[0]), j = mesh_add_vertex(in, p[1]);
        mesh_add_triangle(in, i, j, mesh_add_vertex(in, p[2]));
    }
}

void mesh_read_stl(mesh_source *in)
{
    size_t size = (size_t)(in->end - in->text);
    size_t count = size >= 84 ? little_endian(in->text + 80) : 0;
    // some binary files begin with "solid", too: the size decides
    if (size >= 84 && size == 84 + 50 * count) {
        read_binary(in, count);
        return;
    }
    bool is_text = size >= 5 && memcmp(in->text, "solid", 5) == 0 && !memchr(in->text, '\0', size);
    if (is_text) {
        read_text(in);
    } else if (size >= 84) {
        mesh_complain(
            in,
            "is not a whole STL file: a binary one with %zu triangles has %zu bytes, and this one %zu; text "
            "begins with 'solid'",
            count, 84 + 50 * count, size);
    } else {
        mesh_complain(in, "is not an STL file: text begins with 'solid', a binary one has 84 bytes or more");
    }
}
