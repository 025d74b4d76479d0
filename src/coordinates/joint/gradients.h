// SPDX-License-Identifier: MIT
// Part of passes.c: gradients, stiffness and damping from markers to coordinates (joint.11).
#pragma once
#include "base/lanes.h"
#include "coordinates/joint/flexible_passes.h"
#include "coordinates/joint/joint.h"
#include <string.h>

// What a variable adds to an amplitude that is none itself.
WIDE double joint_mode_part(const joint_table *tab, const joint_marker *k, int variable)
{
    const flex_nodal *b = &tab->flex[tab->tree.node[k->node].flex].modal.nodal;
    return b->X[k->mode * b->stride + variable];
}

// A gradient on one marker to the coordinates that move it: its force and moment about the ground's origin, seen by
// each axis (joint.11).
WIDE void spread_gradient(const joint_table *tab, const own_motion *own, const coords *at, const motion *m,
                          int entry, const double *g, double *row)
{
    const joint_marker *k = &tab->marker[tab->list[entry]];
    const joint_spread *s = &tab->spread[tab->spread_start[entry]];
    int count = tab->spread_end[entry] - tab->spread_start[entry];
    if (is_scalar(k->kind)) {
        // one variable, or all that make up the amplitude
        for (int i = 0; i < count; i++) {
            row[s[i].to] += k->q >= 0 ? g[0] : g[0] * joint_mode_part(tab, k, -1 - s[i].dof);
        }
        return;
    }
    wide3 force = wide3_read(g), moment = wide3_cross(wide3_read(&m->value[k->dof]), force);
    if (k->kind == MARKER_FRAME) {
        moment += wide3_read(g + 3);
    } else if (k->kind == MARKER_VECTOR) {
        force = wide3_zero();
    }
    if (k->place >= 0) {
        flexible_effort e;
        joint_flexible_effort(tab, own, k, at, m, g, &e);
        force = e.force;
        moment = e.moment;
        // amplitudes come last among the columns of a marker
        for (; count > 0 && s[count - 1].dof < 0; count--) {
            row[s[count - 1].to] += e.modal[-1 - s[count - 1].dof];
        }
    }
    for (int i = 0; i < count; i++) {
        int dof = s[i].dof;
        wide3 axis = own->axis[dof];
        if (tab->is_linear[dof]) {
            row[s[i].to] += wide3_dot(axis, force);
        } else {
            wide3 about = moment - wide3_cross(own->node[tab->dof_node[dof]].pos, force);
            row[s[i].to] += wide3_dot(axis, about);
        }
    }
}

static void gradients_drop(const void *table, const coords *at, const motion *m, unsigned want, rows *r,
                           equations *out)
{
    const joint_table *tab = table;
    if (!(want & LAW_POSITION)) {
        return;
    }
    own_motion own = own_cut(tab, m);
    for (int g = 0; g < tab->n_row; g++) {
        const joint_group *group = &tab->row[g];
        for (int k = 0; k < group->count; k++) {
            double *row = &out->G[tab->structure->G_start[group->value + k]];
            const double *gradient = &r->gradient[group->gradient + k * group->width];
            memset(row, 0, (size_t)group->n_col * sizeof *row);
            for (int i = 0; i < group->n_marker; i++) {
                spread_gradient(tab, &own, at, m, group->marker + i, gradient, row);
                gradient += marker_width(tab->marker[tab->list[group->marker + i]].kind);
            }
        }
    }
}

// One of the bodies of a law sleeps: the law holds nothing that moves.
static inline bool group_sleeps(const joint_table *tab, const joint_group *g, const coords *at)
{
    for (int i = 0; i < g->n_marker; i++) {
        int node = tab->marker[tab->list[g->marker + i]].node;
        if (node >= 0 && node_sleeps(&tab->tree.node[node], at)) {
            return true;
        }
    }
    return false;
}

static void gradients_tangent(const void *table, const coords *at, const motion *m, const load *in, double wK,
                              double wC, double *T)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    for (int b = 0; b < tab->n_block; b++) {
        const joint_group *g = &tab->block[b];
        int row = 0;
        if (g->is_site && !in->has_sites) {
            continue;
        }
        if (g->width == 1 && g->n_col == 1 && tab->marker[tab->list[g->marker]].q >= 0) {
            // an amplitude or a joint coordinate alone
            T[tab->entry[g->entry]] += wK * in->K[g->value] + wC * in->C[g->value];
            continue;
        }
        if (!block_has_tangent(g->width, g->n_col) || group_sleeps(tab, g, at) ||
            block_is_zero(&in->K[g->value], &in->C[g->value], g->width)) {
            continue;
        }
        block_map_values values = block_values(g->width, g->n_col, m->room);
        for (int i = 0; i < g->n_marker; i++) {
            int width = marker_width(tab->marker[tab->list[g->marker + i]].kind);
            for (int k = 0; k < width; k++, row++) {
                double unit[6] = { 0.0 }, *J = values.J + row * values.stride;
                unit[k] = 1.0;
                memset(J, 0, (size_t)values.n * sizeof *J);
                spread_gradient(tab, &own, at, m, g->marker + i, unit, J);
            }
        }
        block_add(&values, &in->K[g->value], &in->C[g->value], wK, wC, &tab->entry[g->entry], T);
    }
    for (int f = 0; f < tab->n_flex; f++) {
        modal_drop_tangent(&tab->flex[f].modal, in, wK, wC, own.modal + tab->flex[f].kept, T);
    }
}

// All six gradients of a frame on a rigid body: how it shifts and turns by each coordinate.
WIDE void spread_frame(const joint_table *tab, const own_motion *own, const motion *m, int entry, int n_col,
                       double *J)
{
    wide3 at = wide3_read(&m->value[tab->marker[tab->list[entry]].dof]);
    for (int i = tab->spread_start[entry]; i < tab->spread_end[entry]; i++) {
        int dof = tab->spread[i].dof;
        double *to = &J[tab->spread[i].to];
        wide3 axis = own->axis[dof], shift = axis, turn = wide3_zero();
        if (!tab->is_linear[dof]) {
            shift = wide3_cross(axis, at - own->node[tab->dof_node[dof]].pos);
            turn = axis;
        }
        UNROLL
        for (int k = 0; k < 3; k++) {
            to[k * n_col] += shift[k];
            to[(3 + k) * n_col] += turn[k];
        }
    }
}

static void gradients_sites(const void *table, const coords *at, const motion *m, const bool *wanted,
                            double *J)
{
    const joint_table *tab = table;
    own_motion own = own_cut(tab, m);
    for (int s = 0; s < tab->structure->n_site; s++) {
        const joint_group *g = &tab->block[tab->site[s].group];
        if (!wanted[s]) {
            J += 6 * g->n_col;
            continue;
        }
        memset(J, 0, (size_t)(6 * g->n_col) * sizeof *J);
        const joint_marker *marker = &tab->marker[tab->list[g->marker]];
        if (marker->kind == MARKER_FRAME && marker->place < 0) {
            spread_frame(tab, &own, m, g->marker, g->n_col, J);
            J += 6 * g->n_col;
            continue;
        }
        for (int k = 0; k < 6; k++, J += g->n_col) {
            double unit[6] = { 0.0 };
            unit[k] = 1.0;
            spread_gradient(tab, &own, at, m, g->marker, unit, J);
        }
    }
}
