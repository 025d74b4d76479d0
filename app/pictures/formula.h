// SPDX-License-Identifier: MIT
// Equations in symbols as LaTeX and as MathML.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef enum { FORMULA_TEXT, FORMULA_LATEX, FORMULA_MATHML } formula_form;
// One side of an equation such as "-R*L.p/L + R2*E/(R1 + R2)", sums, products, quotients and powers of names and numbers.
void formula_write(FILE *to, formula_form form, const char *text);
// "L.p" alone, and d(L.p)/dt
void formula_name(FILE *to, formula_form form, const char *name);
void formula_rate(FILE *to, formula_form form, const char *name);
// Other words, with what is special there escaped.
void formula_words(FILE *to, formula_form form, const char *text);
