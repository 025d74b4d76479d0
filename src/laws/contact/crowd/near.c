// SPDX-License-Identifier: MIT
// Which shapes of a crowd are near: by a tree of their boxes among many, body by body among few (contact.19).
#include "geom/broad.h"
#include "laws/contact/crowd/live.h"
#include <math.h>

bool live_may_touch(const contact_live *l, int i, int k)
{
    const contact_site *a = &l->site[i], *b = &l->site[k];
    bool is_listed = l->is_among || (a->is_in_a && b->is_in_b) || (a->is_in_b && b->is_in_a);
    return is_listed && a->body != b->body && (a->site >= 0 || b->site >= 0);
}

static bool may_meet(int i, int k, const void *from)
{
    const contact_live *l = from;
    return live_may_touch(l, l->mover[i], l->mover[k]);
}

static void stretch(geom_box *box, vec3 way, double by)
{
    box->low.x += (way.x < 0.0 ? way.x : 0.0) - by;
    box->high.x += (way.x > 0.0 ? way.x : 0.0) + by;
    box->low.y += (way.y < 0.0 ? way.y : 0.0) - by;
    box->high.y += (way.y > 0.0 ? way.y : 0.0) + by;
    box->low.z += (way.z < 0.0 ? way.z : 0.0) - by;
    box->high.z += (way.z > 0.0 ? way.z : 0.0) + by;
}

// Around a box with these half edges, in the axes of its body.
static geom_box box_around(const geom_pose *body, vec3 middle, const vec3 span[3])
{
    vec3 at = geom_outside(body, middle), reach = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; i++) {
        vec3 edge = mat3_apply(body->rot, span[i]);
        reach = vec3_add(reach, (vec3){ fabs(edge.x), fabs(edge.y), fabs(edge.z) });
    }
    return (geom_box){ vec3_sub(at, reach), vec3_add(at, reach) };
}

// What a shape may reach in twice the way of a step, and a margin: bodies may become faster, and the next step may be
// longer.
geom_box live_box_of(const contact_site *s, const motion *at, double h, double gravity)
{
    static const double margin = 0.05; // of its reach
    int dof = s->side.dof;
    geom_pose body = geom_pose_identity();
    vec3 way = { 0.0, 0.0, 0.0 };
    double by = margin * s->reach;
    if (dof >= 0) {
        body = (geom_pose){ at->axes[s->side.frame], tray_vec3(&at->value[dof]) };
        way = vec3_scale(2.0 * h, tray_vec3(&at->rate[dof]));
        by += h * (2.0 * s->arm * vec3_norm(tray_vec3(&at->rate[dof + 3])) + gravity * h);
    }
    geom_box box;
    if (s->is_box) {
        box = box_around(&body, s->middle, s->span);
    } else {
        vec3 arm = vec3_sub(s->shape->in_body.pos, s->side.at);
        geom_pose pose = { mat3_multiply(body.rot, s->shape->in_body.rot), geom_outside(&body, arm) };
        box = geom_shape_bounds(&s->shape->form, &pose);
    }
    stretch(&box, way, by);
    return box;
}

// A box reaches down to a shape without ends.
static bool reaches(const geom_box *box, const contact_site *plane, const motion *at)
{
    geom_pose body = geom_pose_identity();
    if (plane->side.dof >= 0) {
        body = (geom_pose){ at->axes[plane->side.frame], tray_vec3(&at->value[plane->side.dof]) };
    }
    vec3 n = mat3_apply(body.rot, plane->shape->in_body.rot.col[2]);
    vec3 from = geom_outside(&body, vec3_sub(plane->shape->in_body.pos, plane->side.at));
    vec3 lowest = { n.x > 0.0 ? box->low.x : box->high.x, n.y > 0.0 ? box->low.y : box->high.y,
                    n.z > 0.0 ? box->low.z : box->high.z };
    return vec3_dot(n, vec3_sub(lowest, from)) <= 0.0;
}

static geom_box *boxes_of(const contact_live *l, const law_in *in)
{
    return (geom_box *)(void *)((char *)in->scratch + l->box);
}

typedef struct {
    broad_pair *pair;
    int n, most;  // n -1: more than there is room for
    int in_order; // that many at the front
} pairs_found;

static void add_pair(pairs_found *to, int a, int b)
{
    to->n = to->n < to->most ? to->n : -1;
    if (to->n >= 0) {
        to->pair[to->n++] = a < b ? (broad_pair){ a, b } : (broad_pair){ b, a };
    }
}

// Those of `count` movers that are near something that stands still.
static void find_still(const contact_live *l, const geom_box *box, int first, int count, pairs_found *to)
{
    for (int i = first; l->n_still > 0 && i < first + count; i++) {
        const contact_site *s = live_mover(l, i);
        if (!live_knows_still(l, s->is_in_a, s->is_in_b)) {
            continue;
        }
        broad_walk walk = broad_around(l->still, l->n_still, &box[i]);
        for (int k; to->n >= 0 && (k = broad_next(&walk)) >= 0;) {
            if (live_may_touch(l, l->mover[i], k)) {
                add_pair(to, l->mover[i], k);
            }
        }
    }
}

// ---- among few ---------------------------------------------------------------------------------------------------

enum { FEW_GROUPS = 64, FEW_SITES = 128, FEW_MEETINGS = 512 };

typedef struct {
    const contact_live *l;
    const law_in *in;
    double h, gravity;
    pairs_found *to;
    geom_box all[FEW_GROUPS]; // around the boxes of all shapes of each group
    bool is_boxed[FEW_GROUPS];
} few;

// Around the boxes of all its shapes: those stand in live_box_of with smaller margins.
static geom_box box_of_group(const live_group *g, const motion *at, double h, double gravity)
{
    static const double margin = 0.06; // of the largest reach
    geom_pose body = { at->axes[g->frame], tray_vec3(&at->value[g->dof]) };
    vec3 way = vec3_scale(2.0 * h, tray_vec3(&at->rate[g->dof]));
    double by = margin * g->reach;
    by += h * (2.0 * g->arm * vec3_norm(tray_vec3(&at->rate[g->dof + 3])) + gravity * h);
    geom_pose pose = { body.rot, geom_outside(&body, g->middle) };
    geom_box box = geom_shape_bounds(&(geom_shape){ .kind = GEOM_BOX, .half = g->half }, &pose);
    stretch(&box, way, by);
    return box;
}

static void box_shapes(few *f, int group)
{
    const live_group *g = &f->l->group[group];
    geom_box *box = boxes_of(f->l, f->in);
    for (int k = g->first; k < g->first + g->count && !f->is_boxed[group]; k++) {
        box[k] = live_box_of(live_mover(f->l, k), f->in->at, f->h, f->gravity);
    }
    f->is_boxed[group] = true;
}

// a stands before b.
static void meet_groups(few *f, int a, int b)
{
    const live_group *first = &f->l->group[a], *second = &f->l->group[b];
    const geom_box *box = boxes_of(f->l, f->in);
    box_shapes(f, a);
    box_shapes(f, b);
    for (int i = first->first; i < first->first + first->count && f->to->n >= 0; i++) {
        for (int k = second->first; k < second->first + second->count && f->to->n >= 0; k++) {
            if (broad_overlap(&box[i], &box[k]) && may_meet(i, k, f->l)) {
                add_pair(f->to, f->l->mover[i], f->l->mover[k]);
            }
        }
    }
}

static void meet_plane(few *f, int group, int plane)
{
    const live_group *g = &f->l->group[group];
    const geom_box *box = boxes_of(f->l, f->in);
    box_shapes(f, group);
    for (int i = g->first; i < g->first + g->count && f->to->n >= 0; i++) {
        int site = f->l->mover[i];
        if (live_may_touch(f->l, site, plane) && reaches(&box[i], &f->l->site[plane], f->in->at)) {
            add_pair(f->to, site, plane);
        }
    }
}

static void meet_still(few *f, int group)
{
    const live_group *g = &f->l->group[group];
    if (live_meets_still(f->l, g, &f->all[group])) {
        box_shapes(f, group);
        find_still(f->l, boxes_of(f->l, f->in), g->first, g->count, f->to);
    }
}

static void find_among_few(few *f)
{
    const contact_live *l = f->l;
    for (int g = 0; g < l->n_group && f->to->n >= 0; g++) {
        f->all[g] = box_of_group(&l->group[g], f->in->at, f->h, f->gravity);
        for (int i = 0; i < g && f->to->n >= 0; i++) {
            if (live_may_meet(l, &l->group[i], &l->group[g]) && broad_overlap(&f->all[i], &f->all[g])) {
                meet_groups(f, i, g);
            }
        }
        for (int k = l->n_finite; k < l->n_site && f->to->n >= 0; k++) {
            if (reaches(&f->all[g], &l->site[k], f->in->at)) {
                meet_plane(f, g, k);
            }
        }
        meet_still(f, g);
    }
}

// ---- among many --------------------------------------------------------------------------------------------------

static void find_by_tree(const contact_live *l, const law_in *in, double h, double gravity, pairs_found *to)
{
    enum { STEPS_OF_ROOM = 10 };
    geom_box *box = boxes_of(l, in);
    double *margin = (double *)(void *)((char *)in->scratch + l->margin);
    for (int k = 0; k < l->n_finite_mover; k++) {
        const contact_site *s = live_mover(l, k);
        box[k] = live_box_of(s, in->at, h, gravity);
        // what falls or flies leaves its room now and then only
        double speed = vec3_norm(tray_vec3(&in->at->rate[s->side.dof]));
        margin[k] = fmax(0.1 * s->size, STEPS_OF_ROOM * h * speed);
    }
    const live_room room = live_room_of(l, &in->room[l->part]);
    broad *tree = broad_in((char *)in->scratch + room.broad, l->n_finite_mover, to->most);
    to->n = to->in_order = broad_find(tree, box, margin, may_meet, l, to->pair);
    for (int k = 0; k < to->n; k++) {
        to->pair[k] = (broad_pair){ l->mover[to->pair[k].a], l->mover[to->pair[k].b] };
    }
    for (int i = 0; i < l->n_finite_mover && to->n >= 0; i++) {
        for (int k = l->n_finite; k < l->n_site && to->n >= 0; k++) {
            if (live_may_touch(l, l->mover[i], k) && reaches(&box[i], &l->site[k], in->at)) {
                add_pair(to, l->mover[i], k);
            }
        }
    }
    find_still(l, box, 0, l->n_finite_mover, to);
}

// Planes that move, and what stands still.
static void find_moving_planes(const contact_live *l, const law_in *in, pairs_found *to)
{
    for (int k = l->n_finite; k < l->n_site && l->n_mover > l->n_finite_mover; k++) {
        for (int i = 0; l->site[k].site >= 0 && i < l->n_finite && to->n >= 0; i++) {
            if (l->site[i].site < 0 && live_may_touch(l, i, k)) {
                geom_box box = live_box_of(&l->site[i], in->at, 0.0, 0.0);
                if (reaches(&box, &l->site[k], in->at)) {
                    add_pair(to, i, k);
                }
            }
        }
    }
}

int live_find(const contact_live *l, const law_in *in, double h, double gravity, broad_pair *found)
{
    pairs_found to = { .pair = found, .most = in->room[l->part].pairs };
    if (l->n_group > FEW_GROUPS || l->n_finite_mover > FEW_SITES || l->n_meeting > FEW_MEETINGS) {
        find_by_tree(l, in, h, gravity, &to);
    } else {
        few f = { .l = l, .in = in, .h = h, .gravity = gravity, .to = &to };
        find_among_few(&f);
    }
    find_moving_planes(l, in, &to);
    if (to.n > 1 && to.n > to.in_order) {
        broad_sort(found, to.n);
    }
    return to.n;
}
