// SPDX-License-Identifier: MIT
// Volume, centre and second moments by the divergence theorem, eq. (mass.1) to (mass.4); and whether there is a volume.
#include "io/mesh/mesh_volume.h"
#include <stdlib.h>

static bi_vec3 less(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x - b.x, a.y - b.y, a.z - b.z }; }

// a . (b x c), six times the volume of the tetrahedron with the origin
static double triple(bi_vec3 a, bi_vec3 b, bi_vec3 c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

mesh_volume mesh_integrate(const bi_mesh *m)
{
    mesh_volume v = { 0 };
    // tetrahedra from a corner of the mesh: far from the origin of the file they would cancel badly
    bi_vec3 o = m->vertex[0], first = { 0 };
    double second[6] = { 0 };
    for (int k = 0; k < m->n_triangle; k++) {
        const int32_t *corner = m->triangle[k];
        bi_vec3 a = less(m->vertex[corner[0]], o), b = less(m->vertex[corner[1]], o),
                c = less(m->vertex[corner[2]], o);
        bi_vec3 s = { a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z };
        double d = triple(a, b, c);
        v.volume += d / 6.0;
        first.x += d / 24.0 * s.x;
        first.y += d / 24.0 * s.y;
        first.z += d / 24.0 * s.z;
        second[0] += d / 120.0 * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x);
        second[1] += d / 120.0 * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y);
        second[2] += d / 120.0 * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z);
        second[3] += d / 120.0 * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
        second[4] += d / 120.0 * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
        second[5] += d / 120.0 * (s.z * s.x + a.z * a.x + b.z * b.x + c.z * c.x);
    }
    if (v.volume == 0.0) {
        return v;
    }
    // from the corner to the centre
    bi_vec3 r = { first.x / v.volume, first.y / v.volume, first.z / v.volume };
    const double shift[6] = { r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.y * r.z, r.z * r.x };
    for (int k = 0; k < 6; k++) {
        v.second[k] = second[k] - v.volume * shift[k];
    }
    v.centre = (bi_vec3){ o.x + r.x, o.y + r.y, o.z + r.z };
    return v;
}

typedef struct {
    int32_t low, high; // vertices
    int32_t along;     // 1: from low to high, -1: back
} edge;

static int compare_edges(const void *pa, const void *pb)
{
    const edge *a = pa, *b = pb;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    return a->high != b->high ? (a->high < b->high ? -1 : 1) : 0;
}

bool mesh_find_faults(const bi_mesh *m, mesh_faults *faults)
{
    *faults = (mesh_faults){ 0 };
    size_t count = 3 * (size_t)m->n_triangle;
    edge *all = malloc((count + 1) * sizeof *all);
    if (!all) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        int32_t i = m->triangle[k / 3][k % 3], j = m->triangle[k / 3][(k + 1) % 3];
        all[k] = i < j ? (edge){ i, j, 1 } : (edge){ j, i, -1 };
    }
    qsort(all, count, sizeof *all, compare_edges);
    // a good edge is run as often in one direction as in the other
    for (size_t k = 0; k < count;) {
        size_t next = k;
        int sum = 0;
        while (next < count && compare_edges(&all[k], &all[next]) == 0) {
            sum += all[next++].along;
        }
        bool is_open = next - k == 1, is_good = sum == 0;
        if (!is_good && faults->n_open + faults->n_clash == 0) {
            faults->from = m->vertex[all[k].low];
            faults->to = m->vertex[all[k].high];
        }
        faults->n_open += is_open;
        faults->n_clash += !is_open && !is_good;
        k = next;
    }
    free(all);
    return true;
}
