// SPDX-License-Identifier: MIT
// The force at one place of contact, and its derivatives: normal law and friction that sticks (contact.2 ..
// contact.10).
#pragma once
#include "math/mat3.h"

typedef enum { TOUCH_KELVIN_VOIGT, TOUCH_HERTZ } touch_law;
// Of friction: sticks or slides and remembers which (touch.4), or something between by the speed (contact.4).
typedef enum { TOUCH_COULOMB, TOUCH_BLENDED } touch_rubbing;

// What the surfaces are like now: inputs may change it between steps.
typedef struct {
    touch_law law;
    double stiffness;   // N/m; Hertz: N/m^exponent
    double damping;     // N s/m, Kelvin-Voigt
    double hysteresis;  // factor on the damping while separating
    double smooth;      // m, depth over which the damping comes in; 0: at once
    double exponent;    // Hertz
    double dissipation; // s/m, Hertz: F = k d^n (1 + dissipation d'); 0: from the restitution
    double loss;        // Hertz: dissipation times the speed of impact (restitution_loss)
    double limit;       // N; INFINITY: none
    touch_rubbing rubbing;
    double friction, sliding;                           // from rest, sliding
    double viscous;                                     // N s/m
    double stick_stiffness, stick_damping, stick_speed; // of the stick spring; m/s, Coulomb: INFINITY
    double
        give; // of the elastic force while separating: 1, or less where more would be given than was stored
    double held;       // of the elastic force in any case: 1, or less at the end of what was stored
    double held_slope; // how fast that falls with the speed of separating, s/m
    double kept;       // what the spring keeps of its limit while its anchor follows
    bool is_set;       // the anchor is set back to that, not only dragged
    double skew;       // friction across an axis over friction along it, minus 1 (touch.6)
} touch_values;

typedef struct {
    double depth;    // m, positive
    vec3 normal;     // towards A
    vec3 velocity;   // of A against B
    vec3 stretch;    // of the stick spring, from the anchor to A
    vec3 side;       // unit vector across normal and axis of friction; zero: there is none
    bool is_held;    // there is an anchor
    bool is_sliding; // the shapes slide after the last step, Coulomb
    double impact;   // speed of the first touch, m/s; 0: not known yet
    double step;     // s, length of the implicit step; 0: none
    bool is_new;     // it touches first in this step
    bool is_spent;   // the caller looks after the energy
} touch_motion;

typedef struct {
    double push;      // normal force, N
    double elastic;   // its part that is stored
    vec3 force;       // on A, N
    vec3 rubbing;     // its part across the normal
    double share;     // of sticking, 0 to 1
    bool is_slipping; // the stick spring is at its limit
    vec3 slip;        // velocity across the normal
    // derivatives of the force
    mat3 by_velocity, by_stretch, by_normal;
    vec3 by_depth;
} touch_force;

// The force alone, or with its derivatives.
typedef enum { TOUCH_FORCE, TOUCH_SLOPES } touch_want;
touch_force touch_eval(const touch_values *v, const touch_motion *m, touch_want want);
// Friction alone, of a stretch and a slip across the normal: force and slopes.
typedef struct {
    vec3 force;
    bool is_slipping;
    mat3 by_stretch, by_slip;
    vec3 by_load;
} touch_rubbed;
touch_rubbed touch_rub(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 slip, double load,
                       touch_want want);
// A displacement or a velocity as friction sees it: longer in the direction in which it is larger (touch.6).
static inline vec3 touch_skewed(const touch_values *v, const touch_motion *m, vec3 x)
{
    return v->skew != 0.0 ? vec3_add_scaled(x, v->skew * vec3_dot(m->side, x), m->side) : x;
}
// The same as a matrix, and of all of the motion.
mat3 touch_skew(const touch_values *v, const touch_motion *m);
touch_motion touch_seen(const touch_values *v, const touch_motion *m);
// How the force changes with `side`, only with skew.
mat3 touch_by_side(const touch_values *v, const touch_motion *m);
// The change of touch_skewed as `side` changes by `by`.
vec3 touch_skew_turned(const touch_values *v, const touch_motion *m, vec3 x, vec3 by);
// The normal force alone: against the closing speed `rate`, with its slopes.
double touch_push(const touch_values *v, const touch_motion *m, double rate, double *by_depth,
                  double *by_rate);
double touch_elastic(const touch_values *v, const touch_motion *m); // its part that is stored, N
double touch_energy(const touch_values *v, double depth);           // J, stored at the depth
// The stretch that the stick spring keeps after a step.
vec3 touch_follow(const touch_values *v, const touch_motion *m, const touch_force *f);
// The limit of friction over the load (touch.4), and how far a damper may push beyond that while it sticks (touch.5):
// (zeta - sqrt(zeta^2 - 1))^2, zeta = 2.
double touch_limit(const touch_values *v, const touch_motion *m);
static const double touch_beyond = 0.0717967697244908;
// How large the force of spring and damper across the normal may be, N, at a stretch and against their `pull`.
double touch_most(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 pull, double load);
// What the stick spring keeps of the load while the contact slides.
double touch_kept(const touch_values *v, const touch_motion *m);
// Its stick spring is as long as it can be while the contact slides: it takes up nothing of the sliding, since its
// anchor follows. After a step its stretch is just what it keeps.
bool touch_is_at_limit(const touch_values *v, const touch_motion *m, const touch_force *f);
// Speed of the first touch, with a floor.
double touch_impact(double rate);
