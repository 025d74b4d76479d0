// SPDX-License-Identifier: MIT
// Tables of flexible bodies on the tree: their variables, markers on their nodes, stiffness of their modes.
#include "coordinates/joint/flexible.h"

bool joint_flexible_create(const plan *p, const tree_node *node, joint_flex *f)
{
    return modal_create(&f->modal, p, node->body, f->q) &&
           flex_sums_create(&f->sums, p->model->body[node->body].def.flex, node->origin,
                            modal_variables(&f->modal), f->modal.nodal.stride);
}

bool joint_flexible_place(const plan *p, joint_table *tab, const marker *k, joint_marker *out)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const bi_modes *modes = p->model->body[k->body].def.flex;
    vec3 origin = tab->tree.node[out->node].origin;
    int node = k->node > 0 ? k->node - 1 : -1;
    out->place = tab->n_place++;
    flex_place *place = &tab->place[4 * out->place];
    const modal_set *modal = &tab->flex[tab->tree.node[out->node].flex].modal;
    if (k->kind == MARKER_VECTOR) {
        *place = modal_vector(modal, node, k->at);
        return true;
    }
    bool ok = flex_point_create(place, modes, node, k->at) && flex_nodal_place(&modal->nodal, node, place);
    place->at = vec3_add(place->at, origin);
    for (int i = 0; i < 3 && k->kind == MARKER_FRAME; i++) {
        place[1 + i] = modal_vector(modal, node, unit[i]);
    }
    return ok;
}

bool joint_flexible_moves(const joint_table *tab, const joint_marker *k, int mode)
{
    const modal_set *modal = &tab->flex[tab->tree.node[k->node].flex].modal;
    for (int i = 0; i < (k->kind == MARKER_FRAME ? 4 : 1); i++) {
        if (modal_place_moves(modal, &tab->place[4 * k->place + i], mode)) {
            return true;
        }
    }
    return false;
}
