// SPDX-License-Identifier: MIT
// What the model gives, under the names of its channels.
#include "base/list.h"
#include "base/text.h"
#include "exact/bridge/bridge.h"
#include "math/elementary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static yard_channel *channel_add(bi_yardstick *g, char *name, channel_kind kind, int component)
{
    if (!name || !LIST_RESERVE(g->channel, g->n_channel, g->c_channel)) {
        g->is_short = true;
        free(name);
        return NULL;
    }
    yard_channel *out = &g->channel[g->n_channel++];
    *out = (yard_channel){ .name = name, .kind = kind, .component = component, .bar = -1, .node = -1 };
    return out;
}

// ---- points ----------------------------------------------------------------------------------------------------------

// Place of a point for reading: a node, or a share of a bar. False: neither, or in the ground.
static bool place_of(bi_yardstick *g, int body, vec3 at, yard_channel *out)
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

static void add_point(bi_yardstick *g, const bi_output_def *d)
{
    static const char *const part[6] = { "x", "y", "z", "vx", "vy", "vz" };
    yard_channel where = { .bar = -1, .node = -1 };
    if (!place_of(g, d->body.i - 1, d->at, &where)) {
        return;
    }
    // velocities are given at nodes only
    for (int i = 0; i < (where.bar >= 0 || vec3_norm(where.at.offset) > 0.0 ? 3 : 6); i++) {
        yard_channel *out = channel_add(g, text_format("%s.%s", d->name, part[i]), CHANNEL_POINT, i);
        if (out) {
            out->body = where.body;
            out->at = where.at;
            out->bar = where.bar;
            out->along = where.along;
        }
    }
}

static vec3 point_now(const bi_yardstick *g, const yard_channel *t)
{
    vec3 at;
    mat3 axes;
    if (t->bar >= 0) {
        yard_bar_point(g->y, g->body[t->body].bar[t->bar].bar, t->along, &at, &axes);
        return at;
    }
    return yard_point(g->y, bridge_node(g, t->at), bridge_offset(g, t->at));
}

// The node whose axes are those of a flexible body: the one that no mode moves. -1: none that turns.
static int frame_node(const bi_yardstick *g, int body)
{
    const bi_modes *modes = bi_flex_modes(bi_model_flex(g->m, (bi_body){ body + 1 }));
    const draft_body *b = &g->body[body];
    for (int k = 0; k < b->mesh->n_node; k++) {
        bool is_still = b->turn[k] >= 0 && !g->turn[b->turn[k]].is_dropped;
        for (int m = 0; is_still && m < modes->n_mode; m++) {
            size_t at = (size_t)m * (size_t)modes->n_node + (size_t)k;
            is_still =
                vec3_norm(modes->shape[at]) == 0.0 && (!modes->turn || vec3_norm(modes->turn[at]) == 0.0);
        }
        if (is_still) {
            return k;
        }
    }
    return -1;
}

static void add_relative(bi_yardstick *g, const bi_output_def *d)
{
    static const char *const part[3] = { "x", "y", "z" };
    int to_body = d->about.body.i - 1;
    yard_channel where = { .bar = -1, .node = -1 }, from = { .bar = -1, .node = -1 };
    if (!place_of(g, d->body.i - 1, d->at, &where) || !place_of(g, to_body, d->about.at, &from) ||
        from.bar >= 0) {
        return;
    }
    if (g->body[to_body].is_flexible) {
        int frame = frame_node(g, to_body);
        if (frame < 0) {
            return;
        }
        from.at.turn = g->body[to_body].turn[frame];
    }
    for (int i = 0; i < 3; i++) {
        yard_channel *out = channel_add(g, text_format("%s.%s", d->name, part[i]), CHANNEL_RELATIVE, i);
        if (out) {
            out->body = where.body;
            out->at = where.at;
            out->bar = where.bar;
            out->along = where.along;
            out->to = from.at;
            out->index = to_body;
        }
    }
}

static quat turned(const bi_yardstick *g, spot s);

static double relative_now(const bi_yardstick *g, const yard_channel *t)
{
    // the point that is looked from is a node, or a point of a rigid body: the turn there is that of the body
    vec3 from = yard_point(g->y, bridge_node(g, t->to), bridge_offset(g, t->to));
    vec3 way = quat_rotate(quat_conjugate(turned(g, t->to)), vec3_sub(point_now(g, t), from));
    vec3 own = mat3_apply_transposed(g->body[t->index].axes, way);
    return (&own.x)[t->component];
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
    if (!model_is_angle(j->def->kind, 0)) {
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
    if (!model_is_angle(j->def->kind, 0)) {
        vec3 v = yard_velocity(g->y, bridge_node(g, j->a.is_ground ? j->b : j->a).place);
        return (j->a.is_ground ? 1.0 : -1.0) * vec3_dot(v, j->axis);
    }
    double rate = yard_rate(g->y, g->turn[draft_turn_of(g, j->b.turn)].id) -
                  yard_rate(g->y, g->turn[draft_turn_of(g, j->a.turn)].id);
    return j->axis.z < 0.0 ? -rate : rate;
}

// Whether value (and rate) of a joint are given here.
static bool knows_joint(const bi_yardstick *g, int joint, bool is_rate)
{
    const joint_spots *j = &g->joint[joint];
    if (!j->def || model_coordinate_count(j->def->kind) != 1) {
        return false;
    }
    bool is_slide = !model_is_angle(j->def->kind, 0), is_grounded = j->a.is_ground || j->b.is_ground;
    bool has_turns = j->a.turn >= 0 && j->b.turn >= 0;
    return is_slide ? !is_rate || is_grounded : has_turns && (!is_rate || g->is_planar);
}

static void add_joint(bi_yardstick *g, const bi_output_def *d)
{
    int j = d->joint.i - 1;
    for (int c = 0; c < 2; c++) {
        if (knows_joint(g, j, c == 1)) {
            const char *own = c ? "rate" : model_coordinate_name(g->joint[j].def->kind, 0);
            yard_channel *out = channel_add(g, text_format("%s.%s", d->name, own), CHANNEL_JOINT, c);
            if (out) {
                out->index = j;
            }
        }
    }
}

// ---- expressions -----------------------------------------------------------------------------------------------------

// The expression with its names looked up; false: it reads what is not given here.
static bool expression_of(const bi_yardstick *g, bi_expr e, timed *out)
{
    const expr *code = g->m->expr[e.i - 1].code;
    *out = (timed){ .of = g,
                    .code = code,
                    .n_name = code ? expr_variable_count(code) : MODEL_MAX_VARIABLES + 1 };
    bool is_known = out->n_name <= MODEL_MAX_VARIABLES;
    for (int v = 0; is_known && v < out->n_name; v++) {
        model_name name = out->name[v] = model_resolve(g->m, expr_variable_name(code, v));
        is_known = name.kind == MODEL_NAME_TIME || name.kind == MODEL_NAME_INPUT;
        if (name.kind == MODEL_NAME_VALUE || name.kind == MODEL_NAME_RATE) {
            is_known = knows_joint(g, name.index, name.kind == MODEL_NAME_RATE);
        }
    }
    return is_known;
}

static void add_expression(bi_yardstick *g, const bi_output_def *d)
{
    timed value;
    if (!expression_of(g, d->expr, &value)) {
        return;
    }
    yard_channel *out = channel_add(g, text_format("%s", d->name), CHANNEL_EXPR, 0);
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

// ---- stresses --------------------------------------------------------------------------------------------------------

// Whether the structure can answer what a recovery asks, and where.
static bool recovery_place(const bi_yardstick *g, int body, const bi_recovery *r, yard_channel *out)
{
    const draft_body *b = &g->body[body];
    const bi_flex_probe *probe = &r->probe;
    bool is_gauge = probe->quantity == BI_PROBE_STRAIN || probe->quantity == BI_PROBE_PRINCIPAL;
    if (!b->is_flexible || r->n_point != 1 || probe->axes == BI_AXES_GROUND || is_gauge) {
        return false;
    }
    out->body = body;
    if (probe->element >= 0 && b->on[probe->element].bar >= 0) {
        const on_bar *on = &b->on[probe->element];
        out->bar = on->bar;
        out->along = on->first + 0.5 * (1.0 + probe->site.x) * (on->second - on->first);
        return probe->quantity != BI_PROBE_SECTION || probe->axes == BI_AXES_ELEMENT;
    }
    out->node = probe->element < 0 ? probe->node : -1;
    return out->node >= 0 && b->place[out->node] >= 0;
}

static void add_recovery(bi_yardstick *g, int output)
{
    const bi_output_def *d = &g->m->output[output].def;
    const bi_recovery *r = d->recovery;
    yard_channel where = { .bar = -1, .node = -1 };
    if (!recovery_place(g, d->body.i - 1, r, &where)) {
        return;
    }
    for (int k = 0; k < bi_recovery_value_count(r); k++) {
        const char *part = r->part[k];
        bool is_plain = !part || !part[0] || d->only;
        if (d->only && (!part || strcmp(d->only, part) != 0)) {
            continue;
        }
        char *name = is_plain ? text_format("%s", d->name) : text_format("%s.%s", d->name, part);
        yard_channel *out = channel_add(g, name, CHANNEL_RECOVERY, k);
        if (out) {
            out->index = output;
            out->body = where.body;
            out->bar = where.bar;
            out->along = where.along;
            out->node = where.node;
        }
    }
}

static double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }

// Normal and von Mises stress of a section, as the recovery of modes defines them.
static double section_stress(const bi_section *s, const bi_flex_probe *probe, const yard_forces *f)
{
    double normal = f->N / s->area, bend_z = over(f->Mz * s->top, s->iz),
           bend_y = over(f->My * s->side, s->iy);
    double torsion = s->torsion > 0.0 ? s->torsion : s->iy + s->iz,
           twist = s->twist > 0.0 ? s->twist : fmax(s->top, s->side);
    double shear = over(f->Mt * twist, torsion);
    double bending = s->is_round ? sqrt(bend_y * bend_y + bend_z * bend_z) : fabs(bend_y) + fabs(bend_z);
    if (probe->quantity == BI_PROBE_MISES) {
        double largest = fabs(normal) + bending;
        return sqrt(largest * largest + 3.0 * shear * shear);
    }
    switch (probe->fibre) {
    case BI_FIBRE_TOP: return normal - bend_z;
    case BI_FIBRE_BOTTOM: return normal + bend_z;
    case BI_FIBRE_LEFT: return normal + bend_y;
    case BI_FIBRE_RIGHT: return normal - bend_y;
    case BI_FIBRE_CENTRE: return normal;
    case BI_FIBRE_MIN: return normal - bending;
    default: return normal + bending;
    }
}

static double plate_now(const bi_yardstick *g, const yard_channel *t, const bi_flex_probe *probe)
{
    const draft_body *b = &g->body[t->body];
    double s[3], own[3];
    yard_plate_stress(g->y, g->place[draft_place_of(g, b->place[t->node])].id, s);
    // the undeformed plate in ground axes, given in the axes of the body
    double c = b->axes.col[0].x, sn = b->axes.col[0].y;
    own[0] = s[0] * c * c + s[1] * sn * sn + 2.0 * s[2] * c * sn;
    own[1] = s[0] * sn * sn + s[1] * c * c - 2.0 * s[2] * c * sn;
    own[2] = (s[1] - s[0]) * c * sn + s[2] * (c * c - sn * sn);
    if (probe->quantity == BI_PROBE_MISES) {
        return sqrt(own[0] * own[0] - own[0] * own[1] + own[1] * own[1] + 3.0 * own[2] * own[2]);
    }
    return t->component < 2 ? own[t->component] : t->component == 3 ? own[2] : 0.0;
}

static double recovery_now(const bi_yardstick *g, const yard_channel *t)
{
    const bi_flex_probe *probe = &g->m->output[t->index].def.recovery->probe;
    const draft_body *b = &g->body[t->body];
    if (t->bar < 0) {
        return plate_now(g, t, probe);
    }
    yard_forces f = yard_bar_forces(g->y, b->bar[t->bar].bar, t->along);
    if (probe->quantity == BI_PROBE_SECTION) {
        const double all[6] = { f.N, f.Qy, f.Qz, f.Mt, f.My, f.Mz };
        return all[t->component];
    }
    return section_stress(&b->mesh->section[b->mesh->element[probe->element].section], probe, &f);
}

// ---- names for other channels ----------------------------------------------------------------------------------------

static void add_alias(bi_yardstick *g, const bi_output_def *d)
{
    int of = bi_yardstick_channel(g, d->only);
    timed plus = { .of = g };
    if (of < 0 || (d->expr.i > 0 && !expression_of(g, d->expr, &plus))) {
        return;
    }
    yard_channel *out = channel_add(g, text_format("%s", d->name), CHANNEL_ALIAS, 0);
    if (out) {
        out->index = of;
        out->factor = d->times != 0.0 ? d->times : 1.0;
        out->value = plus;
    }
}

// ---- all -------------------------------------------------------------------------------------------------------------

void channels_make(bi_yardstick *g)
{
    for (int k = 0; k < g->m->n_output; k++) {
        const bi_output_def *d = &g->m->output[k].def;
        switch (d->kind) {
        case BI_OUT_POINT: add_point(g, d); break;
        case BI_OUT_JOINT: add_joint(g, d); break;
        case BI_OUT_EXPR: add_expression(g, d); break;
        case BI_OUT_RECOVERY: add_recovery(g, k); break;
        case BI_OUT_RELATIVE: add_relative(g, d); break;
        default: break;
        }
    }
    // names for channels come last: what they name is there then
    for (int k = 0; k < g->m->n_output; k++) {
        if (g->m->output[k].def.kind == BI_OUT_CHANNEL) {
            add_alias(g, &g->m->output[k].def);
        }
    }
}

int bi_yardstick_channel(const bi_yardstick *g, const char *name)
{
    for (int k = 0; g && name && k < g->n_channel; k++) {
        if (strcmp(g->channel[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

int bi_yardstick_channel_count(const bi_yardstick *g) { return g ? g->n_channel : 0; }

static bool is_channel(const bi_yardstick *g, int channel)
{
    return g && channel >= 0 && channel < g->n_channel;
}

const char *bi_yardstick_channel_name(const bi_yardstick *g, int channel)
{
    return is_channel(g, channel) ? g->channel[channel].name : NULL;
}

double bi_yardstick_read(const bi_yardstick *g, int channel)
{
    if (!is_channel(g, channel)) {
        return NAN;
    }
    const yard_channel *t = &g->channel[channel];
    vec3 v;
    switch (t->kind) {
    case CHANNEL_POINT:
        v = t->component < 3 ? point_now(g, t) : yard_velocity(g->y, bridge_node(g, t->at).place);
        return (&v.x)[t->component % 3];
    case CHANNEL_JOINT: return t->component ? joint_rate(g, t->index) : joint_value(g, t->index);
    case CHANNEL_EXPR: return expression_now(g, &t->value);
    case CHANNEL_RELATIVE: return relative_now(g, t);
    case CHANNEL_ALIAS:
        return t->factor * bi_yardstick_read(g, t->index) +
               (t->value.code ? expression_now(g, &t->value) : 0.0);
    default: return recovery_now(g, t);
    }
}

bi_yardstick_facts bi_yardstick_facts_of(const bi_yardstick *g)
{
    if (!g) {
        return (bi_yardstick_facts){ 0 };
    }
    yard_statistics s = yard_counts(g->y);
    bi_yardstick_facts facts = { .freedoms = yard_freedoms(g->y),
                                 .steps = s.steps,
                                 .iterations = s.iterations,
                                 .factors = s.factors,
                                 .energy = yard_energy(g->y) };
    yard_sizes(g->y, &facts.beams, &facts.quads, &facts.rows);
    return facts;
}
