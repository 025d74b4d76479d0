// SPDX-License-Identifier: MIT
// From plain arrays to a mesh that can be asked.
#include "geom/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "math/elementary.h"

static const char *fault_of(const bi_mesh *mesh)
{
    if (mesh->n_triangle < 1 || mesh->n_vertex < 3) {
        return "the mesh has no triangles";
    }
    for (int k = 0; k < mesh->n_vertex; k++) {
        if (!vec3_is_finite(mesh->vertex[k])) {
            return "a coordinate of the mesh is not a finite number";
        }
        // squares of squares of lengths must stay numbers
        vec3 p = mesh->vertex[k];
        if (fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) > 1e60) {
            return "a coordinate of the mesh is beyond 1e60";
        }
    }
    for (int k = 0; k < 3 * mesh->n_triangle; k++) {
        int32_t corner = mesh->triangle[k / 3][k % 3];
        if (corner < 0 || corner >= mesh->n_vertex) {
            return "a triangle names a vertex that is not there";
        }
    }
    return NULL;
}

typedef struct {
    int32_t low, high;
    int32_t place; // 3 triangle + side
} half_edge;

static int compare_half_edges(const void *pa, const void *pb)
{
    const half_edge *a = pa, *b = pb;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->place < b->place ? -1 : 1;
}

// Edges, neighbours, and whether the surface is closed.
static void connect(geom_mesh *m, half_edge *half)
{
    int count = 3 * m->n_triangle;
    for (int k = 0; k < count; k++) {
        int32_t i = m->triangle[k / 3][k % 3], j = m->triangle[k / 3][(k + 1) % 3];
        half[k] = i < j ? (half_edge){ i, j, k } : (half_edge){ j, i, k };
        m->neighbour[k / 3][k % 3] = -1;
    }
    qsort(half, (size_t)count, sizeof *half, compare_half_edges);
    bool does_agree = true;
    for (int k = 0, next; k < count; k = next) {
        for (next = k; next < count && half[next].low == half[k].low && half[next].high == half[k].high;
             next++) {
            m->side[half[next].place / 3][half[next].place % 3] = m->n_edge;
        }
        m->edge[m->n_edge][0] = half[k].low;
        m->edge[m->n_edge][1] = half[k].high;
        m->n_edge++;
        m->n_open += next - k == 1;
        m->n_crowd += next - k > 2;
        if (next - k == 2) {
            int32_t p = half[k].place, q = half[k + 1].place;
            m->neighbour[p / 3][p % 3] = q / 3;
            m->neighbour[q / 3][q % 3] = p / 3;
            does_agree = does_agree && m->triangle[p / 3][p % 3] != m->triangle[q / 3][q % 3];
        }
    }
    m->is_closed = m->n_open == 0 && m->n_crowd == 0 && does_agree;
}

static double corner_angle(vec3 at, vec3 p, vec3 q)
{
    vec3 u = vec3_sub(p, at), v = vec3_sub(q, at);
    return math_atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
}

static void find_normals(geom_mesh *m)
{
    vec3 o = m->vertex[0];
    for (int k = 0; k < m->n_triangle; k++) {
        const int32_t *c = m->triangle[k];
        vec3 p[3] = { m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]] };
        vec3 twice_area = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        vec3 n = vec3_normalized(twice_area);
        m->face_normal[k] = n;
        m->volume += vec3_dot(vec3_sub(p[0], o), twice_area) / 6.0;
        for (int i = 0; i < 3; i++) {
            vec3 *edge = &m->edge_normal[m->side[k][i]], *vertex = &m->vertex_normal[c[i]];
            *edge = vec3_add(*edge, n);
            *vertex = vec3_add_scaled(*vertex, corner_angle(p[i], p[(i + 1) % 3], p[(i + 2) % 3]), n);
        }
    }
}

// Far above the roundings of places, far below anything that is measured.
static const double TRIFLE = 1e-11;

static void grow(geom_mesh *m)
{
    double by = TRIFLE * vec3_norm(vec3_sub(m->bounds.high, m->bounds.low));
    for (int k = 0; k < m->n_vertex; k++) {
        m->grown[k] = vec3_add_scaled(m->vertex[k], by, vec3_normalized(m->vertex_normal[k]));
    }
}

static void make_fans(geom_mesh *m)
{
    for (int k = 0; k < 3 * m->n_triangle; k++) {
        m->fan[m->triangle[k / 3][k % 3] + 1]++;
    }
    for (int v = 0; v < m->n_vertex; v++) {
        m->fan[v + 1] += m->fan[v];
    }
    // one place later, so that filling moves each end to where the next list begins
    for (int v = m->n_vertex; v > 0; v--) {
        m->fan[v] = m->fan[v - 1];
    }
    m->fan[0] = 0;
    for (int k = 0; k < 3 * m->n_triangle; k++) {
        int32_t v = m->triangle[k / 3][k % 3];
        m->fan_triangle[m->fan[v + 1]++] = k / 3;
    }
}

static void take_arrays(geom_mesh *m, arena *memory)
{
    int n_side = 3 * m->n_triangle;
    m->vertex = ARENA_NEW(memory, vec3, m->n_vertex);
    m->triangle = arena_take(memory, (size_t)m->n_triangle, sizeof *m->triangle);
    m->edge = arena_take(memory, (size_t)n_side, sizeof *m->edge);
    m->side = arena_take(memory, (size_t)m->n_triangle, sizeof *m->side);
    m->neighbour = arena_take(memory, (size_t)m->n_triangle, sizeof *m->neighbour);
    m->fan = ARENA_NEW(memory, int32_t, m->n_vertex + 1);
    m->fan_triangle = ARENA_NEW(memory, int32_t, n_side);
    m->grown = ARENA_NEW(memory, vec3, m->n_vertex);
    m->face_normal = ARENA_NEW(memory, vec3, m->n_triangle);
    m->edge_normal = ARENA_NEW(memory, vec3, n_side);
    m->vertex_normal = ARENA_NEW(memory, vec3, m->n_vertex);
    m->node = ARENA_NEW(memory, geom_node, geom_tree_size(m->n_triangle));
    m->order = ARENA_NEW(memory, int32_t, m->n_triangle);
}

geom_mesh *geom_mesh_create(const bi_mesh *mesh, const char **why)
{
    *why = fault_of(mesh);
    // three sides per triangle are counted with 32 bits
    if (!*why && mesh->n_triangle > 500 * 1000 * 1000) {
        *why = "the mesh has more than 500 million triangles";
    }
    geom_mesh *m = *why ? NULL : calloc(1, sizeof *m);
    if (!m) {
        *why = *why ? *why : "out of memory";
        return NULL;
    }
    m->n_vertex = mesh->n_vertex;
    m->n_triangle = mesh->n_triangle;
    arena measure = { 0 };
    take_arrays(m, &measure);
    half_edge *half = malloc(3 * (size_t)m->n_triangle * sizeof *half);
    vec3 *centre = malloc((size_t)m->n_triangle * sizeof *centre);
    m->memory = malloc(measure.used + 64);
    if (!half || !centre || !m->memory) {
        *why = "out of memory";
        free(m->memory);
        free(m);
        m = NULL;
    } else {
        char *start = m->memory;
        start += (64 - (uintptr_t)start % 64) % 64;
        arena memory = { start, 0, measure.used, false };
        take_arrays(m, &memory);
        memcpy(m->vertex, mesh->vertex, (size_t)m->n_vertex * sizeof *m->vertex);
        memcpy(m->triangle, mesh->triangle, (size_t)m->n_triangle * sizeof *m->triangle);
        connect(m, half);
        find_normals(m);
        make_fans(m);
        geom_tree_build(m, centre);
        grow(m);
    }
    free(half);
    free(centre);
    return m;
}

void geom_mesh_destroy(geom_mesh *mesh)
{
    if (mesh) {
        free(mesh->memory);
        free(mesh);
    }
}

void bi_mesh_clear(bi_mesh *mesh)
{
    if (mesh) {
        free(mesh->vertex);
        free(mesh->triangle);
        *mesh = (bi_mesh){ 0 };
    }
}
