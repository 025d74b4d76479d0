// SPDX-License-Identifier: MIT
// The exponent, the mantissa and the integer part of a double by way of its bits.
#pragma once

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^e for -1022 <= e <= 1023
static inline double power_of_two(int e) { return from_bits((uint64_t)(e + 1023) << 52); }

// 2^e x for |e| <= 2044; two exact factors, of which only the second may overflow or round
static inline double scale_by_power(double x, int e)
{
    int half = e / 2;
    return x * power_of_two(half) * power_of_two(e - half);
}

// The exponent e of a finite x > 0 = m 2^e, and m in [1, 2)
static inline double split_exponent(double x, int *e)
{
    int shift = 0;
    if (x < DBL_MIN) {
        x *= 0x1.0p54;
        shift = -54;
    }
    uint64_t bits = bits_of(x);
    *e = (int)(bits >> 52) - 1023 + shift;
    return from_bits((bits & UINT64_C(0x000FFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000));
}

// The same of any x with m in [1/2, 1) and its sign, as frexp; zero, infinite and no number: themselves, and e is 0
static inline double split_half(double x, int *e)
{
    double size = fabs(x);
    *e = 0;
    if (!(size > 0.0 && size <= DBL_MAX)) {
        return x;
    }
    double m = split_exponent(size, e);
    *e += 1;
    return copysign(0.5 * m, x);
}

// The integer nearest to x, |x| < 2^31, also as a double: the sum is so large that its last bit weighs one
static inline int32_t nearest_integer(double x, double *as_double)
{
    double shifted = x + 0x1.8p52;
    *as_double = shifted - 0x1.8p52;
    return (int32_t)(uint32_t)bits_of(shifted);
}
