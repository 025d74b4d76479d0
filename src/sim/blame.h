// SPDX-License-Identifier: MIT
// Why a run cannot start.
#pragma once
#include "integrate/stepper.h"

// Names what is not finite on the trays: a table read beyond its ends, a graph without a solution, else what it can find and `what`.
void blame_start(const stepper *s, bi_status status, const char *what, bi_report *report);
