// SPDX-License-Identifier: MIT
// Points of flexible bodies must be nodes: between them nothing says how the body bends, and a point that silently
// followed the rigid frame would carry a load past the body.
#include "math/vec3.h"
#include "model/model.h"
#include <biela/flex.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct {
    const bi_model *model;
    bi_report *report;
} checker;

typedef struct {
    char text[80];
} node_name;

static node_name name_of(const bi_fe_mesh *mesh, int node)
{
    node_name out;
    if (mesh && mesh->node[node].name) {
        snprintf(out.text, sizeof out.text, "'%.60s'", mesh->node[node].name);
    } else {
        int64_t number = mesh && mesh->node[node].number ? mesh->node[node].number : (int64_t)node + 1;
        snprintf(out.text, sizeof out.text, "%" PRId64, number);
    }
    return out;
}

// Those of the mesh; modes that were given without one have only nodes. Particles of elements are none.
static int count_nodes(const bi_modes *f, const bi_fe_mesh *mesh)
{
    return mesh && mesh->n_node < f->n_node ? mesh->n_node : f->n_node;
}

static int nearest(const bi_modes *f, int count, vec3 at)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (vec3_norm(vec3_sub(f->at[i], at)) < vec3_norm(vec3_sub(f->at[best], at))) {
            best = i;
        }
    }
    return best;
}

static void write_where(const model_touch *t, char *where, size_t size)
{
    snprintf(where, size, "%s.%.80s%s%.40s", t->section, t->name ? t->name : "", t->key[0] ? "." : "",
             t->key);
}

static void tell_beside(const checker *c, const model_touch *t, int near)
{
    const model_body *b = &c->model->body[t->body];
    vec3 p = b->def.flex->at[near];
    char where[160];
    write_where(t, where, sizeof where);
    bi_report_add(c->report, BI_ERROR, BI_BAD_MODEL, t->place, where,
                  "body %.60s has no node at [%.9g, %.9g, %.9g], where this touches it; the nearest is node "
                  "%s at [%.9g, "
                  "%.9g, %.9g], %.3g m away: give that one, a node there, or one that is linked to the mesh",
                  b->def.name, t->at.x, t->at.y, t->at.z, name_of(bi_flex_mesh(b->flex), near).text, p.x, p.y,
                  p.z, vec3_norm(vec3_sub(p, t->at)));
}

// Nodes of solids have no turns.
static bool node_turns(const bi_modes *f, int node)
{
    for (int m = 0; f->turn && m < f->n_mode; m++) {
        vec3 turn = f->turn[m * f->n_node + node];
        if (turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0) {
            return true;
        }
    }
    return false;
}

// In a plane an axis across it does not tilt.
static bool wants_turns(const model_touch *t, const bi_fe_mesh *mesh)
{
    bool is_across = t->turns == MODEL_TURNS_ACROSS && t->axis.x == 0.0 && t->axis.y == 0.0;
    return t->turns != MODEL_NO_TURN && !(mesh->is_plane && is_across);
}

static void check_touch(void *context, const model_touch *t)
{
    checker *c = context;
    const model_body *b = t->body < c->model->n_body ? &c->model->body[t->body] : NULL;
    const bi_modes *f = b ? b->def.flex : NULL;
    if (!f || !f->at || f->n_node < 1 || !vec3_is_finite(t->at)) {
        return;
    }
    const bi_fe_mesh *mesh = bi_flex_mesh(b->flex);
    int node = model_node_at(f, t->at), count = count_nodes(f, mesh);
    if (node < 0 || node >= count) {
        tell_beside(c, t, nearest(f, count, t->at));
    } else if (mesh && wants_turns(t, mesh) && model_moved_node(c->model, t->body, t->at) > 0 &&
               !node_turns(f, node)) {
        char where[160];
        write_where(t, where, sizeof where);
        bi_report_add(
            c->report, BI_ERROR, BI_BAD_MODEL, t->place, where,
            "node %s of body %.60s does not turn (solids have no turns), so nothing can hold its axes: link "
            "the nodes of the face to one node ('interfaces' of a mesh file, or 'links')",
            name_of(mesh, node).text, b->def.name);
    }
}

// The origin of a body is its frame, node or not.
static void check_shown(checker *c, bi_body body, bi_vec3 at, model_touch touch)
{
    if (body.i >= 1 && (at.x != 0.0 || at.y != 0.0 || at.z != 0.0)) {
        touch.body = body.i - 1;
        touch.at = at;
        check_touch(c, &touch);
    }
}

void model_check_nodes(const bi_model *m, bi_report *report)
{
    checker c = { m, report };
    model_touches(m, check_touch, &c);
    for (int k = 0; k < m->n_named; k++) {
        const model_named *n = &m->named[k];
        if (!n->is_vector) {
            check_shown(&c, n->body, n->at,
                        (model_touch){ .section = "points", .name = n->name, .key = "", .place = n->place });
        }
    }
    for (int k = 0; k < m->n_output; k++) {
        const bi_output_def *d = &m->output[k].def;
        model_touch touch = { .section = "outputs", .name = d->name, .key = "", .place = m->output[k].place };
        if (d->kind == BI_OUT_POINT || d->kind == BI_OUT_ACCELEROMETER || d->kind == BI_OUT_RELATIVE) {
            check_shown(&c, d->body, d->at, touch);
        }
        if (d->kind == BI_OUT_RELATIVE) {
            check_shown(&c, d->about.body, d->about.at, touch);
        }
    }
}
