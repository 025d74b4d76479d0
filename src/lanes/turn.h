// SPDX-License-Identifier: MIT
// A turn of a sim on its way: a step, or what is left of it. The same for one sim and, compiled again by tools/lanes/build, for
// several side by side.
#pragma once
#include "gpu/kernel.h"

enum { TURN_DONE = 1, TURN_STOPPED = 2 }; // beside BI_OK; failures are below

// As many times as bi_sim_step would be called, or bi_sim_run_to would step. BI_OK: there may be more.
int lanes_turn(bi_sim *sim);
int lanes_turn_toward(bi_sim *sim, double t);
// The table that sims have while they are stepped side by side: what is not arithmetic ends the step.
const sim_outside *lanes_outside(void);
