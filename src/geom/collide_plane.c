// SPDX-License-Identifier: MIT
// Box, capsule, cylinder, torus and ellipsoid on a plane: their lowest points, closed forms.
#include "geom/collide.h"
#include "math/elementary.h"

// Points of A, in its axes, that may be below the plane; all of one region.
typedef struct {
    vec3 at[6];
    int count;
    double area; // of the patch
} lowest;

static const double PI = 3.14159265358979323846;

// Three points around z: towards the lower side, and a third of a turn to both sides.
static void add_thirds(vec3 down, double rho, double z, lowest *out)
{
    double across = sqrt(down.x * down.x + down.y * down.y);
    vec3 e = across > 1e-12 ? (vec3){ down.x / across, down.y / across, 0.0 } : (vec3){ 1.0, 0.0, 0.0 };
    const double half_root = 0.86602540378443864676;
    for (int k = 0; k < 3; k++) {
        double c = k == 0 ? 1.0 : -0.5, s = k == 0 ? 0.0 : k == 1 ? half_root : -half_root;
        out->at[out->count++] = (vec3){ rho * (c * e.x - s * e.y), rho * (s * e.x + c * e.y), z };
    }
}

// Area of the part of a disc with x <= limit.
static double disc_below(double radius, double limit)
{
    double x = fmin(fmax(limit / radius, -1.0), 1.0);
    return radius * radius * (0.5 * PI + math_asin(x) + x * sqrt(fmax(0.0, 1.0 - x * x)));
}

// Section of a cylinder by the plane: a strip of a disc, stretched, eq. (geometry.12). `height` of the middle.
static double cylinder_section(double radius, double half_length, vec3 down, double height)
{
    double slope = fabs(down.z), across = sqrt(down.x * down.x + down.y * down.y);
    if (slope < 1e-6) {
        return fabs(height) < radius ? 4.0 * half_length * sqrt(radius * radius - height * height) : 0.0;
    }
    if (across < 1e-12) {
        return PI * radius * radius;
    }
    // on the plane: height = x across + z slope
    double low = (height - half_length * slope) / across, high = (height + half_length * slope) / across;
    return (disc_below(radius, high) - disc_below(radius, low)) / slope;
}

// First order in the depth, eq. (geometry.12): an ellipse from the two curvatures at the lowest point.
static double torus_section(const geom_shape *s, vec3 down, double depth)
{
    double across = sqrt(down.x * down.x + down.y * down.y), a = s->half_width, b = s->radius;
    double den = sqrt(b * b * across * across + a * a * down.z * down.z);
    double out = s->ring + b * b * across / den;
    double section = a * a * b * b / (den * den * den), around = across > 0.0 ? out / across : INFINITY;
    // lying flat the patch closes to a ring
    double ring = 2.0 * PI * out * 2.0 * sqrt(2.0 * section * depth);
    return fmin(2.0 * PI * depth * sqrt(section * around), ring);
}

static lowest lowest_of_round(const geom_shape *s, vec3 down, double height)
{
    lowest l = { .count = 0 };
    vec3 far;
    if (s->kind == GEOM_CAPSULE) {
        for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
            vec3 end = { 0.0, 0.0, sign * s->half_length };
            l.at[l.count++] = vec3_add_scaled(end, s->radius, down);
            double depth = s->radius - height + vec3_dot(end, down);
            l.area += depth > 0.0 ? geom_cap_area(s->radius, depth) : 0.0;
        }
    } else if (s->kind == GEOM_CYLINDER) {
        add_thirds(down, s->radius, -s->half_length, &l);
        add_thirds(down, s->radius, s->half_length, &l);
        l.area = cylinder_section(s->radius, s->half_length, down, height);
    } else {
        geom_shape_support(s, down, &far);
        add_thirds(down, sqrt(far.x * far.x + far.y * far.y), far.z, &l);
        l.area = torus_section(s, down, fmax(0.0, vec3_dot(far, down) - height));
    }
    return l;
}

// Grows with the angle from -pi to pi, without the cost of one.
static double like_angle(double y, double x)
{
    double sum = fabs(x) + fabs(y), part = sum > 0.0 ? y / sum : 0.0;
    return x >= 0.0 ? part : y >= 0.0 ? 2.0 - part : -2.0 - part;
}

// The polygon in which a plane cuts a box: corners around their middle, in order of angle.
static double section_polygon(vec3 half, vec3 down, double height)
{
    vec3 cut[12], u = vec3_perpendicular(down), v = vec3_cross(down, u), middle = { 0.0, 0.0, 0.0 };
    double angle[12], area = 0.0;
    int n = 0;
    for (int k = 0; k < 12; k++) {
        // edge along axis k / 4, signs of the two others from k % 4
        double c[2][3], h[3] = { half.x, half.y, half.z };
        int i = k / 4, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int e = 0; e < 2; e++) {
            c[e][i] = e == 0 ? -h[i] : h[i];
            c[e][i1] = k & 1 ? h[i1] : -h[i1];
            c[e][i2] = k & 2 ? h[i2] : -h[i2];
        }
        vec3 p = { c[0][0], c[0][1], c[0][2] }, q = { c[1][0], c[1][1], c[1][2] };
        double zp = height - vec3_dot(p, down), zq = height - vec3_dot(q, down);
        if ((zp >= 0.0) != (zq >= 0.0)) {
            cut[n] = vec3_add_scaled(p, zp / (zp - zq), vec3_sub(q, p));
            middle = vec3_add(middle, cut[n++]);
        }
    }
    middle = vec3_scale(n > 0 ? 1.0 / n : 0.0, middle);
    for (int k = 0; k < n; k++) {
        vec3 d = vec3_sub(cut[k], middle), keep = cut[k];
        double here = like_angle(vec3_dot(d, v), vec3_dot(d, u));
        int i = k;
        for (; i > 0 && angle[i - 1] > here; i--) {
            angle[i] = angle[i - 1];
            cut[i] = cut[i - 1];
        }
        angle[i] = here;
        cut[i] = keep;
    }
    for (int k = 0; k < n; k++) {
        vec3 p = vec3_sub(cut[k], middle), q = vec3_sub(cut[(k + 1) % n], middle);
        area += 0.5 * vec3_dot(down, vec3_cross(p, q));
    }
    return fabs(area);
}

// Most often the plane cuts the four edges across a side, and the polygon is that side seen under an angle.
static double box_section(vec3 half, vec3 down, double height)
{
    double x = half.x * fabs(down.x), y = half.y * fabs(down.y), z = half.z * fabs(down.z), at = fabs(height);
    if (at + x + y < z) {
        return 4.0 * half.x * half.y / fabs(down.z);
    }
    if (at + y + z < x) {
        return 4.0 * half.y * half.z / fabs(down.x);
    }
    return at + z + x < y ? 4.0 * half.z * half.x / fabs(down.y) : section_polygon(half, down, height);
}

static bool is_odd(int k, int bit) { return ((k >> bit) & 1) != 0; }

// The corners of a box below the plane, `height` below its middle.
static void box_on_plane(geom_placed a, vec3 normal, vec3 down, double height, geom_contacts *out)
{
    vec3 half = a.shape->half, far = { half.x * down.x, half.y * down.y, half.z * down.z };
    if (fabs(far.x) + fabs(far.y) + fabs(far.z) < height) {
        return;
    }
    double depth[8];
    int below[8], n = 0;
    for (int k = 0; k < 8; k++) {
        depth[n] = (is_odd(k, 0) ? far.x : -far.x) + (is_odd(k, 1) ? far.y : -far.y) +
                   (is_odd(k, 2) ? far.z : -far.z) - height;
        below[n] = k;
        n += depth[n] > 0.0;
    }
    if (n == 0) {
        return;
    }
    double area = box_section(half, down, height) / n;
    for (int i = 0; i < n; i++) {
        int k = below[i];
        vec3 corner = { is_odd(k, 0) ? half.x : -half.x, is_odd(k, 1) ? half.y : -half.y,
                        is_odd(k, 2) ? half.z : -half.z };
        vec3 point = vec3_add_scaled(geom_outside(a.pose, corner), 0.5 * depth[i], normal);
        geom_add(out, geom_contact_make(point, normal, depth[i], area, out->n_region));
    }
    out->n_region++;
}

// The lowest point and the ellipse that the plane cuts out, both exact (geometry.13).
static void ellipsoid_on_plane(geom_placed a, vec3 normal, vec3 down, double height, geom_contacts *out)
{
    vec3 half = a.shape->half, low;
    geom_shape_support(a.shape, down, &low);
    double reach = vec3_dot(down, low), depth = reach - height;
    if (depth > 0.0) {
        vec3 point = vec3_add_scaled(geom_outside(a.pose, low), 0.5 * depth, normal);
        double area = geom_ellipsoid_section(half, reach, height);
        geom_add(out, geom_contact_make(point, normal, depth, area, out->n_region++));
    }
}

void geom_any_plane(geom_placed a, geom_placed b, geom_contacts *out)
{
    vec3 normal = b.pose->rot.col[2];
    double height = vec3_dot(normal, vec3_sub(a.pose->pos, b.pose->pos));
    vec3 down = mat3_apply_transposed(a.pose->rot, vec3_neg(normal));
    if (a.shape->kind == GEOM_BOX) {
        box_on_plane(a, normal, down, height, out);
        return;
    }
    if (a.shape->kind == GEOM_ELLIPSOID) {
        ellipsoid_on_plane(a, normal, down, height, out);
        return;
    }
    lowest l = lowest_of_round(a.shape, down, height);
    int n = 0;
    for (int k = 0; k < l.count; k++) {
        n += vec3_dot(down, l.at[k]) > height;
    }
    for (int k = 0; k < l.count; k++) {
        double depth = vec3_dot(down, l.at[k]) - height;
        if (depth > 0.0) {
            vec3 point = vec3_add_scaled(geom_outside(a.pose, l.at[k]), 0.5 * depth, normal);
            geom_add(out, geom_contact_make(point, normal, depth, l.area / n, out->n_region));
        }
    }
    out->n_region += n > 0;
}
