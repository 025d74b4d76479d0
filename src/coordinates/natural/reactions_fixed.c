// SPDX-License-Identifier: MIT
// Reactions of joints that hold bodies which never move. Such bodies have no variables, so their balance is written
// here: from the leaves to the ground, each joint carries what its body and all beyond it lack.
#include "coordinates/natural/natural.h"
#include <stdlib.h>

// Ground counts as held: body 0.
static bool is_still(const natural *tab, int body) { return tab->body[body].kind == BODY_FIXED; }

// A free joint carries nothing; a distance is a row and has its multiplier.
static bool can_carry(bi_joint_kind kind, int pass)
{
    return pass == 0 ? kind == BI_FIXED : kind != BI_FREE && !joint_is_distance(kind);
}

bool fixed_reactions_create(natural *tab, const plan *p)
{
    const bi_model *m = p->model;
    bool *reached = calloc((size_t)tab->n_body, sizeof *reached);
    tab->fixed_hand = malloc(((size_t)m->n_joint + 1) * sizeof *tab->fixed_hand);
    tab->fixed_neighbour = malloc(((size_t)m->n_joint + 1) * sizeof *tab->fixed_neighbour);
    if (!reached || !tab->fixed_hand || !tab->fixed_neighbour) {
        free(reached);
        return false;
    }
    reached[0] = true;
    // joints that can carry everything first; those that leave something free only where there is no other way
    for (int pass = 0; pass < 2; pass++) {
        for (bool grew = true; grew;) {
            grew = false;
            for (int j = 0; j < m->n_joint; j++) {
                int a = m->joint[j].def.a.i - 1, b = m->joint[j].def.b.i - 1;
                if (!is_still(tab, a) || !is_still(tab, b) || reached[a] == reached[b] ||
                    !can_carry(m->joint[j].def.kind, pass)) {
                    continue;
                }
                tab->fixed_hand[tab->n_fixed_hand++] =
                    reached[a] ? (fixed_hand){ j, b, a, 1.0 } : (fixed_hand){ j, a, b, -1.0 };
                reached[a] = reached[b] = grew = true;
            }
        }
    }
    free(reached);
    for (int j = 0; j < m->n_joint; j++) {
        int a = m->joint[j].def.a.i - 1, b = m->joint[j].def.b.i - 1;
        if (is_still(tab, a) != is_still(tab, b)) {
            tab->fixed_neighbour[tab->n_fixed_neighbour++] =
                is_still(tab, a) ? (fixed_hand){ j, b, a, 1.0 } : (fixed_hand){ j, a, b, -1.0 };
        }
    }
    return true;
}

void fixed_reactions_destroy(natural *tab)
{
    free(tab->fixed_hand);
    free(tab->fixed_neighbour);
}

// What a body lacks, on its columns, as a wrench about the origin of the ground.
static bi_wrench lacking(const natural_body *b, const coords *at, const vec3 column[4])
{
    bi_wrench w = { column[0], { 0.0, 0.0, 0.0 } };
    for (int k = 0; k < 4; k++) {
        w.moment = vec3_add(w.moment, vec3_cross(column_value(b, k, at->q), column[k]));
    }
    return w;
}

static void add_wrench(bi_wrench *to, double sign, vec3 force, vec3 moment)
{
    to->force = vec3_add_scaled(to->force, sign, force);
    to->moment = vec3_add_scaled(to->moment, sign, moment);
}

void fixed_reactions(const natural *tab, const coords *at, const vec3 *column, const vec3 *where,
                     bi_wrench *lack, bi_wrench *out)
{
    if (tab->n_fixed_hand == 0) {
        return;
    }
    for (int b = 0; b < tab->n_body; b++) {
        lack[b] = lacking(&tab->body[b], at, &column[4 * b]);
    }
    // what moving bodies take from a joint, the still one has to bring
    for (int k = 0; k < tab->n_fixed_neighbour; k++) {
        const fixed_hand *h = &tab->fixed_neighbour[k];
        const bi_wrench *w = &out[h->joint];
        add_wrench(&lack[h->parent], h->sign, w->force,
                   vec3_add(w->moment, vec3_cross(where[h->joint], w->force)));
    }
    for (int k = tab->n_fixed_hand - 1; k >= 0; k--) {
        const fixed_hand *h = &tab->fixed_hand[k];
        const bi_wrench *w = &lack[h->child];
        vec3 moment = vec3_sub(w->moment, vec3_cross(where[h->joint], w->force));
        add_wrench(&out[h->joint], h->sign, w->force, moment);
        add_wrench(&lack[h->parent], 1.0, w->force, w->moment);
    }
}
