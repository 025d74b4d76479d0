// SPDX-License-Identifier: MIT
// Tables of flexible bodies on the tree: their variables, markers on their nodes, stiffness of their modes.
#include "coordinates/joint/flexible.h"
#include <stdlib.h>
#include <string.h>

bool joint_flexible_create(const plan *p, const tree_node *node, joint_flex *f)
{
    const bi_modes *modes = p->model->body[node->body].def.flex;
    size_t n = (size_t)modes->n_mode + 1;
    f->entry = calloc(n, sizeof *f->entry);
    f->mode_dof = malloc(n * sizeof *f->mode_dof);
    if (!f->entry || !f->mode_dof || !flex_nodal_for(&f->nodal, p, node->body)) {
        return false;
    }
    memset(f->mode_dof, 0xff, n * sizeof *f->mode_dof);
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        if (k->kind == MARKER_MODE && k->body == node->body) {
            f->mode_dof[k->coordinate] = k->dof;
        }
    }
    return flex_sums_create(&f->sums, modes, node->origin, f->nodal.n > 0 ? f->nodal.Y : NULL,
                            f->nodal.stride);
}

bool joint_flexible_place(const plan *p, joint_table *tab, const marker *k, joint_marker *out)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const bi_modes *modes = p->model->body[k->body].def.flex;
    vec3 origin = tab->tree.node[out->node].origin;
    int node = k->node > 0 ? k->node - 1 : -1;
    out->place = tab->n_place++;
    flex_place *place = &tab->place[4 * out->place];
    const flex_nodal *nodal = &tab->flex[tab->tree.node[out->node].flex].nodal;
    if (k->kind == MARKER_VECTOR) {
        return flex_vector_create(place, modes, node, k->at) && flex_nodal_place(nodal, node, place);
    }
    bool ok = flex_point_create(place, modes, node, k->at) && flex_nodal_place(nodal, node, place);
    place->at = vec3_add(place->at, origin);
    for (int i = 0; i < 3 && k->kind == MARKER_FRAME; i++) {
        ok = ok && flex_vector_create(&place[1 + i], modes, node, unit[i]) &&
             flex_nodal_place(nodal, node, &place[1 + i]);
    }
    return ok;
}

bool joint_flexible_moves(const joint_table *tab, const joint_marker *k, int mode)
{
    for (int i = 0; i < (k->kind == MARKER_FRAME ? 4 : 1); i++) {
        const flex_place *p = &tab->place[4 * k->place + i];
        for (int u = 0; u < p->n_used; u++) {
            if (!p->used || p->used[u] == mode) {
                return true;
            }
        }
    }
    return false;
}

bool joint_is_mode_block(const joint_table *tab, const block_group *b)
{
    const joint_marker *k = &tab->marker[tab->list[b->marker]];
    return b->n_marker == 1 && k->kind == MARKER_MODE && k->q < 0;
}

bool joint_list_mode_blocks(const plan *p, joint_table *tab)
{
    tab->mode_block = calloc((size_t)p->n_block + 1, sizeof *tab->mode_block);
    for (int f = 0; tab->mode_block && f < tab->n_flex; f++) {
        tab->flex[f].block = tab->n_mode_block;
        for (int g = 0; g < p->n_block; g++) {
            const block_group *b = &p->block[g];
            const joint_marker *k = &tab->marker[tab->list[b->marker]];
            if (joint_is_mode_block(tab, b) && k->node == tab->flex[f].node) {
                tab->mode_block[tab->n_mode_block++] = (joint_mode_block){ k->mode, b->value };
            }
        }
        tab->flex[f].n_block = tab->n_mode_block - tab->flex[f].block;
    }
    return tab->mode_block != NULL;
}
