// SPDX-License-Identifier: MIT
// The loops over the tree once more for processors with AVX2: the same operations in the same order, none fused.
#include "base/lanes.h"

#ifdef LANES_TWICE
#pragma GCC target("avx2")
#include "coordinates/joint/passes.h"

const joint_passes *joint_passes_avx2(void) { return &passes_of_this_file; }
#else
#include "coordinates/joint/joint.h"
#endif
