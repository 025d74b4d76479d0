// SPDX-License-Identifier: MIT
// Where a ray meets a shape first.
#include "geom/convex/hull.h"
#include "geom/field.h"
#include "geom/mesh.h"

static const geom_hit MISS = { false, INFINITY, { 0.0, 0.0, 1.0 } };

// Keeps the earlier of two crossings.
static void consider(geom_hit *hit, double t, double reach, vec3 normal)
{
    if (t >= 0.0 && t <= reach && t < hit->t) {
        *hit = (geom_hit){ true, t, normal };
    }
}

// Both roots of a t^2 + 2 b t + c = 0 without cancellation; false: none.
static bool roots_of(double a, double b, double c, double t[2])
{
    double under = b * b - a * c;
    if (!(under >= 0.0) || a == 0.0) {
        return false;
    }
    double q = -(b + copysign(sqrt(under), b));
    t[0] = q / a;
    t[1] = q != 0.0 ? c / q : t[0];
    return true;
}

static void ray_ball(vec3 centre, double radius, vec3 o, vec3 d, double reach, geom_hit *hit, double z_beyond)
{
    vec3 m = vec3_sub(o, centre);
    double t[2];
    if (!roots_of(vec3_dot(d, d), vec3_dot(m, d), vec3_dot(m, m) - radius * radius, t)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        vec3 n = vec3_normalized(vec3_add_scaled(m, t[k], d));
        // half a ball: only what lies beyond its middle
        if (z_beyond == 0.0 || n.z * z_beyond >= 0.0) {
            consider(hit, t[k], reach, n);
        }
    }
}

static void ray_tube(double radius, double half_length, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    double t[2];
    if (!roots_of(d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y, o.x * o.x + o.y * o.y - radius * radius, t)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        vec3 p = vec3_add_scaled(o, t[k], d);
        if (fabs(p.z) <= half_length) {
            consider(hit, t[k], reach, (vec3){ p.x / radius, p.y / radius, 0.0 });
        }
    }
}

static void ray_lids(double radius, double half_length, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    for (double sign = -1.0; sign <= 1.0 && d.z != 0.0; sign += 2.0) {
        double t = (sign * half_length - o.z) / d.z;
        vec3 p = vec3_add_scaled(o, t, d);
        if (p.x * p.x + p.y * p.y <= radius * radius) {
            consider(hit, t, reach, (vec3){ 0.0, 0.0, sign });
        }
    }
}

// The side of a cone: rho = slope (h - z), and the base.
static void ray_cone(double radius, double h, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    double slope = 0.5 * radius / h, k = slope * slope, up = h - o.z, t[2];
    double a = d.x * d.x + d.y * d.y - k * d.z * d.z, b = o.x * d.x + o.y * d.y + k * up * d.z,
           c = o.x * o.x + o.y * o.y - k * up * up;
    // along the side there is one root
    bool is_along = fabs(a) < 1e-14 * vec3_dot(d, d);
    t[0] = t[1] = is_along && b != 0.0 ? -0.5 * c / b : NAN;
    if (is_along || roots_of(a, b, c, t)) {
        for (int i = 0; i < 2; i++) {
            vec3 p = vec3_add_scaled(o, t[i], d);
            if (fabs(p.z) <= h) {
                consider(hit, t[i], reach, vec3_normalized((vec3){ p.x, p.y, k * (h - p.z) }));
            }
        }
    }
    if (d.z != 0.0) {
        double at = (-h - o.z) / d.z;
        vec3 p = vec3_add_scaled(o, at, d);
        if (p.x * p.x + p.y * p.y <= radius * radius) {
            consider(hit, at, reach, (vec3){ 0.0, 0.0, -1.0 });
        }
    }
}

static void ray_box(vec3 half, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    double h[3] = { half.x, half.y, half.z }, from[3] = { o.x, o.y, o.z }, by[3] = { d.x, d.y, d.z };
    for (int k = 0; k < 3; k++) {
        for (double sign = -1.0; sign <= 1.0 && by[k] != 0.0; sign += 2.0) {
            double t = (sign * h[k] - from[k]) / by[k];
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double n[3] = { 0.0, 0.0, 0.0 };
            n[k] = sign;
            if (fabs(from[i] + t * by[i]) <= h[i] && fabs(from[j] + t * by[j]) <= h[j]) {
                consider(hit, t, reach, (vec3){ n[0], n[1], n[2] });
            }
        }
    }
}

// Stretched to a ball of radius 1.
static void ray_ellipsoid(vec3 half, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    const vec3 zero = { 0.0, 0.0, 0.0 };
    ray_ball(zero, 1.0, (vec3){ o.x / half.x, o.y / half.y, o.z / half.z },
             (vec3){ d.x / half.x, d.y / half.y, d.z / half.z }, reach, hit, 0.0);
    vec3 n = hit->normal;
    hit->normal = vec3_normalized((vec3){ n.x / half.x, n.y / half.y, n.z / half.z });
}

// Goes on by the distance to the surface, which can never pass it.
static void ray_march(const geom_shape *s, vec3 o, vec3 d, double reach, geom_hit *hit)
{
    // grazing rays come closer slowly; a hit is what comes nearer than this part of the size
    const double close = 1e-12 * (s->ring + s->radius + s->half_width);
    double speed = vec3_norm(d), size = s->ring + s->radius + s->half_width;
    if (speed == 0.0) {
        return;
    }
    // start where the ball around the torus begins, end where it ends
    double t[2], m = vec3_dot(o, d), far;
    if (!roots_of(speed * speed, m, vec3_dot(o, o) - size * size, t)) {
        return;
    }
    far = fmin(reach, fmax(t[0], t[1]));
    double at = fmax(0.0, fmin(t[0], t[1]));
    for (int k = 0; k < 1000 && at <= far; k++) {
        geom_near near = geom_shape_near_local(s, vec3_add_scaled(o, at, d));
        if (fabs(near.distance) <= close) {
            consider(hit, at, reach, near.normal);
            return;
        }
        at += fabs(near.distance) / speed;
    }
}

geom_hit geom_shape_ray_local(const geom_shape *s, vec3 o, vec3 d, double reach)
{
    geom_hit hit = MISS;
    const vec3 zero = { 0.0, 0.0, 0.0 }, up = { 0.0, 0.0, s->half_length },
               down = { 0.0, 0.0, -s->half_length };
    switch (s->kind) {
    case GEOM_SPHERE: ray_ball(zero, s->radius, o, d, reach, &hit, 0.0); break;
    case GEOM_PLANE:
        if (d.z != 0.0) {
            consider(&hit, -o.z / d.z, reach, (vec3){ 0.0, 0.0, 1.0 });
        }
        break;
    case GEOM_BOX: ray_box(s->half, o, d, reach, &hit); break;
    case GEOM_CAPSULE:
        ray_tube(s->radius, s->half_length, o, d, reach, &hit);
        ray_ball(up, s->radius, o, d, reach, &hit, 1.0);
        ray_ball(down, s->radius, o, d, reach, &hit, -1.0);
        break;
    case GEOM_CYLINDER:
        ray_tube(s->radius, s->half_length, o, d, reach, &hit);
        ray_lids(s->radius, s->half_length, o, d, reach, &hit);
        break;
    case GEOM_TORUS: ray_march(s, o, d, reach, &hit); break;
    case GEOM_MESH: return geom_mesh_ray(s->mesh, o, d, reach);
    case GEOM_FIELD: return geom_field_ray(s->field, o, d, reach);
    case GEOM_CONE: ray_cone(s->radius, s->half_length, o, d, reach, &hit); break;
    case GEOM_HULL: return geom_hull_ray(s->hull, o, d, reach);
    case GEOM_ELLIPSOID: ray_ellipsoid(s->half, o, d, reach, &hit); break;
    }
    return hit;
}

geom_hit geom_shape_ray(const geom_shape *s, const geom_pose *pose, vec3 origin, vec3 direction, double reach)
{
    geom_hit hit = geom_shape_ray_local(s, geom_inside(pose, origin),
                                        mat3_apply_transposed(pose->rot, direction), reach);
    hit.normal = mat3_apply(pose->rot, hit.normal);
    return hit;
}
