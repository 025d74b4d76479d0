// SPDX-License-Identifier: MIT
/* run.h - what the commands that run a model over its time have in common. */
#pragma once
#include "cli/command.h"

typedef enum { RUN_DYNAMICS, RUN_KINEMATICS, RUN_INVERSE } run_manner;

/* Opens the model, runs it, writes the results and the summary: all of a command that runs. */
exit_code run_command(const arguments *, run_manner);
