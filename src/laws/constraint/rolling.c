// SPDX-License-Identifier: MIT
// A disc or torus rolls without slipping on a plane or a smooth surface (rolling.1 .. rolling.9): its point nearest to
// the ground touches it (position row) and has no velocity along it (two velocity rows).
#include "laws/constraint/constraint.h"
#include "math/elementary.h"
#include "state/surface.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    int frame, axes;              // of the disc's centre: dof, index of its axes
    vec3 axis;                    // body frame
    double ring, section, height; // radius of the circle that carries the rim, of the rim; of the plane
    vec3 normal, along[2];        // of the plane: normal and two directions in it
    surface ground;               // without code: the plane
    row_handle touch, slip;
    int scalar, memory; // angle of the contact point in the wheel, and its rate; the angle at the last commit
} rolling;

// ---- compile -------------------------------------------------------------------------------------------------------

static void compile_surface(plan *p, int element, const bi_rolling_def *d, rolling *out)
{
    out->ground = surface_compile(p, element, d->surface);
    if (vec3_norm(d->plane) > 0.0 || vec3_norm(d->normal) > 0.0) {
        plan_complain(p, element, "surface",
                      "cannot be given beside a plane: leave out 'plane' and 'normal'");
    }
}

static void rolling_compile(plan *p, int element, const void *def, void *item)
{
    const bi_rolling_def *d = def;
    const model_element *e = &p->model->element[element];
    vec3 normal = vec3_norm(d->normal) > 0.0 ? vec3_normalized(d->normal) : (vec3){ 0, 0, 1 };
    int m = plan_frame(p, d->body.i - 1, d->centre);
    rolling *out = item;
    *out = (rolling){ .frame = plan_dof(p, m),
                      .axes = p->marker[m].frame,
                      .axis = vec3_norm(d->axis) > 0.0 ? vec3_normalized(d->axis) : (vec3){ 0, 1, 0 },
                      .ring = d->radius - d->section,
                      .section = d->section,
                      .height = vec3_dot(normal, d->plane),
                      .normal = normal };
    if (d->section > d->radius) {
        plan_complain(p, element, "section",
                      "is larger than the radius: the rim of a wheel is at most a ball");
    }
    if (d->surface.i > 0) {
        compile_surface(p, element, d, out);
    }
    out->along[0] = vec3_perpendicular(normal);
    out->along[1] = vec3_cross(normal, out->along[0]);
    out->touch = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 1, &m, 1);
    out->slip = plan_rows(p, &(row_owner){ e->name, e->place, true, -1, element }, 2, &m, 1);
    out->scalar = plan_touch(p, element, out->touch.row);
    out->memory = plan_memory(p, 1);
}

// ---- the ground ----------------------------------------------------------------------------------------------------

// Normal and directions along the ground at a point of it, and how they change with x and y.
typedef struct {
    vec3 point, d_point[2];
    vec3 normal, d_normal[2];
    vec3 along[2], d_along[2][2]; // d_along[i][k]: of along[i] with x (k = 0), y (k = 1)
} ground_at;

// u = v / |v| changes by dv.
static vec3 unit_change(vec3 u, double length, vec3 dv)
{
    return vec3_scale(1.0 / length, vec3_add_scaled(dv, -vec3_dot(u, dv), u));
}

// The graph z = f(x, y) with exact first and second derivatives (rolling.6).
static ground_at graph_at(const rolling *r, double x, double y, jet *room)
{
    surface_point p = surface_at(&r->ground, x, y, room);
    double fx = p.fx, fy = p.fy, fxx = p.fxx, fyy = p.fyy, fxy = p.fxy;
    vec3 N = { -fx, -fy, 1.0 }, Nx = { -fxx, -fxy, 0.0 }, Ny = { -fxy, -fyy, 0.0 };
    double length = vec3_norm(N), slope = sqrt(1.0 + fx * fx);
    ground_at g = { .point = { x, y, p.f }, .d_point = { { 1.0, 0.0, fx }, { 0.0, 1.0, fy } } };
    g.normal = vec3_scale(1.0 / length, N);
    g.d_normal[0] = unit_change(g.normal, length, Nx);
    g.d_normal[1] = unit_change(g.normal, length, Ny);
    g.along[0] = vec3_scale(1.0 / slope, g.d_point[0]);
    g.along[1] = vec3_cross(g.normal, g.along[0]);
    const double fxk[2] = { fxx, fxy };
    for (int k = 0; k < 2; k++) {
        g.d_along[0][k] = unit_change(g.along[0], slope, (vec3){ 0.0, 0.0, fxk[k] });
        g.d_along[1][k] =
            vec3_add(vec3_cross(g.d_normal[k], g.along[0]), vec3_cross(g.normal, g.d_along[0][k]));
    }
    return g;
}

// ---- the point of contact ---------------------------------------------------------------------------------------------

typedef struct {
    double gap;        // between rim and ground, along the normal
    vec3 arm;          // from the centre to the point of contact
    vec3 arm_rate;     // its rate (not the velocity of a material point)
    vec3 side[3];      // normal, two directions along the ground
    vec3 side_rate[3]; // their rates
} contact_point;

// Unit direction from the centre away from the ground, in the plane of the disc: u = (n - (n.e) e) / |...| (rolling.1).
typedef struct {
    vec3 u, e;
    double cosine, sine; // of the angle between axis and normal
} outward;

static outward outward_of(vec3 e, vec3 n)
{
    outward o = { .e = e, .cosine = vec3_dot(n, e) };
    // a disc that lies flat has no lowest point: the sine is kept from zero
    o.sine = sqrt(fmax(1.0 - o.cosine * o.cosine, 1e-12));
    o.u = vec3_scale(1.0 / o.sine, vec3_add_scaled(n, -o.cosine, e));
    return o;
}

// How u changes when the normal changes by dn and the axis by de.
static vec3 outward_change(const outward *o, vec3 n, vec3 dn, vec3 de)
{
    double dc = vec3_dot(dn, o->e) + vec3_dot(n, de);
    vec3 across = vec3_sub(dn, vec3_add(vec3_scale(dc, o->e), vec3_scale(o->cosine, de)));
    return vec3_scale(1.0 / o->sine, vec3_add_scaled(across, o->cosine * dc / o->sine, o->u));
}

static contact_point plane_contact(const rolling *r, vec3 centre, vec3 e, vec3 e_rate)
{
    outward o = outward_of(e, r->normal);
    contact_point c = { .side = { r->normal, r->along[0], r->along[1] } };
    c.arm = vec3_add_scaled(vec3_scale(-r->ring, o.u), -r->section, r->normal);
    c.arm_rate = vec3_scale(-r->ring, outward_change(&o, r->normal, (vec3){ 0.0, 0.0, 0.0 }, e_rate));
    c.gap = vec3_dot(r->normal, vec3_add(centre, c.arm)) - r->height;
    return c;
}

// Columns of the derivative of s + ring u + (section + gap) n with x, y and the gap (rolling.7).
static mat3 contact_jacobian(const rolling *r, const ground_at *g, const outward *o, double gap)
{
    mat3 J = { { g->d_point[0], g->d_point[1], g->normal } };
    for (int k = 0; k < 2; k++) {
        vec3 du = outward_change(o, g->normal, g->d_normal[k], (vec3){ 0.0, 0.0, 0.0 });
        J.col[k] = vec3_add_scaled(J.col[k], r->ring, du);
        J.col[k] = vec3_add_scaled(J.col[k], r->section + gap, g->d_normal[k]);
    }
    return J;
}

// Newton from the point below the centre; a ground less curved than the disc converges in a few steps.
static contact_point surface_contact(const rolling *r, const law_in *in, vec3 e, vec3 e_rate)
{
    enum { ITERATIONS = 30 };
    static const vec3 up = { 0.0, 0.0, 1.0 }, none = { 0.0, 0.0, 0.0 };
    vec3 centre = tray_vec3(&in->at->value[r->frame]), velocity = tray_vec3(&in->at->rate[r->frame]);
    outward o = outward_of(e, up);
    double x = centre.x - r->ring * o.u.x, y = centre.y - r->ring * o.u.y, gap = 0.0;
    ground_at g = graph_at(r, x, y, in->u->room);
    mat3 inverse = mat3_identity();
    for (int k = 0; k < ITERATIONS; k++) {
        o = outward_of(e, g.normal);
        vec3 off = vec3_add_scaled(vec3_sub(g.point, centre), r->ring, o.u);
        off = vec3_add_scaled(off, r->section + gap, g.normal);
        if (!mat3_inverse(contact_jacobian(r, &g, &o, gap), &inverse)) {
            break;
        }
        vec3 step = mat3_apply(inverse, off);
        x -= step.x;
        y -= step.y;
        gap -= step.z;
        g = graph_at(r, x, y, in->u->room);
        // quadratic: a correction this small leaves rounding
        if (!(vec3_norm(step) > 1e-10 * (r->ring + r->section))) {
            break;
        }
    }
    o = outward_of(e, g.normal);
    contact_point c = { .gap = gap, .side = { g.normal, g.along[0], g.along[1] } };
    c.arm = vec3_add_scaled(vec3_scale(-r->ring, o.u), -r->section, g.normal);

    // rates of x, y and the gap (rolling.8), and of all that depends on them
    if (mat3_inverse(contact_jacobian(r, &g, &o, gap), &inverse)) {
        vec3 turning = outward_change(&o, g.normal, none, e_rate);
        vec3 rate = mat3_apply(inverse, vec3_add_scaled(velocity, -r->ring, turning));
        vec3 normal_rate = vec3_add(vec3_scale(rate.x, g.d_normal[0]), vec3_scale(rate.y, g.d_normal[1]));
        vec3 u_rate = outward_change(&o, g.normal, normal_rate, e_rate);
        c.arm_rate = vec3_add_scaled(vec3_scale(-r->ring, u_rate), -r->section, normal_rate);
        c.side_rate[0] = normal_rate;
        for (int i = 0; i < 2; i++) {
            c.side_rate[1 + i] =
                vec3_add(vec3_scale(rate.x, g.d_along[i][0]), vec3_scale(rate.y, g.d_along[i][1]));
        }
    }
    return c;
}

static contact_point contact(const rolling *r, const law_in *in)
{
    vec3 e = mat3_apply(in->at->axes[r->axes], r->axis);
    vec3 e_rate = vec3_cross(tray_vec3(&in->at->rate[r->frame + 3]), e);
    return r->ground.code ? surface_contact(r, in, e, e_rate)
                          : plane_contact(r, tray_vec3(&in->at->value[r->frame]), e, e_rate);
}

// ---- rows ------------------------------------------------------------------------------------------------------------

static void rolling_row(const rolling *r, const law_in *in, rows *out)
{
    contact_point c = contact(r, in);
    vec3 omega = tray_vec3(&in->at->rate[r->frame + 3]);
    vec3 velocity = vec3_add(tray_vec3(&in->at->rate[r->frame]), vec3_cross(omega, c.arm));
    if (in->want & LAW_POSITION) {
        // the gap; its gradient with rotation: the material point has the same normal velocity (rolling.2)
        double *g = &out->gradient[r->touch.gradient];
        out->phi[r->touch.row] = c.gap;
        tray_put(g, c.side[0]);
        tray_put(g + 3, vec3_cross(c.arm, c.side[0]));
        for (int i = 0; i < 2; i++) {
            double *b = &out->gradient[r->slip.gradient + 6 * i];
            out->phi[r->slip.row + i] = vec3_dot(c.side[1 + i], velocity);
            tray_put(b, c.side[1 + i]);
            tray_put(b + 3, vec3_cross(c.arm, c.side[1 + i]));
        }
    }
    if (in->want & LAW_SECOND) {
        // d/dt (side . (v + omega x arm)) with second rates zero (rolling.4, rolling.9)
        vec3 turn = vec3_cross(omega, c.arm_rate);
        const int row[3] = { r->touch.row, r->slip.row, r->slip.row + 1 };
        for (int i = 0; i < 3; i++) {
            out->gamma[row[i]] = vec3_dot(c.side[i], turn) + vec3_dot(c.side_rate[i], velocity);
        }
    }
}

static void rolling_rows(const void *items, int count, const law_in *in, rows *out)
{
    const rolling *item = items;
    for (int k = 0; k < count; k++) {
        rolling_row(&item[k], in, out);
    }
}

// Where the contact point is in the wheel: the angle about the axis from its reference direction, and its rate
// (rolling.13). Within half a turn of the angle at the last commit, so that it counts turns.
typedef struct {
    double angle, rate;
} contact_angle;

static contact_angle angle_of(const rolling *r, const law_in *in, double near)
{
    static const double turn = 6.283185307179586;
    contact_point c = contact(r, in);
    vec3 omega = tray_vec3(&in->at->rate[r->frame + 3]);
    // arm and its rate as the wheel sees them
    mat3 axes = in->at->axes[r->axes];
    vec3 arm = mat3_apply_transposed(axes, c.arm);
    vec3 rate = mat3_apply_transposed(axes, vec3_sub(c.arm_rate, vec3_cross(omega, c.arm)));
    vec3 along = vec3_perpendicular(r->axis), across = vec3_cross(r->axis, along);
    double x = vec3_dot(arm, along), y = vec3_dot(arm, across);
    double angle = math_atan2(y, x);
    angle += turn * floor((near - angle) / turn + 0.5);
    // a rounded rim does not touch where its circle is lowest
    double turning = x * vec3_dot(rate, across) - y * vec3_dot(rate, along);
    return (contact_angle){ angle, turning / fmax(x * x + y * y, 1e-300) };
}

static void rolling_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const rolling *item = items;
    for (int k = 0; k < count; k++) {
        contact_angle a = angle_of(&item[k], in, in->memory[item[k].memory]);
        out->load->scalar[item[k].scalar] = a.angle;
        out->load->scalar[item[k].scalar + 1] = a.rate;
    }
}

static void rolling_commit(const void *items, int count, const law_in *in, double *memory)
{
    const rolling *item = items;
    for (int k = 0; k < count; k++) {
        memory[item[k].memory] = angle_of(&item[k], in, memory[item[k].memory]).angle;
    }
}

static const bi_field fields[] = {
    { "body", BI_FIELD_BODY, offsetof(bi_rolling_def, body), NULL, BI_REQUIRED, "the rolling body" },
    { "centre", BI_FIELD_VEC3, offsetof(bi_rolling_def, centre), "m", 0, "centre of the disc, body frame" },
    { "axis", BI_FIELD_VEC3, offsetof(bi_rolling_def, axis), NULL, BI_DIRECTION,
      "axis of the disc, body frame (default y)" },
    { "radius", BI_FIELD_NUMBER, offsetof(bi_rolling_def, radius), "m", BI_REQUIRED | BI_POSITIVE,
      "outer radius" },
    { "section", BI_FIELD_NUMBER, offsetof(bi_rolling_def, section), "m", BI_NOT_NEGATIVE,
      "radius of the rounded rim: 0 a sharp disc (default), the outer radius a ball" },
    { "plane", BI_FIELD_VEC3, offsetof(bi_rolling_def, plane), "m", BI_GROUND_AXES,
      "a point of the plane, ground axes" },
    { "normal", BI_FIELD_VEC3, offsetof(bi_rolling_def, normal), NULL, BI_DIRECTION | BI_GROUND_AXES,
      "its normal, ground axes (default z)" },
    { "surface", BI_FIELD_EXPR, offsetof(bi_rolling_def, surface), NULL, BI_OWN_NAMES,
      "height of a smooth ground, an expression of x and y, instead of the plane" },
};
static const bi_kind schema = { "constraints", "rolling", sizeof(bi_rolling_def),
                                fields,        8,         "a disc or torus rolls without slipping" };
const law_kind rolling_kind = { &schema, sizeof(rolling), rolling_compile, rolling_eval, rolling_rows,
                                NULL,    rolling_commit };
