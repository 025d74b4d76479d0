// SPDX-License-Identifier: MIT
// From a region to four points: the depth of two flat faces is linear over their patch, and four points at the root of
// its second moments carry the sum and the moments of any linear depth exactly, eq. (geometry.14).
#include "geom/mesh.h"
#include <string.h>

enum { MOST_CORNERS = 32 };

// A patch across its normal: middle, second moments along u and v, linear depth.
typedef struct {
    vec3 middle, normal, u, v;
    double area, uu, uv, vv; // m2; mean of products, m2
    double depth;            // at the middle
    double slope_u, slope_v;
    int region;
} patch;

// Directions across n that follow the axes of the shape B, so that the points do not wander.
static void lay_axes(patch *p, const geom_pose *pose_b)
{
    int best = 0;
    double least = 2.0;
    for (int k = 0; k < 3; k++) {
        double along = fabs(vec3_dot(pose_b->rot.col[k], p->normal));
        // the first of nearly equal ones: a trifle must not choose
        if (along < least - 1e-3) {
            least = along;
            best = k;
        }
    }
    vec3 u = pose_b->rot.col[best];
    p->u = vec3_normalized(vec3_add_scaled(u, -vec3_dot(u, p->normal), p->normal));
    p->v = vec3_cross(p->normal, p->u);
}

// The symmetric root of the second moments times (+-1, +-1): offsets of the four points.
static void offsets_of(const patch *p, double offset[4][2])
{
    double det = sqrt(fmax(0.0, p->uu * p->vv - p->uv * p->uv)), trace = p->uu + p->vv + 2.0 * det;
    double root = trace > 0.0 ? 1.0 / sqrt(trace) : 0.0;
    double uu = root * (p->uu + det), vv = root * (p->vv + det), uv = root * p->uv;
    static const double around[4][2] = { { 1.0, 1.0 }, { -1.0, 1.0 }, { -1.0, -1.0 }, { 1.0, -1.0 } };
    for (int k = 0; k < 4; k++) {
        offset[k][0] = uu * around[k][0] + uv * around[k][1];
        offset[k][1] = uv * around[k][0] + vv * around[k][1];
    }
}

// ---- polygons with a depth at each corner (boxes) --------------------------------------------------------------

static patch patch_of_polygon(const geom_contact *c, int n, const geom_pose *pose_b)
{
    patch p = { .normal = c[0].normal, .region = c[0].region };
    lay_axes(&p, pose_b);
    double x[MOST_CORNERS], y[MOST_CORNERS], d[MOST_CORNERS], area = 0.0, mx = 0.0, my = 0.0, md = 0.0;
    for (int k = 0; k < n; k++) {
        // across the normal; the points lie at half their depths
        vec3 at = vec3_sub(c[k].point, c[0].point);
        x[k] = vec3_dot(at, p.u);
        y[k] = vec3_dot(at, p.v);
        d[k] = c[k].depth;
    }
    double xx = 0.0, xy = 0.0, yy = 0.0, xd = 0.0, yd = 0.0;
    for (int k = 1; k + 1 < n; k++) {
        // triangles about corner 0, where x = y = 0
        double part = 0.5 * (x[k] * y[k + 1] - x[k + 1] * y[k]), sx = x[k] + x[k + 1], sy = y[k] + y[k + 1],
               sd = d[0] + d[k] + d[k + 1];
        area += part;
        mx += part / 3.0 * sx;
        my += part / 3.0 * sy;
        md += part / 3.0 * sd;
        xx += part / 12.0 * (x[k] * x[k] + x[k + 1] * x[k + 1] + sx * sx);
        xy += part / 12.0 * (x[k] * y[k] + x[k + 1] * y[k + 1] + sx * sy);
        yy += part / 12.0 * (y[k] * y[k] + y[k + 1] * y[k + 1] + sy * sy);
        xd += part / 12.0 * (x[k] * d[k] + x[k + 1] * d[k + 1] + sx * sd);
        yd += part / 12.0 * (y[k] * d[k] + y[k + 1] * d[k + 1] + sy * sd);
    }
    p.area = fabs(area);
    double scale = area != 0.0 ? 1.0 / area : 0.0;
    mx *= scale;
    my *= scale;
    p.depth = md * scale;
    p.uu = fmax(0.0, xx * scale - mx * mx);
    p.vv = fmax(0.0, yy * scale - my * my);
    p.uv = xy * scale - mx * my;
    // the slope from the moments of the depth: exact where it is linear
    double du = xd * scale - mx * p.depth, dv = yd * scale - my * p.depth, det = p.uu * p.vv - p.uv * p.uv;
    if (det > 1e-12 * p.uu * p.vv && det > 0.0) {
        p.slope_u = (p.vv * du - p.uv * dv) / det;
        p.slope_v = (p.uu * dv - p.uv * du) / det;
    }
    // height of the middle along the normal: the points at half depth, too, are linear over the patch
    double height = 0.0, weight = 0.0;
    for (int k = 0; k < n; k++) {
        height += vec3_dot(vec3_sub(c[k].point, c[0].point), p.normal);
        weight += 1.0;
    }
    p.middle = vec3_add_scaled(vec3_add_scaled(c[0].point, mx, p.u), my, p.v);
    p.middle = vec3_add_scaled(p.middle, height / weight, p.normal);
    return p;
}

// ---- regions of meshes: the depth by rays ----------------------------------------------------------------------

// Height of the surface over `from` on the way `direction`, both outside the shape's axes; NAN: none within reach.
static double surface_along(const geom_shape *s, const geom_pose *pose, vec3 from, vec3 direction,
                            double reach)
{
    if (s->kind == GEOM_PLANE) {
        double speed = vec3_dot(pose->rot.col[2], direction),
               apart = vec3_dot(pose->rot.col[2], vec3_sub(from, pose->pos));
        return speed != 0.0 ? -apart / speed : NAN;
    }
    geom_hit hit =
        geom_mesh_ray(s->mesh, geom_inside(pose, from), mat3_apply_transposed(pose->rot, direction), reach);
    return hit.is_hit ? hit.t : NAN;
}

typedef struct {
    const geom_shape *a, *b;
    const geom_pose *pose_a, *pose_b;
} pair;

// The depth at a place of the patch, and the middle of the overlap there; negative: none.
static double depth_at(const pair *s, const geom_contact *c, vec3 *at)
{
    double margin = 1e-6 * (c->below + c->above) + 1e-12, thick = c->below + c->above + 2.0 * margin;
    vec3 n = c->normal, top = vec3_add_scaled(*at, c->above + margin, n),
         bottom = vec3_add_scaled(*at, -c->below - margin, n);
    // down onto the surface of B, up onto the surface of A
    double down = surface_along(s->b, s->pose_b, top, vec3_neg(n), thick),
           up = surface_along(s->a, s->pose_a, bottom, n, thick);
    if (isnan(down) || isnan(up)) {
        return -1.0;
    }
    double high = c->above + margin - down, low = up - c->below - margin;
    *at = vec3_add_scaled(*at, 0.5 * (high + low), n);
    return high - low;
}

static int spread_mesh_region(const pair *s, geom_contact c, geom_contact out[4])
{
    patch p = { .middle = c.point, .normal = c.normal, .area = c.area };
    lay_axes(&p, s->pose_b);
    const double *m = c.spread;
    mat3 S = { { { m[0], m[3], m[5] }, { m[3], m[1], m[4] }, { m[5], m[4], m[2] } } };
    p.uu = fmax(0.0, vec3_dot(p.u, mat3_apply(S, p.u)));
    p.vv = fmax(0.0, vec3_dot(p.v, mat3_apply(S, p.v)));
    p.uv = vec3_dot(p.u, mat3_apply(S, p.v));
    double offset[4][2];
    offsets_of(&p, offset);
    int n = 0;
    for (int k = 0; k < 4; k++) {
        vec3 at = vec3_add_scaled(vec3_add_scaled(p.middle, offset[k][0], p.u), offset[k][1], p.v);
        double depth = depth_at(s, &c, &at);
        if (depth > 0.0) {
            out[n++] = geom_contact_make(at, c.normal, depth, 0.25 * c.area, c.region);
        }
    }
    // no surface found (a rod through a plate, a sharp tip): the region as it is
    if (n == 0) {
        out[n++] = geom_contact_make(c.point, c.normal, c.depth, c.area, c.region);
    }
    return n;
}

// ---- all of it -------------------------------------------------------------------------------------------------

static int spread_polygon(const geom_contact *c, int n, const geom_pose *pose_b, geom_contact out[4])
{
    patch p = patch_of_polygon(c, n, pose_b);
    double offset[4][2];
    offsets_of(&p, offset);
    for (int k = 0; k < 4; k++) {
        double depth = fmax(0.0, p.depth + p.slope_u * offset[k][0] + p.slope_v * offset[k][1]);
        vec3 at = vec3_add_scaled(vec3_add_scaled(p.middle, offset[k][0], p.u), offset[k][1], p.v);
        out[k] = geom_contact_make(at, p.normal, depth, 0.25 * p.area, p.region);
    }
    return 4;
}

void geom_spread_regions(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                         const geom_pose *pose_b, int first, geom_contacts *list)
{
    const pair s = { a, b, pose_a, pose_b };
    bool is_boxes = a->kind == GEOM_BOX && b->kind == GEOM_BOX;
    geom_contact old[MOST_CORNERS], made[4];
    // from behind, so that what has not been looked at stays in its place
    int n_old = list->count - first;
    if (n_old > MOST_CORNERS) {
        n_old = MOST_CORNERS;
        list->is_full = true;
    }
    memcpy(old, &list->item[first], (size_t)n_old * sizeof *old);
    list->count = first;
    for (int k = 0, next; k < n_old; k = next) {
        for (next = k + 1; next < n_old && old[next].region == old[k].region;) {
            next++;
        }
        int n = next - k;
        bool has_extent = old[k].spread[0] + old[k].spread[1] + old[k].spread[2] > 0.0;
        const geom_contact *from = &old[k];
        if (is_boxes && n >= 3) {
            n = spread_polygon(from, n, pose_b, made);
            from = made;
        } else if (n == 1 && has_extent) {
            n = spread_mesh_region(&s, old[k], made);
            from = made;
        }
        for (int i = 0; i < n; i++) {
            if (list->count < list->capacity) {
                list->item[list->count++] = from[i];
            } else {
                list->is_full = true;
            }
        }
    }
}
