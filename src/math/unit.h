// SPDX-License-Identifier: MIT
// Units of measurement: text such as `kN/m` to a factor into SI and a dimension.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exponents of the SI base units. An angle is dimensionless.
typedef struct {
    int8_t kg, m, s, A, K;
} dimension;

// Enough for the text of any dimension.
enum { DIMENSION_TEXT_SIZE = 48 };

// Reads a unit without blanks, products and quotients from left to right: `deg`, `kg*m^2`, `km/h`, `1/s`, `%`. factor:
// SI value of one such unit. False, and nothing written, when the text is not a unit.
bool unit_parse(const char *text, size_t length, double *factor, dimension *dim);

// Some unit words are also good names: `t`, `in`, `ft`. Which of them the word is, with or without a prefix; -1: none.
int unit_late(const char *word, size_t length);
const char *unit_late_name(int k); // NULL: none

// The k-th unit word, prefixes included; false: there are no more.
bool unit_list(int k, char *name, size_t size);

// What to write instead of an unknown unit: ", did you mean 'kN' (1000 N)?"; "" when there is nothing honest to say.
// wanted: the dimension that is asked for, to which every suggestion then keeps; NULL: any.
void unit_advise(const char *word, size_t length, const dimension *wanted, char *buffer, size_t size);

bool dimension_equal(dimension a, dimension b);
bool dimension_is_none(dimension a);

// out = a * b^exponent. False, and nothing written, when an exponent leaves the range of the type.
bool dimension_multiply(dimension a, dimension b, int exponent, dimension *out);

// out = square root of a. False, and nothing written, when an exponent is odd.
bool dimension_root(dimension a, dimension *out);

// Writes e.g. `kg*m^2/s^2`, or `1` when dimensionless. Returns the buffer.
const char *dimension_text(dimension dim, char *buffer, size_t size);

// How unlike two words are, for suggestions: 1 per changed case, 3 per letter more or less, 4 per other letter. Only
// the first 31 letters of a word are compared.
int word_distance(const char *a, size_t a_length, const char *b, size_t b_length);

// The distance of two words of these lengths that share no letter.
int word_distance_unrelated(size_t a_length, size_t b_length);
