// SPDX-License-Identifier: MIT
// Stiffness and damping of an effort on a joint coordinate that an expression of other joint coordinates sets.
#pragma once
#include "state/law.h"

enum { JOINT_BLOCK_PARTIALS = 8 };

typedef struct {
    int block, width; // in load.K and load.C; joint itself first
    int partial, count;
    int column[JOINT_BLOCK_PARTIALS]; // of each partial derivative
    bool is_rate[JOINT_BLOCK_PARTIALS];
} joint_block;

joint_block joint_block_plan(plan *p, int marker, signal_use use);
// Effort = gain * expression - damping * own rate: writes K and C.
void joint_block_write(const joint_block *b, const signals *u, double gain, double damping, load *out);
