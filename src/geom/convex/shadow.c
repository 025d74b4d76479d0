// SPDX-License-Identifier: MIT
// Faces seen along a normal: cut in two dimensions, and summed up.
#include "geom/convex/shadow.h"

// A corner of the patch with the depth there.
typedef struct {
    double x, y, depth;
} corner;

// Without the call that fmax costs.
static double not_negative(double x) { return x > 0.0 ? x : 0.0; }

// What stays of a polygon where `side` is not negative; `side` is linear, given at its corners.
static int cut(const corner *from, const double *side, int n, corner *to)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        int next = k + 1 < n ? k + 1 : 0;
        bool is_in = side[k] >= 0.0;
        if (is_in) {
            to[count++] = from[k];
        }
        if (is_in != (side[next] >= 0.0)) {
            const corner *p = &from[k], *q = &from[next];
            double t = side[k] / (side[k] - side[next]);
            to[count++] = (corner){ p->x + t * (q->x - p->x), p->y + t * (q->y - p->y),
                                    p->depth + t * (q->depth - p->depth) };
        }
    }
    return count;
}

// The corners of the lower face with their depths below the upper plane; those above are cut off. Gives where the
// result is: polygon or other.
static corner *below_plane(const geom_shadow *low, const geom_shadow *high, corner *polygon, corner *other,
                           int *count)
{
    double side[SHADOW_CORNERS], height = high->height - low->height, slope_x = high->slope_x - low->slope_x,
                                 slope_y = high->slope_y - low->slope_y;
    int n_in = 0;
    for (int k = 0; k < low->n; k++) {
        double x = low->at[k].x, y = low->at[k].y;
        side[k] = height + slope_x * x + slope_y * y;
        polygon[k] = (corner){ x, y, side[k] };
        n_in += side[k] >= 0.0;
    }
    *count = n_in;
    if (n_in == 0 || n_in == low->n) {
        return polygon;
    }
    *count = cut(polygon, side, low->n, other);
    for (int k = 0; k < *count; k++) {
        // corners of the cut lie in the plane: a rounding must not lift them out
        other[k].depth = not_negative(other[k].depth);
    }
    return other;
}

// Cuts by the sides of the upper face. Gives where the result is: polygon or other.
static corner *within_sides(const geom_shadow *high, corner *polygon, corner *other, int *count)
{
    double side[2 * SHADOW_CORNERS];
    int n = *count;
    for (int e = 0; e < high->n && n > 0; e++) {
        const geom_spot *p = &high->at[e], *q = &high->at[e + 1 < high->n ? e + 1 : 0];
        double along_x = q->x - p->x, along_y = q->y - p->y;
        int n_in = 0;
        for (int k = 0; k < n; k++) {
            side[k] = along_x * (polygon[k].y - p->y) - along_y * (polygon[k].x - p->x);
            n_in += side[k] >= 0.0;
        }
        if (n_in < n) {
            n = n_in == 0 ? 0 : cut(polygon, side, n, other);
            corner *swap = polygon;
            polygon = other;
            other = swap;
        }
    }
    *count = n;
    return polygon;
}

// Triangles about the first corner, where x = y = 0; the depth is linear.
static geom_overlap sums_of(const corner *at, int n)
{
    double area = 0.0, mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, depth = 0.0, xd = 0.0, yd = 0.0;
    double x1 = at[1].x - at[0].x, y1 = at[1].y - at[0].y, most = 0.0;
    for (int k = 1; k + 1 < n; k++) {
        double x2 = at[k + 1].x - at[0].x, y2 = at[k + 1].y - at[0].y, d1 = at[k].depth, d2 = at[k + 1].depth;
        double part = x1 * y2 - x2 * y1, sx = x1 + x2, sy = y1 + y2, sd = at[0].depth + d1 + d2;
        area += part;
        mx += part * sx;
        my += part * sy;
        xx += part * (x1 * x1 + x2 * x2 + sx * sx);
        yy += part * (y1 * y1 + y2 * y2 + sy * sy);
        xy += part * (x1 * y1 + x2 * y2 + sx * sy);
        depth += part * sd;
        xd += part * (x1 * d1 + x2 * d2 + sx * sd);
        yd += part * (y1 * d1 + y2 * d2 + sy * sd);
        x1 = x2;
        y1 = y2;
    }
    for (int k = 0; k < n; k++) {
        most = at[k].depth > most ? at[k].depth : most;
    }
    const double half = 1.0 / 2.0, sixth = 1.0 / 6.0, part = 1.0 / 24.0;
    return (geom_overlap){ .origin = { at[0].x, at[0].y },
                           .area = half * area,
                           .x = sixth * mx,
                           .y = sixth * my,
                           .xx = part * xx,
                           .xy = part * xy,
                           .yy = part * yy,
                           .depth = sixth * depth,
                           .x_depth = part * xd,
                           .y_depth = part * yd,
                           .most = most };
}

// Adds sums with another origin, counted in part.
static void add_sums(const geom_overlap *p, double share, geom_overlap *sum)
{
    if (!sum->has_origin) {
        sum->has_origin = true;
        sum->origin = p->origin;
    }
    double dx = p->origin.x - sum->origin.x, dy = p->origin.y - sum->origin.y;
    sum->area += share * p->area;
    sum->x += share * (p->x + dx * p->area);
    sum->y += share * (p->y + dy * p->area);
    sum->xx += share * (p->xx + dx * (2.0 * p->x + dx * p->area));
    sum->yy += share * (p->yy + dy * (2.0 * p->y + dy * p->area));
    sum->xy += share * (p->xy + dx * p->y + dy * (p->x + dx * p->area));
    sum->depth += share * p->depth;
    sum->x_depth += share * (p->x_depth + dx * p->depth);
    sum->y_depth += share * (p->y_depth + dy * p->depth);
    sum->high += share * p->high;
    sum->most = p->most > sum->most ? p->most : sum->most;
}

static bool are_rectangles_apart(const geom_shadow *a, const geom_shadow *b)
{
    return a->least.x > b->most.x || b->least.x > a->most.x || a->least.y > b->most.y ||
           b->least.y > a->most.y;
}

void geom_overlap_add(const geom_shadow *low, const geom_shadow *high, geom_overlap *sum)
{
    if (are_rectangles_apart(low, high)) {
        return;
    }
    // every cut adds one corner at most
    corner first[2 * SHADOW_CORNERS + 1], second[2 * SHADOW_CORNERS + 1];
    int n;
    corner *below = below_plane(low, high, first, second, &n);
    const corner *patch = within_sides(high, below, below == first ? second : first, &n);
    if (n < 3) {
        return;
    }
    geom_overlap part = sums_of(patch, n);
    double height = high->height + high->slope_x * part.origin.x + high->slope_y * part.origin.y;
    part.high = height * part.area + high->slope_x * part.x + high->slope_y * part.y;
    add_sums(&part, low->share * high->share, sum);
}

geom_contact geom_overlap_contact(const geom_overlap *sum, const geom_view *view, int region)
{
    if (!(sum->area > 0.0)) {
        return (geom_contact){ .normal = view->normal };
    }
    double scale = 1.0 / sum->area, x = sum->x * scale, y = sum->y * scale, mean = sum->depth * scale;
    double xx = not_negative(sum->xx * scale - x * x), yy = not_negative(sum->yy * scale - y * y),
           xy = sum->xy * scale - x * y;
    // the slope that fits best; a patch that is all but a line has none across
    double trifle = 1e-14 * (xx + yy), dx = sum->x_depth * scale - x * mean,
           dy = sum->y_depth * scale - y * mean;
    double det = (xx + trifle) * (yy + trifle) - xy * xy;
    double slope_x = det > 0.0 ? ((yy + trifle) * dx - xy * dy) / det : 0.0,
           slope_y = det > 0.0 ? ((xx + trifle) * dy - xy * dx) / det : 0.0;
    vec3 u = view->x, v = view->y, point = view->origin;
    point = vec3_add_scaled(point, sum->origin.x + x, u);
    point = vec3_add_scaled(point, sum->origin.y + y, v);
    point = vec3_add_scaled(point, sum->high * scale - 0.5 * mean, view->normal);
    return (geom_contact){ .point = point,
                           .normal = view->normal,
                           .depth = sum->most,
                           .area = sum->area,
                           .region = region,
                           .spread = { xx * u.x * u.x + yy * v.x * v.x + 2.0 * xy * u.x * v.x,
                                       xx * u.y * u.y + yy * v.y * v.y + 2.0 * xy * u.y * v.y,
                                       xx * u.z * u.z + yy * v.z * v.z + 2.0 * xy * u.z * v.z,
                                       xx * u.x * u.y + yy * v.x * v.y + xy * (u.x * v.y + u.y * v.x),
                                       xx * u.y * u.z + yy * v.y * v.z + xy * (u.y * v.z + u.z * v.y),
                                       xx * u.z * u.x + yy * v.z * v.x + xy * (u.z * v.x + u.x * v.z) },
                           .mean = mean,
                           .slope = vec3_add(vec3_scale(slope_x, u), vec3_scale(slope_y, v)) };
}
