// SPDX-License-Identifier: MIT
// What the forces of a step would add to the energy, which they must not (contact.28).
#pragma once
#include "laws/contact/crowd/direction.h"

// Where the forces w take the sites, in `out`; by: a part of them.
void spend_move(const places_problem *p, const place_move *w, double by, place_move *out);
// What a group adds with that part of its forces where they take it, all that goes to and fro, and what springs along the
// normal hold, J; patches that give more than they have stored are told to withhold it.
typedef enum { SPEND_LOOK, SPEND_WITHHOLD } spend_manner;
typedef struct {
    double gain, all, held;
} spend_sum;
spend_sum spend_of(place_list *list, const places_problem *p, const place_move *at, double by,
                   spend_manner manner);
