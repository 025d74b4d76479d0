// SPDX-License-Identifier: MIT
// Trigonometric functions and their inverses.
#include "math/elementary.h"

#include <stdbool.h>

#include "base/lanes.h"
#include "math/double_bits.h"
#include "math/elementary_table.h"

__extension__ typedef unsigned __int128 uint128;

// ---- sine, cosine, tangent

// An angle as a number of quarter turns plus a rest of at most about pi / 4
typedef struct {
    double_double rest;
    unsigned quarters; // only its last two bits are meant
} reduced_angle;

// |x| < 2^20: subtract quarter turns piece by piece. The first difference is exact: x and the product are
// close
LANES_TAKEN_IN reduced_angle reduce_ordinary(double x)
{
    double n;
    int32_t quarters = nearest_integer(x * TABLE_TWO_OVER_PI, &n);
    double first = x - n * TABLE_HALF_PI_PIECE[0];
    double_double second = dd_sum(first, -(n * TABLE_HALF_PI_PIECE[1]));
    double_double third = dd_sum(second.hi, -(n * TABLE_HALF_PI_PIECE[2]));
    double last = (second.lo + third.lo) - n * TABLE_HALF_PI_PIECE[3];
    return (reduced_angle){ dd_quick_sum(third.hi, last), (unsigned)quarters };
}

// The fraction f / 2^192 (f most significant word first) as a double_double
static double_double fraction_to_double(const uint64_t f[3])
{
    // move the leading one to the top; the worst double leaves about 62 zeros, one word of shift is enough
    uint64_t a = f[0], b = f[1], c = f[2];
    int zeros = 0;
    if (a == 0) {
        a = b;
        b = c;
        c = 0;
        zeros = 64;
    }
    int shift = a == 0 ? 0 : __builtin_clzll(a);
    if (shift > 0) {
        a = (a << shift) | (b >> (64 - shift));
        b = (b << shift) | (c >> (64 - shift));
    }
    double weight = power_of_two(-(zeros + shift));

    // 53 bits, then 64 more
    double hi = (double)(a >> 11) * 0x1.0p-53;
    double lo = (double)((a << 53) | (b >> 11)) * 0x1.0p-117;
    return (double_double){ hi * weight, lo * weight };
}

// |x| >= 2^20 finite: multiply the mantissa with those bits of 2 / pi that decide the product modulo 4
LANES_APART reduced_angle reduce_huge(double x)
{
    // |x| = m 2^e; bits of 2 / pi above 2^(2 - e) only add multiples of four quarter turns
    uint64_t bits = bits_of(x);
    int e = (int)((bits >> 52) & 0x7FF) - 1075;
    uint64_t m = (bits & UINT64_C(0x000FFFFFFFFFFFFF)) | UINT64_C(0x0010000000000000);
    int start = 64 + e - 2;
    const uint64_t *word = TABLE_TWO_OVER_PI_BITS + start / 64;
    int shift = start % 64;
    uint64_t window[3];
    for (int i = 0; i < 3; i++) {
        window[i] = shift == 0 ? word[i] : (word[i] << shift) | (word[i + 1] >> (64 - shift));
    }

    // the last 192 bits of the product: two bits of quarters, then the fraction, 137 bits of which are right
    uint128 low = (uint128)m * window[2];
    uint128 middle = (uint128)m * window[1] + (uint64_t)(low >> 64);
    uint64_t high = m * window[0] + (uint64_t)(middle >> 64);
    uint64_t p[3] = { high, (uint64_t)middle, (uint64_t)low };
    unsigned quarters = (unsigned)(p[0] >> 62);
    uint64_t f[3] = { (p[0] << 2) | (p[1] >> 62), (p[1] << 2) | (p[2] >> 62), p[2] << 2 };

    // a fraction beyond one half counts back from the next quarter; complement is negation up to the last bit, which is
    // noise
    bool is_back = f[0] >> 63;
    if (is_back) {
        quarters++;
        for (int i = 0; i < 3; i++) {
            f[i] = ~f[i];
        }
    }
    double_double rest = dd_multiply(fraction_to_double(f), TABLE_HALF_PI);

    bool is_negative = bits >> 63;
    return (reduced_angle){ is_back != is_negative ? dd_neg(rest) : rest,
                            is_negative ? 0U - quarters : quarters };
}

LANES_TAKEN_IN reduced_angle reduce_angle(double x)
{
    double size = fabs(x);
    if (size <= 0.785) {
        return (reduced_angle){ { x, 0.0 }, 0 };
    }
    return size < 0x1.0p20 ? reduce_ordinary(x) : reduce_huge(x);
}

static inline double_double sin_near_zero(double_double r)
{
    const double *c = TABLE_SIN;
    double z = r.hi * r.hi;
    double z2 = z * z;
    double p = (c[0] + z * c[1]) + z2 * ((c[2] + z * c[3]) + z2 * ((c[4] + z * c[5]) + z2 * c[6]));
    return (double_double){ r.hi, r.lo * (1.0 - 0.5 * z) + (r.hi * z) * p };
}

static inline double_double cos_near_zero(double_double r)
{
    const double *c = TABLE_COS;
    double z = r.hi * r.hi;
    double z2 = z * z;
    double p = (c[0] + z * c[1]) + z2 * ((c[2] + z * c[3]) + z2 * (c[4] + z * c[5]));
    double half = 0.5 * z;
    double rough = 1.0 - half;
    return (double_double){ rough, ((1.0 - rough) - half) + (z2 * p - r.hi * r.lo) };
}

// sin for an odd number of quarters is cos of the rest, and so on around the circle
LANES_TAKEN_IN double sin_of_reduced(reduced_angle a)
{
    double s = dd_value(a.quarters & 1 ? cos_near_zero(a.rest) : sin_near_zero(a.rest));
    return a.quarters & 2 ? -s : s;
}

double math_sin(double x)
{
    if (fabs(x) < ODD_SERIES_IS_X) {
        return x;
    }
    if (!isfinite(x)) {
        return (double)NAN;
    }
    return sin_of_reduced(reduce_angle(x));
}

double math_cos(double x)
{
    if (!isfinite(x)) {
        return (double)NAN;
    }
    reduced_angle a = reduce_angle(x);
    a.quarters += 1;
    return sin_of_reduced(a);
}

void math_sincos(double x, double *s, double *c)
{
    if (fabs(x) < ODD_SERIES_IS_X) {
        *s = x;
        *c = 1.0;
        return;
    }
    if (!isfinite(x)) {
        *s = *c = (double)NAN;
        return;
    }
    reduced_angle a = reduce_angle(x);
    double sin_rest = dd_value(sin_near_zero(a.rest));
    double cos_rest = dd_value(cos_near_zero(a.rest));
    double sin_size = a.quarters & 1 ? cos_rest : sin_rest;
    double cos_size = a.quarters & 1 ? sin_rest : cos_rest;
    *s = a.quarters & 2 ? -sin_size : sin_size;
    *c = (a.quarters + 1) & 2 ? -cos_size : cos_size;
}

double math_tan(double x)
{
    if (fabs(x) < ODD_SERIES_IS_X) {
        return x;
    }
    if (!isfinite(x)) {
        return (double)NAN;
    }
    reduced_angle a = reduce_angle(x);
    double_double s = sin_near_zero(a.rest);
    double_double c = cos_near_zero(a.rest);
    s = dd_quick_sum(s.hi, s.lo);
    c = dd_quick_sum(c.hi, c.lo);
    return dd_value(a.quarters & 1 ? dd_divide(dd_neg(c), s) : dd_divide(s, c));
}

// ---- inverse trigonometric functions

// atan(y / x) for 0 <= y <= x, neither beyond 2^64: atan(k / 32) from the table plus the atan of a small ratio
static double_double atan_of_ratio(double_double y, double_double x)
{
    double k;
    int32_t row = nearest_integer(32.0 * (y.hi / x.hi), &k);
    double c = k / 32.0;
    double_double t = y;
    double_double below = x;
    if (row > 0) {
        t = dd_sub(y, dd_scale(c, x));
        below = dd_add(x, dd_scale(c, y));
    }
    t = dd_divide(t, below);

    // t - t^3 / 3 + ... for |t| <= 1 / 64, where the term in t^11 is below 2^-63 t
    double z = t.hi * t.hi;
    double p = -1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0)));
    double_double small = dd_quick_sum(t.hi, t.lo + t.hi * z * p);
    return row > 0 ? dd_add(TABLE_ATAN[row], small) : small;
}

// The angle in [0, pi / 2] of the point (x, y), both >= 0 and not beyond 2^64
static double_double angle_of_point(double_double y, double_double x)
{
    if (y.hi > x.hi) {
        return dd_sub(TABLE_HALF_PI, atan_of_ratio(x, y));
    }
    return atan_of_ratio(y, x);
}

// sqrt(1 - a^2) for 0 <= a <= 1
static double_double other_leg(double a) { return dd_sqrt(dd_multiply(dd_sum(1.0, -a), dd_sum(1.0, a))); }

// atan(w) for 0 <= w <= 1 in plain double, three times faster than atan_of_ratio; error below 0.6 ulp
static inline double_double atan_of_number(double w)
{
    if (w < 0.25) {
        const double *c = TABLE_ATAN_SMALL;
        double z = w * w;
        double z2 = z * z;
        double z4 = z2 * z2;
        double low = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
        double high = (c[4] + z * c[5]) + z2 * (c[6] + z * c[7]);
        return (double_double){ w, w * z * (low + z4 * (high + z4 * c[8])) };
    }
    double k;
    int32_t row = nearest_integer(32.0 * w, &k);
    double c = k / 32.0;
    double t = (w - c) / (1.0 + w * c);
    double z = t * t;
    double p = -1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0)));
    return (double_double){ TABLE_ATAN[row].hi, TABLE_ATAN[row].lo + (t + t * z * p) };
}

double math_atan(double x)
{
    double a = fabs(x);
    if (a < ODD_SERIES_IS_X || isnan(x)) {
        return x;
    }
    if (a <= 1.0) {
        return copysign(dd_value(atan_of_number(a)), x);
    }

    // the rounding of the inverse weighs at most a third of an ulp of the result
    double_double beyond = atan_of_number(1.0 / a);
    double_double rough = dd_quick_sum(TABLE_HALF_PI.hi, -beyond.hi);
    return copysign(rough.hi + (rough.lo + (TABLE_HALF_PI.lo - beyond.lo)), x);
}

double math_asin(double x)
{
    double a = fabs(x);
    if (a < ODD_SERIES_IS_X) {
        return x;
    }
    if (!(a <= 1.0)) {
        return (double)NAN;
    }
    return copysign(dd_value(angle_of_point((double_double){ a, 0.0 }, other_leg(a))), x);
}

double math_acos(double x)
{
    double a = fabs(x);
    if (!(a <= 1.0)) {
        return (double)NAN;
    }
    double_double angle = angle_of_point(other_leg(a), (double_double){ a, 0.0 });
    return dd_value(x < 0.0 ? dd_sub(TABLE_PI, angle) : angle);
}

// The angle in [0, pi] of a point on an axis or at infinity, y = |y|
static double angle_of_special_point(double y, double x)
{
    if (isinf(y) && isinf(x)) {
        return x > 0.0 ? TABLE_QUARTER_PI.hi : TABLE_THREE_QUARTER_PI.hi;
    }
    if (y == 0.0 || isinf(x)) {
        return signbit(x) ? TABLE_PI.hi : 0.0;
    }
    return TABLE_HALF_PI.hi;
}

double math_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return (double)NAN;
    }
    if (x == 0.0 || y == 0.0 || isinf(x) || isinf(y)) {
        return copysign(angle_of_special_point(fabs(y), x), y);
    }

    // very flat or very steep: one term is enough
    int exponent_y, exponent_x;
    double my = split_exponent(fabs(y), &exponent_y);
    double mx = split_exponent(fabs(x), &exponent_x);
    int steepness = exponent_y - exponent_x;
    if (steepness > 64) {
        return copysign(TABLE_HALF_PI.hi, y);
    }
    if (steepness < -64) {
        return x > 0.0 ? y / x : copysign(TABLE_PI.hi, y);
    }

    // only the ratio counts: bring the larger to [1, 2)
    double_double sy = { steepness < 0 ? my * power_of_two(steepness) : my, 0.0 };
    double_double sx = { steepness > 0 ? mx * power_of_two(-steepness) : mx, 0.0 };
    double_double angle = angle_of_point(sy, sx);
    return copysign(dd_value(x < 0.0 ? dd_sub(TABLE_PI, angle) : angle), y);
}
