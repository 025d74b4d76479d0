// SPDX-License-Identifier: MIT
// Counters: states on which nothing depends, such as a distance gone or fuel burnt. They are outputs: no motion is less
// steady because they count, and they have no eigenvalue (linearisation.9).
#pragma once
#include "analysis/reduction.h"

// Takes them out of r->state; they stand behind it, n_counter of them.
bi_status counters_leave_out(reduction *r);
// Where the motion is steady: none of them takes part after all, and what is left out is told.
bi_status counters_require(reduction *r, bi_report *report);
