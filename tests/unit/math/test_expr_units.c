// SPDX-License-Identifier: MIT
// Units of numbers and dimensions of expressions.
#include "unit/math/expr_cases.h"

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

static expr_name no_names(void *ctx, const char *name)
{
    (void)ctx;
    return strcmp(name, "three") == 0 ? (expr_name){ .kind = EXPR_NAME_CONSTANT, .value = 3.0 }
                                      : (expr_name){ .kind = EXPR_NAME_UNKNOWN };
}

static void test_expr_numbers_in_short_and_long_texts_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.1",
        "-0.3",
        "1e22",
        "1e23",
        "123456789012345e-22",
        "1234567890123456e-3",
        "9007199254740993",
        "1e-30",
        "2.5 kN/m",
        "30 deg",
        "3*0.7",
        "three/7 + 1e-9",
        "min(three, 2)^0.5",
        "0x",
        "2 m s",
        "3 + (three",
        "three four",
        "",
        "1e400",
        "5e-324",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char longer[400];
        expr_number a = { .value = -1.0 }, b = { .value = -1.0 };
        snprintf(longer, sizeof longer, "%s%*s", texts[k], 300, "");
        bool is_a = expr_parse_number(texts[k], no_names, NULL, NULL, &a, NULL);
        bool is_b = expr_parse_number(longer, no_names, NULL, NULL, &b, NULL);
        assert_int_equal(is_a, is_b);
        assert_memory_equal(&a.value, &b.value, sizeof a.value);
        assert_int_equal(a.has_dimension, b.has_dimension);
    }
}

// Few digits are read by one operation, which must round as the C library does.
static void test_expr_numbers_are_rounded_as_strtod_does(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < 20000; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        char text[60];
        snprintf(text, sizeof text, "%.*ge%d", 1 + k % 17, (double)(random >> 12) / 1e9,
                 (int)(random >> 40) % 26);
        expr_number number;
        double want = strtod(text, NULL);
        if (strchr(text, 'e') == strrchr(text, 'e')) {
            assert_true(expr_parse_number(text, NULL, NULL, NULL, &number, NULL));
            assert_memory_equal(&number.value, &want, sizeof want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expr_numbers_in_short_and_long_texts_have_the_same_bits),
        cmocka_unit_test(test_expr_numbers_are_rounded_as_strtod_does),
        cmocka_unit_test(test_expr_units_convert_to_si),
        cmocka_unit_test(test_expr_dimension_passes_through_the_operations),
        cmocka_unit_test(test_expr_mixed_dimensions_are_refused_at_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
