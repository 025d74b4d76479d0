// SPDX-License-Identifier: MIT
// Growing arrays for descriptions and for compiling; never used in a step.
#include "base/list.h"
#include <stdlib.h>
#include <string.h>

bool list_reserve(void **items, int count, int *capacity, size_t item)
{
    if (count < *capacity) {
        return true;
    }
    int larger = *capacity > 0 ? 2 * *capacity : 8;
    void *memory;
    memcpy(&memory, items, sizeof memory);
    memory = realloc(memory, (size_t)larger * item);
    if (!memory) {
        return false;
    }
    memcpy(items, &memory, sizeof memory);
    *capacity = larger;
    return true;
}
