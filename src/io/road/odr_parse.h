// SPDX-License-Identifier: MIT
// What the parts of a road of OpenDRIVE say.
#pragma once
#include "io/road/odr.h"

// All of them; mistakes are told.
void odr_parse_road(odr *o, const xml_element *road);
// n items and one more, zero, that live as long as the road is read.
void *odr_room(odr *o, int n, size_t item);
// The children of a name as cubics from their station on; keys: of the four coefficients, NULL: 0; takes: which count, NULL: all.
odr_curve odr_cubics(odr *o, const xml_element *from, const char *name, const char *station, double shift,
                     const char *const keys[4], bool (*takes)(const xml_element *, const void *),
                     const void *data);
