// SPDX-License-Identifier: MIT
// Numbers that carry their derivatives with respect to what a tyre feels: laws are written once and their tangents are
// exact, whatever the law (tyre.14). The build compiles what is written in them twice: as it stands, and with
// TYRE_VALUES, where they carry none, for evaluations that want no tangent (measured: a tenth of the instructions). The
// values are the same, bit by bit.
#pragma once
#include "math/elementary.h"
#include <math.h>

// What a tyre feels of the motion, in this order.
enum {
    PATCH_DEPTH,      // overlap of tyre and ground along the normal, m
    PATCH_DEPTH_RATE, // m/s
    PATCH_SLIP_X,     // velocity of the rolling tread against the ground, along, m/s
    PATCH_SLIP_Y,     // across, m/s
    PATCH_ROLL,       // rolling radius times spin, m/s
    PATCH_CAMBER,     // sine of the camber: axis dot normal
    PATCH_TURN,       // angular velocity about the normal, rad/s
    PATCH_TRAVEL,     // velocity of the wheel's centre, along, m/s
    PATCH_DRIFT,      // across, m/s
    N_PATCH
};

// The name of a thing in the present one of the two instances: no type or function is mistaken for that of the other.
#ifdef TYRE_VALUES
#define TYRE_INSTANCE(name) name##_values
typedef struct TYRE_INSTANCE(dual) {
    double v;
} dual;
#define DUAL_SLOPES(statement)
// A part of a law by itself: with slopes every number in between takes ten places of the frame.
#define TYRE_PART static
#else
#define TYRE_PART static __attribute__((noinline))
#define TYRE_INSTANCE(name) name##_slopes
typedef struct TYRE_INSTANCE(dual) {
    double v, d[N_PATCH];
} dual;
#define DUAL_SLOPES(statement)                                                                               \
    for (int k = 0; k < N_PATCH; k++) {                                                                      \
        statement;                                                                                           \
    }
#endif

static inline dual dual_of(double v)
{
    dual out = { .v = v };
    return out;
}

static inline dual dual_variable(double v, int which)
{
    dual out = { .v = v };
    DUAL_SLOPES(out.d[k] = k == which ? 1.0 : 0.0)
    (void)which;
    return out;
}

// value v whose derivatives are those of a, scaled
static inline dual dual_chain(double v, double slope, dual a)
{
    dual out = { .v = v };
    DUAL_SLOPES(out.d[k] = slope * a.d[k])
    (void)slope, (void)a;
    return out;
}

static inline dual dual_chain2(double v, double by_a, dual a, double by_b, dual b)
{
    dual out = { .v = v };
    DUAL_SLOPES(out.d[k] = by_a * a.d[k] + by_b * b.d[k])
    (void)by_a, (void)a, (void)by_b, (void)b;
    return out;
}

static inline dual dual_add(dual a, dual b) { return dual_chain2(a.v + b.v, 1.0, a, 1.0, b); }
static inline dual dual_sub(dual a, dual b) { return dual_chain2(a.v - b.v, 1.0, a, -1.0, b); }
static inline dual dual_mul(dual a, dual b) { return dual_chain2(a.v * b.v, b.v, a, a.v, b); }
static inline dual dual_div(dual a, dual b)
{
    double q = a.v / b.v;
    return dual_chain2(q, 1.0 / b.v, a, -q / b.v, b);
}
static inline dual dual_neg(dual a) { return dual_chain(-a.v, -1.0, a); }
static inline dual dual_scale(double s, dual a) { return dual_chain(s * a.v, s, a); }
static inline dual dual_shift(dual a, double by)
{
    a.v += by;
    return a;
}
// a + s b
static inline dual dual_add_scaled(dual a, double s, dual b)
{
    return dual_chain2(a.v + s * b.v, 1.0, a, s, b);
}
static inline dual dual_abs(dual a) { return a.v < 0.0 ? dual_neg(a) : a; }
static inline dual dual_max(dual a, dual b) { return a.v >= b.v ? a : b; }
static inline dual dual_min(dual a, dual b) { return a.v <= b.v ? a : b; }
// length of (a, b), of forces and slips that never come near overflow; its derivatives at zero are taken as zero
static inline dual dual_hypot(dual a, dual b)
{
    double r = sqrt(a.v * a.v + b.v * b.v);
    return r > 0.0 ? dual_chain2(r, a.v / r, a, b.v / r, b) : dual_of(0.0);
}
static inline dual dual_sqrt(dual a)
{
    double r = sqrt(a.v);
    return dual_chain(r, r > 0.0 ? 0.5 / r : 0.0, a);
}
static inline dual dual_sin(dual a)
{
    double s, c;
    math_sincos(a.v, &s, &c);
    return dual_chain(s, c, a);
}
static inline dual dual_cos(dual a)
{
    double s, c;
    math_sincos(a.v, &s, &c);
    return dual_chain(c, -s, a);
}
static inline dual dual_atan(dual a) { return dual_chain(math_atan(a.v), 1.0 / (1.0 + a.v * a.v), a); }
static inline dual dual_exp(dual a)
{
    double e = math_exp(a.v);
    return dual_chain(e, e, a);
}
static inline dual dual_tanh(dual a)
{
    double t = math_tanh(a.v);
    return dual_chain(t, 1.0 - t * t, a);
}
