// SPDX-License-Identifier: MIT
// Convex hulls by farthest points first (quickhull), then faces that lie in one plane joined.
#include "geom/convex/hull.h"
#include <stdlib.h>
#include <string.h>

// of the size: nearer to a plane counts as in it. Coordinates of files have some eight digits.
static const double flat = 1e-9;

typedef struct {
    int32_t corner[3], across[3]; // across[k]: the triangle beyond the side from corner k to k + 1
    vec3 normal;
    double offset;
    int32_t outside; // first point above it; -1: none
    bool is_gone, is_seen;
} facet;

// A side of what a point sees, with the triangle beyond.
typedef struct {
    int32_t from, to, beyond;
} rim;

typedef struct {
    const vec3 *point;
    int n_point;
    double thick; // m
    facet *facet;
    int n_facet, capacity;
    int32_t *next; // (n_point) in the list of a facet
    rim *rim;
    int32_t *stack, *seen;
    int n_rim, n_seen;
    int32_t *made; // (n_point) the new facet whose first side begins at the point
} builder;

// ---- triangles -------------------------------------------------------------------------------------------------

static double above(const builder *b, const facet *f, int32_t p)
{
    return vec3_dot(f->normal, b->point[p]) - f->offset;
}

static void set_facet(const builder *b, facet *f, int32_t i, int32_t j, int32_t k)
{
    const vec3 *p = b->point;
    vec3 n = vec3_normalized(vec3_cross(vec3_sub(p[j], p[i]), vec3_sub(p[k], p[i])));
    double offset = (vec3_dot(n, p[i]) + vec3_dot(n, p[j]) + vec3_dot(n, p[k])) / 3.0;
    *f = (facet){
        .corner = { i, j, k }, .across = { -1, -1, -1 }, .normal = n, .offset = offset, .outside = -1
    };
}

// Doubles the room for triangles; they come and go, and keep their numbers.
static bool grow(builder *b)
{
    int capacity = 2 * b->capacity;
    facet *larger = realloc(b->facet, (size_t)capacity * sizeof *larger);
    if (!larger) {
        return false;
    }
    b->facet = larger;
    rim *rims = realloc(b->rim, 3 * (size_t)capacity * sizeof *rims);
    b->rim = rims ? rims : b->rim;
    int32_t *stack = realloc(b->stack, 3 * (size_t)capacity * sizeof *stack);
    b->stack = stack ? stack : b->stack;
    int32_t *seen = realloc(b->seen, (size_t)capacity * sizeof *seen);
    b->seen = seen ? seen : b->seen;
    b->capacity = capacity;
    return rims && stack && seen;
}

// Gives the point to the first of some facets that it is above.
static void give_point(builder *b, int32_t p, int first, int end)
{
    int best = -1;
    double most = b->thick;
    for (int f = first; f < end; f++) {
        double height = above(b, &b->facet[f], p);
        if (!b->facet[f].is_gone && height > most) {
            most = height;
            best = f;
        }
    }
    if (best >= 0) {
        b->next[p] = b->facet[best].outside;
        b->facet[best].outside = p;
    }
}

// ---- the first four points -------------------------------------------------------------------------------------

static double off_line(const vec3 *p, int i, int j, int k)
{
    vec3 d = vec3_normalized(vec3_sub(p[j], p[i]));
    return vec3_norm(vec3_cross(d, vec3_sub(p[k], p[i])));
}

static double coordinate(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// p comes before q along an axis; of equals the other axes decide, so that the first and last of all points are corners.
static bool is_before(vec3 p, vec3 q, int axis)
{
    for (int k = 0; k < 3; k++) {
        double a = coordinate(p, (axis + k) % 3), b = coordinate(q, (axis + k) % 3);
        if (a != b) {
            return a < b;
        }
    }
    return false;
}

// The longest axis of the box around the points; its diagonal.
static int longest_axis(const builder *b, double *diagonal)
{
    double size[3];
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < b->n_point; k++) {
            low = fmin(low, coordinate(b->point[k], axis));
            high = fmax(high, coordinate(b->point[k], axis));
        }
        size[axis] = high - low;
    }
    *diagonal = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    return size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
}

// Of points that are equally high the one farthest from `from` is a corner of what they span, and no point between two
// corners. Keeps the better one; `height` belongs to `best`.
static void keep_corner(const builder *b, vec3 from, int32_t p, double here, int32_t *best, double *height)
{
    vec3 to = vec3_sub(b->point[p], from), old = vec3_sub(b->point[*best], from);
    bool is_higher = here > *height + b->thick,
         is_farther = here > *height - b->thick && vec3_dot(to, to) > vec3_dot(old, old);
    if (is_higher || is_farther) {
        *best = p;
        *height = here;
    }
}

// Four corners far apart; what is wrong, or NULL.
static const char *first_four(builder *b, int32_t four[4])
{
    const vec3 *p = b->point;
    double diagonal;
    int axis = longest_axis(b, &diagonal);
    b->thick = flat * diagonal;
    for (int32_t k = 1; k < b->n_point; k++) {
        four[0] = is_before(p[k], p[four[0]], axis) ? k : four[0];
        four[1] = is_before(p[four[1]], p[k], axis) ? k : four[1];
    }
    // products of three lengths must neither vanish nor overflow
    if (diagonal > 0.0 && diagonal < 1e-12) {
        return "all its points lie within 1e-12 m: is its unit right?";
    }
    if (diagonal > 1e12) {
        return "its points are more than 1e12 m apart: is its unit right?";
    }
    double far = 0.0, deep = 0.0;
    four[2] = four[3] = four[0];
    for (int32_t k = 0; k < b->n_point && diagonal > 0.0; k++) {
        keep_corner(b, p[four[0]], k, off_line(p, four[0], four[1], k), &four[2], &far);
    }
    if (!(far > b->thick)) {
        return "all its points lie on a line: a hull needs four points that are not in a plane";
    }
    vec3 n = vec3_normalized(vec3_cross(vec3_sub(p[four[1]], p[four[0]]), vec3_sub(p[four[2]], p[four[0]])));
    for (int32_t k = 0; k < b->n_point; k++) {
        keep_corner(b, p[four[0]], k, fabs(vec3_dot(n, vec3_sub(p[k], p[four[0]]))), &four[3], &deep);
    }
    return deep > b->thick ? NULL
                           : "all its points lie in a plane: a hull needs a thickness; use a box or a mesh";
}

static void make_first(builder *b, int32_t four[4])
{
    const vec3 *p = b->point;
    vec3 n = vec3_cross(vec3_sub(p[four[1]], p[four[0]]), vec3_sub(p[four[2]], p[four[0]]));
    if (vec3_dot(n, vec3_sub(p[four[3]], p[four[0]])) > 0.0) {
        int32_t swap = four[1];
        four[1] = four[2];
        four[2] = swap;
    }
    // the fourth is below the first triangle
    static const int corner[4][3] = { { 0, 1, 2 }, { 1, 0, 3 }, { 2, 1, 3 }, { 0, 2, 3 } };
    static const int across[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    for (int f = 0; f < 4; f++) {
        set_facet(b, &b->facet[f], four[corner[f][0]], four[corner[f][1]], four[corner[f][2]]);
        memcpy(b->facet[f].across, (int32_t[3]){ across[f][0], across[f][1], across[f][2] },
               sizeof b->facet[f].across);
    }
    b->n_facet = 4;
    for (int k = 0; k < b->n_point; k++) {
        give_point(b, k, 0, 4);
    }
}

// ---- one more point --------------------------------------------------------------------------------------------

static int32_t farthest_of(const builder *b, const facet *f)
{
    int32_t best = f->outside;
    double height = above(b, f, best);
    for (int32_t p = f->outside; p >= 0; p = b->next[p]) {
        keep_corner(b, b->point[f->corner[0]], p, above(b, f, p), &best, &height);
    }
    return best;
}

// All triangles that the point sees, and the sides around them.
static void look(builder *b, int32_t from, int32_t p)
{
    int n = 0;
    b->n_seen = b->n_rim = 0;
    b->stack[n++] = from;
    b->facet[from].is_seen = true;
    while (n > 0) {
        int32_t self = b->stack[--n];
        facet *f = &b->facet[self];
        b->seen[b->n_seen++] = self;
        for (int k = 0; k < 3; k++) {
            facet *g = &b->facet[f->across[k]];
            if (g->is_seen) {
                continue;
            }
            // what lies in its plane is not seen: it will be part of the same face
            if (above(b, g, p) > b->thick) {
                g->is_seen = true;
                b->stack[n++] = f->across[k];
            }
        }
    }
    for (int i = 0; i < b->n_seen; i++) {
        const facet *f = &b->facet[b->seen[i]];
        for (int k = 0; k < 3; k++) {
            if (!b->facet[f->across[k]].is_seen) {
                b->rim[b->n_rim++] = (rim){ f->corner[k], f->corner[(k + 1) % 3], f->across[k] };
            }
        }
    }
}

// A triangle from every side of the rim to the point, linked with its neighbours.
static void close_rim(builder *b, int32_t p)
{
    int first = b->n_facet;
    for (int k = 0; k < b->n_rim; k++) {
        const rim *r = &b->rim[k];
        facet *f = &b->facet[b->n_facet];
        set_facet(b, f, r->from, r->to, p);
        f->across[0] = r->beyond;
        facet *g = &b->facet[r->beyond];
        for (int i = 0; i < 3; i++) {
            g->across[i] =
                g->corner[i] == r->to && g->corner[(i + 1) % 3] == r->from ? b->n_facet : g->across[i];
        }
        b->made[r->from] = b->n_facet++;
    }
    for (int f = first; f < b->n_facet; f++) {
        int32_t next = b->made[b->facet[f].corner[1]];
        b->facet[f].across[1] = next;
        b->facet[next].across[2] = f;
    }
    for (int i = 0; i < b->n_seen; i++) {
        facet *f = &b->facet[b->seen[i]];
        f->is_gone = true;
        for (int32_t q = f->outside, after; q >= 0; q = after) {
            after = b->next[q];
            if (q != p) {
                give_point(b, q, first, b->n_facet);
            }
        }
    }
}

static bool build(builder *b)
{
    for (int f = 0; f < b->n_facet; f++) {
        if (b->facet[f].is_gone || b->facet[f].outside < 0) {
            continue;
        }
        int32_t p = farthest_of(b, &b->facet[f]);
        look(b, f, p);
        while (b->n_facet + b->n_rim > b->capacity) {
            if (!grow(b)) {
                return false;
            }
        }
        close_rim(b, p);
    }
    return true;
}

// ---- faces -----------------------------------------------------------------------------------------------------

// Marks the triangles that lie in the plane of one, and chains the sides around them. The number of corners.
static int join(builder *b, int32_t from, int32_t *corner)
{
    facet *seed = &b->facet[from];
    int n = 0, n_side = 0;
    b->n_seen = 0;
    b->stack[n++] = from;
    seed->is_gone = true;
    while (n > 0) {
        int32_t self = b->stack[--n];
        b->seen[b->n_seen++] = self;
        for (int k = 0; k < 3; k++) {
            facet *g = &b->facet[b->facet[self].across[k]];
            bool is_in_plane = true;
            for (int i = 0; i < 3; i++) {
                is_in_plane = is_in_plane && fabs(above(b, seed, g->corner[i])) <= b->thick;
            }
            if (!g->is_gone && is_in_plane && vec3_dot(g->normal, seed->normal) > 0.0) {
                g->is_gone = true;
                b->stack[n++] = b->facet[self].across[k];
            }
        }
    }
    // sides whose other triangle is not in the face; made[v]: where the side from v goes
    int32_t start = -1;
    for (int i = 0; i < b->n_seen; i++) {
        b->facet[b->seen[i]].is_seen = true;
    }
    for (int i = 0; i < b->n_seen; i++) {
        const facet *f = &b->facet[b->seen[i]];
        for (int k = 0; k < 3; k++) {
            if (!b->facet[f->across[k]].is_seen) {
                b->made[f->corner[k]] = f->corner[(k + 1) % 3];
                start = f->corner[k];
                n_side++;
            }
        }
    }
    for (int i = 0; i < b->n_seen; i++) {
        b->facet[b->seen[i]].is_seen = false;
    }
    int32_t at = start;
    for (int k = 0; k < n_side; k++) {
        corner[k] = at;
        at = b->made[at];
    }
    return n_side;
}

typedef struct {
    int32_t *corner, *first; // corners of face f: from first[f] to first[f + 1]
    int n_face;
} face_list;

// Faces with many corners are kept as several that lie side by side.
static void add_face(face_list *out, const int32_t *corner, int n)
{
    for (int from = 1; from + 1 < n; from += HULL_FACE_CORNERS - 2) {
        int to = from + HULL_FACE_CORNERS - 2 < n - 1 ? from + HULL_FACE_CORNERS - 2 : n - 1;
        int32_t *end = &out->corner[out->first[out->n_face]];
        *end++ = corner[0];
        for (int k = from; k <= to; k++) {
            *end++ = corner[k];
        }
        out->n_face++;
        out->first[out->n_face] = (int32_t)(end - out->corner);
    }
}

// A corner belongs to three faces; a point that belongs to two lies on an edge and is dropped. `n_of` is scratch.
static void drop_edge_points(const builder *b, const face_list *from, int32_t *n_of, face_list *to)
{
    for (int k = 0; k < b->n_point; k++) {
        n_of[k] = 0;
    }
    for (int k = 0; k < from->first[from->n_face]; k++) {
        n_of[from->corner[k]]++;
    }
    to->first[0] = 0;
    for (int f = 0; f < from->n_face; f++) {
        int32_t *loop = &from->corner[from->first[f]];
        int n = 0;
        for (int k = 0; k < from->first[f + 1] - from->first[f]; k++) {
            if (n_of[loop[k]] >= 3) {
                loop[n++] = loop[k];
            }
        }
        add_face(to, loop, n);
    }
}

// Newell's normal: good for polygons whose corners are all but in a line somewhere.
static vec3 polygon_normal(const vec3 *p, const int32_t *corner, int n)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 1; k + 1 < n; k++) {
        sum = vec3_add(
            sum, vec3_cross(vec3_sub(p[corner[k]], p[corner[0]]), vec3_sub(p[corner[k + 1]], p[corner[0]])));
    }
    return vec3_normalized(sum);
}

static geom_hull *reserve(int n_vertex, int n_face, int n_corner)
{
    geom_hull *h = calloc(1, sizeof *h);
    size_t doubles = 3 * (size_t)n_vertex + 4 * (size_t)n_face, ints = (size_t)n_face + 1 + (size_t)n_corner;
    char *at = h ? malloc(doubles * sizeof(double) + ints * sizeof(int32_t)) : NULL;
    if (!at) {
        free(h);
        return NULL;
    }
    *h = (geom_hull){ .n_vertex = n_vertex, .n_face = n_face, .n_corner = n_corner, .memory = at };
    h->vertex = (vec3 *)(void *)at;
    h->normal = h->vertex + n_vertex;
    h->offset = (double *)(void *)(h->normal + n_face);
    h->first = (int32_t *)(void *)(h->offset + n_face);
    h->corner = h->first + n_face + 1;
    return h;
}

// Only the points that are corners, in their order.
static geom_hull *finish(const builder *b, const int32_t *corner, const int32_t *first, int n_face,
                         int32_t *number)
{
    int n_vertex = 0;
    for (int k = 0; k < b->n_point; k++) {
        number[k] = -1;
    }
    for (int k = 0; k < first[n_face]; k++) {
        number[corner[k]] = 0;
    }
    for (int k = 0; k < b->n_point; k++) {
        number[k] = number[k] == 0 ? n_vertex++ : -1;
    }
    geom_hull *h = reserve(n_vertex, n_face, first[n_face]);
    if (!h) {
        return NULL;
    }
    h->bounds = (geom_box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int k = 0; k < b->n_point; k++) {
        if (number[k] >= 0) {
            vec3 p = h->vertex[number[k]] = b->point[k], *low = &h->bounds.low, *high = &h->bounds.high;
            *low = (vec3){ fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z) };
            *high = (vec3){ fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z) };
        }
    }
    memcpy(h->first, first, ((size_t)n_face + 1) * sizeof *first);
    for (int k = 0; k < first[n_face]; k++) {
        h->corner[k] = number[corner[k]];
    }
    for (int f = 0; f < n_face; f++) {
        const int32_t *c = &h->corner[first[f]];
        h->normal[f] = polygon_normal(h->vertex, c, first[f + 1] - first[f]);
        h->offset[f] = -INFINITY;
        for (int k = 0; k < first[f + 1] - first[f]; k++) {
            h->offset[f] = fmax(h->offset[f], vec3_dot(h->normal[f], h->vertex[c[k]]));
        }
    }
    return h;
}

static face_list new_faces(size_t most)
{
    return (face_list){ malloc(most * sizeof(int32_t)), malloc((most + 1) * sizeof(int32_t)), 0 };
}

static geom_hull *join_all(builder *b)
{
    size_t most = 3 * (size_t)b->n_facet;
    face_list loops = new_faces(most), faces = new_faces(most);
    geom_hull *h = NULL;
    if (loops.corner && loops.first && faces.corner && faces.first) {
        loops.first[0] = 0;
        for (int f = 0; f < b->n_facet; f++) {
            b->facet[f].is_seen = false;
        }
        for (int f = 0; f < b->n_facet; f++) {
            if (!b->facet[f].is_gone) {
                int32_t from = loops.first[loops.n_face];
                loops.first[++loops.n_face] = from + join(b, f, &loops.corner[from]);
            }
        }
        drop_edge_points(b, &loops, b->next, &faces);
        h = finish(b, faces.corner, faces.first, faces.n_face, b->next);
    }
    free(loops.corner);
    free(loops.first);
    free(faces.corner);
    free(faces.first);
    return h;
}

static void free_builder(builder *b)
{
    free(b->facet);
    free(b->next);
    free(b->rim);
    free(b->stack);
    free(b->seen);
    free(b->made);
}

geom_hull *geom_hull_create(const vec3 *point, int n_point, const char **why)
{
    enum { FIRST = 64 };
    *why = NULL;
    if (n_point < 4) {
        *why = "has less than four points";
        return NULL;
    }
    for (int k = 0; k < n_point; k++) {
        if (!vec3_is_finite(point[k])) {
            *why = "has a coordinate that is not finite";
            return NULL;
        }
    }
    size_t n = (size_t)n_point;
    builder b = { .point = point,
                  .n_point = n_point,
                  .capacity = FIRST,
                  .facet = malloc(FIRST * sizeof(facet)),
                  .next = malloc(n * sizeof(int32_t)),
                  .made = malloc(n * sizeof(int32_t)),
                  .rim = malloc(3 * FIRST * sizeof(rim)),
                  .stack = malloc(3 * FIRST * sizeof(int32_t)),
                  .seen = malloc(FIRST * sizeof(int32_t)) };
    geom_hull *h = NULL;
    if (b.facet && b.next && b.made && b.rim && b.stack && b.seen) {
        int32_t four[4] = { 0, 0, 0, 0 };
        *why = first_four(&b, four);
        if (!*why) {
            make_first(&b, four);
            h = build(&b) ? join_all(&b) : NULL;
        }
        if (h && (h->n_vertex < 4 || h->n_face < 4)) {
            *why = "its points are too near to a plane for a hull";
            geom_hull_destroy(h);
            h = NULL;
        }
    }
    free_builder(&b);
    return h;
}

void geom_hull_destroy(geom_hull *hull)
{
    if (hull) {
        free(hull->memory);
        free(hull);
    }
}
