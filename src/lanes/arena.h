// SPDX-License-Identifier: MIT
// Memory of sims that step side by side. Every word of it stands once as it would for one sim (whole numbers, addresses: they
// are the same in all lanes), and far behind once more for every lane (numbers, which differ). The code that steps there is made
// from that for one sim by tools/lanes/build.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum {
    LANES_MAIN = 1 << 26, // bytes that stand once; behind them the words of the lanes
    LANES_GLOBALS = 4096, // tables of kinds, from here on
    LANES_MOST = 8
};

// At its beginning.
typedef struct lanes_arena {
    void (*bail)(struct lanes_arena *a,
                 int32_t site); // lanes part where the code cannot follow; does not return
} lanes_arena;

// The words of all lanes of the word at `at`.
static inline uint64_t *lanes_words(const lanes_arena *a, const void *at, int lanes)
{
    uintptr_t base = (uintptr_t)a;
    return (uint64_t *)(base + LANES_MAIN + ((uintptr_t)at - base) * (uintptr_t)lanes);
}
