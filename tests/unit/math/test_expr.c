// SPDX-License-Identifier: MIT
// Expressions: values, names, mistakes in the text.
#include "unit/math/expr_cases.h"

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
        cmocka_unit_test(test_expr_mistakes_in_the_grammar_name_their_column),
        cmocka_unit_test(test_expr_mistakes_in_names_and_calls_name_their_column),
        cmocka_unit_test(test_expr_mistakes_in_units_name_their_column),
        cmocka_unit_test(test_expr_error_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
