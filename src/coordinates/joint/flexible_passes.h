// SPDX-License-Identifier: MIT
// Part of passes.c: bodies with modes on the tree (joint.13 .. joint.15). Moments come from the same sums as in natural
// coordinates.
#pragma once
#include "coordinates/joint/flexible.h"
#include "sparse/dense.h"
#include <string.h>

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

static const flex_place *place_of(const joint_table *tab, const joint_marker *k, int i)
{
    return &tab->place[4 * k->place + i];
}

static vec3 cross_part(const double C[9]) // of int a b^T dm: int a x b dm
{
    return (vec3){ C[5] - C[7], C[6] - C[2], C[1] - C[3] };
}

static wide3 turned(const own_motion *own, int node, vec3 v)
{
    return wide_mat3_apply_vec3(&own->node[node].axes, &v);
}

// ---- markers -----------------------------------------------------------------------------------------------------

// Value, rate and bias of a point or vector from the node's motion (joint.13).
static inline void lift_place(const joint_table *tab, const own_motion *own, const joint_marker *k, int i,
                              const coords *in, wide3 out[3])
{
    const flex_place *p = place_of(tab, k, i);
    const node_motion *m = &own->node[k->node];
    const joint_flex *f = &tab->flex[tab->tree.node[k->node].flex];
    vec3 local[3];
    modal_place_at(p, &in->q[f->q], &in->v[f->q], own->turn + f->turn, local);
    wide3 arm = wide_mat3_apply_vec3(&m->axes, &local[0]), speed = wide_mat3_apply_vec3(&m->axes, &local[1]);
    wide3 turn = wide3_cross(m->ang, arm);
    out[0] = arm;
    out[1] = turn + speed;
    out[2] = wide3_cross(m->ang_bias, arm) + wide3_cross(m->ang, turn + speed * 2.0) +
             wide_mat3_apply_vec3(&m->axes, &local[2]);
    if (!p->is_turned) {
        out[0] += m->pos;
        out[1] += m->lin;
        out[2] += m->lin_bias;
    }
}

// Marker on a moving node from the motion of the tree.
static inline void joint_flexible_lift(const joint_table *tab, const own_motion *own, const joint_marker *k,
                                       const coords *in, motion *out)
{
    wide3 moved[3];
    lift_place(tab, own, k, 0, in, moved);
    wide3_put(&out->value[k->dof], moved[0]);
    wide3_put(&out->rate[k->dof], moved[1]);
    wide3_put(&out->bias[k->dof], moved[2]);
    if (k->kind != MARKER_FRAME) {
        return;
    }
    // omega = 1/2 sum a_k x da_k/dt, as in natural coordinates
    wide3 omega = wide3_zero(), bias = wide3_zero();
    for (int i = 0; i < 3; i++) {
        lift_place(tab, own, k, 1 + i, in, moved);
        out->axes[k->frame].col[i] = wide3_narrow(moved[0]);
        omega += wide3_cross(moved[0], moved[1]) * 0.5;
        bias += wide3_cross(moved[0], moved[2]) * 0.5;
    }
    wide3_put(&out->rate[k->dof + 3], omega);
    wide3_put(&out->bias[k->dof + 3], bias);
}

// An effort on such a marker: force, moment about the ground's origin, and what the amplitudes feel (n_mode).
typedef struct {
    wide3 force, moment;
    double modal[FLEX_MODES];
} flexible_effort;

// Place of a marker that only a load needs: it is not lifted.
static inline wide3 unread_place(const joint_table *tab, const own_motion *own, const joint_marker *k, int i,
                                 const double *eta)
{
    const flex_place *p = place_of(tab, k, i);
    const node_motion *m = &own->node[k->node];
    vec3 local[3];
    modal_place_at(p, eta, eta, own->turn + tab->flex[tab->tree.node[k->node].flex].turn, local);
    wide3 value = wide_mat3_apply_vec3(&m->axes, &local[0]);
    return p->is_turned ? value : value + m->pos;
}

// value: of the point or vector, in ground axes.
static inline void add_place_effort(const joint_table *tab, const own_motion *own, const joint_marker *k,
                                    int i, const double *eta, wide3 value, wide3 force, flexible_effort *out)
{
    const flex_place *p = place_of(tab, k, i);
    const joint_flex *f = &tab->flex[tab->tree.node[k->node].flex];
    const vec3 *turn = own->turn + f->turn;
    const wide_mat3 *A = &own->node[k->node].axes;
    vec3 seen = { wide3_dot(A->col[0], force), wide3_dot(A->col[1], force), wide3_dot(A->col[2], force) };
    modal_place_push(&f->modal, p, eta, turn, seen, out->modal);
    out->moment += wide3_cross(value, force);
    if (!p->is_turned) {
        out->force += force;
    }
}

static inline void joint_flexible_effort(const joint_table *tab, const own_motion *own, const joint_marker *k,
                                         const coords *at, const motion *m, const double *f,
                                         flexible_effort *out)
{
    const joint_flex *body = &tab->flex[tab->tree.node[k->node].flex];
    const double *eta = &at->q[body->q];
    out->force = out->moment = wide3_zero();
    memset(out->modal, 0, (size_t)body->sums.n_mode * sizeof *out->modal);
    wide3 value = k->is_read ? wide3_read(&m->value[k->dof]) : unread_place(tab, own, k, 0, eta);
    add_place_effort(tab, own, k, 0, eta, value, wide3_read(f), out);
    for (int i = 0; i < 3 && k->kind == MARKER_FRAME; i++) {
        wide3 axis = wide3_of(m->axes[k->frame].col[i]);
        value = k->is_read ? axis : unread_place(tab, own, k, 1 + i, eta);
        add_place_effort(tab, own, k, 1 + i, eta, value, wide3_cross(wide3_read(f + 3), axis) * 0.5, out);
    }
}

// ---- inertia -----------------------------------------------------------------------------------------------------------

// Mass, first moment and moment of inertia of the deformed body about its node (joint.14).
static inline void place_deformed(const double J[16], const node_motion *m, composite *c)
{
    double xx = J[5], yy = J[10], zz = J[15], xy = J[6], yz = J[11], zx = J[7];
    sym3 inertia = { yy + zz, zz + xx, xx + yy, -xy, -yz, -zx };
    vec3 first = { J[1], J[2], J[3] };
    c->mass = J[0];
    c->first = wide_mat3_apply_vec3(&m->axes, &first);
    c->inertia = wide_mat3_turned(&m->axes, &inertia);
}

// Force and moment that the vibration needs in the turning frame: 2 omega x dp/dt + w, body axes (joint.14).
static inline void bias_wrench(const flex_moments *now, vec3 omega, vec3 *force, vec3 *moment)
{
    const double *D = now->D, *W = now->W;
    double trace = D[3] + D[7] + D[11];
    *force = vec3_add_scaled((vec3){ W[0], W[1], W[2] }, 2.0, vec3_cross(omega, (vec3){ D[0], D[1], D[2] }));
    // int p x (omega x dp) dm = omega int p.dp dm - int (p.omega) dp dm
    vec3 across = { omega.x * D[3] + omega.y * D[6] + omega.z * D[9],
                    omega.x * D[4] + omega.y * D[7] + omega.z * D[10],
                    omega.x * D[5] + omega.y * D[8] + omega.z * D[11] };
    *moment = vec3_add_scaled(cross_part(&W[3]), 2.0, vec3_sub(vec3_scale(trace, omega), across));
}

// What an amplitude needs for accelerations of the node, all in body axes (joint.14), is linear in its moments H: the
// factors.
static inline void need_factors(vec3 omega, vec3 ang, vec3 lin, double out[12])
{
    double x = omega.x, y = omega.y, z = omega.z, square = vec3_dot(omega, omega);
    const double all[12] = { lin.x,         lin.y,         lin.z,         x * x - square,
                             x * y + ang.z, x * z - ang.y, y * x - ang.z, y * y - square,
                             y * z + ang.x, z * x + ang.y, z * y - ang.x, z * z - square };
    memcpy(out, all, sizeof all);
}

static inline double modal_need(const flex_moments *now, int m, const double factor[12])
{
    const double *H = now->H[m];
    lane sum = *(const lane *)H * *(const lane *)factor;
    sum += *(const lane *)(H + 4) * *(const lane *)(factor + 4);
    sum += *(const lane *)(H + 8) * *(const lane *)(factor + 8);
    return now->S[m] + now->T[m] + (sum[0] + sum[1] + sum[2] + sum[3]);
}

static vec3 seen_by(const node_motion *m, wide3 v)
{
    return (vec3){ wide3_dot(m->axes.col[0], v), wide3_dot(m->axes.col[1], v), wide3_dot(m->axes.col[2], v) };
}

// Q -= P a
static inline void less_modal_mass(int n, const double *P, const double *a, double *Q)
{
    for (int i = 0; i < n; i++, P += n) {
        lane part = { 0.0 };
        int k = 0;
        for (; k + 4 <= n; k += 4) {
            part += *(const lane *)(P + k) * *(const lane *)(a + k);
        }
        double sum = part[0] + part[1] + part[2] + part[3];
        for (; k < n; k++) {
            sum += P[k] * a[k];
        }
        Q[i] -= sum;
    }
}

// The deformed body of a node: its inertia, its couplings in own->flex, and what its inertia needs beyond that of a
// rigid body with accelerations ang, lin of the node (bias included) and second rates a of the amplitudes (NULL: zero),
// taken from the wrench on the node and, where Q is given, from the forces on the amplitudes.
static inline void joint_flexible_body(const joint_table *tab, int node, own_motion *own, const coords *at,
                                       vec3 ang, vec3 lin, const double *a, double *Q)
{
    const joint_flex *f = &tab->flex[tab->tree.node[node].flex];
    const node_motion *m = &own->node[node];
    int n = f->sums.n_mode;
    flex_moments now = flex_moments_cut(&f->sums, own->room);
    // T: 2 p_m . (omega x dp)
    vec3 omega = seen_by(m, m->ang), twice = vec3_scale(2.0, omega);
    const double turn[9] = { 0.0, -twice.z, twice.y, twice.z, 0.0, -twice.x, -twice.y, twice.x, 0.0 };
    flex_moments_at(&f->sums, &at->q[f->q], &at->v[f->q], turn, &now);
    place_deformed(now.J, m, &own->body[node]);
    vec3 ang_own = seen_by(m, wide3_of(ang)), lin_own = seen_by(m, wide3_of(lin)), force, moment;
    bias_wrench(&now, omega, &force, &moment);
    own->force[node] -= turned(own, node, force);
    own->moment[node] -= turned(own, node, moment);
    flexible_work w = flexible_cut(tab, own, f);
    double factor[12];
    need_factors(omega, ang_own, lin_own, factor);
    if (f->sums.is_bent) {
        memcpy(w.P, now.P, (size_t)(n * n) * sizeof *w.P);
    }
    for (int i = 0; i < n; i++) {
        const double *H = now.H[i];
        w.lin[i] = turned(own, node, (vec3){ H[0], H[1], H[2] });
        w.ang[i] = turned(own, node, cross_part(&H[3]));
        if (a) {
            own->force[node] -= w.lin[i] * a[f->q + i];
            own->moment[node] -= w.ang[i] * a[f->q + i];
        }
        if (Q) {
            Q[f->q + i] -= modal_need(&now, i, factor);
        }
    }
    if (Q) {
        flex_load_force(&f->sums, omega, &at->q[f->q], &Q[f->q]);
    }
    if (Q && a) {
        less_modal_mass(n, f->sums.is_bent ? w.P : f->sums.P, a + f->q, Q + f->q);
    }
}

// ---- articulated bodies ------------------------------------------------------------------------------------------------

// x and the six rows of the couplings, through L: y = L^-1 x.
static inline void forward(int n, const double *L, wide3 *lin, wide3 *ang, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            lin[i] -= lin[k] * L[i * n + k];
            ang[i] -= ang[k] * L[i * n + k];
            x[i] -= x[k] * L[i * n + k];
        }
        double inverse = 1.0 / L[i * n + i];
        lin[i] *= inverse;
        ang[i] *= inverse;
        x[i] *= inverse;
    }
}

// The amplitudes of a node's body give way: its inertia before any coordinate of the tree does. Q: forces on all
// variables. I - C P^-1 C^T and C P^-1 Q with C the couplings (joint.15): with L^-1 C^T these are sums over the modes.
static inline void joint_flexible_release(const joint_table *tab, int node, own_motion *own, articulated *b,
                                          const double *Q)
{
    const joint_flex *f = &tab->flex[tab->tree.node[node].flex];
    flexible_work w = flexible_cut(tab, own, f);
    int n = f->sums.n_mode;
    memcpy(w.x, &Q[f->q], (size_t)n * sizeof *w.x);
    if (!f->sums.is_bent) {
        memcpy(w.P, f->sums.P, (size_t)(n * n) * sizeof *w.P);
    }
    if (!dense_cholesky(n, w.P, NULL)) {
        w.P[0] =
            0.0; // a mode without mass is refused at the start; here it shows as a number that is not finite
    }
    forward(n, w.P, w.lin, w.ang, w.x);
    for (int i = 0; i < n; i++) {
        wide_mat3_less_outer(&b->angular, w.ang[i], w.ang[i]);
        wide_mat3_less_outer(&b->linear, w.lin[i], w.lin[i]);
        wide_mat3_less_outer(&b->cross, w.lin[i], w.ang[i]);
        b->force += w.lin[i] * w.x[i];
        b->moment += w.ang[i] * w.x[i];
    }
}

// Their second rates once the node's acceleration is known.
static inline void joint_flexible_rise(const joint_table *tab, int node, own_motion *own, double *a)
{
    const joint_flex *f = &tab->flex[tab->tree.node[node].flex];
    flexible_work w = flexible_cut(tab, own, f);
    const node_second *b = &own->second[node];
    int n = f->sums.n_mode;
    for (int i = n - 1; i >= 0; i--) {
        double sum = w.x[i] - wide3_dot(w.lin[i], b->lin) - wide3_dot(w.ang[i], b->ang);
        for (int k = i + 1; k < n; k++) {
            sum -= w.P[k * n + i] * a[f->q + k];
        }
        a[f->q + i] = sum / w.P[i * n + i];
    }
}
