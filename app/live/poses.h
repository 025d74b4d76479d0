// SPDX-License-Identifier: MIT
/* poses.h - poses one after another. */
#pragma once
#include <biela/biela.h>

bi_vec3 pose_turned(bi_quat, bi_vec3);
bi_pose pose_composed(bi_pose a, bi_pose b); /* b stands in the axes of a */
bi_pose pose_inverse(bi_pose);
