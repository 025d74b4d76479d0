// SPDX-License-Identifier: MIT
// Joint coordinates at work (docs/theory/joint.md): the door to the loops over the tree, poses, charts, rows that
// joints need.
#include "coordinates/joint/joint.h"
#include "coordinates/joint/rotation_vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool joint_part_tree(joint_table *tab)
{
    int n = tab->tree.n_node, lowest = n;
    tab->part = calloc((size_t)n + 1, sizeof *tab->part);
    for (int k = n - 1; tab->part && k >= 0; k--) {
        int up = tab->tree.node[k].parent, least = up >= 0 ? up : k;
        lowest = least < lowest ? least : lowest;
        tab->part[k] = lowest >= k ? 1 : 0;
    }
    for (int k = 0, first = 0; tab->part && k < n; k++) {
        first = tab->part[k] ? k : first;
        tab->n_part += tab->part[k];
        tab->part[tab->n_part - 1] = first;
        tab->n_branch = k + 1 - first > tab->n_branch ? k + 1 - first : tab->n_branch;
    }
    if (tab->part) {
        tab->part[tab->n_part] = n;
    }
    return tab->part != NULL;
}

void joint_destroy(void *table)
{
    joint_table *tab = table;
    if (!tab) {
        return;
    }
    tree_clear(&tab->tree);
    free(tab->part);
    free(tab->dof_node);
    free(tab->is_linear);
    free(tab->marker);
    for (int k = 0; k < 4 * tab->n_place; k++) {
        flex_place_clear(&tab->place[k]);
    }
    for (int k = 0; k < tab->n_flex; k++) {
        flex_sums_clear(&tab->flex[k].sums);
        modal_clear(&tab->flex[k].modal);
    }
    free(tab->place);
    free(tab->flex);
    free(tab->list);
    free(tab->spread);
    free(tab->spread_start);
    free(tab->spread_end);
    free(tab->row);
    free(tab->block);
    free(tab->block_col);
    free(tab->entry);
    free(tab->mass);
    free(tab->rotor);
    free(tab->reaction);
    free(tab->row_joint);
    free(tab->row_body);
    free(tab);
}

size_t own_size(const joint_table *tab)
{
    size_t n = (size_t)tab->tree.n_node, dofs = (size_t)tab->tree.n_dof;
    return (n * (sizeof(node_motion) + 2 * sizeof(composite) + 2 * sizeof(wide3) + sizeof(node_second)) +
            (size_t)tab->n_branch * sizeof(articulated) + (dofs + (size_t)tab->n_coupling) * sizeof(wide3) +
            2 * (size_t)tab->n_turn * sizeof(vec3)) /
               sizeof(double) +
           (size_t)tab->n_modal + (size_t)(1 + 2 * tab->n + tab->tree.n_chart) + n + 1;
}

int joint_room(const joint_table *tab)
{
    int most = 0;
    for (int g = 0; g < tab->n_block; g++) {
        most = block_room(tab->block[g].width, tab->block[g].n_col, most);
    }
    for (int f = 0; f < tab->n_flex; f++) {
        int room = flex_moments_room(&tab->flex[f].sums);
        most = room > most ? room : most;
    }
    return most;
}

own_motion own_cut(const joint_table *tab, const motion *m)
{
    own_motion own;
    own.node = (node_motion *)m->own;
    own.axis = (wide3 *)(own.node + tab->tree.n_node);
    own.body = (composite *)(own.axis + tab->tree.n_dof);
    own.whole = own.body + tab->tree.n_node;
    own.force = (wide3 *)(own.whole + tab->tree.n_node);
    own.moment = own.force + tab->tree.n_node;
    own.second = (node_second *)(own.moment + tab->tree.n_node);
    own.branch = (articulated *)(own.second + tab->tree.n_node);
    own.coupling = (wide3 *)(own.branch + tab->n_branch);
    own.seen = (double *)(own.coupling + tab->n_coupling);
    own.still = own.seen + 1 + 2 * tab->n + tab->tree.n_chart;
    own.modal = own.still + tab->tree.n_node;
    own.turn = (vec3 *)(own.modal + tab->n_modal);
    own.room = m->room;
    return own;
}

// ---- loops over the tree, those of this processor ---------------------------------------------------------------------

static void joint_lift(const void *table, const coords *in, unsigned want, motion *out)
{
    ((const joint_table *)table)->passes->lift(table, in, want, out);
}

static void joint_drop_rows(const void *table, const coords *at, const motion *m, unsigned want, rows *r,
                            equations *out)
{
    ((const joint_table *)table)->passes->drop_rows(table, at, m, want, r, out);
}

static void joint_drop_load(const void *table, const coords *at, const motion *m, const load *in,
                            unsigned want, equations *out)
{
    ((const joint_table *)table)->passes->drop_load(table, at, m, in, want, out);
}

static void joint_site_maps(const void *table, const coords *at, const motion *m, const bool *wanted,
                            double *J)
{
    ((const joint_table *)table)->passes->site_maps(table, at, m, wanted, J);
}

static void joint_drop_tangent(const void *table, const coords *at, const motion *m, const load *in,
                               double wK, double wC, double *T)
{
    ((const joint_table *)table)->passes->drop_tangent(table, at, m, in, wK, wC, T);
}

// M a = Q in linear time. Q holds all generalised forces, those of inertia included, so no bias appears here.
static void joint_accelerate(const void *table, const coords *at, motion *m, const double *Q, double *a)
{
    (void)at;
    const joint_table *tab = table;
    // scalar variables beside the tree have no inertia of their own: nothing to solve
    for (int i = tab->tree.n_dof; i < tab->n; i++) {
        a[i] = 0.0;
    }
    for (int k = 0; k < tab->n_part; k++) {
        tab->passes->accelerate(table, m, k, Q, a);
    }
}

static void joint_multiply_mass(const void *table, const equations *e, const double *x, double *y)
{
    const joint_table *tab = table;
    mass_multiply(tab->mass, tab->n_mass, e->M, x, y);
    for (int f = 0; f < tab->n_flex; f++) {
        modal_multiply(&tab->flex[f].modal, e->M, x, y);
    }
}

// ---- poses and charts -----------------------------------------------------------------------------------------------------------

static void joint_poses(const void *table, const coords *at, const motion *m, const bool *wanted,
                        bi_pose *pose, bi_twist *twist)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    pose[0] = (bi_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    twist[0] = (bi_twist){ { 0, 0, 0 }, { 0, 0, 0 } };
    for (int b = 1; b < tab->n_body; b++) {
        if (wanted && !wanted[b]) {
            continue;
        }
        int k = tab->tree.body_node[b];
        const node_motion *n = &own.node[k];
        wide3 arm = wide_mat3_apply_vec3(&n->axes, &tab->tree.node[k].origin);
        pose[b] = (bi_pose){ wide3_narrow(n->pos + arm), quat_from_mat3(wide_mat3_narrow(&n->axes)) };
        twist[b] = (bi_twist){ wide3_narrow(n->lin + wide3_cross(n->ang, arm)), wide3_narrow(n->ang) };
    }
}

static int joint_mirrored(const void *table, const coords *at)
{
    (void)table, (void)at;
    return -1; // rotations cannot come out mirrored
}

static double joint_spin(const void *table, const coords *at, const motion *m, own_int *body)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    double most = 0.0;
    int fastest = -1;
    for (int b = 1; b < tab->n_body; b++) {
        wide3 spin = own.node[tab->tree.body_node[b]].ang;
        double now = wide3_dot(spin, spin);
        if (now > most) {
            most = now;
            fastest = b;
        }
    }
    *body = fastest;
    return sqrt(most);
}

// The reference follows; the rotation vector starts again from zero, where its rates are the angular velocity
// (joint.5).
static void joint_recentre(const void *table, coords *c)
{
    const joint_table *tab = table;
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        if (n->kind != NODE_ROTATION || node_sleeps(n, c)) {
            continue;
        }
        vec3 theta = tray_vec3(&c->q[n->q]), rate = tray_vec3(&c->v[n->q]), second = tray_vec3(&c->a[n->q]),
             drive = tray_vec3(&c->drive[n->q]);
        if (theta.x == 0.0 && theta.y == 0.0 && theta.z == 0.0) {
            continue; // it has not turned
        }
        rotation_series s = series_at(vec3_dot(theta, theta));
        vec3 once = vec3_cross(theta, rate), twice = vec3_cross(theta, once);
        double along = vec3_dot(theta, rate), *r = &c->chart[n->chart];
        vec3 bias = vec3_add_scaled(vec3_scale(-s.dA * along, once), s.dB * along, twice);
        bias = vec3_add_scaled(bias, s.B, vec3_cross(rate, once));
        bi_quat turn = quat_normalized(quat_multiply((bi_quat){ r[0], r[1], r[2], r[3] }, quat_exp(theta)));
        memcpy(r, &turn, sizeof turn);
        tray_put(&c->a[n->q], vec3_add(right_jacobian(&s, theta, second), bias));
        tray_put(&c->drive[n->q], vec3_add(right_jacobian(&s, theta, drive), bias));
        tray_put(&c->v[n->q], right_jacobian(&s, theta, rate));
        tray_put(&c->q[n->q], (vec3){ 0.0, 0.0, 0.0 });
    }
}

// ---- what joints need that close loops --------------------------------------------------------------------------------------------

static void joint_request_rows(plan *p)
{
    tree t;
    if (!tree_create(&t, p->model)) {
        p->no_memory = true;
        return;
    }
    for (int j = 0; j < p->model->n_joint; j++) {
        if (!t.is_tree[j]) {
            closure_request(p, j);
        }
        closure_request_pitch(p, j);
    }
    // a coordinate of a loop joint is a variable of its own, defined as in natural coordinates
    for (int k = 0; k < p->n_marker; k++) {
        if (p->marker[k].kind == MARKER_JOINT && t.joint_q[p->marker[k].joint][p->marker[k].coordinate] < 0) {
            plan_request_definition(p, p->marker[k].joint, p->marker[k].coordinate);
        }
    }
    tree_clear(&t);
}

static bool joint_put_bodies(const void *table, const bi_pose *pose, const bi_twist *twist, coords *out)
{
    const joint_table *tab = table;
    return tree_describe(&tab->tree, &(tree_goal){ .pose = pose, .twist = twist }, out->q, out->v,
                         out->chart);
}

const coordinates_set joint_set = {
    .value = BI_JOINT,
    .name = "joint",
    .request = joint_request_rows,
    .create = joint_create,
    .destroy = joint_destroy,
    .lift = joint_lift,
    .drop_rows = joint_drop_rows,
    .drop_load = joint_drop_load,
    .drop_tangent = joint_drop_tangent,
    .site_maps = joint_site_maps,
    .multiply_mass = joint_multiply_mass,
    .accelerate = joint_accelerate,
    .massless = joint_massless,
    .momentum = joint_momentum,
    .place = joint_put_bodies,
    .kinetic = joint_kinetic,
    .recentre = joint_recentre,
    .spin = joint_spin,
    .poses = joint_poses,
    .mirrored = joint_mirrored,
    .reactions_scratch = joint_reactions_scratch,
    .reactions = joint_reactions,
};
