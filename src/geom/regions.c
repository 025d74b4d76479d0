// SPDX-License-Identifier: MIT
// From the pieces of the line in which two surfaces meet to regions, each with one contact, see geometry.md.
#include "geom/work.h"

enum { REGIONS = 256, MOST_PAIRS_OF_EDGES = 4096 };

void geom_work_take(geom_work *w, arena *memory, const geom_mesh *a, const geom_mesh *b, int n_piece)
{
    w->n_piece = n_piece;
    w->n_region = n_piece < REGIONS ? n_piece : REGIONS;
    w->n_vertex = b && b->n_vertex > a->n_vertex ? b->n_vertex : a->n_vertex;
    w->n_edge = b && b->n_edge > a->n_edge ? b->n_edge : a->n_edge;
    w->piece = ARENA_NEW(memory, geom_piece, n_piece);
    w->pierce = ARENA_NEW(memory, geom_pierce, 2 * n_piece);
    w->region = ARENA_NEW(memory, geom_region, w->n_region);
    geom_marks *side[2] = { &w->a, &w->b };
    for (int k = 0; k < 2; k++) {
        side[k]->piece = ARENA_NEW(memory, int32_t, w->n_vertex);
        side[k]->is_cut = ARENA_NEW(memory, int8_t, w->n_edge);
        side[k]->stack = ARENA_NEW(memory, int32_t, w->n_vertex);
        side[k]->outside = ARENA_NEW(memory, int32_t, w->n_vertex);
        side[k]->n_inside = side[k]->n_outside = 0;
    }
}

// ---- sorting the ends by edge and place ------------------------------------------------------------------------

static bool is_before(const geom_pierce *x, const geom_pierce *y)
{
    if (x->edge != y->edge) {
        return x->edge < y->edge;
    }
    if (x->t != y->t) {
        return x->t < y->t;
    }
    return x->other != y->other ? x->other < y->other : x->piece < y->piece;
}

static void sift(geom_pierce *heap, int root, int count)
{
    geom_pierce keep = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && is_before(&heap[child], &heap[child + 1]);
        if (!is_before(&keep, &heap[child])) {
            break;
        }
        heap[root] = heap[child];
    }
    heap[root] = keep;
}

// By a heap: no memory, and never slow.
static void sort_pierces(geom_pierce *all, int count)
{
    for (int k = count / 2 - 1; k >= 0; k--) {
        sift(all, k, count);
    }
    for (int k = count - 1; k > 0; k--) {
        geom_pierce keep = all[0];
        all[0] = all[k];
        all[k] = keep;
        sift(all, 0, k);
    }
}

// ---- what belongs together -------------------------------------------------------------------------------------

static int32_t root_of(geom_piece *piece, int32_t k)
{
    while (piece[k].parent != k) {
        piece[k].parent = piece[piece[k].parent].parent;
        k = piece[k].parent;
    }
    return k;
}

// The lower number represents, so that regions keep the order of their first pieces.
static void join(geom_piece *piece, int32_t i, int32_t k)
{
    i = root_of(piece, i);
    k = root_of(piece, k);
    piece[i > k ? i : k].parent = i > k ? k : i;
}

static void mark_vertex(geom_work *w, geom_marks *marks, int32_t vertex, bool is_inside, int32_t piece)
{
    int32_t *mark = &marks->piece[vertex];
    if (*mark == 0) {
        *mark = is_inside ? piece + 1 : -1;
        if (is_inside) {
            marks->stack[marks->n_inside++] = vertex;
        } else {
            marks->outside[marks->n_outside++] = vertex;
        }
    } else if (*mark > 0 && is_inside) {
        join(w->piece, *mark - 1, piece);
    }
}

// Ends on one edge, in order along it: equal ones, parts inside between two of them, and the state of its vertices.
static void join_along_edge(geom_work *w, const geom_mesh *m, geom_marks *marks, int32_t edge, int first,
                            int end)
{
    const geom_pierce *all = w->pierce;
    for (int k = first; k + 1 < end; k++) {
        bool is_same = all[k].other == all[k + 1].other;
        if (is_same || (all[k].enters == 1 && all[k + 1].enters == -1)) {
            join(w->piece, all[k].piece, all[k + 1].piece);
        }
    }
    marks->is_cut[edge] = 1;
    mark_vertex(w, marks, m->edge[edge][0], all[first].enters == -1, all[first].piece);
    mark_vertex(w, marks, m->edge[edge][1], all[end - 1].enters == 1, all[end - 1].piece);
}

// From the vertices known to be inside on along edges that nothing pierces.
static void flood(geom_work *w, const geom_mesh *m, geom_marks *marks)
{
    for (int n = 0; n < marks->n_inside; n++) {
        int32_t v = marks->stack[n];
        for (int f = m->fan[v]; f < m->fan[v + 1]; f++) {
            const int32_t *corner = m->triangle[m->fan_triangle[f]], *side = m->side[m->fan_triangle[f]];
            for (int k = 0; k < 3; k++) {
                int32_t from = corner[k], to = corner[(k + 1) % 3];
                if ((from == v || to == v) && !marks->is_cut[side[k]]) {
                    mark_vertex(w, marks, from == v ? to : from, true, marks->piece[v] - 1);
                }
            }
        }
    }
}

static void join_pieces(const geom_meeting *meet, geom_work *w, int n_piece)
{
    sort_pierces(w->pierce, 2 * n_piece);
    for (int k = 0, next; k < 2 * n_piece; k = next) {
        int32_t edge = w->pierce[k].edge;
        for (next = k + 1; next < 2 * n_piece && w->pierce[next].edge == edge;) {
            next++;
        }
        bool is_a = edge < meet->a->n_edge;
        join_along_edge(w, is_a ? meet->a : meet->b, is_a ? &w->a : &w->b,
                        is_a ? edge : edge - meet->a->n_edge, k, next);
    }
    flood(w, meet->a, &w->a);
    if (meet->b) {
        flood(w, meet->b, &w->b);
    }
}

static void clean_marks(geom_marks *marks)
{
    for (int k = 0; k < marks->n_inside; k++) {
        marks->piece[marks->stack[k]] = 0;
    }
    for (int k = 0; k < marks->n_outside; k++) {
        marks->piece[marks->outside[k]] = 0;
    }
    marks->n_inside = marks->n_outside = 0;
}

static void clean(const geom_meeting *meet, geom_work *w, int n_piece)
{
    clean_marks(&w->a);
    clean_marks(&w->b);
    for (int k = 0; k < 2 * n_piece; k++) {
        int32_t edge = w->pierce[k].edge;
        bool is_a = edge < meet->a->n_edge;
        (is_a ? w->a.is_cut : w->b.is_cut)[is_a ? edge : edge - meet->a->n_edge] = 0;
    }
}

// ---- sums over the line ----------------------------------------------------------------------------------------

// Numbers the regions; -1 for those beyond the capacity.
static int number_regions(geom_work *w, int n_piece, bool *is_full)
{
    int n = 0;
    for (int k = 0; k < n_piece; k++) {
        int32_t root = root_of(w->piece, k);
        if (root != k) {
            w->piece[k].region = w->piece[root].region;
        } else if (n < w->n_region) {
            w->region[n] =
                (geom_region){ .reference = w->piece[k].p, .low_a = INFINITY, .high_b = -INFINITY };
            w->piece[k].region = n++;
        } else {
            w->piece[k].region = -1;
            *is_full = true;
        }
    }
    return n;
}

// Vector areas, eq. (geometry.20).
static void sum_areas(geom_work *w, int n_piece)
{
    for (int k = 0; k < n_piece; k++) {
        const geom_piece *s = &w->piece[k];
        if (s->region >= 0) {
            geom_region *r = &w->region[s->region];
            vec3 part =
                vec3_scale(0.5, vec3_cross(vec3_sub(s->p, r->reference), vec3_sub(s->q, r->reference)));
            r->area = vec3_add(r->area, part);
            r->plain += vec3_norm(part);
        }
    }
}

static void find_normals(const geom_meeting *meet, geom_work *w, int n_region)
{
    // where the areas cancel (a rod through a plate) the line of the middles has to do
    const double cancelled = 1e-9;
    for (int k = 0; k < n_region; k++) {
        geom_region *r = &w->region[k];
        double size = vec3_norm(r->area);
        if (size > cancelled * r->plain) {
            r->normal = vec3_scale(-1.0 / size, r->area);
            continue;
        }
        vec3 apart = { 0.0, 0.0, 1.0 };
        if (meet->b) {
            vec3 a = vec3_scale(0.5, vec3_add(meet->a->bounds.low, meet->a->bounds.high));
            vec3 b = vec3_scale(0.5, vec3_add(meet->b->bounds.low, meet->b->bounds.high));
            apart = vec3_sub(geom_outside(&meet->pose, a), b);
        }
        r->normal = vec3_norm(apart) > 0.0 ? vec3_normalized(apart) : (vec3){ 0.0, 0.0, 1.0 };
    }
}

// Second moments of the triangle (reference, p, q) with the signed area `part`.
static void add_second(geom_region *r, double part, vec3 p, vec3 q)
{
    vec3 s = vec3_add(p, q);
    const double a[3] = { p.x, p.y, p.z }, b[3] = { q.x, q.y, q.z }, c[3] = { s.x, s.y, s.z };
    static const int row[6] = { 0, 1, 2, 0, 1, 2 }, column[6] = { 0, 1, 2, 1, 2, 0 };
    for (int k = 0; k < 6; k++) {
        int i = row[k], j = column[k];
        r->second[k] += part / 12.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
}

// Moments for the centre, eq. (geometry.21), and the extent of the line along the normal.
static void sum_moments(geom_work *w, int n_piece)
{
    for (int k = 0; k < n_piece; k++) {
        const geom_piece *s = &w->piece[k];
        if (s->region < 0) {
            continue;
        }
        geom_region *r = &w->region[s->region];
        vec3 p = vec3_sub(s->p, r->reference), q = vec3_sub(s->q, r->reference);
        double part = -0.5 * vec3_dot(r->normal, vec3_cross(p, q)), length = vec3_norm(vec3_sub(q, p));
        r->first = vec3_add_scaled(r->first, part / 3.0, vec3_add(p, q));
        add_second(r, part, p, q);
        r->length += length;
        r->height += 0.5 * length * vec3_dot(r->normal, vec3_add(p, q));
        double hp = vec3_dot(r->normal, s->p), hq = vec3_dot(r->normal, s->q);
        r->low_a = fmin(r->low_a, fmin(hp, hq));
        r->high_b = fmax(r->high_b, fmax(hp, hq));
    }
}

static vec3 centre_of(const geom_region *r)
{
    double area = vec3_norm(r->area), height = r->length > 0.0 ? r->height / r->length : 0.0;
    vec3 middle =
        area > 1e-9 * r->plain && area > 0.0 ? vec3_scale(1.0 / area, r->first) : (vec3){ 0.0, 0.0, 0.0 };
    // across the normal the centre of the area, along it that of the line
    middle = vec3_add_scaled(middle, height - vec3_dot(r->normal, middle), r->normal);
    return vec3_add(r->reference, middle);
}

// Mean of the products of distances from the centre of the area, from the moments about the reference.
static void spread_of(const geom_region *r, double spread[6])
{
    double area = vec3_norm(r->area);
    bool has_area = area > 1e-9 * r->plain && area > 0.0;
    vec3 m = has_area ? vec3_scale(1.0 / area, r->first) : (vec3){ 0.0, 0.0, 0.0 };
    const double c[3] = { m.x, m.y, m.z };
    static const int row[6] = { 0, 1, 2, 0, 1, 2 }, column[6] = { 0, 1, 2, 1, 2, 0 };
    for (int k = 0; k < 6; k++) {
        spread[k] = has_area ? r->second[k] / area - c[row[k]] * c[column[k]] : 0.0;
    }
}

// ---- depth -----------------------------------------------------------------------------------------------------

static geom_region *region_of_vertex(geom_work *w, const geom_marks *marks, int32_t vertex)
{
    int32_t region = w->piece[root_of(w->piece, marks->piece[vertex] - 1)].region;
    return region < 0 ? NULL : &w->region[region];
}

static void extend_by_vertices(const geom_meeting *meet, geom_work *w)
{
    for (int k = 0; k < w->a.n_inside; k++) {
        geom_region *r = region_of_vertex(w, &w->a, w->a.stack[k]);
        if (r) {
            vec3 at = geom_outside(&meet->pose, meet->a->vertex[w->a.stack[k]]);
            r->low_a = fmin(r->low_a, vec3_dot(r->normal, at));
        }
    }
    for (int k = 0; k < w->b.n_inside; k++) {
        geom_region *r = region_of_vertex(w, &w->b, w->b.stack[k]);
        if (r) {
            r->high_b = fmax(r->high_b, vec3_dot(r->normal, meet->b->vertex[w->b.stack[k]]));
        }
    }
}

// A vertex of one side inside the other: how far along the normal until it is out. Skipped when the extent of the
// region shows that it cannot be the deepest.
static void deepen(geom_region *r, const geom_mesh *other, vec3 from, vec3 direction, double bound,
                   vec3 centre)
{
    if (bound > r->depth) {
        // a trifle towards the middle: vertices in a common plane would run along a face
        vec3 aside = vec3_sub(centre, from);
        aside = vec3_add_scaled(aside, -vec3_dot(aside, direction), direction);
        from = vec3_add_scaled(from, 1e-11, aside);
        geom_hit hit = geom_mesh_ray(other, from, direction, bound * (1.0 + 1e-9));
        r->depth = hit.is_hit ? fmax(r->depth, hit.t) : r->depth;
    }
}

static void deepen_by_vertices(const geom_meeting *meet, geom_work *w)
{
    for (int k = 0; k < w->a.n_inside; k++) {
        geom_region *r = region_of_vertex(w, &w->a, w->a.stack[k]);
        if (r) {
            vec3 at = geom_outside(&meet->pose, meet->a->vertex[w->a.stack[k]]);
            deepen(r, meet->b, at, r->normal, r->high_b - vec3_dot(r->normal, at), centre_of(r));
        }
    }
    for (int k = 0; k < w->b.n_inside; k++) {
        geom_region *r = region_of_vertex(w, &w->b, w->b.stack[k]);
        if (r) {
            vec3 at = meet->b->vertex[w->b.stack[k]];
            vec3 down = mat3_apply_transposed(meet->pose.rot, vec3_neg(r->normal));
            deepen(r, meet->a, geom_inside(&meet->pose, at), down, vec3_dot(r->normal, at) - r->low_a,
                   geom_inside(&meet->pose, centre_of(r)));
        }
    }
}

// An edge of A and one of B that cross when seen along the normal: the gap between them there.
static void deepen_by_edges(const geom_meeting *meet, geom_region *r, const geom_pierce *x,
                            const geom_pierce *y)
{
    const int32_t *ea = meet->a->edge[x->edge], *eb = meet->b->edge[y->edge - meet->a->n_edge];
    vec3 a = geom_outside(&meet->pose, meet->a->vertex[ea[0]]), b = meet->b->vertex[eb[0]];
    vec3 u = vec3_sub(geom_outside(&meet->pose, meet->a->vertex[ea[1]]), a),
         v = vec3_sub(meet->b->vertex[eb[1]], b);
    vec3 d = vec3_sub(b, a), uv = vec3_cross(u, v);
    double det = vec3_dot(r->normal, uv);
    if (!(fabs(det) > 1e-9 * vec3_norm(u) * vec3_norm(v))) {
        return;
    }
    double s = vec3_dot(r->normal, vec3_cross(d, v)) / det, t = vec3_dot(r->normal, vec3_cross(d, u)) / det;
    // on the part inside, as far as this end tells
    bool is_in = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 && (x->enters == 1 ? s >= x->t : s <= x->t) &&
                 (y->enters == 1 ? t >= y->t : t <= y->t);
    double gap = vec3_dot(r->normal, vec3_add(d, vec3_sub(vec3_scale(t, v), vec3_scale(s, u))));
    if (is_in && gap <= r->high_b - r->low_a) {
        r->depth = fmax(r->depth, gap);
    }
}

static void deepen_by_all_edges(const geom_meeting *meet, geom_work *w, int n_piece)
{
    int n_a = 0;
    for (int k = 0; k < 2 * n_piece; k++) {
        int32_t region = w->piece[w->pierce[k].piece].region;
        bool is_a = w->pierce[k].edge < meet->a->n_edge;
        n_a += is_a;
        if (region >= 0) {
            w->region[region].n_end_a += is_a;
            w->region[region].n_end_b += !is_a;
        }
    }
    // ends are sorted by edge: those of A first; each stands there once for either triangle of its edge
    for (int i = 0; i < n_a; i++) {
        int32_t region = w->piece[w->pierce[i].piece].region;
        if (region < 0 ||
            (i > 0 && w->pierce[i].edge == w->pierce[i - 1].edge && w->pierce[i].t == w->pierce[i - 1].t)) {
            continue;
        }
        geom_region *r = &w->region[region];
        // fine meshes have vertices everywhere; the crossings of their edges add nothing
        if ((double)r->n_end_a * r->n_end_b > MOST_PAIRS_OF_EDGES) {
            continue;
        }
        for (int k = n_a; k < 2 * n_piece; k++) {
            if (w->piece[w->pierce[k].piece].region == region) {
                deepen_by_edges(meet, r, &w->pierce[i], &w->pierce[k]);
            }
        }
    }
}

static void deepen_below_plane(const geom_meeting *meet, geom_work *w)
{
    for (int k = 0; k < w->a.n_inside; k++) {
        geom_region *r = region_of_vertex(w, &w->a, w->a.stack[k]);
        if (r) {
            double z = geom_outside(&meet->pose, meet->a->vertex[w->a.stack[k]]).z;
            r->depth = fmax(r->depth, -z);
            r->low_a = fmin(r->low_a, z);
        }
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

void geom_measure_regions(const geom_meeting *meet, geom_work *w, int n_piece, geom_contacts *out)
{
    join_pieces(meet, w, n_piece);
    int n_region = number_regions(w, n_piece, &out->is_full);
    sum_areas(w, n_piece);
    find_normals(meet, w, n_region);
    for (int k = 0; k < n_region && !meet->b; k++) {
        w->region[k].normal = (vec3){ 0.0, 0.0, 1.0 };
    }
    sum_moments(w, n_piece);
    if (meet->b) {
        extend_by_vertices(meet, w);
        deepen_by_vertices(meet, w);
        deepen_by_all_edges(meet, w, n_piece);
    } else {
        deepen_below_plane(meet, w);
    }
    for (int k = 0; k < n_region; k++) {
        const geom_region *r = &w->region[k];
        if (out->count >= out->capacity) {
            out->is_full = true;
            break;
        }
        geom_contact c =
            geom_contact_make(centre_of(r), r->normal, r->depth, vec3_norm(r->area), out->n_region++);
        double height = vec3_dot(r->normal, c.point);
        spread_of(r, c.spread);
        c.below = fmax(0.0, height - r->low_a);
        c.above = fmax(0.0, r->high_b - height);
        out->item[out->count++] = c;
    }
    clean(meet, w, n_piece);
}
