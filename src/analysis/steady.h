// SPDX-License-Identifier: MIT
// The steady motion near a state: nothing accelerates, and states of laws stand still (linearisation.4,
// linearisation.5).
#pragma once
#include "analysis/differences.h"

// Moves q0, v0 and z0 there and checks them a moment later. work: three results. Not steady: the report tells what
// accelerates.
bi_status steady_find(reduction *r, double *work, bi_report *report);
