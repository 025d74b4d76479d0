// SPDX-License-Identifier: MIT
// Texts that are numbers: short ones are read without memory of their own.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "math/expr/expr_scan.h"

enum { SHORT_TEXT = 120 }; // characters of a number that is read on the stack

// A text without variables is one constant when it has been read: short ones need no memory.
static bool number_of_short(const char *text, size_t length, expr_lookup *lookup, expr_callees *callees,
                            void *ctx, expr_number *number, expr_error *error)
{
    char names[SHORT_TEXT + 2];
    expr_word word[SHORT_TEXT + 1];
    expr_variable variable[SHORT_TEXT / 2 + 1];
    expr out = { .names = names, .variable = variable };
    expr_parser p;
    memset(&p, 0, offsetof(expr_parser, digits));
    p.text = text;
    p.length = (int)length;
    p.out = &out;
    p.word = word;
    p.lookup = lookup;
    p.callees = callees;
    p.ctx = ctx;
    p.error = error;
    expr_parse_text(&p);
    bool is_number = !p.has_failed && p.n_word == 1 && word[0].op == EXPR_OP_CONSTANT;
    if (is_number) {
        *number = (expr_number){ word[0].value, out.dim.kind == EXPR_DIM_KNOWN, out.dim.dim };
    }
    free(out.callee);
    return is_number;
}

bool expr_parse_number(const char *text, expr_lookup *lookup, expr_callees *callees, void *ctx,
                       expr_number *number, expr_error *error)
{
    size_t length = strlen(text);
    if (length <= SHORT_TEXT) {
        return number_of_short(text, length, lookup, callees, ctx, number, error);
    }
    expr *code = expr_parse_calls(text, lookup, callees, ctx, error);
    if (code == NULL || !expr_is_constant(code)) {
        expr_destroy(code);
        return false;
    }
    *number = (expr_number){ .value = expr_value(code, NULL) };
    number->has_dimension = expr_dimension(code, &number->dim);
    expr_destroy(code);
    return true;
}
