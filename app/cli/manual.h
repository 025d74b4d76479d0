// SPDX-License-Identifier: MIT
/* manual.h - the table of commands as manual pages and as completion for bash. */
#pragma once
#include "cli/command.h"

/* Writes biela.1 and biela-COMMAND.1 into the folder, which is made. Prints what goes wrong. */
exit_code manual_write(const char *folder);
/* The completion script on stdout. */
void manual_print_completion(void);
