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

// The wheel at a depth: its height is that of a wheel that just touches, less the depth and what its radius grows; its
// spin gives the slip against the radius with which it then rolls.
static tyre_patch patch_at(const wheel *w, const bi_tyre_state *state, double depth)
{
    enum { ROUNDS = 40 };
    tyre_ground flat = { .point = { 0.0, 0.0, 0.0 }, .normal = { 0.0, 0.0, 1.0 }, .friction = 1.0 };
    double sine, cosine;
    math_sincos(state->camber, &sine, &cosine);
    tyre_pose pose = { .axis = { 0.0, cosine, sine } };
    pose.centre.z = patch_find(&w->shape, &flat, &pose).depth - depth;
    tyre_patch patch = patch_find(&w->shape, &flat, &pose);
    pose.velocity = (vec3){ state->speed, -state->speed * math_tan(state->angle), 0.0 };
    // a radius that grows with the spin hardly does: each round leaves a hundredth at the speed of a race
    for (int k = 0; k < ROUNDS; k++) {
        double before = patch.radius_rolling;
        pose.centre.z += patch.depth - depth;
        pose.omega = vec3_scale(state->speed * (1.0 + state->slip) / before, pose.axis);
        patch = patch_find(&w->shape, &flat, &pose);
        if (patch.radius_rolling == before && patch.depth == depth) {
            break;
        }
    }
    patch.patch_state[PATCH_DEPTH_RATE] = 0.0;
    return patch;
}

static double load_at(const wheel *w, const bi_tyre_state *state, double depth, bi_tyre_force *out)
{
    double deflection[2] = { 0.0, 0.0 };
    tyre_patch patch = patch_at(w, state, depth);
    wheel_steady(w, &patch, deflection, out);
    return out->fz;
}

// The load may depend on more than the depth: the secant through the last two finds the depth that carries it.
void wheel_test(const wheel *w, const bi_tyre_state *state, bi_tyre_force *out)
{
    enum { ROUNDS = 30 };
    static const double tight = 1e-13;
    double depth = depth_for(&w->spring, state->load), load = load_at(w, state, depth, out);
    double before = 0.0, less = 0.0;
    for (int k = 0; k < ROUNDS && fabs(load - state->load) > tight * state->load && load != less; k++) {
        double next = depth + (state->load - load) * (depth - before) / (load - less);
        before = depth;
        less = load;
        depth = next > 0.0 ? next : 0.5 * depth;
        load = load_at(w, state, depth, out);
    }
}
