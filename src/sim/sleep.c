// SPDX-License-Identifier: MIT
// Bodies at rest fall asleep between steps (contact.15).
#include "sim/system.h"

void sim_sleep(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->sleep.count == 0) {
        return;
    }
    double lost;
    if (dynamics_sleep(s->d, &s->now, &s->trays, s->now.t - s->old.t, &lost) > 0) {
        // its lines of the tangent are others now
        stepper_forget(s);
        // what stopping takes from the energy is counted; what follows reads the motion
        sim->work -= lost;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_SECOND);
    }
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
