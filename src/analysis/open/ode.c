// SPDX-License-Identifier: MIT
// A system as ordinary differential equations: where it can be one, put anywhere, and the rates there.
#include "sim/system.h"
#include <biela/ode.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_stop(const bi_model *m)
{
    for (int k = 0; k < m->n_event; k++) {
        if (m->event[k].def.action == BI_EVENT_STOP) {
            return true;
        }
    }
    return false;
}

bool bi_system_is_ode(const bi_system *s, const char **why)
{
    const char *ignored;
    why = why ? why : &ignored;
    if (!s) {
        *why = "there is no system";
        return false;
    }
    const structure *st = &s->dynamics.structure;
    const plan *p = &s->dynamics.plan;
    *why = s->options.coordinates != BI_JOINT || !s->dynamics.set->accelerate
               ? "its coordinates are bound to each other: it needs joint coordinates (formulation: joint)"
           : st->n_row > 0 ? "constraints bind its coordinates: closed loops, guides, rolling"
           : p->n_pools > 0 || p->n_memory > 0
               ? "contacts, tyres, sticking friction, delays or other laws and signals remember"
           : st->n_chart > 0     ? "bodies turn freely in space: their coordinates follow them"
           : s->n_device > 0     ? "outputs with a filter remember"
           : has_stop(s->model)  ? "an event stops it"
           : st->n + p->n_z == 0 ? "nothing moves"
                                 : NULL;
    return *why == NULL;
}

const char *bi_state_name(const bi_system *s, int k, char *buffer, size_t size)
{
    int n = bi_variable_count(s);
    if (!s || !buffer || size == 0 || k < 0 || k >= bi_state_count(s)) {
        return NULL;
    }
    if (k >= 2 * n) {
        snprintf(buffer, size, "law.%d", k - 2 * n + 1);
        return buffer;
    }
    const owner_name *owner = &s->dynamics.structure.variable_owner[k % n];
    if (owner->joint > 0) {
        // also where nothing but the equations reads the coordinate
        snprintf(buffer, size, "%s.%s", s->model->joint[owner->joint - 1].def.name, owner->what);
    } else {
        bi_variable_name(s, k % n, buffer, size);
    }
    size_t length = strlen(buffer);
    if (k >= n && length + 6 <= size) {
        memcpy(buffer + length, ".rate", 6);
    }
    return buffer;
}

static bi_status refuse(bi_sim *sim)
{
    const char *why;
    bi_status refused = sim_refuse(sim);
    if (refused == BI_OK && !bi_system_is_ode(sim->system, &why)) {
        snprintf(sim->failure, sizeof sim->failure,
                 "this is no system of ordinary differential equations: %s", why);
        return BI_BAD_MODEL;
    }
    return refused;
}

bi_status bi_sim_put(bi_sim *sim, double t, const double *x)
{
    bi_status status = refuse(sim);
    if (status != BI_OK) {
        return status;
    }
    if (!isfinite(t) || (x && !are_finite(x, bi_state_count(sim->system)))) {
        snprintf(sim->failure, sizeof sim->failure, "time and state must be finite numbers");
        return BI_BAD_ARGUMENT;
    }
    stepper *k = &sim->stepper;
    size_t n = (size_t)k->d->structure.n, n_z = (size_t)k->d->plan.n_z;
    sim_show(sim, SHOWN_MOTION);
    coords_copy(k->d, &sim->shown, &k->now);
    k->now.t = sim->t = sim->grid_t = t;
    sim->grid_step = sim->step;
    if (x) {
        memcpy(k->now.q, x, n * sizeof *x);
        memcpy(k->now.v, x + n, n * sizeof *x);
        memcpy(k->now.z, x + 2 * n, n_z * sizeof *x);
    }
    k->trays.z_old = k->now.z;
    k->trays.dz_old = k->now.dz;
    k->trays.signals.h = 0.0;
    status = initial_acceleration(k);
    sim->is_at_rest = false;
    sim->stop_t = INFINITY;
    sim_begin(sim);
    return status;
}

bi_status bi_sim_rates(bi_sim *sim, double *dx)
{
    bi_status status = dx ? refuse(sim) : BI_BAD_ARGUMENT;
    if (status != BI_OK) {
        return status;
    }
    stepper *s = &sim->stepper;
    size_t n = (size_t)s->d->structure.n, n_z = (size_t)s->d->plan.n_z;
    sim_show(sim, SHOWN_MOTION);
    coords_copy(s->d, &sim->shown, &sim->exact);
    s->trays.z_old = sim->exact.z;
    s->trays.dz_old = sim->exact.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &sim->exact, &s->trays, LIFT_ALL | LAW_EXPLICIT | EVAL_FORCES);
    if (n > 0) {
        s->d->set->accelerate(s->d->coordinates, &sim->exact, &s->trays.motion, s->trays.equations.Q,
                              sim->exact.a);
    }
    sim->have = 0;
    memcpy(dx, sim->exact.v, n * sizeof *dx);
    memcpy(dx + n, sim->exact.a, n * sizeof *dx);
    memcpy(dx + 2 * n, sim->exact.dz, n_z * sizeof *dx);
    return are_finite(dx, bi_state_count(sim->system)) ? BI_OK : BI_NOT_FINITE;
}
