// SPDX-License-Identifier: MIT
// Pairs of the mass matrix: coordinates on one path to the ground, amplitudes with what carries them, armatures.
#include "coordinates/joint/joint_mass.h"
#include <stdlib.h>

// Calls back with every pair (i, j): j = i or a coordinate that moves the node of i.
static void each_pair(const joint_table *tab, void (*use)(void *ctx, int i, int j), void *ctx)
{
    for (int k = 0; k < tab->tree.n_node; k++) {
        const tree_node *node = &tab->tree.node[k];
        for (int i = 0; i < node->n_dof; i++) {
            for (int j = 0; j <= i; j++) {
                use(ctx, node->q + i, node->q + j);
            }
            for (int up = node->parent; up >= 0; up = tab->tree.node[up].parent) {
                for (int j = 0; j < tab->tree.node[up].n_dof; j++) {
                    use(ctx, node->q + i, tab->tree.node[up].q + j);
                }
            }
        }
    }
}

// Behind them the pairs of amplitudes with what carries them, in the order of flexible_mass.
static void each_flexible_pair(const joint_table *tab, void (*use)(void *ctx, int i, int j), void *ctx)
{
    for (int f = 0; f < tab->n_flex; f++) {
        const joint_flex *body = &tab->flex[f];
        for (int i = 0; i < body->sums.n_mode; i++) {
            for (int up = body->node; up >= 0; up = tab->tree.node[up].parent) {
                for (int j = 0; j < tab->tree.node[up].n_dof; j++) {
                    use(ctx, body->q + i, tab->tree.node[up].q + j);
                }
            }
        }
    }
}

static void each_modal_pair(const joint_table *tab, void (*use)(void *ctx, int i, int j), void *ctx)
{
    for (int f = 0; f < tab->n_flex; f++) {
        int q = tab->flex[f].q, n = tab->flex[f].sums.n_mode;
        for (int k = 0; k < n * n; k++) {
            if (k % n <= k / n) {
                use(ctx, q + k / n, q + k % n);
            }
        }
    }
}

static void pair_to_pattern(void *ctx, int i, int j) { pattern_add(ctx, i, j); }

static void pair_count(void *ctx, int i, int j)
{
    (void)i, (void)j;
    ++*(int *)ctx;
}

// What the pairs go to.
typedef struct {
    joint_table *tab;
    const structure *out;
} pair_list;

static void pair_to_list(void *ctx, int i, int j)
{
    const pair_list *c = ctx;
    c->tab->mass[c->tab->n_mass++] = (mass_entry){ i, j, pattern_find(&c->out->tangent, i, j) };
}

static bool list_pairs(pair_list *c, const bi_model *model)
{
    int count = model->n_joint; // armatures
    each_pair(c->tab, pair_count, &count);
    each_flexible_pair(c->tab, pair_count, &count);
    c->tab->mass = malloc(((size_t)count + 1) * sizeof *c->tab->mass);
    if (!c->tab->mass) {
        return false;
    }
    each_pair(c->tab, pair_to_list, c);
    each_flexible_pair(c->tab, pair_to_list, c);
    for (int f = 0; f < c->tab->n_flex; f++) {
        modal_entries(&c->tab->flex[f].modal, &c->out->tangent);
    }
    return true;
}

// Those of joints that close loops are no pairs of the tree (joint.18).
static bool list_rotors(pair_list *c, const plan *p)
{
    joint_table *tab = c->tab;
    tab->rotor = calloc((size_t)p->model->n_joint + 1, sizeof *tab->rotor);
    for (int m = 0; tab->rotor && m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        int q = c->out->marker_q[m];
        double inertia = k->kind == MARKER_JOINT ? p->model->joint[k->joint].def.armature : 0.0;
        if (inertia > 0.0) {
            tab->rotor[tab->n_rotor++] = (joint_rotor){ q, pattern_find(&c->out->tangent, q, q), inertia };
        }
        if (inertia > 0.0 && q < tab->tree.n_dof) {
            tab->tree.node[tab->dof_node[q]].rotor = inertia;
        } else if (inertia > 0.0) {
            pair_to_list(c, q, q);
        }
    }
    return tab->rotor != NULL;
}

void mass_pattern(const joint_table *tab, pattern_builder *couplings)
{
    each_pair(tab, pair_to_pattern, couplings);
    each_flexible_pair(tab, pair_to_pattern, couplings);
    each_modal_pair(tab, pair_to_pattern, couplings);
}

bool mass_list(joint_table *tab, const plan *p, const structure *out)
{
    pair_list c = { tab, out };
    return list_pairs(&c, p->model) && list_rotors(&c, p);
}
