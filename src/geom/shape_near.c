// SPDX-License-Identifier: MIT
// Signed distance to a shape: nearest point of the surface and its normal.
#include "geom/convex/hull.h"
#include "geom/field.h"
#include "geom/mesh.h"

// The ball of the radius around `centre`.
static geom_near ball_near(vec3 centre, double radius, vec3 p, vec3 otherwise)
{
    vec3 d = vec3_sub(p, centre);
    double length = vec3_norm(d);
    vec3 n = length > 0.0 ? vec3_scale(1.0 / length, d) : otherwise;
    return (geom_near){ length - radius, vec3_add_scaled(centre, radius, n), n };
}

static geom_near box_near(vec3 half, vec3 p)
{
    double x[3] = { p.x, p.y, p.z }, h[3] = { half.x, half.y, half.z }, c[3], over = 0.0;
    int face = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = fmin(fmax(x[k], -h[k]), h[k]);
        over += (x[k] - c[k]) * (x[k] - c[k]);
        face = fabs(x[k]) - h[k] > fabs(x[face]) - h[face] ? k : face;
    }
    vec3 at = { c[0], c[1], c[2] };
    if (over > 0.0) {
        double d = sqrt(over);
        return (geom_near){ d, at, vec3_scale(1.0 / d, vec3_sub(p, at)) };
    }
    // inside: the nearest face
    double n[3] = { 0.0, 0.0, 0.0 };
    n[face] = copysign(1.0, x[face]);
    c[face] = n[face] * h[face];
    return (geom_near){ fabs(x[face]) - h[face], { c[0], c[1], c[2] }, { n[0], n[1], n[2] } };
}

// Bodies of revolution about z: the radial direction of p and its distance from the axis.
static vec3 radial_of(vec3 p, double *rho)
{
    *rho = sqrt(p.x * p.x + p.y * p.y);
    return *rho > 0.0 ? (vec3){ p.x / *rho, p.y / *rho, 0.0 } : (vec3){ 1.0, 0.0, 0.0 };
}

static vec3 on_meridian(vec3 radial, double rho, double z)
{
    return (vec3){ rho * radial.x, rho * radial.y, z };
}

static geom_near cylinder_near(double radius, double half_length, vec3 p)
{
    double rho;
    vec3 e = radial_of(p, &rho);
    double out = rho - radius, up = fabs(p.z) - half_length, sign = copysign(1.0, p.z);
    if (out > 0.0 && up > 0.0) {
        double d = sqrt(out * out + up * up);
        return (geom_near){ d, on_meridian(e, radius, sign * half_length),
                            on_meridian(e, out / d, sign * up / d) };
    }
    if (up > out) {
        return (geom_near){ up, { p.x, p.y, sign * half_length }, { 0.0, 0.0, sign } };
    }
    return (geom_near){ out, on_meridian(e, radius, p.z), e };
}

// The nearest place of a line from p to q of the meridian, and the square of the distance.
static double line_near(const double p[2], const double q[2], const double x[2], double at[2])
{
    double d[2] = { q[0] - p[0], q[1] - p[1] };
    double t = ((x[0] - p[0]) * d[0] + (x[1] - p[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    t = fmin(fmax(t, 0.0), 1.0);
    at[0] = p[0] + t * d[0];
    at[1] = p[1] + t * d[1];
    return (x[0] - at[0]) * (x[0] - at[0]) + (x[1] - at[1]) * (x[1] - at[1]);
}

static geom_near cone_near(double radius, double half_length, vec3 p)
{
    double rho;
    vec3 e = radial_of(p, &rho);
    // outward across the side
    double length = sqrt(radius * radius + 4.0 * half_length * half_length), out = 2.0 * half_length / length,
           up = radius / length;
    double side = (rho - radius) * out + (p.z + half_length) * up, base = -half_length - p.z;
    if (side <= 0.0 && base <= 0.0) {
        if (base > side) {
            return (geom_near){ base, { p.x, p.y, -half_length }, { 0.0, 0.0, -1.0 } };
        }
        return (geom_near){ side, on_meridian(e, rho - side * out, p.z - side * up),
                            on_meridian(e, out, up) };
    }
    const double rim[2] = { radius, -half_length }, tip[2] = { 0.0, half_length },
                 middle[2] = { 0.0, -half_length }, x[2] = { rho, p.z };
    double on_side[2], on_base[2], far_side = line_near(tip, rim, x, on_side),
                                   far_base = line_near(middle, rim, x, on_base);
    const double *at = far_side < far_base ? on_side : on_base;
    double d = sqrt(fmin(far_side, far_base));
    return (geom_near){ d, on_meridian(e, at[0], at[1]),
                        on_meridian(e, (rho - at[0]) / d, (p.z - at[1]) / d) };
}

double geom_ellipse_near(double a, double b, double u, double v, double point[2], double normal[2])
{
    // first quadrant, longer semi-axis first
    bool is_swapped = b > a;
    double e0 = is_swapped ? b : a, e1 = is_swapped ? a : b;
    double y0 = fabs(is_swapped ? v : u), y1 = fabs(is_swapped ? u : v), x0, x1;
    if (y1 > 0.0) {
        // eq. (geometry.3): convex and falling, so that Newton's steps from the left never pass the root
        double s = e1 * y1, gap = e0 * e0 - e1 * e1;
        for (int k = 0; k < 200; k++) {
            double r0 = e0 * y0 / (s + gap), r1 = e1 * y1 / s;
            double F = r0 * r0 + r1 * r1 - 1.0;
            double step = 0.5 * F / (r0 * r0 / (s + gap) + r1 * r1 / s);
            if (!(step > 1e-16 * s)) {
                break;
            }
            s += step;
        }
        x0 = e0 * e0 * y0 / (s + gap);
        x1 = e1 * e1 * y1 / s;
    } else if (e0 * y0 < e0 * e0 - e1 * e1) {
        x0 = e0 * e0 * y0 / (e0 * e0 - e1 * e1);
        x1 = e1 * sqrt(fmax(0.0, 1.0 - (x0 / e0) * (x0 / e0)));
    } else {
        x0 = e0;
        x1 = 0.0;
    }
    double n0 = x0 / (e0 * e0), n1 = x1 / (e1 * e1), n = sqrt(n0 * n0 + n1 * n1);
    double sign = y0 * y0 / (e0 * e0) + y1 * y1 / (e1 * e1) < 1.0 ? -1.0 : 1.0;
    double distance = sign * sqrt((y0 - x0) * (y0 - x0) + (y1 - x1) * (y1 - x1));
    point[0] = copysign(is_swapped ? x1 : x0, u);
    point[1] = copysign(is_swapped ? x0 : x1, v);
    normal[0] = copysign((is_swapped ? n1 : n0) / n, u);
    normal[1] = copysign((is_swapped ? n0 : n1) / n, v);
    return distance;
}

static geom_near torus_near(const geom_shape *s, vec3 p)
{
    double rho, at[2], n[2];
    vec3 e = radial_of(p, &rho);
    double d = geom_ellipse_near(s->radius, s->half_width, rho - s->ring, p.z, at, n);
    return (geom_near){ d, on_meridian(e, s->ring + at[0], at[1]), on_meridian(e, n[0], n[1]) };
}

// The root of (geometry.3) in three dimensions, less that of its pole: s = t + e[2]^2, e[2] the shortest semi-axis. From
// the left, where the sum is not below one, Newton's steps never pass the root.
static double ellipsoid_root(const double e[3], const double y[3])
{
    double longest = fmax(e[0], e[1]), all = 0.0, s = e[2] * y[2];
    for (int k = 0; k < 3; k++) {
        double gap = e[k] * e[k] - e[2] * e[2];
        all += e[k] * e[k] * y[k] * y[k];
        s = fmax(s, e[k] * y[k] - gap);
    }
    s = fmax(s, sqrt(all) - (longest * longest - e[2] * e[2]));
    for (int n = 0; n < 200; n++) {
        double sum = -1.0, fall = 0.0;
        for (int k = 0; k < 3; k++) {
            double den = s + e[k] * e[k] - e[2] * e[2], r = y[k] > 0.0 ? e[k] * y[k] / den : 0.0;
            sum += r * r;
            fall += r > 0.0 ? r * r / den : 0.0;
        }
        double step = 0.5 * sum / fall;
        if (!(step > 1e-16 * s)) {
            break;
        }
        s += step;
    }
    return s;
}

// Of a point of the plane across the shortest semi-axis: inside the evolute the nearest place lies above it.
static bool is_above_evolute(const double e[3], const double y[3], double x[3])
{
    double left = 1.0;
    for (int k = 0; k < 2; k++) {
        double gap = e[k] * e[k] - e[2] * e[2];
        if (y[2] > 0.0 || (y[k] > 0.0 && !(e[k] * y[k] < gap))) {
            return false;
        }
        x[k] = y[k] > 0.0 ? e[k] * e[k] * y[k] / gap : 0.0;
        left -= (x[k] / e[k]) * (x[k] / e[k]);
    }
    x[2] = e[2] * sqrt(fmax(0.0, left));
    return left >= 0.0;
}

// First octant, shortest semi-axis last.
static geom_near ellipsoid_near(vec3 half, vec3 p)
{
    const double h[3] = { half.x, half.y, half.z }, at[3] = { p.x, p.y, p.z };
    int last = h[2] <= h[0] && h[2] <= h[1] ? 2 : h[1] <= h[0] ? 1 : 0;
    const int order[3] = { (last + 1) % 3, (last + 2) % 3, last };
    double e[3], y[3], x[3], n[3], inside = 0.0, far = 0.0, c[3], normal[3];
    for (int k = 0; k < 3; k++) {
        e[k] = h[order[k]];
        y[k] = fabs(at[order[k]]) > 1e-15 * e[k] ? fabs(at[order[k]]) : 0.0; // less is lost beside the axes
        inside += (y[k] / e[k]) * (y[k] / e[k]);
    }
    if (!is_above_evolute(e, y, x)) {
        double s = ellipsoid_root(e, y);
        for (int k = 0; k < 3; k++) {
            double den = s + e[k] * e[k] - e[2] * e[2];
            x[k] = y[k] > 0.0 ? e[k] * e[k] * y[k] / den : 0.0;
        }
    }
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] / (e[k] * e[k]);
        far += (y[k] - x[k]) * (y[k] - x[k]);
        c[order[k]] = copysign(x[k], at[order[k]]);
        normal[order[k]] = copysign(n[k], at[order[k]]);
    }
    return (geom_near){ inside < 1.0 ? -sqrt(far) : sqrt(far),
                        { c[0], c[1], c[2] },
                        vec3_normalized((vec3){ normal[0], normal[1], normal[2] }) };
}

geom_near geom_shape_near_local(const geom_shape *s, vec3 p)
{
    const vec3 z = { 0.0, 0.0, 1.0 };
    switch (s->kind) {
    case GEOM_SPHERE: return ball_near((vec3){ 0.0, 0.0, 0.0 }, s->radius, p, z);
    case GEOM_PLANE: return (geom_near){ p.z, { p.x, p.y, 0.0 }, z };
    case GEOM_BOX: return box_near(s->half, p);
    case GEOM_CAPSULE: {
        vec3 axis = { 0.0, 0.0, fmin(fmax(p.z, -s->half_length), s->half_length) };
        return ball_near(axis, s->radius, p, (vec3){ 1.0, 0.0, 0.0 });
    }
    case GEOM_CYLINDER: return cylinder_near(s->radius, s->half_length, p);
    case GEOM_TORUS: return torus_near(s, p);
    case GEOM_MESH: return geom_mesh_near(s->mesh, p, INFINITY);
    case GEOM_FIELD: return geom_field_near(s->field, p, INFINITY);
    case GEOM_CONE: return cone_near(s->radius, s->half_length, p);
    case GEOM_HULL: return geom_hull_near(s->hull, p);
    case GEOM_ELLIPSOID: return ellipsoid_near(s->half, p);
    }
    return (geom_near){ INFINITY, p, z };
}

geom_near geom_shape_near(const geom_shape *s, const geom_pose *pose, vec3 point)
{
    geom_near near = geom_shape_near_local(s, geom_inside(pose, point));
    near.point = geom_outside(pose, near.point);
    near.normal = mat3_apply(pose->rot, near.normal);
    return near;
}
