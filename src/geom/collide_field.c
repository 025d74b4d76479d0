// SPDX-License-Identifier: MIT
// Box, cylinder, cone and hull on a height field: the triangles of its cells are faces that look upwards, and cells side
// by side that are touched make one region with one normal, eq. (geometry.19).
#include "geom/collide.h"
#include "geom/convex/convex.h"
#include "geom/convex/faces.h"
#include "geom/field.h"

enum { MOST_CELLS = 4096 };

// What is below the shape: cells from (i, j) on, row by row.
typedef struct {
    int i, j, n_x, n_y, most;
    int *label; // (most) of its region, from 1; 0: not touched
    int *stack; // (most) of cells whose neighbours are still to be looked at
    vec3 *push; // (most) sum of normals times overlaps, m3
} cells;

// Under any pose of the shape, and a cell aside; the box around a turned shape is as long as it is from end to end.
static int most_cells(const geom_shape *shape, const geom_field *f)
{
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(shape, &home);
    double long_way = 1.01 * vec3_norm(vec3_sub(box.high, box.low));
    double n_x = fmin(long_way / f->d_x + 4.0, f->n_x), n_y = fmin(long_way / f->d_y + 4.0, f->n_y);
    return (int)fmin(ceil(n_x) * ceil(n_y), MOST_CELLS);
}

size_t geom_cells_size(const geom_shape *shape, const geom_field *f)
{
    size_t n = (size_t)most_cells(shape, f);
    return 2 * spare_size(n, sizeof(int)) + spare_size(n, sizeof(vec3));
}

// A triangle of a cell seen along the normal of a view.
typedef struct {
    vec3 corner[3], normal;
    geom_spot spot[3];
    geom_shadow face;
} seen_triangle;

static vec3 node(const geom_field *f, int i, int j)
{
    return (vec3){ f->x_0 + i * f->d_x, f->y_0 + j * f->d_y,
                   f->height[(size_t)j * (size_t)f->n_x + (size_t)i] };
}

static void lay_triangle(const geom_field *f, int i, int j, int which, seen_triangle *t)
{
    t->corner[0] = node(f, i, j);
    t->corner[1] = which == 0 ? node(f, i + 1, j) : node(f, i + 1, j + 1);
    t->corner[2] = which == 0 ? node(f, i + 1, j + 1) : node(f, i, j + 1);
    t->normal = vec3_normalized(
        vec3_cross(vec3_sub(t->corner[1], t->corner[0]), vec3_sub(t->corner[2], t->corner[0])));
}

static double least_of(double a, double b, double c) { return fmin(a, fmin(b, c)); }
static double most_of(double a, double b, double c) { return fmax(a, fmax(b, c)); }

// False: it is seen edge on or from behind.
static bool see_triangle(const geom_view *v, seen_triangle *t)
{
    double sine = vec3_dot(t->normal, v->normal), share = geom_shadow_share(sine);
    if (sine <= 0.0 || share == 0.0) {
        return false;
    }
    geom_spot *s = t->spot;
    for (int k = 0; k < 3; k++) {
        vec3 p = vec3_sub(t->corner[k], v->origin);
        s[k] = (geom_spot){ vec3_dot(p, v->x), vec3_dot(p, v->y) };
    }
    double slope_x = -vec3_dot(t->normal, v->x) / sine, slope_y = -vec3_dot(t->normal, v->y) / sine;
    double height =
        vec3_dot(vec3_sub(t->corner[0], v->origin), v->normal) - slope_x * s[0].x - slope_y * s[0].y;
    t->face = (geom_shadow){ .n = 3,
                             .at = s,
                             .height = height,
                             .slope_x = slope_x,
                             .slope_y = slope_y,
                             .share = share,
                             .least = { least_of(s[0].x, s[1].x, s[2].x), least_of(s[0].y, s[1].y, s[2].y) },
                             .most = { most_of(s[0].x, s[1].x, s[2].x), most_of(s[0].y, s[1].y, s[2].y) } };
    return true;
}

static void add_overlaps(const geom_seen *low, const seen_triangle *t, geom_overlap *sum)
{
    for (int k = 0; k < low->n_face; k++) {
        geom_overlap_add(&low->face[k], &t->face, sum);
    }
}

// ---- which cells -----------------------------------------------------------------------------------------------

static int clamped(double x, int most) { return x < 0.0 ? 0 : x > most ? most : (int)x; }

// Cells under the box; false: none, or too many (count is then positive).
static bool find_cells(const geom_field *f, const geom_box *box, cells *out)
{
    double x = (box->low.x - f->x_0) / f->d_x, y = (box->low.y - f->y_0) / f->d_y,
           to_x = (box->high.x - f->x_0) / f->d_x, to_y = (box->high.y - f->y_0) / f->d_y;
    out->n_x = out->n_y = 0;
    if (box->low.z >= f->high || !(to_x > 0.0) || !(to_y > 0.0) || x >= f->n_x - 1 || y >= f->n_y - 1) {
        return false;
    }
    out->i = clamped(x, f->n_x - 2);
    out->j = clamped(y, f->n_y - 2);
    out->n_x = clamped(to_x, f->n_x - 2) - out->i + 1;
    out->n_y = clamped(to_y, f->n_y - 2) - out->j + 1;
    return (double)out->n_x * out->n_y <= out->most;
}

static double highest_of(const geom_field *f, const cells *c)
{
    double high = -INFINITY;
    for (int j = c->j; j <= c->j + c->n_y; j++) {
        for (int i = c->i; i <= c->i + c->n_x; i++) {
            high = fmax(high, node(f, i, j).z);
        }
    }
    return high;
}

// The overlap of every cell, seen from above.
static void press_cells(const geom_field *f, const geom_seen *low, const geom_view *up, double lowest,
                        cells *c)
{
    for (int k = 0; k < c->n_x * c->n_y; k++) {
        c->label[k] = 0;
        c->push[k] = (vec3){ 0.0, 0.0, 0.0 };
        for (int which = 0; which < 2; which++) {
            seen_triangle t;
            geom_overlap sum = { .has_origin = false };
            lay_triangle(f, c->i + k % c->n_x, c->j + k / c->n_x, which, &t);
            bool is_high = most_of(t.corner[0].z, t.corner[1].z, t.corner[2].z) > lowest;
            if (is_high && see_triangle(up, &t)) {
                add_overlaps(low, &t, &sum);
                c->push[k] = vec3_add_scaled(c->push[k], sum.depth, t.normal);
            }
        }
        c->label[k] = c->push[k].z > 0.0 ? -1 : 0;
    }
}

// All cells that hang together with the first one, side by side or corner to corner, get the label.
static void spread_label(cells *c, int first, int label)
{
    int *stack = c->stack, n = 0;
    c->label[first] = label;
    stack[n++] = first;
    while (n > 0) {
        int at = stack[--n], x = at % c->n_x, y = at / c->n_x;
        for (int k = 0; k < 9; k++) {
            int i = x + k % 3 - 1, j = y + k / 3 - 1, next = j * c->n_x + i;
            if (i >= 0 && j >= 0 && i < c->n_x && j < c->n_y && c->label[next] == -1) {
                c->label[next] = label;
                stack[n++] = next;
            }
        }
    }
}

// Of the region, or beside it: seen along another normal than from above these may overlap, too.
static bool is_of(const cells *c, int k, int label)
{
    int x = k % c->n_x, y = k / c->n_x;
    bool is_near = c->label[k] == label;
    for (int n = 0; n < 9 && !is_near && c->label[k] == 0; n++) {
        int i = x + n % 3 - 1, j = y + n / 3 - 1;
        is_near = i >= 0 && j >= 0 && i < c->n_x && j < c->n_y && c->label[j * c->n_x + i] == label;
    }
    return is_near;
}

// ---- a region --------------------------------------------------------------------------------------------------

// How far the cells of the region rise along the normal of the view.
static double rise_of(const geom_field *f, const cells *c, int label, const geom_view *v)
{
    double most = -INFINITY;
    for (int k = 0; k < c->n_x * c->n_y; k++) {
        for (int n = 0; n < 4 && is_of(c, k, label); n++) {
            vec3 p = node(f, c->i + k % c->n_x + (n & 1), c->j + k / c->n_x + (n >> 1));
            most = fmax(most, vec3_dot(v->normal, vec3_sub(p, v->origin)));
        }
    }
    return most;
}

static void add_region(const geom_core *core, geom_placed b, const cells *c, int label, geom_contacts *out)
{
    const geom_field *f = b.shape->field;
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < c->n_x * c->n_y; k++) {
        sum = c->label[k] == label ? vec3_add(sum, c->push[k]) : sum;
    }
    geom_view view = { .normal = vec3_normalized(sum) };
    geom_across(view.normal, &view.x, &view.y);
    view.origin = geom_core_support(core, vec3_neg(view.normal));
    geom_seen low = geom_seen_take(core->shape, out->room);
    double rise = rise_of(f, c, label, &view);
    geom_overlap all = { .has_origin = false };
    geom_see(core->shape, &core->pose, &view, GEOM_LOWER, rise, rise, &low);
    for (int k = 0; k < c->n_x * c->n_y; k++) {
        for (int which = 0; which < 2 && is_of(c, k, label); which++) {
            seen_triangle t;
            lay_triangle(f, c->i + k % c->n_x, c->j + k / c->n_x, which, &t);
            if (see_triangle(&view, &t)) {
                add_overlaps(&low, &t, &all);
            }
        }
    }
    const mat3 *R = &b.pose->rot;
    geom_view outside = { mat3_apply(*R, view.x), mat3_apply(*R, view.y), mat3_apply(*R, view.normal),
                          geom_outside(b.pose, view.origin) };
    geom_contact contact = geom_overlap_contact(&all, &outside, out->n_region);
    out->is_full = out->is_full || low.is_full;
    if (contact.depth > 0.0) {
        geom_add(out, contact);
        out->n_region++;
    }
    spare_give(out->room, low.face);
}

bool geom_convex_field(geom_placed a, geom_placed b, geom_contacts *out)
{
    const geom_field *f = b.shape->field;
    geom_pose pose = geom_relative(a.pose, b.pose);
    geom_box box = geom_shape_bounds(a.shape, &pose);
    geom_core core;
    cells c = { .most = most_cells(a.shape, f) };
    if (!find_cells(f, &box, &c)) {
        return c.n_x == 0;
    }
    double high = highest_of(f, &c), lowest = box.low.z;
    if (!(high > lowest) || !geom_core_of(a.shape, &pose, &core)) {
        return true;
    }
    // what lies along a slanted normal may be a cell aside
    double aside = fmin(high - lowest, fmin(f->d_x, f->d_y));
    box.low = vec3_sub(box.low, (vec3){ aside, aside, 0.0 });
    box.high = vec3_add(box.high, (vec3){ aside, aside, 0.0 });
    if (!find_cells(f, &box, &c)) {
        return false;
    }
    geom_view up = {
        { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 }, { pose.pos.x, pose.pos.y, lowest }
    };
    c.label = SPARE_NEW(out->room, int, c.most);
    c.stack = SPARE_NEW(out->room, int, c.most);
    c.push = SPARE_NEW(out->room, vec3, c.most);
    geom_seen low = geom_seen_take(a.shape, out->room);
    geom_see(a.shape, &pose, &up, GEOM_LOWER, high - lowest, high - lowest, &low);
    press_cells(f, &low, &up, lowest, &c);
    int n_label = 0;
    for (int k = 0; k < c.n_x * c.n_y; k++) {
        if (c.label[k] == -1) {
            spread_label(&c, k, ++n_label);
            add_region(&core, b, &c, n_label, out);
        }
    }
    spare_give(out->room, c.label);
    return true;
}
