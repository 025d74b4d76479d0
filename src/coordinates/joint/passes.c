// SPDX-License-Identifier: MIT
// The loops over the tree. passes_avx2.c compiles the same text again for processors with wider registers.
#include "base/lanes.h"
#include "coordinates/joint/articulated.h"
#include "coordinates/joint/gradients.h"
#include "coordinates/joint/inertia.h"
#include "coordinates/joint/lift.h"

#if defined(LANES_TWICE) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#endif
#endif

#ifndef JOINT_PASSES
#define JOINT_PASSES joint_passes_plain
#define JOINT_PASSES_CHOICE
#endif

const joint_passes JOINT_PASSES = {
    .lift = lift_all,
    .drop_rows = gradients_drop,
    .drop_load = inertia_drop_load,
    .drop_tangent = gradients_tangent,
    .accelerate = articulated_accelerate,
};

#ifdef JOINT_PASSES_CHOICE
#ifdef LANES_TWICE
// What the C library says can be turned off from outside (GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2): some versions of valgrind
// know not all of these instructions.
static bool has_avx2(void)
{
#ifdef CPU_FEATURE_ACTIVE
    return CPU_FEATURE_ACTIVE(AVX2) != 0;
#else
    return __builtin_cpu_supports("avx2");
#endif
}
#endif

const joint_passes *joint_passes_here(void)
{
#ifdef LANES_TWICE
    if (has_avx2()) {
        return &joint_passes_avx2;
    }
#endif
    return &joint_passes_plain;
}
#endif
