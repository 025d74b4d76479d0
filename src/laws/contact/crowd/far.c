// SPDX-License-Identifier: MIT
// Crowds of which nothing is near: one look at the bodies instead of one at each shape (contact.25).
#include "laws/contact/crowd/live.h"
#include <math.h>

enum { MOST = 32 }; // groups of a crowd that is looked at as a whole: as many as an unsigned has bits

static bool is_of(const live_group *g, const contact_site *s)
{
    return g->dof == s->side.dof && g->body == s->body;
}

// The box around the boxes of all its shapes, in the axes of the body.
static void box_shapes(const contact_live *l, live_group *g)
{
    vec3 low = { INFINITY, INFINITY, INFINITY }, high = vec3_neg(low);
    for (int k = g->first; k < g->first + g->count; k++) {
        const contact_site *s = live_mover(l, k);
        vec3 half = { fabs(s->span[0].x) + fabs(s->span[1].x) + fabs(s->span[2].x),
                      fabs(s->span[0].y) + fabs(s->span[1].y) + fabs(s->span[2].y),
                      fabs(s->span[0].z) + fabs(s->span[1].z) + fabs(s->span[2].z) };
        vec3 least = vec3_sub(s->middle, half), most = vec3_add(s->middle, half);
        low = (vec3){ fmin(low.x, least.x), fmin(low.y, least.y), fmin(low.z, least.z) };
        high = (vec3){ fmax(high.x, most.x), fmax(high.y, most.y), fmax(high.z, most.z) };
    }
    g->middle = vec3_scale(0.5, vec3_add(low, high));
    g->half = vec3_scale(0.5, vec3_sub(high, low));
}

// Shapes of one body stand one after the other in the lists of most models: a body with a gap is two groups.
bool live_group_sites(plan *p, contact_live *l)
{
    l->group = plan_keep(p, (size_t)(l->n_finite_mover + 1) * sizeof *l->group);
    if (!l->group) {
        return false;
    }
    for (int k = 0; k < l->n_finite_mover; k++) {
        const contact_site *s = live_mover(l, k);
        if (l->n_group == 0 || !is_of(&l->group[l->n_group - 1], s)) {
            l->group[l->n_group++] =
                (live_group){ .dof = s->side.dof, .frame = s->side.frame, .body = s->body, .first = k };
        }
        live_group *g = &l->group[l->n_group - 1];
        g->count++;
        g->arm = fmax(g->arm, vec3_norm(s->middle) + s->reach);
        g->reach = fmax(g->reach, s->reach);
        g->is_in_a |= s->is_in_a;
        g->is_in_b |= s->is_in_b;
    }
    enum { MANY = 1000 }; // bodies that nobody asks about one by one
    for (int k = 0; k < l->n_group; k++) {
        box_shapes(l, &l->group[k]);
        for (int i = 0; i < k && l->n_group <= MANY; i++) {
            bool may_meet = live_may_meet(l, &l->group[i], &l->group[k]);
            l->n_meeting += may_meet ? 1 : 0;
            l->group[k].meets |= may_meet && k < MOST ? 1u << i : 0;
        }
    }
    return true;
}

// Half a cube around its marker that holds the boxes of all its shapes (contact.19).
static double half_of(const live_group *g, const motion *at, double h, double gravity)
{
    static const double margin = 0.05;
    double by = g->arm + margin * g->reach, way = 2.0 * vec3_norm(tray_vec3(&at->rate[g->dof]));
    return by + h * (way + 2.0 * g->arm * vec3_norm(tray_vec3(&at->rate[g->dof + 3])) + gravity * h);
}

bool live_may_meet(const contact_live *l, const live_group *a, const live_group *b)
{
    bool is_listed = l->is_among || (a->is_in_a && b->is_in_b) || (a->is_in_b && b->is_in_a);
    return is_listed && a->body != b->body;
}

// A plane, seen from the body of a group: its normal, and how far the marker is above it.
static vec3 plane_from(const live_group *g, const contact_site *plane, const motion *at, double *above)
{
    geom_pose body = geom_pose_identity();
    if (plane->side.dof >= 0) {
        body = (geom_pose){ at->axes[plane->side.frame], tray_vec3(&at->value[plane->side.dof]) };
    }
    vec3 n = mat3_apply(body.rot, plane->shape->in_body.rot.col[2]);
    vec3 from = geom_outside(&body, vec3_sub(plane->shape->in_body.pos, plane->side.at));
    *above = vec3_dot(n, vec3_sub(tray_vec3(&at->value[g->dof]), from));
    return mat3_apply_transposed(at->axes[g->frame], n);
}

// All boxes of a group are above a plane that stands still, by more than contact.19 asks.
static bool is_above(const contact_live *l, const live_group *g, const contact_site *plane, const motion *at,
                     double by)
{
    double above;
    vec3 n = plane_from(g, plane, at, &above);
    // the box around them all is above it as a rule
    if (above + vec3_dot(n, g->middle) - fabs(n.x) * g->half.x - fabs(n.y) * g->half.y -
            fabs(n.z) * g->half.z >
        by) {
        return true;
    }
    for (int k = g->first; k < g->first + g->count; k++) {
        const contact_site *s = live_mover(l, k);
        double low = above + vec3_dot(n, s->middle) - fabs(vec3_dot(n, s->span[0])) -
                     fabs(vec3_dot(n, s->span[1])) - fabs(vec3_dot(n, s->span[2]));
        if (!(low > by)) {
            return false;
        }
    }
    return true;
}

bool live_is_far(const contact_live *l, const motion *at, double h, double gravity)
{
    double half[MOST];
    vec3 middle[MOST];
    if (l->n_group > MOST) {
        return false;
    }
    for (int k = 0; k < l->n_group; k++) {
        const live_group *g = &l->group[k];
        half[k] = half_of(g, at, h, gravity);
        middle[k] = tray_vec3(&at->value[g->dof]);
        vec3 reach = { half[k], half[k], half[k] };
        geom_box all = { vec3_sub(middle[k], reach), vec3_add(middle[k], reach) };
        if (live_meets_still(l, g, &all)) {
            return false;
        }
        unsigned left = g->meets;
        for (int i = 0; left != 0; i++, left >>= 1) {
            vec3 d = vec3_sub(middle[k], middle[i]);
            double both = half[k] + half[i];
            if ((left & 1) && !(fabs(d.x) > both || fabs(d.y) > both || fabs(d.z) > both)) {
                return false;
            }
        }
        for (int i = l->n_finite; i < l->n_site; i++) {
            if (l->site[i].site >= 0 || !is_above(l, g, &l->site[i], at, half[k] - g->arm)) {
                return false;
            }
        }
    }
    return true;
}
