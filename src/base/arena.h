// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// A block of memory cut from the front; never grows. With `memory` NULL it only measures what would be needed.
typedef struct {
    char *memory;      // the block, owned by whoever made it; NULL while measuring
    size_t used, size; // bytes
    bool is_zero;      // the block was given zeroed: pages that nobody needs are never touched
} arena;

// The next `count` items of `item` bytes, zeroed, aligned to 64 bytes. NULL while measuring, and when they would reach
// beyond the end: `used` is then larger than `size`.
void *arena_take(arena *a, size_t count, size_t item);

#define ARENA_NEW(a, type, count) ((type *)arena_take((a), (size_t)(count), sizeof(type)))
