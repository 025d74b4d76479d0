// SPDX-License-Identifier: MIT
// Does a surface cross itself? Edges of one triangle that go through another with no common corner.
#include "geom/broad.h"
#include "geom/mesh.h"
#include <stdlib.h>

// of the size: what is nearer to a plane touches it and does not cross
static const double touching = 1e-9;

static double volume(vec3 a, vec3 b, vec3 c, vec3 d)
{
    return vec3_dot(vec3_sub(b, a), vec3_cross(vec3_sub(c, a), vec3_sub(d, a)));
}

// The way from p to q goes through the inside of triangle t.
static bool goes_through(const geom_mesh *m, vec3 p, vec3 q, int32_t t, double near)
{
    const int32_t *c = m->triangle[t];
    vec3 a = m->vertex[c[0]], n = m->face_normal[t];
    double from = vec3_dot(n, vec3_sub(p, a)), to = vec3_dot(n, vec3_sub(q, a));
    if (!(from * to < 0.0) || fabs(from) < near || fabs(to) < near) {
        return false;
    }
    double u = volume(p, q, a, m->vertex[c[1]]), v = volume(p, q, m->vertex[c[1]], m->vertex[c[2]]),
           w = volume(p, q, m->vertex[c[2]], a);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

static bool have_common_corner(const int32_t *a, const int32_t *b)
{
    for (int k = 0; k < 3; k++) {
        if (a[k] == b[0] || a[k] == b[1] || a[k] == b[2]) {
            return true;
        }
    }
    return false;
}

static bool cross(const geom_mesh *m, int32_t s, int32_t t, double near)
{
    const int32_t *a = m->triangle[s], *b = m->triangle[t];
    if (have_common_corner(a, b)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (goes_through(m, m->vertex[a[k]], m->vertex[a[next]], t, near) ||
            goes_through(m, m->vertex[b[k]], m->vertex[b[next]], s, near)) {
            return true;
        }
    }
    return false;
}

static geom_box box_of(const geom_mesh *m, int32_t t)
{
    const int32_t *c = m->triangle[t];
    geom_box box = { m->vertex[c[0]], m->vertex[c[0]] };
    for (int k = 1; k < 3; k++) {
        vec3 p = m->vertex[c[k]];
        box.low = (vec3){ fmin(box.low.x, p.x), fmin(box.low.y, p.y), fmin(box.low.z, p.z) };
        box.high = (vec3){ fmax(box.high.x, p.x), fmax(box.high.y, p.y), fmax(box.high.z, p.z) };
    }
    return box;
}

// Some triangle of the same shell crosses t, or of any where `shell` is NULL; only those behind it are asked.
static bool is_crossed(const geom_mesh *m, int32_t t, double near, const int32_t *shell)
{
    geom_box box = box_of(m, t);
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *node; (node = geom_walk_next(&walk)) != NULL;) {
        if (!broad_overlap(&node->box, &box)) {
            continue;
        }
        if (node->count == 0) {
            geom_walk_open(&walk, node);
        }
        for (int k = node->right; k < node->right + node->count; k++) {
            bool counts = m->order[k] > t && (!shell || shell[m->order[k]] == shell[t]);
            if (counts && cross(m, t, m->order[k], near)) {
                return true;
            }
        }
    }
    return false;
}

static bool crosses(const geom_mesh *mesh, const int32_t *shell)
{
    double near = touching * vec3_norm(vec3_sub(mesh->bounds.high, mesh->bounds.low));
    for (int32_t t = 0; t < mesh->n_triangle; t++) {
        if (is_crossed(mesh, t, near, shell)) {
            return true;
        }
    }
    return false;
}

bool geom_mesh_crosses_itself(const geom_mesh *mesh) { return crosses(mesh, NULL); }

void geom_mesh_shells(const geom_mesh *m, int32_t *shell, int32_t *stack)
{
    for (int32_t t = 0; t < m->n_triangle; t++) {
        shell[t] = -1;
    }
    for (int32_t first = 0; first < m->n_triangle; first++) {
        int n = 0;
        if (shell[first] < 0) {
            shell[first] = first;
            stack[n++] = first;
        }
        while (n > 0) {
            int32_t t = stack[--n];
            for (int k = 0; k < 3; k++) {
                int32_t next = m->neighbour[t][k];
                if (next >= 0 && shell[next] < 0) {
                    shell[next] = first;
                    stack[n++] = next;
                }
            }
        }
    }
}

bool geom_mesh_shell_crosses_itself(const geom_mesh *mesh)
{
    int32_t *shell = malloc(2 * (size_t)mesh->n_triangle * sizeof *shell);
    bool does_cross = false;
    if (shell) {
        geom_mesh_shells(mesh, shell, shell + mesh->n_triangle);
        does_cross = crosses(mesh, shell);
    }
    free(shell);
    return does_cross;
}
