// SPDX-License-Identifier: MIT
// Pacejka's formula of 1989 (tyre.24 .. tyre.27): loads in kN, angles in degrees, slip in per cent inside, as its
// coefficients are published; the longitudinal curve may instead be one of adhesion over slip.
#include "laws/tyre/wheel.h"
#include <stddef.h>
#include <string.h>

typedef enum { COMBINED_NONE, COMBINED_ELLIPSE } combination;

typedef struct {
    bool has_adhesion, has_aligning;
    bool has_camber;    // a coefficient of camber is not zero
    double adhesion[4]; // A B C D of (tyre.24)
    double peak;        // its largest value
    double a[14], b[11], c[18];
    double slow;       // m/s, least denominator of slips without carcass
    double standstill; // m/s
    bool has_carcass;
    combination combined;
} pacejka;

static const double degrees = 57.29577951308232;

// ---- curves --------------------------------------------------------------------------------------------------------

typedef struct {
    dual B, C, D, E, Sh, Sv;
} magic;

// D sin(C atan(B x (1 - E) + E atan(B x))) + Sv with x shifted by Sh (tyre.25)
TYRE_PART dual magic_at(const magic *m, dual x)
{
    dual bx = dual_mul(m->B, dual_add(x, m->Sh));
    dual inner = dual_add(dual_mul(bx, dual_sub(dual_of(1.0), m->E)), dual_mul(m->E, dual_atan(bx)));
    return dual_add(dual_mul(m->D, dual_sin(dual_mul(m->C, dual_atan(inner)))), m->Sv);
}

// c2 x^2 + c1 x + c0
static dual quadratic(double c2, double c1, double c0, dual x)
{
    return dual_shift(dual_mul(x, dual_shift(dual_scale(c2, x), c1)), c0);
}

// stiffness over C D, where there is any force at all
static dual steepness(dual stiffness, const magic *m) { return dual_div(stiffness, dual_mul(m->C, m->D)); }

// A peak that grows with the load at first must not turn negative for huge loads.
static dual peak_force(double c1, double c2, double friction, dual load)
{
    dual mu = dual_max(dual_shift(dual_scale(c1, load), c2), dual_of(0.01 * c2));
    return dual_scale(friction, dual_mul(mu, load));
}

// load in kN, camber in degrees
TYRE_PART magic lateral(const double *a, dual load, dual camber, double friction)
{
    magic m = { .C = dual_of(a[0]), .D = peak_force(a[1], a[2], friction, load) };
    // a3 sin(2 atan(x)) = a3 2 x / (1 + x^2)
    dual x = dual_scale(1.0 / a[4], load);
    dual stiffness = dual_div(dual_scale(2.0 * a[3], x), dual_shift(dual_mul(x, x), 1.0));
    stiffness = dual_mul(stiffness, dual_shift(dual_scale(-a[5], dual_abs(camber)), 1.0));
    m.B = steepness(stiffness, &m);
    m.E = dual_shift(dual_scale(a[6], load), a[7]);
    m.Sh = dual_add(dual_scale(a[8], camber), dual_shift(dual_scale(a[9], load), a[10]));
    m.Sv = dual_add(dual_scale(a[11], dual_mul(load, camber)), dual_shift(dual_scale(a[12], load), a[13]));
    return m;
}

TYRE_PART magic longitudinal(const double *b, dual load, double friction)
{
    magic m = { .C = dual_of(b[0]), .D = peak_force(b[1], b[2], friction, load) };
    m.B = steepness(dual_mul(quadratic(b[3], b[4], 0.0, load), dual_exp(dual_scale(-b[5], load))), &m);
    m.E = quadratic(b[6], b[7], b[8], load);
    m.Sh = dual_shift(dual_scale(b[9], load), b[10]);
    m.Sv = dual_of(0.0);
    return m;
}

TYRE_PART dual aligning(const double *c, dual load, dual camber, dual angle)
{
    dual tilt = dual_abs(camber);
    magic m = { .C = dual_of(c[0]), .D = quadratic(c[1], c[2], 0.0, load) };
    dual stiffness = dual_mul(quadratic(c[3], c[4], 0.0, load), dual_exp(dual_scale(-c[5], load)));
    m.B = steepness(dual_mul(stiffness, dual_shift(dual_scale(-c[6], tilt), 1.0)), &m);
    m.E = dual_mul(quadratic(c[7], c[8], c[9], load), dual_shift(dual_scale(-c[10], tilt), 1.0));
    m.Sh = dual_add(dual_scale(c[11], camber), dual_shift(dual_scale(c[12], load), c[13]));
    m.Sv = dual_add(dual_mul(quadratic(c[14], c[15], 0.0, load), camber),
                    dual_shift(dual_scale(c[16], load), c[17]));
    return magic_at(&m, angle);
}

// sign(s) (A (1 - exp(-B |s|)) + C s^2 - D |s|) (tyre.24)
static dual adhesion(const double k[4], dual slip)
{
    dual s = dual_abs(slip);
    dual mu = dual_scale(k[0], dual_sub(dual_of(1.0), dual_exp(dual_scale(-k[1], s))));
    mu = dual_add(mu, dual_mul(s, dual_shift(dual_scale(k[2], s), -k[3])));
    return slip.v < 0.0 ? dual_neg(mu) : mu;
}

TYRE_PART dual force_x(const pacejka *p, dual load, double friction, dual slip)
{
    if (p->has_adhesion) {
        return dual_scale(friction, dual_mul(adhesion(p->adhesion, slip), load));
    }
    magic m = longitudinal(p->b, dual_scale(1e-3, load), friction);
    return magic_at(&m, dual_scale(100.0, slip));
}

TYRE_PART dual limit_x(const pacejka *p, dual load, double friction)
{
    if (p->has_adhesion) {
        return dual_scale(friction * p->peak, load);
    }
    return peak_force(p->b[1], p->b[2], friction, dual_scale(1e-3, load));
}

// ---- the law -------------------------------------------------------------------------------------------------------

typedef struct {
    dual slip, angle; // longitudinal slip; slip angle in degrees
    dual ground;      // velocity of the wheel over the ground, along
    dual least;       // denominator of the slip, m/s
} slips;

// With a carcass both slips count against the larger of rolling and ground speed; without one the angle is that of the
// velocity, and slow speeds count as `slow` (tyre.26).
TYRE_PART slips slips_of(const pacejka *p, const dual *patch_state)
{
    static const double tiny = 1e-15;
    slips s;
    s.ground = dual_add(patch_state[PATCH_SLIP_X], patch_state[PATCH_ROLL]);
    dual speed = dual_max(dual_abs(patch_state[PATCH_ROLL]), dual_abs(s.ground));
    double floor = p->has_carcass ? tiny : p->slow;
    s.least = dual_max(speed, dual_of(floor));
    dual across = p->has_carcass ? s.least : dual_max(dual_abs(s.ground), dual_of(floor));
    s.slip = dual_neg(dual_div(patch_state[PATCH_SLIP_X], s.least));
    s.angle = dual_scale(-degrees, dual_atan(dual_div(patch_state[PATCH_SLIP_Y], across)));
    return s;
}

// How the tread is held, per slip: the force over it; at no slip the slope.
static dual secant(dual force, dual slip, dual at_rest)
{
    return slip.v != 0.0 ? dual_div(force, slip) : at_rest;
}

TYRE_PART void steady(const pacejka *p, dual fx, dual fy, const dual limit[2], tread *out)
{
    dual scale = dual_of(1.0);
    if (p->combined == COMBINED_ELLIPSE) {
        dual beyond = dual_hypot(dual_div(fx, limit[0]), dual_div(fy, limit[1]));
        scale = beyond.v > 1.0 ? dual_div(scale, beyond) : scale;
    }
    out->give = dual_of(1.0);
    out->drive[0] = dual_mul(scale, fx);
    out->drive[1] = dual_mul(scale, fy);
}

static void nothing(tyre_answer *out)
{
    dual load = out->load;
    memset(out, 0, sizeof *out);
    out->load = load;
    out->tread.give = dual_of(1.0);
}

// Leaning towards y counts positive here; degrees.
static dual camber_of(dual sine)
{
    double s = fmin(fmax(sine.v, -1.0), 1.0);
    return dual_chain(-degrees * math_asin(s), -degrees / sqrt(fmax(1.0 - s * s, 1e-12)), sine);
}

// (tyre.27): the secant of each curve, a tread that pushes at no slip keeps its push.
TYRE_PART void deflected(const pacejka *p, const dual *patch_state, double friction, const slips *s,
                         const magic *side, const dual force[2], tyre_answer *out)
{
    static const double small = 1e-6;
    dual load = out->load, ratio[2] = { s->slip, dual_neg(dual_div(patch_state[PATCH_SLIP_Y], s->least)) };
    dual zero[2] = { force_x(p, load, friction, dual_of(0.0)), magic_at(side, dual_of(0.0)) };
    dual slope[2] = { dual_scale(1.0 / small, force_x(p, load, friction, dual_of(small))),
                      dual_scale(1.0 / small, magic_at(side, dual_of(small * degrees))) };
    out->tread.give = dual_shift(s->least, p->standstill);
    for (int i = 0; i < 2; i++) {
        dual at_rest = dual_sub(slope[i], dual_scale(1.0 / small, zero[i]));
        out->tread.hold[i] = dual_max(secant(dual_sub(force[i], zero[i]), ratio[i], at_rest), dual_of(1e-9));
        out->tread.drive[i] = dual_sub(dual_mul(out->tread.give, zero[i]),
                                       dual_mul(out->tread.hold[i], patch_state[PATCH_SLIP_X + i]));
    }
}

static void pacejka_law(const void *data, const dual *patch_state, double friction, tyre_answer *out)
{
    const pacejka *p = data;
    if (!(out->load.v > 0.0) || !(friction > 0.0)) {
        nothing(out);
        return;
    }
    dual load = out->load, kilo = dual_scale(1e-3, load);
    dual camber = p->has_camber ? camber_of(patch_state[PATCH_CAMBER]) : dual_of(0.0);
    slips s = slips_of(p, patch_state);
    magic side = lateral(p->a, kilo, camber, friction);
    dual fx = force_x(p, load, friction, s.slip), fy = magic_at(&side, s.angle);
    out->tread.limit[0] = limit_x(p, load, friction);
    out->tread.limit[1] = dual_add(dual_abs(side.D), dual_abs(side.Sv));
    if (p->has_carcass) {
        deflected(p, patch_state, friction, &s, &side, (dual[2]){ fx, fy }, out);
    } else {
        steady(p, fx, fy, out->tread.limit, &out->tread);
    }
    if (p->has_aligning) {
        out->turn = aligning(p->c, kilo, camber, s.angle);
    }
    out->slip[0] = s.slip.v;
    out->slip[1] = s.angle.v / degrees;
}

// ---- compile -------------------------------------------------------------------------------------------------------

// The peak of the curve within |s| <= 1, by halving steps around the best of many places.
static double adhesion_peak(const double k[4])
{
    double best = 0.0, at = 0.0;
    for (double step = 1e-2, low = 0.0, high = 1.0; step > 1e-12; step *= 0.1) {
        for (double s = low; s <= high + 0.5 * step; s += step) {
            double mu = adhesion(k, dual_of(s)).v;
            if (mu > best) {
                best = mu;
                at = s;
            }
        }
        low = fmax(at - step, 0.0);
        high = fmin(at + step, 1.0);
    }
    return best;
}

static void pacejka_compile(plan *p, int element, const void *def, wheel *out)
{
    const bi_tyre_pacejka_def *d = def;
    wheel_compile(p, element, &d->wheel, out);
    pacejka *data = plan_keep(p, sizeof *data);
    out->data = data;
    if (!data) {
        return;
    }
    *data = (pacejka){ .has_adhesion = d->adhesion.count == 4,
                       .has_aligning = d->aligning.count == 18,
                       .slow = d->slow_speed > 0.0 ? d->slow_speed : 0.5,
                       .standstill = d->carcass.standstill_speed,
                       .has_carcass = wheel_has_carcass(p, element, &d->carcass),
                       .combined = d->combined == 2 ? COMBINED_ELLIPSE : COMBINED_NONE };
    memcpy(data->a, d->lateral.value, sizeof data->a);
    memcpy(data->adhesion, d->adhesion.value, sizeof data->adhesion);
    memcpy(data->b, d->longitudinal.value, sizeof data->b);
    memcpy(data->c, d->aligning.value, sizeof data->c);
    data->has_camber = data->has_aligning || data->a[5] != 0.0 || data->a[8] != 0.0 || data->a[11] != 0.0;
    data->peak = data->has_adhesion ? adhesion_peak(data->adhesion) : 0.0;
    if (data->has_carcass && d->combined == 2) {
        plan_complain(p, element, "combined",
                      "has no effect on a tread that deflects (stiffness_x ...), which combines both "
                      "directions itself");
    }
    if (data->has_carcass && d->slow_speed > 0.0) {
        plan_complain(p, element, "slow_speed",
                      "has no effect on a tread that deflects (stiffness_x ...), which holds at standstill");
    }
    if ((d->adhesion.count == 4) == (d->longitudinal.count == 11)) {
        plan_complain(
            p, element, "longitudinal",
            "give either 'longitudinal' (b0 to b10) or 'adhesion' (A, B, C, D of a curve of adhesion)");
    }
    if (data->has_adhesion && !(data->peak > 0.0)) {
        plan_complain(p, element, "adhesion", "is nowhere positive between no slip and slip 1");
    }
    if (!(data->a[0] > 0.0 && data->a[2] > 0.0 && data->a[3] > 0.0 && data->a[4] > 0.0)) {
        plan_complain(p, element, "lateral",
                      "a0, a2, a3 and a4 must be positive: shape, friction, stiffness and its load");
    }
    if (d->longitudinal.count == 11 && !(data->b[0] > 0.0 && data->b[2] > 0.0)) {
        plan_complain(p, element, "longitudinal", "b0 and b2 must be positive: shape and friction");
    }
    if (data->has_carcass) {
        wheel_deflects(p, &d->carcass, out);
    }
}

static const bi_field fields[] = {
    TYRE_COMMON_FIELDS(bi_tyre_pacejka_def),
    { "lateral", BI_FIELD_NUMBERS, offsetof(bi_tyre_pacejka_def, lateral), "8|14", BI_REQUIRED,
      "a0 to a7, or to a13: loads in kN, angles in degrees" },
    { "longitudinal", BI_FIELD_NUMBERS, offsetof(bi_tyre_pacejka_def, longitudinal), "11", 0,
      "b0 to b10: loads in kN, slip in per cent" },
    { "adhesion", BI_FIELD_NUMBERS, offsetof(bi_tyre_pacejka_def, adhesion), "4", 0,
      "A, B, C, D of A (1 - exp(-B s)) + C s^2 - D s, instead of longitudinal" },
    { "aligning", BI_FIELD_NUMBERS, offsetof(bi_tyre_pacejka_def, aligning), "18", 0,
      "c0 to c17 of the aligning moment (default none)" },
    { "combined", BI_FIELD_CHOICE, offsetof(bi_tyre_pacejka_def, combined), "none,ellipse", 0,
      "without deflection: none (default), or forces cut at the ellipse of friction" },
    { "slow_speed", BI_FIELD_NUMBER, offsetof(bi_tyre_pacejka_def, slow_speed), "m/s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "without deflection: slips count against this speed at least (default 0.5 m/s)" },
    TYRE_CARCASS_FIELDS(bi_tyre_pacejka_def, BI_NOT_NEGATIVE),
};
static const bi_kind schema = { "forces",
                                "tyre-pacejka",
                                sizeof(bi_tyre_pacejka_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "a wheel on its tyre: Pacejka's formula of 1989" };
TYRE(tyre_pacejka, pacejka_law, pacejka_compile, schema)
