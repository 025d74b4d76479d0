// SPDX-License-Identifier: MIT
// Numbers as an unevaluated sum of two doubles, about 106 bits, for the inner steps of the elementary functions.
// Arguments are expected far from overflow and underflow. Normalised means that hi is the rounded value.
#pragma once

#include <float.h>
#include <math.h>

// error-free sums need arithmetic in double and nothing wider
_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must be done in double");

typedef struct {
    double hi, lo;
} double_double;

// a + b without error, normalised
static inline double_double dd_sum(double a, double b)
{
    double hi = a + b;
    double part = hi - a;
    return (double_double){ hi, (a - (hi - part)) + (b - part) };
}

// a + b without error, normalised, for |a| >= |b| or a = 0
static inline double_double dd_quick_sum(double a, double b)
{
    double hi = a + b;
    return (double_double){ hi, b - (hi - a) };
}

// a b without error, normalised
static inline double_double dd_product(double a, double b)
{
    double hi = a * b;
#ifdef __FP_FAST_FMA
    // the remainder is a double, so that both ways give the same bits
    return (double_double){ hi, __builtin_fma(a, b, -hi) };
#else
    // halves of 26 bits, whose products are exact
    const double splitter = 0x1.0p27 + 1.0;
    double ta = splitter * a, tb = splitter * b;
    double ah = ta - (ta - a), bh = tb - (tb - b);
    double al = a - ah, bl = b - bh;
    return (double_double){ hi, ((ah * bh - hi) + ah * bl + al * bh) + al * bl };
#endif
}

static inline double dd_value(double_double a) { return a.hi + a.lo; }

static inline double_double dd_neg(double_double a) { return (double_double){ -a.hi, -a.lo }; }

static inline double_double dd_add(double_double a, double_double b)
{
    double_double sum = dd_sum(a.hi, b.hi);
    return dd_quick_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline double_double dd_sub(double_double a, double_double b) { return dd_add(a, dd_neg(b)); }

static inline double_double dd_scale(double s, double_double a)
{
    double_double p = dd_product(s, a.hi);
    return dd_quick_sum(p.hi, p.lo + s * a.lo);
}

static inline double_double dd_multiply(double_double a, double_double b)
{
    double_double p = dd_product(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a / b, both normalised
static inline double_double dd_divide(double_double a, double_double b)
{
    double q = a.hi / b.hi;
    double_double p = dd_product(q, b.hi);
    double rest = (a.hi - p.hi) - p.lo + a.lo - q * b.lo;
    return dd_quick_sum(q, rest / b.hi);
}

// the square root of a normalised a >= 0
static inline double_double dd_sqrt(double_double a)
{
    if (a.hi == 0.0) {
        return (double_double){ 0.0, 0.0 };
    }
    double root = sqrt(a.hi);
    double_double p = dd_product(root, root);
    double rest = (a.hi - p.hi) - p.lo + a.lo;
    return dd_quick_sum(root, rest / (2.0 * root));
}
