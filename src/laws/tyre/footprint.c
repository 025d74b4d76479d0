// SPDX-License-Identifier: MIT
#include "laws/tyre/footprint.h"
#include "math/elementary.h"

enum { SAMPLES = 65 };
static const double widest = 1.3; // rad, of the samples from the lowest point of the wheel

// Where the wheel is looked at: points of its lower half, evenly along the ground.
typedef struct {
    vec3 forward, down; // in the plane of the wheel
    double half, step;  // m
} footprint;

static footprint footprint_of(const tyre_shape *shape, vec3 e)
{
    static const vec3 up = { 0.0, 0.0, 1.0 };
    vec3 along = vec3_normalized(vec3_cross(e, up));
    double half = tyre_radius(shape) * math_sin(widest);
    return (footprint){ along, vec3_cross(e, along), half, 2.0 * half / (SAMPLES - 1) };
}

// What two samples with a straight line between them add to the integral of the squared depth, and its slopes (tyre.62).
static double strip(double a, double b, double length, double slope[2])
{
    slope[0] = slope[1] = 0.0;
    if (a <= 0.0 && b <= 0.0) {
        return 0.0;
    }
    if (a > 0.0 && b > 0.0) {
        slope[0] = length / 3.0 * (2.0 * a + b);
        slope[1] = length / 3.0 * (2.0 * b + a);
        return length / 3.0 * (a * a + a * b + b * b);
    }
    // only a part of it is below the ground
    double in = a > 0.0 ? a : b, out = a > 0.0 ? b : a, both = in - out,
           area = length * in * in * in / (3.0 * both);
    double by_in = length * in * in * (2.0 * in - 3.0 * out) / (3.0 * both * both), by_out = area / both;
    slope[0] = a > 0.0 ? by_in : by_out;
    slope[1] = a > 0.0 ? by_out : by_in;
    return area;
}

// Depths of all samples and how they change with the place of the wheel. False: no ground below the middle.
static bool depths_of(const smooth_ground *g, const footprint *f, const tyre_shape *shape,
                      const tyre_pose *at, double depth[SAMPLES], vec3 by_place[SAMPLES])
{
    double radius = tyre_radius(shape);
    // a line between samples cuts off a little of the round wheel
    double cut = f->step * f->step / (12.0 * radius);
    bool is_there = false;
    for (int i = 0; i < SAMPLES; i++) {
        surface_point s;
        double x = f->step * i - f->half, low = sqrt(radius * radius - x * x);
        vec3 p = vec3_add_scaled(vec3_add_scaled(at->centre, x, f->forward), low, f->down);
        depth[i] = -radius;
        by_place[i] = (vec3){ 0.0, 0.0, 0.0 };
        if (smooth_height(g, p.x, p.y, at->room, &s)) {
            depth[i] = s.f - p.z + cut;
            by_place[i] = (vec3){ s.fx, s.fy, -1.0 };
            is_there = true;
        }
    }
    return is_there;
}

bool envelope_under(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out)
{
    double depth[SAMPLES], sum = 0.0, highest = -INFINITY, radius = tyre_radius(shape);
    vec3 by_place[SAMPLES], gradient = { 0.0, 0.0, 0.0 };
    tyre_pose pose = smooth_pose(g, at);
    footprint f = footprint_of(shape, pose.axis);
    if (!depths_of(g, &f, shape, &pose, depth, by_place)) {
        return false;
    }
    for (int i = 0; i < SAMPLES; i++) {
        double slope[2];
        highest = fmax(highest, depth[i]);
        if (i > 0) {
            sum += strip(depth[i - 1], depth[i], f.step, slope);
            gradient = vec3_add_scaled(gradient, slope[0], by_place[i - 1]);
            gradient = vec3_add_scaled(gradient, slope[1], by_place[i]);
        }
    }
    // the depth on a plane whose springs would hold as much (tyre.63)
    static const double least = 1e-24;
    double all = 16.0 / 15.0 * sqrt(2.0 * radius), q = 0.0, effective = fmin(highest, 0.0), gain = 1.0;
    vec3 normal = { 0.0, 0.0, 1.0 };
    if (sum > least) {
        q = math_pow(sum / all, 0.4);
        effective = q * (1.0 + 3.0 / 70.0 * q / radius);
        gradient = vec3_scale((1.0 + 6.0 / 70.0 * q / radius) * 0.4 * q / sum, gradient);
        gain = vec3_norm(gradient);
        normal = vec3_scale(-1.0 / gain, gradient);
    }
    out->gain = gain;
    normal = smooth_outside(g, normal);
    // a plane into which the deepest point of the wheel goes that far
    tyre_ground level = { .point = at->centre, .normal = normal };
    tyre_patch p = patch_find(shape, &level, at);
    out->normal = normal;
    out->point = vec3_add_scaled(at->centre, effective - p.depth + p.by_growth * 0.5 * p.spin, normal);
    return true;
}
