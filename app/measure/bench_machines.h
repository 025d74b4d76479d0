// SPDX-License-Identifier: MIT
/* The part of `bench` about whole machines: time per step, mean and worst. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"

/* Prints the table, or adds to the open array of j. */
typedef enum { BENCH_FULL, BENCH_QUICK } bench_effort;
exit_code bench_machines(json *j, bench_effort effort);
