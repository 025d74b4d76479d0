// SPDX-License-Identifier: MIT
#pragma once
#include "cli/command.h"
#include "cli/json.h"

/* Rows F1 to F5, printed, or as objects of the open array; j NULL: printed. */
exit_code bench_flex(json *j);
