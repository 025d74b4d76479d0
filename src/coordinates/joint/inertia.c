// SPDX-License-Identifier: MIT
// Inertia of the tree: bodies in ground axes, Newton-Euler forces, composite bodies for the mass matrix (joint.6 .. joint.8). Every
// quantity is in ground axes about the origin of its node.
#include "base/lanes.h"
#include "coordinates/joint/joint.h"
#include <string.h>

// ---- bodies --------------------------------------------------------------------------------------------------------

// Mass, first moment and moment of inertia of a node's own body about its origin (joint.6).
LANES_PART void place_body(const tree_node *n, const node_motion *m, composite *c)
{
    vec3 arm = mat3_apply(m->axes, n->com);
    c->mass = n->mass;
    c->first = vec3_scale(n->mass, arm);
    c->inertia =
        n->is_diagonal ? sym3_turned_diagonal(&m->axes, &n->inertia) : sym3_turned(&m->axes, &n->inertia);
    sym3_add_moment(&c->inertia, c->first, arm);
}

// ---- Newton and Euler ----------------------------------------------------------------------------------------------

// What a body needs for accelerations ang, lin of its origin, taken from the wrench on its node (joint.7).
LANES_PART void less_inertia(const composite *c, vec3 spin, vec3 ang, vec3 lin, vec3 *force, vec3 *moment)
{
    vec3 push = vec3_add(vec3_cross(ang, c->first), vec3_cross(spin, vec3_cross(spin, c->first)));
    push = vec3_add_scaled(push, c->mass, lin);
    vec3 turn = vec3_add(sym3_apply(&c->inertia, ang), vec3_cross(spin, sym3_apply(&c->inertia, spin)));
    turn = vec3_add(turn, vec3_cross(c->first, lin));
    *force = vec3_sub(*force, push);
    *moment = vec3_sub(*moment, turn);
}

LANES
void inertia_forces(const joint_table *tab, own_motion *own)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const node_motion *m = &own->node[k];
        if (tab->tree.node[k].body >= 0) {
            place_body(&tab->tree.node[k], m, &own->body[k]);
            less_inertia(&own->body[k], m->ang, m->ang_bias, m->lin_bias, &own->force[k], &own->moment[k]);
        } else {
            own->body[k] = (composite){ 0.0, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 } };
        }
    }
}

void inertia_forces_at(const joint_table *tab, own_motion *own, const double *a)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *n = &tab->tree.node[k];
        const node_motion *m = &own->node[k];
        // second rates of the path to the ground, on top of the bias
        vec3 *ang = &own->branch[k].ang, *lin = &own->branch[k].lin;
        *ang = *lin = (vec3){ 0.0, 0.0, 0.0 };
        if (n->parent >= 0) {
            const articulated *up = &own->branch[n->parent];
            *ang = up->ang;
            *lin = vec3_add(up->lin, vec3_cross(up->ang, m->arm));
        }
        for (int i = n->q; i < n->q + n->n_dof; i++) {
            vec3 *to = tab->is_linear[i] ? lin : ang;
            *to = vec3_add_scaled(*to, a[i], own->axis[i]);
        }
        if (n->body >= 0) {
            place_body(n, m, &own->body[k]);
            less_inertia(&own->body[k], m->ang, vec3_add(m->ang_bias, *ang), vec3_add(m->lin_bias, *lin),
                         &own->force[k], &own->moment[k]);
        }
    }
}

// ---- composite bodies ----------------------------------------------------------------------------------------------

// The body of `from` added to that of `to`, whose origin lies `arm` before it.
static void add_composite(const composite *from, vec3 arm, composite *to)
{
    // I' = I + m (|a|^2 - a a^T) + 2 a.f 1 - (a f^T + f a^T)
    vec3 twice = { 2.0 * from->first.x + from->mass * arm.x, 2.0 * from->first.y + from->mass * arm.y,
                   2.0 * from->first.z + from->mass * arm.z };
    sym3_add(&to->inertia, &from->inertia);
    sym3_add_moment(&to->inertia, twice, arm);
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
        *ang = sym3_apply(&c->inertia, axis);
    }
}

void inertia_mass(const joint_table *tab, own_motion *own, double *M)
{
    const tree *t = &tab->tree;
    memset(M, 0, (size_t)tab->structure->tangent.nnz * sizeof *M);
    memcpy(own->whole, own->body, (size_t)t->n_node * sizeof *own->whole);
    for (int k = t->n_node - 1; k >= 0; k--) {
        int up = t->node[k].parent;
        if (up >= 0) {
            add_composite(&own->whole[k], own->node[k].arm, &own->whole[up]);
        }
    }
    // the pairs were listed in this very order
    const mass_entry *pair = tab->mass;
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
                ang = vec3_add(ang, vec3_cross(own->node[below].arm, lin));
                for (int j = 0; j < t->node[up].n_dof; j++, pair++) {
                    M[pair->entry] = vec3_dot(own->axis[pair->j], tab->is_linear[pair->j] ? lin : ang);
                }
            }
        }
    }
}
