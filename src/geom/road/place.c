// SPDX-License-Identifier: MIT
// Where a point lies along a road and beside it: the nearest piece of the reference line by a tree of boxes, then the
// foot on the curve by Newton's method, or the place between the lines that halve the corners of a polygon.
#include "geom/road/road.h"
#include "math/elementary.h"

enum { LEAF = 8 }; // pieces of the reference line in a box

// ---- boxes ------------------------------------------------------------------------------------------------------

int geom_road_box_count(int n_u, int *n_leaf)
{
    int n = 1;
    while (n * LEAF < n_u - 1) {
        n *= 2;
    }
    *n_leaf = n;
    return 2 * n - 1;
}

void geom_road_boxes(geom_road *r, road_box *box)
{
    // a heap: the boxes of box k are 2 k + 1 and 2 k + 2, leaves come last
    for (int k = r->n_box - 1; k >= 0; k--) {
        road_box *b = &box[k];
        *b = (road_box){ { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
        int leaf = k - (r->n_leaf - 1);
        for (int i = leaf * LEAF; leaf >= 0 && i <= (leaf + 1) * LEAF && i < r->n_u; i++) {
            for (int c = 0; c < 2; c++) {
                b->low[c] = fmin(b->low[c], r->line[i][c]);
                b->high[c] = fmax(b->high[c], r->line[i][c]);
            }
        }
        for (int s = 1; leaf < 0 && s <= 2; s++) {
            for (int c = 0; c < 2; c++) {
                b->low[c] = fmin(b->low[c], box[2 * k + s].low[c]);
                b->high[c] = fmax(b->high[c], box[2 * k + s].high[c]);
            }
        }
    }
    r->box = box;
}

static double box_distance(const road_box *b, const double at[2])
{
    double sum = 0.0;
    for (int c = 0; c < 2; c++) {
        double d = fmax(fmax(b->low[c] - at[c], at[c] - b->high[c]), 0.0);
        sum += d * d;
    }
    return sum;
}

typedef struct {
    int piece;
    double part, distance; // of the piece, 0 to 1; m2
} nearest;

static void try_piece(const geom_road *r, int i, const double at[2], nearest *best)
{
    const double *a = r->line[i], *b = r->line[i + 1];
    double d[2] = { b[0] - a[0], b[1] - a[1] }, p[2] = { at[0] - a[0], at[1] - a[1] };
    double t = fmin(fmax((d[0] * p[0] + d[1] * p[1]) / (d[0] * d[0] + d[1] * d[1]), 0.0), 1.0);
    double x = p[0] - t * d[0], y = p[1] - t * d[1], distance = x * x + y * y;
    if (distance < best->distance) {
        *best = (nearest){ i, t, distance };
    }
}

static nearest nearest_piece(const geom_road *r, const double at[2])
{
    enum { DEEP = 64 };
    nearest best = { 0, 0.0, INFINITY };
    int stack[DEEP], n = 0;
    stack[n++] = 0;
    while (n > 0) {
        int k = stack[--n], leaf = k - (r->n_leaf - 1);
        if (!(box_distance(&r->box[k], at) < best.distance)) {
            continue;
        }
        if (leaf >= 0) {
            for (int i = leaf * LEAF; i < (leaf + 1) * LEAF && i < r->n_u - 1; i++) {
                try_piece(r, i, at, &best);
            }
            continue;
        }
        int near = 2 * k + 1, far = 2 * k + 2;
        if (box_distance(&r->box[far], at) < box_distance(&r->box[near], at)) {
            near = 2 * k + 2;
            far = 2 * k + 1;
        }
        stack[n++] = far;
        stack[n++] = near;
    }
    return best;
}

// ---- a curve ----------------------------------------------------------------------------------------------------

// The curve and three derivatives with u, in x and y: between nodes the polynomial of fifth order that has value and two
// derivatives of both (geometry.28).
typedef struct {
    double at[2], d[2], dd[2], ddd[2];
} curve_point;

static curve_point curve_at(const geom_road *r, int i, double u)
{
    double h = r->u[i + 1] - r->u[i], t = (u - r->u[i]) / h;
    const double *a = r->line[i], *b = r->line[i + 1];
    curve_point p;
    for (int c = 0; c < 2; c++) {
        double v = h * a[2 + c], w = 0.5 * h * h * a[4 + c];
        // what is left at the far node for the powers 3, 4 and 5
        double e = b[c] - a[c] - v - w, f = h * b[2 + c] - v - 2.0 * w, g = h * h * b[4 + c] - 2.0 * w;
        double k3 = 10.0 * e - 4.0 * f + 0.5 * g, k4 = -15.0 * e + 7.0 * f - g,
               k5 = 6.0 * e - 3.0 * f + 0.5 * g;
        p.at[c] = a[c] + t * (v + t * (w + t * (k3 + t * (k4 + t * k5))));
        p.d[c] = (v + t * (2.0 * w + t * (3.0 * k3 + t * (4.0 * k4 + t * 5.0 * k5)))) / h;
        p.dd[c] = (2.0 * w + t * (6.0 * k3 + t * (12.0 * k4 + t * 20.0 * k5))) / (h * h);
        p.ddd[c] = (6.0 * k3 + t * (24.0 * k4 + t * 60.0 * k5)) / (h * h * h);
    }
    return p;
}

// Straight on beyond an end of the road.
static curve_point end_at(const geom_road *r, int node, double u)
{
    const double *a = r->line[node];
    double along = u - r->u[node];
    return (curve_point){
        { a[0] + along * a[2], a[1] + along * a[3] }, { a[2], a[3] }, { 0.0, 0.0 }, { 0.0, 0.0 }
    };
}

static double dot2(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

static curve_point line_at(const geom_road *r, double u, int *piece)
{
    int last = r->n_u - 1;
    if (u < r->u[0]) {
        return end_at(r, 0, u);
    }
    if (u > r->u[last]) {
        return end_at(r, last, u);
    }
    while (*piece < last - 1 && u > r->u[*piece + 1]) {
        ++*piece;
    }
    while (*piece > 0 && u < r->u[*piece]) {
        --*piece;
    }
    return curve_at(r, *piece, u);
}

// Derivatives of u and v with x and y, eq. (geometry.29).
static bool differentiate(const curve_point *p, const double off[2], road_place *out)
{
    double speed2 = dot2(p->d, p->d), speed = sqrt(speed2), D = speed2 - dot2(off, p->dd);
    if (!(D > 1e-3 * speed2)) {
        return false;
    }
    double grows = 3.0 * dot2(p->d, p->dd) - dot2(off, p->ddd);
    double turn = (p->d[0] * p->dd[1] - p->d[1] * p->dd[0]) / speed; // speed^2 times curvature
    static const int first[3] = { 0, 0, 1 }, second[3] = { 0, 1, 1 };
    out->dv[0] = -p->d[1] / speed;
    out->dv[1] = p->d[0] / speed;
    for (int k = 0; k < 2; k++) {
        out->du[k] = p->d[k] / D;
    }
    for (int k = 0; k < 3; k++) {
        int i = first[k], j = second[k];
        out->ddu[k] =
            (p->dd[i] * p->d[j] + p->d[i] * p->dd[j]) / (D * D) - grows * p->d[i] * p->d[j] / (D * D * D);
        out->ddv[k] = -turn * p->d[i] * p->d[j] / (speed2 * D);
    }
    return true;
}

static bool place_on_curve(const geom_road *r, const double at[2], road_place *out)
{
    enum { PASSES = 20 };
    nearest best = nearest_piece(r, at);
    int piece = best.piece;
    double length = r->u[piece + 1] - r->u[piece], u = r->u[piece] + best.part * length;
    bool is_end = (piece == 0 && best.part == 0.0) || (piece == r->n_u - 2 && best.part == 1.0);
    curve_point p = line_at(r, u, &piece);
    for (int k = 0; k < PASSES; k++) {
        double off[2] = { at[0] - p.at[0], at[1] - p.at[1] };
        double D = dot2(p.d, p.d) - dot2(off, p.dd), step = dot2(off, p.d) / D;
        if (!(D > 1e-3 * dot2(p.d, p.d))) {
            return false;
        }
        // the end of the road is straight, however far the point is
        if (!is_end || fabs(step) < length) {
            step = fmin(fmax(step, -length), length);
        }
        u += step;
        p = line_at(r, u, &piece);
        if (fabs(step) <= 4e-16 * (1.0 + fabs(u))) {
            break;
        }
    }
    double off[2] = { at[0] - p.at[0], at[1] - p.at[1] };
    out->u = u;
    if (!differentiate(&p, off, out)) {
        return false;
    }
    out->v = dot2(off, out->dv);
    return true;
}

// ---- a polygon --------------------------------------------------------------------------------------------------

// Twice the direction of the line's normal at node i: of both pieces there, of one at the ends.
static void corner_at(const geom_road *r, int i, double out[2])
{
    int a = i > 0 ? i - 1 : 0, b = i < r->n_u - 1 ? i + 1 : i;
    out[0] = r->line[b][0] - r->line[a][0];
    out[1] = r->line[b][1] - r->line[a][1];
}

static double beyond_corner(const geom_road *r, int i, const double at[2])
{
    double n[2], off[2] = { at[0] - r->line[i][0], at[1] - r->line[i][1] };
    corner_at(r, i, n);
    return dot2(n, off);
}

static bool place_beyond(const geom_road *r, int node, const double at[2], road_place *out)
{
    curve_point p = end_at(r, node, r->u[node]);
    double off[2] = { at[0] - p.at[0], at[1] - p.at[1] };
    out->u = r->u[node] + dot2(off, p.d) / sqrt(dot2(p.d, p.d));
    bool is_there = differentiate(&p, off, out);
    out->v = dot2(off, out->dv);
    return is_there;
}

static bool place_on_polygon(const geom_road *r, const double at[2], road_place *out)
{
    int i = nearest_piece(r, at).piece, last = r->n_u - 2;
    while (i < last && beyond_corner(r, i + 1, at) > 0.0) {
        i++;
    }
    while (i > 0 && beyond_corner(r, i, at) < 0.0) {
        i--;
    }
    const double *a = r->line[i], *b = r->line[i + 1];
    double d[2] = { b[0] - a[0], b[1] - a[1] }, size = sqrt(dot2(d, d)), from[2], to[2];
    corner_at(r, i, from);
    corner_at(r, i + 1, to);
    double per_a = dot2(from, d), per_b = dot2(to, d);
    double s = beyond_corner(r, i, at) / per_a, e = -beyond_corner(r, i + 1, at) / per_b, both = s + e;
    double length = r->u[i + 1] - r->u[i];
    *out = (road_place){ .u = r->u[i] + length * s / both };
    if (out->u < r->u[0] || out->u > r->u[r->n_u - 1]) {
        return place_beyond(r, out->u < r->u[0] ? 0 : r->n_u - 1, at, out);
    }
    if (!(both > 0.0)) {
        return false;
    }
    out->v = (d[0] * (at[1] - a[1]) - d[1] * (at[0] - a[0])) / size;
    double by_s[2], by_both[2];
    for (int k = 0; k < 2; k++) {
        by_s[k] = from[k] / per_a;
        by_both[k] = by_s[k] - to[k] / per_b;
        out->du[k] = length * (by_s[k] * both - s * by_both[k]) / (both * both);
        out->dv[k] = k == 0 ? -d[1] / size : d[0] / size;
    }
    static const int first[3] = { 0, 0, 1 }, second[3] = { 0, 1, 1 };
    for (int k = 0; k < 3; k++) {
        int p = first[k], q = second[k];
        out->ddu[k] =
            length *
            (2.0 * s * by_both[p] * by_both[q] / both - by_s[p] * by_both[q] - by_both[p] * by_s[q]) /
            (both * both);
    }
    return true;
}

// ---- for others -------------------------------------------------------------------------------------------------

bool geom_road_place(const geom_road *r, double x, double y, road_place *out)
{
    const double at[2] = { x, y };
    *out = (road_place){ 0 };
    return r->is_smooth ? place_on_curve(r, at, out) : place_on_polygon(r, at, out);
}

void geom_road_point(const geom_road *r, double u, double v, double xy[2])
{
    int last = r->n_u - 1, piece = 0, high = last;
    if (!r->is_smooth && u >= r->u[0] && u <= r->u[last]) {
        while (high - piece > 1) {
            int middle = (piece + high) / 2;
            *(u < r->u[middle] ? &high : &piece) = middle;
        }
        const double *a = r->line[piece], *b = r->line[piece + 1];
        double d[2] = { b[0] - a[0], b[1] - a[1] }, size = sqrt(dot2(d, d)), n[2][2];
        double t = (u - r->u[piece]) / (r->u[piece + 1] - r->u[piece]);
        for (int k = 0; k < 2; k++) {
            corner_at(r, piece + k, n[k]);
            double along = dot2(n[k], d) / size;
            n[k][0] /= along;
            n[k][1] /= along;
        }
        // between the lines that halve the corners
        xy[0] = a[0] + t * d[0] - v * (n[0][1] + t * (n[1][1] - n[0][1]));
        xy[1] = a[1] + t * d[1] + v * (n[0][0] + t * (n[1][0] - n[0][0]));
        return;
    }
    while (high - piece > 1) {
        int middle = (piece + high) / 2;
        *(u < r->u[middle] ? &high : &piece) = middle;
    }
    curve_point p = line_at(r, u, &piece);
    double speed = sqrt(dot2(p.d, p.d));
    xy[0] = p.at[0] - v * p.d[1] / speed;
    xy[1] = p.at[1] + v * p.d[0] / speed;
}
