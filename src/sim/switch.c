// SPDX-License-Identifier: MIT
// Constraints with a condition take hold and let go between two steps.
#include "sim/system.h"
#include <math.h>
#include <string.h>

// a constraint that takes hold may be open by this share of the mechanism's size: what it moves in one coarse step
static const double tolerance = 1e-2;

static double energy_now(stepper *s)
{
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LIFT_ALL | LAW_EXPLICIT | EVAL_ALL);
    energy_state e = dynamics_energy(s->d, &s->now, &s->trays);
    return e.potential + dynamics_kinetic(s->d, &s->now, &s->trays, s->product);
}

// Rows that did not hold before and are open too far; -1: none.
static int open_row(const stepper *s, double *open)
{
    const structure *st = &s->d->structure;
    int worst = -1;
    *open = tolerance * fmax(st->size, 1e-3);
    for (int r = 0; r < s->d->plan.n_row; r++) {
        bool is_new =
            !dynamics_row_holds(s->d, s->old.memory, r) && dynamics_row_holds(s->d, s->now.memory, r);
        if (is_new && !st->is_velocity[r] && !(fabs(s->trays.rows.phi[r]) <= *open)) {
            *open = fabs(s->trays.rows.phi[r]);
            worst = r;
        }
    }
    return worst;
}

static bi_status take_hold(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    double before = energy_now(s), open;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
    int row = open_row(s, &open);
    bi_status status = row >= 0 ? BI_CANNOT_ASSEMBLE : stepper_impact(s);
    if (status != BI_OK) {
        sim->outside->tell_open(sim, row, open);
        return status;
    }
    sim_commit(sim, NULL);
    // what the closing takes from the energy is work of the constraint
    sim->work += energy_now(s) - before;
    return BI_OK;
}

bi_status sim_switch(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    if (s->d->plan.n_condition == 0) {
        return BI_OK;
    }
    stepper_save(s);
    if (dynamics_switch(s->d, &s->now, &s->trays, s->now.memory) == 0) {
        stepper_put_old_back(s);
        return BI_OK;
    }
    stepper_forget_rank(s);
    bi_status status = take_hold(sim);
    if (status != BI_OK) {
        stepper_put_back(s);
        return status;
    }
    stepper_put_old_back(s);
    sim_power(sim);
    return BI_OK;
}
