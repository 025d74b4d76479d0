// SPDX-License-Identifier: MIT
// Joint coordinates at work: recursive motion of the tree, forces and gradients back along it (docs/theory/joint.md).
#include "coordinates/joint/joint.h"
#include "base/lanes.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>
#include <string.h>

size_t own_size(const joint_table *tab)
{
    size_t n = (size_t)tab->tree.n_node, dofs = (size_t)tab->tree.n_dof;
    return (n * (sizeof(node_motion) + 2 * sizeof(composite) + 2 * sizeof(vec3) + sizeof(articulated)) +
            dofs * sizeof(vec3)) /
               sizeof(double) +
           1;
}

own_motion own_cut(const joint_table *tab, const motion *m)
{
    own_motion own;
    own.node = (node_motion *)m->own;
    own.axis = (vec3 *)(own.node + tab->tree.n_node);
    own.body = (composite *)(own.axis + tab->tree.n_dof);
    own.whole = own.body + tab->tree.n_node;
    own.force = (vec3 *)(own.whole + tab->tree.n_node);
    own.moment = own.force + tab->tree.n_node;
    own.branch = (articulated *)(own.moment + tab->tree.n_node);
    return own;
}

// ---- lift -----------------------------------------------------------------------------------------------------------

// Coefficients of the right Jacobian of the rotation vector and of its rate (joint.4): series where the closed forms cancel.
typedef struct {
    double A, B, dA, dB; // (1 - cos x)/x^2, (x - sin x)/x^3, and (dA/dx)/x, (dB/dx)/x
} rotation_series;

static rotation_series series_at(double x2)
{
    // below 0.2 rad the fifth term of each series is beyond the last bit
    if (x2 < 0.04) {
        return (rotation_series){
            0.5 - x2 * (1.0 / 24 - x2 * (1.0 / 720 - x2 * (1.0 / 40320 - x2 / 3628800))),
            1.0 / 6 - x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 * (1.0 / 362880 - x2 / 39916800))),
            -1.0 / 12 + x2 * (1.0 / 180 - x2 * (1.0 / 6720 - x2 * (1.0 / 453600 - x2 / 47900160))),
            -1.0 / 60 + x2 * (1.0 / 1260 - x2 * (1.0 / 60480 - x2 * (1.0 / 4989600 - x2 / 622702080))),
        };
    }
    double x = sqrt(x2), s, c;
    math_sincos(x, &s, &c);
    return (rotation_series){ (1.0 - c) / x2, (x - s) / (x2 * x), (s * x - 2.0 * (1.0 - c)) / (x2 * x2),
                              ((1.0 - c) * x - 3.0 * (x - s)) / (x2 * x2 * x) };
}

// T x = x - A theta x x + B theta x (theta x x)
static vec3 right_jacobian(const rotation_series *c, vec3 theta, vec3 x)
{
    vec3 once = vec3_cross(theta, x), twice = vec3_cross(theta, once);
    return vec3_add_scaled(vec3_add_scaled(x, -c->A, once), c->B, twice);
}

static void lift_rotation(const tree_node *n, const coords *in, const node_motion *base, node_motion *here,
                          vec3 *axis)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    vec3 theta = tray_vec3(&in->q[n->q]), rate = tray_vec3(&in->v[n->q]);
    rotation_series c = series_at(vec3_dot(theta, theta));
    const double *r = &in->chart[n->chart];
    bi_quat turn = quat_multiply((bi_quat){ r[0], r[1], r[2], r[3] }, quat_exp(theta));
    here->axes = mat3_multiply(here->axes, quat_to_mat3(turn));
    for (int i = 0; i < 3; i++) {
        axis[i] = mat3_apply(here->axes, right_jacobian(&c, theta, unit[i]));
    }
    vec3 spin = mat3_apply(here->axes, right_jacobian(&c, theta, rate));
    // dT/dt times rate (joint.5)
    vec3 once = vec3_cross(theta, rate), twice = vec3_cross(theta, once);
    double along = vec3_dot(theta, rate);
    vec3 bias = vec3_scale(-c.dA * along, once);
    bias = vec3_add_scaled(bias, c.dB * along, twice);
    bias = vec3_add_scaled(bias, c.B, vec3_cross(rate, once));
    here->ang = vec3_add(base->ang, spin);
    here->ang_bias =
        vec3_add(base->ang_bias, vec3_add(vec3_cross(base->ang, spin), mat3_apply(here->axes, bias)));
}

// Turned about an axis of its own: two columns mix, or all three.
LANES_PART void turn_about(const tree_node *n, double angle, mat3 *axes)
{
    double s, c;
    if (n->along < 0) {
        *axes = mat3_multiply(*axes, mat3_from_axis_angle(n->axis, angle));
        return;
    }
    math_sincos(angle, &s, &c);
    s *= n->sense;
    vec3 *y = &axes->col[n->along == 2 ? 0 : n->along + 1], *z = &axes->col[n->along == 0 ? 2 : n->along - 1];
    vec3 first = *y, second = *z;
    *y = vec3_add_scaled(vec3_scale(c, first), s, second);
    *z = vec3_add_scaled(vec3_scale(c, second), -s, first);
}

// One node from its parent (joint.1 .. joint.3).
LANES_PART void lift_node(const joint_table *tab, int k, const coords *in, own_motion *own)
{
    static const node_motion ground = { .axes = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } };
    const tree_node *n = &tab->tree.node[k];
    const node_motion *base = n->parent < 0 ? &ground : &own->node[n->parent];
    node_motion *here = &own->node[k];
    vec3 *axis = &own->axis[n->q], arm = mat3_apply(base->axes, n->at), slide = { 0, 0, 0 };
    here->axes = n->is_turned ? mat3_multiply(base->axes, n->turn) : base->axes;
    here->ang = base->ang;
    here->ang_bias = base->ang_bias;
    switch (n->kind) {
    case NODE_WELD: break;
    case NODE_REVOLUTE:
        axis[0] =
            n->along < 0 ? mat3_apply(here->axes, n->axis) : vec3_scale(n->sense, here->axes.col[n->along]);
        turn_about(n, in->q[n->q], &here->axes);
        here->ang = vec3_add_scaled(base->ang, in->v[n->q], axis[0]);
        here->ang_bias = vec3_add_scaled(base->ang_bias, in->v[n->q], vec3_cross(base->ang, axis[0]));
        break;
    case NODE_PRISMATIC:
        axis[0] = mat3_apply(here->axes, n->axis);
        arm = vec3_add_scaled(arm, in->q[n->q], axis[0]);
        slide = vec3_scale(in->v[n->q], axis[0]);
        break;
    case NODE_TRANSLATION:
        for (int i = 0; i < 3; i++) {
            axis[i] = here->axes.col[i];
            arm = vec3_add_scaled(arm, in->q[n->q + i], axis[i]);
            slide = vec3_add_scaled(slide, in->v[n->q + i], axis[i]);
        }
        break;
    case NODE_ROTATION: lift_rotation(n, in, base, here, axis); break;
    }
    // the origin moves with the parent, and slides along it
    vec3 turn = vec3_cross(base->ang, arm), lin = vec3_add(base->lin, turn);
    vec3 bias = vec3_add(base->lin_bias, vec3_cross(base->ang_bias, arm));
    if (tab->is_linear[n->q] && n->n_dof > 0) {
        lin = vec3_add(lin, slide);
        turn = vec3_add_scaled(turn, 2.0, slide);
    }
    here->arm = arm;
    here->pos = vec3_add(base->pos, arm);
    here->lin = lin;
    here->lin_bias = vec3_add(bias, vec3_cross(base->ang, turn));
}

LANES_PART void lift_marker(const own_motion *own, const joint_marker *k, motion *out)
{
    const node_motion *m = k->node >= 0 ? &own->node[k->node] : NULL;
    double *value = &out->value[k->dof], *rate = &out->rate[k->dof], *bias = &out->bias[k->dof];
    if (!m) {
        tray_put(value, k->at);
        if (k->kind == MARKER_FRAME) {
            out->axes[k->frame] = mat3_identity();
        }
        return;
    }
    vec3 arm = mat3_apply(m->axes, k->at), turn = vec3_cross(m->ang, arm);
    vec3 second = vec3_add(vec3_cross(m->ang_bias, arm), vec3_cross(m->ang, turn));
    if (k->kind == MARKER_VECTOR) {
        tray_put(value, arm);
        tray_put(rate, turn);
        tray_put(bias, second);
        return;
    }
    tray_put(value, vec3_add(m->pos, arm));
    tray_put(rate, vec3_add(m->lin, turn));
    tray_put(bias, vec3_add(m->lin_bias, second));
    if (k->kind == MARKER_FRAME) {
        out->axes[k->frame] = m->axes;
        tray_put(rate + 3, m->ang);
        tray_put(bias + 3, m->ang_bias);
    }
}

LANES
static void joint_lift(const void *table, const coords *in, unsigned want, motion *out)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, out);
    for (int k = 0; k < tab->tree.n_node; k++) {
        lift_node(tab, k, in, &own);
    }
    for (int m = 0; m < tab->n_marker; m++) {
        const joint_marker *k = &tab->marker[m];
        if (k->kind == MARKER_JOINT) {
            out->value[k->dof] = in->q[k->q];
            out->rate[k->dof] = in->v[k->q];
        } else if (k->is_read || (want & LIFT_ALL)) {
            lift_marker(&own, k, out);
        }
    }
}

// ---- gradients --------------------------------------------------------------------------------------------------------

// A gradient on one marker to the coordinates that move it: its force and moment about the ground's origin, seen by
// each axis (joint.11).
static void spread_gradient(const joint_table *tab, const own_motion *own, const motion *m, int entry,
                            const double *g, double *row)
{
    const joint_marker *k = &tab->marker[tab->list[entry]];
    const joint_spread *s = &tab->spread[tab->spread_start[entry]];
    int count = tab->spread_end[entry] - tab->spread_start[entry];
    if (k->kind == MARKER_JOINT) {
        row[s->to] += g[0];
        return;
    }
    vec3 force = tray_vec3(g), value = tray_vec3(&m->value[k->dof]);
    vec3 moment = vec3_cross(value, force);
    if (k->kind == MARKER_FRAME) {
        moment = vec3_add(moment, tray_vec3(g + 3));
    } else if (k->kind == MARKER_VECTOR) {
        force = (vec3){ 0.0, 0.0, 0.0 };
    }
    for (int i = 0; i < count; i++) {
        int dof = s[i].dof;
        vec3 axis = own->axis[dof];
        if (tab->is_linear[dof]) {
            row[s[i].to] += vec3_dot(axis, force);
        } else {
            vec3 about = vec3_sub(moment, vec3_cross(own->node[tab->dof_node[dof]].pos, force));
            row[s[i].to] += vec3_dot(axis, about);
        }
    }
}

static void joint_drop_rows(const void *table, const coords *at, const motion *m, unsigned want, rows *r,
                            equations *out)
{
    (void)at;
    const joint_table *tab = table;
    if (!(want & LAW_POSITION)) {
        return;
    }
    own_motion own = own_cut(tab, m);
    for (int g = 0; g < tab->n_row; g++) {
        const joint_group *group = &tab->row[g];
        for (int k = 0; k < group->count; k++) {
            double *row = &out->G[tab->structure->G_start[group->value + k]];
            const double *gradient = &r->gradient[group->gradient + k * group->width];
            memset(row, 0, (size_t)group->n_col * sizeof *row);
            for (int i = 0; i < group->n_marker; i++) {
                spread_gradient(tab, &own, m, group->marker + i, gradient, row);
                gradient += marker_width(tab->marker[tab->list[group->marker + i]].kind);
            }
        }
    }
}

// ---- forces ---------------------------------------------------------------------------------------------------------------

LANES
static void joint_drop_load(const void *table, const coords *at, const motion *m, const load *in,
                            unsigned want, equations *out)
{
    (void)at;
    const joint_table *tab = table;
    const tree *t = &tab->tree;
    own_motion own = own_cut(tab, m);
    memset(out->Q, 0, (size_t)tab->n * sizeof *out->Q);
    memset(own.force, 0, 2 * (size_t)t->n_node * sizeof *own.force);
    for (int i = 0; i < tab->n_marker; i++) {
        const joint_marker *k = &tab->marker[i];
        if (k->kind == MARKER_JOINT) {
            out->Q[k->q] += in->effort[k->dof];
        } else if (k->node >= 0) {
            effort_to_node(&own, k, &in->effort[k->dof]);
        }
    }
    inertia_forces(tab, &own);

    // from the leaves to the ground: each coordinate feels all that it carries (joint.7)
    for (int k = t->n_node - 1; k >= 0; k--) {
        const tree_node *n = &t->node[k];
        for (int i = 0; i < n->n_dof; i++) {
            out->Q[n->q + i] +=
                vec3_dot(own.axis[n->q + i], tab->is_linear[n->q + i] ? own.force[k] : own.moment[k]);
        }
        if (n->parent >= 0) {
            vec3 arm = own.node[k].arm;
            own.force[n->parent] = vec3_add(own.force[n->parent], own.force[k]);
            own.moment[n->parent] =
                vec3_add(own.moment[n->parent], vec3_add(own.moment[k], vec3_cross(arm, own.force[k])));
        }
    }
    if (want & DROP_MASS) {
        inertia_mass(tab, &own, out->M);
    }
}

static void joint_multiply_mass(const void *table, const equations *e, const double *x, double *y)
{
    const joint_table *tab = table;
    mass_multiply(tab->mass, tab->n_mass, e->M, x, y);
}

// ---- stiffness and damping --------------------------------------------------------------------------------------------------

static void joint_drop_tangent(const void *table, const coords *at, const motion *m, const load *in,
                               double wK, double wC, double *T)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    block_map_values values;
    for (int b = 0; b < tab->n_block; b++) {
        const joint_group *g = &tab->block[b];
        int row = 0;
        values.w = g->width;
        values.n = g->n_col;
        if (values.w > BLOCK_WIDTH || values.n > BLOCK_COLUMNS ||
            block_is_zero(&in->K[g->value], &in->C[g->value], g->width)) {
            continue;
        }
        for (int i = 0; i < g->n_marker; i++) {
            int width = marker_width(tab->marker[tab->list[g->marker + i]].kind);
            for (int k = 0; k < width; k++, row++) {
                double unit[6] = { 0.0 };
                unit[k] = 1.0;
                memset(values.J[row], 0, (size_t)values.n * sizeof values.J[row][0]);
                spread_gradient(tab, &own, m, g->marker + i, unit, values.J[row]);
            }
        }
        block_add(&values, &in->K[g->value], &in->C[g->value], wK, wC, &tab->entry[g->entry], T);
    }
}

// ---- poses and charts -----------------------------------------------------------------------------------------------------------

static void joint_poses(const void *table, const coords *at, const motion *m, bi_pose *pose, bi_twist *twist)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    pose[0] = (bi_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    twist[0] = (bi_twist){ { 0, 0, 0 }, { 0, 0, 0 } };
    for (int b = 1; b < tab->n_body; b++) {
        int k = tab->tree.body_node[b];
        const node_motion *n = &own.node[k];
        vec3 arm = mat3_apply(n->axes, tab->tree.node[k].origin);
        pose[b] = (bi_pose){ vec3_add(n->pos, arm), quat_from_mat3(n->axes) };
        twist[b] = (bi_twist){ vec3_add(n->lin, vec3_cross(n->ang, arm)), n->ang };
    }
}

static int joint_mirrored(const void *table, const coords *at)
{
    (void)table, (void)at;
    return -1; // rotations cannot come out mirrored
}

// The reference follows; the rotation vector starts again from zero, where its rates are the angular velocity (joint.5).
static void joint_recentre(const void *table, coords *c)
{
    const joint_table *tab = table;
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        if (n->kind != NODE_ROTATION) {
            continue;
        }
        vec3 theta = tray_vec3(&c->q[n->q]), rate = tray_vec3(&c->v[n->q]), second = tray_vec3(&c->a[n->q]);
        rotation_series s = series_at(vec3_dot(theta, theta));
        vec3 once = vec3_cross(theta, rate), twice = vec3_cross(theta, once);
        double along = vec3_dot(theta, rate), *r = &c->chart[n->chart];
        vec3 bias = vec3_add_scaled(vec3_scale(-s.dA * along, once), s.dB * along, twice);
        bias = vec3_add_scaled(bias, s.B, vec3_cross(rate, once));
        bi_quat turn = quat_normalized(quat_multiply((bi_quat){ r[0], r[1], r[2], r[3] }, quat_exp(theta)));
        memcpy(r, &turn, sizeof turn);
        tray_put(&c->a[n->q], vec3_add(right_jacobian(&s, theta, second), bias));
        tray_put(&c->v[n->q], right_jacobian(&s, theta, rate));
        tray_put(&c->q[n->q], (vec3){ 0.0, 0.0, 0.0 });
    }
}

// ---- what joints need that close loops --------------------------------------------------------------------------------------------

static void request_loop(plan *p, int j)
{
    switch (p->model->joint[j].def.kind) {
    case BI_FIXED:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_ORIENT, j, 0);
        break;
    case BI_REVOLUTE:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_PRISMATIC:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_ORIENT, j, 0);
        break;
    case BI_CYLINDRICAL:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_PLANAR:
        plan_request(p, JOINT_ROWS_PLANE, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_SCREW:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_UNIVERSAL:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_PERPENDICULAR, j, 0);
        break;
    case BI_SPHERICAL: plan_request(p, JOINT_ROWS_COINCIDE, j, 0); break;
    case BI_FREE: break;
    case BI_DISTANCE:
        if (!model_is_driven(p->model, j)) {
            plan_request(p, JOINT_ROWS_DISTANCE, j, 0);
        }
        break;
    }
}

static void joint_request_rows(plan *p)
{
    tree t;
    if (!tree_create(&t, p->model)) {
        p->no_memory = true;
        return;
    }
    for (int j = 0; j < p->model->n_joint; j++) {
        if (!t.is_tree[j]) {
            request_loop(p, j);
        }
        if (p->model->joint[j].def.kind == BI_SCREW) {
            plan_joint(p, j, 0);
            plan_joint(p, j, 1);
            plan_request(p, JOINT_ROWS_SCREW, j, 0);
        }
    }
    // a coordinate of a loop joint is a variable of its own, defined as in natural coordinates
    for (int k = 0; k < p->n_marker; k++) {
        if (p->marker[k].kind == MARKER_JOINT && t.joint_q[p->marker[k].joint][p->marker[k].coordinate] < 0) {
            plan_request_definition(p, p->marker[k].joint, p->marker[k].coordinate);
        }
    }
    tree_clear(&t);
}

const coordinates_set joint_set = {
    .name = "joint",
    .request = joint_request_rows,
    .create = joint_create,
    .destroy = joint_destroy,
    .lift = joint_lift,
    .drop_rows = joint_drop_rows,
    .drop_load = joint_drop_load,
    .drop_tangent = joint_drop_tangent,
    .multiply_mass = joint_multiply_mass,
    .accelerate = joint_accelerate,
    .recentre = joint_recentre,
    .poses = joint_poses,
    .mirrored = joint_mirrored,
    .reactions_scratch = joint_reactions_scratch,
    .reactions = joint_reactions,
};
