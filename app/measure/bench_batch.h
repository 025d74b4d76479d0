// SPDX-License-Identifier: MIT
#pragma once
#include "cli/json.h"
#include "cli/options.h"
#include "measure/bench_machines.h"

/* Row G, printed, or as objects of the open array; j NULL: printed. */
exit_code bench_batch(json *j, bench_effort effort);
