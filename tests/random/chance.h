// SPDX-License-Identifier: MIT
// Chance from a seed: the same seed gives the same mechanism everywhere.
#ifndef BIELA_TESTS_RANDOM_CHANCE_H
#define BIELA_TESTS_RANDOM_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
} chance;

// splitmix64, which is good from the first number on.
static inline uint64_t chance_next(chance *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double chance_unit(chance *c) { return (double)(chance_next(c) >> 11) * 0x1p-53; }

// 0 .. n - 1
static inline int chance_below(chance *c, int n) { return (int)(chance_unit(c) * n); }

static inline bool chance_is(chance *c, double probability) { return chance_unit(c) < probability; }

// Two decimals: what is printed is what is meant, and points of two bodies coincide exactly.
static inline double chance_length(chance *c, double low, double high)
{
    return round(100.0 * (low + (high - low) * chance_unit(c))) / 100.0;
}

// A positive number between the limits, evenly over the orders of magnitude, two digits.
static inline double chance_size(chance *c, double low, double high)
{
    double x = low * pow(high / low, chance_unit(c)), unit = pow(10.0, floor(log10(x)) - 1.0);
    return round(x / unit) * unit;
}

#endif
