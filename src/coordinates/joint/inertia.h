// SPDX-License-Identifier: MIT
// Part of passes.c: bodies in ground axes, Newton-Euler forces, composite bodies for the mass matrix (joint.6 ..
// joint.8). Every quantity is in ground axes about the origin of its node.
#pragma once
#include "coordinates/joint/flexible_passes.h"
#include "coordinates/joint/joint.h"
#include <string.h>

// ---- bodies --------------------------------------------------------------------------------------------------------

// Mass, first moment and moment of inertia of a node's own body about its origin (joint.6).
WIDE void place_body(const tree_node *n, const node_motion *m, composite *c)
{
    wide_mat3 I = n->is_diagonal ? wide_mat3_turned_diagonal(&m->axes, &n->inertia)
                                 : wide_mat3_turned(&m->axes, &n->inertia);
    if (n->is_centred) {
        *c = (composite){ n->mass, wide3_zero(), I };
        return;
    }
    wide3 arm = wide_mat3_apply_vec3(&m->axes, &n->com), first = arm * n->mass;
    // (f.a) 1 - f a^T with f along a
    wide_mat3 round = wide_mat3_unit(wide3_dot(first, arm));
    wide_mat3_add(&I, &round);
    wide_mat3_less_outer(&I, first, arm);
    c->mass = n->mass;
    c->first = first;
    c->inertia = I;
}

// ---- Newton and Euler ----------------------------------------------------------------------------------------------

// What a body needs for accelerations ang, lin of its origin, taken from the wrench on its node (joint.7).
WIDE void less_inertia(const composite *c, wide3 spin, wide3 ang, wide3 lin, wide3 *force, wide3 *moment)
{
    wide3 push = wide3_cross(ang, c->first) + wide3_cross(spin, wide3_cross(spin, c->first)) + lin * c->mass;
    wide3 turn = wide_mat3_apply(&c->inertia, ang) + wide3_cross(spin, wide_mat3_apply(&c->inertia, spin)) +
                 wide3_cross(c->first, lin);
    *force -= push;
    *moment -= turn;
}

// The same of a body about its centre of mass.
WIDE void less_centred_inertia(const composite *c, wide3 spin, wide3 ang, wide3 lin, wide3 *force,
                               wide3 *moment)
{
    *force -= lin * c->mass;
    *moment -= wide_mat3_apply(&c->inertia, ang) + wide3_cross(spin, wide_mat3_apply(&c->inertia, spin));
}

// Places the bodies; wrench on every node about its origin: what is there already, less the inertia forces of its bias.
WIDE void inertia_forces(const joint_table *tab, own_motion *own, const coords *at, double *Q)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const node_motion *m = &own->node[k];
        if (node_sleeps(&tab->tree.node[k], at) && still_has(own, k, STILL_PLACED)) {
            continue;
        }
        if (tab->tree.node[k].sleep >= 0) {
            own->still[k] = (double)((int)own->still[k] | STILL_PLACED);
        }
        if (tab->tree.node[k].is_empty) {
            own->body[k] = (composite){ 0.0, wide3_zero(), wide_mat3_zero() };
        } else if (tab->tree.node[k].flex < 0) {
            place_body(&tab->tree.node[k], m, &own->body[k]);
            if (tab->tree.node[k].is_centred) {
                less_centred_inertia(&own->body[k], m->ang, m->ang_bias, m->lin_bias, &own->force[k],
                                     &own->moment[k]);
            } else {
                less_inertia(&own->body[k], m->ang, m->ang_bias, m->lin_bias, &own->force[k],
                             &own->moment[k]);
            }
        }
    }
    // a call among the others would make the loop keep nothing in registers
    for (int f = 0; f < tab->n_flex; f++) {
        int k = tab->flex[f].node;
        const node_motion *m = &own->node[k];
        joint_flexible_body(tab, k, own, at, wide3_narrow(m->ang_bias), wide3_narrow(m->lin_bias), NULL, Q);
        less_inertia(&own->body[k], m->ang, m->ang_bias, m->lin_bias, &own->force[k], &own->moment[k]);
    }
}

// The same with second rates a; Q NULL: forces on the amplitudes are not wanted.
static inline void inertia_forces_at(const joint_table *tab, own_motion *own, const coords *at,
                                     const double *a, double *Q)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        const node_motion *m = &own->node[k];
        if (node_sleeps(n, at) && still_has(own, k, STILL_PLACED)) {
            continue;
        }
        if (n->sleep >= 0) {
            own->still[k] = (double)((int)own->still[k] | STILL_PLACED);
        }
        // second rates of the path to the ground, on top of the bias
        wide3 *ang = &own->second[k].ang, *lin = &own->second[k].lin;
        *ang = *lin = wide3_zero();
        if (n->parent >= 0) {
            const node_second *up = &own->second[n->parent];
            *ang = up->ang;
            *lin = n->is_at_parent ? up->lin : up->lin + wide3_cross(up->ang, m->arm);
        }
        for (int i = n->q; i < n->q + n->n_dof; i++) {
            wide3 *to = tab->is_linear[i] ? lin : ang;
            *to += own->axis[i] * a[i];
        }
        if (n->is_empty) {
            own->body[k] = (composite){ 0.0, wide3_zero(), wide_mat3_zero() };
            continue;
        }
        wide3 turning = m->ang_bias + *ang, going = m->lin_bias + *lin;
        if (n->flex >= 0) {
            joint_flexible_body(tab, k, own, at, wide3_narrow(turning), wide3_narrow(going), a, Q);
        } else {
            place_body(n, m, &own->body[k]);
        }
        if (n->is_centred && n->flex < 0) {
            less_centred_inertia(&own->body[k], m->ang, turning, going, &own->force[k], &own->moment[k]);
        } else {
            less_inertia(&own->body[k], m->ang, turning, going, &own->force[k], &own->moment[k]);
        }
    }
}

// ---- composite bodies ----------------------------------------------------------------------------------------------

// The body of `from` added to that of `to`, whose origin lies `arm` before it.
WIDE void add_composite(const composite *from, wide3 arm, composite *to)
{
    // I' = I + m (|a|^2 - a a^T) + 2 a.f 1 - (a f^T + f a^T)
    wide3 twice = from->first * 2.0 + arm * from->mass;
    wide_mat3_add(&to->inertia, &from->inertia);
    wide_mat3_add_moment(&to->inertia, twice, arm);
    to->mass += from->mass;
    to->first += from->first + arm * from->mass;
}

// Momentum of the composite body for a unit rate of a coordinate: force and moment about the node's origin.
WIDE void unit_momentum(const composite *c, wide3 axis, bool is_linear, wide3 *lin, wide3 *ang)
{
    if (is_linear) {
        *lin = axis * c->mass;
        *ang = wide3_cross(c->first, axis);
    } else {
        *lin = wide3_cross(axis, c->first);
        *ang = wide_mat3_apply(&c->inertia, axis);
    }
}

// Amplitudes among themselves, and with the coordinates that carry their body.
static inline const mass_entry *flexible_mass(const joint_table *tab, const own_motion *own,
                                              const mass_entry *pair, double *M)
{
    const tree *t = &tab->tree;
    for (int f = 0; f < tab->n_flex; f++) {
        flexible_work w = flexible_cut(tab, own, &tab->flex[f]);
        const flex_sums *sums = &tab->flex[f].sums;
        const double *P = sums->is_bent ? w.P : sums->P;
        int modes = sums->n_mode;
        for (int i = 0; i < modes; i++) {
            wide3 lin = w.lin[i], ang = w.ang[i];
            memcpy(&M[tab->flex[f].modal.entry[i]], &P[i * modes], (size_t)(i + 1) * sizeof *M);
            for (int up = tab->flex[f].node; up >= 0; up = t->node[up].parent) {
                for (int j = 0; j < t->node[up].n_dof; j++, pair++) {
                    M[pair->entry] = wide3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
                }
                ang += wide3_cross(own->node[up].arm, lin);
            }
        }
    }
    return pair;
}

// Unit masses for a node that sleeps: nothing pushes it. Gives the pairs behind its own.
static inline const mass_entry *sleeping_mass(const tree *t, int k, const mass_entry *pair, double *M)
{
    int above = 0;
    for (int up = t->node[k].parent; up >= 0; up = t->node[up].parent) {
        above += t->node[up].n_dof;
    }
    for (int i = 0; i < t->node[k].n_dof; i++) {
        M[pair[i].entry] = 1.0;
        pair += i + 1 + above;
    }
    return pair;
}

// A node with all it carries: where that is one body, the body.
static inline const composite *whole_at(const tree *t, const own_motion *own, int k)
{
    int alone = t->node[k].alone;
    return alone >= 0 ? &own->body[alone] : &own->whole[k];
}

static inline void inertia_mass(const joint_table *tab, own_motion *own, const coords *at, double *M)
{
    const tree *t = &tab->tree;
    memset(M, 0, (size_t)tab->structure->tangent.nnz * sizeof *M);
    for (int k = 0; k < t->n_node; k++) {
        if (t->node[k].alone < 0) {
            own->whole[k] = own->body[k];
        }
    }
    for (int k = t->n_node - 1; k >= 0; k--) {
        int up = t->node[k].parent;
        if (up < 0 || t->node[up].alone >= 0 || node_sleeps(&t->node[k], at)) {
            continue;
        }
        if (t->node[k].is_at_parent && t->node[k].is_first) {
            own->whole[up] = *whole_at(t, own, k);
        } else {
            add_composite(whole_at(t, own, k), own->node[k].arm, &own->whole[up]);
        }
    }
    // the pairs were listed in this very order
    const mass_entry *pair = tab->mass;
    for (int k = 0; k < t->n_node; k++) {
        const tree_node *n = &t->node[k];
        if (node_sleeps(n, at)) {
            pair = sleeping_mass(t, k, pair, M);
            continue;
        }
        for (int i = 0; i < n->n_dof; i++) {
            wide3 lin, ang;
            unit_momentum(whole_at(t, own, k), own->axis[n->q + i], tab->is_linear[n->q + i], &lin, &ang);
            for (int j = 0; j <= i; j++, pair++) {
                M[pair->entry] = wide3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
            }
            int below = k;
            for (int up = n->parent; up >= 0; below = up, up = t->node[up].parent) {
                if (!t->node[below].is_at_parent) {
                    ang += wide3_cross(own->node[below].arm, lin);
                }
                for (int j = 0; j < t->node[up].n_dof; j++, pair++) {
                    M[pair->entry] = wide3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
                }
            }
        }
    }
    flexible_mass(tab, own, pair, M);
    for (int k = 0; k < tab->n_rotor; k++) {
        M[tab->rotor[k].entry] += tab->rotor[k].inertia;
    }
}

// ---- forces ----------------------------------------------------------------------------------------------------------

// The wrench of an effort on a marker, added to its node.
WIDE void effort_to_node(own_motion *own, const joint_marker *k, const double *f)
{
    wide3 force = wide3_read(f), arm = wide_mat3_apply_vec3(&own->node[k->node].axes, &k->at);
    wide3 moment = wide3_cross(arm, force);
    if (k->kind != MARKER_VECTOR) {
        own->force[k->node] += force;
    }
    if (k->kind == MARKER_FRAME) {
        moment += wide3_read(f + 3);
    }
    own->moment[k->node] += moment;
}

// The same on a moving node; Q: forces on the amplitudes, NULL: not wanted.
static __attribute__((noinline)) void flexible_effort_to_node(const joint_table *tab, own_motion *own,
                                                              const joint_marker *k, const coords *at,
                                                              const motion *m, const double *f, double *Q)
{
    flexible_effort e;
    joint_flexible_effort(tab, own, k, at, m, f, &e);
    own->force[k->node] += e.force;
    own->moment[k->node] += e.moment - wide3_cross(own->node[k->node].pos, e.force);
    const joint_flex *body = &tab->flex[tab->tree.node[k->node].flex];
    for (int i = 0; Q && i < body->sums.n_mode; i++) {
        Q[body->q + i] += e.modal[i];
    }
}

static inline void inertia_drop_load(const void *table, const coords *at, const motion *m, const load *in,
                                     unsigned want, equations *out)
{
    const joint_table *tab = table;
    const tree *t = &tab->tree;
    own_motion own = own_cut(tab, m);
    memset(out->Q, 0, (size_t)tab->n * sizeof *out->Q);
    memset(own.force, 0, 2 * (size_t)t->n_node * sizeof *own.force);
    for (int i = 0; i < tab->n_marker; i++) {
        const joint_marker *k = &tab->marker[i];
        if (is_scalar(k->kind)) {
            if (k->q >= 0) {
                out->Q[k->q] += in->effort[k->dof];
            }
        } else if (k->node >= 0 && k->place < 0 && !node_sleeps(&t->node[k->node], at) &&
                   is_loaded(&in->effort[k->dof], marker_width(k->kind))) {
            effort_to_node(&own, k, &in->effort[k->dof]);
        }
    }
    for (int i = 0; tab->n_place > 0 && i < tab->n_marker; i++) {
        const joint_marker *k = &tab->marker[i];
        const double *e = &in->effort[k->dof];
        // most are only looked at, or belong to rows
        if (!is_scalar(k->kind) && k->place >= 0 && is_loaded(e, marker_width(k->kind))) {
            flexible_effort_to_node(tab, &own, k, at, m, e, out->Q);
        }
    }
    for (int f = 0; f < tab->n_flex; f++) {
        modal_drop_load(&tab->flex[f].modal, in, out->Q);
    }
    if (want & DROP_RESIDUAL) {
        inertia_forces_at(tab, &own, at, at->a, out->Q);
        for (int k = 0; k < tab->n_rotor; k++) {
            out->Q[tab->rotor[k].q] -= tab->rotor[k].inertia * at->a[tab->rotor[k].q];
        }
    } else {
        inertia_forces(tab, &own, at, out->Q);
    }

    // from the leaves to the ground: each coordinate feels all that it carries (joint.7)
    for (int k = t->n_node - 1; k >= 0; k--) {
        const tree_node *n = &t->node[k];
        wide3 force = own.force[k], moment = own.moment[k];
        if (node_sleeps(n, at)) {
            continue;
        }
        for (int i = n->q; i < n->q + n->n_dof; i++) {
            out->Q[i] += wide3_dot(own.axis[i], tab->is_linear[i] ? force : moment);
        }
        if (n->parent >= 0) {
            own.force[n->parent] += force;
            own.moment[n->parent] += n->is_at_parent ? moment : moment + wide3_cross(own.node[k].arm, force);
        }
    }
    if (want & DROP_MASS) {
        inertia_mass(tab, &own, at, out->M);
    }
}
