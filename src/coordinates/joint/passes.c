// SPDX-License-Identifier: MIT
// The loops over the tree for every processor, and the choice of those for the present one.
#include "coordinates/joint/passes.h"
#include "base/lanes.h"

#if defined(LANES_TWICE) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#endif
#endif

#ifdef LANES_TWICE
// What the C library says can be turned off from outside (GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2): some versions of
// valgrind know not all of these instructions.
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
        return joint_passes_avx2();
    }
#endif
    return &passes_of_this_file;
}
