// SPDX-License-Identifier: MIT
// What speaks against the step of a contact, for the verdict.
#pragma once
#include "laws/contact/shape_contact.h"

// The same of a touch that was settled inside the step and may be over at its end: forces of several weights tell.
void doubt_settled(const contact *c, const contact_pair *p, const law_in *in);
// The same before the step is accepted, of a pair that did not touch at its start.
void doubt_hit(const contact *c, const contact_pair *p, const law_in *in);
// What speaks against a place: its depth, how it began, and an axis of friction that is not along the surface.
void doubt_place(const contact *c, const contact_pair *p, const pair_motion *m, const touch_values *v,
                 const touch_motion *t, double before, const law_in *in);
// Of a pair that touches: how fast errors grow by its tumbling.
void doubt_tumbling(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in);
// What speaks against the step of a pair that does not touch: it may have passed, or fallen through the ground.
void doubt_apart(const contact *c, const contact_pair *p, const law_in *in);
// The same of one that did not touch before, and has so many places now.
void doubt_beginning(const contact *c, const contact_pair *p, const law_in *in, int count);
// The same of one that touched before: where a place is deeper than both are thick, by the way since the last step,
// they have come from the other side. Soft springs let fast rods through while they touch.
void doubt_crossing(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                    const pair_place *place, int count);
// Of a pair that touched and is apart now: its middle has changed sides, seen from where they touched.
bool doubt_has_crossed(const contact_pair *p, const pair_motion *m, const double *own);
