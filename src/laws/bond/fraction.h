// SPDX-License-Identifier: MIT
// Fractions of polynomials in named numbers, for equations in symbols.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { FRACTION_MOST_NAMES = 40, FRACTION_MOST_TERMS = 400 };
typedef struct {
    double factor;
    unsigned char power[FRACTION_MOST_NAMES];
} monomial;
typedef struct {
    int n;
    monomial *term; // in falling order of their powers
} polynomial;
typedef struct {
    polynomial over, under;
} fraction;

// Where they live: all at once are given back.
typedef struct {
    void **block;
    int n_block, cap_block;
    monomial spare;
    bool has_failed; // no memory, or one grew beyond all reading
} fractions;
void fractions_clear(fractions *f);

fraction fraction_number(fractions *f, double number);
fraction fraction_name(fractions *f, int name, int power); // power: 1 or -1
bool fraction_is_zero(fraction a);
fraction fraction_add(fractions *f, fraction a, fraction b);
fraction fraction_multiply(fractions *f, fraction a, fraction b);
fraction fraction_divide(fractions *f, fraction a, fraction b);
fraction fraction_negative(fractions *f, fraction a);
double fraction_value(fraction a, const double *value);
// "R1*R2/(R1 + R2)", appended to a text of this size. The sign is not written; it is given back.
double fraction_sign(fraction a);
// `of`: a factor behind, NULL: none.
void fraction_text(fraction a, const char *const *name, const char *of, char *text, size_t size);
