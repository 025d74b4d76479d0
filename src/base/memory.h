// SPDX-License-Identifier: MIT
// Memory of what is described and compiled: every file of the engine takes it through these names, as the build includes
// this page before each of them. Blocks are those of the C library. While a watch is set, it has a list of the blocks that its
// thread takes and gives back, from which an image is made (sim/image).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *at;
    size_t size;
    bool is_free; // given back
} memory_block;

typedef struct {
    memory_block *block; // in the order they were taken, (count)
    int count, capacity;
    bool is_full; // no memory for the list: it is not whole
} memory_watch;

// From now on the blocks of this thread are listed; NULL: no more. Gives the watch that was set before.
memory_watch *memory_watch_set(memory_watch *watch);
// After the watch: the list, and the blocks that were given back.
void memory_watch_clear(memory_watch *watch);

void *memory_take(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *block, size_t size);
char *memory_text(const char *text);
void memory_free(void *block);

#define malloc(size) memory_take(size)
#define calloc(count, size) memory_zeroed(count, size)
#define realloc(block, size) memory_resize(block, size)
#define strdup(text) memory_text(text)
#define free(block) memory_free(block)
