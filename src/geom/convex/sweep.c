// SPDX-License-Identifier: MIT
// When shapes that go from one pose to another meet: convex ones by the time of their impact, fields and meshes by their
// triangles near the way, the earliest of all.
#include "geom/broad.h"
#include "geom/convex/decompose.h"
#include "geom/field.h"
#include "math/rotation.h"

static const geom_impact NO_HIT = { INFINITY, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };

// One convex shape on its way against all that another is made of.
typedef struct {
    const geom_shape *a;
    geom_motion a_moves, b_moves; // in a time of 1
    geom_box way;                 // around all places of A, axes of B at the start
    geom_impact best;
} sweep;

// ---- motion ----------------------------------------------------------------------------------------------------

// A ball around the shape in its own axes.
static double ball_around(const geom_shape *s, vec3 *middle)
{
    *middle = (vec3){ 0.0, 0.0, 0.0 };
    if (s->kind == GEOM_PLANE) {
        return 0.0;
    }
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(s, &home);
    *middle = vec3_scale(0.5, vec3_add(box.low, box.high));
    return 0.5 * vec3_norm(vec3_sub(box.high, box.low));
}

// The middle goes straight, the shape turns evenly about it, the shorter way.
static geom_motion motion_between(const geom_shape *s, const geom_pose *from, const geom_pose *to)
{
    vec3 middle;
    ball_around(s, &middle);
    vec3 start = geom_outside(from, middle);
    mat3 turn = mat3_multiply(to->rot, mat3_transposed(from->rot));
    return (geom_motion){ .pose = *from,
                          .centre = start,
                          .velocity = vec3_sub(geom_outside(to, middle), start),
                          .spin = quat_log(quat_from_mat3(turn)) };
}

// Seen from B the middle of A goes along a line that is bent by no more than its second derivative says.
static geom_box way_in_b(const sweep *s, double reach)
{
    const geom_motion *a = &s->a_moves, *b = &s->b_moves;
    vec3 from = vec3_sub(a->centre, b->centre), by = vec3_sub(a->velocity, b->velocity),
         to = vec3_add(from, by);
    mat3 turned = mat3_multiply(quat_to_mat3(quat_exp(b->spin)), b->pose.rot);
    vec3 offset = geom_inside(&b->pose, b->centre);
    vec3 p = vec3_add(offset, mat3_apply_transposed(b->pose.rot, from)),
         q = vec3_add(offset, mat3_apply_transposed(turned, to));
    double angle = vec3_norm(b->spin), far = fmax(vec3_norm(from), vec3_norm(to)),
           bend = 0.125 * (angle * angle * far + 2.0 * angle * vec3_norm(by)), more = reach + bend;
    return (geom_box){ { fmin(p.x, q.x) - more, fmin(p.y, q.y) - more, fmin(p.z, q.z) - more },
                       { fmax(p.x, q.x) + more, fmax(p.y, q.y) + more, fmax(p.z, q.z) + more } };
}

// ---- one against all -------------------------------------------------------------------------------------------

static void try_convex(sweep *s, const geom_shape *b)
{
    geom_impact hit = geom_impact_time(s->a, &s->a_moves, b, &s->b_moves, fmin(s->best.time, 1.0));
    // of equal ones the first
    if (hit.time < s->best.time || isnan(hit.time)) {
        s->best = hit;
    }
}

// Farthest points of a hull need its corners only: three of them make a triangle.
static void try_triangle(sweep *s, vec3 corner[3])
{
    geom_box box = { corner[0], corner[0] };
    for (int k = 1; k < 3; k++) {
        vec3 p = corner[k];
        box.low = (vec3){ fmin(box.low.x, p.x), fmin(box.low.y, p.y), fmin(box.low.z, p.z) };
        box.high = (vec3){ fmax(box.high.x, p.x), fmax(box.high.y, p.y), fmax(box.high.z, p.z) };
    }
    if (broad_overlap(&box, &s->way)) {
        geom_hull flat = { .n_vertex = 3, .vertex = corner, .bounds = box };
        try_convex(s, &(geom_shape){ .kind = GEOM_HULL, .hull = &flat });
    }
}

static void try_mesh(sweep *s, const geom_mesh *m)
{
    geom_walk walk;
    geom_walk_begin(&walk, m);
    for (const geom_node *at; (at = geom_walk_next(&walk)) != NULL;) {
        if (!broad_overlap(&at->box, &s->way)) {
            continue;
        }
        if (at->count == 0) {
            geom_walk_open(&walk, at);
        }
        for (int k = at->right; k < at->right + at->count; k++) {
            const int32_t *c = m->triangle[m->order[k]];
            vec3 corner[3] = { m->vertex[c[0]], m->vertex[c[1]], m->vertex[c[2]] };
            try_triangle(s, corner);
        }
    }
}

static int cell_of(double x, int most) { return x < 0.0 ? 0 : x > most ? most : (int)x; }

static vec3 node_of(const geom_field *f, int i, int j)
{
    return (vec3){ f->x_0 + i * f->d_x, f->y_0 + j * f->d_y,
                   f->height[(size_t)j * (size_t)f->n_x + (size_t)i] };
}

static void try_field(sweep *s, const geom_field *f)
{
    int i_0 = cell_of((s->way.low.x - f->x_0) / f->d_x, f->n_x - 2),
        i_1 = cell_of((s->way.high.x - f->x_0) / f->d_x, f->n_x - 2),
        j_0 = cell_of((s->way.low.y - f->y_0) / f->d_y, f->n_y - 2),
        j_1 = cell_of((s->way.high.y - f->y_0) / f->d_y, f->n_y - 2);
    for (int j = j_0; j <= j_1 && s->way.low.z <= f->high; j++) {
        for (int i = i_0; i <= i_1; i++) {
            vec3 a = node_of(f, i, j), b = node_of(f, i + 1, j), c = node_of(f, i + 1, j + 1),
                 d = node_of(f, i, j + 1);
            vec3 first[3] = { a, b, c }, second[3] = { a, c, d };
            try_triangle(s, first);
            try_triangle(s, second);
        }
    }
}

static void try_all(sweep *s, const geom_shape *b)
{
    vec3 middle;
    double reach = ball_around(s->a, &middle);
    // a part turns about the middle of the whole
    reach += vec3_norm(vec3_sub(geom_outside(&s->a_moves.pose, middle), s->a_moves.centre));
    if (b->kind != GEOM_PLANE) {
        s->way = way_in_b(s, reach);
    }
    for (int k = 0; b->parts && k < b->parts->n; k++) {
        if (broad_overlap(&b->parts->hull[k]->bounds, &s->way)) {
            try_convex(s, &(geom_shape){ .kind = GEOM_HULL, .hull = b->parts->hull[k] });
        }
    }
    if (b->kind == GEOM_MESH && !b->parts) {
        try_mesh(s, b->mesh);
    } else if (b->kind == GEOM_FIELD) {
        try_field(s, b->field);
    } else if (b->kind == GEOM_TORUS) {
        // the tin that holds it
        try_convex(s, &(geom_shape){ .kind = GEOM_CYLINDER,
                                     .radius = b->ring + b->radius,
                                     .half_length = b->half_width });
    } else if (!b->parts) {
        try_convex(s, b);
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

// What may be taken for convex comes first.
static int rank_of(const geom_shape *s)
{
    return s->kind == GEOM_PLANE ? 3 : s->kind == GEOM_FIELD ? 2 : s->kind == GEOM_MESH && !s->parts ? 1 : 0;
}

// The hull of a mesh, the tin that holds a torus, or the shape itself.
static geom_shape in_place_of(const geom_shape *a, geom_hull *around)
{
    if (a->kind == GEOM_MESH) {
        *around = (geom_hull){ .n_vertex = a->mesh->n_vertex,
                               .vertex = a->mesh->vertex,
                               .bounds = a->mesh->bounds };
        return (geom_shape){ .kind = GEOM_HULL, .hull = around };
    }
    if (a->kind == GEOM_TORUS) {
        return (
            geom_shape){ .kind = GEOM_CYLINDER, .radius = a->ring + a->radius, .half_length = a->half_width };
    }
    return *a;
}

geom_impact geom_sweep(const geom_shape *a, const geom_sweep_way *a_goes, const geom_shape *b,
                       const geom_sweep_way *b_goes)
{
    if (rank_of(a) > rank_of(b)) {
        geom_impact other = geom_sweep(b, b_goes, a, a_goes);
        other.normal = vec3_neg(other.normal);
        return other;
    }
    if (rank_of(a) >= 2) {
        return (geom_impact){ .time = NAN };
    }
    sweep s = { .a = a, .best = NO_HIT };
    s.a_moves = motion_between(a, &a_goes->from, &a_goes->to);
    s.b_moves = motion_between(b, &b_goes->from, &b_goes->to);
    for (int k = 0; a->parts && k < a->parts->n; k++) {
        geom_shape part = { .kind = GEOM_HULL, .hull = a->parts->hull[k] };
        s.a = &part;
        try_all(&s, b);
    }
    if (a->parts) {
        return s.best;
    }
    geom_hull around;
    geom_shape instead = in_place_of(a, &around);
    s.a = &instead;
    try_all(&s, b);
    return s.best;
}
