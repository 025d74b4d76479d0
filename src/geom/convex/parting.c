// SPDX-License-Identifier: MIT
// The least way that parts two convex solids: the face nearest to the origin of a solid that grows inside the
// difference of both until it cannot grow there any more (expanding polytope).
#include "geom/convex/convex.h"

enum { MOST_CORNERS = 120, MOST_FACES = 2 * MOST_CORNERS, MOST_SIDES = 3 * MOST_FACES };

// of the size: what grows by less has reached the surface; what is higher by less is in a face
static const double grown = 1e-11, in_face = 1e-14;

typedef struct {
    int corner[3];
    vec3 normal;   // outwards, unit
    double offset; // of its plane; negative: the origin is still outside
} face;

typedef struct {
    int from, to;
} side;

typedef struct {
    geom_corner corner[MOST_CORNERS];
    face face[MOST_FACES];
    side side[MOST_SIDES]; // of faces that go
    int n_corner, n_face;
    double size;
} solid;

_Static_assert(sizeof(solid) + SPARE_LINE <= GEOM_PARTING_MOST, "room for what asks outside of steps");
size_t geom_parting_size(void) { return spare_size(1, sizeof(solid)); }

static geom_corner corner_along(const geom_core *a, const geom_core *b, vec3 d)
{
    vec3 p = geom_core_support(a, d), q = geom_core_support(b, vec3_neg(d));
    return (geom_corner){ vec3_sub(p, q), p, q };
}

static bool add_face(solid *s, int i, int j, int k)
{
    vec3 p = s->corner[i].w, n = vec3_cross(vec3_sub(s->corner[j].w, p), vec3_sub(s->corner[k].w, p));
    double length = vec3_norm(n);
    if (!(length > 0.0) || s->n_face >= MOST_FACES) {
        return false;
    }
    n = vec3_scale(1.0 / length, n);
    s->face[s->n_face++] = (face){ { i, j, k }, n, vec3_dot(n, p) };
    return true;
}

// The one of both farthest points along +-d that lies farther from `from`.
static geom_corner farther(const geom_core *a, const geom_core *b, vec3 d, vec3 from)
{
    geom_corner p = corner_along(a, b, d), q = corner_along(a, b, vec3_neg(d));
    return fabs(vec3_dot(d, vec3_sub(p.w, from))) >= fabs(vec3_dot(d, vec3_sub(q.w, from))) ? p : q;
}

// Four corners that span a volume. False: there is none.
static bool begin(const geom_core *a, const geom_core *b, vec3 start, solid *s)
{
    vec3 d = vec3_dot(start, start) > 0.0 ? vec3_normalized(start) : (vec3){ 0.0, 0.0, 1.0 };
    geom_corner *c = s->corner;
    c[0] = corner_along(a, b, vec3_neg(d));
    c[1] = corner_along(a, b, d);
    vec3 along = vec3_sub(c[1].w, c[0].w);
    s->size = vec3_norm(along);
    c[2] = farther(a, b, vec3_perpendicular(along), c[0].w);
    vec3 n = vec3_cross(along, vec3_sub(c[2].w, c[0].w));
    if (vec3_norm(n) <= in_face * s->size * s->size) {
        c[2] = farther(a, b, vec3_cross(vec3_normalized(along), vec3_perpendicular(along)), c[0].w);
        n = vec3_cross(along, vec3_sub(c[2].w, c[0].w));
    }
    n = vec3_normalized(n);
    c[3] = farther(a, b, n, c[0].w);
    double height = vec3_dot(n, vec3_sub(c[3].w, c[0].w));
    s->n_corner = 4;
    s->n_face = 0;
    int i = height > 0.0 ? 2 : 1, j = height > 0.0 ? 1 : 2;
    return fabs(height) > in_face * s->size && add_face(s, 0, i, j) && add_face(s, 0, j, 3) &&
           add_face(s, j, i, 3) && add_face(s, i, 0, 3);
}

static int nearest_face(const solid *s)
{
    int best = 0;
    for (int f = 1; f < s->n_face; f++) {
        best = s->face[f].offset < s->face[best].offset ? f : best;
    }
    return best;
}

// A side that is met both ways is between two faces that go.
static int cross_out(side *sides, int n, side one)
{
    for (int k = 0; k < n; k++) {
        if (sides[k].from == one.to && sides[k].to == one.from) {
            sides[k] = sides[n - 1];
            return n - 1;
        }
    }
    sides[n] = one;
    return n + 1;
}

// Takes a corner in. False: no room, or nothing but roundings.
static bool take_in(solid *s, const geom_corner *c)
{
    side *sides = s->side;
    int n_side = 0, keep = 0;
    for (int f = 0; f < s->n_face; f++) {
        const face *g = &s->face[f];
        if (vec3_dot(g->normal, c->w) - g->offset <= in_face * s->size) {
            s->face[keep++] = *g;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            n_side = cross_out(sides, n_side, (side){ g->corner[k], g->corner[(k + 1) % 3] });
        }
    }
    if (n_side < 3 || keep + n_side > MOST_FACES) {
        return false;
    }
    s->n_face = keep;
    s->corner[s->n_corner] = *c;
    for (int k = 0; k < n_side; k++) {
        if (!add_face(s, sides[k].from, sides[k].to, s->n_corner)) {
            return false;
        }
    }
    s->n_corner++;
    return true;
}

// The foot of the origin in the plane of the face, as points of both cores.
static geom_parting parting_of(const solid *s, const face *f)
{
    const geom_corner *p = &s->corner[f->corner[0]], *q = &s->corner[f->corner[1]],
                      *r = &s->corner[f->corner[2]];
    vec3 foot = vec3_scale(f->offset, f->normal);
    double sp = vec3_dot(f->normal, vec3_cross(vec3_sub(q->w, foot), vec3_sub(r->w, foot))),
           sq = vec3_dot(f->normal, vec3_cross(vec3_sub(r->w, foot), vec3_sub(p->w, foot))),
           sr = vec3_dot(f->normal, vec3_cross(vec3_sub(p->w, foot), vec3_sub(q->w, foot)));
    double scale = 1.0 / (sp + sq + sr);
    vec3 on_a = vec3_add(vec3_add(vec3_scale(sp * scale, p->a), vec3_scale(sq * scale, q->a)),
                         vec3_scale(sr * scale, r->a));
    return (geom_parting){ fmax(0.0, f->offset), vec3_neg(f->normal), on_a, vec3_sub(on_a, foot) };
}

// Grows from inside until it has reached the surface.
static geom_parting grow(const geom_core *a, const geom_core *b, vec3 start, solid *s)
{
    geom_parting out = { .depth = 0.0 };
    double least = INFINITY, most = -INFINITY;
    if (!begin(a, b, start, s)) {
        return out;
    }
    while (s->n_corner < MOST_CORNERS) {
        face near = s->face[nearest_face(s)];
        geom_corner next = corner_along(a, b, near.normal);
        // the way along any normal parts them; no way is shorter than the nearest face is far
        double way = vec3_dot(near.normal, next.w);
        // around the origin the solid only grows: otherwise roundings have torn it, and what is known is good enough
        if (most > 0.0 && near.offset < most - in_face * s->size) {
            break;
        }
        most = near.offset;
        if (way < least) {
            least = way;
            out = parting_of(s, &near);
            out.depth = fmax(0.0, way);
        }
        if (least - most <= grown * s->size || !take_in(s, &next)) {
            break;
        }
    }
    return out;
}

geom_parting geom_core_parting(const geom_core *a, const geom_core *b, vec3 start, spare *room)
{
    solid *s = SPARE_NEW(room, solid, 1);
    geom_parting out = grow(a, b, start, s);
    spare_give(room, s);
    return out;
}
