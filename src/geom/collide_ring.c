// SPDX-License-Identifier: MIT
// A torus with a round section is a ring of balls: what it does on a convex shape follows from distances along its ring
// (geometry.26).
#include "geom/collide.h"
#include "math/elementary.h"

enum { PIECES = 48 };
static const double turn = 6.28318530717958647693;

// The ball of the ring at the angle `phi`: its place against B, depth, and slope of the depth along the ring, m per rad.
typedef struct {
    vec3 centre;
    geom_near near;
    double depth, slope;
} ring_ball;

static ring_ball ball_at(geom_placed a, geom_placed b, double phi)
{
    double s, c, r = a.shape->ring;
    math_sincos(phi, &s, &c);
    ring_ball out = { .centre = geom_outside(a.pose, (vec3){ r * c, r * s, 0.0 }) };
    out.near = geom_shape_near(b.shape, b.pose, out.centre);
    out.depth = a.shape->radius - out.near.distance;
    out.slope = -vec3_dot(out.near.normal, mat3_apply(a.pose->rot, (vec3){ -r * s, r * c, 0.0 }));
    return out;
}

static void add_ball(geom_placed a, const ring_ball *ball, int n, geom_contacts *out)
{
    if (ball->depth > 0.0) {
        vec3 point = vec3_add_scaled(ball->centre, 0.5 * ball->depth - a.shape->radius, ball->near.normal);
        double area = geom_cap_area(a.shape->radius, ball->depth) / n;
        geom_add(out, geom_contact_make(point, ball->near.normal, ball->depth, area, out->n_region));
    }
}

// The deepest ball between two angles around one that is deeper than both.
static double deepest_between(geom_placed a, geom_placed b, double left, double right)
{
    for (int k = 0; k < 60 && right - left > 1e-15; k++) {
        double phi = 0.5 * (left + right);
        *(ball_at(a, b, phi).slope > 0.0 ? &left : &right) = phi;
    }
    return 0.5 * (left + right);
}

// The end of an arc between an angle inside and one outside.
static double end_between(geom_placed a, geom_placed b, double in, double out)
{
    for (int k = 0; k < 60 && fabs(out - in) > 1e-15; k++) {
        double phi = 0.5 * (in + out);
        *(ball_at(a, b, phi).depth > 0.0 ? &in : &out) = phi;
    }
    return 0.5 * (in + out);
}

// A part of the ring whose balls are inside, and its deepest one; rad.
typedef struct {
    double from, to, at;
} arc;

static void add_deepest(geom_placed a, geom_placed b, double at, geom_contacts *out)
{
    ring_ball deepest = ball_at(a, b, at);
    add_ball(a, &deepest, 1, out);
}

// After the deepest the three balls of an arc that carry the sum and the moment of a depth that is linear in the plane of the
// ring. A short arc whose middle is the deepest is one place: what rolls touches at one.
static void add_arc(geom_placed a, geom_placed b, arc x, geom_contacts *out)
{
    const double narrow = 0.5, flat = 0.75;
    double half = 0.5 * (x.to - x.from), middle = 0.5 * (x.from + x.to),
           mean = half > 1e-4 ? math_sin(half) / half : 1.0 - half * half / 6.0,
           by = math_acos(fmax(-0.5, fmin(1.0, 1.5 * mean - 0.5)));
    ring_ball ball[3] = { ball_at(a, b, middle), ball_at(a, b, middle - by), ball_at(a, b, middle + by) };
    double sum = ball[0].depth + ball[1].depth + ball[2].depth;
    bool is_narrow = half * a.shape->ring < narrow * a.shape->radius;
    add_deepest(a, b, x.at, out);
    if (!is_narrow || sum >= flat * 3.0 * ball_at(a, b, x.at).depth) {
        geom_mark_whole(out);
        for (int k = 0; k < 3; k++) {
            add_ball(a, &ball[k], 3, out);
        }
    }
    out->n_region++;
}

// The arc around the deepest ball of the piece k.
static arc arc_around(geom_placed a, geom_placed b, const double depth[PIECES], int k, double at)
{
    double step = turn / PIECES;
    int left = k - 1, right = k + 1;
    while (depth[(left + PIECES) % PIECES] > 0.0) {
        left--;
    }
    while (depth[right % PIECES] > 0.0) {
        right++;
    }
    return (arc){ end_between(a, b, fmin(at, (left + 1) * step), left * step),
                  end_between(a, b, fmax(at, (right - 1) * step), right * step), at };
}

// All arcs, of a ring that is not wholly inside.
static int find_arcs(geom_placed a, geom_placed b, const double depth[PIECES], arc found[PIECES])
{
    double step = turn / PIECES, done = -turn, last = turn;
    int n = 0;
    for (int k = 0; k < PIECES; k++) {
        double before = depth[(k + PIECES - 1) % PIECES], after = depth[(k + 1) % PIECES];
        bool is_hump = depth[k] > before && depth[k] >= after;
        if (!is_hump || k * step < done || k * step > last) {
            continue;
        }
        double at = deepest_between(a, b, (k - 1) * step, (k + 1) * step);
        if (ball_at(a, b, at).depth > 0.0) {
            found[n] = arc_around(a, b, depth, k, at);
            done = found[n].to;
            last = fmin(last, found[n].from + turn); // one that begins before the first angle ends the round
            n++;
        }
    }
    return n;
}

void geom_ring_convex(geom_placed a, geom_placed b, geom_contacts *out)
{
    double depth[PIECES], least = INFINITY, step = turn / PIECES;
    arc found[PIECES];
    int deep = 0;
    for (int k = 0; k < PIECES; k++) {
        depth[k] = ball_at(a, b, k * step).depth;
        least = fmin(least, depth[k]);
        deep = depth[k] > depth[deep] ? k : deep;
    }
    if (least > 0.0) { // all around: three balls that stay where they are
        double at = deepest_between(a, b, (deep - 1) * step, (deep + 1) * step);
        add_arc(a, b, (arc){ -0.5 * turn, 0.5 * turn, at }, out);
        return;
    }
    int n = find_arcs(a, b, depth, found);
    if (n == 1) {
        add_arc(a, b, found[0], out);
        return;
    }
    for (int k = 0; k < n; k++) {
        add_deepest(a, b, found[k].at, out);
        out->n_region++;
    }
}
