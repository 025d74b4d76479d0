// SPDX-License-Identifier: MIT
#include "coordinates/modal.h"
#include "base/lanes.h"
#include <stdlib.h>
#include <string.h>

// ---- create ----------------------------------------------------------------------------------------------------------

bool modal_has_block(const modal_set *s, const plan *p, const block_group *b)
{
    const marker *k = &p->marker[p->list[b->marker]];
    return s->nodal.n > 0 && b->n_marker == 1 && k->kind == MARKER_MODE && k->body == s->body;
}

static int find_turn(const modal_set *s, int node)
{
    for (int k = 0; k < s->n_turn; k++) {
        if (s->turn_node[k] == node) {
            return k;
        }
    }
    return -1;
}

// One rotation for all vectors and frames at a node.
static bool list_turns(modal_set *s, const plan *p)
{
    s->turn = calloc((size_t)p->n_marker + 1, sizeof *s->turn);
    s->turn_node = calloc((size_t)p->n_marker + 1, sizeof *s->turn_node);
    bool ok = s->turn && s->turn_node;
    for (int m = 0; ok && m < 2 * p->n_marker; m++) {
        const marker *k = &p->marker[m % p->n_marker];
        bool is_turned = (k->kind == MARKER_VECTOR || k->kind == MARKER_FRAME) && k->node > 0;
        bool is_due = k->is_read == (m < p->n_marker);
        if (is_turned && is_due && k->body == s->body && find_turn(s, k->node - 1) < 0) {
            flex_place *turn = &s->turn[s->n_turn];
            s->turn_node[s->n_turn++] = k->node - 1;
            ok = flex_vector_create(turn, p->model->body[s->body].def.flex, k->node - 1, (vec3){ 1, 0, 0 }) &&
                 flex_nodal_place(&s->nodal, k->node - 1, turn);
            s->n_read += k->is_read;
        }
    }
    return ok;
}

flex_place modal_vector(const modal_set *s, int node, vec3 direction)
{
    return (flex_place){ .n_mode = s->n, .is_turned = true, .at = direction, .turn = find_turn(s, node) };
}

bool modal_place_moves(const modal_set *s, const flex_place *p, int mode)
{
    return flex_place_moves(p->is_turned ? &s->turn[p->turn] : p, mode);
}

bool modal_create(modal_set *s, const plan *p, int body, int q)
{
    *s = (modal_set){ .body = body, .n = p->model->body[body].def.flex->n_mode, .q = q };
    size_t n = (size_t)s->n + 1;
    s->entry = calloc(n, sizeof *s->entry);
    s->dof = malloc(n * sizeof *s->dof);
    s->block = calloc((size_t)p->n_block + 1, sizeof *s->block);
    if (!s->entry || !s->dof || !s->block || !flex_nodal_for(&s->nodal, p, body)) {
        return false;
    }
    memset(s->dof, 0xff, n * sizeof *s->dof);
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        if (k->kind == MARKER_MODE && k->body == body) {
            s->dof[k->coordinate] = k->dof;
        }
    }
    for (int g = 0; g < p->n_block; g++) {
        if (modal_has_block(s, p, &p->block[g])) {
            int mode = p->marker[p->list[p->block[g].marker]].coordinate;
            s->block[s->n_block++] = (modal_block){ mode, p->block[g].value };
        }
    }
    return list_turns(s, p);
}

void modal_entries(modal_set *s, const pattern *tangent)
{
    for (int i = 0; i < s->n; i++) {
        s->entry[i] = pattern_find(tangent, s->q + i, s->q);
    }
}

void modal_clear(modal_set *s)
{
    flex_nodal_clear(&s->nodal);
    for (int k = 0; k < s->n_turn; k++) {
        flex_place_clear(&s->turn[k]);
    }
    free(s->turn);
    free(s->turn_node);
    free(s->entry);
    free(s->dof);
    free(s->block);
    *s = (modal_set){ 0 };
}

const double *modal_variables(const modal_set *s) { return s->nodal.n > 0 ? s->nodal.Y : NULL; }

int modal_kept(const modal_set *s) { return s->nodal.n > 0 ? s->n + s->n * (s->n + 1) / 2 : 0; }

// ---- at work -----------------------------------------------------------------------------------------------------------

void modal_lift(const modal_set *s, const coords *in, motion *out)
{
    double amplitude[FLEX_MODES];
    for (int part = 0; part < 2 && s->nodal.n > 0; part++) {
        double *to = part == 0 ? out->value : out->rate;
        flex_nodal_amplitudes(&s->nodal, part == 0 ? &in->q[s->q] : &in->v[s->q], amplitude);
        for (int m = 0; m < s->n; m++) {
            if (s->dof[m] >= 0) {
                to[s->dof[m]] = amplitude[m];
            }
        }
    }
}

void modal_drop_load(const modal_set *s, const load *in, double *Q)
{
    double force[FLEX_MODES];
    if (s->nodal.n == 0) {
        return;
    }
    for (int m = 0; m < s->n; m++) {
        force[m] = s->dof[m] >= 0 ? in->effort[s->dof[m]] : 0.0;
    }
    flex_nodal_add_force(&s->nodal, force, &Q[s->q]);
}

void modal_drop_tangent(const modal_set *s, const load *in, double wK, double wC, double *kept, double *T)
{
    double d[FLEX_MODES], *square = kept + s->n;
    if (s->nodal.n == 0) {
        return;
    }
    memset(d, 0, (size_t)s->n * sizeof *d);
    for (int k = 0; k < s->n_block; k++) {
        d[s->block[k].mode] += wK * in->K[s->block[k].value] + wC * in->C[s->block[k].value];
    }
    if (memcmp(kept, d, (size_t)s->n * sizeof *d) != 0) {
        memcpy(kept, d, (size_t)s->n * sizeof *d);
        flex_nodal_square(&s->nodal, d, square);
    }
    for (int j = 0; j < s->n; square += ++j) {
        double *to = &T[s->entry[j]];
        for (int i = 0; i <= j; i++) {
            to[i] += square[i];
        }
    }
}

void modal_lift_turns(const modal_set *s, const coords *in, unsigned want, vec3 *turn)
{
    for (int k = 0; k < (want & LIFT_ALL ? s->n_turn : s->n_read); k++) {
        flex_place_sum(&s->turn[k], &in->q[s->q], &in->v[s->q], &turn[2 * k]);
    }
}

void modal_place_at(const flex_place *p, const double *eta, const double *rate, const vec3 *turn, vec3 out[3])
{
    if (p->is_turned) {
        flex_vector_at(p->at, &turn[2 * p->turn], out);
    } else {
        flex_place_at(p, eta, rate, out);
    }
}

void modal_place_push(const modal_set *s, const flex_place *p, const double *eta, const vec3 *turn,
                      vec3 force, double *modal)
{
    if (p->is_turned) {
        flex_place_add(&s->turn[p->turn], flex_vector_force(p->at, turn[2 * p->turn], force), modal);
    } else {
        flex_place_push(p, eta, force, modal);
    }
}

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

LANES void modal_multiply(const modal_set *s, const double *M, const double *x, double *y)
{
    const double *from = x + s->q;
    double *to = y + s->q;
    for (int j = 0; j < s->n; j++) {
        const double *column = &M[s->entry[j]];
        double with = from[j];
        lane part = { 0.0 };
        int i = 0;
        for (; i + 4 <= j; i += 4) {
            lane m = *(const lane *)(column + i);
            part += m * *(const lane *)(from + i);
            *(lane *)(to + i) += m * with;
        }
        double sum = part[0] + part[1] + part[2] + part[3];
        for (; i < j; i++) {
            sum += column[i] * from[i];
            to[i] += column[i] * with;
        }
        to[j] += sum + column[j] * with;
    }
}
