// SPDX-License-Identifier: MIT
// Part of passes.c: accelerations of a tree in time linear in its bodies, by articulated bodies (joint.9, joint.10).
// Everything is in ground axes about the origin of its node; coordinates that come alone, the common case, have their
// own short path.
#pragma once
#include "coordinates/joint/flexible_passes.h"
#include "coordinates/joint/joint.h"

// ---- one coordinate ------------------------------------------------------------------------------------------------

// U = I S for a unit rate about (or along) the axis.
WIDE void response(const articulated *b, wide3 axis, bool is_linear, wide3 *ang, wide3 *lin)
{
    if (is_linear) {
        const wide3 *s = b->cross.col;
        *ang = (wide3){ wide3_dot(s[0], axis), wide3_dot(s[1], axis), wide3_dot(s[2], axis), 0.0 };
        *lin = wide_mat3_apply(&b->linear, axis);
    } else {
        *ang = wide_mat3_apply(&b->angular, axis);
        *lin = wide_mat3_apply(&b->cross, axis);
    }
}

// The inertia left when a coordinate gives way: I - (U / D) U^T.
WIDE void give_way(articulated *b, wide3 ang, wide3 lin, wide3 ang_share, wide3 lin_share)
{
    wide_mat3_less_outer(&b->angular, ang_share, ang);
    wide_mat3_less_outer(&b->linear, lin_share, lin);
    wide_mat3_less_outer(&b->cross, lin_share, ang);
}

WIDE void release_one(articulated *b, wide3 axis, bool is_linear, double rotor, double Q)
{
    wide3 ang, lin;
    response(b, axis, is_linear, &ang, &lin);
    double inverse = 1.0 / (wide3_dot(axis, is_linear ? lin : ang) + rotor);
    double left = Q - wide3_dot(axis, is_linear ? b->force : b->moment);
    b->U[0] = ang;
    b->U[1] = lin;
    b->D[0][0] = inverse;
    b->u[0] = left;
    wide3 ang_share = ang * inverse, lin_share = lin * inverse;
    give_way(b, ang, lin, ang_share, lin_share);
    b->moment += ang_share * left;
    b->force += lin_share * left;
}

// ---- three coordinates -----------------------------------------------------------------------------------------------

// Inverse of a symmetric positive matrix by L D L^T. A direction without inertia is refused at the start; a zero here
// shows as a number that is not finite.
static inline void invert_three(double A[3][3])
{
    double d0 = 1.0 / A[0][0], l1 = A[1][0] * d0, l2 = A[2][0] * d0;
    double d1 = 1.0 / (A[1][1] - l1 * A[1][0]), l3 = (A[2][1] - l2 * A[1][0]) * d1;
    double d2 = 1.0 / (A[2][2] - l2 * A[2][0] - l3 * (A[2][1] - l2 * A[1][0]));
    // columns of L^-1 below the ones
    double m1 = -l1, m2 = l1 * l3 - l2, m3 = -l3;
    A[2][2] = d2;
    A[2][1] = A[1][2] = d2 * m3;
    A[2][0] = A[0][2] = d2 * m2;
    A[1][1] = d1 + m3 * A[2][1];
    A[1][0] = A[0][1] = d1 * m1 + m3 * A[2][0];
    A[0][0] = d0 + m1 * (d1 * m1) + m2 * A[2][0];
}

static __attribute__((noinline)) void release_three(articulated *b, const wide3 *axis, bool is_linear,
                                                    bool is_root, const double *Q)
{
    for (int i = 0; i < 3; i++) {
        response(b, axis[i], is_linear, &b->U[2 * i], &b->U[2 * i + 1]);
        b->u[i] = Q[i] - wide3_dot(axis[i], is_linear ? b->force : b->moment);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b->D[i][j] = wide3_dot(axis[i], b->U[2 * j + is_linear]);
        }
    }
    invert_three(b->D);
    if (is_root) {
        return; // nothing carries what is left
    }
    // columns of U D^-1, one after the other: D^-1 is symmetric
    for (int i = 0; i < 3; i++) {
        wide3 ang = wide3_zero(), lin = wide3_zero();
        for (int j = 0; j < 3; j++) {
            ang += b->U[2 * j] * b->D[i][j];
            lin += b->U[2 * j + 1] * b->D[i][j];
        }
        give_way(b, b->U[2 * i], b->U[2 * i + 1], ang, lin);
        b->moment += ang * b->u[i];
        b->force += lin * b->u[i];
    }
}

// ---- the two passes --------------------------------------------------------------------------------------------------

// A node's own body, before any branch joins it.
WIDE void start(const composite *c, articulated *b)
{
    wide3 f = c->first;
    b->angular = c->inertia;
    // [f]^T in columns
    b->cross =
        (wide_mat3){ { { 0.0, -f[2], f[1], 0.0 }, { f[2], 0.0, -f[0], 0.0 }, { -f[1], f[0], 0.0, 0.0 } } };
    b->linear = wide_mat3_unit(c->mass);
    b->force = b->moment = wide3_zero();
}

// What is left of a branch seen from the node that carries it, X^T I X and X^T f (joint.9), added to what is there.
WIDE void join(const articulated *b, wide3 arm, articulated *up)
{
    // D' = D - C [arm],  A' = A + [arm] D' - D^T [arm]
    wide_mat3 C_arm = wide_mat3_times_cross(&b->linear, arm), D = b->cross;
    wide_mat3 transposed = wide_mat3_transposed(&D), less = wide_mat3_times_cross(&transposed, arm);
    for (int i = 0; i < 3; i++) {
        D.col[i] -= C_arm.col[i];
        up->angular.col[i] += b->angular.col[i] + (wide3_cross(arm, D.col[i]) - less.col[i]);
        up->cross.col[i] += D.col[i];
        up->linear.col[i] += b->linear.col[i];
    }
    up->force += b->force;
    up->moment += b->moment + wide3_cross(arm, b->force);
}

// The same where both origins are one.
WIDE void join_here(const articulated *b, articulated *up)
{
    wide_mat3_add(&up->angular, &b->angular);
    wide_mat3_add(&up->cross, &b->cross);
    wide_mat3_add(&up->linear, &b->linear);
    up->force += b->force;
    up->moment += b->moment;
}

// And nothing else is there.
WIDE void move_here(const articulated *b, articulated *up)
{
    up->angular = b->angular;
    up->cross = b->cross;
    up->linear = b->linear;
    up->force = b->force;
    up->moment = b->moment;
}

WIDE void join_parent(const tree_node *n, const node_motion *m, const articulated *b, articulated *up)
{
    if (!n->is_at_parent) {
        join(b, m->arm, up);
    } else if (n->is_first) {
        move_here(b, up);
    } else {
        join_here(b, up);
    }
}

// Second rates of one node and its acceleration, from the root (joint.10). Biases are already in Q.
WIDE void rise(const joint_table *tab, own_motion *own, int k, const articulated *b, double *a)
{
    const tree_node *n = &tab->tree.node[k];
    wide3 ang = wide3_zero(), lin = wide3_zero();
    if (n->parent >= 0) {
        const node_second *up = &own->second[n->parent];
        ang = up->ang;
        lin = n->is_at_parent ? up->lin : up->lin + wide3_cross(ang, own->node[k].arm);
    }
    const wide3 *axis = &own->axis[n->q];
    wide3 own_part = wide3_zero();
    if (n->n_dof == 1) {
        wide3 carried = b->U[0] * ang + b->U[1] * lin;
        a[n->q] = b->D[0][0] * (b->u[0] - (carried[0] + carried[1] + carried[2]));
        own_part = axis[0] * a[n->q];
    } else if (n->n_dof == 3) {
        double left[3];
        for (int i = 0; i < 3; i++) {
            left[i] = b->u[i] - wide3_dot(b->U[2 * i], ang) - wide3_dot(b->U[2 * i + 1], lin);
        }
        for (int i = 0; i < 3; i++) {
            a[n->q + i] = b->D[i][0] * left[0] + b->D[i][1] * left[1] + b->D[i][2] * left[2];
            own_part += axis[i] * a[n->q + i];
        }
    }
    bool is_linear = n->n_dof > 0 && tab->is_linear[n->q];
    own->second[k] = (node_second){ is_linear ? ang : ang + own_part, is_linear ? lin + own_part : lin };
}

// M a = Q of one part of the tree.
static void articulated_accelerate(const void *table, motion *m, int part, const double *Q, double *a)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    int first = tab->part[part], end = tab->part[part + 1];
    for (int k = first; k < end; k++) {
        articulated *b = &own.branch[k - first];
        start(&own.body[k], b);
        if (tab->tree.node[k].flex >= 0) {
            joint_flexible_release(tab, k, &own, b, Q);
        }
    }
    for (int k = end - 1; k >= first; k--) {
        const tree_node *n = &tab->tree.node[k];
        articulated *b = &own.branch[k - first];
        if (n->n_dof == 1) {
            release_one(b, own.axis[n->q], tab->is_linear[n->q], n->rotor, Q[n->q]);
        } else if (n->n_dof == 3) {
            release_three(b, &own.axis[n->q], tab->is_linear[n->q], n->parent < 0, &Q[n->q]);
        }
        if (n->parent >= 0) {
            join_parent(n, &own.node[k], b, &own.branch[n->parent - first]);
        }
    }
    for (int k = first; k < end; k++) {
        rise(tab, &own, k, &own.branch[k - first], a);
        if (tab->tree.node[k].flex >= 0) {
            joint_flexible_rise(tab, k, &own, a);
        }
    }
}
