// SPDX-License-Identifier: MIT
// Mechanisms that nothing holds, and what their momentum is of the rates of their points and vectors (ali3p.17).
#include "coordinates/natural/compile.h"
#include <stdlib.h>

static int root_of(int *parent, int b)
{
    while (parent[b] != b) {
        b = parent[b] = parent[parent[b]];
    }
    return b;
}

static void join(int *parent, int a, int b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    // the ground stays the root of what it holds
    parent[a > b ? a : b] = a > b ? b : a;
}

// Bodies held together by joints and constraints; the ground's own are 0.
static void join_bodies(const compiler *c, int *parent)
{
    const bi_model *m = c->model;
    for (int j = 0; j < m->n_joint; j++) {
        if (!joint_is_free(m->joint[j].def.kind)) {
            join(parent, m->joint[j].def.a.i - 1, m->joint[j].def.b.i - 1);
        }
    }
    for (int g = 0; g < c->p->n_row_group; g++) {
        const row_group *group = &c->p->row[g];
        int first = -1;
        for (int k = 0; group->element >= 0 && k < group->n_marker; k++) {
            const marker *mark = &c->p->marker[c->p->list[group->marker + k]];
            bool is_joint = mark->kind == MARKER_JOINT;
            const bi_joint_def *def = is_joint ? &m->joint[mark->joint].def : NULL;
            int a = is_joint ? def->a.i - 1 : mark->body, b = is_joint ? def->b.i - 1 : mark->body;
            first = first < 0 ? a : first;
            join(parent, first, a);
            join(parent, first, b);
        }
    }
}

// Flexible bodies carry momentum in their amplitudes, planar ones across their axes: theirs is left to the rule.
static bool is_plain(const compiler *c, int b)
{
    natural_body_kind kind = c->tab->body[b].kind;
    return !c->model->body[b].def.flex && kind != BODY_PLANAR && kind != BODY_FIXED;
}

// The momentum of a body, sum of mass times the place of its centre of mass, onto its entities.
static void add_shares(const compiler *c, int b, double *share)
{
    const natural_body *body = &c->tab->body[b];
    const bi_body_def *def = &c->model->body[b].def;
    const double centre[4] = { 1.0, def->com.x, def->com.y, def->com.z };
    for (int e = 0; e < body->n_entity; e++) {
        for (int k = 0; k < 4 && body->q[e] < c->tab->n; k++) {
            share[body->q[e]] += def->mass * centre[k] * body->S[e][k];
        }
    }
}

// What is known of a mechanism: by its root body.
typedef struct {
    int *parent;    // of bodies, see root_of (n_body)
    double *mass;   // (n_body)
    int *n_share;   // entities that carry momentum (n_body)
    bool *is_plain; // (n_body)
    double *share;  // of each entity, by its first coordinate (n)
    int *frame;     // that turns it, in natural.carried; -1: none (n)
} momenta;

static void sum_bodies(const compiler *c, momenta *m)
{
    for (int b = 1; b < c->model->n_body; b++) {
        int root = root_of(m->parent, b);
        m->mass[root] += c->model->body[b].def.mass;
        m->is_plain[root] = m->is_plain[root] && is_plain(c, b);
        add_shares(c, b, m->share);
    }
    for (int k = 0; k < c->shared.n_slot; k++) {
        const slot *s = &c->shared.slot[k];
        if (s->parent == k && !s->is_fixed) {
            m->n_share[root_of(m->parent, s->body)] += m->share[s->q] != 0.0;
        }
    }
}

// Points that carry no mass are shifted as well. A body whose only point is its centre of mass keeps its momentum
// anyway.
static void add_parts(compiler *c, momenta *m)
{
    structure *o = c->out;
    for (int k = 0; k < c->shared.n_slot; k++) {
        const slot *s = &c->shared.slot[k];
        if (s->parent != k || s->is_fixed) {
            continue;
        }
        int root = root_of(m->parent, s->body);
        if (root > 0 && m->is_plain[root] && m->n_share[root] > 1 && m->mass[root] > 0.0 &&
            (m->share[s->q] != 0.0 || !s->is_vector)) {
            o->floating[o->n_floating++] =
                (floating_part){ s->q, m->share[s->q] / m->mass[root], !s->is_vector, m->frame[s->q], root };
        }
    }
}

static int by_group(const void *a, const void *b)
{
    const floating_part *x = a, *y = b;
    return x->group != y->group ? x->group - y->group : x->x - y->x;
}

bool floating_create(compiler *c)
{
    size_t n_body = (size_t)c->model->n_body, n = (size_t)c->out->n;
    momenta m = { malloc(n_body * sizeof *m.parent), calloc(n_body, sizeof *m.mass),
                  calloc(n_body, sizeof *m.n_share), malloc(n_body * sizeof *m.is_plain),
                  calloc(n + 1, sizeof *m.share),    malloc((n + 1) * sizeof *m.frame) };
    c->out->floating = malloc((n / 3 + 1) * sizeof *c->out->floating);
    bool ok = m.parent && m.mass && m.n_share && m.is_plain && m.share && m.frame && c->out->floating;
    for (size_t b = 0; ok && b < n_body; b++) {
        m.parent[b] = (int)b;
        m.is_plain[b] = true;
    }
    for (size_t i = 0; ok && i < n; i++) {
        m.frame[i] = -1;
    }
    for (int k = 0; ok && k < c->tab->n_carried; k++) {
        m.frame[c->tab->carried[k].q] = k;
    }
    if (ok) {
        join_bodies(c, m.parent);
        sum_bodies(c, &m);
        add_parts(c, &m);
        qsort(c->out->floating, (size_t)c->out->n_floating, sizeof *c->out->floating, by_group);
    }
    free(m.parent);
    free(m.mass);
    free(m.n_share);
    free(m.is_plain);
    free(m.share);
    free(m.frame);
    return ok;
}
