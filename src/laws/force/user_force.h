// SPDX-License-Identifier: MIT
#pragma once
#include "state/law.h"

// Laws of a user's callbacks: what is wrong with the numbers that they give.

// Of differences, of numbers of the order of one: the cube root of the rounding is best for central ones.
#define USER_STEP 6e-6

// Compares the tangents that callbacks give with differences, at the present motion; mistakes go to the report by name.
void user_force_check(const plan *p, const void *items, int count, const law_in *in, bi_report *report);
void user_law_check(const plan *p, const void *items, int count, const law_in *in, bi_report *report);
// The first number that is none, as "effort[2] of its callback is nan"; the element, or -1: all are numbers.
int user_force_lost(const void *items, int count, const law_in *in, char *text, size_t size);
int user_law_lost(const void *items, int count, const law_in *in, char *text, size_t size);

// What a callback gives as a tangent, and differences to both sides (n x n each): beside a kink any value between them
// is right.
typedef struct {
    const char *name; // K or C
    int element, n;
    const double *given, *ahead, *behind;
    const char *hint; // what else may be done
} user_tangent;
void user_tangent_compare(const plan *p, const user_tangent *t, bi_report *report);
