// SPDX-License-Identifier: MIT
// Momentum, kinetic energy and missing inertia of a tree, in time linear in its bodies.
#include "coordinates/joint/inertia.h"
#include <math.h>
#include <string.h>

// Wrenches of momentum from the leaves, seen by the axes on the way (joint.8).
void joint_momentum(const void *table, const coords *at, const motion *m, const bi_twist *twist, double *out)
{
    const joint_table *tab = table;
    const tree *t = &tab->tree;
    own_motion own = own_cut(tab, m);
    memset(out, 0, (size_t)tab->n * sizeof *out);
    for (int k = 0; k < t->n_node; k++) {
        own.force[k] = own.moment[k] = wide3_zero();
        int b = t->node[k].body;
        if (b > 0) {
            const composite *c = &own.body[k];
            // the twist is that of the body's origin; the node may be elsewhere on it
            wide3 arm = wide_mat3_apply_vec3(&own.node[k].axes, &t->node[k].origin),
                  ang = wide3_of(twist[b].ang);
            wide3 lin = wide3_of(twist[b].lin) - wide3_cross(ang, arm);
            own.force[k] = lin * c->mass + wide3_cross(ang, c->first);
            own.moment[k] = wide_mat3_apply(&c->inertia, ang) + wide3_cross(c->first, lin);
        }
    }
    for (int k = t->n_node - 1; k >= 0; k--) {
        const tree_node *n = &t->node[k];
        for (int i = 0; i < n->n_dof; i++) {
            bool is_linear = tab->is_linear[n->q + i];
            out[n->q + i] = wide3_dot(own.axis[n->q + i], is_linear ? own.force[k] : own.moment[k]);
        }
        if (n->parent >= 0) {
            own.force[n->parent] += own.force[k];
            own.moment[n->parent] += own.moment[k] + wide3_cross(own.node[k].arm, own.force[k]);
        }
    }
    for (int k = 0; k < tab->n_rotor; k++) {
        out[tab->rotor[k].q] += tab->rotor[k].inertia * at->v[tab->rotor[k].q];
    }
}

bool joint_kinetic(const void *table, const motion *m, double *out)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    double sum = 0.0;
    if (tab->n_flex > 0 || tab->n_rotor > 0) {
        return false; // modes and rotors carry energy, too
    }
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        if (n->is_empty) {
            continue;
        }
        const node_motion *at = &own.node[k];
        wide3 v = n->is_centred ? at->lin
                                : at->lin + wide3_cross(at->ang, wide_mat3_apply_vec3(&at->axes, &n->com));
        double x = wide3_dot(at->axes.col[0], at->ang), y = wide3_dot(at->axes.col[1], at->ang);
        double z = wide3_dot(at->axes.col[2], at->ang);
        const sym3 *i = &n->inertia;
        double turning = i->xx * x * x + i->yy * y * y + i->zz * z * z;
        turning += n->is_diagonal ? 0.0 : 2.0 * (i->xy * x * y + i->yz * y * z + i->zx * z * x);
        sum += n->mass * wide3_dot(v, v) + turning;
    }
    *out = 0.5 * sum;
    return true;
}

// Bodies with everything they carry, about the origins of their nodes.
static void compose(const tree *t, own_motion *own)
{
    memcpy(own->whole, own->body, (size_t)t->n_node * sizeof *own->whole);
    for (int k = t->n_node - 1; k >= 0; k--) {
        if (t->node[k].parent >= 0) {
            add_composite(&own->whole[k], own->node[k].arm, &own->whole[t->node[k].parent]);
        }
    }
}

// The first coordinate of a part, just accelerated, that moves nothing; -1: none.
static int massless_of(const joint_table *tab, const own_motion *own, int part)
{
    static const double noise = 1e-14; // of what a coordinate moves in all: rounding
    int first = tab->part[part];
    for (int k = first; k < tab->part[part + 1]; k++) {
        const tree_node *n = &tab->tree.node[k];
        for (int i = 0; i < n->n_dof; i++) {
            wide3 lin, ang, axis = own->axis[n->q + i];
            bool is_linear = tab->is_linear[n->q + i];
            unit_momentum(&own->whole[k], axis, is_linear, &lin, &ang);
            double whole = wide3_dot(axis, is_linear ? lin : ang),
                   left = 1.0 / own->branch[k - first].D[i][i];
            if (!(left > noise * whole)) {
                return n->q + i;
            }
        }
    }
    return -1;
}

int joint_massless(const void *table, const coords *at, motion *m, double *scratch)
{
    (void)at;
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    int found = -1;
    compose(&tab->tree, &own);
    memset(scratch, 0, 2 * (size_t)tab->n * sizeof *scratch);
    for (int k = 0; k < tab->n_part && found < 0; k++) {
        tab->passes->accelerate(table, m, k, scratch, scratch + tab->n);
        found = massless_of(tab, &own, k);
    }
    return found;
}
