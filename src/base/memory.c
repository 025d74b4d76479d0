// SPDX-License-Identifier: MIT
// Memory of what is described and compiled, with a list of its blocks for those who ask.
#include "base/memory.h"
#include <stdint.h>
// here they are those of the C library
#undef malloc
#undef calloc
#undef realloc
#undef strdup
#undef free

// The one thing of the engine that is set for a thread: allocation has no object that could hold it.
static _Thread_local memory_watch *watching;

memory_watch *memory_watch_set(memory_watch *watch)
{
    memory_watch *before = watching;
    watching = watch;
    return before;
}

void memory_watch_clear(memory_watch *watch)
{
    for (int k = 0; k < watch->count; k++) {
        if (watch->block[k].is_free) {
            free(watch->block[k].at);
        }
    }
    free(watch->block);
    *watch = (memory_watch){ 0 };
}

static void note_taken(void *at, size_t size)
{
    memory_watch *w = watching;
    if (!at || w->is_full) {
        return;
    }
    if (w->count == w->capacity) {
        int larger = w->capacity > 0 ? 2 * w->capacity : 1024;
        memory_block *list = realloc(w->block, (size_t)larger * sizeof *list);
        w->is_full = !list;
        w->block = list ? list : w->block;
        w->capacity = list ? larger : w->capacity;
    }
    if (!w->is_full) {
        w->block[w->count++] = (memory_block){ at, size, false };
    }
}

// The newest block at this place that has not been given back; NULL: it is none of the list.
static memory_block *find(const void *at)
{
    memory_watch *w = watching;
    for (int k = w->count - 1; at && k >= 0; k--) {
        if (w->block[k].at == at && !w->block[k].is_free) {
            return &w->block[k];
        }
    }
    return NULL;
}

// Blocks that are listed begin as zeros, at multiples of cache lines, as some cut theirs by address; and they have room
// behind them: a place just behind their end is theirs, too.
enum { LINE = 64, BEHIND = 2 * LINE };

static void *take_listed(size_t size)
{
    size_t whole = size <= SIZE_MAX - BEHIND ? (size + BEHIND) / LINE * LINE : 0;
    void *at = whole > 0 ? aligned_alloc(LINE, whole) : NULL;
    if (at) {
        memset(at, 0, whole);
        note_taken(at, size);
    }
    return at;
}

void *memory_take(size_t size) { return watching ? take_listed(size) : malloc(size); }

void *memory_zeroed(size_t count, size_t size)
{
    if (!watching) {
        return calloc(count, size);
    }
    return size == 0 || count <= (SIZE_MAX - BEHIND) / size ? take_listed(count * size) : NULL;
}

void *memory_resize(void *block, size_t size)
{
    if (!watching) {
        return realloc(block, size);
    }
    memory_block *listed = find(block);
    if (block && !listed) {
        return realloc(block, size); // taken before the watch was set
    }
    size_t kept = listed ? listed->size : 0;
    void *to = take_listed(size);
    if (to && block) {
        memcpy(to, block, kept < size ? kept : size);
        memory_free(block);
    }
    return to;
}

char *memory_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_take(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void memory_free(void *block)
{
    if (!block) {
        return;
    }
    memory_block *listed = watching ? find(block) : NULL;
    if (listed) {
        // what is given back stays where it is until the list is cleared, so that no later block can lie there
        listed->is_free = true;
        return;
    }
    free(block);
}
