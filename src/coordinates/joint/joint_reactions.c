// SPDX-License-Identifier: MIT
// Reactions of joints in the tree by Newton-Euler from the leaves; of joints that close loops from their rows
// (joint.12).
#include "coordinates/joint/inertia.h"
#include <string.h>

size_t joint_reactions_scratch(const void *table)
{
    const joint_table *tab = table;
    int last = 0;
    for (int m = 0; m < tab->n_marker; m++) {
        int end = tab->marker[m].dof + marker_width(tab->marker[m].kind);
        last = end > last ? end : last;
    }
    return (size_t)last + 1;
}

// Efforts of laws less those of the constraint rows, per marker.
static void gather_efforts(const joint_table *tab, const coords *at, const load *in, const rows *r,
                           double *effort)
{
    memcpy(effort, in->effort, (joint_reactions_scratch(tab) - 1) * sizeof *effort);
    for (int g = 0; g < tab->n_row; g++) {
        const joint_group *group = &tab->row[g];
        for (int k = 0; k < group->count; k++) {
            const double *gradient = &r->gradient[group->gradient + k * group->width];
            double lambda = at->lambda[group->value + k];
            for (int i = 0; i < group->n_marker; i++) {
                const joint_marker *m = &tab->marker[tab->list[group->marker + i]];
                for (int x = 0; x < marker_width(m->kind); x++) {
                    effort[m->dof + x] -= lambda * *gradient++;
                }
            }
        }
    }
}

// What the joint leaves free is not a reaction: efforts along it belong to motors and guides.
static void leave_out_free(const joint_table *tab, const own_motion *own, const struct joint_reaction *r,
                           bi_wrench *w)
{
    for (int k = r->first; k < r->first + r->count; k++) {
        const tree_node *n = &tab->tree.node[k];
        // three turns leave no moment, whatever their axes are to each other
        if (n->kind == NODE_ROTATION || n->turn_of_three > 0) {
            w->moment = (vec3){ 0.0, 0.0, 0.0 };
        } else if (n->kind == NODE_TRANSLATION) {
            w->force = (vec3){ 0.0, 0.0, 0.0 };
        } else if (n->kind == NODE_REVOLUTE) {
            vec3 axis = wide3_narrow(own->axis[n->q]);
            w->moment = vec3_add_scaled(w->moment, -vec3_dot(w->moment, axis), axis);
        } else if (n->kind == NODE_PRISMATIC) {
            vec3 axis = wide3_narrow(own->axis[n->q]);
            w->force = vec3_add_scaled(w->force, -vec3_dot(w->force, axis), axis);
        }
    }
}

static vec3 point_of(const own_motion *own, const motion *m, const struct joint_reaction *r)
{
    if (r->dof >= 0) {
        return tray_vec3(&m->value[r->dof]);
    }
    if (r->node_b < 0) {
        return r->at_b;
    }
    const node_motion *n = &own->node[r->node_b];
    return wide3_narrow(n->pos + wide_mat3_apply_vec3(&n->axes, &r->at_b));
}

static void tree_reactions(const joint_table *tab, own_motion *own, const motion *m, bi_wrench *out)
{
    const tree *t = &tab->tree;
    // what a node's whole branch lacks is what its joint must give
    for (int k = t->n_node - 1; k >= 0; k--) {
        int up = t->node[k].parent;
        if (up >= 0) {
            own->force[up] += own->force[k];
            own->moment[up] += own->moment[k] + wide3_cross(own->node[k].arm, own->force[k]);
        }
    }
    for (int j = 0; j < tab->n_joint; j++) {
        const struct joint_reaction *r = &tab->reaction[j];
        if (r->is_tree) {
            vec3 arm = vec3_sub(wide3_narrow(own->node[r->last].pos), point_of(own, m, r));
            vec3 force = vec3_scale(-r->sign, wide3_narrow(own->force[r->last]));
            vec3 moment = vec3_scale(-r->sign, wide3_narrow(own->moment[r->last]));
            out[j] = (bi_wrench){ force, vec3_add(moment, vec3_cross(arm, force)) };
            leave_out_free(tab, own, r, &out[j]);
        }
    }
}

// An effort on the joint's own coordinate: a force along its axis, or a moment about it.
static void add_axis_effort(const own_motion *own, const struct joint_reaction *r, bool is_angle,
                            double effort, bi_wrench *out)
{
    vec3 axis = r->axis_b;
    if (r->node_b >= 0) {
        axis = wide3_narrow(wide_mat3_apply_vec3(&own->node[r->node_b].axes, &r->axis_b));
    }
    vec3 *to = is_angle ? &out->moment : &out->force;
    *to = vec3_add_scaled(*to, effort, axis);
}

static void loop_reactions(const joint_table *tab, const own_motion *own, const coords *at, const motion *m,
                           const rows *r, bi_wrench *out)
{
    for (int g = 0; g < tab->n_row; g++) {
        const joint_group *group = &tab->row[g];
        int joint = tab->row_joint[g];
        for (int k = 0; joint >= 0 && k < group->count; k++) {
            const double *gradient = &r->gradient[group->gradient + k * group->width];
            double lambda = at->lambda[group->value + k];
            for (int i = 0; i < group->n_marker; i++) {
                const joint_marker *mark = &tab->marker[tab->list[group->marker + i]];
                int width = marker_width(mark->kind);
                if (mark->kind == MARKER_JOINT) {
                    add_axis_effort(own, &tab->reaction[joint], mark->is_angle, -lambda * *gradient,
                                    &out[joint]);
                }
                if (width >= 3 && mark->node == tab->reaction[joint].node_b) {
                    vec3 force = vec3_scale(-lambda, tray_vec3(gradient)),
                         value = tray_vec3(&m->value[mark->dof]);
                    bi_wrench *w = &out[joint];
                    if (mark->kind == MARKER_POINT) {
                        vec3 arm = vec3_sub(value, point_of(own, m, &tab->reaction[joint]));
                        w->force = vec3_add(w->force, force);
                        w->moment = vec3_add(w->moment, vec3_cross(arm, force));
                    } else {
                        w->moment = vec3_add(w->moment, vec3_cross(value, force));
                    }
                }
                gradient += width;
            }
        }
    }
}

void joint_reactions(const void *table, const coords *at, const motion *m, const load *in, const rows *r,
                     double *scratch, bi_wrench *out)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    gather_efforts(tab, at, in, r, scratch);
    memset(own.force, 0, 2 * (size_t)tab->tree.n_node * sizeof *own.force);
    for (int i = 0; i < tab->n_marker; i++) {
        const joint_marker *k = &tab->marker[i];
        if (k->place >= 0) {
            flexible_effort_to_node(tab, &own, k, at, m, &scratch[k->dof], NULL);
        } else if (!is_scalar(k->kind) && k->node >= 0) {
            effort_to_node(&own, k, &scratch[k->dof]);
        }
    }
    inertia_forces_at(tab, &own, at, at->a, NULL);
    for (int j = 0; j < tab->n_joint; j++) {
        out[j] = (bi_wrench){ { 0, 0, 0 }, { 0, 0, 0 } };
    }
    tree_reactions(tab, &own, m, out);
    loop_reactions(tab, &own, at, m, r, out);
}
