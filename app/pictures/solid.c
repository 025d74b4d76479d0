// SPDX-License-Identifier: MIT
// Round surfaces are made of rings: a curve in a half plane, turned about z.
#include "pictures/solid.h"
#include <math.h>

enum { AROUND = 28, ALONG = 9 };
static const double pi = 3.14159265358979323846;

bi_vec3 solid_unit(bi_vec3 v)
{
    double l = sqrt(solid_dot(v, v));
    return l > 0.0 ? (bi_vec3){ v.x / l, v.y / l, v.z / l } : (bi_vec3){ 0, 0, 1 };
}

bi_vec3 solid_turn(bi_quat q, bi_vec3 v)
{
    bi_vec3 u = { q.x, q.y, q.z }, t = solid_cross(u, v);
    t = (bi_vec3){ 2.0 * t.x, 2.0 * t.y, 2.0 * t.z };
    return solid_plus(solid_plus(v, q.w, t), 1.0, solid_cross(u, t));
}

typedef struct {
    void (*found)(void *, const solid_triangle *);
    void *data;
} receiver;

static void give(const receiver *to, bi_vec3 a, bi_vec3 b, bi_vec3 c, bi_vec3 na, bi_vec3 nb, bi_vec3 nc)
{
    to->found(to->data, &(solid_triangle){ { a, b, c }, { na, nb, nc } });
}

static void give_flat(const receiver *to, bi_vec3 a, bi_vec3 b, bi_vec3 c)
{
    bi_vec3 n = solid_unit(solid_cross(solid_plus(b, -1.0, a), solid_plus(c, -1.0, a)));
    give(to, a, b, c, n, n, n);
}

static void give_box(const receiver *to, bi_vec3 size)
{
    // corners of each side, counter-clockwise from outside; bits are +x, +y, +z
    static const int side[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                    { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
    bi_vec3 at[8];
    for (int k = 0; k < 8; k++) {
        at[k] = (bi_vec3){ (k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                           (k & 4 ? 0.5 : -0.5) * size.z };
    }
    for (int k = 0; k < 6; k++) {
        give_flat(to, at[side[k][0]], at[side[k][1]], at[side[k][2]]);
        give_flat(to, at[side[k][0]], at[side[k][2]], at[side[k][3]]);
    }
}

// A point of the curve: distance from z, height, and the normal in that plane.
typedef struct {
    double r, z, nr, nz;
} profile;

static bi_vec3 around(double r, double z, double angle)
{
    return (bi_vec3){ r * cos(angle), r * sin(angle), z };
}

// Between two points of the curve that goes up outside.
static void give_ring(const receiver *to, profile a, profile b)
{
    for (int k = 0; k < AROUND; k++) {
        double u = 2.0 * pi * k / AROUND, w = 2.0 * pi * (k + 1) / AROUND;
        bi_vec3 p = around(a.r, a.z, u), q = around(a.r, a.z, w), r = around(b.r, b.z, w),
                s = around(b.r, b.z, u);
        if (a.r > 0.0) {
            give(to, p, q, r, around(a.nr, a.nz, u), around(a.nr, a.nz, w), around(b.nr, b.nz, w));
        }
        if (b.r > 0.0) {
            give(to, p, r, s, around(a.nr, a.nz, u), around(b.nr, b.nz, w), around(b.nr, b.nz, u));
        }
    }
}

// From angle to angle above the plane of the ring: ball, cap, section of a torus.
static void give_arc(const receiver *to, double ring, double r, double half_z, double z, double from,
                     double until)
{
    profile before = { 0 };
    for (int k = 0; k <= 2 * ALONG; k++) {
        double up = from + (until - from) * k / (2.0 * ALONG);
        bi_vec3 n = solid_unit((bi_vec3){ cos(up) * half_z, 0.0, sin(up) * r });
        profile here = { fmax(0.0, ring + r * cos(up)), z + half_z * sin(up), n.x, n.z };
        if (k > 0) {
            give_ring(to, before, here);
        }
        before = here;
    }
}

static void give_disc(const receiver *to, double r, double z, double up)
{
    profile middle = { 0.0, z, 0.0, up }, rim = { r, z, 0.0, up };
    give_ring(to, up > 0.0 ? rim : middle, up > 0.0 ? middle : rim);
}

static void give_ellipsoid(const receiver *to, bi_vec3 half)
{
    for (int i = 0; i < ALONG * 2; i++) {
        for (int k = 0; k < AROUND; k++) {
            bi_vec3 at[4], n[4];
            for (int c = 0; c < 4; c++) {
                double up = pi * (i + c / 2) / (2.0 * ALONG) - 0.5 * pi,
                       angle = 2.0 * pi * (k + (c == 1 || c == 2)) / AROUND;
                bi_vec3 unit = { cos(up) * cos(angle), cos(up) * sin(angle), sin(up) };
                at[c] = (bi_vec3){ half.x * unit.x, half.y * unit.y, half.z * unit.z };
                n[c] = solid_unit((bi_vec3){ unit.x / half.x, unit.y / half.y, unit.z / half.z });
            }
            give(to, at[0], at[1], at[2], n[0], n[1], n[2]);
            give(to, at[0], at[2], at[3], n[0], n[2], n[3]);
        }
    }
}

static void give_field(const receiver *to, const bi_shape_def *s)
{
    for (int j = 0; j + 1 < s->n_y; j++) {
        for (int i = 0; i + 1 < s->n_x; i++) {
            bi_vec3 at[4];
            for (int c = 0; c < 4; c++) {
                int x = i + (c == 1 || c == 2), y = j + c / 2;
                at[c] = (bi_vec3){ s->first_x + x * s->step_x, s->first_y + y * s->step_y,
                                   s->height[y * s->n_x + x] };
            }
            give_flat(to, at[0], at[1], at[2]);
            give_flat(to, at[0], at[2], at[3]);
        }
    }
}

static void give_cylinder(const receiver *to, double r, double half)
{
    give_ring(to, (profile){ r, -half, 1.0, 0.0 }, (profile){ r, half, 1.0, 0.0 });
    give_disc(to, r, -half, -1.0);
    give_disc(to, r, half, 1.0);
}

void solid_triangles(const bi_shape_def *s, double reach, void (*found)(void *, const solid_triangle *),
                     void *data)
{
    const receiver to = { found, data };
    double r = s->radius, half = 0.5 * s->length;
    switch (s->type) {
    case BI_SHAPE_BOX: give_box(&to, s->size); break;
    case BI_SHAPE_CYLINDER: give_cylinder(&to, r, half); break;
    case BI_SHAPE_CONE: {
        bi_vec3 n = solid_unit((bi_vec3){ s->length, 0.0, r });
        give_ring(&to, (profile){ r, -half, n.x, n.z }, (profile){ 0.0, half, n.x, n.z });
        give_disc(&to, r, -half, -1.0);
        break;
    }
    case BI_SHAPE_SPHERE: give_ellipsoid(&to, (bi_vec3){ r, r, r }); break;
    case BI_SHAPE_ELLIPSOID: give_ellipsoid(&to, s->half_axes); break;
    case BI_SHAPE_CAPSULE:
        give_arc(&to, 0.0, r, r, -half, -0.5 * pi, 0.0);
        give_ring(&to, (profile){ r, -half, 1.0, 0.0 }, (profile){ r, half, 1.0, 0.0 });
        give_arc(&to, 0.0, r, r, half, 0.0, 0.5 * pi);
        break;
    case BI_SHAPE_TORUS: give_arc(&to, s->ring, r, s->width > 0.0 ? 0.5 * s->width : r, 0.0, -pi, pi); break;
    // a road comes with the triangles in its place
    case BI_SHAPE_ROAD:
    case BI_SHAPE_MESH:
    case BI_SHAPE_HULL:
        for (int k = 0; s->triangle && k < s->n_triangle; k++) {
            give_flat(&to, s->vertex[s->triangle[k][0]], s->vertex[s->triangle[k][1]],
                      s->vertex[s->triangle[k][2]]);
        }
        break;
    case BI_SHAPE_FIELD: give_field(&to, s); break;
    case BI_SHAPE_PLANE: {
        const bi_vec3 at[] = {
            { -reach, -reach, 0 }, { reach, -reach, 0 }, { reach, reach, 0 }, { -reach, reach, 0 }
        };
        give_flat(&to, at[0], at[1], at[2]);
        give_flat(&to, at[0], at[2], at[3]);
        break;
    }
    }
}
