// SPDX-License-Identifier: MIT
// A block of memory cut from the front; measures when it has no memory.
#include "base/arena.h"
#include <string.h>

// one cache line, so that arrays of different writers never share one
static const size_t alignment = 64;

void *arena_take(arena *a, size_t count, size_t item)
{
    size_t from = (a->used + alignment - 1) / alignment * alignment;
    a->used = from + count * item;
    if (!a->memory || a->used > a->size) {
        return NULL;
    }
    if (!a->is_zero) {
        memset(a->memory + from, 0, count * item);
    }
    return a->memory + from;
}
