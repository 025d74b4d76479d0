// SPDX-License-Identifier: MIT
// The loops over the tree as one table. A file that includes this compiles its own instance of all of them: passes.c
// for every processor, passes_avx2.c for those with wider registers.
#pragma once
#include "coordinates/joint/articulated.h"
#include "coordinates/joint/gradients.h"
#include "coordinates/joint/inertia.h"
#include "coordinates/joint/lift.h"

static const joint_passes passes_of_this_file = {
    .lift = lift_all,
    .drop_rows = gradients_drop,
    .drop_load = inertia_drop_load,
    .drop_tangent = gradients_tangent,
    .site_maps = gradients_sites,
    .accelerate = articulated_accelerate,
};
