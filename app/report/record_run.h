// SPDX-License-Identifier: MIT
/* record_run.h - a run with its manoeuvre as a recording, without anybody who drives. */
#pragma once
#include "running/session.h"

/* Simulates the run, and writes the file: the inputs that its manoeuvre gives in every step are noted as those of a driver, so
 * that the recording repeats the run to the bit where steps look at inputs at their ends (all but explicit schemes). Mistakes are
 * printed. A run that fails on the way is recorded up to there. interrupt_code() after Ctrl-C. */
exit_code run_recorded(const session_request *, const char *path);
