// SPDX-License-Identifier: MIT
/* The part of `bench` about whole machines: time per step, mean and worst. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"

/* Prints the table, or adds to the open array of j. */
exit_code bench_machines(json *j, bool is_quick);
