// SPDX-License-Identifier: MIT
// What the build includes before every page of the engine: memory (base/memory.h), and the smaller and the larger of two
// numbers in place of calls into the C library.
#pragma once
#include "base/memory.h"
#include <math.h>

// As fmin and fmax are defined: a number that is none gives way to the other. Of two zeros the second, on every machine.
static inline double prelude_least(double x, double y) { return x < y || y != y ? x : y; }
static inline double prelude_largest(double x, double y) { return x > y || y != y ? x : y; }
#define fmin(x, y) prelude_least(x, y)
#define fmax(x, y) prelude_largest(x, y)
