// SPDX-License-Identifier: MIT
#include "laws/tyre/smooth.h"

// ---- the ground ----------------------------------------------------------------------------------------------------

// It has axes of its own; an expression is written in those of the ground.
static bool has_axes(const smooth_ground *g) { return g->field || g->road; }

// False: outside of the ground, or its height is no number there.
bool smooth_height(const smooth_ground *g, double x, double y, jet *room, surface_point *out)
{
    if (has_axes(g)) {
        geom_height h;
        bool is_inside = g->field ? geom_field_curve(g->field, x, y, &h) : geom_road_curve(g->road, x, y, &h);
        if (!is_inside && g->road) {
            return false;
        }
        *out = (surface_point){ h.h, h.x, h.y, h.xx, h.xy, h.yy };
        return is_inside;
    }
    *out = surface_at(&g->height, x, y, room);
    return isfinite(out->f) && isfinite(out->fx) && isfinite(out->fy) && isfinite(out->fxx) &&
           isfinite(out->fxy) && isfinite(out->fyy);
}

// ---- the wheel -----------------------------------------------------------------------------------------------------

// The deepest point of the wheel for a normal N of any length, from the centre, and how it changes with N: the first
// and second derivative of the support function h(N), with the sign turned (tyre.8).
static vec3 deepest(const tyre_shape *shape, vec3 e, vec3 N, mat3 *by_N)
{
    double a2 = shape->radial * shape->radial, b2 = shape->axial * shape->axial, c = vec3_dot(N, e);
    vec3 m = vec3_add_scaled(N, -c, e);
    double s = fmax(vec3_norm(m), 1e-6 * vec3_norm(N)), q = sqrt(a2 * s * s + b2 * c * c);
    vec3 u = vec3_scale(1.0 / s, m);
    mat3 across = mat3_add(mat3_identity(), mat3_scale(-1.0, mat3_outer(e, e)));
    vec3 rim = vec3_scale(-shape->ring, u);
    mat3 change = mat3_scale(-shape->ring / s, mat3_add(across, mat3_scale(-1.0, mat3_outer(u, u))));
    if (q > 0.0) {
        vec3 k = vec3_add(vec3_scale(a2, m), vec3_scale(b2 * c, e));
        rim = vec3_add_scaled(rim, -1.0 / q, k);
        change = mat3_add(change, mat3_scale(-a2 / q, across));
        change = mat3_add(change, mat3_scale(-b2 / q, mat3_outer(e, e)));
        change = mat3_add(change, mat3_scale(1.0 / (q * q * q), mat3_outer(k, k)));
    }
    *by_N = change;
    return rim;
}

// ---- where they meet -----------------------------------------------------------------------------------------------

typedef struct {
    surface_point s;
    vec3 N, rim;
    mat3 rim_by_N;
    double g[2], J[2][2]; // what must vanish (tyre.9), and its derivatives by x and y
} meeting;

static bool meeting_at(const smooth_ground *ground, const tyre_shape *shape, const tyre_pose *at,
                       const double place[2], meeting *m)
{
    if (!smooth_height(ground, place[0], place[1], at->room, &m->s)) {
        return false;
    }
    const surface_point *s = &m->s;
    m->N = (vec3){ -s->fx, -s->fy, 1.0 };
    m->rim = deepest(shape, at->axis, m->N, &m->rim_by_N);
    vec3 d = vec3_sub(vec3_add(at->centre, m->rim), (vec3){ place[0], place[1], s->f });
    const double slope[2] = { s->fx, s->fy }, curve[2][2] = { { s->fxx, s->fxy }, { s->fxy, s->fyy } };
    m->g[0] = d.x + slope[0] * d.z;
    m->g[1] = d.y + slope[1] * d.z;
    for (int j = 0; j < 2; j++) {
        vec3 dd = mat3_apply(m->rim_by_N, (vec3){ -curve[0][j], -curve[1][j], 0.0 });
        dd = vec3_sub(dd, (vec3){ j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0, slope[j] });
        m->J[0][j] = dd.x + curve[0][j] * d.z + slope[0] * dd.z;
        m->J[1][j] = dd.y + curve[1][j] * d.z + slope[1] * dd.z;
    }
    return true;
}

static double determinant(const meeting *m) { return m->J[0][0] * m->J[1][1] - m->J[0][1] * m->J[1][0]; }

// How x and y follow a change of g: -J^-1 g. Where the ground is hollower than the wheel, straight towards it.
static void follow(const meeting *m, const double g[2], double out[2])
{
    double det = determinant(m);
    if (det > 1e-3) {
        out[0] = -(m->J[1][1] * g[0] - m->J[0][1] * g[1]) / det;
        out[1] = -(m->J[0][0] * g[1] - m->J[1][0] * g[0]) / det;
    } else {
        double size = 1.0 + m->s.fx * m->s.fx + m->s.fy * m->s.fy;
        out[0] = g[0] / size;
        out[1] = g[1] / size;
    }
}

// Into the axes of the field and back; an expression is written in those of the ground.
tyre_pose smooth_pose(const smooth_ground *g, const tyre_pose *at)
{
    tyre_pose p = *at;
    if (has_axes(g)) {
        p.centre = geom_inside(&g->pose, at->centre);
        p.axis = mat3_apply_transposed(g->pose.rot, at->axis);
    }
    return p;
}

vec3 smooth_outside(const smooth_ground *g, vec3 direction)
{
    return has_axes(g) ? mat3_apply(g->pose.rot, direction) : direction;
}

bool smooth_under(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out)
{
    enum { PASSES = 30, HALVINGS = 8 };
    double size = tyre_radius(shape);
    tyre_pose pose = smooth_pose(g, at);
    // begins below the wheel
    mat3 unused;
    vec3 start = vec3_add(pose.centre, deepest(shape, pose.axis, (vec3){ 0, 0, 1 }, &unused));
    double place[2] = { start.x, start.y };
    meeting m;
    if (!meeting_at(g, shape, &pose, place, &m)) {
        return false;
    }
    for (int k = 0; k < PASSES; k++) {
        double step[2], gap = math_hypot(m.g[0], m.g[1]);
        follow(&m, m.g, step);
        // shorter steps where a whole one leads away
        meeting next;
        double scale = fmin(1.0, size / fmax(math_hypot(step[0], step[1]), 1e-300)), to[2];
        bool is_near = gap < 1e-9 * size, is_better = false;
        for (int h = 0; h < HALVINGS && !is_better; h++, scale *= 0.5) {
            to[0] = place[0] + scale * step[0];
            to[1] = place[1] + scale * step[1];
            is_better =
                meeting_at(g, shape, &pose, to, &next) && (is_near || math_hypot(next.g[0], next.g[1]) < gap);
        }
        if (!is_better) {
            break; // the rim of the ground, or ground that is too rough
        }
        m = next;
        place[0] = to[0];
        place[1] = to[1];
        if (is_near) {
            break; // this last step had the square of 1e-9 left
        }
    }
    out->point = (vec3){ place[0], place[1], m.s.f };
    out->normal = vec3_normalized(m.N);
    if (has_axes(g)) {
        out->point = geom_outside(&g->pose, out->point);
        out->normal = mat3_apply(g->pose.rot, out->normal);
    }
    return true;
}

void smooth_tilt(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    tyre_pose pose = smooth_pose(g, at);
    vec3 point = has_axes(g) ? geom_inside(&g->pose, out->point) : out->point;
    meeting m;
    if (!meeting_at(g, shape, &pose, (double[2]){ point.x, point.y }, &m) || determinant(&m) <= 1e-3) {
        return;
    }
    double length = vec3_norm(m.N);
    vec3 n = vec3_scale(1.0 / length, m.N);
    for (int j = 0; j < 6; j++) {
        vec3 own = has_axes(g) ? mat3_apply_transposed(g->pose.rot, unit[j % 3]) : unit[j % 3];
        // the wheel's deepest point, with the normal kept (tyre.10)
        vec3 d = own;
        if (j >= 3) {
            d = vec3_sub(vec3_cross(own, m.rim), mat3_apply(m.rim_by_N, vec3_cross(own, m.N)));
        }
        double moved[2], by[2] = { d.x + m.s.fx * d.z, d.y + m.s.fy * d.z };
        follow(&m, by, moved);
        vec3 dN = { -(m.s.fxx * moved[0] + m.s.fxy * moved[1]), -(m.s.fxy * moved[0] + m.s.fyy * moved[1]),
                    0.0 };
        vec3 dn = vec3_scale(1.0 / length, vec3_add_scaled(dN, -vec3_dot(n, dN), n));
        dn = has_axes(g) ? mat3_apply(g->pose.rot, dn) : dn;
        (j < 3 ? &out->d_normal : &out->d_normal_by_turn)->col[j % 3] = dn;
    }
}
