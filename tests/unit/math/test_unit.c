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
                                  "t",
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
                                  "L",
                                  "C",
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

static void test_unit_nearest_of_a_misspelt_word_is_the_meant_one(void **state)
{
    (void)state;
    const char *const pairs[][2] = { { "Kn", "kN" },   { "hz", "Hz" },   { "degr", "deg" },
                                     { "sec", "s" },   { "rmp", "rpm" }, { "rads", "rad" },
                                     { "Mpa", "MPa" }, { "KG", "kg" },   { "ohms", "ohm" } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char nearest[8] = "";
        assert_true(unit_nearest(pairs[i][0], strlen(pairs[i][0]), nearest, sizeof nearest));
        assert_string_equal(nearest, pairs[i][1]);
    }
}

static void test_unit_nearest_of_an_unrelated_word_is_none(void **state)
{
    (void)state;
    char nearest[8] = "";
    assert_false(unit_nearest("xx", 2, nearest, sizeof nearest));
    assert_false(unit_nearest("", 0, nearest, sizeof nearest));
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
        cmocka_unit_test(test_unit_length_ends_the_text_without_a_zero),
        cmocka_unit_test(test_unit_nearest_of_a_misspelt_word_is_the_meant_one),
        cmocka_unit_test(test_unit_nearest_of_an_unrelated_word_is_none),
        cmocka_unit_test(test_dimension_text_prints_numerator_then_denominators),
        cmocka_unit_test(test_dimension_text_of_the_longest_fits_and_short_buffers_cut),
        cmocka_unit_test(test_dimension_text_is_read_back_as_the_same_unit),
        cmocka_unit_test(test_dimension_product_out_of_range_is_refused),
        cmocka_unit_test(test_dimension_root_of_odd_exponent_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
