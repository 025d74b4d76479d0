// SPDX-License-Identifier: MIT
// What the model tells, under the names of its channels.
#include "base/list.h"
#include "base/text.h"
#include "math/elementary.h"
#include "yardstick/bridge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static tell *tell_add(bi_yardstick *g, char *name, tell_kind kind, int component)
{
    if (!name || !LIST_RESERVE(g->tell, g->n_tell, g->c_tell)) {
        g->is_short = true;
        free(name);
        return NULL;
    }
    tell *out = &g->tell[g->n_tell++];
    *out = (tell){ .name = name, .kind = kind, .component = component, .bar = -1, .node = -1 };
    return out;
}

// ---- points ----------------------------------------------------------------------------------------------------------

// Place of a point for reading: a node, or a share of a bar. False: neither, or in the ground.
static bool place_of(bi_yardstick *g, int body, vec3 at, tell *out)
{
    const draft_body *b = &g->body[body];
    out->body = body;
    if (body == 0) {
        return false;
    }
    if (!b->is_flexible) {
        out->at = b->rigid;
        out->at.offset = vec3_sub(vec3_add(b->pos, mat3_apply(b->axes, at)), g->place[b->rigid.place].at);
        return true;
    }
    int node = mesh_node_at(b, at);
    if (node < 0 || b->place[node] < 0) {
        return false;
    }
    out->node = node;
    out->at = (spot){ .place = b->place[node], .turn = b->turn[node] };
    for (int k = 0; g->place[b->place[node]].is_dropped && k < b->mesh->n_element; k++) {
        const bi_fe_element *e = &b->mesh->element[k];
        if (b->on[k].bar >= 0 && (e->node[0] == node || e->node[1] == node)) {
            out->bar = b->on[k].bar;
            out->along = e->node[0] == node ? b->on[k].first : b->on[k].second;
            break;
        }
    }
    return true;
}

static void tell_point(bi_yardstick *g, const bi_output_def *d)
{
    static const char *const part[6] = { "x", "y", "z", "vx", "vy", "vz" };
    tell where = { .bar = -1, .node = -1 };
    if (!place_of(g, d->body.i - 1, d->at, &where)) {
        return;
    }
    // velocities are told at nodes only
    for (int i = 0; i < (where.bar >= 0 || vec3_norm(where.at.offset) > 0.0 ? 3 : 6); i++) {
        tell *out = tell_add(g, text_format("%s.%s", d->name, part[i]), TELL_POINT, i);
        if (out) {
            out->body = where.body;
            out->at = where.at;
            out->bar = where.bar;
            out->along = where.along;
        }
    }
}

static vec3 point_now(const bi_yardstick *g, const tell *t)
{
    vec3 at;
    mat3 axes;
    if (t->bar >= 0) {
        yard_bar_point(g->y, g->body[t->body].bar[t->bar].bar, t->along, &at, &axes);
        return at;
    }
    return yard_point(g->y, bridge_node(g, t->at), bridge_offset(g, t->at));
}

// ---- joints ----------------------------------------------------------------------------------------------------------

static vec3 spot_now(const bi_yardstick *g, spot s)
{
    if (s.is_ground) {
        return g->place[s.place].at;
    }
    return yard_point(g->y, bridge_node(g, s), bridge_offset(g, s));
}

static quat turned(const bi_yardstick *g, spot s)
{
    int turn = draft_turn_of(g, s.turn);
    return quat_multiply(quat_from_mat3(yard_axes(g->y, g->turn[turn].id)),
                         quat_conjugate(g->turn[turn].rot));
}

static double joint_value(const bi_yardstick *g, int joint)
{
    const joint_spots *j = &g->joint[joint];
    if (j->def->kind == BI_PRISMATIC) {
        vec3 axis = j->a.turn >= 0 ? quat_rotate(turned(g, j->a), j->axis) : j->axis;
        return vec3_dot(vec3_sub(spot_now(g, j->b), spot_now(g, j->a)), axis);
    }
    int a = draft_turn_of(g, j->a.turn), b = draft_turn_of(g, j->b.turn);
    if (g->is_planar) {
        double angle = yard_angle(g->y, g->turn[b].id) - yard_angle(g->y, g->turn[a].id);
        return j->start + (j->axis.z < 0.0 ? -angle : angle);
    }
    // the turn of b seen from a, about the axis that both carry
    quat from_a = quat_multiply(quat_conjugate(turned(g, j->a)), turned(g, j->b));
    double half = math_atan2(from_a.x * j->axis.x + from_a.y * j->axis.y + from_a.z * j->axis.z, from_a.w);
    double angle = 2.0 * half, pi = 3.14159265358979323846;
    return j->start + (angle > pi ? angle - 2.0 * pi : angle < -pi ? angle + 2.0 * pi : angle);
}

static double joint_rate(const bi_yardstick *g, int joint)
{
    const joint_spots *j = &g->joint[joint];
    if (j->def->kind == BI_PRISMATIC) {
        vec3 v = yard_velocity(g->y, bridge_node(g, j->a.is_ground ? j->b : j->a).place);
        return (j->a.is_ground ? 1.0 : -1.0) * vec3_dot(v, j->axis);
    }
    double rate = yard_rate(g->y, g->turn[draft_turn_of(g, j->b.turn)].id) -
                  yard_rate(g->y, g->turn[draft_turn_of(g, j->a.turn)].id);
    return j->axis.z < 0.0 ? -rate : rate;
}

// Whether value (and rate) of a joint are told here.
static bool knows_joint(const bi_yardstick *g, int joint, bool is_rate)
{
    const joint_spots *j = &g->joint[joint];
    if (!j->def || model_coordinate_count(j->def->kind) != 1) {
        return false;
    }
    bool is_slide = j->def->kind == BI_PRISMATIC, is_grounded = j->a.is_ground || j->b.is_ground;
    bool has_turns = j->a.turn >= 0 && j->b.turn >= 0;
    return is_slide ? !is_rate || is_grounded : has_turns && (!is_rate || g->is_planar);
}

static void tell_joint(bi_yardstick *g, const bi_output_def *d)
{
    int j = d->joint.i - 1;
    for (int c = 0; c < 2; c++) {
        if (knows_joint(g, j, c == 1)) {
            const char *own = c ? "rate" : model_coordinate_name(g->joint[j].def->kind, 0);
            tell *out = tell_add(g, text_format("%s.%s", d->name, own), TELL_JOINT, c);
            if (out) {
                out->index = j;
            }
        }
    }
}

// ---- expressions -----------------------------------------------------------------------------------------------------

static void tell_expression(bi_yardstick *g, const bi_output_def *d)
{
    const expr *code = g->m->expr[d->expr.i - 1].code;
    timed value = { .of = g,
                    .code = code,
                    .n_name = code ? expr_variable_count(code) : MODEL_MAX_VARIABLES + 1 };
    if (value.n_name > MODEL_MAX_VARIABLES) {
        return;
    }
    for (int v = 0; v < value.n_name; v++) {
        model_name name = value.name[v] = model_resolve(g->m, expr_variable_name(code, v));
        bool is_known = name.kind == MODEL_NAME_TIME || name.kind == MODEL_NAME_INPUT;
        if (name.kind == MODEL_NAME_VALUE || name.kind == MODEL_NAME_RATE) {
            is_known = knows_joint(g, name.index, name.kind == MODEL_NAME_RATE);
        }
        if (!is_known) {
            return;
        }
    }
    tell *out = tell_add(g, text_format("%s", d->name), TELL_EXPR, 0);
    if (out) {
        out->value = value;
    }
}

static double expression_now(const bi_yardstick *g, const timed *value)
{
    double x[MODEL_MAX_VARIABLES], rate;
    for (int k = 0; k < value->n_name; k++) {
        const model_name *name = &value->name[k];
        const model_input *input = name->kind == MODEL_NAME_INPUT ? &g->m->input[name->index] : NULL;
        switch (name->kind) {
        case MODEL_NAME_VALUE: x[k] = joint_value(g, name->index); break;
        case MODEL_NAME_RATE: x[k] = joint_rate(g, name->index); break;
        case MODEL_NAME_INPUT:
            x[k] =
                input->line.count > 0 ? model_line_at(&input->line, yard_time(g->y), &rate) : input->initial;
            break;
        default: x[k] = yard_time(g->y); break;
        }
    }
    return expr_value(value->code, x);
}

// ---- all -------------------------------------------------------------------------------------------------------------

void tells_make(bi_yardstick *g)
{
    for (int k = 0; k < g->m->n_output; k++) {
        const bi_output_def *d = &g->m->output[k].def;
        switch (d->kind) {
        case BI_OUT_POINT: tell_point(g, d); break;
        case BI_OUT_JOINT: tell_joint(g, d); break;
        case BI_OUT_EXPR: tell_expression(g, d); break;
        default: break;
        }
    }
}

int bi_yardstick_channel(const bi_yardstick *g, const char *name)
{
    for (int k = 0; k < g->n_tell; k++) {
        if (strcmp(g->tell[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

int bi_yardstick_channel_count(const bi_yardstick *g) { return g->n_tell; }

const char *bi_yardstick_channel_name(const bi_yardstick *g, int channel) { return g->tell[channel].name; }

double bi_yardstick_read(const bi_yardstick *g, int channel)
{
    const tell *t = &g->tell[channel];
    vec3 v;
    switch (t->kind) {
    case TELL_POINT:
        v = t->component < 3 ? point_now(g, t) : yard_velocity(g->y, bridge_node(g, t->at).place);
        return (&v.x)[t->component % 3];
    case TELL_JOINT: return t->component ? joint_rate(g, t->index) : joint_value(g, t->index);
    case TELL_EXPR: return expression_now(g, &t->value);
    default: return 0.0;
    }
}

bi_yardstick_facts bi_yardstick_facts_of(const bi_yardstick *g)
{
    yard_statistics s = yard_counts(g->y);
    bi_yardstick_facts facts = { .freedoms = yard_freedoms(g->y),
                                 .steps = s.steps,
                                 .iterations = s.iterations,
                                 .factors = s.factors,
                                 .energy = yard_energy(g->y) };
    yard_sizes(g->y, &facts.beams, &facts.quads, &facts.rows);
    return facts;
}
