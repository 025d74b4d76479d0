// SPDX-License-Identifier: MIT
// Directions in which a mechanism can still move, and their names.
#pragma once
#include "sim/system.h"

// Directions of the present position that no row resists: an orthonormal basis of the null space of G, whose gradients
// are on the trays. Rows of Z have length `count`. Release with directions_clear.
typedef struct {
    int n, count;
    double *Z; // (n x count)
} directions;
enum { DIRECTIONS_TEXT = 700 };

bi_status directions_find(const bi_sim *sim, directions *out); // BI_FULL: too large for full matrices
void directions_clear(directions *d);

// How many of them are links that spin about the line through their two balls. The state shown is lost.
int directions_idle(bi_sim *sim, const directions *d);

// Names of as many joint coordinates (bodies where no joint tells it) as there are directions, which together describe
// them: "crank.angle, slide.position". The state shown is lost.
void directions_name(bi_sim *sim, const directions *d, char text[DIRECTIONS_TEXT]);
