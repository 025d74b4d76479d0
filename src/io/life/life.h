// SPDX-License-Identifier: MIT
// What the counting of a run is made of.
#pragma once
#include "io/life/life_body.h"
#include <biela/io.h>

typedef struct {
    const life_body *body;
    const life_place *place;
    double damage, cycles, least, most;
    int history, number; // of the place, that does most damage; of all places
} life_sum;

struct bi_life {
    const char *path; // of the data, while they are read
    life_data data;
    int n_body;
    life_body *body; // (n_body)
    int64_t samples, n_sorted;
    double from, to;
    int n_sum;
    life_sum *sum; // (n_sum) the worst first, of the first n_sorted samples
};

bool life_sum_place(const bi_life *, const life_body *, const life_place *, life_sum *); // false: no memory
bool life_sort(bi_life *); // counts what waits and sorts; false: no memory
bi_life_place life_tell(const bi_life *, const life_sum *);
