// SPDX-License-Identifier: MIT
// Triangles in place of a shape.
#include <stdlib.h>

#include "geom/convex/hull.h"
#include "geom/field.h"
#include "geom/mesh.h"
#include "math/elementary.h"

static const double PI = 3.14159265358979323846;

static bool reserve(bi_mesh *m, size_t n_vertex, size_t n_triangle)
{
    *m = (bi_mesh){ 0 };
    m->vertex = malloc(n_vertex * sizeof *m->vertex);
    m->triangle = malloc(n_triangle * sizeof *m->triangle);
    if (!m->vertex || !m->triangle) {
        bi_mesh_clear(m);
        return false;
    }
    return true;
}

static void add_vertex(bi_mesh *m, double x, double y, double z)
{
    m->vertex[m->n_vertex++] = (vec3){ x, y, z };
}

static void add_triangle(bi_mesh *m, int i, int j, int k)
{
    int32_t *c = m->triangle[m->n_triangle++];
    c[0] = i;
    c[1] = j;
    c[2] = k;
}

static bool make_box(const geom_shape *s, bi_mesh *m)
{
    if (!reserve(m, 8, 12)) {
        return false;
    }
    for (int k = 0; k < 8; k++) {
        add_vertex(m, k & 1 ? s->half.x : -s->half.x, k & 2 ? s->half.y : -s->half.y,
                   k & 4 ? s->half.z : -s->half.z);
    }
    static const int quad[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                    { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
    for (int k = 0; k < 6; k++) {
        add_triangle(m, quad[k][0], quad[k][1], quad[k][2]);
        add_triangle(m, quad[k][0], quad[k][2], quad[k][3]);
    }
    return true;
}

// A line (rho, z) from the lower pole to the upper pole turned about z: `rows` rings between the poles.
static bool make_turned(const double *rho, const double *z, int rows, double low, double high, int n,
                        bi_mesh *m)
{
    if (!reserve(m, (size_t)rows * (size_t)n + 2, 2 * (size_t)rows * (size_t)n)) {
        return false;
    }
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < n; k++) {
            double angle = 2.0 * PI * k / n;
            add_vertex(m, rho[r] * math_cos(angle), rho[r] * math_sin(angle), z[r]);
        }
    }
    add_vertex(m, 0.0, 0.0, low);
    add_vertex(m, 0.0, 0.0, high);
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n;
        add_triangle(m, rows * n, next, k);
        for (int r = 0; r + 1 < rows; r++) {
            add_triangle(m, r * n + k, r * n + next, (r + 1) * n + next);
            add_triangle(m, r * n + k, (r + 1) * n + next, (r + 1) * n + k);
        }
        add_triangle(m, rows * n + 1, (rows - 1) * n + k, (rows - 1) * n + next);
    }
    return true;
}

// Spheres are capsules without length.
static bool make_capsule(const geom_shape *s, double half_length, int n, bi_mesh *m)
{
    int quarter = n / 4 < 1 ? 1 : n / 4, per_cap = quarter, rows = 0;
    double *line = malloc(4 * ((size_t)per_cap + 1) * sizeof *line);
    if (!line) {
        return false;
    }
    double *rho = line, *z = line + 2 * (per_cap + 1);
    for (int k = 1; k <= per_cap; k++) {
        double angle = 0.5 * PI * k / per_cap;
        rho[rows] = s->radius * math_sin(angle);
        z[rows++] = -half_length - s->radius * math_cos(angle);
    }
    for (int k = half_length > 0.0 ? per_cap : per_cap - 1; k >= 1; k--) {
        double angle = 0.5 * PI * k / per_cap;
        rho[rows] = s->radius * math_sin(angle);
        z[rows++] = half_length + s->radius * math_cos(angle);
    }
    bool is_good = make_turned(rho, z, rows, -half_length - s->radius, half_length + s->radius, n, m);
    free(line);
    return is_good;
}

// A ball, stretched.
static bool make_ellipsoid(const geom_shape *s, int n, bi_mesh *m)
{
    if (!make_capsule(&(geom_shape){ .radius = 1.0 }, 0.0, n, m)) {
        return false;
    }
    for (int k = 0; k < m->n_vertex; k++) {
        vec3 *p = &m->vertex[k];
        *p = (vec3){ s->half.x * p->x, s->half.y * p->y, s->half.z * p->z };
    }
    return true;
}

static bool make_torus(const geom_shape *s, int n, bi_mesh *m)
{
    int section = n / 2 < 6 ? 6 : n / 2;
    if (!reserve(m, (size_t)n * (size_t)section, 2 * (size_t)n * (size_t)section)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < section; j++) {
            double turn = 2.0 * PI * i / n, angle = 2.0 * PI * j / section;
            double rho = s->ring + s->radius * math_cos(angle);
            add_vertex(m, rho * math_cos(turn), rho * math_sin(turn), s->half_width * math_sin(angle));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < section; j++) {
            int a = i * section + j, b = (i + 1) % n * section + j;
            int c = (i + 1) % n * section + (j + 1) % section, d = i * section + (j + 1) % section;
            add_triangle(m, a, b, c);
            add_triangle(m, a, c, d);
        }
    }
    return true;
}

static bool make_field(const geom_field *f, bi_mesh *m)
{
    size_t cells = (size_t)(f->n_x - 1) * (size_t)(f->n_y - 1);
    if (cells > 250 * 1000 * 1000 || !reserve(m, (size_t)f->n_x * (size_t)f->n_y, 2 * cells)) {
        return false;
    }
    for (int j = 0; j < f->n_y; j++) {
        for (int i = 0; i < f->n_x; i++) {
            add_vertex(m, f->x_0 + i * f->d_x, f->y_0 + j * f->d_y,
                       f->height[(size_t)j * (size_t)f->n_x + (size_t)i]);
        }
    }
    for (int j = 0; j + 1 < f->n_y; j++) {
        for (int i = 0; i + 1 < f->n_x; i++) {
            int a = j * f->n_x + i;
            add_triangle(m, a, a + 1, a + f->n_x + 1);
            add_triangle(m, a, a + f->n_x + 1, a + f->n_x);
        }
    }
    return true;
}

bool geom_mesh_of_shape(const geom_shape *s, int n, bi_mesh *m)
{
    n = n < 6 ? 6 : n;
    switch (s->kind) {
    case GEOM_SPHERE: return make_capsule(s, 0.0, n, m);
    case GEOM_BOX: return make_box(s, m);
    case GEOM_CAPSULE: return make_capsule(s, s->half_length, n, m);
    case GEOM_CYLINDER: {
        const double rho[2] = { s->radius, s->radius }, z[2] = { -s->half_length, s->half_length };
        return make_turned(rho, z, 2, z[0], z[1], n, m);
    }
    case GEOM_CONE: {
        const double rho = s->radius, z = -s->half_length;
        return make_turned(&rho, &z, 1, z, s->half_length, n, m);
    }
    case GEOM_HULL: return geom_hull_triangles(s->hull, m);
    case GEOM_ELLIPSOID: return make_ellipsoid(s, n, m);
    case GEOM_TORUS: return make_torus(s, n, m);
    case GEOM_FIELD: return make_field(s->field, m);
    case GEOM_PLANE:
    case GEOM_MESH: break;
    }
    *m = (bi_mesh){ 0 };
    return false;
}
