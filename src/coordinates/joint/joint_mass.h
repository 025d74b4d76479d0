// SPDX-License-Identifier: MIT
#pragma once
#include "coordinates/joint/joint.h"

// The places of the tangent that the mass matrix needs.
void mass_pattern(const joint_table *tab, pattern_builder *couplings);
// The pairs themselves, in the order in which they are written, once the tangent has its pattern. False: no memory.
bool mass_list(joint_table *tab, const plan *p, const structure *out);
