// SPDX-License-Identifier: MIT
// Values of time from the model's expressions; guides, torques and forces; what has no counterpart.
#include "base/list.h"
#include "exact/bridge/bridge.h"
#include <stdlib.h>
#include <string.h>

// ---- values of time ------------------------------------------------------------------------------------------------

static bool is_kind(const model_element *e, const char *section, const char *type)
{
    return strcmp(e->kind->section, section) == 0 && strcmp(e->kind->type, type) == 0;
}

static jet signal_at(const bi_yardstick *g, int element, double t)
{
    const model_element *e = &g->m->element[element];
    if (is_kind(e, "signals", "expr")) {
        return timed_at(g->timed[((const bi_signal_def *)e->def)->value.i - 1], t);
    }
    const bi_table_signal_def *d = e->def;
    jet u = d->input.i > 0 ? timed_at(g->timed[d->input.i - 1], t) : (jet){ t, 1.0, 0.0 };
    return table_of(model_table(g->m, d->table), u);
}

jet timed_at(const timed *value, double t)
{
    const bi_yardstick *g = value->of;
    jet x[MODEL_MAX_VARIABLES];
    for (int k = 0; k < value->n_name; k++) {
        const model_name *name = &value->name[k];
        x[k] = (jet){ t, 1.0, 0.0 };
        if (name->kind == MODEL_NAME_INPUT) {
            const model_input *input = &g->m->input[name->index];
            x[k] = (jet){ input->initial, 0.0, 0.0 };
            if (input->line.count > 0) {
                x[k].v = model_line_at(&input->line, t, &x[k].d);
            }
        } else if (name->kind == MODEL_NAME_SIGNAL) {
            x[k] = signal_at(g, name->index, t);
        }
    }
    return expr_jet(value->code, x);
}

// Makes the expressions that a signal reads ready; false: reported.
static bool signal_ready(bi_yardstick *g, int element, bi_place place, const char *name)
{
    const model_element *e = &g->m->element[element];
    if (is_kind(e, "signals", "expr")) {
        return timed_of(g, ((const bi_signal_def *)e->def)->value, place, name) != NULL;
    }
    if (is_kind(e, "signals", "table")) {
        const bi_table_signal_def *d = e->def;
        return d->input.i == 0 || timed_of(g, d->input, place, name) != NULL;
    }
    bridge_complain(g, place, name, "follows the signal '%s' of the kind '%s', which has a memory of its own",
                    e->name, e->kind->type);
    return false;
}

const timed *timed_of(bi_yardstick *g, bi_expr e, bi_place place, const char *name)
{
    int k = e.i - 1;
    const model_expr *from = &g->m->expr[k];
    if (g->timed[k]) {
        return g->timed[k];
    }
    timed *out = calloc(1, sizeof *out);
    if (!out) {
        g->is_short = true;
        return NULL;
    }
    *out = (timed){ .of = g, .code = from->code, .n_name = expr_variable_count(from->code) };
    bool is_good = out->n_name <= MODEL_MAX_VARIABLES;
    for (int v = 0; is_good && v < out->n_name; v++) {
        out->name[v] = model_resolve(g->m, expr_variable_name(from->code, v));
        model_name_kind kind = out->name[v].kind;
        if (kind == MODEL_NAME_SIGNAL) {
            is_good = signal_ready(g, out->name[v].index, place, name);
        } else if (kind != MODEL_NAME_TIME && kind != MODEL_NAME_INPUT) {
            bridge_complain(g, place, name, "depends on '%s'; only values of time have a counterpart",
                            expr_variable_name(from->code, v));
            is_good = false;
        }
    }
    if (!is_good) {
        free(out);
        return NULL;
    }
    g->timed[k] = out;
    return out;
}

static jet profile_at(const void *ctx, double t)
{
    const timed_profile *p = ctx;
    jet f = timed_at(p->value, t);
    return (jet){ p->factor * (f.v - p->shift), p->factor * f.d, p->factor * f.dd };
}

yard_profile timed_profile_of(bi_yardstick *g, const timed *value, double factor, double shift)
{
    timed_profile *p = calloc(1, sizeof *p);
    if (!p || !LIST_RESERVE(g->profile, g->n_profile, g->c_profile)) {
        g->is_short = true;
        free(p);
        return (yard_profile){ 0 };
    }
    *p = (timed_profile){ value, factor, shift };
    g->profile[g->n_profile++] = p;
    return (yard_profile){ profile_at, p };
}

// ---- guides --------------------------------------------------------------------------------------------------------

// The point of b moves along the axis of a.
static void draft_slide(bi_yardstick *g, const joint_spots *s, const model_element *e, const timed *value)
{
    if (fabs(timed_at(value, 0.0).d) > 1e-9) {
        bi_report_add(g->report, BI_WARNING, BI_BAD_MODEL, e->place, e->name,
                      "starts with a rate: the finite elements start at rest and follow from the first step");
    }
    spot a = s->a, b = s->b;
    // places of the ground that a joint has made its own
    if (g->place[a.place].is_dropped || g->place[b.place].is_dropped) {
        spot *ground = a.is_ground ? &a : &b;
        vec3 at = g->place[ground->place].at;
        ground->place = draft_place_add(g, at);
        g->place[ground->place].held = YARD_ALL;
    }
    *pending_add(g) = (pending){ .kind = PENDING_SLIDE,
                                 .a = a,
                                 .b = b,
                                 .axis = s->axis,
                                 .drive = timed_profile_of(g, value, 1.0, s->start) };
}

static void draft_guide(bi_yardstick *g, const model_element *e)
{
    const bi_guide_def *d = e->def;
    const timed *value = timed_of(g, d->value, e->place, e->name);
    if (!value) {
        return;
    }
    joint_spots s = g->joint[d->joint.i - 1];
    if (!s.def) {
        return; // reported as a joint
    }
    bool is_slide = s.def->kind == BI_PRISMATIC, is_hinge = s.def->kind == BI_REVOLUTE;
    bool is_known = is_slide || (is_hinge && s.a.turn >= 0 && s.b.turn >= 0);
    if (d->smooth > 0.0 || e->active.i > 0 || !is_known) {
        bridge_complain(g, e->place, e->name,
                        "only the angle of a revolute joint between turning nodes and the position of a "
                        "prismatic one can be guided, always and without smoothing");
        return;
    }
    double start = s.start, gap = timed_at(value, 0.0).v - start;
    if (fabs(gap) > 1e-9) {
        bridge_complain(g, e->place, e->name,
                        "starts %.6g %s from where the bodies are described; describe them there", gap,
                        is_slide ? "m" : "rad");
        return;
    }
    if (is_slide) {
        draft_slide(g, &s, e, value);
        return;
    }
    bool is_from_ground = s.a.is_ground;
    if (s.a.is_ground || s.b.is_ground) {
        draft_turn *t = &g->turn[draft_turn_of(g, is_from_ground ? s.b.turn : s.a.turn)];
        t->is_driven = true;
        t->axis = s.axis;
        t->drive = timed_profile_of(g, value, is_from_ground ? 1.0 : -1.0, start);
    } else if (g->is_planar) {
        double sign = s.axis.z < 0.0 ? -1.0 : 1.0;
        *pending_add(g) = (pending){
            .kind = PENDING_ANGLE, .a = s.a, .b = s.b, .drive = timed_profile_of(g, value, sign, start)
        };
    } else {
        bridge_complain(g, e->place, e->name, "in space only joints with the ground can be guided");
    }
}

// ---- loads ---------------------------------------------------------------------------------------------------------

static void make_torque(bi_yardstick *g, const model_element *e)
{
    const bi_torque_def *d = e->def;
    const timed *value = timed_of(g, d->torque, e->place, e->name);
    if (!value) {
        return;
    }
    joint_spots s = g->joint[d->joint.i - 1];
    bool is_slide = s.def->kind == BI_PRISMATIC, is_held = s.a.is_ground || s.b.is_ground;
    if (!(s.def->kind == BI_REVOLUTE || is_slide) || (!is_held && !(g->is_planar && !is_slide))) {
        bridge_complain(g, e->place, e->name,
                        "acts on a joint whose axis moves; only hinges in a plane and joints with the "
                        "ground have a counterpart");
        return;
    }
    for (int end = 0; end < 2; end++) {
        spot at = end ? s.b : s.a;
        yard_profile profile = timed_profile_of(g, value, end ? 1.0 : -1.0, 0.0);
        if (at.is_ground) {
            continue;
        }
        if (is_slide) {
            yard_force(g->y, bridge_node(g, at), bridge_offset(g, at), s.axis, profile);
        } else if (bridge_node(g, at).turn >= 0) {
            yard_torque(g->y, bridge_node(g, at).turn, s.axis, profile);
        }
    }
}

static void make_components(bi_yardstick *g, const model_element *e, spot at, const bi_expr value[3],
                            bool is_torque)
{
    static const vec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 3; k++) {
        const timed *f = value[k].i > 0 ? timed_of(g, value[k], e->place, e->name) : NULL;
        if (!f) {
            continue;
        }
        yard_profile profile = timed_profile_of(g, f, 1.0, 0.0);
        if (is_torque) {
            yard_torque(g->y, bridge_node(g, at).turn, axis[k], profile);
        } else {
            yard_force(g->y, bridge_node(g, at), bridge_offset(g, at), axis[k], profile);
        }
    }
}

static void make_force(bi_yardstick *g, const model_element *e)
{
    const bi_force_def *d = e->def;
    if (d->axes == 2) {
        bridge_complain(g, e->place, e->name,
                        "turns with its body; forces along ground axes have a counterpart");
        return;
    }
    spot at = body_spot(g, d->point.body.i - 1, d->point.at, e->place, e->name);
    if (at.place >= 0 && !at.is_ground) {
        make_components(g, e, at, (const bi_expr[3]){ d->fx, d->fy, d->fz }, false);
    }
}

static void make_moment(bi_yardstick *g, const model_element *e)
{
    const bi_body_torque_def *d = e->def;
    if (d->axes == 2 || g->body[d->body.i - 1].is_flexible) {
        bridge_complain(g, e->place, e->name,
                        "only moments along ground axes on rigid bodies have a counterpart");
        return;
    }
    if (d->body.i > 1) {
        make_components(g, e, g->body[d->body.i - 1].rigid, (const bi_expr[3]){ d->mx, d->my, d->mz }, true);
    }
}

// Springs of constant stiffness; their ends must end bars.
static void draft_spring(bi_yardstick *g, int k)
{
    const model_element *e = &g->m->element[k];
    const bi_spring_def *d = e->def;
    if (d->table.i > 0 || d->damping_table.i > 0 || e->active.i > 0) {
        bridge_complain(g, e->place, e->name,
                        "only springs of constant stiffness and damping that always act have a counterpart");
        return;
    }
    g->spring[2 * k] = body_spot(g, d->a.body.i - 1, d->a.at, e->place, e->name);
    g->spring[2 * k + 1] = body_spot(g, d->b.body.i - 1, d->b.at, e->place, e->name);
}

static void make_spring(bi_yardstick *g, int k)
{
    const bi_spring_def *d = g->m->element[k].def;
    yard_node node[2];
    vec3 offset[2];
    for (int i = 0; i < 2; i++) {
        spot s = g->spring[2 * k + i];
        node[i] = bridge_node(g, s);
        offset[i] = bridge_offset(g, s);
        // without an arm a turn feels nothing
        node[i].turn = s.is_ground || vec3_norm(offset[i]) == 0.0 ? -1 : node[i].turn;
    }
    yard_add_spring(g->y, node[0], offset[0], node[1], offset[1],
                    &(yard_spring){ d->stiffness, d->damping, d->rest, d->preload, d->only });
}

void loads_draft(bi_yardstick *g)
{
    for (int k = 0; k < g->m->n_element; k++) {
        const model_element *e = &g->m->element[k];
        if (is_kind(e, "constraints", "guide")) {
            draft_guide(g, e);
        } else if (is_kind(e, "forces", "force")) {
            // its point must end a bar
            body_spot(g, ((const bi_force_def *)e->def)->point.body.i - 1,
                      ((const bi_force_def *)e->def)->point.at, e->place, e->name);
        } else if (is_kind(e, "forces", "spring")) {
            draft_spring(g, k);
        } else if (!is_kind(e, "forces", "torque") && !is_kind(e, "forces", "torque-on-body") &&
                   !model_is_signal(e)) {
            bridge_complain(g, e->place, e->name,
                            "a '%s' has no counterpart in the nonlinear finite elements; known are guide, "
                            "torque, force, torque-on-body and spring",
                            e->kind->type);
        }
    }
}

void loads_make(bi_yardstick *g)
{
    for (int k = 0; k < g->m->n_element; k++) {
        const model_element *e = &g->m->element[k];
        if (is_kind(e, "forces", "torque")) {
            make_torque(g, e);
        } else if (is_kind(e, "forces", "force")) {
            make_force(g, e);
        } else if (is_kind(e, "forces", "spring")) {
            make_spring(g, k);
        } else if (is_kind(e, "forces", "torque-on-body")) {
            make_moment(g, e);
        }
    }
}
