// SPDX-License-Identifier: MIT
// Derivatives of expressions: jets and gradients against differences and at the places where formulas break.
#include "unit/math/expr_cases.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expr_jet_of_every_function_matches_differences),
        cmocka_unit_test(test_expr_gradient_of_a_length_at_zero_is_zero),
        cmocka_unit_test(test_expr_with_constants_leaves_out_what_they_switch_off),
        cmocka_unit_test(test_expr_jet_of_whole_power_holds_for_negative_base_and_zero),
        cmocka_unit_test(test_expr_jet_of_root_at_zero_is_infinite_only_when_moving),
        cmocka_unit_test(test_expr_jet_of_moving_power_of_zero_stays_zero),
        cmocka_unit_test(test_expr_jet_of_length_at_the_origin_is_the_speed),
        cmocka_unit_test(test_expr_jet_of_smooth_is_flat_at_both_ends),
        cmocka_unit_test(test_expr_jet_of_tanh_far_out_keeps_its_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
