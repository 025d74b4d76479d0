// SPDX-License-Identifier: MIT
// Markers as linear functions of the variables (natural.2).
#include "coordinates/natural/compile.h"
#include <stdlib.h>
#include <string.h>

// ---- maps of markers -------------------------------------------------------------------------------------------

static bool add_term(natural *tab, map_term term)
{
    if (!LIST_RESERVE(tab->term, tab->n_term, tab->cap_term)) {
        return false;
    }
    tab->term[tab->n_term++] = term;
    return true;
}

bool map_create(natural *tab, int body, const double weight[4], map_vec *out)
{
    const natural_body *b = &tab->body[body];
    *out = (map_vec){ .first = tab->n_term, .body = body };
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < b->n_entity; e++) {
            double s = 0.0, t = 0.0, size = 0.0;
            for (int k = 0; k < 4; k++) {
                s += weight[k] * b->S[e][k];
                t += weight[k] * b->T[e][k];
                size += fabs(weight[k]) * (fabs(b->S[e][k]) + fabs(b->T[e][k]));
            }
            // what is only rounding is nothing
            s = fabs(s) > 1e-14 * size ? s : 0.0;
            t = fabs(t) > 1e-14 * size ? t : 0.0;
            bool is_variable = b->q[e] < tab->n;
            if ((s == 0.0 && t == 0.0) || is_variable != (pass == 0)) {
                continue;
            }
            if (!add_term(tab, (map_term){ b->q[e], s, t })) {
                return false;
            }
            out->n_variable += is_variable;
            out->count++;
        }
    }
    return true;
}

static bool map_point(natural *tab, int body, vec3 at, map_vec *out)
{
    return map_create(tab, body, (double[4]){ 1.0, at.x, at.y, at.z }, out);
}

bool compile_axes(natural *tab, int body, vec3 at, map_vec column[4])
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    bool ok = map_point(tab, body, at, &column[0]);
    for (int k = 0; k < 3; k++) {
        ok = ok && map_create(tab, body, (double[4]){ 0.0, unit[k].x, unit[k].y, unit[k].z }, &column[1 + k]);
    }
    return ok;
}

// Points and vectors of rigid bodies, those whose motion something reads first.
static bool map_linear_markers(compiler *c)
{
    natural *tab = c->tab;
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int m = 0; m < c->p->n_marker; m++) {
            const marker *k = &c->p->marker[m];
            bool is_linear = (k->kind == MARKER_VECTOR || k->kind == MARKER_POINT) && k->node == 0;
            if (!is_linear || k->is_read != (pass == 0)) {
                continue;
            }
            linear_marker *l = &tab->linear[tab->n_linear++];
            l->dof = k->dof;
            const double weight[4] = { k->kind == MARKER_POINT ? 1.0 : 0.0, k->at.x, k->at.y, k->at.z };
            ok = ok && map_create(tab, k->body, weight, &l->vec);
        }
        tab->n_read = pass == 0 ? tab->n_linear : tab->n_read;
    }
    return ok;
}

static bool place_flexible(compiler *c, const marker *k, flex_marker *out)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const bi_modes *flex = c->model->body[k->body].def.flex;
    int which = 0, node = k->node > 0 ? k->node - 1 : -1;
    while (c->tab->flex[which].body != k->body) {
        which++;
    }
    *out = (flex_marker){ .flex = which, .dof = k->dof, .kind = k->kind, .frame = k->frame };
    out->is_read = k->is_read;
    const modal_set *modal = &c->tab->flex[which].modal;
    if (k->kind == MARKER_VECTOR) {
        out->place[0] = modal_vector(modal, node, k->at);
        return true;
    }
    for (int i = 0; i < 3 && k->kind == MARKER_FRAME; i++) {
        out->place[1 + i] = modal_vector(modal, node, unit[i]);
    }
    return flex_point_create(&out->place[0], flex, node, k->at) &&
           flex_nodal_place(&modal->nodal, node, &out->place[0]);
}

bool compile_markers(compiler *c)
{
    natural *tab = c->tab;
    size_t most = (size_t)c->p->n_marker + 1;
    tab->linear = malloc(most * sizeof *tab->linear);
    tab->frame = malloc(most * sizeof *tab->frame);
    tab->scalar = malloc(most * sizeof *tab->scalar);
    tab->flex_marker = calloc(tab->n_flex > 0 ? most : 1, sizeof *tab->flex_marker);
    if (!tab->linear || !tab->frame || !tab->scalar || !tab->flex_marker) {
        return false;
    }
    bool ok = true;
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *k = &c->p->marker[m];
        if (k->node != 0) {
            ok = place_flexible(c, k, &tab->flex_marker[tab->n_flex_marker++]) && ok;
        } else if (k->kind == MARKER_FRAME) {
            frame_marker *f = &tab->frame[tab->n_frame++];
            f->dof = k->dof;
            f->frame = k->frame;
            ok = ok && compile_axes(tab, k->body, k->at, f->column);
        } else if (k->kind == MARKER_JOINT || k->kind == MARKER_MODE) {
            tab->scalar[tab->n_scalar] = (scalar_marker){ c->out->marker_q[m], k->dof };
            tab->n_scalar += c->out->marker_q[m] >= 0; // else made of several variables (modal_lift)
        }
    }
    return ok && map_linear_markers(c);
}
