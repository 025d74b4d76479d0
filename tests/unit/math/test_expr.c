// SPDX-License-Identifier: MIT
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

// ---- the names of these tests ----

static expr_name lookup(void *ctx, const char *name)
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

static expr *parse(const char *text)
{
    expr_error error = { 0 };
    expr *e = expr_parse(text, lookup, NULL, &error);
    if (e == NULL) {
        fail_msg("'%s': column %d: %s", text, error.column, error.what);
    }
    return e;
}

// Value of a text, with x, y and t (whichever appears, in order of appearance) at 0.5, 0.25, 0.125.
static double value_of(const char *text)
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
static void assert_values(const value_case *cases, int count)
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

static void assert_errors(const error_case *cases, int count)
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

// ---- values ----

static void test_expr_operators_follow_their_precedence(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "1+2*3", 7 },
        { "(1+2)*3", 9 },
        { "10-4-3", 3 },
        { "24/4/2", 3 },
        { "2^3^2", 512 },
        { "-2^2", -4 },
        { "(-2)^2", 4 },
        { "2^-1", 0.5 },
        { "2^-2^2", 0.0625 },
        { "-2*-3", 6 },
        { "--2", 2 },
        { "+2 - +1", 1 },
        { "2*3^2", 18 },
        { "1+1<1+2", 1 },
        { "1<2 == 2<3", 1 },
        { "3 >= 3 && 3 <= 3", 1 },
        { "3 > 3 || 3 < 3", 0 },
        { "1 || 0 && 0", 1 },
        { "(1 || 0) && 0", 0 },
        { "1 != 1", 0 },
        { "!0 + !5", 1 },
        { "!x == 0", 1 },
        { "-x^2", -0.25 },
        { "1 ? 2 : 3", 2 },
        { "0 ? 2 : 3", 3 },
        { "0 ? 1 : 0 ? 2 : 3", 3 },
        { "1 ? 0 ? 4 : 5 : 6", 5 },
        { "1 < 2 ? 1 + 1 : 9", 2 },
        { "x > 0 && y > 0 ? x : y", 0.5 },
        { " \t1\n+\r1 ", 2 },
    };
    ASSERT_VALUES(cases);
}

static void test_expr_numbers_are_read_to_the_last_bit(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "1e-3", 1e-3 },
        { ".5", 0.5 },
        { "5.", 5.0 },
        { "0.1", 0.1 },
        { "3.14159265358979323846", 3.14159265358979323846 },
        { "1E+2", 100 },
        { "123456789.123456789e-5", 123456789.123456789e-5 },
        { "2.2250738585072014e-308", 2.2250738585072014e-308 },
        { "1.7976931348623157e308", 1.7976931348623157e308 },
        { "1e-99999999999", 0.0 },
        { "000.000e5", 0.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(value_of(cases[i].text) == cases[i].value);
    }
}

static void test_expr_functions_give_their_values(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "sin(x)", sin(0.5) },
        { "cos(x)", cos(0.5) },
        { "tan(x)", tan(0.5) },
        { "asin(x)", asin(0.5) },
        { "acos(x)", acos(0.5) },
        { "atan(x)", atan(0.5) },
        { "atan2(x,-y)", atan2(0.5, -0.25) },
        { "exp(x)", exp(0.5) },
        { "log(x)", log(0.5) },
        { "log10(x)", log10(0.5) },
        { "sqrt(x)", sqrt(0.5) },
        { "abs(-x)", 0.5 },
        { "min(x,y)", 0.25 },
        { "min(3,x,y,t)", 0.125 },
        { "max(x,y)", 0.5 },
        { "max(0,x,y,1,t)", 1.0 },
        { "pow(x,3)", 0.125 },
        { "pow(x,y)", pow(0.5, 0.25) },
        { "sign(x)-10*sign(-x)+100*sign(0)", 11 },
        { "floor(1.5)", 1 },
        { "floor(-1.5)", -2 },
        { "ceil(1.5)", 2 },
        { "ceil(-1.5)", -1 },
        { "mod(7,3)", 1 },
        { "mod(-7,3)", 2 },
        { "mod(7,-3)", -2 },
        { "mod(6,3)", 0 },
        { "hypot(3,4)", 5 },
        { "sinh(x)", sinh(0.5) },
        { "cosh(x)", cosh(0.5) },
        { "tanh(x)", tanh(0.5) },
        { "step(-1e-9)", 0 },
        { "step(0)", 1 },
        { "step(x)", 1 },
        { "clamp(x,0,0.3)", 0.3 },
        { "clamp(x,0.7,1)", 0.7 },
        { "clamp(x,0,1)", 0.5 },
        { "if(x>y,10,20)", 10 },
        { "if(x<y,10,20)", 20 },
        { "smooth(x,1,2)", 0 },
        { "smooth(x,0,1)", 0.5 },
        { "smooth(x,-1,0)", 1 },
        { "smooth(y,0,1)", 0.5 * 0.5 * 0.5 * (10 - 7.5 + 1.5) },
        { "smooth(1,1,1)", 1 },
        { "smooth(x,1,0)", 0.5 },
        { "sin (pi/2)", 1 },
        { "seven*2", 14 },
    };
    ASSERT_VALUES(cases);
}

static void test_expr_outside_its_domain_gives_inf_or_nan(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "1/0", INFINITY },     { "-1/(x-x)", -INFINITY }, { "0/0", NAN },        { "sqrt(-1)", NAN },
        { "log(0)", -INFINITY }, { "min(0/0,1)", NAN },     { "min(1,0/0)", NAN }, { "max(0/0,1)", NAN },
        { "max(1,0/0)", NAN },   { "clamp(0/0,0,1)", NAN }, { "sign(0/0)", NAN },  { "(-8)^(1/3)", NAN },
        { "0^-1", INFINITY },    { "asin(2)", NAN },        { "mod(1,0)", NAN },
    };
    ASSERT_VALUES(cases);
}

static void test_expr_whole_powers_of_negative_numbers_are_real(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "(-x)^3", -0.125 },
        { "(-x)^2", 0.25 },
        { "(-2)^-3", -0.125 },
        { "(-2)^21", -2097152.0 },
        { "(-2)^20", 1048576.0 },
        { "(-1)^1e300", 1.0 },
        { "0^0", 1.0 },
        { "(-2)^-21", -1.0 / 2097152.0 },
        { "pow(-2,x+2.5)", -8.0 },
    };
    ASSERT_VALUES(cases);
}

// ---- names ----

static void test_expr_variables_are_listed_once_in_order_with_column(void **state)
{
    (void)state;
    expr *e = parse("seven + y*crank.angle - y + _a1.b_2.c3 + x");
    assert_int_equal(expr_variable_count(e), 4);
    assert_string_equal(expr_variable_name(e, 0), "y");
    assert_string_equal(expr_variable_name(e, 1), "crank.angle");
    assert_string_equal(expr_variable_name(e, 2), "_a1.b_2.c3");
    assert_string_equal(expr_variable_name(e, 3), "x");
    assert_int_equal(expr_variable_column(e, 0), 8);
    assert_int_equal(expr_variable_column(e, 1), 10);
    assert_int_equal(expr_variable_column(e, 2), 28);
    assert_int_equal(expr_variable_column(e, 3), 41);
    const double x[4] = { 2.0, 3.0, 5.0, 11.0 };
    assert_true(expr_value(e, x) == 7.0 + 6.0 - 2.0 + 5.0 + 11.0);
    assert_false(expr_is_constant(e));
    assert_string_equal(expr_text(e), "seven + y*crank.angle - y + _a1.b_2.c3 + x");
    expr_destroy(e);
}

static void test_expr_of_constants_needs_no_variables(void **state)
{
    (void)state;
    expr *e = parse("2*pi*seven + if(1, mass/1 kg, 0)");
    assert_true(expr_is_constant(e));
    assert_int_equal(expr_variable_count(e), 0);
    assert_true(expr_value(e, NULL) == 2.0 * pi * 7.0 + 3.0);
    jet j = expr_jet(e, NULL);
    assert_true(j.v == expr_value(e, NULL) && j.d == 0.0 && j.dd == 0.0);
    expr_destroy(e);
}

static void test_expr_choice_by_a_constant_keeps_the_chosen_part_alone(void **state)
{
    (void)state;
    expr *e = parse("if(seven > 8, x*sin(y), 2) + 1");
    assert_true(expr_is_constant(e));
    assert_true(expr_value(e, NULL) == 3.0);
    expr_destroy(e);
    // x is not read any more, y is the first variable
    e = parse("(seven < 8 ? y*(x > 0 ? y : 2) : 2*x) - (1 > 2 ? x : y)");
    assert_int_equal(expr_variable_count(e), 2);
    assert_string_equal(expr_variable_name(e, 0), "y");
    assert_string_equal(expr_variable_name(e, 1), "x");
    assert_true(expr_value(e, (const double[2]){ 3.0, 1.0 }) == 6.0);
    assert_true(expr_value(e, (const double[2]){ 3.0, -1.0 }) == 3.0);
    expr_destroy(e);
    e = parse("if(0, x, if(1, 4 - y, x))*2");
    assert_int_equal(expr_variable_count(e), 1);
    assert_true(expr_value(e, (const double[1]){ 1.5 }) == 5.0);
    expr_destroy(e);
}

static void test_expr_destroy_accepts_null(void **state)
{
    (void)state;
    expr_destroy(NULL);
}

static void test_expr_without_lookup_knows_no_names(void **state)
{
    (void)state;
    expr_error error = { 0 };
    assert_null(expr_parse("1 + x", NULL, NULL, &error));
    assert_int_equal(error.column, 4);
    expr *e = expr_parse("1 + pi", NULL, NULL, &error);
    assert_non_null(e);
    expr_destroy(e);
}

// ---- derivatives ----

// x moves along a + b h + c h^2 / 2, y likewise with its own numbers.
static void place(double h, const double *start, jet *x)
{
    static const double speed[2] = { 0.7, -0.4 };
    static const double acceleration[2] = { 0.3, 0.9 };
    for (int k = 0; k < 2; k++) {
        x[k].v = start[k] + h * (speed[k] + 0.5 * h * acceleration[k]);
        x[k].d = speed[k] + h * acceleration[k];
        x[k].dd = acceleration[k];
    }
}

// d against the central difference of v, dd against that of d. Over four points the truncation is h^4 f5 /
// 30, below 1e-10 at h = 2e-4 while f5 stays under 2e6 times the scale, and the rounding 1.5 eps / h is
// 2e-12.
static void assert_jet(const char *text, double x, double y)
{
    const double h = 2e-4;
    const double start[2] = { x, y };
    expr *e = parse(text);
    jet at[5];
    for (int i = 0; i < 5; i++) {
        jet in[2];
        place((i - 2) * h, start, in);
        at[i] = expr_jet(e, in);
        const double plain[2] = { in[0].v, in[1].v };
        assert_true(at[i].v == expr_value(e, plain));
    }
    double d = (8.0 * (at[3].v - at[1].v) - (at[4].v - at[0].v)) / (12.0 * h);
    double dd = (8.0 * (at[3].d - at[1].d) - (at[4].d - at[0].d)) / (12.0 * h);
    double scale_d = 1.0 + fabs(at[2].v) + fabs(d);
    double scale_dd = 1.0 + fabs(at[2].d) + fabs(dd);
    if (!(fabs(at[2].d - d) <= 2e-10 * scale_d)) {
        fail_msg("%s at %g, %g: d %.12g, difference %.12g", text, x, y, at[2].d, d);
    }
    if (!(fabs(at[2].dd - dd) <= 2e-10 * scale_dd)) {
        fail_msg("%s at %g, %g: dd %.12g, difference %.12g", text, x, y, at[2].dd, dd);
    }
    expr_destroy(e);
}

// The derivative with each variable is that along it.
static void assert_gradient(const char *text, double x, double y)
{
    const double at[2] = { x, y };
    double gradient[2] = { 0.0, 0.0 };
    expr *e = parse(text);
    double v = expr_gradient(e, at, gradient);
    assert_true(v == expr_value(e, at));
    for (int k = 0; k < expr_variable_count(e); k++) {
        const jet along[2] = { { x, k == 0, 0.0 }, { y, k == 1, 0.0 } };
        double d = expr_jet(e, along).d;
        // the same products in another order
        if (!(fabs(gradient[k] - d) <= 1e-13 * (1.0 + fabs(d)))) {
            fail_msg("%s at %g, %g: d%d %.15g, along it %.15g", text, x, y, k, gradient[k], d);
        }
    }
    expr_destroy(e);
}

// Texts in which x appears before y, at points away from their kinks.
static void test_expr_jet_of_every_function_matches_differences(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x+y",
        "x-y",
        "x*y",
        "x/y",
        "-x",
        "+x",
        "!x",
        "x^2",
        "x^3*y",
        "x^-2",
        "x^1",
        "x^0",
        "x^17",
        "(x-3)^5",
        "(x-3)^19",
        "pow(x,2)",
        "x^2.5",
        "x^0.5",
        "x^y",
        "2^x",
        "pow(x,y)",
        "x^(y*x)",
        "sin(x)",
        "cos(x)",
        "tan(x)",
        "asin(x-y/2)",
        "acos(x*y/3)",
        "atan(x)",
        "atan2(x,y)",
        "atan2(x,-y)",
        "atan2(x-9,y)",
        "exp(x)",
        "log(x)",
        "log10(x)",
        "sqrt(x)",
        "abs(x)",
        "abs(x-9)",
        "sign(x)",
        "floor(x+9.3)",
        "ceil(x+9.3)",
        "min(x,y)",
        "max(x,y)",
        "min(x*y,y,x*x)",
        "max(x*y,y,x*x)",
        "mod(x+11,0.13*y)",
        "mod(x-11,2)",
        "hypot(x,y)",
        "hypot(x,y*x)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x)",
        "step(x)",
        "clamp(x,0,y)",
        "clamp(x*x,y,9)",
        "if(x>y,x*x,y*y)",
        "x<y ? x^3 : y^3",
        "smooth(x,0,1)",
        "smooth(x,y,3)",
        "smooth(x,0.1,2*y)",
        "smooth(x,2,0)",
        "x<y",
        "x<=y",
        "x>y",
        "x>=y",
        "x==y",
        "x!=y",
        "x&&y",
        "x||y",
        "sin(cos(x*y))*exp(-x/y)",
        "0.3*sin(2*pi*x)*sqrt(1+y^2)",
        "(x>0)*x^2*y + log(1+exp(x))",
    };
    static const double points[][2] = { { 0.45, 0.72 }, { 0.61, 0.33 }, { 0.23, 1.41 } };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            assert_jet(texts[i], points[k][0], points[k][1]);
            assert_gradient(texts[i], points[k][0], points[k][1]);
        }
    }
}

static jet jet_at(const char *text, jet x)
{
    expr *e = parse(text);
    jet j = expr_jet(e, &x);
    expr_destroy(e);
    return j;
}

// Parts that a zero switches off are gone, unless they might be no number: that must still be told.
static void test_expr_with_constants_leaves_out_what_they_switch_off(void **state)
{
    (void)state;
    static const struct {
        const char *text; // in x, y, t
        double x;         // known
        int n_left;       // variables that are left
        double value;     // at y = 3, t = 5
    } cases[] = {
        { "x*y + t", 0.0, 1, 5.0 },           { "x*sin(y/2) + t", 0.0, 1, 5.0 },
        { "x*sqrt(y) + t", 0.0, 2, 5.0 },     { "x/y + t", 0.0, 2, 5.0 },
        { "x*y + t", 2.0, 2, 11.0 },          { "if(x > 1, y, t)", 0.0, 1, 5.0 },
        { "if(x > 1, y, t)", 2.0, 1, 3.0 },   { "if(x + y > t, 2, 2)", 1.0, 0, 2.0 },
        { "(x + 1)*(y - t)^2", 0.0, 2, 4.0 }, { "x*(y/t)", 0.0, 2, 0.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expr *e = parse(cases[i].text);
        int n = expr_variable_count(e), read[3] = { 0 };
        bool known[3] = { false, false, false };
        double given[3] = { 0.0, 0.0, 0.0 }, left[3] = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < n; k++) {
            char name = expr_variable_name(e, k)[0];
            known[k] = name == 'x';
            given[k] = name == 'x' ? cases[i].x : name == 'y' ? 3.0 : 5.0;
        }
        expr *f = expr_with_constants(e, known, given, read);
        assert_non_null(f);
        if (expr_variable_count(f) != cases[i].n_left) {
            fail_msg("%s: %d variables are left", cases[i].text, expr_variable_count(f));
        }
        for (int k = 0; k < expr_variable_count(f); k++) {
            assert_false(known[read[k]]);
            left[k] = given[read[k]];
        }
        assert_true(expr_value(f, left) == cases[i].value);
        assert_true(expr_value(e, given) == cases[i].value);
        expr_destroy(f);
        expr_destroy(e);
    }
}

// At rest the length has no slope, and none of its parts has one: no infinity meets a zero.
static void test_expr_gradient_of_a_length_at_zero_is_zero(void **state)
{
    (void)state;
    const double at[2] = { 0.0, 0.0 };
    double gradient[2] = { 1.0, 1.0 };
    expr *e = parse("sqrt(x^2 + y^2)");
    assert_true(expr_gradient(e, at, gradient) == 0.0);
    assert_true(gradient[0] == 0.0 && gradient[1] == 0.0);
    expr_destroy(e);
}

static void test_expr_jet_of_whole_power_holds_for_negative_base_and_zero(void **state)
{
    (void)state;
    jet j = jet_at("x^3", (jet){ -2.0, 1.0, 0.0 });
    assert_true(j.v == -8.0 && j.d == 12.0 && j.dd == -12.0);
    j = jet_at("x^2", (jet){ 0.0, 3.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 18.0);
    j = jet_at("x^1", (jet){ 0.0, 3.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 3.0 && j.dd == 1.0);
    j = jet_at("x^0", (jet){ 0.0, 3.0, 1.0 });
    assert_true(j.v == 1.0 && j.d == 0.0 && j.dd == 0.0);
}

static void test_expr_jet_of_root_at_zero_is_infinite_only_when_moving(void **state)
{
    (void)state;
    jet j = jet_at("sqrt(x)", (jet){ 0.0, 0.0, 0.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 0.0);
    j = jet_at("sqrt(x)", (jet){ 0.0, 1.0, 0.0 });
    assert_true(j.v == 0.0 && j.d == INFINITY && j.dd == -INFINITY);
    j = jet_at("x^0.5", (jet){ 0.0, 0.0, 0.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 0.0);
}

static void test_expr_jet_of_moving_power_of_zero_stays_zero(void **state)
{
    (void)state;
    jet j = jet_at("0^x", (jet){ 1.5, 1.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 0.0);
    j = jet_at("(x-3)^x", (jet){ 3.0, 1.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 0.0);
}

static void test_expr_jet_of_length_at_the_origin_is_the_speed(void **state)
{
    (void)state;
    jet j = jet_at("hypot(3*x, 4*x)", (jet){ 0.0, 1.0, 2.0 });
    assert_true(j.v == 0.0 && j.d == 5.0 && j.dd == 10.0);
    j = jet_at("hypot(3*x, 4*x)", (jet){ 0.0, 0.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 5.0);
}

static void test_expr_jet_of_smooth_is_flat_at_both_ends(void **state)
{
    (void)state;
    jet j = jet_at("smooth(x,1,2)", (jet){ 1.0, 1.0, 1.0 });
    assert_true(j.v == 0.0 && j.d == 0.0 && j.dd == 0.0);
    j = jet_at("smooth(x,1,2)", (jet){ 2.0, 1.0, 1.0 });
    assert_true(j.v == 1.0 && j.d == 0.0 && j.dd == 0.0);
    j = jet_at("smooth(x,1,1)", (jet){ 1.0, 1.0, 1.0 });
    assert_true(j.v == 1.0 && j.d == 0.0 && j.dd == 0.0);
}

static void test_expr_jet_of_tanh_far_out_keeps_its_digits(void **state)
{
    (void)state;
    jet j = jet_at("tanh(x)", (jet){ 30.0, 1.0, 0.0 });
    double expected = 4.0 * exp(-60.0);
    assert_true(fabs(j.d - expected) <= 1e-14 * expected);
    j = jet_at("tanh(x)", (jet){ 1000.0, 1.0, 0.0 });
    assert_true(j.v == 1.0 && j.d == 0.0 && j.dd == 0.0);
}

// ---- units and dimensions ----

static void test_expr_units_convert_to_si(void **state)
{
    (void)state;
    const value_case cases[] = {
        { "30 deg", pi / 6 },
        { "30deg", pi / 6 },
        { "2.5 kN/m", 2500 },
        { "1500 rpm", 50 * pi },
        { "30 deg/s", pi / 6 },
        { "30 deg / s", pi / 6 / 0.5 },
        { "2*30 deg", pi / 3 },
        { "36 km/h", 10 },
        { "50%", 0.5 },
        { "50 %*x", 0.25 },
        { "5 1/s", 5 },
        { "5 1/ms^2", 5e6 },
        { "2 m*x", 1 },
        { "2 m^2*x", 1 },
        { "4 mm^2/x", 8e-6 },
        { "3 mm*sin(pi/2)", 3e-3 },
        { "3 mm*min(2,4)", 6e-3 },
        { "1 s*s", 1 },
        { "-1 mm", -1e-3 },
        { "2 mm ^ 2", 4e-6 },
        { "(2 mm)^2", 4e-6 },
        { "1e3 mm", 1 },
        { "2 kg*m^2/s^2*x", 1 },
        { "1/2 s", 0.5 },
        { "x ? 2 s:3 s", 2 },
        { "1e-3m", 1e-3 },
        { "1 N*m*t", 0.5 },
    };
    ASSERT_VALUES(cases);
}

static void test_expr_dimension_passes_through_the_operations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *dim; // NULL: not known
    } cases[] = {
        { "3", NULL },
        { "2*pi", NULL },
        { "x", NULL },
        { "seven", NULL },
        { "2 m", "m" },
        { "2*30 deg", "1" },
        { "2 m*3", "m" },
        { "1/(2 s)", "1/s" },
        { "2 m/4 s", "m/s" },
        { "2 m*x", NULL },
        { "length*mass", "kg*m" },
        { "length/mass", "m/kg" },
        { "length + 1", "m" },
        { "0 - length", "m" },
        { "length + x", "m" },
        { "x - length", "m" },
        { "length + 2 mm", "m" },
        { "-length", "m" },
        { "length^2", "m^2" },
        { "length^-1", "1/m" },
        { "length^x", NULL },
        { "length^0.5", NULL },
        { "(length^2)^0.5", "m" },
        { "(length^2)^1.5", "m^3" },
        { "length^0", "1" },
        { "length^1000", NULL },
        { "phi^1000", "1" },
        { "pow(length,3)", "m^3" },
        { "pow(length,x)", NULL },
        { "sqrt(4 m^2/s^2)", "m/s" },
        { "sqrt(length)", NULL },
        { "sqrt(2)", NULL },
        { "abs(length)", "m" },
        { "min(1, length, x)", "m" },
        { "max(x, length)", "m" },
        { "clamp(length, 0, 1)", "m" },
        { "mod(length, 2 mm)", "m" },
        { "hypot(length, 3 m)", "m" },
        { "floor(length)", "m" },
        { "if(x, length, 1)", "m" },
        { "x ? length : 2 m", "m" },
        { "if(mass > 1, length, 0)", "m" },
        { "length > 2 m", NULL },
        { "step(length)", NULL },
        { "sign(length)*3 m", "m" },
        { "sin(30 deg)*2 m", "m" },
        { "0.3*sin(2*pi*t)", NULL },
        { "smooth(length, 1 mm, 2 mm)*3 kg", "kg" },
        { "atan2(length, 2 m)", NULL },
        { "2 N*m", "kg*m^2/s^2" },
        { "!length", NULL },
        { "length && mass", NULL },
        { "exp(phi)*length", "m" },
        { "length/length", "1" },
        { "2^(length/2 mm)", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expr *e = parse(cases[i].text);
        dimension dim = { 0 };
        char text[DIMENSION_TEXT_SIZE] = "not known";
        if (expr_dimension(e, &dim)) {
            dimension_text(dim, text, sizeof text);
        }
        const char *expected = cases[i].dim != NULL ? cases[i].dim : "not known";
        if (strcmp(text, expected) != 0) {
            fail_msg("%s: %s, expected %s", cases[i].text, text, expected);
        }
        expr_destroy(e);
    }
}

static void test_expr_mixed_dimensions_are_refused_at_the_place(void **state)
{
    (void)state;
    const error_case cases[] = {
        { "2 m + 3 kg", 4, "cannot add m and kg" },
        { "length - mass", 7, "cannot subtract m and kg" },
        { "length < 3 s", 7, "cannot compare m and s" },
        { "length == mass", 7, "cannot compare m and kg" },
        { "1 + 2 m*2 - 3 kg*m", 10, "cannot subtract m and kg*m" },
        { "length + 30 deg", 7, "cannot add m and 1" },
        { "min(length, 1, mass)", 15, "cannot mix m and kg in min" },
        { "clamp(length, 0, mass)", 17, "cannot mix m and kg in clamp" },
        { "hypot(mass, length)", 12, "cannot mix kg and m in hypot" },
        { "atan2(mass, length)", 12, "cannot mix kg and m in atan2" },
        { "smooth(t, 1 s, 2 m)", 15, "cannot mix s and m in smooth" },
        { "if(1, length, mass)", 14, "cannot mix m and kg in if" },
        { "1 ? length : mass", 11, "cannot choose between m and kg" },
        { "sin(length)", 4, "sin needs a pure number or an angle, not m" },
        { "exp( 2 m )", 5, "exp needs a pure number" },
        { "2^length", 2, "an exponent needs a pure number" },
        { "pow(2, mass)", 7, "an exponent needs a pure number" },
    };
    ASSERT_ERRORS(cases);
}

// ---- mistakes ----

static void test_expr_mistakes_in_the_grammar_name_their_column(void **state)
{
    (void)state;
    const error_case cases[] = {
        { "", 0, "the expression is empty" },
        { "  \t ", 0, "the expression is empty" },
        { "1 +", 3, "expected a value, but the text ends" },
        { "1 + )", 4, "expected a value, not ')'" },
        { "* 2", 0, "expected a value, not '*'" },
        { "(1 + 2", 6, "expected ')', but the text ends" },
        { "(1 , 2)", 3, "expected ')', not ','" },
        { "1 2", 2, "expected an operator or the end, not '2'" },
        { "x y", 2, "expected an operator or the end, not 'y'" },
        { "(1))", 3, "expected an operator or the end, not ')'" },
        { "x = 3", 2, "compare with '=='" },
        { "x & y", 2, "expected an operator or the end, not '&'" },
        { "1 ? 2", 5, "expected ':'" },
        { "1 : 2", 2, "expected an operator or the end" },
        { "1.2.3", 3, "expected an operator or the end, not '.'" },
        { ".", 0, "expected a value, not '.'" },
        { "x.5", 1, "expected an operator or the end, not '.'" },
        { "2 \xc2\xb5m", 2, "not the character 0xc2" },
        { "x + \x01", 4, "not the character 0x01" },
        { "0 < x < 1", 6, "cannot be chained" },
        { "1e999", 0, "too large" },
        { "3 + 1e308 km", 4, "too large" },
        { "x..angle", 1, "expected an operator or the end, not '.'" },
    };
    ASSERT_ERRORS(cases);
}

static void test_expr_mistakes_in_names_and_calls_name_their_column(void **state)
{
    (void)state;
    const error_case cases[] = {
        { "1 + z", 4, "unknown name 'z'" },
        { "crank.speed", 0, "unknown name 'crank.speed'" },
        { "2*sine(x)", 2, "unknown function 'sine', did you mean 'sin'?" },
        { "Sqrt(x)", 0, "unknown function 'Sqrt', did you mean 'sqrt'?" },
        { "x.sin(1)", 0, "unknown function 'x.sin'" },
        { "x(1)", 0, "unknown function 'x'" },
        { "1+sin", 2, "'sin' is a function" },
        { "1+sin()", 2, "sin takes 1 argument" },
        { "sin(1,2)", 0, "sin takes 1 argument" },
        { "atan2(1)", 0, "atan2 takes 2 arguments" },
        { "atan2(1,2,3)", 0, "atan2 takes 2 arguments" },
        { "min(1)", 0, "min takes 2 or more arguments" },
        { "max()", 0, "max takes 2 or more arguments" },
        { "if(1,2)", 0, "if takes 3 arguments" },
        { "clamp(1,2)", 0, "clamp takes 3 arguments" },
        { "smooth(1,2,3,4)", 0, "smooth takes 3 arguments" },
        { "sin(1", 5, "expected ',' or ')'" },
        { "min(1,)", 6, "expected a value, not ')'" },
        { "min(,1)", 4, "expected a value, not ','" },
    };
    ASSERT_ERRORS(cases);
}

static void test_expr_mistakes_in_units_name_their_column(void **state)
{
    (void)state;
    const error_case cases[] = {
        { "3 + 30 xx", 7, "unknown unit 'xx'" },
        { "30 degr", 3, "unknown unit 'degr', did you mean 'deg' (0.0174533 1)?" },
        { "30 Kn/m", 3, "unknown unit 'Kn', did you mean 'kN' (1000 kg*m/s^2)?" },
        { "2 x", 2, "unknown unit 'x'" },
        { "2 sin(x)", 2, "unknown unit 'sin'" },
        { "5 t", 2, "'t' is the time here: for a product write '*', for tonnes 1e3 kg" },
        { "2e", 1, "unknown unit 'e'" },
        { "2 m2", 2, "unknown unit 'm2', did you mean 'm' (1 m)?" },
        { "5 1/x", 4, "unknown unit 'x'" },
        { "2 m^0.5", 3, "a unit takes a whole exponent" },
        { "2 m^x", 3, "a unit takes a whole exponent" },
        { "2 m^2^2", 3, "a unit takes a whole exponent" },
        { "2 kg*m^", 6, "a unit takes a whole exponent" },
        { "2 m^999", 2, "too large" },
        { "2 m(3)", 3, "expected an operator or the end" },
        { "2 m/zz", 4, "unknown name 'zz'" },
    };
    ASSERT_ERRORS(cases);
}

static void test_expr_error_may_be_null(void **state)
{
    (void)state;
    assert_null(expr_parse("1 +", lookup, NULL, NULL));
}

// ---- limits ----

// n times open, then middle, then n times close; the caller frees.
static char *nested(int n, const char *open, const char *middle, const char *close)
{
    size_t size = (size_t)n * (strlen(open) + strlen(close)) + strlen(middle) + 1;
    char *text = calloc(size, 1);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "%s", open);
    }
    at += sprintf(at, "%s", middle);
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "%s", close);
    }
    return text;
}

static void test_expr_nesting_up_to_the_limits_is_accepted(void **state)
{
    (void)state;
    static const struct {
        int n;
        const char *open, *close;
    } cases[] = {
        { 64, "(", ")" }, { 64, "-", "" },    { 64, "sin(", ")" },
        { 64, "!", "" },  { 63, "x*(", ")" }, { 63, "min(x,", ")" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = nested(cases[i].n, cases[i].open, "x", cases[i].close);
        expr_destroy(parse(text));
        free(text);
    }
}

static void test_expr_nesting_beyond_the_limits_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *open, *middle, *close, *what;
    } cases[] = {
        { "(", "x", ")", "nested deeper than 64" },
        { "-", "x", "", "nested deeper than 64" },
        { "sin(", "x", ")", "nested deeper than 64" },
        { "x^", "x", "", "intermediate values" },
        { "clamp(x,x,", "x", ")", "intermediate values" },
        { "x||x&&x==x<x+x*(", "x", ")", "intermediate values" },
        { "x?x:", "x", "", "intermediate values" },
        { "x?", "x", ":x", "intermediate values" },
        { "(", "", "", "nested deeper than 64" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // as many as the text may hold
        size_t piece = strlen(cases[i].open) + strlen(cases[i].close);
        char *text = nested((int)(4095 / piece), cases[i].open, cases[i].middle, cases[i].close);
        expr_error error = { 0 };
        assert_null(expr_parse(text, lookup, NULL, &error));
        if (strstr(error.what, cases[i].what) == NULL) {
            fail_msg("%.20s...: %s", text, error.what);
        }
        free(text);
    }
}

static void test_expr_text_of_4096_characters_is_accepted(void **state)
{
    (void)state;
    // 1+x+x+...+x and a blank: 4095 characters of sum
    char *text = calloc(4098, 1);
    assert_non_null(text);
    text[0] = '1';
    for (int i = 1; i < 4095; i += 2) {
        memcpy(text + i, "+x", 2);
    }
    text[4095] = ' ';
    assert_int_equal(strlen(text), 4096);
    expr *e = parse(text);
    const double one = 1.0;
    assert_true(expr_value(e, &one) == 2048.0);
    expr_destroy(e);

    text[4096] = ' ';
    expr_error error = { 0 };
    assert_null(expr_parse(text, lookup, NULL, &error));
    assert_int_equal(error.column, 4096);
    assert_non_null(strstr(error.what, "longer than 4096"));
    free(text);
}

static expr_name any_name(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return (expr_name){ .kind = EXPR_NAME_VARIABLE };
}

static void test_expr_text_full_of_one_long_number_or_name_is_read(void **state)
{
    (void)state;
    char text[4097] = "";
    memset(text, '7', 4096);
    expr_error error;
    assert_null(expr_parse(text, any_name, NULL, &error));
    assert_non_null(strstr(error.what, "too large"));

    text[1] = '.';
    expr *e = expr_parse(text, any_name, NULL, &error);
    assert_non_null(e);
    assert_true(expr_value(e, NULL) == 70.0 / 9.0);
    expr_destroy(e);

    memset(text, 'n', 4096);
    e = expr_parse(text, any_name, NULL, &error);
    assert_non_null(e);
    assert_int_equal(strlen(expr_variable_name(e, 0)), 4096);
    expr_destroy(e);
    assert_null(expr_parse(text, lookup, NULL, &error));
}

static void test_expr_text_with_most_variables_keeps_them_apart(void **state)
{
    (void)state;
    // min(a0,a1,...) with as many names as fit
    char text[4097] = "min(";
    size_t used = 4;
    int n = 0;
    while (used < 4080) {
        used += (size_t)snprintf(text + used, sizeof text - used, "a%d,", n++);
    }
    text[used - 1] = ')';
    expr *e = expr_parse(text, any_name, NULL, NULL);
    assert_non_null(e);
    assert_int_equal(expr_variable_count(e), n);
    for (int k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", k);
        assert_string_equal(expr_variable_name(e, k), name);
    }
    expr_destroy(e);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// One random text of pieces of the grammar, and now and then of any byte. In half of the texts operands
// and operators mostly take turns, so that many of them are expressions.
static void random_text(uint64_t *seed, char *text, size_t size)
{
    static const char *const operands[] = {
        "1",      "2.5",        ".5",        "1e-3",        "x",      "y",          "t",   "pi",
        "30 deg", "2 mm",       "3 1/s",     "-x",          "length", "mass",       "(x)", "(y+1)",
        "sin(x)", "1e308",      "!y",        "sqrt(2 m^2)", "0",      "-(2)",       "phi", "seven",
        "exp(t)", "min(x,y,1)", "if(x,y,t)", "50%",         "7 kN/m", "hypot(x,y)",
    };
    static const char *const others[] = {
        "+",       "-",    "*",    "/",   "^",  "<",    "<=",   ">",   "==",    "!=",     "&&",
        "||",      "?x:",  "?",    ":",   "(",  ")",    ",",    ".",   " ",     "e",      "%",
        "deg",     "mm",   "!",    "1/s", "^2", "sin(", "min(", "if(", "sqrt(", "atan2(", "clamp(",
        "smooth(", "mod(", "pow(", "\t",  "=",  "_",    "a.b",  "|",   "&",     ">=",
    };
    enum {
        N_OPERAND = sizeof operands / sizeof operands[0],
        N_OTHER = sizeof others / sizeof others[0],
        N_BINARY = 13
    };
    bool is_orderly = next_random(seed) % 2 == 0;
    int count = (int)(next_random(seed) % 24);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used + 16 < size; i++) {
        const char *piece = others[next_random(seed) % (is_orderly ? N_BINARY : N_OTHER)];
        bool is_operand = is_orderly ? i % 2 == 0 : next_random(seed) % 2 == 0;
        if (is_operand) {
            piece = operands[next_random(seed) % N_OPERAND];
        }
        if (next_random(seed) % 50 == 0) {
            text[used++] = (char)(1 + next_random(seed) % 255);
            text[used] = '\0';
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s", piece);
        }
    }
}

static void test_expr_random_text_is_read_or_refused_without_harm(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int n_good = 0;
    for (int i = 0; i < 40000; i++) {
        char text[256];
        random_text(&seed, text, sizeof text);
        expr_error error = { .column = -1 };
        expr *e = expr_parse(text, lookup, NULL, &error);
        if (e == NULL) {
            assert_in_range(error.column, 0, strlen(text));
            assert_true(error.what[0] != '\0');
            continue;
        }
        n_good++;
        // as many values as there are names that lookup calls variables
        const double x[8] = { 0.3, -1.7, 0.0, 2.0, 5.0, -3.0, 0.1, 40.0 };
        jet j[8];
        for (int k = 0; k < 8; k++) {
            j[k] = (jet){ x[k], 1.0, 0.5 };
        }
        double v = expr_value(e, x);
        double w = expr_jet(e, j).v;
        if (v != w && !(isnan(v) && isnan(w))) {
            fail_msg("%s: value %g, jet %g", text, v, w);
        }
        expr_destroy(e);
    }
    // enough of them are expressions for the test to mean something
    assert_true(n_good > 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expr_operators_follow_their_precedence),
        cmocka_unit_test(test_expr_numbers_are_read_to_the_last_bit),
        cmocka_unit_test(test_expr_functions_give_their_values),
        cmocka_unit_test(test_expr_outside_its_domain_gives_inf_or_nan),
        cmocka_unit_test(test_expr_whole_powers_of_negative_numbers_are_real),
        cmocka_unit_test(test_expr_variables_are_listed_once_in_order_with_column),
        cmocka_unit_test(test_expr_of_constants_needs_no_variables),
        cmocka_unit_test(test_expr_choice_by_a_constant_keeps_the_chosen_part_alone),
        cmocka_unit_test(test_expr_destroy_accepts_null),
        cmocka_unit_test(test_expr_without_lookup_knows_no_names),
        cmocka_unit_test(test_expr_jet_of_every_function_matches_differences),
        cmocka_unit_test(test_expr_gradient_of_a_length_at_zero_is_zero),
        cmocka_unit_test(test_expr_with_constants_leaves_out_what_they_switch_off),
        cmocka_unit_test(test_expr_jet_of_whole_power_holds_for_negative_base_and_zero),
        cmocka_unit_test(test_expr_jet_of_root_at_zero_is_infinite_only_when_moving),
        cmocka_unit_test(test_expr_jet_of_moving_power_of_zero_stays_zero),
        cmocka_unit_test(test_expr_jet_of_length_at_the_origin_is_the_speed),
        cmocka_unit_test(test_expr_jet_of_smooth_is_flat_at_both_ends),
        cmocka_unit_test(test_expr_jet_of_tanh_far_out_keeps_its_digits),
        cmocka_unit_test(test_expr_units_convert_to_si),
        cmocka_unit_test(test_expr_dimension_passes_through_the_operations),
        cmocka_unit_test(test_expr_mixed_dimensions_are_refused_at_the_place),
        cmocka_unit_test(test_expr_mistakes_in_the_grammar_name_their_column),
        cmocka_unit_test(test_expr_mistakes_in_names_and_calls_name_their_column),
        cmocka_unit_test(test_expr_mistakes_in_units_name_their_column),
        cmocka_unit_test(test_expr_error_may_be_null),
        cmocka_unit_test(test_expr_nesting_up_to_the_limits_is_accepted),
        cmocka_unit_test(test_expr_nesting_beyond_the_limits_is_refused),
        cmocka_unit_test(test_expr_text_of_4096_characters_is_accepted),
        cmocka_unit_test(test_expr_text_full_of_one_long_number_or_name_is_read),
        cmocka_unit_test(test_expr_text_with_most_variables_keeps_them_apart),
        cmocka_unit_test(test_expr_random_text_is_read_or_refused_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
