// SPDX-License-Identifier: MIT
// Inside of expr: the place in the text that is being read, and the reading of words and numbers.
#pragma once

#include "math/expr/expr_code.h"

// State of one parse.
typedef struct {
    const char *text;
    int at;          // next character
    int length;      // of the text
    expr *out;       // being written
    expr_word *word; // so far (n_word)
    int n_word;
    expr_lookup *lookup;
    expr_callees *callees;
    void *ctx;
    expr_error *error;
    bool has_failed;
    int nesting;                     // levels open
    int stack;                       // values on the stack after the code so far
    int names_used;                  // characters of out->names
    unsigned late_units;             // of unit_late that were read as units, by bits
    char digits[EXPR_MAX_TEXT + 16]; // scratch of expr_scan_number
} expr_parser;

// Keeps the first error and jumps to the end of the text, so that every loop of the parser ends by itself.
void expr_scan_fail(expr_parser *p, int column, const char *format, ...);

// The same, for a character at p->at that does not belong there: "<what>, not 'c'".
void expr_scan_fail_here(expr_parser *p, const char *what);

void expr_scan_blanks(expr_parser *p);

// Skips blanks and then the character, if it is there.
bool expr_scan_accept(expr_parser *p, char c);

bool expr_scan_is_digit(char c);

// Length of the dotted name at the place, 0 when there is none.
int expr_scan_name(const expr_parser *p, int at);

// True when the next character after the place and blanks is an opening parenthesis.
bool expr_scan_is_call(const expr_parser *p, int at);

// Reads the number at p->at with its unit, if any. value: in SI.
expr_dim expr_scan_number(expr_parser *p, double *value);

// Reads the whole text into the words of p.
void expr_parse_text(expr_parser *p);
