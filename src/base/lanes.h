// SPDX-License-Identifier: MIT
// Hot loops in two versions, one for processors with AVX2, chosen when the program starts. Both do the same operations
// in the same order, and neither fuses multiplication and addition: the bits are equal.
#pragma once

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

// before a loop whose count the compiler knows; clang unrolls those by itself and complains where it does not know it
// yet
#if defined(__clang__)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
