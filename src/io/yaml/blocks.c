// SPDX-License-Identifier: MIT
#include "io/yaml/blocks.h"
#include <stdlib.h>
#include <string.h>

struct block {
    block *before;
    size_t used, capacity;
    _Alignas(max_align_t) unsigned char bytes[];
};

enum { FIRST_BLOCK = 512, LARGEST_BLOCK = 64 * 1024 }; // bytes; each block is twice the one before

void *blocks_new(blocks *all, size_t size)
{
    size_t step = _Alignof(max_align_t);
    size = (size + step - 1) / step * step;
    if (!all->last || all->last->capacity - all->last->used < size) {
        size_t capacity = all->last ? 2 * all->last->capacity : FIRST_BLOCK;
        capacity = capacity < LARGEST_BLOCK ? capacity : LARGEST_BLOCK;
        capacity = capacity > size ? capacity : size;
        block *fresh = calloc(1, sizeof *fresh + capacity);
        if (!fresh) {
            return NULL;
        }
        fresh->capacity = capacity;
        fresh->before = all->last;
        all->last = fresh;
    }
    void *piece = all->last->bytes + all->last->used;
    all->last->used += size;
    return piece;
}

char *blocks_text(blocks *all, const char *text, size_t length)
{
    char *copy = blocks_new(all, length + 1);
    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

void blocks_free(blocks *all)
{
    while (all->last) {
        block *before = all->last->before;
        free(all->last);
        all->last = before;
    }
}
