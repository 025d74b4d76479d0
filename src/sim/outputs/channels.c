// SPDX-License-Identifier: MIT
// The one list of named outputs.
#include "base/list.h"
#include "base/text.h"
#include "sim/system.h"
#include <biela/loop.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(bi_system *s, char *name, const char *unit, channel_kind kind, int index, int component)
{
    if (!name || !LIST_RESERVE(s->channel, s->n_channel, s->cap_channel)) {
        free(name);
        s->dynamics.plan.no_memory = true;
        return;
    }
    s->channel[s->n_channel++] = (channel){ name, unit, kind, index, component };
}

void channels_add(bi_system *s, char *name, const char *unit, channel_kind kind, int index, int component)
{
    add(s, name, unit, kind, index, component);
}

static const char *const xyz[3] = { "x", "y", "z" };

static void add_point(bi_system *s, const bi_output_def *d)
{
    plan *p = &s->dynamics.plan;
    int dof = plan_dof(p, plan_load_point(p, d->body.i - 1, d->at));
    for (int i = 0; i < 3; i++) {
        add(s, text_format("%s.%s", d->name, xyz[i]), "m", CHANNEL_VALUE, dof + i, 0);
    }
    for (int i = 0; i < 3; i++) {
        add(s, text_format("%s.v%s", d->name, xyz[i]), "m/s", CHANNEL_RATE, dof + i, 0);
    }
}

static void add_joint(bi_system *s, const bi_output_def *d)
{
    plan *p = &s->dynamics.plan;
    bi_joint_kind kind = s->model->joint[d->joint.i - 1].def.kind;
    for (int c = 0; c < model_coordinate_count(kind); c++) {
        const char *own = model_coordinate_name(kind, c);
        bool is_angle = model_is_angle(kind, c);
        int dof = plan_dof(p, plan_joint(p, d->joint.i - 1, c));
        add(s, text_format("%s.%s", d->name, own), is_angle ? "rad" : "m", CHANNEL_VALUE, dof, 0);
        add(s, c == 0 ? text_format("%s.rate", d->name) : text_format("%s.%s_rate", d->name, own),
            is_angle ? "rad/s" : "m/s", CHANNEL_RATE, dof, 0);
    }
}

static void add_reaction(bi_system *s, const bi_output_def *d)
{
    static const char *const part[6] = { "fx", "fy", "fz", "mx", "my", "mz" };
    for (int i = 0; i < 6; i++) {
        add(s, text_format("%s.%s", d->name, part[i]), i < 3 ? "N" : "N*m", CHANNEL_REACTION, d->joint.i - 1,
            i);
    }
}

static void add_body(bi_system *s, const bi_output_def *d)
{
    static const char *const part[13] = { "x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                          "vx", "vy", "vz", "wx", "wy", "wz" };
    for (int i = 0; i < 13; i++) {
        const char *unit = i < 3 ? "m" : i < 7 ? "1" : i < 10 ? "m/s" : "rad/s";
        add(s, text_format("%s.%s", d->name, part[i]), unit, CHANNEL_BODY, d->body.i - 1, i);
    }
}

// A force has its own telling number; a constraint has the effort of its first row.
static void add_effort(bi_system *s, const bi_output_def *d)
{
    const plan *p = &s->dynamics.plan;
    int element = d->element.i - 1;
    for (int g = 0; g < p->n_row_group; g++) {
        if (p->row[g].element == element) {
            add(s, text_format("%s", d->name), "", CHANNEL_MULTIPLIER, p->row[g].first, -1);
            return;
        }
    }
    add(s, text_format("%s", d->name), "", CHANNEL_EFFORT, element, 0);
}

// An expression that is just a joint's coordinate or rate has its unit.
static const char *expression_unit(const bi_model *m, const model_expr *e)
{
    model_name name = model_resolve(m, e->text);
    if (e->unit || (name.kind != MODEL_NAME_VALUE && name.kind != MODEL_NAME_RATE)) {
        return e->unit ? e->unit : "";
    }
    bool is_angle = model_is_angle(m->joint[name.index].def.kind, name.coordinate);
    return name.kind == MODEL_NAME_VALUE ? (is_angle ? "rad" : "m") : (is_angle ? "rad/s" : "m/s");
}

static void add_expression(bi_system *s, const bi_output_def *d)
{
    plan_signal(&s->dynamics.plan, d->expr);
    add(s, text_format("%s", d->name), expression_unit(s->model, &s->model->expr[d->expr.i - 1]),
        CHANNEL_EXPR, d->expr.i - 1, 0);
}

// One row of a constraint, counted through its groups in the order of its rows.
static void add_multiplier(bi_system *s, const model_output *o, bi_report *report)
{
    const plan *p = &s->dynamics.plan;
    const bi_output_def *d = &o->def;
    int element = d->element.i - 1, count = 0;
    for (int g = 0; g < p->n_row_group; g++) {
        const row_group *group = &p->row[g];
        if (group->element != element) {
            continue;
        }
        if (d->row >= count && d->row < count + group->count) {
            add(s, text_format("%s", d->name), "", CHANNEL_MULTIPLIER, group->first + d->row - count, 1);
            return;
        }
        count += group->count;
    }
    char where[160];
    snprintf(where, sizeof where, "outputs.%s", d->name);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, where,
                  count > 0 ? "%s has no row %d: its %d rows are counted from 0"
                            : "%s is no constraint, so it has no multipliers (row %d of %d); use 'effort'",
                  s->model->element[element].name, d->row, count);
}

static void add_contact(bi_system *s, const bi_output_def *d, bi_report *report, bi_place place)
{
    const plan *p = &s->dynamics.plan;
    int which = d->kind == BI_OUT_CONTACT_ANGLE_RATE;
    for (int k = 0; k < p->n_contact; k++) {
        if (p->contact[k].element == d->element.i - 1) {
            add(s, text_format("%s", d->name), which ? "rad/s" : "rad", CHANNEL_EFFORT,
                p->contact[k].scalar + which, 0);
            return;
        }
    }
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, d->name,
                  "constraint %s has no contact point: only rolling ones do",
                  s->model->element[d->element.i - 1].name);
}

// One channel of all that an element tells; where there is no such channel, the message lists what there is.
static void add_one_reading(bi_system *s, const bi_output_def *d, const plan_readings *readings,
                            bi_report *report, bi_place place)
{
    char where[160], known[300] = "";
    for (int i = 0; i < readings->count; i++) {
        if (strcmp(readings->name[i], d->only) == 0) {
            add(s, text_format("%s", d->name), readings->unit[i], CHANNEL_EFFORT, readings->scalar + i, 0);
            return;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", readings->name[i]);
    }
    snprintf(where, sizeof where, "outputs.%s.only", d->name);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where, "%s does not tell '%s'; it tells %s",
                  s->model->element[d->element.i - 1].name, d->only, known);
}

// All that an element tells besides its one number.
static void add_readings(bi_system *s, const bi_output_def *d, bi_report *report, bi_place place)
{
    const plan *p = &s->dynamics.plan;
    for (int k = 0; k < p->n_readings; k++) {
        const plan_readings *readings = &p->readings[k];
        if (readings->element == d->element.i - 1 && d->only) {
            add_one_reading(s, d, readings, report, place);
            return;
        }
        for (int i = 0; readings->element == d->element.i - 1 && i < readings->count; i++) {
            add(s, text_format("%s.%s", d->name, readings->name[i]), readings->unit[i], CHANNEL_EFFORT,
                readings->scalar + i, 0);
        }
        if (readings->element == d->element.i - 1) {
            return;
        }
    }
    char where[160];
    snprintf(where, sizeof where, "outputs.%s", d->name);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where,
                  "%s is no contact, tyre or graph; use 'effort'", s->model->element[d->element.i - 1].name);
}

static void add_acceleration(bi_system *s, const bi_output_def *d)
{
    bi_joint_kind kind = s->model->joint[d->joint.i - 1].def.kind;
    int m = plan_joint(&s->dynamics.plan, d->joint.i - 1, d->row - 1);
    add(s, text_format("%s", d->name), model_is_angle(kind, d->row - 1) ? "rad/s^2" : "m/s^2",
        CHANNEL_ACCELERATION, m, 0);
}

// Other names for channels: those of outputs before them in the list, whatever their kind.
static void add_alias(bi_system *s, int output, bi_report *report)
{
    const model_output *o = &s->model->output[output];
    bi_channel of = bi_find_channel(s, o->def.only);
    if (of.i == 0) {
        char where[160];
        snprintf(where, sizeof where, "outputs.%s.channel", o->def.name);
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, where,
                      "no output before this one has the channel '%s'; 'biela info' lists them", o->def.only);
        return;
    }
    bi_channel minus = o->def.minus ? bi_find_channel(s, o->def.minus) : (bi_channel){ 0 };
    if (o->def.minus && minus.i == 0) {
        char where[160];
        snprintf(where, sizeof where, "outputs.%s.minus", o->def.name);
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, where,
                      "no output before this one has the channel '%s'; 'biela info' lists them",
                      o->def.minus);
        return;
    }
    s->sensor[output].of = minus.i - 1;
    if (o->def.cutoff > 0.0) {
        if (!LIST_RESERVE(s->device_channel, s->n_device, s->cap_device)) {
            s->dynamics.plan.no_memory = true;
            return;
        }
        s->sensor[output].to = s->n_device;
        s->device_channel[s->n_device++] = (bi_channel){ s->n_channel + 1 };
    }
    if (o->def.expr.i > 0) {
        plan_signal(&s->dynamics.plan, o->def.expr);
    }
    add(s, text_format("%s", o->def.name), s->channel[of.i - 1].unit, CHANNEL_ALIAS, output, of.i - 1);
}

// ---- every name once ----------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    int channel;
} named_channel;

static int compare_names(const void *a, const void *b)
{
    const named_channel *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->channel > y->channel) - (x->channel < y->channel);
}

// The output that gives a channel, by where the channels of each begin; -1: every model has it.
static int output_of(const bi_system *s, const int *first, int channel)
{
    int k = s->model->n_output;
    while (k >= 0 && first[k] > channel) {
        k--;
    }
    return k < s->model->n_output ? k : -1;
}

static void tell_twice(const bi_system *s, const int *first, int one, int two, bi_report *report)
{
    const char *name = s->channel[one].name;
    int a = output_of(s, first, one), b = output_of(s, first, two);
    const model_output *at = &s->model->output[b >= 0 ? b : a];
    char where[160];
    snprintf(where, sizeof where, "outputs.%s", at->def.name);
    if (b >= 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, at->place, where,
                      "gives the channel '%s', and so does the output '%s' (line %d); rename one of them",
                      name, s->model->output[a].def.name, s->model->output[a].place.line);
    } else {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, at->place, where,
                      "gives the channel '%s', which every model has; rename it", name);
    }
}

// Two columns of one name: nobody could tell which is which. Channels of output k begin at first[k].
static void check_names(bi_system *s, const int *first, bi_report *report)
{
    named_channel *all = malloc(((size_t)s->n_channel + 1) * sizeof *all);
    s->dynamics.plan.no_memory |= !all;
    for (int k = 0; all && k < s->n_channel; k++) {
        all[k] = (named_channel){ s->channel[k].name, k };
    }
    if (all) {
        qsort(all, (size_t)s->n_channel, sizeof *all, compare_names);
    }
    for (int k = 0; all && k < s->n_channel; k++) {
        int output = output_of(s, first, all[k].channel);
        if (k > 0 && strcmp(all[k - 1].name, all[k].name) == 0) {
            tell_twice(s, first, all[k - 1].channel, all[k].channel, report);
        } else if (output >= 0 && strcmp(all[k].name, "t") == 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, s->model->output[output].place, "outputs.t",
                          "gives the channel 't', which is the time of every row; rename it");
        }
    }
    free(all);
}

// The channels of one output.
static void add_output(bi_system *s, int k, bi_report *report)
{
    const bi_output_def *d = &s->model->output[k].def;
    if (sensors_plan(s, k, report)) {
        return;
    }
    switch (d->kind) {
    case BI_OUT_POINT: add_point(s, d); break;
    case BI_OUT_JOINT: add_joint(s, d); break;
    case BI_OUT_EXPR: add_expression(s, d); break;
    case BI_OUT_REACTION: add_reaction(s, d); break;
    case BI_OUT_BODY: add_body(s, d); break;
    case BI_OUT_EFFORT: add_effort(s, d); break;
    case BI_OUT_MULTIPLIER: add_multiplier(s, &s->model->output[k], report); break;
    case BI_OUT_CONTACT_ANGLE:
    case BI_OUT_CONTACT_ANGLE_RATE: add_contact(s, d, report, s->model->output[k].place); break;
    case BI_OUT_TYRE:
    case BI_OUT_CONTACT: add_readings(s, d, report, s->model->output[k].place); break;
    case BI_OUT_ACCELERATION: add_acceleration(s, d); break;
    case BI_OUT_RECOVERY: recovery_plan(s, k, report); break;
    case BI_OUT_CHANNEL: add_alias(s, k, report); break;
    case BI_OUT_ENERGY:
        if (d->expr.i > 0) {
            plan_signal(&s->dynamics.plan, d->expr);
        }
        add(s, text_format("%s", d->name), "J", CHANNEL_ENERGY, d->row - 1, d->expr.i);
        break;
    default: break; // sensors.c
    }
}

bool channels_create(bi_system *s, bi_report *report)
{
    int errors = report->errors;
    s->sensor = calloc((size_t)s->model->n_output + 1, sizeof *s->sensor);
    int *first = calloc((size_t)s->model->n_output + 1, sizeof *first);
    s->dynamics.plan.no_memory |= !s->sensor || !first;
    for (int k = 0; s->sensor && first && k < s->model->n_output; k++) {
        first[k] = s->n_channel;
        add_output(s, k, report);
        first[k + 1] = s->n_channel;
    }
    events_plan(s);
    static const char *const energy[4] = { "energy.kinetic", "energy.potential", "energy.total",
                                           "energy.balance" };
    for (int k = 0; k < 4; k++) {
        add(s, text_format("%s", energy[k]), "J", CHANNEL_ENERGY, k, 0);
    }
    if (first) {
        check_names(s, first, report);
    }
    free(first);
    if (s->dynamics.plan.no_memory) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    return report->errors == errors;
}

void channels_clear(bi_system *s)
{
    for (int k = 0; k < s->n_channel; k++) {
        free(s->channel[k].name);
    }
    free(s->channel);
    free(s->sensor);
    free(s->recovery_dof);
    free(s->mass);
    free(s->device_channel);
}

bi_channel bi_find_channel(const bi_system *s, const char *name)
{
    for (int k = 0; s && name && k < s->n_channel; k++) {
        if (strcmp(s->channel[k].name, name) == 0) {
            return (bi_channel){ k + 1 };
        }
    }
    return (bi_channel){ 0 };
}

int bi_channel_count(const bi_system *s) { return s ? s->n_channel : 0; }

bi_channel bi_channel_at(const bi_system *s, int k)
{
    return (bi_channel){ s && k >= 0 && k < s->n_channel ? k + 1 : 0 };
}

const char *bi_channel_name(const bi_system *s, bi_channel c)
{
    return s && c.i >= 1 && c.i <= s->n_channel ? s->channel[c.i - 1].name : NULL;
}

const char *bi_channel_unit(const bi_system *s, bi_channel c)
{
    return s && c.i >= 1 && c.i <= s->n_channel ? s->channel[c.i - 1].unit : NULL;
}

// ---- reading ----------------------------------------------------------------------------------------------

static unsigned need_of(const bi_sim *sim, const channel *c)
{
    switch (c->kind) {
    case CHANNEL_SENSOR: return sensors_need(&sim->system->model->output[c->index].def, c->component);
    case CHANNEL_ALIAS: {
        int minus = sim->system->sensor[c->index].of;
        return need_of(sim, &sim->system->channel[c->component]) |
               (minus >= 0 ? need_of(sim, &sim->system->channel[minus]) : 0);
    }
    case CHANNEL_REACTION:
    case CHANNEL_ACCELERATION:
    case CHANNEL_MULTIPLIER: return SHOWN_STATE | SHOWN_REACTIONS;
    case CHANNEL_RECOVERY: return recovery_need(sim, c->index, c->component);
    case CHANNEL_BODY: return SHOWN_STATE | SHOWN_POSES;
    case CHANNEL_ENERGY: return SHOWN_STATE | SHOWN_ENERGY;
    default: return SHOWN_STATE;
    }
}

unsigned channel_need(const bi_sim *sim, bi_channel c)
{
    const channel *ch = &sim->system->channel[c.i - 1];
    switch (ch->kind) {
    case CHANNEL_VALUE:
    case CHANNEL_RATE:
    case CHANNEL_EXPR: return SHOWN_MOTION;
    case CHANNEL_BODY: return SHOWN_MOTION | SHOWN_POSES;
    case CHANNEL_SENSOR:
        if (sim->system->model->output[ch->index].def.kind == BI_OUT_ATTITUDE) {
            return SHOWN_MOTION | SHOWN_POSES;
        }
        return need_of(sim, ch);
    case CHANNEL_ALIAS: {
        int minus = sim->system->sensor[ch->index].of;
        return channel_need(sim, (bi_channel){ ch->component + 1 }) |
               (minus >= 0 ? channel_need(sim, (bi_channel){ minus + 1 }) : 0);
    }
    default: return need_of(sim, ch);
    }
}

bool channel_signal(const bi_system *s, bi_channel c, int *slot)
{
    const channel *ch = &s->channel[c.i - 1];
    *slot = ch->kind == CHANNEL_EXPR ? ch->index : -1;
    return ch->kind == CHANNEL_EXPR || channel_body(s, c) >= 0;
}

int channel_body(const bi_system *s, bi_channel c)
{
    const channel *ch = &s->channel[c.i - 1];
    const bi_output_def *d = ch->kind == CHANNEL_SENSOR ? &s->model->output[ch->index].def : NULL;
    return ch->kind == CHANNEL_BODY ? ch->index : d && d->kind == BI_OUT_ATTITUDE ? d->body.i - 1 : -1;
}

static double body_component(const bi_sim *sim, int body, int i)
{
    const bi_pose *p = &sim->pose[body];
    const bi_twist *w = &sim->twist[body];
    const double value[13] = { p->pos.x, p->pos.y, p->pos.z, p->rot.w, p->rot.x, p->rot.y, p->rot.z,
                               w->lin.x, w->lin.y, w->lin.z, w->ang.x, w->ang.y, w->ang.z };
    return value[i];
}

static double wrench_component(const bi_wrench *w, int i)
{
    const double value[6] = { w->force.x, w->force.y, w->force.z, w->moment.x, w->moment.y, w->moment.z };
    return value[i];
}

static double read_shown(const bi_sim *sim, const channel *c);

static double before_device(const bi_sim *sim, const channel *c)
{
    const bi_output_def *d = &sim->system->model->output[c->index].def;
    int minus = sim->system->sensor[c->index].of;
    double value = read_shown(sim, &sim->system->channel[c->component]);
    value -= minus >= 0 ? read_shown(sim, &sim->system->channel[minus]) : 0.0;
    return d->times * value + (d->expr.i > 0 ? sim->stepper.trays.signals.signal[d->expr.i - 1].v : 0.0);
}

double channel_before_device(bi_sim *sim, bi_channel c)
{
    sim_show(sim, channel_need(sim, c));
    return before_device(sim, &sim->system->channel[c.i - 1]);
}

static double read_shown(const bi_sim *sim, const channel *c)
{
    const trays *t = &sim->stepper.trays;
    switch (c->kind) {
    case CHANNEL_VALUE: return t->motion.value[c->index];
    case CHANNEL_RATE: return t->motion.rate[c->index];
    case CHANNEL_EXPR: return t->signals.signal[c->index].v;
    case CHANNEL_REACTION: return wrench_component(&sim->reaction[c->index], c->component);
    case CHANNEL_BODY: return body_component(sim, c->index, c->component);
    case CHANNEL_EFFORT: return t->load.scalar[c->index];
    case CHANNEL_MULTIPLIER: return c->component * sim->exact.lambda[c->index];
    case CHANNEL_ENERGY:
        return sim->energy[c->index] + (c->component > 0 ? t->signals.signal[c->component - 1].v : 0.0);
    case CHANNEL_SENSOR: return sensors_read(sim, c->index, c->component);
    case CHANNEL_ALIAS: {
        const bi_output_def *d = &sim->system->model->output[c->index].def;
        double value = before_device(sim, c);
        value = d->cutoff > 0.0 ? devices_filtered(sim, c->index, value) : value;
        return devices_tell(d, sim->t, value);
    }
    case CHANNEL_RECOVERY: return recovery_read(sim, c->index, c->component);
    // those of the pass that finds the reactions: iterated until nothing changes
    case CHANNEL_ACCELERATION: return sim->exact.a[sim->system->dynamics.structure.marker_q[c->index]];
    }
    return 0.0;
}

double bi_sim_read(bi_sim *sim, bi_channel c)
{
    if (!sim_is_shown(sim) || c.i < 1 || c.i > sim->system->n_channel) {
        return NAN;
    }
    return channel_read(sim, c);
}

double channel_read(bi_sim *sim, bi_channel c)
{
    sim_show(sim, channel_need(sim, c));
    return read_shown(sim, &sim->system->channel[c.i - 1]);
}

// Most files have a channel that wants the whole state: it is shown at once.
void bi_sim_read_these(bi_sim *sim, const bi_channel *which, int count, double *out)
{
    for (int k = 0; which && out && k < count; k++) {
        out[k] = bi_sim_read(sim, which[k]);
    }
}

void bi_sim_read_all(bi_sim *sim, double *out)
{
    if (!sim_is_shown(sim) || !out) {
        for (int k = 0; sim && out && k < sim->system->n_channel; k++) {
            out[k] = NAN;
        }
        return;
    }
    sim_show(sim, SHOWN_STATE);
    for (int k = 0; k < sim->system->n_channel; k++) {
        const channel *ch = &sim->system->channel[k];
        sim_show(sim, need_of(sim, ch));
        out[k] = read_shown(sim, ch);
    }
}

bool bi_sim_value(bi_sim *sim, const char *name, double *value)
{
    double unused;
    value = value ? value : &unused;
    if (!sim_is_shown(sim) || !name) {
        return false;
    }
    const plan *p = &sim->system->dynamics.plan;
    const trays *t = &sim->stepper.trays;
    model_name found = model_resolve(sim->system->model, name);
    sim_show(sim, SHOWN_STATE);
    if (found.kind == MODEL_NAME_INPUT) {
        *value = t->signals.input[found.index];
        return true;
    }
    if (found.kind == MODEL_NAME_SIGNAL) {
        int slot = plan_signal_slot(p, found.index);
        bool is_planned = p->n_signal > slot && p->signal[slot].first >= 0;
        *value = is_planned ? t->signals.signal[slot].v : *value;
        return is_planned;
    }
    bool is_rate = found.kind == MODEL_NAME_RATE;
    for (int m = 0; (is_rate || found.kind == MODEL_NAME_VALUE) && m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        if (k->kind == MARKER_JOINT && k->joint == found.index && k->coordinate == found.coordinate) {
            *value = is_rate ? t->motion.rate[k->dof] : t->motion.value[k->dof];
            return true;
        }
    }
    return false;
}

bool bi_sim_bond(bi_sim *sim, bi_element graph, int32_t k, double out[4])
{
    if (!sim_is_shown(sim) || !out) {
        return false;
    }
    const plan *p = &sim->system->dynamics.plan;
    const bi_model *m = sim->system->model;
    bool is_graph = graph.i >= 1 && graph.i <= m->n_element &&
                    strcmp(m->element[graph.i - 1].kind->section, "graphs") == 0;
    for (int i = 0; is_graph && k >= 0 && i < p->n_readings; i++) {
        if (p->readings[i].element == graph.i - 1 && 4 * k + 3 < p->readings[i].count) {
            sim_show(sim, SHOWN_STATE);
            memcpy(out, &sim->stepper.trays.load.scalar[p->readings[i].scalar + 4 * k], 4 * sizeof *out);
            return true;
        }
    }
    return false;
}
