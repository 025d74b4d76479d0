// SPDX-License-Identifier: MIT
// Where joints, forces and constraints touch bodies, and which nodes of a flexible one they hold.
#include "math/vec3.h"
#include "model/model.h"
#include <biela/bond.h>
#include <biela/flex.h>
#include <stdio.h>

// -1 for what is no body
static int number_of(bi_body b) { return b.i > 0 ? b.i - 1 : -1; }

typedef struct {
    model_touch_fn *tell;
    void *context;
} listener;

static void tell(const listener *to, model_touch touch)
{
    if (touch.body >= 0) {
        to->tell(to->context, &touch);
    }
}

// ---- joints -------------------------------------------------------------------------------------------------

static const void *field_at(const model_element *e, const bi_field *f)
{
    return (const char *)e->def + f->offset;
}

static bool graph_names_joint(const bi_graph *g, int32_t joint)
{
    for (int k = 0; k < g->n_node; k++) {
        if (g->node[k].port == BI_PORT_JOINT && g->node[k].joint.joint.i == joint) {
            return true;
        }
    }
    return false;
}

static bool field_names_joint(const model_element *e, const bi_field *f, int32_t joint)
{
    const void *at = field_at(e, f);
    if (f->type == BI_FIELD_TERMS) {
        const bi_term *term = at;
        for (int k = 0; k < BI_TERMS; k++) {
            if (term[k].coordinate.joint.i == joint) {
                return true;
            }
        }
    }
    return (f->type == BI_FIELD_GRAPH && graph_names_joint(at, joint)) ||
           (f->type == BI_FIELD_JOINT && ((const bi_joint *)at)->i == joint) ||
           (f->type == BI_FIELD_COORDINATE && ((const bi_joint_coordinate *)at)->joint.i == joint);
}

// Motors, brakes, gears and guides load the coordinate of a joint.
static bool is_driven(const bi_model *m, int joint)
{
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        for (int i = 0; !model_is_signal(e) && i < e->kind->n_field; i++) {
            if (field_names_joint(e, &e->kind->field[i], joint + 1)) {
                return true;
            }
        }
    }
    return false;
}

static model_turns turns_of(bi_joint_kind kind)
{
    if (joint_has_pitch(kind)) {
        return MODEL_ALL_TURNS;
    }
    switch (joint_of(kind)->turn) {
    case JOINT_TURN_NONE: return MODEL_ALL_TURNS;
    case JOINT_TURN_AXIS:
    case JOINT_TURN_CROSS: return MODEL_TURNS_ACROSS;
    case JOINT_TURN_FREE: return MODEL_NO_TURN;
    }
    return MODEL_NO_TURN;
}

static void tell_joint(const bi_model *m, int joint, const listener *to)
{
    const model_joint *j = &m->joint[joint];
    const bi_joint_def *d = &j->def;
    // free joints hold nothing: they name the coordinates of the frames
    if (d->a.i < 1 || d->a.i > m->n_body || d->b.i < 1 || d->b.i > m->n_body || joint_is_free(d->kind)) {
        return;
    }
    bool a_bends = m->body[d->a.i - 1].def.flex, b_bends = m->body[d->b.i - 1].def.flex;
    if (!a_bends && !b_bends) {
        return;
    }
    model_joint_frame f = model_joint_frames(m, joint);
    model_turns turns =
        !joint_is_distance(d->kind) && is_driven(m, joint) ? MODEL_ALL_TURNS : turns_of(d->kind);
    model_touch touch = {
        .turns = turns, .section = "joints", .name = d->name, .key = "", .place = j->place
    };
    if (a_bends) {
        touch.body = d->a.i - 1, touch.at = f.at_a, touch.axis = f.axis_a;
        tell(to, touch);
    }
    if (b_bends) {
        touch.body = d->b.i - 1, touch.at = f.at_b, touch.axis = f.axis_b;
        tell(to, touch);
    }
}

// ---- forces and constraints ---------------------------------------------------------------------------------

static void tell_ports(const bi_graph *g, model_touch touch, const listener *to)
{
    for (int k = 0; k < g->n_node; k++) {
        const bi_bond_node *n = &g->node[k];
        if (n->port == BI_PORT_LINE || n->port == BI_PORT_FORCE || n->port == BI_PORT_TORQUE) {
            touch.turns = n->port == BI_PORT_TORQUE ? MODEL_ALL_TURNS : MODEL_NO_TURN;
            touch.key = n->name;
            touch.body = number_of(n->a.body), touch.at = n->a.at;
            tell(to, touch);
            touch.body = n->port == BI_PORT_LINE ? number_of(n->b.body) : -1, touch.at = n->b.at;
            tell(to, touch);
        }
    }
}

static void tell_field(const model_element *e, const bi_field *f, const listener *to)
{
    const void *at = field_at(e, f);
    model_touch touch = { .section = e->kind->section, .name = e->name, .key = f->key, .place = e->place };
    if (f->type == BI_FIELD_POINT) {
        const bi_point *p = at;
        touch.body = number_of(p->body), touch.at = p->at;
        tell(to, touch);
    } else if (f->type == BI_FIELD_FRAME) {
        const bi_frame *frame = at;
        touch.body = number_of(frame->body), touch.at = frame->at, touch.turns = MODEL_ALL_TURNS;
        tell(to, touch);
    } else if (f->type == BI_FIELD_POINTS) {
        const bi_points *list = at;
        for (int k = 0; k < list->count; k++) {
            touch.body = number_of(list->item[k].point.body), touch.at = list->item[k].point.at;
            tell(to, touch);
        }
    } else if (f->type == BI_FIELD_GRAPH) {
        tell_ports(at, touch, to);
    }
}

void model_touches(const bi_model *m, model_touch_fn *fn, void *context)
{
    listener to = { fn, context };
    for (int k = 0; k < m->n_joint; k++) {
        tell_joint(m, k, &to);
    }
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        for (int i = 0; e->def && i < e->kind->n_field; i++) {
            tell_field(e, &e->kind->field[i], &to);
        }
    }
}

// ---- nodes --------------------------------------------------------------------------------------------------

typedef struct {
    const bi_model *model;
    int body, count, most;
    bi_flex_boundary *list;
} collector;

// Two directions across each other fix all turns.
static void add_vectors(bi_flex_boundary *b, const model_touch *touch)
{
    bool is_across = touch->turns == MODEL_TURNS_ACROSS && vec3_norm(touch->axis) > 0.0;
    vec3 axis = is_across ? vec3_normalized(touch->axis) : (vec3){ 1.0, 0.0, 0.0 };
    const vec3 wanted[2] = { axis, vec3_perpendicular(axis) };
    for (int k = 0; k < (touch->turns == MODEL_ALL_TURNS ? 2 : 1); k++) {
        bool is_there = b->n_vector >= 2;
        for (int i = 0; i < b->n_vector; i++) {
            is_there = is_there || vec3_norm(vec3_cross(b->vector[i], wanted[k])) <= 1e-9;
        }
        if (!is_there) {
            b->vector[b->n_vector++] = wanted[k];
        }
    }
}

static void collect(void *context, const model_touch *touch)
{
    collector *c = context;
    const bi_modes *f = c->model->body[c->body].def.flex;
    int node = touch->body == c->body && f ? model_node_at(f, touch->at) : -1;
    if (node < 0) {
        return;
    }
    int k = 0;
    while (k < c->count && c->list[k].node != node) {
        k++;
    }
    if (k == c->count && c->count < c->most) {
        c->list[c->count++] = (bi_flex_boundary){ .node = node, .is_point = true };
    }
    if (k < c->count && touch->turns != MODEL_NO_TURN) {
        add_vectors(&c->list[k], touch);
    }
}

int bi_model_holds(const bi_model *m, bi_body body, bi_flex_boundary *list, int most)
{
    collector c = { .model = m, .body = number_of(body), .most = list ? most : 0, .list = list };
    if (m && body.i >= 1 && body.i <= m->n_body) {
        model_touches(m, collect, &c);
    }
    return c.count;
}

// ---- another reduction of the same mesh ---------------------------------------------------------------------

static bool recover_again(model_output *o, const bi_flex *flex)
{
    char why[8];
    bi_recovery *again = bi_flex_recover(flex, &o->def.recovery->probe, why, sizeof why);
    if (again) {
        bi_recovery_destroy((bi_recovery *)(uintptr_t)o->def.recovery);
        o->def.recovery = again;
    }
    return again != NULL;
}

bool bi_body_reduce(bi_model *m, bi_body body, bi_flex *flex)
{
    const bi_modes *now =
        m && flex && body.i >= 1 && body.i <= m->n_body ? m->body[body.i - 1].def.flex : NULL;
    if (!now) {
        bi_flex_destroy(flex);
        return false;
    }
    bi_modes modes = *bi_flex_modes(flex);
    modes.bend_is_load = now->bend_is_load;
    const bi_modes *kept = model_modes_copy(&modes);
    bool is_good = kept != NULL;
    for (int k = 0; k < m->n_output; k++) {
        model_output *o = &m->output[k];
        if (is_good && o->def.kind == BI_OUT_RECOVERY && o->def.recovery && o->def.body.i == body.i) {
            is_good = recover_again(o, flex);
        }
    }
    if (kept) {
        model_modes_free(now);
        m->body[body.i - 1].def.flex = kept;
    }
    bi_body_keep(m, body, flex);
    m->no_memory = m->no_memory || !is_good;
    return is_good;
}
