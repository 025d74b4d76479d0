// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/elementary.h"

static const double INF = (double)INFINITY;
static const double PI = 3.14159265358979323846;

// ---- arguments: a fixed sequence, the same in every run

typedef struct {
    uint64_t word;
} sequence;

static uint64_t next_word(sequence *seq)
{
    seq->word = seq->word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seq->word;
}

static double next_between(sequence *seq, double low, double high)
{
    return low + (high - low) * ((double)(next_word(seq) >> 11) * 0x1.0p-53);
}

// A number of either sign with any exponent from low to high alike, |x| in [2^low, 2^high)
static double next_of_exponent(sequence *seq, int low, int high)
{
    double m = next_between(seq, 1.0, 2.0);
    int e = low + (int)((next_word(seq) >> 33) % (uint64_t)(high - low));
    return ldexp((next_word(seq) >> 63) ? -m : m, e);
}

// ---- comparison in units of the last place of the exact value

static double error_in_ulp(double value, long double exact)
{
    if (isnan(exact) || isinf((double)exact)) {
        return isnan(value) == isnan(exact) && (isnan(value) || value == (double)exact) ? 0.0 : INF;
    }
    int e;
    (void)frexpl(exact, &e);
    double ulp = ldexp(1.0, e - 53 < -1074 ? -1074 : e - 53);
    return (double)(fabsl((long double)value - exact) / (long double)ulp);
}

typedef double (*function_1)(double);
typedef long double (*exact_1)(long double);
typedef double (*function_2)(double, double);
typedef long double (*exact_2)(long double, long double);

enum { N_SAMPLE = 100000 };

// The bounds of the tables below: the last rounding is 0.5, the rest comes from the inner steps, measured over
// 4e6 arguments in each range and rounded up. The reference is exact to 2^-11 ulp where long double has 64 bits.
static bool reference_is_precise(void) { return LDBL_MANT_DIG >= 64; }

static void assert_accurate(const char *name, double error, double bound, double x, double y)
{
    if (!(error <= bound)) {
        fail_msg("%s(%a, %a): error of %.3f ulp, allowed %.3f", name, x, y, error, bound);
    }
}

static void test_functions_between_limits_are_accurate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        function_1 f;
        exact_1 exact;
        double low, high, bound;
    } table[] = {
        { "sin", math_sin, sinl, -10.0, 10.0, 0.85 },      { "cos", math_cos, cosl, -10.0, 10.0, 0.85 },
        { "sin", math_sin, sinl, -1e6, 1e6, 0.85 },        { "cos", math_cos, cosl, -1e6, 1e6, 0.85 },
        { "tan", math_tan, tanl, -10.0, 10.0, 1.1 },       { "asin", math_asin, asinl, -1.0, 1.0, 0.51 },
        { "acos", math_acos, acosl, -1.0, 1.0, 0.51 },     { "atan", math_atan, atanl, -10.0, 10.0, 0.88 },
        { "exp", math_exp, expl, -10.0, 10.0, 0.52 },      { "exp", math_exp, expl, -708.0, 709.7, 0.52 },
        { "exp", math_exp, expl, -746.0, -708.0, 1.0 },    { "log", math_log, logl, 0.0, 10.0, 0.51 },
        { "log", math_log, logl, 0.99, 1.01, 0.51 },       { "log10", math_log10, log10l, 0.0, 10.0, 0.51 },
        { "sinh", math_sinh, sinhl, -1.0, 1.0, 0.55 },     { "sinh", math_sinh, sinhl, -712.0, 712.0, 0.52 },
        { "cosh", math_cosh, coshl, -712.0, 712.0, 0.52 }, { "tanh", math_tanh, tanhl, -1.0, 1.0, 0.53 },
        { "tanh", math_tanh, tanhl, -25.0, 25.0, 0.53 },   { "cbrt", math_cbrt, cbrtl, -10.0, 10.0, 0.51 },
    };
    if (!reference_is_precise()) {
        skip();
    }
    sequence seq = { 1 };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        for (int i = 0; i < N_SAMPLE; i++) {
            double x = next_between(&seq, table[k].low, table[k].high);
            double error = error_in_ulp(table[k].f(x), table[k].exact(x));
            assert_accurate(table[k].name, error, table[k].bound, x, 0.0);
        }
    }
}

static void test_functions_over_all_exponents_are_accurate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        function_1 f;
        exact_1 exact;
        int low, high;
        double bound;
    } table[] = {
        { "sin", math_sin, sinl, -1074, 1024, 0.85 },
        { "cos", math_cos, cosl, -1074, 1024, 0.85 },
        { "tan", math_tan, tanl, -1074, 1024, 1.1 },
        { "asin", math_asin, asinl, -1074, 0, 0.51 },
        { "acos", math_acos, acosl, -1074, 0, 0.51 },
        { "atan", math_atan, atanl, -1074, 1024, 0.88 },
        { "exp", math_exp, expl, -80, 9, 0.52 },
        { "log", math_log, logl, -1074, 1024, 0.51 },
        { "log10", math_log10, log10l, -1074, 1024, 0.51 },
        { "sinh", math_sinh, sinhl, -1074, 9, 0.55 },
        { "cosh", math_cosh, coshl, -1074, 9, 0.52 },
        { "tanh", math_tanh, tanhl, -1074, 9, 0.53 },
        { "cbrt", math_cbrt, cbrtl, -1074, 1024, 0.51 },
    };
    if (!reference_is_precise()) {
        skip();
    }
    sequence seq = { 2 };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        for (int i = 0; i < N_SAMPLE; i++) {
            double x = next_of_exponent(&seq, table[k].low, table[k].high);
            double error = error_in_ulp(table[k].f(x), table[k].exact(x));
            assert_accurate(table[k].name, error, table[k].bound, x, 0.0);
        }
    }
}

static void test_functions_of_two_numbers_are_accurate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        function_2 f;
        exact_2 exact;
        int low_x, high_x, low_y, high_y;
        double bound;
    } table[] = {
        { "atan2", math_atan2, atan2l, -3, 3, -3, 3, 0.51 },
        { "atan2", math_atan2, atan2l, -1074, 1024, -1074, 1024, 0.51 },
        { "hypot", math_hypot, hypotl, -3, 3, -3, 3, 0.51 },
        { "hypot", math_hypot, hypotl, -1074, 1024, -1074, 1024, 1.0 },
        { "pow", math_pow, powl, -4, 4, -10, 8, 1.0 },
        { "pow", math_pow, powl, -1074, 1024, -20, 4, 1.0 },
    };
    if (!reference_is_precise()) {
        skip();
    }
    sequence seq = { 3 };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        for (int i = 0; i < N_SAMPLE; i++) {
            double x = next_of_exponent(&seq, table[k].low_x, table[k].high_x);
            double y = next_of_exponent(&seq, table[k].low_y, table[k].high_y);
            double error = error_in_ulp(table[k].f(x, y), table[k].exact(x, y));
            assert_accurate(table[k].name, error, table[k].bound, x, y);
        }
    }
}

static void test_pow_of_base_near_one_is_accurate(void **state)
{
    (void)state;
    if (!reference_is_precise()) {
        skip();
    }
    sequence seq = { 4 };
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = 1.0 + next_of_exponent(&seq, -20, -3);
        double y = next_of_exponent(&seq, 1, 14);
        assert_accurate("pow", error_in_ulp(math_pow(x, y), powl(x, y)), 1.0, x, y);
    }
}

// ---- single values

static bool same_bits(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static void assert_same(double value, double expected)
{
    if (!same_bits(value, expected)) {
        fail_msg("%a is not %a", value, expected);
    }
}

static void test_sincos_gives_the_bits_of_sin_and_cos(void **state)
{
    (void)state;
    sequence seq = { 5 };
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = next_of_exponent(&seq, -60, 60);
        double s, c;
        math_sincos(x, &s, &c);
        assert_same(s, math_sin(x));
        assert_same(c, math_cos(x));
    }
}

static void test_sin_and_cos_of_huge_numbers_match_2000_bit_arithmetic(void **state)
{
    (void)state;
    // 1e22 is the classic of range reduction; 0x1.6ac5b262ca1ffp849 comes closest to a multiple of pi / 2
    assert_same(math_sin(1e22), -0.8522008497671888);
    assert_same(math_cos(1e22), 0.523214785395139);
    assert_same(math_sin(0x1.6ac5b262ca1ffp849), 1.0);
    assert_same(math_cos(0x1.6ac5b262ca1ffp849), -4.6871659242546277e-19);
    assert_same(math_sin(DBL_MAX), 0.004961954789184062);
    assert_same(math_cos(DBL_MAX), -0.9999876894265599);
}

static void test_sin_of_rounded_pi_is_the_rounding_of_pi(void **state)
{
    (void)state;
    assert_same(math_sin(PI), 0x1.1a62633145c07p-53);
    assert_same(math_cos(PI / 2.0), 0x1.1a62633145c07p-54);
}

static void test_odd_functions_keep_the_sign_of_zero(void **state)
{
    (void)state;
    const function_1 odd[] = { math_sin, math_tan, math_asin, math_atan, math_sinh, math_tanh, math_cbrt };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        assert_same(odd[i](0.0), 0.0);
        assert_same(odd[i](-0.0), -0.0);
        assert_same(odd[i](-DBL_TRUE_MIN), odd[i] == math_cbrt ? -0x1.0p-358 : -DBL_TRUE_MIN);
    }
}

static void test_remainder_is_exact(void **state)
{
    (void)state;
    const double number[] = { 0.0,  1.0,   2.0,    0.1,          -7.25,  1e-3,       1e300,       -1e-300,
                              PI,   1e17,  -3e15,  DBL_TRUE_MIN, 5e-324, DBL_MAX,    -DBL_MIN,    0.3,
                              -0.0, 1e154, 1e-160, 123456789.0,  1024.0, -1.0 / 3.0, 255.0 / 256, INF };
    enum { N = sizeof number / sizeof *number };
    // both are exact: nothing may differ
    for (int i = 0; i < N * N; i++) {
        double x = number[i / N], y = number[i % N], expected = fmod(x, y), got = math_remainder(x, y);
        assert_true(isnan(expected) ? isnan(got) : memcmp(&expected, &got, sizeof got) == 0);
    }
    assert_true(isnan(math_remainder((double)NAN, 1.0)) && isnan(math_remainder(1.0, (double)NAN)));
}

static void test_functions_of_nan_are_nan(void **state)
{
    (void)state;
    const function_1 all[] = { math_sin, math_cos,   math_tan,  math_asin, math_acos, math_atan, math_exp,
                               math_log, math_log10, math_sinh, math_cosh, math_tanh, math_cbrt };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_true(isnan(all[i]((double)NAN)));
    }
    assert_true(isnan(math_atan2((double)NAN, 1.0)));
    assert_true(isnan(math_atan2(1.0, (double)NAN)));
    assert_true(isnan(math_hypot((double)NAN, 1.0)));
}

static void test_functions_outside_their_domain_are_nan(void **state)
{
    (void)state;
    assert_true(isnan(math_sin(INF)));
    assert_true(isnan(math_cos(-INF)));
    assert_true(isnan(math_tan(INF)));
    assert_true(isnan(math_asin(1.0 + DBL_EPSILON)));
    assert_true(isnan(math_acos(-INF)));
    assert_true(isnan(math_log(-1.0)));
    assert_true(isnan(math_log10(-INF)));
    assert_true(isnan(math_pow(-2.0, 0.5)));
}

static void test_functions_at_infinity_reach_their_limits(void **state)
{
    (void)state;
    assert_same(math_atan(-INF), -PI / 2.0);
    assert_same(math_exp(INF), INF);
    assert_same(math_exp(-INF), 0.0);
    assert_same(math_log(INF), INF);
    assert_same(math_log10(INF), INF);
    assert_same(math_sinh(-INF), -INF);
    assert_same(math_cosh(-INF), INF);
    assert_same(math_tanh(-INF), -1.0);
    assert_same(math_cbrt(-INF), -INF);
    assert_same(math_hypot(-INF, (double)NAN), INF);
}

static void test_functions_at_landmarks_are_exact(void **state)
{
    (void)state;
    assert_same(math_cos(0.0), 1.0);
    assert_same(math_asin(1.0), PI / 2.0);
    assert_same(math_asin(-1.0), -PI / 2.0);
    assert_same(math_acos(1.0), 0.0);
    assert_same(math_acos(0.0), PI / 2.0);
    assert_same(math_acos(-1.0), PI);
    assert_same(math_atan(1.0), PI / 4.0);
    assert_same(math_exp(0.0), 1.0);
    assert_same(math_log(1.0), 0.0);
    assert_same(math_log(-0.0), -INF);
    assert_same(math_cosh(0.0), 1.0);
    assert_same(math_cbrt(27.0), 3.0);
    assert_same(math_hypot(3.0, -4.0), 5.0);
    assert_same(math_hypot(0.0, -0.0), 0.0);
}

static void test_log10_of_powers_of_ten_is_whole(void **state)
{
    (void)state;
    static const double power[] = { 1e-3, 1e-1, 1e0, 1e1, 1e5, 1e15, 1e22 };
    static const double exponent[] = { -3.0, -1.0, 0.0, 1.0, 5.0, 15.0, 22.0 };
    for (size_t i = 0; i < sizeof power / sizeof power[0]; i++) {
        assert_same(math_log10(power[i]), exponent[i]);
    }
}

static void test_exp_at_the_ends_of_the_range_is_finite_until_it_is_not(void **state)
{
    (void)state;
    assert_true(math_exp(0x1.62e42fefa39efp9) <= DBL_MAX);
    assert_same(math_exp(0x1.62e42fefa39f0p9), INF);
    assert_same(math_exp(-745.0), DBL_TRUE_MIN);
    assert_same(math_exp(-746.0), 0.0);
    assert_same(math_hypot(DBL_MAX, DBL_MAX), INF);
}

static void test_two_argument_special_values_match_the_c_library(void **state)
{
    (void)state;
    // the library is exact at these points on every platform; the sign of NaN is not compared
    const double value[] = { 0.0,  -0.0, 1.0,  -1.0, 0.5, -0.5, 2.0,
                             -2.0, 3.0,  -3.0, 4.0,  INF, -INF, (double)NAN };
    const size_t n = sizeof value / sizeof value[0];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double x = value[i], y = value[j];
            assert_same(math_pow(x, y), pow(x, y));
            if (x == 0.0 || y == 0.0 || !isfinite(x) || !isfinite(y)) {
                assert_same(math_atan2(x, y), atan2(x, y));
                assert_same(math_hypot(x, y), hypot(x, y));
            }
        }
    }
}

static void test_pow_with_huge_or_tiny_exponent_reaches_the_limit(void **state)
{
    (void)state;
    assert_same(math_pow(1.0 + DBL_EPSILON, 1e300), INF);
    assert_same(math_pow(1.0 - DBL_EPSILON, 1e300), 0.0);
    assert_same(math_pow(-2.0, 1025.0), -INF);
    assert_same(math_pow(-2.0, -1075.0), -0.0);
    assert_same(math_pow(-2.0, 0x1.0p60), INF);
    assert_same(math_pow(7.0, 1e-300), 1.0);
    assert_same(math_pow(DBL_TRUE_MIN, 1.0), DBL_TRUE_MIN);
    assert_same(math_pow(DBL_MAX, 1.0), DBL_MAX);
}

// ---- the same bits everywhere

static uint64_t hash_add(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

static void test_functions_give_the_golden_bits(void **state)
{
    (void)state;
    const function_1 all[] = { math_sin, math_cos,   math_tan,  math_asin, math_acos, math_atan, math_exp,
                               math_log, math_log10, math_sinh, math_cosh, math_tanh, math_cbrt };
    sequence seq = { 6 };
    uint64_t hash = 0;
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = next_of_exponent(&seq, -30, 30);
        double y = next_of_exponent(&seq, -6, 6);
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            double value = all[k](k == 3 || k == 4 ? x / (1.0 + fabs(x)) : x);
            hash = hash_add(hash, isnan(value) ? 0.0 : value);
        }
        hash = hash_add(hash, math_atan2(x, y));
        hash = hash_add(hash, math_hypot(x, y));
        hash = hash_add(hash, math_pow(fabs(x), y));
    }
    // a change of this number is a change of every recorded result: it needs a line in the CHANGELOG
    if (hash != UINT64_C(0x269BE2B771C48AAC)) {
        fail_msg("the hash of the results is 0x%016llX", (unsigned long long)hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_between_limits_are_accurate),
        cmocka_unit_test(test_functions_over_all_exponents_are_accurate),
        cmocka_unit_test(test_functions_of_two_numbers_are_accurate),
        cmocka_unit_test(test_pow_of_base_near_one_is_accurate),
        cmocka_unit_test(test_sincos_gives_the_bits_of_sin_and_cos),
        cmocka_unit_test(test_sin_and_cos_of_huge_numbers_match_2000_bit_arithmetic),
        cmocka_unit_test(test_sin_of_rounded_pi_is_the_rounding_of_pi),
        cmocka_unit_test(test_odd_functions_keep_the_sign_of_zero),
        cmocka_unit_test(test_remainder_is_exact),
        cmocka_unit_test(test_functions_of_nan_are_nan),
        cmocka_unit_test(test_functions_outside_their_domain_are_nan),
        cmocka_unit_test(test_functions_at_infinity_reach_their_limits),
        cmocka_unit_test(test_functions_at_landmarks_are_exact),
        cmocka_unit_test(test_log10_of_powers_of_ten_is_whole),
        cmocka_unit_test(test_exp_at_the_ends_of_the_range_is_finite_until_it_is_not),
        cmocka_unit_test(test_two_argument_special_values_match_the_c_library),
        cmocka_unit_test(test_pow_with_huge_or_tiny_exponent_reaches_the_limit),
        cmocka_unit_test(test_functions_give_the_golden_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
