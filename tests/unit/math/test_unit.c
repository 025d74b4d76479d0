// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "math/unit.h"

static const double pi = 3.14159265358979323846;

typedef struct {
    const char *text;
    double factor;
    dimension dim;
} unit_case;

// Every factor is the one rounding of the true number, so they are compared exactly.
static void assert_units(const unit_case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        double factor = 0.0;
        dimension dim = { 0 };
        if (!unit_parse(cases[i].text, strlen(cases[i].text), &factor, &dim)) {
            fail_msg("not read as a unit: %s", cases[i].text);
        }
        if (factor != cases[i].factor || !dimension_equal(dim, cases[i].dim)) {
            fail_msg("%s: factor %.17g, expected %.17g", cases[i].text, factor, cases[i].factor);
        }
    }
}

static void test_unit_single_word_gives_factor_and_dimension(void **state)
{
    (void)state;
    const unit_case cases[] = {
        { "m", 1.0, { 0, 1, 0, 0, 0 } },          { "mm", 1e-3, { 0, 1, 0, 0, 0 } },
        { "cm", 1e-2, { 0, 1, 0, 0, 0 } },        { "km", 1e3, { 0, 1, 0, 0, 0 } },
        { "um", 1e-6, { 0, 1, 0, 0, 0 } },        { "kg", 1.0, { 1, 0, 0, 0, 0 } },
        { "g", 1e-3, { 1, 0, 0, 0, 0 } },         { "mg", 1e-6, { 1, 0, 0, 0, 0 } },
        { "s", 1.0, { 0, 0, 1, 0, 0 } },          { "ms", 1e-3, { 0, 0, 1, 0, 0 } },
        { "us", 1e-6, { 0, 0, 1, 0, 0 } },        { "min", 60.0, { 0, 0, 1, 0, 0 } },
        { "h", 3600.0, { 0, 0, 1, 0, 0 } },       { "N", 1.0, { 1, 1, -2, 0, 0 } },
        { "kN", 1e3, { 1, 1, -2, 0, 0 } },        { "MN", 1e6, { 1, 1, -2, 0, 0 } },
        { "Nm", 1.0, { 1, 2, -2, 0, 0 } },        { "kNm", 1e3, { 1, 2, -2, 0, 0 } },
        { "Nmm", 1e-3, { 1, 2, -2, 0, 0 } },      { "Pa", 1.0, { 1, -1, -2, 0, 0 } },
        { "kPa", 1e3, { 1, -1, -2, 0, 0 } },      { "MPa", 1e6, { 1, -1, -2, 0, 0 } },
        { "GPa", 1e9, { 1, -1, -2, 0, 0 } },      { "bar", 1e5, { 1, -1, -2, 0, 0 } },
        { "mbar", 1e2, { 1, -1, -2, 0, 0 } },     { "J", 1.0, { 1, 2, -2, 0, 0 } },
        { "W", 1.0, { 1, 2, -3, 0, 0 } },         { "kW", 1e3, { 1, 2, -3, 0, 0 } },
        { "Hz", 1.0, { 0, 0, -1, 0, 0 } },        { "kHz", 1e3, { 0, 0, -1, 0, 0 } },
        { "rad", 1.0, { 0, 0, 0, 0, 0 } },        { "mrad", 1e-3, { 0, 0, 0, 0, 0 } },
        { "deg", pi / 180.0, { 0, 0, 0, 0, 0 } }, { "rev", 2.0 * pi, { 0, 0, 0, 0, 0 } },
        { "rpm", pi / 30.0, { 0, 0, -1, 0, 0 } }, { "V", 1.0, { 1, 2, -3, -1, 0 } },
        { "A", 1.0, { 0, 0, 0, 1, 0 } },          { "mA", 1e-3, { 0, 0, 0, 1, 0 } },
        { "ohm", 1.0, { 1, 2, -3, -2, 0 } },      { "kohm", 1e3, { 1, 2, -3, -2, 0 } },
        { "H", 1.0, { 1, 2, -2, -2, 0 } },        { "mH", 1e-3, { 1, 2, -2, -2, 0 } },
        { "F", 1.0, { -1, -2, 4, 2, 0 } },        { "uF", 1e-6, { -1, -2, 4, 2, 0 } },
        { "K", 1.0, { 0, 0, 0, 0, 1 } },          { "%", 0.01, { 0, 0, 0, 0, 0 } },
    };
    assert_units(cases, (int)(sizeof cases / sizeof cases[0]));
}

static void test_unit_products_and_quotients_go_from_left_to_right(void **state)
{
    (void)state;
    const unit_case cases[] = {
        { "kN/m", 1e3, { 1, 0, -2, 0, 0 } },
        { "kN/mm", 1e6, { 1, 0, -2, 0, 0 } },
        { "N/mm^2", 1e6, { 1, -1, -2, 0, 0 } },
        { "kg*m^2", 1.0, { 1, 2, 0, 0, 0 } },
        { "kg*mm^2", 1e-6, { 1, 2, 0, 0, 0 } },
        { "g/cm^3", 1e3, { 1, -3, 0, 0, 0 } },
        { "rad/s", 1.0, { 0, 0, -1, 0, 0 } },
        { "deg/s", pi / 180.0, { 0, 0, -1, 0, 0 } },
        { "N*m", 1.0, { 1, 2, -2, 0, 0 } },
        { "N*s/m", 1.0, { 1, 0, -1, 0, 0 } },
        { "N/m*s", 1.0, { 1, 0, -1, 0, 0 } },
        { "m/s^2", 1.0, { 0, 1, -2, 0, 0 } },
        { "m*s^-2", 1.0, { 0, 1, -2, 0, 0 } },
        { "m/s/s", 1.0, { 0, 1, -2, 0, 0 } },
        { "km/h", 1000.0 / 3600.0, { 0, 1, -1, 0, 0 } },
        { "1/s", 1.0, { 0, 0, -1, 0, 0 } },
        { "1/ms", 1e3, { 0, 0, -1, 0, 0 } },
        { "1/K^2", 1.0, { 0, 0, 0, 0, -2 } },
        { "m^0", 1.0, { 0, 0, 0, 0, 0 } },
    };
    assert_units(cases, (int)(sizeof cases / sizeof cases[0]));
}

static void test_unit_other_text_is_refused_and_writes_nothing(void **state)
{
    (void)state;
    const char *const texts[] = { "",
                                  "x",
                                  "1",
                                  "1/",
                                  "/s",
                                  "m/",
                                  "m*",
                                  "m//s",
                                  "m^",
                                  "m^-",
                                  "m^x",
                                  "m^2^2",
                                  "m^13",
                                  "m^100",
                                  "m ",
                                  " m",
                                  "m s",
                                  "kkg",
                                  "kmin",
                                  "M",
                                  "k",
                                  "degree",
                                  "Kg",
                                  "C",
                                  "kt",
                                  "kin",
                                  "mft",
                                  "Mg",
                                  "2m",
                                  "m2",
                                  "m^1.5",
                                  "2/s",
                                  "m*1",
                                  "m/1",
                                  "kdeg",
                                  "m\n",
                                  "mu",
                                  "Gm",
                                  "m*s*",
                                  "^2",
                                  "%%",
                                  "1*s",
                                  "m^12*m^12*m^12*m^12*m^12*m^12*m^12*m^12*m^12*m^12*m^12" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double factor = -7.0;
        dimension dim = { 1, 2, 3, 4, 5 };
        if (unit_parse(texts[i], strlen(texts[i]), &factor, &dim)) {
            fail_msg("read as a unit: '%s'", texts[i]);
        }
        assert_true(factor == -7.0);
        assert_true(dimension_equal(dim, (dimension){ 1, 2, 3, 4, 5 }));
    }
}

// By definition: the pound is 0.45359237 kg, the inch 25.4 mm, the gallon 231 cubic inches, 1 hp 550 ft lbf/s.
static void test_unit_of_other_systems_has_its_defined_factor(void **state)
{
    (void)state;
    const unit_case cases[] = {
        { "t", 1000.0, { 1, 0, 0, 0, 0 } },
        { "lb", 0.45359237, { 1, 0, 0, 0, 0 } },
        { "oz", 0.028349523125, { 1, 0, 0, 0, 0 } },
        { "in", 0.0254, { 0, 1, 0, 0, 0 } },
        { "ft", 0.3048, { 0, 1, 0, 0, 0 } },
        { "yd", 0.9144, { 0, 1, 0, 0, 0 } },
        { "mi", 1609.344, { 0, 1, 0, 0, 0 } },
        { "lbf", 4.4482216152605, { 1, 1, -2, 0, 0 } },
        { "kgf", 9.80665, { 1, 1, -2, 0, 0 } },
        { "psi", 6894.7572931683613, { 1, -1, -2, 0, 0 } },
        { "ksi", 6894757.2931683613, { 1, -1, -2, 0, 0 } },
        { "mph", 0.44704, { 0, 1, -1, 0, 0 } },
        { "hp", 745.69987158227022, { 1, 2, -3, 0, 0 } },
        { "L", 1e-3, { 0, 3, 0, 0, 0 } },
        { "mL", 1e-6, { 0, 3, 0, 0, 0 } },
        { "gal", 0.003785411784, { 0, 3, 0, 0, 0 } },
        { "L/min", 1e-3 / 60.0, { 0, 3, -1, 0, 0 } },
        { "t/m^3", 1000.0, { 1, -3, 0, 0, 0 } },
    };
    assert_units(cases, (int)(sizeof cases / sizeof *cases));
}

static void test_unit_length_ends_the_text_without_a_zero(void **state)
{
    (void)state;
    double factor = 0.0;
    dimension dim;
    assert_true(unit_parse("mm/s)", 4, &factor, &dim));
    assert_true(factor == 1e-3);
    assert_true(unit_parse("mm/s)", 1, &factor, &dim));
    assert_true(factor == 1.0);
}

static const char *advice(const char *word, const char *wanted)
{
    static char buffer[100];
    double factor;
    dimension dim;
    assert_true(!wanted || unit_parse(wanted, strlen(wanted), &factor, &dim));
    unit_advise(word, strlen(word), wanted ? &dim : NULL, buffer, sizeof buffer);
    return buffer;
}

static void test_unit_advice_for_a_misspelt_word_is_the_meant_one(void **state)
{
    (void)state;
    const char *const pairs[][2] = { { "Kn", "'kN' (1000 " },
                                     { "hz", "'Hz' (1 " },
                                     { "degr", "'deg' (0.0174533 1)" },
                                     { "sec", "'s' (1 s)" },
                                     { "rmp", "'rpm'" },
                                     { "rads", "'rad'" },
                                     { "Mpa", "'MPa' (1e+06" },
                                     { "KG", "'kg' (1 kg)" },
                                     { "ohms", "'ohm'" },
                                     { "inch", "'in'" },
                                     { "lbs", "'lb' (0.453592 kg)" },
                                     { "Mg", "'t' (1000 kg)" },
                                     { "kmh", "'km/h'" } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (!strstr(advice(pairs[i][0], NULL), pairs[i][1])) {
            fail_msg("%s: %s", pairs[i][0], advice(pairs[i][0], NULL));
        }
    }
}

static void test_unit_advice_keeps_to_the_dimension_that_is_asked_for(void **state)
{
    (void)state;
    // 'furlong' and 'ug', 'lbs' and 'bar' share letters and nothing else
    const char *const cases[][3] = {
        { "Mg", "kg", "'t' (1000 kg)" }, { "lbs", "kg", "'lb'" },  { "furlong", "m", "known here are m" },
        { "Kn", "N", "'kN'" },           { "mpa", "Pa", "'MPa'" }, { "grad", "rad", "'rad'" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!strstr(advice(cases[i][0], cases[i][1]), cases[i][2])) {
            fail_msg("%s for %s: %s", cases[i][0], cases[i][1], advice(cases[i][0], cases[i][1]));
        }
    }
    assert_null(strstr(advice("Mg", "kg"), "mg"));
    assert_null(strstr(advice("lbs", "m"), "lb"));
}

static void test_unit_advice_for_an_unrelated_word_is_none(void **state)
{
    (void)state;
    assert_string_equal(advice("xx", NULL), "");
    assert_string_equal(advice("", NULL), "");
    assert_string_equal(advice("furlong", NULL), "");
}

static void test_dimension_text_prints_numerator_then_denominators(void **state)
{
    (void)state;
    char text[DIMENSION_TEXT_SIZE];
    assert_string_equal(dimension_text((dimension){ 0 }, text, sizeof text), "1");
    assert_string_equal(dimension_text((dimension){ 0, 1, 0, 0, 0 }, text, sizeof text), "m");
    assert_string_equal(dimension_text((dimension){ 1, 2, -2, 0, 0 }, text, sizeof text), "kg*m^2/s^2");
    assert_string_equal(dimension_text((dimension){ 1, -1, -2, 0, 0 }, text, sizeof text), "kg/m/s^2");
    assert_string_equal(dimension_text((dimension){ 0, 0, -1, 0, 0 }, text, sizeof text), "1/s");
    assert_string_equal(dimension_text((dimension){ -1, -2, 4, 2, 0 }, text, sizeof text), "s^4*A^2/kg/m^2");
}

static void test_dimension_text_of_the_longest_fits_and_short_buffers_cut(void **state)
{
    (void)state;
    char text[DIMENSION_TEXT_SIZE];
    dimension_text((dimension){ -127, -127, -127, -127, -127 }, text, sizeof text);
    assert_string_equal(text, "1/kg^127/m^127/s^127/A^127/K^127");
    dimension_text((dimension){ 1, 2, -2, 0, 0 }, text, 5);
    assert_string_equal(text, "kg*m");
}

static void test_dimension_text_is_read_back_as_the_same_unit(void **state)
{
    (void)state;
    const dimension dims[] = { { 1, 2, -3, -2, 0 }, { -1, 0, 0, 0, 0 }, { 0, 0, 0, 1, -4 } };
    for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        char text[DIMENSION_TEXT_SIZE];
        double factor = 0.0;
        dimension dim;
        dimension_text(dims[i], text, sizeof text);
        assert_true(unit_parse(text, strlen(text), &factor, &dim));
        assert_true(factor == 1.0 && dimension_equal(dim, dims[i]));
    }
}

static void test_dimension_product_out_of_range_is_refused(void **state)
{
    (void)state;
    dimension out;
    assert_true(dimension_multiply((dimension){ 0 }, (dimension){ 0, 1, 0, 0, 0 }, 127, &out));
    assert_int_equal(out.m, 127);
    assert_false(dimension_multiply(out, (dimension){ 0, 1, 0, 0, 0 }, 1, &out));
    assert_false(dimension_multiply((dimension){ 0 }, (dimension){ 0, 1, 0, 0, 0 }, INT32_MAX, &out));
}

static void test_dimension_root_of_odd_exponent_is_refused(void **state)
{
    (void)state;
    dimension out;
    assert_true(dimension_root((dimension){ 0, 2, -4, 0, 0 }, &out));
    assert_true(dimension_equal(out, (dimension){ 0, 1, -2, 0, 0 }));
    assert_false(dimension_root((dimension){ 0, 2, -1, 0, 0 }, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_single_word_gives_factor_and_dimension),
        cmocka_unit_test(test_unit_products_and_quotients_go_from_left_to_right),
        cmocka_unit_test(test_unit_other_text_is_refused_and_writes_nothing),
        cmocka_unit_test(test_unit_of_other_systems_has_its_defined_factor),
        cmocka_unit_test(test_unit_length_ends_the_text_without_a_zero),
        cmocka_unit_test(test_unit_advice_for_a_misspelt_word_is_the_meant_one),
        cmocka_unit_test(test_unit_advice_keeps_to_the_dimension_that_is_asked_for),
        cmocka_unit_test(test_unit_advice_for_an_unrelated_word_is_none),
        cmocka_unit_test(test_dimension_text_prints_numerator_then_denominators),
        cmocka_unit_test(test_dimension_text_of_the_longest_fits_and_short_buffers_cut),
        cmocka_unit_test(test_dimension_text_is_read_back_as_the_same_unit),
        cmocka_unit_test(test_dimension_product_out_of_range_is_refused),
        cmocka_unit_test(test_dimension_root_of_odd_exponent_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
