// SPDX-License-Identifier: MIT
// Force of a spring and damper against elongation and its rate (laws.1, laws.2): constants or tables.
#pragma once
#include "math/table.h"

typedef enum { PULLS_AND_PUSHES, ONLY_PULLS, ONLY_PUSHES } characteristic_side;
typedef struct {
    double stiffness, damping, preload;
    const table *table, *damping_table; // NULL: the constants; borrowed from the model
    characteristic_side only;
} characteristic;

typedef struct {
    double force, elastic;     // all of it; without damping. Positive pulls
    double by_longer, by_rate; // derivatives of the force
    double potential;          // J
    double work;               // per unit of time, of what is not in the potential
} characteristic_state;

characteristic_state characteristic_at(const characteristic *c, double longer, double rate);
