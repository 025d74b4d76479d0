// SPDX-License-Identifier: MIT
// A tyre that lies over edges: springs side by side over the footprint in place of one deepest point (tyre.62 .. tyre.65).
#pragma once
#include "laws/tyre/smooth.h"

// The plane through which the ground presses on the wheel, with the depth and the gain that its springs have. False: no
// ground there.
bool envelope_under(const smooth_ground *g, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out);
