// SPDX-License-Identifier: MIT
// A touch as an event tells of it: what touched what, where, how hard, and what it cost (touch.10, touch.11).
#pragma once
#include "laws/contact/shape_contact.h"

// The numbers of contact_hit that an event watches; -1: none does.
int hit_compile(plan *p, int element);
// What a pair adds: force and moment on its two sides, about their frames, at the motion of the end of the step; NULL:
// it sleeps.
void hit_add(const contact_pair *p, const motion *at, double on[2][6], double points, hit_sum *sum);
// After a step: the touch goes on, begins or is over. `work`: that the contact has done since the start, J, where it
// counts it itself; NAN: it does not.
void hit_follow(const contact *c, const law_in *in, const hit_sum *sum, double work, double *memory);
