// SPDX-License-Identifier: MIT
// Box against box: separating axes, a normal that turns smoothly from one axis to the next, and the patch of the faces
// seen along it.
#include "geom/collide.h"
#include "geom/convex/shadow.h"

// axes that overlap by up to this part more than the least have a say in the normal, eq. (geometry.17)
static const double blend = 0.5;
// edges under a smaller angle than this sine count less and less: faces say the same better
static const double nearly_parallel = 0.1;
// faces under a smaller angle than this sine lie flat on each other: the edges between them say nothing new
static const double flat = 1e-3;

// B seen from A: axes c[i][j] = axis i of A . axis j of B, middle t.
typedef struct {
    double a[3], b[3]; // half sizes
    double c[3][3], size[3][3], t[3];
} boxes;

// Two edges that do not separate: a candidate for the normal.
typedef struct {
    int axis;       // 6 + 3 i + j: edge i of A and edge j of B
    double overlap; // m, over the weight
    double scale;   // makes a unit vector of the axis, from B to A
    double weight;  // 0 to 1
} candidate;

// Axes that do not separate.
typedef struct {
    double least; // overlap
    double overlap[6],
        scale[6]; // 0 to 2: faces of A, 3 to 5: faces of B; scale: 1 or -1, makes the axis go from B to A
    int count;
    candidate edge[9];
} candidates;

static void put(double to[3], vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void seen_from_a(const geom_placed *a, const geom_placed *b, boxes *out)
{
    put(out->a, a->shape->half);
    put(out->b, b->shape->half);
    put(out->t, geom_inside(a->pose, b->pose->pos));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->c[i][j] = vec3_dot(a->pose->rot.col[i], b->pose->rot.col[j]);
            out->size[i][j] = fabs(out->c[i][j]);
        }
    }
}

static int following(int k) { return k == 2 ? 0 : k + 1; }
static int preceding(int k) { return k == 0 ? 2 : k - 1; }

// The axis, in axes of A, of any length.
static vec3 axis_of(const boxes *s, int axis)
{
    double d[3] = { 0.0, 0.0, 0.0 };
    if (axis < 3) {
        d[axis] = 1.0;
    } else if (axis < 6) {
        return (vec3){ s->c[0][axis - 3], s->c[1][axis - 3], s->c[2][axis - 3] };
    } else {
        int i = (axis - 6) / 3, j = (axis - 6) % 3;
        d[following(i)] = -s->c[preceding(i)][j];
        d[preceding(i)] = s->c[following(i)][j];
    }
    return (vec3){ d[0], d[1], d[2] };
}

static void keep(candidates *all, candidate c)
{
    all->least = c.overlap < all->least ? c.overlap : all->least;
    all->edge[all->count++] = c;
}

enum { NONE = -1 };

// The three faces of each box; the one that separates, or NONE.
static int try_faces(const boxes *s, candidates *all)
{
    for (int i = 0; i < 3; i++) {
        double reach = s->a[i] + s->b[0] * s->size[i][0] + s->b[1] * s->size[i][1] + s->b[2] * s->size[i][2];
        double overlap = reach - fabs(s->t[i]);
        if (overlap <= 0.0) {
            return i;
        }
        all->overlap[i] = overlap;
        all->scale[i] = s->t[i] > 0.0 ? -1.0 : 1.0;
        all->least = overlap < all->least ? overlap : all->least;
    }
    for (int j = 0; j < 3; j++) {
        double reach = s->b[j] + s->a[0] * s->size[0][j] + s->a[1] * s->size[1][j] + s->a[2] * s->size[2][j];
        double apart = s->t[0] * s->c[0][j] + s->t[1] * s->c[1][j] + s->t[2] * s->c[2][j];
        double overlap = reach - fabs(apart);
        if (overlap <= 0.0) {
            return 3 + j;
        }
        all->overlap[3 + j] = overlap;
        all->scale[3 + j] = apart > 0.0 ? -1.0 : 1.0;
        all->least = overlap < all->least ? overlap : all->least;
    }
    return NONE;
}

static double smaller(double x, double y) { return x < y ? x : y; }

// Of the product of edge i of A and edge j of B; `square` is that of its length.
static double weight_of(const boxes *s, int i, int j, double square)
{
    double from_a = smaller(s->size[following(i)][j], s->size[preceding(i)][j]),
           from_b = smaller(s->size[i][following(j)], s->size[i][preceding(j)]);
    double askew = 1.0 - (1.0 - geom_shadow_share(from_a)) * (1.0 - geom_shadow_share(from_b)),
           most = nearly_parallel * nearly_parallel;
    return square < most ? askew * square / most : askew;
}

// Products of two edges. They are shorter than 1, so that what overlaps too much before the length is taken out does so
// after.
static int try_edges(const boxes *s, candidates *all)
{
    for (int i = 0; i < 3; i++) {
        int i1 = following(i), i2 = preceding(i);
        const double *size = s->size[i], *c1 = s->c[i1], *c2 = s->c[i2], *size1 = s->size[i1],
                     *size2 = s->size[i2];
        double a1 = s->a[i1], a2 = s->a[i2], t1 = s->t[i1], t2 = s->t[i2];
        const double reach_b[3] = { s->b[1] * size[2] + s->b[2] * size[1],
                                    s->b[2] * size[0] + s->b[0] * size[2],
                                    s->b[0] * size[1] + s->b[1] * size[0] };
        for (int j = 0; j < 3; j++) {
            double apart = t2 * c1[j] - t1 * c2[j],
                   overlap = a1 * size2[j] + a2 * size1[j] + reach_b[j] - fabs(apart);
            if (overlap > (1.0 + blend) * all->least) {
                continue;
            }
            double square = c1[j] * c1[j] + c2[j] * c2[j], weight = weight_of(s, i, j, square);
            if (weight == 0.0) {
                continue;
            }
            if (overlap <= 0.0) {
                return 6 + 3 * i + j;
            }
            double shorter = 1.0 / sqrt(square);
            keep(all, (candidate){ 6 + 3 * i + j, shorter * overlap / weight,
                                   apart > 0.0 ? -shorter : shorter, weight });
        }
    }
    return NONE;
}

// A face of each lies flat on the other, and all other overlaps are so large that no product of edges comes near: those
// of edges in the two faces have no weight, all others lie across. After try_faces.
static bool is_flat(const boxes *s, const candidates *all)
{
    int best = 0;
    for (int k = 1; k < 6; k++) {
        best = all->overlap[k] < all->overlap[best] ? k : best;
    }
    int i = best, j = best - 3;
    if (best < 3) {
        j = s->size[i][0] > 0.9 ? 0 : s->size[i][1] > 0.9 ? 1 : 2;
    } else {
        i = s->size[0][j] > 0.9 ? 0 : s->size[1][j] > 0.9 ? 1 : 2;
    }
    int i1 = following(i), i2 = preceding(i), j1 = following(j), j2 = preceding(j);
    if (s->size[i1][j] > flat || s->size[i2][j] > flat || s->size[i][j1] > flat || s->size[i][j2] > flat) {
        return false;
    }
    double enough =
        (1.0 + blend) * all->least + 2.0 * flat * (s->a[0] + s->a[1] + s->a[2] + s->b[0] + s->b[1] + s->b[2]);
    return all->overlap[i1] > enough && all->overlap[i2] > enough && all->overlap[3 + j1] > enough &&
           all->overlap[3 + j2] > enough;
}

// eq. (geometry.17); axes of A
static vec3 blended(const boxes *s, const candidates *all)
{
    vec3 n = { 0.0, 0.0, 0.0 };
    double most = (1.0 + blend) * all->least, scale = 1.0 / (blend * all->least);
    for (int k = 0; k < 6; k++) {
        if (all->overlap[k] < most) {
            double share = scale * (most - all->overlap[k]);
            n = vec3_add_scaled(n, all->scale[k] * share * share, axis_of(s, k));
        }
    }
    for (int k = 0; k < all->count; k++) {
        const candidate *c = &all->edge[k];
        if (c->overlap < most) {
            double share = scale * (most - c->overlap);
            n = vec3_add_scaled(n, c->scale * c->weight * share * share, axis_of(s, c->axis));
        }
    }
    return vec3_normalized(n);
}

// A box seen along the normal: its middle and half its edges, along x, y of the view and the normal.
typedef struct {
    double middle[3], edge[3][3], sine[3]; // sine: between a face and the normal
} seen_box;

typedef enum { LOWER_FACES = -1, UPPER_FACES = 1 } which_faces;

// The faces that look along the normal, or against it.
static int faces_of(const seen_box *s, which_faces which, geom_spot corner[3][4], geom_shadow face[3])
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        double share = geom_shadow_share(s->sine[k]);
        if (share == 0.0) {
            continue;
        }
        double sign = which * s->edge[k][2] > 0.0 ? 1.0 : -1.0;
        const double *p = s->edge[following(k)], *q = s->edge[preceding(k)];
        double det = p[0] * q[1] - p[1] * q[0];
        if (det < 0.0) {
            const double *swap = p;
            p = q;
            q = swap;
            det = -det;
        }
        double x = s->middle[0] + sign * s->edge[k][0], y = s->middle[1] + sign * s->edge[k][1];
        double sum_x = p[0] + q[0], sum_y = p[1] + q[1], dif_x = p[0] - q[0], dif_y = p[1] - q[1];
        geom_spot *at = corner[count];
        at[0] = (geom_spot){ x - sum_x, y - sum_y };
        at[1] = (geom_spot){ x + dif_x, y + dif_y };
        at[2] = (geom_spot){ x + sum_x, y + sum_y };
        at[3] = (geom_spot){ x - dif_x, y - dif_y };
        double wide = fabs(p[0]) + fabs(q[0]), tall = fabs(p[1]) + fabs(q[1]), scale = 1.0 / det;
        double slope_x = (p[2] * q[1] - q[2] * p[1]) * scale, slope_y = (q[2] * p[0] - p[2] * q[0]) * scale;
        double height = s->middle[2] + sign * s->edge[k][2] - slope_x * x - slope_y * y;
        face[count++] = (geom_shadow){
            4, at, height, slope_x, slope_y, share, { x - wide, y - tall }, { x + wide, y + tall }
        };
    }
    return count;
}

static double along(const double v[3], vec3 d) { return v[0] * d.x + v[1] * d.y + v[2] * d.z; }

// Both boxes along the normal, everything in axes of A.
static void see(const boxes *s, vec3 x, vec3 y, vec3 n, seen_box *a, seen_box *b)
{
    const double to[3][3] = { { x.x, y.x, n.x }, { x.y, y.y, n.y }, { x.z, y.z, n.z } };
    for (int k = 0; k < 3; k++) {
        const double axis[3] = { s->c[0][k], s->c[1][k], s->c[2][k] };
        a->middle[k] = 0.0;
        a->sine[k] = to[k][2];
        a->edge[k][0] = s->a[k] * to[k][0];
        a->edge[k][1] = s->a[k] * to[k][1];
        a->edge[k][2] = s->a[k] * to[k][2];
        b->sine[k] = along(axis, n);
        b->edge[k][0] = s->b[k] * along(axis, x);
        b->edge[k][1] = s->b[k] * along(axis, y);
        b->edge[k][2] = s->b[k] * b->sine[k];
    }
    b->middle[0] = along(s->t, x);
    b->middle[1] = along(s->t, y);
    b->middle[2] = along(s->t, n);
}

static void add_patch(const geom_placed *a, const boxes *s, vec3 n, geom_contacts *out)
{
    vec3 x, y;
    geom_across(n, &x, &y);
    seen_box seen_a, seen_b;
    see(s, x, y, n, &seen_a, &seen_b);
    geom_spot corner_a[3][4], corner_b[3][4];
    geom_shadow low[3], high[3];
    int n_low = faces_of(&seen_a, LOWER_FACES, corner_a, low),
        n_high = faces_of(&seen_b, UPPER_FACES, corner_b, high);
    geom_overlap sum = { .has_origin = false };
    for (int i = 0; i < n_low; i++) {
        for (int j = 0; j < n_high; j++) {
            geom_overlap_add(&low[i], &high[j], &sum);
        }
    }
    const mat3 *R = &a->pose->rot;
    geom_view view = { mat3_apply(*R, x), mat3_apply(*R, y), mat3_apply(*R, n), a->pose->pos };
    geom_contact c = geom_overlap_contact(&sum, &view, out->n_region);
    if (c.depth > 0.0) {
        geom_add(out, c);
        out->n_region++;
    }
}

void geom_box_box(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out)
{
    if (geom_are_apart(a.shape, a.pose, b.shape, b.pose, hint)) {
        return;
    }
    boxes s;
    candidates all;
    all.least = INFINITY;
    all.count = 0;
    seen_from_a(&a, &b, &s);
    int separating = try_faces(&s, &all);
    if (separating == NONE && !is_flat(&s, &all)) {
        separating = try_edges(&s, &all);
    }
    if (separating != NONE) {
        vec3 d = axis_of(&s, separating);
        hint->axis = along(s.t, d) < 0.0 ? vec3_neg(d) : d;
        return;
    }
    hint->axis = (vec3){ 0.0, 0.0, 0.0 };
    add_patch(&a, &s, blended(&s, &all), out);
}
