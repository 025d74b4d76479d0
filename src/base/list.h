// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Growing arrays for descriptions and for compiling; never used in a step.
// Makes room for one more item: doubles `*items` when `count` has reached `*capacity`. False: no memory.
bool list_reserve(void **items, int count, int *capacity, size_t item);

#define LIST_RESERVE(items, count, capacity)                                                                 \
    list_reserve((void **)&(items), (count), &(capacity), sizeof *(items))
