// SPDX-License-Identifier: MIT
// Constraints as rows on markers. Each kind is one file; dynamics/law_list.h lists them.
#pragma once
#include "state/law.h"

bi_element user_constraint_add(bi_model *m, const bi_user_constraint_def *def);

// Rows of joints, asked by the coordinates (plan.request).
extern const law_kind joint_align_kind, joint_perpendicular_kind, joint_distance_kind, joint_angle_kind,
    joint_position_kind, joint_length_kind, joint_coincide_kind, joint_parallel_kind, joint_orient_kind,
    joint_euler_kind;
extern const law_kind joint_plane_kind, joint_screw_kind;
