// SPDX-License-Identifier: MIT
// A turn of a sim on its way: a step, or what is left of it.
#include "lanes/turn.h"
#include <biela/loop.h>

int lanes_turn(bi_sim *sim) { return bi_sim_stopped(sim) ? TURN_STOPPED : -(int)(bi_sim_step(sim) != BI_OK); }

int lanes_turn_toward(bi_sim *sim, double t)
{
    if (bi_sim_stopped(sim)) {
        return TURN_STOPPED;
    }
    double now = bi_sim_time(sim);
    if (!(now < t)) {
        return TURN_DONE;
    }
    if (t - now > 1.25 * sim->system->options.dt) {
        return -(int)(bi_sim_step(sim) != BI_OK);
    }
    return bi_sim_step_to(sim, t) != BI_OK ? -1 : TURN_DONE;
}

const sim_outside *lanes_outside(void) { return gpu_outside(); }
