// SPDX-License-Identifier: MIT
// Rooms of what lives: lists of pairs that are near, and of the places where they touch. They begin small and grow between
// steps, so that memory goes by what touches (contact.19).
#pragma once
#include "dynamics/dynamics.h"

// Sizes at the start of a run, of which nothing is known yet.
void rooms_begin(const dynamics *d, trays *t);
// Sizes that follow from what was lacking in the pool and among the places.
void rooms_enlarge(const dynamics *d, const coords *at, trays *t);
// At least so many numbers for part k of the pool, and one pair for each entry.
void rooms_need(trays *t, int k, int numbers, int pairs);

// Lays them out: the scratch, the places; then the pool of every state.
void rooms_cut(const dynamics *d, trays *t, arena *a);
double *rooms_cut_pool(const dynamics *d, const trays *t, arena *a);
// What is in a pool, in the scratch and in the list of places, from where it was (room_before) to where it is now.
void rooms_move_pool(const dynamics *d, const trays *t, const double *from, double *to);
void rooms_move(const dynamics *d, const trays *from, trays *to);

void pool_clear(const plan *p, coords *at); // all lists are empty
void pool_copy(const plan *p, const coords *from, coords *to);
// Numbers of a part that mean something.
static inline int pool_used(const double *part)
{
    return part[POOL_USED] > POOL_LIST ? (int)part[POOL_USED] : POOL_LIST;
}
