// SPDX-License-Identifier: MIT
// Kinematic simulation: every degree of freedom is driven; position, velocity and acceleration problems at every
// instant, and from them the efforts that the guides need (analysis.1 .. analysis.3).
#include "analysis/directions.h"
#include <math.h>
#include <stdio.h>

bi_status bi_kinematics_check(bi_sim *sim, bi_report *report)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    directions free = { 0 };
    sim_show(sim, SHOWN_STATE);
    bi_status status = directions_find(sim, &free);
    if (status == BI_FULL) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "kinematics",
                      "the mechanism is too large to look for degrees of freedom that are not driven");
        return BI_OK;
    }
    if (status != BI_OK) {
        bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "", "%s", bi_status_text(status));
        return status;
    }
    // spins that nothing else feels stay as they are: the least change of all that drives do not say
    if (free.count > 0 && directions_idle(sim, &free) < free.count) {
        char names[DIRECTIONS_TEXT];
        directions_name(sim, &free, names);
        bi_report_add(
            report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "kinematics",
            "%d degree%s of freedom %s not driven: %s; guide %s (constraints, type guide), or use %s",
            free.count, free.count > 1 ? "s" : "", free.count > 1 ? "are" : "is", names,
            free.count > 1 ? "each of them" : "it",
            bi_imposed_count(sim->system->model) > 0
                ? "`biela inverse`, which follows the model's imposed motion"
                : "`biela run`");
        status = BI_BAD_MODEL;
    }
    directions_clear(&free);
    return status;
}

// The guess from which the position problem starts: far enough along to stay on the branch.
static void predict(stepper *s, double h)
{
    coords *c = &s->now;
    for (int i = 0; i < s->d->structure.n; i++) {
        s->right[i] = h * c->v[i] + 0.5 * h * h * c->a[i];
        s->product[i] = c->v[i] + h * c->a[i];
    }
    for (int i = 0; i < s->d->structure.n; i++) {
        c->q[i] += s->right[i];
        c->v[i] = s->product[i];
    }
}

// States of laws and signals follow by their own implicit rule, from those of `before`.
static void advance_states(stepper *s, const coords *before, double h)
{
    s->trays.z_old = before->z;
    s->trays.dz_old = before->dz;
    s->trays.signals.h = h;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | EVAL_FORCES);
}

// `before`: the state at the start, kept apart because the position problem works on s->old.
static bi_status solve_instant(stepper *s, const coords *before, double h, double *worst)
{
    // guides may follow filtered inputs: these first, then held while the mechanism is put there
    advance_states(s, before, h);
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    bi_status status = initial_position(s, NULL, 0, worst);
    if (status != BI_OK) {
        return status;
    }
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    rows_weigh(s, WEIGH_BY_MASS);
    status = initial_velocity(s, NULL, 0, worst);
    if (status != BI_OK) {
        return status;
    }
    // those of laws that read the mechanism, where it now is
    advance_states(s, before, h);
    return initial_acceleration(s);
}

bi_status bi_kinematics_step_to(bi_sim *sim, double t)
{
    bi_status refused = sim_refuse_number(sim, t, "the time to step to");
    if (refused != BI_OK) {
        return refused;
    }
    stepper *s = &sim->stepper;
    double h = t - s->now.t, worst = 0.0;
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    coords_copy(s->d, &s->now, &sim->shown);
    sim->have = 0;
    sim->stop_t = sim->stop_t <= sim->t ? INFINITY : sim->stop_t;
    predict(s, h);
    s->now.t = t;
    bi_status status = solve_instant(s, &sim->shown, h, &worst);
    if (status == BI_OK && !are_finite(s->now.a, s->d->structure.n)) {
        status = BI_NOT_FINITE;
    }
    if (status != BI_OK) {
        char name[128] = "no constraint";
        int row = stepper_worst(s).row;
        if (row >= 0) {
            dynamics_row_name(s->d, row, name, sizeof name);
        }
        snprintf(
            sim->failure, sizeof sim->failure,
            "at t = %.9g s: the mechanism cannot follow its guides: %s is left %g off. Check the range of "
            "the guides against the lengths of the links, or try smaller steps (--dt).",
            t, name, worst);
        coords_copy(s->d, &sim->shown, &s->now);
        return status;
    }
    coords_copy(s->d, &sim->shown, &s->old);
    // no iteration has left forces of the end: the work of guides is taken from the state itself
    stepper_replaced(s);
    sim->judge.is_kinematic = true;
    sim_accept(sim);
    sim_stand_at(sim, t);
    return BI_OK;
}
