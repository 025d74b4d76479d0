// SPDX-License-Identifier: MIT
// Hot loops in two versions, one for processors with AVX2, chosen when the program starts. Both do the same operations
// in the same order, and neither fuses multiplication and addition: the bits are equal.
#pragma once
#include <stdint.h>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(BI_DEBUG)
#define LANES __attribute__((target_clones("avx2", "default")))
// part of such a loop: compiled with it, not apart
#define LANES_PART static inline __attribute__((always_inline))
// files with loops over wide3 are compiled a second time for AVX2
#define LANES_TWICE
#else
#define LANES
#define LANES_PART static inline
#endif

// Whole numbers of a sim's memory that tell which one it is of several (the fastest body, where it was worst): where sims are
// stepped side by side (tools/lanes/build) they differ from lane to lane, and every other one is the same.
#ifdef BI_LANES
typedef volatile int own_int;
typedef volatile int64_t own_int64;
// functions that give a whole number beside a number are taken in by their callers there
#define LANES_TAKEN_IN static inline __attribute__((always_inline))
// and what hardly ever happens is not
#define LANES_APART static __attribute__((noinline))
// a search among numbers ends where it finds one; side by side, it goes on for the others
#define LANES_STOP(value)
// a part that only some lanes do
#define LANES_SOME static __attribute__((noinline))
#else
#define LANES_STOP(value) return value
#define LANES_SOME LANES_PART
#define LANES_APART static
typedef int own_int;
typedef int64_t own_int64;
#define LANES_TAKEN_IN static inline
#endif

// before a loop whose count the compiler knows; clang unrolls those by itself and complains where it does not know it
// yet
#if defined(__clang__)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
