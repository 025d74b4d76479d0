// SPDX-License-Identifier: MIT
// Inertia of the tree: composite bodies for the mass matrix, Newton-Euler forces, articulated bodies for accelerations in linear
// time (joint.6 .. joint.10). Every quantity is in ground axes about the origin of its node.
#include "coordinates/joint/joint.h"
#include "sparse/dense.h"
#include <string.h>

static mat3 turned(mat3 R, mat3 I) { return mat3_multiply(mat3_multiply(R, I), mat3_transposed(R)); }

// -m [r]x[r]x = m (r.r 1 - r r^T)
static mat3 parallel_axis(double mass, vec3 r)
{
    return mat3_add(mat3_scale(mass * vec3_dot(r, r), mat3_identity()), mat3_scale(-mass, mat3_outer(r, r)));
}

// ---- composite bodies ----------------------------------------------------------------------------------------------

static composite own_body(const tree_node *n, const node_motion *m)
{
    vec3 arm = mat3_apply(m->axes, n->com);
    composite c = { n->mass, vec3_scale(n->mass, arm), turned(m->axes, n->inertia) };
    c.inertia = mat3_add(c.inertia, parallel_axis(n->mass, arm));
    return c;
}

// The body of `from` added to that of `to`, whose origin lies `arm` before it.
static void add_composite(const composite *from, vec3 arm, composite *to)
{
    // I' = I + m(|a|^2 - a a^T) + 2 a.f 1 - (a f^T + f a^T)
    mat3 cross = mat3_add(mat3_outer(arm, from->first), mat3_outer(from->first, arm));
    mat3 moved = mat3_add(from->inertia, parallel_axis(from->mass, arm));
    moved = mat3_add(moved, mat3_scale(2.0 * vec3_dot(arm, from->first), mat3_identity()));
    to->inertia = mat3_add(to->inertia, mat3_add(moved, mat3_scale(-1.0, cross)));
    to->mass += from->mass;
    to->first = vec3_add(to->first, vec3_add_scaled(from->first, from->mass, arm));
}

// Momentum of the composite body for a unit rate of a coordinate: force and moment about the node's origin.
static void unit_momentum(const composite *c, vec3 axis, bool is_linear, vec3 *lin, vec3 *ang)
{
    if (is_linear) {
        *lin = vec3_scale(c->mass, axis);
        *ang = vec3_cross(c->first, axis);
    } else {
        *lin = vec3_cross(axis, c->first);
        *ang = mat3_apply(c->inertia, axis);
    }
}

void inertia_mass(const joint_table *tab, own_motion *own, double *M)
{
    const tree *t = &tab->tree;
    memset(M, 0, (size_t)tab->structure->tangent.nnz * sizeof *M);
    for (int k = 0; k < t->n_node; k++) {
        own->whole[k] = own_body(&t->node[k], &own->node[k]);
    }
    for (int k = t->n_node - 1; k >= 0; k--) {
        int up = t->node[k].parent;
        if (up >= 0) {
            add_composite(&own->whole[k], vec3_sub(own->node[k].pos, own->node[up].pos), &own->whole[up]);
        }
    }
    // the pairs were listed in this very order
    const joint_mass *pair = tab->mass;
    for (int k = 0; k < t->n_node; k++) {
        const tree_node *n = &t->node[k];
        for (int i = 0; i < n->n_dof; i++) {
            vec3 lin, ang;
            unit_momentum(&own->whole[k], own->axis[n->q + i], tab->is_linear[n->q + i], &lin, &ang);
            for (int j = 0; j <= i; j++, pair++) {
                M[pair->entry] = vec3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
            }
            int below = k;
            for (int up = n->parent; up >= 0; below = up, up = t->node[up].parent) {
                ang = vec3_add(ang, vec3_cross(vec3_sub(own->node[below].pos, own->node[up].pos), lin));
                for (int j = 0; j < t->node[up].n_dof; j++, pair++) {
                    M[pair->entry] = vec3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
                }
            }
        }
    }
}

// ---- Newton and Euler ------------------------------------------------------------------------------------------------

// Acceleration of a node with second rates a on top of its bias.
static void node_acceleration(const joint_table *tab, const own_motion *own, int k, const double *a,
                              vec3 *ang, vec3 *lin)
{
    *ang = own->node[k].ang_bias;
    *lin = own->node[k].lin_bias;
    for (int up = k; a && up >= 0; up = tab->tree.node[up].parent) {
        const tree_node *n = &tab->tree.node[up];
        vec3 arm = vec3_sub(own->node[k].pos, own->node[up].pos);
        for (int i = 0; i < n->n_dof; i++) {
            vec3 axis = vec3_scale(a[n->q + i], own->axis[n->q + i]);
            if (tab->is_linear[n->q + i]) {
                *lin = vec3_add(*lin, axis);
            } else {
                *ang = vec3_add(*ang, axis);
                *lin = vec3_add(*lin, vec3_cross(axis, arm));
            }
        }
    }
}

void inertia_forces(const joint_table *tab, own_motion *own, const double *a)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        if (n->body < 0) {
            continue;
        }
        const node_motion *m = &own->node[k];
        vec3 ang, lin;
        node_acceleration(tab, own, k, a, &ang, &lin);
        vec3 arm = mat3_apply(m->axes, n->com);
        vec3 com = vec3_add(lin, vec3_add(vec3_cross(ang, arm), vec3_cross(m->ang, vec3_cross(m->ang, arm))));
        mat3 inertia = turned(m->axes, n->inertia);
        vec3 push = vec3_scale(n->mass, com);
        vec3 spin = vec3_add(mat3_apply(inertia, ang), vec3_cross(m->ang, mat3_apply(inertia, m->ang)));
        own->force[k] = vec3_sub(own->force[k], push);
        own->moment[k] = vec3_sub(own->moment[k], vec3_add(spin, vec3_cross(arm, push)));
    }
}

// ---- articulated bodies -----------------------------------------------------------------------------------------------

static void put6(double out[6], vec3 ang, vec3 lin)
{
    out[0] = ang.x;
    out[1] = ang.y;
    out[2] = ang.z;
    out[3] = lin.x;
    out[4] = lin.y;
    out[5] = lin.z;
}

static void body_inertia(const composite *c, double I[6][6])
{
    mat3 f = mat3_cross(c->first);
    for (int i = 0; i < 3; i++) {
        const double column[3] = { c->inertia.col[i].x, c->inertia.col[i].y, c->inertia.col[i].z };
        const double skew[3] = { f.col[i].x, f.col[i].y, f.col[i].z };
        for (int j = 0; j < 3; j++) {
            I[j][i] = column[j];
            I[j][i + 3] = skew[j];
            I[i + 3][j] = skew[j];
            I[j + 3][i + 3] = i == j ? c->mass : 0.0;
        }
    }
}

static void subspace(const joint_table *tab, const own_motion *own, const tree_node *n, double S[3][6])
{
    for (int i = 0; i < n->n_dof; i++) {
        vec3 axis = own->axis[n->q + i], none = { 0.0, 0.0, 0.0 };
        put6(S[i], tab->is_linear[n->q + i] ? none : axis, tab->is_linear[n->q + i] ? axis : none);
    }
}

static bool invert_small(int n, double A[3][3], double out[3][3])
{
    for (int j = 0; j < n; j++) {
        double copy[9], column[3] = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                copy[n * i + k] = A[i][k];
            }
        }
        column[j] = 1.0;
        if (n == 1) {
            column[0] = 1.0 / A[0][0];
        } else if (!dense_solve(n, copy, column)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            out[i][j] = column[i];
        }
    }
    return true;
}

// Spatial force or inertia about `arm` further along, moved back to the parent's origin.
static void shift_force(const double f[6], vec3 arm, double out[6])
{
    vec3 lin = { f[3], f[4], f[5] }, ang = { f[0], f[1], f[2] };
    put6(out, vec3_add(ang, vec3_cross(arm, lin)), lin);
}

static void shift_motion(const double a[6], vec3 arm, double out[6])
{
    vec3 ang = { a[0], a[1], a[2] }, lin = { a[3], a[4], a[5] };
    put6(out, ang, vec3_add(lin, vec3_cross(ang, arm)));
}

static void shift_inertia(double I[6][6], vec3 arm, double out[6][6])
{
    // out = X^T I X with X shifting a motion of the parent to the child
    double half[6][6];
    for (int j = 0; j < 6; j++) {
        double unit[6] = { 0.0 }, moved[6], f[6];
        unit[j] = 1.0;
        shift_motion(unit, arm, moved);
        for (int i = 0; i < 6; i++) {
            f[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                f[i] += I[i][k] * moved[k];
            }
        }
        double back[6];
        shift_force(f, arm, back);
        for (int i = 0; i < 6; i++) {
            half[i][j] = back[i];
        }
    }
    memcpy(out, half, sizeof half);
}

// One node, from the leaves: what is left of its articulated inertia and force for the parent (joint.9).
static void pass_down(const joint_table *tab, own_motion *own, int k, const double *Q)
{
    const tree_node *n = &tab->tree.node[k];
    articulated *b = &own->branch[k];
    double S[3][6], inverse[3][3] = { { 0.0 } };
    subspace(tab, own, n, S);
    for (int i = 0; i < n->n_dof; i++) {
        b->u[i] = Q[n->q + i];
        for (int r = 0; r < 6; r++) {
            b->U[r][i] = 0.0;
            for (int c = 0; c < 6; c++) {
                b->U[r][i] += b->I[r][c] * S[i][c];
            }
            b->u[i] -= S[i][r] * b->force[r];
        }
    }
    for (int i = 0; i < n->n_dof; i++) {
        for (int j = 0; j < n->n_dof; j++) {
            b->D[i][j] = 0.0;
            for (int r = 0; r < 6; r++) {
                b->D[i][j] += S[i][r] * b->U[r][j];
            }
        }
    }
    if (n->n_dof > 0 && invert_small(n->n_dof, b->D, inverse)) {
        memcpy(b->D, inverse, sizeof inverse);
    }
    if (n->parent < 0) {
        return;
    }
    double I[6][6], force[6], moved[6][6], back[6];
    for (int r = 0; r < 6; r++) {
        force[r] = b->force[r];
        for (int c = 0; c < 6; c++) {
            I[r][c] = b->I[r][c];
        }
        for (int i = 0; i < n->n_dof; i++) {
            double UD = 0.0;
            for (int j = 0; j < n->n_dof; j++) {
                UD += b->U[r][j] * b->D[j][i];
            }
            force[r] += UD * b->u[i];
            for (int c = 0; c < 6; c++) {
                I[r][c] -= UD * b->U[c][i];
            }
        }
    }
    vec3 arm = vec3_sub(own->node[k].pos, own->node[n->parent].pos);
    articulated *up = &own->branch[n->parent];
    shift_inertia(I, arm, moved);
    shift_force(force, arm, back);
    for (int r = 0; r < 6; r++) {
        up->force[r] += back[r];
        for (int c = 0; c < 6; c++) {
            up->I[r][c] += moved[r][c];
        }
    }
}

// One node, from the root: its second rates and acceleration (joint.10). Biases are already in Q.
static void pass_up(const joint_table *tab, own_motion *own, int k, double *a)
{
    const tree_node *n = &tab->tree.node[k];
    articulated *b = &own->branch[k];
    double S[3][6];
    memset(b->acceleration, 0, sizeof b->acceleration);
    if (n->parent >= 0) {
        vec3 arm = vec3_sub(own->node[k].pos, own->node[n->parent].pos);
        shift_motion(own->branch[n->parent].acceleration, arm, b->acceleration);
    }
    subspace(tab, own, n, S);
    double left[3];
    for (int i = 0; i < n->n_dof; i++) {
        left[i] = b->u[i];
        for (int r = 0; r < 6; r++) {
            left[i] -= b->U[r][i] * b->acceleration[r];
        }
    }
    for (int i = 0; i < n->n_dof; i++) {
        double second = 0.0;
        for (int j = 0; j < n->n_dof; j++) {
            second += b->D[i][j] * left[j];
        }
        a[n->q + i] = second;
    }
    for (int i = 0; i < n->n_dof; i++) {
        for (int r = 0; r < 6; r++) {
            b->acceleration[r] += S[i][r] * a[n->q + i];
        }
    }
}

// M a = Q in linear time. Q holds all generalised forces, those of inertia included, so no bias appears here.
void joint_accelerate(const void *table, const coords *at, motion *m, const double *Q, double *a)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    for (int k = 0; k < tab->tree.n_node; k++) {
        composite body = own_body(&tab->tree.node[k], &own.node[k]);
        memset(&own.branch[k], 0, sizeof own.branch[k]);
        body_inertia(&body, own.branch[k].I);
    }
    for (int k = tab->tree.n_node - 1; k >= 0; k--) {
        pass_down(tab, &own, k, Q);
    }
    for (int k = 0; k < tab->tree.n_node; k++) {
        pass_up(tab, &own, k, a);
    }
}
