// SPDX-License-Identifier: MIT
// The Magic Formula, versions 5.2, 6.1 and 6.2 (tyre.45 .. tyre.58): steady forces and moments of a tyre from slips,
// camber, load, turn slip and pressure. Compiled twice, as the laws of kinds/ are.
#pragma once
#include "laws/tyre/dual.h"
#include "laws/tyre/wheel.h"
#include <biela/tyre.h>
#include <stdbool.h>

// What the formula asks; axes of the tyre: x along, y left, z up.
typedef struct TYRE_INSTANCE(magic_state) {
    dual kappa, tan_alpha,
        sin_gamma;    // slip; tangent of the angle: velocity to the left; leaning to the right
    dual load;        // N
    dual speed;       // m/s, of the contact along; its sign says where it rolls
    dual rolls;       // that sign for the rolling resistance, 0 at standstill
    dual turn_slip;   // 1/m, yaw rate over speed
    dual camber_spin; // 1/m, spin times sine of the camber over speed
    double friction;  // factor of the ground
    bool wants_zero;  // the forces without slip are asked for, too
} magic_state;

typedef struct TYRE_INSTANCE(magic_force) {
    dual fx, fy, mx, my, mz; // N, N m
    dual zero_x, zero_y;     // N: the same without kappa, without alpha
    dual mu_x, mu_y;         // friction, both directions
    dual slope_x, slope_y;   // N, of the curves at no slip: K_xk, K_ya
} magic_force;

// The set of a definition with its defaults where the version lacks a key.
typedef struct {
    bi_magic_formula set;
    bool is_52, has_x, has_y, is_combined, has_turn_slip, is_clamped;
    double dpi;               // (p - p0) / p0
    double pressure_roll;     // (p / p0)^QSY8
    double pressure_vertical; // factor on the stiffness along the normal
} magic_formula;

magic_formula magic_make(const bi_magic_formula *set, bool is_clamped);
// The spring along the normal, N/m at nominal pressure, and how far it rolls (tyre.59).
void magic_wheel(const magic_formula *f, double stiffness, tyre_spring *spring, tyre_rolling *rolling);

// How forces follow: relaxation lengths, m; slip stiffnesses, N; slips at which a straight curve would reach the friction.
typedef struct TYRE_INSTANCE(magic_lag) {
    dual sigma[2], stiffness[2], critical[2];
} magic_lag;
#define magic_relax TYRE_INSTANCE(magic_relax)
// (tyre.60); of the state load, camber, turning and friction count.
void magic_relax(const magic_formula *f, const magic_state *state, magic_lag *out);
#define magic_softer TYRE_INSTANCE(magic_softer)
// The part of the spring along the normal that forces along the ground take away (tyre.59).
dual magic_softer(const magic_formula *f, dual depth, dual fx, dual fy);

#define magic_eval TYRE_INSTANCE(magic_eval)
void magic_eval(const magic_formula *f, const magic_state *state, magic_force *out);
