// SPDX-License-Identifier: MIT
// How much a hit takes away, so that the restitution asked for comes out: damping factors by name (contact.7,
// touch.1 .. touch.3).
#pragma once

// In the order of the key `restitution_law`.
typedef enum {
    RESTITUTION_EXACT,
    RESTITUTION_HUNT_CROSSLEY,
    RESTITUTION_LANKARANI_NIKRAVESH,
    RESTITUTION_FLORES,
    RESTITUTION_HERBERT_MCWHANNELL,
    RESTITUTION_LEE_WANG,
    RESTITUTION_GONTHIER,
    RESTITUTION_HU_GUO,
    RESTITUTION_COUNT
} restitution_law;

// Dissipation of a Hertzian contact times the speed of its first touch, for a restitution of 0 to 1.
double restitution_loss(restitution_law law, double restitution);

// By how much the speed of the first touch must seem larger so that weight does not change what comes back, over
// a d/v0^2: a the acceleration into the other body, d the depth that a hit without loss would reach (touch.2).
double restitution_weight(double restitution, double exponent);

// Damping of a Kelvin-Voigt contact over the critical one, for a restitution from restitution_least to 1.
double restitution_ratio(double restitution);
extern const double restitution_least; // exp(-2), of critical damping
