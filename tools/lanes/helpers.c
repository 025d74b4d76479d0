// SPDX-License-Identifier: MIT
// What the code for lanes calls: copies and comparisons of memory of which every word stands once, and once more for each lane
// (src/lanes/arena.h). Compiled with LANES, the number of sims side by side.
#include "lanes/arena.h"
#include <string.h>

const uint64_t lanes_stamp = STAMP; // of the sources (tools/lanes/stamp)

typedef struct {
    uint64_t of[LANES];
} words;

static words *all(const lanes_arena *a, const void *at)
{
    return (words *)(void *)lanes_words(a, (const char *)((uintptr_t)at & ~(uintptr_t)7), LANES);
}

void lanes_bail(lanes_arena *a, int32_t site) { a->bail(a, site); }

// Words that are written only in part hold whole numbers, which are the same in all lanes.
void lanes_spread(const lanes_arena *a, char *from, size_t size)
{
    uintptr_t at = (uintptr_t)from & ~(uintptr_t)7;
    for (; at < (uintptr_t)from + size; at += 8) {
        words *w = all(a, (void *)at);
        for (int k = 0; k < LANES; k++) {
            w->of[k] = *(uint64_t *)at;
        }
    }
}

void lanes_copy(lanes_arena *a, char *to, const char *from, uint64_t size)
{
    if ((((uintptr_t)to | (uintptr_t)from) & 7) != 0) {
        memmove(to, from, size);
        lanes_spread(a, to, size);
        return;
    }
    uint64_t whole = size & ~(uint64_t)7;
    memmove(to, from, size);
    memmove(all(a, to), all(a, from), whole * LANES);
    if (whole < size) {
        lanes_spread(a, to + whole, size - whole);
    }
}

void lanes_set(lanes_arena *a, char *to, char value, uint64_t size)
{
    memset(to, value, size);
    lanes_spread(a, to, size);
}

// What cannot be a number of a lane: whole numbers and addresses have no exponent.
static int is_number(uint64_t w)
{
    uint64_t exponent = w >> 52 & 0x7ff;
    return w << 1 == 0 || (exponent != 0 && exponent != 0x7ff);
}

// Numbers of some lanes; whole numbers have to stay the same in all.
static void put_some(lanes_arena *a, char *to, const uint64_t *main, const words *from, uint64_t mask)
{
    words *w = all(a, to);
    int are_same = 1, are_numbers = 1;
    for (int k = 0; k < LANES; k++) {
        w->of[k] = mask >> k & 1 ? from->of[k] : w->of[k];
        are_same &= w->of[k] == w->of[0];
        are_numbers &= is_number(w->of[k]);
    }
    if (are_same) {
        memcpy(to, &w->of[0], 8);
    } else if (!are_numbers) {
        a->bail(a, -1);
    } else {
        memcpy(to, main, 8);
    }
}

static const uint64_t whole_group = LANES == 64 ? ~(uint64_t)0 : ((uint64_t)1 << LANES) - 1;

void lanes_copy_some(lanes_arena *a, char *to, const char *from, uint64_t size, uint64_t mask)
{
    if ((mask & whole_group) == whole_group) {
        lanes_copy(a, to, from, size);
        return;
    }
    if ((((uintptr_t)to | (uintptr_t)from | size) & 7) != 0) {
        a->bail(a, -2);
    }
    for (uint64_t k = 0; k < size; k += 8) {
        uint64_t main;
        memcpy(&main, from + k, 8);
        put_some(a, to + k, &main, all(a, from + k), mask);
    }
}

// Lane k copies from place[k].
void lanes_copy_each(lanes_arena *a, char *to, const char *const *place, uint64_t size, uint64_t mask)
{
    if ((((uintptr_t)to | size) & 7) != 0) {
        a->bail(a, -5);
    }
    for (uint64_t at = 0; at < size; at += 8) {
        words w = *all(a, to + at);
        uint64_t main;
        memcpy(&main, to + at, 8);
        for (int k = 0; k < LANES; k++) {
            if (mask >> k & 1) {
                if (((uintptr_t)place[k] & 7) != 0) {
                    a->bail(a, -5);
                }
                w.of[k] = all(a, place[k] + at)->of[k];
            }
        }
        put_some(a, to + at, &main, &w, whole_group);
    }
}

void lanes_set_some(lanes_arena *a, char *to, char value, uint64_t size, uint64_t mask)
{
    if ((mask & whole_group) == whole_group) {
        lanes_set(a, to, value, size);
        return;
    }
    if ((((uintptr_t)to | size) & 7) != 0) {
        a->bail(a, -3);
    }
    words w;
    uint64_t main;
    memset(&w, value, sizeof w);
    memset(&main, value, sizeof main);
    for (uint64_t k = 0; k < size; k += 8) {
        put_some(a, to + k, &main, &w, mask);
    }
}

// 0: equal in all lanes; 1: in none.
int32_t lanes_compare(lanes_arena *a, const char *x, const char *y, uint64_t size, uint64_t mask)
{
    mask &= whole_group;
    if ((((uintptr_t)x | (uintptr_t)y | size) & 7) != 0) {
        return memcmp(x, y, size) != 0;
    }
    uint64_t differ = 0;
    for (uint64_t k = 0; k < size && differ != mask; k += 8) {
        const words *p = all(a, x + k), *q = all(a, y + k);
        for (int i = 0; i < LANES; i++) {
            differ |= (uint64_t)(p->of[i] != q->of[i]) << i;
        }
        differ &= mask;
    }
    if (differ != 0 && differ != mask) {
        a->bail(a, -4);
    }
    return differ != 0;
}
