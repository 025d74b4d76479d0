// SPDX-License-Identifier: MIT
// From a region to four points: the depth of two flat faces is linear over their patch, and four points at the root of
// its second moments carry the sum and the moments of any linear depth exactly, eq. (geometry.23).
#include "geom/collide.h"
#include "geom/mesh.h"
#include <string.h>

enum { MOST_CORNERS = 32 };

// A patch across its normal: middle, and mean of products of distances along u and v, m2.
typedef struct {
    vec3 middle, normal, u, v;
    double uu, uv, vv;
} patch;

// Without the call that fmax costs.
static double not_negative(double x) { return x > 0.0 ? x : 0.0; }

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
    double det = sqrt(not_negative(p->uu * p->vv - p->uv * p->uv)), trace = p->uu + p->vv + 2.0 * det;
    double root = trace > 0.0 ? 1.0 / sqrt(trace) : 0.0;
    double uu = root * (p->uu + det), vv = root * (p->vv + det), uv = root * p->uv;
    static const double around[4][2] = { { 1.0, 1.0 }, { -1.0, 1.0 }, { -1.0, -1.0 }, { 1.0, -1.0 } };
    for (int k = 0; k < 4; k++) {
        offset[k][0] = uu * around[k][0] + uv * around[k][1];
        offset[k][1] = uv * around[k][0] + vv * around[k][1];
    }
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

// Middle and second moments of the patch of a region, along the axes of the second shape.
static patch patch_of(const geom_contact *c, const geom_pose *pose_b)
{
    patch p = { .middle = c->point, .normal = c->normal };
    lay_axes(&p, pose_b);
    const double *m = c->spread;
    mat3 S = { { { m[0], m[3], m[5] }, { m[3], m[1], m[4] }, { m[5], m[4], m[2] } } };
    vec3 Su = mat3_apply(S, p.u), Sv = mat3_apply(S, p.v);
    p.uu = not_negative(vec3_dot(p.u, Su));
    p.vv = not_negative(vec3_dot(p.v, Sv));
    p.uv = vec3_dot(p.u, Sv);
    return p;
}

static int spread_mesh_region(const pair *s, const geom_contact *c, geom_contact out[4])
{
    patch p = patch_of(c, s->pose_b);
    double offset[4][2];
    offsets_of(&p, offset);
    int n = 0;
    for (int k = 0; k < 4; k++) {
        vec3 at = vec3_add_scaled(vec3_add_scaled(p.middle, offset[k][0], p.u), offset[k][1], p.v);
        double depth = depth_at(s, c, &at);
        if (depth > 0.0) {
            out[n++] = geom_contact_make(at, c->normal, depth, 0.25 * c->area, c->region);
        }
    }
    // no surface found (a rod through a plate, a sharp tip): the region as it is
    if (n == 0) {
        out[n++] = geom_contact_make(c->point, c->normal, c->depth, c->area, c->region);
    }
    return n;
}

// ---- regions of convex shapes: the depth is known over all of the patch ----------------------------------------

static int spread_flat_region(const pair *s, const geom_contact *c, geom_contact out[4])
{
    patch p = patch_of(c, s->pose_b);
    double offset[4][2], slope_u = vec3_dot(c->slope, p.u), slope_v = vec3_dot(c->slope, p.v);
    offsets_of(&p, offset);
    for (int k = 0; k < 4; k++) {
        double depth = not_negative(c->mean + slope_u * offset[k][0] + slope_v * offset[k][1]);
        vec3 at = vec3_add_scaled(vec3_add_scaled(p.middle, offset[k][0], p.u), offset[k][1], p.v);
        out[k] = geom_contact_make(at, p.normal, depth, 0.25 * c->area, c->region);
    }
    return 4;
}

// ---- round sides -----------------------------------------------------------------------------------------------

// How much of a patch is a round side that may roll: all of a mantle, nothing of a flat end that it lies on.
static double share_of_round(double along_end)
{
    double x = (along_end - 0.8) / 0.15;
    return x <= 0.0 ? 1.0 : x >= 1.0 ? 0.0 : 1.0 - x * x * (3.0 - 2.0 * x);
}

// Moves the points towards their middle by the given share of their way along a direction.
static void draw_together(geom_contact *c, int n, vec3 middle, vec3 direction, double share)
{
    for (int k = 0; k < n; k++) {
        double off = vec3_dot(direction, vec3_sub(c[k].point, middle));
        c[k].point = vec3_add_scaled(c[k].point, -share * off, direction);
    }
}

// Of a capsule what its own roundness spreads along its axis: the patch of a ball has the second moment r d / 2 each way.
static double share_of_ball(const geom_shape *s, const geom_contact *c, int n, vec3 middle, vec3 direction,
                            double depth)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        double off = vec3_dot(direction, vec3_sub(c[k].point, middle));
        sum += off * off / n;
    }
    double ball = 0.5 * s->radius * depth;
    return sum > ball ? 1.0 - sqrt(1.0 - ball / sum) : 1.0;
}

// A side that is round does not resist being rolled, as little as a ball does: its points lie on the line, or at the place,
// through which their push goes; springs push as before, dampers no longer press in front and hold behind (geometry.27).
static void draw_round(const geom_shape *s, const geom_pose *pose, vec3 outwards, double depth,
                       geom_contact *c, int n)
{
    // not quite, so that each point keeps its own anchor
    static const double nearly = 0.99;
    bool is_capsule = s->kind == GEOM_CAPSULE, is_ellipsoid = s->kind == GEOM_ELLIPSOID;
    if (!is_capsule && !is_ellipsoid && s->kind != GEOM_CYLINDER && s->kind != GEOM_CONE) {
        return;
    }
    vec3 axis = pose->rot.col[2], middle = { 0.0, 0.0, 0.0 };
    double cosine = vec3_dot(axis, outwards), sum = 0.0;
    double end = s->kind == GEOM_CYLINDER ? fabs(cosine) : s->kind == GEOM_CONE ? -cosine : 0.0;
    double share = nearly * share_of_round(end);
    for (int k = 0; k < n; k++) {
        middle = vec3_add_scaled(middle, c[k].depth, c[k].point);
        sum += c[k].depth;
    }
    if (!(sum > 0.0) || share == 0.0) {
        return;
    }
    middle = vec3_scale(1.0 / sum, middle);
    vec3 around = vec3_cross(outwards, axis);
    bool is_upright = vec3_dot(around, around) < 1e-12;
    around = vec3_normalized(is_upright ? vec3_perpendicular(outwards) : around);
    vec3 along = vec3_cross(around, outwards);
    draw_together(c, n, middle, around, share);
    if (is_capsule || is_ellipsoid) {
        double part = is_ellipsoid ? 1.0 : share_of_ball(s, c, n, middle, along, depth);
        draw_together(c, n, middle, along, nearly * part);
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

static void append(geom_contacts *list, const geom_contact *from, int n)
{
    int room = list->capacity - list->count, fit = n < room ? n : room;
    memcpy(&list->item[list->count], from, (size_t)fit * sizeof *from);
    list->count += fit;
    list->is_full = list->is_full || fit < n;
}

// A region by itself that has an extent; points of their own, and several of one region, stay as they are.
static bool is_spread(const geom_contacts *list, int first, int k)
{
    const geom_contact *c = &list->item[k];
    bool is_single =
        (k == first || c[-1].region != c->region) && (k + 1 == list->count || c[1].region != c->region);
    return is_single && (c->mean > 0.0 || c->spread[0] + c->spread[1] + c->spread[2] > 0.0);
}

static void leave_out_wholes(int first, geom_contacts *list)
{
    int n = first;
    for (int k = first; k < list->count; k++) {
        if (!list->item[k].is_whole) {
            if (n < k) {
                list->item[n] = list->item[k];
            }
            n++;
        }
    }
    list->count = n;
}

void geom_spread_regions(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                         const geom_pose *pose_b, int first, geom_contacts *list)
{
    const pair s = { a, b, pose_a, pose_b };
    int from = first;
    leave_out_wholes(first, list);
    while (first < list->count && !is_spread(list, from, first)) {
        first++;
    }
    if (first == list->count) {
        return;
    }
    geom_contact *old = SPARE_NEW(list->room, geom_contact, MOST_CORNERS), made[4];
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
        bool has_extent = old[k].spread[0] + old[k].spread[1] + old[k].spread[2] > 0.0;
        if (next - k > 1 || !(has_extent || old[k].mean > 0.0)) {
            append(list, &old[k], next - k);
            continue;
        }
        // in place when there is room
        geom_contact *to = list->count + 4 <= list->capacity ? &list->item[list->count] : made;
        int n = old[k].mean > 0.0 ? spread_flat_region(&s, &old[k], to) : spread_mesh_region(&s, &old[k], to);
        draw_round(a, pose_a, vec3_neg(old[k].normal), old[k].depth, to, n);
        draw_round(b, pose_b, old[k].normal, old[k].depth, to, n);
        if (to == made) {
            append(list, made, n);
        } else {
            list->count += n;
        }
    }
    spare_give(list->room, old);
}

size_t geom_spread_size(void) { return spare_size(MOST_CORNERS, sizeof(geom_contact)); }
