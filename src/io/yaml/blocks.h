// SPDX-License-Identifier: MIT
// Small pieces of memory that live and die together.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct block block;
typedef struct {
    block *last;
} blocks; // starts as { 0 }

// Zeroed memory, aligned for any type; NULL: no memory.
void *blocks_new(blocks *all, size_t size);
// Zero-terminated copy of `length` letters; NULL: no memory.
char *blocks_text(blocks *all, const char *text, size_t length);
void blocks_free(blocks *all);
