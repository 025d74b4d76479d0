// SPDX-License-Identifier: MIT
// What two surfaces that touch are like: the values of a contact as its keys and inputs give them.
#pragma once
#include "laws/contact/roll.h"
#include "laws/contact/touch.h"
#include "state/law.h"

typedef struct {
    touch_values values; // what does not change during a run
    bi_expr stiffness, damping, friction, limit;
    bi_expr stick_stiffness, stick_damping, stick_speed; // unset: from stick_time
    double sliding;                                      // over friction
    double stick_time;                                   // s
    double weight;                                       // m/s2
    double damping_ratio; // of Kelvin-Voigt, from its restitution; 0: damping is given
    double easing;        // of Hertz under weight (touch.2)
    vec3 gravity;         // m/s2
    bool is_per_area;
    bi_expr belt;             // m/s, of the surface of b; unset: it does not move
    vec3 belt_axis;           // unit vector in the axes of the body of b
    double rolling, spinning; // m
    vec3 friction_axis;       // unit vector in the axes of the body of a; only with skew
} surface;

// What is seldom an expression is one.
static inline bool surface_has_more(const surface *s)
{
    return s->limit.i > 0 || s->stick_stiffness.i > 0 || s->stick_damping.i > 0 || s->stick_speed.i > 0;
}

void surface_compile(plan *p, int element, const bi_contact_def *d, surface *out);

// An expression of the contact now, not below zero; one that is unset is 0.
double surface_signal(const law_in *in, bi_expr e);

// One place of it.
typedef struct {
    double mass;     // kg that it holds
    double whole;    // kg, of the two bodies as they meet
    double area;     // m2
    double slippery; // factor on its friction
} surface_place;
// What changes during a run: springs, dampers and limits.
typedef struct {
    double stiffness, damping, friction, sliding, stick_stiffness, stick_damping;
} surface_strength;
surface_strength surface_strength_at(const surface *s, const law_in *in, const surface_place *at);
touch_values surface_values(const surface *s, const law_in *in, const surface_place *at);

// Something resists rolling or spinning.
static inline bool surface_rolls(const surface *s) { return s->rolling > 0.0 || s->spinning > 0.0; }
// Of a place that holds `mass`, of bodies whose radius of gyration is about `radius` (touch.8).
roll_values surface_roll(const surface *s, const law_in *in, double mass, double radius);

// How fast a place that holds `mass` touched first, m/s, or seems to have under its weight; stands: 1 where b does not
// move, -1: a, 0: both move.
double surface_impact(const surface *s, const touch_values *v, const touch_motion *m, double mass,
                      double stands);
