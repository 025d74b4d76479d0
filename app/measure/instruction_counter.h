// SPDX-License-Identifier: MIT
/* instruction_counter.h - instructions of this process as the processor counts them, where the system allows it. */
#pragma once
#include <stdint.h>

/* A counter that runs from now on; below zero: the system does not allow it. */
int instruction_counter_open(void);
int64_t instruction_counter_read(int counter); /* since it was opened; below zero: not countable */
void instruction_counter_close(int counter);
