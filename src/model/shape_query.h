// SPDX-License-Identifier: MIT
// Rays and distances among the shapes of a model whose bodies are somewhere.
#pragma once
#include "model/model.h"
#include <biela/look.h>

// pose (n_body of the model); as bi_sim_ray and bi_sim_distance say.
bool model_ray(const bi_model *m, const bi_pose *pose, bi_vec3 origin, bi_vec3 direction, double reach,
               bi_ray_hit *hit);
bool model_gap(const bi_model *m, const bi_pose *pose, bi_shape a, bi_shape b, bi_shape_gap *gap);
// Notes for shapes of contacts that start inside each other by a twentieth of the thinner one, errors for those deeper
// than half of it. Of meshes and fields the middle of the other shape counts, too.
void model_overlaps(const bi_model *m, const bi_pose *pose, bi_report *report);
