// SPDX-License-Identifier: MIT
// Part of passes.c: motion of nodes and markers from the root (joint.1 .. joint.5).
#pragma once
#include "coordinates/joint/flexible_passes.h"
#include "coordinates/joint/joint.h"
#include "coordinates/joint/rotation_vector.h"
#include <string.h>

static void lift_rotation(const tree_node *n, const coords *in, const node_motion *base, node_motion *here,
                          wide3 *axis)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    vec3 theta = tray_vec3(&in->q[n->q]), rate = tray_vec3(&in->v[n->q]);
    rotation_series c = series_at(vec3_dot(theta, theta));
    const double *r = &in->chart[n->chart];
    mat3 turn = quat_to_mat3(quat_multiply((bi_quat){ r[0], r[1], r[2], r[3] }, quat_exp(theta)));
    here->axes = wide_mat3_multiply(&here->axes, &turn);
    for (int i = 0; i < 3; i++) {
        axis[i] = wide_mat3_apply(&here->axes, wide3_of(right_jacobian(&c, theta, unit[i])));
    }
    wide3 spin = wide_mat3_apply(&here->axes, wide3_of(right_jacobian(&c, theta, rate)));
    // dT/dt times rate (joint.5)
    vec3 once = vec3_cross(theta, rate), twice = vec3_cross(theta, once);
    double along = vec3_dot(theta, rate);
    vec3 bias = vec3_scale(-c.dA * along, once);
    bias = vec3_add_scaled(bias, c.dB * along, twice);
    bias = vec3_add_scaled(bias, c.B, vec3_cross(rate, once));
    here->ang = base->ang + spin;
    here->ang_bias =
        base->ang_bias + (wide3_cross(base->ang, spin) + wide_mat3_apply_vec3(&here->axes, &bias));
}

// Turned about an axis of its own: two columns mix, or all three.
WIDE void turn_about(const tree_node *n, double angle, wide_mat3 *axes)
{
    double s, c;
    if (n->along < 0) {
        mat3 turn = mat3_from_axis_angle(n->axis, angle);
        *axes = wide_mat3_multiply(axes, &turn);
        return;
    }
    math_sincos(angle, &s, &c);
    s *= n->sense;
    wide3 *y = &axes->col[n->along == 2 ? 0 : n->along + 1],
          *z = &axes->col[n->along == 0 ? 2 : n->along - 1];
    wide3 first = *y, second = *z;
    *y = first * c + second * s;
    *z = second * c - first * s;
}

// One node from its parent (joint.1 .. joint.3).
WIDE void lift_node(const joint_table *tab, int k, const coords *in, own_motion *own)
{
    static const node_motion ground = { .axes = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } } };
    const tree_node *n = &tab->tree.node[k];
    const node_motion *base = n->parent < 0 ? &ground : &own->node[n->parent];
    node_motion *here = &own->node[k];
    wide3 *axis = &own->axis[n->q], slide = wide3_zero();
    wide3 arm = n->is_at_parent ? wide3_zero() : wide_mat3_apply_vec3(&base->axes, &n->at);
    here->axes = n->is_turned ? wide_mat3_multiply(&base->axes, &n->turn) : base->axes;
    here->ang = base->ang;
    here->ang_bias = base->ang_bias;
    switch (n->kind) {
    case NODE_WELD: break;
    case NODE_REVOLUTE: {
        wide3 e =
            n->along < 0 ? wide_mat3_apply_vec3(&here->axes, &n->axis) : here->axes.col[n->along] * n->sense;
        axis[0] = e;
        turn_about(n, in->q[n->q], &here->axes);
        here->ang = base->ang + e * in->v[n->q];
        here->ang_bias = base->ang_bias + wide3_cross(base->ang, e) * in->v[n->q];
        break;
    }
    case NODE_PRISMATIC:
        axis[0] = wide_mat3_apply_vec3(&here->axes, &n->axis);
        arm += axis[0] * in->q[n->q];
        slide = axis[0] * in->v[n->q];
        break;
    case NODE_TRANSLATION:
        for (int i = 0; i < 3; i++) {
            axis[i] = here->axes.col[i];
            arm += axis[i] * in->q[n->q + i];
            slide += axis[i] * in->v[n->q + i];
        }
        break;
    case NODE_ROTATION: lift_rotation(n, in, base, here, axis); break;
    }
    if (n->is_at_parent) {
        here->arm = arm;
        here->pos = base->pos;
        here->lin = base->lin;
        here->lin_bias = base->lin_bias;
        return;
    }
    // the origin moves with the parent, and slides along it; slide is zero where nothing slides
    wide3 turn = wide3_cross(base->ang, arm);
    here->arm = arm;
    here->pos = base->pos + arm;
    here->lin = base->lin + turn + slide;
    here->lin_bias =
        base->lin_bias + wide3_cross(base->ang_bias, arm) + wide3_cross(base->ang, turn + slide * 2.0);
}

WIDE void lift_marker(const own_motion *own, const joint_marker *k, bool with_bias, motion *out)
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
    bool is_vector = k->kind == MARKER_VECTOR;
    wide3 arm = wide_mat3_apply_vec3(&m->axes, &k->at), turn = wide3_cross(m->ang, arm);
    wide3_put(value, is_vector ? arm : m->pos + arm);
    wide3_put(rate, is_vector ? turn : m->lin + turn);
    if (k->kind == MARKER_FRAME) {
        out->axes[k->frame] = wide_mat3_narrow(&m->axes);
        wide3_put(rate + 3, m->ang);
    }
    if (!with_bias) {
        return;
    }
    wide3 second = wide3_cross(m->ang_bias, arm) + wide3_cross(m->ang, turn);
    wide3_put(bias, is_vector ? second : m->lin_bias + second);
    if (k->kind == MARKER_FRAME) {
        wide3_put(bias + 3, m->ang_bias);
    }
}

static void lift_joints(const joint_table *tab, const coords *in, motion *out)
{
    for (int m = 0; m < tab->n_marker; m++) {
        const joint_marker *k = &tab->marker[m];
        if (is_scalar(k->kind) && k->q >= 0) {
            out->value[k->dof] = in->q[k->q];
            out->rate[k->dof] = in->v[k->q];
        }
    }
}

static void lift_amplitudes(const joint_table *tab, const coords *in, motion *out)
{
    for (int f = 0; f < tab->n_flex; f++) {
        modal_lift(&tab->flex[f].modal, in, out);
    }
}

// How much of exactly this state is on the trays from the lift before; notes it as the last one.
static int seen_before(const joint_table *tab, own_motion *own, const coords *in)
{
    size_t n = (size_t)tab->n * sizeof(double), chart = (size_t)tab->tree.n_chart * sizeof(double);
    double *q = own->seen + 1, *v = q + tab->n, *r = v + tab->n;
    int seen = (int)own->seen[0];
    if (seen != SEEN_NOTHING && memcmp(q, in->q, n) == 0 && memcmp(v, in->v, n) == 0 &&
        (chart == 0 || memcmp(r, in->chart, chart) == 0)) {
        return seen;
    }
    memcpy(q, in->q, n);
    memcpy(v, in->v, n);
    if (chart > 0) {
        memcpy(r, in->chart, chart);
    }
    return SEEN_NOTHING;
}

// Nodes and markers that are not known from before: of `seen` markers, and of bodies that sleep.
static void lift_unseen(const joint_table *tab, const coords *in, unsigned want, int seen, own_motion *own,
                        motion *out)
{
    for (int k = 0; seen == SEEN_NOTHING && k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        if (n->sleep < 0) {
            lift_node(tab, k, in, own);
        } else if (!node_sleeps(n, in) || !still_has(own, k, STILL_READ)) {
            own->still[k] = 0.0;
            lift_node(tab, k, in, own);
        }
    }
    for (int m = 0; m < tab->n_marker; m++) {
        const joint_marker *k = &tab->marker[m];
        bool with_bias = k->has_bias || want & LIFT_BIAS;
        if (is_scalar(k->kind) || (!k->is_read && !(want & LIFT_ALL)) ||
            (seen == SEEN_READ && k->is_read && !(want & LIFT_BIAS))) {
            continue;
        }
        bool is_still = tab->may_sleep && !(want & LIFT_BIAS) && k->node >= 0 &&
                        tab->tree.node[k->node].sleep >= 0 &&
                        still_has(own, k->node, k->is_read ? STILL_READ : STILL_ALL);
        if (!is_still && k->place < 0) {
            lift_marker(own, k, with_bias, out);
        }
    }
    lift_amplitudes(tab, in, out);
    for (int f = 0; f < tab->n_flex; f++) {
        modal_lift_turns(&tab->flex[f].modal, in, want, own->turn + tab->flex[f].turn);
    }
    for (int m = 0; tab->n_place > 0 && m < tab->n_marker; m++) {
        const joint_marker *k = &tab->marker[m];
        if (!is_scalar(k->kind) && (k->is_read || (want & LIFT_ALL)) && k->place >= 0) {
            joint_flexible_lift(tab, own, k, in, out);
        }
    }
    for (int k = 0; tab->may_sleep && k < tab->tree.n_node; k++) {
        if (node_sleeps(&tab->tree.node[k], in)) {
            int more = want & LIFT_ALL ? STILL_READ | STILL_ALL : STILL_READ;
            own->still[k] = (double)((int)own->still[k] | more);
        }
    }
}

static void lift_all(const void *table, const coords *in, unsigned want, motion *out)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, out);
    lift_joints(tab, in, out);
    if (want & LIFT_JOINTS) {
        lift_amplitudes(tab, in, out);
        own.seen[0] = tab->n_flex > 0 ? SEEN_NOTHING : own.seen[0];
        return;
    }
    int seen = seen_before(tab, &own, in);
    int wanted = want & LIFT_BIAS ? SEEN_BIAS : want & LIFT_ALL ? SEEN_ALL : SEEN_READ;
    if (seen < wanted) {
        lift_unseen(tab, in, want, seen, &own, out);
        own.seen[0] = wanted;
    }
}
