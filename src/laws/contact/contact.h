// SPDX-License-Identifier: MIT
// Contact laws. Each kind is one file; dynamics/law_list.h lists them.
#pragma once
#include "state/law.h"

extern const law_kind contact_kind;
extern const bi_kind contact_schema; // of contact_kind

// Of the contacts between shapes: every pair that is near, of which one body may sleep (its memory of sleep; -1: that
// one never does). Nothing is said of pairs with the ground, or what is fixed to it: that does not come and go.
typedef void (*contact_meet)(double *memory, int a, int b, void *to);
// After a try of a step of length h, before its commit: shapes touch or have passed that moved too far in it.
bool contact_rushes(const void *items, int count, const law_in *in, double h);
// Notes of touches that began in the step, before it is accepted, whether it follows them.
void contact_hits(const void *items, int count, const law_in *in);
void contact_near(const void *items, int count, const law_in *in, double h, double *memory, contact_meet meet,
                  void *to);

// After a step that found the forces of those that live beside the others, before its commit: the readings that
// signals follow.
void contact_tell(const void *items, int count, const law_in *in, double *scalar);
// The commit of those that found no room in it, once they have more.
void contact_commit_rest(const void *items, int count, const law_in *in, double *memory);
// What pairs that live keep in the scratch, from rooms that have become too small to larger ones.
void contact_move(const void *items, int count, const void *from, const pool_room *before, void *to,
                  const pool_room *now);

// The present touch of a contact that an event watches, or the last one; NULL: none does. In its memory, by HIT_...
enum {
    HIT_TOUCHES, // 1 after a step that ended with a touch, else 0
    HIT_FORCE,   // the largest so far, N
    HIT_ENERGY,  // taken from the bodies so far, J; what springs hold is given back
    HIT_POWER,   // given to the bodies at the end of the step, W
    HIT_WORK,    // J since the start, of contacts that count it
    HIT_TIME,    // of that end, s
    HIT_THINGS,  // then those that touch or have just parted, by THING_...
};
// Two things that touch each other by any of their shapes: numbers of model_shape, 0: nobody is here.
enum { THING_A, THING_B, THING_TOUCHES, THING_FORCE, THING_ENERGY, THING_POWER, THING_NOW, THING_NUMBERS };
enum { THINGS_MOST = 8, CONTACT_HIT_NUMBERS = HIT_THINGS + THINGS_MOST * THING_NUMBERS };
const double *contact_hit(const void *items, int count, int element, const double *memory);
// Its deepest place at the motion given; `thing`: of these two, where they are not 0.
typedef struct {
    const model_shape *shape[2]; // of the lists a and b
    vec3 point, normal;          // ground axes; towards a
    double depth;
} contact_spot;
bool contact_where(const void *items, int count, int element, const int thing[2], const law_in *in,
                   contact_spot *out);
// Every place that touches at the motion given, and the force of its law there on the shape of the list a.
void contact_touches(const void *items, int count, const model_shape *shapes, const law_in *in,
                     bi_touch_observes *tell, void *data);

// Readings of an element of the kind "contact", in this order.
enum {
    CONTACT_FX, // force on the bodies of a, N
    CONTACT_FY,
    CONTACT_FZ,
    CONTACT_NORMAL,   // sum of the normal forces, N
    CONTACT_POINTS,   // that touch
    CONTACT_REGIONS,  // of touching points
    CONTACT_DEPTH,    // largest, m
    CONTACT_STICK,    // share of the normal force on points that stick, 0 to 1
    CONTACT_SLIPPING, // and on points that slip; both 0: apart
    CONTACT_SLIP,     // largest speed across the normal, m/s
    CONTACT_RELEASED, // 1: nothing touches any more
    CONTACT_X,        // where it pushes: mean of the points, weighted by their normal forces, ground axes, m
    CONTACT_Y,
    CONTACT_Z,
    CONTACT_READINGS
};
