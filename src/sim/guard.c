// SPDX-License-Identifier: MIT
// What a sim cannot do: the status, and the reason where bi_sim_failure tells it. Nothing else changes.
#include "sim/system.h"
#include <math.h>
#include <stdio.h>

bi_status sim_refuse(bi_sim *sim)
{
    if (!sim) {
        return BI_BAD_ARGUMENT;
    }
    if (!sim->started) {
        snprintf(sim->failure, sizeof sim->failure, "the simulation has not been started");
        return BI_NOT_STARTED;
    }
    return BI_OK;
}

bi_status sim_refuse_number(bi_sim *sim, double value, const char *what)
{
    bi_status status = sim_refuse(sim);
    if (status == BI_OK && !isfinite(value)) {
        snprintf(sim->failure, sizeof sim->failure, "%s must be a finite number, and it is %g", what, value);
        status = BI_BAD_ARGUMENT;
    }
    return status;
}

bi_status sim_refuse_time(bi_sim *sim, double t)
{
    bi_status status = sim_refuse_number(sim, t, "the time to step to");
    if (status == BI_OK && t < sim->t) {
        snprintf(sim->failure, sizeof sim->failure,
                 "t = %.9g s is in the past: the simulation stands at %.9g s; go back with a snapshot, or "
                 "start again",
                 t, sim->t);
        status = BI_BAD_ARGUMENT;
    }
    return status;
}

bi_status sim_refuse_step(bi_sim *sim, double t)
{
    bi_status status = sim_refuse_time(sim, t);
    if (status != BI_OK || sim->system->options.accuracy > 0.0) {
        return status;
    }
    // half a step more may end at an instant that is asked for; what is far behind rounding is a mistake
    double dt = sim->system->options.dt, most = 1.5 * dt, from = fmax(sim->t, sim->stepper.now.t);
    if (t - from > most + 1e-6 * dt) {
        snprintf(sim->failure, sizeof sim->failure,
                 "t = %.9g s is more than 1.5 steps of %.9g s away from %.9g s: take the steps between", t,
                 dt, from);
        return BI_BAD_ARGUMENT;
    }
    return BI_OK;
}
