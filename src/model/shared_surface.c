// SPDX-License-Identifier: MIT
// A surface of triangles with all that belongs to it, counted by its users.
#include "model/shared_surface.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef enum { CROSSING_UNKNOWN, CROSSING_NONE, CROSSING_FOUND } crossing_state;

struct bi_surface {
    atomic_int users;
    atomic_int crossing; // crossing_state; threads that ask at once find the same
    geom_mesh *mesh;
    geom_parts *parts; // NULL: none were asked for
    int pieces;        // asked for
};

bi_surface *surface_make(const bi_mesh *mesh, int pieces, const char **key, const char **why)
{
    bi_surface *s = calloc(1, sizeof *s);
    *key = "file";
    *why = "no memory for its triangles";
    if (!s) {
        return NULL;
    }
    atomic_init(&s->users, 1);
    atomic_init(&s->crossing, CROSSING_UNKNOWN);
    s->pieces = pieces;
    s->mesh = geom_mesh_create(mesh, why);
    if (s->mesh && pieces != 0) {
        *key = "pieces";
        *why = NULL;
        s->parts = geom_parts_create(s->mesh, pieces, why);
        *why = *why ? *why : "no memory for them";
    }
    if (!s->mesh || (pieces != 0 && !s->parts)) {
        bi_surface_release(s);
        return NULL;
    }
    return s;
}

bi_surface *bi_surface_create(const bi_mesh *mesh, int pieces, const char **why)
{
    const char *key, *unused;
    why = why ? why : &unused;
    if (!mesh || mesh->n_triangle < 1 || !mesh->triangle || !mesh->vertex) {
        *why = "has no triangles";
        return NULL;
    }
    return surface_make(mesh, pieces, &key, why);
}

bi_surface *bi_surface_keep(bi_surface *surface)
{
    if (surface) {
        atomic_fetch_add(&surface->users, 1);
    }
    return surface;
}

void bi_surface_release(bi_surface *surface)
{
    if (surface && atomic_fetch_sub(&surface->users, 1) == 1) {
        geom_parts_destroy(surface->parts);
        geom_mesh_destroy(surface->mesh);
        free(surface);
    }
}

geom_mesh *surface_mesh(const bi_surface *surface) { return surface->mesh; }

geom_parts *surface_parts(const bi_surface *surface) { return surface->parts; }

int surface_pieces(const bi_surface *surface) { return surface->pieces; }

bool surface_crosses_itself(bi_surface *surface)
{
    int state = atomic_load(&surface->crossing);
    if (state == CROSSING_UNKNOWN) {
        state = geom_mesh_shell_crosses_itself(surface->mesh) ? CROSSING_FOUND : CROSSING_NONE;
        atomic_store(&surface->crossing, state);
    }
    return state == CROSSING_FOUND;
}
