// SPDX-License-Identifier: MIT
// Bodies at rest fall asleep between steps (contact.17).
#include "sim/system.h"

void sim_sleep(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->sleep.count == 0) {
        return;
    }
    double lost;
    if (dynamics_sleep(s->d, &s->now, &s->trays, s->now.t - s->old.t, &lost) > 0) {
        // its lines of the tangent are others now, and the determinant is no longer that of the start
        stepper_forget(s);
        sim->judge.rank_start = (double)NAN;
        // what stopping takes from the energy is counted; what follows reads the motion
        sim->work -= lost;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND);
    }
}

bool sim_rests(const bi_sim *sim)
{
    const dynamics *d = sim->stepper.d;
    int variables = 0;
    if (d->sleep.count == 0 || d->plan.n_z > 0 || !signal_stands(&d->signal) || d->n_input > 0 ||
        d->is_rheonomic || sim->system->model->n_event > 0) {
        return false; // something may change
    }
    for (int k = 0; k < d->sleep.count; k++) {
        const sleeper *s = &d->sleep.item[k];
        if (!(sim->stepper.now.memory[s->of->memory + SLEEP_IS] > 0.0)) {
            return false;
        }
        variables += s->n_variable;
    }
    return variables == d->structure.n;
}

void sim_rest(bi_sim *sim, double target)
{
    stepper *s = &sim->stepper;
    if (!sim->is_at_rest) {
        // the states of both ends and of the step before are one
        double before = s->old.t;
        stepper_save(s);
        stepper_save(s);
        s->old.t = before;
        sim->is_at_rest = true;
    }
    stepper_pass(s, target);
    dynamics_pass(s->d, &s->now);
    sim->judge.steps++;
    sim->judge.asked++;
}

void sim_sleep_start(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->sleep.count == 0 || sim->step > 0 || !(s->now.t <= 0.0)) {
        return;
    }
    if (dynamics_sleep_start(s->d, &s->now, &s->trays, &sim->exact) > 0) {
        coords_copy(s->d, &s->now, &s->old);
        stepper_forget(s);
    }
}

void sim_sleep_between(bi_sim *sim)
{
    const plan *p = &sim->system->dynamics.plan;
    for (int k = 0; k < p->n_sleeper; k++) {
        int at = p->sleeper[k].memory + SLEEP_IS;
        sim->shown.memory[at] *= sim->stepper.old.memory[at];
    }
}

bool bi_can_sleep(const bi_system *system) { return system && system->dynamics.plan.n_sleeper > 0; }

bool bi_sim_is_asleep(const bi_sim *sim, bi_body body)
{
    const plan *p = sim ? &sim->system->dynamics.plan : NULL;
    for (int k = 0; p && k < p->n_sleeper; k++) {
        if (p->sleeper[k].body == body.i - 1) {
            return sim->stepper.now.memory[p->sleeper[k].memory + SLEEP_IS] > 0.0;
        }
    }
    return false;
}
