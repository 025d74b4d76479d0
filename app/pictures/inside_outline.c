// SPDX-License-Identifier: MIT
#include "pictures/inside_outline.h"
#include <math.h>
#include <stdlib.h>

enum { AROUND = 24 };
static const double pi = 3.14159265358979323846;

static bi_vec3 turned(bi_quat q, bi_vec3 v)
{
    bi_vec3 u = { q.x, q.y, q.z };
    bi_vec3 t = { 2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z), 2 * (u.x * v.y - u.y * v.x) };
    return (bi_vec3){ v.x + q.w * t.x + u.y * t.z - u.z * t.y, v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                      v.z + q.w * t.z + u.x * t.y - u.y * t.x };
}

bi_vec3 outline_place(bi_pose pose, bi_vec3 at)
{
    bool is_zero = pose.rot.w == 0.0 && pose.rot.x == 0.0 && pose.rot.y == 0.0 && pose.rot.z == 0.0;
    bi_vec3 r = is_zero ? at : turned(pose.rot, at);
    return (bi_vec3){ pose.pos.x + r.x, pose.pos.y + r.y, pose.pos.z + r.z };
}

static double dot(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

outline_spot outline_project(const outline_view *v, bi_vec3 p)
{
    return (outline_spot){ v->left + v->scale * dot(v->right, p), v->top - v->scale * dot(v->up, p) };
}

// ---- points whose hull is the outline ------------------------------------------------------------------------------

typedef struct {
    const outline_view *view;
    bi_pose body, own;
    outline *out;
} collector;

static void collect(collector *c, double x, double y, double z)
{
    bi_vec3 at = outline_place(c->body, outline_place(c->own, (bi_vec3){ x, y, z }));
    c->out->spot[c->out->count++] = outline_project(c->view, at);
}

static void collect_ring(collector *c, double radius, double z)
{
    for (int k = 0; k < AROUND; k++) {
        double angle = 2.0 * pi * k / AROUND;
        collect(c, radius * cos(angle), radius * sin(angle), z);
    }
}

// Rings from below to above.
static void collect_ball(collector *c, bi_vec3 half, double z)
{
    for (int i = 0; i <= AROUND / 2; i++) {
        double up = pi * i / (AROUND / 2.0) - 0.5 * pi;
        for (int k = 0; k < AROUND; k++) {
            double angle = 2.0 * pi * k / AROUND;
            collect(c, half.x * cos(up) * cos(angle), half.y * cos(up) * sin(angle), z + half.z * sin(up));
        }
    }
}

static int room_for(const bi_shape_def *s)
{
    int ball = (AROUND / 2 + 1) * AROUND;
    switch (s->type) {
    case BI_SHAPE_BOX: return 8;
    case BI_SHAPE_CYLINDER: return 2 * AROUND;
    case BI_SHAPE_CONE: return AROUND + 1;
    case BI_SHAPE_SPHERE:
    case BI_SHAPE_ELLIPSOID: return ball;
    case BI_SHAPE_CAPSULE: return 2 * ball;
    case BI_SHAPE_TORUS: return 3 * AROUND;
    case BI_SHAPE_MESH:
    case BI_SHAPE_HULL: return s->n_vertex;
    case BI_SHAPE_PLANE:
    case BI_SHAPE_ROAD:
    case BI_SHAPE_FIELD: return 0;
    }
    return 0;
}

static void collect_shape(collector *c, const bi_shape_def *s)
{
    double r = s->radius, half = 0.5 * s->length, width = s->width > 0.0 ? 0.5 * s->width : r;
    switch (s->type) {
    case BI_SHAPE_BOX:
        for (int k = 0; k < 8; k++) {
            collect(c, (k & 1 ? 0.5 : -0.5) * s->size.x, (k & 2 ? 0.5 : -0.5) * s->size.y,
                    (k & 4 ? 0.5 : -0.5) * s->size.z);
        }
        break;
    case BI_SHAPE_CYLINDER:
        collect_ring(c, r, -half);
        collect_ring(c, r, half);
        break;
    case BI_SHAPE_CONE:
        collect_ring(c, r, -half);
        collect(c, 0.0, 0.0, half);
        break;
    case BI_SHAPE_SPHERE: collect_ball(c, (bi_vec3){ r, r, r }, 0.0); break;
    case BI_SHAPE_ELLIPSOID: collect_ball(c, s->half_axes, 0.0); break;
    case BI_SHAPE_CAPSULE:
        collect_ball(c, (bi_vec3){ r, r, r }, -half);
        collect_ball(c, (bi_vec3){ r, r, r }, half);
        break;
    case BI_SHAPE_TORUS:
        collect_ring(c, s->ring + r, 0.0);
        collect_ring(c, s->ring, width);
        collect_ring(c, s->ring, -width);
        break;
    case BI_SHAPE_MESH:
    case BI_SHAPE_HULL:
        for (int k = 0; k < s->n_vertex; k++) {
            collect(c, s->vertex[k].x, s->vertex[k].y, s->vertex[k].z);
        }
        break;
    case BI_SHAPE_PLANE:
    case BI_SHAPE_ROAD:
    case BI_SHAPE_FIELD: break;
    }
}

// ---- their hull ------------------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const outline_spot *s = a, *t = b;
    return s->x != t->x ? (s->x < t->x ? -1 : 1) : (s->y > t->y) - (s->y < t->y);
}

static bool turns_left(outline_spot o, outline_spot a, outline_spot b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x) > 1e-9;
}

// Andrew's monotone chain: the lower half, then the upper one.
static int hull(const outline_spot *spot, int n, outline_spot *out)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        while (count >= 2 && !turns_left(out[count - 2], out[count - 1], spot[k])) {
            count--;
        }
        out[count++] = spot[k];
    }
    int lower = count + 1;
    for (int k = n - 2; k >= 0; k--) {
        while (count >= lower && !turns_left(out[count - 2], out[count - 1], spot[k])) {
            count--;
        }
        out[count++] = spot[k];
    }
    return count > 1 ? count - 1 : count;
}

bool outline_shape(const outline_view *view, bi_pose body, const bi_shape_def *s, outline *out)
{
    int room = room_for(s);
    outline all = { 0, room > 0 ? malloc((size_t)room * sizeof *all.spot) : NULL };
    out->spot = room > 0 ? malloc((2 * (size_t)room + 2) * sizeof *out->spot) : NULL;
    bool ok = all.spot && out->spot;
    if (ok) {
        collect_shape(&(collector){ view, body, s->pose, &all }, s);
        qsort(all.spot, (size_t)all.count, sizeof *all.spot, by_place);
        out->count = hull(all.spot, all.count, out->spot);
    }
    free(all.spot);
    return ok && out->count > 0;
}

outline_ellipse outline_ellipsoid(const outline_view *view, bi_pose body, bi_pose own, bi_vec3 half)
{
    const bi_vec3 axis[] = { { half.x, 0, 0 }, { 0, half.y, 0 }, { 0, 0, half.z } };
    bi_pose no_place[] = { { { 0, 0, 0 }, own.rot }, { { 0, 0, 0 }, body.rot } };
    double a = 0.0, b = 0.0, c = 0.0; // of the sum of the projected half axes, each times itself
    for (int k = 0; k < 3; k++) {
        bi_vec3 v = outline_place(no_place[1], outline_place(no_place[0], axis[k]));
        double x = view->scale * dot(view->right, v), y = -view->scale * dot(view->up, v);
        a += x * x;
        b += x * y;
        c += y * y;
    }
    double mean = 0.5 * (a + c), apart = hypot(0.5 * (a - c), b);
    return (outline_ellipse){ outline_project(view, outline_place(body, own.pos)), sqrt(mean + apart),
                              sqrt(fmax(0.0, mean - apart)), 90.0 / pi * atan2(2.0 * b, a - c) };
}
