// SPDX-License-Identifier: MIT
// Optimal preview control of a linear car (signals.13): the constant steering angle that leaves least between the path
// ahead and where the car would go. C. C. MacAdam, An optimal preview control for linear systems, J. Dyn. Syst. Meas.
// Control 102 (1980) 188.
#pragma once

// The car as its driver knows it: one track.
typedef struct {
    double mass, inertia;    // kg, kg m2 about the vertical
    double front, rear;      // m, axles before and behind the centre of mass
    double stiff_f, stiff_r; // N/rad of each axle, across
} preview_car;

// Across the line on which the car points now: where it is, its velocity, the angle it points and its rate.
typedef struct {
    double y, v, yaw, rate;
} preview_state;

// After `time` with the speed and the steering angle, rad.
preview_state preview_go(const preview_car *car, double speed, double angle, double time, preview_state from);

enum { PREVIEW_POINTS = 24 };
// target: where the path is across that line at PREVIEW_POINTS times, the first after `time` / PREVIEW_POINTS and the
// last after `time`.
double preview_steer(const preview_car *car, double speed, double time, preview_state from,
                     const double target[PREVIEW_POINTS]);
