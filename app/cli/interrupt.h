// SPDX-License-Identifier: MIT
/* interrupt.h - Ctrl-C asks a run to end, and so do SIGTERM and SIGHUP; a second one ends it at once. */
#pragma once
#include "cli/command.h"

void interrupt_catch(void);   /* the signals are noted from now on; SIGHUP stays ignored under nohup */
void interrupt_release(void); /* back to the default */
bool interrupt_asked(void);
exit_code interrupt_code(void); /* 128 and the number of the signal */
