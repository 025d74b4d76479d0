// SPDX-License-Identifier: MIT
// Accelerations of a tree in time linear in its bodies: articulated bodies (joint.9, joint.10). Everything is in ground axes
// about the origin of its node; coordinates that come alone, the common case, have their own short path.
#include "base/lanes.h"
#include "coordinates/joint/joint.h"
#include "sparse/dense.h"

// ---- one coordinate ------------------------------------------------------------------------------------------------

// U = I S for a unit rate about (or along) the axis.
LANES_PART void response(const articulated *b, vec3 axis, bool is_linear, vec3 *ang, vec3 *lin)
{
    if (is_linear) {
        *ang = mat3_apply(b->cross, axis);
        *lin = sym3_apply(&b->linear, axis);
    } else {
        *ang = sym3_apply(&b->angular, axis);
        *lin = mat3_apply_transposed(b->cross, axis);
    }
}

// The inertia left when a coordinate gives way: I - U U^T / D.
LANES_PART void give_way(articulated *b, vec3 ang, vec3 lin, double inverse)
{
    sym3_add_square(&b->angular, -inverse, ang);
    sym3_add_square(&b->linear, -inverse, lin);
    vec3 scaled = vec3_scale(-inverse, ang);
    b->cross.col[0] = vec3_add_scaled(b->cross.col[0], lin.x, scaled);
    b->cross.col[1] = vec3_add_scaled(b->cross.col[1], lin.y, scaled);
    b->cross.col[2] = vec3_add_scaled(b->cross.col[2], lin.z, scaled);
}

LANES_PART void release_one(articulated *b, vec3 axis, bool is_linear, double Q)
{
    vec3 ang, lin;
    response(b, axis, is_linear, &ang, &lin);
    b->U[0] = ang;
    b->U[1] = lin;
    b->D[0][0] = 1.0 / vec3_dot(axis, is_linear ? lin : ang);
    b->u[0] = Q - vec3_dot(axis, is_linear ? b->force : b->moment);
    give_way(b, ang, lin, b->D[0][0]);
    double share = b->u[0] * b->D[0][0];
    b->moment = vec3_add_scaled(b->moment, share, ang);
    b->force = vec3_add_scaled(b->force, share, lin);
}

// ---- three coordinates -----------------------------------------------------------------------------------------------

static void invert_three(double D[3][3])
{
    double inverse[3][3];
    for (int j = 0; j < 3; j++) {
        double copy[9], column[3] = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 9; i++) {
            copy[i] = D[i / 3][i % 3];
        }
        column[j] = 1.0;
        // a direction without inertia is refused at the start, and a zero here shows as a number that is not finite
        if (!dense_solve(3, copy, column)) {
            column[0] = column[1] = column[2] = 1.0 / 0.0;
        }
        for (int i = 0; i < 3; i++) {
            inverse[i][j] = column[i];
        }
    }
    for (int i = 0; i < 9; i++) {
        D[i / 3][i % 3] = inverse[i / 3][i % 3];
    }
}

static void release_three(articulated *b, const vec3 *axis, bool is_linear, const double *Q)
{
    for (int i = 0; i < 3; i++) {
        response(b, axis[i], is_linear, &b->U[2 * i], &b->U[2 * i + 1]);
        b->u[i] = Q[i] - vec3_dot(axis[i], is_linear ? b->force : b->moment);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b->D[i][j] = vec3_dot(axis[i], b->U[2 * j + is_linear]);
        }
    }
    invert_three(b->D);
    // columns of U D^-1, one after the other: D^-1 is symmetric
    for (int i = 0; i < 3; i++) {
        vec3 ang = { 0.0, 0.0, 0.0 }, lin = { 0.0, 0.0, 0.0 };
        for (int j = 0; j < 3; j++) {
            ang = vec3_add_scaled(ang, b->D[i][j], b->U[2 * j]);
            lin = vec3_add_scaled(lin, b->D[i][j], b->U[2 * j + 1]);
        }
        const vec3 *Ua = &b->U[2 * i], *Ul = &b->U[2 * i + 1];
        sym3 a = { ang.x * Ua->x, ang.y * Ua->y, ang.z * Ua->z, ang.x * Ua->y, ang.y * Ua->z, ang.z * Ua->x };
        sym3 l = { lin.x * Ul->x, lin.y * Ul->y, lin.z * Ul->z, lin.x * Ul->y, lin.y * Ul->z, lin.z * Ul->x };
        a = (sym3){ -a.xx, -a.yy, -a.zz, -a.xy, -a.yz, -a.zx };
        l = (sym3){ -l.xx, -l.yy, -l.zz, -l.xy, -l.yz, -l.zx };
        sym3_add(&b->angular, &a);
        sym3_add(&b->linear, &l);
        b->cross.col[0] = vec3_add_scaled(b->cross.col[0], -lin.x, *Ua);
        b->cross.col[1] = vec3_add_scaled(b->cross.col[1], -lin.y, *Ua);
        b->cross.col[2] = vec3_add_scaled(b->cross.col[2], -lin.z, *Ua);
        b->moment = vec3_add_scaled(b->moment, b->u[i], ang);
        b->force = vec3_add_scaled(b->force, b->u[i], lin);
    }
}

// ---- the two passes --------------------------------------------------------------------------------------------------

// A node's own body, before any branch joins it.
LANES_PART void start(const composite *c, articulated *b)
{
    b->angular = c->inertia;
    b->cross = mat3_cross(c->first);
    b->linear = (sym3){ c->mass, c->mass, c->mass, 0.0, 0.0, 0.0 };
    b->force = b->moment = (vec3){ 0.0, 0.0, 0.0 };
}

// What is left of a branch seen from the node that carries it, X^T I X and X^T f (joint.9), added to what is there.
LANES_PART void join(const articulated *b, vec3 arm, articulated *up)
{
    // B' = B + [arm] C, column by column
    const sym3 *C = &b->linear;
    mat3 B = { { vec3_add(b->cross.col[0], vec3_cross(arm, (vec3){ C->xx, C->xy, C->zx })),
                 vec3_add(b->cross.col[1], vec3_cross(arm, (vec3){ C->xy, C->yy, C->yz })),
                 vec3_add(b->cross.col[2], vec3_cross(arm, (vec3){ C->zx, C->yz, C->zz })) } };
    // A' = A - B' [arm] + [arm] B^T
    const vec3 *s = b->cross.col, *t = B.col;
    up->angular.xx += b->angular.xx + (arm.y * (t[2].x + s[2].x) - arm.z * (t[1].x + s[1].x));
    up->angular.yy += b->angular.yy + (arm.z * (t[0].y + s[0].y) - arm.x * (t[2].y + s[2].y));
    up->angular.zz += b->angular.zz + (arm.x * (t[1].z + s[1].z) - arm.y * (t[0].z + s[0].z));
    up->angular.xy += b->angular.xy + (arm.z * t[0].x - arm.x * t[2].x) + (arm.y * s[2].y - arm.z * s[1].y);
    up->angular.yz += b->angular.yz + (arm.x * t[1].y - arm.y * t[0].y) + (arm.z * s[0].z - arm.x * s[2].z);
    up->angular.zx += b->angular.zx + (arm.y * t[2].z - arm.z * t[1].z) + (arm.x * s[1].x - arm.y * s[0].x);
    up->cross = mat3_add(up->cross, B);
    sym3_add(&up->linear, C);
    up->force = vec3_add(up->force, b->force);
    up->moment = vec3_add(up->moment, vec3_add(b->moment, vec3_cross(arm, b->force)));
}

// Second rates of one node and its acceleration, from the root (joint.10). Biases are already in Q.
LANES_PART void rise(const joint_table *tab, own_motion *own, int k, double *a)
{
    const tree_node *n = &tab->tree.node[k];
    articulated *b = &own->branch[k];
    vec3 ang = { 0.0, 0.0, 0.0 }, lin = { 0.0, 0.0, 0.0 };
    if (n->parent >= 0) {
        const articulated *up = &own->branch[n->parent];
        ang = up->ang;
        lin = vec3_add(up->lin, vec3_cross(ang, own->node[k].arm));
    }
    const vec3 *axis = &own->axis[n->q];
    vec3 *to = n->n_dof > 0 && tab->is_linear[n->q] ? &lin : &ang;
    if (n->n_dof == 1) {
        a[n->q] = b->D[0][0] * (b->u[0] - vec3_dot(b->U[0], ang) - vec3_dot(b->U[1], lin));
        *to = vec3_add_scaled(*to, a[n->q], axis[0]);
    } else if (n->n_dof == 3) {
        double left[3];
        for (int i = 0; i < 3; i++) {
            left[i] = b->u[i] - vec3_dot(b->U[2 * i], ang) - vec3_dot(b->U[2 * i + 1], lin);
        }
        for (int i = 0; i < 3; i++) {
            a[n->q + i] = b->D[i][0] * left[0] + b->D[i][1] * left[1] + b->D[i][2] * left[2];
            *to = vec3_add_scaled(*to, a[n->q + i], axis[i]);
        }
    }
    b->ang = ang;
    b->lin = lin;
}

// M a = Q in linear time. Q holds all generalised forces, those of inertia included, so no bias appears here.
LANES
void joint_accelerate(const void *table, const coords *at, motion *m, const double *Q, double *a)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    for (int k = 0; k < tab->tree.n_node; k++) {
        start(&own.body[k], &own.branch[k]);
    }
    for (int k = tab->tree.n_node - 1; k >= 0; k--) {
        const tree_node *n = &tab->tree.node[k];
        if (n->n_dof == 1) {
            release_one(&own.branch[k], own.axis[n->q], tab->is_linear[n->q], Q[n->q]);
        } else if (n->n_dof == 3) {
            release_three(&own.branch[k], &own.axis[n->q], tab->is_linear[n->q], &Q[n->q]);
        }
        if (n->parent >= 0) {
            join(&own.branch[k], own.node[k].arm, &own.branch[n->parent]);
        }
    }
    for (int k = 0; k < tab->tree.n_node; k++) {
        rise(tab, &own, k, a);
    }
    // scalar variables beside the tree have no inertia of their own: nothing to solve
    for (int i = tab->tree.n_dof; i < tab->n; i++) {
        a[i] = 0.0;
    }
}
