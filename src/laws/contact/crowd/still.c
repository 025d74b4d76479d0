// SPDX-License-Identifier: MIT
// Shapes of a crowd that never move: a tree of them, made once with the system (contact.19).
#include "laws/contact/crowd/live.h"
#include <stdlib.h>

static bool is_still(const contact_live *l, int k) { return k < l->n_finite && l->site[k].site < 0; }

// work: boxes, then numbers of the tree.
static void build_tree(contact_live *l, geom_box *box, int *work)
{
    int *at = work + 2 * l->n_still, n = 0;
    for (int k = 0; k < l->n_finite; k++) {
        if (is_still(l, k)) {
            at[n] = k;
            l->is_still_in_a |= l->site[k].is_in_a;
            l->is_still_in_b |= l->site[k].is_in_b;
            box[n++] = live_box_of(&l->site[k], NULL, 0.0, 0.0);
        }
    }
    broad_build(box, l->n_still, l->still, work);
    for (int k = 0; k < 2 * l->n_still - 1; k++) {
        broad_node *node = &l->still[k];
        node->right = node->left < 0 ? at[node->right] : node->right;
    }
}

bool live_part_sites(plan *p, contact_live *l)
{
    l->mover = plan_keep(p, (size_t)(l->n_site + 1) * sizeof *l->mover);
    for (int k = 0; l->mover && k < l->n_site; k++) {
        if (l->site[k].site >= 0) {
            l->site[k].mover = l->n_mover;
            l->mover[l->n_mover++] = k;
            l->n_finite_mover += k < l->n_finite ? 1 : 0;
        }
        l->n_still += is_still(l, k) ? 1 : 0;
    }
    for (int k = 0; l->mover && k < l->n_site; k++) {
        l->site[k].mover = l->site[k].site >= 0 ? l->site[k].mover : l->n_mover;
    }
    l->still = plan_keep(p, (size_t)(2 * l->n_still + 1) * sizeof *l->still);
    geom_box *box = calloc((size_t)l->n_still + 1, sizeof *box);
    int *work = calloc(3 * (size_t)l->n_still + 1, sizeof *work);
    bool is_room = l->mover && l->still && box && work;
    if (is_room) {
        build_tree(l, box, work);
    }
    free(work);
    free(box);
    return is_room;
}

bool live_meets_still(const contact_live *l, const live_group *g, const geom_box *box)
{
    if (!live_knows_still(l, g->is_in_a, g->is_in_b)) {
        return false;
    }
    broad_walk walk = broad_around(l->still, l->n_still, box);
    for (int k; (k = broad_next(&walk)) >= 0;) {
        const contact_site *s = &l->site[k];
        if (l->is_among || (g->is_in_a && s->is_in_b) || (g->is_in_b && s->is_in_a)) {
            return true;
        }
    }
    return false;
}
