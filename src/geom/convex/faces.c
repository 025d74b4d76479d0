// SPDX-License-Identifier: MIT
// Faces seen along a normal; round sides are cut into flat ones that touch the surface with all their corners, the
// lowest line among them, so that the deepest place is exact and a shape that rolls does not wobble.
#include "geom/convex/faces.h"
#include "geom/convex/decompose.h"
#include "geom/convex/hull.h"
#include "math/elementary.h"

// around: within the band of the contact on each side, and beyond
enum { FINE = 8, COARSE = 8, AROUND = 2 * (FINE + COARSE) };

// What is looked for.
typedef struct {
    const geom_pose *pose;
    const geom_view *view;
    double sign; // of the normals of the faces along that of the view
    double to;
    geom_seen *out;
} search;

// A polygon in the axes of the shape, counter-clockwise seen from outside.
static void add_polygon(const search *s, const vec3 *corner, int n, vec3 normal)
{
    const geom_view *v = s->view;
    vec3 out = mat3_apply(s->pose->rot, normal);
    double sine = vec3_dot(out, v->normal), share = geom_shadow_share(sine), nearest = INFINITY;
    geom_seen *seen = s->out;
    if (sine * s->sign <= 0.0 || share == 0.0) {
        return;
    }
    if (n > SHADOW_CORNERS || seen->n_face >= seen->most_faces || seen->n_spot + n > seen->most_spots) {
        seen->is_full = true;
        return;
    }
    double slope_x = -vec3_dot(out, v->x) / sine, slope_y = -vec3_dot(out, v->y) / sine, height = 0.0;
    geom_spot *at = &seen->spot[seen->n_spot], least = { INFINITY, INFINITY },
              most = { -INFINITY, -INFINITY };
    for (int k = 0; k < n; k++) {
        vec3 p = vec3_sub(geom_outside(s->pose, corner[k]), v->origin);
        geom_spot q = { vec3_dot(p, v->x), vec3_dot(p, v->y) };
        double z = vec3_dot(p, v->normal);
        // seen from above lower faces run the other way round
        at[s->sign > 0.0 ? k : n - 1 - k] = q;
        least = (geom_spot){ fmin(least.x, q.x), fmin(least.y, q.y) };
        most = (geom_spot){ fmax(most.x, q.x), fmax(most.y, q.y) };
        height += (z - slope_x * q.x - slope_y * q.y) / n;
        nearest = fmin(nearest, -s->sign * z);
    }
    if (nearest >= -s->sign * s->to) {
        return;
    }
    seen->face[seen->n_face++] = (geom_shadow){ n, at, height, slope_x, slope_y, share, least, most };
    seen->n_spot += n;
}

static void see_box(const search *s, vec3 half)
{
    const double h[3] = { half.x, half.y, half.z };
    for (int k = 0; k < 6; k++) {
        int axis = k / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double sign = k % 2 ? 1.0 : -1.0, at[4][3], n[3] = { 0.0, 0.0, 0.0 };
        static const double around[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
        vec3 corner[4];
        n[axis] = sign;
        for (int c = 0; c < 4; c++) {
            at[c][axis] = sign * h[axis];
            at[c][u] = sign * around[c][0] * h[u];
            at[c][v] = around[c][1] * h[v];
            corner[c] = (vec3){ at[c][0], at[c][1], at[c][2] };
        }
        add_polygon(s, corner, 4, (vec3){ n[0], n[1], n[2] });
    }
}

static void see_hull(const search *s, const geom_hull *h)
{
    vec3 corner[HULL_FACE_CORNERS];
    for (int f = 0; f < h->n_face; f++) {
        int n = h->first[f + 1] - h->first[f];
        for (int k = 0; k < n; k++) {
            corner[k] = h->vertex[h->corner[h->first[f] + k]];
        }
        add_polygon(s, corner, n, h->normal[f]);
    }
}

// ---- round shapes ----------------------------------------------------------------------------------------------

// Directions across z all around, counter-clockwise: fine about the one that lies lowest, then wider and wider, since
// near the tip of a cone the band is wider; symmetric.
static void directions(vec3 look, double radius, double band, double dir[AROUND][2])
{
    const double pi = 3.14159265358979323846;
    double across = sqrt(look.x * look.x + look.y * look.y), ex = 1.0, ey = 0.0;
    if (across > 1e-12) {
        ex = look.x / across;
        ey = look.y / across;
    }
    // on a circle the height rises by radius across (1 - cos)
    double rise = radius * across, c = rise > band ? 1.0 - band / rise : 0.0;
    double fine = math_acos(c), angle = 0.0, wider = math_log(pi / fine) / math_log(2.0);
    for (int k = 0; k <= FINE + COARSE; k++) {
        double x = k < FINE + COARSE ? math_cos(angle) : -1.0, y = k < FINE + COARSE ? math_sin(angle) : 0.0;
        dir[k][0] = x * ex - y * ey;
        dir[k][1] = x * ey + y * ex;
        if (k > 0 && k < FINE + COARSE) {
            dir[AROUND - k][0] = x * ex + y * ey;
            dir[AROUND - k][1] = x * ey - y * ex;
        }
        // half a turn is 2 to the power `wider` of the fine part; even where that is a quarter
        angle =
            k < FINE ? fine * (k + 1) / FINE : fine * math_pow(1.0 + (double)(k + 1 - FINE) / COARSE, wider);
    }
}

static void see_lid(const search *s, const vec3 rim[AROUND], double z)
{
    vec3 corner[AROUND];
    for (int k = 0; k < AROUND; k++) {
        corner[z > 0.0 ? k : AROUND - 1 - k] = (vec3){ rim[k].x, rim[k].y, z };
    }
    add_polygon(s, corner, AROUND, (vec3){ 0.0, 0.0, z > 0.0 ? 1.0 : -1.0 });
}

static void see_round(const search *s, const geom_shape *shape, double band)
{
    double dir[AROUND][2], h = shape->half_length;
    vec3 look = mat3_apply_transposed(s->pose->rot, vec3_scale(s->sign, s->view->normal)), rim[AROUND];
    directions(look, shape->radius, band, dir);
    for (int k = 0; k < AROUND; k++) {
        rim[k] = (vec3){ shape->radius * dir[k][0], shape->radius * dir[k][1], -h };
    }
    see_lid(s, rim, -h);
    bool is_cone = shape->kind == GEOM_CONE;
    if (!is_cone) {
        see_lid(s, rim, h);
    }
    for (int k = 0; k < AROUND; k++) {
        vec3 p = rim[k], q = rim[k + 1 < AROUND ? k + 1 : 0];
        vec3 corner[4] = { p, q, { q.x, q.y, h }, { p.x, p.y, h } };
        if (is_cone) {
            corner[2] = (vec3){ 0.0, 0.0, h };
        }
        vec3 n = vec3_cross(vec3_sub(q, p), vec3_sub(corner[2], p));
        if (vec3_dot(n, n) > 0.0) {
            add_polygon(s, corner, is_cone ? 3 : 4, vec3_normalized(n));
        }
    }
}

// Faces and corners of a shape, as far as there is room for them.
static void count_faces(const geom_shape *shape, int *faces, int *spots)
{
    bool is_cone = shape->kind == GEOM_CONE;
    *faces = 6;
    *spots = 24;
    if (shape->kind == GEOM_HULL) {
        // a polygon that is not low enough is laid out before that is known
        *faces = shape->hull->n_face < SEEN_FACES ? shape->hull->n_face : SEEN_FACES;
        *spots = shape->hull->n_corner < SEEN_SPOTS ? shape->hull->n_corner : SEEN_SPOTS;
    } else if (shape->kind != GEOM_BOX) {
        *faces = AROUND + (is_cone ? 1 : 2);
        *spots = AROUND * (is_cone ? 4 : 6);
    }
}

geom_seen geom_seen_take(const geom_shape *shape, spare *room)
{
    geom_seen seen = { 0 };
    count_faces(shape, &seen.most_faces, &seen.most_spots);
    seen.face = SPARE_NEW(room, geom_shadow, seen.most_faces);
    seen.spot = SPARE_NEW(room, geom_spot, seen.most_spots);
    return seen;
}

size_t geom_seen_size(const geom_shape *shape)
{
    int faces, spots;
    size_t most = 0;
    for (int k = 0; shape->parts && k < shape->parts->n; k++) {
        geom_shape part = { .kind = GEOM_HULL, .hull = shape->parts->hull[k] };
        size_t size = geom_seen_size(&part);
        most = size > most ? size : most;
    }
    if (shape->kind == GEOM_BOX || shape->kind == GEOM_CYLINDER || shape->kind == GEOM_CONE ||
        shape->kind == GEOM_HULL) {
        count_faces(shape, &faces, &spots);
        size_t size =
            spare_size((size_t)faces, sizeof(geom_shadow)) + spare_size((size_t)spots, sizeof(geom_spot));
        most = size > most ? size : most;
    }
    return most;
}

void geom_see(const geom_shape *shape, const geom_pose *pose, const geom_view *view, geom_side which,
              double to, double band, geom_seen *out)
{
    search s = { pose, view, which == GEOM_UPPER ? 1.0 : -1.0, to, out };
    out->n_face = out->n_spot = 0;
    out->is_full = false;
    if (shape->kind == GEOM_BOX) {
        see_box(&s, shape->half);
    } else if (shape->kind == GEOM_HULL) {
        see_hull(&s, shape->hull);
    } else {
        see_round(&s, shape, band);
    }
}
