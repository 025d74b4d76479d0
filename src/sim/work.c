// SPDX-License-Identifier: MIT
// Work that laws and guides do in a run, against which its energy is balanced.
#include "sim/system.h"
#include <math.h>
#include <string.h>

// Work done by guides per unit of time, the residual Q - M a of the stepper's state on the trays: v . (M a - Q), since
// their own multipliers are too noisy for it (force.8).
static double power_of_guides(stepper *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->d->structure.n; i++) {
        sum -= s->now.v[i] * s->trays.equations.Q[i];
    }
    return sum;
}

// Guides that stand still do no work; rows of velocities may, and so does motion that is imposed.
static bool guides_move(const bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    if (sim->is_imposed) {
        return true;
    }
    for (int r = 0; r < st->n_row; r++) {
        if (st->is_velocity[r] || s->trays.rows.phi_t[r] != 0.0) {
            return true;
        }
    }
    return false;
}

// Of laws (want: LAW_COMMITTED after a step), less what some count themselves, which goes to `counted`, J since the start. What only loses can never give
// back: then it is the lowest so far, and what the step made too much shows as energy from nowhere.
static double power_of_laws(stepper *s, unsigned want, double *counted)
{
    energy_state e = dynamics_energy_evaluated(s->d, &s->now, &s->trays, want);
    *counted = e.is_driven || s->now.t <= 0.0 ? e.work : fmin(*counted, e.work);
    return e.power - e.counted;
}

// Contacts that acted in the whole step as at its end are left out, with what they did to accelerations.
static void evaluate_residual(stepper *s)
{
    double *whole = s->now.a;
    unsigned apart = s->trays.of_step & LAW_LATE ? LAW_APART : 0;
    s->now.a = apart ? s->now.drive : whole;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_RESIDUAL | apart);
    s->now.a = whole;
}

// Work done by laws and guides per unit of time, at the stepper's state whose motion is on the trays.
static double power_now(bi_sim *sim, unsigned want, double *counted)
{
    stepper *s = &sim->stepper;
    bool is_guided = s->d->is_rheonomic && guides_move(sim);
    if (is_guided) {
        s->trays.z_old = s->now.z;
        s->trays.dz_old = s->now.dz;
        s->trays.signals.h = 0.0;
        evaluate_residual(s);
    }
    double sum = power_of_laws(s, want, counted);
    return is_guided ? sum + power_of_guides(s) : sum;
}

// The same after a step that knows what its guides did.
static double power_known(stepper *s, double *counted)
{
    double sum = power_of_laws(s, LAW_COMMITTED, counted);
    return s->d->is_rheonomic ? sum + stepper_power_of_guides(s) : sum;
}

// The same where events want the state shown: one evaluation serves both.
static double power_shown(bi_sim *sim, double *counted)
{
    stepper *s = &sim->stepper;
    sim->t = s->now.t;
    sim->have = 0;
    sim_show(sim, SHOWN_STATE);
    double sum = power_of_laws(s, LAW_COMMITTED, counted);
    memcpy(s->now.dz, sim->shown.dz, (size_t)s->d->plan.n_z * sizeof *s->now.dz);
    return sum + power_of_guides(s);
}

void sim_power(bi_sim *sim)
{
    sim->stepper.trays.is_evaluated = false;
    sim->power = power_now(sim, 0, &sim->counted);
}

bool sim_has_estimates(const bi_sim *sim)
{
    return !sim_scheme(sim)->is_explicit && stepper_has_estimates(&sim->stepper);
}

bool sim_has_forces(const bi_sim *sim)
{
    return !sim_scheme(sim)->is_explicit && stepper_has_forces(&sim->stepper);
}

void sim_count_work(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (!s->d->has_power) {
        return;
    }
    // what is shown has all contacts in it
    bool has_events = sim->system->model->n_event > 0 && !(s->trays.of_step & LAW_LATE);
    double before = sim->power, counted = sim->counted;
    // multipliers of kept tangents are clean enough
    sim->power = sim_has_estimates(sim)             ? power_known(s, &sim->counted)
                 : has_events && s->d->is_rheonomic ? power_shown(sim, &sim->counted)
                                                    : power_now(sim, LAW_COMMITTED, &sim->counted);
    sim->judge.exchanged += fabs(sim->counted - counted);
    sim->work += 0.5 * (s->now.t - s->old.t) * (before + sim->power) + (sim->counted - counted);
    sim->work += stepper_work_of_guides(s);
}
