// SPDX-License-Identifier: MIT
// Triangles of shapes for the page, which fetches them once: meshes as they are, fields as two triangles per cell.
#include "live/live.h"
#include <stdlib.h>
#include <string.h>

void live_put_u32(FILE *out, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        fputc((int)(value >> (8 * k)) & 255, out);
    }
}

void live_put_f32(FILE *out, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    live_put_u32(out, bits);
}

void live_put_vec3(FILE *out, bi_vec3 v)
{
    live_put_f32(out, v.x);
    live_put_f32(out, v.y);
    live_put_f32(out, v.z);
}

// ---- meshes --------------------------------------------------------------------------------------------------------

static void put_mesh_positions(FILE *out, const bi_shape_def *d)
{
    for (int k = 0; k < d->n_vertex; k++) {
        live_put_vec3(out, d->vertex[k]);
    }
}

static void put_mesh_corners(FILE *out, const bi_shape_def *d)
{
    for (int k = 0; k < 3 * d->n_triangle; k++) {
        live_put_u32(out, (uint32_t)d->triangle[k / 3][k % 3]);
    }
}

// ---- fields --------------------------------------------------------------------------------------------------------

static int cells_of(const bi_shape_def *d) { return (d->n_x - 1) * (d->n_y - 1); }

static void put_field_positions(FILE *out, const bi_shape_def *d)
{
    for (int k = 0; k < d->n_x * d->n_y; k++) {
        live_put_vec3(out, (bi_vec3){ d->first_x + d->step_x * (k % d->n_x),
                                      d->first_y + d->step_y * (k / d->n_x), d->height[k] });
    }
}

static void put_field_corners(FILE *out, const bi_shape_def *d)
{
    for (int k = 0; k < cells_of(d); k++) {
        uint32_t a = (uint32_t)(k / (d->n_x - 1) * d->n_x + k % (d->n_x - 1)), up = a + (uint32_t)d->n_x;
        const uint32_t corner[] = { a, a + 1, up + 1, a, up + 1, up };
        for (int i = 0; i < 6; i++) {
            live_put_u32(out, corner[i]);
        }
    }
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static void write_mesh(FILE *out, const bi_shape_def *d)
{
    mesh_counts counts = { .vertices = (uint32_t)d->n_vertex, .triangles = (uint32_t)d->n_triangle };
    if (d->type == BI_SHAPE_FIELD) {
        counts = (mesh_counts){ .vertices = (uint32_t)(d->n_x * d->n_y),
                                .triangles = (uint32_t)(2 * cells_of(d)) };
    }
#define PUT_COUNT(name) live_put_u32(out, counts.name);
    MESH_COUNTS(PUT_COUNT)
#define PUT_PART(name) (d->type == BI_SHAPE_FIELD ? put_field_##name : put_mesh_##name)(out, d);
    MESH_PARTS(PUT_PART)
}

bool live_resource(const session *s, const char *path, char **bytes, size_t *size)
{
    if (live_flexible_resource(s->model, path, bytes, size) ||
        live_look_resource(s->model, path, bytes, size)) {
        return true;
    }
    char *end = NULL;
    bi_shape_def d;
    long k =
        strncmp(path, "/mesh/", 6) == 0 && path[6] >= '0' && path[6] <= '9' ? strtol(path + 6, &end, 10) : -1;
    if (k < 0 || *end || k >= bi_model_shape_count(s->model) ||
        !bi_model_shape_at(s->model, (bi_shape){ (int32_t)k + 1 }, &d) ||
        (d.type != BI_SHAPE_MESH && d.type != BI_SHAPE_FIELD && d.type != BI_SHAPE_HULL &&
         d.type != BI_SHAPE_ROAD)) {
        return false;
    }
    FILE *out = open_memstream(bytes, size);
    if (!out) {
        return false;
    }
    write_mesh(out, &d);
    fclose(out);
    return true;
}
