// SPDX-License-Identifier: MIT
// One iteration of Newton's method over all places: stiffness of pairs and bodies, and the direction to go (contact.21).
#pragma once
#include "base/lanes.h"
#include "laws/contact/crowd/settle.h"

#define FOR_ACTIVE(p, s) for (int at_ = 0, s; at_ < (p)->n_active && (s = (p)->active[at_], true); at_++)

WIDE place_move move_none(void) { return (place_move){ wide3_zero(), wide3_zero() }; }

WIDE place_move move_more(place_move a, double by, place_move b)
{
    return (place_move){ a.lin + by * b.lin, a.ang + by * b.ang };
}

WIDE double move_work(place_move f, place_move x)
{
    wide3 sum = f.lin * x.lin + f.ang * x.ang;
    return sum[0] + sum[1] + sum[2];
}

// Of a free body.
WIDE place_move move_weighed(const place_site *s, place_move x)
{
    return (place_move){ s->mass * x.lin, wide_mat3_apply(&s->inertia, x.ang) };
}

// How the first of a pair moves against the second at their first place.
WIDE place_move move_between(const place_pair *at, const place_move *a, const place_move *b)
{
    place_move d = move_none();
    if (a) {
        d.lin = a->lin + wide3_cross(a->ang, at->arm[0]);
        d.ang = a->ang;
    }
    if (b) {
        d.lin -= b->lin + wide3_cross(b->ang, at->arm[1]);
        d.ang -= b->ang;
    }
    return d;
}

// An effort there: on the sites of both.
WIDE void move_push(const place_pair *at, place_move by, place_move *on)
{
    if (at->site[0] >= 0) {
        place_move *to = &on[at->site[0]];
        to->lin += by.lin;
        to->ang += by.ang + wide3_cross(at->arm[0], by.lin);
    }
    if (at->site[1] >= 0) {
        place_move *to = &on[at->site[1]];
        to->lin -= by.lin;
        to->ang -= by.ang + wide3_cross(at->arm[1], by.lin);
    }
}

// Stiffness of all pairs, and the inverses of the free bodies with that around them.
void stiffness_find(place_list *list, const places_problem *p);
// y = A x over a part that is no free body.
void direction_move_part(const places_problem *p, const mobile_part *part, const place_move *x,
                         place_move *y);
// How large what is open in work[0] is: r . B r with those inverses, and as they move without contacts of other parts.
double direction_size(const places_problem *p);
// The direction in work[2], with the efforts that go with it in work[3], of sites that are no free bodies; spoils work[0].
// open: of the direction_size just before. Gives the iterations.
int direction_find(const place_list *list, const places_problem *p, double open);
