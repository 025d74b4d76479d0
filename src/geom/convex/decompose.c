// SPDX-License-Identifier: MIT
// From a closed mesh to convex parts: the plane that saves most volume cuts first.
#include "geom/convex/decompose.h"
#include "geom/convex/soup.h"
#include <stdlib.h>
#include <string.h>

// of the size: nearer to a plane counts as in it; a dent that is less deep is none
static const double flat = 1e-9, shallow = 1e-5;
// so little more volume than the mesh is good enough
static const double enough = 1e-4;
// of its volume: how much a child that is convex counts for against volume saved. A ring saves nothing with its first cut.
static const double worth = 0.1;
enum { MOST_PLANES = 128, TRIED_PLANES = 16 };

// The part of the solid in a convex cell.
typedef struct {
    geom_soup surface, cell; // of the mesh within the cell; the faces of the cell
    geom_hull *hull;         // of both; NULL: nothing in it
    double volume;           // of the hull, m3
    bool is_convex;          // all of the surface lies in faces of the hull
    bool is_tried;           // `cut` and `score` are known
    geom_cutter cut;
    double score; // 0: no cut helps
} part;

typedef struct {
    const geom_mesh *mesh;
    double size, thick; // m
    part *part;         // (most)
    int n, most;
    bool no_memory;
} work;

static void part_clear(part *p)
{
    geom_soup_clear(&p->surface);
    geom_soup_clear(&p->cell);
    geom_hull_destroy(p->hull);
    p->hull = NULL;
}

// ---- one part --------------------------------------------------------------------------------------------------

static double hull_volume(const geom_hull *h)
{
    double sum = 0.0;
    vec3 from = h->vertex[0];
    for (int f = 0; f < h->n_face; f++) {
        const int32_t *c = &h->corner[h->first[f]];
        vec3 a = vec3_sub(h->vertex[c[0]], from);
        for (int k = 1; k + 1 < h->first[f + 1] - h->first[f]; k++) {
            sum +=
                vec3_dot(a, vec3_cross(vec3_sub(h->vertex[c[k]], from), vec3_sub(h->vertex[c[k + 1]], from)));
        }
    }
    return sum / 6.0;
}

// How deep a point lies inside the hull.
static double depth_in(const geom_hull *h, vec3 p)
{
    double least = INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        least = fmin(least, h->offset[f] - vec3_dot(h->normal[f], p));
    }
    return least;
}

// Corners of the cell that lie in the solid belong to the part, too; those on its surface are corners of that.
static int inner_corners(const work *w, const geom_soup *cell, vec3 *to)
{
    int n = 0;
    for (int k = 0; k < cell->n_corner; k++) {
        vec3 p = cell->corner[k];
        const geom_box *b = &w->mesh->bounds;
        bool is_near = p.x > b->low.x && p.y > b->low.y && p.z > b->low.z && p.x < b->high.x &&
                       p.y < b->high.y && p.z < b->high.z;
        if (is_near && geom_mesh_near(w->mesh, p, INFINITY).distance < -w->thick) {
            to[n++] = p;
        }
    }
    return n;
}

static void finish_part(work *w, part *p)
{
    const char *why;
    size_t room = (size_t)p->surface.n_corner + (size_t)p->cell.n_corner + 1;
    vec3 *point = malloc(room * sizeof *point);
    if (!point) {
        w->no_memory = true;
        return;
    }
    int n = p->surface.n_corner;
    if (n > 0) {
        memcpy(point, p->surface.corner, (size_t)n * sizeof *point);
    }
    n += inner_corners(w, &p->cell, point + n);
    p->hull = n >= 4 ? geom_hull_create(point, n, &why) : NULL;
    free(point);
    p->is_convex = true;
    p->volume = p->hull ? hull_volume(p->hull) : 0.0;
    for (int f = 0; p->hull && f < p->surface.n_face && p->is_convex; f++) {
        p->is_convex = depth_in(p->hull, geom_soup_middle(&p->surface, f)) <= shallow * w->size;
    }
}

static part child_of(work *w, const part *from, geom_cutter by)
{
    part p = { .hull = NULL };
    if (!geom_soup_cut(&from->surface, by, w->thick, &p.surface) ||
        !geom_cell_cut(&from->cell, by, w->thick, &p.cell)) {
        w->no_memory = true;
        return p;
    }
    finish_part(w, &p);
    return p;
}

// ---- which cut -------------------------------------------------------------------------------------------------

typedef struct {
    geom_cutter by;
    double weight; // area of the dents in it times their depth
} candidate;

typedef struct {
    candidate item[MOST_PLANES + 3];
    int n;
} candidates;

static void add_candidate(candidates *all, geom_cutter by, double weight, double near)
{
    for (int k = 0; k < all->n; k++) {
        double along = vec3_dot(all->item[k].by.n, by.n), sign = along < 0.0 ? -1.0 : 1.0;
        if (fabs(along) > 1.0 - 1e-9 && fabs(all->item[k].by.offset - sign * by.offset) < near) {
            all->item[k].weight += weight;
            return;
        }
    }
    if (all->n < MOST_PLANES) {
        all->item[all->n++] = (candidate){ by, weight };
    }
}

static int compare_weight(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    const double of_p[] = { -p->weight, p->by.n.x, p->by.n.y, p->by.n.z, p->by.offset },
                 of_q[] = { -q->weight, q->by.n.x, q->by.n.y, q->by.n.z, q->by.offset };
    for (int k = 0; k < 5; k++) {
        if (of_p[k] != of_q[k]) {
            return of_p[k] < of_q[k] ? -1 : 1;
        }
    }
    return 0;
}

// Planes of dents, the heaviest first, and planes along the axes through the heaviest dent.
static void find_candidates(const work *w, const part *p, candidates *all)
{
    double most = 0.0;
    vec3 at = { 0.0, 0.0, 0.0 };
    all->n = 0;
    for (int f = 0; f < p->surface.n_face; f++) {
        vec3 middle = geom_soup_middle(&p->surface, f), n = p->surface.normal[f];
        double depth = depth_in(p->hull, middle);
        if (depth <= shallow * w->size) {
            continue;
        }
        double weight = depth * geom_soup_area(&p->surface, f);
        add_candidate(all, (geom_cutter){ n, vec3_dot(n, middle) }, weight, 1e-7 * w->size);
        if (weight > most) {
            most = weight;
            at = middle;
        }
    }
    qsort(all->item, (size_t)all->n, sizeof *all->item, compare_weight);
    all->n = all->n < TRIED_PLANES ? all->n : TRIED_PLANES;
    const vec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 3; k++) {
        add_candidate(all, (geom_cutter){ axis[k], vec3_dot(axis[k], at) }, 0.0, 1e-7 * w->size);
    }
}

static double worth_of(const part *p) { return p->is_convex ? worth * p->volume : 0.0; }

// Writes `cut` and `score`.
static void try_cuts(work *w, part *p)
{
    candidates all;
    p->is_tried = true;
    p->score = 0.0;
    if (p->is_convex) {
        return;
    }
    find_candidates(w, p, &all);
    for (int k = 0; k < all.n && !w->no_memory; k++) {
        part above = child_of(w, p, all.item[k].by),
             below = child_of(w, p, geom_cutter_turned(all.item[k].by));
        bool is_split = above.volume > flat * p->volume && below.volume > flat * p->volume;
        double saved = fmax(0.0, p->volume - above.volume - below.volume),
               score = is_split ? saved + worth_of(&above) + worth_of(&below) : 0.0;
        // a cut that helps nothing yet may help the next one
        score += is_split ? 1e-6 * p->volume : 0.0;
        if (score > p->score) {
            p->score = score;
            p->cut = all.item[k].by;
        }
        part_clear(&above);
        part_clear(&below);
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

// The solid as one part, or one of its shells: that of its first triangle; shell NULL: all of them.
static void begin(work *w, const int32_t *shell, int32_t first)
{
    const geom_mesh *m = w->mesh;
    part *p = &w->part[w->n++];
    *p = (part){ .hull = NULL };
    bool is_good = geom_cell_of_box(&m->bounds, 0.1 * w->size, &p->cell);
    for (int t = 0; t < m->n_triangle && is_good; t++) {
        if (shell && shell[t] != first) {
            continue;
        }
        const int32_t *c = m->triangle[t];
        vec3 corner[3] = { m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]] };
        is_good =
            vec3_norm(m->face_normal[t]) == 0.0 || geom_soup_add(&p->surface, corner, 3, m->face_normal[t]);
    }
    w->no_memory = !is_good;
    if (is_good) {
        finish_part(w, p);
    }
}

// Solids that stand in each other, as boards that are nailed together do: each a part, if it is convex.
static bool begin_shells(work *w)
{
    const geom_mesh *m = w->mesh;
    int32_t *shell = malloc(2 * (size_t)m->n_triangle * sizeof *shell);
    bool are_convex = shell != NULL;
    w->no_memory = !shell;
    if (shell) {
        geom_mesh_shells(m, shell, shell + m->n_triangle);
    }
    for (int32_t t = 0; t < m->n_triangle && are_convex; t++) {
        if (shell[t] == t) {
            are_convex = w->n < w->most;
            if (are_convex) {
                begin(w, shell, t);
                are_convex = !w->no_memory && w->part[w->n - 1].is_convex;
            }
        }
    }
    free(shell);
    return are_convex;
}

static double volume_of(const work *w)
{
    double sum = 0.0;
    for (int k = 0; k < w->n; k++) {
        sum += w->part[k].volume;
    }
    return sum;
}

// The best cut of all is made; false: none is left.
static bool cut_once(work *w)
{
    int best = -1;
    for (int k = 0; k < w->n && !w->no_memory; k++) {
        if (!w->part[k].is_tried) {
            try_cuts(w, &w->part[k]);
        }
        if (w->part[k].score > 0.0 && (best < 0 || w->part[k].score > w->part[best].score)) {
            best = k;
        }
    }
    if (best < 0 || w->no_memory) {
        return false;
    }
    part from = w->part[best];
    w->part[best] = child_of(w, &from, from.cut);
    w->part[w->n++] = child_of(w, &from, geom_cutter_turned(from.cut));
    part_clear(&from);
    return !w->no_memory;
}

static geom_parts *take_hulls(work *w)
{
    geom_parts *out = calloc(1, sizeof *out);
    geom_hull **hull = malloc((size_t)w->n * sizeof *hull);
    if (!out || !hull) {
        free(out);
        free(hull);
        return NULL;
    }
    *out = (geom_parts){ .hull = hull };
    for (int k = 0; k < w->n; k++) {
        if (w->part[k].hull) {
            out->volume += w->part[k].volume;
            hull[out->n++] = w->part[k].hull;
            w->part[k].hull = NULL;
        }
    }
    out->excess = out->volume / w->mesh->volume - 1.0;
    return out;
}

static const char *fault_of(const geom_mesh *m, int most)
{
    if (most < 1 || most > GEOM_MOST_PARTS) {
        return "must be from 1 to 256";
    }
    if (m->n_triangle > GEOM_PARTS_TRIANGLES) {
        return "is for meshes of 20000 triangles at most: simplify the mesh, or leave 'pieces' out";
    }
    if (!m->is_closed) {
        return "needs a closed mesh, and this one has open edges: close it, or leave 'pieces' out";
    }
    return m->volume > 0.0 ? NULL : "needs a mesh that encloses a volume: is it inside out?";
}

geom_parts *geom_parts_create(const geom_mesh *mesh, int most, const char **why)
{
    *why = fault_of(mesh, most);
    if (*why) {
        return NULL;
    }
    double size = vec3_norm(vec3_sub(mesh->bounds.high, mesh->bounds.low));
    work w = { .mesh = mesh, .size = size, .thick = flat * size, .most = most };
    w.part = calloc((size_t)most, sizeof *w.part);
    if (!w.part) {
        return NULL;
    }
    bool crosses = geom_mesh_crosses_itself(mesh);
    if (!crosses) {
        begin(&w, NULL, 0);
    } else if (!begin_shells(&w) && !w.no_memory) {
        *why = "needs a mesh that does not cross itself, or one of convex solids, no more than pieces: unite "
               "its solids, or leave 'pieces' out";
    }
    while (!*why && !crosses && !w.no_memory && w.n < most && volume_of(&w) > (1.0 + enough) * mesh->volume &&
           cut_once(&w)) {
    }
    geom_parts *out = w.no_memory || *why ? NULL : take_hulls(&w);
    for (int k = 0; k < w.n; k++) {
        part_clear(&w.part[k]);
    }
    free(w.part);
    if (out && out->n == 0) {
        *why = "has no thickness";
        geom_parts_destroy(out);
        return NULL;
    }
    return out;
}

void geom_parts_destroy(geom_parts *parts)
{
    for (int k = 0; parts && k < parts->n; k++) {
        geom_hull_destroy(parts->hull[k]);
    }
    if (parts) {
        free(parts->hull);
    }
    free(parts);
}
