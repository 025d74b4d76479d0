// SPDX-License-Identifier: MIT
// The names that tests of expressions know, and how tables of texts are compared with what is expected.
#ifndef BIELA_TESTS_UNIT_MATH_EXPR_CASES_H
#define BIELA_TESTS_UNIT_MATH_EXPR_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expr.h"

static const double pi = 3.14159265358979323846;

static inline expr_name lookup(void *ctx, const char *name)
{
    (void)ctx;
    static const struct {
        const char *name;
        expr_name is;
    } known[] = {
        { "x", { .kind = EXPR_NAME_VARIABLE } },
        { "y", { .kind = EXPR_NAME_VARIABLE } },
        { "t", { .kind = EXPR_NAME_VARIABLE } },
        { "s", { .kind = EXPR_NAME_VARIABLE } },
        { "crank.angle", { .kind = EXPR_NAME_VARIABLE } },
        { "_a1.b_2.c3", { .kind = EXPR_NAME_VARIABLE } },
        { "length", { EXPR_NAME_VARIABLE, 0.0, true, { 0, 1, 0, 0, 0 }, true } },
        { "mass", { EXPR_NAME_CONSTANT, 3.0, true, { 1, 0, 0, 0, 0 }, true } },
        { "phi", { EXPR_NAME_VARIABLE, 0.0, true, { 0, 0, 0, 0, 0 }, true } },
        { "seven", { .kind = EXPR_NAME_CONSTANT, .value = 7.0 } },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i].is;
        }
    }
    return (expr_name){ .kind = EXPR_NAME_UNKNOWN };
}

static inline expr *parse(const char *text)
{
    expr_error error = { 0 };
    expr *e = expr_parse(text, lookup, NULL, &error);
    if (e == NULL) {
        fail_msg("'%s': column %d: %s", text, error.column, error.what);
    }
    return e;
}

// Value of a text, with x, y and t (whichever appears, in order of appearance) at 0.5, 0.25, 0.125.
static inline double value_of(const char *text)
{
    const double x[4] = { 0.5, 0.25, 0.125, 0.0625 };
    expr *e = parse(text);
    double v = expr_value(e, x);
    expr_destroy(e);
    return v;
}

typedef struct {
    const char *text;
    double value;
} value_case;

// Relative: a few roundings of the operations, errors of elementary functions below 1 ulp.
static inline void assert_values(const value_case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        double v = value_of(cases[i].text);
        double expected = cases[i].value;
        bool is_same = v == expected || (isnan(v) && isnan(expected));
        if (!is_same && !(fabs(v - expected) <= 4e-16 * (1.0 + fabs(expected)))) {
            fail_msg("%s = %.17g, expected %.17g", cases[i].text, v, expected);
        }
    }
}
#define ASSERT_VALUES(cases) assert_values(cases, (int)(sizeof(cases) / sizeof(cases)[0]))

typedef struct {
    const char *text;
    int column;
    const char *what; // part of the message
} error_case;

static inline void assert_errors(const error_case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        expr_error error = { .column = -1 };
        expr *e = expr_parse(cases[i].text, lookup, NULL, &error);
        if (e != NULL) {
            fail_msg("accepted: '%s'", cases[i].text);
        }
        if (error.column != cases[i].column || strstr(error.what, cases[i].what) == NULL) {
            fail_msg("'%s': column %d: %s; expected column %d: %s", cases[i].text, error.column, error.what,
                     cases[i].column, cases[i].what);
        }
    }
}
#define ASSERT_ERRORS(cases) assert_errors(cases, (int)(sizeof(cases) / sizeof(cases)[0]))

#endif
