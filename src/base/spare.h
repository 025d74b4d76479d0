// SPDX-License-Identifier: MIT
// Room for what a call needs while it runs, taken from the front and given back in the other order: frames stay small, and
// the room is as large as the system needs it. One for each thread.
#pragma once
#include "base/check.h"
#include <stddef.h>

typedef struct {
    char *memory;
    size_t used, size; // bytes
} spare;

enum { SPARE_LINE = 64 }; // bytes that pieces begin at

static inline size_t spare_size(size_t count, size_t item)
{
    return (count * item + SPARE_LINE - 1) / SPARE_LINE * SPARE_LINE;
}

// As many items, with whatever is left there; the size was asked for when the system was made.
static inline void *spare_take(spare *s, size_t count, size_t item)
{
    void *piece = s->memory + s->used;
    s->used += spare_size(count, item);
    BI_ASSERT(s->used <= s->size);
    return piece;
}

// Gives a piece back, and all that was taken after it.
static inline void spare_give(spare *s, const void *piece)
{
    s->used = (size_t)((const char *)piece - s->memory);
}

#define SPARE_NEW(s, type, count) ((type *)spare_take((s), (size_t)(count), sizeof(type)))
