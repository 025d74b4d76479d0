// SPDX-License-Identifier: MIT
/* interrupt.h - Ctrl-C asks a run to end; a second one ends it at once. */
#pragma once
#include <stdbool.h>

void interrupt_catch(void);   /* SIGINT and SIGTERM are noted from now on */
void interrupt_release(void); /* back to the default */
bool interrupt_asked(void);
