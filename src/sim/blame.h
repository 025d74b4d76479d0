// SPDX-License-Identifier: MIT
// Why a run cannot start or go on.
#pragma once
#include "sim/system.h"

// Names what is not finite on the trays: a table read beyond its ends, a graph without a solution, else what it can
// find and `what`.
void blame_start(const stepper *s, bi_status status, const char *what, bi_report *report);
// sim.failure says what stopped the last step, whose end is on `now`; the status that is the cause of this one.
bi_status blame_step(bi_sim *sim, bi_status status);
// There is no memory for what this element has to remember, or for the places where shapes touch: says so, BI_FULL.
bi_status blame_full(bi_sim *sim, int element);
bi_status blame_places(bi_sim *sim);
