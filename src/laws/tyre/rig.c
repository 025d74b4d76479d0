// SPDX-License-Identifier: MIT
// A wheel in steady motion over a dry plane: what a test rig measures.
#include "laws/tyre/wheel.h"

// Depth that carries the load: k x + k_2 x^2 = load.
static double depth_for(const tyre_spring *s, double load)
{
    if (!(s->stiffness_2 > 0.0)) {
        return load / s->stiffness;
    }
    // written without the difference of large numbers
    double root = sqrt(s->stiffness * s->stiffness + 4.0 * s->stiffness_2 * load);
    return 2.0 * load / (s->stiffness + root);
}

void wheel_test(const wheel *w, const bi_tyre_state *state, bi_tyre_force *out)
{
    tyre_ground flat = { .point = { 0.0, 0.0, 0.0 }, .normal = { 0.0, 0.0, 1.0 }, .friction = 1.0 };
    double sine, cosine, depth = depth_for(&w->spring, state->load);
    math_sincos(state->camber, &sine, &cosine);
    tyre_pose pose = { .axis = { 0.0, cosine, sine } };
    // height of the centre: that of a wheel that just touches, less the depth
    pose.centre.z = patch_find(&w->shape, &flat, &pose).depth - depth;
    tyre_patch at_rest = patch_find(&w->shape, &flat, &pose);
    pose.velocity = (vec3){ state->speed, -state->speed * math_tan(state->angle), 0.0 };
    pose.omega = vec3_scale(state->speed * (1.0 + state->slip) / at_rest.radius_rolling, pose.axis);
    tyre_patch patch = patch_find(&w->shape, &flat, &pose);
    patch.patch_state[PATCH_DEPTH_RATE] = 0.0;
    double deflection[2] = { 0.0, 0.0 };
    wheel_steady(w, &patch, deflection, out);
}
