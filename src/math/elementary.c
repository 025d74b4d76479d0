// SPDX-License-Identifier: MIT
// Exponential, logarithm, power, hyperbolic functions and roots.
#include "math/elementary.h"

#include <stdbool.h>

#include "math/double_bits.h"
#include "math/elementary_table.h"

// ---- exponential and logarithm

// e^x as a value in [0.99, 2), normalised, times 2^exponent; |x.hi| < 1500
static double_double exp_split(double_double x, int *exponent)
{
    // x = k ln 2 / 128 + r with |r| < 0.0028
    double n;
    int32_t k = nearest_integer(x.hi * TABLE_128_OVER_LN2, &n);
    double r = (x.hi - n * TABLE_LN2_OVER_128_PIECE[0]) - (n * TABLE_LN2_OVER_128_PIECE[1] - x.lo);
    int32_t j = k & 127;
    *exponent = (k - j) / 128;

    // e^r - 1; the term in r^6 is below 2^-60
    double r2 = r * r;
    double p = r + r2 * ((0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0)));
    double_double power = TABLE_EXP[j];
    return dd_quick_sum(power.hi, power.lo + power.hi * p);
}

// e^x for any finite x
static double exp_rounded(double_double x)
{
    if (x.hi > 710.0) {
        return (double)INFINITY;
    }
    if (x.hi < -746.0) {
        return 0.0;
    }
    int exponent;
    double_double m = exp_split(x, &exponent);
    return scale_by_power(dd_value(m), exponent);
}

// A finite x > 0 as 2^n (1 + r) / inverse, where base = -ln(inverse); |r| < 2^-7
typedef struct {
    double n;
    double_double r, base;
} log_parts;

static inline log_parts log_split(double x)
{
    // both halves of the mantissa times the short inverse are exact
    int e;
    double m = split_exponent(x, &e);
    unsigned j = (unsigned)(bits_of(m) >> 45) & 127;
    const log_row *row = &TABLE_LOG[j];
    double m_hi = from_bits(bits_of(m) & UINT64_C(0xFFFFFFFFF8000000));
    double_double r = dd_sum(m_hi * row->inverse - 1.0, (m - m_hi) * row->inverse);
    return (log_parts){ (double)(j >= TABLE_LOG_UPPER ? e + 1 : e), r, row->log };
}

// ln(1 + r) - r + r^2 / 2 for |r| < 2^-7; the term in r^11 is below 2^-73 r. z = r^2
static inline double log_tail(double r, double z)
{
    double p = (1.0 / 3.0 - r * (1.0 / 4.0)) +
               z * ((1.0 / 5.0 - r * (1.0 / 6.0)) +
                    z * ((1.0 / 7.0 - r * (1.0 / 8.0)) + z * (1.0 / 9.0 - r * (1.0 / 10.0))));
    return r * z * p;
}

// ln x for finite x > 0; everything after r is so small that double is precise enough
static inline double log_rounded(double x)
{
    log_parts part = log_split(x);
    double r = part.r.hi;
    double z = r * r;
    double_double table = dd_sum(part.n * TABLE_LN2_PIECE[0], part.base.hi);
    double_double linear = dd_sum(table.hi, r);
    double rest = (part.n * TABLE_LN2_PIECE[1] + part.base.lo) + (table.lo + linear.lo);
    return linear.hi + (rest + (part.r.lo + (log_tail(r, z) - 0.5 * z)));
}

// ln x for finite x > 0, relative error below 2^-66, normalised
static double_double log_precise(double x)
{
    log_parts part = log_split(x);
    double_double r = part.r;
    double_double square = dd_product(r.hi, r.hi);

    // n ln 2 + base + r - r^2 / 2, large to small, then what the sums left over; the tail is below 2^-15 r
    double_double table = dd_sum(part.n * TABLE_LN2_PIECE[0], part.base.hi);
    double_double linear = dd_sum(table.hi, r.hi);
    double_double parabola = dd_sum(linear.hi, -0.5 * square.hi);
    double rest = (part.n * TABLE_LN2_PIECE[1] + part.base.lo) + (table.lo + linear.lo + parabola.lo);
    double small = (r.lo - 0.5 * square.lo - r.hi * r.lo) + log_tail(r.hi, square.hi);
    return dd_quick_sum(parabola.hi, rest + small);
}

double math_exp(double x)
{
    if (isnan(x)) {
        return x;
    }
    if (fabs(x) < 0x1.0p-54) {
        return 1.0;
    }
    return exp_rounded((double_double){ x, 0.0 });
}

// Where log is not an ordinary number: x is not a finite positive number
static double log_special(double x)
{
    if (x == 0.0) {
        return -(double)INFINITY;
    }
    return x > 0.0 ? x : (double)NAN;
}

double math_log(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX)) {
        return log_special(x);
    }
    return log_rounded(x);
}

double math_log10(double x)
{
    if (!(x > 0.0 && x <= DBL_MAX)) {
        return log_special(x);
    }
    return dd_value(dd_multiply(log_precise(x), TABLE_LOG10_E));
}

// ---- power

typedef enum { PARITY_NONE, PARITY_EVEN, PARITY_ODD } parity;

// Whether a y that is not NaN is an even integer, an odd one, or none; infinities count as even
static parity parity_of(double y)
{
    double size = fabs(y);
    if (size >= 0x1.0p53 || size == 0.0) {
        return PARITY_EVEN;
    }
    if (size < 1.0) {
        return PARITY_NONE;
    }
    int64_t whole = (int64_t)size;
    if ((double)whole != size) {
        return PARITY_NONE;
    }
    return whole & 1 ? PARITY_ODD : PARITY_EVEN;
}

// a^y for 0 <= a <= infinity, y not zero, neither of them NaN
static double pow_of_size(double a, double y)
{
    if (a == 1.0) {
        return 1.0;
    }

    // at the borders, and for exponents so large that every other base ends there
    bool is_growing = (a > 1.0) == (y > 0.0);
    if (a == 0.0 || isinf(a) || fabs(y) > 0x1.0p65) {
        return is_growing ? (double)INFINITY : 0.0;
    }
    if (fabs(y) < 0x1.0p-65) {
        return 1.0;
    }
    return exp_rounded(dd_scale(y, log_precise(a)));
}

double math_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    if (!signbit(x)) {
        return pow_of_size(x, y);
    }

    // a negative base needs an integer, unless it is a zero or infinite
    parity kind = parity_of(y);
    if (kind == PARITY_NONE && x != 0.0 && !isinf(x)) {
        return (double)NAN;
    }
    double size = pow_of_size(-x, y);
    return kind == PARITY_ODD ? -size : size;
}

// ---- hyperbolic functions

// Up to the first the sums of exponentials would cancel, and short series are used; from the second on e^-x is below
// the last bit of e^x
static const double HYPERBOLIC_SMALL = 0.125;
static const double HYPERBOLIC_LARGE = 22.0;

// sinh x for |x| <= 1/8; the term in x^13 is below 2^-68 x
static double_double sinh_series(double x)
{
    double z = x * x;
    double p =
        1.0 / 6.0 + z * (1.0 / 120.0 + z * (1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (1.0 / 39916800.0))));
    return dd_quick_sum(x, x * z * p);
}

// cosh x for |x| <= 1/8; the term in x^12 is below 2^-64
static double_double cosh_series(double x)
{
    double_double square = dd_product(x, x);
    double z = square.hi;
    double p = 1.0 / 24.0 + z * (1.0 / 720.0 + z * (1.0 / 40320.0 + z * (1.0 / 3628800.0)));
    return dd_quick_sum(1.0, 0.5 * square.hi + (0.5 * square.lo + z * z * p));
}

// e^x for |x| <= 44
static double_double exp_precise(double x)
{
    int exponent;
    double_double m = exp_split((double_double){ x, 0.0 }, &exponent);
    double weight = power_of_two(exponent);
    return (double_double){ m.hi * weight, m.lo * weight };
}

// e^a / 2 for any a >= 22; does not overflow before the result does
static double half_exp(double a)
{
    if (a > 711.0) {
        return (double)INFINITY;
    }
    int exponent;
    double_double m = exp_split((double_double){ a, 0.0 }, &exponent);
    return scale_by_power(dd_value(m), exponent - 1);
}

double math_sinh(double x)
{
    double a = fabs(x);
    if (a < ODD_SERIES_IS_X || isnan(x)) {
        return x;
    }
    if (a <= HYPERBOLIC_SMALL) {
        return dd_value(sinh_series(x));
    }
    if (a >= HYPERBOLIC_LARGE) {
        return copysign(half_exp(a), x);
    }
    double_double grow = exp_precise(a);
    double_double decay = dd_divide((double_double){ 1.0, 0.0 }, grow);
    return copysign(0.5 * dd_value(dd_sub(grow, decay)), x);
}

double math_cosh(double x)
{
    double a = fabs(x);
    if (isnan(x)) {
        return x;
    }
    if (a >= HYPERBOLIC_LARGE) {
        return half_exp(a);
    }
    double_double grow = exp_precise(a);
    double_double decay = dd_divide((double_double){ 1.0, 0.0 }, grow);
    return 0.5 * dd_value(dd_add(grow, decay));
}

double math_tanh(double x)
{
    double a = fabs(x);
    if (a < ODD_SERIES_IS_X || isnan(x)) {
        return x;
    }
    if (a <= HYPERBOLIC_SMALL) {
        return dd_value(dd_divide(sinh_series(x), cosh_series(x)));
    }
    if (a >= HYPERBOLIC_LARGE) {
        return copysign(1.0, x);
    }
    double_double one = { 1.0, 0.0 };
    double_double grow = exp_precise(2.0 * a);
    return copysign(dd_value(dd_divide(dd_sub(grow, one), dd_add(grow, one))), x);
}

// ---- roots

double math_cbrt(double x)
{
    if (x == 0.0 || !isfinite(x)) {
        return x;
    }

    // |x| = m 2^(3 third) with m in [1, 8)
    int e;
    double m = split_exponent(fabs(x), &e);
    int third = (e + 3 * 1024) / 3 - 1024;
    m *= power_of_two(e - 3 * third);

    // a line within 9 % of the root, then Halley's steps, each of which cubes the error
    double y = 0.95 + m * 0.14;
    for (int i = 0; i < 3; i++) {
        double cube = y * y * y;
        y = y * (cube + 2.0 * m) / (2.0 * cube + m);
    }

    // one step of Newton with the cube in twice the precision rounds it well
    double_double cube = dd_scale(y, dd_product(y, y));
    y -= ((cube.hi - m) + cube.lo) / (3.0 * y * y);
    return copysign(scale_by_power(y, third), x);
}

double math_remainder(double x, double y)
{
    double rest = fabs(x), of = fabs(y);
    if (!(of > 0.0) || !(rest <= DBL_MAX)) {
        return (double)NAN;
    }
    while (rest >= of && of <= DBL_MAX) {
        // the largest of * 2^k that is not above the rest: the difference is exact
        int high, low;
        split_exponent(rest, &high);
        split_exponent(of, &low);
        if (high - low > 1000) {
            // more than one scaling can do: what is left of a large multiple has the same rest
            rest = math_remainder(rest, scale_by_power(of, 1000));
            continue;
        }
        double part = scale_by_power(of, high - low);
        rest -= part <= rest ? part : 0.5 * part;
    }
    return copysign(rest, x);
}

double math_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) {
        return (double)INFINITY;
    }
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    x = fabs(x);
    y = fabs(y);
    double large = x > y ? x : y;
    double small = x > y ? y : x;
    if (small <= large * 0x1.0p-60) {
        return large;
    }

    // bring the larger to [1, 2), where squares are safe
    int e;
    double a = split_exponent(large, &e);
    double b = scale_by_power(small, -e);
    double_double sum = dd_add(dd_product(a, a), dd_product(b, b));
    return scale_by_power(dd_value(dd_sqrt(sum)), e);
}
