// SPDX-License-Identifier: MIT
// Channels that follow from modal amplitudes: stresses and section forces of flexible bodies.
#include "base/text.h"
#include "math/rotation.h"
#include "sim/system.h"
#include <biela/flex.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_VALUES = 6,
    BEAM_ENDS = 6, // what a beam tells: first the forces in its middle, then those at its ends
    OF_BEAM = 12
};

// The dofs of the amplitudes of a body, one after the other in s->recovery_dof; of a straight bar that of its frame,
// too.
static bool plan_modes(bi_system *s, const bi_output_def *d, sensor_place *at)
{
    plan *p = &s->dynamics.plan;
    int n = d->recovery->n_mode, count = s->n_recovery_dof + n;
    int *all = realloc(s->recovery_dof, ((size_t)count + 1) * sizeof *all);
    if (!all) {
        p->no_memory = true;
        return false;
    }
    plan_spare(p, spare_size(3 * (size_t)n, sizeof(double)));
    at->of = s->n_recovery_dof;
    s->recovery_dof = all;
    for (int m = 0; m < n; m++) {
        all[s->n_recovery_dof++] = plan_dof(p, plan_mode(p, d->body.i - 1, m));
    }
    at->to = d->recovery->axial ? plan_dof(p, plan_frame(p, d->body.i - 1, d->recovery->origin)) : -1;
    return true;
}

// Where the section forces of each beam stand among the scalars, one after the other in s->recovery_dof.
static bool plan_beams(bi_system *s, const bi_output_def *d, sensor_place *at)
{
    plan *p = &s->dynamics.plan;
    int count = s->n_recovery_dof + d->n_beam;
    int *all = realloc(s->recovery_dof, ((size_t)count + 1) * sizeof *all);
    if (!all) {
        p->no_memory = true;
        return false;
    }
    plan_spare(p, spare_size(OF_BEAM * (size_t)d->n_beam, sizeof(double)));
    at->of = s->n_recovery_dof;
    at->to = -1;
    s->recovery_dof = all;
    for (int k = 0, from = 0; k < d->n_beam; k++) {
        // readings stand in the order of their elements
        while (from < p->n_readings && p->readings[from].element != d->beam.i - 1 + k) {
            from++;
        }
        bool is_there = from < p->n_readings;
        all[s->n_recovery_dof++] = is_there ? p->readings[from].scalar + BEAM_ENDS : 0;
        p->no_memory = p->no_memory || !is_there;
    }
    return true;
}

void recovery_plan(bi_system *s, int output, bi_report *report)
{
    const model_output *o = &s->model->output[output];
    const bi_recovery *r = o->def.recovery;
    int told = s->n_channel;
    sensor_place *at = &s->sensor[output];
    if (!(o->def.n_beam > 0 ? plan_beams(s, &o->def, at) : plan_modes(s, &o->def, at))) {
        return;
    }
    if (r->n_point > 1) {
        channels_add(s, text_format("%s", o->def.name), r->unit, CHANNEL_RECOVERY, output, 0);
        channels_add(s, text_format("%s.at", o->def.name), "1", CHANNEL_RECOVERY, output, 1);
        return;
    }
    for (int k = 0; k < bi_recovery_value_count(r); k++) {
        const char *unit = r->unit ? r->unit : k < 3 ? "N" : "N*m", *part = r->part[k];
        bool is_plain = !part || !part[0] || o->def.only;
        if (!o->def.only || (part && strcmp(o->def.only, part) == 0)) {
            channels_add(s,
                         is_plain ? text_format("%s", o->def.name) : text_format("%s.%s", o->def.name, part),
                         unit, CHANNEL_RECOVERY, output, k);
        }
    }
    if (s->n_channel == told && !s->dynamics.plan.no_memory) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, o->place, o->def.name,
                      "there is no '%s' here; the first part is '%s'", o->def.only ? o->def.only : "",
                      r->part[0] ? r->part[0] : "");
    }
}

// The amplitudes, and how the body stands.
static bi_flex_motion shape_of(const bi_sim *sim, int output, double *eta)
{
    const bi_output_def *d = &sim->system->model->output[output].def;
    const sensor_place *at = &sim->system->sensor[output];
    const int *dof = sim->system->recovery_dof + at->of;
    for (int k = 0; d->n_beam == 0 && k < d->recovery->n_mode; k++) {
        eta[k] = sim->stepper.trays.motion.value[dof[k]];
    }
    for (int k = 0; k < d->n_beam; k++) {
        memcpy(eta + OF_BEAM * k, sim->stepper.trays.load.scalar + dof[k], OF_BEAM * sizeof *eta);
    }
    return (bi_flex_motion){ .eta = eta, .rot = sim->pose[d->body.i - 1].rot };
}

// The same with the straight bar's own frame of reference: felt acceleration, turning, and rates of the amplitudes.
static bi_flex_motion motion_of(const bi_sim *sim, int output, double *eta, double *rate, double *second)
{
    const bi_output_def *d = &sim->system->model->output[output].def;
    const sensor_place *at = &sim->system->sensor[output];
    const int *dof = sim->system->recovery_dof + at->of;
    const motion *m = &sim->stepper.trays.motion;
    bi_flex_motion out = shape_of(sim, output, eta);
    out.rate = rate;
    out.second = second;
    for (int k = 0; k < d->recovery->n_mode; k++) {
        rate[k] = m->rate[dof[k]];
        second[k] = sim->step_acceleration[dof[k]];
    }
    bi_quat back = quat_conjugate(out.rot);
    vec3 felt = vec3_sub(tray_vec3(&sim->step_acceleration[at->to]), sim->system->model->gravity);
    out.felt = quat_rotate(back, felt);
    out.omega = quat_rotate(back, tray_vec3(&m->rate[at->to + 3]));
    out.alpha = quat_rotate(back, tray_vec3(&sim->step_acceleration[at->to + 3]));
    return out;
}

// Does the value follow from the motion of a straight bar? Only its normal force does: moments of a section are those
// of the modes.
static bool is_moving(const bi_sim *sim, int output, int component)
{
    const bi_recovery *r = sim->system->model->output[output].def.recovery;
    bool is_moment =
        r->n_point == 1 && component >= 3 && (r->form == BI_FORM_LINEAR || r->form == BI_FORM_VECTORS);
    return sim->system->sensor[output].to >= 0 && !is_moment;
}

unsigned recovery_need(const bi_sim *sim, int output, int component)
{
    if (sim->system->model->output[output].def.n_beam > 0) {
        return SHOWN_STATE | SHOWN_POSES;
    }
    return SHOWN_MOTION | SHOWN_POSES | (is_moving(sim, output, component) ? SHOWN_STEP_ACCELERATIONS : 0);
}

// Of a straight bar from amplitudes and both their rates, else from the amplitudes; eta: room for all three.
static double read_with(const bi_sim *sim, int output, int component, double *eta)
{
    const bi_recovery *r = sim->system->model->output[output].def.recovery;
    double *rate = eta + r->n_mode, *second = rate + r->n_mode, value[MOST_VALUES] = { 0 }, best = 0.0;
    int at = 0;
    bool moves = is_moving(sim, output, component);
    bi_flex_motion m = moves ? motion_of(sim, output, eta, rate, second) : shape_of(sim, output, eta);
    if (!moves && r->n_point > 1) {
        at = bi_recovery_largest(r, eta, &best);
        return component == 0 ? best : r->label[at];
    }
    for (int k = 0; k < r->n_point; k++) {
        if (moves) {
            bi_recovery_values_moving(r, k, &m, value);
        } else {
            bi_recovery_values(r, k, eta, m.rot, value);
        }
        if (k == 0 || value[0] > best) {
            best = value[0];
            at = k;
        }
    }
    return r->n_point == 1 ? value[component] : component == 0 ? best : r->label[at];
}

double recovery_read(const bi_sim *sim, int output, int component)
{
    spare *room = sim->stepper.trays.spare;
    const bi_output_def *d = &sim->system->model->output[output].def;
    double *eta = SPARE_NEW(room, double, d->n_beam > 0 ? OF_BEAM * d->n_beam : 3 * d->recovery->n_mode);
    double value = read_with(sim, output, component, eta);
    spare_give(room, eta);
    return value;
}

int bi_sim_modes(bi_sim *sim, bi_body body, double *eta)
{
    if (!sim_is_shown(sim) || !eta) {
        return 0;
    }
    const plan *p = &sim->system->dynamics.plan;
    int count = 0;
    sim_show(sim, SHOWN_MOTION);
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        if (k->kind == MARKER_MODE && k->body == body.i - 1) {
            eta[k->coordinate] = sim->stepper.trays.motion.value[k->dof];
            count++;
        }
    }
    return count;
}
