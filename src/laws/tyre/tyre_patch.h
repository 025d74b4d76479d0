// SPDX-License-Identifier: MIT
// Where a wheel touches the ground and how that place moves (tyre.1 .. tyre.7): a disc whose rim has an elliptic
// section, against the plane that touches the ground below it.
#pragma once
#include "laws/tyre/dual.h"
#include "math/expr.h"
#include "math/mat3.h"
#include <stdbool.h>

// How far a tyre rolls per radian, by its load over a nominal one (tyre.59); all zero: radius less a third of the depth.
typedef struct {
    double growth;      // m s2, of the radius with the square of the spin
    double by_depth[2]; // 1/m, 1/m2: load over nominal is (1 + by_spin |spin|)(by_depth0 d + by_depth1 d^2)
    double by_spin;     // s
    double deep, bend, sink; // m, 1, m: less by deep atan(bend load) + sink load
} tyre_rolling;

// The wheel as the ground sees it.
typedef struct {
    double ring;          // m, radius of the circle that carries the section
    double radial, axial; // m, semi-axes of the section in the plane of the wheel and along its axis
    double rolling;       // m, rolling radius; 0: outer radius less a third of the depth
    bool at_rim; // forces act at the deepest point of the undeformed tyre, whose distance from the axis rolls
    tyre_rolling law;
} tyre_shape;

// Of the depth, by which the rolling radius is smaller than the outer one (TMeasy).
static const double patch_sinking = 1.0 / 3.0;

// The rolling radius at a depth and a spin, and its slopes.
typedef struct {
    double r, by_depth, by_spin; // m, 1, m s
} rolling_radius;
rolling_radius patch_rolling(const tyre_shape *shape, double depth, double spin);

static inline double tyre_radius(const tyre_shape *s) { return s->ring + s->radial; }

// The ground near the wheel: a plane, and how it tilts along a smooth surface.
typedef struct {
    vec3 point, normal;
    double friction; // factor on the friction of the tyre
    double gain;     // of the depth along the normal, and of the normal force: 1 but on edges (tyre.64)
    vec3 d_gain, d_gain_by_turn;
    mat3 d_normal; // change of the normal per change of the wheel centre; zero on a plane
    mat3 d_normal_by_turn;
} tyre_ground;

typedef struct {
    vec3 centre, velocity, omega, axis; // of the wheel
    jet *room;                          // to evaluate a height (signals.room)
} tyre_pose;

typedef struct {
    tyre_pose at;
    vec3 n, e, u;   // normal; axis; away from the ground in the plane of the wheel
    double c, s, q; // cosine and sine between axis and normal; half height of the section
    vec3 rim, arm;  // from the centre: deepest point of the undeformed tyre; the same lifted onto the ground
    vec3 along, side; // unit directions in the ground: x and y of the tyre
    double gain;      // of the ground
    double depth, radius_loaded, radius_rolling, spin;
    rolling_radius rolling;      // its slopes, where neither it is given nor the rim rolls
    double by_growth;            // m s, of the depth with the spin
    vec3 rim_velocity, velocity; // of the material points there
    double patch_state[N_PATCH];
} tyre_patch;

tyre_patch patch_find(const tyre_shape *shape, const tyre_ground *ground, const tyre_pose *at);

// A small change of the wheel's place, orientation and rates.
typedef struct {
    vec3 place, turn, velocity, omega;
} patch_nudge;

// How all that belongs to the patch changes with it, to first order.
typedef struct {
    vec3 n, e, arm, along, side;
    double gain;
    double lever; // radius_loaded - radius_rolling
    double patch_state[N_PATCH];
} patch_change;
patch_change patch_vary(const tyre_shape *shape, const tyre_ground *ground, const tyre_patch *p,
                        const patch_nudge *by);
// How what the tyre feels changes with velocity and omega alone. Gives the change of the rolling radius, m.
double patch_vary_rate(const tyre_patch *p, const patch_nudge *by, double patch_state[N_PATCH]);
