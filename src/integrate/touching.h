// SPDX-License-Identifier: MIT
// Contacts that live inside an implicit step: the forces that agree with the correction they make (contact.20).
#pragma once
#include "integrate/rule.h"

void touching_cut(stepper *s, arena *a);
// dq in `right` was found without them: what they add to it, in `product`. i: iteration, from 1, the first looks for
// places.
// pushed: what of the present place is the doing of contacts; NULL: not known.
bi_status touching_find(stepper *s, const tangent *t, const rule *f, int i, const double *pushed);
// The same of the forces found last, where the bodies are now.
void touching_hold(stepper *s, const tangent *t, const rule *f);
// Those forces on the coordinates.
void touching_efforts(stepper *s, double *out);
// The same, onto `right`.
bi_status touching_add(stepper *s, const tangent *t, const rule *f, int i);
// Of the forces found last, W, with these velocities.
double touching_power(stepper *s, const double *v);
// Only bodies without joints touch, as the last touching_find saw it, by springs that the step resolves: once is enough.
bool touching_is_of_loose(const stepper *s);
// All there is are bodies without joints, each with its sites.
bool touching_is_loose(const stepper *s);
// A mechanism of which nothing touched at the end of the last step, but what sleeps.
bool touching_is_quiet(stepper *s);
static inline bool has_touching(const stepper *s) { return s->d->plan.n_site > 0; }
