// SPDX-License-Identifier: MIT
// Reactions for those who draw them; rays and distances for those who look around.
#include "model/shape_query.h"
#include "sim/system.h"
#include <biela/look.h>
#include <math.h>

const bi_wrench *bi_sim_reactions(bi_sim *sim)
{
    if (!sim_is_shown(sim)) {
        return NULL;
    }
    sim_show(sim, SHOWN_STATE | SHOWN_REACTIONS);
    return sim->reaction;
}

// Where the bodies are now.
static const bi_pose *poses_of(bi_sim *sim)
{
    sim_show(sim, SHOWN_STATE | SHOWN_POSES);
    return sim->pose;
}

bool bi_sim_ray(bi_sim *sim, bi_vec3 origin, bi_vec3 direction, double reach, bi_ray_hit *hit)
{
    if (!hit) {
        return false;
    }
    *hit = (bi_ray_hit){ .distance = NAN };
    return sim_is_shown(sim) && model_ray(sim->system->model, poses_of(sim), origin, direction, reach, hit);
}

bool bi_sim_distance(bi_sim *sim, bi_shape a, bi_shape b, bi_shape_gap *gap)
{
    if (!gap) {
        return false;
    }
    *gap = (bi_shape_gap){ .distance = NAN };
    return sim_is_shown(sim) && model_gap(sim->system->model, poses_of(sim), a, b, gap);
}
