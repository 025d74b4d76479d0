// SPDX-License-Identifier: MIT
// How a place of contact changes when one of its bodies shifts or turns, and the tangent that follows (contact.9,
// contact.10).
#pragma once
#include "laws/contact/pair.h"
#include "laws/contact/roll.h"
#include "laws/contact/touch.h"

// How the places remembered in the two bodies lie now (contact.8).
typedef struct {
    vec3 hold_a, hold_b; // from the origins of the bodies, ground axes
    vec3 kept;           // stretch after the last step, carried along with b
    // a belt: what its speed adds to the velocity of a against b, its way since the last step to the stretch; the body
    // whose axes it turns with
    vec3 belt, travel;
    int belt_side;
    // of places that wander: their way on a since the last step, and the turn of a in b back to there
    vec3 gone;
    mat3 back;
} hold;

// What the wandering of a place adds to the stretch (contact.12).
static inline vec3 hold_wander(const hold *h)
{
    return vec3_scale(0.5, vec3_sub(h->gone, mat3_apply(h->back, h->gone)));
}

// The belt runs along the surface.
static inline vec3 hold_belt(const hold *h, vec3 normal)
{
    return vec3_add_scaled(h->belt, -vec3_dot(normal, h->belt), normal);
}

// Friction by the direction: the axis of it in ground axes, the body that carries it, and how the force changes with
// grain_side (touch.6).
typedef struct {
    vec3 axis;
    int carrier;
    mat3 by_side;
} grain;

// The unit vector across normal and axis; zero where they are parallel: then friction is alike in all directions.
vec3 grain_side(vec3 axis, vec3 normal);

// How everything at a place changes as one number of a body does (contact.10).
typedef struct {
    vec3 normal, point, velocity, stretch;
    double depth;
} nudge;

// A place with its middles: of a the centre of the sphere or the corner itself, of b the centre of a sphere.
typedef struct {
    const pair_motion *m;
    const pair_place *place;
    const hold *h;
    vec3 centre[2];
    const grain *grain; // NULL: friction is alike in all directions
    const mat3
        *bend; // how the lowest place of a goes as a and the normal turn; NULL: it stays where it is on a
    // moments against rolling; NULL: none
    const roll_motion *turned;
    const roll_moment *roll;
} spot;

spot spot_of(const pair_motion *m, const pair_place *place, const hold *h);
// The change when body `side` shifts by `shift` and turns by `turn` about its origin.
nudge nudge_of(const spot *s, int side, vec3 shift, vec3 turn);
// The change of grain_side with that.
vec3 nudge_side(const spot *s, const nudge *d, int side, vec3 turn);
// Minus the change of the place's force and moment, onto K and C of the pair.
void nudge_add_tangent(const contact_pair *p, const spot *s, const touch_force *f, double *K, double *C);
