// SPDX-License-Identifier: MIT
// Meshes as files bring them: welding, dropping, turning over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include <biela/geom.h>

// A triangle is without area when its height is below this part of its longest side: a few roundings of the corners.
static const double FLAT = 1e-12;

// ---- vertices --------------------------------------------------------------------------------------------------

// Cells of the size of the weld distance, found by hashing.
typedef struct {
    int32_t *slot; // (n_slot) vertex + 1; 0 = free
    size_t n_slot;
    double size; // of a cell; 0: only equal places
} cell_table;

static uint64_t mix(uint64_t h, uint64_t bits)
{
    h = (h ^ bits) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t bits_at(double x, double size)
{
    // minus zero is zero
    double key = size > 0.0 ? floor(x / size) : x + 0.0;
    uint64_t bits;
    key += 0.0;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static size_t first_slot(const cell_table *t, vec3 p)
{
    uint64_t h = mix(mix(mix(0x243F6A8885A308D3u, bits_at(p.x, t->size)), bits_at(p.y, t->size)),
                     bits_at(p.z, t->size));
    return (size_t)(h % t->n_slot);
}

// The first vertex within `weld` of p in the chain that begins where cells of `key` hash to; -1: none.
static int32_t find_in_chain(const cell_table *t, const vec3 *vertex, vec3 key, vec3 p, double weld)
{
    for (size_t s = first_slot(t, key); t->slot[s]; s = s + 1 < t->n_slot ? s + 1 : 0) {
        vec3 q = vertex[t->slot[s] - 1];
        if ((q.x == p.x && q.y == p.y && q.z == p.z) || (weld > 0.0 && vec3_norm(vec3_sub(q, p)) <= weld)) {
            return t->slot[s] - 1;
        }
    }
    return -1;
}

static int32_t find_vertex(const cell_table *t, const vec3 *vertex, vec3 p, double weld)
{
    if (!(weld > 0.0)) {
        return find_in_chain(t, vertex, p, p, weld);
    }
    int32_t best = -1;
    for (int k = 0; k < 27; k++) {
        vec3 key = { p.x + (k % 3 - 1) * t->size, p.y + (k / 3 % 3 - 1) * t->size,
                     p.z + (k / 9 - 1) * t->size };
        int32_t found = find_in_chain(t, vertex, key, p, weld);
        best = found >= 0 && (best < 0 || found < best) ? found : best;
    }
    return best;
}

// Joins vertices; `to` says where each went.
static bool weld_vertices(bi_mesh *m, double weld, int32_t *to, bi_mesh_repairs *out)
{
    cell_table t = { .n_slot = 2 * (size_t)m->n_vertex + 1, .size = weld };
    t.slot = calloc(t.n_slot, sizeof *t.slot);
    if (!t.slot) {
        return false;
    }
    int n = 0;
    for (int k = 0; k < m->n_vertex; k++) {
        vec3 p = m->vertex[k];
        int32_t found = find_vertex(&t, m->vertex, p, weld);
        if (found < 0) {
            m->vertex[n] = p;
            size_t s = first_slot(&t, p);
            while (t.slot[s]) {
                s = s + 1 < t.n_slot ? s + 1 : 0;
            }
            t.slot[s] = ++n;
            found = n - 1;
        }
        to[k] = found;
    }
    out->welded = m->n_vertex - n;
    m->n_vertex = n;
    free(t.slot);
    return true;
}

static void drop_unused(bi_mesh *m, int32_t *to, bi_mesh_repairs *out)
{
    memset(to, 0, (size_t)m->n_vertex * sizeof *to);
    for (int k = 0; k < 3 * m->n_triangle; k++) {
        to[m->triangle[k / 3][k % 3]] = 1;
    }
    int n = 0;
    for (int k = 0; k < m->n_vertex; k++) {
        if (to[k]) {
            m->vertex[n] = m->vertex[k];
            to[k] = n++;
        }
    }
    for (int k = 0; k < 3 * m->n_triangle; k++) {
        m->triangle[k / 3][k % 3] = to[m->triangle[k / 3][k % 3]];
    }
    out->unused = m->n_vertex - n;
    m->n_vertex = n;
}

// ---- triangles -------------------------------------------------------------------------------------------------

static bool is_flat(const bi_mesh *m, const int32_t *c)
{
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
        return true;
    }
    vec3 u = vec3_sub(m->vertex[c[1]], m->vertex[c[0]]), v = vec3_sub(m->vertex[c[2]], m->vertex[c[0]]);
    vec3 w = vec3_sub(v, u);
    double longest = fmax(vec3_norm(u), fmax(vec3_norm(v), vec3_norm(w)));
    return !(vec3_norm(vec3_cross(u, v)) > FLAT * longest * longest);
}

static void drop_flat(bi_mesh *m, bi_mesh_repairs *out)
{
    int n = 0;
    for (int k = 0; k < m->n_triangle; k++) {
        if (!is_flat(m, m->triangle[k])) {
            memmove(m->triangle[n++], m->triangle[k], sizeof *m->triangle);
        }
    }
    out->degenerate = m->n_triangle - n;
    m->n_triangle = n;
}

typedef struct {
    int32_t corner[3]; // turned so that the lowest comes first
    int32_t triangle;
} face_key;

static int compare_faces(const void *pa, const void *pb)
{
    const face_key *a = pa, *b = pb;
    for (int k = 0; k < 3; k++) {
        if (a->corner[k] != b->corner[k]) {
            return a->corner[k] < b->corner[k] ? -1 : 1;
        }
    }
    return a->triangle < b->triangle ? -1 : 1;
}

static bool drop_duplicates(bi_mesh *m, bi_mesh_repairs *out)
{
    face_key *key = malloc(((size_t)m->n_triangle + 1) * sizeof *key);
    if (!key) {
        return false;
    }
    for (int k = 0; k < m->n_triangle; k++) {
        const int32_t *c = m->triangle[k];
        int low = c[0] < c[1] && c[0] < c[2] ? 0 : c[1] < c[2] ? 1 : 2;
        key[k] = (face_key){ { c[low], c[(low + 1) % 3], c[(low + 2) % 3] }, k };
    }
    qsort(key, (size_t)m->n_triangle, sizeof *key, compare_faces);
    for (int k = 1; k < m->n_triangle; k++) {
        if (memcmp(key[k].corner, key[k - 1].corner, sizeof key[k].corner) == 0) {
            m->triangle[key[k].triangle][0] = -1;
        }
    }
    int n = 0;
    for (int k = 0; k < m->n_triangle; k++) {
        if (m->triangle[k][0] >= 0) {
            memmove(m->triangle[n++], m->triangle[k], sizeof *m->triangle);
        }
    }
    out->duplicate = m->n_triangle - n;
    m->n_triangle = n;
    free(key);
    return true;
}

// ---- shells ----------------------------------------------------------------------------------------------------

typedef struct {
    int32_t low, high, place; // place: 3 triangle + side
} rim;

static int compare_rims(const void *pa, const void *pb)
{
    const rim *a = pa, *b = pb;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->place < b->place ? -1 : 1;
}

typedef struct {
    int32_t *beyond; // (3 n_triangle) place of the same edge in the neighbour; -1: none
    int32_t *shell;  // (n_triangle) from 0; -1: not yet
    int32_t *stack;  // (n_triangle)
    double *volume;  // (shells)
    bool *is_open;   // (shells)
    bool *is_turned; // (shells)
} shells;

static void find_neighbours(const bi_mesh *m, rim *all, shells *s, bi_mesh_repairs *out)
{
    int count = 3 * m->n_triangle;
    for (int k = 0; k < count; k++) {
        int32_t i = m->triangle[k / 3][k % 3], j = m->triangle[k / 3][(k + 1) % 3];
        all[k] = i < j ? (rim){ i, j, k } : (rim){ j, i, k };
        s->beyond[k] = -1;
    }
    qsort(all, (size_t)count, sizeof *all, compare_rims);
    for (int k = 0, next; k < count; k = next) {
        for (next = k + 1; next < count && all[next].low == all[k].low && all[next].high == all[k].high;) {
            next++;
        }
        out->open += next - k == 1;
        out->crowded += next - k > 2;
        if (next - k == 2) {
            s->beyond[all[k].place] = all[k + 1].place;
            s->beyond[all[k + 1].place] = all[k].place;
        }
    }
}

static bool does_run_along(const bi_mesh *m, int32_t p, int32_t q)
{
    return m->triangle[p / 3][p % 3] == m->triangle[q / 3][q % 3];
}

static void turn_over(int32_t *c)
{
    int32_t keep = c[1];
    c[1] = c[2];
    c[2] = keep;
}

// One shell from `seed` on: neighbours get the direction of the seed. `is_reversed` marks the turned ones; they are
// turned after the walk, because places of sides change with them.
static void walk_shell(const bi_mesh *m, shells *s, int32_t seed, int32_t number, int8_t *is_reversed)
{
    int n = 0;
    s->shell[seed] = number;
    s->stack[n++] = seed;
    while (n > 0) {
        int32_t t = s->stack[--n];
        for (int k = 0; k < 3; k++) {
            int32_t p = 3 * t + k, q = s->beyond[p];
            if (q < 0) {
                s->is_open[number] = true;
            } else if (s->shell[q / 3] < 0) {
                s->shell[q / 3] = number;
                is_reversed[q / 3] = (int8_t)(is_reversed[t] ^ does_run_along(m, p, q));
                s->stack[n++] = q / 3;
            }
        }
    }
}

static double shell_volume(const bi_mesh *m, const int32_t *c)
{
    vec3 o = m->vertex[0];
    return vec3_dot(vec3_sub(m->vertex[c[0]], o),
                    vec3_cross(vec3_sub(m->vertex[c[1]], o), vec3_sub(m->vertex[c[2]], o))) /
           6.0;
}

// How often a line through p along an uneven direction enters closed shells other than its own: odd = inside.
static bool is_inside(const bi_mesh *m, const shells *s, int32_t shell, vec3 p)
{
    const vec3 d = { 0.5377, 0.3169, 0.7817 };
    int crossings = 0;
    for (int k = 0; k < m->n_triangle; k++) {
        if (s->shell[k] == shell || s->is_open[s->shell[k]]) {
            continue;
        }
        const int32_t *c = m->triangle[k];
        vec3 a = vec3_sub(m->vertex[c[0]], p), b = vec3_sub(m->vertex[c[1]], p),
             e = vec3_sub(m->vertex[c[2]], p);
        double u = vec3_dot(d, vec3_cross(e, b)), v = vec3_dot(d, vec3_cross(a, e)),
               w = vec3_dot(d, vec3_cross(b, a));
        bool is_through = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
        double sum = u + v + w;
        double t = is_through ? (u * vec3_dot(a, d) + v * vec3_dot(b, d) + w * vec3_dot(e, d)) / sum : -1.0;
        crossings += t > 0.0;
    }
    return crossings % 2 == 1;
}

// A shell that lies in others altogether; one that overlaps them is another solid.
static bool is_cavity(const bi_mesh *m, const shells *s, int32_t shell)
{
    for (int k = 0; k < m->n_triangle; k++) {
        for (int i = 0; s->shell[k] == shell && i < 3; i++) {
            if (!is_inside(m, s, shell, m->vertex[m->triangle[k][i]])) {
                return false;
            }
        }
    }
    return true;
}

// Beyond this many shells cavities are not looked for: the question costs shells times triangles.
enum { MOST_SHELLS_WITH_CAVITIES = 64 };

static void orient_shells(bi_mesh *m, shells *s, bi_mesh_repairs *out)
{
    for (int k = 0; k < m->n_triangle; k++) {
        s->volume[s->shell[k]] += shell_volume(m, m->triangle[k]);
    }
    for (int k = 0, seen = 0; k < m->n_triangle; k++) {
        int32_t h = s->shell[k];
        // the first triangle of each shell, in the order of the shells
        if (h == seen) {
            seen++;
            bool is_hole = out->shells > 1 && out->shells <= MOST_SHELLS_WITH_CAVITIES && !s->is_open[h] &&
                           is_cavity(m, s, h);
            s->is_turned[h] = !s->is_open[h] && (is_hole ? s->volume[h] > 0.0 : s->volume[h] < 0.0);
            out->flipped += s->is_turned[h];
            out->volume += s->is_open[h] ? 0.0 : (is_hole ? -fabs(s->volume[h]) : fabs(s->volume[h]));
        }
    }
    for (int k = 0; k < m->n_triangle; k++) {
        if (s->is_turned[s->shell[k]]) {
            turn_over(m->triangle[k]);
        }
    }
}

static bool make_agree(bi_mesh *m, bi_mesh_repairs *out)
{
    size_t n = (size_t)m->n_triangle;
    rim *all = malloc((3 * n + 1) * sizeof *all);
    int8_t *is_reversed = calloc(n + 1, sizeof *is_reversed);
    shells s = { malloc((3 * n + 1) * sizeof *s.beyond), malloc((n + 1) * sizeof *s.shell),
                 malloc((n + 1) * sizeof *s.stack),      calloc(n + 1, sizeof *s.volume),
                 calloc(n + 1, sizeof *s.is_open),       calloc(n + 1, sizeof *s.is_turned) };
    bool is_good =
        all && is_reversed && s.beyond && s.shell && s.stack && s.volume && s.is_open && s.is_turned;
    if (is_good) {
        find_neighbours(m, all, &s, out);
        for (size_t k = 0; k < n; k++) {
            s.shell[k] = -1;
        }
        for (int k = 0; k < m->n_triangle; k++) {
            if (s.shell[k] < 0) {
                walk_shell(m, &s, k, out->shells++, is_reversed);
            }
        }
        // a seed that runs the other way than most of its shell was the mistake, not the others
        for (int k = 0; k < m->n_triangle; k++) {
            s.volume[s.shell[k]] += is_reversed[k] ? 1.0 : -1.0;
        }
        for (int k = 0; k < m->n_triangle; k++) {
            if ((s.volume[s.shell[k]] > 0.0) != (is_reversed[k] != 0)) {
                turn_over(m->triangle[k]);
                out->reversed++;
            }
        }
        memset(s.volume, 0, n * sizeof *s.volume);
        orient_shells(m, &s, out);
    }
    free(all);
    free(is_reversed);
    free(s.beyond);
    free(s.shell);
    free(s.stack);
    free(s.volume);
    free(s.is_open);
    free(s.is_turned);
    return is_good;
}

// ---- all of it -------------------------------------------------------------------------------------------------

static bool is_sound(const bi_mesh *m)
{
    if (m->n_vertex < 0 || m->n_triangle < 0 || (m->n_vertex > 0 && !m->vertex) ||
        (m->n_triangle > 0 && !m->triangle)) {
        return false;
    }
    for (int k = 0; k < m->n_vertex; k++) {
        vec3 p = m->vertex[k];
        if (!(fabs(p.x) < 1e60 && fabs(p.y) < 1e60 && fabs(p.z) < 1e60)) {
            return false;
        }
    }
    for (int k = 0; k < 3 * m->n_triangle; k++) {
        if (m->triangle[k / 3][k % 3] < 0 || m->triangle[k / 3][k % 3] >= m->n_vertex) {
            return false;
        }
    }
    return m->n_triangle <= 500 * 1000 * 1000;
}

static bool copy_mesh(const bi_mesh *from, bi_mesh *to)
{
    *to = *from;
    to->vertex = malloc(((size_t)from->n_vertex + 1) * sizeof *to->vertex);
    to->triangle = malloc(((size_t)from->n_triangle + 1) * sizeof *to->triangle);
    if (!to->vertex || !to->triangle) {
        bi_mesh_clear(to);
        return false;
    }
    if (from->n_vertex > 0) {
        memcpy(to->vertex, from->vertex, (size_t)from->n_vertex * sizeof *to->vertex);
    }
    if (from->n_triangle > 0) {
        memcpy(to->triangle, from->triangle, (size_t)from->n_triangle * sizeof *to->triangle);
    }
    return true;
}

bi_status bi_mesh_repair(bi_mesh *mesh, double weld, bi_mesh_repairs *out)
{
    bi_mesh_repairs unused;
    out = out ? out : &unused;
    *out = (bi_mesh_repairs){ 0 };
    if (!mesh || !(weld >= 0.0) || !isfinite(weld)) {
        return BI_BAD_ARGUMENT;
    }
    if (!is_sound(mesh)) {
        return BI_BAD_MODEL;
    }
    bi_mesh m;
    int32_t *to = malloc(((size_t)mesh->n_vertex + 1) * sizeof *to);
    if (!to || !copy_mesh(mesh, &m)) {
        free(to);
        return BI_NO_MEMORY;
    }
    bool is_good = weld_vertices(&m, weld, to, out);
    for (int k = 0; is_good && k < 3 * m.n_triangle; k++) {
        m.triangle[k / 3][k % 3] = to[m.triangle[k / 3][k % 3]];
    }
    if (is_good) {
        drop_flat(&m, out);
        is_good = drop_duplicates(&m, out);
        drop_unused(&m, to, out);
        is_good = is_good && make_agree(&m, out);
    }
    free(to);
    bi_mesh_clear(is_good ? mesh : &m);
    if (!is_good) {
        *out = (bi_mesh_repairs){ 0 };
        return BI_NO_MEMORY;
    }
    *mesh = m;
    return BI_OK;
}
